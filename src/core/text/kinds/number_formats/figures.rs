//! Numbers in the places of a format: `#,##0.00`, `(000) 000-0000`, `0.0,,"M"`, `0.0%`, `0.00E+00`.

use super::code::{Fill, Part};
use super::decimal::Decimal;

/// A format that divides by a thousand more often is a mistake.
const MOST_THOUSANDS: i32 = 4;

/// A number with what stands beside it and between its figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Figures {
    /// Places and what is shown between them.
    whole: Vec<Part>,
    decimals: Option<Vec<Part>>,
    exponent: Option<Exponent>,
    /// Commas stand between thousands.
    is_grouped: bool,
    /// The power of ten that percent signs and commas multiply by.
    power: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Exponent {
    has_plus: bool,
    places: Vec<Part>,
}

impl Figures {
    /// `None` where it is not known what the section shows.
    pub(super) fn of(parts: &[Part]) -> Option<Self> {
        let is_exponent = |part: &Part| matches!(part, Part::Exponent { .. });
        let (mantissa, exponent) = split(parts, is_exponent);
        let (whole, decimals) = split(mantissa, |part| *part == Part::Point);
        let has_plus = parts.contains(&Part::Exponent { has_plus: true });
        let mut scale = Scale::default();
        let figures = Self {
            whole: scale.places(whole, true)?,
            decimals: decimals.map_or(Some(None), |parts| scale.places(parts, false).map(Some))?,
            exponent: match exponent {
                Some(parts) => Some(Exponent { has_plus, places: scale.places(parts, false)? }),
                None => None,
            },
            is_grouped: scale.is_grouped,
            power: 2 * scale.percents - 3 * scale.thousands,
        };
        let has_exponent_places = figures.exponent.as_ref().is_none_or(|exponent| places(&exponent.places) > 0);
        let is_sound = has_exponent_places && scale.percents <= 1 && scale.thousands <= MOST_THOUSANDS;
        is_sound.then_some(figures)
    }

    pub(super) fn shown(&self, number: &Decimal) -> String {
        let decimals = self.decimals.as_deref().unwrap_or_default();
        let length = places(decimals);
        let number = number.shifted(self.power);
        let power = self.exponent.as_ref().map_or(0, |_| power(&number, places(&self.whole), length));
        let number = number.shifted(-power).rounded(length);
        let mut shown = laid(&self.whole, &number.whole(), self.is_grouped);
        shown.push_str(&laid_decimals(decimals, &number.decimals(length)));
        if let Some(Exponent { has_plus, places }) = &self.exponent {
            let sign = if power < 0 { "-" } else { Some("+").filter(|_| *has_plus).unwrap_or_default() };
            let figures = power.unsigned_abs().to_string();
            shown.push_str(&format!("E{sign}{}", laid(places, figures.trim_start_matches('0'), false)));
        }
        if number.is_negative { format!("-{}", shown.trim_start()) } else { shown }
    }
}

/// What percent signs and commas do to a number.
#[derive(Default)]
struct Scale {
    percents: i32,
    thousands: i32,
    is_grouped: bool,
}

impl Scale {
    /// Places and what is shown between them, without the commas.
    fn places(&mut self, parts: &[Part], is_whole: bool) -> Option<Vec<Part>> {
        let mut placed = Vec::new();
        let mut rest = parts;
        let mut before = None;
        while let [part, behind @ ..] = rest {
            match part {
                Part::Shown(_) | Part::Place(_) => placed.push(*part),
                Part::Slash => placed.push(Part::Shown('/')),
                Part::Percent => {
                    self.percents += 1;
                    placed.push(Part::Shown('%'));
                }
                // Between figures it groups them, behind the last it divides by a thousand.
                Part::Comma => match before {
                    Some(Part::Place(_) | Part::Comma) if is_whole && places(behind) > 0 => self.is_grouped = true,
                    Some(Part::Place(_) | Part::Comma) => self.thousands += 1,
                    _ => return None,
                },
                Part::Digit(_) | Part::Point | Part::Exponent { .. } | Part::Value | Part::Text => return None,
                Part::Moment { .. } | Part::Elapsed { .. } | Part::HalfDay { .. } => return None,
            }
            before = Some(*part);
            rest = behind;
        }
        Some(placed)
    }
}

/// What stands before and behind the first such part.
fn split(parts: &[Part], is_it: impl Fn(&Part) -> bool) -> (&[Part], Option<&[Part]>) {
    let mut pieces = parts.splitn(2, is_it);
    (pieces.next().unwrap_or_default(), pieces.next())
}

/// How many figures have a place.
pub(super) fn places(parts: &[Part]) -> usize {
    parts.iter().filter(|part| matches!(part, Part::Place(_))).count()
}

/// Whole figures in their places, from the right; those that have none stand with the first.
pub(super) fn laid(parts: &[Part], figures: &str, is_grouped: bool) -> String {
    let surplus = figures.len().saturating_sub(places(parts));
    let mut left = places(parts) + surplus;
    let mut of_place = 1 + surplus;
    let mut figures = figures.chars();
    let mut shown = String::new();
    for part in parts {
        if let Part::Shown(c) = part {
            shown.push(*c);
        }
        let Part::Place(fill) = part else { continue };
        for _ in 0..std::mem::replace(&mut of_place, 1) {
            let is_due = figures.as_str().len() == left;
            let figure = if is_due { figures.next() } else { fill.shown() };
            left -= 1;
            shown.extend(figure);
            let is_thousand = left > 0 && left.is_multiple_of(3);
            let is_figure = figure.is_some_and(|c| c.is_ascii_digit());
            shown.extend((is_grouped && is_thousand && is_figure).then_some(','));
        }
    }
    shown.push_str(figures.as_str());
    shown
}

/// The point and the figures behind it, from the left, without zeros that need not be there.
fn laid_decimals(parts: &[Part], figures: &str) -> String {
    let needed = parts.iter().filter(|part| matches!(part, Part::Place(_)));
    let needed = needed.zip(1..).filter(|(part, _)| **part == Part::Place(Fill::Zero)).map(|(_, place)| place).last();
    let length = needed.unwrap_or(0).max(figures.trim_end_matches('0').len());
    let mut figures = figures.chars().take(length);
    let mut shown = if length > 0 { ".".to_owned() } else { String::new() };
    shown.extend(parts.iter().filter_map(|part| match part {
        Part::Place(fill) => figures.next().or_else(|| fill.shown()),
        Part::Shown(c) => Some(*c),
        _ => None,
    }));
    shown
}

impl Fill {
    fn shown(self) -> Option<char> {
        match self {
            Self::Zero => Some('0'),
            Self::Blank => Some(' '),
            Self::Nothing => None,
        }
    }
}

/// The exponent of a number that is shown with so many places before and behind the point: with several before it, a multiple of their count.
fn power(number: &Decimal, whole: usize, decimals: usize) -> i32 {
    let step = i32::try_from(whole).unwrap_or(i32::MAX).max(1);
    let of = |exponent: i32| exponent.div_euclid(step) * step + i32::from(whole == 0);
    let power = of(number.exponent());
    // `9.999` is `1.00E+01`.
    let is_longer = number.shifted(-power).rounded(decimals).whole().len() > whole;
    if is_longer { of(number.exponent() + 1) } else { power }
}
