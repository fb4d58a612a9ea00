//! How the cells of a workbook show their numbers: as days and times, shares, money, in thousands or with figures to a fixed length.

use super::serials::{self, Clock};

/// So long may be what stands beside a number.
const LABEL_CHARS: usize = 24;
/// So many figures may a format fill up with zeros.
const MASK_SIGNS: usize = 32;
/// A format that divides by more than a thousand so many times is a mistake.
const MOST_THOUSANDS: usize = 4;
/// Figures behind the point that are kept.
const DECIMALS: usize = 6;

/// How a cell shows its number, by whether it is above zero, below it or zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shows {
    above: Form,
    below: Option<Form>,
    zero: Option<Form>,
}

/// The form that one section of a number format gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Form {
    /// As it is.
    #[default]
    Number,
    Date(Clock),
    /// A length of time, which may be longer than a day.
    Elapsed(Clock),
    Figures(Figures),
}

/// A number with what stands beside it: `$48.5`, `12 kg`, `12.5%`, `2.5M`, `INV-0017`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Figures {
    before: String,
    after: String,
    is_percent: bool,
    /// How many times it is divided by a thousand.
    thousands: usize,
    /// Places of figures, and the signs that stand between them, where all places are filled.
    mask: Vec<MaskSign>,
    /// The section writes a sign of its own for what is below zero.
    has_minus: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MaskSign {
    Figure,
    Between(char),
}

impl Shows {
    /// By the code of a number format.
    pub(super) fn of_format(code: &str) -> Self {
        let tokens = tokens(code);
        let mut sections = tokens.split(|token| *token == Token::Sign(';'));
        let above = sections.next().map(Form::of).unwrap_or_default();
        let is_condition = |token: &Token| matches!(token, Token::Bracket(told) if told.starts_with(['<', '>', '=']));
        // Which form a number has depends on the number then.
        if tokens.iter().any(is_condition) && matches!(above, Form::Figures(_)) {
            return Self::default();
        }
        Self { above, below: sections.next().map(Form::of), zero: sections.next().map(Form::of) }
    }

    /// By the number of a format that every workbook has.
    pub(super) fn of_number(format: u32) -> Self {
        let above = match format {
            9 | 10 => Form::Figures(Figures::percent()),
            14..=22 => Form::Date(Clock::Hours),
            45 => Form::Date(Clock::Minutes { has_parts: false }),
            46 => Form::Elapsed(Clock::Hours),
            47 => Form::Date(Clock::Minutes { has_parts: true }),
            _ => Form::Number,
        };
        Self { above, ..Self::default() }
    }

    /// A number as a reader of the sheet sees it; `None` where it is to be shown as it is.
    pub(super) fn shown(&self, number: &str, from_1904: bool) -> Option<String> {
        let value: f64 = number.trim().parse().ok().filter(|number: &f64| number.is_finite())?;
        let own = if value < 0.0 { self.below.as_ref() } else { self.zero.as_ref().filter(|_| value == 0.0) };
        match own.unwrap_or(&self.above) {
            Form::Number => None,
            Form::Date(clock) => serials::date(value, *clock, from_1904),
            Form::Elapsed(clock) => serials::elapsed(value, *clock),
            Form::Figures(figures) => {
                let is_told = own.is_some() && (figures.has_minus || !self.is_labelled_as(figures));
                let sign = if value < 0.0 && (!is_told || figures.has_minus) { "-" } else { "" };
                Some(format!("{sign}{}", figures.shown(value.abs())))
            }
        }
    }

    /// Whether numbers above zero have the same beside them: what is below zero differs by its colour then.
    fn is_labelled_as(&self, figures: &Figures) -> bool {
        match &self.above {
            Form::Figures(above) => above.before == figures.before && above.after == figures.after,
            Form::Number | Form::Date(_) | Form::Elapsed(_) => figures.before.is_empty() && figures.after.is_empty(),
        }
    }
}

impl Form {
    fn of(section: &[Token]) -> Self {
        let unit = section.iter().find_map(|token| match token {
            Token::Bracket(unit) => {
                let mut letters = unit.chars().map(|c| c.to_ascii_lowercase());
                letters.next().filter(|first| "hms".contains(*first) && letters.all(|c| c == *first))
            }
            Token::Sign(_) | Token::Shown(_) => None,
        });
        let has = |signs: &str| {
            section.iter().any(|token| matches!(token, Token::Sign(c) if signs.contains(c.to_ascii_lowercase())))
        };
        let has_parts = section.windows(2).any(|pair| pair == [Token::Sign('.'), Token::Sign('0')]);
        match unit {
            Some('h') => Self::Elapsed(Clock::Hours),
            Some('s') => Self::Elapsed(Clock::Seconds { has_parts }),
            Some(_) => Self::Elapsed(Clock::Minutes { has_parts }),
            None if has("s") && has("m") && !has("ydh") => Self::Date(Clock::Minutes { has_parts }),
            None if has("s") && has_parts => Self::Date(Clock::Seconds { has_parts }),
            None if has("ymdhs") => Self::Date(Clock::Hours),
            None => Figures::of(section).map(Self::Figures).unwrap_or_default(),
        }
    }
}

