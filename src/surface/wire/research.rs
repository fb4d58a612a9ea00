//! The reply of `deep_research`: the finished research, or the id to ask with later.

use std::collections::HashSet;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::explain::Explain;
use super::results::Paging;
use super::{Engine, ErrorBody, EvidenceFigures, Source, Tokens, status_word, word};
use crate::core::base::dates::rfc3339;
use crate::core::base::error::{self, Code, Error};
use crate::core::base::limits;
use crate::core::base::plain;
use crate::core::base::problems::omitted;
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::reading::own_list;
use crate::core::language::sentences;
use crate::core::money::usage::Usd;
use crate::core::report::quotes::listed;
use crate::core::report::{self, Report};
use crate::core::task::{Ending, TaskView};

/// One flat shape for every way a call can end, so that one schema describes it; what does not apply is absent.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ResearchReply {
    pub(crate) success: bool,
    pub(crate) task_id: String,
    /// completed, running_async, failed or cancelled.
    pub(crate) status: &'static str,
    /// sync or async.
    pub(crate) mode: &'static str,
    /// Markdown; `[n]` cites sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<String>,
    /// A model's own word; the ledger is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verified: Option<bool>,
    /// Ended before it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) partial: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sources: Option<Vec<Source>>,
    /// Sources that this page does not cite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sources_omitted: Option<usize>,
    /// Where the rest is, when this is a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) paging: Option<Paging>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ledger: Option<Ledger>,
    /// What could not be read or done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problems: Option<Vec<Problem>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problems_omitted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// What to call next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) check_status_command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<Metadata>,
}

