//! The days of the week, in the languages of questions, and whether a text speaks of one: by its name, or with a range of them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::core::base::rows::{is_listed, listed};
use crate::core::language::days::days;
use crate::core::language::fold::folded;
use crate::core::language::ranges::{TO, is_dash};
use crate::core::language::words::runs;

/// A day of the week, Monday first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weekday(usize);

/// Names that nothing else has: English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish.
const NAMES: [&str; 7] = [
    "monday montag lundi lunes lunedì maandag måndag",
    "tuesday dienstag mardi martes martedì dinsdag tisdag",
    "wednesday mittwoch mercredi miércoles mercoledì woensdag onsdag",
    "thursday donnerstag jeudi jueves giovedì donderdag torsdag",
    "friday freitag vendredi viernes venerdì vrijdag fredag",
    "saturday samstag sonnabend samedi sábado sabato zaterdag lördag",
    "sunday sonntag dimanche domingo domenica zondag söndag",
];
/// Their short forms, which are words of their own as well.
const SHORT: [&str; 7] = [
    "mon mo lun",
    "tue tues di mar",
    "wed weds mi mer",
    "thu thur thurs do jeu",
    "fri fr ven",
    "sat sa sam",
    "sun so dim",
];
static FULL_FORMS: LazyLock<HashMap<String, usize>> = LazyLock::new(|| by_name(&NAMES));
static SHORT_FORMS: LazyLock<HashMap<String, usize>> = LazyLock::new(|| by_name(&SHORT));

/// What stands for every day, for those of the week and for those at its end.
const EVERY: &str = "daily everyday nightly quotidien täglich tägl";
const OF_WORK: &str = "weekday weekdays werktags wochentags";
const OF_REST: &str = "weekend weekends wochenende wochenenden";
/// The first that is one of those at the end.
const SATURDAY: usize = 5;

impl Weekday {
    /// The day that a word names, in full or in short.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Self::of(&FULL_FORMS, word).or_else(|| Self::of(&SHORT_FORMS, word))
    }

    fn of(names: &HashMap<String, usize>, word: &str) -> Option<Self> {
        let word = folded(word);
        let several = || names.get(word.strip_suffix('s')?);
        names.get(&word).or_else(several).copied().map(Self)
    }

    /// The days that a word stands for: one, those of the week or those at its end.
    pub(crate) fn all_of(word: &str) -> Vec<Self> {
        let day = Self::of(&FULL_FORMS, word).map(|day| day.0);
        let has = |row| is_listed(row, &word.to_lowercase());
        let days = match day {
            Some(day) => day..day + 1,
            None if has(OF_WORK) => 0..SATURDAY,
            None if has(OF_REST) => SATURDAY..NAMES.len(),
            None => 0..0,
        };
        days.map(Self).collect()
    }

    /// Whether a text names any day of the week.
    pub(crate) fn is_any_in(text: &str) -> bool {
        (0..NAMES.len()).any(|day| Self(day).is_named_in(text))
    }

    /// Whether a text says something of this day. One that has dates may say it by them.
    pub(crate) fn is_told_by(self, text: &str) -> bool {
        self.is_named_in(text) || days(text).iter().any(|(_, day)| day.year().is_some())
    }

    /// Whether a text names it, or days among which it is.
    pub(crate) fn is_named_in(self, text: &str) -> bool {
        let words: Vec<(&str, &str)> = with_gaps(text);
        let is_of_week = |word: &str| {
            let has = |row| is_listed(row, word);
            has(EVERY) || (has(OF_WORK) && self.0 < SATURDAY) || (has(OF_REST) && self.0 >= SATURDAY)
        };
        let mut first: Option<Self> = None;
        for (at, (gap, word)) in words.iter().enumerate() {
            let lower = word.to_lowercase();
            let is_every = |before: &(&str, &str)| ["each", "every"].contains(&before.1.to_lowercase().as_str());
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            if is_of_week(&lower) || (["day", "night"].contains(&lower.as_str()) && before.is_some_and(is_every)) {
                return true;
            }
            let is_range = is_dash(gap);
            // `Mon–Fri from nine`
            let behind = words.get(at + 1..).unwrap_or_default();
            let is_short = |word: &str| (is_range && first.is_some()) || is_marked(word, behind);
            let day = Self::of(&FULL_FORMS, word).or_else(|| Self::of(&SHORT_FORMS, word).filter(|_| is_short(word)));
            // The last of a range, or the first.
            match (first, day) {
                (Some(first), Some(last)) if is_range || before.is_some_and(|(_, to)| is_listed(TO, &folded(to))) => {
                    let is_inside = first.0 <= self.0 && self.0 <= last.0;
                    let is_around = last.0 < first.0 && (self.0 >= first.0 || self.0 <= last.0);
                    if is_inside || is_around {
                        return true;
                    }
                }
                (_, Some(day)) if day == self => return true,
                _ => {}
            }
            first = if is_listed(TO, &folded(word)) { first } else { day };
        }
        false
    }
}

