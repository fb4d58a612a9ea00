//! Code: blocks of it with their lines, and in a file also what stands in the middle of a sentence.

use super::super::parts::{Held, language, longest_run};
use super::super::tree::{Element, Kind};
use super::{Gap, Leaving, Writer};

/// More than this is not a name or a command any more, and looking has an end.
const INLINE_CODE_BYTES: usize = 200;
const INLINE_CODE_NODES: usize = 32;

/// What is written around code in the middle of a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Inline {
    #[default]
    Outside,
    /// Its first character is not written yet.
    Begins,
    Inside,
}

impl Writer<'_> {
    pub(super) fn open_code(&mut self, at: usize, element: &Element) -> Leaving {
        self.end_block();
        let inner = self.tree.below(at).take(3).find(|(_, inner)| inner.name.text() == "code");
        let language = [Some(element), inner.map(|(_, inner)| inner)].into_iter().flatten().find_map(language);
        self.code = Some((language.unwrap_or_default(), Held::default()));
        Leaving::Code
    }

    pub(super) fn close_code(&mut self) {
        let Some((language, Held { text, lines })) = self.code.take() else { return };
        let code = text.trim_matches('\n').trim_end();
        if code.is_empty() {
            return;
        }
        let mut at = text.len() - text.trim_start_matches('\n').len();
        self.gap = self.gap.max(if self.lists.is_empty() { Gap::Block } else { Gap::Line });
        self.separate(lines.line(at));
        let ticks = longest_run(code, '`').max(2) + 1;
        let ticks = "`".repeat(ticks);
        let lead = format!("{}{}", self.quote(), self.indent());
        self.out.push_str(&format!("{ticks}{language}\n"));
        for line in code.split('\n') {
            self.lines.mark(self.out.len(), lines.line(at));
            self.lines.mark_copy(self.out.len() + lead.len(), &lines, at..at + line.len());
            self.out.push_str(format!("{lead}{line}").trim_end());
            self.out.push('\n');
            at += line.len() + 1;
        }
        self.out.push_str(&format!("{lead}{ticks}"));
        self.gap = if self.lists.is_empty() { Gap::Block } else { Gap::Line };
    }

    /// Begins code in the middle of a sentence, if it can be written between two marks.
    pub(super) fn open_inline_code(&mut self, at: usize, end: usize) -> Leaving {
        if !self.marks_code || self.inline != Inline::Outside || end.saturating_sub(at) > INLINE_CODE_NODES {
            return Leaving::Nothing;
        }
        let mut bytes = 0;
        let fits = (at + 1..end).all(|at| match self.tree.nodes.get(at).map(|node| &node.kind) {
            Some(Kind::Text(range)) => {
                let text = self.tree.text.get(range.clone()).unwrap_or_default();
                bytes += text.len();
                bytes <= INLINE_CODE_BYTES && !text.contains(['`', '|', '\n'])
            }
            Some(Kind::Element(element)) => !element.name.is_block() && element.name.text() != "br",
            None => false,
        });
        if !fits {
            return Leaving::Nothing;
        }
        self.inline = Inline::Begins;
        Leaving::InlineCode
    }

    /// Writes the mark before the first character of code.
    pub(super) fn begin_inline_code(&mut self, line: u32) {
        if self.inline == Inline::Begins {
            self.character('`', line);
            self.inline = Inline::Inside;
        }
    }

    pub(super) fn close_inline_code(&mut self) {
        if std::mem::take(&mut self.inline) == Inline::Inside {
            let gap = std::mem::take(&mut self.gap);
            self.character('`', self.line);
            self.gap = gap;
        }
    }
}
