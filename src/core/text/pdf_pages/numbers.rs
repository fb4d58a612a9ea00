//! Lines that are only the number of their page: `1`, `- 1 -`, `Page 3 of 21`, `iv`.

use crate::core::base::plain::is_digits;

/// What stands around a number and says nothing.
const AROUND: &str = "-–—―·•|[](){}<>*~_=";
/// What stands before the number of a page, in lower case.
const PAGE_WORDS: [&str; 20] = [
    "page",
    "pages",
    "pg.",
    "p.",
    "seite",
    "blatt",
    "s.",
    "página",
    "pagina",
    "pág.",
    "pag.",
    "bladzijde",
    "blz.",
    "sida",
    "side",
    "strona",
    "str.",
    "страница",
    "стр.",
    "с.",
];
/// What stands between the number of a page and how many there are.
const OF: [&str; 10] = ["/", "of", "von", "de", "sur", "di", "van", "av", "z", "из"];
/// No number of a page is longer, with all that stands around it, in bytes.
const LINE_BYTES: usize = 60;
const MOST_DIGITS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Numerals {
    Arabic,
    Roman,
}

/// The number that a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageNumber {
    pub(super) numerals: Numerals,
    pub(super) value: i64,
    /// Nothing says that it is one of a page: it may as well stand in a table.
    pub(super) is_bare: bool,
}

/// The number of a page that a line may be, and nothing else. Whether it is one is told by the other pages.
pub(super) fn page_number(line: &str) -> Option<PageNumber> {
    let line = Some(line.trim()).filter(|line| line.len() <= LINE_BYTES)?;
    let inner = line.trim_matches(|c: char| c.is_whitespace() || AROUND.contains(c)).to_lowercase();
    let (number, has_word) = match behind_page_word(&inner) {
        Some(number) => (number, true),
        None => (inner.as_str(), false),
    };
    let spaced = number.replace('/', " / ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (number, total) = match words.as_slice() {
        [number] => (*number, None),
        [number, of, total] if OF.contains(of) => (*number, Some(arabic(total)?)),
        _ => return None,
    };
    let (numerals, value) = match arabic(number) {
        Some(value) => (Numerals::Arabic, value),
        None => (Numerals::Roman, roman(number)?),
    };
    let is_bare = !has_word && total.is_none() && inner.len() == line.len();
    total.is_none_or(|total| (1..=total).contains(&value)).then_some(PageNumber { numerals, value, is_bare })
}

/// Whether a word says that the number behind it is that of a page.
pub(in super::super) fn is_page_word(word: &str) -> bool {
    PAGE_WORDS.contains(&word.to_lowercase().as_str())
}

/// Whether a word stands between the number of a page and how many there are.
pub(in super::super) fn is_of(word: &str) -> bool {
    OF.contains(&word.to_lowercase().as_str())
}

fn behind_page_word(line: &str) -> Option<&str> {
    let behind = |word: &&str| {
        let rest = line.strip_prefix(*word)?;
        // A word without a full stop ends with a space: `pages3` is a name.
        (word.ends_with('.') || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
    };
    PAGE_WORDS.iter().find_map(behind)
}

fn arabic(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| is_digits(text) && text.len() <= MOST_DIGITS)
}

/// The steps of Roman numerals, largest first.
const STEPS: [(&str, i64); 9] =
    [("c", 100), ("xc", 90), ("l", 50), ("xl", 40), ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1)];
/// More pages before the first one have no Roman numbers.
const MOST_ROMAN: i64 = 300;

/// A number in Roman numerals, in lower case, if that is how it is written: `iix` is none.
fn roman(text: &str) -> Option<i64> {
    let mut rest = text;
    let mut value = 0;
    for (step, worth) in STEPS {
        while let Some(after) = rest.strip_prefix(step) {
            (rest, value) = (after, value + worth);
        }
    }
    let written = || {
        let (mut left, mut out) = (value, String::new());
        for (step, worth) in STEPS {
            while left >= worth {
                out.push_str(step);
                left -= worth;
            }
        }
        out
    };
    (rest.is_empty() && (1..=MOST_ROMAN).contains(&value) && written() == text).then_some(value)
}
