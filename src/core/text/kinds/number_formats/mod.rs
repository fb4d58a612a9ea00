//! How the cells of a workbook show what they hold, by the codes of their number formats: a pure function of number and code.
//!
//! A code that is not understood shows the number as it is, never a part of it. Days are told by their year, month and day, as in open
//! sheets, whatever the order and the language of the format.

mod code;
mod decimal;
mod figures;
mod fractions;
#[cfg(test)]
mod tests;
mod times;

use std::borrow::Cow;

use self::code::{Condition, Part, Section};
use self::decimal::Decimal;
use self::figures::{Figures, places};
use self::fractions::Fraction;
use self::times::Moment;

/// How a cell shows its number or its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shows {
    /// The sections for numbers; none where numbers are shown as they are.
    sections: Vec<(Option<Condition>, Form)>,
    /// What stands before and behind a text, or in its place.
    text: Option<TextForm>,
}

/// What one section shows.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// It is not known: the number as it is.
    Unknown,
    Moment(Moment),
    Figures(Figures),
    Fraction(Fraction),
    /// No figures, or the number as it is between them.
    Words(Vec<Part>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TextForm {
    Between(String, String),
    Instead(String),
}

impl Shows {
    /// By the code of a number format.
    pub(super) fn of_format(code: &str) -> Self {
        let Some(mut sections) = code::sections(code).filter(|_| !code.trim().is_empty()) else {
            return Self::default();
        };
        let is_of_text = |section: &mut Section| section.parts.contains(&Part::Text);
        let text = if sections.len() == 4 { sections.pop() } else { sections.pop_if(is_of_text) };
        // Which numbers the other sections are for is not known then.
        let is_unclear = sections.first().is_some_and(|first| first.condition.is_none())
            && sections.iter().any(|s| s.condition.is_some());
        if is_unclear {
            sections.clear();
        }
        let form = |section: Section| (section.condition, Form::of(section.parts).unwrap_or(Form::Unknown));
        Self {
            sections: sections.into_iter().map(form).collect(),
            text: text.and_then(|section| TextForm::of(&section.parts)),
        }
    }

    /// By the number of a format that every workbook has. Which money some of them show depends on the country; it is not shown.
    pub(super) fn of_number(format: u32) -> Self {
        Self::of_format(match format {
            1 => "0",
            2 => "0.00",
            3 => "#,##0",
            4 => "#,##0.00",
            5 | 6 | 37 | 38 | 41 | 42 => "#,##0;(#,##0)",
            7 | 8 | 39 | 40 | 43 | 44 => "#,##0.00;(#,##0.00)",
            9 => "0%",
            10 => "0.00%",
            11 => "0.00E+00",
            12 => "# ?/?",
            13 => "# ??/??",
            14..=17 => "yyyy-mm-dd",
            18 => "h:mm AM/PM",
            19 => "h:mm:ss AM/PM",
            20 => "h:mm",
            21 => "h:mm:ss",
            22 => "yyyy-mm-dd h:mm",
            45 => "mm:ss",
            46 => "[h]:mm:ss",
            47 => "mm:ss.0",
            48 => "##0.0E+0",
            _ => return Self::default(),
        })
    }

    /// A number as a reader of the sheet sees it; `None` for what is no number.
    pub(super) fn number(&self, stored: &str, from_1904: bool) -> Option<String> {
        let number = Decimal::of(stored)?;
        let value = stored.trim().parse().ok()?;
        let shown = self.shown(&number, value, from_1904).unwrap_or_else(|| number.general());
        // Blanks only align.
        Some(shown.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// A text as a reader of the sheet sees it.
    pub(super) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.text {
            None => Cow::Borrowed(text),
            Some(TextForm::Between(before, after)) => Cow::Owned(format!("{before}{text}{after}")),
            Some(TextForm::Instead(shown)) => Cow::Owned(shown.clone()),
        }
    }

    fn shown(&self, number: &Decimal, value: f64, from_1904: bool) -> Option<String> {
        let at = self.section_for(value)?;
        let (_, form) = self.sections.get(at)?;
        if !(number.is_negative && self.is_below_zero(at)) {
            return form.shown(number, value, from_1904);
        }
        let shown = form.shown(&number.abs(), value, from_1904)?;
        let (_, opposite) = self.sections.get(self.section_for(-value)?)?;
        // Only the colour says that it is below zero.
        let is_alike = form.has_figures() && opposite.shown(&number.abs(), -value, from_1904).as_ref() == Some(&shown);
        Some(if is_alike { format!("-{}", shown.trim_start()) } else { shown })
    }

    /// The place of the section for a number.
    fn section_for(&self, value: f64) -> Option<usize> {
        let condition = |at: usize| self.sections.get(at).and_then(|(condition, _)| *condition);
        let count = self.sections.len();
        let is_first = match condition(0) {
            Some(first) => first.holds(value),
            None if count > 2 => value > 0.0,
            None => value >= 0.0 || count == 1,
        };
        let is_second = match condition(1) {
            Some(second) => second.holds(value),
            None => count == 2 || value < 0.0,
        };
        let at = match (is_first, is_second) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        (at < count).then_some(at)
    }

    /// Whether a section is for what is below zero: it says so itself then.
    fn is_below_zero(&self, at: usize) -> bool {
        let condition = |at: usize| self.sections.get(at).and_then(|(condition, _)| *condition);
        match condition(at) {
            Some(own) => own.is_below_zero(),
            None => at == 1 && condition(0).is_none_or(|first| first.is_above_zero()),
        }
    }
}

impl Form {
    /// `None` where it is not known what the section shows.
    fn of(parts: Vec<Part>) -> Option<Self> {
        let is_moment = |part: &Part| matches!(part, Part::Moment { .. } | Part::Elapsed { .. } | Part::HalfDay { .. });
        if parts.iter().any(is_moment) {
            return Moment::of(&parts).map(Self::Moment);
        }
        if Fraction::is_told(&parts) {
            return Fraction::of(&parts).map(Self::Fraction);
        }
        if places(&parts) > 0 {
            return Figures::of(&parts).map(Self::Figures);
        }
        let is_word = |part: &Part| matches!(part, Part::Shown(_) | Part::Value);
        parts.iter().all(is_word).then_some(Self::Words(parts))
    }

    fn has_figures(&self) -> bool {
        matches!(self, Self::Figures(_) | Self::Fraction(_))
    }

    fn shown(&self, number: &Decimal, value: f64, from_1904: bool) -> Option<String> {
        match self {
            Self::Unknown => None,
            Self::Moment(moment) => moment.shown(value, from_1904),
            Self::Figures(figures) => Some(figures.shown(number)),
            Self::Fraction(fraction) => fraction.shown(number),
            Self::Words(parts) => {
                let word = |part: &Part| match part {
                    Part::Shown(c) => c.to_string(),
                    _ => number.general(),
                };
                Some(parts.iter().map(word).collect())
            }
        }
    }
}

impl TextForm {
    /// `None` where the text is shown as it is.
    fn of(parts: &[Part]) -> Option<Self> {
        let mut sides = parts.split(|part| *part == Part::Text).map(|side| {
            let sign = |part: &Part| if let Part::Shown(c) = part { Some(*c) } else { None };
            side.iter().map(sign).collect::<Option<String>>()
        });
        match (sides.next()??, sides.next(), sides.next()) {
            (shown, None, _) => Some(Self::Instead(shown.trim().to_owned())),
            (before, Some(after), None) => {
                let (before, after) = (before.trim_start().to_owned(), after?.trim_end().to_owned());
                let says = !(before.is_empty() && after.is_empty());
                says.then_some(Self::Between(before, after))
            }
            // A text is shown once: many times it would take all the room.
            (_, Some(_), Some(_)) => None,
        }
    }
}
