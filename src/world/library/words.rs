//! Text to search terms: the same for documents and questions.
//!
//! A text is first cut into words as they are written ([`cut`]), then each word becomes a term ([`term_of`]). The two steps are
//! apart because the second one costs more and can be remembered: a document repeats its words.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::core::base::limits;
use crate::core::base::plain::{is_digits, is_unspaced};
use crate::core::base::rows::{is_listed, listed, set};
use crate::core::language::days::{Day, days};
use crate::core::language::detect::{self, Language};
use crate::core::language::fold::{folded, is_accent};
use crate::core::language::identifiers::{humps, stamp_parts};
use crate::core::language::months;
use crate::core::language::phrasal::{verbs_in_one, verbs_in_two};
use crate::core::language::separable::{Separable, separable_verbs};
use crate::core::language::spelling::is_swapped;
use crate::core::language::stems;
use crate::core::question::doers::doers;

/// Words that stand in every English text.
const STOP_WORDS: &str = "a an and are as at be but by for if in into is it no not of on or such that the their then \
     there these they this to was will with";
/// None is longer, in bytes: most words of a document need not be looked up.
const LONGEST_STOP: usize = 5;
static STOPS: LazyLock<HashSet<&str>> = LazyLock::new(|| set(STOP_WORDS));

/// Words that make a sentence a question and say nothing of its subject. They are dropped from questions only.
const QUESTION_WORDS: &str = "about am any can could did do does from had has have how i its many may me might much \
     must my our please shall should so than were what when where which who whom whose why would";

/// The terms of a question, in order, each once. A question made of question words alone has none: it names nothing that
/// could be looked up.
pub(super) fn question_terms(question: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    question_words(question).map(|(_, term)| term).filter(|term| seen.insert(term.clone())).collect()
}

/// The words of a question as they are written, with their terms.
pub(super) fn question_words(question: &str) -> impl Iterator<Item = (&str, String)> {
    let language = language_of(question);
    let idle = idle_verbs(question);
    let small = if language.is_none() { small_words(question) } else { HashSet::new() };
    let said = detect::without_unspaced_question_words(question);
    said.into_iter().flat_map(cut).filter_map(move |word| {
        let plain = folded(word);
        let says_nothing = match language {
            Some(language) => language.is_function_word(&plain),
            None => is_listed(QUESTION_WORDS, &plain) || small.contains(plain.as_str()),
        };
        let place = place_in(question, word);
        let behind = place.and_then(|place| question.get(place + word.len()..)).unwrap_or_default();
        let is_idle = place.is_some_and(|place| idle.contains(&place));
        let term = if says_nothing || is_idle || detect::is_negation(word, behind) { None } else { stem(&plain) };
        Some((word, term?))
    })
}

/// The words of grammar of other languages in a question of a few words: `délai de paiement Helvéa`.
fn small_words(question: &str) -> HashSet<&'static str> {
    let plain: Vec<String> = cut(question).map(folded).collect();
    let words: Vec<&str> = plain.iter().map(String::as_str).collect();
    let is_english = words.iter().any(|word| is_listed(STOP_WORDS, word) || is_listed(QUESTION_WORDS, word));
    if is_english { HashSet::new() } else { detect::small_words(&words, !question.is_ascii()) }
}

/// Where the words of verbs begin that say no more than that something is.
fn idle_verbs(question: &str) -> HashSet<usize> {
    let words: Vec<&str> = cut(question).collect();
    let pairs = words.iter().zip(words.iter().skip(1));
    let idle = pairs.filter(|(verb, noun)| detect::is_idle_pair(&folded(verb), &folded(noun)));
    idle.flat_map(|(verb, noun)| [verb, noun]).filter_map(|word| place_in(question, word)).collect()
}

/// The words that say a day or its month in a question, and the day itself: it counts as each of them, however a document writes it.
pub(super) fn day_terms(question: &str) -> Vec<(String, String)> {
    let is_year = |word: &str| word.len() == 4 && is_digits(word);
    let written = |place| cut(question.get(place).unwrap_or_default()).filter(|word| !is_year(word));
    let terms =
        |(place, day): (Range<usize>, Day)| written(place).filter_map(term_of).map(move |term| (term, day.term()));
    days(question).into_iter().flat_map(terms).collect()
}

