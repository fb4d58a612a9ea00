//! Questions for what is (`What is the threshold of the alarm?`, `threshold alarm`), and sentences that tell what was. Of a timeline, an old clause and a
//! table that holds today, the last one is asked for.

use crate::core::language::clocks::clocks;
use crate::core::language::days::begins_with_day;
use crate::core::language::fold::folded;
use crate::core::language::stems::regular;
use crate::core::language::words::{is_listed, words, written};
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
     combien comment ou quel quelle quelles quels qui";
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
/// Words of a heading below which it is told what happened and when, and nothing else.
const HISTORY: &str = "changelog changes chronology history log timeline \
     anderungen anderungsverlauf chronik chronologie historie verlauf zeitachse zeitleiste zeitverlauf \
     deroule deroulement historique modifications";
/// Such a heading has no more words.
const HEADING_WORDS: usize = 4;

/// Whether a question asks for what is so now, and not for what was, when something happened or why. A few words without a verb do as well. Whoever names a
/// time asks for what was then.
pub(crate) fn asks_what_is(question: &str) -> bool {
    let said: Vec<String> = words(question).map(|word| folded(&word)).collect();
    let any = |row: &str| said.iter().any(|word| is_listed(row, word));
    let has = || any(HAS) && !is_done(question);
    let of_now = !any(WAS) && !any(HAPPENED) && !any(HISTORY) && (any(IS) || has() || !(any(ASKING) || any(HAS)));
    let named = || Designation::all(question).into_iter().chain(Designation::telling_apart(question));
    of_now && !named().any(|one| one.is_time())
}

/// Whether a question with `has` or `hat` has a participle: in German it stands at the end, where no noun has a small letter.
fn is_done(question: &str) -> bool {
    let is_past = |word: &str| word.ends_with("ed") || regular(word).is_some();
    let last = written(question).last().unwrap_or_default();
    let is_last = last.starts_with(char::is_lowercase) && (last.ends_with('t') || last.ends_with("en"));
    is_last || written(question).any(|word| is_past(&folded(word)))
}

/// Whether a sentence, a row or an item of a list tells what was so.
pub(crate) fn tells_what_was(sentence: &str) -> bool {
    let said: Vec<String> = words(sentence).map(|word| folded(&word)).collect();
    let any = |row: &str| said.iter().any(|word| is_listed(row, word));
    any(FORMERLY) || (any(CHANGED) && (begins_with_time(sentence) || says_both_values(&said)))
}

/// Whether what stands below a heading only tells what happened.
pub(crate) fn is_history(heading: &str) -> bool {
    let said: Vec<String> = words(heading).map(|word| folded(&word)).collect();
    said.len() <= HEADING_WORDS && said.iter().any(|word| is_listed(HISTORY, word))
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
            ("Welche Frist gilt für Anträge?", true),
            ("Quel est le prix du casier ?", true),
            ("What was the threshold in May?", false),
            ("When is the threshold raised?", false),
            ("Why is the alarm late?", false),
            ("Who raised the threshold?", false),
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
            ("The threshold lowered to 50,000", false),
            ("", false),
        ] {
            assert_eq!(tells_what_was(sentence), was, "{sentence}");
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
