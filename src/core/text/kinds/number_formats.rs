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
    /// With what it counts before or behind it: `$48.5`, `12 kg`.
    Labelled {
        before: String,
        after: String,
    },
}

/// So long may be what stands beside a number.
const LABEL_CHARS: usize = 24;

impl Shows {
    /// By the code of a number format.
    pub(super) fn of_format(code: &str) -> Self {
        // The form of numbers above zero.
        let tokens = tokens(code.split(';').next().unwrap_or_default());
        let is_unit = |token: &Token| match token {
            Token::Bracket(unit) => {
                let mut letters = unit.chars().map(|c| c.to_ascii_lowercase());
                letters.next().is_some_and(|first| "hms".contains(first) && letters.all(|c| c == first))
            }
            _ => false,
        };
        let is_condition = |token: &Token| matches!(token, Token::Bracket(told) if told.starts_with(['<', '>', '=']));
        let has_sign = |signs: &str| {
            tokens.iter().any(|token| matches!(token, Token::Sign(c) if signs.contains(c.to_ascii_lowercase())))
        };
        let label = || label(&tokens).map(|(before, after)| Self::Labelled { before, after });
        match () {
            () if tokens.iter().any(is_unit) => Self::Elapsed,
            () if has_sign("ymdhs") => Self::Date,
            // Which form a number has depends on the number then.
            () if tokens.iter().any(is_condition) => Self::Number,
            () if has_sign("%") => Self::Percent,
            () => label().unwrap_or_default(),
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
            Self::Labelled { before, after } => {
                let number: f64 = number.trim().parse().ok().filter(|number: &f64| number.is_finite())?;
                Some(format!("{before}{}{after}", rounded(number)))
            }
        }
    }
}

/// What stands before and behind the number, if it says anything.
fn label(tokens: &[Token]) -> Option<(String, String)> {
    let is_number = |token: &Token| matches!(token, Token::Sign('0' | '#' | '?'));
    // A format without figures shows none of them, or the number as it is: `General`.
    let first = tokens.iter().position(is_number)?;
    let last = tokens.iter().rposition(is_number)?;
    let text = |tokens: &[Token]| -> String { tokens.iter().filter_map(Token::text).collect() };
    let (before, after) = (text(tokens.get(..first)?), text(tokens.get(last + 1..)?));
    let says = |text: &str| {
        text.contains(|c: char| c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace()) || c == '$' || c == '%')
    };
    let fits = |text: &str| text.chars().count() <= LABEL_CHARS;
    let is_label = (says(&before) || says(&after)) && fits(&before) && fits(&after);
    is_label.then(|| (before.trim_start().to_owned(), after.trim_end().to_owned()))
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

/// A part of the code of a number format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// It means something: a figure, a part of a date.
    Sign(char),
    /// It is quoted or escaped, and shown as it is.
    Shown(char),
    /// What stands in brackets: a colour, a condition, a sign of money.
    Bracket(String),
}

impl Token {
    /// What is shown of it beside a number.
    fn text(&self) -> Option<String> {
        match self {
            Self::Shown(c) => Some(c.to_string()),
            Self::Sign(c) => (*c == ' ' || is_money(*c)).then(|| c.to_string()),
            // `[$€-407]`, and `[$-407]` which is a language.
            Self::Bracket(named) => Some(named.strip_prefix('$')?.split('-').next()?.to_owned()),
        }
    }
}

fn is_money(c: char) -> bool {
    ['€', '$', '£', '¥'].contains(&c)
}

fn tokens(code: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut quoted, mut open) = (false, None::<String>);
    let mut signs = code.chars();
    while let Some(c) = signs.next() {
        match (c, open.as_mut()) {
            (']', Some(_)) => tokens.extend(open.take().map(Token::Bracket)),
            (_, Some(bracket)) => bracket.push(c),
            ('"', None) => quoted = !quoted,
            (_, None) if quoted => tokens.push(Token::Shown(c)),
            ('\\', None) => tokens.extend(signs.next().map(Token::Shown)),
            // Room as wide as the next sign, or filled with it.
            ('_' | '*', None) => drop(signs.next()),
            ('[', None) => open = Some(String::new()),
            (_, None) => tokens.push(Token::Sign(c)),
        }
    }
    tokens
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
            ("0.0\"%\"", "12.5", Some("12.5%")),
            ("0.0\\%", "12.5", Some("12.5%")),
            ("0.0\" kg\"", "12.5", Some("12.5 kg")),
            ("\"CHF\" #,##0.00", "3.5", Some("CHF 3.5")),
            ("0\\ \\°\\C", "21", Some("21 °C")),
            ("_(* #,##0.00_)", "3.5", None),
            ("\"(\"0\")\"", "3", None),
            ("\"yes\"", "1", None),
            ("General\" days\"", "4", None),
            ("[<1]0%;0.00", "5", None),
            ("#,##0.00 [$€-407]", "139", Some("139 €")),
            ("\"$\"#,##0.00_);(\"$\"#,##0.00)", "48.5", Some("$48.5")),
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
