//! Charts of texts and slides as tables: a row for each category, a column for each series, with the values that the file keeps of them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{LeftOut, one_line};
use super::build::{Builder, TableRow};
use super::number_formats::Shows;
use super::rows::Room;
use super::xml::{Tag, Token, Tokens};
use crate::core::base::limits;

/// Characters of the format of a number, as spreadsheets allow.
const FORMAT_CHARS: usize = 255;
/// Axes of a chart, and those that one series says it is drawn along; programs write four.
const AXES: usize = 8;
/// Levels of categories: years, quarters, months.
const LEVELS: usize = 8;

/// A chart as it is read.
#[derive(Debug, Default)]
pub(super) struct Chart {
    title: String,
    axes: Vec<Axis>,
    series: Vec<Series>,
    /// Each series has places of its own along the first axis, as in a chart of dots.
    has_own_places: bool,
    room: Room,
    has_more: bool,
}

/// What an axis says it shows.
#[derive(Debug)]
struct Axis {
    title: String,
    shows: Shown,
    id: Option<u32>,
    /// Drawn below or above the chart.
    is_level: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Categories,
    Values,
    /// The series one behind the other.
    Depth,
}

/// The names of categories and the values, by their number.
#[derive(Debug, Default)]
struct Series {
    name: String,
    categories: Values,
    values: Values,
    /// The ids of its axes.
    axes: Vec<u32>,
}

#[derive(Debug, Default)]
struct Values {
    format: String,
    points: BTreeMap<u32, String>,
    /// Names of groups of points, from the inner ones to the outer: each holds from its point up to the next.
    groups: Vec<BTreeMap<u32, String>>,
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
    /// The first series of the part of the chart that is open: bars, or lines over them.
    first_series: usize,
    /// Levels of categories that were opened.
    levels: usize,
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
                Token::Open(tag) => {
                    at.opened(&tag);
                    chart.opened(&tag, &mut at);
                }
                Token::Empty(tag) => chart.opened(&tag, &mut at),
                Token::Close(name) => at.closed(name),
                Token::Text(text) if at.in_text || at.in_format => chart.say(&at, &text),
                Token::Text(_) => {}
            }
            if chart.room.is_used_up() {
                break;
            }
        }
        chart
    }

    fn opened(&mut self, tag: &Tag<'_>, at: &mut At) {
        let shows = match tag.name {
            "ser" => return self.begin_series(),
            "xVal" => {
                self.has_own_places = true;
                return;
            }
            "axId" => return self.along(tag.number("val"), at),
            "axPos" => {
                let is_level = tag.get("val").is_some_and(|side| side == "b" || side == "t");
                self.axis(at).into_iter().for_each(|axis| axis.is_level = is_level);
                return;
            }
            "catAx" | "dateAx" => Shown::Categories,
            "valAx" => Shown::Values,
            "serAx" => Shown::Depth,
            name => {
                if name.ends_with("Chart") {
                    at.first_series = self.series.len();
                }
                return;
            }
        };
        at.axis = Some(self.axes.len());
        let axis = Axis { title: String::new(), shows, id: None, is_level: false };
        self.axes.extend((self.axes.len() < AXES).then_some(axis));
    }

    /// The axis that is open.
    fn axis(&mut self, at: &At) -> Option<&mut Axis> {
        self.axes.get_mut(at.axis?)
    }

    /// The id of the axis that is open, or of one that the series above are drawn along.
    fn along(&mut self, id: Option<u32>, at: &At) {
        if at.axis.is_some() {
            self.axis(at).into_iter().for_each(|axis| axis.id = id);
            return;
        }
        for series in self.series.iter_mut().skip(at.first_series) {
            series.axes.extend(id.filter(|_| series.axes.len() < AXES));
        }
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
            (Of::Title, _) if at.axis.is_some() => {
                self.axis(at).into_iter().for_each(|axis| axis.title.push_str(text));
            }
            (Of::Title, _) => self.title.push_str(text),
            (Of::Name, Some(series)) => series.name.push_str(text),
            (Of::Categories, Some(series)) => series.categories.say(at, text),
            (Of::Values, Some(series)) => series.values.say(at, text),
            (Of::Nothing | Of::Name | Of::Categories | Of::Values, _) => {}
        }
    }

    /// Writes the title and the table; a table for each series where their values stand at other places.
    pub(super) fn write(self, out: &mut Builder) {
        out.left_out.extend(self.room.is_used_up().then_some(LeftOut::Cells));
        out.left_out.extend(self.has_more.then_some(LeftOut::Columns));
        let title = one_line(&self.title);
        if !title.is_empty() {
            out.paragraph(&format!("Chart: {title}"));
        }
        let mut places = self.series.iter().map(|series| &series.categories.points).filter(|points| !points.is_empty());
        let is_shared = places.next().is_none_or(|first| places.all(|other| other == first));
        if self.has_own_places && !is_shared {
            self.series.chunks(1).for_each(|one| self.write_table(one, out));
        } else {
            self.write_table(&self.series, out);
        }
    }

    fn write_table(&self, series: &[Series], out: &mut Builder) {
        let Some(widest) = series.iter().max_by_key(|series| series.categories.points.len()) else { return };
        let names = &widest.categories;
        let head = series.iter().map(|series| self.name(series));
        let head: Vec<String> = std::iter::once(self.axis_title(widest, true)).chain(head).collect();
        let columns: Vec<(&Values, Shows)> =
            [names].into_iter().chain(series.iter().map(|series| &series.values)).map(|v| (v, v.shows())).collect();
        let points: BTreeSet<u32> = columns.iter().flat_map(|(values, _)| values.points.keys().copied()).collect();
        // One at a time: what a format writes around a value may be longer than the value.
        let rows = points.into_iter().map(|point| {
            let cell = |(values, shows): &(&Values, Shows)| {
                let text = values.points.get(&point).map(String::as_str).unwrap_or_default();
                let shown = shows.number(text, false).unwrap_or_else(|| text.to_owned());
                values.grouped(point, shown)
            };
            TableRow { cells: columns.iter().map(cell).collect(), ..TableRow::default() }
        });
        out.table_below(TableRow { cells: head, ..TableRow::default() }, rows);
    }

    /// What a series is called, with what its axis shows.
    fn name(&self, series: &Series) -> String {
        let (own, shown) = (one_line(&series.name), self.axis_title(series, false));
        match (own.is_empty(), shown.is_empty() || shown == own) {
            (true, _) => shown,
            (false, true) => own,
            (false, false) => format!("{own} ({shown})"),
        }
    }

    /// What the axis of a series shows that has its places, or its values.
    fn axis_title(&self, series: &Series, of_places: bool) -> String {
        let has_level = self.axes.iter().any(|axis| axis.is_level);
        let is_of_places = |(at, axis): &(usize, &Axis)| match axis.shows {
            Shown::Categories => true,
            Shown::Values => self.has_own_places && if has_level { axis.is_level } else { *at == 0 },
            Shown::Depth => false,
        };
        let is_wanted = |axis: &(usize, &Axis)| {
            axis.1.shows != Shown::Depth && !axis.1.title.trim().is_empty() && is_of_places(axis) == of_places
        };
        let mut wanted = self.axes.iter().enumerate().filter(is_wanted).map(|(_, axis)| axis);
        let is_own = |axis: &&Axis| axis.id.is_some_and(|id| series.axes.contains(&id));
        let axis = wanted.clone().find(is_own).or_else(|| wanted.next());
        axis.map(|axis| one_line(&axis.title)).unwrap_or_default()
    }
}

