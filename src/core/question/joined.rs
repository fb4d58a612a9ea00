//! What a question asks for side by side: `Monday and Tuesday`, `the lathe or the planer`.

use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::words::runs;

/// Words between things that are asked for side by side, or that begin and end a range.
const JOINING: &str = "als and bis et or oder ou sowie than to und until versus vs";
/// Signs between them.
const SIGNS: [char; 4] = [',', ';', '/', '&'];

/// A question in the parts that stand before, between and behind what joins.
pub(crate) fn joined_parts(question: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut end) = (0, 0);
    for run in runs(question) {
        let is_apart = question.get(end..run.start).is_some_and(|between| between.contains(SIGNS));
        let is_joining = question.get(run.clone()).is_some_and(|word| is_listed(JOINING, &folded(word)));
        if is_apart || is_joining {
            parts.extend(question.get(from..end));
            from = if is_joining { run.end } else { run.start };
        }
        end = run.end;
    }
    parts.extend(question.get(from..));
    parts.retain(|part| part.contains(char::is_alphanumeric));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_what_is_asked_side_by_side_is_told_apart() {
        for (question, parts) in [
            ("Who works on Monday and Tuesday?", &["Who works on Monday", " Tuesday?"][..]),
            ("Was kosten Fenster, Türen oder Stufen?", &["Was kosten Fenster", "Türen", " Stufen?"]),
            ("Wer arbeitet Montag bis Freitag?", &["Wer arbeitet Montag", " Freitag?"]),
            ("lathe/planer", &["lathe", "planer"]),
            ("lathe, and planer", &["lathe", " planer"]),
            ("What is the price of an oak door?", &["What is the price of an oak door?"]),
            ("and", &[]),
            ("", &[]),
        ] {
            assert_eq!(joined_parts(question), parts, "{question}");
        }
    }
}
