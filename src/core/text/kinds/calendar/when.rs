//! Moments of calendars in words: `Thursday 2026-05-14, 09:00–10:30 (Europe/Berlin)`.

use std::fmt;

use time::{Date, Month};

use super::super::content_lines::ContentLine;

/// What is said behind whole days.
pub(super) const ALL_DAY: &str = " (all day)";

/// A day, or a time of a day in the zone that is written beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    day: Date,
    /// `09:00`; nothing for a whole day.
    time: Option<String>,
    /// As it is written; empty where none is.
    zone: String,
}

impl Moment {
    pub(super) fn of(line: &ContentLine<'_>) -> Option<Self> {
        Self::read(line.raw().split(',').next()?.trim(), line.parameter("TZID").unwrap_or_default())
    }

    /// Adds the moments of a line that has several, of periods those that they begin at; whether there was room for all.
    pub(super) fn list(line: &ContentLine<'_>, moments: &mut Vec<Self>) -> bool {
        let zone = line.parameter("TZID").unwrap_or_default();
        let raw = line.raw();
        let begins = raw.split(',').map(|period| period.split('/').next().unwrap_or_default().trim());
        begins.filter_map(|text| Self::read(text, zone)).all(|moment| super::takes(moments, || moment))
    }

    /// `20260514T090000Z`, `20260514`, and with the signs that newer writers put between.
    pub(super) fn read(text: &str, zone: &str) -> Option<Self> {
        let (day, rest) = text.split_once(['T', ' ']).map_or((text, None), |(day, time)| (day, Some(time)));
        let mut day = date(day)?;
        let time = match rest {
            Some(time) => {
                let digits = digits(time.trim_end_matches(['Z', 'z']));
                let (hour, minute) = (digits.get(..2)?.parse::<u8>().ok()?, digits.get(2..4)?.parse::<u8>().ok()?);
                // The end of a day is the beginning of the next.
                let hour = if (hour, minute) == (24, 0) {
                    day = day.next_day()?;
                    0
                } else {
                    hour
                };
                Some((hour, minute)).filter(|(hour, minute)| *hour < 24 && *minute < 60)?;
                Some(format!("{hour:02}:{minute:02}"))
            }
            None => None,
        };
        let is_utc = rest.is_some_and(|time| time.ends_with(['Z', 'z']));
        let zone = if is_utc { "UTC".to_owned() } else { super::super::one_line(zone) };
        Some(Self { day, time, zone })
    }

    /// From here to an end, which for whole days is the day behind the last.
    pub(super) fn through(&self, end: &Self) -> String {
        match (&self.time, &end.time) {
            (None, None) => {
                let last = end.day.previous_day().unwrap_or(end.day);
                if last <= self.day {
                    return self.to_string();
                }
                format!("{} to {}{ALL_DAY}", named(self.day), named(last))
            }
            (Some(from), Some(until)) if self.day == end.day && self.zone == end.zone => {
                format!("{}, {from}–{until}{}", named(self.day), self.zone_behind())
            }
            _ => format!("{self} to {end}"),
        }
    }

    fn zone_behind(&self) -> String {
        if self.zone.is_empty() || self.time.is_none() { String::new() } else { format!(" ({})", self.zone) }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.time {
            Some(time) => write!(to, "{}, {time}{}", named(self.day), self.zone_behind()),
            None => write!(to, "{}{ALL_DAY}", named(self.day)),
        }
    }
}

/// A day with its name.
fn named(day: Date) -> String {
    format!("{} {:04}-{:02}-{:02}", day.weekday(), day.year(), u8::from(day.month()), day.day())
}

fn date(text: &str) -> Option<Date> {
    let digits = digits(text);
    let number = |range: std::ops::Range<usize>| digits.get(range)?.parse::<u8>().ok();
    let year = digits.get(..4)?.parse::<i32>().ok()?;
    if digits.len() != 8 {
        return None;
    }
    Date::from_calendar_date(year, Month::try_from(number(4..6)?).ok()?, number(6..8)?).ok()
}

/// The digits of a date or time; no more than there can be.
fn digits(text: &str) -> String {
    text.chars().take(20).filter(char::is_ascii_digit).collect()
}

/// `PT1H30M` in words; as it is written where it is no duration.
pub(super) fn duration(text: &str) -> String {
    let written = text.trim();
    let units = [('W', "week"), ('D', "day"), ('H', "hour"), ('M', "minute"), ('S', "second")];
    let mut words = Vec::new();
    let mut number = String::new();
    for c in written.trim_start_matches(['+', 'P', 'p']).chars().take(40) {
        match (c, units.iter().find(|(sign, _)| *sign == c.to_ascii_uppercase())) {
            (c, _) if c.is_ascii_digit() => number.push(c),
            ('T' | 't', _) if number.is_empty() => {}
            (_, Some((_, unit))) if !number.is_empty() => {
                let several = if number.trim_start_matches('0') == "1" { "" } else { "s" };
                if number.contains(|digit| digit != '0') {
                    words.push(format!("{} {unit}{several}", number.trim_start_matches('0')));
                }
                number.clear();
            }
            _ => return super::super::one_line(written),
        }
    }
    if words.is_empty() || !number.is_empty() { super::super::one_line(written) } else { words.join(" ") }
}
