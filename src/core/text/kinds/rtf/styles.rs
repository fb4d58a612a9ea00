//! The styles of RTF by their numbers: which make a heading, an item or code of a paragraph.

use std::collections::BTreeMap;

use super::super::paragraph::{BASES, Shape};

/// Styles of one document.
const STYLES: usize = 10_000;
/// A longer name says no more.
const NAME_BYTES: usize = 200;

/// The list of styles as it is read, and what each of them says.
#[derive(Debug, Default)]
pub(super) struct Styles {
    known: BTreeMap<i32, Shape>,
    /// Those that another one goes before, which says what they do not.
    bases: BTreeMap<i32, i32>,
    /// The style that is being told: its number, its name.
    told: i32,
    name: String,
}

impl Styles {
    /// A control word of the list.
    pub(super) fn tell(&mut self, word: &str, number: Option<i32>) {
        match (word, number) {
            ("s", Some(style)) => self.told = style,
            // Styles of characters and sections are counted by themselves.
            ("cs" | "ds" | "ts", _) => self.told = -1,
            ("sbasedon", Some(base)) if self.bases.len() < STYLES => {
                self.bases.insert(self.told, base);
            }
            ("outlinelevel", level) => self.know(heading(level)),
            _ => {}
        }
    }

    /// Text of the list: names, each of which ends with a semicolon.
    pub(super) fn push(&mut self, text: &str) {
        for part in text.split_inclusive(';') {
            if self.name.len() < NAME_BYTES {
                self.name.push_str(part);
            }
            if part.ends_with(';') {
                let name = std::mem::take(&mut self.name);
                if !self.known.contains_key(&self.told) {
                    self.know(Shape::named(name.trim_end_matches(';').trim()));
                }
                // What has no number is the usual style.
                self.told = 0;
            }
        }
    }

    fn know(&mut self, style: Option<Shape>) {
        if let Some(style) = style.filter(|_| self.told >= 0 && self.known.len() < STYLES) {
            self.known.insert(self.told, style);
        }
    }

    pub(super) fn of(&self, number: Option<i32>) -> Option<Shape> {
        let mut number = number?;
        for _ in 0..BASES {
            if let Some(style) = self.known.get(&number) {
                return Some(*style);
            }
            number = *self.bases.get(&number)?;
        }
        None
    }
}

/// The heading of `\outlinelevelN`, which counts from 0 and has 9 for text.
pub(super) fn heading(level: Option<i32>) -> Option<Shape> {
    let level = u8::try_from(level?).ok().filter(|level| *level < 9)?;
    Some(Shape::Heading(level + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_01_styles_of_rtf_are_known_by_name_level_and_base() {
        let mut styles = Styles::default();
        for (words, name) in [
            (&[("s", 0)][..], "Normal;"),
            (&[("s", 1)], "heading 1;"),
            (&[("s", 2), ("outlinelevel", 1)], "Überschrift 2;"),
            (&[("s", 3), ("sbasedon", 2)], "Our own;"),
            (&[("s", 4)], "Preformatted Text;"),
            (&[("s", 5), ("sbasedon", 6)], "Round;"),
            (&[("s", 6), ("sbasedon", 5)], "Round again;"),
            (&[("cs", 7)], "heading 3;"),
            (&[("s", 8)], "List Bullet 2;"),
            (&[("s", 9), ("outlinelevel", 9)], "Text;"),
        ] {
            words.iter().for_each(|(word, number)| styles.tell(word, Some(*number)));
            styles.push(name);
        }
        let expected = [
            (0, None),
            (1, Some(Shape::Heading(1))),
            (2, Some(Shape::Heading(2))),
            (3, Some(Shape::Heading(2))),
            (4, Some(Shape::Code)),
            (5, None),
            (7, None),
            (8, Some(Shape::Item(1))),
            (9, None),
        ];
        for (number, style) in expected {
            assert_eq!(styles.of(Some(number)), style, "{number}");
        }
    }
}
