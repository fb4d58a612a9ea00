//! What a text quotes, and text as quotes are compared.

use super::tokens::{fold, is_unseen};

/// Shorter quotes are single words in quotation marks, which mostly means that they are not meant.
const QUOTE_WORDS: usize = 2;
/// Longer runs between two marks are no quote but two marks that have nothing to do with each other, in bytes.
const QUOTE_BYTES: usize = 2_000;

/// The quotes of two words or more in a text, as they are written.
pub(crate) fn quotes(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((offset, mark)) =
        text.get(at..).and_then(|rest| rest.char_indices().find(|(_, c)| closing(*c).is_some()))
    {
        let start = at + offset;
        let inner = start + mark.len_utf8();
        at = inner;
        // Two backticks and two apostrophes are the quotation marks of printers.
        if let Some(length) = text.get(inner..).filter(|_| mark == '`').and_then(printed) {
            found.extend(text.get(inner + 1..inner + length).filter(|quote| is_long(quote)));
            at = inner + length + 2;
            continue;
        }
        // Between two backticks stands code, whatever marks are in it.
        if let Some(code) = text.get(inner..).filter(|_| mark == '`').and_then(code_length) {
            at = inner + code;
            continue;
        }
        if !opens(text, start, mark) {
            continue;
        }
        let rest = text.get(inner..).unwrap_or_default();
        let Some(length) = end_of(rest, mark).or_else(|| never_ends(rest, mark)) else { continue };
        let quote = rest.get(..length).unwrap_or_default();
        if is_long(quote) {
            found.push(quote);
            at = inner + length;
        }
    }
    found
}

fn is_long(quote: &str) -> bool {
    quote.split_whitespace().count() >= QUOTE_WORDS || quote.chars().filter(|c| super::tokens::is_wide(*c)).count() >= 4
}

/// The bytes up to the two apostrophes that end what a second backtick begins.
fn printed(rest: &str) -> Option<usize> {
    let near = rest.strip_prefix('`')?;
    near.get(..near.floor_char_boundary(QUOTE_BYTES))?.find("''").map(|end| end + 1)
}

/// The rest of a sentence whose quote goes on in the next one, or is never closed. An apostrophe or a sign for inches begins none.
fn never_ends(rest: &str, mark: char) -> Option<usize> {
    let is_sure = matches!(mark, '"' | '“' | '„' | '«' | '「' | '『' | '＂');
    (is_sure && rest.len() <= QUOTE_BYTES && !rest.contains(mark)).then_some(rest.len())
}

/// The longest code in a sentence, in bytes.
const CODE_BYTES: usize = 300;

/// The bytes up to and with the backtick that ends the code which begins here.
fn code_length(rest: &str) -> Option<usize> {
    let near = rest.get(..rest.floor_char_boundary(CODE_BYTES))?;
    near.find('`').map(|end| end + 1)
}

/// The marks that can close what this one opens.
fn closing(mark: char) -> Option<&'static [char]> {
    Some(match mark {
        '"' => &['"', '”'],
        '“' => &['”', '"', '“'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '»' => &['«'],
        '\'' => &['\'', '’'],
        '‘' => &['’', '\''],
        '‹' => &['›'],
        '「' => &['」'],
        '『' => &['』'],
        '`' => &['´', '\''],
        '”' => &['”', '"'],
        '‚' => &['‘', '’', '\''],
        '＂' => &['＂'],
        '′' => &['′'],
        '″' => &['″'],
        _ => return None,
    })
}

/// Whether a mark can open a quote: not an apostrophe or a sign for inches.
fn opens(text: &str, at: usize, mark: char) -> bool {
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text.get(at + mark.len_utf8()..).and_then(|text| text.chars().next());
    let starts = before.is_none_or(|c| !c.is_alphanumeric()) || matches!(mark, '「' | '『' | '“' | '«' | '„');
    starts && after.is_some_and(|c| !c.is_whitespace())
}

