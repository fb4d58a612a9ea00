//! Days of a text, however they are written: `2026-10-20`, `20.10.2026`, `am 20.10.`, `20 October 2026`, `October 20th`.

use std::ops::Range;

use crate::core::base::plain::is_digits;
use crate::core::base::rows::is_listed;
use crate::core::language::clocks::clocks;
use crate::core::language::fold::folded;
use crate::core::language::months;
use crate::core::language::ranges::TO;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::runs;

/// A day of a month, and of a year where one is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    day: u8,
    month: u8,
    year: Option<u16>,
}

impl Day {
    /// Whether both may be the same day.
    pub(crate) fn is(self, other: Self) -> bool {
        let same_year = self.year.is_none() || other.year.is_none() || self.year == other.year;
        (self.day, self.month) == (other.day, other.month) && same_year
    }

    pub(crate) fn month(self) -> u8 {
        self.month
    }

    pub(crate) fn year(self) -> Option<u16> {
        self.year
    }

    /// Its year, month and day, where the year is said: of two days the later one has more.
    pub(crate) fn in_time(self) -> Option<(u16, u8, u8)> {
        Some((self.year?, self.month, self.day))
    }

    /// The day of any year, as it stands in an index: no word is written so.
    pub(crate) fn term(self) -> String {
        format!("#{:02}-{:02}", self.month, self.day)
    }

    /// The days of a month, as they stand in an index.
    pub(crate) fn terms_of_month(month: u8) -> impl Iterator<Item = String> {
        (1..=31).map(move |day| Self { day, month, year: None }.term())
    }
}

/// No way to write a day has more before or behind its figures: ` of September, `.
const BESIDE_BYTES: usize = 24;

/// The days of a text with their places, in their order; those of a range (`3–5 November`) stand at the same place.
pub(crate) fn days(text: &str) -> Vec<(Range<usize>, Day)> {
    let mut days: Vec<(Range<usize>, Day)> = Vec::new();
    for place in near_figures(text) {
        let Some(part) = text.get(place.clone()) else { continue };
        let words: Vec<Word<'_>> = runs(part).filter_map(|place| Some((place.clone(), part.get(place)?))).collect();
        for at in 0..words.len() {
            let found = in_figures(part, &words, at)
                .or_else(|| together(&words, at))
                .or_else(|| in_words(part, &words, at))
                .or_else(|| cut_short(part, &words, at));
            let Some((own, day)) = found else { continue };
            let own = place.start + own.start..place.start + own.end;
            if days.last().is_some_and(|(last, _)| last.end > own.start) {
                continue;
            }
            match range_before(part, &words, at, day) {
                Some((start, first)) => {
                    let whole = place.start + start..own.end;
                    days.extend((first..=day.day).map(|one| (whole.clone(), Day { day: one, ..day })));
                }
                None => days.push((own, day)),
            }
        }
    }
    days
}

/// `3–5 November`, `25./26.11.2026`, `vom 3. bis 5. November`: where it begins, and its first day.
fn range_before(text: &str, words: &[Word<'_>], at: usize, last: Day) -> Option<(usize, u8)> {
    let (place, _) = words.get(at)?;
    let (before, word) = words.get(at.checked_sub(1)?)?;
    let is_joined = |gap: &str| matches!(gap.trim_start_matches('.').trim(), "-" | "–" | "—" | "/");
    let (first, start) = match *word {
        to if is_listed(TO, &folded(to)) => {
            let (place, first) = words.get(at.checked_sub(2)?)?;
            // In `24.11. bis 25.11.` it is a month.
            let is_day = !text.get(..place.start)?.ends_with('.');
            matches!(text.get(place.end..before.start)?, " " | ". ")
                .then_some((*first, place.start))
                .filter(|_| is_day)?
        }
        first => is_joined(text.get(before.end..place.start)?).then_some((first, before.start))?,
    };
    let first = day_of(first)?;
    (first < last.day).then_some((start, first))
}

/// The parts of a text in which a day may stand, of whole words. Most of a text has no figures.
fn near_figures(text: &str) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
        let part = at.saturating_sub(BESIDE_BYTES)..(at + 1 + BESIDE_BYTES).min(text.len());
        match parts.last_mut() {
            Some(last) if part.start <= last.end => last.end = part.end,
            _ => parts.push(part),
        }
    }
    parts.into_iter().filter_map(|part| of_whole_words(text, part)).collect()
}

