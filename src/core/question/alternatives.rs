//! What a sentence tells instead of what is asked: `Server 1` for server 5, `Dr. Wu` for Dr. Lee, how long something is for how wide. It has the other words of
//! the question, and is an answer to another one.

use crate::core::base::plain::is_digits;
use crate::core::base::rows::{is_listed, phrases};
use crate::core::language::fold::folded;
use crate::core::language::ranges::{is_dash, is_to};
use crate::core::language::stems::{alike, stem};
use crate::core::language::words::{is_filler, places, written};

/// Things of which one is told for another: in each row the words for one stand between `/`. Of what is told from both sides (`buy`, `sell`) there is none.
const INSTEAD: &str = "north northern / south southern / east eastern / west western, \
     black / blue / brown / green / grey / orange / pink / purple / red / white / yellow, \
     spring / summer / autumn / winter, breakfast / lunch / dinner, adult grown / child infant kid, male / female, \
     minimum min / maximum max, import / export, upload / download, encrypt / decrypt, input / output, \
     deposit / withdraw, arrive arrival / depart departure, inbound / outbound, \
     internal / external, indoor / outdoor, inner / outer, upper / lower, front / rear, \
     nord norden / sud suden / ost osten / west westen, sommer / winter / herbst / fruhling, erwachsene / kinder, \
     ankunft / abfahrt, ankommen / abfahren, adultes / enfants, arrivee / depart";
/// The same of what stands behind a length: `140 m long`.
const DIMENSIONS: &str = "broad wide width / long length / high height tall / deep depth / thick thickness, \
     breit breite / lang lange / hoch hohe / tief tiefe / dick dicke, \
     large largeur / long longueur / haut hauteur / profond profondeur";
const LENGTHS: &str =
    "m cm mm km meter meters metre metres feet foot ft inch inches mile miles yard yards zentimeter zoll";
/// Words before a thing with a number: `of server 5`, `does parcel 5`. What stands behind others is mostly a verb: `it holds 5`.
const BEFORE_NUMBERED: &str = "about and are at by do does for from has have in into is near of on or the to was were what which with \
     an auf bei das dem den der die fur hat im in ist mit vom von zu zum de du est la le les";
/// Bytes between a word and what tells it from its like: a blank, or `. `.
const BETWEEN: usize = 2;

/// A word of a question that tells which one is meant, where a text has another one in its place: the 5 of `server 5`, where it speaks of server 1.
pub(crate) fn named_otherwise(question: &str, told: &[&str]) -> Option<String> {
    let pairs = pairs(question).filter(|pair| pair.may_name_one(question));
    let is_said = |name: &str| told.iter().any(|text| written(text).any(|word| is_same(word, name)));
    pairs.filter(|pair| !is_said(pair.name)).find_map(|pair| {
        let of_thing =
            || told.iter().flat_map(|text| self::pairs(text)).filter(|other| is_same(other.thing, pair.thing));
        let is_other = of_thing().any(|other| other.is_like(&pair));
        (is_other && !of_thing().any(|other| other.holds(pair.name))).then(|| pair.name.to_owned())
    })
}

/// A word of a question for which a text has another one of its row, and none of its own kind.
pub(crate) fn told_instead(question: &str, told: &[&str]) -> Option<String> {
    let (asked, told) = (Said::of(&[question]), Said::of(told));
    let behind_lengths = told.words.windows(2).filter_map(|pair| match pair {
        [length, word] if is_listed(LENGTHS, length) => Some(word.clone()),
        _ => None,
    });
    let measured = Said::of_words(behind_lengths.collect());
    let of_row = |row, others| instead_of(row, &asked, &told, others);
    phrases(INSTEAD)
        .find_map(|row| of_row(row, &told))
        .or_else(|| phrases(DIMENSIONS).find_map(|row| of_row(row, &measured)))
}

/// The word of a row that is asked for, where it is not told, and another one of the row is.
fn instead_of(row: &str, asked: &Said, told: &Said, others: &Said) -> Option<String> {
    let things: Vec<&str> = row.split('/').collect();
    let mut wanted = things.iter().filter_map(|words| Some((*words, asked.form_of_any(words)?)));
    // Who names two asks for both.
    let ((words, word), None) = (wanted.next()?, wanted.next()) else { return None };
    let is_other = |other: &&str| **other != *words && others.form_of_any(other).is_some();
    (told.form_of_any(words).is_none() && things.iter().any(is_other)).then(|| word.to_owned())
}

/// The words of texts in lower case and without accents, and their stems.
struct Said {
    words: Vec<String>,
    stems: Vec<String>,
}

impl Said {
    fn of(texts: &[&str]) -> Self {
        Self::of_words(texts.iter().flat_map(|text| written(text)).map(folded).collect())
    }

    fn of_words(words: Vec<String>) -> Self {
        Self { stems: words.iter().map(|word| stem(word).into_owned()).collect(), words }
    }

    /// The first word that is a form of one of these.
    fn form_of_any(&self, wanted: &str) -> Option<&str> {
        let at = wanted.split_whitespace().find_map(|word| self.stems.iter().position(|one| *one == stem(word)))?;
        self.words.get(at).map(String::as_str)
    }
}

