//! How much a call takes of what it finds.

use crate::core::base::limits;
use crate::core::report::explain::{Level, Strategy};

/// The room of an attempt, and of the report made of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) ranking: Ranking,
    /// Passages that a search is asked for.
    pub(super) candidates: u32,
    /// Passages that an attempt takes, and pages of them that are not archived yet.
    pub(super) passages: usize,
    pub(super) pages: usize,
    /// A field is asked for, not an answer.
    pub(super) is_broad: bool,
    /// Documents that are best for the goal itself; what is found in another way comes after them. In a short report all are, where
    /// their scores are near each other.
    pub(super) foremost: usize,
    /// Documents in a report, where there are as many, and how many of them at most.
    pub(super) least_documents: usize,
    pub(super) documents: usize,
    /// Passages of one document.
    pub(super) of_document: usize,
}

/// Passages that an index is asked for at least: those with the words of the goal close together may be far down in its order.
const CANDIDATES: u32 = 64;

/// What passages are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ranking {
    /// The share of the goal that they hold: the scores of pages from different searches of the web cannot be compared.
    Share,
    /// The score of the index.
    Score,
}

impl Room {
    /// AS-02, AS-06: pages of the web are fetched, so there are no more of them than the strategy says.
    pub(super) fn on_web(strategy: &Strategy) -> Self {
        let (passages, pages) = (strategy.max_results as usize, strategy.top_pages as usize);
        Self {
            ranking: Ranking::Share,
            candidates: strategy.max_results * limits::CANDIDATES_PER_RESULT,
            passages,
            pages,
            is_broad: false,
            foremost: pages,
            least_documents: pages,
            documents: limits::REPORT_PASSAGES,
            of_document: limits::REPORT_PASSAGES,
        }
    }

    /// Passages in a report.
    pub(super) fn report_passages(&self) -> usize {
        match self.ranking {
            Ranking::Share => limits::REPORT_PASSAGES,
            Ranking::Score => self.passages,
        }
    }

    /// Documents of the library are there already: looking at one more costs next to nothing, and reading it is up to the reader.
    pub(super) fn in_library(level: Level) -> Self {
        let (foremost, least_documents, documents, of_document) = match level {
            Level::None | Level::Shallow => (3, 1, 3, 2),
            Level::Medium => (8, 3, 8, 6),
            Level::Deep => (3, 15, limits::REPORT_DOCUMENTS, 2),
        };
        let passages = documents * 2;
        Self {
            ranking: Ranking::Score,
            candidates: u32::try_from(passages).unwrap_or(u32::MAX).saturating_mul(2).max(CANDIDATES),
            passages,
            pages: documents,
            is_broad: level == Level::Deep,
            foremost,
            least_documents,
            documents,
            of_document,
        }
    }
}
