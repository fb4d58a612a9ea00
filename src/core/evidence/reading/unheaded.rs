//! Lists of sources without a heading: at the end of a report, behind a word on the same line, or as a table.

use std::collections::BTreeSet;
use std::ops::Range;

use super::labels::label;
use super::numbers::{numbers, superscript};
use crate::core::base::limits;
use crate::core::base::rows::is_listed;

/// Heads of the first column of a table of sources, and of the one with the addresses, lower case.
const NUMBER_HEADS: &str = "# no no. nr nr. n id ref ref. number citation key";
const ADDRESS_HEADS: [&str; 10] =
    ["url", "link", "source", "sources", "reference", "address", "quelle", "fuente", "lien", "href"];

/// Whether the rows of a table with this head are sources.
pub(super) fn is_source_table(head: &[String]) -> bool {
    let plain = |text: &String| text.trim_matches(['*', '_', ' ', '`']).to_lowercase();
    let first = head.first().map(plain).unwrap_or_default();
    is_listed(NUMBER_HEADS, &first) && head.iter().map(plain).any(|cell| ADDRESS_HEADS.contains(&cell.as_str()))
}

/// Where the list begins that a line holds behind a word such as `Sources:`, in bytes of the line.
pub(super) fn behind_word(line: &str) -> Option<usize> {
    let near = line.get(..line.floor_char_boundary(60))?;
    let colon = near.find([':', '：'])?;
    let length = line.get(colon..)?.chars().next()?.len_utf8();
    let rest = line.get(colon + length..)?;
    let list = rest.trim_start_matches(['*', '_', ' ']);
    let is_list =
        super::headings::is_heading(line.get(..colon + length)?) && number(list).is_some() && has_address(list);
    is_list.then(|| line.len() - list.len())
}

/// Where the list begins that ends a report without a heading, in bytes: lines with numbers and addresses, which the text before cites.
pub(super) fn at_the_end(report: &str) -> Option<usize> {
    let mut begin = None;
    let mut entries: Vec<u32> = Vec::new();
    let mut bracketed = true;
    // Whether the line below is the address of the one that is looked at.
    let mut below = false;
    let mut end = report.trim_end().len();
    while end > 0 && entries.len() < limits::EVIDENCE_SOURCES {
        let start = report.get(..end)?.rfind('\n').map_or(0, |at| at + 1);
        let line = report.get(start..end)?.trim();
        match number(line) {
            _ if line.is_empty() => {}
            Some((number, in_brackets)) if has_address(line) || below => {
                entries.push(number);
                (begin, bracketed, below) = (Some(start), bracketed && in_brackets, false);
            }
            Some(_) | None if is_address(line) && !below => below = true,
            Some(_) | None => break,
        }
        end = start.saturating_sub(1);
    }
    let begin = begin.filter(|_| entries.is_sorted_by(|a, b| a > b))?;
    let enough = entries.len() >= if bracketed { 1 } else { 2 };
    let (text, list) = (report.get(..begin)?, report.get(begin..)?);
    // Items that cite are claims of the report.
    let is_list = bracketed || !Cited::by(list).has_any(&entries);
    (enough && is_list && Cited::by(text).has_any(&entries)).then_some(begin)
}

/// The pieces of a line that holds several entries, each of which begins with its number in brackets.
pub(super) fn pieces(line: &str) -> Vec<Range<usize>> {
    let is_start = |at: &usize| {
        let free = line.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with([' ', ';', ',', '.']));
        free && line.get(*at..).and_then(number).is_some_and(|(_, bracketed)| bracketed)
    };
    let mut starts: Vec<usize> = line.match_indices('[').map(|(at, _)| at).filter(is_start).collect();
    // What stands before the first one belongs to it.
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    let pieces: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
    let whole = |piece: &Range<usize>| line.get(piece.clone()).is_some_and(has_address);
    if pieces.len() > 1 && pieces.iter().all(whole) { pieces } else { std::iter::once(0..line.len()).collect() }
}

