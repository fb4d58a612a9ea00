//! The words of a text as they are compared: folded, cut to a stem, and hashed.
//!
//! A stem is the first five letters: on claims and pages this brings more forms of a word together than cutting endings does,
//! and hides fewer differences than it seems, because every feature counts many words. Names are compared whole.

/// One word of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// The first letters of the word, or all of a number.
    pub(crate) stem: u64,
    /// The whole word.
    pub(crate) word: u64,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// It carries grammar and nothing that could be looked up.
    pub(crate) filler: bool,
    pub(crate) capital: bool,
    /// It is the first word of a sentence, so that its capital says nothing.
    pub(crate) opens: bool,
    pub(crate) digit: bool,
}

/// Letters of a stem.
const STEM: usize = 5;
/// Letters of a word that are looked at; more is no word.
const WORD: usize = 64;

/// Words that carry grammar. Sorted, lower case.
const FILLERS: &[&str] = &[
    "a", "also", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "here", "him", "his", "i", "if", "in", "into", "is",
    "it", "its", "may", "me", "my", "no", "not", "of", "on", "or", "our", "over", "she", "should", "so", "such",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "was", "we",
    "were", "which", "who", "whom", "will", "with", "would", "you", "your",
];

/// Small numbers in words and in digits, which say the same.
const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const DIGITS: [&str; 11] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];

/// FNV-1a, which is the same on every machine.
pub(crate) const fn hash(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < bytes.len() {
        state = (state ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    state
}

/// Words by a few bits of their hashes: most others are known not to be among them at the cost of one look.
#[derive(Debug)]
pub(crate) struct WordFilter([u64; Self::PARTS]);

impl WordFilter {
    const PARTS: usize = 64;

    pub(crate) const fn of(words: &[&str]) -> Self {
        Self([0; Self::PARTS]).with(words)
    }

    /// The same with more words.
    pub(crate) const fn with(mut self, words: &[&str]) -> Self {
        let mut at = 0;
        while at < words.len() {
            let (part, bit) = Self::place(hash(words[at]));
            self.0[part] |= bit;
            at += 1;
        }
        self
    }

    const fn place(word: u64) -> (usize, u64) {
        ((word >> 32) as usize % Self::PARTS, 1 << (word >> 58))
    }

    /// Whether a word with this hash may be among them.
    pub(crate) fn may_have(&self, word: u64) -> bool {
        let (part, bit) = Self::place(word);
        self.0.get(part).is_some_and(|bits| bits & bit != 0)
    }
}

/// The hashes of the fillers, sorted.
static FILLER_HASHES: [u64; FILLERS.len()] = filler_hashes();

const fn filler_hashes() -> [u64; FILLERS.len()] {
    let mut hashes = [0; FILLERS.len()];
    let mut count = 0;
    while count < FILLERS.len() {
        let new = hash(FILLERS[count]);
        let mut at = count;
        while at > 0 && hashes[at - 1] > new {
            hashes[at] = hashes[at - 1];
            at -= 1;
        }
        hashes[at] = new;
        count += 1;
    }
    hashes
}

static NUMBER_FILTER: WordFilter = WordFilter::of(&NUMBERS);

/// The stem of a word that is folded already and whose hash is known.
fn stem_of(word: &str, whole: u64) -> u64 {
    let may_be_number = NUMBER_FILTER.may_have(whole);
    if (word.len() <= STEM && !may_be_number) || word.starts_with(|c: char| c.is_ascii_digit()) {
        return whole;
    }
    if may_be_number && let Some(value) = NUMBERS.iter().position(|number| *number == word) {
        return hash(DIGITS.get(value).copied().unwrap_or(word));
    }
    let end = word.char_indices().nth(STEM).map_or(word.len(), |(at, _)| at);
    hash(word.get(..end).unwrap_or(word))
}

/// The words of a text in their order.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut reader =
        Reader { text, found: Vec::with_capacity(text.len() / 6), opens: true, spelling: String::with_capacity(WORD) };
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if is_wide(c) {
            at = reader.wide(at, c);
        } else if c.is_alphanumeric() {
            at = reader.word(at);
        } else {
            reader.opens |= matches!(c, '.' | '!' | '?' | ':' | '…' | '\n' | '•' | '|');
            at += c.len_utf8();
        }
    }
    reader.found
}

struct Reader<'a> {
    text: &'a str,
    found: Vec<Token>,
    opens: bool,
    /// The word that is being read, as it is compared; kept for its room.
    spelling: String,
}

