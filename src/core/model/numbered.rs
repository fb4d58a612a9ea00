//! How excerpts of pages are shown to a model that takes notes: sentence by sentence, each with a number to point at.

use std::ops::Range;

use super::prompt::Marks;
use crate::core::base::limits;
use crate::core::evidence::excerpt::{Excerpt, ExcerptedPage};
use crate::core::language::sentences;
use crate::core::text::bracketed;
use crate::core::text::spans::{PlaceInFile, Span};

/// One sentence, list item, row or piece of code that a note can rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The excerpt of its page that it stands in.
    pub(crate) excerpt: usize,
    /// Where it stands in that excerpt.
    pub(crate) range: Range<usize>,
}

/// The units of a page, in its order. A unit is known by its place in this list, from 1.
pub(crate) fn units(page: &ExcerptedPage) -> Vec<Unit> {
    let all = page.excerpts.iter().enumerate();
    let of = |(at, excerpt): (usize, &Excerpt)| -> Vec<Unit> {
        split(&excerpt.text).into_iter().map(|range| Unit { excerpt: at, range }).collect()
    };
    all.flat_map(of).collect()
}

/// What a unit says.
pub(crate) fn text<'p>(page: &'p ExcerptedPage, unit: &Unit) -> &'p str {
    let excerpt = page.excerpts.get(unit.excerpt);
    excerpt.and_then(|excerpt| excerpt.text.get(unit.range.clone())).unwrap_or_default()
}

/// The text from one unit to another, and where it stands in the page. What lies between two excerpts is left out and marked.
pub(crate) fn quote(page: &ExcerptedPage, first: &Unit, last: &Unit) -> Option<(String, Span, PlaceInFile)> {
    let opening = page.excerpts.get(first.excerpt)?;
    let closing = page.excerpts.get(last.excerpt)?;
    let text = if first.excerpt == last.excerpt {
        opening.text.get(first.range.start..last.range.end)?.to_owned()
    } else {
        let between = page.excerpts.get(first.excerpt + 1..last.excerpt)?.iter().map(|excerpt| excerpt.text.as_str());
        let (head, tail) = (opening.text.get(first.range.start..)?, closing.text.get(..last.range.end)?);
        [head].into_iter().chain(between).chain([tail]).collect::<Vec<_>>().join("\n\n[…]\n\n")
    };
    // In one excerpt the part is looked up as a whole: what ends in a note does not reach down to where the note stands.
    let lines = match first.excerpt == last.excerpt {
        true => opening.lines_of(&(first.range.start..last.range.end)),
        false => opening.lines_of(&first.range).through(&closing.lines_of(&last.range)),
    };
    let span =
        Span { start: opening.span.start + first.range.start as u64, end: closing.span.start + last.range.end as u64 };
    Some((text, span, lines))
}

/// Bytes of one unit; code and tables without an end are cut into such pieces.
const UNIT_BYTES: usize = 1_000;

/// Cuts a text into units: sentences of paragraphs, items of lists, rows of tables, code block by block.
fn split(text: &str) -> Vec<Range<usize>> {
    let mut units: Vec<Range<usize>> = Vec::new();
    // A term stands with the first sentence of its explanation.
    let mut term: Option<Range<usize>> = None;
    for block in blocks(text) {
        let part = text.get(block.clone()).unwrap_or_default();
        if !part.chars().any(char::is_alphanumeric) {
            continue;
        }
        // A row of a table is one piece, like code.
        if part.starts_with("```") || part.starts_with("~~~") || part.starts_with('|') {
            units.extend(term.take());
            units.extend(pieces(text, block));
            continue;
        }
        if is_term(part) {
            units.extend(term.replace(block));
            continue;
        }
        let marker = marker(part);
        for (at, sentence) in sentences(part.get(marker..).unwrap_or_default()).into_iter().enumerate() {
            // The mark of an item is part of its first sentence.
            let start = if at == 0 { block.start } else { block.start + marker + sentence.start };
            let start = term.take().map_or(start, |term| term.start);
            units.extend(pieces(text, start..block.start + marker + sentence.end));
        }
    }
    units.extend(term);
    units
}

