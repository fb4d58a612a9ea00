//! A month of a year, however a text writes it: `January 2025`, `Jan 2025`, `2025-01`, or a day of it.

use std::ops::Range;

use crate::core::base::sorting::sort_by_key;
use crate::core::language::days::{Day, days, year_said};
use crate::core::language::months::named;
use crate::core::language::words::runs;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Month {
    month: u8,
    year: u16,
}

impl Month {
    /// The month that a question asks about, with its place, if it is one and no part of a day.
    pub(crate) fn asked(question: &str) -> Option<(Range<usize>, Self)> {
        let of_days: Vec<Range<usize>> = days(question).into_iter().map(|(place, _)| place).collect();
        let words: Vec<Range<usize>> = runs(question).collect();
        let mut found = words.windows(2).filter_map(|pair| {
            let [name, year] = pair else { return None };
            let month = named(question.get(name.clone())?)?;
            let is_of_day = of_days.iter().any(|day| day.start < year.end && name.start < day.end);
            let month = Self { month, year: year_said(question.get(year.clone())?)? };
            (!is_of_day && question.get(name.end..year.start)? == " ").then_some((name.start..year.end, month))
        });
        found.next().filter(|_| found.next().is_none())
    }

    pub(crate) fn year(self) -> u16 {
        self.year
    }

    /// Where a text speaks of it, with the year where one is said beside it.
    pub(crate) fn places(self, text: &str) -> Vec<(Range<usize>, Option<u16>)> {
        let is_of_it = |day: Day| day.month() == self.month && day.year().is_none_or(|year| year == self.year);
        let mut places: Vec<(Range<usize>, Option<u16>)> =
            days(text).into_iter().filter(|(_, day)| is_of_it(*day)).map(|(place, day)| (place, day.year())).collect();
        let words: Vec<Range<usize>> = runs(text).collect();
        for (at, place) in words.iter().enumerate() {
            let word = |place: &Range<usize>| text.get(place.clone()).unwrap_or_default();
            let next = words.get(at + 1).filter(|next| next.start - place.end <= 2);
            let year = next.and_then(|next| year_said(word(next)));
            let is_name = word(place).starts_with(char::is_uppercase) || year.is_some();
            if is_name && named(word(place)) == Some(self.month) && year.is_none_or(|year| year == self.year) {
                let end = next.filter(|_| year.is_some()).map_or(place.end, |next| next.end);
                places.push((place.start..end, year));
            }
            // `2025-01`; a day of it was found above.
            let is_month = |next: &Range<usize>| {
                let is_joined = text.get(place.end..next.start) == Some("-");
                is_joined && word(next).len() == 2 && word(next).parse() == Ok(self.month)
            };
            if year_said(word(place)) == Some(self.year)
                && let Some(next) = next.filter(|next| is_month(next))
            {
                places.push((place.start..next.end, Some(self.year)));
            }
        }
        sort_by_key(&mut places, |(place, _)| (place.start, std::cmp::Reverse(place.end)));
        let mut end = 0;
        places.retain(|(place, _)| {
            let is_apart = place.start >= end;
            end = end.max(place.end);
            is_apart
        });
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_02_a_month_is_found_however_it_is_written() {
        let (_, month) = Month::asked("How many Smew were seen in January 2025?").unwrap();
        for (text, found) in [
            ("| 2025-01-18 | Smew | 7 |", &["2025-01-18"][..]),
            ("| 2024-01-18 | 2025-11-01 |", &[]),
            ("| Jan 2025 | Feb 2025 |", &["Jan 2025"]),
            ("jan_2025, Januar 2025", &["jan_2025", "Januar 2025"]),
            ("In January 2026 and on 3 January 2026", &[]),
            ("On 3 January 2025 and 2025-01", &["3 January 2025", "2025-01"]),
            ("In January it was cold.", &["January"]),
            ("It may mar the jan.", &[]),
        ] {
            let places: Vec<&str> = month.places(text).into_iter().filter_map(|(place, _)| text.get(place)).collect();
            assert_eq!(places, found, "{text}");
        }
        for question in ["On 3 January 2025?", "From January 2025 to March 2025?", "In 2025?", "In room 2025?", ""] {
            assert_eq!(Month::asked(question), None, "{question}");
        }
    }
}
