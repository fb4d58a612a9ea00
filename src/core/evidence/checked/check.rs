//! The comparison itself: every claim with the pages it cites, one page in memory at a time.

use std::collections::{BTreeMap, HashMap};

use super::numbering::{Numbered, number};
use super::{CheckedClaim, CheckedSource, CitedSource, DiffersFrom, Evidence, SourceState};
use super::{cited_lines, mutual};
use crate::core::base::limits;
use crate::core::base::plain::shortened;
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::judge::{
    Judgement, Page, PagePart, Statement, differs, join_parts, judge_alone, judge_part,
};
use crate::core::evidence::reading::{Annotation, Citation, Reading, ReportClaim, read};
use crate::core::text::shingles::Shingles;
use crate::core::text::spans::{PlaceInFile, Span};

/// A source, and the text of its page if it was read.
#[derive(Clone, Debug)]
pub(crate) struct SourcePage {
    pub(crate) source: CheckedSource,
    pub(crate) text: Option<String>,
}

/// Judges every claim of a report, as it is shown, by the pages that it cites.
pub(crate) fn check(report: &str, annotations: &[Annotation], pages: &[SourcePage]) -> Evidence {
    let reading = read(report, annotations);
    let known: Vec<CheckedSource> = pages.iter().map(|page| page.source.clone()).collect();
    let mut numbered = number(&reading, &known);
    mark_copies(&mut numbered.sources, pages);
    let mut compared = Comparison::new(&reading, &numbered);
    for group in same_texts(pages) {
        compared.with(&group);
    }
    let claims = compared.claims(&reading, &numbered.sources);
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let named = |citation: &&Citation| citation.resolved || is_named(citation, &numbered);
    let parsed = count(reading.citations.iter().filter(named).count());
    Evidence {
        claims,
        sources: numbered.sources.into_values().collect(),
        citations: count(reading.citations.len()),
        parsed,
        left_out: count(reading.left_out),
        text: None,
    }
}

/// Whether the sources that are known beside the report's text say where everything is that a mark cites.
fn is_named(citation: &Citation, numbered: &Numbered) -> bool {
    let number = |at: &usize| numbered.number_of.get(*at).copied().flatten();
    let named = |source: &CheckedSource| source.address.is_some() || source.title.is_some();
    let known = |at: &usize| number(at).and_then(|number| numbered.sources.get(&number)).is_some_and(named);
    !citation.sources.is_empty() && citation.sources.iter().all(known)
}

/// A text and the numbers of the sources that have it.
struct TextOf<'a> {
    text: &'a str,
    numbers: Vec<u32>,
}

/// The texts of the pages, each once, in the order of the first number that has it.
fn same_texts(pages: &[SourcePage]) -> Vec<TextOf<'_>> {
    let mut groups: Vec<TextOf<'_>> = Vec::new();
    let mut place_of: HashMap<&str, usize> = HashMap::new();
    for page in pages {
        let Some(text) = page.text.as_deref().filter(|_| page.source.is_read()) else { continue };
        let place = *place_of.entry(text).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.numbers.push(page.source.number),
            None => groups.push(TextOf { text, numbers: vec![page.source.number] }),
        }
    }
    groups
}

/// Notes which sources have the text of another one, also with a few words changed.
fn mark_copies(sources: &mut BTreeMap<u32, CheckedSource>, pages: &[SourcePage]) {
    let mut seen: Vec<(u32, Shingles)> = Vec::new();
    let mut by_mark: HashMap<u64, Vec<usize>> = HashMap::new();
    for page in pages {
        let Some(text) = page.text.as_deref().filter(|_| page.source.is_read()) else { continue };
        let shingles = Shingles::of(text);
        let marks = shingles.marks();
        let mut near: Vec<usize> = marks.iter().filter_map(|mark| by_mark.get(mark)).flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        let near = near.into_iter().take(limits::EVIDENCE_COPIES).filter_map(|at| seen.get(at));
        let mut copied = near.filter(|(_, other)| other.copies(&shingles)).map(|(number, _)| *number);
        if let Some(original) = copied.next() {
            if let Some(source) = sources.get_mut(&page.source.number) {
                source.copy_of = Some(original);
            }
            continue;
        }
        for mark in marks {
            by_mark.entry(mark).or_default().push(seen.len());
        }
        seen.push((page.source.number, shingles));
    }
}

