//! A chat model for studies, by rule: what it answers to a step comes from the prompt of that step alone.

use sim::chat::{Received, Say};
use sim::web::ANSWER;

/// The steps of a study, by the first words of their prompts.
const STEPS: [(&str, Step); 9] = [
    ("You prepare a research.", Step::Brief),
    ("You plan a research.", Step::Plan),
    ("You take notes from pages", Step::Notes),
    ("You judge whether a research is complete.", Step::Reflect),
    ("You make the outline of a report", Step::Outline),
    ("You write one section of a report", Step::Report),
    ("You write a report from notes", Step::Report),
    ("Some sentences of a report do not hold", Step::Mend),
    ("You write the summary", Step::Summary),
];

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Brief,
    Plan,
    Notes,
    Reflect,
    Outline,
    /// The whole report, or a section of it.
    Report,
    Mend,
    Summary,
    /// Nothing of a study.
    Other,
}

pub(super) fn step(asked: &Received) -> Step {
    STEPS.iter().find(|(start, _)| asked.prompt.starts_with(start)).map_or(Step::Other, |(_, step)| *step)
}

pub(super) fn asks_for_notes(asked: &Received) -> bool {
    step(asked) == Step::Notes
}

/// Whether a question asks for words of the report itself.
pub(super) fn asks_for_report(asked: &Received) -> bool {
    step(asked) == Step::Report
}

/// The question of a study, as a prompt shows it below its heading.
fn question(asked: &Received) -> &str {
    let below = asked.prompt.split_once("# The question\n\n").map_or("", |(_, below)| below);
    below.lines().next().unwrap_or_default()
}

/// The numbered sentences of the pages: `P1.3` and what it says.
pub(super) fn sentences(asked: &Received) -> Vec<(&str, &str)> {
    let is_number = |(number, _): &(&str, &str)| {
        let parts = number.strip_prefix('P').and_then(|number| number.split_once('.'));
        parts.is_some_and(|(page, sentence)| page.parse::<u32>().is_ok() && sentence.parse::<u32>().is_ok())
    };
    asked.prompt.lines().filter_map(|line| line.split_once(' ')).filter(is_number).collect()
}

/// The notes that a writer is shown: `n3` and its claim.
pub(super) fn notes(asked: &Received) -> Vec<(&str, &str)> {
    let numbered = |(number, _): &(&str, &str)| {
        number.strip_prefix('n').is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
    };
    asked.prompt.lines().filter_map(|line| line.split_once(": ")).filter(numbered).collect()
}

/// A note for each sentence that holds one of some words, in the sentence's own words.
pub(super) fn noted(asked: &Received, words: &[&str]) -> String {
    let telling = sentences(asked).into_iter().filter(|(_, text)| words.iter().any(|word| text.contains(word)));
    telling.map(|(number, text)| format!("NOTE: {text} | {number}\n")).collect()
}

/// A report of all notes, each in its own words behind its number.
pub(super) fn reported(asked: &Received) -> String {
    let said = notes(asked).into_iter().map(|(number, claim)| format!("{} [{number}].", claim.trim_end_matches('.')));
    said.collect::<Vec<_>>().join(" ")
}

/// A study whose model notes the sentences that hold some words, and calls the question answered when it did.
pub(super) fn study(asked: &Received, words: &[&str]) -> Say {
    Say::Text(match step(asked) {
        Step::Brief => format!("LANGUAGE: English\nSEARCH: {}", question(asked)),
        Step::Plan => format!("SUB: {0}\nQUERY: {0}", question(asked)),
        Step::Notes => format!("{}STATUS: ANSWERED", noted(asked, words)),
        Step::Reflect => "DONE".to_owned(),
        Step::Outline => "no outline".to_owned(),
        Step::Report => reported(asked),
        Step::Mend => "nothing".to_owned(),
        Step::Summary => "nothing".to_owned(),
        Step::Other => "The sources do not say.".to_owned(),
    })
}

/// A model that reads what it is given: it follows the name of the ship and calls the question answered once it has seen its captain.
pub(super) fn reader(asked: &Received) -> Say {
    if step(asked) != Step::Notes {
        return study(asked, &[]);
    }
    let notes = noted(asked, &["Meridian Lark", "Halvorsen", ANSWER]);
    Say::Text(match (asked.prompt.contains(ANSWER), asked.prompt.contains("Meridian Lark")) {
        (true, _) => format!("{notes}STATUS: ANSWERED"),
        (false, true) => format!("{notes}STATUS: MISSING the captain\nQUERY: Meridian Lark captain"),
        (false, false) => "STATUS: MISSING the ship".to_owned(),
    })
}
