//! Numbers by their decimal figures: what a sheet rounds is the number that it shows, not the one next to it that a machine counts in twos.

/// Figures of a number that mean something; what stands behind them comes of counting in twos.
const FIGURES: i32 = 15;
/// Whole numbers so long are kept: they were not counted but named, as the number of a card.
const WHOLE_FIGURES: usize = 20;
/// No number is written longer, nor has a larger exponent.
const NUMBER_CHARS: usize = 400;
const EXPONENT: u32 = 400;
/// A number with more zeros behind its point is shown with an exponent.
const ZEROS: i32 = 9;

/// `0.figures`, times ten to the power of `point`. Zero has no figures and is not below zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) is_negative: bool,
    /// Without zeros at either end.
    figures: String,
    point: i32,
}

impl Decimal {
    /// A number as a workbook stores it: `12.5`, `1.2E-05`.
    pub(super) fn of(text: &str) -> Option<Self> {
        let number = text.trim();
        number.parse().ok().filter(|number: &f64| number.is_finite() && text.len() <= NUMBER_CHARS)?;
        let unsigned = number.trim_start_matches(['-', '+']);
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let exponent = exponent.parse().ok().filter(|exponent: &i32| exponent.unsigned_abs() <= EXPONENT)?;
        let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let point = exponent + i32::try_from(whole.len()).ok()?;
        let is_negative = number.starts_with('-');
        let number = Self { is_negative, figures: format!("{whole}{decimals}"), point }.trimmed();
        let is_whole = i32::try_from(number.figures.len()).is_ok_and(|figures| figures <= number.point);
        let is_named = is_whole && number.figures.len() <= WHOLE_FIGURES;
        Some(if is_named { number } else { number.cut(FIGURES) })
    }

    pub(super) fn is_zero(&self) -> bool {
        self.figures.is_empty()
    }

    pub(super) fn abs(&self) -> Self {
        Self { is_negative: false, ..self.clone() }
    }

    /// The power of ten of its first figure.
    pub(super) fn exponent(&self) -> i32 {
        if self.is_zero() { 0 } else { self.point - 1 }
    }

    /// Times ten to a power.
    pub(super) fn shifted(&self, power: i32) -> Self {
        Self { point: self.point.saturating_add(power), ..self.clone() }.trimmed()
    }

    /// To so many figures behind the point, a half away from zero.
    pub(super) fn rounded(&self, decimals: usize) -> Self {
        self.cut(self.point.saturating_add(i32::try_from(decimals).unwrap_or(i32::MAX)))
    }

    /// The figures before the point; none where it is below one.
    pub(super) fn whole(&self) -> String {
        let length = usize::try_from(self.point).unwrap_or_default();
        let figures = self.figures.get(..length).unwrap_or(&self.figures);
        format!("{figures:0<length$}")
    }

    /// So many figures behind the point.
    pub(super) fn decimals(&self, length: usize) -> String {
        let zeros = usize::try_from(-self.point).unwrap_or_default().min(length);
        let start = usize::try_from(self.point).unwrap_or_default();
        let figures = self.figures.get(start..).unwrap_or_default();
        let all = format!("{:0<zeros$}{figures:0<length$}", "");
        all.get(..length).map(str::to_owned).unwrap_or_default()
    }

    /// As a cell without a format shows it.
    pub(super) fn general(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        let length = i32::try_from(self.figures.len()).unwrap_or(i32::MAX);
        let is_long = usize::try_from(self.point).is_ok_and(|point| point > WHOLE_FIGURES);
        if is_long || self.point < -ZEROS {
            let (first, rest) = self.figures.split_at_checked(1).unwrap_or_default();
            let point = if rest.is_empty() { "" } else { "." };
            return format!("{sign}{first}{point}{rest}E{:+03}", self.exponent());
        }
        let decimals = self.decimals(usize::try_from(length - self.point).unwrap_or_default());
        let point = if decimals.is_empty() { "" } else { "." };
        format!("{sign}{:0>1}{point}{decimals}", self.whole())
    }

    /// To so many figures.
    fn cut(&self, keep: i32) -> Self {
        let Ok(keep) = usize::try_from(keep) else { return Self::default() };
        let Some((kept, rest)) = self.figures.split_at_checked(keep) else { return self.clone() };
        if !rest.starts_with(|c| c >= '5') {
            return Self { figures: kept.to_owned(), ..self.clone() }.trimmed();
        }
        // Nines become zeros, which are not written.
        let mut figures = kept.trim_end_matches('9').to_owned();
        match figures.pop().and_then(|last| char::from_digit(last.to_digit(10)? + 1, 10)) {
            Some(next) => figures.push(next),
            None => return Self { figures: "1".to_owned(), point: self.point.saturating_add(1), ..self.clone() },
        }
        Self { figures, ..self.clone() }
    }

    fn trimmed(self) -> Self {
        let figures = self.figures.trim_start_matches('0');
        let zeros = i32::try_from(self.figures.len() - figures.len()).unwrap_or(i32::MAX);
        let figures = figures.trim_end_matches('0').to_owned();
        if figures.is_empty() {
            return Self::default();
        }
        Self { point: self.point.saturating_sub(zeros), figures, ..self }
    }
}
