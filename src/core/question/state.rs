//! Questions for what is (`What is the threshold of the alarm?`, `threshold alarm`), and sentences that tell what was. Of a timeline, an old clause and a
//! table that holds today, the last one is asked for.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::core::base::rows::is_listed;
use crate::core::language::clocks::clocks;
use crate::core::language::days::{begins_with_day, days, year_said};
use crate::core::language::detect::is_german;
use crate::core::language::fold::folded;
use crate::core::language::months;
use crate::core::language::stems::regular;
use crate::core::language::weekdays::Weekday;
use crate::core::language::words::{plain_words, runs, words, written};
use crate::core::question::designation::Designation;

/// Verbs that say of something that it is so, without accents.
const IS: &str = "am applies apply are can cost costs do does is may must need needs should \
     betragt darf durfen gelten gilt ist kann konnen kosten kostet lautet mussen muss sind \
     coute coutent doit doivent est peut peuvent sont";
/// The same, unless something was done: `Who has paid?` asks for what was.
const HAS: &str = "haben has hat have";
/// The same of what was so. `would` and `could` ask for something else.
const WAS: &str = "been did had used was were \
     damals gewesen hatte hatten war waren wurde wurden \
     avait avaient ete etaient etait eu eut fut furent";
/// Words that ask for what happened, for its time or for its reason.
const HAPPENED: &str = "caused happened when why \
     geschah passiert wann warum weshalb wieso \
     pourquoi quand";
/// Words that ask, in a question that says something of what it asks for.
const ASKING: &str = "how what where which who whom whose why \
     welche welchem welchen welcher welches wem wen wer wie wieviel wo \
     combien comment ou qu que quel quelle quelles quels qui";
/// Words that say in a sentence that something was so, and is perhaps no longer.
const FORMERLY: &str = "formerly had originally previously was were \
     bisher damals ehemals fruher hatte hatten ursprunglich vormals war waren wurde wurden zuvor \
     auparavant autrefois avait avaient etaient etait furent fut jadis precedemment";
/// Words that say so behind the time with which an entry begins: `10:05 threshold raised from 500 to 800`.
const CHANGED: &str = "changed decreased extended increased lifted lowered moved raised reduced set shortened \
     angehoben erhoht geandert gekurzt gesenkt gesetzt herabgesetzt reduziert verlangert verschoben \
     abaisse augmente change fixe modifie passe porte reduit releve";
/// What stands before the value that was and before the one that came, of the same sentence: `from 500 to 800`.
const FROM_TO: [(&str, &str); 3] = [("from", "to"), ("von", "auf"), ("de", "a")];
/// What is done in a meeting, in a question for what was.
const DECIDED: &str = "agree agreed approve approved decide decided resolve resolved vote voted \
     beschlossen entschieden genehmigt vereinbart verabschiedet \
     adopte approuve convenu decide vote";
/// Words of a heading below which it is told what happened and when, and nothing else.
const HISTORY: &str = "changelog changes chronology history log timeline \
     anderungen anderungsverlauf chronik chronologie historie verlauf zeitachse zeitleiste zeitverlauf \
     deroule deroulement historique modifications";
/// Words of a heading or the name of a file below which entries follow in their time, of which the last one holds.
const ENTRIES: &str = "adr decision decisions diary journal minutes news releases resolutions updates \
     beschluss beschlusse entscheidung entscheidungen logbuch neuigkeiten protokoll protokolle tagebuch \
     deliberations nouvelles";
/// What the head of a column says in which it stands from when on a row holds.
const SINCE: &str = "ab depuis effective from seit since start";
/// Such a heading has no more words.
const HEADING_WORDS: usize = 4;

/// Whether a question asks for what is so now, and not for what was, when something happened or why. A few words without a verb do as well. Whoever names a
/// time asks for what was then.
pub(crate) fn asks_what_is(question: &str) -> bool {
    let said = said_in(question);
    let any = |row: &str| said.iter().any(|word| is_listed(row, word));
    let has = || any(HAS) && !is_done(question);
    let is_so = || any(IS) || has() || !(any(ASKING) || any(HAS)) || is_done_now(question);
    let of_now = !any(WAS) && !any(HAPPENED) && !any(HISTORY) && is_so();
    let named = || Designation::all(question).into_iter().chain(Designation::telling_apart(question));
    of_now && !named().any(|one| one.is_time())
}

/// Whether a question begins with who or what does something now: `Who keeps the key?`, `Wer leitet den Verein?`
fn is_done_now(question: &str) -> bool {
    let mut said = words(question).map(|word| folded(&word));
    let (first, verb) = (said.next().unwrap_or_default(), said.next().unwrap_or_default());
    if is_listed(HAS, &verb) || is_listed(WAS, &verb) {
        return false;
    }
    match first.as_str() {
        "who" | "what" => verb.len() > 2 && verb.ends_with('s') && !verb.ends_with("ss"),
        "wer" => verb.len() > 2 && verb.ends_with('t'),
        _ => false,
    }
}

