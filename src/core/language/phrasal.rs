//! Verbs that mean something else with a small word behind them: what runs out does not run, and who stands in for somebody stands nowhere.

use std::collections::BTreeSet;

use crate::core::base::rows::is_listed;
use crate::core::language::detect::is_german;
use crate::core::language::separable::{Separable, separable_verbs};
use crate::core::language::stems::{Stems, alike, stem_of};
use crate::core::language::words::words;

/// Verbs of which such words change the meaning most.
const VERBS: &str = "break bring call carry cut draw fall fill give hand hold keep lay make pass pay pick point pull push put run set sign stand take tear turn wear wind \
     work write";
/// Words that do it wherever they stand right behind the verb, and those that do at the end of what is said: `hand it in`, `turn it on`.
const ALWAYS: &str = "away back down off out up";
const AT_END: &str = "in on over";
/// Where one of those is read as such although something follows: `stand in for`, `take over as`, `hand over to`.
const FOLLOWED: [(&str, &str); 3] = [("in", "for"), ("over", "as"), ("over", "to")];
/// Before a figure it is none: `up to 3 times`.
const UP_TO: (&str, &str) = ("up", "to");
/// Verbs that are written with a small word in one, as a noun, and apart, and these words: `login`, `log in`; `setup`, `set it up`.
const JOINED: &str = "back boot break build call check clean clear cut drop fall fill follow hand hold kick lay lock log look mark opt pay pick play plug print roll \
     run set shut sign spin stand start strip take tear time top trade try turn walk warm wind work wrap write";
/// Behind these the small word is none of a place: `log in at the desk`.
const ENTERING: &str = "log opt plug sign";
const GIVING: &str = "hand take";
/// What is logged goes into no system.
const LOG: &str = "log";
/// Both say the same behind it.
const INTO: &str = "in on";
const SMALL: &str = "around away back by down in off on out over through up";

/// Words that may stand between the verb and its small word: `turn the heater off`.
const BETWEEN: usize = 3;

/// The verb and its small word that a word in lower case is made of.
fn parts_of_joined(word: &str) -> Option<(&'static str, &'static str)> {
    let single = word.strip_suffix('s').unwrap_or(word);
    let pair = |small: &'static str| {
        let verb = single.strip_suffix(small)?;
        JOINED.split_ascii_whitespace().find(|known| *known == verb).map(|verb| (verb, small))
    };
    SMALL.split_ascii_whitespace().find_map(pair)
}

/// The words of a question that are made of a verb and its small word, `login`, each with the verb.
pub(crate) fn verbs_in_one(question: &str) -> Vec<(String, &'static str)> {
    words(question).filter_map(|word| parts_of_joined(&word).map(|(verb, _)| (word, verb))).collect()
}

/// The words of a question that belong to a verb which is also written with its small word in one, each with that: `log` and `in` with `login`.
pub(crate) fn verbs_in_two(question: &str) -> Vec<(String, String)> {
    let said: Vec<String> = words(question).collect();
    let found = said.iter().enumerate().filter_map(|(at, word)| Some((word, joined_at(&said, at)?)));
    let both = found
        .map(|(word, (verb, small))| [word.as_str(), small].map(|part| (part.to_owned(), format!("{verb}{small}"))));
    both.flatten().collect()
}

/// The verb at a place of these words, and the small word that belongs to it, where they are also written in one.
fn joined_at(said: &[String], at: usize) -> Option<(&'static str, &'static str)> {
    let verb = JOINED.split_ascii_whitespace().find(|verb| said.get(at).is_some_and(|word| alike(verb, word)))?;
    let next = said.get(at + 1).map(String::as_str);
    let next = next.filter(|small| is_listed(ENTERING, verb) || (*small == "over" && is_listed(GIVING, verb)));
    let small = small_word(said, at).or(next)?;
    SMALL.split_ascii_whitespace().find(|known| *known == small).map(|small| (verb, small))
}

