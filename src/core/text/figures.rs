//! The figure that a question asks for: how many, how long, in which year.
//!
//! A passage on the very subject that has no figure does not answer such a question, and a sentence with a figure of the kind that is asked for mostly
//! does.

use super::fold::plain;
use super::months;
use super::words::{alike, is_filler, measures, words};

/// A figure that a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedFigure {
    of: Counted,
    /// Numbers that the question itself has: they are no answer.
    said: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Counted {
    /// Things of this name: `how many tables`.
    Things(String),
    /// Something that has a unit: `how long`.
    Units,
    /// `in which year`, `when was`.
    Dates,
    Anything,
}

/// What a text has of the figure that is asked for, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FigureFound {
    None,
    /// A figure of another kind, as far as can be told.
    Other,
    Asked,
}

/// Words that ask for a count, and what stands before them; the things that are to be counted stand behind.
const COUNTING: &[(&str, &str)] = &[
    ("how", "many"),
    ("wie", "viele"),
    ("wie", "vielen"),
    ("hoe", "veel"),
    ("hur", "manga"),
    ("", "combien"),
    ("", "cuantas"),
    ("", "cuantos"),
    ("", "quantas"),
    ("", "quante"),
    ("", "quanti"),
    ("", "quantos"),
];
/// Words for a number that no unit is expected behind.
const ANY: &[&str] = &["much", "percent", "percentage"];
/// What follows `when` where it asks for a date; `when is it deleted` asks for a cause as often.
const PAST: &[&str] = &["did", "was", "were"];

const NUMERALS: &[&str] = &[
    "billion", "century", "dozen", "eight", "eleven", "fifty", "five", "forty", "four", "half", "hundred", "million",
    "nine", "one", "seven", "six", "sixty", "ten", "thirty", "thousand", "three", "twelve", "twenty", "two",
];
/// Stands in every other sentence and is seldom a figure.
const ONE: &str = "one";

/// Units in full and in short, as they stand behind a number.
const UNITS: &[&str] = &[
    "acres",
    "bit",
    "bits",
    "byte",
    "bytes",
    "c",
    "celsius",
    "centimeters",
    "centimetres",
    "cents",
    "char",
    "character",
    "characters",
    "chars",
    "cm",
    "day",
    "days",
    "degrees",
    "dollars",
    "dpi",
    "eur",
    "euro",
    "euros",
    "f",
    "feet",
    "fps",
    "ft",
    "g",
    "gb",
    "ghz",
    "gib",
    "gigabytes",
    "grams",
    "h",
    "heures",
    "hour",
    "hours",
    "hz",
    "inch",
    "inches",
    "jahre",
    "jours",
    "kb",
    "kbit",
    "kbps",
    "kg",
    "khz",
    "kib",
    "kilobytes",
    "kilograms",
    "kilometers",
    "kilometres",
    "km",
    "kw",
    "l",
    "lines",
    "liters",
    "litres",
    "m",
    "mb",
    "mbit",
    "mbps",
    "megabytes",
    "meter",
    "meters",
    "metre",
    "metres",
    "mhz",
    "mib",
    "microseconds",
    "mile",
    "miles",
    "milliseconds",
    "min",
    "mins",
    "minute",
    "minuten",
    "minutes",
    "mm",
    "monate",
    "month",
    "months",
    "mph",
    "ms",
    "mw",
    "nanoseconds",
    "ns",
    "ounces",
    "pages",
    "percent",
    "pixels",
    "pounds",
    "px",
    "s",
    "sec",
    "second",
    "secondes",
    "seconds",
    "secs",
    "sekunden",
    "stunden",
    "tage",
    "tb",
    "tib",
    "times",
    "tons",
    "tonnes",
    "usd",
    "v",
    "volts",
    "w",
    "watts",
    "week",
    "weeks",
    "wochen",
    "words",
    "yards",
    "year",
    "years",
];
/// Those that stand for each other: what is kept for two weeks is kept for days.
const TIMES: &[&str] = &["days", "hours", "milliseconds", "minutes", "months", "seconds", "weeks", "years"];
/// What says how often something is, without a number.
const FREQUENCIES: &[&str] = &["annually", "daily", "hourly", "monthly", "nightly", "twice", "weekly", "yearly"];

const YEARS: std::ops::RangeInclusive<u16> = 1000..=2100;

/// Words between a number and what it counts: `64 different tables`.
const BETWEEN: usize = 1;

