//! What a question for a reason is answered with: beside the sentence or the entry that names what happened, the one that tells why.

use std::ops::Range;

use super::answer::AskedQuestion;
use super::leaning::sentences_before;
use super::units::{Unit, adjoins, cut};
use crate::core::language::days::begins_with_stamp;
use crate::core::language::words::informative;
use crate::core::question::why::{is_error_word, sender, tells_error, tells_reason};

/// Entries of a log before and behind one among which its reason is looked for.
const ENTRIES: usize = 8;
/// So many words of an entry are looked at for what is new.
const NEW_WORDS: usize = 40;

/// An answer with what tells its reason, where that is asked for and it does not tell one, in no more than so many words.
pub(super) fn with_reason(
    asked: &AskedQuestion,
    text: &str,
    units: &[Unit],
    answer: Range<usize>,
    most_words: usize,
) -> Range<usize> {
    let inside = |unit: &Unit| answer.start <= unit.place.start && unit.place.start < answer.end;
    let Some(first) = units.iter().position(inside).filter(|_| asked.asks_why()) else { return answer };
    let said = |at: usize| units.get(at).map(|unit| cut(text, &unit.place)).unwrap_or_default();
    let reason = match is_entry(said(first)) {
        true if lacks_reason(asked, cut(text, &answer)) => error_beside(asked, text, units, first),
        true => None,
        false => reason_before(text, units, first, &answer),
    };
    let place = reason.and_then(|at| units.get(at)).map(|unit| &unit.place);
    let wide = place.map(|place| answer.start.min(place.start)..answer.end.max(place.end));
    wide.filter(|wide| cut(text, wide).split_whitespace().count() <= most_words).unwrap_or(answer)
}

/// Whether a quote is of a log and no entry of it tells what went wrong beyond what is asked.
pub(super) fn lacks_reason(asked: &AskedQuestion, quote: &str) -> bool {
    let mut lines = quote.lines().filter(|line| !line.trim().is_empty());
    lines.clone().any(begins_with_stamp) && !lines.any(|line| tells_reason_of(asked, line))
}

/// Whether an entry tells what went wrong and not only that it did: `ERROR export failed` says nothing that `Why did the export fail?` does not.
fn tells_reason_of(asked: &AskedQuestion, entry: &str) -> bool {
    // Figures are of the time of the entry.
    let is_new = |word: &String| {
        !word.contains(|c: char| c.is_ascii_digit()) && !is_error_word(word) && asked.held(word).is_empty()
    };
    let new = |text: &str| informative(text).into_iter().take(NEW_WORDS).filter(is_new).count();
    let from = sender(entry).and_then(|sender| entry.split_once(sender)).map_or(entry, |(_, said)| said);
    // A time of day has colons, and no blank behind them.
    let is_behind_label = || from.rsplit_once(": ").is_some_and(|(_, reason)| new(reason) > 0);
    tells_error(entry) && (new(from) > 1 || is_behind_label())
}

fn is_entry(unit: &str) -> bool {
    unit.lines().any(begins_with_stamp)
}

/// The nearest entry of the same sender that tells what went wrong, of two as near the earlier one; where none does, the one right before.
fn error_beside(asked: &AskedQuestion, text: &str, units: &[Unit], at: usize) -> Option<usize> {
    let said = |at: usize| units.get(at).map(|unit| cut(text, &unit.place)).unwrap_or_default();
    let own = sender(said(at));
    let is_of_same = |other: &usize| is_entry(said(*other)) && sender(said(*other)) == own;
    let tells = |other: &usize| is_of_same(other) && tells_reason_of(asked, said(*other));
    let told = (1..=ENTRIES).find_map(|far| at.checked_sub(far).into_iter().chain(Some(at + far)).find(tells));
    told.or_else(|| at.checked_sub(1).filter(is_of_same))
}

