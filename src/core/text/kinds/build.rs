//! Text that is made of what is no text itself: written as Markdown, with its outline and its places.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::lines::Places;
use super::super::outline::{Block, CutAt, Item};
use super::super::passages::TABLE_HEAD_BYTES;
use super::super::quoting::fence_around;
use super::super::spans::{PlaceInFile, Unit};
use super::super::table_groups::in_groups;
use super::super::{Contents, LeftOut, markdown, one_line};
use super::row_line::{line, line_of};
use crate::core::base::limits;

/// Words of a table that stand together below one header: such a part is a passage, and each passage has its header.
const TABLE_WORDS: usize = limits::PASSAGE_TARGET_WORDS;

/// Rows above the head of a sheet that may be titles; more of them are a list.
pub(super) const TITLE_ROWS: usize = 3;

/// A document that is being written.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) title: Option<String>,
    text: String,
    items: Vec<Item>,
    /// Whether the first heading is the title of all others, once there is one.
    has_title: Option<bool>,
    parts: Vec<(usize, PlaceInFile)>,
    /// Where the list begins whose items are being written.
    list: Option<usize>,
    /// Lines of code whose end has not come yet.
    code: Vec<String>,
    pub(super) left_out: BTreeSet<LeftOut>,
}

/// A row of a table, and where it stands if that is known.
#[derive(Clone, Debug, Default)]
pub(super) struct TableRow {
    pub(super) cells: Vec<String>,
    pub(super) place: Option<PlaceInFile>,
    /// The columns of cells that reach over several.
    pub(super) wide: Vec<Range<usize>>,
}

/// What the columns of a table are called, and the place of the last row that says so.
#[derive(Clone, Debug, Default)]
pub(super) struct TableHead {
    pub(super) cells: Vec<String>,
    pub(super) last: Option<PlaceInFile>,
}

impl Builder {
    pub(super) fn titled(title: Option<String>) -> Self {
        Self { title, ..Self::default() }
    }

    /// Whether there is no room for more; readers stop then.
    pub(super) fn is_full(&mut self) -> bool {
        let full = self.text.len() >= limits::EXTRACT_BYTES || self.parts.len() >= limits::EXTRACT_PLACES;
        self.left_out.extend(full.then_some(LeftOut::End));
        full
    }

    /// Whether there is room for a sheet, a slide or a chapter behind so many.
    pub(super) fn takes_part(&mut self, parts_before: usize) -> bool {
        let counted = parts_before < limits::OFFICE_PARTS;
        self.left_out.extend((!counted).then_some(LeftOut::Parts));
        counted && !self.is_full()
    }

    /// What is written from here on stands there.
    pub(super) fn place(&mut self, place: PlaceInFile) {
        self.end_list();
        self.mark(place);
    }

    pub(super) fn mark(&mut self, place: PlaceInFile) {
        self.end_code();
        if self.parts.last().is_none_or(|(_, last)| *last != place) {
            self.parts.push((self.text.len(), place));
        }
    }

    /// No passage reaches over this point.
    pub(super) fn section(&mut self) {
        self.end_list();
        let at = self.text.len();
        self.items.push(Item::Heading { level: 1, text: String::new(), span: at..at });
    }

    /// A heading of a level from 1, or of the level 0: the title of the document, which stands above all headings behind it where none was before.
    pub(super) fn heading(&mut self, level: u8, text: &str) {
        let text = one_line(text);
        if text.is_empty() || self.is_full() {
            return;
        }
        let has_title = *self.has_title.get_or_insert(level == 0);
        let level = level.saturating_add(u8::from(has_title));
        self.end_list();
        self.gap();
        let start = self.text.len();
        let level = level.clamp(1, 6);
        self.text.extend(std::iter::repeat_n('#', usize::from(level)));
        self.text.push(' ');
        self.text.push_str(&text);
        self.items.push(Item::Heading { level, text, span: start..self.text.len() });
    }

    pub(super) fn paragraph(&mut self, text: &str) {
        self.block(text, CutAt::Prose);
    }

