//! The evidence of a report, also of one that an earlier version stored with a plain ledger.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Report, Source};
use crate::core::base::sorting::sort_by_key;
use crate::core::evidence::checked::{
    CheckedClaim, CheckedSource, CitedSource, Evidence, NotVisited, SourceState, Unreachable,
};
use crate::core::evidence::claim::{Claim, Verdict};
use crate::core::evidence::reading::{Bound, read};
use crate::core::text::spans::Span;

impl Report {
    /// The evidence; none if nobody has checked the report.
    pub(crate) fn evidence(&self) -> Option<Cow<'_, Evidence>> {
        match &self.evidence {
            Some(evidence) => Some(Cow::Borrowed(evidence)),
            None if self.claims.is_empty() => None,
            None => Some(Cow::Owned(of_ledger(&self.claims, &self.sources, &self.markdown))),
        }
    }

    /// The report with its evidence. Its sources get the archived pages that were read for it.
    #[must_use]
    pub(crate) fn with_evidence(mut self, evidence: Evidence) -> Self {
        let pages: BTreeMap<u32, &CheckedSource> =
            evidence.sources.iter().map(|source| (source.number, source)).collect();
        for source in self.sources.iter_mut().filter(|source| source.page.is_none()) {
            source.page = pages.get(&source.number).and_then(|read| read.page.clone());
        }
        self.claims = Vec::new();
        self.evidence = Some(Box::new(evidence));
        self
    }
}

impl Source {
    /// As the evidence knows it, before anybody has asked for its page.
    pub(crate) fn to_check(&self) -> CheckedSource {
        let state = match &self.page {
            Some(_) => SourceState::Read,
            None => SourceState::NotVisited { why: NotVisited::NotAsked },
        };
        CheckedSource {
            number: self.number,
            address: Some(self.location.clone()),
            title: Some(self.title.clone()),
            page: self.page.clone(),
            claimed: self.claimed,
            state,
            ..CheckedSource::default()
        }
    }
}

/// A ledger of earlier versions: one entry for each claim and source, those of a claim behind each other, and no uncited claims.
fn of_ledger(ledger: &[Claim], sources: &[Source], report: &str) -> Evidence {
    let quotes = match ledger.iter().any(|entry| entry.verdict == Verdict::Quoted) {
        true => quotes_by_source(report),
        false => BTreeMap::new(),
    };
    let mut claims: Vec<CheckedClaim> = Vec::new();
    for entry in ledger {
        let cited = CitedSource {
            source: entry.source,
            verdict: entry.verdict,
            reason: None,
            passage: entry.span,
            score: None,
        };
        match claims.last_mut().filter(|claim| claim.text == entry.text) {
            Some(claim) => {
                claim.verdict = better(claim.verdict, entry.verdict);
                claim.cited.push(cited);
            }
            None => claims.push(CheckedClaim {
                text: entry.text.clone(),
                // What is quoted stands in the report once, under the number of its source.
                span: quotes.get(&entry.source).copied().filter(|_| entry.verdict == Verdict::Quoted),
                verdict: entry.verdict,
                cited: vec![cited],
                differs: None,
                by_model: None,
            }),
        }
    }
    let citations = u32::try_from(ledger.len()).unwrap_or(u32::MAX);
    let unreachable =
        |number: u32| ledger.iter().any(|entry| entry.source == number && entry.verdict == Verdict::Unreachable);
    let mut sources: Vec<CheckedSource> = sources.iter().map(Source::to_check).collect();
    for source in sources.iter_mut().filter(|source| !source.is_read() && unreachable(source.number)) {
        source.state = SourceState::Unreachable { why: Unreachable::Dead, detail: String::new() };
    }
    sort_by_key(&mut sources, |source| source.number);
    Evidence { claims, sources, citations, parsed: citations, left_out: 0, text: None }
}

/// Where the quotes of a report stand in it, by the number of the place that each was cut from.
fn quotes_by_source(report: &str) -> BTreeMap<u32, Span> {
    let reading = read(report, &[]);
    let mut quotes: BTreeMap<u32, Span> = BTreeMap::new();
    for claim in reading.claims.iter().filter(|claim| claim.bound == Bound::Covered) {
        let sources =
            claim.citations.iter().filter_map(|at| reading.citations.get(*at)).flat_map(|cited| &cited.sources);
        let labels = sources.filter_map(|at| reading.sources.get(*at)?.label.as_ref()?.parse::<u32>().ok());
        let (start, end) = (claim.span.start as u64, claim.span.end as u64);
        for number in labels {
            let span = quotes.entry(number).or_insert(Span { start, end });
            *span = Span { start: span.start.min(start), end: span.end.max(end) };
        }
    }
    quotes
}

/// What two sources say to a claim when they are taken together.
fn better(a: Verdict, b: Verdict) -> Verdict {
    let rank = |verdict: Verdict| match verdict {
        Verdict::Supported => 5_u8,
        Verdict::Partial => 4,
        Verdict::Unreachable => 3,
        Verdict::NotVisited => 2,
        Verdict::Unsupported => 1,
        Verdict::Uncited | Verdict::Quoted => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::report::StopReason;

    fn claim(text: &str, source: u32, verdict: Verdict) -> Claim {
        Claim { text: text.into(), source, verdict, span: Some(Span { start: 1, end: 2 }) }
    }

    /// EV-02: a ledger that an earlier version stored is shown as what it is: cited claims alone.
    #[test]
    fn an_old_ledger_is_read() {
        let mut report = Report::new("Deep [1][2]. Wide [3].".into(), StopReason::Answered);
        assert_eq!(report.evidence(), None);
        report.claims = vec![
            claim("Deep.", 1, Verdict::Unsupported),
            claim("Deep.", 2, Verdict::Partial),
            claim("Wide.", 3, Verdict::Unreachable),
        ];
        report.sources = vec![Source::link(3, "C".into(), "https://c.example".into())];
        let stored = serde_json::to_string(&report).unwrap();
        assert!(!stored.contains("evidence"), "{stored}");
        let report: Report = serde_json::from_str(&stored).unwrap();
        let evidence = report.evidence().unwrap();
        let verdicts: Vec<(Verdict, usize)> =
            evidence.claims.iter().map(|claim| (claim.verdict, claim.cited.len())).collect();
        assert_eq!(verdicts, [(Verdict::Partial, 2), (Verdict::Unreachable, 1)]);
        assert_eq!(evidence.claims[0].cited[1].passage, Some(Span { start: 1, end: 2 }));
        assert_eq!(
            evidence.source(3).unwrap().archive_address().unwrap(),
            "https://web.archive.org/web/https://c.example"
        );
        assert_eq!(evidence.share_supported(), Some(0.0));
    }
}
