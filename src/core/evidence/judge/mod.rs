//! Whether a page bears a claim out, judged by words alone.
//!
//! A claim ([`Statement`]) and a page ([`Page`]) are prepared once; [`judge`] looks the claim up in windows of one to three sentences, makes a
//! score of what it finds there, and lets hard checks lower the verdict. It sees words, figures, names, quotes and the usual opposites. It
//! does not understand: a claim in other words than the page's looks weak, and a contradiction in the same words can pass.

pub(crate) mod checks;
mod common;
mod dates;
pub(crate) mod features;
mod figures;
pub(crate) mod model;
mod page;
mod quotes;
mod statement;
mod together;
pub(crate) mod tokens;
mod units;
mod windows;

pub(crate) use checks::{Check, Finding};
pub(crate) use page::Page;
pub(crate) use statement::Statement;
#[cfg(any(test, feature = "eval"))]
pub(crate) use together::Differs;
pub(crate) use together::{PagePart, differs, join_parts, judge_alone, judge_part, judge_together};

use crate::core::evidence::claim::Verdict;
use crate::core::text::spans::Span;

/// What a page says to a claim.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    /// How likely the page bears the claim out by its words alone, 0 to 1.
    pub(crate) score: f32,
    pub(crate) verdict: Verdict,
    /// Why it is not called supported, the gravest first.
    pub(crate) findings: Vec<Finding>,
    /// The sentences that hold the most of the claim.
    pub(crate) span: Option<Span>,
}

/// The score from which a claim is called supported by a short page and by a long one. Scores spread less on long pages: at these two
/// an equal share of false claims passes.
const SUPPORTED: [f32; 2] = [0.69, 0.54];
/// The lengths between which the one score goes over into the other, in words.
const LENGTHS: [f32; 2] = [150.0, 1_000.0];
/// The score from which a claim is called partly supported.
pub(crate) const PARTIAL: f32 = 0.25;

/// With more of a claim than this on it, a page is in the claim's language whatever a detector says.
const FOREIGN: f32 = 0.4;
/// Sentences with less of a claim than this do not speak of it, whatever else is measured.
const HARDLY: f32 = 0.2;

/// The score from which a page of this many words supports a claim.
pub(crate) fn supported_from(words: usize) -> f32 {
    let words = u16::try_from(words).map_or(f32::from(u16::MAX), f32::from);
    let ([short, long], [from, to]) = (SUPPORTED, LENGTHS);
    let way = ((words.max(1.0) / from).ln() / (to / from).ln()).clamp(0.0, 1.0);
    short + (long - short) * way
}

/// Judges a claim by one page.
pub(crate) fn judge(claim: &Statement, page: &Page) -> Judgement {
    let places = windows::places(claim, page);
    let share = places.best[2].share;
    if share < FOREIGN && is_foreign(claim, page) {
        return judge_foreign(claim, page, share);
    }
    if share < HARDLY {
        let findings = checks::figures_nowhere(claim, page);
        let judged = Judgement { score: share * PARTIAL, verdict: Verdict::Unsupported, findings, span: None };
        return with_bare_figure(judged, claim, page);
    }
    let score = model::score(&features::features(claim, page, &places));
    let findings = checks::findings(claim, page, &places);
    let nowhere = findings.iter().any(|finding| finding.nowhere);
    let verdict = match (score >= supported_from(page.words()), score >= PARTIAL) {
        _ if nowhere => Verdict::Unsupported,
        (true, _) if findings.is_empty() => Verdict::Supported,
        (_, true) => Verdict::Partial,
        (_, false) => Verdict::Unsupported,
    };
    // The fewest sentences that hold as much as three do.
    let shown = places.best.iter().find(|window| window.share >= share - 1e-4).unwrap_or(&places.best[2]);
    let bytes = page.bytes_of(&shown.sentences);
    let span = bytes
        .filter(|_| verdict != Verdict::Unsupported)
        .map(|bytes| Span { start: bytes.start as u64, end: bytes.end as u64 });
    with_bare_figure(Judgement { score, verdict, findings, span }, claim, page)
}

/// A name with its figure, as cells of tables are, has too few words to be recognised by them: where the page has the figure, somebody
/// should look.
fn with_bare_figure(mut judged: Judgement, claim: &Statement, page: &Page) -> Judgement {
    let is_weak = judged.verdict == Verdict::Unsupported && judged.findings.iter().all(|finding| !finding.nowhere);
    if is_weak && checks::figures::is_figure_of(claim, page) {
        let reason = "the figure stands on this page, but not in these words".to_owned();
        judged.findings.insert(0, Finding { check: Check::FigurePlace, nowhere: false, reason });
        judged.verdict = Verdict::Partial;
    }
    judged
}

/// Whether claim and page are in two languages, as far as one can tell.
pub(super) fn is_foreign(claim: &Statement, page: &Page) -> bool {
    matches!((claim.language(), page.language), (Some(claim), Some(page)) if claim != page)
}

/// Judges by what does not change with the language: figures and quotes. More than partly cannot be said.
fn judge_foreign(claim: &Statement, page: &Page, share: f32) -> Judgement {
    let reason =
        "this page is in another language than the claim; only figures and quotes could be compared".to_owned();
    let mut findings = checks::figures_nowhere(claim, page);
    findings.extend(checks::quotes::check(claim, page));
    let verdict = if findings.is_empty() { Verdict::Partial } else { Verdict::Unsupported };
    findings.push(Finding { check: Check::Language, nowhere: false, reason });
    Judgement { score: share * PARTIAL, verdict, findings, span: None }
}

/// The numbers that the score is made of, for training.
#[cfg(feature = "eval")]
pub(crate) fn measured(claim: &Statement, page: &Page) -> features::Features {
    features::features(claim, page, &windows::places(claim, page))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
