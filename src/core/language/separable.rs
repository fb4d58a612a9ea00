//! German verbs whose first part stands apart: `schaltet die Pumpe ab` is of `abschalten`, and so are `abgeschaltet` and `abzuschalten`.

use std::collections::BTreeSet;

use crate::core::base::rows::is_listed;
use crate::core::language::detect::is_of_grammar;
use crate::core::language::fold::folded;
use crate::core::language::german::{PREFIXES_APART, strong_row};
use crate::core::language::months;
use crate::core::language::stems::{Stems, stem};
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::runs;

/// A verb of a question with a first part that may stand apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Separable {
    /// The word of the question that has the verb, without accents; and whether its first part stands apart there.
    word: String,
    is_apart: bool,
    /// The first part, without accents.
    part: &'static str,
    /// The other forms in one word, and those that stand without the first part; as an index has them.
    joined: BTreeSet<String>,
    bare: BTreeSet<String>,
}

/// Letters that the rest of such a verb has at least, without its ending.
const SHORTEST: usize = 4;
/// Endings of verbs, and those of words that are made of them.
const ENDINGS: [&str; 10] = ["eten", "ete", "est", "et", "en", "te", "st", "t", "n", "e"];
const JOINED_ENDINGS: [&str; 11] = ["en", "n", "e", "t", "et", "st", "te", "ete", "ten", "eten", "ung"];
/// What a clause goes on with behind the first part.
const BEHIND: &str = "bevor damit oder sobald sowie und wenn";
/// Words between a verb and its first part.
const BETWEEN: usize = 16;

/// The verbs of a German question that may be written in two.
pub(crate) fn separable_verbs(question: &str) -> Vec<Separable> {
    let written: Vec<&str> = runs(question).filter_map(|place| question.get(place)).collect();
    let plain: Vec<String> = written.iter().map(|word| folded(word)).collect();
    // Nouns have capitals.
    let is_small = |word: &&str| word.starts_with(char::is_lowercase);
    let own = written.iter().zip(&plain).filter(|(word, _)| is_small(word)).filter_map(|(_, plain)| joined_verb(plain));
    let ends = final_parts(question);
    let apart = ends.into_iter().filter_map(|(at, part)| {
        let before = written.iter().zip(&plain).take(at);
        let mut verbs = before.filter(|(word, plain)| is_small(word) && !is_of_grammar(plain));
        verbs.find_map(|(_, plain)| Separable::of(plain, true, part, &bases(plain)))
    });
    own.chain(apart).collect()
}

/// A verb in one word: `abschalten`, `abzuschalten`, `abgeschaltet`, `abschaltet`.
fn joined_verb(word: &str) -> Option<Separable> {
    let parts = PREFIXES_APART.split_ascii_whitespace().filter(|part| word.starts_with(part));
    let part = parts.max_by_key(|part| part.len())?;
    let rest = word.strip_prefix(part)?;
    if let Some(row) = strong_row(rest) {
        return Separable::of_row(word, part, row);
    }
    if is_of_grammar(word) {
        return None;
    }
    let infinitive = rest.strip_prefix("zu").filter(|verb| verb.ends_with('n'));
    let done = rest.strip_prefix("ge").and_then(|verb| verb.strip_suffix('t'));
    let found = match (infinitive, done) {
        (Some(verb), _) if strong_row(verb).is_some() => return Separable::of_row(word, part, strong_row(verb)?),
        (Some(verb), _) => bases(verb),
        (None, Some(verb)) => vec![verb.strip_suffix('e').unwrap_or(verb).to_owned()],
        (None, None) if rest.ends_with(['n', 't']) => bases(rest),
        (None, None) => Vec::new(),
    };
    Separable::of(word, false, part, &found)
}

/// What a regular verb may be without its ending.
fn bases(verb: &str) -> Vec<String> {
    let bare = ENDINGS.iter().filter_map(|ending| verb.strip_suffix(ending)).filter(|base| base.len() >= SHORTEST);
    bare.take(2).map(str::to_owned).collect()
}

