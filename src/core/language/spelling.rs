//! Words that are spelt a little differently from those of a text: how near a term is to what somebody typed.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::core::language::fold::folded;
use crate::core::language::stems::stem_of;
use crate::core::language::words::is_filler_stem;

/// Characters from which a word may have an error, and from which it may have two.
const ONE_ERROR: usize = 4;
const TWO_ERRORS: usize = 9;
/// Characters from which a wrong letter makes another word seldom.
const LONG: usize = 8;
/// Characters at both ends of a word with two errors that must be right.
const RIGHT_ENDS: usize = 2;
/// Characters below which a wrong letter makes another word as likely as an error.
const SHORT: usize = 6;
/// Endings that a stem has lost.
const ENDINGS: [&str; 18] = [
    "s", "es", "ed", "er", "ers", "ing", "ion", "ions", "ation", "ations", "ment", "ments", "ity", "able", "ance",
    "ence", "ization", "ness",
];
/// Characters of an ending that is seldom there by chance.
const LONG_ENDING: usize = 4;
/// Characters of an ending that may have no more than a slip.
const SHORT_ENDING: usize = 3;
/// Characters from which a stem may have two errors.
const LONG_STEM: usize = 7;
/// Characters of a stem behind which an ending may be spelt wrong.
const STEM: usize = 5;

/// The stems of words that stand on many English pages, made by `eval/common_words.py`. One that stands nowhere in a folder is still no misspelling.
const COMMON: &str = include_str!("common_words.txt");

/// Letters from which words were counted for it.
const COMMON_LETTERS: usize = 4;

/// How a term is near to a typed word, the likeliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Near {
    /// A letter is missing, too many or swapped with the next: that is how most errors are made.
    Slip,
    /// A letter is wrong, or the word was cut otherwise than the one that was meant.
    Wrong,
    /// Two errors: it may well be another word.
    Two,
}

/// A typed word as it is compared: as it was typed, and its stem.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    word: String,
    stem: String,
    /// How many errors it may have beside a slip.
    most: usize,
    /// The stems of all words of which it is a slip.
    slips: HashSet<String>,
    /// The word without an ending that it may have: a misspelt word is often cut at another place than the one that was meant (`chnage`, `chang`).
    bare: Vec<String>,
}

impl Typed {
    /// `None` for a word that is too short to have an error, that is a common one, or that is no word: figures and names of programs are what
    /// they are.
    pub(crate) fn new(word: &str, stem: &str) -> Option<Self> {
        let is_word = word.chars().all(char::is_alphabetic);
        // Who types an accent means it.
        let is_accented = !word.is_ascii() && word.contains(|c: char| c.is_ascii());
        let most = match word.chars().count() {
            length if length >= SHORT && is_accented => 0,
            length if length >= TWO_ERRORS && !is_accented => 2,
            length if length >= ONE_ERROR && !is_accented => 1,
            _ => return None,
        };
        let bare = || {
            ENDINGS.iter().chain(&["e", "y"]).filter_map(|ending| {
                let bare = word.strip_suffix(ending)?;
                (bare.chars().count() >= STEM || (bare.chars().count() >= ONE_ERROR && ending.len() >= LONG_ENDING))
                    .then(|| bare.to_owned())
            })
        };
        (is_word && !is_common(word)).then(|| Self {
            word: word.to_owned(),
            stem: stem.to_owned(),
            most,
            slips: slips(&folded(word)),
            bare: bare().collect(),
        })
    }

    /// The same in a question that is not in English: its words are not those of English documents, and two errors make any of them another one.
    pub(crate) fn of_other_language(self) -> Self {
        let most = if self.word.chars().count() >= LONG { self.most.min(1) } else { 0 };
        Self { most, ..self }
    }

    /// The letter that a near term begins with.
    pub(crate) fn first(&self) -> Option<char> {
        self.stem.chars().next()
    }

