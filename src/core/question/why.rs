//! Questions for a reason, and whether a text tells one.

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::words::{plain_words, words};

/// Words that ask for a reason wherever they stand, without accents.
const WHY: &str = "pourquoi warum weshalb wieso why";
/// Words that do where a question begins: `what caused the outage`, `what was the cause of it`.
const REASON: &str = "cause causes caused causing grund raison reason reasons ursache ursachen verursacht verursachte";
const BEGINNING: usize = 6;
/// Words that join a reason to what it is of, or name it, without accents.
const JOINING: &str = "because due owing since \
     aufgrund da daher darum denn deshalb deswegen durch weil wegen \
     car parce puisque suite";
/// Words by which an entry of a log, and a line behind it, tells that something went wrong, without accents.
const WRONG: &str = "alert crit critical denied emerg err error errors exception fatal panic refused severe traceback warn warning \
     abgebrochen abgelehnt fehler verweigert warnung \
     erreur erreurs refuse";

/// Whether a question asks for a reason.
pub(crate) fn asks_why(question: &str) -> bool {
    let said = plain_words(question);
    let begins = said.iter().take(BEGINNING).any(|word| is_listed(REASON, word));
    begins || said.iter().any(|word| is_listed(WHY, word))
}

/// Whether a sentence tells a reason, as far as words say.
pub(crate) fn tells_reason(sentence: &str) -> bool {
    words(sentence).map(|word| folded(&word)).any(|word| is_listed(JOINING, &word) || is_listed(REASON, &word))
}

/// Whether a word of an entry only says that something went wrong.
pub(crate) fn is_error_word(word: &str) -> bool {
    is_listed(WRONG, &folded(word))
}

/// Whether an entry of a log tells what went wrong, or has the reason behind a colon: `failed: no space left`.
pub(crate) fn tells_error(entry: &str) -> bool {
    let is_told = words(entry).map(|word| folded(&word)).any(|word| is_listed(WRONG, &word));
    let words: Vec<&str> = entry.split_whitespace().collect();
    // What names the sender ends with a colon, too.
    let is_label = |word: &&str| word.ends_with(':') && word.chars().all(|c| c.is_alphabetic() || c == ':');
    let says_more = words.iter().skip(1).rev().skip(1).any(is_label) && sender(entry).is_none_or(|own| !is_label(&own));
    is_told || tells_reason(entry) || says_more
}

/// Words by which an entry tells that something was tried and did not work, without accents: that is as often a consequence as a reason.
const FAILED: &str = "abort aborted canceled cancelled cannot couldn fail failed failing fails failure failures stopped unable unsuccessful \
     abgebrochen fehlgeschlagen gescheitert scheiterte \
     echec echoue echouee impossible";

/// Whether an entry says that something went wrong, by a word for it or by one for a reason.
pub(crate) fn names_trouble(entry: &str) -> bool {
    tells_reason(entry) || words(entry).any(|word| is_error_word(&word))
}

/// Whether an entry says that something failed.
pub(crate) fn is_failure(entry: &str) -> bool {
    words(entry).any(|word| is_listed(FAILED, &folded(&word)))
}

/// Who writes an entry of a log, where that ends with a colon or has a number in brackets: `backup[9433]:`.
pub(crate) fn sender(entry: &str) -> Option<&str> {
    let is_sender = |word: &&str| {
        let bare = word.trim_end_matches(':');
        let is_numbered = bare.strip_suffix(']').and_then(|word| word.split_once('[')).is_some_and(|(name, id)| {
            name.starts_with(char::is_alphabetic) && id.starts_with(|c: char| c.is_ascii_digit())
        });
        // `failed:` and `ERROR:` say what happened.
        let is_said = bare.ends_with("ed") || is_listed(WRONG, &folded(bare));
        is_numbered || (word.ends_with(':') && bare.starts_with(char::is_alphabetic) && !is_said)
    };
    entry.split_whitespace().find(is_sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_questions_for_reasons_are_known() {
        for (question, asks) in [
            ("Why did the backup fail?", true),
            ("Do you know why it fails?", true),
            ("What caused the outage?", true),
            ("What was the cause of the fire?", true),
            ("Was war die Ursache des Ausfalls?", true),
            ("Pourquoi le concert a-t-il été annulé ?", true),
            ("Who treated the patient that was said to be the cause?", false),
            ("When did the backup fail?", false),
            ("", false),
        ] {
            assert_eq!(asks_why(question), asks, "{question}");
        }
    }

    #[test]
    fn em_01_entries_tell_what_went_wrong() {
        for (entry, tells) in [
            ("2025-05-03 01:00:44 backup[9433]: ERROR no space left on device", true),
            ("2025-05-03 01:00:44 backup[9433]: failed ledger incr exit=28", false),
            ("2025-05-03 01:00:44 copy failed: disk full", true),
            ("2025-05-03 01:00:44 backup: failed", false),
            ("2025-05-03 01:00:44 Sicherung abgebrochen, weil die Platte voll ist", true),
            ("2025-05-03 01:00:44 start", false),
            ("", false),
        ] {
            assert_eq!(tells_error(entry), tells, "{entry}");
        }
        assert_eq!(sender("2025-05-03 01:00:44 backup[9433]: ERROR no space"), Some("backup[9433]:"));
        assert_eq!(sender("May  3 01:00:44 host sshd[7]: x: y"), Some("sshd[7]:"));
        assert_eq!(sender("2025-05-03T01:00:44 wh-7 ERROR alarm - fired"), None);
    }
}
