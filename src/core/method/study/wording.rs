//! The words of a study that no model writes.

use crate::core::base::rows::is_listed;
use crate::core::model::chat::StudyStep;

/// What a step is called in problems.
pub(super) fn step(step: StudyStep) -> &'static str {
    match step {
        StudyStep::Brief => "the brief",
        StudyStep::Plan => "the plan",
        StudyStep::Notes(_) => "the notes of a round",
        StudyStep::Reflect(_) => "what is missing",
        StudyStep::Outline => "the outline",
        StudyStep::Section(_) => "a section of the report",
        StudyStep::Patch { .. } => "the check of the report",
        StudyStep::Summary => "the summary",
    }
}

/// A round in a line.
pub(super) fn round(results: usize, pages: usize, notes: usize) -> String {
    format!("{results} results, {pages} pages read, {notes} notes taken")
}

/// The fixed parts of a report in its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wording {
    pub(super) summary: &'static str,
    pub(super) assumed: &'static str,
    pub(super) disagree: &'static str,
    pub(super) not_found: &'static str,
    /// Below code that stands in no page.
    pub(super) unchecked: &'static str,
    /// What the mark of a doubtful sentence means.
    pub(super) doubtful: &'static str,
}

const ENGLISH: Wording = Wording {
    summary: "Summary",
    assumed: "Assumed",
    disagree: "Where the sources disagree",
    not_found: "What was not found",
    unchecked: "This code stands in none of the sources.",
    doubtful: "its sources do not bear this sentence out in full",
};

/// Languages by the beginnings of their names and codes, and their words.
const LANGUAGES: [(&str, Wording); 9] = [
    (
        "german deutsch de",
        Wording {
            summary: "Zusammenfassung",
            assumed: "Angenommen",
            disagree: "Worin sich die Quellen widersprechen",
            not_found: "Was nicht gefunden wurde",
            unchecked: "Dieser Code steht in keiner der Quellen.",
            doubtful: "die Quellen belegen diesen Satz nicht ganz",
        },
    ),
    (
        "french français francais fr",
        Wording {
            summary: "Résumé",
            assumed: "Hypothèse",
            disagree: "Où les sources se contredisent",
            not_found: "Ce qui n’a pas été trouvé",
            unchecked: "Ce code ne figure dans aucune des sources.",
            doubtful: "les sources n’étayent pas entièrement cette phrase",
        },
    ),
    (
        "spanish español espanol es",
        Wording {
            summary: "Resumen",
            assumed: "Se supone",
            disagree: "Donde las fuentes se contradicen",
            not_found: "Lo que no se encontró",
            unchecked: "Este código no figura en ninguna de las fuentes.",
            doubtful: "las fuentes no respaldan esta frase por completo",
        },
    ),
    (
        "italian it",
        Wording {
            summary: "Sintesi",
            assumed: "Si presuppone",
            disagree: "Dove le fonti si contraddicono",
            not_found: "Che cosa non è stato trovato",
            unchecked: "Questo codice non compare in nessuna delle fonti.",
            doubtful: "le fonti non confermano del tutto questa frase",
        },
    ),
    (
        "portuguese português portugues pt",
        Wording {
            summary: "Resumo",
            assumed: "Pressupõe-se",
            disagree: "Onde as fontes se contradizem",
            not_found: "O que não foi encontrado",
            unchecked: "Este código não consta de nenhuma das fontes.",
            doubtful: "as fontes não confirmam esta frase por inteiro",
        },
    ),
    (
        "dutch nederlands nl",
        Wording {
            summary: "Samenvatting",
            assumed: "Aangenomen",
            disagree: "Waar de bronnen elkaar tegenspreken",
            not_found: "Wat niet gevonden is",
            unchecked: "Deze code staat in geen van de bronnen.",
            doubtful: "de bronnen bevestigen deze zin niet helemaal",
        },
    ),
    (
        "russian русский ru",
        Wording {
            summary: "Кратко",
            assumed: "Предполагается",
            disagree: "В чём источники расходятся",
            not_found: "Что не найдено",
            unchecked: "Этого кода нет ни в одном из источников.",
            doubtful: "источники подтверждают это предложение не полностью",
        },
    ),
    (
        "chinese 中文 zh mandarin",
        Wording {
            summary: "摘要",
            assumed: "假设",
            disagree: "来源之间的分歧",
            not_found: "未找到的内容",
            unchecked: "此代码不见于任何来源。",
            doubtful: "来源没有完全证实这句话",
        },
    ),
    (
        "japanese 日本語 ja",
        Wording {
            summary: "要約",
            assumed: "前提",
            disagree: "情報源が食い違う点",
            not_found: "見つからなかったこと",
            unchecked: "このコードはどの情報源にもありません。",
            doubtful: "この文は情報源によって完全には裏付けられていない",
        },
    ),
];

/// The words for a language as a person or a model names it; English where it is not known.
pub(super) fn wording(language: &str) -> Wording {
    let name = language.trim().to_lowercase();
    let first = name.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let known = |(names, _): &&(&str, Wording)| is_listed(names, first);
    LANGUAGES.iter().find(known).map_or(ENGLISH, |(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::base::rows::phrases;
    use crate::core::evidence::reading::ASSUMED;

    /// What hadal takes for granted is no claim of the report, in whatever language it says so.
    #[test]
    fn what_is_assumed_is_known_to_the_reader_of_reports() {
        let words = LANGUAGES.iter().map(|(_, words)| words.assumed).chain([ENGLISH.assumed]);
        for word in words {
            assert!(phrases(ASSUMED).any(|known| known == word), "{word}");
        }
    }

    #[test]
    fn a_language_is_known_by_its_names() {
        for (name, want) in [
            ("German", "Zusammenfassung"),
            ("deutsch", "Zusammenfassung"),
            ("de-AT", "Zusammenfassung"),
            ("Chinese (Simplified)", "摘要"),
            ("中文", "摘要"),
            ("English", "Summary"),
            ("Klingon", "Summary"),
            ("", "Summary"),
        ] {
            assert_eq!(wording(name).summary, want, "{name}");
        }
    }
}
