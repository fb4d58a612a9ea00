//! A report as claims, citations and sources, whoever wrote it and whatever form its citations have.
//!
//! One pass over the lines makes blocks; a scan of each block finds the marks that cite; a list of sources, wherever the report has it, says what they
//! stand for. Every claim and every citation has its place in the report, in bytes. Nothing here judges.

mod annotations;
mod author;
mod blocks;
mod claims;
mod headings;
mod labels;
mod marks;
mod numbers;
mod own_list;
mod source_lines;
mod sources;
mod titles;
mod unheaded;
mod urls;

use std::ops::Range;

use source_lines::{SourceLines, is_place_of_quote};

pub(crate) use annotations::Annotation;
#[cfg(any(test, feature = "eval"))]
pub(crate) use annotations::{Unit, in_bytes};
#[cfg(test)]
pub(crate) use claims::ASSUMED;
pub(crate) use own_list::{Listed, OwnList, own_list, without_own_list};
pub(crate) use urls::key as address_key;

/// What a report says and what it cites for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) claims: Vec<ReportClaim>,
    pub(crate) citations: Vec<Citation>,
    pub(crate) sources: Vec<Source>,
    /// Claims beyond the limit, which are only counted.
    pub(crate) left_out: usize,
}

/// A sentence, list item or table cell that says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportClaim {
    /// Without citations and markup.
    pub(crate) text: String,
    /// Its place in the report.
    pub(crate) span: Range<usize>,
    /// Indices into [`Reading::citations`]; none for an uncited claim.
    pub(crate) citations: Vec<usize>,
    pub(crate) bound: Bound,
}

/// How a claim is bound to its citations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// They stand in it or right behind it.
    Own,
    /// They stand at the end of its paragraph or its table row.
    Covered,
    Uncited,
}

/// A mark in the report that cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Citation {
    pub(crate) span: Range<usize>,
    /// Indices into [`Reading::sources`].
    pub(crate) sources: Vec<usize>,
    /// Whether every source that it names is known by an address or a title.
    pub(crate) resolved: bool,
}

/// What a report cites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Source {
    /// The number or label that the report gives it.
    pub(crate) label: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) title: Option<String>,
}

/// What only measurements ask.
#[cfg(any(test, feature = "eval"))]
impl Reading {
    /// The share of the citations that could be read and resolved; none where there is none.
    pub(crate) fn share_parsed(&self) -> Option<f32> {
        let resolved = self.citations.iter().filter(|citation| citation.resolved).count();
        let number = |count: usize| u16::try_from(count).map_or(f32::from(u16::MAX), f32::from);
        (!self.citations.is_empty()).then(|| number(resolved) / number(self.citations.len()))
    }

    /// The sources of a claim, each once.
    pub(crate) fn sources_of(&self, claim: &ReportClaim) -> Vec<usize> {
        let cited = claim.citations.iter().filter_map(|at| self.citations.get(*at));
        let mut sources: Vec<usize> = cited.flat_map(|citation| citation.sources.iter().copied()).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}

/// Reads a report in Markdown or plain text, with what a provider has said of it by offset.
pub(crate) fn read(report: &str, annotations: &[Annotation]) -> Reading {
    let blocks = blocks::blocks(report);
    let mut shelf = sources::Shelf::of(report, &blocks);
    let mut reading = Reading::default();
    let mut source_lines = SourceLines::default();
    for block in &blocks {
        if !block.kind.is_text() {
            source_lines.end();
            continue;
        }
        let text = report.get(block.span.clone()).unwrap_or_default();
        let marks = marks::marks(report, &block.span, &shelf);
        let (first, begin) = (reading.citations.len(), reading.claims.len());
        for mark in &marks {
            reading.citations.push(shelf.resolve(mark));
        }
        let is_place = !block.quoted && (is_place_of_quote(text) || source_lines.is_dashed(text));
        let names_only = is_place || !claims::add(&mut reading, report, block, (&marks, first));
        if names_only && !marks.is_empty() && block.kind == blocks::Kind::Paragraph {
            let citations = first..reading.citations.len();
            source_lines.names(&mut reading, citations, is_place);
        } else {
            let claims = begin..reading.claims.len();
            source_lines.text(&mut reading, block, claims);
        }
    }
    claims::cover_rows(&mut reading, &blocks);
    annotations::add(&mut reading, &mut shelf, annotations);
    reading.sources = shelf.into_sources();
    reading
}

/// A claim without the marks that cite.
pub(crate) fn bare(text: &str) -> String {
    let marks = marks::marks(text, &(0..text.len()), &sources::Shelf::default());
    claims::cleaned(&claims::masked(text, &(0..text.len()), &marks))
}

#[cfg(test)]
mod own_list_tests;
#[cfg(test)]
mod source_lines_tests;
#[cfg(test)]
#[path = "tests.rs"]
mod tests;