/// Claims by whether the cited source has their words; blind to contradiction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Ledger {
    pub(crate) supported: usize,
    pub(crate) partial: usize,
    pub(crate) unsupported: usize,
    pub(crate) unreachable: usize,
    pub(crate) not_visited: usize,
    /// Word for word, unjudged.
    pub(crate) quoted: usize,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Problem {
    pub(crate) subject: String,
    #[cfg_attr(test, schemars(with = "String"))]
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl From<&error::Problem> for Problem {
    fn from(problem: &error::Problem) -> Self {
        let error::Problem { subject, error } = problem;
        Self { subject: subject.clone(), code: error.code, message: error.message.clone() }
    }
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Metadata {
    pub(crate) duration_ms: i64,
    pub(crate) query: String,
    /// none: no model was used.
    pub(crate) model: String,
    /// When it ended.
    pub(crate) timestamp: String,
    pub(crate) iterations: usize,
    pub(crate) sources_visited: Vec<String>,
    pub(crate) search_queries_used: Vec<String>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) engine: Engine,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strategy: Option<String>,
    pub(crate) tokens_used: Tokens,
    /// US dollars, or null: unknown.
    pub(crate) cost_usd: Option<f64>,
    /// Arguments that had no effect on this engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ignored_arguments: Option<Vec<String>>,
    /// Null: nobody has checked it.
    pub(crate) evidence: Option<EvidenceFigures>,
    /// Strategy, scores per attempt and why it stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) explain: Option<Explain>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Round {
    pub(crate) round_number: u32,
    pub(crate) sources_visited: Vec<String>,
    pub(crate) search_queries: Vec<String>,
    pub(crate) intermediate_result_summary: String,
    /// A failed round's `CODE: message`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

impl ResearchReply {
    /// The reply for a task as it stands: with its ending when it has one, with the way to ask again otherwise.
    pub(crate) fn new(task: &TaskView, ending: Option<&Ending>) -> Self {
        let (task_id, status) = (task.id.to_string(), status_word(task.status));
        let mut reply = Self { success: true, task_id, status, mode: "sync", ..Self::default() };
        match ending {
            None => {
                let action = match task.progress.action.as_str() {
                    "" => String::new(),
                    action => format!(" ({action})"),
                };
                reply.mode = "async";
                reply.message = Some(format!("The research is still running{action}; it goes on and nothing is lost."));
                reply.check_status_command = Some(super::check_status_command(task.id));
            }
            Some(Ending::Completed { report }) => reply.tell(task, Some(report)),
            Some(Ending::Failed { error, partial }) => {
                reply.fail(error);
                reply.tell(task, partial.as_ref());
            }
            Some(Ending::Cancelled { partial }) => {
                reply.fail(&Error::new(Code::Cancelled, "the task was cancelled"));
                reply.tell(task, partial.as_ref());
            }
        }
        reply
    }

    fn fail(&mut self, error: &Error) {
        self.success = false;
        self.error = Some(error.into());
    }

    fn tell(&mut self, task: &TaskView, report: Option<&Report>) {
        self.metadata = Some(Metadata::new(task, report));
        let Some(report) = report else { return };
        let (problems, omitted) = problems(report);
        self.result = Some(report.markdown.clone());
        self.verified = Some(report.verified);
        self.partial = report.partial.then_some(true);
        self.stop_reason = Some(word(report.stop_reason));
        self.sources = Some(report.sources.iter().map(Source::from).collect());
        self.ledger = Some(Ledger::count(report));
        self.problems = Some(problems);
        self.problems_omitted = omitted;
        self.note = report.note.clone();
    }

    /// The same for people: the report, what it cites, what went wrong, and one line about the run.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        if let Some(result) = &self.result {
            text.push_str(&report_text(result, self.sources.as_deref()));
        }
        // A report without sources may say so itself.
        let report = self.result.as_deref().unwrap_or_default();
        self.note.iter().chain(&self.message).for_each(|note| text.push_str(&note_text(note, report)));
        if self.check_status_command.is_some() {
            text.push_str(&format!("Ask again: `hadal status {}`\n\n", self.task_id));
        }
        if let Some(metadata) = &self.metadata {
            text.push_str(&ignored_line(metadata.ignored_arguments.as_ref(), &metadata.engine));
        }
        text.push_str(&problem_lines(self.problems.as_deref().unwrap_or_default(), self.problems_omitted, report));
        if let Some(error) = &self.error {
            text.push_str(&format!("\n{}\n", error.markdown()));
        }
        text.push_str(&self.last_line());
        plain::lines(&text)
    }

    /// How the research came to its end, for people.
    pub(crate) fn explained(&self) -> String {
        self.metadata.as_ref().and_then(|metadata| metadata.explain.as_ref()).map(Explain::markdown).unwrap_or_default()
    }

    fn last_line(&self) -> String {
        let Some(metadata) = &self.metadata else { return format!("Task {}: {}\n", self.task_id, self.status) };
        let reason = self.stop_reason.as_ref().map(|reason| format!(", {reason}")).unwrap_or_default();
        format!(
            "\nTask {}: {}{reason}, {} ms, engine {}, {} tokens, {}\n",
            self.task_id,
            self.status,
            metadata.duration_ms,
            metadata.engine.name,
            metadata.tokens_used.input.saturating_add(metadata.tokens_used.output),
            super::dollars(metadata.cost_usd),
        )
    }
}

impl Ledger {
    pub(super) fn count(report: &Report) -> Self {
        let mut ledger = Self::default();
        if let Some(evidence) = &report.evidence {
            let counts = evidence.counts();
            return Self {
                supported: counts.supported,
                partial: counts.partial,
                unsupported: counts.unsupported,
                unreachable: counts.unreachable,
                not_visited: counts.not_visited,
                quoted: counts.quoted,
            };
        }
        for claim in &report.claims {
            *match claim.verdict {
                Verdict::Supported => &mut ledger.supported,
                Verdict::Partial => &mut ledger.partial,
                Verdict::Unsupported => &mut ledger.unsupported,
                Verdict::Unreachable => &mut ledger.unreachable,
                Verdict::NotVisited => &mut ledger.not_visited,
                // An old ledger has none.
                Verdict::Uncited => continue,
                Verdict::Quoted => &mut ledger.quoted,
            } += 1;
        }
        ledger
    }
}

