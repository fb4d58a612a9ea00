//! Which of two entries of one document is the later one, by the day, the month, the year or the version that it begins with or stands below. Changelogs,
//! logs of decisions and lists of prices stand in either order.

use super::editions::Time;
use super::lines::indent;
use crate::core::base::rows::is_listed;
use crate::core::language::days::{days, year_said};
use crate::core::language::fold::folded;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::runs;

/// What tells the place of an entry among the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryTime {
    Time(Time),
    Version(Vec<u32>),
}

/// Words that may stand before the time that an entry begins with, without accents: `Since 1 May 2024`.
const BEFORE: &str = "ab am as depuis du effective en from im in le of on seit since vom";
const MOST_BEFORE: usize = 2;
/// Words before the version of a heading, and those that stand before them, without accents: `Changes in version 1.2`.
const VERSION: &str = "release version";
const OF_VERSION: &str = "anderungen changes changements dans der for in la neu new news nouveautes of the what's";
const MOST_OF_VERSION: usize = 4;
/// Lines above one that are looked at for the time of its entry.
const MOST_LINES: usize = 40;

impl EntryTime {
    /// The time that a line begins with.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let bare = without_lead(line);
        let by_day = || {
            let (place, day) = days(bare).into_iter().next()?;
            let (year, month, day) = day.in_time().filter(|_| place.start == 0)?;
            Some(Time::Day(year, month, day))
        };
        let mut first = runs(bare).take(2);
        let (one, two) = (first.next()?, first.next());
        let said = two.and_then(|two| bare.get(..two.end));
        let by_month = || said.and_then(Time::of_month);
        // `2,024 people` and `2024 was a good year` begin with no time.
        let behind = bare.get(one.end..).unwrap_or_default().trim_start_matches(['*', '_', ']', ')', ' ']);
        let is_marked = behind.is_empty() || behind.starts_with([':', '|', '–', '—', '-', ',', '.']);
        let is_led = || line.get(..line.len() - bare.len()).is_some_and(|lead| lead.contains(char::is_alphabetic));
        let by_year = || bare.get(one).and_then(year_said).filter(|_| is_marked || is_led()).map(Time::Year);
        by_day().or_else(by_month).or_else(by_year).map(Self::Time)
    }

    /// The version that a heading or a line begins with, as in a changelog.
    pub(crate) fn of_release(line: &str) -> Option<Self> {
        let bare = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        let mut words = bare.split(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')' | ',' | ':'));
        let mut next = || words.find(|word| !word.is_empty());
        let (mut token, mut is_named) = (next()?, false);
        for _ in 0..MOST_OF_VERSION {
            let plain = folded(token);
            let is_version = is_listed(VERSION, &plain);
            if !is_version && !is_listed(OF_VERSION, &plain) {
                break;
            }
            (token, is_named) = (next()?, is_named || is_version);
        }
        is_named |= token.starts_with(['v', 'V']);
        let number = token.trim_start_matches(['v', 'V']);
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let figures: Option<Vec<u32>> =
            number.get(..end)?.trim_matches('.').split('.').map(|figure| figure.parse().ok()).collect();
        let figures = figures.filter(|figures| figures.len() > 1 || is_named)?;
        // A version is no shorter for a nought at its end: 1.2 is 1.2.0.
        let length = figures.iter().rposition(|figure| *figure > 0).map_or(1, |last| last + 1);
        figures.get(..length).map(|figures| Self::Version(figures.to_vec()))
    }

    /// The time of the innermost of these headings that says one. Versions and years alone count where all of them are of entries.
    pub(crate) fn of_headings<'h>(headings: impl Iterator<Item = &'h str>, are_of_entries: bool) -> Option<Self> {
        let is_exact = |time: &Time| are_of_entries || !matches!(time, Time::Year(_));
        let time = |heading: &'h str| Time::of(std::iter::once(heading)).filter(is_exact).map(Self::Time);
        let release = |heading: &'h str| Self::of_release(heading).filter(|_| are_of_entries);
        headings.into_iter().find_map(|heading| time(heading).or_else(|| release(heading)))
    }

    /// The time of the entry that a place of a text stands in: that of its own line, or of the line above it that it belongs to.
    pub(crate) fn at(text: &str, place: usize) -> Option<Self> {
        let end = text.get(place..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| place + length);
        let mut lines = text.get(..end)?.lines().rev().take(MOST_LINES);
        let own = lines.next()?;
        if let Some(time) = Self::of_line(own) {
            return Some(time);
        }
        // How far in a line may stand that this one belongs to.
        let mut most = if is_item(own) { indent(own).checked_sub(1)? } else { indent(own) };
        for line in lines {
            match (line.trim().is_empty(), Self::of_line(line).filter(|_| indent(line) <= most)) {
                (true, _) if indent(own) == 0 => return None,
                (false, Some(time)) => return Some(time),
                (false, None) if is_item(line) && indent(line) <= most => most = indent(line).checked_sub(1)?,
                _ => most = if line.trim().is_empty() { most } else { most.min(indent(line)) },
            }
        }
        None
    }

    /// Whether it is later than another one, as far as both say.
    pub(crate) fn is_after(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Time(own), Self::Time(other)) => own.is_after(*other, true),
            (Self::Version(own), Self::Version(other)) => own > other,
            (Self::Time(_), Self::Version(_)) | (Self::Version(_), Self::Time(_)) => false,
        }
    }
}

