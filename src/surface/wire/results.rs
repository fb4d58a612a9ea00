//! The reply of `get_research_results`.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::research::{Metadata, Round, ignored_line, note_text, problem_lines, problems, report_text};
use super::{Engine, ErrorBody, EvidenceFigures, Ledger, Problem, Source, Tokens, minutes, status_word, word};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::plain;
use crate::core::report::Report;
use crate::core::task::{Ending, TaskView};

/// A finished report, or what a stopped task kept of one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ResultsReply {
    pub(crate) success: bool,
    pub(crate) task_id: String,
    pub(crate) query: String,
    /// completed, failed or cancelled.
    pub(crate) status: &'static str,
    /// Markdown; `[n]` cites sources.
    pub(crate) report: String,
    /// Ended before it was done.
    pub(crate) partial: bool,
    pub(crate) stop_reason: String,
    /// A model's own word; the ledger is measured.
    pub(crate) verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sources: Option<Vec<Source>>,
    /// Sources that this page does not cite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sources_omitted: Option<usize>,
    /// Where the rest is, when this is a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) paging: Option<Paging>,
    pub(crate) ledger: Ledger,
    pub(crate) problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problems_omitted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// Why the task failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorBody>,
    pub(crate) metadata: ResultsMetadata,
}

/// A part of a long report.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Paging {
    pub(crate) page: u32,
    pub(crate) pages: usize,
    pub(crate) report_chars: usize,
    /// Titles that `section` takes.
    pub(crate) sections: Vec<String>,
    /// What to call for the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
    /// The whole report as a resource.
    pub(crate) resource: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ResultsMetadata {
    pub(crate) duration_minutes: f64,
    pub(crate) tokens_used: Tokens,
    /// US dollars, or null: unknown.
    pub(crate) cost_usd: Option<f64>,
    pub(crate) mode: &'static str,
    pub(crate) engine: Engine,
    /// Arguments that had no effect on this engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ignored_arguments: Option<Vec<String>>,
    pub(crate) model: String,
    pub(crate) iterations: usize,
    pub(crate) rounds: Vec<Round>,
    /// Null: nobody has checked it.
    pub(crate) evidence: Option<EvidenceFigures>,
    /// RFC 3339.
    pub(crate) completed_at: String,
}

/// Whether a reply lists the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sources {
    Included,
    LeftOut,
}

impl ResultsReply {
    /// The report of a task, or the coded error that says why there is none.
    pub(crate) fn new(task: &TaskView, ending: Option<Ending>, sources: Sources) -> Result<Self> {
        match ending {
            None => Err(not_completed(task)),
            Some(Ending::Completed { report }) => Ok(Self::tell(task, &report, sources)),
            Some(Ending::Failed { error, partial: Some(report) }) => {
                let mut reply = Self::tell(task, &report, sources);
                reply.partial = true;
                reply.error = Some((&error).into());
                Ok(reply)
            }
            Some(Ending::Failed { error, partial: None }) => Err(error),
            Some(Ending::Cancelled { partial: Some(report) }) => {
                let mut reply = Self::tell(task, &report, sources);
                reply.partial = true;
                Ok(reply)
            }
            Some(Ending::Cancelled { partial: None }) => {
                Err(Error::new(Code::ResultNotFound, "the task was cancelled and nothing of it was kept")
                    .hint("start the research again"))
            }
        }
    }

    fn tell(task: &TaskView, report: &Report, sources: Sources) -> Self {
        let (problems, problems_omitted) = problems(report);
        Self {
            success: true,
            task_id: task.id.to_string(),
            query: task.query.clone(),
            status: status_word(task.status),
            report: report.markdown.clone(),
            partial: report.partial,
            stop_reason: word(report.stop_reason),
            verified: report.verified,
            sources: (sources == Sources::Included).then(|| report.sources.iter().map(Source::from).collect()),
            sources_omitted: None,
            paging: None,
            ledger: Ledger::count(report),
            problems,
            problems_omitted,
            note: report.note.clone(),
            error: None,
            metadata: ResultsMetadata::new(task, report),
        }
    }

    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        if self.partial {
            text.push_str(&format!("> Partial report: the task ended ({}) before it was done.\n\n", self.stop_reason));
        }
        text.push_str(&report_text(&self.report, self.sources.as_deref()));
        text.push_str(&note_text(self.note.as_deref().unwrap_or_default(), &self.report));
        text.push_str(&ignored_line(self.metadata.ignored_arguments.as_ref(), &self.metadata.engine));
        text.push_str(&problem_lines(&self.problems, self.problems_omitted, &self.report));
        if let Some(error) = &self.error {
            text.push_str(&format!("{}\n", error.markdown()));
        }
        let metadata = &self.metadata;
        text.push_str(&format!(
            "\nTask {}: {}, {}, {} minutes, engine {}, {}\n",
            self.task_id,
            self.status,
            self.stop_reason,
            metadata.duration_minutes,
            metadata.engine.name,
            super::dollars(metadata.cost_usd)
        ));
        plain::lines(&text)
    }
}

impl ResultsMetadata {
    /// What the metadata of a call has, as this reply names it.
    fn new(task: &TaskView, report: &Report) -> Self {
        let Metadata {
            tokens_used,
            cost_usd,
            engine,
            ignored_arguments,
            model,
            iterations,
            rounds,
            timestamp,
            evidence,
            ..
        } = Metadata::new(task, Some(report));
        let duration_minutes = minutes(task.created_ms, task.completed_ms.unwrap_or(task.updated_ms));
        Self {
            duration_minutes,
            tokens_used,
            cost_usd,
            mode: "async",
            engine,
            ignored_arguments,
            model,
            iterations,
            rounds,
            evidence,
            completed_at: timestamp,
        }
    }
}

fn not_completed(task: &TaskView) -> Error {
    let action = match task.progress.action.as_str() {
        "" => String::new(),
        action => format!(": {action}"),
    };
    Error::new(
        Code::ResearchNotCompleted,
        format!("the task is not completed; its status is {}{action}", status_word(task.status)),
    )
    .hint(format!("{} says how far it is", super::check_status_command(task.id)))
}
