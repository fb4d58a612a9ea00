//! Questions for what a term means: `What is a seiche?`, `What does RMA stand for?`, `Que veut dire tribord ?`. A glossary has the term at the beginning of an
//! entry; other entries only speak of it. A manual tells so what a command or an option does: `What does the -g option of the daemon do?`.

use std::ops::Range;

use crate::core::base::rows::{is_listed, listed};
use crate::core::language::fold::folded;
use crate::core::language::words::runs;

/// What stands before the term in such a question, and behind it. The first that fits is taken.
const FORMS: [(&str, &str); 24] = [
    ("what is meant by", ""),
    ("what is", "used for"),
    ("what are", "used for"),
    ("what is", "for"),
    ("what are", "for"),
    ("what does", "do"),
    ("what do", "do"),
    ("was macht", ""),
    ("what is", ""),
    ("what are", ""),
    ("what does", "stand for"),
    ("what does", "mean"),
    ("what do", "stand for"),
    ("what do", "mean"),
    ("define", ""),
    ("was versteht man unter", ""),
    ("was ist", ""),
    ("was sind", ""),
    ("was bedeutet", ""),
    ("was heisst", ""),
    ("qu est ce que", ""),
    ("qu est ce qu", ""),
    ("que signifie", ""),
    ("que veut dire", ""),
];
/// Words of these that ask for a meaning; no entry has them.
const ASKING: &str = "bedeutet define dire heisst mean meant signifie stand versteht veut";
/// What a manual calls the things that it has an entry for.
const KINDS: &str = "action argument befehl command directive field flag function keyword method option parameter schalter setting subcommand switch \
     variable";
const ARTICLES: &str = "a an das der die ein eine einen l la le les the un une";
/// Words that join two things: `the capital of the country` is no term.
const JOINING: &str = "a an and at au aux by d de dem den der des du en for from im in it of on or que qui that the this to und vom von with your zum zur";
/// What says where a thing is that does something.
const PLACING: &str = "at for from in inside of on to with within";
/// A term has no more words.
const WORDS: usize = 3;
/// What stands behind a term in the sentence that explains it.
const EXPLAINING: &str = "are bedeutet bezeichnet designe est is ist means sind sont";
/// The same as a sign, or at the end of its line.
const SIGNS: [&str; 12] = [", -", ":", " :", "|", " |", "**", "`", " –", " —", " -", " (", "\n"];
/// What may stand before a term in the line that it begins.
const LINE_MARKS: [char; 8] = ['#', '*', '-', '>', '|', ' ', '`', '•'];

/// A term that is asked for, in small letters and without accents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedTerm(Vec<String>);

/// The term whose meaning a question asks for.
pub(crate) fn asked_term(question: &str) -> Option<AskedTerm> {
    let said: Vec<String> = runs(question).filter_map(|place| question.get(place)).map(plain).collect();
    let lower: Vec<String> = said.iter().map(|word| word.to_lowercase()).collect();
    let (inner, behind) =
        FORMS.iter().find_map(|(before, behind)| Some((between(&lower, before, behind)?, *behind)))?;
    let mut term = said.get(inner).unwrap_or_default();
    if behind == "do" {
        // What is said of where it is belongs to it no longer: `-g of the daemon`.
        term = term.split(|word| is_listed(PLACING, word)).next().unwrap_or_default();
    }
    if let Some((_, rest)) = term.split_first().filter(|(word, _)| is_listed(ARTICLES, word)) {
        term = rest;
    }
    let term = without_kind(term);
    let is_one = !term.is_empty() && term.len() <= WORDS && !term.iter().any(|word| is_listed(JOINING, word));
    is_one.then(|| AskedTerm(term.to_vec()))
}

/// Which of these words stand between two parts of a form, if they begin with the one and end with the other.
fn between(said: &[String], before: &str, behind: &str) -> Option<Range<usize>> {
    let (from, until) = (listed(before).count(), said.len().checked_sub(listed(behind).count())?);
    let begins = said.iter().zip(listed(before)).all(|(word, wanted)| word == wanted);
    let ends = said.iter().skip(until).zip(listed(behind)).all(|(word, wanted)| word == wanted);
    (begins && ends && from < until).then_some(from..until)
}

/// The name in what says of which kind it is: `the autoclean command`, `option -g`.
fn without_kind(term: &[String]) -> &[String] {
    match term {
        [kind, name @ ..] | [name @ .., kind] if !name.is_empty() && is_listed(KINDS, kind) => name,
        _ => term,
    }
}

/// A word in lower case and without accents. A letter alone stays as it is written: `-g` and `-G` are two options.
fn plain(word: &str) -> String {
    if word.len() == 1 { word.to_owned() } else { folded(word) }
}

/// The words of a question that only ask what a term means, in lower case and without accents.
pub(crate) fn meaning_words(question: &str) -> Vec<String> {
    let said = runs(question).filter_map(|place| question.get(place)).map(folded);
    match asked_term(question) {
        Some(AskedTerm(term)) => said.filter(|word| is_listed(ASKING, word) && !term.contains(word)).collect(),
        None => Vec::new(),
    }
}

