//! Words of a question that stand in no index as they are written, but apart or together.

use std::collections::BTreeSet;
use std::ops::Range;

use super::search::{Failed, Question, Searched};
use super::spelling::as_written;
use super::statistics::Statistics;
use super::words::{place_in, question_words, term_of};
use crate::core::language::compounds::{apart, side_by_side, written_apart};

/// Words of one question that are looked for.
const WORDS: usize = 4;
/// Ways to write a word apart that are looked for, and passages in which each is.
const TRIED: usize = 4;
const PASSAGES: usize = 8;

/// A word of the question, and how the documents write it.
pub(super) struct Compound {
    pub(super) place: Range<usize>,
    pub(super) meant: String,
}

/// The words that the documents write otherwise, of those that are unknown: where each begins, and itself.
pub(super) fn written_otherwise(
    query: &str,
    unknown: &[(usize, &str)],
    roots: &mut Vec<Searched>,
) -> (Vec<Compound>, Failed) {
    let mut failed = Vec::new();
    let mut compounds: Vec<Compound> = Vec::new();
    let said: BTreeSet<usize> = question_words(query).filter_map(|(word, _)| place_in(query, word)).collect();
    for (place, [one, other]) in side_by_side(query) {
        let places = [place.start, place.end - other.len()];
        let are_said = places.iter().all(|place| said.contains(place));
        let is_unknown = places.iter().any(|place| unknown.iter().any(|(start, _)| start == place));
        let is_free = compounds.last().is_none_or(|last| last.place.end <= place.start);
        // A letter behind a word is no ending of it: `zone D`.
        let is_letter = other.len() == 1 && other.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_free || !are_said || !is_unknown || is_letter || compounds.len() >= WORDS {
            continue;
        }
        let together = term_of(&format!("{one}{other}"));
        let meant = together.and_then(|term| as_written(&term, roots, &mut failed));
        compounds.extend(meant.map(|meant| Compound { place, meant }));
    }
    for (start, word) in unknown.iter().take(WORDS) {
        let place = *start..start + word.len();
        let is_free = !compounds.iter().any(|known| known.place.start < place.end && place.start < known.place.end);
        if let Some(meant) = is_free.then(|| found_apart(word, roots, &mut failed)).flatten() {
            compounds.push(Compound { place, meant });
        }
    }
    (compounds, failed)
}

/// A word as the best passage that has its parts side by side writes it.
fn found_apart(word: &str, roots: &mut Vec<Searched>, failed: &mut Failed) -> Option<String> {
    let ways = apart(word);
    let terms = |parts: &[&str]| parts.iter().map(|part| term_of(part)).collect::<Option<Vec<String>>>();
    let all: Vec<String> = ways.iter().flatten().filter_map(|part| term_of(part)).collect();
    let (statistics, unread) = Statistics::of_all(roots, &all);
    failed.extend(unread);
    let stands = |terms: &Vec<String>| terms.iter().all(|term| statistics.has(term));
    let known = ways.iter().filter_map(|parts| Some((parts, terms(parts).filter(stands)?)));
    let known: Vec<_> = known.take(TRIED).collect();
    let same_word = |one: &str, other: &str| term_of(one) == term_of(other);
    for (parts, terms) in known {
        let (question, unread) = Question::of_terms(terms, roots);
        failed.extend(unread);
        let passages = roots.iter().filter_map(|searched| question.passages(searched, PASSAGES).ok()).flatten();
        let texts = passages.flat_map(|passage| [vec![passage.text], passage.headings].concat());
        let written: Vec<String> = texts.filter_map(|text| written_apart(&text, parts, same_word)).collect();
        // `message_size_limit` rather than the limit of a message's size.
        if let Some(meant) = written.iter().find(|meant| !meant.contains(' ')).or(written.first()) {
            return Some(meant.clone());
        }
    }
    None
}