/// A part without the words that go on beyond it.
fn of_whole_words(text: &str, part: Range<usize>) -> Option<Range<usize>> {
    let start = (part.start..part.end).find(|at| text.is_char_boundary(*at))?;
    let end = (start..=part.end).rev().find(|at| text.is_char_boundary(*at))?;
    let is_sign = |c: char| !c.is_alphanumeric();
    let goes_on = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
    let inner = text.get(start..end)?;
    let first = if goes_on(text.get(..start)?.chars().next_back()) { inner.find(is_sign)? } else { 0 };
    let last = if goes_on(text.get(end..)?.chars().next()) { inner.rfind(is_sign)? } else { inner.len() };
    (first < last).then_some(start + first..start + last)
}

/// A word and where it stands.
type Word<'t> = (Range<usize>, &'t str);

/// The word before the one at a place, and what stands between the two.
fn before<'t>(text: &'t str, words: &[Word<'t>], at: usize) -> Option<(&'t str, &'t str)> {
    let (before, word) = words.get(at.checked_sub(1)?)?;
    Some((word, text.get(before.end..words.get(at)?.0.start)?))
}

/// Words that stand before a day: without one, `3.10.` is the number of a section.
pub(crate) const BEFORE_DAYS: &str = "ab am bis dem den der seit vom zum";
/// Those of English, which say it of figures with a year: without one, `3.10.12` is a version.
const BEFORE_DATES: [&str; 3] = ["dated", "of", "on"];

/// Whether what stands before a place says that a day comes: a word (or one `more`), the name of a weekday, the mark of an item or of a cell.
fn says_day(text: &str, words: &[Word<'_>], at: usize, more: &[&str]) -> bool {
    let Some((place, _)) = words.get(at) else { return false };
    let is_marked =
        text.get(..place.start).is_some_and(|text| text.trim_end_matches(' ').ends_with(['-', '*', '|', '•']));
    let is_said = before(text, words, at).is_some_and(|(word, gap)| {
        let word = word.to_lowercase();
        let is_weekday = Weekday::named(&word).is_some() && matches!(gap, " " | ", " | ". " | "., ");
        is_weekday || (gap == " " && (is_listed(BEFORE_DAYS, &word) || more.contains(&word.as_str())))
    });
    is_marked || is_said
}

/// Whether a line begins with a day, as an entry of a log does.
pub(crate) fn begins_with_day(line: &str) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric();
    days(line)
        .first()
        .is_some_and(|(place, _)| line.get(..place.start).is_some_and(|before| before.chars().all(is_sign)))
}

/// What of a line is looked at for the time that it begins with, in bytes.
const STAMP_BYTES: usize = 64;

/// Whether a line begins with a day and a time, or with a time to the second, as an entry of a log does: `2026-03-14T18:53:28Z`, `Mar  5 18:53:28`,
/// `03/04/2026 18:53`. A web server says who asked before it: `10.0.0.7 - - [14/Mar/2026:18:53:28`.
pub(crate) fn begins_with_stamp(line: &str) -> bool {
    let head = line.get(..line.floor_char_boundary(STAMP_BYTES)).unwrap_or_default();
    let is_sign = |c: char| !c.is_alphanumeric();
    let begins = |before: &str| before.chars().all(is_sign) || (before.ends_with(" [") && !before.starts_with(' '));
    let is_near = |between: &str| between.chars().all(|c| matches!(c, 'T' | ' ' | ',' | ':'));
    clocks(head).first().is_some_and(|(clock, time)| {
        let before = head.get(..clock.start).unwrap_or_default();
        let is_day = |(day, _): &(Range<usize>, Day)| {
            head.get(..day.start).is_some_and(begins) && head.get(day.end..clock.start).is_some_and(is_near)
        };
        let is_alone = time.has_seconds() && before.chars().all(is_sign);
        is_alone || is_day_in_figures(before) || days(before).iter().any(is_day)
    })
}

