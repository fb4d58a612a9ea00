//! What `eval/` measures of evidence: claims, pages, and what one says to the other. Not an API.

use crate::core::evidence::judge::{self, Check};

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

    pub fn judge(&self, page: &Page) -> Judgement {
        let found = judge::judge(&self.0, &page.0);
        let findings = found.findings.into_iter().map(|finding| (finding.check.name(), finding.nowhere, finding.reason));
        Judgement { score: found.score, supported_from: judge::supported_from(page.0.words()), verdict: found.verdict.name(), findings: findings.collect() }
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
