//! Editions of one document: `policy-2024.md` and `policy-2026.md`, `sop-v2 (superseded).docx` and `sop-v3.docx`; and of which time a document is. What held
//! once is seldom what is asked for.

use crate::core::base::rows::is_listed;
use crate::core::language::days::{days, year_said};
use crate::core::language::months;
use crate::core::language::words::{runs, words};

/// Words of a name that say that what it names holds no longer.
pub(super) const SUPERSEDED: &str = "deprecated draft entwurf obsolete outdated superseded veraltet veraltete \
     veralteter veraltetes withdrawn überholt";

/// Whether a path or a title says so.
pub(crate) fn is_superseded(name: &str) -> bool {
    words(name).any(|word| is_listed(SUPERSEDED, &word))
}

/// Words of a path that say so only beside the path of another edition, which has none of them: an old town is no old edition.
const KEPT: &str = "alt alte alter archiv archive archived former old previous";

/// Whether one path is that of a later edition than the other: they differ by their numbers alone, or by what says that one holds no longer.
pub(crate) fn is_later(one: &str, other: &str) -> bool {
    let (one_name, one_numbers) = parts(one);
    let (other_name, other_numbers) = parts(other);
    let is_over = |path: &str| words(path).any(|word| is_over(&word));
    one_name == other_name
        && match (is_over(one), is_over(other)) {
            (false, true) => true,
            (true, false) => false,
            _ => one_numbers.len() == other_numbers.len() && one_numbers > other_numbers,
        }
}

fn is_over(word: &str) -> bool {
    is_listed(SUPERSEDED, word) || is_listed(KEPT, word)
}

/// Whether two headings are those of one section in two editions: but for their numbers they are the same.
pub(crate) fn is_same_section(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    one == other || letters(one) == letters(other)
}

/// The time that a document or a part of it is of, as far as its names say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    Year(u16),
    Month(u16, u8),
    Day(u16, u8, u8),
}

impl Time {
    /// The time that the first of these names says exactly, or else the first that says a month, or a year.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<Self> {
        let mut by_day = names.clone().filter_map(|name| {
            let mut days = days(name).into_iter().filter_map(|(_, day)| day.in_time());
            days.next_back().map(|(year, month, day)| Self::Day(year, month, day))
        });
        let mut by_month = names.clone().filter_map(month_said).map(|(year, month)| Self::Month(year, month));
        let by_year = || names.clone().find_map(lone_year).map(Self::Year);
        by_day.next().or_else(|| by_month.next()).or_else(by_year)
    }

    /// The month that all of a name says.
    pub(super) fn of_month(name: &str) -> Option<Self> {
        month_said(name).map(|(year, month)| Self::Month(year, month))
    }

    /// Whether it lies behind another one, as far as both say. Two years alone are often those of two things (`Games of 2012`), and count only where they
    /// are asked to.
    pub(crate) fn is_after(self, other: Self, years_count: bool) -> bool {
        let (own, others) = (self.said(), other.said());
        let both = own.len().min(others.len());
        let is_after = own.get(..both) > others.get(..both);
        is_after && (years_count || own.len().max(others.len()) > 1)
    }

    fn said(self) -> Vec<u16> {
        match self {
            Self::Year(year) => vec![year],
            Self::Month(year, month) => vec![year, month.into()],
            Self::Day(year, month, day) => vec![year, month.into(), day.into()],
        }
    }
}

/// The last year that a name says, and that is no part of a number: `NSP-2027-042` is of no year.
fn lone_year(name: &str) -> Option<u16> {
    let is_joined = |end: usize| {
        let mut after = name.get(end..).unwrap_or_default().chars();
        after.next().is_some_and(|c| "-/.".contains(c)) && after.next().is_some_and(|c| c.is_ascii_digit())
    };
    let years = runs(name).filter(|place| !is_joined(place.end));
    years.filter_map(|place| year_said(name.get(place)?)).last()
}

