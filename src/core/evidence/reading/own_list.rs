//! The list of sources that a report has of its own: what its numbers stand for, and where the list stands.
//!
//! A heading alone makes no list: "Sources" may head a chapter on energy, "Notes" a remark. The entries under it must look like sources.

use std::ops::Range;

use super::blocks::{Block, Kind, blocks, marker};
use super::headings::is_heading;
use super::sources::{Entry, entry};

/// A report's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnList {
    /// From the heading to the end of the last entry.
    pub(crate) span: Range<usize>,
    pub(crate) entries: Vec<Listed>,
}

/// An entry of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// By which the text cites it; in a list without numbers, its place.
    pub(crate) number: Option<u32>,
    pub(crate) url: Option<String>,
    pub(crate) title: Option<String>,
}

/// The last list of sources in a report.
pub(crate) fn own_list(report: &str) -> Option<OwnList> {
    let blocks = blocks(report);
    let headings = blocks.iter().enumerate().rev().filter(|(_, block)| is_sources_heading(report, block));
    headings.map(|(at, _)| at).find_map(|at| below(report, blocks.get(at..)?))
}

/// A report without its own list; what stands behind the list stays.
pub(crate) fn without_own_list(report: &str) -> String {
    let Some(OwnList { span, .. }) = own_list(report) else { return report.trim_end().to_owned() };
    let (before, after) = (report.get(..span.start).unwrap_or(report), report.get(span.end..).unwrap_or_default());
    format!("{}\n\n{}", before.trim_end(), after.trim_start()).trim_end().to_owned()
}

fn is_sources_heading(report: &str, block: &Block) -> bool {
    matches!(block.kind, Kind::Heading(_)) && report.get(block.span.clone()).is_some_and(is_heading)
}

/// The list that stands under the heading with which these blocks begin.
fn below(report: &str, blocks: &[Block]) -> Option<OwnList> {
    let (heading, rest) = blocks.split_first()?;
    let Kind::Heading(level) = heading.kind else { return None };
    // Headings of groups inside the list belong to it.
    let inside = rest.iter().take_while(|block| match block.kind {
        Kind::Entry => true,
        Kind::Heading(inner) => inner > level,
        Kind::Paragraph | Kind::Item | Kind::Cell { .. } => false,
    });
    let mut entries: Vec<(Entry, &str)> = Vec::new();
    let mut end = heading.span.end;
    for block in inside.filter(|block| block.kind == Kind::Entry) {
        let text = report.get(block.span.clone()).unwrap_or_default();
        match entry(text).filter(|entry| entry.url.is_some() || entry.label.is_some() || marker(text) > 0) {
            Some(entry) => {
                end = block.span.end;
                entries.push((entry, text));
            }
            // A sentence before the list introduces it; one behind it is no part of it.
            None if entries.is_empty() => {}
            None => break,
        }
    }
    if !looks_like_sources(&entries) {
        return None;
    }
    let numbered = entries.iter().any(|(entry, _)| entry.label.is_some());
    let listed = (1..).zip(entries).map(|(place, (entry, _))| Listed {
        number: match &entry.label {
            Some(label) => label.parse().ok(),
            None => (!numbered).then_some(place),
        },
        url: entry.url,
        title: entry.title,
    });
    Some(OwnList { span: heading.span.start..end, entries: listed.collect() })
}

/// At least half of the entries have an address; or each is a work with a number in brackets or with author and year.
fn looks_like_sources(entries: &[(Entry, &str)]) -> bool {
    let addresses = entries.iter().filter(|(entry, _)| entry.url.is_some()).count();
    let cited = |(entry, text): &(Entry, &str)| {
        let text = text.get(marker(text)..).unwrap_or(text).trim_start_matches(['*', '_']);
        let bracketed = text.starts_with(['[', '【', '^']) || text.starts_with("\\[");
        entry.author.is_some() || (bracketed && entry.label.is_some())
    };
    !entries.is_empty() && (addresses * 2 >= entries.len() || entries.iter().all(cited))
}
