//! Names of settings whose words are joined by hyphens: `hard-stop-after`, `minimal-any`. Prose has such words as well, `long-term` and `up-to-date`; what
//! is a name is told by its length, or by what is asked about it. A word that is no word of English is one beside what settings are called: `the maxage
//! option`.

use crate::core::base::rows::is_listed;
use crate::core::language::spelling::is_common;
use crate::core::language::words::is_filler;

/// Words from which a name is long enough to be no prose.
const LONG: usize = 3;
/// Words that join the parts of long words of prose: `state-of-the-art`, `black-and-white`.
const JOINING: &str = "a an and at by for from in of on or the to with und";
/// What a long word of prose begins or ends with: `three-year-old`, `two-day-long`, `well-thought-out`.
const COUNTED: &str = "one two three four five six seven eight nine ten old long well year day week month hour yet \
     ever";
/// What a setting is called, before its name or behind it.
const NOUNS: &str = "option options setting settings directive parameter keyword flag switch command variable \
     statement function attribute property field clause argument opción einstellung parameters directives schalter \
     befehl paramètre commande";

/// Whether a word can only be the name of something.
pub(super) fn is_name(word: &str) -> bool {
    let pieces: Vec<&str> = word.split('-').collect();
    let is_of_prose = |piece: &&str| is_listed(JOINING, piece) || is_listed(COUNTED, piece);
    may_be_name(word) && pieces.len() >= LONG && !pieces.iter().any(is_of_prose)
}

/// Whether a word is made as such names are.
pub(super) fn may_be_name(word: &str) -> bool {
    let is_piece =
        |piece: &str| piece.chars().count() >= 2 && piece.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    word.contains('-') && word.split('-').all(is_piece)
}

/// What programs and parts of a language are called as well, which all of their documents name: `the borg command`.
const OF_PROGRAMS: &str = "befehl clause command commande function statement";
/// Letters that such a word has at least.
const SHORTEST: usize = 4;

/// The word at a place without the signs around it; nothing where there is none.
fn bare<'w>(words: &[&'w str], at: Option<usize>) -> &'w str {
    let word = at.and_then(|at| words.get(at)).copied().unwrap_or_default();
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether the word at this place stands beside what settings are called, and is no ordinary word.
pub(super) fn is_called_so(words: &[&str], at: usize) -> bool {
    let is_noun = |at: Option<usize>| {
        let word = bare(words, at).to_lowercase();
        is_listed(NOUNS, &word) && !is_listed(OF_PROGRAMS, &word)
    };
    let own = bare(words, Some(at));
    let is_plain = own.chars().count() >= SHORTEST && own.chars().all(|c| c.is_ascii_lowercase());
    is_plain && !is_common(own) && !is_filler(own) && (is_noun(at.checked_sub(1)) || is_noun(at.checked_add(1)))
}

/// Whether something is asked about the word at this place that is asked about settings: `the default of minimal-any`, `What does minimal-any do?`,
/// `the minimal-any option`.
pub(super) fn is_asked_for(words: &[&str], at: usize) -> bool {
    let word = |at: Option<usize>| bare(words, at).to_lowercase();
    let back = |count: usize| word(at.checked_sub(count));
    let (before, next) = (back(1), word(at.checked_add(1)));
    let article = usize::from(["the", "a", "der", "die", "das"].contains(&before.as_str()));
    let is_of = ["of", "for", "von", "de"].contains(&back(article + 1).as_str());
    let what = back(article + 2);
    let is_default = ["default", "value", "defaults", "meaning", "purpose", "standardwert", "voreinstellung", "défaut"]
        .contains(&what.as_str());
    let is_doing = ["does", "do", "macht", "bewirkt", "bedeutet", "fait"].contains(&back(article + 1).as_str());
    let is_done = ["do", "mean", "control", "set", "specify", "limit", "affect", ""].contains(&next.as_str());
    is_listed(NOUNS, &before) || is_listed(NOUNS, &next) || (is_of && is_default) || (is_doing && is_done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_names() {
        for (word, is_long, may_be) in [
            ("hard-stop-after", true, true),
            ("max-keep-alive-queue", true, true),
            ("minimal-any", false, true),
            ("state-of-the-art", false, true),
            ("three-year-old", false, true),
            ("Coca-Cola-Light", false, false),
            ("max_age", false, false),
            ("a-b", false, false),
            ("max--age", false, false),
            ("", false, false),
        ] {
            assert_eq!((is_name(word), may_be_name(word)), (is_long, may_be), "{word}");
        }
    }

    #[test]
    fn what_is_asked_tells_a_name() {
        for (question, is_asked) in [
            ("What does minimal-any do?", true),
            ("What does the minimal-any option do?", true),
            ("What is the default of minimal-any?", true),
            ("what is the default value of the minimal-any", true),
            ("Which statement sets the option minimal-any", true),
            ("Was macht minimal-any?", true),
            ("Is the minimal-any contract cancelled?", false),
            ("Who pays for minimal-any care?", false),
            ("minimal-any", false),
        ] {
            let words: Vec<&str> = question.split_whitespace().collect();
            let at = words.iter().position(|word| word.starts_with("minimal")).unwrap();
            assert_eq!(is_asked_for(&words, at), is_asked, "{question}");
        }
    }

    #[test]
    fn em_01_uncommon_words_beside_what_settings_are_called_are_names() {
        for (question, name) in [
            ("What does the maxage option of logrotate do?", Some("maxage")),
            ("What is the timefix argument for?", Some("timefix")),
            ("What does the borg command need?", None),
            ("What does the long option do?", None),
            ("Which option keeps the logs?", None),
            ("What is the option of the tenant?", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            let found = (0..words.len()).find(|at| is_called_so(&words, *at)).and_then(|at| words.get(at).copied());
            assert_eq!(found, name, "{question}");
        }
    }
}