impl Figures {
    fn percent() -> Self {
        Self { after: "%".to_owned(), is_percent: true, ..Self::default() }
    }

    /// `None` where they are the number as it is.
    fn of(section: &[Token]) -> Option<Self> {
        let is_percent = section.contains(&Token::Sign('%'));
        let has_minus = section.iter().any(|token| matches!(token, Token::Sign('-' | '(')));
        let plain = || is_percent.then(|| Self { has_minus, ..Self::percent() });
        let is_figure = |token: &Token| matches!(token, Token::Sign('0' | '#' | '?'));
        // A format without figures shows none of them, or the number as it is: `General`.
        let Some(first) = section.iter().position(is_figure) else { return plain() };
        let last = section.iter().rposition(is_figure)?;
        let thousands = thousands(section.get(first..)?);
        if thousands > MOST_THOUSANDS {
            return None;
        }
        let mask = mask(section.get(first..=last)?);
        let label = label(section.get(..first)?, section.get(last + 1..)?);
        if label.is_none() && mask.is_empty() && thousands == 0 {
            return plain();
        }
        let (before, after) = label.unwrap_or_default();
        Some(Self { before, after, is_percent, thousands, mask, has_minus })
    }

    /// A number that is not below zero.
    fn shown(&self, number: f64) -> String {
        let number = if self.is_percent { number * 100.0 } else { number };
        let number = (0..self.thousands).fold(number, |number, _| number / 1_000.0);
        let figures = rounded(number, DECIMALS + 3 * self.thousands);
        let figures = if figures.contains('.') { figures } else { self.masked(&figures) };
        format!("{}{figures}{}", self.before, self.after)
    }

    /// Whole figures in their places, filled up with zeros; what has no place stands before the first.
    fn masked(&self, figures: &str) -> String {
        let places = self.mask.iter().filter(|sign| **sign == MaskSign::Figure).count();
        if places == 0 {
            return figures.to_owned();
        }
        let padded = format!("{figures:0>places$}");
        let (mut shown, rest) =
            padded.split_at_checked(padded.len() - places).map_or_else(Default::default, |(a, b)| (a.to_owned(), b));
        let mut rest = rest.chars();
        shown.extend(self.mask.iter().filter_map(|sign| match sign {
            MaskSign::Figure => rest.next(),
            MaskSign::Between(c) => Some(*c),
        }));
        shown
    }
}

/// How often the figures are divided by a thousand: once by each comma that no figure follows.
fn thousands(figures: &[Token]) -> usize {
    let (mut scaling, mut commas) = (0, 0);
    for token in figures {
        match token {
            Token::Sign(',') => commas += 1,
            // Commas between figures group them.
            Token::Sign('0' | '#' | '?') => commas = 0,
            Token::Sign(_) | Token::Shown(_) | Token::Bracket(_) => scaling += std::mem::take(&mut commas),
        }
    }
    scaling + commas
}

/// The places of whole figures that are all filled: two or more `0` and nothing but signs between them.
fn mask(figures: &[Token]) -> Vec<MaskSign> {
    let sign = |token: &Token| match token {
        Token::Sign('0') => Some(MaskSign::Figure),
        Token::Sign(c @ ('-' | ' ' | '(' | ')')) | Token::Shown(c) => Some(MaskSign::Between(*c)),
        Token::Sign(_) | Token::Bracket(_) => None,
    };
    if figures.len() > MASK_SIGNS {
        return Vec::new();
    }
    let mask: Vec<MaskSign> = figures.iter().map_while(sign).collect();
    let is_whole = mask.len() == figures.len() && mask.len() > 1;
    if is_whole { mask } else { Vec::new() }
}

