//! The numbers that office programs print in front of paragraphs and headings: how a level of a list counts, and how its number is written.
//!
//! `word` and `open` read the two families of files; what is here they share. No number is longer than a label may be.

mod numerals;
pub(super) mod open;
#[cfg(test)]
mod tests;
pub(super) mod word;

use std::cmp::Ordering;

use crate::core::base::limits;
use crate::core::language::item_number;
use numerals::Numeral;

/// Pieces of one number: the counts of all levels, and what stands between them.
const PIECES: usize = 2 * LEVELS + 1;

/// Levels of one list; Word has nine, open documents ten.
const LEVELS: usize = 10;

/// A number in small Roman numerals.
pub(super) fn roman(count: u32) -> String {
    Numeral::Roman { is_upper: false }.written(count)
}

/// What stands in front of a paragraph of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A sign that is the same for all, so deep in its list.
    Bullet(usize),
    /// A number as items of lists have it in Markdown, so deep among such items: `1.`, `(a)`.
    Item(usize, String),
    /// A number that belongs to the text: `2.2`, `Article 5`.
    Clause(String),
    /// Nothing: the level only moves the text.
    Silent,
}

/// Whether a number is one that items of lists have in Markdown.
fn is_item_label(label: &str) -> bool {
    item_number(label).is_some_and(|length| length == label.len())
}

impl Mark {
    /// A number as it is written, of what is so deep in its list.
    pub(super) fn numbered(depth: usize, label: String) -> Self {
        if is_item_label(&label) { Self::Item(depth, label) } else { Self::Clause(label) }
    }

    /// The number, where there is one.
    pub(super) fn label(&self) -> Option<&str> {
        match self {
            Self::Item(_, label) | Self::Clause(label) => Some(label),
            Self::Bullet(_) | Self::Silent => None,
        }
    }
}

/// A part of a number as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// The count of this level, from 0.
    Count(usize),
}

/// When a level begins anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Restart {
    /// Below every level above it.
    #[default]
    Always,
    Never,
    /// Only below this level, from 0, and those above it.
    Below(usize),
}

/// How one level of a list is numbered.
#[derive(Clone, Debug, Default)]
struct Level {
    numeral: Numeral,
    pieces: Vec<Piece>,
    start: u32,
    restart: Restart,
    /// All counts are shown as plain numbers, whatever their levels say.
    is_legal: bool,
}

impl Level {
    /// Takes the pieces of a number, as many as a number may have.
    fn print(&mut self, pieces: impl IntoIterator<Item = Piece>) {
        let mut room = limits::OFFICE_LABEL_CHARS;
        self.pieces.clear();
        for piece in pieces {
            let piece = match piece {
                Piece::Text(text) => Piece::Text(text.chars().filter(|c| !c.is_control()).take(room).collect()),
                count @ Piece::Count(_) => count,
            };
            let taken = if let Piece::Text(text) = &piece { text.chars().count() } else { 1 };
            if taken == 0 {
                continue;
            }
            if taken > room || self.pieces.len() >= PIECES {
                break;
            }
            room -= taken;
            self.pieces.push(piece);
        }
    }
}

/// How far each level of a list has counted; nothing where it has not begun, or begins anew.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([Option<u32>; LEVELS]);

impl Counts {
    /// Goes on to the next number of a level, or to the one that is said, and lets the levels below it begin anew.
    fn advance(&mut self, levels: &[&Level], at: usize, said: Option<u32>) {
        let start = |at: usize| levels.get(at).map_or(1, |level| level.start);
        let restarts = |below: usize| match levels.get(below).map(|level| level.restart).unwrap_or_default() {
            Restart::Always => true,
            Restart::Never => false,
            Restart::Below(last) => at <= last,
        };
        for (number, count) in self.0.iter_mut().enumerate() {
            match number.cmp(&at) {
                // A level above that has not begun counts as begun: behind `1.1` comes `2`.
                Ordering::Less => *count = count.or(Some(start(number))),
                Ordering::Equal => {
                    let next = count.map_or_else(|| start(at), |count| count.saturating_add(1));
                    *count = Some(said.unwrap_or(next));
                }
                Ordering::Greater if restarts(number) => *count = None,
                Ordering::Greater => {}
            }
        }
    }

    /// What stands in front of a paragraph of this level now.
    fn mark(&self, levels: &[&Level], at: usize) -> Mark {
        let Some(level) = levels.get(at) else { return Mark::Bullet(at) };
        if level.numeral == Numeral::Bullet {
            return Mark::Bullet(at);
        }
        let label = self.label(levels, level);
        if label.is_empty() {
            Mark::Silent
        } else if is_item_label(&label) {
            // Items stand below those items that they are a part of; a clause above them is a paragraph.
            let first = Self::default();
            let above = levels.iter().take(at).rev();
            let depth = above.take_while(|level| is_item_label(&first.label(levels, level))).count();
            Mark::Item(depth, label)
        } else {
            Mark::Clause(label)
        }
    }

    fn label(&self, levels: &[&Level], level: &Level) -> String {
        let mut label = String::new();
        for piece in &level.pieces {
            match piece {
                Piece::Text(text) => label.push_str(text),
                Piece::Count(at) => {
                    let counted = levels.get(*at);
                    let start = counted.map_or(1, |level| level.start);
                    let numeral = counted.map(|level| level.numeral).unwrap_or_default();
                    let numeral = if level.is_legal { numeral.legal() } else { numeral };
                    let count = self.0.get(*at).copied().flatten().unwrap_or(start);
                    label.push_str(&numeral.written(count));
                }
            }
        }
        label.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
