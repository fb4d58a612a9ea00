//! Questions for what is not so (`What is not covered?`, `Who cannot join?`), and sentences that say of something that it is not. The others have the same
//! words and tell the opposite.

use crate::core::base::plain::is_digits;
use crate::core::base::rows::is_listed;
use crate::core::language::words::plain_words;

/// What a sentence is worth that denies nothing, where it is asked what is not so.
const AFFIRMED: f32 = 0.5;

/// Words that ask, of which one stands near the beginning, without accents.
const ASKING: &str = "what when where which who whom whose \
     wann was welche welchem welchen welcher welches wem wen wer wo wofur \
     ou qu quand que quel quelle quelles quels qui";
/// Words before such a word: `in which cases`.
const BEFORE_ASKING: usize = 2;
/// What begins another clause, and what is denied there is not asked: `What happens if it does not start?`
const CLAUSES: &str = "although as because before if once since that unless until when whether which while who \
     bevor bis dass falls ob obwohl solange sobald wahrend weil wenn \
     lorsque parce quand si";
/// Words that deny in a question.
const NOT: &str = "cannot never no not \
     kein keine keinem keinen keiner keines nicht nichts nie niemals \
     aucun aucune jamais pas rien";
/// Words that say in a sentence that something is not so, or is not done.
const DENYING: &str = "absent avoid avoided avoids barred beyond deny denied disable disabled disables disallow disallowed disallows except \
     exception exceptions exclude excluded excludes excluding exclusion exclusions exempt exempted fail failed fails forbid forbidden forbids \
     ignore ignored ignores ignoring lack lacking lacks missing neither nobody non none nor nothing nowhere omit omits omitted prevent \
     prevented prevents prohibit prohibited prohibits refuse refused refuses reject rejected rejects skip skipped skips suppress suppressed \
     suppresses without \
     ausgenommen ausgeschlossen ausnahme ausnahmen ausser entfallen entfallt niemand ohne unmoglich untersagt verboten weder \
     excepte exclu exclue exclues exclus hormis interdit interdite interdites interdits ne ni sans sauf";
/// What makes a word the opposite of the rest of it, and how much of it is left at least: `unsupported`, and no `unit`.
const OPPOSITES: [&str; 2] = ["un", "non"];
const REST: usize = 5;

/// What sentences are worth to a question by whether they deny something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Denying {
    is_asked: bool,
}

impl Denying {
    pub(crate) fn of(question: &str) -> Self {
        Self { is_asked: asked_not(question).is_some() }
    }

    /// What stands below a heading such as `Exclusions`, or an item below `Not covered are:`, need not say so again.
    pub(crate) fn worth(self, sentence: &str, above: &[Option<&str>]) -> f32 {
        let is_said = || denies(sentence) || above.iter().flatten().any(|above| denies(above));
        if self.is_asked && !is_said() { AFFIRMED } else { 1.0 }
    }
}

/// The word that denies in a question for what is not so, if none of these texts denies anything.
pub(crate) fn lacks_denial(question: &str, texts: &[&str]) -> Option<String> {
    asked_not(question).filter(|_| !texts.iter().any(|text| denies(text)))
}

/// The word that denies in a question for what is not so.
fn asked_not(question: &str) -> Option<String> {
    let said = said(question);
    let asks = said.iter().take(BEFORE_ASKING + 1).position(|word| is_listed(ASKING, word))?;
    let behind = said.get(asks + 1..).unwrap_or_default();
    let denies = |at: &usize| {
        let is_number = || behind.get(at + 1).is_some_and(|next| is_digits(next));
        behind.get(*at).is_some_and(|word| is_listed(NOT, word)) && !is_number()
    };
    let at = (0..behind.len()).find(denies)?;
    let is_other_clause = behind.iter().take(at).any(|word| is_listed(CLAUSES, word));
    behind.get(at).filter(|_| !is_other_clause).cloned()
}

/// Whether a text says of something that it is not so.
fn denies(text: &str) -> bool {
    said(text).iter().any(|word| is_listed(NOT, word) || is_listed(DENYING, word) || is_opposite(word))
}

fn is_opposite(word: &str) -> bool {
    OPPOSITES.iter().any(|prefix| word.strip_prefix(prefix).is_some_and(|rest| rest.len() >= REST))
}

/// The words of a text, with `not` for the end of `isn't`.
fn said(text: &str) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for word in plain_words(text) {
        let is_end = word == "t" && said.last().is_some_and(|before| before.ends_with('n'));
        said.push(if is_end { "not".to_owned() } else { word });
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_for_what_is_not_so_are_known() {
        for (question, word) in [
            ("What is not covered by the warranty?", "not"),
            ("What does the warranty not cover?", "not"),
            ("Who can't join?", "not"),
            ("Who cannot join?", "cannot"),
            ("In which cases isn't it paid?", "not"),
            ("Which rooms have no window?", "no"),
            ("When is the office never open?", "never"),
            ("Wer darf nicht mitfahren?", "nicht"),
            ("Welche Zimmer haben kein Fenster?", "kein"),
            ("Quels fichiers ne sont pas lus ?", "pas"),
            ("What is covered by the warranty?", ""),
            ("What happens if it does not start?", ""),
            ("What do I do with a pump that doesn't start?", ""),
            ("Which invoice has the no. 4711?", ""),
            ("Why is it not covered?", ""),
            ("Is it not covered?", ""),
            ("not covered", ""),
            ("", ""),
        ] {
            assert_eq!(asked_not(question).unwrap_or_default(), word, "{question}");
        }
    }

    #[test]
    fn sentences_that_deny_are_known() {
        for (sentence, want) in [
            ("It does not cover rust.", true),
            ("It doesn’t cover rust.", true),
            ("Rust is excluded.", true),
            ("Windows is unsupported.", true),
            ("A unit is made of parts.", false),
            ("Everybody who lives here can join.", false),
            ("Kinder fahren ohne Karte mit.", true),
            ("Hunde dürfen mitfahren.", false),
            ("", false),
        ] {
            assert_eq!(denies(sentence), want, "{sentence}");
            let (asked, not) = (Denying::of("What is not covered?"), Denying::of("What is covered?"));
            assert_eq!(asked.worth(sentence, &[]) < 1.0, !want, "{sentence}");
            assert!(asked.worth(sentence, &[Some("Exclusions")]) >= 1.0, "{sentence}");
            assert!(not.worth(sentence, &[]) >= 1.0, "{sentence}");
            let lacking = lacks_denial("What is not covered?", &["Cover", sentence]);
            assert_eq!(lacking.as_deref(), (!want).then_some("not"), "{sentence}");
        }
    }
}