/// Where the quote ends that begins here: at a mark that no letter follows.
fn end_of(rest: &str, mark: char) -> Option<usize> {
    let ends = closing(mark)?;
    let single = matches!(mark, '\'' | '‘' | '`');
    let mut chars = rest.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        if at > QUOTE_BYTES {
            return None;
        }
        let next = chars.peek().map(|(_, next)| *next);
        let inside = single && next.is_some_and(char::is_alphanumeric);
        let plural = single
            && before == 's'
            && next.is_some_and(char::is_whitespace)
            && later_mark(rest.get(at + c.len_utf8()..).unwrap_or_default(), ends);
        if ends.contains(&c) && !inside && !plural && !before.is_whitespace() {
            return Some(at);
        }
        before = c;
    }
    None
}

/// Whether a closing mark comes later in the same sentence, so that the one seen was that of a plural: `the dogs' home'`.
fn later_mark(rest: &str, ends: &[char]) -> bool {
    let mut chars = rest.chars().take(200).peekable();
    let mut odd = 0;
    while let Some(c) = chars.next() {
        if matches!(c, '‘' | '`') {
            return false;
        }
        if ends.contains(&c) && chars.peek().is_none_or(|next| !next.is_alphanumeric()) {
            odd += 1;
        }
    }
    odd == 1
}

/// Text without what typesetting changes: case, white space, marks, unseen characters. Words remain, with one space between them.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) || matches!(c, '\'' | '’' | '‘' | 'ʼ') {
            continue;
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            fold(c, &mut out, usize::MAX);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out
}

/// The parts of a quote that must stand in the page: what is left out between them is marked.
pub(crate) fn parts(quote: &str) -> Vec<String> {
    let marked = quote.replace("...", "…").replace("[…]", "…").replace("(…)", "…");
    marked.split('…').map(|part| plain(part).trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Whether a quote is the title of something: most of its longer words have capitals. Titles are often told in other forms.
pub(crate) fn is_title(quote: &str) -> bool {
    let long = quote.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= 4);
    let (all, capital) = long
        .fold((0, 0), |(all, capital), word| (all + 1, capital + usize::from(word.starts_with(char::is_uppercase))));
    all > 0 && capital * 4 >= all * 3
}

/// Whether a part of a quote stands in a plain text as whole words.
pub(crate) fn stands_in(plain: &str, part: &str) -> bool {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !super::tokens::is_wide(c));
    plain.match_indices(part).any(|(at, _)| {
        let before = plain.get(..at).and_then(|text| text.chars().next_back());
        let after = plain.get(at + part.len()..).and_then(|text| text.chars().next());
        !letter(before) && !letter(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EV-02: a quote is known by whatever marks stand around it, and also where its end is in the next sentence.
    #[test]
    fn marks_of_quotes() {
        for (text, want) in [
            ("Hon sade ”aldrig mer” igen.", "aldrig mer"),
            ("Er sagte ‚nie wieder‘ und ging.", "nie wieder"),
            ("It says ＂never again＂.", "never again"),
            ("It says ′never again′.", "never again"),
            ("It says ``never again'' twice.", "never again"),
            ("The report says: \"Never again was it dry.", "Never again was it dry."),
            ("The report says: “Never again was it dry.", "Never again was it dry."),
        ] {
            assert_eq!(quotes(text), [want], "{text}");
        }
        assert_eq!(quotes("A 6\" pipe of 3′ and the `first``second` name."), [""; 0]);
    }

    /// EV-02: code is not quoted speech, and an apostrophe behind it ends no quote.
    #[test]
    fn code_is_no_quote() {
        assert_eq!(quotes("Set it up with `dictConfig()`, and let the modules' child loggers propagate."), [""; 0]);
        assert_eq!(quotes("It has `output` (strings such as `'INFO:foo:first message'`)."), [""; 0]);
        assert_eq!(quotes("She said `never again' and \"not before noon\"."), ["never again", "not before noon"]);
    }
}