impl At {
    fn opened(&mut self, tag: &Tag<'_>) {
        match tag.name {
            "title" => self.of = Of::Title,
            "tx" if self.of == Of::Nothing => self.of = Of::Name,
            "cat" | "xVal" => (self.of, self.levels) = (Of::Categories, 0),
            "val" | "yVal" => (self.of, self.levels) = (Of::Values, 0),
            "lvl" => self.levels = self.levels.saturating_add(1).min(LEVELS),
            "pt" => self.point = tag.number("idx").unwrap_or_default(),
            "t" | "v" => self.in_text = true,
            "formatCode" => self.in_format = true,
            _ => {}
        }
    }

    fn closed(&mut self, name: &str) {
        match name {
            "title" | "cat" | "xVal" | "val" | "yVal" => self.of = Of::Nothing,
            "tx" if self.of == Of::Name => self.of = Of::Nothing,
            "catAx" | "dateAx" | "valAx" | "serAx" => self.axis = None,
            "t" | "v" => self.in_text = false,
            "formatCode" => self.in_format = false,
            _ => {}
        }
    }
}

impl Values {
    fn say(&mut self, at: &At, text: &str) {
        if at.in_format {
            self.format.push_str(text);
            return;
        }
        // Of categories on several levels the innermost comes first, and those around it behind it.
        let level = match at.levels.saturating_sub(2) {
            _ if at.levels < 2 => &mut self.points,
            group => {
                let missing = (group + 1).saturating_sub(self.groups.len());
                self.groups.extend(std::iter::repeat_n(BTreeMap::new(), missing));
                let Some(level) = self.groups.get_mut(group) else { return };
                level
            }
        };
        level.entry(at.point).or_default().push_str(text);
    }

    /// The name of a point with those of the groups that it is in: `Autumn, 2024`.
    fn grouped(&self, point: u32, name: String) -> String {
        let groups = self.groups.iter().filter_map(|group| group.range(..=point).next_back());
        groups.fold(name, |name, (_, group)| format!("{name}, {group}"))
    }

    /// How their format shows them.
    fn shows(&self) -> Shows {
        let is_format = self.format.len() <= FORMAT_CHARS && self.format != "General";
        if is_format { Shows::of_format(&self.format) } else { Shows::of_number(0) }
    }
}
