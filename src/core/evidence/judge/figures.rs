//! Figures of a text: numbers in digits or in words, with their magnitude, their unit and what they count.

use super::tokens::{Token, WordFilter, hash};
use super::units::{Unit, begins_rate, rate, sign_length, unit_after, unit_before};
use crate::core::base::plain::is_digits;

/// A number of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    pub(crate) value: f64,
    pub(crate) unit: Option<Unit>,
    /// What it is counted by: the hours of `40 dollars per hour`.
    pub(crate) per: Option<Unit>,
    /// Its first and last token.
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) form: Form,
}

/// How a figure is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Digits,
    /// `three`, `twenty-five`.
    Words,
    /// `one` and `first`, which are mostly no figures; they count on a page and not in a claim.
    Weak,
    /// `1990s`.
    Decade,
}

impl Figure {
    pub(crate) fn same_value(&self, other: &Self) -> bool {
        same(self.value, other.value)
    }

    /// Whether it can be a year and nothing says that it is something else.
    pub(crate) fn is_year(&self) -> bool {
        self.unit.is_none() && self.value.fract() == 0.0 && (1000.0..2200.0).contains(&self.value)
    }
}

pub(crate) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= a.abs().max(b.abs()) * 1e-9
}

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [(&str, f64); 8] = [
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
];
const ORDINALS: [(&str, f64); 12] = [
    ("first", 1.0),
    ("second", 2.0),
    ("third", 3.0),
    ("fourth", 4.0),
    ("fifth", 5.0),
    ("sixth", 6.0),
    ("seventh", 7.0),
    ("eighth", 8.0),
    ("ninth", 9.0),
    ("tenth", 10.0),
    ("eleventh", 11.0),
    ("twelfth", 12.0),
];
const MAGNITUDES: [(&str, f64); 12] = [
    ("hundred", 1e2),
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("trillion", 1e12),
    ("mn", 1e6),
    ("bn", 1e9),
    ("tn", 1e12),
    ("millions", 1e6),
    ("billions", 1e9),
    ("lakh", 1e5),
    ("crore", 1e7),
];
/// Magnitudes that are written behind the digits of an amount of money.
const SHORT: [(&str, f64); 4] = [("k", 1e3), ("m", 1e6), ("b", 1e9), ("t", 1e12)];

/// A table whose words are hashed.
const fn hashed<const N: usize>(table: [(&str, f64); N]) -> [(u64, f64); N] {
    let mut hashes = [(0, 0.0); N];
    let mut at = 0;
    while at < N {
        hashes[at] = (hash(table[at].0), table[at].1);
        at += 1;
    }
    hashes
}

/// Words that a number in words may begin with.
static NUMBER_WORDS: WordFilter = {
    let (mut words, mut at) = (WordFilter::of(&SMALL).with(&["dozen"]), 0);
    while at < TENS.len() {
        words = words.with(&[TENS[at].0]);
        at += 1;
    }
    at = 0;
    while at < ORDINALS.len() {
        words = words.with(&[ORDINALS[at].0]);
        at += 1;
    }
    at = 0;
    while at < WRITTEN_MAGNITUDES {
        words = words.with(&[MAGNITUDES[at].0]);
        at += 1;
    }
    words
};

static TENS_HASHED: [(u64, f64); TENS.len()] = hashed(TENS);
static ORDINALS_HASHED: [(u64, f64); ORDINALS.len()] = hashed(ORDINALS);
static MAGNITUDES_HASHED: [(u64, f64); MAGNITUDES.len()] = hashed(MAGNITUDES);
static SHORT_HASHED: [(u64, f64); SHORT.len()] = hashed(SHORT);
/// Of the magnitudes, those that stand behind numbers in words.
const WRITTEN_MAGNITUDES: usize = 5;

fn looked_up(table: &[(u64, f64)], word: u64) -> Option<f64> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

fn written_magnitude(word: u64) -> Option<f64> {
    looked_up(MAGNITUDES_HASHED.get(..WRITTEN_MAGNITUDES).unwrap_or_default(), word)
}

/// The figures of a text, in their order.
pub(crate) fn figures(text: &str, tokens: &[Token]) -> Vec<Figure> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let read = if token.digit { digits(text, tokens, at) } else { in_words(text, tokens, at) };
        match read {
            Some(figure) => {
                at = figure.last as usize + 1;
                found.push(figure);
            }
            None => at += 1,
        }
    }
    // What is too large for a number is none: it would equal every other.
    found.retain(|figure| figure.value.is_finite());
    share_units(text, tokens, &mut found);
    found
}