/// The months of a question that are no part of a day, and what counts as each: its days, and its other names.
pub(super) fn month_terms(question: &str) -> Vec<(String, String)> {
    let of_days: Vec<Range<usize>> = days(question).into_iter().map(|(place, _)| place).collect();
    // A question that begins with `May` asks for leave.
    let named = cut(question).skip(1).filter(|word| word.starts_with(char::is_uppercase));
    let named =
        named.filter(|word| place_in(question, word).is_some_and(|at| !of_days.iter().any(|day| day.contains(&at))));
    let months = named.filter_map(|word| Some((term_of(word)?, months::named(word)?)));
    let terms = months.flat_map(|(term, month)| {
        let forms = Day::terms_of_month(month).chain(months::names(month).filter_map(term_of));
        let forms: Vec<String> = forms.filter(|form| *form != term).collect();
        forms.into_iter().map(move |form| (term.clone(), form))
    });
    terms.collect()
}

/// The verbs of an English question that asks for a person, and the nouns that count as them: who teaches is a teacher.
pub(super) fn doer_terms(question: &str) -> Vec<(String, String)> {
    if language_of(question).is_some() {
        return Vec::new();
    }
    let found = doers(question).into_iter().filter_map(|(verb, nouns)| Some((term_of(verb)?, nouns)));
    let pairs = found.flat_map(|(verb, nouns)| {
        let nouns: Vec<String> = nouns.iter().filter_map(|noun| term_of(noun)).filter(|noun| *noun != verb).collect();
        nouns.into_iter().map(move |noun| (verb.clone(), noun))
    });
    pairs.collect()
}

/// The words of an English question that have forms which are words of their own, and what counts as them: `left` for `leave`.
pub(super) fn form_terms(question: &str) -> Vec<(String, String)> {
    if language_of(question).is_some() {
        return Vec::new();
    }
    let forms = question_words(question).flat_map(|(word, term)| {
        stems::shared_forms(&folded(word))
            .filter_map(move |form| Some((term.clone(), term_of(form)?)))
            .collect::<Vec<_>>()
    });
    forms.collect()
}

/// The words of a question that are written in one or in two, and what counts as them: `abgeschaltet` for `schaltet … ab`, `setup` for `set … up`,
/// `email` for `e-mail`.
pub(super) fn apart_terms(question: &str) -> Vec<(String, String)> {
    let german = if language_of(question) == Some(Language::German) { separable_verbs(question) } else { Vec::new() };
    let found = german.iter().flat_map(Separable::forms).map(|(word, forms)| (word.to_owned(), forms));
    let english = if language_of(question).is_none() { verbs_in_two(question) } else { Vec::new() };
    let english = english.into_iter().filter_map(|(word, joined)| Some((word, vec![term_of(&joined)?])));
    let pairs = found.chain(english).filter_map(|(word, forms)| Some((term_of(&word)?, forms)));
    let each = |(term, forms): (String, Vec<String>)| forms.into_iter().map(move |form| (term.clone(), form));
    pairs.flat_map(each).chain(hyphenated(question)).filter(|(term, form)| term != form).collect()
}

/// The words of a question between which a hyphen stands, each with what both are in one word: `e-mail`, `email`.
fn hyphenated(question: &str) -> Vec<(String, String)> {
    let tokens = question.split_whitespace().map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_word = |part: &&str| !part.is_empty() && part.chars().all(char::is_alphabetic);
    let two = tokens.filter_map(|token| token.split_once('-')).map(|(one, other)| [one, other]);
    // A longer question has words enough.
    let two = two.filter(|parts| parts.iter().all(is_word)).take(limits::LIBRARY_TERMS);
    let forms = two.filter_map(|parts| Some((parts, term_of(&parts.concat())?)));
    let each = |(parts, form): ([&str; 2], String)| parts.map(|part| Some((term_of(part)?, form.clone())));
    forms.flat_map(each).flatten().collect()
}

/// Words of a question that are made of a verb and a small word, and the verb: `login`, `log`. It counts as the word only where that stands nowhere.
pub(super) fn verbs_of_terms(question: &str) -> Vec<(String, String)> {
    let pairs = verbs_in_one(question).into_iter();
    pairs.filter_map(|(word, verb)| Some((term_of(&word)?, term_of(verb)?))).collect()
}

/// The word of grammar that a word is with two letters swapped: `teh`, `hwo`.
pub(super) fn swapped_function_word(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    listed(STOP_WORDS).chain(listed(QUESTION_WORDS)).find(|known| known.len() > 2 && is_swapped(&word, known))
}

