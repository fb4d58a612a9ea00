//! Of what is longer than a quote, the part that has most of what was asked for: the record of a long line of data, the clause of an endless sentence, the
//! end of a long row. A quote that is cut off before it says nothing.

use std::collections::BTreeMap;
use std::ops::Range;

use super::answer::AskedQuestion;
use super::units::cut;
use crate::core::base::limits;

/// Words before the first one that was asked for among which the beginning of a clause is looked for, and that are quoted where there is none.
const LOOKED_BACK: usize = 30;
const LEAD_IN: usize = 8;
/// What stands before a record or a sentence, and before a clause.
const ENDS: [char; 8] = ['.', ';', '}', ')', ']', '!', '?', '|'];
const CLAUSE_ENDS: [char; 2] = [',', ':'];
const OPENINGS: [char; 4] = ['{', '(', '[', '<'];

/// The same place if it can be quoted as a whole, else the part of it, at most so many words, where most of what was asked for stands together.
pub(super) fn narrowed(asked: &AskedQuestion, text: &str, place: Range<usize>, most_words: usize) -> Range<usize> {
    let said = cut(text, &place);
    let words = places_of_words(said);
    if words.len() <= limits::BRIEF_WORDS {
        return place;
    }
    let marks: Vec<(usize, String)> = asked
        .marks(said)
        .into_iter()
        .map(|mark| (words.partition_point(|word| word.end <= mark.start), cut(said, &mark).to_lowercase()))
        .collect();
    let lead = LOOKED_BACK.min(most_words / 2);
    let Some(first) = densest(&marks, (most_words - lead).max(1)) else { return place };
    let from = beginning(said, &words, first, lead);
    let until = words.len().min(from + most_words);
    match words.get(from..until).and_then(|shown| Some(shown.first()?.start..shown.last()?.end)) {
        Some(shown) => place.start + shown.start..place.start + shown.end,
        None => place,
    }
}

fn places_of_words(text: &str) -> Vec<Range<usize>> {
    let mut end = 0;
    let parts = text.split_inclusive(char::is_whitespace).map(|part| {
        let start = end;
        end += part.len();
        start..start + part.trim_end().len()
    });
    parts.filter(|word| !word.is_empty()).collect()
}

/// The word at which the shortest run begins that has most different ones of those that were asked for, none longer than so many words; marks stand in
/// their order.
fn densest(marks: &[(usize, String)], reach: usize) -> Option<usize> {
    let mut held: BTreeMap<&str, usize> = BTreeMap::new();
    let mut from = marks.iter().peekable();
    let mut best: Option<(usize, usize, usize)> = None;
    for (until, word) in marks {
        *held.entry(word).or_default() += 1;
        // What comes again is not needed at the beginning, and what is too far away is left behind.
        while let Some((_, first)) =
            from.next_if(|(at, first)| at + reach <= *until || held.get(first.as_str()) > Some(&1))
        {
            if let Some(count) = held.get_mut(first.as_str()) {
                *count -= 1;
                if *count == 0 {
                    held.remove(first.as_str());
                }
            }
        }
        let Some((at, _)) = from.peek() else { continue };
        let is_better = |(most, length, _): &(usize, usize, usize)| {
            held.len() > *most || (held.len() == *most && until - at < *length)
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some((held.len(), until - at, *at));
        }
    }
    best.map(|(_, _, at)| at)
}

/// The word at which the record, the sentence or the clause begins in which a word stands.
fn beginning(text: &str, words: &[Range<usize>], first: usize, lead: usize) -> usize {
    let word = |at: usize| words.get(at).map(|word| cut(text, word)).unwrap_or_default();
    let before = |at: usize| at.checked_sub(1).map(word).unwrap_or_default();
    let nearest = |is_begin: &dyn Fn(usize) -> bool| {
        (first.saturating_sub(lead)..=first).rev().find(|at| *at == 0 || is_begin(*at))
    };
    let begins_record =
        |at: usize| word(at).starts_with(OPENINGS) || before(at).ends_with(ENDS) || before(at).ends_with("},");
    nearest(&begins_record)
        .or_else(|| nearest(&|at| before(at).ends_with(CLAUSE_ENDS)))
        .unwrap_or_else(|| first.saturating_sub(LEAD_IN.min(lead)))
}

#[cfg(test)]
mod tests {
    use super::super::answer::AskedWord;
    use super::*;

    #[test]
    fn em_01_of_what_is_too_long_the_part_that_answers_is_quoted() {
        let question = "How many kW does the zebu pump in bay 17 draw?";
        let words = crate::core::language::words::informative(question);
        let words =
            words.into_iter().map(|word| AskedWord { stem: word.clone(), word, weight: 1.0, forms: Vec::new() });
        let asked = AskedQuestion::new(question, words.collect());
        let record = |name: &str, bay: usize| {
            format!("{{\"name\": \"{name} pump\", \"place\": \"bay {bay}\", \"draws\": \"{bay}1 kW\"}}, ")
        };
        let records: String =
            (0..40).map(|at| if at == 30 { record("zebu", 17) } else { record("ibex", 100 + at) }).collect();
        let cells = format!("| 1 | {}| zebu pump | bay 17 | 41 kW |", "so it is said ".repeat(60));
        for (text, wanted) in [
            (
                format!("{}the zebu pump in bay 17 draws 41 kW", "alpha, beta, ".repeat(100)),
                "the zebu pump in bay 17 draws 41 kW",
            ),
            (records, "{\"name\": \"zebu pump\", \"place\": \"bay 17\", \"draws\": \"171 kW\"}"),
            (cells, "zebu pump | bay 17 | 41 kW"),
        ] {
            let found = narrowed(&asked, &text, 0..text.len(), limits::ANSWER_WORDS);
            let quote = cut(&text, &found);
            assert!(quote.contains(wanted), "{quote}");
            assert!(quote.split_whitespace().count() <= limits::ANSWER_WORDS, "{quote}");
            for most_words in [0, 1, limits::EXTRACT_WORDS] {
                let quote = cut(&text, &narrowed(&asked, &text, 0..text.len(), most_words));
                assert!(most_words == 0 || quote.split_whitespace().count() <= most_words, "{quote}");
            }
        }
        let short = "so it is ".repeat(40);
        assert_eq!(narrowed(&asked, &short, 0..short.len(), 90), 0..short.len());
        let strange = "so it is ".repeat(90);
        assert_eq!(narrowed(&asked, &strange, 0..strange.len(), 90), 0..strange.len());
    }
}
