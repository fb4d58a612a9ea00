//! A name in a claim must be known to the page: whole, by its surname, or by its first letters.

use super::super::common;
use super::super::features::{PLACES, ratio};
use super::super::figures::cut;
use super::super::page::Page;
use super::super::statement::{Name, Statement};
use super::super::tokens::{Token, fold, hash};
use super::{Check, Finding};

/// How far the words next to a name may stand from it, in the claim and on the page.
const IN_CLAIM: usize = 4;
const ON_PAGE: usize = 12;

/// Names that mean one thing. A page that has one of a line knows the others.
const ALIASES: [&[&str]; 4] = [
    &["us", "usa", "america", "american", "americans", "states"],
    &["uk", "britain", "british", "england", "english", "kingdom"],
    &["eu", "europe", "european"],
    &["ussr", "soviet", "russia", "russian"],
];
/// What follows a name that begins a sentence, and seldom another word.
const AFTER_A_NAME: [&str; 14] =
    ["was", "is", "has", "had", "did", "will", "would", "said", "says", "died", "became", "won", "also", "and"];

pub(super) fn check(claim: &Statement, page: &Page) -> Vec<Finding> {
    let absent = claim.names.iter().filter(|name| is_checked(claim, name) && !is_known(claim, page, name));
    let reason = |name: &Name| format!("the name '{}' is not on this page", claim.written(name.first, name.last));
    absent.map(|name| Finding::partial(Check::Name, reason(name))).collect()
}

/// Whether words with capitals are a name that the page must know. Left out are what may be no name, what the claim itself abbreviates
/// in brackets, and what it quotes, which has a check of its own.
fn is_checked(claim: &Statement, name: &Name) -> bool {
    let Some(words) = claim.tokens.get(name.first..=name.last) else { return false };
    let written = claim.written(name.first, name.last);
    let start = words.first().map_or(0, |token| token.start as usize);
    let before = claim.text.get(..start).and_then(|text| text.chars().next_back());
    let after = claim.text.get(start + written.len()..).and_then(|text| text.chars().next());
    let abbreviated = before == Some('(') && after == Some(')');
    let quoted = claim.quotes.iter().any(|quote| quote.written.contains(written));
    let sign = words.len() == 1 && (written.chars().count() < 2 || written.chars().any(char::is_numeric));
    let ordinary = words.len() == 1 && words.iter().all(|token| common::is_common(token.stem));
    !abbreviated && !quoted && !sign && !ordinary && (!name.doubtful || begins_a_sentence(claim, name))
}

/// Whether one word that begins a sentence is a name, by what follows it.
fn begins_a_sentence(claim: &Statement, name: &Name) -> bool {
    let next = claim.tokens.get(name.last + 1).map(|token| cut(&claim.text, token));
    let owner = claim.written(name.first, name.last).ends_with(['s', 'S']) && claim.written(name.first, name.last).contains(['\'', '’']);
    owner || next.is_some_and(|next| AFTER_A_NAME.contains(&next))
}

/// Whether the page knows a name: its last word, more than half of its words, its acronym, or another name for it.
fn is_known(claim: &Statement, page: &Page, name: &Name) -> bool {
    let words = claim.tokens.get(name.first..=name.last).unwrap_or_default();
    let known = |token: &Token| page.has_word(token.word) || is_form(claim, page, token);
    let count = words.iter().filter(|token| known(token)).count();
    let mut initials = String::new();
    for token in words {
        cut(&claim.text, token).chars().next().into_iter().for_each(|c| fold(c, &mut initials, 16));
    }
    let acronym = words.len() > 1 && page.has_word(hash(&initials));
    let alias = |token: &Token| {
        let line = ALIASES.iter().find(|line| line.iter().any(|alias| hash(alias) == token.word));
        line.is_some_and(|line| line.iter().any(|alias| page.has_word(hash(alias))))
    };
    words.last().is_some_and(|last| known(last) || alias(last))
        || count * 2 > words.len()
        || acronym
        || words.iter().all(|token| spelt_out(claim, page, token))
}

/// Whether a name stands on the page in another form: `Germany` and `German`, `Lark` and `Larks`.
fn is_form(claim: &Statement, page: &Page, token: &Token) -> bool {
    let word: String = cut(&claim.text, token).to_lowercase();
    let bare = word.strip_suffix('s').filter(|bare| bare.len() > 2);
    bare.is_some_and(|bare| page.has_word(hash(bare)))
        || page.has_word(hash(&format!("{word}s")))
        || (DEMONYM.iter().any(|end| word.ends_with(end)) && page.has_stem(token.stem))
        || DEMONYM.iter().any(|end| page.has_word(hash(&format!("{word}{end}"))))
}

/// Endings that make a word for people of a name.
const DEMONYM: [&str; 9] = ["an", "ian", "n", "ese", "ish", "i", "ism", "ist", "ic"];

/// Whether an acronym of the claim is spelt out on the page.
fn spelt_out(claim: &Statement, page: &Page, token: &Token) -> bool {
    let word = cut(&claim.text, token);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    (2..7).contains(&letters) && word.chars().all(|c| !c.is_lowercase()) && page.initials.binary_search(&token.word).is_ok()
}

/// How little the words next to the claim's names stand near them on the page: the worst name, 0 to 1.
pub(crate) fn apart(claim: &Statement, page: &Page) -> f32 {
    let one = |name: &Name| {
        let neighbours = claim.neighbours(name.first, name.last, IN_CLAIM);
        if neighbours.is_empty() {
            return 0.0;
        }
        let stem = claim.tokens.get(name.last).map_or(0, |token| token.stem);
        let near = page.places(stem).iter().take(PLACES).map(|(_, place)| {
            let from = (*place as usize).saturating_sub(ON_PAGE);
            let tokens = page.tokens.get(from..(*place as usize + ON_PAGE).min(page.tokens.len())).unwrap_or_default();
            let here = |term: &&usize| claim.terms.get(**term).is_some_and(|term| tokens.iter().any(|token| token.stem == term.stem));
            ratio(neighbours.iter().filter(here).count(), neighbours.len())
        });
        1.0 - near.fold(0.0, f32::max)
    };
    claim.names.iter().map(one).fold(0.0, f32::max)
}