/// The language of a question that is not in English.
pub(super) fn language_of(question: &str) -> Option<Language> {
    let plain: Vec<String> = cut(question).map(folded).collect();
    let words: Vec<&str> = plain.iter().map(String::as_str).collect();
    detect::of_words(&words, |word| is_listed(STOP_WORDS, word) || is_listed(QUESTION_WORDS, word))
}

/// Where a word that was cut out of a text begins in it.
pub(super) fn place_in(text: &str, word: &str) -> Option<usize> {
    let place = word.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    (text.get(place..)?.starts_with(word)).then_some(place)
}

/// The term of a word, or nothing for a word that says nothing.
pub(super) fn term_of(word: &str) -> Option<String> {
    stem(&folded(word))
}

/// The words of a text as they are written: everything between what is no letter or digit. Scripts without spaces become
/// pairs of characters, and the ending after an apostrophe (`Nolan's`, `don't`) is left away.
pub(super) fn cut(text: &str) -> impl Iterator<Item = &str> {
    Words { text, at: 0, in_run: false }.filter(|word| word.len() <= limits::LIBRARY_WORD_BYTES)
}

/// The words of a document: those that are written, and the parts of identifiers in capitals and small letters and of times. A question is looked up as it
/// is written.
pub(super) fn cut_with_parts(text: &str) -> impl Iterator<Item = &str> {
    cut(text).flat_map(|word| std::iter::once(word).chain(humps(word)).chain(stamp_parts(word)))
}

/// The English stem of a plain word, or nothing for a stop word.
fn stem(word: &str) -> Option<String> {
    let is_telling = !word.is_empty() && (word.len() > LONGEST_STOP || !STOPS.contains(word));
    is_telling.then(|| stems::stem(word).into_owned())
}

#[derive(Clone, Debug)]
struct Words<'a> {
    text: &'a str,
    at: usize,
    /// The character at `at` already stands in the pair before.
    in_run: bool,
}

impl<'a> Words<'a> {
    /// A pair of characters of a script without spaces; one alone stands for itself. `None` where the pair before
    /// had the last one already.
    fn pair(&mut self, from: usize, first: char) -> Option<&'a str> {
        self.at = from + first.len_utf8();
        let next = self.text.get(self.at..).and_then(|rest| rest.chars().next()).filter(|c| is_unspaced(*c));
        match next {
            Some(second) => {
                self.in_run = true;
                self.text.get(from..self.at + second.len_utf8())
            }
            None if std::mem::take(&mut self.in_run) => None,
            None => self.text.get(from..self.at),
        }
    }

    fn word(&mut self, from: usize) -> Option<&'a str> {
        let rest = self.text.get(from..).unwrap_or_default();
        let mut before = None;
        let ends = |c: char| {
            let is_exponent = before.replace(c).is_some_and(|c| c.is_ascii_digit()) && is_raised_digit(c);
            !(c.is_alphanumeric() || is_accent(c)) || is_unspaced(c) || is_exponent
        };
        let length = rest.find(ends).unwrap_or(rest.len());
        let tail = rest.get(length..).unwrap_or_default();
        self.at = from + length + apostrophe_ending(tail);
        rest.get(..length)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let (skipped, c) = rest.char_indices().find(|(_, c)| c.is_alphanumeric())?;
            let from = self.at + skipped;
            if !is_unspaced(c) {
                self.in_run = false;
                return self.word(from);
            }
            if let Some(pair) = self.pair(from, c) {
                return Some(pair);
            }
        }
    }
}

