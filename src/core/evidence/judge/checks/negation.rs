//! `not` and opposites: looked at only where the best sentences have the same word or its opposite.

use std::ops::Range;

use super::super::page::Page;
use super::super::statement::Statement;
use super::super::tokens::{Token, hash};
use super::super::windows::Places;
use super::opposites;
use super::{Check, Finding};

/// Words that turn what follows into its opposite.
const NOT: [u64; 8] = [
    hash("not"),
    hash("never"),
    hash("no"),
    hash("neither"),
    hash("nor"),
    hash("none"),
    hash("without"),
    hash("nothing"),
];
/// Words that say no in other ways; a page may have them for the claim's `not`.
const SAYS_NO: [u64; 36] = [
    hash("fail"),
    hash("fails"),
    hash("failed"),
    hash("failing"),
    hash("lack"),
    hash("lacks"),
    hash("lacked"),
    hash("lacking"),
    hash("unable"),
    hash("unlike"),
    hash("unlikely"),
    hash("rather"),
    hash("instead"),
    hash("hardly"),
    hash("rarely"),
    hash("nobody"),
    hash("refuse"),
    hash("refused"),
    hash("refuses"),
    hash("denied"),
    hash("deny"),
    hash("denies"),
    hash("avoid"),
    hash("prevent"),
    hash("prevents"),
    hash("prevented"),
    hash("impossible"),
    hash("except"),
    hash("non"),
    hash("absence"),
    hash("neglected"),
    hash("prohibited"),
    hash("unknown"),
    hash("few"),
    hash("little"),
    hash("yet"),
];
/// Words after which `not` denies nothing: `not only`.
const EMPTY: [u64; 5] = [hash("only"), hash("just"), hash("merely"), hash("necessarily"), hash("matter")];
/// How far behind `not` the word stands that it denies, and how far around a word it is looked for.
const REACH: usize = 4;
const BEFORE: usize = 6;
const AFTER: usize = 3;

pub(super) fn check(claim: &Statement, page: &Page, places: &Places<'_>) -> Vec<Finding> {
    let sentence = page.tokens_of(&places.best[0].sentences);
    let window = page.tokens_of(&places.best[2].sentences);
    let mut found: Vec<Finding> = Vec::new();
    found.extend(denied_by_claim(claim, page, &window));
    found.extend(denied_by_page(claim, page, &sentence, &window));
    found.extend(opposite(claim, page, &window));
    found.extend(other_amount(claim, page, &window));
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
    let behind =
        (at + 1..tokens.len().min(at + 1 + REACH)).find(|at| tokens.get(*at).is_some_and(|token| !token.filler));
    behind.or_else(|| (0..at).rev().take(REACH).find(|at| tokens.get(*at).is_some_and(|token| !token.filler)))
}

/// Whether a word near this place says no.
fn near_no(tokens: &[Token], at: usize) -> bool {
    (at.saturating_sub(BEFORE)..tokens.len().min(at + 1 + AFTER)).any(|other| other != at && says_no(tokens, other))
}

fn shown<'a>(text: &'a str, token: &Token) -> &'a str {
    let word = text.get(token.start as usize..token.end as usize).unwrap_or_default();
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// The claim denies what the sentences say.
fn denied_by_claim(claim: &Statement, page: &Page, window: &Range<usize>) -> Option<Finding> {
    let tokens = page.tokens.get(window.clone()).unwrap_or_default();
    let of = |stem: u64| (0..tokens.len()).filter(move |at| tokens.get(*at).is_some_and(|token| token.stem == stem));
    let nots: Vec<usize> = (0..claim.tokens.len()).filter(|at| is_not(&claim.tokens, *at)).collect();
    let said_no = (0..tokens.len()).filter(|at| says_no(tokens, *at)).count();
    nots.iter().find_map(|at| {
        let word = claim.tokens.get(denied(&claim.tokens, *at)?)?;
        let near = || {
            claim
                .neighbours(*at, *at, 3)
                .into_iter()
                .filter_map(|term| claim.terms.get(term))
                .any(|term| of(term.stem).any(|at| near_no(tokens, at)))
        };
        let same = of(word.stem).next().is_some();
        let holds = nots.len() <= said_no && if same { of(word.stem).any(|at| near_no(tokens, at)) } else { near() };
        let no = claim.tokens.get(*at).map(|token| shown(&claim.text, token)).unwrap_or_default();
        let reason = || format!("the claim says '{no}' of '{}'; these sentences do not", shown(&claim.text, word));
        (!holds).then(|| Finding::partial(Check::Negation, reason()))
    })
}

