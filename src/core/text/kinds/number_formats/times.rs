//! Times of a day and lengths of time: `h:mm AM/PM`, `mm:ss.0`, `[h]:mm`. Days are told by `serials`.

use super::super::serials::{self, SECOND_DECIMALS, Time};
use super::code::{Fill, Part, Unit};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Times {
    parts: Vec<TimePart>,
    /// Figures behind whole seconds.
    decimals: usize,
}

/// What of a moment is shown, with the figures that it is filled up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimePart {
    Shown(char),
    Hours(usize),
    Minutes(usize),
    Seconds(usize),
    AllHours(usize),
    AllMinutes(usize),
    AllSeconds(usize),
    Decimals,
    HalfDay { is_long: bool },
}

/// What a section shows of a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// A day, and its time with so many figures behind whole seconds.
    Day {
        decimals: usize,
    },
    Times(Times),
}

impl Moment {
    /// `None` where it is not known what the section shows.
    pub(super) fn of(parts: &[Part]) -> Option<Self> {
        let mut times = Vec::new();
        let mut decimals = 0;
        let mut is_day = false;
        for (at, part) in parts.iter().enumerate() {
            times.push(match part {
                Part::Shown(c) => TimePart::Shown(*c),
                Part::Slash => TimePart::Shown('/'),
                Part::Comma => TimePart::Shown(','),
                Part::Point if matches!(parts.get(at + 1), Some(Part::Place(_))) => {
                    let behind = parts.get(at + 1..).unwrap_or_default();
                    decimals = behind.iter().take_while(|part| **part == Part::Place(Fill::Zero)).count();
                    let is_second = at.checked_sub(1).and_then(|at| parts.get(at)).and_then(unit) == Some(Unit::Second);
                    is_second.then_some(TimePart::Decimals)?
                }
                Part::Point => TimePart::Shown('.'),
                // It was counted with its point.
                Part::Place(Fill::Zero) if times.last() == Some(&TimePart::Decimals) => continue,
                Part::HalfDay { is_long } => TimePart::HalfDay { is_long: *is_long },
                Part::Moment { unit: Unit::Hour, letters } => TimePart::Hours(*letters),
                Part::Moment { unit: Unit::Second, letters } => TimePart::Seconds(*letters),
                Part::Moment { unit: Unit::MonthOrMinute, letters } if is_minute(parts, at, *letters) => {
                    TimePart::Minutes(*letters)
                }
                Part::Moment { unit: Unit::Day | Unit::MonthOrMinute, .. } => {
                    is_day = true;
                    continue;
                }
                Part::Elapsed { unit: Unit::Hour, letters } => TimePart::AllHours(*letters),
                Part::Elapsed { unit: Unit::Second, letters } => TimePart::AllSeconds(*letters),
                Part::Elapsed { letters, .. } => TimePart::AllMinutes(*letters),
                Part::Place(_) | Part::Digit(_) | Part::Percent | Part::Exponent { .. } | Part::Value | Part::Text => {
                    return None;
                }
            });
        }
        let times = Times { parts: times, decimals: Some(decimals).filter(|decimals| *decimals <= SECOND_DECIMALS)? };
        match (is_day, times.is_elapsed()) {
            (true, true) => None,
            (true, false) => Some(Self::Day { decimals }),
            (false, _) => Some(Self::Times(times)),
        }
    }

    /// A number of days; `None` for one that is no moment.
    pub(super) fn shown(&self, days: f64, from_1904: bool) -> Option<String> {
        match self {
            Self::Day { decimals } => serials::date(days, *decimals, from_1904),
            Self::Times(times) => times.shown(days),
        }
    }
}

impl Times {
    fn shown(&self, days: f64) -> Option<String> {
        let time = Time::of(days.abs(), self.decimals).filter(|_| days >= 0.0 || self.is_elapsed())?;
        let Time { hours, minutes, seconds, parts } = time;
        let has_halves = self.parts.iter().any(|part| matches!(part, TimePart::HalfDay { .. }));
        let hour = if has_halves { (hours + 11) % 12 + 1 } else { hours % 24 };
        let all_minutes = hours * 60 + minutes;
        let filled = |number: i64, figures: usize| format!("{number:00$}", figures.min(9));
        let shown = self.parts.iter().map(|part| match part {
            TimePart::Shown(c) => c.to_string(),
            TimePart::Hours(figures) => filled(hour, *figures),
            TimePart::Minutes(figures) => filled(minutes, *figures),
            TimePart::Seconds(figures) => filled(seconds, *figures),
            TimePart::AllHours(figures) => filled(hours, *figures),
            TimePart::AllMinutes(figures) => filled(all_minutes, *figures),
            TimePart::AllSeconds(figures) => filled(all_minutes * 60 + seconds, *figures),
            TimePart::Decimals => format!(".{}", filled(parts, self.decimals)),
            TimePart::HalfDay { is_long } => {
                let half = if hours % 24 < 12 { "AM" } else { "PM" };
                half.chars().take(if *is_long { 2 } else { 1 }).collect()
            }
        });
        let sign = if days < 0.0 { "-" } else { "" };
        Some(format!("{sign}{}", shown.collect::<String>()))
    }

    fn is_elapsed(&self) -> bool {
        let is_it =
            |part: &TimePart| matches!(part, TimePart::AllHours(_) | TimePart::AllMinutes(_) | TimePart::AllSeconds(_));
        self.parts.iter().any(is_it)
    }
}

fn unit(part: &Part) -> Option<Unit> {
    match part {
        Part::Moment { unit, .. } | Part::Elapsed { unit, .. } => Some(*unit),
        _ => None,
    }
}

/// Behind hours and before seconds it is a minute, else a month.
fn is_minute(parts: &[Part], at: usize, letters: usize) -> bool {
    let before = parts.get(..at).and_then(|parts| parts.iter().rev().find_map(unit));
    let behind = parts.get(at + 1..).and_then(|parts| parts.iter().find_map(unit));
    letters <= 2 && (before == Some(Unit::Hour) || behind == Some(Unit::Second))
}