/// A line without the marks, the name of a day and the words that stand before its time.
fn without_lead(line: &str) -> &str {
    let bare = |text: &str| text.len() - text.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
    let mut start = bare(line);
    for _ in 0..MOST_BEFORE {
        let rest = line.get(start..).unwrap_or_default();
        let Some(word) = runs(rest).next().and_then(|place| rest.get(place)) else { break };
        let is_before = is_listed(BEFORE, &folded(word)) || Weekday::named(word).is_some();
        if !is_before {
            break;
        }
        start += word.len();
        start += bare(line.get(start..).unwrap_or_default());
    }
    line.get(start..).unwrap_or_default()
}

pub(super) fn is_item(line: &str) -> bool {
    let bare = line.trim_start();
    ["- ", "* ", "+ ", "• ", "|"].iter().any(|mark| bare.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: an entry is of the time that it begins with or stands below.
    #[test]
    fn em_01_entries_tell_their_time() {
        let day = |day| Some(EntryTime::Time(Time::Day(2024, 5, day)));
        for (line, time) in [
            ("- 2024-05-03: port 80", day(3)),
            ("| 2024-05-03 | port 80 |", day(3)),
            ("**3 May 2024** port 80", day(3)),
            ("Fri, 3 May 2024: port 80", day(3)),
            ("On 3 May 2024 the port was set.", day(3)),
            ("Seit 3. Mai 2024 gilt 80.", day(3)),
            ("- 2024-05: port 80", Some(EntryTime::Time(Time::Month(2024, 5)))),
            ("May 2024 – port 80", Some(EntryTime::Time(Time::Month(2024, 5)))),
            ("2024: port 80", Some(EntryTime::Time(Time::Year(2024)))),
            ("In 2024 the port was 80.", Some(EntryTime::Time(Time::Year(2024)))),
            ("2024 people use port 80", None),
            ("The port was set on 3 May 2024.", None),
            ("- port 80", None),
            ("", None),
        ] {
            assert_eq!(EntryTime::of_line(line), time, "{line}");
        }
        let version = |figures: &[u32]| Some(EntryTime::Version(figures.to_vec()));
        for (heading, release) in [
            ("1.10.0", version(&[1, 10])),
            ("[v2.0.1] - unknown", version(&[2, 0, 1])),
            ("Version 3", version(&[3])),
            ("v4", version(&[4])),
            ("Changes in version 1.2:", version(&[1, 2])),
            ("Was ist neu in 1.2", None),
            ("4 changes", None),
            ("Ports", None),
        ] {
            assert_eq!(EntryTime::of_release(heading), release, "{heading}");
        }
        let is_after = |one: &str, other: &str| {
            let of = |line| EntryTime::of_line(line).or_else(|| EntryTime::of_release(line)).expect(line);
            of(one).is_after(&of(other))
        };
        assert!(is_after("1.10", "1.9.3") && !is_after("1.9.3", "1.10") && !is_after("1.10", "1.10.0"));
        assert!(is_after("2024-05-03", "2024-05-01") && is_after("2024:", "2023-05-01") && !is_after("2024:", "1.2"));
    }

    /// EM-01: what stands below the line of an entry is of its time, and what stands beside it is not.
    #[test]
    fn em_01_a_place_is_of_the_time_of_its_entry() {
        let text = "# Log\n\n- 2024-05-03: a first\n  one. Here.\n  - port 80\n- other\n\n2024-05-04  Ann\n\n\t* x.c: port 81\n\nend";
        let day = |day| Some(EntryTime::Time(Time::Day(2024, 5, day)));
        for (word, time) in [
            ("first", day(3)),
            ("Here", day(3)),
            ("port 80", day(3)),
            ("other", None),
            ("port 81", day(4)),
            ("end", None),
            ("Log", None),
        ] {
            assert_eq!(EntryTime::at(text, text.find(word).unwrap()), time, "{word}");
        }
        let headings = |all: &[&str], has| EntryTime::of_headings(all.iter().copied(), has);
        assert_eq!(headings(&["Changed", "2.1 - 3 May 2024", "Log"], true), day(3));
        assert_eq!(headings(&["Changed", "2.1", "Log"], true), Some(EntryTime::Version(vec![2, 1])));
        assert_eq!(headings(&["Changed", "2.1", "Log"], false), None);
    }
}
