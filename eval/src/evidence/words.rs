//! Words of a claim as the makers of faults see them. Deliberately not hadal's own reading: a fault that hadal does not see must still be planted.

#![expect(clippy::string_slice, reason = "ranges were made from the same text")]

use std::ops::Range;

/// The words of a text with their places: runs of letters and digits, with marks between digits.
pub(crate) fn words(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    for (number, (at, c)) in chars.iter().enumerate() {
        let next_digit = chars.get(number + 1).is_some_and(|(_, next)| next.is_ascii_digit());
        let last_digit = number > 0 && chars[number - 1].1.is_ascii_digit();
        let inside = c.is_alphanumeric() || (matches!(c, '.' | ',') && next_digit && last_digit);
        match (inside, start) {
            (true, None) => start = Some(*at),
            (false, Some(from)) => {
                found.push((from..*at, &text[from..*at]));
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    if let Some(from) = start {
        found.push((from..text.len(), &text[from..]));
    }
    found
}

/// Whether a word opens a sentence, so that its capital says nothing.
fn opens(text: &str, at: usize) -> bool {
    let before = text[..at]
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '“' | '\'' | '‘' | '(' | '*' | '['));
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '•']) || text[before.len()..at].contains('\n')
}

const NO_NAMES: [&str; 22] = [
    "I",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "The",
    "A",
];

/// Names: neighbouring words with capitals that do not only begin a sentence.
pub(crate) fn names(text: &str) -> Vec<Range<usize>> {
    let words = words(text);
    let capital = |at: usize| {
        words.get(at).is_some_and(|(range, word)| {
            let letters =
                word.chars().filter(|c| c.is_alphabetic()).count() > 1 && word.chars().all(char::is_alphabetic);
            word.starts_with(char::is_uppercase) && letters && !NO_NAMES.contains(word) && !opens(text, range.start)
        })
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if !capital(at) {
            at += 1;
            continue;
        }
        let mut last = at;
        while capital(last + 1) && &text[words[last].0.end..words[last + 1].0.start] == " " {
            last += 1;
        }
        let range = words[at].0.start..words[last].0.end;
        // A part of a compound is no name of its own.
        if !text[..range.start].ends_with(['-', '–', '‑']) && !text[range.end..].starts_with(['-', '–', '‑']) {
            found.push(range);
        }
        at = last + 1;
    }
    found
}

/// Numbers in digits, without those that are part of a name or of a date's day.
pub(crate) fn numbers(text: &str) -> Vec<(Range<usize>, f64)> {
    let digits =
        words(text).into_iter().filter(|(_, word)| word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',')));
    let found = digits.filter_map(|(range, word)| {
        let before = text[..range.start].chars().next_back();
        let after = text[range.end..].chars().next();
        let alone = before.is_none_or(|c| !matches!(c, '-' | '–' | '/' | ':' | '.' | '²'))
            && after.is_none_or(|c| !matches!(c, '/' | ':' | '-' | '–'));
        word.replace(',', "").parse().ok().filter(|_| alone).map(|value| (range, value))
    });
    found.collect()
}

pub(crate) const NUMBER_WORDS: [(&str, f64); 19] = [
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fifteen", 15.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("ninety", 90.0),
];

/// Units that are taken for each other.
pub(crate) const UNITS: [&[&str]; 7] = [
    &["years", "months", "weeks", "days", "hours", "minutes", "seconds"],
    &["year", "month", "week", "day", "hour", "minute"],
    &["km", "miles", "metres", "feet", "yards", "inches", "cm"],
    &["kilometers", "meters", "centimeters", "millimeters"],
    &["kg", "pounds", "tons", "grams", "ounces"],
    &["acres", "hectares"],
    &["GB", "MB", "TB"],
];

pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// People, places and organisations that hardly any page knows.
pub(crate) const STRANGERS: [&str; 32] = [
    "Ottoline Varga",
    "Tadeusz Brenkmann",
    "Ximena Ardiles",
    "Folke Hjelmquist",
    "Nkechi Obiora",
    "Yusuf Karahan",
    "Priya Venkataraman",
    "Oskar Lindqvist",
    "Hallgrim Voss",
    "Beatriz Quintanar",
    "Wojciech Zaremba",
    "Keiko Yamashiro",
    "Varga",
    "Brenkmann",
    "Hjelmquist",
    "Karahan",
    "Lindqvist",
    "Zaremba",
    "Gdynia",
    "Uppsala",
    "Oaxaca",
    "Tbilisi",
    "Kumasi",
    "Windhoek",
    "Ljubljana",
    "Zanzibar",
    "Kiribati",
    "Bhutan",
    "Fraunhofer Society",
    "Qantas",
    "Nestlé",
    "Zeiss",
];
