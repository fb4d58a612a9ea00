//! Verbs that mean something else with a small word behind them: what runs out does not run, and who stands in for somebody stands nowhere.

use std::collections::BTreeSet;

use crate::core::language::stems::{Stems, alike};
use crate::core::language::words::{is_listed, words};

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
/// Words that may stand between the verb and its small word: `turn the heater off`.
const BETWEEN: usize = 3;

/// The verbs of a question that mean something else with a small word, each with the number of its word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PhrasalVerbs(Vec<(usize, Phrasal)>);

impl PhrasalVerbs {
    pub(crate) fn of_question(question: &str, stems: &Stems) -> Self {
        let found = phrasal_verbs(question).into_iter();
        Self(found.flat_map(|one| stems.of_word(&one.verb).map(|at| (at, one.clone())).collect::<Vec<_>>()).collect())
    }

    /// Leaves those out that texts have only in another meaning. What has no such word keeps what it holds in another way.
    pub(crate) fn retain_meant<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str>,
        stems: &Stems,
        held: &mut BTreeSet<usize>,
    ) {
        if self.0.iter().all(|(at, _)| !held.contains(at)) {
            return;
        }
        let said: Vec<Vec<String>> = texts.into_iter().map(|text| words(text).collect()).collect();
        for (at, verb) in &self.0 {
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
}

fn phrasal_verbs(question: &str) -> Vec<Phrasal> {
    let said: Vec<String> = words(question).collect();
    let verbs = said.iter().enumerate().filter(|(_, word)| VERBS.split(' ').any(|verb| alike(verb, word)));
    verbs.map(|(at, verb)| Phrasal { verb: verb.clone(), with: small_word(&said, at).map(str::to_owned) }).collect()
}

impl Phrasal {
    /// Whether the verb stands in these words of a text, in lower case, as the question means it. `is_verb` tells its forms.
    fn is_in(&self, said: &[String], is_verb: impl Fn(&str) -> bool) -> bool {
        let mut places = (0..said.len()).filter(|at| said.get(*at).is_some_and(|word| is_verb(word)));
        places.any(|at| match &self.with {
            Some(small) => small_word_is(said, at, small),
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
        ] {
            let found = phrasal_verbs(question);
            let said: Vec<String> = words(text).collect();
            let all = found.iter().all(|one| one.is_in(&said, |word| alike(word, &one.verb)));
            assert_eq!(all, is_in, "{question} {text}: {found:?}");
        }
        assert!(phrasal_verbs("When was it built?").is_empty() && phrasal_verbs("").is_empty());
    }
}