/// Whether a question asks for what was decided. What somebody was or did is told by what is, too: `Wells is a director from Kent.`
pub(crate) fn asks_what_was_decided(question: &str) -> bool {
    let said = said_in(question);
    let any = |row: &str| said.iter().any(|word| is_listed(row, word));
    any(WAS) && any(DECIDED)
}

/// The words of a text without accents, but for `was` where it is German: `Was kostet ein Schlüssel?`
fn said_in(text: &str) -> Vec<String> {
    let mut said = plain_words(text);
    if said.iter().any(|word| word == "was") && is_german(text) {
        said.retain(|word| word != "was");
    }
    said
}

/// Whether a sentence only says what is so: it has a verb that says so, or is a whole sentence, and has no word of what was.
pub(crate) fn tells_only_what_is(sentence: &str) -> bool {
    let said = said_in(sentence);
    let any = |row: &str| said.iter().any(|word| is_listed(row, word));
    let is_past = |word: &String| (word.ends_with("ed") && word.len() > 4) || regular(word).is_some();
    let is_whole = sentence.trim_end().ends_with('.') && !said.iter().any(is_past);
    let is_row = sentence.trim_start().starts_with('|');
    !is_row && !any(WAS) && !any(FORMERLY) && (any(IS) || any(HAS) || is_whole) && !begins_with_time(sentence)
}

/// Whether a question with `has` or `hat` has a participle: in German it stands at the end, where no noun has a small letter.
fn is_done(question: &str) -> bool {
    let is_past = |word: &str| word.ends_with("ed") || regular(word).is_some();
    let last = written(question).last().unwrap_or_default();
    let is_last = last.starts_with(char::is_lowercase) && (last.ends_with('t') || last.ends_with("en"));
    is_last || written(question).any(|word| is_past(&folded(word)))
}

/// Whether two dated entries tell what one thing was at two times, and not what happened then: both say that it is so, or they have figures and mostly the
/// same words.
pub(crate) fn are_of_one_thing(one: &str, other: &str) -> bool {
    let (own, others) = (bare_words(one), bare_words(other));
    let is_said = |said: &BTreeSet<String>| said.iter().any(|word| is_listed(IS, word));
    let both = own.intersection(&others).count();
    let has_half = 2 * both >= own.len().max(others.len());
    let is_alike = || both > 0 && has_half && [one, other].into_iter().all(has_figure);
    (is_said(&own) && is_said(&others)) || is_alike()
}

/// Whether an entry has a figure beside its times.
fn has_figure(entry: &str) -> bool {
    let clocks = clocks(entry).into_iter().map(|(place, _)| place);
    let times: Vec<Range<usize>> = days(entry).into_iter().map(|(place, _)| place).chain(clocks).collect();
    let is_beside = |place: &Range<usize>| !times.iter().any(|time| time.start < place.end && place.start < time.end);
    let mut said = runs(entry).filter(is_beside).filter_map(|place| entry.get(place));
    said.any(|word| word.contains(|c: char| c.is_ascii_digit()) && year_said(word).is_none())
}

/// The words of an entry without figures, times and the names of days.
fn bare_words(entry: &str) -> BTreeSet<String> {
    let is_time = |word: &String| months::named(word).is_some() || Weekday::named(word).is_some();
    let has_digit = |word: &String| word.contains(|c: char| c.is_ascii_digit());
    words(entry).filter(|word| !has_digit(word) && !is_time(word)).map(|word| folded(&word)).collect()
}

/// Whether a sentence, a row or an item of a list tells what was so.
pub(crate) fn tells_what_was(sentence: &str) -> bool {
    let said = said_in(sentence);
    let any = |row: &str| said.iter().any(|word| is_listed(row, word));
    any(FORMERLY) || (any(CHANGED) && (begins_with_time(sentence) || says_both_values(&said)))
}

/// Whether what stands below a heading only tells what happened.
pub(crate) fn is_history(heading: &str) -> bool {
    let said = plain_words(heading);
    said.len() <= HEADING_WORDS && said.iter().any(|word| is_listed(HISTORY, word))
}

/// Whether what stands below a heading, or in a file of this name, are entries in their time.
pub(crate) fn is_of_entries(name: &str) -> bool {
    let said = plain_words(name);
    is_history(name) || (said.len() <= HEADING_WORDS && said.iter().any(|word| is_listed(ENTRIES, word)))
}

/// Whether the head of a table says from when on its rows hold.
pub(crate) fn says_since(head: &str) -> bool {
    words(head).any(|word| is_listed(SINCE, &folded(&word)))
}

/// Whether an entry begins with a day or a time of day.
fn begins_with_time(entry: &str) -> bool {
    let bare = entry.trim_start_matches(|c: char| !c.is_alphanumeric());
    begins_with_day(bare) || clocks(bare).first().is_some_and(|(place, _)| place.start == 0)
}

