//! A report as one HTML file: every sentence tinted by its verdict, and behind each the archived passage that it rests on.
//!
//! The file needs nothing beside it, no script and no network: a click on a sentence leads to its card, which the style shows beside the text.
//! Whatever stands in a report, a title or a passage is text there, never markup.

mod body;
mod passage;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use minijinja::AutoEscape;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use self::body::{Heading, body};
use self::passage::passage;
use super::file_name::Parts;
use super::template::{minutes, strict, title};
use super::{citations, source};
use crate::core::base::dates::rfc3339;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::{limits, plain};
use crate::core::evidence::checked::{CheckedClaim, CheckedSource, Evidence};
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::passage::PageHash;
use crate::core::evidence::place::passed_on;
use crate::core::evidence::reading::own_list;
use crate::core::money::usage::Usd;
use crate::core::report::Report;
use crate::core::task::TaskView;
use crate::core::text::page::guessed_language;

/// The texts of archived pages.
pub(crate) type Pages = BTreeMap<PageHash, String>;

/// A claim in the report's text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tint {
    span: Range<usize>,
    number: usize,
    verdict: Verdict,
}

/// The pages whose passages the file shows.
pub(crate) fn pages_shown(report: &Report) -> BTreeSet<PageHash> {
    let Some(evidence) = report.evidence() else { return BTreeSet::new() };
    evidence.sources.iter().filter_map(|source| source.page.clone()).collect()
}

/// The text of the file.
pub(crate) fn render(task: &TaskView, report: &Report, pages: &Pages, parts: Parts) -> Result<String> {
    let values = Values::new(task, report, pages, parts);
    let text = strict(|_| AutoEscape::Html)
        .template_from_str(include_str!("report.html.j2"))
        .and_then(|template| template.render(Value::from(Serde(&values))))
        .map_err(|fault| Error::new(Code::Internal, format!("the HTML file could not be made: {fault:#}")))?;
    if text.len() > limits::REPORT_FILE_BYTES {
        let message = format!("the HTML file would be larger than {} bytes", limits::REPORT_FILE_BYTES);
        return Err(Error::new(Code::InvalidArgument, message).hint("save the report as Markdown"));
    }
    Ok(text)
}

/// Everything that the template names.
#[derive(Serialize)]
struct Values<'a> {
    version: &'static str,
    /// Of the report, where it can be told.
    language: Option<String>,
    style: Html,
    title: &'a str,
    /// The report has no heading of its own that says it.
    show_title: bool,
    query: &'a str,
    include_metadata: bool,
    include_sources: bool,
    facts: Vec<String>,
    partial: bool,
    stop_reason: &'static str,
    checked: bool,
    counts: Vec<Count>,
    body: Html,
    contents: Vec<Heading>,
    claims: Vec<Card>,
    sources: Vec<Entry<'a>>,
}

/// Text that is HTML already.
struct Html(String);

impl Serialize for Html {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::from_safe_string(self.0.clone()).serialize(serializer)
    }
}

#[derive(Serialize)]
struct Count {
    verdict: &'static str,
    label: &'static str,
    count: usize,
}

/// What is shown beside a claim.
#[derive(Serialize)]
struct Card {
    number: usize,
    verdict: &'static str,
    label: String,
    text: String,
    differs: Option<String>,
    cited: Vec<Cited>,
}

#[derive(Serialize)]
struct Cited {
    number: u32,
    title: String,
    verdict: &'static str,
    label: &'static str,
    reason: Option<String>,
    passage: Option<Html>,
}

#[derive(Serialize)]
struct Entry<'a> {
    number: u32,
    title: String,
    location: String,
    url: Option<&'a str>,
    lines: Option<String>,
    state: Option<String>,
    hash: Option<String>,
}

impl<'a> Values<'a> {
    fn new(task: &'a TaskView, report: &'a Report, pages: &Pages, parts: Parts) -> Self {
        let evidence = report.evidence();
        let evidence = evidence.as_deref();
        // A check shows the text that was checked: its claims have their places there.
        let checked = report.evidence.as_ref().and_then(|evidence| evidence.text.as_deref());
        let markdown = checked.unwrap_or(&report.markdown);
        let own_title = title(markdown);
        let tints = evidence.map(tints).unwrap_or_default();
        let known: BTreeSet<u32> = report.sources.iter().map(|source| source.number).collect();
        let known = if parts.sources { known } else { BTreeSet::new() };
        let cited = citations::cited_at(markdown, &known);
        let list = own_list(markdown).map(|list| list.span).filter(|_| parts.sources && !report.sources.is_empty());
        let body = body(markdown, &tints, &cited, &list.unwrap_or(0..0));
        Self {
            version: env!("CARGO_PKG_VERSION"),
            language: guessed_language(markdown),
            style: Html(include_str!("style.css").to_owned()),
            title: own_title.unwrap_or(source::question(task, report)),
            show_title: own_title.is_none(),
            query: source::question(task, report),
            include_metadata: parts.metadata,
            include_sources: parts.sources,
            facts: facts(task, report),
            partial: report.partial,
            stop_reason: report.stop_reason.name(),
            checked: evidence.is_some(),
            counts: evidence.map(counts).unwrap_or_default(),
            body: Html(body.html),
            contents: body.contents,
            // Claims that have no place in the text cannot be clicked.
            claims: evidence
                .filter(|_| !tints.is_empty())
                .map(|evidence| cards(evidence, report, pages))
                .unwrap_or_default(),
            sources: report.sources.iter().map(|source| entry(source, evidence)).collect(),
        }
    }
}

