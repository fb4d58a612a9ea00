//! The words of a question that ask for a figure and name nothing: `how long`, `what does it cost`, `the number of`.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::words::words;

/// Words that ask for a figure right behind the word that asks: `how long`, `wie tief`, `combien de temps`. Without accents.
const MEASURES: &[(&str, &str)] = &[
    (
        "how",
        "big bright broad cheap close cold costly dark deep dense distant early expensive far fast frequent frequently full hard heavy high \
         hot large late light little long loud narrow near often old quick quickly rarely short slow small soon steep strong tall thick \
         thin tight warm wide young",
    ),
    (
        "wie",
        "alt breit dick gross haufig heiss hoch kalt lang lange laut oft schnell schwer spat stark teuer tief viel viele warm weit",
    ),
    ("what", "date year"),
    ("which", "date year"),
    ("welchem", "jahr"),
    ("welches", "jahr"),
    ("combien", "temps"),
    ("quelle", "annee date"),
    ("cuanto", "tiempo"),
    ("que", "ano"),
    ("quanto", "tempo"),
    ("quale", "anno"),
    ("che", "anno"),
    ("welk", "jaar"),
    ("vilket", "ar"),
    ("hoe", "breed diep dik duur groot heet hoog koud lang oud snel sterk vaak veel ver warm zwaar"),
    (
        "hur",
        "bred djup djupt gammal hog hogt kallt lang lange langt manga mycket ofta snabbt stark stor tjock tung tungt varmt",
    ),
];

/// Words of a question that asks for an amount and say no more than that it does: `how much does it cost`, `what does it cost`.
const AMOUNTS: &str = "cost costs kosten kostet weigh weighs wiegt";

/// The same where it is asked how much was given away: `how much was spent on paint`. Right behind `much` it is a part of what is asked for: `how much
/// paid leave`.
const SPENDING: &str = "ausgegeben bezahlt gezahlt paid pay pays spend spends spent";

/// Verbs of a question for how long something goes on, which an answer seldom has: `26 minutes`.
const LASTING: &str = "dauert dauerte dure last lasted lasts take taken takes took";
/// The measures that such a question has.
const LONG: &str = "lang lange long temps";

/// Whether the words of a question, in lower case, ask for an amount by such a word.
pub(crate) fn asks_for_amount(said: &[String]) -> bool {
    let is = |at: usize, row: &str| said.get(at).is_some_and(|word| is_listed(row, word));
    let has_amount = said.iter().any(|word| is_listed(AMOUNTS, word));
    let ends = said.last().is_some_and(|last| is_listed(AMOUNTS, last));
    // `what does it cost in winter`
    let is_verb = has_amount && is(1, "did do does will would");
    asks_how_much(said) || (is(0, "what") && (ends || is_verb)) || (is(0, "was") && is(1, AMOUNTS))
}

fn asks_how_much(said: &[String]) -> bool {
    let is_much = |(how, much): (&String, &String)| ["how", "wie"].contains(&how.as_str()) && is_listed(MUCH, much);
    said.iter().zip(said.iter().skip(1)).any(is_much)
}

const MUCH: &str = "much viel";

/// Words that ask for a number of something, and what may stand right before them: `what is the phone number of the plumber`.
const NUMBERS: &str = "number numbers nummer rufnummer telefonnummer";
const OF_NUMBERS: &str = "phone telephone";

/// Whether a word asks for a number of something, or is said of such a number.
pub(crate) fn asks_for_number(word: &str) -> bool {
    is_listed(NUMBERS, word) || is_listed(OF_NUMBERS, word)
}

/// The words of a question that ask for the number of something that is known, as places in it. A number is asked for at the end or before whose it
/// is; what `a prime number` is asks for no figure.
fn number_words(said: &[String]) -> Range<usize> {
    let is = |at: usize, row: &str| said.get(at).is_some_and(|word| is_listed(row, word));
    let asks = is(0, "what which was welche wie");
    let of = "der des for from hat of to vom von";
    let ends = |at: usize| at + 1 == said.len() || is(at + 1, of);
    let is_any = |at: usize| said.iter().take(at).any(|word| ["a", "an"].contains(&word.as_str()));
    match (0..said.len()).find(|at| is(*at, NUMBERS) && ends(*at) && !is_any(*at)).filter(|_| asks) {
        Some(at) if at > 0 && is(at - 1, OF_NUMBERS) => at - 1..at + 1,
        Some(at) => at..at + 1,
        None => 0..0,
    }
}

