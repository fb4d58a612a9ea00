//! Words of a question or a passage, and the few things that can be said of them without a dictionary.
//!
//! Everything here works on whole words, never on substrings: `and` is not in `understand`. Most of
//! it knows English, some of it German, French and their neighbours; what is not known is a word like any other, which costs precision and nothing else.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use crate::core::base::plain::is_unspaced;
use crate::core::base::rows::{listed, set};
use crate::core::language::fold::{folded, is_accent};
use crate::core::language::stems;

/// Words that carry grammar or politeness and nothing that could be looked up. Sorted, lower case.
const FILLERS: &str = "a about according after again all already also although am among an and another any anybody \
     anyone anything are around as ask at be because been before being both but by can cannot comprehensive contain \
     contains could describe detail details did difference differences do does doing done each either ever everybody \
     everyone everything exactly example examples explain explanation find for from get gets give gives go goes going \
     had happen happens has have having he hello help her here herself hey hi him himself his how however i if in \
     information instead into is it its itself just kind kindly know let like list look make makes many may me mean \
     means might more most much must my myself need needs neither no nobody nor not of on one onto or other our \
     ourselves out over overview per please question rather really related same say says shall she should show since \
     so some somebody someone something sort still such summarise summarize tell than thank thanks that the their them \
     themselves then there these they thing things this those though through to too took toward towards under \
     understand unless until up upon us use used uses using very want wants was way ways we went were what when where \
     whether which while who whom whose why will with within without work working works would yet you your yourself";

static FILLER_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| set(FILLERS));

/// What English adds to a word, as far as it matters here.
const ENDINGS: &[&str] = &[
    "s", "es", "ies", "e", "d", "ed", "er", "ers", "ing", "ings", "y", "ly", "al", "ion", "ions", "ation", "ations",
    "ment", "ments", "or", "ors", "able", "ity", "ities",
];

/// The shortest stem that an ending may be added to; below it, almost every word is another word plus an ending.
const SHORTEST_STEM: usize = 3;

/// The words of a text in their order, lower case. An identifier such as `max_attempts` is one word.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    written(text).map(str::to_lowercase)
}

/// The words of a text for comparing with lists: in lower case, without accents.
pub(crate) fn plain_words(text: &str) -> Vec<String> {
    words(text).map(|word| folded(&word)).collect()
}

/// The words of a text as they are written.
pub(crate) fn written(text: &str) -> impl Iterator<Item = &str> {
    places(text).filter_map(|place| text.get(place))
}

/// The words of a text for comparing with others: as [`words`], but what is written without spaces comes in pairs of characters, and
/// figures stand apart from it.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = String> + '_ {
    words(text).flat_map(|word| cut(&word))
}

/// The pieces that say what a text is about, each once, in their order.
pub(crate) fn informative_pieces(text: &str) -> Vec<String> {
    let mut known = BTreeSet::new();
    informative(text).iter().flat_map(|word| cut(word)).filter(|piece| known.insert(piece.clone())).collect()
}

/// A word in pairs of characters as far as it is written in a script without spaces.
fn cut(word: &str) -> Vec<String> {
    if !word.chars().any(is_unspaced) {
        return vec![word.to_owned()];
    }
    let chars: Vec<char> = word.chars().collect();
    let runs = chars.chunk_by(|a, b| is_unspaced(*a) == is_unspaced(*b));
    let pairs = |run: &[char]| -> Vec<String> {
        let dense = run.first().is_some_and(|first| is_unspaced(*first)) && run.len() > 1;
        if dense { run.windows(2).map(|pair| pair.iter().collect()).collect() } else { vec![run.iter().collect()] }
    };
    runs.flat_map(pairs).collect()
}

/// The words of a text as places in it, in their order. What is written without spaces stands apart from other words.
pub(crate) fn places(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let begins = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text.get(rest..)?.find(begins)?;
        let tail = text.get(begin..)?;
        let is_dense = tail.starts_with(is_unspaced);
        let goes_on = |c: char| (begins(c) && is_unspaced(c) == is_dense) || is_accent(c);
        rest = begin + tail.find(|c| !goes_on(c)).unwrap_or(tail.len());
        Some(begin..rest)
    })
}

