//! Stretches of hours, which say when something is open without that word: `9–17 Uhr`, `10:00 to 14:00`, `9 am–5 pm`, `Mo–Fr 8–12`.

use std::ops::Range;

use super::ranges::{is_dash, is_to};
use super::weekdays::Weekday;

/// What stands behind an hour.
const SIGNS: [&str; 6] = ["a.m.", "p.m.", "am", "pm", "uhr", "h"];

/// Whether a line of a text has such a stretch.
pub(crate) fn has_hours(text: &str) -> bool {
    text.lines().any(|line| {
        let hours = hours(line);
        let pairs = || hours.iter().zip(hours.iter().skip(1)).filter(|(from, to)| is_joined(line, from, to));
        pairs().any(|(from, to)| from.is_signed || to.is_signed)
            || (pairs().next().is_some() && Weekday::is_any_in(line))
    })
}

/// A number that may be an hour, with its minutes and the sign that says that it is one.
struct Hour {
    place: Range<usize>,
    is_signed: bool,
}

/// Whether one goes to the other, and no further: `12-14-2026`.
fn is_joined(line: &str, from: &Hour, to: &Hour) -> bool {
    let between = line.get(from.place.end..to.place.start).unwrap_or_default().trim();
    let rest = line.get(to.place.end..).unwrap_or_default();
    let goes_on =
        rest.strip_prefix(['-', '/', '.', ',']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    !goes_on && (is_dash(between) || is_to(between))
}

/// Those of a line, each looked at once.
fn hours(line: &str) -> Vec<Hour> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = line.get(from..).and_then(|rest| rest.find(|c: char| c.is_ascii_digit())) {
        let start = from + start;
        let end = start + digits(line, start);
        let hour = hour_at(line, start, end);
        from = hour.as_ref().map_or(end, |hour| hour.place.end);
        found.extend(hour);
    }
    found
}

fn hour_at(line: &str, start: usize, mut end: usize) -> Option<Hour> {
    let is_hour = line.get(start..end)?.parse::<u8>().is_ok_and(|hour| hour <= 24);
    // A dash may stand between two hours, but not between the parts of a date.
    let before = line.get(..start)?;
    let bare = before.strip_suffix(['-', '–', '—']).filter(|bare| !is_of_date(bare)).unwrap_or(before);
    let is_number = is_hour && (bare.len() < before.len() || !before.ends_with(goes_on));
    let has_minutes = line.get(end..)?.starts_with([':', '.', 'h']) && digits(line, end + 1) == 2;
    end += if has_minutes { 3 } else { 0 };
    let rest = line.get(end..)?;
    let signs = rest.trim_start_matches([' ', '\u{a0}']);
    let is_sign = |sign: &&str| signs.get(..sign.len()).is_some_and(|said| said.eq_ignore_ascii_case(sign));
    let sign = SIGNS.into_iter().find(is_sign).map_or(0, |sign| rest.len() - signs.len() + sign.len());
    let is_over = |at: usize| !line.get(at..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()));
    let sign = if is_over(end + sign) { sign } else { 0 };
    let place = start..end + sign;
    (is_number && is_over(place.end)).then_some(Hour { place, is_signed: has_minutes || sign > 0 })
}

/// Whether another number ends here, with a sign of its own before it: `2026-11`.
fn is_of_date(before: &str) -> bool {
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit());
    before.len() - number.len() > 2 || (number.len() < before.len() && number.ends_with(['-', '/']))
}

/// Whether a number that stands behind it is the rest of another thing.
fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | ',' | '/' | ':' | '-' | '_' | '#' | '§')
}

fn digits(line: &str, start: usize) -> usize {
    line.get(start..).map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: a stretch of hours is known by its signs, or beside a day of the week.
    #[test]
    fn em_01_stretches_of_hours_are_known() {
        for text in [
            "Mo–Sa 14–22 Uhr",
            "| Saturday | 10:00–14:00 |",
            "Monday to Friday 9 to 17",
            "Tue 8-12",
            "9 am to 5 pm",
            "9–5 p.m.",
            "de 9h30 à 18h",
            "von 9 bis 17 Uhr",
            "Shop\n10.00 - 18.30",
        ] {
            assert!(has_hours(text), "{text}");
        }
        for text in [
            "pages 9–17",
            "2026-11-19",
            "Mon 2026-11-19",
            "12-14-2026 on Monday",
            "9 or 17 Uhr",
            "at 9:30",
            "Friday: 30–40 people",
            "Monday, 250-300 g",
            "Mon: v1.9-2",
            "",
        ] {
            assert!(!has_hours(text), "{text}");
        }
    }
}