impl AskedFigure {
    /// The figure that a question asks for, if it asks for one.
    pub(crate) fn of_question(question: &str) -> Option<Self> {
        let said: Vec<String> = words(question).map(|word| plain(&word)).filter(|word| word != "de").collect();
        let word = |at: usize| said.get(at).map(String::as_str).unwrap_or_default();
        let is_date = |at: usize| match word(at) {
            "when" => PAST.contains(&word(at + 1)),
            "what" | "which" => ["date", "year"].contains(&word(at + 1)),
            _ => false,
        };
        let counts = |at: usize| {
            let before = at.checked_sub(1).map(word).unwrap_or_default();
            COUNTING.iter().any(|(ask, many)| *many == word(at) && (ask.is_empty() || *ask == before))
        };
        let counted = (0..said.len()).find(|at| counts(*at)).map(|at| word(at + 1));
        let of = match counted {
            Some(things) if TIMES.contains(&things) => Counted::Units,
            Some(things) if things.is_empty() || is_filler(things) => Counted::Anything,
            Some(things) => Counted::Things(things.to_owned()),
            None if (0..said.len()).any(is_date) => Counted::Dates,
            None if said.iter().any(|word| ANY.contains(&word.as_str())) => Counted::Anything,
            None if !measures(question).is_empty() => Counted::Units,
            None => return None,
        };
        Some(Self { of, said: said.into_iter().filter(|word| is_number(word)).collect() })
    }

    /// What stands in the words of a text, which are in lower case.
    pub(crate) fn found_in(&self, text: &[String]) -> FigureFound {
        let mut found = FigureFound::None;
        for (at, word) in text.iter().enumerate() {
            if self.of == Counted::Units && FREQUENCIES.contains(&word.as_str()) {
                return FigureFound::Asked;
            }
            if !is_number(word) || self.said.contains(word) {
                continue;
            }
            if self.is_asked(word, text.get(at + 1..).unwrap_or_default()) {
                return FigureFound::Asked;
            }
            if word != ONE {
                found = FigureFound::Other;
            }
        }
        found
    }

    fn is_asked(&self, number: &str, behind: &[String]) -> bool {
        match &self.of {
            Counted::Things(things) => behind.iter().take(BETWEEN + 1).any(|word| alike(word, things)),
            Counted::Units => {
                let glued = number.trim_start_matches(|c: char| c.is_ascii_digit());
                UNITS.contains(&glued) || behind.first().is_some_and(|word| UNITS.contains(&word.as_str()))
            }
            Counted::Dates => {
                let is_year = number.parse().is_ok_and(|year| YEARS.contains(&year));
                is_year || behind.first().is_some_and(|word| months::english(word).is_some())
            }
            Counted::Anything => number != ONE,
        }
    }
}

/// Whether a word in lower case is a number in digits or in English words.
pub(crate) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || NUMERALS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: what a question asks to be counted is known, and found.
    #[test]
    fn figures_of_the_kind_that_is_asked_for_are_found() {
        use FigureFound::{Asked, None as Nothing, Other};
        for (question, text, want) in [
            ("How many tables can be used in one join?", "Joins of more than 64 tables are refused.", Asked),
            ("How many tables can be used in one join?", "At most 64 different tables.", Asked),
            ("How many tables can be used in one join?", "In a join, two or more tables are combined.", Other),
            ("How many tables can be used in one join?", "One or all of the tables.", Nothing),
            ("How many of them are there?", "There are three.", Asked),
            ("How many days is it kept?", "It is kept for 2 weeks.", Asked),
            ("How long is it kept?", "For 30s at most.", Asked),
            ("How long is it kept?", "Since version 3 it is kept.", Other),
            ("How often is it written?", "It is written daily.", Asked),
            ("Wie viele Tabellen gibt es?", "Es gibt 12 Tabellen.", Asked),
            ("Combien de pages a ce livre ?", "Il a 310 pages.", Asked),
            ("When was the treaty signed?", "It was signed in 1648.", Asked),
            ("When was the treaty signed?", "It has 12 parts.", Other),
            ("In which year did it end?", "On 4 May it ended.", Asked),
            ("How much does it cost?", "It costs 12 of them.", Asked),
            ("How much of the 12 is left?", "All of the 12.", Nothing),
            ("How deep is it?", "", Nothing),
        ] {
            let asked = AskedFigure::of_question(question).expect(question);
            let words: Vec<String> = words(text).collect();
            assert_eq!(asked.found_in(&words), want, "{question} {text}");
        }
        for question in
            ["When is it deleted?", "What is the number of the bus?", "Why is it deep?", "So many tables!", ""]
        {
            assert_eq!(AskedFigure::of_question(question), None, "{question}");
        }
    }
}
