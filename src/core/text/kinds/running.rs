//! Lines that stand on every page: each text once, behind the document, without the numbers of pages.

use std::collections::BTreeSet;

use super::super::pdf_pages::{is_of, is_page_word};
use super::super::spans::PlaceInFile;
use super::build::Builder;

/// Characters of one header or footer; a longer one is no line.
const MOST_CHARS: usize = 2_000;
/// Stands for the number of a page.
const NUMBER: char = '\0';
/// Headers and footers of one document that are told apart.
const MOST_LINES: usize = 100;

/// The text of one header or footer while it is read.
#[derive(Debug, Default)]
pub(super) struct RunningText {
    parts: Vec<String>,
    part: String,
    chars: usize,
}

impl RunningText {
    pub(super) fn say(&mut self, text: &str) {
        let before = self.part.len();
        let said = text.chars().filter(|c| *c != NUMBER);
        self.part.extend(said.take(MOST_CHARS.saturating_sub(self.chars)));
        self.chars += self.part.get(before..).unwrap_or_default().chars().count();
    }

    /// The number of a page stands here.
    pub(super) fn number(&mut self) {
        if !self.part.ends_with(NUMBER) {
            self.part.push(NUMBER);
        }
    }

    /// A tab or the end of a paragraph: what follows stands apart.
    pub(super) fn end_part(&mut self) {
        let part = without_numbers(&std::mem::take(&mut self.part));
        self.parts.extend(part.contains(char::is_alphanumeric).then_some(part));
    }

    fn finish(mut self) -> String {
        self.end_part();
        self.parts.join(" · ")
    }
}

/// A text without the numbers of pages and the words that say nothing without them: `Page 3 of 12`.
fn without_numbers(part: &str) -> String {
    let apart = part.replace(NUMBER, " \0 ");
    let is_number = |word: &str| word.starts_with(NUMBER);
    let is_sign = |word: &str| !word.contains(char::is_alphanumeric);
    let mut words: Vec<&str> = Vec::new();
    for word in apart.split_whitespace() {
        let is_behind_number = words.last().is_some_and(|before| is_number(before));
        if is_number(word) {
            while words.pop_if(|before| is_sign(before) && !is_number(before)).is_some() {}
            let is_total = matches!(words.as_slice(), [.., number, of] if is_number(number) && is_of(of));
            words.pop_if(|before| is_page_word(before.trim_end_matches(':')) || is_total);
        }
        if is_behind_number && (is_number(word) || is_sign(word) || is_page_word(word)) {
            continue;
        }
        words.push(word);
    }
    let has_number = words.iter().any(|word| is_number(word));
    words.retain(|word| !is_number(word));
    let said = words.join(" ");
    // What stood between the text and the number.
    let is_between = |c: char| c.is_whitespace() || ",;:-–—|·•/([".contains(c);
    if has_number { said.trim_end_matches(is_between).to_owned() } else { said }
}

/// The headers and footers of a document.
#[derive(Debug, Default)]
pub(super) struct RunningLines {
    known: BTreeSet<String>,
    lines: Vec<String>,
}

impl RunningLines {
    /// Adds what a header or a footer says.
    pub(super) fn add(&mut self, name: &str, text: RunningText) {
        let text = text.finish();
        if !text.is_empty() && self.lines.len() < MOST_LINES && self.known.insert(text.clone()) {
            self.lines.push(format!("{name}: {text}"));
        }
    }

    /// Writes them as a part of its own, which stands where the document begins.
    pub(super) fn write(self, out: &mut Builder, place: PlaceInFile) {
        if self.lines.is_empty() {
            return;
        }
        out.section();
        out.place(place);
        self.lines.iter().for_each(|line| out.paragraph(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: what stands beside the number of a page is read, and what only belongs to the number is not.
    #[test]
    fn lb_01_running_lines_are_read_without_the_numbers_of_pages() {
        for (parts, expected) in [
            (&["Confidential draft, page ", "#"][..], "Confidential draft"),
            (&["Brandt Metall GmbH ", "#"], "Brandt Metall GmbH"),
            (&["Page ", "#", " of ", "#"], ""),
            (&["Seite ", "#", "/", "#"], ""),
            (&["Seite: ", "#", " von ", "#", " Seiten, Entwurf"], "Seiten, Entwurf"),
            (&["- ", "#", " -"], ""),
            (&["(", "#", ")"], ""),
            (&["p.", "#", " | Minutes of the board"], "Minutes of the board"),
            (&["Minutes of ", "#"], "Minutes of"),
            (&["#", " of ", "#", " pages"], ""),
            (&["#", "#", "Report"], "Report"),
            (&["Page one, C-(4)"], "Page one, C-(4)"),
            (&["--"], ""),
        ] {
            let mut text = RunningText::default();
            parts.iter().for_each(|part| if *part == "#" { text.number() } else { text.say(part) });
            assert_eq!(text.finish(), expected, "{parts:?}");
        }
    }
}
