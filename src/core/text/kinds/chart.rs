//! Charts of texts and slides as tables: a row for each category, a column for each series, with the values that the file keeps of them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{LeftOut, one_line};
use super::build::{Builder, TableRow};
use super::number_formats::Shows;
use super::rows::Room;
use super::xml::{Token, Tokens};
use crate::core::base::limits;

/// Characters of the format of a number, as spreadsheets allow.
const FORMAT_CHARS: usize = 255;

/// A chart as it is read.
#[derive(Debug, Default)]
pub(super) struct Chart {
    title: String,
    /// What the axis of categories and that of values say they show.
    axes: [String; 2],
    series: Vec<Series>,
    room: Room,
    has_more: bool,
}

/// The names of categories and the values, by their number.
#[derive(Debug, Default)]
struct Series {
    name: String,
    categories: Values,
    values: Values,
}

#[derive(Debug, Default)]
struct Values {
    format: String,
    points: BTreeMap<u32, String>,
}

/// What the text that is being read belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Of {
    #[default]
    Nothing,
    Title,
    Name,
    Categories,
    Values,
}

/// Where the reader is.
#[derive(Debug, Default)]
struct At {
    of: Of,
    /// The axis that is open.
    axis: Option<usize>,
    in_text: bool,
    in_format: bool,
    point: u32,
}

impl Chart {
    pub(super) fn of(text: &str) -> Self {
        let mut chart = Self::default();
        let mut at = At::default();
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next() {
            match token {
                // What a point is called beside its value, and how it was before.
                Token::Open(tag) if matches!(tag.name, "dLbls" | "Fallback" | "trendline" | "errBars") => {
                    tokens.skip_element(tag.name);
                }
                Token::Open(tag) => match tag.name {
                    "ser" => chart.begin_series(),
                    "title" => at.of = Of::Title,
                    "tx" if at.of == Of::Nothing => at.of = Of::Name,
                    "cat" | "xVal" => at.of = Of::Categories,
                    "val" | "yVal" => at.of = Of::Values,
                    "catAx" | "dateAx" => at.axis = Some(0),
                    "valAx" => at.axis = Some(1),
                    "pt" => at.point = tag.number("idx").unwrap_or_default(),
                    "t" | "v" => at.in_text = true,
                    "formatCode" => at.in_format = true,
                    _ => {}
                },
                Token::Close("title" | "cat" | "xVal" | "val" | "yVal") => at.of = Of::Nothing,
                Token::Close("tx") if at.of == Of::Name => at.of = Of::Nothing,
                Token::Close("catAx" | "dateAx" | "valAx") => at.axis = None,
                Token::Close("t" | "v") => at.in_text = false,
                Token::Close("formatCode") => at.in_format = false,
                Token::Text(text) if at.in_text || at.in_format => chart.say(&at, &text),
                Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
            }
            if chart.room.is_used_up() {
                break;
            }
        }
        chart
    }

    fn begin_series(&mut self) {
        // One column is that of the categories.
        if self.series.len() + 1 < limits::EXTRACT_TABLE_COLUMNS {
            self.series.push(Series::default());
        } else {
            self.has_more = true;
        }
    }

    fn say(&mut self, at: &At, text: &str) {
        if self.has_more || !self.room.takes_cell(text) {
            return;
        }
        let series = self.series.last_mut();
        match (at.of, series) {
            (Of::Title, _) => match at.axis {
                None => self.title.push_str(text),
                Some(axis) => self.axes.iter_mut().skip(axis).take(1).for_each(|axis| axis.push_str(text)),
            },
            (Of::Name, Some(series)) => series.name.push_str(text),
            (Of::Categories, Some(series)) => series.categories.say(at, text),
            (Of::Values, Some(series)) => series.values.say(at, text),
            (Of::Nothing | Of::Name | Of::Categories | Of::Values, _) => {}
        }
    }

    /// Writes the title and the table.
    pub(super) fn write(self, out: &mut Builder) {
        let Self { title, axes, series, room, has_more } = self;
        out.left_out.extend(room.is_used_up().then_some(LeftOut::Cells));
        out.left_out.extend(has_more.then_some(LeftOut::Columns));
        let [of_categories, of_values] = axes.map(|axis| one_line(&axis));
        let title = one_line(&title);
        if !title.is_empty() {
            out.paragraph(&format!("Chart: {title}"));
        }
        let Some(names) = series.iter().map(|series| &series.categories).max_by_key(|names| names.points.len()) else {
            return;
        };
        let name = |series: &Series| {
            let own = one_line(&series.name);
            if own.is_empty() { of_values.clone() } else { own }
        };
        let head: Vec<String> = std::iter::once(of_categories).chain(series.iter().map(name)).collect();
        let columns: Vec<(&Values, Shows)> =
            [names].into_iter().chain(series.iter().map(|series| &series.values)).map(|v| (v, v.shows())).collect();
        let points: BTreeSet<u32> = columns.iter().flat_map(|(values, _)| values.points.keys().copied()).collect();
        // One at a time: what a format writes around a value may be longer than the value.
        let rows = points.into_iter().map(|point| {
            let cell = |(values, shows): &(&Values, Shows)| {
                let text = values.points.get(&point).map(String::as_str).unwrap_or_default();
                shows.number(text, false).unwrap_or_else(|| text.to_owned())
            };
            TableRow { cells: columns.iter().map(cell).collect(), ..TableRow::default() }
        });
        out.table_below(TableRow { cells: head, ..TableRow::default() }, rows);
    }
}

impl Values {
    fn say(&mut self, at: &At, text: &str) {
        match at.in_format {
            true => self.format.push_str(text),
            // Of categories on several levels the innermost comes first, and those around it behind it.
            false => {
                let point = self.points.entry(at.point).or_default();
                if !point.is_empty() {
                    point.push_str(", ");
                }
                point.push_str(text);
            }
        }
    }

    /// How their format shows them.
    fn shows(&self) -> Shows {
        let is_format = self.format.len() <= FORMAT_CHARS && self.format != "General";
        if is_format { Shows::of_format(&self.format) } else { Shows::of_number(0) }
    }
}