/// The best sentence denies what the claim says.
fn denied_by_page(claim: &Statement, page: &Page, sentence: &Range<usize>, window: &Range<usize>) -> Option<Finding> {
    let tokens = page.tokens.get(sentence.clone()).unwrap_or_default();
    let around = page.tokens.get(window.clone()).unwrap_or_default();
    (0..tokens.len()).filter(|at| is_not(tokens, *at)).find_map(|at| {
        let place = denied(tokens, at).filter(|place| (at..at + 3).contains(place))?;
        let word = tokens.get(place)?;
        let affirmed = (0..around.len())
            .any(|at| around.get(at).is_some_and(|token| token.stem == word.stem) && !near_no(around, at));
        let mut said = (0..claim.tokens.len())
            .filter(|at| claim.tokens.get(*at).is_some_and(|token| token.stem == word.stem))
            .peekable();
        let in_claim = said.peek().is_some();
        let denied_too = said.any(|at| near_no(&claim.tokens, at));
        let reason = format!("these sentences say 'not' of '{}'; the claim does not", shown(&page.text, word));
        (in_claim && !denied_too && !affirmed).then(|| Finding::partial(Check::Negation, reason))
    })
}

/// The claim has the opposite of a word of the sentences.
fn opposite(claim: &Statement, page: &Page, window: &Range<usize>) -> Option<Finding> {
    let tokens = page.tokens.get(window.clone()).unwrap_or_default();
    let here: Vec<String> = tokens.iter().map(|token| shown(&page.text, token).to_lowercase()).collect();
    let claimed: Vec<String> = claim.tokens.iter().map(|token| shown(&claim.text, token).to_lowercase()).collect();
    claimed.iter().enumerate().find_map(|(at, said)| {
        let against = opposites::opposites(said)?;
        let is_same = |word: &String| opposites::same(word, said);
        let is_other = |word: &String| against.iter().any(|opposite| opposites::same(word, opposite));
        let count = |words: &[String], is: &dyn Fn(&String) -> bool| words.iter().filter(|word| is(word)).count();
        let Some(place) = place_of(claim, at, tokens, &here, &is_other) else {
            return one_sided(claim, page, at, said, &here);
        };
        let word = here.get(place)?;
        // A `not` at the opposite makes both say the same.
        let turned = near_no(tokens, place) != near_no(&claim.tokens, at);
        let same = place_of(claim, at, tokens, &here, &is_same);
        let fit = closeness(claim, at, tokens, place);
        let both = claimed.iter().any(is_other);
        let closer = !both && same.is_none_or(|same| fit > closeness(claim, at, tokens, same));
        let more =
            count(&claimed, &is_same) > count(&here, &is_same) && count(&claimed, &is_other) < count(&here, &is_other);
        let conflict = (closer || more) && !turned;
        conflict
            .then(|| Finding::partial(Check::Antonym, format!("the claim says '{said}'; these sentences say '{word}'")))
    })
}

/// Words that say how many of something; those of one row say the same.
const AMOUNTS: [&[u64]; 4] = [
    &[hash("all"), hash("every"), hash("each")],
    &[hash("most"), hash("majority")],
    &[hash("some"), hash("several")],
    &[hash("few")],
];

/// The row of a word and the next word that says something: `most of the members`.
fn amount(tokens: &[Token], at: usize) -> Option<(usize, u64)> {
    let word = tokens.get(at)?.word;
    let row = AMOUNTS.iter().position(|row| row.contains(&word))?;
    let behind = tokens.iter().skip(at + 1).take(REACH).find(|token| !token.filler)?;
    Some((row, behind.stem))
}

