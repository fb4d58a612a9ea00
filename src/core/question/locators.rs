//! Words that say where in a document something stands: `clause 2.2`, `Ziffer 4.1`. The document itself prints the number alone.

use std::collections::BTreeSet;

use crate::core::language::fold::folded;
use crate::core::language::words::is_listed;

const LOCATORS: &str = "abschnitt absatz alinea article artikel chapitre clause item kapitel klausel paragraph paragraphe point punkt rule \
                        section subsection ziffer";

/// The words of a question right before a number with a full stop in it, in lower case and without accents. One that also stands elsewhere in the
/// question is a subject as well.
pub(crate) fn locators(question: &str) -> BTreeSet<String> {
    let tokens: Vec<&str> = question.split_whitespace().collect();
    let bare = |token: &str| folded(token.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_number = |token: &str| {
        let mut parts = token.trim_matches(|c: char| !c.is_ascii_digit()).split('.');
        parts.clone().count() > 1
            && parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let before = tokens.iter().zip(tokens.iter().skip(1)).filter(|(_, number)| is_number(number));
    let said = before.map(|(word, _)| bare(word)).filter(|word| is_listed(LOCATORS, word));
    said.filter(|word| tokens.iter().filter(|token| bare(token) == *word).count() == 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn em_01_what_says_where_it_stands_is_not_looked_for() {
        for (question, said) in [
            ("What does clause 2.2 say?", &["clause"][..]),
            ("Was steht in Ziffer 4.1.2?", &["ziffer"]),
            ("Que dit l'article 3.4 ?", &[]),
            ("What does section 4 say?", &[]),
            ("Is version 2.2 supported?", &[]),
            ("Which clause names clause 2.2?", &[]),
            ("", &[]),
        ] {
            assert_eq!(locators(question).iter().collect::<Vec<_>>(), said, "{question}");
        }
    }
}
