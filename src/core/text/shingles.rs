//! Near-identical passages: the same text in two files, or two passages of one file that overlap.

use std::collections::BTreeSet;

use crate::core::base::limits;
use crate::core::language::words::words;

/// Words per shingle: long enough that common phrases do not count, short enough that one changed word in a
/// sentence leaves most shingles alone.
const SHINGLE_WORDS: usize = 5;
/// The share of the smaller text's shingles that must stand in the other one. One changed word takes five shingles away, so a
/// paragraph of fifty words with two edits still is a copy and one with a new sentence is not.
const COPY_SHARE: f64 = 0.8;

/// Shingles by which a copy is looked for: with a fifth of a text changed, one of twelve is still the same in nearly every case.
const MARKS: usize = 12;

/// A text as the set of its word sequences, for comparison only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shingles {
    set: BTreeSet<u64>,
    /// The words with a digit in them. Two versions of a manual may differ in one figure, and that figure may be the answer.
    numbers: BTreeSet<u64>,
}

impl Shingles {
    /// Reads at most [`limits::SHINGLED_WORDS`] words.
    pub(crate) fn of(text: &str) -> Self {
        let hashes: Vec<(u64, bool)> = words(text)
            .take(limits::SHINGLED_WORDS)
            .map(|word| (fnv(word.bytes()), word.chars().any(char::is_numeric)))
            .collect();
        let numbers = hashes.iter().filter(|(_, number)| *number).map(|(hash, _)| *hash).collect();
        let whole: Vec<u64> = hashes.into_iter().map(|(hash, _)| hash).collect();
        let shingle = |window: &[u64]| fnv(window.iter().flat_map(|hash| hash.to_le_bytes()));
        let set = match whole.len() {
            0 => BTreeSet::new(),
            few if few < SHINGLE_WORDS => BTreeSet::from([shingle(&whole)]),
            _ => whole.windows(SHINGLE_WORDS).map(shingle).collect(),
        };
        Self { set, numbers }
    }

    /// A few of its shingles that a near copy most likely has too, so that copies can be found without comparing all with all.
    pub(crate) fn marks(&self) -> Vec<u64> {
        self.set.iter().take(MARKS).copied().collect()
    }

    /// Whether this one adds nothing to the other, which may say more.
    pub(crate) fn adds_nothing_to(&self, other: &Self) -> bool {
        self.set.len() * 4 <= other.set.len() * 5 && self.copies(other)
    }

    /// Whether one of the two adds nothing to the other.
    pub(crate) fn copies(&self, other: &Self) -> bool {
        let size = |text: &Self| (text.set.len(), text.numbers.len());
        let (small, large) = if size(self) <= size(other) { (self, other) } else { (other, self) };
        if small.set.is_empty() || !small.numbers.is_subset(&large.numbers) {
            return small.set.is_empty() && large.set.is_empty();
        }
        let common = small.set.intersection(&large.set).count();
        #[expect(clippy::cast_precision_loss, reason = "bounded by the number of words read")]
        let share = common as f64 / small.set.len() as f64;
        share >= COPY_SHARE
    }
}

/// FNV-1a: the same value in every build, which the standard library's hasher does not promise.
fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "A transaction takes a row lock before it writes the row. Another transaction that wants the same row \
        waits until the first one commits or rolls back. When two wait for each other the younger one is aborted \
        and its client is told to try again after a short pause of its own choice.";

    fn copies(a: &str, b: &str) -> bool {
        Shingles::of(a).copies(&Shingles::of(b))
    }

    #[test]
    fn what_is_a_copy() {
        for (name, other, want) in [
            ("itself", TEXT.to_owned(), true),
            ("other case, breaks and marks", TEXT.to_uppercase().replace(". ", "\n\n* "), true),
            ("one word changed", TEXT.replace("younger", "newer"), true),
            ("a part of it", TEXT.split(". ").take(2).collect::<Vec<_>>().join(". "), true),
            ("with more around it", format!("# Locks\n\nBefore that. {TEXT} And after that."), true),
            ("the same words in another order", TEXT.split(' ').rev().collect::<Vec<_>>().join(" "), false),
            (
                "half of it new",
                TEXT.split(". ").next().unwrap().to_owned()
                    + " But everything else is told elsewhere, in a chapter on indexes and how they are built.",
                false,
            ),
            ("nothing", String::new(), false),
        ] {
            assert_eq!(copies(TEXT, &other), want, "{name}");
            assert_eq!(copies(&other, TEXT), want, "{name}, the other way round");
        }
    }

    /// A figure may be the whole difference between two versions of a manual.
    #[test]
    fn texts_with_other_numbers_are_no_copies() {
        let old = format!("{TEXT} The pause is 100 ms.");
        assert!(!copies(&old, &old.replace("100", "250")));
        assert!(copies(&old, &old.clone()));
    }

    #[test]
    fn short_texts_are_copies_only_when_equal() {
        assert!(copies("Row lock", "row LOCK"));
        assert!(!copies("Row lock", "Row locks wait"));
        assert!(copies("", "…"));
    }

    proptest! {
        #[test]
        fn every_text_copies_itself_and_the_relation_is_symmetric(a in ".{0,200}", b in ".{0,200}") {
            prop_assert!(copies(&a, &a));
            prop_assert_eq!(copies(&a, &b), copies(&b, &a));
        }
    }
}