/// Whether a figure follows each of two words: `from 500 to 800`.
fn says_both_values(said: &[String]) -> bool {
    let has_digit = |word: &String| word.contains(|c: char| c.is_ascii_digit());
    let stands = |before: &str| {
        said.windows(2).position(|pair| matches!(pair, [word, figure] if word == before && has_digit(figure)))
    };
    FROM_TO.iter().any(|(from, to)| stands(from).zip(stands(to)).is_some_and(|(from, to)| from < to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_questions_for_what_is_are_known() {
        for (question, asks) in [
            ("What is the threshold of the webhook backlog?", true),
            ("treshold of the webhok backlog", true),
            ("How high is the deposit for a key?", true),
            ("Who is the safeguarding officer?", true),
            ("What does a locker cost?", true),
            ("Wie hoch ist die Kaution?", true),
            ("Was kostet ein Schlüssel?", true),
            ("Was war der Preis eines Schlüssels?", false),
            ("Was wurde über den Ofen beschlossen?", false),
            ("Qu'a décidé le comité au sujet du four ?", false),
            ("Welche Frist gilt für Anträge?", true),
            ("Quel est le prix du casier ?", true),
            ("What was the threshold in May?", false),
            ("When is the threshold raised?", false),
            ("Why is the alarm late?", false),
            ("Who raised the threshold?", false),
            ("Who keeps the key of the hall?", true),
            ("Wer leitet den Verein?", true),
            ("Who signed a lease?", false),
            ("Who has sold the van?", false),
            ("How many seats has the van?", true),
            ("Wer hat den Vertrag unterschrieben?", false),
            ("Wie viele Plätze hat der Saal?", true),
            ("Qui a vendu le four ?", false),
            ("What did the committee decide?", false),
            ("Wie hoch war die Kaution?", false),
            ("Quel était le prix du casier ?", false),
            ("incident timeline", false),
            ("threshold of the alarm in 2024", false),
            ("Who is on call on 3 May 2025?", false),
        ] {
            assert_eq!(asks_what_is(question), asks, "{question}");
        }
    }

    #[test]
    fn em_01_sentences_on_what_was_are_known() {
        for (sentence, was) in [
            ("- 08:55 the alarm fires; its threshold of one million was too high", true),
            ("- 10:05 threshold of the backlog raised from 500 to 800", true),
            ("2025-03-01: deposit lowered to 20 €", true),
            ("The fee went up: changed from 12 to 15 euros.", true),
            ("Die Kaution wurde auf 30 € erhöht.", true),
            ("1. März: Kaution auf 30 € erhöht", true),
            ("Le prix était de 12 €.", true),
            ("Formerly 12 €.", true),
            ("| Threshold | 800 |", false),
            ("The pool is open from 9 to 17.", false),
            ("- 14:00 tea in the small room", false),
            ("Die Kaution beträgt 30 €.", false),
            ("Beschlossen ist, was die Mehrheit der Mitglieder will.", false),
            ("The threshold lowered to 50,000", false),
            ("", false),
        ] {
            assert_eq!(tells_what_was(sentence), was, "{sentence}");
        }
        for (sentence, is_only) in [
            ("It was decided to buy the boiler.", false),
            ("The committee agreed on the roof.", false),
            ("2024-05-01: the boiler is bought", false),
            ("The committee decides on the boiler.", true),
            ("- adults 8 €", false),
            ("| 2021 | the boiler is new. |", false),
            ("The boiler is decided on by the committee.", true),
            ("Es wurde beschlossen, den Ofen zu bestellen.", false),
            ("Über den Ofen beschließt der Vorstand.", true),
        ] {
            assert_eq!(tells_only_what_is(sentence), is_only, "{sentence}");
        }
        for (question, asks) in [
            ("What was decided?", true),
            ("What did the committee agree on?", true),
            ("Was wurde beschlossen?", true),
            ("What nationality was the director?", false),
            ("How many tables can be used?", false),
            ("Was kostet ein Schlüssel?", false),
            ("What is decided by the board?", false),
        ] {
            assert_eq!(asks_what_was_decided(question), asks, "{question}");
        }
        for (one, other, are) in [
            ("2024-03-01: level 3.2 m", "2024-03-02: level 2.9 m", true),
            ("1 March 2024: the key is with Ann", "9 March 2024: the key is with Tom", true),
            ("2024-03-01: Ann speaks about bees", "2024-03-02: Mona speaks about bees", false),
            ("2024-03-01: level 3.2 m", "2024-03-02: sold 4 lamps to Mr Level", false),
        ] {
            assert_eq!(are_of_one_thing(one, other), are, "{one}, {other}");
        }
        for (heading, is_one) in [
            ("Timeline", true),
            ("Revision history", true),
            ("Verlauf der Störung", true),
            ("Déroulement", true),
            ("Thresholds", false),
            ("What the history of the hall tells us today", false),
        ] {
            assert_eq!(is_history(heading), is_one, "{heading}");
        }
    }
}
