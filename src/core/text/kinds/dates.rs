//! Dates of workbooks: days since the end of 1899, shown as a date where the format of a cell says so.

use crate::core::base::dates;

/// Days from 1970-01-01 back to the day 0 of a workbook, and of one that counts from 1904.
const EPOCH_1900: i64 = 25_569;
const EPOCH_1904: i64 = 24_107;
/// The end of the year 9999, the last that workbooks know.
const LAST_DAY: f64 = 2_958_466.0;
const MINUTES: f64 = 1_440.0;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Whether the code of a number format shows a date or a time.
pub(super) fn is_date_format(code: &str) -> bool {
    let mut quoted = false;
    let mut bracketed = false;
    let mut escaped = false;
    for c in code.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' | '_' | '*' => escaped = true,
            '"' => quoted = !quoted,
            '[' => bracketed = true,
            ']' => bracketed = false,
            'y' | 'm' | 'd' | 'h' | 's' | 'Y' | 'M' | 'D' | 'H' | 'S' if !quoted && !bracketed => return true,
            _ => {}
        }
    }
    false
}

/// A serial number as `2024-03-01`, or with its time where it has one.
#[expect(clippy::cast_possible_truncation, reason = "the number was checked to be within the years of workbooks")]
pub(super) fn of_serial(serial: &str, from_1904: bool) -> Option<String> {
    let serial: f64 = serial.trim().parse().ok()?;
    if !(0.0..LAST_DAY).contains(&serial) {
        return None;
    }
    let minutes = (serial.fract() * MINUTES).round() as i64;
    let day = serial.trunc() as i64 + minutes / 1_440;
    let minutes = minutes % 1_440;
    let time = format!("{:02}:{:02}", minutes / 60, minutes % 60);
    if serial < 1.0 {
        return Some(time);
    }
    let date = dates::day((day - if from_1904 { EPOCH_1904 } else { EPOCH_1900 }) * DAY_MS);
    Some(if minutes == 0 { date } else { format!("{date} {time}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_are_dates() {
        let cases = [
            ("45352", false, Some("2024-03-01")),
            ("45351", false, Some("2024-02-29")),
            ("25569.5", false, Some("1970-01-01 12:00")),
            ("0.75", false, Some("18:00")),
            ("43890", true, Some("2024-03-01")),
            ("-1", false, None),
            ("1e300", false, None),
            ("x", false, None),
        ];
        for (serial, from_1904, expected) in cases {
            assert_eq!(of_serial(serial, from_1904).as_deref(), expected, "{serial}");
        }
    }

    #[test]
    fn formats_of_dates_are_known() {
        let cases = [
            ("yyyy-mm-dd", true),
            ("[$-407]d. mmmm yyyy", true),
            ("#,##0.00", false),
            ("0.0 \"days\"", false),
            ("[Red]0", false),
            ("h:mm", true),
            ("0\\d", false),
        ];
        for (code, expected) in cases {
            assert_eq!(is_date_format(code), expected, "{code}");
        }
    }
}
