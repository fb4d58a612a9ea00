//! Numbers that tell one thing from its like, `Flat 3`, `AquaJet 400`, and numbers that stand in a text as a whole: the 400 of `2,400` is none.

use std::ops::Range;

use crate::core::base::plain::is_digits;
use crate::core::language::detect::is_german;
use crate::core::language::months;
use crate::core::language::words::{is_filler, runs};
use crate::core::text::table_rows;

/// Words in small letters whose number names one of them.
const COUNTED: &str = "annex apartment appendix article band batch bay bed block box building bus case cell channel chapter class clause coach column \
     court engine episode exercise experiment figure flat floor form gate grade group hall house issue item lesson level line locker \
     lot model module mutant order page paragraph part phase platform plot protocol pump quai question report room route row rule run \
     salle sample scene schedule season seat section series session sheet shelf size slide stage step stop strain suite table tank task \
     team test ticket track train tram trial type unit valve verse version voie volume ward week zone";
/// Digits that such a number has at most.
const DIGITS: usize = 5;
/// Bytes behind the word in which its number stands: `rooms 12, 14 and 17`.
const REACH: usize = 32;
/// What may stand between the word and its number, and between numbers.
const BETWEEN: &[&str] =
    &["and", "bis", "et", "n", "no", "nr", "nº", "number", "o", "oder", "or", "ou", "to", "und", "y"];

/// A word and the number behind it, as places in a question.
pub(super) fn numbered_names(question: &str) -> Vec<Range<usize>> {
    let tokens: Vec<Range<usize>> = runs(question).collect();
    let cut = |place: &Range<usize>| question.get(place.clone()).unwrap_or_default();
    let is_pair = |pair: &&[Range<usize>]| {
        let [word, number] = pair else { return false };
        let (name, digits) = (cut(word), cut(number));
        let between = question.get(word.end..number.start).unwrap_or_default();
        let behind = question.get(number.end..).unwrap_or_default();
        let small = name.to_lowercase();
        let is_counted = is_counted(&small);
        let is_name =
            name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphabetic) && !is_filler(&small);
        let is_letter = is_letter(digits) && (is_counted || (is_name && tells_apart(word, digits, behind, question)));
        between == " " && (is_name || is_counted) && !is_month(&small) && (is_letter || is_bare(digits)) && !goes_on(behind)
            // What is counted follows it: `Kelvora 12 months`.
            && (is_counted || !is_unit_behind(behind))
    };
    let pairs = tokens.windows(2).filter(is_pair);
    pairs.filter_map(|pair| Some(pair.first()?.start..pair.last()?.end)).collect()
}

/// Whether a capital behind a name tells it from its like (`Vitamin D`), and is no word, no part of a heading or of somebody's name: `John F. Kennedy`.
fn tells_apart(word: &Range<usize>, letter: &str, behind: &str, question: &str) -> bool {
    let is_first = question.get(..word.start).is_some_and(|before| before.trim().is_empty());
    let next = behind.trim_start_matches(['.', ' ']).chars().next();
    let goes_on = next.is_some_and(char::is_uppercase) || behind.starts_with(['.', '\'', '’', '+', '#', '&', '-']);
    letter != "I" && !goes_on && !(is_first && letter == "A")
}