    /// A paragraph, or a table as Markdown has it, that goes on in other places of the file, from these bytes of its text on.
    pub(super) fn paragraph_over(&mut self, text: &str, shape: CutAt, places: Vec<(usize, PlaceInFile)>) {
        let before = self.items.len();
        self.block(text, shape);
        let Some(Item::Block(block)) = self.items.get(before..).and_then(|new| new.last()) else { return };
        let span = block.span.clone();
        let places = places.into_iter().map(|(at, place)| (span.start + at, place));
        self.parts.extend(places.filter(|(at, _)| *at < span.end));
    }

    /// A line of code in a file that has no other marks of it; neighbours are one block, which stands where its first line does.
    pub(super) fn code_line(&mut self, line: String, place: PlaceInFile) {
        if self.code.is_empty() {
            self.mark(place);
        }
        self.code.push(line);
    }

    /// Lines as they are, between fences.
    pub(super) fn code(&mut self, language: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let fence = fence_around(text);
        self.block(&format!("{fence}{language}\n{}\n{fence}", text.trim_matches('\n')), CutAt::Lines);
    }

    /// Lines of code, each with its place.
    pub(super) fn code_over(&mut self, lines: Vec<(String, PlaceInFile)>) {
        let is_blank = |(line, _): &&(String, PlaceInFile)| line.trim().is_empty();
        let first = lines.iter().take_while(is_blank).count();
        let end = lines.len() - lines.iter().rev().take_while(is_blank).count();
        let lines = lines.get(first..end).unwrap_or_default();
        let Some((_, place)) = lines.first() else { return };
        self.place(place.clone());
        let before = self.items.len();
        let code = lines.iter().map(|(line, _)| line.trim_end()).collect::<Vec<_>>().join("\n");
        self.code("", &code);
        let Some(Item::Block(block)) = self.items.get(before..).and_then(|new| new.last()) else { return };
        let span = block.span.clone();
        let mut at = span.start + fence_around(&code).len() + 1;
        for (line, place) in lines {
            self.parts.extend((at < span.end).then(|| (at, place.clone())));
            at += line.trim_end().len() + 1;
        }
    }

    /// An item of a list; neighbours are one list.
    pub(super) fn item(&mut self, depth: usize, text: &str) {
        self.marked_item(depth, "-", text);
    }

    /// An item of a list with the mark that it has.
    pub(super) fn marked_item(&mut self, depth: usize, mark: &str, text: &str) {
        let text = text.trim();
        if text.is_empty() || self.is_full() {
            return;
        }
        self.end_code();
        match self.list {
            Some(_) => self.text.push('\n'),
            None => self.gap(),
        }
        let start = self.text.len();
        self.list.get_or_insert(start);
        self.text.extend(std::iter::repeat_n("  ", depth.min(limits::EXTRACT_INDENT)));
        self.text.push_str(mark);
        self.text.push(' ');
        let text = self.fitting(text).split_whitespace().collect::<Vec<_>>().join(" ");
        self.text.push_str(&text);
    }

    /// A table whose first row is its header. Long tables are cut into parts which all have the header.
    pub(super) fn table(&mut self, rows: impl IntoIterator<Item = TableRow>) -> Option<TableHead> {
        let mut rows = rows.into_iter().filter(|row| filled_cells(row) > 0);
        let mut first: Vec<TableRow> = rows.by_ref().take(1 + LOOKED_AT).collect();
        // What looks like the rows below it is one of them, and the columns have no names.
        if is_row_of_data(&first) {
            let columns = first.iter().map(|row| row.cells.len()).max().unwrap_or_default();
            let place = first.first().and_then(|row| row.place.clone());
            first.insert(0, TableRow { cells: vec![String::new(); columns], place, ..TableRow::default() });
        }
        let mut rows = first.into_iter().chain(rows).peekable();
        let mut header = rows.next()?;
        let mut last = header.place.clone();
        for _ in 1..HEAD_ROWS {
            let is_head = |row: &TableRow| is_below_wide(&header, row) || is_second_head(&header.cells, &row.cells);
            let Some(second) = rows.next_if(is_head) else { break };
            header = TableRow { cells: joined_heads(&header, &second), wide: second.wide, ..header };
            last = second.place;
        }
        let head = TableHead { cells: header.cells.clone(), last };
        let columns = head.cells.len();
        let reaches_over = |row: &TableRow| row.wide.iter().any(|wide| wide.start == 0 && wide.end >= columns);
        self.table_below(header, in_groups(rows, columns, reaches_over, |row| &mut row.cells));
        Some(head)
    }