impl AskedTerm {
    /// Whether an entry of a text explains it: a line begins with the term and ends there, or goes on with what is said of it.
    pub(crate) fn has_entry_in(&self, text: &str) -> bool {
        text.split_inclusive('\n').any(|line| self.is_explained_by(line))
    }

    fn is_explained_by(&self, line: &str) -> bool {
        let line = line.trim_start_matches(LINE_MARKS);
        let mut said = runs(line).filter_map(|place| Some((line.get(place.clone())?, place.end))).peekable();
        let has_article = said.next_if(|(word, _)| is_listed(ARTICLES, &folded(word))).is_some();
        let mut end = 0;
        for word in &self.0 {
            match said.next() {
                Some((here, until)) if is_form_of(&plain(here), word) => end = until,
                _ => return false,
            }
        }
        let rest = line.get(end..).unwrap_or_default();
        let is_explained =
            said.next().is_some_and(|(word, _)| rest.starts_with(' ') && is_listed(EXPLAINING, &folded(word)));
        let is_entry = rest.trim_end_matches([' ', '\r']).is_empty() || SIGNS.iter().any(|sign| rest.starts_with(sign));
        is_explained || (is_entry && !has_article)
    }
}

/// A word and its plural.
fn is_form_of(said: &str, word: &str) -> bool {
    let is_longer =
        |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| matches!(rest, "" | "s" | "es"));
    is_longer(said, word) || is_longer(word, said)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: the term that a question asks for is known in the ways of three languages.
    #[test]
    fn em_01_terms_that_are_asked_for_are_known() {
        for (question, term, asking) in [
            ("What is a seiche?", "seiche", &[][..]),
            ("What are spring tides?", "spring tides", &[]),
            ("What does RMA stand for?", "rma", &["stand"]),
            ("What does 'loss of way' mean?", "", &[]),
            ("What does freeboard mean?", "freeboard", &["mean"]),
            ("Was bedeutet Durchschuss?", "durchschuss", &["bedeutet"]),
            ("Was ist ein Höhenmaß?", "hohenmass", &[]),
            ("Qu'est-ce que la cote ?", "cote", &[]),
            ("Que veut dire tribord ?", "tribord", &["veut", "dire"]),
            ("Que signifie tribord ?", "tribord", &["signifie"]),
            ("What is the capital of the country?", "", &[]),
            ("What is it?", "", &[]),
            ("What does it do?", "", &[]),
            ("What does autoclean do?", "autoclean", &[]),
            ("What does the autoclean command do?", "autoclean", &[]),
            ("What does the -G option of the daemon do?", "G", &[]),
            ("What is the option -x for?", "x", &[]),
            ("What is a heaving line used for?", "heaving line", &[]),
            ("What does the lid of the box do?", "lid", &[]),
            ("What does a parameter do?", "parameter", &[]),
            ("What is the deadline for this?", "", &[]),
            ("Who is Ann?", "", &[]),
            ("What is", "", &[]),
            ("", "", &[]),
        ] {
            let got = asked_term(question).map(|term| term.0.join(" ")).unwrap_or_default();
            assert_eq!(
                (got.as_str(), meaning_words(question)),
                (term, asking.iter().map(|word| (*word).to_owned()).collect()),
                "{question}"
            );
        }
    }

    /// EM-01: an entry of a glossary is told from what speaks of its term.
    #[test]
    fn em_01_entries_of_terms_are_known() {
        for (question, text, is_entry) in [
            ("What is a dulohuba?", "Kegamimi\n    Unlike the dulohuba.\n", false),
            ("What is a dulohuba?", "Dulohuba\n    A kind of kesimine.\n", true),
            ("What is a dulohuba?", "- **Dulohuba** – a kind", true),
            ("What is a dulohuba?", "| Dulohuba | a kind |", true),
            ("What is a dulohuba?", "dulohuba: a kind", true),
            ("What is a dulohuba?", "A dulohuba is a kind", true),
            ("What is a dulohuba?", "The dulohuba (a boat) sank", false),
            ("What is a dulohuba?", "Dulohuba was sold", false),
            ("What are dulohubas?", "Dulohuba: a kind", true),
            ("What is a spring tide?", "Spring: a season", false),
            ("What is a dulohuba?", "", false),
            ("What does the -g option do?", "- `-g`, `--gate`\n  Allows it.", true),
            ("What does the -g option do?", "-g, --gate\nAllows it.", true),
            ("What does the -g option do?", "`-G`\nAllows it.", false),
            ("What does the -g option do?", "Give -g to allow it.", false),
            ("What does autoclean do?", "`autoclean`\nRemoves files.", true),
            ("What does autoclean do?", "autoclean removes files", false),
        ] {
            assert_eq!(asked_term(question).unwrap().has_entry_in(text), is_entry, "{question} {text}");
        }
    }
}