fn is_letter(number: &str) -> bool {
    number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Where a word stands with its number: beside it, or in a list of them.
pub(super) fn places_of_numbered(text: &str, word: &str, number: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let wanted = number.parse::<u32>().ok();
    for token in runs(text) {
        let said = text.get(token.clone()).unwrap_or_default();
        // `flat1.md`
        let (letters, digits) = said.split_at(said.trim_end_matches(|c: char| c.is_ascii_digit()).len());
        if !is_form_of(letters, word) {
            continue;
        }
        let end = match wanted {
            Some(wanted) if digits.is_empty() => end_of_number(text, token.end, wanted),
            Some(wanted) => (digits.parse() == Ok(wanted)).then_some(token.end),
            // `zone D`
            None => end_of_letter(text, token.end, number),
        };
        places.extend(end.map(|end| token.start..end));
    }
    // In a table the word may stand in the head: then the number is a cell.
    if places.is_empty() {
        places.extend(cells(text).find(|cell| text.get(cell.clone()) == Some(number)));
    }
    places
}

/// The year that a question asks about, if it is one year and no part of a date or a name.
pub(super) fn asked_year(question: &str) -> Option<&str> {
    // There every noun has a capital letter.
    let is_german = is_german(question);
    let mut found = None;
    let mut before = "";
    for token in runs(question) {
        let word = question.get(token.clone())?;
        let is_joined = question.get(..token.start)?.ends_with(['-', '/', '.', ':', '_'])
            || question.get(token.end..)?.starts_with(['-', '/', ':', '_']);
        let is_of_name = before.starts_with(char::is_uppercase)
            && !is_german
            && !is_month(&before.to_lowercase())
            && !is_filler(&before.to_lowercase());
        let is_counted = is_counted(&before.to_lowercase());
        let is_dated = is_month(&before.to_lowercase())
            && question.get(..token.start)?.trim_end().bytes().any(|byte| byte.is_ascii_digit());
        if is_year(word) && !is_joined && !is_of_name && !is_counted && !is_dated && found.replace(word).is_some() {
            return None;
        }
        before = word;
    }
    found
}

/// Whether a word stands somewhere with a number behind it, or with a letter where that is asked for.
pub(super) fn has_numbered(text: &str, word: &str, number: &str) -> bool {
    let is_number = |text: &str| behind_gap(text).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_lettered = |text: &str| {
        let behind = text.strip_prefix([' ', '-']).unwrap_or_default();
        runs(behind).next().is_some_and(|token| token.start == 0 && behind.get(token).is_some_and(is_letter))
    };
    let is_like = |text: &str| if is_letter(number) { is_lettered(text) } else { is_number(text) };
    let is_it = |token: &Range<usize>| text.get(token.clone()).is_some_and(|said| is_form_of(said, word));
    runs(text).filter(is_it).any(|token| text.get(token.end..).is_some_and(is_like))
}

fn is_form_of(said: &str, word: &str) -> bool {
    let rest = said.get(..word.len()).filter(|begin| begin.to_lowercase() == word).and(said.get(word.len()..));
    rest.is_some_and(|ending| matches!(ending, "" | "s" | "es" | "n" | "en" | "e"))
}

/// A blank of any width.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '\u{2009}' | '\u{200a}' | '\u{200b}' | '\u{202f}' | '\u{2060}')
}

/// What stands behind one blank or the end of a line.
fn behind_gap(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_whitespace() || is_blank(c));
    let gap = text.get(..text.len() - rest.len())?;
    (gap.chars().count() == 1 || is_break(gap)).then_some(rest)
}

/// Whether nothing but the end of a line stands between two words.
fn is_break(between: &str) -> bool {
    between.matches('\n').count() == 1 && between.chars().all(char::is_whitespace)
}

/// Where the number ends that is looked for, in the numbers behind a word.
fn end_of_number(text: &str, from: usize, wanted: u32) -> Option<usize> {
    let behind = text.get(from..text.floor_char_boundary(from + REACH))?;
    let mut last: Option<u32> = None;
    let mut end = 0;
    for token in runs(behind) {
        let (between, said) = (behind.get(end..token.start)?, behind.get(token.clone())?);
        let is_near = is_break(between)
            || between.chars().all(|c| is_blank(c) || matches!(c, ',' | '.' | ':' | '#' | '-' | '–' | '/' | '&' | '_'));
        if !is_near {
            return None;
        }
        let Ok(number) = said.parse::<u32>() else {
            if !BETWEEN.contains(&said.to_lowercase().as_str()) {
                return None;
            }
            end = token.end;
            continue;
        };
        // `rooms 12–17`; of `3.11` the first is the number.
        let is_range = between.contains(['–', '-']) && last.is_some_and(|last| last < wanted && wanted < number);
        if number == wanted || is_range {
            return Some(from + token.end);
        }
        if between == "." && last.is_some() {
            return None;
        }
        (last, end) = (Some(number), token.end);
    }
    None
}

