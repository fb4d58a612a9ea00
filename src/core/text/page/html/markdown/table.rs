//! Tables: rows are held back until the table ends, for only then it is known how many columns there are.

use super::super::parts::Held;
use super::super::tree::Element;
use super::{Gap, Leaving, Writer};
use crate::core::base::limits;
use crate::core::text::lines::NotePlace;

/// The table that is open.
#[derive(Debug, Default)]
pub(super) struct Table {
    caption: Held,
    in_caption: bool,
    rows: Vec<Row>,
    /// The next row begins a group: the head, a body or the foot.
    begins_group: bool,
    /// Tables that are open inside of the last cell, whose rows are items of what it says.
    inside: usize,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<Cell>,
    begins_group: bool,
}

impl Row {
    fn has_text(&self) -> bool {
        self.cells.iter().any(|cell| !cell.held.text.is_empty())
    }

    fn is_head(&self) -> bool {
        self.has_text() && self.cells.iter().all(|cell| cell.is_head)
    }

    /// Whether it is the first row of a head that goes on in the one below: a cell of it is above several that have names of their own.
    fn is_above(&self, below: &Self) -> bool {
        let spans = self.cells.iter().any(|cell| cell.columns > 1 && !cell.held.text.is_empty());
        spans && self.is_head() && below.is_head()
    }
}

#[derive(Debug)]
struct Cell {
    held: Held,
    /// It names its column or row.
    is_head: bool,
    /// How many it takes.
    columns: usize,
    rows: usize,
}

/// Characters of what a picture says that stands for a word; more describe it.
const PICTURE_CHARS: usize = 12;

