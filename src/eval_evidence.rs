//! What `eval/` measures of evidence: one function per thing. Not an API.

use crate::core::evidence::judge::{self, Page, Statement};

/// The numbers that the score of a claim is made of.
pub fn claim_features(claim: &str, page: &str) -> Vec<f32> {
    judge::measured(&Statement::new(claim), &Page::new(page)).to_vec()
}
pub fn feature_names() -> &'static [&'static str] { &judge::features::NAMES }