impl Separable {
    fn of(word: &str, is_apart: bool, part: &'static str, bases: &[String]) -> Option<Self> {
        if is_apart && let Some(row) = strong_row(word) {
            return Self::of_row(word, part, row).map(|verb| Self { is_apart, ..verb });
        }
        let term = |form: String| stem(&form).into_owned();
        let whole = |base: &String| {
            let plain = JOINED_ENDINGS.map(|ending| format!("{part}{base}{ending}"));
            let others = [format!("{part}ge{base}t"), format!("{part}ge{base}et")];
            plain.into_iter().chain(others).chain(["en", "n"].map(|ending| format!("{part}zu{base}{ending}")))
        };
        let joined = bases.iter().flat_map(whole).map(term).collect();
        let bare = bases.iter().flat_map(|base| ENDINGS.map(|ending| format!("{base}{ending}")));
        let bare = bare.filter(|form| !is_of_grammar(form)).map(term).collect();
        (!bases.is_empty()).then(|| Self { word: word.to_owned(), is_apart, part, joined, bare })
    }

    /// The same for a strong verb.
    fn of_row(word: &str, part: &'static str, row: &str) -> Option<Self> {
        let forms = || row.split_ascii_whitespace();
        let infinitive = forms().next()?;
        let term = |form: String| stem(&form).into_owned();
        let joined = forms().map(|form| format!("{part}{form}")).chain([format!("{part}zu{infinitive}")]);
        let bare = forms().filter(|form| !form.starts_with("ge") || *form == infinitive || !form.ends_with("en"));
        let bare = bare.filter(|form| !is_of_grammar(form)).map(|form| term(form.to_owned())).collect();
        Some(Self { word: word.to_owned(), is_apart: false, part, joined: joined.map(term).collect(), bare })
    }

    /// The words of the question that it has, each with what counts as it.
    pub(crate) fn forms(&self) -> Vec<(&str, Vec<String>)> {
        let joined = || self.joined.iter().cloned().collect::<Vec<_>>();
        match self.is_apart {
            true => vec![(self.word.as_str(), joined()), (self.part, joined())],
            false => vec![(self.word.as_str(), joined().into_iter().chain(self.bare.iter().cloned()).collect())],
        }
    }

    /// Its first part, without accents.
    pub(crate) fn part(&self) -> &'static str {
        self.part
    }

    /// The number of its word among these.
    pub(crate) fn place(&self, stems: &Stems) -> Option<usize> {
        stems.of_word(&self.word).next()
    }

    /// Whether a word has its first part, too.
    pub(crate) fn is_in_one(&self, word: &str) -> bool {
        folded(word).strip_prefix(self.part).is_some_and(|rest| !rest.is_empty())
    }

    /// Whether a text that has one of its forms has it as this verb: in one word, or with its first part at the end of the clause.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let said: Vec<String> = runs(text).filter_map(|place| text.get(place)).map(folded).collect();
        let is_joined = |word: &String| self.joined.contains(stem(word).as_ref());
        if said.iter().any(|word| is_joined(word) || (!self.is_apart && *word == self.word)) {
            return true;
        }
        self.apart_in(text, &said).is_some()
    }

    /// The numbers of the words of a text where it stands in two: that of the verb and that of its first part.
    fn apart_in(&self, text: &str, said: &[String]) -> Option<(usize, usize)> {
        let ends = final_parts(text).into_iter().filter(|(_, part)| *part == self.part);
        let ends: Vec<usize> = ends.map(|(at, _)| at).collect();
        let is_verb = |word: &String| self.bare.contains(stem(word).as_ref()) || (self.is_apart && *word == self.word);
        let mut verbs = said.iter().enumerate().filter(|(_, word)| is_verb(word)).map(|(at, _)| at);
        let end = |verb: usize| ends.iter().find(|end| (verb + 1..=verb + BETWEEN).contains(*end)).copied();
        verbs.find_map(|verb| Some((verb, end(verb)?)))
    }

    /// Whether a text has it in two with a noun between them, and nothing that may stand for what was named before: `gab den Schlüssel ab`.
    pub(crate) fn is_done_to_something(&self, text: &str) -> bool {
        let written: Vec<&str> = runs(text).filter_map(|place| text.get(place)).collect();
        let plain: Vec<String> = written.iter().map(|word| folded(word)).collect();
        let Some((verb, end)) = self.apart_in(text, &plain) else { return false };
        let is_noun = |at: &usize| {
            let word = written.get(*at).copied().unwrap_or_default();
            let is_time = Weekday::named(word).is_some() || months::named(word).is_some();
            word.starts_with(char::is_uppercase)
                && !is_time
                && !plain.get(*at).is_some_and(|word| is_listed(TIMES, word))
        };
        (verb + 1..end).any(|at| is_noun(&at)) && !plain.iter().any(|word| is_listed(STANDING, word))
    }
}

