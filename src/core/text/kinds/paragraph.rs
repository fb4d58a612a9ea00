//! Paragraphs of office texts: what their styles make of them, and how they are written.

use super::super::outline::CutAt;
use super::super::spans::PlaceInFile;
use super::PageEnds;
use super::build::Builder;
use super::numbering::Mark;
use crate::core::base::rows::is_listed;

/// How many styles may go before one.
pub(super) const BASES: usize = 8;

/// What a style makes of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Its level, which is 0 for the title of the document.
    Heading(u8),
    Code,
    /// An item of a list, so deep in it.
    Item(usize),
    /// A line of the table of contents, which says again what headings say.
    Contents,
}

impl Shape {
    /// By the name that every language of Word gives to a style.
    pub(super) fn named(name: &str) -> Option<Self> {
        let lower = name.to_lowercase();
        if lower == "title" {
            return Some(Self::Heading(0));
        }
        if let Some(level) = lower.strip_prefix("heading").and_then(|level| level.trim().parse().ok()) {
            return Some(Self::Heading(level));
        }
        if let Some(depth) = ["list bullet", "list number"].iter().find_map(|list| lower.strip_prefix(list)) {
            return Some(Self::Item(depth.trim().parse::<usize>().map_or(0, |depth| depth.saturating_sub(1))));
        }
        let contents = is_contents_style(name).then_some(Self::Contents);
        contents.or_else(|| is_code_style(name).then_some(Self::Code))
    }
}

/// Whether the name of a style is that of a line of the table of contents, in Word's files or in open ones: `toc 1`, `Contents_20_1`.
pub(super) fn is_contents_style(name: &str) -> bool {
    let name = name.to_lowercase().replace("_20_", " ");
    let level = ["toc ", "contents "].iter().find_map(|contents| name.strip_prefix(contents));
    level.is_some_and(|level| level.parse::<u8>().is_ok())
}

/// Words that are said of nothing but code.
const OF_CODE: &str = "preformatted verbatim";
/// Words by which a style is one for code where no other word says that it is not: `Zip Code`, `Code of Conduct`.
const CODE: &str = "code codeblock listing quellcode quelltext sourcecode";
/// Words that stand beside them.
const BESIDE_CODE: &str = "block box char character computer example fragment html inline java json line lines \
     paragraph program python sample shell snippet source sql style text xml";

/// Whether the name of a style says that its text is code of a program.
pub(super) fn is_code_style(name: &str) -> bool {
    let words = words_of_name(name);
    let has = |row: &str| words.iter().any(|word| is_listed(row, word));
    let is_known =
        |word: &String| is_listed(CODE, word) || is_listed(BESIDE_CODE, word) || word.chars().all(char::is_numeric);
    has(OF_CODE) || (has(CODE) && words.iter().all(is_known))
}

/// The words of `Source_20_Code`, `SourceCode` and `source code 2`, in lower case.
fn words_of_name(name: &str) -> Vec<String> {
    // Open documents write signs of names by their numbers.
    let name = name.replace("_20_", " ");
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.iter_mut().next_back().into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A paragraph of a text that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) text: String,
    pub(super) shape: Option<Shape>,
    /// What stands in front of it.
    pub(super) mark: Option<Mark>,
    pub(super) page_ends: PageEnds,
    /// Where it ends.
    pub(super) last: PlaceInFile,
}

impl Ended {
    /// With its number, where it has one and says something.
    fn numbered(&self) -> Option<String> {
        let label = self.mark.as_ref().and_then(Mark::label).filter(|_| !self.text.trim().is_empty());
        label.map(|label| format!("{label} {}", self.text.trim_start()))
    }

    /// As a part of a cell: what it says, and where.
    pub(super) fn in_cell(self) -> (String, PlaceInFile) {
        let place = self.page_ends.first_place(&self.last).through(&self.last);
        (self.numbered().unwrap_or(self.text), place)
    }

    pub(super) fn write(self, out: &mut Builder) {
        let first = self.page_ends.first_place(&self.last);
        let numbered = self.numbered();
        let Self { text, shape, mark, page_ends, last } = self;
        match shape {
            Some(Shape::Code) => return out.code_line(text, last),
            Some(Shape::Contents) => return,
            Some(Shape::Heading(_) | Shape::Item(_)) | None => {}
        }
        let is_heading = matches!(shape, Some(Shape::Heading(_)));
        let is_prose = !is_heading && matches!(mark, None | Some(Mark::Silent | Mark::Clause(_)));
        if !text.trim().is_empty() {
            out.mark(if is_prose { first } else { first.through(&last) });
        }
        let whole = numbered.as_ref().unwrap_or(&text);
        match (shape, mark) {
            (Some(Shape::Heading(level)), _) => out.heading(level, whole),
            (_, Some(Mark::Bullet(depth))) => out.item(depth, &text),
            (_, Some(Mark::Item(depth, label))) => out.marked_item(depth, &label, &text),
            (_, Some(Mark::Clause(_) | Mark::Silent) | None) => {
                // The number stands before what the places were counted in.
                let shift = whole.len().saturating_sub(text.len());
                let places = page_ends.other_places(&last).into_iter().map(|(at, place)| (at + shift, place));
                out.paragraph_over(whole, CutAt::Prose, places.collect());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_01_styles_of_contents_are_known() {
        for (name, is_contents) in [
            ("toc 1", true),
            ("TOC 9", true),
            ("Contents_20_2", true),
            ("TOC Heading", false),
            ("Contents", false),
            ("Table Contents", false),
            ("toc", false),
        ] {
            assert_eq!(Shape::named(name) == Some(Shape::Contents), is_contents, "{name}");
        }
    }

    #[test]
    fn lb_01_styles_of_code_are_known_by_whole_words() {
        for (name, is_code) in [
            ("Source Code", true),
            ("SourceCode", true),
            ("Source_20_Code", true),
            ("HTML Preformatted", true),
            ("Preformatted_20_Text", true),
            ("code", true),
            ("Code Block 2", true),
            ("Verbatim Char", true),
            ("Quellcode", true),
            ("Barcode caption", false),
            ("Postcode", false),
            ("Zip Code", false),
            ("Code of Conduct", false),
            ("Price listing", false),
            ("Source", false),
            ("2", false),
            ("", false),
        ] {
            assert_eq!(is_code_style(name), is_code, "{name}");
        }
    }
}
