//! Raised digits, with which a report may cite.

use super::{Leaving, Writer};

/// The longest raised text that can be numbers of sources, and what it may be made of: longer is no citation, and looking has an end.
const RAISED_BYTES: usize = 24;
const RAISED_NODES: usize = 32;

impl Writer<'_> {
    pub(super) fn open_raised(&mut self, at: usize) -> Leaving {
        let nodes = self.tree.nodes.get(at).map_or(0, |node| node.end.saturating_sub(at));
        let text = if nodes <= RAISED_NODES { self.tree.text_of(at, RAISED_BYTES) } else { String::new() };
        if !text.contains(|c: char| c.is_ascii_digit()) || text.len() > RAISED_BYTES {
            return Leaving::Nothing;
        }
        // A link says that it cites, and is no power; where it leads is written only of a page.
        let linked = self.tree.below(at).any(|(_, inner)| inner.name.text() == "a");
        let bracketed = linked && !text.contains(['[', '(']);
        self.mark_raised(if bracketed { "<sup>[" } else { "<sup>" });
        Leaving::Raised(if bracketed { "]</sup>" } else { "</sup>" })
    }

    /// Writes a mark as it is, in the place of a character.
    pub(super) fn mark_raised(&mut self, mark: &str) {
        let line = self.line;
        if self.table.is_some() {
            self.held().into_iter().for_each(|held| mark.chars().for_each(|c| held.push(c, line)));
            return;
        }
        self.separate(line);
        if let Some(link) = &mut self.link
            && link.start.is_none()
        {
            link.start = Some(self.out.len());
        }
        self.out.push_str(mark);
    }
}