/// The figures of a page with the other readings of those that are written alike in different languages, behind the usual ones.
pub(crate) fn all_readings(text: &str, tokens: &[Token]) -> Vec<Figure> {
    let mut found = figures(text, tokens);
    let others: Vec<Figure> = found.iter().filter_map(|figure| other_reading(text, tokens, figure)).collect();
    found.extend(others);
    found.sort_by_key(|figure| figure.first);
    found
}

/// What a number may be elsewhere: `42.000` is 42,000, `1,234` is 1.234, and `42 195` is one number.
pub(crate) fn other_reading(text: &str, tokens: &[Token], figure: &Figure) -> Option<Figure> {
    let at = figure.first as usize;
    let is_bare = figure.form == Form::Digits && figure.first == figure.last;
    let written = tokens.get(at).filter(|_| is_bare).map(|token| cut(text, token))?;
    let value = match written.split_once(['.', ',']) {
        Some((whole, thousand)) if is_group(thousand) && (1..=3).contains(&whole.len()) => {
            let is_stop = written.contains('.');
            let plain = if is_stop { written.replace('.', "") } else { written.replace(',', ".") };
            plain.parse::<f64>().ok()?
        }
        Some(_) => return None,
        None => {
            let (value, last) = grouped(text, tokens, at, true)?;
            return Some(with_unit(text, tokens, Figure { value, last: index(last), unit: None, ..*figure }));
        }
    };
    Some(Figure { value: value.copysign(figure.value), ..*figure })
}

fn is_group(digits: &str) -> bool {
    digits.len() == 3 && is_digits(digits)
}

/// So many groups may follow the first digits of a number; more are a list of numbers.
const GROUPS: usize = 6;

/// Digits in groups of three with narrow spaces or apostrophes between them, as `42 000` is written in many languages. A plain space joins only
/// zeros, unless `any_space` says otherwise: `Apollo 11 100 times`.
fn grouped(text: &str, tokens: &[Token], at: usize, any_space: bool) -> Option<(f64, usize)> {
    let first = cut(text, tokens.get(at)?);
    if !(1..=3).contains(&first.len()) || !is_digits(first) || first.starts_with('0') {
        return None;
    }
    let mut last = at;
    while let Some(next) = tokens.get(last + 1).filter(|_| last <= at + GROUPS) {
        let end = tokens.get(last).map_or(0, |token| token.end as usize);
        let group = cut(text, next);
        let is_joined = match text.get(end..next.start as usize) {
            Some("\u{a0}" | "\u{2009}" | "\u{202f}" | "'" | "’") => true,
            Some(" ") => any_space || group == "000",
            Some(_) | None => false,
        };
        if !is_joined || !is_group(group) {
            break;
        }
        last += 1;
    }
    let groups = tokens.get(at..=last).filter(|_| (at + 1..=at + GROUPS).contains(&last))?;
    let digits: String = groups.iter().map(|token| cut(text, token)).collect();
    digits.parse().ok().map(|value| (value, last))
}

pub(crate) fn cut<'a>(text: &'a str, token: &Token) -> &'a str {
    text.get(token.start as usize..token.end as usize).unwrap_or_default()
}

/// A figure that begins with a digit.
fn digits(text: &str, tokens: &[Token], at: usize) -> Option<Figure> {
    let token = tokens.get(at)?;
    let written = cut(text, token);
    let before = text.get(..token.start as usize).unwrap_or_default();
    // `covid-19` is a name; `2021-22` and `10-15` are ranges.
    let mut back = before.chars().rev();
    if back.next() == Some('-') && back.next().is_some_and(char::is_alphabetic) {
        return None;
    }
    let length = written.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(written.len());
    let (number, suffix) = written.split_at_checked(length)?;
    let mut value = number_value(number)?;
    let groups = grouped(text, tokens, at, false);
    value = groups.map_or(value, |(whole, _)| whole);
    let suffix = suffix.to_lowercase();
    let money = unit_before(before);
    let (mut form, mut unit, mut last) = (Form::Digits, money, groups.map_or(at, |(_, last)| last));
    match suffix.as_str() {
        "" => {}
        "st" | "nd" | "rd" | "th" => {}
        "s" if value % 10.0 == 0.0 => form = Form::Decade,
        short => {
            let money_short = SHORT.iter().find(|(name, _)| *name == short && (money.is_some() || *name == "k"));
            match money_short.map(|(_, factor)| *factor).or_else(|| looked_up(&MAGNITUDES_HASHED, hash(short))) {
                Some(factor) => value *= factor,
                None => unit = Some(unit_after(&[short.to_owned()], "")?.0),
            }
        }
    }
    while let Some(factor) = tokens.get(last + 1).filter(|next| joined(text, tokens, last, next)).and_then(|next| {
        looked_up(&MAGNITUDES_HASHED, next.word).or_else(|| money.and_then(|_| looked_up(&SHORT_HASHED, next.word)))
    }) {
        value *= factor;
        last += 1;
    }
    if is_below_zero(text, tokens, at) {
        value = -value;
    }
    let figure = Figure { value, unit, per: None, first: index(at), last: index(last), form };
    Some(with_unit(text, tokens, figure))
}