impl Reader<'_> {
    /// Reads a word from its first letter; the answer is where it ends.
    fn word(&mut self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or_default();
        let digit = rest.starts_with(|c: char| c.is_ascii_digit());
        let capital = rest.chars().next().is_some_and(char::is_uppercase);
        let mut word = std::mem::take(&mut self.spelling);
        word.clear();
        let mut end = start;
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            let inside = digit && matches!(c, '.' | ',') && next.is_some_and(|next| next.is_ascii_digit());
            if inside {
                // A comma between digits separates thousands and is no part of the number.
                word.extend((c == '.').then_some('.'));
            } else if is_unseen(c) {
                end = start + at + c.len_utf8();
                continue;
            } else if c == '.'
                && word.len() <= 4
                && acronym_goes_on(&word, rest.get(at + 1..).unwrap_or_default(), capital)
            {
                continue;
            } else if !c.is_alphanumeric() || is_wide(c) {
                break;
            } else {
                fold(c, &mut word, WORD);
            }
            end = start + at + c.len_utf8();
        }
        let after = self.text.get(end..).unwrap_or_default();
        let (end, negated) = apostrophe(&mut word, end, after);
        self.push(&word, start..end, (capital, digit));
        if negated {
            self.push("not", start..end, (false, false));
        }
        self.spelling = word;
        end
    }

    /// Scripts without spaces between words: each pair of neighbouring signs is a word.
    fn wide(&mut self, start: usize, c: char) -> usize {
        let end = start + c.len_utf8();
        let next = self.text.get(end..).and_then(|rest| rest.chars().next()).filter(|next| is_wide(*next));
        let after_wide = self.found.last().is_some_and(|last| last.end as usize > start);
        let mut pair = String::from(c);
        pair.extend(next);
        if next.is_some() || !after_wide {
            self.push(&pair, start..start + pair.len(), (false, false));
        }
        end
    }

    fn push(&mut self, word: &str, range: std::ops::Range<usize>, (capital, digit): (bool, bool)) {
        let (Ok(start), Ok(end)) = (u32::try_from(range.start), u32::try_from(range.end)) else { return };
        let whole = hash(word);
        let filler = FILLER_HASHES.binary_search(&whole).is_ok();
        let opens = std::mem::take(&mut self.opens);
        let stem = stem_of(word, whole);
        self.found.push(Token { stem, word: whole, start, end, filler, capital, opens, digit });
    }
}

/// What stands behind an apostrophe belongs to the word before it: `'s` is left out, `n't` is a word of its own.
fn apostrophe(word: &mut String, end: usize, after: &str) -> (usize, bool) {
    if word == "cannot" {
        word.truncate(3);
        return (end, true);
    }
    let Some(mark) = after.chars().next().filter(|c| matches!(c, '\'' | '’' | 'ʼ')) else { return (end, false) };
    let tail: String = after.chars().skip(1).take_while(|c| c.is_alphanumeric()).take(3).collect();
    let read = end + mark.len_utf8() + tail.len();
    match tail.as_str() {
        "s" | "S" => (read, false),
        "t" | "T" if word.ends_with('n') => {
            match word.as_str() {
                "can" => {}
                "won" => *word = "will".to_owned(),
                _ => word.truncate(word.len() - 1),
            }
            (read, true)
        }
        _ => (end, false),
    }
}

/// Whether a stop inside `U.S.` is followed by another of its letters.
fn acronym_goes_on(word: &str, after: &str, capital: bool) -> bool {
    let mut next = after.chars();
    let letter = next.next().is_some_and(char::is_uppercase);
    capital && !word.is_empty() && letter && next.next().is_none_or(|c| !c.is_alphanumeric())
}

/// Characters inside words that nobody sees.
pub(crate) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{300}'..='\u{36f}')
}

/// Letters of scripts that put no space between words.
pub(crate) fn is_wide(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}')
}

/// Adds a letter to a word of at most `most` bytes, as it is compared: small, without accents, full-width forms as plain ones.
pub(crate) fn fold(c: char, word: &mut String, most: usize) {
    if word.len() >= most {
        return;
    }
    match c {
        c if c.is_ascii() => word.push(c.to_ascii_lowercase()),
        'ß' => word.push_str("ss"),
        'æ' | 'Æ' => word.push_str("ae"),
        'œ' | 'Œ' => word.push_str("oe"),
        '\u{ff10}'..='\u{ff5a}' => {
            let plain = u32::from(c).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(c);
            word.extend(plain.to_lowercase());
        }
        c => match c.to_lowercase().next().unwrap_or(c) {
            'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => word.push('a'),
            'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => word.push('c'),
            'ď' | 'đ' | 'ð' => word.push('d'),
            'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => word.push('e'),
            'ĝ' | 'ğ' | 'ġ' | 'ģ' => word.push('g'),
            'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => word.push('i'),
            'ł' | 'ľ' | 'ĺ' | 'ļ' => word.push('l'),
            'ñ' | 'ń' | 'ň' | 'ņ' => word.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => word.push('o'),
            'ř' | 'ŕ' => word.push('r'),
            'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => word.push('s'),
            'ţ' | 'ť' | 'ț' => word.push('t'),
            'ù'..='ü' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => word.push('u'),
            'ý' | 'ÿ' => word.push('y'),
            'ź' | 'ż' | 'ž' => word.push('z'),
            small => word.push(small),
        },
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