/// The digits of an exponent: `10³⁰` is 10 and 30, as `10^30` is, and not 1030.
fn is_raised_digit(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// The length of `'s`, `'t`, `'ll` and the like at the beginning of what follows a word.
fn apostrophe_ending(tail: &str) -> usize {
    let Some(quote) = tail.chars().next().filter(|c| matches!(c, '\'' | '’')) else { return 0 };
    let letters = tail.get(quote.len_utf8()..).unwrap_or_default();
    let length = letters.find(|c: char| !c.is_alphanumeric()).unwrap_or(letters.len());
    let ending = letters.get(..length).unwrap_or_default().to_ascii_lowercase();
    let known = ["s", "t", "d", "m", "ll", "re", "ve"].contains(&ending.as_str());
    if known { quote.len_utf8() + length } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_have_no_terms() {
        for word in listed(STOP_WORDS) {
            assert_eq!(term_of(word), None, "{word}");
        }
        assert_eq!(term_of("witty").as_deref(), Some("witti"));
    }

    #[test]
    fn questions_become_terms() {
        let table: &[(&str, &[&str])] = &[
            ("What are the deepest trenches?", &["deep", "trench"]),
            ("Trenches, TRENCHES and Gräben", &["trench", "graben"]),
            ("Nolan's films don’t snake_case O'Brien", &["nolan", "film", "snake", "case", "o", "brien"]),
            ("Isn't it won? WON'T it", &["win"]),
            ("When and where does the final exam take place?", &["final", "exam"]),
            ("In which place does it take an hour?", &["place", "take", "hour"]),
            ("Quand a lieu le cours de macarons ?", &["cour", "macaron"]),
            ("Darf ich einen Hund halten?", &["hund", "halten"]),
            ("Est-ce que je peux garder mon chien ?", &["garder", "chien"]),
            ("délai de paiement Helvéa", &["delai", "paiement", "helvea"]),
            ("redevance de Helvéa", &["redev", "helvea"]),
            ("Preis der Anlage", &["prei", "anlag"]),
            ("die casting", &["die", "cast"]),
            ("the population of de la Rue", &["popul", "de", "la", "rue"]),
            ("SQLite 3.51", &["sqlite", "3", "51"]),
            ("CO₂ CO2 15 m² 15 m2 5ᵗʰ", &["co2", "15", "m2", "5th"]),
            ("10³⁰ 10^30 10^(30)", &["10", "30"]),
            ("10⁻⁶", &["10", "6"]),
            ("深海魚は海", &["深海", "海魚", "魚は", "は海"]),
            ("海 ab海cd", &["海", "ab", "cd"]),
            ("为什么海鱼多少米？", &["海鱼", "米"]),
            ("深海魚はどこですか", &["深海", "海魚", "魚は"]),
            ("几何", &["几何"]),
            ("ทะเลลึก", &["ทะ", "ะเ", "เล", "ลล", "ลึ", "ึก"]),
            ("who is who", &[]),
            ("to be or not to be", &[]),
            ("Fl\u{75}\u{308}gel", &["flugel"]),
            ("\u{130}stanbul", &["istanbul"]),
            ("", &[]),
        ];
        for (question, terms) in table {
            assert_eq!(&question_terms(question), terms, "{question}");
        }
        assert!(question_terms(&"x".repeat(10_000)).is_empty());
    }

    #[test]
    fn lb_02_a_month_has_days_and_other_names() {
        let counts = |question: &str, form: &str| month_terms(question).iter().any(|(_, known)| known == form);
        for (question, form, is_known) in [
            ("What was seen in January 2025?", "jan", true),
            ("What was seen in Jan 2025?", "januari", true),
            ("What was seen in January 2025?", "#01-18", true),
            ("What was seen in January 2025?", "#02-18", false),
            ("What was seen on 3 January 2025?", "jan", false),
            ("May I leave?", "#05-01", false),
        ] {
            assert_eq!(counts(question, form), is_known, "{question} {form} {:?}", month_terms(question));
        }
    }

    #[test]
    fn lb_02_words_with_a_hyphen_are_written_in_one_as_well() {
        for (question, forms) in [
            ("Who gets my e-mail?", &[("e", "email"), ("mail", "email")][..]),
            ("Which (on-line) backup?", &[("line", "onlin")]),
            ("state-of-the-art, 12-month, -g, a- and x", &[]),
            ("", &[]),
        ] {
            let want: Vec<(String, String)> =
                forms.iter().map(|(term, form)| ((*term).into(), (*form).into())).collect();
            assert_eq!(apart_terms(question), want, "{question}");
        }
        assert!(apart_terms(&"a-b ".repeat(1000)).len() <= 2 * limits::LIBRARY_TERMS);
    }

    #[test]
    fn words_of_grammar_may_be_swapped() {
        for (word, meant) in [("teh", Some("the")), ("Hwo", Some("how")), ("on", None), ("tide", None)] {
            assert_eq!(swapped_function_word(word), meant, "{word}");
        }
    }

    #[test]
    fn one_long_line_is_read_once() {
        let text = format!("{}{}", "海".repeat(200_000), "b'".repeat(200_000));
        assert_eq!(question_terms(&text), ["海海", "b"]);
    }
}