    /// The shortest and the longest term that can be near.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        let stem = self.stem.chars().count();
        let most = self.most.max(1);
        (stem.min(STEM).saturating_sub(most), self.word.chars().count() + most)
    }

    /// How near a term is to it; `None` for too many errors.
    pub(crate) fn errors(&self, term: &str) -> Option<Near> {
        // The first letter is seldom wrong, and a word with another one is mostly another word.
        let length = term.chars().count();
        let own = self.stem.chars().count();
        if term.chars().next() != self.first() || length < 3 || own < ONE_ERROR || is_filler_stem(term) {
            return None;
        }
        if length >= ONE_ERROR && term != self.stem && self.slips.contains(term) {
            return Some(Near::Slip);
        }
        if self.most == 0 {
            return None;
        }
        // Nobody adds two letters at the end by mistake: `graphite` is no `graph`.
        let is_longer = own > length + 1 && self.stem.starts_with(term);
        // Of a short stem two wrong letters leave too little: `departed` is no `dear`.
        let most = if own < LONG_STEM { 1 } else { self.most };
        let is_near = own.abs_diff(length) <= most && !is_longer;
        let whole = is_near.then(|| distance(&self.stem, term, most)).flatten();
        let others = self.with_wrong_ending(term).into_iter().chain(self.with_right_ending(term));
        match whole.into_iter().chain(others).filter(|errors| *errors > 0).min()? {
            1 => Some(Near::Wrong),
            _ => self.has_ends_of(term).then_some(Near::Two),
        }
    }

    fn has_ends_of(&self, term: &str) -> bool {
        let begins = self.stem.chars().zip(term.chars()).take(RIGHT_ENDS).all(|(a, b)| a == b);
        begins && self.stem.chars().rev().zip(term.chars().rev()).take(RIGHT_ENDS).all(|(a, b)| a == b)
    }

    /// The errors where the term is the stem of what was meant, and the error stands before the ending.
    fn with_right_ending(&self, term: &str) -> Option<usize> {
        let length = term.chars().count();
        let is_near = |bare: &&String| length >= STEM && bare.chars().count().abs_diff(length) <= 1;
        self.bare.iter().filter(is_near).filter_map(|bare| distance(bare, term, 1)).min()
    }

    /// The errors where the term is the stem of what was meant, and the error stands in the ending.
    fn with_wrong_ending(&self, term: &str) -> Option<usize> {
        let ending = self.word.strip_prefix(term).filter(|_| term.chars().count() >= STEM)?;
        let near = |known: &&str| match known.len() {
            length if length >= ONE_ERROR => distance(ending, known, 1),
            SHORT_ENDING => Some(1).filter(|_| is_slip(ending, known) || (ending, *known) == ("on", "ion")),
            _ => None,
        };
        ENDINGS.iter().filter_map(near).filter(|errors| *errors > 0).min()
    }
}

/// The stems of the words that become this one where a letter inside is left out, doubled, put in or swapped with the next. Of short words only
/// swapping leaves enough.
fn slips(word: &str) -> HashSet<String> {
    let letters: Vec<char> = word.chars().collect();
    let length = letters.len();
    let spelt = |change: &dyn Fn(&mut Vec<char>)| {
        let mut changed = letters.clone();
        change(&mut changed);
        stem_of(&changed.into_iter().collect::<String>())
    };
    let mut stems: HashSet<String> =
        (1..length.saturating_sub(1)).map(|at| spelt(&|word| word.swap(at, at + 1))).collect();
    if length > ONE_ERROR {
        let has_doubled_end = matches!(letters.as_slice(), [.., one, other] if one == other);
        let last = if has_doubled_end { length } else { length - 1 };
        stems.extend((1..last).map(|at| spelt(&|word| drop(word.drain(at..=at)))));
        let inside = if word.is_ascii() { 1..length } else { 0..0 };
        for at in inside {
            stems.extend(('a'..='z').map(|letter| spelt(&|word| word.insert(at, letter))));
        }
    }
    stems
}

/// Whether a word in lower case, or another form of it, stands on many English pages. Of fewer than four letters none is known to.
pub(crate) fn is_common(word: &str) -> bool {
    static STEMS: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON.split_whitespace().collect());
    word.chars().count() >= COMMON_LETTERS && (STEMS.contains(word) || STEMS.contains(stem_of(word).as_str()))
}

/// Whether two letters are swapped or a vowel stands for another one. More than that makes another word of a short ending: `graphite` is no `graphity`.
fn is_slip(ending: &str, known: &str) -> bool {
    let is_vowel = |c: &char| "aeiou".contains(*c);
    let mut wrong = ending.chars().zip(known.chars()).filter(|(a, b)| a != b);
    let is_replaced = wrong.next().is_some_and(|(a, b)| is_vowel(&a) && is_vowel(&b)) && wrong.next().is_none();
    is_swapped(ending, known) || (ending.len() == known.len() && is_replaced)
}

/// Whether a word is another one with two neighbours swapped: `teh`.
pub(crate) fn is_swapped(typed: &str, known: &str) -> bool {
    let pairs: Vec<(char, char)> = typed.chars().zip(known.chars()).collect();
    let wrong: Vec<usize> = (0..pairs.len()).filter(|at| pairs.get(*at).is_some_and(|(a, b)| a != b)).collect();
    let is_turned = |at: usize| matches!(pairs.get(at..at + 2), Some([(a, b), (c, d)]) if a == d && b == c);
    typed.len() == known.len() && matches!(wrong.as_slice(), [at, next] if at + 1 == *next && is_turned(*at))
}

