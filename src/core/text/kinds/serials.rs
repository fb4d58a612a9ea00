//! Serial numbers of workbooks: days since the end of 1899, whose fractions are times.

use crate::core::base::dates;

/// Days from 1970-01-01 back to the day 0 of a workbook, and of one that counts from 1904.
const EPOCH_1900: i64 = 25_569;
const EPOCH_1904: i64 = 24_107;
/// Workbooks have a day that never was, 1900-02-29, with this number; those before it are counted from a day later.
const NO_DAY: i64 = 60;
/// The end of the year 9999, the last that workbooks know.
const LAST_DAY: f64 = 2_958_466.0;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// Figures behind whole seconds that a workbook shows.
pub(super) const SECOND_DECIMALS: usize = 3;

/// A moment of a day, or a length of time.
pub(super) struct Time {
    pub(super) hours: i64,
    pub(super) minutes: i64,
    pub(super) seconds: i64,
    /// Of a second, as many as it has by the figures that are asked for.
    pub(super) parts: i64,
}

impl Time {
    /// A number of days, to so many figures behind whole seconds: what is not shown mostly is an error of counting.
    #[expect(clippy::cast_possible_truncation, reason = "the number was checked to be within the years of workbooks")]
    pub(super) fn of(days: f64, decimals: usize) -> Option<Self> {
        let days = Some(days).filter(|days| (0.0..LAST_DAY).contains(days))?;
        let in_second = 10_i32.pow(u32::try_from(decimals.min(SECOND_DECIMALS)).ok()?);
        let all = (days * 86_400.0 * f64::from(in_second)).round() as i64;
        let seconds = all / i64::from(in_second);
        Some(Self {
            hours: seconds / 3_600,
            minutes: seconds / 60 % 60,
            seconds: seconds % 60,
            parts: all % i64::from(in_second),
        })
    }
}

/// A serial number as `2024-03-01`, or with its time where it has one. Nobody knows which number of `03/05/24` is the month.
#[expect(clippy::cast_possible_truncation, reason = "the number was checked to be within the years of workbooks")]
pub(super) fn date(serial: f64, decimals: usize, from_1904: bool) -> Option<String> {
    let serial = Some(serial).filter(|serial| (0.0..LAST_DAY).contains(serial))?;
    let Time { hours, minutes, seconds, parts } = Time::of(serial.fract(), decimals)?;
    let rest = match (seconds, parts) {
        (0, 0) => String::new(),
        (_, 0) => format!(":{seconds:02}"),
        (_, _) => format!(":{seconds:02}.{parts:0decimals$}").trim_end_matches('0').to_owned(),
    };
    let time = format!("{:02}:{minutes:02}{rest}", hours % 24);
    let has_time = time != "00:00";
    if serial < 1.0 {
        return has_time.then_some(time);
    }
    let day = serial.trunc() as i64 + hours / 24;
    let since_1970 = match from_1904 {
        true => day - EPOCH_1904,
        false if day == NO_DAY => return None,
        false => day - EPOCH_1900 + i64::from(day < NO_DAY),
    };
    let date = dates::day(since_1970 * DAY_MS);
    Some(if has_time { format!("{date} {time}") } else { date })
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
            // Workbooks take 1900 for a leap year.
            (59.0, false, Some("1900-02-28")),
            (60.0, false, None),
            (61.0, false, Some("1900-03-01")),
            (0.0, false, None),
            (-1.0, false, None),
            (1e300, false, None),
            (f64::NAN, false, None),
        ];
        for (serial, from_1904, expected) in cases {
            assert_eq!(date(serial, 0, from_1904).as_deref(), expected, "{serial}");
        }
        assert_eq!(date(45_418.524_262_152_78, 3, false).as_deref(), Some("2024-05-06 12:34:56.25"));
    }
}