/// Whether a minus stands right before a number, and not between two.
fn is_below_zero(text: &str, tokens: &[Token], at: usize) -> bool {
    let start = tokens.get(at).map_or(0, |token| token.start as usize);
    let before = text.get(..start).unwrap_or_default();
    let Some(before) = before.trim_end_matches(['$', '€', '£']).strip_suffix(['-', '−']) else { return false };
    let follows_number = at
        .checked_sub(1)
        .and_then(|at| tokens.get(at))
        .is_some_and(|token| token.digit && before.get(token.end as usize..).is_some_and(|gap| gap.trim().is_empty()));
    let stands_free = before.chars().next_back().is_none_or(|c| matches!(c, ' ' | '\u{a0}' | '(' | '|' | '\t'));
    stands_free && !follows_number
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Whether nothing but a space or a hyphen stands between a token and the next.
fn joined(text: &str, tokens: &[Token], at: usize, next: &Token) -> bool {
    let end = tokens.get(at).map_or(0, |token| token.end as usize);
    text.get(end..next.start as usize)
        .is_some_and(|gap| gap.len() <= 3 && gap.chars().all(|c| c.is_whitespace() || c == '-' || c == '‑'))
}

/// The value of digits with marks between them; none for an address or a version.
fn number_value(number: &str) -> Option<f64> {
    let number = number.trim_end_matches(['.', ',']);
    let groups = |mark: char| {
        let mut parts = number.split(mark);
        parts.next().is_some_and(|first| (1..=3).contains(&first.len())) && parts.all(|part| part.len() == 3)
    };
    let (dots, commas) = (number.matches('.').count(), number.matches(',').count());
    let plain = match (dots, commas) {
        (0, 0) | (1, 0) => number.to_owned(),
        (2.., 0) if groups('.') => number.replace('.', ""),
        (0, 1) if !groups(',') => number.replace(',', "."),
        (0 | 1, _) => number.replace(',', ""),
        (2.., _) => return None,
    };
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A figure in words. `one` alone is weak: it mostly means something else.
fn in_words(text: &str, tokens: &[Token], at: usize) -> Option<Figure> {
    let token = tokens.get(at).filter(|token| NUMBER_WORDS.may_have(token.word))?;
    let small = |word: u64| {
        SMALL.iter().position(|name| hash(name) == word).and_then(|value| u8::try_from(value).ok()).map(f64::from)
    };
    let mut last = at;
    let mut form = Form::Words;
    let mut value = if let Some(tens) = looked_up(&TENS_HASHED, token.word) {
        let one = tokens.get(at + 1).filter(|next| joined(text, tokens, at, next)).and_then(|next| small(next.word));
        last += usize::from(one.is_some_and(|one| one < 10.0));
        tens + one.filter(|one| *one < 10.0).unwrap_or_default()
    } else if let Some(small) = small(token.word) {
        small
    } else if let Some(ordinal) = looked_up(&ORDINALS_HASHED, token.word) {
        form = if ordinal < 3.0 { Form::Weak } else { Form::Words };
        ordinal
    } else if token.word == hash("dozen") {
        12.0
    } else {
        // `a hundred`, `million-year-old`.
        written_magnitude(token.word)?
    };
    let started_with_one = token.word == hash("one");
    let mut scaled = false;
    while let Some(factor) = tokens
        .get(last + 1)
        .filter(|next| joined(text, tokens, last, next))
        .and_then(|next| written_magnitude(next.word))
    {
        value *= factor;
        last += 1;
        scaled = true;
    }
    if started_with_one && !scaled {
        form = Form::Weak;
    }
    let figure = Figure { value, unit: None, per: None, first: index(at), last: index(last), form };
    Some(with_unit(text, tokens, figure))
}

/// How far behind a figure it is said what it is counted by.
const RATE_REACH: usize = 3;

fn rate_behind(text: &str, tokens: &[Token], last: usize) -> Option<Unit> {
    let mut pairs = tokens.get(last + 1..)?.windows(2).take(RATE_REACH);
    pairs.find_map(|pair| match pair {
        [word, next] if begins_rate(word.word) => rate(word.word, &cut(text, next).to_lowercase()),
        _ => None,
    })
}

/// Words before a figure that make years of it.
const AGES: [u64; 3] = [hash("aged"), hash("age"), hash("ages")];

/// The figure with the unit that follows it.
fn with_unit(text: &str, tokens: &[Token], mut figure: Figure) -> Figure {
    let end = tokens.get(figure.last as usize).map_or(0, |token| token.end as usize);
    let after = text.get(end..).unwrap_or_default();
    let words: Vec<String> =
        tokens.iter().skip(figure.last as usize + 1).take(2).map(|token| cut(text, token).to_lowercase()).collect();
    figure.per = rate_behind(text, tokens, figure.last as usize);
    let gap =
        tokens.get(figure.last as usize + 1).and_then(|next| text.get(end..next.start as usize)).unwrap_or_default();
    let apart = gap.chars().any(|c| !(c.is_whitespace() || matches!(c, '-' | '‑' | '°' | 'º')));
    let found = unit_after(if apart { &[] } else { &words }, after);
    if let Some((unit, _)) = found
        && figure.unit.is_none()
    {
        figure.unit = Some(unit);
    }
    let before =
        |steps: usize| (figure.first as usize).checked_sub(steps).and_then(|at| tokens.get(at)).map(|token| token.word);
    if figure.unit.is_none() && (1..3).filter_map(before).any(|word| AGES.contains(&word)) {
        figure.unit = unit_after(&["years".to_owned()], "").map(|(unit, _)| unit);
    }
    figure
}

/// A figure as it is written, with its unit.
pub(crate) fn written<'a>(text: &'a str, tokens: &[Token], figure: &Figure) -> &'a str {
    let place = |at: u32| tokens.get(at as usize);
    let (Some(first), Some(last)) = (place(figure.first), place(figure.last)) else { return "" };
    let (mut start, mut end) = (first.start as usize, last.end as usize);
    let after = text.get(end..).unwrap_or_default();
    let words: Vec<String> =
        tokens.iter().skip(figure.last as usize + 1).take(2).map(|token| cut(text, token).to_lowercase()).collect();
    let before = text.get(..start).unwrap_or_default();
    match unit_after(&words, after) {
        Some((unit, count)) if Some(unit) == figure.unit => {
            let behind = tokens.get(figure.last as usize + count).map(|token| token.end as usize);
            end = sign_length(after).map(|length| end + length).or(behind).unwrap_or(end);
        }
        _ if figure.unit.is_some() && unit_before(before) == figure.unit => {
            let code =
                before.trim_end().trim_end_matches(|c: char| c.is_ascii_uppercase() || !c.is_ascii() || c == '$');
            start = code.len();
        }
        _ => {}
    }
    text.get(start..end).unwrap_or_default().trim()
}

