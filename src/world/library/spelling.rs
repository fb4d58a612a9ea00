//! Words of a question that stand in no index, and the nearest ones that do.

use std::collections::BTreeMap;

use super::fault::Fault;
use super::index::Snapshot;
use super::search::{Question, Searched};
use super::words::{cut, question_words, term_of};
use crate::core::evidence::passage::Respelled;
use crate::core::text::spelling::Typed;

/// Words of one question that are looked for.
const WORDS: usize = 4;

/// The question with the nearest words in the place of those that stand nowhere; `None` where all stand somewhere or none is near.
/// An index that cannot be read has none: the search says so.
pub(super) fn respelled(query: &str, asked: &Question, roots: &mut Vec<Searched>) -> Option<Respelled> {
    let mut spelt = Respelled { query: query.to_owned(), words: Vec::new() };
    let unknown = question_words(query).filter(|(_, term)| !asked.has(term));
    for (word, term) in unknown.take(WORDS) {
        let Some(typed) = Typed::new(&word.to_lowercase(), &term) else { continue };
        let mut near: BTreeMap<String, (usize, u64)> = BTreeMap::new();
        for searched in roots.iter() {
            // An index that cannot be read is told of by the search itself.
            let _ = searched.index.at_last_commit(|index| collect(index, &typed, &mut near));
        }
        let best = near.into_iter().min_by_key(|(_, (errors, passages))| (*errors, std::cmp::Reverse(*passages)));
        let Some(meant) = best.and_then(|(term, _)| as_written(&term, roots)) else { continue };
        spelt.query = spelt.query.replacen(word, &meant, 1);
        spelt.words.push((word.to_owned(), meant));
    }
    (!spelt.words.is_empty()).then_some(spelt)
}

/// The terms of an index that are near, with their errors and in how many passages they stand.
fn collect(index: &Snapshot<'_>, typed: &Typed, near: &mut BTreeMap<String, (usize, u64)>) -> Result<(), Fault> {
    let Some(first) = typed.first() else { return Ok(()) };
    let (shortest, longest) = typed.lengths();
    let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let (from, to) = (first.to_string(), char::from_u32(u32::from(first) + 1).unwrap_or(char::MAX).to_string());
    let terms = "SELECT term, in_text + in_headings FROM postings WHERE segment = ?1 AND term >= ?2 AND term < ?3 \
         AND length(term) BETWEEN ?4 AND ?5";
    let mut terms = index.transaction.prepare_cached(terms)?;
    for segment in &index.segments {
        let mut rows = terms.query((segment.id, &from, &to, number(shortest), number(longest)))?;
        while let Some(row) = rows.next()? {
            let term = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            if let Some(errors) = typed.errors(term) {
                let passages: u32 = row.get(1)?;
                near.entry(term.to_owned()).or_insert((errors, 0)).1 += u64::from(passages);
            }
        }
    }
    Ok(())
}

/// A term as the best passage that has it writes it.
fn as_written(term: &str, roots: &mut Vec<Searched>) -> Option<String> {
    let (question, _) = Question::of_terms(vec![term.to_owned()], roots);
    let passages = roots.iter().filter_map(|searched| question.passages(searched, 1).ok()).flatten();
    let texts = passages.flat_map(|passage| [vec![passage.text], passage.headings].concat());
    texts.into_iter().find_map(|text| cut(&text).find(|word| term_of(word).as_deref() == Some(term)).map(str::to_owned))
}