/// What has been compared so far.
struct Comparison {
    /// By place among the report's claims; none for what cites nothing.
    statements: Vec<Option<Statement>>,
    /// The numbers that each claim cites.
    cited: Vec<Vec<u32>>,
    /// The claims that cite each number.
    citing: HashMap<u32, Vec<usize>>,
    with_figures: Vec<usize>,
    parts: HashMap<(usize, u32), PagePart>,
    /// The lines that sources name of their files.
    lines: HashMap<u32, PlaceInFile>,
    differs: HashMap<usize, Vec<DiffersFrom>>,
    work_left: usize,
    differs_left: usize,
}

impl Comparison {
    fn new(reading: &Reading, numbered: &Numbered) -> Self {
        let cited: Vec<Vec<u32>> = reading.claims.iter().map(|claim| numbers(reading, numbered, claim)).collect();
        // What cites no page that was read is not compared with anything.
        let is_read = |number: &u32| numbered.sources.get(number).is_some_and(CheckedSource::is_read);
        let statements: Vec<Option<Statement>> = reading
            .claims
            .iter()
            .zip(&cited)
            .map(|(claim, cited)| cited.iter().any(is_read).then(|| Statement::new(cut(&claim.text))))
            .collect();
        let mut citing: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, numbers) in cited.iter().enumerate() {
            for number in numbers {
                citing.entry(*number).or_default().push(at);
            }
        }
        let figures = |statement: &Option<Statement>| statement.as_ref().is_some_and(Statement::has_figures);
        let with_figures = (0..).zip(&statements).filter(|(_, statement)| figures(statement)).map(|(at, _)| at);
        Self {
            with_figures: with_figures.collect(),
            statements,
            cited,
            citing,
            parts: HashMap::new(),
            lines: numbered.sources.values().filter_map(cited_lines::of).collect(),
            differs: HashMap::new(),
            work_left: limits::EVIDENCE_WORK_BYTES,
            differs_left: limits::EVIDENCE_DIFFERS_BYTES,
        }
    }

    /// Compares the claims that cite a text with it, and looks in it for other figures than those of the rest.
    fn with(&mut self, text: &TextOf<'_>) {
        let Some(first) = text.numbers.first().copied() else { return };
        let cited = |number: &&u32| self.citing.contains_key(number);
        if !text.numbers.iter().any(|number| cited(&number)) {
            return;
        }
        let page = Page::new(text.text);
        for number in &text.numbers {
            for at in self.citing.get(number).map(Vec::as_slice).unwrap_or_default() {
                let Some(Some(statement)) = self.statements.get(*at) else { continue };
                let Some(left) = self.work_left.checked_sub(text.text.len()) else { break };
                self.work_left = left;
                let alone = self.cited.get(*at).is_none_or(|cited| cited.len() < 2);
                let mut part = if alone { judge_alone(statement, &page) } else { judge_part(statement, &page) };
                if let Some(lines) = self.lines.get(number) {
                    cited_lines::compare(&mut part.judgement, text.text, lines);
                }
                self.parts.insert((*at, *number), part);
            }
        }
        for at in &self.with_figures {
            let Some(Some(statement)) = self.statements.get(*at) else { continue };
            let Some(left) = self.differs_left.checked_sub(text.text.len()) else { break };
            self.differs_left = left;
            if let Some(found) = differs(statement, &page) {
                let source = self.cited.get(*at).and_then(|own| own.iter().find(|own| text.numbers.contains(own)));
                let source = source.copied().unwrap_or(first);
                self.differs.entry(*at).or_default().push(DiffersFrom {
                    source,
                    said: short(&found.said),
                    figure: short(&found.found),
                });
            }
        }
    }

    fn claims(&self, reading: &Reading, sources: &BTreeMap<u32, CheckedSource>) -> Vec<CheckedClaim> {
        let claims = reading.claims.iter().enumerate().map(|(at, claim)| {
            let numbers = self.cited.get(at).map(Vec::as_slice).unwrap_or_default();
            let cited: Vec<CitedSource> =
                numbers.iter().map(|number| self.cited_source(at, *number, sources.get(number))).collect();
            // A mark that nothing explains cites something nobody can visit.
            let verdict = match (cited.is_empty(), claim.citations.is_empty()) {
                (true, true) => Verdict::Uncited,
                (true, false) => Verdict::NotVisited,
                (false, _) => self.taken_together(at, &cited, sources),
            };
            CheckedClaim {
                text: cut(&claim.text).to_owned(),
                span: Some(Span { start: claim.span.start as u64, end: claim.span.end as u64 }),
                verdict,
                differs: self.differs_of(at, verdict, &cited),
                cited,
                by_model: None,
            }
        });
        let mut claims: Vec<CheckedClaim> = claims.collect();
        mutual::tell_both(&mut claims);
        claims
    }

    fn cited_source(&self, at: usize, number: u32, source: Option<&CheckedSource>) -> CitedSource {
        if let Some(PagePart { judgement, .. }) = self.parts.get(&(at, number)) {
            return CitedSource {
                source: number,
                verdict: judgement.verdict,
                reason: reason(judgement),
                passage: judgement.span,
                score: Some(judgement.score),
            };
        }
        let verdict = match source.map(|source| &source.state) {
            Some(SourceState::Unreachable { .. }) => Verdict::Unreachable,
            Some(SourceState::Read | SourceState::NotVisited { .. }) | None => Verdict::NotVisited,
        };
        let unread = source.and_then(CheckedSource::unread_reason);
        let reason = Some(unread.unwrap_or_else(|| "the report is too large to compare everything".to_owned()));
        CitedSource { source: number, verdict, reason, passage: None, score: None }
    }

    /// What all citations of a claim say to it. It is only called unsupported if every page that it cites was read.
    fn taken_together(&self, at: usize, cited: &[CitedSource], sources: &BTreeMap<u32, CheckedSource>) -> Verdict {
        let mut voices: BTreeMap<u32, &PagePart> = BTreeMap::new();
        for citation in cited {
            let copy_of = sources.get(&citation.source).and_then(|source| source.copy_of);
            if let Some(part) = self.parts.get(&(at, citation.source)) {
                let voice = voices.entry(copy_of.unwrap_or(citation.source)).or_insert(part);
                *voice = voice.or_better(part);
            }
        }
        let statement = self.statements.get(at).and_then(Option::as_ref);
        let voices: Vec<&PagePart> = voices.into_values().collect();
        let judged = statement.and_then(|statement| join_parts(statement, &voices)).map(|judged| judged.verdict);
        let has = |verdict: Verdict| cited.iter().any(|citation| citation.verdict == verdict);
        match judged {
            Some(verdict @ (Verdict::Supported | Verdict::Partial)) => verdict,
            _ if has(Verdict::Unreachable) => Verdict::Unreachable,
            _ if has(Verdict::NotVisited) => Verdict::NotVisited,
            Some(verdict) => verdict,
            None => Verdict::NotVisited,
        }
    }

    /// A source that has another figure, where one that the claim cites has the claim's. Its own sources come first.
    fn differs_of(&self, at: usize, verdict: Verdict, cited: &[CitedSource]) -> Option<DiffersFrom> {
        if !matches!(verdict, Verdict::Supported | Verdict::Partial) {
            return None;
        }
        let found = self.differs.get(&at)?;
        let own = |differs: &&DiffersFrom| cited.iter().any(|citation| citation.source == differs.source);
        found.iter().find(own).or_else(|| found.first()).cloned()
    }
}

