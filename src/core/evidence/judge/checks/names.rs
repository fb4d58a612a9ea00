//! A name in a claim must be known to the page: whole, by its surname, or by its first letters.

use super::super::figures::cut;
use super::super::page::Page;
use super::super::statement::{Name, Statement, is_calendar};
use super::super::tokens::{Token, fold, hash};
use super::super::windows::{PLACES, Places};
use super::super::{common, is_foreign};
use super::place::Place;
use super::{Check, Finding};

/// Names that mean one thing. A page that has one of a line knows the others.
const ALIASES: [&[&str]; 2] = [&["us", "usa", "america", "american", "americans"], &["uk", "britain", "british"]];
/// What follows a name that begins a sentence, and seldom another word.
const AFTER_A_NAME: [&str; 14] =
    ["was", "is", "has", "had", "did", "will", "would", "said", "says", "died", "became", "won", "also", "and"];

pub(super) fn check(claim: &Statement, page: &Page) -> Vec<Finding> {
    // A word that begins a sentence and stands on the page in another form is no name: `Fishing` and `fish`.
    let is_word = |name: &Name| {
        let stem = claim.tokens.get(name.first).map(|token| token.stem);
        name.doubtful && name.first == name.last && stem.is_some_and(|stem| page.has_stem(stem))
    };
    // In another language names stand among translated words, and in German every noun looks like one.
    let foreign = is_foreign(claim, page);
    let is_translated = |name: &Name| {
        let words = claim.tokens.get(name.first..=name.last).unwrap_or_default();
        foreign
            && (claim.language() == Some(whatlang::Lang::Deu) || words.iter().any(|token| page.has_word(token.word)))
    };
    let absent = claim
        .names
        .iter()
        .filter(|name| !is_translated(name))
        .filter(|name| is_checked(claim, name) && !is_known(claim, page, name) && !is_word(name));
    let reason = |name: &Name| format!("the name '{}' is not on this page", claim.written(name.first, name.last));
    absent.map(|name| Finding::partial(Check::Name, reason(name))).collect()
}

/// The first name that the page has, but not where the claim has it.
pub(super) fn misplaced(claim: &Statement, page: &Page, places: &Places<'_>) -> Option<Finding> {
    let known = claim.names.iter().filter(|name| !name.doubtful && is_known(claim, page, name));
    let reason = known.filter_map(|name| {
        let said = claim.written(name.first, name.last);
        let stem = claim.tokens.get(name.last)?.stem;
        // A long name is told in other forms.
        let lost =
            name.last - name.first < 3 && !page.places(stem).is_empty() && own_fits(claim, page, name) < OWN_LEAST;
        match rival(claim, page, places, name) {
            Some(other) => Some(format!("the claim says '{said}' where this page says '{other}'")),
            None => lost.then(|| format!("'{said}' stands on this page, but not next to what the claim says of it")),
        }
    });
    reason.map(|reason| Finding::partial(Check::NamePlace, reason)).next()
}

/// Another name of the best sentences that stands closer to the claim's words than this one does anywhere.
fn rival<'a>(claim: &Statement, page: &'a Page, places: &Places<'_>, name: &Name) -> Option<&'a str> {
    let place = Place::new(claim, name.first, name.last);
    let last = claim.tokens.get(name.last)?;
    let words = name.last - name.first;
    let written = claim.written(name.first, name.last);
    let own = own_fits(claim, page, name);
    // A name that the page does not have has its own check.
    if page.places(last.stem).is_empty() {
        return None;
    }
    let in_claim = |token: &Token| claim.tokens.iter().any(|known| known.stem == token.stem);
    let window = page.tokens_of(&places.best[2].sentences);
    let mut best: Option<(f32, std::ops::Range<usize>)> = None;
    let mut at = window.start;
    while at < window.end {
        let named = |at: usize| {
            page.tokens
                .get(at)
                .filter(|token| token.capital && !token.filler && !token.digit && !is_calendar(&page.text, token))
        };
        let Some(first) = named(at) else {
            at += 1;
            continue;
        };
        let mut end = at + 1;
        while end < window.end && named(end).is_some_and(|token| !token.opens) {
            end += 1;
        }
        let free = page.tokens.get(at..end).unwrap_or_default().iter().all(|token| !in_claim(token));
        // A name for a name: one of as many words, and no word for a people in the place of another name.
        let ordinary = (first.opens && end == at + 1)
            || end - at != words + 1
            || is_demonym(cut(&page.text, first)) != is_demonym(written);
        let fits = place.fits(page, at..end);
        if free && !ordinary && best.as_ref().is_none_or(|(known, _)| fits > *known) {
            best = Some((fits, at..end));
        }
        at = end;
    }
    let (fits, tokens) = best?;
    (fits > own * NAME_MARGIN && fits > NAME_FITS).then(|| page.written(tokens))
}