impl Metadata {
    pub(super) fn new(task: &TaskView, report: Option<&Report>) -> Self {
        let rounds = report.map(|report| report.rounds.as_slice()).unwrap_or_default();
        let ended = task.completed_ms.unwrap_or(task.updated_ms);
        Self {
            duration_ms: ended.saturating_sub(task.created_ms).max(0),
            query: task.query.clone(),
            model: report.and_then(|report| report.model.clone()).unwrap_or_else(|| "none".to_owned()),
            timestamp: rfc3339(ended),
            iterations: rounds.len(),
            sources_visited: union(rounds.iter().flat_map(|round| &round.sources_visited)),
            search_queries_used: union(rounds.iter().flat_map(|round| &round.search_queries)),
            rounds: rounds.iter().map(Round::from).collect(),
            engine: Engine::of(task, report),
            ignored_arguments: ignored(report),
            strategy: report.and_then(|report| report.strategy.clone()),
            tokens_used: task.usage.into(),
            cost_usd: task.usage.known_cost().map(Usd::dollars),
            evidence: report.and_then(figures),
            explain: report.and_then(|report| report.explain.as_ref()).map(Explain::from),
        }
    }
}

/// What was judged. Quotes are cut from their pages, and nobody judges what they say.
fn figures(report: &Report) -> Option<EvidenceFigures> {
    let evidence = report.evidence().filter(|evidence| evidence.counts().quoted == 0)?;
    Some(EvidenceFigures::from(evidence.as_ref()))
}

impl From<&report::Round> for Round {
    fn from(round: &report::Round) -> Self {
        Self {
            round_number: round.round_number,
            sources_visited: round.sources_visited.clone(),
            search_queries: round.search_queries.clone(),
            intermediate_result_summary: round.intermediate_result_summary.clone(),
            error: round.error.as_ref().map(Error::to_string),
        }
    }
}

/// Every text once, in the order first seen.
fn union<'a>(texts: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.filter(|text| seen.insert(text.as_str())).cloned().collect()
}

/// The problems an answer shows, and how many more there are.
pub(super) fn problems(report: &Report) -> (Vec<Problem>, Option<u64>) {
    let shown = report.problems.iter().take(limits::PROBLEMS_SHOWN).map(Problem::from);
    let omitted = omitted(report.problems.len(), report.problems_beyond, limits::PROBLEMS_SHOWN);
    (shown.collect(), (omitted > 0).then_some(omitted))
}

/// What a note says that its report does not say itself.
pub(super) fn note_text(note: &str, report: &str) -> String {
    let told = report.replace("**", "");
    let (said, new): (Vec<&str>, Vec<&str>) =
        sentences(note).into_iter().filter_map(|place| note.get(place)).partition(|sentence| told.contains(sentence));
    match (said.is_empty(), new.is_empty()) {
        (_, true) => String::new(),
        (true, false) => format!("{note}\n\n"),
        (false, false) => format!("{}\n\n", new.join(" ")),
    }
}

/// The problems for people, a line each, if the report does not list them itself.
pub(super) fn problem_lines(problems: &[Problem], omitted: Option<u64>, report: &str) -> String {
    if problems.iter().all(|problem| report.contains(&listed(&problem.subject, &problem.code))) {
        return String::new();
    }
    let line = |problem: &Problem| format!("- {}: {} ({})\n", problem.subject, problem.message, problem.code);
    let more = omitted.map(|omitted| format!("- and {omitted} more problems\n"));
    let lines: String = problems.iter().map(line).chain(more).collect();
    format!("Problems:\n\n{lines}")
}

/// Arguments that had no effect, if any.
pub(super) fn ignored(report: Option<&Report>) -> Option<Vec<String>> {
    report.map(|report| report.ignored_arguments.clone()).filter(|ignored| !ignored.is_empty())
}

/// The same for people, as a line.
pub(super) fn ignored_line(ignored: Option<&Vec<String>>, engine: &Engine) -> String {
    let Some(ignored) = ignored else { return String::new() };
    let named: Vec<String> = ignored.iter().map(|name| format!("`{name}`")).collect();
    format!("Without effect on the engine {}: {}\n\n", engine.name, named.join(", "))
}

/// A report with the list of its sources, unless it has its own.
pub(super) fn report_text(report: &str, sources: Option<&[Source]>) -> String {
    let sources = sources.unwrap_or_default();
    let text = format!("{}\n\n", report.trim_end());
    if sources.is_empty() || own_list(report).is_some() {
        return text;
    }
    let lines: String = sources.iter().map(Source::markdown).collect();
    format!("{text}## Sources\n\n{lines}\n")
}
