//! Months, seasons, days of the week and years that a question names, and that something is open, and whether a text tells of them: by their names, or
//! by a stretch in which they lie.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::core::base::rows::is_listed;
use crate::core::language::days::{days, year_said};
use crate::core::language::fold::folded;
use crate::core::language::hours::has_hours;
use crate::core::language::stems::Stems;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::{places, words};
use crate::core::language::year_parts::YearPart;
use crate::core::language::year_spans::{nearness, year_spans};
use crate::core::question::numbers::asked_year;

/// The periods of a question, with the numbers of the words that name them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AskedPeriods(Vec<(Vec<usize>, Period)>);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Period {
    Months(YearPart),
    Days(Vec<Weekday>),
    Year(u16),
    /// When something is open is told by a stretch of hours.
    Open,
}

/// Words for that, without accents.
const OPEN: &str = "geoffnet offen offnungszeit offnungszeiten opening ouvert ouverte ouvertes ouverts ouverture";
/// Words that are said of doors and files, too, and so mean it beside one of those below them only.
const OPENS: &str = "offnet open opens ouvre";
const IS_OPEN: &str = "are heures hours is quand time times uhr wann when";
/// Words of a question on what once was.
const WAS: &str = "etait had hatte war waren was were wurde wurden";

/// The numbers of the words with which a question asks when something is open.
fn asks_open(question: &str, numbers: impl Fn(&str) -> Vec<usize>) -> Vec<usize> {
    let said: Vec<(String, String)> = words(question).map(|word| (folded(&word), word)).collect();
    let has = |row: &str| said.iter().any(|(word, _)| is_listed(row, word));
    let is_meant = |word: &str| is_listed(OPEN, word) || (is_listed(OPENS, word) && has(IS_OPEN));
    let asking = said.iter().filter(|(word, _)| is_meant(word) && !has(WAS));
    asking.flat_map(|(_, word)| numbers(word)).collect()
}

impl AskedPeriods {
    /// `stems` are those of the words of the question.
    pub(crate) fn of(question: &str, stems: &Stems) -> Self {
        let numbers = |word: &str| stems.of_word(word).collect::<Vec<usize>>();
        let mut before = String::new();
        let mut found: Vec<(Vec<usize>, Period)> = Vec::new();
        let dated: Vec<Range<usize>> = days(question).into_iter().map(|(place, _)| place).collect();
        for place in places(question) {
            let word = question.get(place.clone()).unwrap_or_default();
            // `9 November` is one day, and `May 2026` one month.
            let behind = question.get(place.end..).unwrap_or_default();
            let is_dated = dated.iter().any(|day| day.start < place.end && place.start < day.end)
                || behind.split_whitespace().next().is_some_and(|next| year_said(next.trim_end_matches('?')).is_some());
            let period = period(word, &before).filter(|_| !is_dated);
            found.extend(period.map(|period| (numbers(word), period)));
            before = folded(word);
        }
        let year = asked_year(question);
        found.extend(year.and_then(|year| Some((numbers(year), Period::Year(year.parse().ok()?)))));
        found.push((asks_open(question, numbers), Period::Open));
        found.retain(|(numbers, _)| !numbers.is_empty());
        Self(found)
    }

    /// The numbers of those words whose period a text tells of.
    pub(crate) fn told_by(&self, text: &str) -> impl Iterator<Item = usize> {
        let told = self.0.iter().filter(|(_, period)| period.is_told_by(text));
        told.flat_map(|(numbers, _)| numbers.iter().copied())
    }

    /// The numbers of those words whose period these texts tell by a stretch alone, and in no word of their own.
    pub(crate) fn only_in_stretches(&self, texts: &[&str], stems: &Stems) -> BTreeSet<usize> {
        let mut told: BTreeSet<usize> = texts.iter().flat_map(|text| self.told_by(text)).collect();
        if !told.is_empty() {
            for word in texts.iter().flat_map(|text| words(text)) {
                let said: BTreeSet<usize> = stems.of_word(&word).collect();
                told.retain(|at| !said.contains(at));
            }
        }
        told
    }