/// Whether nothing but swapping two neighbours or doubling a letter lies between two words: no other word is made so.
pub(crate) fn is_sure_slip(typed: &str, written: &str) -> bool {
    let once = |word: &str| {
        let mut letters: Vec<char> = folded(word).chars().collect();
        letters.dedup();
        letters
    };
    is_swapped(&folded(typed), &folded(written)) || once(typed) == once(written)
}

/// Whether a word was taken for one from which it differs by two errors, a guess.
pub(crate) fn is_guess(typed: &str, meant: &str) -> bool {
    let (typed, meant) = (typed.to_lowercase(), stem_of(&folded(meant)));
    let near = Typed::new(&typed, &stem_of(&folded(&typed))).and_then(|typed| typed.errors(&meant));
    near == Some(Near::Two)
}

/// Whether what was taken for a misspelt word may well be another one: with a letter that is wrong in a short word, or with two errors.
/// Who mistypes mostly leaves out, doubles or swaps. Signs between the letters are no errors, nor is a plural.
pub(crate) fn may_be_another(typed: &str, meant: &str) -> bool {
    let letters = |word: &str| word.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let (typed, meant) = (letters(typed), letters(meant));
    let wrong = |one: &str, other: &str| one.chars().zip(other.chars()).filter(|(a, b)| a != b).count();
    let length = typed.chars().count();
    let is_another = |meant: &str| {
        let is_replaced = length == meant.chars().count() && wrong(&typed, meant) == 1;
        strsim::osa_distance(&typed, meant) > 1 || (is_replaced && length < LONG)
    };
    is_another(&meant) && meant.strip_suffix('s').is_none_or(is_another)
}

/// How far a typed word is from one as it is written: how many errors lie between, a plural being none, and whether a letter stands for another that
/// nobody takes it for.
pub(crate) fn how_far(typed: &str, written: &str) -> (usize, bool) {
    let (typed, written) = (typed.to_lowercase(), written.to_lowercase());
    let singular = |word: &str| word.strip_suffix('s').map(str::to_owned);
    let pairs = [
        Some((typed.clone(), written.clone())),
        singular(&written).map(|written| (typed.clone(), written)),
        singular(&typed).map(|typed| (typed, written.clone())),
    ];
    let far = |(typed, written): (String, String)| {
        let is_vowel = |c: char| "aeiouy".contains(c);
        let wrong: Vec<(char, char)> = typed.chars().zip(written.chars()).filter(|(a, b)| a != b).collect();
        let is_replaced = typed.chars().count() == written.chars().count()
            && matches!(wrong.as_slice(), [(a, b)] if !(is_vowel(*a) && is_vowel(*b)));
        (strsim::osa_distance(&typed, &written), is_replaced)
    };
    pairs.into_iter().flatten().map(far).min().unwrap_or((usize::MAX, true))
}

/// Whether a word is so short that one letter makes another word of it, be it a name or not.
pub(crate) fn is_short(typed: &str) -> bool {
    typed.chars().count() < SHORT
}

