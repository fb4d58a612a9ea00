//! What stands in a stretch of a page, summed up: the difference of two sums from the top is what stands between.

use super::blocks::Block;
use super::tree::Element;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) words: f32,
    pub(super) linked: f32,
    /// Words in long blocks.
    pub(super) long: f32,
    pub(super) blocks: f32,
    /// Signs that end sentences.
    pub(super) marks: f32,
    /// Words that are not in what is plainly the furniture of the page.
    pub(super) clean: f32,
    pub(super) pictures: f32,
    pub(super) controls: f32,
    pub(super) headings: f32,
    pub(super) paragraphs: f32,
}

impl Sums {
    /// Of one block; that of the furniture has no long words.
    pub(super) fn of(block: &Block, furniture: bool) -> Self {
        let (words, linked) = (block.words as f32, block.linked as f32);
        let long = if block.is_long() && !furniture { words } else { 0.0 };
        let clean = if furniture { 0.0 } else { words };
        Self { words, linked, long, blocks: 1.0, clean, ..Self::default() }
    }

    /// Counts an element by what it is.
    pub(super) fn count(&mut self, element: &Element) {
        match element.name.text() {
            "img" | "picture" | "video" | "svg" | "figure" => self.pictures += 1.0,
            "input" | "button" | "select" | "textarea" | "form" => self.controls += 1.0,
            "p" => self.paragraphs += 1.0,
            _ if element.name.heading_level().is_some() => self.headings += 1.0,
            _ => {}
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    pub(super) fn minus(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }

    fn with(self, other: Self, of: impl Fn(f32, f32) -> f32) -> Self {
        Self {
            words: of(self.words, other.words),
            linked: of(self.linked, other.linked),
            long: of(self.long, other.long),
            blocks: of(self.blocks, other.blocks),
            marks: of(self.marks, other.marks),
            clean: of(self.clean, other.clean),
            pictures: of(self.pictures, other.pictures),
            controls: of(self.controls, other.controls),
            headings: of(self.headings, other.headings),
            paragraphs: of(self.paragraphs, other.paragraphs),
        }
    }
}