/// Nouns that only say when.
const TIMES: &str = "abend abends anfang ende jahr jahre mal minuten mittag monat morgen nachmittag nacht stunde stunden tag tage uhr vormittag woche wochen";
/// Words that stand for what was named before.
const STANDING: &str =
    "alle allen alles beide beides das davon diese diesem diesen dieser dieses er es ihm ihn ihnen jene sie welche";

/// The words at the ends of clauses that are first parts of verbs, each with its number among the words of the text.
fn final_parts(text: &str) -> Vec<(usize, &'static str)> {
    let places: Vec<_> = runs(text).collect();
    let found = places.iter().enumerate().filter_map(|(at, place)| {
        let word = folded(text.get(place.clone())?);
        let part = PREFIXES_APART.split_ascii_whitespace().find(|part| *part == word)?;
        let next = places.get(at + 1);
        let between = text.get(place.end..next.map_or(text.len(), |next| next.start))?;
        let is_followed =
            next.and_then(|next| text.get(next.clone())).is_some_and(|next| is_listed(BEHIND, &folded(next)));
        let is_end = next.is_none() || is_followed || between.contains(['.', ',', ';', ':', '?', '!', '\n', ')', '|']);
        is_end.then_some((at, part))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: a verb is found in one word and in two, and not with another first part.
    #[test]
    fn lb_02_verbs_are_found_in_one_word_and_in_two() {
        for (question, text, is_in) in [
            ("Wann schaltet die Pumpe ab?", "Die Pumpe wird bei 4 bar abgeschaltet.", true),
            ("Wann schaltet die Pumpe ab?", "Bei 4 bar ist sie abzuschalten.", true),
            ("Wann schaltet die Pumpe ab?", "Die Pumpe schaltet bei 4 bar ein.", false),
            ("Wie kann ich die Pumpe abschalten?", "Die Pumpe schaltet sich bei 4 bar ab.", true),
            ("Wann wird die Pumpe abgeschaltet?", "Sie schaltet bei 4 bar ab, dann kühlt sie.", true),
            ("Wann wird die Pumpe abgeschaltet?", "Sie schaltet ab 4 bar ein.", false),
            ("Wie melde ich mich an?", "Die Anmeldung ist im Büro.", true),
            ("Wann fängt der Kurs an?", "Der Kurs soll um neun anfangen.", true),
            ("Wann hat der Kurs angefangen?", "Der Kurs fängt um neun an.", true),
            ("Was ist vorzulesen?", "Sie liest den Brief vor.", true),
        ] {
            let verbs = separable_verbs(question);
            assert!(!verbs.is_empty(), "{question}");
            assert_eq!(verbs.iter().all(|verb| verb.is_in(text)), is_in, "{question} {text} {verbs:?}");
        }
        let [verb] = separable_verbs("Wer hat die Betten abgegeben?").try_into().expect("one verb");
        for (text, is) in [
            ("Frau Weber gab ihren Schlüssel am Sonntag ab.", true),
            ("Frau Weber gab am Sonntag um 9 Uhr ab.", false),
            ("Frau Weber gab sie am Sonntag an der Kasse ab.", false),
            ("Frau Weber hat den Schlüssel abgegeben.", false),
        ] {
            assert_eq!(verb.is_done_to_something(text), is, "{text}");
        }
        for question in ["Wo ist der Abend?", "Wie hoch ist die Miete?", ""] {
            assert!(separable_verbs(question).is_empty(), "{question}");
        }
    }
}