/// Which day each name in these rows is, without accents.
fn by_name(rows: &[&str; 7]) -> HashMap<String, usize> {
    let days = rows.iter().enumerate();
    days.flat_map(|(day, names)| listed(names).map(move |name| (folded(name), day))).collect()
}

/// Whether a short form stands as one: `So: 10–12`, `Sat and Sun`, not `So it is`. `behind` are the words behind it, each with what stands before it.
fn is_marked(word: &str, behind: &[(&str, &str)]) -> bool {
    let is_day = |word: &str| word.starts_with(char::is_uppercase) && Weekday::named(word).is_some();
    let is_pair = matches!(behind, [(_, "and" | "et" | "und"), (_, other), ..] if is_day(other));
    let is_sign = |(gap, next): &(&str, &str)| {
        gap.trim_start().starts_with(['.', ':', '|', '/', '-', '–', '—', '&', '\n'])
            || next.starts_with(|c: char| c.is_ascii_digit())
            || is_listed(TO, &folded(next))
    };
    word.starts_with(char::is_uppercase) && (is_pair || behind.first().is_none_or(is_sign))
}

/// The words of a text, each with what stands before it.
fn with_gaps(text: &str) -> Vec<(&str, &str)> {
    let mut end = 0;
    let words = runs(text).filter_map(|place| {
        let gap = text.get(end..place.start)?;
        end = place.end;
        Some((gap, text.get(place)?))
    });
    words.collect()
}

/// The day that a question names, as it is written, if it is one.
pub(crate) fn asked(question: &str) -> Option<(&str, Weekday)> {
    let words = runs(question).filter_map(|place| question.get(place));
    let mut found = words.filter_map(|word| Some((word, Weekday::of(&FULL_FORMS, word)?)));
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: a text tells something of a day that it names, alone or in a range.
    #[test]
    fn em_01_a_weekday_is_known_in_ranges() {
        for (question, text, is_told) in [
            ("Who is on duty on Sunday?", "Sunday: Ann", true),
            ("Who is on duty on Sunday?", "On Sundays Ann.", true),
            ("Who is on duty on Sunday?", "Monday to Friday: Ann", false),
            ("Who is on duty on Tuesday?", "Monday to Friday: Ann", true),
            ("Who is on duty on Tuesday?", "Mon–Fri 9–17", true),
            ("Who is on duty on Tuesday?", "Mo. - Fr. 9–17", true),
            ("Who is on duty on Tuesday?", "on Mon–Fri from nine Ann", true),
            ("Who is on duty on Saturday?", "Sat and Sun Ann", true),
            ("Who is on duty on Saturday?", "Sat and waited", false),
            ("Wer hat am Dienstag Dienst?", "Montags bis freitags: Ann", true),
            ("Qui est de garde le mardi ?", "du lundi au vendredi", true),
            ("Who is on duty on Wednesday?", "Monday till Friday: Ann", true),
            ("Who is on duty on Wednesday?", "- Monday\n- Thursday", false),
            ("Qui est de garde le mercredi ?", "lundi à jeudi", true),
            ("Who is on duty on Saturday?", "el sabado", true),
            ("Who is on duty on Monday?", "Fri to Mon: Ann", true),
            ("Who is on duty on Wednesday?", "Fri to Mon: Ann", false),
            ("Who is on duty on Wednesday?", "Monday, Friday: Ann", false),
            ("Who is on duty on Wednesday?", "daily", true),
            ("Who is on duty on Wednesday?", "Every day at 9.", true),
            ("Who is on duty on Wednesday?", "on weekdays", true),
            ("Who is on duty on Sunday?", "on weekdays", false),
            ("Who is on duty on Sunday?", "at the weekend", true),
            ("Who is on duty on Sunday?", "2026-11-15: Ann", true),
            ("Who is on duty on Sunday?", "15 November: Ann", false),
            ("Who is on duty on Sunday?", "So it is, so to say.", false),
            ("Who is on duty on Sunday?", "| Sa | So |", true),
            ("Who is on duty on Sunday?", "So 10–12", true),
            ("Who is on duty on Sunday?", "", false),
        ] {
            let (_, day) = asked(question).expect(question);
            assert_eq!(day.is_told_by(text), is_told, "{question} {text}");
        }
        for question in ["Who is on duty?", "From Monday to Friday?", "Do so in Mar.", ""] {
            assert_eq!(asked(question), None, "{question}");
        }
    }
}
