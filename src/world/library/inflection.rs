//! The forms of a question's words that stand in indexes, where the question is in a language other than English.
//!
//! Terms are English stems, whatever language a document is in: the endings of others stay on their words. A question in one of them also
//! looks up the words of the index that have the same stem in its language.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use frostem::{Algorithm, Stemmer};

use super::fault::Fault;
use super::index::Snapshot;
use super::search::{Failed, Searched};
use super::words::term_of;
use crate::core::base::sorting::sort_by_key;
use crate::core::language::detect::{Forms, Language};
use crate::core::language::fold::folded;
use crate::core::language::french::irregular_forms;
use crate::core::language::german::{is_other_noun, strong_forms};
use crate::core::language::words::words;

/// Terms of one segment that are compared for one word; few words share their first letters with more.
const COMPARED: u32 = 2_000;
/// Forms of one word that are looked up, the commonest first.
const FORMS: usize = 16;

/// The other terms in these roots that are forms of each of these terms of a question; roots whose index cannot be read are handed back.
pub(super) fn forms(
    language: Language,
    query: &str,
    terms: &[String],
    roots: &mut Vec<Searched>,
) -> (BTreeMap<String, Vec<String>>, Failed) {
    let stemmer = Stemmer::new(algorithm(language));
    let mut found: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
    let mut failed = Vec::new();
    for searched in std::mem::take(roots) {
        let read = searched.index.at_last_commit(|index| {
            for term in terms {
                collect(index, &stemmer, term, found.entry(term).or_default())?;
            }
            Ok(())
        });
        match read {
            Ok(()) => roots.push(searched),
            Err(fault) => failed.push((searched, fault)),
        }
    }
    let written: BTreeMap<String, String> =
        words(query).map(|word| folded(&word)).filter_map(|word| Some((term_of(&word)?, word))).collect();
    let forms = found.into_iter().map(|(term, mut forms)| {
        // A term is often shorter than the word that was written.
        let stands = forms.remove(term).is_some();
        let word = written.get(term);
        let is_other = |form: &str| word.is_some_and(|word| stands && is_other_noun(word, form));
        // What carries grammar is no form of what is asked for: `nach` of `nächste`.
        let is_wrong = |form: &str| language.is_function_word(form) || (language == Language::German && is_other(form));
        forms.retain(|form, _| !is_wrong(form));
        let mut forms: Vec<(String, u64)> = forms.into_iter().collect();
        sort_by_key(&mut forms, |(_, passages)| Reverse(*passages));
        let mut forms: Vec<String> = forms.into_iter().take(FORMS).map(|(form, _)| form).collect();
        if language == Language::German {
            forms.extend(strong_forms(term));
        }
        if language == Language::French {
            forms.extend(irregular_forms(term));
        }
        // What carries grammar stands everywhere: `gibt` of `geben`.
        let mut known = BTreeSet::new();
        forms.retain(|form| known.insert(form.clone()) && !language.is_function_word(form));
        (term.to_owned(), forms)
    });
    (forms.collect(), failed)
}

/// The terms of an index with the same stem, and in how many passages they stand.
fn collect(
    index: &Snapshot<'_>,
    stemmer: &Stemmer,
    term: &str,
    forms: &mut BTreeMap<String, u64>,
) -> Result<(), Fault> {
    let stem = stemmer.stem(term);
    let Some(same) = Forms::new(term, &stem) else { return Ok(()) };
    // The term itself is told with its forms.
    let is_form = |form: &str| form == term || same.has(form, &stemmer.stem(form));
    let terms = "SELECT term FROM postings WHERE segment = ?1 AND term >= ?2 AND term < ?3 LIMIT ?4";
    let mut terms = index.transaction.prepare_cached(terms)?;
    let end = format!("{}{}", same.beginning, char::MAX);
    for segment in &index.segments {
        let mut rows = terms.query((segment.id, &same.beginning, &end, COMPARED))?;
        while let Some(row) = rows.next()? {
            let form = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            if is_form(form)
                && let Some([in_text, in_headings, _]) = index.containing(segment, form)?
            {
                *forms.entry(form.to_owned()).or_default() += in_text + in_headings;
            }
        }
    }
    Ok(())
}

fn algorithm(language: Language) -> Algorithm {
    match language {
        Language::German => Algorithm::German,
        Language::French => Algorithm::French,
        Language::Spanish => Algorithm::Spanish,
        Language::Italian => Algorithm::Italian,
        Language::Portuguese => Algorithm::Portuguese,
        Language::Dutch => Algorithm::Dutch,
        Language::Swedish => Algorithm::Swedish,
        Language::Russian => Algorithm::Russian,
    }
}
