//! A claim, prepared to be looked up in many pages.

use std::sync::OnceLock;

use super::common;
use super::dates::{Date, dates};
use super::figures::{Figure, Form, cut, figures};
use super::quotes::{is_title, parts, quotes};
use super::tokens::{Token, tokens};
use crate::core::language::months;

/// A claim as it is compared with pages. Made once, asked of many.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(super) text: String,
    pub(super) tokens: Vec<Token>,
    /// Stems that say something, each once, with how much it says.
    pub(super) terms: Vec<Term>,
    pub(super) weight: f32,
    /// The stems of its words, sorted, each with a bit for every place.
    places: Vec<(u64, u128)>,
    /// The term of each token; fillers have none.
    pub(super) term_of: Vec<Option<usize>>,
    pub(super) names: Vec<Name>,
    pub(super) figures: Vec<Figure>,
    pub(super) dates: Vec<Date>,
    pub(super) quotes: Vec<Quote>,
    /// Made when it is first asked for: most claims never are.
    language: OnceLock<Option<whatlang::Lang>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) stem: u64,
    pub(crate) weight: f32,
}

/// A name in a claim: neighbouring words with capitals.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Whether it may be no name: one word with which a sentence begins.
    pub(crate) doubtful: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Quote {
    pub(crate) written: String,
    pub(crate) parts: Vec<String>,
    /// The stems of a title, which may stand on a page in another form.
    pub(crate) title: Option<Vec<u64>>,
}

/// Terms of one claim that are looked up, so that a set of them is one number.
pub(super) const TERMS: usize = 64;
/// Words of one claim that are looked at; more is a paragraph.
pub(super) const WORDS: usize = 128;

impl Statement {
    pub(crate) fn new(text: &str) -> Self {
        let mut tokens = tokens(text);
        tokens.truncate(WORDS);
        let all_fillers = tokens.iter().all(|token| token.filler);
        let mut terms: Vec<Term> = Vec::new();
        let mut term_of = Vec::with_capacity(tokens.len());
        for token in &tokens {
            let known = terms.iter().position(|term| term.stem == token.stem);
            let new = known.is_none() && (!token.filler || all_fillers) && terms.len() < TERMS;
            if new {
                terms.push(Term { stem: token.stem, weight: common::weight(token.stem) });
            }
            term_of.push(known.or(new.then(|| terms.len() - 1)).filter(|_| !token.filler || all_fillers));
        }
        let mut places: Vec<(u64, u128)> = tokens.iter().enumerate().map(|(at, token)| (token.stem, 1 << at)).collect();
        places.sort_unstable_by_key(|(stem, _)| *stem);
        places.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 |= if same { next.1 } else { 0 };
            same
        });
        let weight = terms.iter().map(|term| term.weight).sum();
        let dates = dates(text, &tokens);
        let in_date = |figure: &Figure| dates.iter().any(|date| figure.first >= date.first && figure.last <= date.last);
        let figures = figures(text, &tokens)
            .into_iter()
            .filter(|figure| (figure.last as usize) < tokens.len() && figure.form != Form::Weak && !in_date(figure))
            .collect();
        let names = names(text, &tokens);
        let stems = |quote: &str| {
            super::tokens::tokens(quote).iter().filter(|token| !token.filler).map(|token| token.stem).collect()
        };
        let quoted = quotes(text).into_iter().map(|quote| Quote {
            written: quote.to_owned(),
            parts: parts(quote),
            title: is_title(quote).then(|| stems(quote)),
        });
        let quotes = quoted.filter(|quote| !quote.parts.is_empty()).collect();
        let (text, language) = (text.to_owned(), OnceLock::new());
        Self { text, tokens, terms, weight, places, term_of, names, figures, dates, quotes, language }
    }

    /// The language it is written in, where that can be told.
    pub(super) fn language(&self) -> Option<whatlang::Lang> {
        *self.language.get_or_init(|| super::page::language(&self.text))
    }

    /// Whether it has a figure that another page could have otherwise.
    pub(crate) fn has_figures(&self) -> bool {
        !self.figures.is_empty()
    }

    /// The places of a stem in the claim, a bit for each.
    pub(super) fn places_of(&self, stem: u64) -> u128 {
        let at = self.places.binary_search_by_key(&stem, |(known, _)| *known).ok();
        at.and_then(|at| self.places.get(at)).map_or(0, |(_, places)| *places)
    }

    pub(super) fn written(&self, first: usize, last: usize) -> &str {
        let start = self.tokens.get(first).map_or(0, |token| token.start as usize);
        let end = self.tokens.get(last).map_or(start, |token| token.end as usize);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The terms next to a place in the claim, nearest first.
    pub(super) fn neighbours(&self, first: usize, last: usize, reach: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for step in 1..=reach {
            for at in [first.checked_sub(step), Some(last + step)].into_iter().flatten() {
                let term = self
                    .term_of
                    .get(at)
                    .copied()
                    .flatten()
                    .filter(|_| self.tokens.get(at).is_some_and(|token| !token.digit));
                found.extend(term.filter(|term| !found.contains(term)));
            }
        }
        found
    }
}

/// Words that begin with a capital and are no names of anything.
pub(super) fn is_calendar(text: &str, token: &Token) -> bool {
    const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let word = cut(text, token);
    DAYS.contains(&word) || months::english(word).is_some()
}

fn names(text: &str, tokens: &[Token]) -> Vec<Name> {
    let named = |token: &Token| token.capital && !token.filler && !is_calendar(text, token);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if !named(token) {
            at += 1;
            continue;
        }
        let first = at;
        let mut last = at;
        while let Some(next) = tokens.get(last + 1).filter(|next| named(next) && touches(text, tokens, last, next)) {
            let _ = next;
            last += 1;
        }
        let doubtful = token.opens && (first == last || common::is_common(token.stem));
        let first = if doubtful && first != last { first + 1 } else { first };
        let alone = first == last;
        let opens = tokens.get(first).is_some_and(|token| token.opens);
        found.push(Name { first, last, doubtful: alone && opens });
        at = last + 1;
    }
    found
}

/// Whether only a space, a hyphen or the stop of an initial stands between two words.
fn touches(text: &str, tokens: &[Token], at: usize, next: &Token) -> bool {
    let end = tokens.get(at).map_or(0, |token| token.end as usize);
    text.get(end..next.start as usize).is_some_and(|gap| matches!(gap, " " | "-" | ". " | "." | "\u{a0}" | " & "))
}