impl Writer<'_> {
    /// An element inside the open table.
    pub(super) fn enter_in_table(&mut self, element: &Element) -> Leaving {
        let span = |name: &str| element.attribute(name).and_then(|span| span.trim().parse::<usize>().ok());
        let is_inside = self.table.as_ref().is_some_and(|table| table.inside > 0);
        match element.name.text() {
            "table" => {
                self.gap = self.gap.max(Gap::Space);
                self.table.get_or_insert_default().inside += 1;
                Leaving::TableInCell
            }
            "tr" if is_inside => {
                self.gap = Gap::Item;
                Leaving::Nothing
            }
            "td" | "th" | "thead" | "tbody" | "tfoot" | "caption" if is_inside => {
                self.gap = self.gap.max(Gap::Space);
                Leaving::Nothing
            }
            "td" | "th" => {
                let columns = span("colspan").unwrap_or(1).max(1);
                // None is all that follow in the group.
                let rows = span("rowspan").map_or(1, |rows| if rows == 0 { usize::MAX } else { rows });
                self.cell(columns, rows, element.name.text() == "th");
                Leaving::Nothing
            }
            "tr" => {
                self.interrupt_marks();
                let table = self.table.get_or_insert_default();
                let begins_group = std::mem::take(&mut table.begins_group);
                table.rows.push(Row { cells: Vec::new(), begins_group });
                Leaving::Nothing
            }
            "thead" | "tbody" | "tfoot" => {
                self.table.get_or_insert_default().begins_group = true;
                Leaving::Nothing
            }
            "caption" => {
                self.interrupt_marks();
                self.gap = Gap::Space;
                self.table.get_or_insert_default().in_caption = true;
                Leaving::Caption
            }
            "ul" | "ol" => {
                self.gap = self.gap.max(Gap::Space);
                Leaving::ListInCell
            }
            "li" => Leaving::ItemInCell,
            "img" if self.of_file => {
                self.picture_in_cell(element);
                Leaving::Nothing
            }
            _ => {
                self.gap = self.gap.max(if element.name.is_block() { Gap::Space } else { Gap::None });
                Leaving::Nothing
            }
        }
    }

    /// A tick or a cross is what its cell says.
    fn picture_in_cell(&mut self, element: &Element) {
        let said = ["title", "alt"].iter().filter_map(|name| element.attribute(name)).map(str::trim);
        let mut said = said.filter(|text| !text.is_empty());
        if let Some(text) = said.next().filter(|text| text.chars().count() <= PICTURE_CHARS) {
            text.chars().for_each(|c| self.character_of_text(c, self.line));
        }
    }

    pub(super) fn end_table_in_cell(&mut self) {
        self.gap = Gap::Space;
        self.table.iter_mut().for_each(|table| table.inside = table.inside.saturating_sub(1));
    }

    pub(super) fn end_caption(&mut self) {
        self.interrupt_marks();
        self.gap = Gap::None;
        self.table.iter_mut().for_each(|table| table.in_caption = false);
    }

    fn cell(&mut self, columns: usize, rows: usize, is_head: bool) {
        self.interrupt_marks();
        self.gap = Gap::None;
        let table = self.table.get_or_insert_default();
        if table.rows.is_empty() {
            table.rows.push(Row::default());
        }
        if let Some(row) = table.rows.last_mut()
            && row.cells.len() < limits::EXTRACT_TABLE_COLUMNS
        {
            row.cells.push(Cell { held: Held::default(), is_head, columns, rows });
        }
    }

    /// What is being filled: the caption of the open table, or its last cell.
    pub(super) fn held(&mut self) -> Option<&mut Held> {
        let table = self.table.as_mut()?;
        if table.in_caption {
            return Some(&mut table.caption);
        }
        table.rows.last_mut()?.cells.last_mut().map(|cell| &mut cell.held)
    }

    pub(super) fn character_in_table(&mut self, c: char, line: u32) {
        let gap = std::mem::take(&mut self.gap);
        if self.held().is_none() {
            // A row whose cells were left out: its text stands in a cell of its own.
            self.cell(1, 1, false);
        }
        let Some(held) = self.held() else { return };
        if !held.text.is_empty() && gap != Gap::None {
            let is_item = gap == Gap::Item && !held.text.ends_with([';', ',', '.']);
            held.text.push_str(if is_item { "; " } else { " " });
        }
        if c == '|' {
            held.push('\\', line);
        }
        held.push(c, line);
    }

    pub(super) fn close_table(&mut self) {
        self.interrupt_marks();
        let Table { caption, rows, .. } = self.table.take().unwrap_or_default();
        let apart = if self.lists.is_empty() { Gap::Block } else { Gap::Line };
        self.gap = apart;
        if !caption.text.is_empty() {
            self.row(&[Laid::Own(&caption)], ["", "", ""]);
            self.gap = apart;
        }
        let mut spans = Spans::default();
        let widths = rows.iter().map(|row| (spans.lay(row).len(), row.has_text()));
        let widths: Vec<usize> = widths.filter(|(_, has_text)| *has_text).map(|(width, _)| width).collect();
        let columns = widths.iter().copied().max().unwrap_or_default();
        let many = columns > 1 && widths.len() > 1;
        let mut spans = Spans::default();
        let mut is_head = true;
        let mut rows = rows.iter().peekable();
        while let Some(row) = rows.next() {
            let mut laid = spans.lay(row);
            if is_head
                && widths.len() > 2
                && let Some(below) = rows.next_if(|below| row.is_above(below))
            {
                laid = joined(&laid, &spans.lay(below));
            }
            if !row.has_text() {
                continue;
            }
            if self.out.len() >= self.most {
                self.cut = true;
                break;
            }
            if !many {
                laid.retain(|cell| matches!(cell, Laid::Own(held) if !held.text.is_empty()));
                self.row(&laid, ["", " ", ""]);
            } else if std::mem::take(&mut is_head) {
                // The head says how many columns there are; shorter rows need no filling up.
                laid.resize(columns, Laid::Empty);
                self.row(&laid, ["| ", " | ", " |"]);
                self.out.push_str(&format!("\n{}{}|{}", self.quote(), self.indent(), " --- |".repeat(columns)));
            } else {
                self.row(&laid, ["| ", " | ", " |"]);
            }
            self.gap = Gap::Line;
        }
        self.gap = apart;
    }

    /// Writes a row that has text, with what stands before, between and behind its cells.
    fn row(&mut self, cells: &[Laid<'_>], marks: [&str; 3]) {
        let [before, between, behind] = marks;
        let line = cells.iter().find_map(|cell| match cell {
            Laid::Own(held) if !held.text.is_empty() => Some(held.lines.line(0)),
            Laid::Own(_) | Laid::Above(_) | Laid::Below(..) | Laid::Empty => None,
        });
        self.separate(line.unwrap_or(1));
        self.out.push_str(before);
        for (no, cell) in cells.iter().enumerate() {
            self.out.push_str(if no == 0 { "" } else { between });
            match cell {
                Laid::Own(held) => self.own(held),
                Laid::Above(held) => self.again(held),
                Laid::Below(above, held) => {
                    self.again(above);
                    self.out.push(' ');
                    self.own(held);
                }
                Laid::Empty => {}
            }
        }
        self.out.push_str(behind);
    }

    fn own(&mut self, held: &Held) {
        if !held.text.is_empty() {
            self.lines.mark_copy(self.out.len(), &held.lines, 0..held.text.len());
            let begin = self.out.len();
            let moved = |note: &NotePlace| NotePlace { at: begin + note.at.start..begin + note.at.end, ..note.clone() };
            self.notes.extend(held.notes.iter().map(moved));
        }
        self.out.push_str(&held.text);
    }

    /// What was written already, or will be, as far as there is room for that.
    fn again(&mut self, held: &Held) {
        if held.text.len() <= self.repeatable {
            self.repeatable -= held.text.len();
            self.out.push_str(&held.text);
        }
    }
}