/// Characters of a term, at most.
const TERM_CHARS: usize = 80;

/// Whether a block is a line that names something and says nothing of it.
fn is_term(block: &str) -> bool {
    let short = block.chars().count() <= TERM_CHARS && !block.contains('\n');
    short && marker(block) == 0 && !block.starts_with(['|', '#']) && !block.ends_with(['.', '!', '?', ';', '。', '…'])
}

/// The bytes of an item's mark: `- `, `3. `.
fn marker(block: &str) -> usize {
    let bullet = ["- ", "* ", "+ ", "• ", "> "].iter().find(|mark| block.starts_with(**mark));
    let digits = block.len() - block.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = block.get(digits..).filter(|rest| digits > 0 && (rest.starts_with(". ") || rest.starts_with(") ")));
    bullet.map(|mark| mark.len()).or(number.map(|_| digits + 2)).unwrap_or(0)
}

/// The paragraphs, items, rows and code blocks of a text.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let (mut open, mut fenced, mut at) = (None::<usize>, false, 0);
    for line in text.split_inclusive('\n') {
        let (start, end, bare) = (at, at + line.trim_end().len(), line.trim());
        at += line.len();
        let fence = bare.starts_with("```") || bare.starts_with("~~~");
        let begins = fence || starts_block(bare);
        if fenced {
            if let Some(block) = blocks.last_mut() {
                block.end = end.max(block.end);
            }
            fenced = !fence;
            open = None;
            continue;
        }
        if bare.is_empty() || begins || open.is_none() {
            open = None;
        }
        if bare.is_empty() || is_rule(bare) {
            continue;
        }
        match (open, blocks.last_mut()) {
            (Some(_), Some(block)) => block.end = end,
            _ => {
                let indent = line.len() - line.trim_start().len();
                blocks.push(start + indent..end);
                open = (!bare.starts_with(['#', '|'])).then_some(start);
            }
        }
        fenced = fence;
    }
    blocks
}

/// Whether a line begins something of its own, rather than going on with the paragraph before it.
fn starts_block(line: &str) -> bool {
    marker(line) > 0 || line.starts_with(['#', '|'])
}

/// A line of dashes under a table's head or between parts.
fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '-' | '=' | '|' | ':' | '_' | '*' | ' '))
}

/// A unit that is too long, in pieces that end at white space where there is some.
fn pieces(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let (mut start, mut found) = (range.start, Vec::new());
    while range.end - start > UNIT_BYTES {
        let part = text.get(start..text.floor_char_boundary(start + UNIT_BYTES)).unwrap_or_default();
        let end = part.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(part.len());
        if end == 0 {
            break;
        }
        found.push(start..start + end);
        start += end;
    }
    found.push(start..range.end);
    found
}

/// The pages of a round as a model sees them, each inside marks of its own.
pub(crate) fn fenced(pages: &[ExcerptedPage], marks: &Marks) -> String {
    let one = |(number, page): (usize, &ExcerptedPage)| {
        let fence = marks.fence(&format!("PAGE {number}"), &numbered(number, page), usize::MAX);
        format!("Page P{number}\n{fence}")
    };
    (1..).zip(pages).map(one).collect::<Vec<_>>().join("\n\n")
}

fn numbered(number: usize, page: &ExcerptedPage) -> String {
    let label = |text: &str| text.chars().take(limits::LABEL_CHARS).collect::<String>();
    let facts = &page.facts;
    let mut shown = format!("{}\n{}", label(&facts.title), label(&facts.location));
    for (name, fact) in [("published", &facts.date), ("by", &facts.author)] {
        if let Some(fact) = fact {
            shown.push_str(&format!("\n{name} {}", label(fact)));
        }
    }
    let mut above = None;
    for (at, unit) in (1..).zip(units(page)) {
        if above != Some(unit.excerpt) {
            above = Some(unit.excerpt);
            let headings =
                page.excerpts.get(unit.excerpt).map(|excerpt| excerpt.headings.join(" > ")).unwrap_or_default();
            shown.push_str(&format!("\n\n# {}", label(&headings)));
        }
        shown.push_str(&format!("\nP{number}.{at} {}", without_footnotes(text(page, &unit))));
    }
    shown
}