    /// A table with a header that is known.
    pub(super) fn table_below(&mut self, header: TableRow, rows: impl IntoIterator<Item = TableRow>) {
        let mut rows = rows.into_iter().peekable();
        let head = line(&header.cells);
        let rule = header.cells.iter().map(|_| "---").collect::<Vec<_>>().join(" | ");
        let head_words = row_words(&header);
        // A header that is most of a part is not repeated: the rest follows below it.
        let repeated = head_words * 2 <= TABLE_WORDS;
        // One that is longer than a part stands above no other: its cells are repeated beside those of each row, as far as there is room.
        if (head_words > TABLE_WORDS || head.len() > TABLE_HEAD_BYTES) && rows.peek().is_some() {
            self.records(&header, &mut rows);
            if rows.peek().is_none() {
                return;
            }
        }
        let mut first = true;
        while (first || rows.peek().is_some()) && !self.is_full() {
            self.end_list();
            self.gap();
            // The place of a header that is repeated is that of the rows below it.
            let place = if first { header.place.as_ref() } else { rows.peek().and_then(|row| row.place.as_ref()) };
            place.into_iter().for_each(|place| self.mark(place.clone()));
            let start = self.text.len();
            let above = format!("{head}\n| {rule} |");
            self.text.push_str(self.fitting(&above));
            let mut words = head_words;
            let mut taken = 0_usize;
            while !self.is_full()
                && let Some(row) = rows.next_if(|row| taken == 0 || !repeated || words + row_words(row) <= TABLE_WORDS)
            {
                self.text.push('\n');
                row.place.iter().for_each(|place| self.mark(place.clone()));
                self.row(&row);
                words += row_words(&row);
                taken += 1;
            }
            self.items.push(Item::Block(Block { span: start..self.text.len(), shape: CutAt::Lines, cuts: Vec::new() }));
            first = false;
        }
    }

    /// A row on one line. Where its cells go on over lines of the file, each part of them stands in its own.
    fn row(&mut self, row: &TableRow) {
        let (line, breaks) = line_of(&row.cells);
        let start = self.text.len();
        self.text.push_str(self.fitting(&line));
        let Some(place) = row.place.as_ref().filter(|place| place.unit == Unit::Line && place.first < place.last)
        else {
            return;
        };
        let lines = (place.first..=place.last).collect::<Vec<_>>();
        // Only where all are known is it known which line a part stands in.
        if breaks.len() + 1 == lines.len() {
            let starts = std::iter::once(0).chain(breaks).map(|at| start + at);
            let places = starts.zip(lines).map(|(at, line)| (at, PlaceInFile::lines(line, line)));
            self.parts.extend(places.filter(|(at, _)| *at < self.text.len()));
        }
    }