fn is_demonym(word: &str) -> bool {
    ["ican", "ian", "ish", "ese", "French", "German", "Dutch", "Greek"].iter().any(|end| word.ends_with(end))
}

/// How much closer to the claim's words another name must stand.
const NAME_MARGIN: f32 = 1.0;
/// How much of the claim's words must stand around the other name.
const NAME_FITS: f32 = 0.35;
/// How much of the claim's words must stand around a name somewhere on the page.
const OWN_LEAST: f32 = 0.01;

/// Whether words with capitals are a name that the page must know. Left out are what may be no name, what the claim itself abbreviates
/// in brackets, and what it quotes, which has a check of its own.
fn is_checked(claim: &Statement, name: &Name) -> bool {
    let Some(words) = claim.tokens.get(name.first..=name.last) else { return false };
    let written = claim.written(name.first, name.last);
    let start = words.first().map_or(0, |token| token.start as usize);
    let before = claim.text.get(..start).and_then(|text| text.chars().next_back());
    let after = claim.text.get(start + written.len()..).and_then(|text| text.chars().next());
    let abbreviated = before == Some('(') && after == Some(')') && written.chars().all(|c| !c.is_lowercase());
    let quoted = claim.quotes.iter().any(|quote| quote.written.contains(written));
    let sign = words.len() == 1 && (written.chars().count() < 2 || written.chars().any(char::is_numeric));
    let ordinary = words.len() == 1 && words.iter().all(|token| common::is_common(token.stem));
    !abbreviated && !quoted && !sign && !ordinary && (!name.doubtful || begins_a_sentence(claim, name))
}

/// Whether one word that begins a sentence is a name, by what follows it.
fn begins_a_sentence(claim: &Statement, name: &Name) -> bool {
    let next = claim.tokens.get(name.last + 1).map(|token| cut(&claim.text, token));
    let owner = claim.written(name.first, name.last).ends_with(['s', 'S'])
        && claim.written(name.first, name.last).contains(['\'', '’']);
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
    (2..7).contains(&letters)
        && word.chars().all(|c| !c.is_lowercase())
        && page.initials.binary_search(&token.word).is_ok()
}

/// How badly the names of a claim fit their places on the page: the worst of them, 0 to 1.
pub(crate) fn apart(claim: &Statement, page: &Page) -> f32 {
    let known = claim.names.iter().filter(|name| !name.doubtful);
    known.map(|name| 1.0 - own_fits(claim, page, name).min(1.0)).fold(0.0, f32::max)
}

/// How well a name fits the best of its places on the page.
fn own_fits(claim: &Statement, page: &Page, name: &Name) -> f32 {
    let place = Place::new(claim, name.first, name.last);
    let words = name.last - name.first;
    let stem = claim.tokens.get(name.last).map_or(0, |token| token.stem);
    let fits = page.places(stem).iter().take(PLACES).map(|at| {
        let at = *at as usize;
        place.fits(page, at.saturating_sub(words)..at + 1).max(place.fits(page, at..at + 1))
    });
    fits.fold(0.0, f32::max)
}