/// Who made the report, when and for how much.
fn facts(task: &TaskView, report: &Report) -> Vec<String> {
    let engine = report.engine.as_ref().map_or(task.engine.as_str(), |choice| choice.name.name());
    let mut facts = vec![format!("engine {engine}")];
    facts.extend(report.model.as_ref().map(|model| format!("model {model}")));
    facts.push(rfc3339(task.completed_ms.unwrap_or(task.updated_ms)));
    facts.extend(task.completed_ms.map(|end| format!("{} minutes", minutes(end.saturating_sub(task.created_ms)))));
    facts.push(match task.usage.known_cost().map(Usd::dollars) {
        Some(dollars) => format!("{dollars:.2} US dollars"),
        None => "cost unknown".to_owned(),
    });
    facts.push(format!("task {}", task.id));
    facts
}

/// The claims that have a place in the text, in order and none inside another.
fn tints(evidence: &Evidence) -> Vec<Tint> {
    let mut tints: Vec<Tint> = Vec::new();
    for (number, claim) in (1..).zip(&evidence.claims) {
        let Some(span) = claim.span else { continue };
        let (Ok(start), Ok(end)) = (usize::try_from(span.start), usize::try_from(span.end)) else { continue };
        if start < end && tints.last().is_none_or(|last| last.span.end <= start) {
            tints.push(Tint { span: start..end, number, verdict: claim.verdict });
        }
    }
    tints
}

fn counts(evidence: &Evidence) -> Vec<Count> {
    let counts = evidence.counts();
    let all = [
        (Verdict::Supported, counts.supported),
        (Verdict::Partial, counts.partial),
        (Verdict::Unsupported, counts.unsupported),
        (Verdict::Unreachable, counts.unreachable),
        (Verdict::NotVisited, counts.not_visited),
        (Verdict::Uncited, counts.uncited),
        (Verdict::Quoted, counts.quoted),
    ];
    let some = all.into_iter().filter(|(_, count)| *count > 0);
    some.map(|(verdict, count)| Count { verdict: verdict.name(), label: label(verdict), count }).collect()
}

/// A verdict for a person.
fn label(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "supported",
        Verdict::Partial => "partly supported",
        Verdict::Unsupported => "not supported",
        Verdict::Unreachable => "unreachable",
        Verdict::NotVisited => "not visited",
        Verdict::Uncited => "uncited",
        Verdict::Quoted => "quoted",
    }
}

fn cards(evidence: &Evidence, report: &Report, pages: &Pages) -> Vec<Card> {
    let titles: BTreeMap<u32, String> = report.sources.iter().map(|source| (source.number, title_of(source))).collect();
    let card = |(number, claim): (usize, &CheckedClaim)| Card {
        number,
        verdict: claim.verdict.name(),
        label: match &claim.by_model {
            Some(model) => format!("{}: a model's word ({model})", label(claim.verdict)),
            None => label(claim.verdict).to_owned(),
        },
        text: claim.text.clone(),
        differs: claim.differs.as_ref().map(|differs| {
            format!("this sentence says {}, source [{}] says {}.", differs.said, differs.source, differs.figure)
        }),
        cited: claim
            .cited
            .iter()
            .map(|cited| {
                let page = evidence.source(cited.source).and_then(|source| pages.get(source.page.as_ref()?));
                Cited {
                    number: cited.source,
                    title: titles.get(&cited.source).cloned().unwrap_or_default(),
                    verdict: cited.verdict.name(),
                    label: label(cited.verdict),
                    reason: cited.reason.clone(),
                    passage: page
                        .zip(cited.passage)
                        .and_then(|(page, span)| passage(page, span, &claim.text))
                        .map(Html),
                }
            })
            .collect(),
    };
    (1..).zip(&evidence.claims).map(card).collect()
}

/// What a source is called; a title of its own may have slashes too.
fn title_of(source: &crate::core::report::Source) -> String {
    let is_own = !source.title.trim().is_empty() && source.title != source.location;
    if is_own { source.title.clone() } else { plain::location(passed_on(&source.location)) }
}

fn entry<'a>(source: &'a crate::core::report::Source, evidence: Option<&Evidence>) -> Entry<'a> {
    let checked = evidence.and_then(|evidence| evidence.source(source.number));
    let page = source.page.as_ref().or_else(|| checked.and_then(|checked| checked.page.as_ref()));
    Entry {
        number: source.number,
        title: title_of(source),
        location: plain::location(passed_on(&source.location)),
        // Nobody has seen what a model only names: nothing leads there.
        url: source::address(&source.location).filter(|_| !source.claimed),
        lines: source.lines.as_ref().map(ToString::to_string),
        state: state(source.claimed, checked),
        hash: page.map(|page| format!("sha-256 {}", page.0)),
    }
}

/// What became of the page, where that is worth a line.
fn state(claimed: bool, checked: Option<&CheckedSource>) -> Option<String> {
    let read = checked.and_then(|checked| checked.read_ms).map(|ms| format!("read {}", rfc3339(ms)));
    let unread = checked.and_then(CheckedSource::unread_reason);
    let archive = checked.and_then(CheckedSource::archive_address).map(|at| format!("an archive may have it: {at}"));
    let named = claimed.then(|| "named by the model, not visited by it".to_owned());
    let all: Vec<String> = [named, unread, archive, read].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join("; "))
}

#[cfg(test)]
mod tests;
