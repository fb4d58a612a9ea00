//! Why a research call did what it did: its strategy, the score after each attempt, and the reason to stop.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::word;
use crate::core::base::plain;
use crate::core::report::explain::{self, Quality};

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Explain {
    /// none, shallow, medium or deep.
    pub(crate) level: &'static str,
    pub(crate) max_attempts: u32,
    pub(crate) max_results: u32,
    pub(crate) top_pages: u32,
    /// basic or advanced.
    pub(crate) search_depth: String,
    pub(crate) attempts: Vec<Attempt>,
    /// How much of the question stands in what is quoted as its answer, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer_share: Option<f64>,
    pub(crate) stopped: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Attempt {
    pub(crate) query: String,
    /// After the attempt, all from 0 to 1; absent when it was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<Score>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Score {
    pub(crate) relevance: f64,
    pub(crate) coverage: f64,
    pub(crate) confidence: f64,
    pub(crate) support: f64,
    pub(crate) diversity: f64,
    /// Of dated sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recency: Option<f64>,
    pub(crate) passages: usize,
}

impl From<&explain::Explain> for Explain {
    fn from(explain: &explain::Explain) -> Self {
        Self {
            level: explain.strategy.level.name(),
            max_attempts: explain.strategy.max_attempts,
            max_results: explain.strategy.max_results,
            top_pages: explain.strategy.top_pages,
            search_depth: word(explain.strategy.search_depth),
            attempts: explain
                .attempts
                .iter()
                .map(|attempt| Attempt { query: attempt.query.clone(), score: attempt.score.map(Score::from) })
                .collect(),
            answer_share: explain.answer_share.map(rounded),
            stopped: explain.stopped.clone(),
        }
    }
}

impl From<Quality> for Score {
    fn from(quality: Quality) -> Self {
        Self {
            relevance: rounded(quality.relevance),
            coverage: rounded(quality.coverage),
            confidence: rounded(quality.confidence),
            support: rounded(quality.support),
            diversity: rounded(quality.diversity),
            recency: quality.recency.map(rounded),
            passages: quality.passages,
        }
    }
}

fn rounded(figure: f32) -> f64 {
    (f64::from(figure) * 100.0).round() / 100.0
}

impl Explain {
    pub(crate) fn markdown(&self) -> String {
        let Self { level, max_attempts, max_results, top_pages, search_depth, attempts, answer_share, stopped } = self;
        let mut text = format!(
            "\n## Why\n\nStrategy {level}: at most {max_attempts} attempts, {max_results} results and {top_pages} pages each, \
             {search_depth} search.\n\n"
        );
        for (number, Attempt { query, score }) in (1..).zip(attempts) {
            // The rounds of a study have no score.
            let score = score.map_or_else(
                String::new,
                |score| {
                    let recency = score.recency.map(|recency| format!(", recency {recency:.2}")).unwrap_or_default();
                    format!(
                        ": relevance {:.2}, coverage {:.2}, confidence {:.2}, support {:.2}, diversity {:.2}{recency}, {} passages",
                        score.relevance, score.coverage, score.confidence, score.support, score.diversity, score.passages
                    )
                },
            );
            text.push_str(&format!("{number}. `{}`{score}\n", query.replace('`', "'")));
        }
        if let Some(share) = answer_share {
            text.push_str(&format!("\nThe answer holds {share:.2} of the question.\n"));
        }
        text.push_str(&format!("\nStopped because {stopped}.\n"));
        plain::lines(&text)
    }
}
