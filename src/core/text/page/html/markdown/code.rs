//! Blocks of code with their lines.

use super::super::parts::{Held, language};
use super::super::tree::Element;
use super::{Gap, Leaving, Writer};
use crate::core::text::quoting::fence_around;

impl Writer<'_> {
    pub(super) fn open_code(&mut self, at: usize, element: &Element) -> Leaving {
        self.end_block();
        let inner = self.tree.below(at).take(3).find(|(_, inner)| inner.name.text() == "code");
        let language = [Some(element), inner.map(|(_, inner)| inner)].into_iter().flatten().find_map(language);
        self.code = Some((language.unwrap_or_default(), Held::default()));
        Leaving::Code
    }

    pub(super) fn close_code(&mut self) {
        let Some((language, Held { text, lines, notes: _ })) = self.code.take() else { return };
        let code = text.trim_matches('\n').trim_end();
        if code.is_empty() {
            return;
        }
        let mut at = text.len() - text.trim_start_matches('\n').len();
        self.gap = self.gap.max(if self.lists.is_empty() { Gap::Block } else { Gap::Line });
        self.separate(lines.line(at));
        let ticks = fence_around(code);
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
}