/// Where letters and digits stand without anything between them: an identifier such as `max_attempts` is two of these.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let begin = rest + text.get(rest..)?.find(char::is_alphanumeric)?;
        let tail = text.get(begin..)?;
        rest = begin + tail.find(|c: char| !c.is_alphanumeric()).unwrap_or(tail.len());
        Some(begin..rest)
    })
}

/// The words that say what is asked for, each once, in their order; all words when there is nothing but fillers.
pub(crate) fn informative(text: &str) -> Vec<String> {
    let mut known = BTreeSet::new();
    let all: Vec<String> = words(text).filter(|word| known.insert(word.clone())).collect();
    if all.iter().all(|word| is_filler(word)) {
        return all;
    }
    all.into_iter().filter(|word| !is_filler(word)).collect()
}

pub(crate) fn is_filler(word: &str) -> bool {
    FILLER_SET.contains(word)
}

/// Whether a stem, as an index keeps it, is that of a filler word.
pub(crate) fn is_filler_stem(stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<Cow<'static, str>>> = LazyLock::new(|| {
        let long = listed(FILLERS).filter(|word| word.len() > SHORTEST_STEM);
        long.map(|word| stems::stem(word)).collect()
    });
    is_filler(stem) || STEMS.contains(stem)
}

/// Whether a stem was made of `word` by more than an ending: accents are folded away, and the end of a stem can differ.
pub(crate) fn begins_like(word: &str, stem: &str) -> bool {
    let length = stem.chars().count();
    let folds = |(a, b): &(char, char)| a == b || (!a.is_ascii() && b.is_ascii());
    let same = word.chars().zip(stem.chars()).take_while(folds).count();
    same >= SHORTEST_STEM && same + 1 >= length
}

/// The word that a stem was most likely made of where no ending tells: the one that begins with most of its letters. A script without
/// spaces has no such words.
pub(crate) fn nearest<'a>(words: &'a [&str], stem: &str) -> Option<&'a str> {
    let same = |word: &str| word.chars().zip(stem.chars()).take_while(|(a, b)| a == b).count();
    let found = words.iter().rev().copied().max_by_key(|word| same(word));
    found.filter(|word| stem.is_ascii() && same(word) > 0)
}

/// The word without a usual ending: forms of one word mostly have the same root. Made to compare with, not to be shown.
pub(crate) fn root(word: &str) -> &str {
    let long_enough = |rest: &&str| rest.chars().count() >= SHORTEST_STEM;
    let last = word.bytes().last();
    let endings = ENDINGS.iter().filter(|end| end.bytes().last() == last);
    let bare = endings.filter_map(|end| word.strip_suffix(end)).filter(long_enough).min_by_key(|rest| rest.len());
    let bare = bare.unwrap_or(word);
    bare.strip_suffix('i').filter(long_enough).unwrap_or(bare)
}

/// The words of a text as they are written, and whether each looks like a name: `snake_case`, `camelCase`, `WAL`, `utf8`, or
/// a capital that does not begin a sentence.
pub(crate) fn names(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut begins = true;
    text.split_whitespace().flat_map(move |token| {
        let at_start = begins;
        begins = token.ends_with(['.', '!', '?', ':']) || !token.chars().any(char::is_alphanumeric);
        let parts = token.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|part| !part.is_empty());
        parts.enumerate().map(move |(place, word)| (word, is_name(word, at_start && place == 0)))
    })
}

/// The names of a text that have more than one word.
pub(crate) fn full_names(text: &str) -> Vec<Vec<&str>> {
    let said: Vec<(&str, bool)> = names(text).collect();
    let runs = said.chunk_by(|(_, one), (_, other)| one == other).filter(|run| run.iter().all(|(_, is_name)| *is_name));
    runs.filter(|run| run.len() > 1).map(|run| run.iter().map(|(word, _)| *word).collect()).collect()
}

fn is_name(word: &str, begins_sentence: bool) -> bool {
    let inner_capital = word.chars().skip(1).any(char::is_uppercase);
    let mixed = word.chars().any(char::is_numeric) && word.chars().any(char::is_alphabetic);
    let capital = !begins_sentence && word.chars().next().is_some_and(char::is_uppercase);
    word.contains('_') || inner_capital || mixed || capital
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