/// The number that a line begins with as entries do, and whether it stands in brackets or is raised.
fn number(line: &str) -> Option<(u32, bool)> {
    let (label, rest) = label(line);
    let is_plain = line.starts_with(|c: char| c.is_ascii_digit());
    // `[1](url)` is a link, `[1][2]` are two citations, and `3 ships` are ships.
    let is_entry = !rest.starts_with(['(', '[']) && (!is_plain || line.contains(['.', ')']));
    Some((label.filter(|_| is_entry)?.parse().ok()?, !is_plain))
}

fn has_address(line: &str) -> bool {
    line.contains("://") || line.contains("www.")
}

fn is_address(line: &str) -> bool {
    let bare = line.trim_matches(['<', '>', '(', ')']);
    (bare.starts_with("http") || bare.starts_with("www.")) && !bare.contains(char::is_whitespace)
}

/// The numbers that a text cites in brackets without an address behind them, and whether it has raised ones.
struct Cited {
    numbers: BTreeSet<u32>,
    raised: bool,
}

impl Cited {
    fn by(text: &str) -> Self {
        let mut found = BTreeSet::new();
        for (open, close) in [('[', ']'), ('【', '】')] {
            for rest in text.split(open).skip(1) {
                let near = rest.get(..rest.floor_char_boundary(40)).and_then(|near| near.split_once(close));
                let Some((inner, after)) = near else { continue };
                let list = numbers(inner.trim_matches(['^', '\\'])).filter(|_| !after.starts_with('('));
                found.extend(list.into_iter().flatten());
            }
        }
        let raised = text.contains("<sup>") || text.chars().any(|c| superscript(c).is_some());
        Self { numbers: found, raised }
    }

    fn has_any(&self, of: &[u32]) -> bool {
        self.raised || of.iter().any(|number| self.numbers.contains(number))
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    const BODY: &str = "The dam is 87 metres high [1]. It was built in 1931 [2].\n\n";

    /// EV-01: a list of sources is known without a heading.
    #[test]
    fn lists_without_a_heading() {
        for list in [
            "[1] The dam, https://a.test/dam\n[2] The lake, https://b.test/lake\n",
            "---\n\n1. The dam. https://a.test/dam\n2. The lake. https://b.test/lake\n",
            "---\n1. The dam\n   https://a.test/dam\n\n2. The lake\n   https://b.test/lake\n",
            "[1] https://a.test/dam [2] https://b.test/lake\n",
            "Sources: [1] https://a.test/dam; [2] https://b.test/lake\n",
            "**Sources:** [1] https://a.test/dam, [2] https://b.test/lake\n\nThe end of it all is here.\n",
            "\\[1\\] https://a.test/dam\n\\[2\\] https://b.test/lake\n",
            "| # | Title | URL |\n|---|---|---|\n| 1 | Dam | https://a.test/dam |\n| 2 | Lake | https://b.test/lake |\n",
            "## Sources\n\n| No. | Link |\n|--|--|\n| [1] | https://a.test/dam |\n| [2] | https://b.test/lake |\n",
        ] {
            let reading = read(&format!("{BODY}{list}"), &[]);
            let urls: Vec<_> = reading.sources.iter().map(|source| source.url.as_deref().unwrap_or("none")).collect();
            assert_eq!(urls, ["https://a.test/dam", "https://b.test/lake"], "{list}");
            let claims: Vec<_> = reading.claims.iter().map(|claim| claim.text.as_str()).take(2).collect();
            assert_eq!(claims, ["The dam is 87 metres high.", "It was built in 1931."], "{list}");
            let later = reading.claims.iter().skip(2).all(|claim| claim.text == "The end of it all is here.");
            assert!(later, "{list}: {:?}", reading.claims);
            assert!(reading.citations.iter().all(|citation| citation.resolved), "{list}");
        }
    }

    /// EV-01: a list of claims at the end of a report stays one.
    #[test]
    fn lists_of_claims() {
        for list in [
            "1. The dam is 87 metres high [1], see https://a.test/dam\n2. The lake is deep [1], see https://b.test/lake\n",
            "1. The dam is high, as https://a.test/dam says.\n",
        ] {
            assert_eq!(at_the_end(&format!("Much is known [1].\n\n{list}")), None, "{list}");
        }
    }
}
