//! A claim judged by all pages that it cites, and what another of them says instead.

use std::cmp::Ordering;

use super::checks::figures;
use super::page::Page;
use super::statement::Statement;
use super::windows::places;
use super::{Check, Judgement, judge};
use crate::core::evidence::claim::Verdict;

/// A figure that another page has for the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Differs {
    /// The figure of the claim, and that of the page, as they are written.
    pub(crate) said: String,
    pub(crate) found: String,
}

/// What one page says to a claim, and its sentences that hold the most of it.
#[derive(Clone, Debug)]
pub(crate) struct PagePart {
    pub(crate) judgement: Judgement,
    best: String,
}

impl PagePart {
    /// The one of two parts of the same page that bears the claim out further.
    pub(crate) fn or_better<'a>(&'a self, other: &'a Self) -> &'a Self {
        if by_support(&self.judgement, &other.judgement).is_lt() { other } else { self }
    }
}

/// Judges a claim by its only page.
pub(crate) fn judge_alone(claim: &Statement, page: &Page) -> PagePart {
    PagePart { judgement: judge(claim, page), best: String::new() }
}

/// Judges a claim by one page of several, which need not be there at the same time.
pub(crate) fn judge_part(claim: &Statement, page: &Page) -> PagePart {
    let best = page.bytes_of(&places(claim, page).best[2].sentences).and_then(|bytes| page.text.get(bytes));
    PagePart { judgement: judge(claim, page), best: best.unwrap_or_default().to_owned() }
}

/// Judges a claim by several pages taken together: what one of them bears out is borne out, and so is what the best sentences of all
/// bear out between them. A check counts only if no page passes it.
pub(crate) fn judge_together(claim: &Statement, pages: &[&Page]) -> Option<Judgement> {
    let parts: Vec<PagePart> = pages.iter().map(|page| judge_part(claim, page)).collect();
    join_parts(claim, &parts.iter().collect::<Vec<_>>())
}

/// The same, of pages that were judged one after the other.
pub(crate) fn join_parts(claim: &Statement, parts: &[&PagePart]) -> Option<Judgement> {
    let each = || parts.iter().map(|part| &part.judgement);
    let best = each().max_by(|a, b| by_support(a, b))?.clone();
    if best.verdict == Verdict::Supported || parts.len() < 2 {
        return Some(best);
    }
    let joined: Vec<&str> = parts.iter().map(|part| part.best.as_str()).filter(|text| !text.is_empty()).collect();
    let mut all = judge(claim, &Page::new(&joined.join("\n\n")));
    let found_by_all = |check| each().all(|judged| judged.findings.iter().any(|finding| finding.check == check));
    all.findings.retain(|finding| found_by_all(finding.check));
    // The joined text has no lines: what stands elsewhere in each file still does.
    if found_by_all(Check::Lines) {
        all.findings.extend(best.findings.iter().filter(|finding| finding.check == Check::Lines).cloned());
    }
    let enough =
        all.findings.is_empty() && all.score >= super::supported_from(joined.iter().map(|text| text.len() / 6).sum());
    // Each page has a part of it, and none has all.
    let is_shared = all.findings.iter().all(|finding| !finding.nowhere) && all.score >= super::PARTIAL;
    let verdict = match best.verdict {
        _ if enough => Verdict::Supported,
        Verdict::Unsupported if is_shared => Verdict::Partial,
        other => other,
    };
    // The span is that of the best page: the joined text is nobody's.
    Some(Judgement {
        verdict,
        score: all.score.max(best.score),
        findings: if enough { Vec::new() } else { best.findings },
        span: best.span,
    })
}

/// Which of two judgements of a claim bears it out further.
fn by_support(a: &Judgement, b: &Judgement) -> Ordering {
    let rank = |judged: &Judgement| match judged.verdict {
        Verdict::Supported => 2_u8,
        Verdict::Partial => 1,
        Verdict::Unsupported | Verdict::Unreachable | Verdict::NotVisited | Verdict::Uncited | Verdict::Quoted => 0,
    };
    rank(a).cmp(&rank(b)).then(a.score.total_cmp(&b.score))
}

/// What a page that speaks of the same thing has in place of a figure of the claim.
pub(crate) fn differs(claim: &Statement, page: &Page) -> Option<Differs> {
    let mut missing = claim.figures.iter().filter(|figure| page.figures_of(figure.value).next().is_none()).peekable();
    missing.peek()?;
    let places = places(claim, page);
    missing.find_map(|figure| {
        let found = figures::instead(claim, page, &places, figure)?.to_owned();
        Some(Differs { said: figures::said(claim, figure).to_owned(), found })
    })
}