/// Whether two words are forms of one, or one number: `room 05` is room 5.
fn is_same(one: &str, other: &str) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other || alike(&one.to_lowercase(), &other.to_lowercase()),
    }
}

fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|_| is_digits(word))
}

/// Two words beside each other.
struct Pair<'t> {
    before: &'t str,
    thing: &'t str,
    name: &'t str,
    /// The last of those that are meant, where the second word is the first of several: `rooms 3–8`.
    last: Option<u32>,
}

fn pairs(text: &str) -> impl Iterator<Item = Pair<'_>> {
    let places: Vec<_> = places(text).collect();
    let cut = move |place: &std::ops::Range<usize>| text.get(place.clone()).unwrap_or_default();
    (1..places.len()).filter_map(move |at| {
        let (thing, name) = (places.get(at - 1)?, places.get(at)?);
        let between = text.get(thing.end..name.start)?;
        let is_beside = between.len() <= BETWEEN && matches!(between.trim_end(), "" | ".") && between.ends_with(' ');
        let before = at.checked_sub(2).and_then(|at| places.get(at)).map_or("", cut);
        let gap = places.get(at + 1).and_then(|next| text.get(name.end..next.start)).unwrap_or_default();
        let next = |ahead: usize| places.get(at + ahead).map_or("", cut);
        let last = if is_dash(gap) { next(1) } else { Some(next(2)).filter(|_| is_to(next(1))).unwrap_or_default() };
        is_beside.then(|| Pair { before, thing: cut(thing), name: cut(name), last: number(last) })
    })
}

impl Pair<'_> {
    /// Whether the second word may tell which of the first one is meant.
    fn may_name_one(&self, question: &str) -> bool {
        let (before, thing) = (self.before.to_lowercase(), self.thing.to_lowercase());
        let is_thing = thing.len() > 1 && thing.chars().all(char::is_alphabetic) && !is_filler(&thing);
        let is_first = self.before.is_empty() || self.thing.as_ptr() == question.as_ptr();
        let is_numbered = self.is_number() && is_listed(BEFORE_NUMBERED, &before);
        is_thing && (is_numbered || (!is_first && self.is_name() && self.thing.starts_with(char::is_uppercase)))
    }

    fn is_number(&self) -> bool {
        is_digits(self.name)
    }

    fn is_name(&self) -> bool {
        let mut letters = self.name.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
            && !is_filler(&self.name.to_lowercase())
    }

    /// Whether a number lies between the first and the last of several.
    fn holds(&self, name: &str) -> bool {
        let bounds = number(self.name).zip(self.last);
        bounds.zip(number(name)).is_some_and(|((first, last), name)| (first..=last).contains(&name))
    }

    /// Whether both are told apart by numbers, or by names.
    fn is_like(&self, other: &Self) -> bool {
        (self.is_number() && other.is_number()) || (self.is_name() && other.is_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_another_of_its_kind_is_no_answer() {
        for (question, told, name) in [
            ("What is the ip of server 5?", "Server 1 has 10.0.0.1, server 2 has 10.0.0.2.", "5"),
            ("Who does parcel 5 belong to?", "Parcel 1 belongs to Hove.", "5"),
            ("When does Dr. Lee treat allergies?", "Dr. Wu treats allergies on Monday.", "Lee"),
            ("When did Anna Petersen leave?", "Anna Berg left in May.", "Petersen"),
            ("When does Dr. Lee treat allergies?", "Dr. Lee treats allergies, Dr. Wu migraines.", ""),
            ("What is the ip of server 5?", "Servers have addresses.", ""),
            ("What is the ip of server 5?", "Server 1 has 10.0.0.1, server 5 has 10.0.0.5.", ""),
            ("What is the ip of server 5?", "Server 05 has 10.0.0.5.", ""),
            ("In which rack is server 5?", "Servers 1–10 are in rack 2.", ""),
            ("In which rack is server 5?", "Servers 1 to 4 are in rack 2.", "5"),
            ("Does it hold 12 people?", "It holds 10 people.", ""),
            ("Where is Anna?", "Where Tom is.", ""),
            ("", "", ""),
        ] {
            assert_eq!(named_otherwise(question, &[told]).unwrap_or_default(), name, "{question} {told}");
        }
    }

    #[test]
    fn em_01_the_opposite_is_no_answer() {
        for (question, told, word) in [
            ("How wide is the bridge?", "The bridge is 140 m long.", "wide"),
            ("How wide is the bridge?", "The bridge is 140 m long and 12 m wide.", ""),
            ("How wide is the bridge?", "Its width is 12 m, its length 140 m.", ""),
            ("What do adults pay?", "Children pay 5 euros.", "adults"),
            ("Who has the red key?", "The blue key has Ann.", "red"),
            ("Who has the red or the blue key?", "The blue key has Ann.", ""),
            ("How wide is the bridge?", "The bridge has 12 m.", ""),
            ("How high is the fee?", "It is 5 euros as long as you stay.", ""),
            ("Wie breit ist die Brücke?", "Sie ist 140 m lang.", "breit"),
            ("Wann ist die Abfahrt?", "Die Ankunft ist um neun.", "abfahrt"),
            ("", "", ""),
        ] {
            assert_eq!(told_instead(question, &[told]).unwrap_or_default(), word, "{question} {told}");
        }
    }
}
