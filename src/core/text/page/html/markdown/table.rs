//! Tables: rows are held back until the table ends, for only then it is known how many columns there are.

use super::super::parts::Held;
use super::{Gap, Writer};
use crate::core::base::limits;

impl Writer<'_> {
    pub(super) fn cell(&mut self) {
        self.gap = Gap::None;
        let rows = self.table.get_or_insert_default();
        if rows.is_empty() {
            rows.push(Vec::new());
        }
        if let Some(row) = rows.last_mut()
            && row.len() < limits::EXTRACT_TABLE_COLUMNS
        {
            row.push(Held::default());
        }
    }

    pub(super) fn close_table(&mut self) {
        let mut rows = self.table.take().unwrap_or_default();
        rows.retain(|row| row.iter().any(|cell| !cell.text.is_empty()));
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        self.gap = if self.lists.is_empty() { Gap::Block } else { Gap::Line };
        let many = columns > 1 && rows.len() > 1;
        for (no, row) in rows.iter().enumerate() {
            if many {
                // The head says how many columns there are; shorter rows need no filling up.
                let missing = if no == 0 { columns - row.len() } else { 0 };
                self.row(row.iter(), ["| ", " | ", " |"], missing);
            } else {
                self.row(row.iter().filter(|cell| !cell.text.is_empty()), ["", " ", ""], 0);
            }
            if no == 0 && many {
                self.out.push_str(&format!("\n{}{}|{}", self.quote(), self.indent(), " --- |".repeat(columns)));
            }
            self.gap = Gap::Line;
        }
        self.gap = if self.lists.is_empty() { Gap::Block } else { Gap::Line };
    }

    /// Writes a row that has text, with what stands before, between and behind its cells, and so many empty ones.
    fn row<'c>(&mut self, cells: impl Iterator<Item = &'c Held> + Clone, marks: [&str; 3], missing: usize) {
        let [before, between, behind] = marks;
        let line = cells.clone().find(|cell| !cell.text.is_empty()).map_or(1, |cell| cell.lines.line(0));
        self.separate(line);
        self.out.push_str(before);
        for (no, cell) in cells.enumerate() {
            self.out.push_str(if no == 0 { "" } else { between });
            if !cell.text.is_empty() {
                self.lines.mark_copy(self.out.len(), &cell.lines, 0..cell.text.len());
            }
            self.out.push_str(&cell.text);
        }
        self.out.push_str(&between.repeat(missing));
        self.out.push_str(behind);
    }
}
