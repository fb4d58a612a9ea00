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

pub(super) fn check(claim: &Statement, page: &Page) -> Vec<Finding> {
    let absent = claim.names.iter().filter(|name| !(name.doubtful && !looks_like_one(claim, name)) && !is_known(claim, page, name));
    let absent = absent.map(|name| {
        let reason = format!("the name '{}' is not on this page", claim.written(name.first, name.last));
        Finding::partial(Check::Name, reason)
    });
    absent.collect()
}

/// Whether one word that begins a sentence is a name for all that: it is no word that many pages have, nor a form of one.
fn looks_like_one(claim: &Statement, name: &Name) -> bool {
    let Some(token) = claim.tokens.get(name.first) else { return false };
    let word = cut(&claim.text, token).to_lowercase();
    let ordinary = ["ing", "ed", "ly", "tion", "tions", "ment", "ments", "ers", "ies", "ity", "ness", "ists", "ants", "ents"];
    !common::is_common(token.stem) && !ordinary.iter().any(|end| word.ends_with(end)) && word.len() >= 3
}

/// Whether the page knows a name: its last word, at least half of its words, or its acronym.
fn is_known(claim: &Statement, page: &Page, name: &Name) -> bool {
    let words = claim.tokens.get(name.first..=name.last).unwrap_or_default();
    let known = |token: &Token| page.has_word(token.word) || is_form(claim, page, token);
    let count = words.iter().filter(|token| known(token)).count();
    let mut initials = String::new();
    for token in words {
        cut(&claim.text, token).chars().next().into_iter().for_each(|c| fold(c, &mut initials));
    }
    let acronym = words.len() > 1 && page.has_word(hash(&initials));
    words.last().is_some_and(known) || count * 2 > words.len() || acronym || words.iter().all(|token| spelt_out(claim, page, token))
}

/// Whether a name stands on the page in another form: `Germany` and `German`, `Lark` and `Larks`.
fn is_form(claim: &Statement, page: &Page, token: &Token) -> bool {
    let word: String = cut(&claim.text, token).to_lowercase();
    let bare = word.strip_suffix('s').filter(|bare| bare.len() > 2);
    bare.is_some_and(|bare| page.has_word(hash(bare)))
        || page.has_word(hash(&format!("{word}s")))
        || (word.len() >= 5 && page.has_stem(token.stem) && !word.is_ascii_digit_start())
}

trait AsciiDigitStart {
    fn is_ascii_digit_start(&self) -> bool;
}
impl AsciiDigitStart for String {
    fn is_ascii_digit_start(&self) -> bool {
        self.starts_with(|c: char| c.is_ascii_digit())
    }
}

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
