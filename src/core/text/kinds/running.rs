//! Lines that stand on every page: each text once, behind the document, without the numbers of pages.

use std::collections::BTreeSet;

use super::super::spans::PlaceInFile;
use super::build::Builder;

/// Characters of one header or footer; a longer one is no line.
const MOST_CHARS: usize = 2_000;
/// Words beside the number of a page that say nothing without it: `Page 3 of 12`.
const WORDS_OF_NUMBER: usize = 3;
/// Headers and footers of one document that are told apart.
const MOST_LINES: usize = 100;

/// The text of one header or footer while it is read.
#[derive(Debug, Default)]
pub(super) struct RunningText {
    parts: Vec<String>,
    part: String,
    chars: usize,
    has_number: bool,
}

impl RunningText {
    pub(super) fn say(&mut self, text: &str) {
        let before = self.part.len();
        self.part.extend(text.chars().take(MOST_CHARS.saturating_sub(self.chars)));
        self.chars += self.part.get(before..).unwrap_or_default().chars().count();
    }

    /// The number of a page stands here.
    pub(super) fn number(&mut self) {
        self.has_number = true;
    }

    /// A tab or the end of a paragraph: what follows stands apart.
    pub(super) fn end_part(&mut self) {
        let part = std::mem::take(&mut self.part);
        let words = part.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        let is_number = std::mem::take(&mut self.has_number) && words <= WORDS_OF_NUMBER;
        if words > 0 && !is_number {
            self.parts.push(part.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }

    fn finish(mut self) -> String {
        self.end_part();
        self.parts.join(" · ")
    }
}

/// The headers and footers of a document.
#[derive(Debug, Default)]
pub(super) struct RunningLines {
    known: BTreeSet<String>,
    lines: Vec<String>,
}

impl RunningLines {
    /// Adds what a header or a footer says.
    pub(super) fn add(&mut self, name: &str, text: RunningText) {
        let text = text.finish();
        if !text.is_empty() && self.lines.len() < MOST_LINES && self.known.insert(text.clone()) {
            self.lines.push(format!("{name}: {text}"));
        }
    }

    /// Writes them as a part of its own, which stands where the document begins.
    pub(super) fn write(self, out: &mut Builder, place: PlaceInFile) {
        if self.lines.is_empty() {
            return;
        }
        out.section();
        out.place(place);
        self.lines.iter().for_each(|line| out.paragraph(line));
    }
}
