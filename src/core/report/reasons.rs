//! What a question for a reason is answered with: beside the sentence or the entry that names what happened, the one that tells why.

use std::ops::Range;

use super::answer::AskedQuestion;
use super::leaning::sentences_before;
use super::units::{Unit, adjoins, cut, is_code, units};
use crate::core::base::rows::is_listed;
use crate::core::language::clocks::clocks;
use crate::core::language::days::begins_with_stamp;
use crate::core::language::fold::folded;
use crate::core::language::words::{informative, words};
use crate::core::question::reason_signs::{
    may_begin_with_reason, may_come_before, may_tell_its_own, may_tell_of_another, tells_plainly,
};
use crate::core::question::why::{is_error_word, is_failure, names_trouble, sender, tells_error, tells_reason};

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
    let inside = |unit: &Unit| unit.is_in(&answer);
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
    // What says no more than what is asked about has failed, in whatever words: `could not be charged`.
    let is_asked = || asked.share(&[entry]) >= SAYS_IT;
    let is_trouble = || names_trouble(entry) && !is_failure(entry) && new(from) > 0 && !is_asked();
    tells_error(entry) && (new(from) > 1 || is_behind_label() || is_trouble())
}

fn is_entry(unit: &str) -> bool {
    unit.lines().any(begins_with_stamp)
}

/// The entry of the same sender that tells what went wrong: the nearest one above that names a trouble, for what comes later and what
/// failed, too, is mostly another consequence. What is told right below in the same moment is of the same. Where no entry does, the one right before.
fn error_beside(asked: &AskedQuestion, text: &str, units: &[Unit], at: usize) -> Option<usize> {
    let said = |at: usize| units.get(at).map(|unit| cut(text, &unit.place)).unwrap_or_default();
    let own = sender(said(at));
    let is_of_same = |other: &usize| is_entry(said(*other)) && sender(said(*other)) == own;
    let tells = |other: &usize| is_of_same(other) && tells_reason_of(asked, said(*other));
    let above = || (1..=ENTRIES).filter_map(|far| at.checked_sub(far)).filter(tells);
    let below = || (1..=ENTRIES).map(|far| at + far).filter(tells);
    let names_trouble = |other: &usize| names_trouble(said(*other));
    let is_own_trouble = |other: &usize| names_trouble(other) && !is_failure(said(*other));
    let moment = stamp(said(at));
    let is_of_moment = |other: &usize| moment.is_some() && stamp(said(*other)) == moment;
    let of_moment = || above().filter(is_own_trouble).find(is_of_moment);
    let right_below = || below().take(1).find(|other| *other == at + 1 && is_of_moment(other) && is_own_trouble(other));
    of_moment()
        .or_else(right_below)
        .or_else(|| above().find(is_own_trouble))
        .or_else(|| above().find(names_trouble))
        .or_else(|| below().find(is_own_trouble))
        .or_else(|| above().next())
        .or_else(|| below().find(|other| !is_failure(said(*other))))
        .or_else(|| at.checked_sub(1).filter(is_of_same))
}

/// Bytes of the beginning of an entry in which its time stands.
const STAMP_BYTES: usize = 48;

/// The day and the time at the beginning of an entry.
fn stamp(entry: &str) -> Option<&str> {
    let head = entry.get(..entry.floor_char_boundary(STAMP_BYTES))?;
    let end = clocks(head).first().map(|(clock, _)| clock.end)?;
    head.get(..end)
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

/// Words of a question for the reason of something that happened: the sentence before may tell it without any sign.
const PAST: &str = "been did had was were hat hatte hatten war waren wurde wurden avait ete etait";

/// The share of the question from which a sentence says what is asked about.
const SAYS_IT: f32 = 0.5;

/// Whether the sentences of a quote say no more than that what is asked about is so, and nothing around them may tell why. `names` are the headings above
/// the text.
pub(super) fn gives_no_reason(
    asked: &AskedQuestion,
    question: &str,
    names: &[&str],
    text: &str,
    quote: &Range<usize>,
) -> bool {
    let units = units(text);
    let said = |at: usize| units.get(at).map(|unit| cut(text, &unit.place)).unwrap_or_default();
    let is_inside = |at: &usize| units.get(*at).is_some_and(|unit| unit.is_in(quote));
    let inside: Vec<usize> = (0..units.len()).filter(is_inside).collect();
    let is_sentence = |at: &usize| {
        let is_other = |unit: &Unit| unit.is_row || unit.is_item || unit.is_cells || unit.is_label;
        units.get(*at).is_some_and(|unit| !is_other(unit) && !is_code(text, &unit.place))
    };
    let (Some(first), Some(last)) = (inside.first(), inside.last()) else { return false };
    if !inside.iter().all(is_sentence) || names.iter().any(|name| tells_plainly(name)) {
        return false;
    }
    let adjoins_next = |at: usize| {
        units.get(at).zip(units.get(at + 1)).is_some_and(|(own, next)| adjoins(text, &own.place, &next.place))
    };
    let is_near = |at: &usize| (*first..=*last).contains(at) || *at == *last + 1 || *at + 1 == *first;
    let is_beside =
        |at: &usize| is_near(at) && (*at <= *last || adjoins_next(*last)) && (*at >= *first || adjoins_next(*at));
    let says_it = |at: &usize| asked.share(&[said(*at)]) >= SAYS_IT;
    // What happened is often told behind its reason, without any sign.
    let is_past = words(question).any(|word| is_listed(PAST, &folded(&word)));
    let comes_before = |at: usize| adjoins_next(at) && may_come_before(said(at));
    let follows = |at: &usize| is_past && says_it(at) && at.checked_sub(1).is_some_and(comes_before);
    let may_tell = |at: usize| match (is_beside(&at), says_it(&at)) {
        (true, true) => tells_plainly(said(at)) || may_tell_its_own(question, said(at)) || follows(&at),
        (true, false) => tells_plainly(said(at)) || may_tell_of_another(said(at)),
        (false, says_it) => tells_plainly(said(at)) && (says_it || may_begin_with_reason(said(at))),
    };
    !(0..units.len()).any(may_tell)
}

#[cfg(test)]
mod tests {
    use super::super::answer::AskedWord;
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
        let later = "2025-05-03 01:00:10 copy[7]: WARN no space left on /srv\n2025-05-03 01:00:20 copy[7]: retry\n\
                     2025-05-03 01:00:45 copy[7]: backup failed\n2025-05-03 01:00:46 copy[7]: ERROR mail failed: refused";
        let older = "2025-05-03 01:00:10 copy[7]: WARN clock skew\n2025-05-03 01:00:45 copy[7]: backup failed\n\
                     2025-05-03 01:00:45 copy[7]: ERROR no space left";
        let short = "2025-05-03 01:00:05 copy[4]: ERROR row 17 is broken\n2025-05-03 01:00:06 copy[4]: backup failed\n\
                     2025-05-03 01:00:09 copy[4]: ERROR report of totals failed";
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
            ("Why did the backup fail?", later, "2025-05-03 01:00:45", later.rsplit_once('\n').unwrap().0),
            ("Why did the backup fail?", older, "2025-05-03 01:00:45", older.split_once('\n').unwrap().1),
            ("Why did the backup fail?", short, "2025-05-03 01:00:06", short.rsplit_once('\n').unwrap().0),
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
            ("2025-05-03 01:00:45 ERROR the backup fails again", true),
            ("2025-05-03 01:00:45 WARN overheated", false),
            ("The backup failed.", false),
        ] {
            assert_eq!(lacks_reason(&asked, quote), lacks, "{quote}");
        }
    }
}