/// The claim says that of all which the sentences say of most.
fn other_amount(claim: &Statement, page: &Page, window: &Range<usize>) -> Option<Finding> {
    let tokens = page.tokens.get(window.clone()).unwrap_or_default();
    let here: Vec<(usize, usize, u64)> =
        (0..tokens.len()).filter_map(|at| amount(tokens, at).map(|(row, of)| (at, row, of))).collect();
    (0..claim.tokens.len()).find_map(|at| {
        let (row, of) = amount(&claim.tokens, at)?;
        let mut alike = here.iter().filter(|(_, _, other)| *other == of).peekable();
        let (place, _, _) = alike.peek()?;
        let other = tokens.get(*place).map(|token| shown(&page.text, token)).unwrap_or_default().to_lowercase();
        let said = claim.tokens.get(at).map(|token| shown(&claim.text, token)).unwrap_or_default().to_lowercase();
        let is_other = alike.all(|(_, other, _)| *other != row);
        is_other.then(|| {
            Finding::partial(Check::Antonym, format!("the claim says '{said}'; these sentences say '{other}'"))
        })
    })
}

/// How many words next to a place of the claim stand next to a place of the window.
fn fits(claim: &Statement, at: usize, tokens: &[Token], place: usize) -> usize {
    let near = tokens.get(place.saturating_sub(4)..tokens.len().min(place + 5)).unwrap_or_default();
    let here =
        |term: &usize| claim.terms.get(*term).is_some_and(|term| near.iter().any(|token| token.stem == term.stem));
    claim.neighbours(at, at, 3).iter().filter(|term| here(term)).count()
}

/// How close a place of the window is to one of the claim: by the words around both that are the same one after the other, if they are many, and then
/// by those that stand near.
fn closeness(claim: &Statement, at: usize, tokens: &[Token], place: usize) -> (usize, usize) {
    let is_same =
        |step: usize| claim.tokens.get(at + step).zip(tokens.get(place + step)).is_some_and(|(a, b)| a.word == b.word);
    let behind = (1..=RUN).take_while(|step| is_same(*step)).count();
    let is_same_back = |step: usize| {
        let pair = at.checked_sub(step).zip(place.checked_sub(step));
        let pair = pair.and_then(|(at, place)| claim.tokens.get(at).zip(tokens.get(place)));
        pair.is_some_and(|(a, b)| a.word == b.word)
    };
    let before = (1..=RUN).take_while(|step| is_same_back(*step)).count();
    // A subject has many verbs; what stands behind a verb belongs to it alone.
    let run = before + 2 * behind;
    (if before + behind >= LONG_RUN { run } else { 0 }, fits(claim, at, tokens, place))
}

/// Words around a place that are compared one after the other, and how many of them are no chance.
const RUN: usize = 8;
const LONG_RUN: usize = 4;

/// Where in the window one of these words fits the claim best.
fn place_of(
    claim: &Statement,
    at: usize,
    tokens: &[Token],
    words: &[String],
    is: &dyn Fn(&String) -> bool,
) -> Option<usize> {
    let places = (0..words.len()).filter(|place| words.get(*place).is_some_and(is));
    places.max_by_key(|place| (closeness(claim, at, tokens, *place), usize::MAX - place))
}

/// The claim has a word that a page which is retold with it has too, and this page has neither it nor one like it.
fn one_sided(claim: &Statement, page: &Page, at: usize, said: &str, window: &[String]) -> Option<Finding> {
    let token = claim.tokens.get(at)?;
    let like = opposites::alike(said);
    let there =
        page.has_stem(token.stem) || window.iter().any(|word| like.iter().any(|like| opposites::same(word, like)));
    // `at least` and `a few` are said of anything.
    let phrase = at
        .checked_sub(1)
        .and_then(|at| claim.tokens.get(at))
        .is_some_and(|token| [hash("at"), hash("a")].contains(&token.word));
    let missing = opposites::is_marked(said) && !there && !phrase;
    missing.then(|| Finding::partial(Check::Antonym, format!("the claim says '{said}'; this page does not")))
}