/// The sentence before an answer in the same paragraph, where neither the answer nor the sentence behind it tells a reason.
fn reason_before(text: &str, units: &[Unit], first: usize, answer: &Range<usize>) -> Option<usize> {
    let last = units.iter().rposition(|unit| unit.place.start < answer.end)?;
    let behind = units.get(last).zip(units.get(last + 1));
    let behind = behind.filter(|(last, next)| !next.begins && adjoins(text, &last.place, &next.place));
    let is_told =
        tells_reason(cut(text, answer)) || behind.is_some_and(|(_, next)| tells_reason(cut(text, &next.place)));
    let is_sentence = units.get(first).is_some_and(|unit| !unit.is_row && !unit.is_item);
    sentences_before(text, units, first).next().map(|(before, _)| before).filter(|_| is_sentence && !is_told)
}

#[cfg(test)]
mod tests {
    use super::super::answer::AskedWord;
    use super::super::units::units;
    use super::*;

    fn asked(question: &str) -> AskedQuestion {
        let words = informative(question).into_iter();
        let words = words.map(|word| AskedWord { stem: word.clone(), word, weight: 1.0, forms: Vec::new() });
        AskedQuestion::new(question, words.collect())
    }

    /// EM-01: a question for a reason is answered with what tells it, of the same sender of a log or the same paragraph.
    #[test]
    fn em_01_reasons_stand_beside_what_happened() {
        let log = "2025-05-03 01:00:40 mail[1]: ERROR refused\n2025-05-03 01:00:44 copy[7]: ERROR no space left\n\
                   2025-05-03 01:00:45 copy[7]: backup failed\n2025-05-03 01:00:46 copy[8]: start";
        let below = "2025-05-03 01:00:44 copy[7]: backup failed\n2025-05-03 01:00:44 copy[7]: ERROR no space left";
        let bare = "2025-05-03 01:00:40 lift[1]: 3120 kg\n2025-05-03 01:00:44 lift[1]: stopped";
        let levels = "2025-05-03 01:00:40 INFO begun\n2025-05-03 01:00:44 WARN connection pool exhausted, 0 of 20 free\n\
                      2025-05-03 01:00:45 ERROR backup failed";
        let own = "2025-05-03 01:00:40 ERROR refused by ledger\n2025-05-03 01:00:45 ERROR backup failed: disk full";
        let prose = "The spool was full. The backup failed. It was repeated at noon.";
        let joined = "Ann was ill. The backup failed because the spool was full.";
        for (question, text, from, wanted) in [
            (
                "Why did the backup fail?",
                log,
                "2025-05-03 01:00:45",
                "2025-05-03 01:00:44 copy[7]: ERROR no space left\n2025-05-03 01:00:45 copy[7]: backup failed",
            ),
            ("When did the backup fail?", log, "2025-05-03 01:00:45", "2025-05-03 01:00:45 copy[7]: backup failed"),
            ("Why did the backup fail?", below, "2025-05-03 01:00:44", below),
            ("Why did the lift stop?", bare, "2025-05-03 01:00:44", bare),
            ("Why did the backup fail?", levels, "2025-05-03 01:00:45", levels.split_once('\n').unwrap().1),
            ("Why did the backup fail?", own, "2025-05-03 01:00:45", own.split_once('\n').unwrap().1),
            ("Why did the backup fail?", prose, "The backup", "The spool was full. The backup failed."),
            ("Why did the backup fail?", joined, "The backup", "The backup failed because the spool was full."),
        ] {
            let asked = asked(question);
            let units = units(text);
            let at = text.find(from).unwrap();
            let own = units.iter().find(|unit| unit.place.start == at).unwrap();
            let found = with_reason(&asked, text, &units, own.place.clone(), 90);
            assert_eq!(cut(text, &found), wanted, "{question} {text}");
        }
        let asked = asked("Why did the backup fail?");
        for (quote, lacks) in [
            ("2025-05-03 01:00:45 copy[7]: backup failed", true),
            ("2025-05-03 01:00:45 ERROR backup failed", true),
            ("2025-05-03 01:00:45 ERROR backup failed: timeout", false),
            ("2025-05-03 01:00:45 ERROR no space left on device", false),
            ("The backup failed.", false),
        ] {
            assert_eq!(lacks_reason(&asked, quote), lacks, "{quote}");
        }
    }
}
