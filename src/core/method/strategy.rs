//! How hard to look: the strategy of one research call.
//!
//! A table and a few rules over whole words. What the caller says counts before what its goal seems to say, and a guess
//! never leads to the dearest level except where the goal itself asks for depth.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::core::base::limits;
use crate::core::base::rows::is_listed;
use crate::core::language::sentences;
use crate::core::language::stems::{alike, stem_of};
use crate::core::language::words::{informative, is_filler, words};
use crate::core::report::explain::{Level, SearchDepth, Strategy};

/// How much is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    Tiny,
    Normal,
    Large,
}

/// What the answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Hint {
    Reference,
    Debug,
    Architecture,
    Research,
}

/// How long a report is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Length {
    Brief,
    Normal,
    Long,
}

/// The inputs of the choice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StrategyInputs<'a> {
    pub(crate) goal: &'a str,
    pub(crate) scope: Option<Scope>,
    pub(crate) hint: Option<Hint>,
    pub(crate) context: Option<&'a str>,
    pub(crate) max_attempts: Option<u32>,
}

impl Level {
    fn lower(self) -> Self {
        match self {
            Self::Deep => Self::Medium,
            Self::Medium | Self::Shallow => Self::Shallow,
            Self::None => Self::None,
        }
    }

    /// The baseline of a level (AS-02).
    fn strategy(self) -> Strategy {
        let (max_attempts, max_results, top_pages, search_depth) = match self {
            Self::None => (0, 0, 0, SearchDepth::Basic),
            Self::Shallow => (1, 3, 1, SearchDepth::Basic),
            Self::Medium => (3, 5, 3, SearchDepth::Basic),
            Self::Deep => (4, 7, 5, SearchDepth::Advanced),
        };
        Strategy { level: self, max_attempts, max_results, top_pages, search_depth }
    }
}

/// Chooses the strategy. An explicit number of attempts never changes the level, and is of no use to `none`.
pub(crate) fn compute(asked: &StrategyInputs<'_>) -> Strategy {
    let mut strategy = level(asked).strategy();
    if let (Some(attempts), true) = (asked.max_attempts, strategy.level != Level::None) {
        strategy.max_attempts = attempts.clamp(1, limits::ATTEMPTS);
    }
    strategy
}

fn level(asked: &StrategyInputs<'_>) -> Level {
    let scope = asked.scope.unwrap_or_else(|| guess_scope(asked.goal));
    let context = asked.context.unwrap_or_default();
    if scope == Scope::Tiny {
        return if answers(context, asked.goal).is_some() { Level::None } else { Level::Shallow };
    }
    let wants_depth = matches!(asked.hint, Some(Hint::Architecture | Hint::Research));
    let level = if scope == Scope::Large || wants_depth { Level::Deep } else { Level::Medium };
    if covers(context, asked.goal) { level.lower() } else { level }
}

/// A goal of this many words is a document with many questions in it.
const LARGE_WORDS: usize = 200;
/// A goal that asks for a short answer does so in fewer words than this.
const TINY_WORDS: usize = 80;
/// `What is a write-ahead log?` and a little more.
const DEFINITION_WORDS: usize = 6;

/// Words by which people ask for depth.
const LARGE_SIGNS: &str = "comprehensive comprehensively exhaustive exhaustively extensive extensively indepth survey \
     systematic thorough thoroughly";
/// Words by which people ask for a short answer.
const TINY_SIGNS: &str = "brief briefly oneliner quick quickly shortly syntax typo";

/// The scope that the goal's own words ask for; `Normal` when they do not say.
fn guess_scope(goal: &str) -> Scope {
    let words: Vec<String> = words(goal).take(LARGE_WORDS).collect();
    let any = |signs| words.iter().any(|word| is_listed(signs, word));
    let pair = |a: &str, b: &str| words.windows(2).any(|pair| matches!(pair, [x, y] if x == a && y == b));
    if words.len() >= LARGE_WORDS || any(LARGE_SIGNS) || pair("in", "depth") {
        return Scope::Large;
    }
    let deeper = matches!(guess_hint(&words), Some(Hint::Debug | Hint::Architecture));
    let asks_shortly = words.len() <= TINY_WORDS && any(TINY_SIGNS);
    if !deeper && (asks_shortly || (words.len() <= DEFINITION_WORDS && defines(&words))) {
        return Scope::Tiny;
    }
    Scope::Normal
}