/// Letters that are missing, too many, wrong or swapped with the next, if they are at most so many.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    Some(strsim::osa_distance(a, b)).filter(|errors| *errors <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: a letter too many, too few, wrong or swapped is an error; another word is not.
    #[test]
    fn errors_are_counted() {
        const SLIP: Option<Near> = Some(Near::Slip);
        for (word, stem, term, want) in [
            ("databse", "databs", "databas", SLIP),
            ("recieve", "reciev", "receiv", SLIP),
            ("replicaton", "replicaton", "replic", SLIP),
            ("configuraton", "configuraton", "configur", SLIP),
            ("authetication", "authet", "authent", SLIP),
            ("partitoin", "partitoin", "partit", SLIP),
            ("integrety", "integreti", "integr", SLIP),
            ("connecton", "connecton", "connect", SLIP),
            ("chnage", "chnage", "chang", SLIP),
            ("delgation", "delgat", "deleg", SLIP),
            ("graphite", "graphit", "graph", None),
            ("organist", "organist", "organ", None),
            ("machinal", "machin", "machin", None),
            ("kernle", "kernl", "kernel", SLIP),
            ("trench", "trench", "french", None),
            ("postgrest", "postgrest", "postgr", None),
            ("lark", "lark", "larch", None),
            ("bat", "bat", "bet", None),
            ("departed", "depart", "dear", None),
            ("mois", "moi", "mon", None),
            ("behält", "behalt", "behalf", None),
            ("verlängrt", "verlangrt", "verlangert", SLIP),
            ("memoy", "memoi", "memori", SLIP),
            ("booikng", "booikng", "book", SLIP),
            ("seerity", "seeriti", "sever", SLIP),
            ("directioon", "directioon", "direct", SLIP),
            ("faileed", "faile", "fail", SLIP),
            ("faileed", "faile", "file", SLIP),
            ("paers", "paer", "paper", SLIP),
            ("paers", "paer", "per", None),
            ("agrement", "agrement", "agre", SLIP),
            ("agrement", "agrement", "argument", None),
            ("retriées", "retrie", "retire", SLIP),
            ("paiement", "paiement", "placement", None),
            ("vorrätig", "vorratig", "vorrang", None),
            ("incendie", "incendi", "intend", None),
            ("bern", "bern", "been", None),
            ("kuberentis", "kuberenti", "kubernet", None),
            ("adminstraotr", "adminstraotr", "administrat", None),
            ("konfigurasion", "konfigurasion", "configurat", None),
            ("replcatoin", "replcatoin", "replic", None),
            ("kubbarnetes", "kubbarnet", "kubernet", Some(Near::Two)),
        ] {
            let errors = Typed::new(word, stem).and_then(|typed| typed.errors(term));
            assert_eq!(errors, want, "{word} {term}");
        }
        assert!(Typed::new("x86_64", "x86_64").is_none() && Typed::new("utf8", "utf8").is_none());
        for common in ["long", "turn", "light", "heavy", "oven", "bulb", "mortgage", "plumbers"] {
            assert!(Typed::new(common, common).is_none(), "{common}");
        }
    }

    /// LB-02: in another language a letter of a short word is not wrong, and what is one is no guess.
    #[test]
    fn lb_02_words_of_other_languages_are_not_bent() {
        for (word, stem, term, want) in [
            ("redis", "redi", "reli", None),
            ("vertragspartnor", "vertragspartnor", "vertragspartner", Some(Near::Wrong)),
            ("contart", "contart", "contrat", Some(Near::Slip)),
            ("kubbarnetes", "kubbarnet", "kubernet", None),
        ] {
            let errors = Typed::new(word, stem).and_then(|typed| typed.of_other_language().errors(term));
            assert_eq!(errors, want, "{word} {term}");
        }
        for (typed, written, is_sure) in
            [("argent", "agent", false), ("contart", "contrat", true), ("servicce", "Service", true)]
        {
            assert_eq!(is_sure_slip(typed, written), is_sure, "{typed} {written}");
        }
        assert!(is_guess("kubbarnetes", "Kubernetes") && !is_guess("documentatoin", "documentation"));
    }

    #[test]
    fn swapped_neighbours_are_known() {
        for (typed, known, swapped) in [
            ("teh", "the", true),
            ("wihch", "which", true),
            ("the", "the", false),
            ("eht", "the", false),
            ("tha", "the", false),
            ("th", "the", false),
            ("né", "né", false),
        ] {
            assert_eq!(is_swapped(typed, known), swapped, "{typed} {known}");
        }
    }

    /// LB-02: the number of a word is no error, and a vowel for a vowel is a likely one.
    #[test]
    fn lb_02_how_far_words_are() {
        for (typed, written, far) in [
            ("cleints", "client", (1, false)),
            ("cleints", "clents", (1, false)),
            ("tabel", "tables", (1, false)),
            ("tires", "time", (1, true)),
            ("tires", "tyres", (1, false)),
            ("tires", "Tires", (0, false)),
        ] {
            assert_eq!(how_far(typed, written), far, "{typed} {written}");
        }
    }

    /// LB-02: a word that is one letter away from another one is perhaps no error.
    #[test]
    fn lb_02_another_word_is_told_from_an_error() {
        for (typed, meant, another) in [
            ("Iran", "Iraq", true),
            ("Mali", "Bali", true),
            ("Australia", "Austria", true),
            ("Postgers", "Postgres", false),
            ("Guntenberg", "Gutenberg", false),
            ("Kubernets", "Kubernetes", false),
            ("Gutemberg", "Gutenberg", false),
            ("Dachstuhl", "dachstuhl", false),
            ("redis", "relies", true),
            ("bees", "beds", true),
            ("tabel", "tables", false),
            ("wifi", "Wi-Fi", false),
        ] {
            assert_eq!(may_be_another(typed, meant), another, "{typed} {meant}");
        }
    }
}
