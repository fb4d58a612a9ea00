//! How the cells of a workbook show their numbers: as dates, which are days since the end of 1899, as lengths of time, shares or money.

use crate::core::base::dates;

/// Days from 1970-01-01 back to the day 0 of a workbook, and of one that counts from 1904.
const EPOCH_1900: i64 = 25_569;
const EPOCH_1904: i64 = 24_107;
/// The end of the year 9999, the last that workbooks know.
const LAST_DAY: f64 = 2_958_466.0;
const MINUTES: f64 = 1_440.0;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// How a cell shows its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Shows {
    #[default]
    Number,
    Date,
    /// A length of time, which may be longer than a day.
    Elapsed,
    Percent,
    /// With a sign of money behind it.
    Money(String),
}

impl Shows {
    /// By the code of a number format.
    pub(super) fn of_format(code: &str) -> Self {
        // The form of numbers above zero.
        let code = code.split(';').next().unwrap_or_default();
        let (signs, brackets) = signs(code);
        let is_unit = |bracket: &String| {
            let mut letters = bracket.chars().map(|c| c.to_ascii_lowercase());
            letters.next().is_some_and(|first| "hms".contains(first) && letters.all(|c| c == first))
        };
        let is_condition = |bracket: &String| bracket.starts_with(['<', '>', '=']);
        match sign_of_money(code) {
            _ if brackets.iter().any(is_unit) => Self::Elapsed,
            _ if signs.contains(['y', 'm', 'd', 'h', 's']) => Self::Date,
            // Which form a number has depends on the number then.
            _ if brackets.iter().any(is_condition) => Self::Number,
            Some(sign) => Self::Money(sign),
            None if signs.contains('%') => Self::Percent,
            None => Self::Number,
        }
    }

    /// By the number of a format that every workbook has.
    pub(super) fn of_number(format: u32) -> Self {
        match format {
            9 | 10 => Self::Percent,
            14..=22 | 45 | 47 => Self::Date,
            46 => Self::Elapsed,
            _ => Self::Number,
        }
    }

    /// A number as a reader of the sheet sees it; `None` where it is to be shown as it is.
    pub(super) fn shown(&self, number: &str, from_1904: bool) -> Option<String> {
        match self {
            Self::Number => None,
            Self::Date => of_serial(number, from_1904),
            Self::Elapsed => elapsed(number),
            Self::Percent => percent(number),
            Self::Money(sign) => {
                let number: f64 = number.trim().parse().ok().filter(|number: &f64| number.is_finite())?;
                Some(format!("{} {sign}", rounded(number)))
            }
        }
    }
}

/// The sign in `[$€-407]`, or one that stands for itself.
fn sign_of_money(code: &str) -> Option<String> {
    let named = code.split_once("[$").and_then(|(_, rest)| rest.split_once([']', '-']));
    let named = named.map(|(sign, _)| sign).filter(|sign| !sign.is_empty() && sign.chars().count() <= 4);
    let plain = || code.chars().find(|c| ['€', '$', '£', '¥'].contains(c)).map(String::from);
    named.map(str::to_owned).or_else(|| plain().filter(|_| !code.contains("[$")))
}

/// Days as hours and minutes: `30:05`.
#[expect(clippy::cast_possible_truncation, reason = "the number was checked to be within the years of workbooks")]
fn elapsed(days: &str) -> Option<String> {
    let days: f64 = days.trim().parse().ok().filter(|days| (0.0..LAST_DAY).contains(days))?;
    let seconds = (days * MINUTES * 60.0).round() as i64;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let rest = if seconds == 0 { String::new() } else { format!(":{seconds:02}") };
    Some(format!("{hours}:{minutes:02}{rest}"))
}

fn percent(share: &str) -> Option<String> {
    let share: f64 = share.trim().parse().ok().filter(|share: &f64| share.is_finite())?;
    Some(format!("{}%", rounded(share * 100.0)))
}

/// A number without the digits that counting in twos adds: `12.5` for `12.500000000000002`.
fn rounded(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The signs of the code of a number format that mean something, and apart from them what stands in brackets. What is quoted or escaped is only shown.
fn signs(code: &str) -> (String, Vec<String>) {
    let (mut signs, mut brackets) = (String::new(), Vec::new());
    let (mut quoted, mut open, mut escaped) = (false, None::<String>, false);
    for c in code.chars() {
        match (c, open.as_mut()) {
            _ if std::mem::take(&mut escaped) => {}
            ('\\' | '_' | '*', _) => escaped = true,
            ('"', _) => quoted = !quoted,
            (']', Some(_)) => brackets.extend(open.take()),
            (_, Some(bracket)) => bracket.push(c),
            ('[', None) if !quoted => open = Some(String::new()),
            _ if !quoted => signs.push(c),
            _ => {}
        }
    }
    (signs.to_ascii_lowercase(), brackets)
}

/// A serial number as `2024-03-01`, or with its time where it has one.
#[expect(clippy::cast_possible_truncation, reason = "the number was checked to be within the years of workbooks")]
fn of_serial(serial: &str, from_1904: bool) -> Option<String> {
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

    /// LB-01: a number is read as its sheet shows it.
    #[test]
    fn lb_01_numbers_are_shown_as_their_format_says() {
        for (code, number, shown) in [
            ("[h]:mm", "1.2534722222222223", Some("30:05")),
            ("[hh]:mm:ss", "0.5000115740740741", Some("12:00:01")),
            ("0.0%", "0.125", Some("12.5%")),
            ("0%;-0%", "0.07", Some("7%")),
            ("0.0\"%\"", "12.5", None),
            ("0.0\\%", "12.5", None),
            ("[<1]0%;0.00", "5", None),
            ("#,##0.00 [$€-407]", "139", Some("139 €")),
            ("\"$\"#,##0.00_);(\"$\"#,##0.00)", "48.5", Some("48.5 $")),
            ("[$-407]d. mmmm yyyy", "45352", Some("2024-03-01")),
            ("0.00", "4.5", None),
            ("[Red]0", "4", None),
            ("[Magenta]0", "4", None),
            ("0%", "x", None),
            ("[h]:mm", "-1", None),
            ("0%", "inf", None),
        ] {
            assert_eq!(Shows::of_format(code).shown(number, false).as_deref(), shown, "{code} {number}");
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
            assert_eq!(Shows::of_format(code) == Shows::Date, expected, "{code}");
        }
    }
}