    /// Rows of a table whose header is long, such as the questions of a survey: each is a section below its first cell, each cell an item behind
    /// its name.
    fn records(&mut self, header: &TableRow, rows: &mut impl Iterator<Item = TableRow>) {
        let head_bytes: usize = header.cells.iter().map(String::len).sum();
        let mut room = limits::EXTRACT_RECORD_BYTES;
        while let Some(left) = room.checked_sub(head_bytes.max(1))
            && !self.is_full()
            && let Some(row) = rows.next()
        {
            room = left;
            row.place.into_iter().for_each(|place| self.place(place));
            let first = row.cells.iter().find(|cell| !cell.trim().is_empty());
            first.into_iter().for_each(|cell| self.heading(6, cell));
            for (column, cell) in row.cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty()) {
                let name = header.cells.get(column).map(|name| name.trim()).unwrap_or_default();
                let mark = if name.is_empty() || name.ends_with([':', '?']) { "" } else { ":" };
                self.item(0, &format!("{name}{mark} {cell}"));
            }
            self.end_list();
        }
    }

    /// The table of a whole sheet. What stands alone in the rows above its head is no head: it is said of all rows, as a heading is.
    pub(super) fn sheet(&mut self, level: u8, rows: impl IntoIterator<Item = TableRow>) -> Option<TableHead> {
        let stands_alone = |row: &TableRow| filled_cells(row) == 1;
        let mut rows = rows.into_iter().filter(|row| filled_cells(row) > 0).peekable();
        let mut above = Vec::new();
        while above.len() < TITLE_ROWS
            && let Some(row) = rows.next_if(stands_alone)
        {
            above.push(row);
        }
        // A list is not all title.
        if rows.peek().is_some_and(|head| !stands_alone(head)) {
            for row in above.drain(..) {
                row.place.into_iter().for_each(|place| self.place(place));
                self.heading(level, &row.cells.concat());
            }
        }
        self.table(above.into_iter().chain(rows))
    }

    /// Markdown that another reader wrote, with its headings so many levels deeper.
    pub(super) fn markdown(&mut self, text: &str, below: u8) {
        if text.trim().is_empty() || self.is_full() {
            return;
        }
        self.end_list();
        self.gap();
        let at = self.text.len();
        let shifted = |span: std::ops::Range<usize>| span.start + at..span.end + at;
        let text = self.fitting(text);
        let (_, items) = markdown::outline(text);
        self.text.push_str(text);
        self.items.extend(items.into_iter().map(|item| match item {
            Item::Heading { level, text, span } => {
                Item::Heading { level: level.saturating_add(below), text, span: shifted(span) }
            }
            Item::Block(Block { span, shape, cuts }) => {
                Item::Block(Block { span: shifted(span), shape, cuts: cuts.into_iter().map(|cut| cut + at).collect() })
            }
        }));
    }

    pub(super) fn finish(mut self) -> Contents {
        self.end_list();
        // A text that was cut to fit fills the document to its last byte.
        self.is_full();
        let Self { title, text, items, parts, left_out, has_title: _, list: _, code: _ } = self;
        Contents { title, text, items, places: Places::of_parts(parts), left_out }
    }

    fn block(&mut self, text: &str, shape: CutAt) {
        let text = text.trim_end();
        if text.trim().is_empty() || self.is_full() {
            return;
        }
        self.end_list();
        self.gap();
        let start = self.text.len();
        self.text.push_str(self.fitting(text));
        self.items.push(Item::Block(Block { span: start..self.text.len(), shape, cuts: Vec::new() }));
    }

    /// The beginning of a text that there is room for, be it a single paragraph of many megabytes; what follows finds the document full.
    fn fitting<'t>(&self, text: &'t str) -> &'t str {
        let room = limits::EXTRACT_BYTES.saturating_sub(self.text.len());
        text.get(..text.floor_char_boundary(room)).unwrap_or_default()
    }

    fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        // What was marked at the end of the text before begins behind the gap.
        let end = self.text.len();
        let moved = self.parts.iter_mut().rev().take_while(|(at, _)| *at + 2 == end);
        moved.for_each(|(at, _)| *at = end);
    }

    fn end_code(&mut self) {
        let lines = std::mem::take(&mut self.code);
        if !lines.is_empty() {
            self.code("", &lines.join("\n"));
        }
    }

    fn end_list(&mut self) {
        self.end_code();
        if let Some(start) = self.list.take() {
            self.items.push(Item::Block(Block { span: start..self.text.len(), shape: CutAt::Lines, cuts: Vec::new() }));
        }
    }
}

fn words(cell: &str) -> usize {
    // The bar beside it counts as a word when passages are cut.
    1 + cell.split_whitespace().map(|word| 1 + word.len() / limits::WORD_BYTES).sum::<usize>()
}

fn filled_cells(row: &TableRow) -> usize {
    row.cells.iter().filter(|cell| !cell.trim().is_empty()).count()
}

fn row_words(row: &TableRow) -> usize {
    row.cells.iter().map(|cell| words(cell)).sum()
}

/// Rows that are looked at to tell whether a table has a head.
const LOOKED_AT: usize = 20;
/// So many rows at least, so that they look alike by more than chance.
const ALIKE: usize = 3;

/// Whether the first of these rows is one of data as those below it: in a column where all have figures of one form (`4120 crowns`, `2026-11-02`) it has
/// one of that form, too. A number alone may be the name of a column.
fn is_row_of_data(rows: &[TableRow]) -> bool {
    let Some((first, others)) = rows.split_first().filter(|(_, others)| others.len() >= ALIKE) else { return false };
    let is_alike = |(column, cell): (usize, &String)| {
        let own = form(cell);
        let mut below = others.iter().filter_map(|row| row.cells.get(column)).filter(|cell| !cell.trim().is_empty());
        own.contains('9')
            && own.len() > 1
            && below.clone().nth(ALIKE - 1).is_some()
            && below.all(|cell| form(cell) == own)
    };
    first.cells.iter().enumerate().any(is_alike)
}