/// Bytes of a footnote's number.
const FOOTNOTE_BYTES: usize = 5;
/// What stands before a footnote mark.
const BEFORE_FOOTNOTES: [char; 9] = ['.', ',', ';', ':', '!', '?', ')', '"', '\u{201d}'];

/// A page's own footnote marks would be taken for citations.
fn without_footnotes(text: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once('[') {
        kept.push_str(before);
        let inner = bracketed(after, FOOTNOTE_BYTES)
            .filter(|(inner, _)| !inner.is_empty() && inner.chars().all(|c| c.is_ascii_digit() || c == '^'));
        match inner {
            // `a[3]` and `= [3]` are code, `sea.[3]` is a footnote.
            Some((_, behind)) if before.is_empty() && !kept.is_empty() || before.ends_with(BEFORE_FOOTNOTES) => {
                rest = behind;
            }
            _ => {
                kept.push('[');
                rest = after;
            }
        }
    }
    kept.push_str(rest);
    let kept = kept.replace('\n', " ");
    unescaped(&kept)
}

/// A text without Markdown's escapes, which only cost; code has none.
pub(crate) fn unescaped(text: &str) -> String {
    if text.contains("```") {
        return text.to_owned();
    }
    let marks = ["-", "<", "_", "*", "[", "]", "#"];
    marks.iter().fold(text.to_owned(), |text, mark| text.replace(&format!("\\{mark}"), mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::evidence::excerpt::PageFacts;
    use crate::core::evidence::passage::PageHash;

    fn page(text: &str) -> ExcerptedPage {
        let facts = PageFacts {
            location: "https://a.test/x".into(),
            asked: None,
            title: "Sea".into(),
            hash: PageHash("h".into()),
            date: Some("2026-01-02".into()),
            author: None,
        };
        let span = Span { start: 100, end: 100 + text.len() as u64 };
        let last = 9 + u32::try_from(text.lines().count()).unwrap();
        let lines = PlaceInFile::lines(10, last);
        let excerpt = Excerpt { headings: vec!["Deep".into()], text: text.to_owned(), span, lines, parts: Vec::new() };
        ExcerptedPage { facts, excerpts: vec![excerpt], more: false, links: Vec::new() }
    }

    fn said(text_of: &str) -> Vec<String> {
        let page = page(text_of);
        units(&page).iter().map(|unit| text(&page, unit).to_owned()).collect()
    }

    /// ST-01: sentences, items, rows and code are what a note can point at.
    #[test]
    fn a_text_is_cut_into_what_can_be_pointed_at() {
        let text = "One sentence. Another\none over two lines.\n\n- an item\n- second item. With two sentences.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nlet x = 1.\nlet y.\n```\nAfter it.";
        assert_eq!(
            said(text),
            [
                "One sentence.",
                "Another\none over two lines.",
                "- an item",
                "- second item.",
                "With two sentences.",
                "| a | b |",
                "| 1 | 2 |",
                "```\nlet x = 1.\nlet y.\n```",
                "After it."
            ]
        );
        assert_eq!(said(""), Vec::<String>::new());
        assert!(said(&"x".repeat(5_000)).iter().all(|unit| unit.len() <= UNIT_BYTES));
    }

    #[test]
    fn a_quote_knows_its_place() {
        let page = page("One.\n\nTwo three. Four.");
        let units = units(&page);
        let (text, span, lines) = quote(&page, &units[1], &units[2]).unwrap();
        assert_eq!((text.as_str(), span), ("Two three. Four.", Span { start: 106, end: 122 }));
        assert_eq!(lines, PlaceInFile::lines(12, 12));
    }

    #[test]
    fn a_model_sees_numbers_and_no_footnotes() {
        let shown = fenced(&[page("The sea is deep.[3] An array a[3] is code.[12][4]")], &Marks::default());
        for want in ["Page P1", "published 2026-01-02", "# Deep", "P1.1 The sea is deep.", "An array a[3] is code."] {
            assert!(shown.contains(want), "{want}: {shown}");
        }
        assert!(!shown.contains("[12]"), "{shown}");
    }
}
