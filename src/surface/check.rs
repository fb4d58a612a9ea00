//! The verb of checking somebody's report: `check_claims`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::app::{App, invalid, within};
use super::wire::{CheckArgs, CheckReply};
use crate::core::base::engine::{EngineChoice, EngineName, EvidenceMode};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::{limits, plain};
use crate::core::evidence::checked::FileReach;
use crate::core::evidence::passage::PageHash;
use crate::core::method::check::opinion::OpinionPlan;
use crate::core::method::check::{CheckInput, CheckPlan};
use crate::core::method::study::Documents;
use crate::core::method::{Plan, TaskSpec};
use crate::core::report::{Report, Source};
use crate::core::task::{Ending, Tool};
use crate::engine::ModelLookup;

/// What is to be checked, and how.
#[derive(Clone, Debug)]
pub(crate) struct CheckCall {
    pub(crate) subject: String,
    pub(crate) input: CheckInput,
    pub(crate) pages: Option<u32>,
    pub(crate) offline: bool,
    /// Where documents of this machine may be read that the report cites.
    pub(crate) files: FileReach,
}

impl CheckCall {
    /// The check of a text that its user gave: it may cite what is in the library.
    pub(crate) fn new(subject: String, input: CheckInput) -> Self {
        // Somebody else's page has no say in which files of this machine are read.
        let registered = matches!(input, CheckInput::Text { .. });
        Self { subject, input, pages: None, offline: false, files: FileReach { folders: Vec::new(), registered } }
    }
}

impl App {
    /// Starts the check of a text or of a task's report.
    pub(crate) async fn start_check_of(&self, args: CheckArgs) -> Result<TaskId> {
        let call = match (args.text, args.task_id) {
            (Some(report), None) => {
                let input = CheckInput::Text { report, known: Vec::new() };
                CheckCall { pages: args.pages, ..CheckCall::new("a text".to_owned(), input) }
            }
            (None, Some(id)) => CheckCall { pages: args.pages, ..self.check_of_task(&id).await? },
            (Some(_), Some(_)) | (None, None) => {
                let message = "give either `text` or `task_id`";
                return Err(Error::new(Code::InvalidArgument, message));
            }
        };
        self.start_check(call).await
    }

    /// The check of a task's report: its sources keep their numbers, and pages in the archive are not read again.
    pub(crate) async fn check_of_task(&self, id: &str) -> Result<CheckCall> {
        let (task, ending) = self.engine.ending(TaskId::parse(id)?).await?;
        let report = ending.as_ref().and_then(Ending::report).ok_or_else(|| match ending {
            Some(_) => Error::new(Code::ResultNotFound, format!("the task `{id}` ended without a report")),
            None => task.still_runs(),
        })?;
        let known: Vec<_> = report.sources.iter().map(Source::to_check).collect();
        let files = match self.engine.inputs(task.id).await? {
            Some(plan) => plan.file_reach(&known),
            None => FileReach::of_report(&known),
        };
        // A check is checked again by the text that it was about.
        let text = report.evidence.as_ref().and_then(|evidence| evidence.text.clone());
        let input = CheckInput::Text { report: text.unwrap_or_else(|| report.markdown.clone()), known };
        Ok(CheckCall { files, ..CheckCall::new(format!("task {id}"), input) })
    }

