//! Where the entries of lists of terms stand in what is written: `<dt>` names them, `<dd>` explains them.

use super::super::tree::Tree;
use super::{Gap, Leaving, Writer};
use crate::core::base::sorting::sort_by_key;
use crate::core::text::lines::TermEntry;

/// Elements of an explanation that are looked at.
const EXPLAINED_ELEMENTS: usize = 64;

/// Whether an explanation has no more than a paragraph: of a longer one the term is the heading.
fn is_one_paragraph(tree: &Tree, at: usize) -> bool {
    tree.below(at).take(EXPLAINED_ELEMENTS).filter(|(_, inner)| inner.name.text() == "p").count() < 2
}

/// The entries so far.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// Where the last terms begin and end that nothing explains yet: several may have one explanation.
    terms: Option<(usize, usize)>,
    /// The terms whose explanations are open; nothing of an explanation without a term.
    open: Vec<Option<(usize, usize)>>,
    done: Vec<TermEntry>,
}

impl Entries {
    /// A term that begins behind this text.
    fn begin_term(&mut self, out: &str) {
        let at = out.trim_end().len();
        let goes_on = self.terms.is_some_and(|(_, end)| end == at);
        if !goes_on {
            self.terms = Some((at, at));
        }
    }

    fn end_term(&mut self, out: &str) {
        if let Some((_, end)) = &mut self.terms {
            *end = out.trim_end().len();
        }
    }

    fn begin_explanation(&mut self) {
        self.open.push(self.terms.take());
    }

    fn end_explanation(&mut self, out: &str) {
        let Some((start, end)) = self.open.pop().flatten() else { return };
        let term = out.get(start..end).unwrap_or_default();
        let start = start + term.len() - term.trim_start().len();
        if start < end {
            self.done.push(TermEntry { term: start..end, end: out.trim_end().len() });
        }
    }

    /// All of them, in the order of their terms, those around others first.
    pub(super) fn into_sorted(mut self) -> Vec<TermEntry> {
        sort_by_key(&mut self.done, |entry| (entry.term.start, std::cmp::Reverse(entry.end)));
        self.done
    }
}

impl Writer<'_> {
    /// A term, what explains one, or a row of what is no table.
    pub(super) fn open_entry(&mut self, at: usize, name: &str) -> Leaving {
        self.end_line();
        if name == "dt" && self.lists.is_empty() && !self.in_term {
            self.gap = self.gap.max(Gap::Block);
        }
        self.in_term = name == "dt";
        self.is_explained = name == "dd" && is_one_paragraph(self.tree, at);
        match name {
            "dt" => {
                self.entries.begin_term(&self.out);
                Leaving::Term
            }
            "dd" => {
                self.entries.begin_explanation();
                Leaving::Explanation
            }
            _ => Leaving::Item,
        }
    }

    pub(super) fn close_term(&mut self) {
        self.entries.end_term(&self.out);
        self.end_line();
    }

    pub(super) fn close_explanation(&mut self) {
        self.entries.end_explanation(&self.out);
        self.end_line();
    }
}