/// In `10 to 15 km` and `10–15%` the first figure has the unit of the second, in `aged 10–15` the second that of the first.
fn share_units(text: &str, tokens: &[Token], figures: &mut [Figure]) {
    for at in 1..figures.len() {
        let (Some(first), Some(second)) = (figures.get(at - 1).copied(), figures.get(at).copied()) else { continue };
        let close = second.first == first.last + 1 && first.unit.is_some() && second.unit.is_none();
        let end = tokens.get(first.last as usize).map_or(0, |token| token.end as usize);
        let ranged = text.get(end..).is_some_and(|rest| rest.starts_with(['-', '–']));
        if let Some(figure) = figures.get_mut(at).filter(|_| close && ranged) {
            figure.unit = first.unit;
        }
    }
    for at in (1..figures.len()).rev() {
        let (Some(first), Some(second)) = (figures.get(at - 1).copied(), figures.get(at).copied()) else { continue };
        if first.unit.is_some() || second.unit.is_none() {
            continue;
        }
        let end = tokens.get(first.last as usize).map_or(0, |token| token.end as usize);
        let start = tokens.get(second.first as usize).map_or(0, |token| token.start as usize);
        let gap = text.get(end..start).unwrap_or_default().trim();
        let range = matches!(gap, "-" | "–" | "—" | "to" | "and" | "or") && !first.is_year();
        if let Some(figure) = figures.get_mut(at - 1).filter(|_| range) {
            figure.unit = second.unit;
        }
    }
}
