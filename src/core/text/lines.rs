//! From a place in a document's text to the line of its file.

use std::ops::Range;

use crate::core::text::spans::Lines;

/// Marks in ascending order: from this offset of the text on, the file's line is this one.
#[derive(Debug, Default)]
pub(super) struct LineMap {
    marks: Vec<(usize, u32)>,
}

impl LineMap {
    /// For a text that is the file itself.
    pub(super) fn of(text: &str) -> Self {
        let mut map = Self { marks: vec![(0, 1)] };
        let mut line = 1_u32;
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'\n' {
                line = line.saturating_add(1);
                map.marks.push((at + 1, line));
            }
        }
        map
    }

    /// What is appended to the text at `offset` stands in `line` of the file.
    pub(super) fn mark(&mut self, offset: usize, line: u32) {
        match self.marks.last() {
            Some((_, last)) if *last >= line => {}
            // White space may have been taken back from the text since; marks stay in order.
            Some((before, _)) => self.marks.push((offset.max(*before), line)),
            None => self.marks.push((offset, line)),
        }
    }

    /// The line of a byte.
    pub(super) fn line(&self, offset: usize) -> u32 {
        let after = self.marks.partition_point(|(at, _)| *at <= offset);
        after.checked_sub(1).and_then(|index| self.marks.get(index)).map_or(1, |(_, line)| *line)
    }

    pub(super) fn lines(&self, span: &Range<usize>) -> Lines {
        let first = self.line(span.start);
        Lines { first, last: self.line(span.end.saturating_sub(1)).max(first) }
    }
}
