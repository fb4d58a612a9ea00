//! Numbers with fractions: `# ?/?`, `# ??/??`, `# ?/8`.

use super::code::{Fill, Part};
use super::decimal::Decimal;
use super::figures::{laid, places};

/// Figures of the longest denominator.
const DENOMINATOR_FIGURES: usize = 5;
/// Figures behind the point that a fraction is made of, and the largest whole number beside it.
const DECIMALS: usize = 15;
const WHOLE_FIGURES: usize = 15;
const ONE: u64 = 10_u64.pow(15);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fraction {
    /// The whole number and what stands around it; without places for one, all of it is in the fraction.
    whole: Vec<Part>,
    is_grouped: bool,
    numerator: Vec<Part>,
    denominator: Denominator,
    after: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denominator {
    AtMost(u64),
    Exactly(u64),
}

impl Fraction {
    /// Whether a stroke stands between figures.
    pub(super) fn is_told(parts: &[Part]) -> bool {
        let is_figure = |part: &Part| matches!(part, Part::Place(_) | Part::Digit(_));
        let mut strokes = parts.split(|part| *part == Part::Slash);
        let is_before = strokes.next().is_some_and(|before| before.iter().any(is_figure));
        is_before && strokes.any(|behind| behind.iter().any(is_figure))
    }

    /// `None` where it is not known what the section shows.
    pub(super) fn of(parts: &[Part]) -> Option<Self> {
        let is_figure = |part: &Part| matches!(part, Part::Place(_) | Part::Digit(_));
        let mut sides = parts.split(|part| *part == Part::Slash);
        let (Some(before), Some(behind), None) = (sides.next(), sides.next(), sides.next()) else { return None };
        let start = before.iter().rposition(|part| !matches!(part, Part::Place(_))).map_or(0, |at| at + 1);
        let end = behind.iter().position(|part| !is_figure(part)).unwrap_or(behind.len());
        let (whole, numerator) = before.split_at_checked(start)?;
        let (denominator, after) = behind.split_at_checked(end)?;
        let is_grouped = whole.contains(&Part::Comma);
        let whole: Vec<Part> = whole.iter().copied().filter(|part| *part != Part::Comma).collect();
        let is_shown = |part: &Part| matches!(part, Part::Shown(_));
        let is_sound = !numerator.is_empty()
            && whole.iter().all(|part| is_shown(part) || matches!(part, Part::Place(_)))
            && after.iter().all(is_shown);
        let denominator = Denominator::of(denominator).filter(|_| is_sound)?;
        Some(Self { whole, is_grouped, numerator: numerator.to_vec(), denominator, after: after.to_vec() })
    }

    /// `None` for numbers that are too long.
    pub(super) fn shown(&self, number: &Decimal) -> Option<String> {
        let rounded = number.rounded(DECIMALS);
        let whole = Some(rounded.whole()).filter(|whole| whole.len() <= WHOLE_FIGURES)?;
        let mut whole: u64 = format!("0{whole}").parse().ok()?;
        let (mut part, parts) = self.denominator.nearest(rounded.decimals(DECIMALS).parse().ok()?);
        if part == parts {
            whole += 1;
            part = 0;
        }
        let after = laid(&self.after, "", false);
        let is_negative = number.is_negative && (whole > 0 || part > 0);
        let figures = |number: u64| Some(number.to_string()).filter(|_| number > 0).unwrap_or_default();
        let shown = if places(&self.whole) == 0 {
            let before = laid(&self.whole, "", false);
            let numerator = whole.checked_mul(parts)?.checked_add(part)?.to_string();
            format!("{before}{}/{parts}{after}", laid(&self.numerator, &numerator, false))
        } else if part == 0 {
            // Without a fraction, zero is said.
            format!("{} {after}", laid(&self.whole, &whole.to_string(), self.is_grouped))
        } else {
            let whole = laid(&self.whole, &figures(whole), self.is_grouped);
            format!("{whole}{}/{parts}{after}", laid(&self.numerator, &figures(part), false))
        };
        Some(if is_negative { format!("-{}", shown.trim_start()) } else { shown })
    }
}

impl Denominator {
    fn of(parts: &[Part]) -> Option<Self> {
        let length = u32::try_from(parts.len()).ok().filter(|_| (1..=DENOMINATOR_FIGURES).contains(&parts.len()))?;
        if parts.iter().all(|part| matches!(part, Part::Place(_))) {
            return Some(Self::AtMost(10_u64.pow(length) - 1));
        }
        let figure = |part: &Part| match part {
            Part::Digit(c) => Some(*c),
            Part::Place(Fill::Zero) => Some('0'),
            _ => None,
        };
        let figures: Option<String> = parts.iter().map(figure).collect();
        figures?.parse().ok().map(Self::Exactly)
    }

    /// The fraction that is nearest to so many parts of `ONE`.
    fn nearest(self, number: u64) -> (u64, u64) {
        match self {
            Self::Exactly(parts) => {
                let product = u128::from(number) * u128::from(parts);
                let rounded = (product + u128::from(ONE / 2)) / u128::from(ONE);
                (u64::try_from(rounded).unwrap_or(parts), parts)
            }
            Self::AtMost(most) => nearest(number, most),
        }
    }
}

/// By continued fractions, whose steps are few: each makes the denominator longer.
fn nearest(number: u64, most: u64) -> (u64, u64) {
    let (mut before, mut last) = ((0, 1), (1, 0));
    let (mut n, mut d) = (number, ONE);
    while d > 0 {
        let times = n / d;
        let next = (times.saturating_mul(last.0).saturating_add(before.0), times.saturating_mul(last.1) + before.1);
        if next.1 > most {
            break;
        }
        (before, last) = (last, next);
        (n, d) = (d, n % d);
    }
    if d == 0 || last.1 == 0 {
        return last;
    }
    let times = (most - before.1) / last.1;
    let other = (before.0 + times * last.0, before.1 + times * last.1);
    let distance = |(part, parts): (u64, u64)| {
        let [number, one, part, parts] = [number, ONE, part, parts].map(u128::from);
        (part * one).abs_diff(number * parts)
    };
    let is_nearer = distance(other) * u128::from(last.1) < distance(last) * u128::from(other.1);
    if is_nearer { other } else { last }
}