/// `what is …`, `what does … mean`, `define …`: a definition is asked for.
fn defines(words: &[String]) -> bool {
    let word = |at: usize| words.get(at).map(String::as_str);
    match (word(0), word(1)) {
        (Some("what"), Some("is" | "are" | "s")) => true,
        (Some("what"), Some("does")) => matches!(words.last().map(String::as_str), Some("mean" | "for")),
        (Some("define"), _) => true,
        _ => false,
    }
}

/// What the goal's words say it is for. Only used to keep a goal from being taken for a tiny one: it takes more than
/// a keyword to pay for depth.
fn guess_hint(words: &[String]) -> Option<Hint> {
    let any = |signs| words.iter().any(|word| is_listed(signs, word));
    if any("architecture architectural design pattern patterns structure tradeoff tradeoffs") {
        return Some(Hint::Architecture);
    }
    if any("bug crash crashes error errors exception fail failed fails failure fix panic stack") {
        return Some(Hint::Debug);
    }
    any("api default example option parameter syntax").then_some(Hint::Reference)
}

/// The share of the goal's telling words in the context from which a call may look less hard: four of five.
const COVERED_SHARE: (usize, usize) = (4, 5);
/// Fewer telling words than this can be covered by accident.
const COVERED_WORDS: usize = 3;
/// A goal with more telling words than this is not answered by two sentences.
const ANSWERED_WORDS: usize = 30;

/// Whether the context as a whole speaks of nearly everything the goal asks for.
fn covers(context: &str, goal: &str) -> bool {
    let mut wanted = informative(goal);
    // The first words of a very long goal say what it is about.
    wanted.truncate(LARGE_WORDS);
    let given: BTreeSet<String> = informative(context).iter().map(|word| stem_of(word)).collect();
    let found = wanted.iter().filter(|word| given.contains(&stem_of(word))).count();
    wanted.len() >= COVERED_WORDS && found * COVERED_SHARE.1 >= wanted.len() * COVERED_SHARE.0
}

/// The one or two neighbouring sentences of the context that answer the goal: they hold every telling word of it, are
/// no questions themselves and say something that the goal does not. A guess at a "no search needed" costs an answer, so every
/// doubt is a `None`.
pub(crate) fn answers<'a>(context: &'a str, goal: &str) -> Option<Vec<&'a str>> {
    let wanted = informative(goal);
    if wanted.is_empty() || wanted.len() > ANSWERED_WORDS || wanted.iter().all(|word| is_filler(word)) {
        return None;
    }
    // A line break ends a sentence: context is often a list.
    let said = context.lines().flat_map(|line| sentences(line).into_iter().filter_map(|place| line.get(place)));
    let told: Vec<&str> = said.filter(|sentence| !sentence.ends_with('?')).collect();
    let one = told.windows(1).find(|window| holds_answer(window, &wanted, goal));
    one.or_else(|| told.windows(2).find(|window| holds_answer(window, &wanted, goal))).map(<[&str]>::to_vec)
}

/// Words after which a number is expected.
const COUNTING: &str = "many much old when year version port percent";

fn holds_answer(told: &[&str], wanted: &[String], goal: &str) -> bool {
    let said: Vec<String> = told.iter().flat_map(|sentence| words(sentence)).collect();
    let stems = |words: &[String]| -> BTreeSet<String> { words.iter().map(|word| stem_of(word)).collect() };
    let asked = stems(wanted);
    let all = asked.is_subset(&stems(&said));
    let new = |word: &&String| !is_filler(word) && !asked.contains(&stem_of(word));
    let number = |word: &String| word.chars().any(char::is_numeric);
    let counted = !words(goal).any(|word| is_listed(COUNTING, &word)) || said.iter().filter(new).any(number);
    // A single telling word stands in many sentences; only one that says what it is answers.
    let defined = match wanted {
        [only] => said.windows(2).any(|pair| {
            matches!(pair, [word, verb] if alike(word, only) && matches!(verb.as_str(), "is" | "are" | "means" | "stands"))
        }),
        _ => true,
    };
    all && counted && defined && said.iter().any(|word| new(&word))
}

#[cfg(test)]
#[path = "strategy_tests.rs"]
mod tests;