/// What stands in a column of a row.
#[derive(Clone, Copy, Debug)]
enum Laid<'t> {
    Own(&'t Held),
    /// A cell of a row above reaches down to here.
    Above(&'t Held),
    /// One of a head, and the one above it.
    Below(&'t Held, &'t Held),
    /// Taken by the cell to the left, or by none.
    Empty,
}

/// Both rows of a head in one: `2026 Delivered`.
fn joined<'t>(head: &[Laid<'t>], below: &[Laid<'t>]) -> Vec<Laid<'t>> {
    let mut above = None;
    let column = |at: usize| {
        let own = head.get(at).copied().unwrap_or(Laid::Empty);
        above = match own {
            Laid::Own(held) => Some(held).filter(|held| !held.text.is_empty()),
            Laid::Above(_) | Laid::Below(..) | Laid::Empty => above.filter(|_| at < head.len()),
        };
        match (above, below.get(at)) {
            (Some(above), Some(Laid::Own(held))) if !held.text.is_empty() => Laid::Below(above, held),
            (None, Some(Laid::Own(held))) => Laid::Own(held),
            _ => own,
        }
    };
    (0..head.len().max(below.len())).map(column).collect()
}

/// The cells that reach into the rows below them, by column: into how many, and with which text.
#[derive(Debug, Default)]
struct Spans<'t> {
    below: Vec<(usize, Option<&'t Held>)>,
}

impl<'t> Spans<'t> {
    /// The columns of the next row. Cells of its own all have one; others take none beyond the most that are shown.
    fn lay(&mut self, row: &'t Row) -> Vec<Laid<'t>> {
        if row.begins_group {
            self.below.clear();
        }
        let mut laid = Vec::new();
        for cell in &row.cells {
            while let Some(above) = self.reaching(laid.len()) {
                laid.push(above);
            }
            let first = laid.len();
            let end = first.saturating_add(cell.columns).min(limits::EXTRACT_TABLE_COLUMNS).max(first + 1);
            laid.push(Laid::Own(&cell.held));
            laid.resize(end, Laid::Empty);
            self.below.resize(self.below.len().max(end), (0, None));
            let mut text = Some(&cell.held);
            for below in self.below.iter_mut().take(end).skip(first) {
                *below = (cell.rows - 1, text.take());
            }
        }
        let own = laid.len();
        while laid.len() < self.below.len() {
            let above = self.reaching(laid.len()).unwrap_or(Laid::Empty);
            laid.push(above);
        }
        while laid.len() > own && matches!(laid.last(), Some(Laid::Empty)) {
            laid.pop();
        }
        laid
    }

    /// What reaches from above into a column of the row that is being laid.
    fn reaching(&mut self, column: usize) -> Option<Laid<'t>> {
        let (rows, held) = self.below.get_mut(column).filter(|(rows, _)| *rows > 0)?;
        *rows -= 1;
        Some(held.map_or(Laid::Empty, Laid::Above))
    }
}