/// Whether there is nothing but a day in figures, whichever of them is the month.
fn is_day_in_figures(text: &str) -> bool {
    let mut figures = text.trim_matches(|c: char| !c.is_ascii_digit()).split('/');
    let is_figure = |figure: Option<&str>| figure.is_some_and(|figure| is_digits(figure) && figure.len() <= 4);
    is_figure(figures.next()) && is_figure(figures.next()) && is_figure(figures.next()) && figures.next().is_none()
}

/// What stands before a year of which something is said, in lower case.
const BEFORE_YEARS: [&str; 5] = ["en", "for", "im", "in", "jahr"];

/// Whether a sentence says of which year it speaks.
pub(crate) fn says_year(sentence: &str) -> bool {
    let words: Vec<&str> = runs(sentence).filter_map(|place| sentence.get(place)).collect();
    let mut pairs = words.iter().zip(words.iter().skip(1));
    pairs.any(|(before, year)| BEFORE_YEARS.contains(&before.to_lowercase().as_str()) && year_said(year).is_some())
}

/// The years that a heading, a title or a path says.
pub(crate) fn years(text: &str) -> impl Iterator<Item = u16> {
    runs(text).filter_map(|place| text.get(place)).filter_map(year_said)
}

/// The year that a word is by itself, without a day or a month.
pub(crate) fn year_said(word: &str) -> Option<u16> {
    year_of(word).filter(|year| word.len() == 4 && (1900..2100).contains(year))
}