/// The same for a letter: `wards A, B and C`. A small one stands behind a sign that joins it.
fn end_of_letter(text: &str, from: usize, letter: &str) -> Option<usize> {
    let behind = text.get(from..text.floor_char_boundary(from + REACH))?;
    let mut end = 0;
    for token in runs(behind) {
        let (between, said) = (behind.get(end..token.start)?, behind.get(token.clone())?);
        let is_near = |c| is_blank(c) || matches!(c, ',' | ':' | '-' | '–' | '/' | '&' | '_');
        if !is_break(between) && !between.chars().all(is_near) {
            return None;
        }
        let is_small = end == 0 && matches!(between, "-" | "_") && said.eq_ignore_ascii_case(letter);
        if said == letter || is_small {
            return Some(from + token.end);
        }
        if !is_letter(said) && !BETWEEN.contains(&said.to_lowercase().as_str()) {
            return None;
        }
        end = token.end;
    }
    None
}

/// The cells of the tables in a text, without what is around them.
fn cells(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    });
    let rows = lines.filter(|(_, line)| line.starts_with('|'));
    rows.flat_map(|(at, line)| table_rows::cells(line).into_iter().map(move |cell| at + cell.start..at + cell.end))
}

/// Whether a number stands in a text by itself: not as a part of another one, nor as the day of a date or the mark of an item.
pub(crate) fn has_number(text: &str, digits: &str) -> bool {
    let is_it = |place: &Range<usize>| text.get(place.clone()) == Some(digits);
    runs(text).filter(is_it).any(|place| {
        let before = text.get(..place.start).unwrap_or_default();
        let behind = text.get(place.end..).unwrap_or_default();
        let is_part = goes_on(behind)
            || before.strip_suffix(['.', ',']).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
        let lead = before.trim_end_matches([' ', '\t']);
        let is_mark = (lead.is_empty() || lead.ends_with('\n')) && behind.starts_with(". ");
        is_bare(digits) && !is_part && !is_mark && !is_day(before, behind)
    })
}

fn is_day(before: &str, behind: &str) -> bool {
    let next = behind.trim_start_matches(['.', ' ']).split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_near = |gap: usize| gap > 0 && gap < 3;
    let gap = behind.len() - behind.trim_start_matches(['.', ' ']).len();
    let last = before.trim_end_matches(' ').rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    (is_near(gap) && is_month(&next.to_lowercase())) || (before.ends_with(' ') && is_month(&last.to_lowercase()))
}

fn is_counted(word: &str) -> bool {
    COUNTED.split(' ').any(|counted| counted == word)
}

fn is_month(word: &str) -> bool {
    months::named(word).is_some()
}

fn is_bare(digits: &str) -> bool {
    digits.len() <= DIGITS && is_digits(digits) && !is_year(digits)
}

fn is_year(digits: &str) -> bool {
    digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")) && is_digits(digits)
}