    /// Each of them that a text tells by a stretch alone, with the numbers of its words.
    pub(crate) fn stretched(&self, text: &str, stems: &Stems) -> Vec<(&[usize], &Period)> {
        let only = self.only_in_stretches(&[text], stems);
        let all = self.0.iter().map(|(numbers, period)| (numbers.as_slice(), period));
        all.filter(|(numbers, _)| numbers.iter().any(|at| only.contains(at))).collect()
    }

    /// How near that is which a text tells of these periods, where several sentences tell it: `since 2019` and `since 2023`, `May to September` and
    /// `March to October`.
    pub(crate) fn nearness(&self, text: &str) -> f32 {
        self.0.iter().map(|(_, period)| period.nearness(text)).sum()
    }
}

fn period(word: &str, before: &str) -> Option<Period> {
    let days = Weekday::all_of(word);
    match days.is_empty() {
        false => Some(Period::Days(days)),
        true => YearPart::named(word, before).map(Period::Months),
    }
}

impl Period {
    /// Nothing where it is not told, and 1 at most.
    fn nearness(&self, text: &str) -> f32 {
        match self {
            Self::Months(months) => {
                let told = YearPart::told_by(text);
                if months.is_within(told) { 1.0 - told.share_of_year() } else { 0.0 }
            }
            Self::Days(_) | Self::Open => 0.0,
            Self::Year(year) => nearness(text, *year),
        }
    }

    pub(crate) fn is_told_by(&self, text: &str) -> bool {
        match self {
            Self::Months(months) => months.is_within(YearPart::told_by(text)),
            Self::Days(days) => days.iter().all(|day| day.is_named_in(text)),
            Self::Year(year) => year_spans(text).iter().any(|(_, span)| span.holds(*year)),
            Self::Open => has_hours(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::language::stems::stem_of;

    /// LB-02: what a question asks of a month, a day of the week or a year is told by a stretch of them.
    #[test]
    fn lb_02_periods_are_told_by_stretches() {
        for (question, word, text, is_told) in [
            ("When is the pool open in July?", "July", "The pool: May to September, 9 to 18", true),
            ("When is the pool open in July?", "July", "The pool: October to April, 9 to 18", false),
            ("When is the pool open in summer?", "summer", "May to September, 9 to 18", true),
            ("Wann ist das Bad im Juli offen?", "Juli", "Mai bis September, 9–18 Uhr", true),
            ("Quand la piscine est-elle ouverte en juillet ?", "juillet", "de mai à septembre", true),
            ("When is the shop open on Mondays?", "Mondays", "Mon–Fri 9–17", true),
            ("When is the shop open on Sundays?", "Sundays", "Mon–Fri 9–17", false),
            ("When is the shop open at the weekend?", "weekend", "Sat and Sun: 10–14", true),
            ("When is the shop open at the weekend?", "weekend", "Mon–Fri 9–17", false),
            ("Wann ist der Laden dienstags offen?", "dienstags", "Mo–Fr 9–17", true),
            ("Wann ist die Sauna geöffnet?", "geöffnet", "Mo–Sa 14–22 Uhr", true),
            ("Wann öffnet die Sauna?", "öffnet", "Mo–Sa 14–22 Uhr", true),
            ("Is the library open on Mondays?", "open", "Monday | 10:00–14:00", true),
            ("Is the library open on Mondays?", "open", "Monday | 12 books", false),
            ("How do I open the box?", "open", "Monday | 10:00–14:00", false),
            ("When was the library opened?", "opened", "Monday | 10:00–14:00", false),
            ("What was the price in 2021?", "2021", "2019–2022: 8 €", true),
            ("What was the price in 2021?", "2021", "until 2020: 8 €", false),
        ] {
            let mut stems = Stems::default();
            stems.add(&stem_of(word), 7);
            let told: Vec<usize> = AskedPeriods::of(question, &stems).told_by(text).collect();
            assert_eq!(told, if is_told { vec![7] } else { vec![] }, "{question} {text}");
        }
    }
}
