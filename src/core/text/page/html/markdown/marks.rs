//! What is marked in the middle of a sentence of a file: code, raised and lowered text, and text that was struck out.

use super::super::notes::Referred;
use super::super::tree::Kind;
use super::{Gap, Leaving, Writer};
use crate::core::text::lines::NotePlace;
use crate::core::text::raised::{SCRIPT_BYTES, Script, is_bracketed};
use crate::core::text::spans::PlaceInFile;

/// More than this is not a name or a command any more, and looking has an end.
const CODE_BYTES: usize = 200;
const INNER_NODES: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Code,
    Script(Script),
    Struck,
}

impl Mark {
    fn around(self) -> (&'static str, &'static str) {
        match self {
            Self::Code => ("`", "`"),
            Self::Script(script) => script.marks(),
            Self::Struck => ("~~", "~~"),
        }
    }
}

/// The marks that are open. Each is written before the first character inside of it, and so never around nothing.
#[derive(Debug, Default)]
pub(super) struct Marks {
    open: Vec<Mark>,
    /// How many of them are written, from the outside.
    written: usize,
}

impl Marks {
    pub(super) fn in_code(&self) -> bool {
        self.open.contains(&Mark::Code)
    }
}

impl Writer<'_> {
    /// Begins code in the middle of a sentence, if it can be written between two marks.
    pub(super) fn open_inline_code(&mut self, at: usize, end: usize) -> Leaving {
        let mut bytes = 0;
        let fits = end.saturating_sub(at) <= INNER_NODES
            && (at + 1..end).all(|at| match self.tree.nodes.get(at).map(|node| &node.kind) {
                Some(Kind::Text(range)) => {
                    let text = self.tree.text.get(range.clone()).unwrap_or_default();
                    bytes += text.len();
                    bytes <= CODE_BYTES && !text.contains(['`', '|', '\n'])
                }
                // Nothing is marked inside of code.
                Some(Kind::Element(element)) => {
                    let is_marked = matches!(element.name.text(), "sup" | "sub" | "del" | "s" | "strike" | "br");
                    !element.name.is_block() && !is_marked
                }
                None => false,
            });
        if fits { self.open_mark(Mark::Code) } else { Leaving::Nothing }
    }

    /// Begins raised or lowered text: by characters of its own, or between marks.
    pub(super) fn open_script(&mut self, at: usize, end: usize, script: Script) -> Leaving {
        let is_short = end.saturating_sub(at) <= INNER_NODES;
        let text = if is_short { self.tree.text_of(at, SCRIPT_BYTES) } else { String::new() };
        let is_nested = is_short && self.tree.below(at).any(|(_, inner)| matches!(inner.name.text(), "sup" | "sub"));
        if !self.of_file || self.script.is_some() || is_bracketed(&text) {
            return Leaving::Nothing;
        }
        if !text.is_empty() && script.has_all(&text) && !is_nested {
            self.script = Some(script);
            return Leaving::Script;
        }
        self.open_mark(Mark::Script(script))
    }

    /// Begins what stands between marks. Inside of itself it is not marked again.
    pub(super) fn open_mark(&mut self, mark: Mark) -> Leaving {
        if !self.of_file || self.marks.open.contains(&mark) || self.marks.in_code() {
            return Leaving::Nothing;
        }
        self.marks.open.push(mark);
        Leaving::Mark
    }

    /// Writes the marks that are open and not written yet: a character follows.
    pub(super) fn begin_marks(&mut self, line: u32) {
        while let Some(mark) = self.marks.open.get(self.marks.written) {
            mark.around().0.chars().for_each(|c| self.character(c, line));
            self.marks.written += 1;
        }
    }

    /// A block, a line or a cell ends: what is marked on both sides of it is marked twice.
    pub(super) fn interrupt_marks(&mut self) {
        while self.marks.written > 0 {
            self.end_mark();
        }
    }

    pub(super) fn close_mark(&mut self) {
        if self.marks.written == self.marks.open.len() {
            self.end_mark();
        }
        self.marks.open.pop();
    }

    /// Writes the end of the innermost mark that is written; a blank before it comes behind it.
    fn end_mark(&mut self) {
        self.marks.written = self.marks.written.saturating_sub(1);
        let Some(mark) = self.marks.open.get(self.marks.written) else { return };
        let gap = std::mem::take(&mut self.gap);
        mark.around().1.chars().for_each(|c| self.character(c, self.line));
        self.gap = gap;
    }

    /// Writes a character of the text; a tilde beside a tilde is none of the marks.
    pub(super) fn character_of_text(&mut self, c: char, line: u32) {
        self.begin_marks(line);
        if c == '~' && self.of_file && self.gap == Gap::None && !self.marks.in_code() && self.ends_with_tilde() {
            self.character('\\', line);
        }
        self.character(self.script.and_then(|script| script.character(c)).unwrap_or(c), line);
    }

    /// Writes the note that an element refers to instead of its mark, if the mark is kept.
    pub(super) fn refers(&mut self, note: Option<&Referred>, kept: Option<&[bool]>) -> bool {
        let is_kept = kept.is_some_and(|kept| kept.contains(&true));
        let Some(Referred { mark, says, lines: (first, last) }) = note.filter(|_| is_kept && self.code.is_none())
        else {
            return false;
        };
        self.gap = self.gap.max(Gap::Space);
        let mut begin = None;
        for c in format!("[{mark}: {says}]").chars() {
            match c.is_whitespace() {
                true => self.gap = self.gap.max(Gap::Space),
                false => self.character_of_text(c, self.line),
            }
            begin = begin.or_else(|| self.written_bytes().checked_sub(c.len_utf8()));
        }
        let at = begin.unwrap_or_default()..self.written_bytes();
        let note = NotePlace { at, place: PlaceInFile::lines(*first, *last) };
        match self.held() {
            Some(held) => held.notes.push(note),
            None => self.notes.push(note),
        }
        true
    }

    /// The length of the text that is being written.
    fn written_bytes(&mut self) -> usize {
        self.held().map(|held| held.text.len()).unwrap_or(self.out.len())
    }

    fn ends_with_tilde(&mut self) -> bool {
        match self.held() {
            Some(held) => held.text.ends_with('~'),
            None => self.out.ends_with('~'),
        }
    }
}
