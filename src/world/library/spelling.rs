//! Words of a question that stand in no index, and the nearest ones that do.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::compounds::{Compound, written_otherwise};
use super::fault::Fault;
use super::index::Snapshot;
use super::search::{Failed, Question, Searched};
use super::words::{cut_with_parts, language_of, place_in, question_words, swapped_function_word, term_of};
use crate::core::base::sorting::sort_by_key;
use crate::core::evidence::passage::Respelled;
use crate::core::language::fold::folded;
use crate::core::language::spelling::{Near, Typed, how_far, is_common, is_sure_slip};
use crate::core::question::clauses::locators;
use crate::core::question::measures::measures;
use crate::core::question::prices;

/// Words of one question that are looked for.
const WORDS: usize = 4;
/// Near terms of one word that are tried, the best first: one may stand only in titles.
const TRIED: usize = 4;
/// Terms of one index that are compared for one first letter; a library of half a million passages has fewer.
const COMPARED: u32 = 300_000;

/// A word that stands nowhere.
struct Unknown<'q> {
    /// As it is written where it stands first.
    word: &'q str,
    typed: Typed,
    /// Where it begins in the question.
    places: Vec<usize>,
    /// Near terms: how near, and in how many passages they stand.
    near: BTreeMap<String, (Near, u64)>,
}

/// The question with the words of the documents in the place of those that stand nowhere: as they are written apart or together there, else the
/// nearest ones; `None` where all stand somewhere or none is near. Roots whose index cannot be read are handed back.
pub(super) fn respelled(query: &str, asked: &Question, roots: &mut Vec<Searched>) -> (Option<Respelled>, Failed) {
    let absent = absent_words(query, asked);
    let (compounds, mut failed) =
        if absent.is_empty() { Default::default() } else { written_otherwise(query, &absent, roots) };
    let is_left = |place: &usize| !compounds.iter().any(|compound| compound.place.contains(place));
    let left: Vec<_> = absent.into_iter().filter(|(place, _)| is_left(place)).collect();
    let mut words = Vec::new();
    let mut replaced = BTreeMap::new();
    for Compound { place, meant } in compounds {
        words.push((query.get(place.clone()).unwrap_or_default().to_owned(), meant.clone()));
        replaced.insert(place.start, (place.len(), meant));
    }
    for (place, word) in &left {
        if let Some(meant) = swapped_function_word(word) {
            words.push(((*word).to_owned(), meant.to_owned()));
            replaced.insert(*place, (word.len(), meant.to_owned()));
        }
    }
    let is_english = language_of(query).is_none();
    for Unknown { word, places, near, .. } in with_near_terms(unknown_words(&left, is_english), roots, &mut failed) {
        let mut near: Vec<_> = near.into_iter().collect();
        sort_by_key(&mut near, |(_, (near, passages))| (*near, Reverse(*passages)));
        let nearest = near.first().map(|(_, (near, _))| *near);
        let as_near = near.iter().filter(|(_, (near, _))| Some(*near) == nearest);
        let written = as_near.take(TRIED).filter_map(|(term, _)| as_written(term, roots, &mut failed));
        // `argent` is no `agent`: a word of another language is none that stands on every English page.
        let written =
            written.filter(|meant| is_english || is_sure_slip(word, meant) || !is_common(&meant.to_lowercase()));
        // `tires` is nearer to `tyres` than to `time`, of which only the stems are compared.
        let Some(meant) = written.min_by_key(|meant| how_far(word, meant)) else { continue };
        replaced.extend(places.into_iter().map(|place| (place, (word.len(), meant.clone()))));
        words.push((word.to_owned(), meant));
    }
    let respelled = (!words.is_empty()).then(|| Respelled { query: with_replaced(query, &replaced), words });
    (respelled, failed)
}

/// The words that stand nowhere, and where each begins.
fn absent_words<'q>(query: &'q str, asked: &Question) -> Vec<(usize, &'q str)> {
    let (measures, locators) = (measures(query), locators(query));
    // What something costs need not be said by that verb, and no other word is meant by it.
    let only_asks = |word: &str| measures.contains(word) || locators.contains(word) || prices::is_asking(word);
    let misses = |(word, term): &(&str, String)| !asked.has(term) && !only_asks(&folded(word));
    question_words(query).filter(misses).filter_map(|(word, _)| Some((place_in(query, word)?, word))).collect()
}

