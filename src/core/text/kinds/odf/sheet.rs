//! A sheet of an open workbook while it is read.

use super::super::Struck;
use super::super::xlsx::SheetRows;
use super::super::xml::Tag;
use crate::core::base::limits;

#[derive(Debug, Default)]
pub(super) struct OpenSheet {
    pub(super) name: String,
    pub(super) rows: SheetRows,
    next_row: u32,
    next_column: u32,
    /// The column of the cell that is open, and how often it is repeated.
    cell: Option<(u32, u32)>,
    pub(super) text: String,
    /// The day that the cell says in its own way.
    day: Option<String>,
    pub(super) is_struck: bool,
}

impl OpenSheet {
    pub(super) fn new(tag: &Tag<'_>, is_hidden: bool) -> Self {
        let name = tag.get("name").unwrap_or_default().into_owned();
        let mut sheet = Self { name, next_row: 1, next_column: 1, ..Self::default() };
        sheet.rows.is_hidden = is_hidden;
        sheet
    }

    pub(super) fn row(&mut self, tag: &Tag<'_>) {
        self.rows.row(self.next_row);
        // Rows that are repeated are empty, or a copy that says nothing new.
        self.next_row = self.next_row.saturating_add(tag.number("number-rows-repeated").unwrap_or(1));
        self.next_column = 1;
    }

    pub(super) fn cell(&mut self, tag: &Tag<'_>, is_struck: bool) {
        let repeated = tag.number("number-columns-repeated").unwrap_or(1);
        self.cell = Some((self.next_column, repeated));
        let spanned = |name: &str| tag.number(name).unwrap_or(1);
        let (rows, columns) = (spanned("number-rows-spanned"), spanned("number-columns-spanned"));
        self.rows.span(self.next_column, rows, columns);
        self.text.clear();
        self.day = tag.get("office:date-value").and_then(|day| day_shown(&day));
        self.is_struck = is_struck;
        self.next_column = self.next_column.saturating_add(repeated);
    }

    /// The column of the cell that is open, or of the next one.
    pub(super) fn column(&self) -> u32 {
        self.cell.map_or(self.next_column, |(column, _)| column)
    }

    pub(super) fn end_cell(&mut self) {
        let Some((column, repeated)) = self.cell.take() else { return };
        // One more than are shown, so that it is told that there are more.
        let most = u32::try_from(limits::SHEET_COLUMNS + 1).unwrap_or(u32::MAX);
        let day = self.day.take().map(|day| if self.is_struck { Struck::whole(&day) } else { day });
        let text = day.as_ref().unwrap_or(&self.text);
        for column in column..column.saturating_add(repeated.min(most)) {
            self.rows.cell(column, text);
        }
    }
}

/// `2024-03-05T10:30:00` as workbooks of the other kind show it: `2024-03-05 10:30`. Nobody knows which number of `03/05/24` is the month.
fn day_shown(value: &str) -> Option<String> {
    let (day, time) = value.split_once('T').unwrap_or((value, ""));
    let is_day = day.len() == 10 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let time = time.strip_suffix(":00").filter(|time| time.contains(':')).unwrap_or(time);
    let has_time = !time.is_empty() && time != "00:00";
    is_day.then(|| if has_time { format!("{day} {time}") } else { day.to_owned() })
}
