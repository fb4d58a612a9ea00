//! `not` and opposites: looked at only where the best sentences have the same word or its opposite.

use std::ops::Range;

use super::super::page::Page;
use super::super::statement::Statement;
use super::super::tokens::{Token, hash};
use super::super::windows::Places;
use super::opposites::opposites;
use super::{Check, Finding};

/// Words that turn what follows into its opposite.
const NOT: [u64; 8] = [
    hash("not"), hash("never"), hash("no"), hash("neither"), hash("nor"), hash("none"), hash("without"), hash("nothing"),
];
/// Words that say no in other ways; a page may have them for the claim's `not`.
const SAYS_NO: [u64; 36] = [
    hash("fail"), hash("fails"), hash("failed"), hash("failing"), hash("lack"), hash("lacks"), hash("lacked"), hash("lacking"),
    hash("unable"), hash("unlike"), hash("unlikely"), hash("rather"), hash("instead"), hash("hardly"), hash("rarely"),
    hash("nobody"), hash("refuse"), hash("refused"), hash("refuses"), hash("denied"), hash("deny"), hash("denies"),
    hash("avoid"), hash("prevent"), hash("prevents"), hash("prevented"), hash("impossible"), hash("except"), hash("non"),
    hash("absence"), hash("neglected"), hash("prohibited"), hash("unknown"), hash("few"), hash("little"), hash("yet"),
];
/// Words after which `not` denies nothing: `not only`.
const EMPTY: [u64; 5] = [hash("only"), hash("just"), hash("merely"), hash("necessarily"), hash("matter")];
/// How far behind `not` the word stands that it denies, and how far around a word it is looked for.
const REACH: usize = 4;
const BEFORE: usize = 6;
const AFTER: usize = 3;

pub(super) fn check(claim: &Statement, page: &Page, places: &Places) -> Vec<Finding> {
    let sentence = page.tokens_of(&places.best[0].sentences);
    let window = page.tokens_of(&places.best[2].sentences);
    let mut found: Vec<Finding> = Vec::new();
    found.extend(denied_by_claim(claim, page, &window));
    found.extend(denied_by_page(claim, page, &sentence, &window));
    found.extend(opposite(claim, page, &window));
    found
}

fn is_not(tokens: &[Token], at: usize) -> bool {
    let follows = |offset: usize| tokens.get(at + offset).is_some_and(|token| EMPTY.contains(&token.word));
    tokens.get(at).is_some_and(|token| NOT.contains(&token.word)) && !follows(1)
}

fn says_no(tokens: &[Token], at: usize) -> bool {
    is_not(tokens, at) || tokens.get(at).is_some_and(|token| SAYS_NO.contains(&token.word))
}

/// The word that a `not` denies: the next one that says something.
fn denied(tokens: &[Token], at: usize) -> Option<usize> {
    let behind = (at + 1..tokens.len().min(at + 1 + REACH)).find(|at| tokens.get(*at).is_some_and(|token| !token.filler));
    behind.or_else(|| (0..at).rev().take(REACH).find(|at| tokens.get(*at).is_some_and(|token| !token.filler)))
}

/// Whether a word near this place says no.
fn near_no(tokens: &[Token], at: usize) -> bool {
    (at.saturating_sub(BEFORE)..tokens.len().min(at + 1 + AFTER)).any(|other| other != at && says_no(tokens, other))
}

fn shown<'a>(text: &'a str, token: &Token) -> &'a str {
    text.get(token.start as usize..token.end as usize).unwrap_or_default()
}

/// The claim denies what the sentences say.
fn denied_by_claim(claim: &Statement, page: &Page, window: &Range<usize>) -> Option<Finding> {
    let at = (0..claim.tokens.len()).find(|at| is_not(&claim.tokens, *at))?;
    let word = claim.tokens.get(denied(&claim.tokens, at)?)?;
    let tokens = page.tokens.get(window.clone()).unwrap_or_default();
    let mut same = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(|token| token.stem == word.stem)).peekable();
    let holds = if same.peek().is_some() { same.any(|at| near_no(tokens, at)) } else { (0..tokens.len()).any(|at| says_no(tokens, at)) };
    let no = claim.tokens.get(at).map(|token| shown(&claim.text, token)).unwrap_or_default();
    let reason = || format!("the claim says '{no}' of '{}'; these sentences do not", shown(&claim.text, word));
    (!holds).then(|| Finding::partial(Check::Negation, reason()))
}

/// The best sentence denies what the claim says.
fn denied_by_page(claim: &Statement, page: &Page, sentence: &Range<usize>, window: &Range<usize>) -> Option<Finding> {
    let tokens = page.tokens.get(sentence.clone()).unwrap_or_default();
    let around = page.tokens.get(window.clone()).unwrap_or_default();
    (0..tokens.len()).filter(|at| is_not(tokens, *at)).find_map(|at| {
        let place = denied(tokens, at).filter(|place| (at..at + 3).contains(place))?;
        let word = tokens.get(place)?;
        let affirmed = (0..around.len()).any(|at| around.get(at).is_some_and(|token| token.stem == word.stem) && !near_no(around, at));
        let mut said = (0..claim.tokens.len()).filter(|at| claim.tokens.get(*at).is_some_and(|token| token.stem == word.stem)).peekable();
        let in_claim = said.peek().is_some();
        let denied_too = said.any(|at| near_no(&claim.tokens, at));
        let reason = format!("these sentences say 'not' of '{}'; the claim does not", shown(&page.text, word));
        (in_claim && !denied_too && !affirmed).then(|| Finding::partial(Check::Negation, reason))
    })
}

/// The claim has the opposite of a word of the sentences, in the same place.
fn opposite(claim: &Statement, page: &Page, window: &Range<usize>) -> Option<Finding> {
    let tokens = page.tokens.get(window.clone()).unwrap_or_default();
    let words: Vec<String> = tokens.iter().map(|token| shown(&page.text, token).to_lowercase()).collect();
    (0..claim.tokens.len()).find_map(|at| {
        let said = shown(&claim.text, claim.tokens.get(at)?).to_lowercase();
        let against = opposites(&said)?;
        let neighbours = claim.neighbours(at, at, 3);
        let fits = |place: usize| {
            let near = tokens.get(place.saturating_sub(4)..tokens.len().min(place + 5)).unwrap_or_default();
            neighbours.iter().filter(|term| claim.terms.get(**term).is_some_and(|term| near.iter().any(|token| token.stem == term.stem))).count()
        };
        let best = |matches: &dyn Fn(&str) -> bool| {
            let places = (0..words.len()).filter(|at| words.get(*at).is_some_and(|word| matches(word)));
            places.map(|place| (fits(place), usize::MAX - place)).max()
        };
        let same = best(&|word| super::opposites::same(word, &said));
        let other = best(&|word| against.iter().any(|opposite| super::opposites::same(word, opposite)))?;
        let word = words.get(usize::MAX - other.1)?;
        // A `not` at the opposite makes both say the same.
        let turned = near_no(tokens, usize::MAX - other.1) != near_no(&claim.tokens, at);
        let conflict = same.is_none_or(|same| other.0 > same.0) && other.0 > 0 && !turned;
        conflict.then(|| Finding::partial(Check::Antonym, format!("the claim says '{said}'; these sentences say '{word}'")))
    })
}