/// Those of them that may have an error, each once with all of its places.
fn unknown_words<'q>(absent: &[(usize, &'q str)], is_english: bool) -> Vec<Unknown<'q>> {
    let mut unknown: Vec<Unknown<'q>> = Vec::new();
    for (place, word) in absent {
        if let Some(known) = unknown.iter_mut().find(|known| known.word.eq_ignore_ascii_case(word)) {
            known.places.push(*place);
        } else if let Some(typed) =
            term_of(word).and_then(|term| Typed::new(&word.to_lowercase(), &term)).filter(|_| unknown.len() < WORDS)
        {
            let typed = if is_english { typed } else { typed.of_other_language() };
            unknown.push(Unknown { word, typed, places: vec![*place], near: BTreeMap::new() });
        }
    }
    unknown
}

/// The words with the terms of the indexes that are near to them.
fn with_near_terms<'q>(
    mut unknown: Vec<Unknown<'q>>,
    roots: &mut Vec<Searched>,
    failed: &mut Failed,
) -> Vec<Unknown<'q>> {
    let mut by_letter: BTreeMap<char, Vec<&mut Unknown<'_>>> = BTreeMap::new();
    for word in &mut unknown {
        if let Some(first) = word.typed.first() {
            by_letter.entry(first).or_default().push(word);
        }
    }
    for (first, mut words) in by_letter {
        for searched in std::mem::take(roots) {
            match searched.index.at_last_commit(|index| collect(index, first, &mut words)) {
                Ok(()) => roots.push(searched),
                Err(fault) => failed.push((searched, fault)),
            }
        }
    }
    unknown
}

/// The question with other words at these places: where each begins, how long it is, and what stands there instead.
fn with_replaced(query: &str, replaced: &BTreeMap<usize, (usize, String)>) -> String {
    let mut text = String::with_capacity(query.len());
    let mut done = 0;
    for (place, (length, meant)) in replaced {
        text.push_str(query.get(done..*place).unwrap_or_default());
        text.push_str(meant);
        done = place + length;
    }
    text.push_str(query.get(done..).unwrap_or_default());
    text
}

/// The terms of an index that begin with a letter and are near to one of the words, in one pass.
fn collect(index: &Snapshot<'_>, first: char, words: &mut [&mut Unknown<'_>]) -> Result<(), Fault> {
    let lengths = || words.iter().map(|word| word.typed.lengths());
    let shortest = lengths().map(|(shortest, _)| shortest).min().unwrap_or_default();
    let longest = lengths().map(|(_, longest)| longest).max().unwrap_or_default();
    let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let (from, to) = (first.to_string(), char::from_u32(u32::from(first) + 1).unwrap_or(char::MAX).to_string());
    let terms = "SELECT term FROM postings WHERE segment = ?1 AND term >= ?2 AND term < ?3 \
         AND length(term) BETWEEN ?4 AND ?5 LIMIT ?6";
    let mut terms = index.transaction.prepare_cached(terms)?;
    let mut room = COMPARED;
    for segment in &index.segments {
        let mut rows = terms.query((segment.id, &from, &to, number(shortest), number(longest), room))?;
        while let Some(row) = rows.next()? {
            room = room.saturating_sub(1);
            let term = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            for word in words.iter_mut() {
                if let Some(near) = word.typed.errors(term)
                    && let Some([in_text, in_headings, _]) = index.containing(segment, term)?
                {
                    word.near.entry(term.to_owned()).or_insert((near, 0)).1 += in_text + in_headings;
                }
            }
        }
    }
    Ok(())
}

/// A term as the best passage that has it writes it.
pub(super) fn as_written(term: &str, roots: &mut Vec<Searched>, failed: &mut Failed) -> Option<String> {
    let (question, unread) = Question::of_terms(vec![term.to_owned()], roots);
    failed.extend(unread);
    if !question.has(term) {
        return None;
    }
    let passages = roots.iter().filter_map(|searched| question.passages(searched, 1).ok()).flatten();
    let texts = passages.flat_map(|passage| [vec![passage.text], passage.headings].concat());
    texts
        .into_iter()
        .find_map(|text| cut_with_parts(&text).find(|word| term_of(word).as_deref() == Some(term)).map(str::to_owned))
}