/// The numbers that a claim cites, each once, in the order of the report.
fn numbers(reading: &Reading, numbered: &Numbered, claim: &ReportClaim) -> Vec<u32> {
    let cited = claim.citations.iter().filter_map(|at| reading.citations.get(*at));
    let mut numbers: Vec<u32> = Vec::new();
    for at in cited.flat_map(|citation| &citation.sources) {
        let Some(number) = numbered.number_of.get(*at).copied().flatten() else { continue };
        if numbers.len() >= limits::EVIDENCE_PER_CLAIM {
            break;
        }
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// The reason of a page that no check has found anything against.
pub(super) const PARTLY: &str = "only some of its words stand together on this page";

/// Why a page does not bear a claim out; one that does needs no reason.
fn reason(judged: &Judgement) -> Option<String> {
    let found = judged.findings.first().map(|finding| short(&finding.reason));
    let plain = match judged.verdict {
        Verdict::Partial => Some(PARTLY),
        Verdict::Unsupported => Some("this page does not speak of it in these words"),
        Verdict::Supported | Verdict::Unreachable | Verdict::NotVisited | Verdict::Uncited | Verdict::Quoted => None,
    };
    plain.map(|plain| found.unwrap_or_else(|| plain.to_owned()))
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(limits::CLAIM_BYTES)).unwrap_or_default()
}

fn short(text: &str) -> String {
    shortened(text, limits::EVIDENCE_REASON_CHARS)
}