    /// Checks the call's limits and starts the task. When this returns, the task is durable.
    pub(crate) async fn start_check(&self, call: CheckCall) -> Result<TaskId> {
        let CheckCall { subject, input, pages, offline, files } = call;
        let pages = within("pages", pages.unwrap_or(limits::CHECK_PAGES), 0, limits::CHECK_PAGES_MAX)?;
        if let CheckInput::Text { report, .. } = &input {
            if report.len() > limits::CHECK_REPORT_BYTES {
                let most = limits::CHECK_REPORT_BYTES;
                return Err(invalid("text", &format!("may have {most} bytes"), report.len()));
            }
            if !report.chars().any(char::is_alphanumeric) {
                return Err(Error::new(Code::InvalidArgument, "there is no text to check"));
            }
        }
        let budget = self.settings.budget;
        // Of a limited time the larger part is for reading, the rest for judging.
        let limited = budget.wall.map_or(limits::FETCH_MANY, |wall| (wall * 3 / 5).min(limits::FETCH_MANY));
        let within_ms = u64::try_from(limited.as_millis()).unwrap_or(u64::MAX);
        let reason = if self.settings.second_opinion { "a check by words" } else { "a check asks no model" };
        let engine = EngineChoice { name: EngineName::Extractive, reason: reason.to_owned() };
        let subject = plain::line(&subject, limits::LABEL_CHARS);
        let query = subject.clone();
        let opinion = if offline { None } else { self.opinion().await? };
        let plan = Plan::Check(CheckPlan { subject, input, pages, offline, within_ms, files, opinion });
        // The check itself is what its report is about.
        let evidence = EvidenceMode::Off;
        self.engine
            .start(TaskSpec { tool: Tool::CheckClaims, query, engine, budget, plan, evidence, opinion: None })
            .await
    }

    /// Who is asked about what the words of pages leave open, if anybody is.
    pub(super) async fn opinion(&self) -> Result<Option<OpinionPlan>> {
        if !self.settings.second_opinion {
            return Ok(None);
        }
        let facts = self.engine.facts(&self.settings, 0, ModelLookup::Wanted).await?;
        if facts.models.is_empty() {
            return Ok(None);
        }
        let to_model = self.settings.library_to_model;
        let documents = Documents { named: &[], registered: true, to_model, near: facts.near };
        let shows_files = documents.are_read();
        Ok(Some(OpinionPlan { models: facts.models, marks: self.engine.marks(), shows_files }))
    }

    /// Waits for the check up to the window (`None` = for ever) and tells how it stands, with at most so many claims.
    pub(crate) async fn check_reply(&self, id: TaskId, window: Option<Duration>, most: usize) -> Result<CheckReply> {
        self.engine.wait(id, window).await?;
        let (task, ending) = self.engine.ending(id).await?;
        let texts = match ending.as_ref().and_then(Ending::report) {
            Some(report) => self.page_texts(report).await?,
            None => BTreeMap::new(),
        };
        let text = |number: u32| texts.get(&number).map(String::as_str);
        Ok(CheckReply::new(&task, ending.as_ref(), &text, most))
    }

    /// The verdicts on the claims of a task that is over, at most so many; what is supported is left out first.
    pub(crate) async fn evidence(&self, id: TaskId, most: usize) -> Result<CheckReply> {
        let task = self.engine.task(id).await?;
        if !task.status.is_final() {
            return Err(task.still_runs());
        }
        let reply = self.check_reply(id, Some(Duration::ZERO), most).await?;
        if reply.evidence.is_none() && reply.error.is_none() {
            let message = format!("the claims of task `{id}` were not checked against their sources");
            return Err(Error::new(Code::ResultNotFound, message).hint(format!("`hadal check {id}` checks them now")));
        }
        Ok(reply)
    }

    /// The archived texts that the passages of a report's evidence stand in, by source.
    async fn page_texts(&self, report: &Report) -> Result<BTreeMap<u32, String>> {
        let mut texts = BTreeMap::new();
        let Some(evidence) = report.evidence() else { return Ok(texts) };
        let quoted: BTreeSet<u32> = evidence
            .claims
            .iter()
            .flat_map(|claim| &claim.cited)
            .filter(|cited| cited.passage.is_some())
            .map(|cited| cited.source)
            .collect();
        let pages: Vec<(u32, PageHash)> = evidence
            .sources
            .iter()
            .filter(|source| quoted.contains(&source.number))
            .filter_map(|source| Some((source.number, source.page.clone()?)))
            .collect();
        let mut room = limits::EVIDENCE_TEXT_BYTES;
        for (number, page) in pages {
            let text = self.engine.page_text(page).await?;
            let Some(left) = text.as_ref().and_then(|text| room.checked_sub(text.len())) else { continue };
            room = left;
            texts.extend(text.map(|text| (number, text)));
        }
        Ok(texts)
    }
}
