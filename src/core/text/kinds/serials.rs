//! Serial numbers of workbooks: days since the end of 1899, whose fractions are times.

use crate::core::base::dates;

/// Days from 1970-01-01 back to the day 0 of a workbook, and of one that counts from 1904.
const EPOCH_1900: i64 = 25_569;
const EPOCH_1904: i64 = 24_107;
/// The end of the year 9999, the last that workbooks know.
const LAST_DAY: f64 = 2_958_466.0;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// What the time of a format begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// Hours and minutes, and seconds where there are some.
    Hours,
    /// Minutes and seconds: `03:25`.
    Minutes { has_parts: bool },
    /// Seconds alone, or with their parts.
    Seconds { has_parts: bool },
}

/// A moment of a day, or a length of time.
struct Time {
    hours: i64,
    minutes: i64,
    seconds: i64,
    thousandths: i64,
}

impl Clock {
    /// A number of days in thousandths of a second; in whole seconds where parts of them are not shown, which mostly are errors of counting.
    #[expect(clippy::cast_possible_truncation, reason = "the number was checked to be within the years of workbooks")]
    fn milliseconds(self, days: f64) -> i64 {
        const SECONDS: f64 = 86_400.0;
        match self {
            Self::Minutes { has_parts: true } | Self::Seconds { has_parts: true } => {
                (days * SECONDS * 1e3).round() as i64
            }
            Self::Hours | Self::Minutes { .. } | Self::Seconds { .. } => (days * SECONDS).round() as i64 * 1_000,
        }
    }
}

impl Time {
    fn of(milliseconds: i64) -> Self {
        let seconds = milliseconds / 1_000;
        Self {
            hours: seconds / 3_600,
            minutes: seconds / 60 % 60,
            seconds: seconds % 60,
            thousandths: milliseconds % 1_000,
        }
    }

    /// `:03` or `:03.25`; nothing where there is none and it need not be said.
    fn rest(&self, is_said: bool) -> String {
        let Self { seconds, thousandths, .. } = self;
        match (seconds, thousandths) {
            (0, 0) if !is_said => String::new(),
            (_, 0) => format!(":{seconds:02}"),
            (_, _) => format!(":{seconds:02}.{thousandths:03}").trim_end_matches('0').to_owned(),
        }
    }
}

/// Days as hours and minutes, `30:05`, or as minutes and seconds.
pub(super) fn elapsed(days: f64, clock: Clock) -> Option<String> {
    let days = Some(days).filter(|days| (0.0..LAST_DAY).contains(days))?;
    let time = Time::of(clock.milliseconds(days));
    let Time { hours, minutes, .. } = time;
    Some(match clock {
        Clock::Hours => format!("{hours}:{minutes:02}{}", time.rest(false)),
        Clock::Minutes { .. } => format!("{}{}", hours * 60 + minutes, time.rest(true)),
        Clock::Seconds { .. } => format!("{hours}:{minutes:02}{}", time.rest(true)),
    })
}

/// A serial number as `2024-03-01`, or with its time where it has one.
#[expect(clippy::cast_possible_truncation, reason = "the number was checked to be within the years of workbooks")]
pub(super) fn date(serial: f64, clock: Clock, from_1904: bool) -> Option<String> {
    let serial = Some(serial).filter(|serial| (0.0..LAST_DAY).contains(serial))?;
    let in_day = clock.milliseconds(serial.fract());
    let day = serial.trunc() as i64 + in_day / DAY_MS;
    let time = Time::of(in_day % DAY_MS);
    let Time { hours, minutes, .. } = time;
    let shown = match clock {
        Clock::Minutes { .. } if hours == 0 && serial < 1.0 => format!("{minutes:02}{}", time.rest(true)),
        Clock::Minutes { .. } | Clock::Seconds { .. } => format!("{hours:02}:{minutes:02}{}", time.rest(true)),
        Clock::Hours => format!("{hours:02}:{minutes:02}{}", time.rest(false)),
    };
    if serial < 1.0 {
        return Some(shown);
    }
    let date = dates::day((day - if from_1904 { EPOCH_1904 } else { EPOCH_1900 }) * DAY_MS);
    Some(if in_day % DAY_MS == 0 { date } else { format!("{date} {shown}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_are_dates() {
        let cases = [
            (45352.0, false, Some("2024-03-01")),
            (45351.0, false, Some("2024-02-29")),
            (25569.5, false, Some("1970-01-01 12:00")),
            (45_351.999_999_9, false, Some("2024-03-01")),
            (45_418.524_259_259_26, false, Some("2024-05-06 12:34:56")),
            (0.75, false, Some("18:00")),
            (43890.0, true, Some("2024-03-01")),
            (-1.0, false, None),
            (1e300, false, None),
            (f64::NAN, false, None),
        ];
        for (serial, from_1904, expected) in cases {
            assert_eq!(date(serial, Clock::Hours, from_1904).as_deref(), expected, "{serial}");
        }
    }
}