/// Whether a number goes on behind its digits: `2,400`, `7.5`, `10:30`.
fn goes_on(behind: &str) -> bool {
    let rest = behind.strip_prefix(['.', ',', ':']);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a word in small letters follows at once that a number may count: `12 months`.
fn is_unit_behind(behind: &str) -> bool {
    let next = behind.strip_prefix(' ').and_then(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
    next.is_some_and(|word| {
        word.starts_with(char::is_lowercase) && word.ends_with('s') && word.len() > 3 && !is_filler(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_02_a_number_behind_a_name_tells_it_from_its_like() {
        for (question, expected) in [
            ("How much is the rent of Flat 1?", &["Flat 1"][..]),
            ("What is the flow of the AquaJet 400?", &["AquaJet 400"]),
            ("Who replaced the seal in room 17 on week 3?", &["room 17", "week 3"]),
            ("Did 12 people come in May 5, in March 2026, or in 2025?", &[]),
            ("Is a Kelvora 12 months old, or a fee of 150 euros?", &[]),
            ("When must sheet 6 be handed in, with task 2?", &["sheet 6", "task 2"]),
            ("What does Python 3.11 do?", &[]),
            ("How much is a permit in zone D, or in Vitamin C?", &["zone D", "Vitamin C"]),
            ("Is Building A open? Must I ask John F. Kennedy, or Anna I know?", &["Building A"]),
            ("How To Write A Book in C, and what does Drive C hold?", &["Drive C"]),
        ] {
            let found: Vec<&str> =
                numbered_names(question).into_iter().filter_map(|place| question.get(place)).collect();
            assert_eq!(found, expected, "{question}");
        }
    }

    #[test]
    fn lb_02_a_year_is_asked_about() {
        for (question, year) in [
            ("When is the cup final in 2026?", Some("2026")),
            ("What was the budget for March 2026?", Some("2026")),
            ("How did it change from 2024 to 2026?", None),
            ("What happened on 3 March 2026, and on 2026-11-03?", None),
            ("What is in RFC 2046 and in room 2001?", None),
            ("Wie viele Mitglieder hatte der Verein 2019?", Some("2019")),
            ("Wie viele Aktive zählt die Wehr 2012?", Some("2012")),
        ] {
            assert_eq!(asked_year(question), year, "{question}");
        }
    }

    #[test]
    fn lb_02_a_numbered_name_stands_with_its_number() {
        for (text, word, number, expected) in [
            ("Lease of Flat 1", "flat", "1", &["Flat 1"][..]),
            ("From 1 April the rent of Flat 3", "flat", "1", &[]),
            ("Flat 12, Flat 1a, Flat 11", "flat", "1", &[]),
            ("Flats 2, 3 and 17", "flat", "17", &["Flats 2, 3 and 17"]),
            ("rooms 12–17", "room", "15", &["rooms 12–17"]),
            ("room no. 9; room: 8; room-7.md", "room", "7", &["room-7"]),
            ("room no. 9", "room", "9", &["room no. 9"]),
            ("PondVac 5 | 5,000 l/h | 7.5 kg", "pondvac", "7", &[]),
            ("| 1 | 780 |\n| 3 | 865 |", "flat", "3", &["3"]),
            ("flat1.md", "flat", "1", &["flat1"]),
            ("Python 3.11", "python", "3", &["Python 3"]),
            ("Zone D, zone DE and zone C", "zone", "D", &["Zone D"]),
            ("| D | 12 |", "zone", "D", &["D"]),
            ("Wards A, B and C; ward-b", "ward", "B", &["Wards A, B", "ward-b"]),
            ("Ward A is full, B is not", "ward", "B", &[]),
            ("Flat 3 has 1 bath", "flat", "1", &[]),
            ("the pump in bay\n17 draws", "bay", "17", &["bay\n17"]),
            ("the pump in bay\r\n  17 draws", "bay", "17", &["bay\r\n  17"]),
            ("the pump in bay\u{202f}17 and\tbay\t18", "bay", "18", &["bay\t18"]),
            ("the pump is in the bay\n\n17 pumps", "bay", "17", &[]),
            ("goes to zone\nD today", "zone", "D", &["zone\nD"]),
        ] {
            let places = places_of_numbered(text, word, number);
            let found: Vec<&str> = places.into_iter().filter_map(|place| text.get(place)).collect();
            assert_eq!(found, expected, "{word} {number} in {text}");
        }
    }

    #[test]
    fn lb_02_a_number_stands_by_itself() {
        for (text, digits, stands) in [
            ("2,400 l/h", "400", false),
            ("7.5 kg", "7", false),
            ("7.5 kg", "5", false),
            ("4. Notice is three months.", "4", false),
            ("on 1 May 2023, May 1 and 1. Mai", "1", false),
            ("the fee of 150 euros", "150", true),
            ("ends at 150.", "150", true),
            ("1500 and 0150", "150", false),
            ("in room 4. Then", "4", true),
        ] {
            assert_eq!(has_number(text, digits), stands, "{digits} in {text}");
        }
    }
}
