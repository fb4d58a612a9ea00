//! The figure that a question asks for: how many, how long, in which year.
//!
//! A passage on the very subject that has no figure does not answer such a question, and a sentence with a figure of the kind that is asked for mostly
//! does.

use super::bounds::{asks_for_bound, tells_bound};
use super::measures::{asks_for_amount, asks_for_number, measures};
use super::numerals::may_have_number;
use super::prices;
use crate::core::base::plain::is_digits;
use crate::core::base::rows::{is_listed, listed};
use crate::core::language::clocks::clocks;
use crate::core::language::fold::folded;
use crate::core::language::identifiers::with_parts;
use crate::core::language::months;
use crate::core::language::stems::alike;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::{is_filler, words};

/// A figure that a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedFigure {
    of: Counted,
    is_english: bool,
    /// It asks how many there may be.
    of_bound: bool,
    /// It asks when something was, which an hour or a day of the week tells as well as a date.
    of_time: bool,
    /// Numbers that the question itself has: they are no answer.
    said: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Counted {
    /// Things of this name: `how many tables`.
    Things(String),
    /// Something that has a unit: `how long`.
    Units,
    /// Something that has a unit of one kind: `how heavy`.
    Dimension(&'static Dimension),
    /// `in which year`, `when was`.
    Dates,
    /// What something costs.
    Money,
    /// The number to call.
    Phone,
    /// Some of what is not counted: `how much honey`.
    Amount,
    Anything,
}

/// What is measured in units of one kind.
#[derive(Debug, PartialEq, Eq)]
struct Dimension {
    /// The words that ask for it behind `how`, in the languages of questions, without accents.
    asking: &'static str,
    /// Words that say in English that a figure is of this kind, whatever stands behind it: `12 levels deep`.
    saying: &'static str,
    units: &'static str,
}

/// Those that are always asked for by the same words: a limit may be high, and a life long.
static DIMENSIONS: [Dimension; 5] = [
    Dimension {
        asking: "bred breed breit broad deep dick diep dik djup djupt narrow tall thick thin tief tjock wide",
        saying: "broad deep depth height narrow tall thick thickness wide width",
        units: "centimeter centimeters centimetre centimetres cm fathom fathoms feet foot ft inch inches kilometer kilometers \
     kilometre kilometres km m meter meters metre metres micrometres mile miles millimeter millimeters millimetre millimetres \
     mm nm px pixels stories storeys yard yards µm",
    },
    Dimension {
        asking: "heavy schwer tung tungt weigh weighs wiegt zwaar",
        saying: "heavy mass weigh weighing weighs weight weighed",
        units: "g gram gramm grams kg kilo kilogram kilograms kilogramm kilos lb lbs mg ounce ounces oz pound pounds stone t ton tonne \
     tonnen tonnes tons carats",
    },
    Dimension {
        asking: "cold heet heiss hot kallt kalt koud varmt warm",
        saying: "cold hot temperature temperatures warm",
        units: "c celsius degree degrees f fahrenheit grad graden grader k kelvin",
    },
    Dimension {
        asking: "alt gammal old oud",
        saying: "age aged born built established founded opened since",
        units: "day days jahr jahre jahren month monate months week weeks wochen year years",
    },
    Dimension { asking: "laut loud", saying: "level loud noise volume", units: "db dba decibel decibels" },
];

/// What a text has of the figure that is asked for, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FigureFound {
    None,
    /// Something that may stand for one: `until it is deleted`.
    Hint,
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
/// The same for a number that no unit is expected behind.
const ANY: &[(&str, &str)] = &[("how", "much"), ("what", "percent"), ("what", "percentage"), ("which", "percentage")];
/// The same for a date; `when is it deleted` asks for a cause as often.
const DATES: &[(&str, &str)] = &[("when", "did"), ("when", "was"), ("when", "were")];
/// The measures that are dates, in the languages of questions, without accents: `in which year`.
const OF_TIME: &str = "annee anno ano ar date jaar jahr year";
/// Words of a sentence before those that ask: `until about how many`. Further behind, `how long` is part of what is asked.
const BEFORE_ASKING: usize = 2;

const NUMERALS: &str = "billion century dozen eight eighteen eighty eleven fifteen fifty five forty four fourteen half hundred million nine \
     nineteen ninety one seven seventeen seventy six sixteen sixty ten thirteen thirty thousand three twelve twenty two \
     unlimited zero";
/// Stands in every other sentence and is seldom a figure.
const ONE: &str = "one";
/// What stands before it where it is none.
const ANY_ONE: &str = "any each every no that the this which";

/// Things that stand for many others.
const GENERAL: &str = "adults animals copies entries guests items kinds members objects others parts participants people persons pieces places points \
     records sorts staff steps things times types units visitors ways";

/// Units in full and in short, as they stand behind a number.
const UNITS: &str = "acres bit bits byte bytes c celsius centimeters centimetres cents char character characters chars cm day days degrees \
     dollars dpi eur euro euros f feet fps ft g gb ghz gib gigabytes grams h heures hour hours hz inch inches jahre jours kb \
     kbit kbps kg khz kib kilobytes kilograms kilometers kilometres km kw l lines liters litres m mb mbit mbps megabytes \
     meter meters metre metres mhz mib microseconds mile miles milliseconds min mins minute minuten minutes mm monate month \
     months mph ms mw nanoseconds ns ounces pages percent pixels pounds px s sec second secondes seconds secs sekunden \
     stunden tage tb tib times tons tonnes usd v volts w watts week weeks wochen words yards year years";
/// Those that stand for each other: what is kept for two weeks is kept for days.
const TIMES: &str = "days hours milliseconds minutes months seconds weeks years";
/// What says how long or how often, without a number.
const TIMELESS: &str = "annually continuously daily forever fortnight hourly indefinitely monthly nightly permanently \
     twice weekly yearly";
/// What may say so, and stands in many other sentences.
const HINTS: &[&str] = &["always", "constantly", "never", "until"];
/// What stands before a time in the place of a number: `a week`, `every night`, `once an hour`.
const ARTICLES: &str = "a an each every once per";
/// Times that are counted so, beside the units.
const PARTS_OF_TIME: &str = "century decade evening fortnight friday monday moment morning night saturday sunday \
     thursday tuesday wednesday weekend";
/// What says when something was, without a number.
const DAYS: &[&str] = &["ago", "century", "recently", "today", "yesterday"];

pub(super) const YEARS: std::ops::RangeInclusive<u16> = 1000..=2100;

/// The verbs of `how much does it weigh`.
const WEIGHING: &[&str] = &["weigh", "weighs", "wiegt"];

/// The measures of a price: `how expensive`.
const COSTLY: &str = "cheap costly expensive teuer";

/// What stands before a number to call.
const PHONES: &str = "call durchwahl ext extension fax mobil mobile phone tel telefon telephone";
/// Digits that such a number has at least, and a group of it.
const PHONE_DIGITS: usize = 5;
const PHONE_GROUP: usize = 3;

/// Words between a number and what it counts: `64 different tables`.
const BETWEEN: usize = 1;

impl AskedFigure {
    /// The figure that a question asks for, if it asks for one.
    pub(crate) fn of_question(question: &str) -> Option<Self> {
        let said =
            |text: &str| -> Vec<String> { words(text).map(|word| folded(&word)).filter(|word| word != "de").collect() };
        let of = question.split(['.', '?', '!', ';']).find_map(|sentence| Counted::of_sentence(&said(sentence)));
        let of = of.or_else(|| question.split(['.', '?', '!', ';']).find_map(Counted::of_measure))?;
        let all = said(question);
        let is_english = all.iter().any(|word| ["how", "what", "when", "which"].contains(&word.as_str()));
        let of_bound = asks_for_bound(question);
        let of_time = of == Counted::Dates && all.iter().any(|word| word == "when");
        Some(Self { of, is_english, of_bound, of_time, said: all.into_iter().filter(|word| is_number(word)).collect() })
    }

    /// What stands in the words of a text, which are in lower case.
    pub(crate) fn found_in(&self, text: &[String]) -> FigureFound {
        let mut found = FigureFound::None;
        for (at, word) in text.iter().enumerate() {
            let behind = text.get(at + 1..).unwrap_or_default();
            if self.is_said_without_number(word, behind) {
                return FigureFound::Asked;
            }
            if self.of == Counted::Units && HINTS.contains(&word.as_str()) {
                found = found.max(FigureFound::Hint);
            }
            // `in any one of them` counts nothing.
            let before = at.checked_sub(1).and_then(|before| text.get(before));
            let is_any = word == ONE && before.is_some_and(|before| is_listed(ANY_ONE, before));
            if !is_number(word) || is_any || self.said.contains(word) {
                continue;
            }
            if self.is_asked(word, behind) {
                return FigureFound::Asked;
            }
            if word != ONE {
                found = FigureFound::Other;
            }
        }
        found
    }

    /// Whether it asks how many there may be and a sentence tells a bound.
    pub(crate) fn is_bound_in(&self, sentence: &str) -> bool {
        self.of_bound && tells_bound(sentence)
    }

    /// Whether none of these texts, which are shown together, has such a figure. One that every sentence has is looked for in all of the `passage`.
    pub(crate) fn is_lacking(&self, shown: &[&str], passage: &[&str]) -> bool {
        let tells_when = |text: &&str| !clocks(text).is_empty() || Weekday::is_any_in(text);
        if self.of_time && shown.iter().any(tells_when) {
            return false;
        }
        self.is_lacking_in_all(match &self.of {
            Counted::Money | Counted::Phone => shown,
            Counted::Things(_)
            | Counted::Units
            | Counted::Dimension(_)
            | Counted::Dates
            | Counted::Amount
            | Counted::Anything => passage,
        })
    }

    /// Whether a text says that such a figure comes: `Price`, `Phone`.
    pub(crate) fn is_named_in(&self, text: &str) -> bool {
        match self.of {
            Counted::Money => words(text).any(|word| prices::is_said(&word)),
            Counted::Phone => words(text).any(|word| is_listed(PHONES, &word)),
            Counted::Things(_)
            | Counted::Units
            | Counted::Dimension(_)
            | Counted::Dates
            | Counted::Amount
            | Counted::Anything => false,
        }
    }

    /// The things that are to be counted, where none of these texts speaks of them. What stands for many others may have another name there.
    pub(crate) fn missing_things(&self, texts: &[&str]) -> Option<&str> {
        let Counted::Things(things) = &self.of else { return None };
        let is_said = |text: &&str| {
            words(text).flat_map(|word| with_parts(&word).collect::<Vec<_>>()).any(|word| alike(&word, things))
        };
        (self.is_english && !is_listed(GENERAL, things) && !texts.iter().any(is_said)).then_some(things)
    }

    /// Whether none of these texts has such a figure.
    fn is_lacking_in_all(&self, texts: &[&str]) -> bool {
        let said: Vec<Vec<String>> = texts.iter().map(|text| words(text).collect()).collect();
        if self.of == Counted::Money {
            // The head of a table says `Price` for the numbers of its rows.
            let is_new = |word: &String| is_number(word) && !self.said.contains(word);
            let has_number = said.iter().flatten().any(is_new);
            let is_of_money = said.iter().flatten().any(|word| prices::is_said(word));
            let has_money = texts.iter().any(|text| prices::stands_in(text)) || (has_number && is_of_money);
            return !has_money;
        }
        if self.of == Counted::Phone {
            let is_said = |word: &String| is_listed(PHONES, word);
            return !said.iter().flatten().any(is_said) && !texts.iter().any(|text| has_long_number(text));
        }
        said.iter().all(|text| self.is_lacking_in(text))
    }

    /// Whether a text has no such figure. Numbers in words are known in English only, and a date is no other number, nor is a weight.
    fn is_lacking_in(&self, text: &[String]) -> bool {
        // `weight_g` as the name of a field.
        let is_said = |words: &str| text.iter().any(|word| with_parts(word).any(|part| is_listed(words, &part)));
        let least = match &self.of {
            Counted::Dates => FigureFound::Asked,
            Counted::Dimension(dimension) if !is_said(dimension.saying) => FigureFound::Asked,
            Counted::Things(_)
            | Counted::Units
            | Counted::Dimension(_)
            | Counted::Money
            | Counted::Phone
            | Counted::Amount
            | Counted::Anything => FigureFound::Hint,
        };
        if !self.is_english {
            // Numbers in words are seldom known there: it is lacking where nothing may be one.
            return self.found_in(text) < FigureFound::Hint && !may_have_number(text);
        }
        self.found_in(text) < least
    }

    /// Whether it is measured, so that no other thing's figure is taken for it.
    pub(crate) fn is_measure(&self) -> bool {
        matches!(self.of, Counted::Units | Counted::Dimension(_))
    }

    fn is_said_without_number(&self, word: &str, behind: &[String]) -> bool {
        let is_time = |word: &String| {
            listed(TIMES).any(|times| times.strip_suffix('s') == Some(word)) || is_listed(PARTS_OF_TIME, word)
        };
        match self.of {
            Counted::Units => {
                is_listed(TIMELESS, word) || (is_listed(ARTICLES, word) && behind.first().is_some_and(is_time))
            }
            Counted::Dates => DAYS.contains(&word) || (word != "may" && months::english(word).is_some()),
            Counted::Things(_)
            | Counted::Dimension(_)
            | Counted::Money
            | Counted::Phone
            | Counted::Amount
            | Counted::Anything => false,
        }
    }

    fn is_asked(&self, number: &str, behind: &[String]) -> bool {
        match &self.of {
            Counted::Things(things) => behind.iter().take(BETWEEN + 1).any(|word| alike(word, things)),
            Counted::Units | Counted::Amount => has_unit(number, behind, UNITS),
            Counted::Dimension(dimension) => has_unit(number, behind, dimension.units),
            Counted::Dates => {
                let is_year = number.parse().is_ok_and(|year| YEARS.contains(&year));
                is_year || behind.first().is_some_and(|word| months::english(word).is_some())
            }
            Counted::Phone => is_digits(number) && number.len() >= PHONE_GROUP,
            Counted::Money | Counted::Anything => number != ONE,
        }
    }
}

impl Counted {
    /// What a sentence asks for by its first words.
    fn of_sentence(said: &[String]) -> Option<Self> {
        let word = |at: usize| said.get(at).map(String::as_str).unwrap_or_default();
        let asks = |rows: &[(&str, &str)], at: usize| {
            rows.iter().any(|(first, second)| match *first {
                "" => word(at) == *second,
                first => word(at) == first && word(at + 1) == *second,
            })
        };
        for at in 0..=BEFORE_ASKING {
            if asks(COUNTING, at) {
                let is_alone = COUNTING.iter().any(|(first, second)| first.is_empty() && *second == word(at));
                return Some(match word(at + if is_alone { 1 } else { 2 }) {
                    things if is_listed(TIMES, things) => Self::Units,
                    verb if prices::is_asking(verb) => Self::Money,
                    things if things.is_empty() || is_filler(things) => Self::Anything,
                    things => Self::Things(things.to_owned()),
                });
            }
            if asks(DATES, at) {
                return Some(Self::Dates);
            }
            if asks(ANY, at) {
                let has_noun = word(at + 1) == "much" && !word(at + 2).is_empty() && !is_filler(word(at + 2));
                return Some(Self::amount(said))
                    .map(|of| if has_noun && of == Self::Anything { Self::Amount } else { of });
            }
        }
        if asks_for_phone(said) {
            return Some(Self::Phone);
        }
        asks_for_amount(said).then(|| Self::amount(said))
    }

    /// What `how much` asks for.
    fn amount(said: &[String]) -> Self {
        let is_asked = |verb: &str| said.iter().any(|word| word == verb);
        let weighed =
            DIMENSIONS.iter().find(|of| WEIGHING.iter().any(|verb| is_asked(verb) && is_listed(of.asking, verb)));
        match (prices::is_asked(said), weighed) {
            (true, _) => Self::Money,
            (false, Some(dimension)) => Self::Dimension(dimension),
            (false, None) => Self::Anything,
        }
    }

    /// What a sentence asks for that begins with a word of measure: `how long`, `for how long`, `in which year`.
    fn of_measure(sentence: &str) -> Option<Self> {
        let first: Vec<&str> = sentence.split_whitespace().take(BEFORE_ASKING + 2).collect();
        let mut asked = measures(&first.join(" "));
        // The number of a bus has no unit.
        asked.retain(|measure| !asks_for_number(measure));
        let is_date = asked.iter().any(|measure| is_listed(OF_TIME, measure));
        let asks_for = |of: &&Dimension| asked.iter().any(|measure| is_listed(of.asking, measure));
        match DIMENSIONS.iter().find(asks_for) {
            _ if asked.is_empty() => None,
            _ if is_date => Some(Self::Dates),
            _ if asked.iter().any(|measure| is_listed(COSTLY, measure)) => Some(Self::Money),
            Some(dimension) => Some(Self::Dimension(dimension)),
            None => Some(Self::Units),
        }
    }
}

/// Whether a question asks for the number to call.
fn asks_for_phone(said: &[String]) -> bool {
    let is_pair = |(one, other): (&String, &String)| {
        (is_listed("phone telephone", one) && is_listed("number numbers", other))
            || (one == "numero" && other == "telephone")
    };
    said.iter().any(|word| is_listed("handynummer rufnummer telefonnummer", word))
        || said.iter().zip(said.iter().skip(1)).any(is_pair)
}

/// Whether a number stands in a text that has the length of one to call, in one piece or in groups.
fn has_long_number(text: &str) -> bool {
    let mut digits = 0;
    text.chars().any(|c| {
        digits = match c {
            _ if c.is_ascii_digit() => digits + 1,
            ' ' | '\u{a0}' | '-' | '/' | '(' | ')' | '.' | '+' => digits,
            _ => 0,
        };
        digits >= PHONE_DIGITS
    })
}

/// Whether a number has a unit, behind it or glued to it.
fn has_unit(number: &str, behind: &[String], units: &str) -> bool {
    let glued = number.trim_start_matches(|c: char| c.is_ascii_digit());
    is_listed(units, glued) || behind.first().is_some_and(|word| is_listed(units, word))
}

/// Whether a word in lower case is a number in digits or in English words.
pub(crate) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || is_listed(NUMERALS, word)
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
