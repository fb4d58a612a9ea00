//! Which one of a row is asked for: `im vierten Lehrjahr`, `the third floor`. What tells of the others does not answer.

use crate::core::base::rows::{is_listed, phrases};
use crate::core::language::fold::folded;
use crate::core::language::words::{is_filler, words};

/// The numbers from two on, as they stand before what they count and as they are said otherwise. The first of something is often only what comes first.
const ROWS: &str = "second zweite zweiten zweiter zweites deuxieme seconde two zwei deux ii, \
     third dritte dritten dritter drittes troisieme three drei trois iii, \
     fourth vierte vierten vierter viertes quatrieme four vier quatre iv, \
     fifth funfte funften funfter funftes cinquieme five funf cinq v, \
     sixth sechste sechsten sechster sechstes sixieme six sechs vi, \
     seventh siebte siebten siebter siebtes septieme seven sieben sept vii, \
     eighth achte achten achter achtes huitieme eight acht huit viii, \
     ninth neunte neunten neunter neuntes neuvieme nine neun neuf ix, \
     tenth zehnte zehnten zehnter zehntes dixieme ten zehn dix x, \
     eleventh elfte elften elfter elftes onzieme eleven elf onze xi, \
     twelfth zwolfte zwolften zwolfter zwolftes douzieme twelve zwolf douze xii";
const FIRST_OF_ROWS: usize = 2;
/// How many of each row stand before what they count.
const ORDINALS: usize = 6;
/// A second of time.
const BEFORE_TIME: &str = "a each every in je jede par per pro";

/// One of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ordinal(usize);

/// The word that says which one is asked for, and its number; nothing where nothing stands behind it that it counts.
pub(crate) fn asked(question: &str) -> Option<(String, Ordinal)> {
    let said: Vec<String> = words(question).collect();
    let is_of_time =
        |at: usize| at.checked_sub(1).and_then(|before| said.get(before)).is_some_and(|word| is_time(word));
    said.windows(2).enumerate().find_map(|(at, pair)| match pair {
        [word, thing] if !is_filler(thing) && !is_of_time(at) => Some((word.clone(), Ordinal::named(&folded(word))?)),
        _ => None,
    })
}

fn is_time(before: &str) -> bool {
    is_listed(BEFORE_TIME, before) || before.chars().all(|c| c.is_ascii_digit())
}

impl Ordinal {
    fn named(plain: &str) -> Option<Self> {
        let names = |row: &str| row.split(' ').take(ORDINALS).any(|known| known == plain);
        phrases(ROWS).position(names).map(|at| Self(at + FIRST_OF_ROWS))
    }

    /// Whether a text has the number in any of its forms: `4.`, `Q4`, `4th`, `four`, `IV`.
    pub(crate) fn is_told_by(self, text: &str) -> bool {
        let row = self.0.checked_sub(FIRST_OF_ROWS).and_then(|at| phrases(ROWS).nth(at)).unwrap_or_default();
        let number = self.0.to_string();
        let is_it = |word: String| {
            let digits = word.trim_matches(|c: char| c.is_alphabetic());
            digits == number || is_listed(row, &folded(&word))
        };
        words(text).any(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_which_one_of_a_row_is_asked_for_is_known() {
        for (question, found) in [
            ("Wie hoch ist die Vergütung im vierten Lehrjahr?", Some(("vierten", 4))),
            ("Who lives on the third floor?", Some(("third", 3))),
            ("How much is the fee of the second year?", Some(("second", 2))),
            ("How many requests per second reach it?", None),
            ("How many requests in 1 second to it?", None),
            ("What was done second?", None),
            ("Who came first?", None),
            ("", None),
        ] {
            assert_eq!(asked(question), found.map(|(word, number)| (word.to_owned(), Ordinal(number))), "{question}");
        }
        for (text, told) in [
            ("im 4. Lehrjahr", true),
            ("Year four", true),
            ("Q4 | 12", true),
            ("Part IV", true),
            ("im ersten 850, im zweiten 950", false),
            ("14 and 40", false),
        ] {
            assert_eq!(Ordinal(4).is_told_by(text), told, "{text}");
        }
    }
}
