//! Labels of what goes wrong: `Symptom`, `Cause`, `Solution`, as headings, in bold, or at the beginning of a line. Who asks why something happens finds it
//! below the second one, and who asks how to mend it below the third.

use crate::core::base::rows::{is_listed, phrases};
use crate::core::language::fold::folded;
use crate::core::language::words::{plain_words, words};
use crate::core::question::why::asks_why;

/// What a label says stands below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Symptom,
    Cause,
    Remedy,
}

/// The words of the labels, without accents, and words that stand beside them.
const WORDS: [(Label, &str); 3] = [
    (
        Label::Symptom,
        "description error fault issue observation problem problems symptom symptoms \
         fehler fehlerbild problem problembeschreibung storung symptom symptome \
         anomalie constat defaut panne probleme symptome symptomes",
    ),
    (Label::Cause, "cause causes reason reasons why grund grunde ursache ursachen origine origines raison raisons"),
    (
        Label::Remedy,
        "action actions correction cure fix fixes remedies remedy repair resolution solution solutions workaround workarounds \
         abhilfe behebung losung losungen massnahme massnahmen \
         depannage remede remedes reparation",
    ),
];
const BESIDE: &str = "a and common corrective happens immediate it likely main most or permanent possible probable quick recommended root suggested taken the this to typical \
     underlying der die das haufige haufigste mogliche moglicher oder sofortige und wahrscheinliche \
     corrective de des du et frequentes l la le les ou possible possibles principale probable probables";
/// Labels of which no word is one.
const WHOLE: [(Label, &str); 4] = [
    (Label::Remedy, "what to do"),
    (Label::Remedy, "was tun"),
    (Label::Remedy, "que faire"),
    (Label::Symptom, "what happens"),
];
/// The longest label.
const LONGEST: usize = 5;
const LONGEST_BYTES: usize = 60;

/// How a question begins that asks what is to be done, without accents; what asks how, and the verbs behind it.
const DOING: &str = "what to do, what should i do, what can i do, what do i do, what helps, was tun, was hilft, \
     was kann ich, que faire, quoi faire";
const HOW: &str = "comment how wie";
const MENDING: &str = "clear cure eliminate fix mend remedy repair resolve solve troubleshoot \
     behebe beheben behebt beseitige beseitigen beseitigt lose losen lost repariere reparieren repariert \
     corriger depanner regler remedier reparer resoudre";
/// The same of what was done, which may stand at the end.
const MENDED: &str = "cleared cured eliminated fixed mended remedied repaired resolved solved \
     behoben beseitigt gelost repariert corrige corrigee depanne regle reglee remedie repare reparee resolu resolue";
/// Words of a question among which what is to be done stands.
const BEGINNING: usize = 6;

impl Label {
    /// The label below which it stands what a question asks for, if there is one.
    pub(crate) fn asked(question: &str) -> Option<Self> {
        let said = plain_words(question);
        let all = said.join(" ");
        let begins =
            |beginning: &str| all.strip_prefix(beginning).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
        let asks_how = said.first().is_some_and(|first| is_listed(HOW, first));
        let is_mended = || said.iter().any(|word| is_listed(MENDED, word));
        let mends = asks_how && (is_mended() || said.iter().take(BEGINNING).any(|word| is_listed(MENDING, word)));
        match mends || phrases(DOING).any(begins) {
            true => Some(Self::Remedy),
            false => asks_why(question).then_some(Self::Cause),
        }
    }

