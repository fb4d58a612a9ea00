//! What of a draft is no sentence: headings and code. A heading with a figure or a name that stands in no note goes; code that stands in no
//! quote stays, with a remark below it.

use std::collections::BTreeSet;

use super::note::Note;
use crate::core::language::words::{names, pieces, root, words};

/// What headings and code may say.
#[derive(Debug)]
pub(super) struct KnownText {
    /// The roots of all words of the notes and of the question.
    roots: BTreeSet<String>,
    /// What each note rests on, as tokens of code.
    quotes: Vec<Vec<String>>,
}

impl KnownText {
    pub(super) fn new(notes: &[Note], question: &str) -> Self {
        let places = || notes.iter().flat_map(|note| &note.places);
        let texts = notes.iter().map(|note| note.claim.as_str()).chain(places().map(|place| place.around.as_str()));
        let roots = texts.chain([question]).flat_map(pieces).map(|word| root(&word).to_owned()).collect();
        Self { roots, quotes: places().map(|place| tokens(&place.around)).collect() }
    }

    /// Whether a heading has a figure or a name that stands nowhere in the notes.
    pub(super) fn is_strange(&self, heading: &str) -> bool {
        let text = heading.trim_start_matches(['#', ' ']);
        // `2. Costs` is a number of the heading and no figure.
        let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered =
            behind.strip_prefix(['.', ')']).filter(|rest| behind.len() < text.len() && rest.starts_with(' '));
        let text = numbered.unwrap_or(text);
        let is_known = |word: &str| pieces(word).all(|piece| self.roots.contains(root(&piece)));
        let is_figure = |word: &String| word.chars().any(|c| c.is_ascii_digit());
        if words(text).any(|word| is_figure(&word) && !is_known(&word)) {
            return true;
        }
        let begins_large = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
        let long = || names(text).map(|(word, _)| word).skip(1).filter(|word| word.chars().count() > 3);
        // Where every word begins large, none is known for a name by that.
        let in_title_case = long().all(begins_large);
        !in_title_case && names(text).skip(1).any(|(word, is_name)| is_name && begins_large(word) && !is_known(word))
    }

    /// Whether the tokens of each line of some code stand in one of the quotes, in their order.
    fn holds(&self, code: &[&str]) -> bool {
        let lines = code.iter().map(|line| tokens(without_comment(line)));
        lines.filter(|line| !line.is_empty()).all(|line| self.quotes.iter().any(|quote| stands_in(&line, quote)))
    }
}

/// A line of code without its comment and the prompt of a shell.
fn without_comment(line: &str) -> &str {
    let line = line.trim().trim_start_matches("$ ");
    if line.starts_with('#') || line.starts_with("//") {
        return "";
    }
    let comment = [" # ", " // "].into_iter().filter_map(|mark| line.find(mark)).min();
    comment.and_then(|at| line.get(..at)).unwrap_or(line)
}

/// Names, options and numbers, without the marks between them.
fn tokens(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let trimmed = |token: &str| token.trim_end_matches(['.', '-']).to_owned();
    text.split(|c| !is_part(c)).map(trimmed).filter(|token| token.contains(char::is_alphanumeric)).collect()
}

fn stands_in(line: &[String], quote: &[String]) -> bool {
    let mut rest = quote.iter();
    line.iter().all(|token| rest.any(|other| other == token))
}

/// Whether a line opens or closes a block of code.
pub(super) fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// A draft without strange headings, and with a remark below code that stands in no quote.
pub(super) fn settle(draft: &str, known: &KnownText, remark: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut lines = draft.lines();
    while let Some(line) = lines.next() {
        if is_fence(line) {
            let code: Vec<&str> = lines.by_ref().take_while(|line| !is_fence(line)).collect();
            let fence = if line.trim_start().starts_with('~') { "~~~" } else { "```" };
            kept.push(line.to_owned());
            kept.extend(code.iter().map(|&line| line.to_owned()));
            kept.push(fence.to_owned());
            if !known.holds(&code) {
                kept.extend([String::new(), format!("_{remark}_")]);
            }
        } else if line.starts_with('#') && known.is_strange(line) {
            // The text below it goes on from what stands above.
            while kept.last().is_some_and(String::is_empty) {
                kept.pop();
            }
        } else {
            kept.push(line.to_owned());
        }
    }
    kept.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::note::QuotePlace;
    use super::*;
    use crate::core::evidence::excerpt::PageFacts;
    use crate::core::evidence::passage::PageHash;
    use crate::core::text::spans::{PlaceInFile, Span};

    fn known() -> KnownText {
        let around = "The Lark engine has 12 valves.\n\n```sh\nlarkctl   start --fast\n```";
        let facts = PageFacts {
            location: "https://a.test/".into(),
            asked: None,
            title: String::new(),
            hash: PageHash("a".into()),
            date: None,
            author: None,
        };
        let (span, lines) = (Span { start: 0, end: 1 }, PlaceInFile::lines(1, 1));
        let place = QuotePlace { quote: around.into(), facts, span, lines, around: around.into() };
        let note = Note { claim: "The Lark engine has 12 valves.".into(), places: vec![place], sub: 0 };
        KnownText::new(&[note], "How is a Lark engine started?")
    }

    /// ST-03: a heading with a figure or a name that no note has is none of ours; others stay.
    #[test]
    fn headings_say_nothing_that_no_note_says() {
        for (heading, strange) in [
            ("## The 12 valves", false),
            ("## The 13 valves", true),
            ("## 2. Valves", false),
            ("## 3) Valves of the Lark", false),
            ("### 6677 machines by Mumble", true),
            ("## The engine of Professor Mumble", true),
            ("## What matters most", false),
            ("## Key Takeaways", false),
            ("## Limits", false),
        ] {
            assert_eq!(known().is_strange(heading), strange, "{heading}");
        }
    }

    /// ST-03: code that stands in a quote is shown as it is, other code with a remark.
    #[test]
    fn code_that_no_page_has_is_marked() {
        let told = "Start it [n1].\n\n```sh\nlarkctl start --fast\n```";
        assert_eq!(settle(told, &known(), "unchecked"), told);
        let commented = "Start it [n1].\n\n```sh\n# now\n$ larkctl start  --fast # go\n```";
        assert_eq!(settle(commented, &known(), "unchecked"), commented);
        let made_up = "Start it [n1].\n\n```sh\nlarkctl stop\n```\n\nThen wait.";
        assert_eq!(
            settle(made_up, &known(), "unchecked"),
            "Start it [n1].\n\n```sh\nlarkctl stop\n```\n\n_unchecked_\n\nThen wait."
        );
        assert_eq!(settle("~~~\nx y z", &known(), "unchecked"), "~~~\nx y z\n~~~\n\n_unchecked_");
        assert_eq!(settle("A [n1].\n\n### 99 ways\n\nB [n1].", &known(), "unchecked"), "A [n1].\n\nB [n1].");
    }
}