/// Words that ask for a figure at the end of a few words that are no sentence: `summer party date`.
const AT_END: &str = "date datum jahr time uhrzeit year";
/// Words that begin a sentence that asks, or say in one what is asked for.
const ASKING: &str = "are can could did do does hat hatte how is ist should sind wann war was welche welcher welches were what when where which who why wie wird \
     wo would";
/// With more words it is a sentence.
const FEW_WORDS: usize = 8;

/// The place of the last word where it asks so.
fn asking_end(said: &[String]) -> Option<usize> {
    let last = said.len().checked_sub(1).filter(|last| *last > 0)?;
    let asks = said.get(last).is_some_and(|word| is_listed(AT_END, word));
    (asks && are_keywords(said)).then_some(last)
}

/// Whether the words of a question, in lower case and without accents, are a few that are no sentence.
pub(super) fn are_keywords(said: &[String]) -> bool {
    said.len() <= FEW_WORDS && !said.iter().any(|word| is_listed(ASKING, word))
}

/// The words of a question that ask for a figure and are no subject of it, in lower case and without accents. One that also stands elsewhere
/// in the question is a subject as well.
pub(crate) fn measures(question: &str) -> BTreeSet<String> {
    let said: Vec<String> = words(question).map(|word| folded(&word)).filter(|word| word != "de").collect();
    let asks = |before: &str, word: &str| {
        let mut known = MEASURES.iter().filter(|(asking, _)| *asking == before);
        known.any(|(_, measures)| measures.split(' ').any(|measure| measure == word))
    };
    let is_amount = |word: &str| is_listed(AMOUNTS, word);
    let (asks_for_amount, asks_how_much) = (asks_for_amount(&said), asks_how_much(&said));
    let is_spending = |before: &str, word: &str| is_listed(SPENDING, word) && !is_listed(MUCH, before);
    let (numbers, end) = (number_words(&said), asking_end(&said));
    let asks_how_long =
        said.iter().zip(said.iter().skip(1)).any(|(how, long)| is_listed(LONG, long) && asks(how, long));
    let is_lasting = |word: &str| asks_how_long && is_listed(LASTING, word);
    let (mut measures, mut subjects) = (BTreeSet::new(), BTreeSet::new());
    let before = std::iter::once("").chain(said.iter().map(String::as_str));
    for (at, (before, word)) in before.zip(&said).enumerate() {
        let is_of_amount = (asks_for_amount && is_amount(word)) || (asks_how_much && is_spending(before, word));
        if asks(before, word) || is_of_amount || is_lasting(word) || numbers.contains(&at) || end == Some(at) {
            measures.insert(word.clone())
        } else {
            subjects.insert(word.clone())
        };
    }
    measures.difference(&subjects).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_measure_behind_how_asks_for_a_figure() {
        for (question, want) in [
            ("How long is the warranty?", &["long"][..]),
            ("how HEAVY are the anchors, and how often", &["heavy", "often"]),
            ("How is a long line wrapped?", &[]),
            ("How long is a long line?", &[]),
            ("Wie lange und wie groß?", &["gross", "lange"]),
            ("Combien de temps dure la garantie ?", &["dure", "temps"]),
            ("¿Cuánto tiempo dura?", &["tiempo"]),
            ("In which year was it built?", &["year"]),
            ("How much does the impeller cost?", &["cost"]),
            ("What does the impeller cost?", &["cost"]),
            ("What did the impeller cost in 2026?", &["cost"]),
            ("How much does it weigh?", &["weigh"]),
            ("Was kostet das Rad?", &["kostet"]),
            ("What is a cost centre?", &[]),
            ("How long did the outage last?", &["last", "long"]),
            ("What is the last entry?", &[]),
            ("summer party date", &["date"]),
            ("hotel check in time", &["time"]),
            ("time", &[]),
            ("What is a date?", &[]),
            ("store a date", &["date"]),
            ("How much was spent on electricity in 2025?", &["spent"]),
            ("How much did we pay for the roof?", &["pay"]),
            ("How much paid leave do I get?", &[]),
            ("Who paid for the roof?", &[]),
            ("What is the number of the electrician?", &["number"]),
            ("What is the phone number of the electrician?", &["number", "phone"]),
            ("What is the electrician's telephone number?", &["number", "telephone"]),
            ("Welche Telefonnummer hat der Elektriker?", &["telefonnummer"]),
            ("What is a prime number?", &[]),
            ("How does the phone number pairs of devices?", &[]),
            ("What does the number field hold?", &[]),
            ("Which cost is shared?", &[]),
            ("En quelle année ?", &["annee"]),
            ("deep", &[]),
            ("", &[]),
        ] {
            assert_eq!(measures(question).iter().collect::<Vec<_>>(), want, "{question}");
        }
    }
}