/// The verbs of a question that mean something else with a small word, each with the number of its word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PhrasalVerbs {
    english: Vec<(usize, Phrasal)>,
    german: Vec<(usize, Separable)>,
}

impl PhrasalVerbs {
    pub(crate) fn of_question(question: &str, stems: &Stems) -> Self {
        let found = phrasal_verbs(question).into_iter();
        let english = found.flat_map(|one| stems.of_word(&one.verb).map(|at| (at, one.clone())).collect::<Vec<_>>());
        let german = if is_german(question) { separable_verbs(question) } else { Vec::new() };
        let german = german.into_iter().filter_map(|verb| Some((verb.place(stems)?, verb)));
        Self { english: english.collect(), german: german.collect() }
    }

    /// Those of German that may be written in two, each with the number of its word.
    pub(crate) fn separable(&self) -> impl Iterator<Item = (usize, &Separable)> {
        self.german.iter().map(|(at, verb)| (*at, verb))
    }

    /// Leaves those out that texts have only in another meaning. What has no such word keeps what it holds in another way.
    pub(crate) fn retain_meant<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str>,
        stems: &Stems,
        held: &mut BTreeSet<usize>,
    ) {
        let is_held = |at: &usize| held.contains(at);
        if !self.english.iter().map(|(at, _)| at).chain(self.german.iter().map(|(at, _)| at)).any(is_held) {
            return;
        }
        let texts: Vec<&str> = texts.into_iter().collect();
        for (at, verb) in &self.german {
            let is_verb = |word: &str| stems.of_word(word).any(|of| of == *at);
            let is_whole = |text: &&str| words(text).any(|word| is_verb(&word) && verb.is_in_one(&word));
            if !texts.iter().any(is_whole) && !texts.iter().any(|text| verb.is_in(text)) {
                held.remove(at);
            }
        }
        let said: Vec<Vec<String>> = texts.into_iter().map(|text| words(text).collect()).collect();
        for (at, verb) in &self.english {
            let is_verb = |word: &str| stems.of_word(word).any(|of| of == *at);
            let is_said = said.iter().flatten().any(|word| is_verb(word));
            if is_said && !said.iter().any(|said| verb.is_in(said, is_verb)) {
                held.remove(at);
            }
        }
    }
}

/// A verb of a question and the small word that belongs to it, if one does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Phrasal {
    /// The verb as it stands in the question, in lower case.
    verb: String,
    with: Option<String>,
    /// Both in one, as an index has it.
    joined: Option<String>,
}

fn phrasal_verbs(question: &str) -> Vec<Phrasal> {
    let said: Vec<String> = words(question).collect();
    let phrasal = |(at, verb): (usize, &String)| {
        let is_changed = VERBS.split_ascii_whitespace().chain([LOG]).any(|one| alike(one, verb));
        let parts = parts_of_joined(verb).or_else(|| joined_at(&said, at).filter(|_| is_changed));
        let is_known = parts.is_some() || VERBS.split_ascii_whitespace().any(|known| alike(known, verb));
        let with = parts.map(|(_, small)| small).or_else(|| small_word(&said, at)).map(str::to_owned);
        let joined = parts.map(|(verb, small)| stem_of(&format!("{verb}{small}")));
        is_known.then(|| Phrasal { verb: verb.clone(), with, joined })
    };
    said.iter().enumerate().filter_map(phrasal).collect()
}

impl Phrasal {
    /// Whether the verb stands in these words of a text, in lower case, as the question means it. `is_verb` tells its forms.
    fn is_in(&self, said: &[String], is_verb: impl Fn(&str) -> bool) -> bool {
        let mut places = (0..said.len()).filter(|at| said.get(*at).is_some_and(|word| is_verb(word)));
        let is_joined =
            |at: usize| said.get(at).is_some_and(|word| self.joined.as_deref() == Some(stem_of(word).as_str()));
        places.any(|at| match &self.with {
            Some(_) if is_joined(at) => true,
            Some(small) => {
                let is_into = is_listed(INTO, small) && self.verb == LOG;
                small_word_is(said, at, small)
                    || (is_into && INTO.split(' ').any(|other| small_word_is(said, at, other)))
            }
            None => !said.get(at + 1).is_some_and(|next| is_listed(ALWAYS, next)) || small_word(said, at).is_none(),
        })
    }
}

