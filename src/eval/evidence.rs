//! What `eval/` measures of evidence: claims, pages, and what one says to the other. Not an API.

use std::ops::Range;

use crate::core::evidence::judge::{self, Check};
use crate::core::evidence::reading;

/// A claim, prepared.
#[derive(Debug)]
pub struct Claim(judge::Statement);

/// A page, prepared.
#[derive(Debug)]
pub struct Page(judge::Page);

/// What a page says to a claim.
#[derive(Debug)]
pub struct Judgement {
    pub score: f32,
    /// The score from which this page supports a claim.
    pub supported_from: f32,
    pub verdict: &'static str,
    /// The check, whether what it looked for stands nowhere, and the reason.
    pub findings: Vec<(&'static str, bool, String)>,
}

impl Claim {
    pub fn new(text: &str) -> Self {
        Self(judge::Statement::new(text))
    }

    /// The numbers that the score is made of.
    pub fn features(&self, page: &Page) -> Vec<f32> {
        judge::measured(&self.0, &page.0).to_vec()
    }

    /// Judges by several pages taken together.
    pub fn judge_by_all(&self, pages: &[Page]) -> Option<&'static str> {
        let pages: Vec<&judge::Page> = pages.iter().map(|page| &page.0).collect();
        judge::judge_together(&self.0, &pages).map(|found| found.verdict.name())
    }

    /// A figure of the claim and what the page has in its place.
    pub fn differs(&self, page: &Page) -> Option<(String, String)> {
        judge::differs(&self.0, &page.0).map(|judge::Differs { said, found }| (said, found))
    }

    pub fn judge(&self, page: &Page) -> Judgement {
        let found = judge::judge(&self.0, &page.0);
        let findings =
            found.findings.into_iter().map(|finding| (finding.check.name(), finding.nowhere, finding.reason));
        Judgement {
            score: found.score,
            supported_from: judge::supported_from(page.0.words()),
            verdict: found.verdict.name(),
            findings: findings.collect(),
        }
    }
}

impl Page {
    pub fn new(text: &str) -> Self {
        Self(judge::Page::new(text))
    }
}

pub fn feature_names() -> &'static [&'static str] {
    &judge::features::NAMES
}

pub fn check_names() -> Vec<&'static str> {
    Check::ALL.map(Check::name).to_vec()
}

/// The opposite of a word, for making faults.
pub fn opposite(word: &str) -> Option<&'static str> {
    judge::checks::opposites::opposite_of(word)
}

/// A claim without the marks that cite.
pub fn bare(claim: &str) -> String {
    reading::bare(claim)
}

/// Offsets in `bytes`, `chars` or `utf16` as bytes of a text; none for another unit.
pub fn in_bytes(text: &str, offsets: &[usize], unit: &str) -> Option<Vec<usize>> {
    let unit = match unit {
        "bytes" => reading::Unit::Bytes,
        "chars" => reading::Unit::Chars,
        "utf16" => reading::Unit::Utf16,
        _ => return None,
    };
    Some(reading::in_bytes(text, offsets, unit))
}

/// The claims of a report, each with the addresses or titles it cites, and the share of its citations that were resolved.
/// An annotation is a stretch of the report in bytes and an address.
pub fn read_report(report: &str, annotations: &[(Range<usize>, String)]) -> (Vec<(String, Vec<String>)>, f32) {
    let annotation = |(span, url): &(Range<usize>, String)| reading::Annotation {
        span: span.clone(),
        url: url.clone(),
        title: None,
    };
    let read = reading::read(report, &annotations.iter().map(annotation).collect::<Vec<_>>());
    let name = |at: usize| {
        read.sources.get(at).and_then(|source| source.url.clone().or_else(|| source.title.clone())).unwrap_or_default()
    };
    let claims =
        read.claims.iter().map(|claim| (claim.text.clone(), read.sources_of(claim).into_iter().map(name).collect()));
    (claims.collect(), read.share_parsed().unwrap_or(1.0))
}