/// What stands before and behind the number, if it says anything.
fn label(before: &[Token], after: &[Token]) -> Option<(String, String)> {
    let text = |tokens: &[Token]| -> String { tokens.iter().filter_map(Token::text).collect() };
    let (before, after) = (text(before), text(after));
    let says = |text: &str| {
        text.contains(|c: char| c.is_alphanumeric() || !(c.is_ascii() || c.is_whitespace()) || c == '$' || c == '%')
    };
    let fits = |text: &str| text.chars().count() <= LABEL_CHARS;
    let is_label = (says(&before) || says(&after)) && fits(&before) && fits(&after);
    is_label.then(|| (before.trim_start().to_owned(), after.trim_end().to_owned()))
}

/// A number without the digits that counting in twos adds: `12.5` for `12.500000000000002`.
fn rounded(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
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
            Self::Sign(c) => (*c == ' ' || *c == '%' || is_money(*c)).then(|| c.to_string()),
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

#[cfg(test)]
mod tests {
    use super::*;

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
            ("0.0%\" of GDP\"", "0.125", Some("12.5% of GDP")),
        ] {
            assert_eq!(Shows::of_format(code).shown(number, false).as_deref(), shown, "{code} {number}");
        }
    }

    /// LB-01: a number has the form of its section, in thousands, with zeros before it, or as a time.
    #[test]
    fn lb_01_sections_thousands_zeros_and_times_are_shown() {
        for (code, number, shown) in [
            // Each comma behind the figures divides by a thousand; those between them do not.
            ("0.0,,\"M USD\"", "2500000", Some("2.5M USD")),
            ("#,##0,\"k EUR\"", "1234567", Some("1234.567k EUR")),
            ("#,##0,", "1234567", Some("1234.567")),
            ("0,.0\" k\"", "1500", Some("1.5 k")),
            ("0,,,\" G\"", "1234", Some("0.000001234 G")),
            ("#,##0\" EUR\"", "1234567", Some("1234567 EUR")),
            ("0,,,,,\"x\"", "5", None),
            // A section of its own for what is below zero, and for zero.
            ("#,##0\" owed\";#,##0\" credit\"", "-300", Some("300 credit")),
            ("#,##0\" owed\";#,##0\" credit\"", "300", Some("300 owed")),
            ("\"+\"0\" up\";0\" down\";0\" flat\"", "-4", Some("4 down")),
            ("\"+\"0\" up\";0\" down\";0\" flat\"", "0", Some("0 flat")),
            ("\"+\"0\" up\";0\" down\";0\" flat\"", "4", Some("+4 up")),
            ("\"$\"#,##0.00_);(\"$\"#,##0.00)", "-48.5", Some("-$48.5")),
            ("\"$\"0;-\"$\"0", "-4", Some("-$4")),
            ("0\" kg\";\"-\"0\" kg\"", "-4", Some("-4 kg")),
            ("0\" a;b\"", "4", Some("4 a;b")),
            // Only the colour says that it is below zero.
            ("0\" kg\";[Red]0\" kg\"", "-4", Some("-4 kg")),
            ("0%;[Red]0%", "-0.07", Some("-7%")),
            ("0;[Red]0", "-4", None),
            ("0\" kg\"", "-4", Some("-4 kg")),
            ("0\" kg\";;", "-4", None),
            ("0\" kg\";-0\" kg\";\"none\"", "0", None),
            ("[<1]0\" low\";0\" high\"", "-4", None),
            ("0\" low\";[>9]0\" high\";0", "4", None),
            // Places that are filled with zeros.
            ("\"INV-\"0000", "17", Some("INV-0017")),
            ("00000", "4109", Some("04109")),
            ("00000", "412345", Some("412345")),
            ("00000", "-17", Some("-00017")),
            ("000-00-0000", "12345678", Some("012-34-5678")),
            ("00000", "4.5", Some("4.5")),
            ("0", "4", None),
            ("#,#00", "4", None),
            ("00.0", "4", None),
            ("0.00E+00", "4", None),
            // Times.
            ("mm:ss", "0.002372685185185185", Some("03:25")),
            ("mm:ss", "0.04309027777777778", Some("01:02:03")),
            ("mm:ss.0", "0.0023761574074074076", Some("03:25.3")),
            ("mm:ss", "0.0020833333333333333", Some("03:00")),
            ("hh:mm:ss", "0.04309027777777778", Some("01:02:03")),
            ("yyyy-mm-dd hh:mm:ss", "45418.52425925926", Some("2024-05-06 12:34:56")),
            ("[m]:ss", "0.1423611111111111", Some("205:00")),
            ("[s]", "0.1423611111111111", Some("3:25:00")),
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
            assert_eq!(matches!(Shows::of_format(code).above, Form::Date(_)), expected, "{code}");
        }
    }
}