/// How a cell is written: its words and signs, with one digit for each number. Some have decimals or thousands, and some have none.
fn form(cell: &str) -> String {
    let mut form = String::new();
    for c in cell.trim().chars() {
        let is_of_number = c.is_ascii_digit() || (['.', ','].contains(&c) && form.ends_with('9'));
        if !is_of_number {
            form.extend(c.to_lowercase());
        } else if !form.ends_with('9') {
            form.push('9');
        }
    }
    form
}

/// Rows of a head: groups, names and units.
const HEAD_ROWS: usize = 3;

/// Whether a row names the columns of the head's cells that reach over several, and nothing else: what stands in the other columns is what the head
/// says there already.
fn is_below_wide(head: &TableRow, row: &TableRow) -> bool {
    let cell = |cells: &[String], at: usize| cells.get(at).map(|cell| cell.trim().to_owned()).unwrap_or_default();
    let below = |columns: &Range<usize>| columns.clone().filter(|at| !cell(&row.cells, *at).is_empty()).count();
    let is_below = |at: usize| head.wide.iter().any(|columns| columns.contains(&at));
    let says_nothing_else = |at: usize| {
        let said = cell(&row.cells, at);
        is_below(at) || said.is_empty() || says_last(&cell(&head.cells, at), &said)
    };
    // A title over the whole table has rows of data below it.
    let is_title = head.wide.iter().any(|columns| columns.len() >= head.cells.len().max(row.cells.len()));
    !head.wide.is_empty()
        && !is_title
        && head.wide.iter().all(|columns| below(columns) > 1 || row.wide.contains(columns))
        && head.wide.iter().any(|columns| below(columns) > 1)
        && (0..row.cells.len()).all(says_nothing_else)
}

/// Whether a name ends with these words.
fn says_last(name: &str, words: &str) -> bool {
    name.strip_suffix(words).is_some_and(|before| before.is_empty() || before.ends_with(' '))
}

/// Whether a row goes on with the head above it: cells of that reach over several columns, which this one names. What has a number is no name.
fn is_second_head(head: &[String], row: &[String]) -> bool {
    let cell = |cells: &[String], at: usize| cells.get(at).map(|cell| cell.trim().to_owned()).unwrap_or_default();
    let is_name = |text: &str| text.chars().any(char::is_alphabetic) && !text.starts_with(|c: char| c.is_ascii_digit());
    let columns = head.len().max(row.len());
    let first = cell(row, 0);
    let spans = |at: usize| at > 0 && cell(head, at).is_empty();
    (first.is_empty() || first == cell(head, 0))
        && (1..columns).any(|at| spans(at) && !cell(row, at).is_empty())
        && (0..columns).all(|at| !spans(at) || !cell(row, at).is_empty())
        && row.iter().map(|text| text.trim()).all(|text| text.is_empty() || is_name(text))
}

/// Both rows of a head in one: `Autumn 2026 Delivered`. Where no cell is said to reach over several, one reaches up to the next.
fn joined_heads(head: &TableRow, second: &TableRow) -> Vec<String> {
    let mut above = "";
    let columns = head.cells.len().max(second.cells.len());
    let text = |row: &TableRow, at: usize| row.cells.get(at).map(|cell| cell.trim().to_owned()).unwrap_or_default();
    let joined = (0..columns).map(|at| {
        let own = head.cells.get(at).map(|cell| cell.trim()).unwrap_or_default();
        let is_inside = |columns: &Range<usize>| columns.start < at && columns.contains(&at);
        let reaches = head.wide.is_empty() || head.wide.iter().any(is_inside);
        above = if own.is_empty() && reaches { above } else { own };
        // A cell of the second row that reaches over this column is said here as well, for the row below it.
        let from = second.wide.iter().find(|columns| columns.contains(&at)).map_or(at, |columns| columns.start);
        let below = text(second, from);
        if below.is_empty() || says_last(above, &below) {
            above.to_owned()
        } else {
            format!("{above} {below}").trim().to_owned()
        }
    });
    joined.collect()
}