    /// What is said of a passage that does not tell what stands below it.
    pub(crate) fn lacking(self) -> &'static str {
        match self {
            Self::Symptom => "the nearest passage does not say what happens",
            Self::Cause => "the nearest passage does not say why",
            Self::Remedy => "the nearest passage does not say what to do",
        }
    }

    /// Whether a heading, or the beginning of a line, is such a label.
    pub(crate) fn is_named_by(self, heading: &str) -> bool {
        Self::all_of(heading).contains(&self)
    }

    /// The labels that a heading is, such as `Cause and solution`; none of one that names anything else.
    fn all_of(heading: &str) -> Vec<Self> {
        if heading.len() > LONGEST_BYTES {
            return Vec::new();
        }
        let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
        let said: Vec<String> = words(heading).map(|word| folded(&word)).filter(|word| !is_number(word)).collect();
        let whole = WHOLE.iter().find(|(_, whole)| said.join(" ") == *whole).map(|(label, _)| *label);
        let labels = |word: &String| -> Vec<Self> {
            WORDS.iter().filter(|(_, row)| is_listed(row, word)).map(|(label, _)| *label).collect()
        };
        let is_known = |word: &String| is_listed(BESIDE, word) || !labels(word).is_empty();
        let is_label = said.len() <= LONGEST && said.iter().all(is_known);
        whole.into_iter().chain(said.iter().filter(|_| is_label).flat_map(labels)).collect()
    }

    /// The labels that a line begins with: `**Cause:** a worn seal`, `- Cause – a worn seal`, or nothing but `Cause`.
    pub(crate) fn at_beginning_of(line: &str) -> Vec<Self> {
        Self::with_value(line).0
    }

    /// The same with what stands behind them.
    pub(crate) fn with_value(line: &str) -> (Vec<Self>, &str) {
        let bare = line.trim().trim_start_matches(['-', '*', '+', '•', '#', '_', '>', ' ']);
        let ends = [":", "**", "__", " – ", " — ", " - "];
        let end = ends.iter().filter_map(|end| bare.find(end)).min().unwrap_or(bare.len());
        let labels = bare.get(..end).map(Self::all_of).unwrap_or_default();
        let behind = bare.get(end..).unwrap_or_default();
        let behind = ends.iter().find_map(|end| behind.strip_prefix(end)).unwrap_or(behind);
        (labels, behind.trim_start_matches([':', '*', '_', ' ', '\u{a0}']))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_causes_and_remedies_are_asked_for() {
        for (question, label) in [
            ("Why does the pump vibrate?", Some(Label::Cause)),
            ("What causes the vibration of the pump?", Some(Label::Cause)),
            ("Warum vibriert die Pumpe?", Some(Label::Cause)),
            ("How do I fix the vibration of the pump?", Some(Label::Remedy)),
            ("What to do when the pump vibrates?", Some(Label::Remedy)),
            ("Wie behebe ich den Fehler E17?", Some(Label::Remedy)),
            ("Comment réparer la pompe ?", Some(Label::Remedy)),
            ("Que faire si la pompe vibre ?", Some(Label::Remedy)),
            ("How was the mail server of the office in Lyon fixed?", Some(Label::Remedy)),
            ("Wie wurde der Fehler E17 behoben?", Some(Label::Remedy)),
            ("Comment la panne de la pompe a-t-elle été réparée ?", Some(Label::Remedy)),
            ("How often does the pump vibrate?", None),
            ("What to dock at night?", None),
            ("", None),
        ] {
            assert_eq!(Label::asked(question), label, "{question}");
        }
    }

    #[test]
    fn em_01_labels_are_told_from_what_they_label() {
        for (line, labels) in [
            ("**Cause:** a worn seal", &[Label::Cause][..]),
            ("- **Possible causes** a worn seal", &[Label::Cause]),
            ("Ursache: Dichtung verschlissen", &[Label::Cause]),
            ("Lösung – Dichtung tauschen", &[Label::Remedy]),
            ("### 3.2 Root cause", &[Label::Cause]),
            ("Cause and remedy", &[Label::Cause, Label::Remedy]),
            ("Symptôme : la pompe vibre", &[Label::Symptom]),
            ("What to do", &[Label::Remedy]),
            ("Cause of the fire was a cable", &[]),
            ("Reasons to visit: the garden", &[]),
            ("The seal is worn.", &[]),
            ("", &[]),
        ] {
            assert_eq!(Label::at_beginning_of(line), labels, "{line}");
        }
    }
}
