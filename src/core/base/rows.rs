//! Lists of words that are one text each. As a table of texts, each word would cost 40 bytes beside its letters in the program, and a line of the code.

use std::collections::HashSet;
use std::str::{Split, SplitAsciiWhitespace};

/// Whether a word is one of those in a row.
pub(crate) fn is_listed(row: &str, word: &str) -> bool {
    // Most words are not even part of one that is, which is seen many letters at a time.
    row.contains(word) && listed(row).any(|known| known == word)
}

/// The words of a row, in their order.
pub(crate) fn listed(row: &str) -> SplitAsciiWhitespace<'_> {
    row.split_ascii_whitespace()
}

/// The words of a row two by two: a name and what it stands for, for example.
pub(crate) fn pairs(row: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut words = listed(row);
    std::iter::from_fn(move || Some((words.next()?, words.next()?)))
}

/// The parts of a list between which commas stand: phrases, or rows of words.
pub(crate) fn phrases(list: &str) -> Split<'_, &'static str> {
    list.split(", ")
}

/// The words of a row for looking many up.
pub(crate) fn set(row: &str) -> HashSet<&str> {
    listed(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_its_words_and_no_parts_of_them() {
        const ROW: &str = "one two-three four \
             fünf  it's";
        for (word, is_one) in [
            ("one", true),
            ("two-three", true),
            ("fünf", true),
            ("it's", true),
            ("two", false),
            ("our", false),
            ("four fünf", false),
            ("One", false),
            (" ", false),
            ("", false),
        ] {
            assert_eq!(is_listed(ROW, word), is_one, "{word}");
            assert_eq!(set(ROW).contains(word), is_one, "{word}");
        }
        assert_eq!(listed(ROW).collect::<Vec<_>>(), ["one", "two-three", "four", "fünf", "it's"]);
        assert_eq!(pairs(ROW).collect::<Vec<_>>(), [("one", "two-three"), ("four", "fünf")]);
        assert_eq!(phrases("a b, c, d's e").collect::<Vec<_>>(), ["a b", "c", "d's e"]);
    }
}