/// Whether this small word belongs to the verb at a place of these words, for all that can be told; one that is mostly a preposition only right behind it, or
/// at the end.
fn small_word_is(said: &[String], verb: usize, small: &str) -> bool {
    let mut near = (verb + 1..=verb + 1 + BETWEEN).filter(|at| said.get(*at).is_some_and(|word| word == small));
    near.any(|at| is_listed(ALWAYS, small) || at == verb + 1 || at + 1 == said.len())
}

/// The small word that belongs to the verb at a place of these words.
fn small_word(said: &[String], verb: usize) -> Option<&str> {
    let word = |at: usize| said.get(at).map(String::as_str).unwrap_or_default();
    let pair = |at: usize| (word(at), word(at + 1));
    let near = (verb + 1..=verb + 1 + BETWEEN).take_while(|at| *at < said.len());
    let belongs = |at: &usize| {
        let is_right_behind = *at == verb + 1;
        let is_last = at + 1 == said.len();
        let is_any = is_listed(ALWAYS, word(*at)) && (is_right_behind || is_last);
        let is_ending = is_listed(AT_END, word(*at)) && (is_last || FOLLOWED.contains(&pair(*at)));
        (is_any && pair(*at) != UP_TO) || is_ending
    };
    near.into_iter().find(belongs).map(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_verbs_with_small_words_are_others() {
        for (question, text, is_in) in [
            ("What to do when memory runs out?", "Run the purge.", false),
            ("What to do when memory runs out?", "When it runs out, purge.", true),
            ("Which pump runs at night?", "The lease runs out at night.", false),
            ("Which pump runs at night?", "The pump is running at night.", true),
            ("How often does the job run?", "It runs up to 3 times.", true),
            ("Who stands in for the conductor?", "Music stands, folding", false),
            ("Who stands in for the conductor?", "Ann stood in for him.", true),
            ("Who stands in for the conductor?", "Music stands are kept in the hall.", false),
            ("How do I turn off the heater?", "Turn the heater off.", true),
            ("How do I turn the heater off?", "Turn off the heater.", true),
            ("How do I turn the heater off?", "Turn the page.", false),
            ("Who took over as chair?", "She took notes.", false),
            ("How do I set up the tent?", "Set it up in the yard.", true),
            ("Who takes part?", "It takes 3 days.", true),
            ("How do I set up the tent?", "Setup of the tent: two poles.", true),
            ("Where is the login?", "Log in at the desk.", true),
            ("Where is the login?", "The log is at the desk.", false),
            ("How do I log in to the till?", "The login of the till is 4711.", true),
            ("How do I log in to the till?", "Log each sale.", false),
            ("How do I log in to the till?", "Log on with the card.", true),
            ("How do I plug in the lamp?", "Plug the lamp in with the key.", true),
            ("When is the shutdown?", "Shut the plant down in May.", true),
            ("How are backups made?", "Back the disk up by night.", true),
        ] {
            let found = phrasal_verbs(question);
            let said: Vec<String> = words(text).collect();
            let is_verb = |one: &Phrasal, word: &str| {
                let parts = verbs_in_one(&one.verb).into_iter().any(|(_, verb)| alike(word, verb));
                parts || alike(word, &one.verb) || one.joined.as_deref() == Some(&stem_of(word))
            };
            let all = found.iter().all(|one| one.is_in(&said, |word| is_verb(one, word)));
            assert_eq!(all, is_in, "{question} {text}: {found:?}");
        }
        assert!(phrasal_verbs("When was it built?").is_empty() && phrasal_verbs("").is_empty());
    }
}