/// `2026-10-20`, `20.10.2026`, `20.10.26`, and with strokes where the figures tell which is the day: `10/20/2026`.
fn in_figures(text: &str, words: &[Word<'_>], at: usize) -> Option<(Range<usize>, Day)> {
    let [(first, one), (second, two), (third, three), ..] = words.get(at..)? else { return None };
    let gaps = (text.get(first.end..second.start)?, text.get(second.end..third.start)?);
    // The time of the day may follow: `2026-10-20T09:30`.
    let until = three.find(['T', 'Z']).filter(|until| *until <= 2 && one.len() == 4).unwrap_or(three.len());
    let last = three.get(..until)?;
    let is_short = last.len() == 2 && one.len() <= 2 && two.len() <= 2;
    let (day, month, year) = match gaps {
        ("-", "-") | ("/", "/") | (".", ".") | ("_", "_") if one.len() == 4 => (day_of(last)?, two, year_of(one)?),
        (".", ".") if is_short && (one.len() + two.len() == 4 || says_day(text, words, at, &BEFORE_DATES)) => {
            (day_of(one)?, two, 2000 + last.parse::<u16>().ok()?)
        }
        (".", ".") | (". ", "." | ". ") => (day_of(one)?, two, year_of(last)?),
        ("/", "/") | ("-", "-") => {
            let (day, month) = if month_of(one).is_some() { (two, one) } else { (one, two) };
            // Nobody knows which is which.
            if month_of(day).is_some() {
                return None;
            }
            (day_of(day)?, month, year_of(last)?)
        }
        _ => return None,
    };
    // `10.12.21.1` is an address.
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let goes_on = gaps == (".", ".")
        && (text.get(third.end..)?.strip_prefix('.').is_some_and(|rest| is_digit(rest.chars().next()))
            || text.get(..first.start)?.strip_suffix('.').is_some_and(|rest| is_digit(rest.chars().next_back())));
    let day = Day { day, month: month_of(month)?, year: Some(year) };
    (!goes_on).then_some((first.start..third.start + until, day))
}

/// `20261020`, as in names of files.
fn together(words: &[Word<'_>], at: usize) -> Option<(Range<usize>, Day)> {
    let (place, word) = words.get(at)?;
    let is_whole = word.len() == 8 && is_digits(word);
    let (year, rest) = word.split_at_checked(4).filter(|_| is_whole)?;
    let (month, day) = rest.split_at_checked(2)?;
    let year = year_of(year).filter(|year| (1900..2100).contains(year))?;
    Some((place.clone(), Day { day: day_of(day)?, month: month_of(month)?, year: Some(year) }))
}

/// `am 20.10.`, `| 20.10. |`, `20.10.: …`: the number of a section looks the same, but for what stands beside it.
fn cut_short(text: &str, words: &[Word<'_>], at: usize) -> Option<(Range<usize>, Day)> {
    let [(first, one), (second, two), ..] = words.get(at..)? else { return None };
    let day = Day { day: day_of(one)?, month: month_of(two)?, year: None };
    let behind = text.get(second.end..)?.strip_prefix('.')?;
    let is_day = matches!(text.get(first.end..second.start)?, "." | ". ")
        && !behind.starts_with(char::is_alphanumeric)
        && (says_day(text, words, at, &[]) || behind.starts_with([':', ',', '–']));
    is_day.then_some((first.start..second.end, day))
}

/// What is counted behind a month and a number: in `In May 5 people came` nothing is a day.
const COUNTED: [&str; 10] =
    ["days", "hours", "items", "minutes", "months", "people", "percent", "times", "weeks", "years"];

/// `20 October 2026`, `20. Oktober`, `20th of October, 2026`, `October 20, 2026`, `Oct 20 '26`, `20 de octubre de 2026`, `20-Oct-2026`,
/// `20/Oct/2026`.
fn in_words(text: &str, words: &[Word<'_>], at: usize) -> Option<(Range<usize>, Day)> {
    let preceded = before(text, words, at);
    let words = words.get(at..)?;
    let (first, one) = words.first()?;
    let gap = |at: usize| text.get(words.get(at.checked_sub(1)?)?.0.end..words.get(at)?.0.start);
    let near = |at: usize| {
        let is_near = matches!(gap(at)?, " " | "  " | ". " | ", " | "." | "\n" | "-" | "/" | " '" | " ’");
        is_near.then(|| words.get(at).map(|(_, word)| *word))?
    };
    let is_of = |at: usize| near(at).is_some_and(|word| matches!(word, "of" | "de"));
    let (day, month, last) = match months::english(one) {
        Some(month) => {
            // `In November 3 new colleagues` came.
            let is_counted = preceded.is_some_and(|(word, _)| matches!(word, "In" | "in" | "im" | "Im"))
                || near(2).is_some_and(|word| COUNTED.contains(&word));
            let day = day_of(near(1).filter(|_| !is_counted)?)?;
            (day, month, 1)
        }
        None => {
            let at = if is_of(1) { 2 } else { 1 };
            // `At most 3 may join.`
            let name = near(at).filter(|name| *name != "may" && *name != "mar")?;
            (day_of(one)?, months::english(name).or_else(|| months::foreign(name))?, at)
        }
    };
    let next = last + if is_of(last + 1) { 2 } else { 1 };
    let is_cut = gap(next).is_some_and(|gap| gap.ends_with(['\'', '’']));
    let year = near(next).and_then(|year| match is_cut {
        true => year.parse::<u16>().ok().filter(|_| year.len() == 2).map(|year| 2000 + year),
        false => year_of(year),
    });
    let end = words.get(if year.is_some() { next } else { last })?.0.end;
    Some((first.start..end, Day { day, month, year }))
}

/// `3`, `03`, `3rd`.
fn day_of(word: &str) -> Option<u8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day) && digits.len() <= 2)
}

fn month_of(word: &str) -> Option<u8> {
    word.parse().ok().filter(|month| (1..=12).contains(month) && word.len() <= 2)
}

fn year_of(word: &str) -> Option<u16> {
    word.parse().ok().filter(|year| (1000..=2999).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: entries of logs are told from sentences with a day in them.
    #[test]
    fn entries_of_logs_begin_with_their_time() {
        for (line, is_one) in [
            ("2026-03-14T18:53:28Z FATAL [search] shard 3 went read-only", true),
            ("[2026-03-14 18:53:28,123] INFO started", true),
            ("Mar 14 18:53:28 host sshd[812]: closed", true),
            ("10.0.0.7 - - [14/Mar/2026:18:53:28 +0000] \"GET / HTTP/1.1\" 200", true),
            ("Mar  5 04:11:09 host drum[7]: overheats", true),
            ("03/04/2026 18:53:28 started", true),
            ("18:53:28.123 INFO started", true),
            ("08:30 Breakfast", false),
            ("3/4/5/6 18:53 of four", false),
            ("2026-03-14 is a Saturday", false),
            ("    total = sum(line.net for line in lines)", false),
            ("We met on 14 March 2026 at 18:53", false),
            ("03.01.2024  Ward Hill off air from 02:10. Cause: ice.", false),
            ("", false),
        ] {
            assert_eq!(begins_with_stamp(line), is_one, "{line}");
        }
    }

    /// LB-02: a day is the same in all of its ways of writing.
    #[test]
    fn lb_02_days_are_known() {
        let asked = Day { day: 20, month: 10, year: Some(2026) };
        for text in [
            "2026-10-20",
            "2026/10/20.md",
            "20.10.2026",
            "20. 10. 2026",
            "20 October 2026",
            "October 20, 2026",
            "Oct 20th, 2026",
            "the 20th of October, 2026",
            "20. Oktober 2026",
            "20 de octubre de 2026",
            "on 20 October",
            "20 octobre 2026",
            "20. Okt. 2026",
            "10/20/2026",
            "20/10/2026",
            "20.10.26",
            "am 20.10. im Saal",
            "am 20.10.26",
            "| 20.10. | Saal",
            "Di., 20.10., Saal",
            "20.10.: Saal",
            "2026-10-20T09:30",
            "[20/Oct/2026:09:30:00 +0000]",
            "20261020",
            "IMG_20261020_1",
            "2026_10_20.md",
            "20-10-2026",
            "20-Oct-2026",
            "Oct 20 '26",
        ] {
            let found = days(text);
            assert!(matches!(found.as_slice(), [(_, day)] if day.is(asked)), "{text}: {found:?}");
        }
        for text in [
            "2026-10-21",
            "20.11.2026",
            "20 October 2025",
            "10/10/2026",
            "dated 20.10.",
            "am 20.10",
            "October 2026",
            "20 may",
            "am 20.10.25",
            "seit 20.10.1",
            "20.10. Functions",
            "20.10.26.1",
            "1.20.10.26",
            "In October 20 people came",
            "October 20 times",
            "10-10-2026",
            "99991020",
            "version 20.10.20",
            "2026-13-20",
            "20",
            "",
            "32 October 2026",
        ] {
            assert!(!days(text).iter().any(|(_, day)| day.is(asked)), "{text}");
        }
        let text = "moved from 20 October to 3 November 2026.";
        let places: Vec<&str> = days(text).into_iter().filter_map(|(place, _)| text.get(place)).collect();
        assert_eq!(places, ["20 October", "3 November 2026"]);
    }

    /// LB-02: the days of a range are all there.
    #[test]
    fn lb_02_ranges_are_all_of_their_days() {
        for (text, want) in [
            ("3–5 November 2026", &["#11-03", "#11-04", "#11-05"][..]),
            ("25./26. November", &["#11-25", "#11-26"]),
            ("25.–26.11.2026", &["#11-25", "#11-26"]),
            ("from 3 to 5 November", &["#11-03", "#11-04", "#11-05"]),
            ("vom 3. bis 4. November", &["#11-03", "#11-04"]),
            ("du 3 au 4 novembre", &["#11-03", "#11-04"]),
            ("5-3 November", &["#11-03"]),
            ("vom 4.11. bis 25.11. Messe", &["#11-04", "#11-25"]),
        ] {
            let found: Vec<String> = days(text).into_iter().map(|(_, day)| day.term()).collect();
            assert_eq!(found, want, "{text}");
        }
    }

    /// Days are looked for near figures only, in whole words; what stands before and behind does not matter.
    #[test]
    fn days_are_found_wherever_they_stand() {
        let long = " and so on, äöü. ".repeat(20);
        for text in [
            format!("{long}20 October 2026{long}3 November{long}"),
            format!("{long}20 de octubre de 2026\n{long}\n3rd of November, {long}"),
            format!("2026-10-20{}2026-11-03", "€".repeat(100)),
        ] {
            let found: Vec<String> = days(&text).into_iter().map(|(_, day)| day.term()).collect();
            assert_eq!(found, ["#10-20", "#11-03"], "{text}");
        }
        for text in [format!("{}may 3", "x".repeat(40)), format!("3 may{}", "x".repeat(40)), "ü".repeat(50) + "7"] {
            assert_eq!(days(&text), [], "{text}");
        }
    }
}
