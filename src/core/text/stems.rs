//! The stem of a word: what its forms share, and what an index keeps of it.
//!
//! English only, whatever the language of a text is: an index and those who compare words with its terms must agree.

use std::borrow::Cow;
use std::collections::HashMap;

use frostem::{Algorithm, Stemmer};

use super::fold::plain;

/// The stem of a word in lower case and without accents.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    Stemmer::new(Algorithm::English).stem(word)
}

/// The stem of a word as it is written.
pub(crate) fn stem_of(word: &str) -> String {
    stem(&plain(word)).into_owned()
}

/// Whether `word` is the stem that an index has, or a form of its word.
pub(crate) fn has_stem(word: &str, of_index: &str) -> bool {
    word == of_index || stem_of(word) == of_index
}

/// Whether two words are forms of one word.
pub(crate) fn alike(a: &str, b: &str) -> bool {
    a == b || stem_of(a) == stem_of(b)
}

/// Several words by their stems: which of them a word of a text is a form of. A question may be as long as a passage.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stems(HashMap<String, Vec<usize>>);

impl Stems {
    /// Notes a stem, as an index has it, of the word with this number. A word may have several.
    pub(crate) fn add(&mut self, stem: &str, of_word: usize) {
        let known = self.0.entry(stem.to_owned()).or_default();
        if !known.contains(&of_word) {
            known.push(of_word);
        }
    }

    /// The numbers of the words that a word of a text is a form of, or the stem.
    pub(crate) fn of_word(&self, word: &str) -> impl Iterator<Item = usize> {
        let plain = plain(word);
        let stem = stem(&plain);
        let by_stem = self.0.get(stem.as_ref()).into_iter();
        let by_itself = self.0.get(&plain).into_iter().filter(|_| stem != plain);
        by_stem.chain(by_itself).flatten().copied().collect::<Vec<_>>().into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: words that an index takes for one are one wherever they are compared, and others are not.
    #[test]
    fn stems_meet_their_words() {
        for (word, stem, want) in [
            ("queries", "queri", true),
            ("query", "queri", true),
            ("replication", "replic", true),
            ("locks", "lock", true),
            ("locket", "lock", false),
            ("performance", "perform", true),
            ("independent", "independ", true),
            ("compatible", "compat", true),
            ("stopped", "stop", true),
            ("running", "run", true),
            ("parent", "par", false),
            ("porter", "portable", false),
            ("understand", "and", false),
            ("user", "us", false),
            ("busy", "bus", false),
            ("plane", "plan", false),
            ("news", "new", false),
            ("dry", "dri", true),
            ("drying", "dri", true),
            ("dying", "die", true),
            ("flies", "fli", true),
            ("spied", "spi", true),
            ("carried", "carri", true),
            ("drum", "dri", false),
            ("my", "mi", false),
            ("crèmes", "creme", true),
            ("", "", true),
            ("深海", "深海", true),
        ] {
            assert_eq!(has_stem(word, stem), want, "{word} / {stem}");
        }
        assert!(alike("locking", "locks") && alike("lock", "locked") && !alike("lock", "log"));
        assert!(alike("straße", "strasse") && !alike("bus", "busy"));
        let mut stems = Stems::default();
        for (stem, of_word) in [("queri", 0), ("queri", 0), ("lock", 1), ("queri", 2)] {
            stems.add(stem, of_word);
        }
        let of_word = |word: &str| stems.of_word(word).collect::<Vec<_>>();
        assert_eq!((of_word("Queries"), of_word("queri"), of_word("locks")), (vec![0, 2], vec![0, 2], vec![1]));
        assert!(of_word("locket").is_empty() && of_word("").is_empty());
    }
}
