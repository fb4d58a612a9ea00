//! Words that one writes together and another apart: `wifi` and `Wi-Fi`, `MaxOpenFiles` and `max_open_files`.

use std::ops::Range;

use crate::core::base::plain::is_unspaced;
use crate::core::language::fold::folded;
use crate::core::language::identifiers::at_capitals;
use crate::core::language::words::runs;

/// Characters of the longest word that is cut in two at every place.
const LONGEST: usize = 32;

/// The ways in which a word may be written apart: at its capitals, and in two halves.
pub(crate) fn apart(word: &str) -> Vec<Vec<&str>> {
    if word.chars().any(is_unspaced) || word.chars().count() > LONGEST {
        return Vec::new();
    }
    let capitals = Some(at_capitals(word)).filter(|parts| parts.len() > 1);
    let places = word.char_indices().skip(1).map(|(at, _)| at);
    let halves = places.filter_map(|at| word.split_at_checked(at)).map(|(one, other)| vec![one, other]);
    capitals.into_iter().chain(halves).collect()
}

/// Letters that each part of a German compound has at least, and a compound.
const PART: usize = 4;
const COMPOUND: usize = 9;
/// What joins the parts, and the endings that nouns of verbs have: `Kündigungs|frist`.
const JOINTS: [&str; 8] = ["ungs", "ung", "ens", "es", "en", "s", "n", "e"];
/// Words between its parts in a text: `die Frist, mit der gekündigt wird`.
const APART: usize = 12;
/// Letters that a word may have behind the part that it ends with: `Fristen`.
const ENDING: usize = 2;

/// The parts that a German compound may have, without accents: what its first one begins with, and its last one.
pub(crate) fn german_parts(word: &str) -> Vec<(String, String)> {
    let plain = folded(word);
    if !plain.is_ascii() || plain.len() < COMPOUND || plain.len() > LONGEST {
        return Vec::new();
    }
    let parts = (PART..=plain.len() - PART).filter_map(|at| plain.split_at_checked(at)).map(|(one, other)| {
        let bare = |joint: &&str| one.strip_suffix(*joint).filter(|rest| rest.len() >= PART);
        (JOINTS.iter().find_map(bare).unwrap_or(one).to_owned(), other.to_owned())
    });
    parts.collect()
}

/// Whether the parts of a compound stand near each other in these words of a text, which are in lower case and without accents.
pub(crate) fn has_parts(parts: &[(String, String)], said: &[String]) -> bool {
    parts.iter().any(|(first, last)| {
        let is_last = |word: &String| word.strip_prefix(last.as_str()).is_some_and(|rest| rest.len() <= ENDING);
        let lasts = said.iter().enumerate().filter(|(_, word)| is_last(word));
        lasts.into_iter().any(|(at, _)| {
            let near = said.iter().enumerate().skip(at.saturating_sub(APART)).take(2 * APART + 1);
            near.into_iter().any(|(place, word)| place != at && word.contains(first.as_str()))
        })
    })
}

/// Two words of a text that stand side by side, with a blank or a sign between them: where both stand, and each of them.
pub(crate) fn side_by_side(text: &str) -> Vec<(Range<usize>, [&str; 2])> {
    let places: Vec<Range<usize>> = runs(text).collect();
    places.windows(2).filter_map(|pair| pair_of(text, pair)).collect()
}

fn pair_of<'a>(text: &'a str, pair: &[Range<usize>]) -> Option<(Range<usize>, [&'a str; 2])> {
    let [one, other] = pair else { return None };
    let is_joined = is_joint(text.get(one.end..other.start)?);
    is_joined.then_some((one.start..other.end, [text.get(one.clone())?, text.get(other.clone())?]))
}

/// These parts one behind the other, as a text writes them. The last one may have another ending, as `same_word` says.
pub(crate) fn written_apart(text: &str, parts: &[&str], same_word: impl Fn(&str, &str) -> bool) -> Option<String> {
    let (last, first) = parts.split_last()?;
    let word = |place: &Range<usize>| text.get(place.clone()).unwrap_or_default();
    let is_same = |run: &&[Range<usize>]| {
        let Some((end, begin)) = run.split_last() else { return false };
        let joined = run.windows(2).all(|pair| match pair {
            [one, other] => text.get(one.end..other.start).is_some_and(is_joint),
            _ => false,
        });
        let first_ones = begin.iter().zip(first).all(|(place, part)| folded(word(place)) == folded(part));
        joined && first_ones && same_word(word(end), last)
    };
    let places: Vec<Range<usize>> = runs(text).collect();
    let run = places.windows(parts.len()).find(is_same)?;
    let as_it_stands = text.get(run.first()?.start..run.last()?.end)?;
    Some(as_it_stands.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What may stand between the parts of one word: a blank or the end of a line, or a sign that joins.
fn is_joint(between: &str) -> bool {
    matches!(between, " " | "\n" | "-" | "_" | "." | "\u{2010}" | "\u{2011}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: a German compound is told by its parts near each other.
    #[test]
    fn em_01_parts_of_german_compounds_are_found() {
        for (word, text, is_told) in [
            ("Kündigungsfrist", "Der Vertrag kann mit einer Frist von drei Monaten gekündigt werden.", true),
            ("Zahlungsfrist", "Die Rechnung ist in einer Frist von 30 Tagen zu zahlen.", true),
            ("Kündigungsfrist", "Bei Zahlung binnen 8 Tagen darf die GmbH 2 % Skonto abziehen.", false),
            ("Kündigungsfrist", "Die Frist für Anträge endet im Mai.", false),
            ("Haustür", "Die Tür des Hauses ist grün.", false),
        ] {
            let said = crate::core::language::words::plain_words(text);
            assert_eq!(has_parts(&german_parts(word), &said), is_told, "{word}: {text}");
        }
    }

    /// LB-02: a word is found where a text writes it apart, and only as its letters stand there.
    #[test]
    fn lb_02_words_are_found_apart() {
        for (text, word, want) in [
            ("The Wi-Fi password", "wifi", Some("Wi-Fi")),
            ("set max_open_files to 7", "MaxOpenFiles", Some("max_open_files")),
            ("the file\nsystem is full", "filesystem", Some("file system")),
            ("in UTF-8 only", "utf8", Some("UTF-8")),
            ("Log Files are kept", "logfile", Some("Log Files")),
            ("the file, system", "filesystem", None),
            ("the system file", "filesystem", None),
            ("a file is no system", "filesystem", None),
            ("Größen-Angabe", "grossenangabe", Some("Größen-Angabe")),
            ("深 海", "深海", None),
            ("", "filesystem", None),
        ] {
            let singular = |word: &str| word.to_lowercase().trim_end_matches('s').to_owned();
            let same = |one: &str, other: &str| singular(one) == singular(other);
            let found = apart(word).iter().find_map(|parts| written_apart(text, parts, same));
            assert_eq!(found.as_deref(), want, "{word} in {text}");
        }
        assert!(apart(&"x".repeat(10_000)).is_empty());
    }

    #[test]
    fn words_stand_side_by_side() {
        let pairs: Vec<_> = side_by_side("an e-mail, or x_ y z").into_iter().map(|(_, pair)| pair.join("")).collect();
        assert_eq!(pairs, ["ane", "email", "orx", "yz"]);
    }
}