/// The month of a year that a name says: `All hands July 2026`, `2026-07-all-hands.pptx`.
fn month_said(name: &str) -> Option<(u16, u8)> {
    let said: Vec<&str> = runs(name).filter_map(|place| name.get(place)).collect();
    let of_pair = |pair: &[&str]| {
        let [first, second] = pair else { return None };
        let in_words = months::named(first).zip(year_said(second)).map(|(month, year)| (year, month));
        let figure = || second.parse::<u8>().ok().filter(|month| second.len() == 2 && (1..=12).contains(month));
        in_words.or_else(|| year_said(first).zip(figure()))
    };
    said.windows(2).rev().find_map(of_pair)
}

/// Words before the number of an edition.
const BEFORE: &str = "ed edition issue r rev revision v ver version";

/// The words of a path, and its years and the numbers of its edition. Other numbers are a part of its name: chapter 3 is no edition of chapter 2.
fn parts(path: &str) -> (Vec<String>, Vec<u64>) {
    let (mut name, mut years, mut editions) = (Vec::<String>::new(), Vec::new(), Vec::new());
    let lower = path.to_lowercase();
    let runs = lower.split(|c: char| !c.is_alphanumeric()).flat_map(letters_and_digits);
    for run in runs.filter(|run| !run.is_empty() && !is_over(run)) {
        match run.parse::<u64>() {
            Ok(year) if (1900..2100).contains(&year) => years.push(year),
            Ok(edition) if name.last().is_some_and(|word| is_listed(BEFORE, word)) => editions.push(edition),
            Ok(_) | Err(_) => name.push(run.to_owned()),
        }
    }
    (name, [years, editions].concat())
}

/// `v3` as `v` and `3`.
fn letters_and_digits(run: &str) -> [&str; 2] {
    let (letters, digits) = run.split_at(run.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    [letters, digits]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_later_editions_are_known() {
        for (one, other, later) in [
            ("policy-2026.md", "policy-2024.md", true),
            ("policy-2024.md", "policy-2026.md", false),
            ("sop-v3.md", "sop-v2 (superseded).md", true),
            ("sop-v2 (superseded).md", "sop-v3.md", false),
            ("a/rules v3.txt", "a/rules v2.txt", true),
            ("a/rules, version 10.txt", "a/rules, version 9.txt", true),
            ("a/rules 2026.txt", "a/rules 2025.txt", true),
            ("chapter-3.md", "chapter-2.md", false),
            ("12.md", "11.md", false),
            ("policy-2026.md", "price-2024.md", false),
            ("policy-2026.md", "policy.md", false),
            ("policy.md", "policy.md", false),
            ("policy.md", "policy-old.md", true),
            ("policy.md", "archive/policy.md", true),
            ("archive-policy.md", "policy.md", false),
            ("old-town.md", "old-walls.md", false),
        ] {
            assert_eq!(is_later(one, other), later, "{one}, {other}");
        }
        let time = |names: &[&str]| Time::of(names.iter().copied());
        assert_eq!(time(&["Decisions", "Planning 12 January 2026", "x-2025.md"]), Some(Time::Day(2026, 1, 12)));
        assert_eq!(time(&["Ann Lee, 15 Sep 2025", "Rent as of 1 December 2025"]), Some(Time::Day(2025, 9, 15)));
        assert_eq!(time(&["People", "slides/2026-07-all-hands.pptx"]), Some(Time::Month(2026, 7)));
        assert_eq!(time(&["All hands July 2026"]), Some(Time::Month(2026, 7)));
        assert_eq!(time(&["Lease", "lease-2021.docx"]), Some(Time::Year(2021)));
        assert_eq!(time(&["Lease", "room 12", "NSP-2027-042"]), None);
        let (year, month, day) = (Time::Year(2026), Time::Month(2026, 7), Time::Day(2026, 8, 1));
        assert!(day.is_after(month, false) && !month.is_after(day, false) && !day.is_after(year, true));
        assert!(day.is_after(Time::Year(2021), false));
        assert!(year.is_after(Time::Year(2025), true) && !year.is_after(Time::Year(2025), false));
        assert!(is_same_section("Rules 2025", "Rules 2026") && !is_same_section("Rules 2025", "Cups 2025"));
    }
}
