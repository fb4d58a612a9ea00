//! The reply of `check_claims`.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::{ClaimRow, EvidenceFigures, PageText, SourceRow};
use super::{ErrorBody, status_word, word};
use crate::core::base::error::{Code, Error};
use crate::core::base::sorting::sort_by_key;
use crate::core::base::{limits, plain};
use crate::core::evidence::claim::Verdict;
use crate::core::report::Report;
use crate::core::task::{Ending, TaskView};

/// What `check_claims` takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckArgs {
    /// The report, Markdown or text with its citations.
    pub(crate) text: Option<String>,
    /// Or the task whose report is checked.
    pub(crate) task_id: Option<String>,
    /// Cited pages to read. Default 200.
    #[cfg_attr(test, schemars(range(min = 0, max = 5000)))]
    pub(crate) pages: Option<u32>,
}

/// Every claim of a report beside what it cites; or the id to ask with later.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct CheckReply {
    pub(crate) success: bool,
    pub(crate) task_id: String,
    /// completed, running_async, failed or cancelled.
    pub(crate) status: &'static str,
    /// What was checked.
    pub(crate) subject: String,
    /// Ended before it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) partial: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evidence: Option<EvidenceFigures>,
    /// Whether the share supported is what the command line asked for.
    #[cfg_attr(test, schemars(skip))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) passed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) claims: Option<Vec<ClaimRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) claims_omitted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sources: Option<Vec<SourceRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sources_omitted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// What to call next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) check_status_command: Option<String>,
}

impl CheckReply {
    /// The reply for a task as it stands. Of more than `most` claims those that are supported are left out first.
    pub(crate) fn new(task: &TaskView, ending: Option<&Ending>, page: PageText<'_>, most: usize) -> Self {
        let mut reply = Self {
            success: true,
            task_id: task.id.to_string(),
            status: status_word(task.status),
            subject: task.query.clone(),
            partial: None,
            stop_reason: None,
            evidence: None,
            passed: None,
            claims: None,
            claims_omitted: None,
            sources: None,
            sources_omitted: None,
            error: None,
            message: None,
            check_status_command: None,
        };
        match ending {
            None => {
                reply.message = Some("The check is still running; it goes on and nothing is lost.".to_owned());
                reply.check_status_command = Some(super::check_status_command(task.id));
            }
            Some(Ending::Completed { report }) => reply.tell(report, page, most),
            Some(Ending::Failed { error, partial }) => {
                reply.fail(error);
                partial.iter().for_each(|report| reply.tell(report, page, most));
            }
            Some(Ending::Cancelled { partial }) => {
                reply.fail(&Error::new(Code::Cancelled, "the task was cancelled"));
                partial.iter().for_each(|report| reply.tell(report, page, most));
            }
        }
        reply
    }

    fn fail(&mut self, error: &Error) {
        self.success = false;
        self.error = Some(error.into());
    }

    fn tell(&mut self, report: &Report, page: PageText<'_>, most: usize) {
        self.partial = report.partial.then_some(true);
        self.stop_reason = Some(word(report.stop_reason));
        let Some(evidence) = report.evidence() else { return };
        self.evidence = Some(EvidenceFigures::from(evidence.as_ref()));
        let mut rows: Vec<(usize, _)> = (1..).zip(&evidence.claims).collect();
        let all = rows.len();
        if all > most {
            sort_by_key(&mut rows, |(number, claim)| (claim.verdict == Verdict::Supported, *number));
            rows.truncate(most);
            sort_by_key(&mut rows, |(number, _)| *number);
            self.claims_omitted = Some(all - most);
            self.message = Some(format!("{} has all claims, in pages", super::RESULTS_TOOL));
        }
        let rows = rows.into_iter().map(|(number, claim)| ClaimRow::new(&evidence, number, claim, page));
        self.claims = Some(rows.collect());
        self.sources = Some(evidence.sources.iter().take(most.max(limits::LISTED)).map(SourceRow::from).collect());
    }

    /// The same for people: a table, the pages that were not read, and the figures.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("Evidence for {}\n\n", self.subject);
        let claims = self.claims.as_deref().unwrap_or_default();
        if !claims.is_empty() {
            text.push_str(&format!("{:>4}  {:<11}  claim\n", "#", "verdict"));
        }
        for row in claims {
            let cites: Vec<String> = row.cited.iter().map(|cited| format!("[{}]", cited.source)).collect();
            let mut lines = wrapped(&format!("{} {}", row.claim, cites.join("")), TEXT_COLUMNS).into_iter();
            let verdict = row.verdict.replace('_', " ");
            text.push_str(&format!("{:>4}  {verdict:<11}  {}\n", row.number, lines.next().unwrap_or_default()));
            let differs = row.differs.as_ref().map(|differs| {
                format!("but [{}] has '{}' where this says '{}'", differs.source, differs.figure, differs.said)
            });
            // Why a page was not read is told once, below.
            let is_judged = matches!(row.verdict, "partial" | "unsupported");
            let by_model =
                row.by_model.as_ref().map(|model| format!("a model's word ({model}), not found by words alone"));
            let reasons = row.reason.iter().filter(|_| is_judged).cloned().chain(by_model).chain(differs);
            let reasons = reasons.flat_map(|reason| wrapped(&format!("- {reason}"), TEXT_COLUMNS));
            for line in lines.chain(reasons) {
                text.push_str(&format!("{:19}{line}\n", ""));
            }
        }
        text.push_str(&self.unread());
        if let Some(figures) = &self.evidence {
            text.push_str(&format!("\n{}\n", summary(figures)));
        }
        for line in self.message.iter().filter(|_| self.claims_omitted.is_none()) {
            text.push_str(&format!("\n{line}\n"));
        }
        let reason = self.stop_reason.as_ref().map(|reason| format!(", {reason}")).unwrap_or_default();
        text.push_str(&format!("\nTask {}: {}{reason}\n", self.task_id, self.status));
        plain::lines(&text)
    }

    fn unread(&self) -> String {
        let cited: std::collections::BTreeSet<u32> =
            self.claims.iter().flatten().flat_map(|row| row.cited.iter().map(|cited| cited.source)).collect();
        let mut text = String::new();
        let unread = self.sources.iter().flatten().filter(|source| source.reason.is_some());
        for source in unread.filter(|source| cited.contains(&source.number)) {
            let place = source.address.as_ref().or(source.title.as_ref()).or(source.label.as_ref());
            let place = super::excerpt(place.map(String::as_str).unwrap_or_default(), limits::LABEL_CHARS);
            let why = source.reason.as_deref().unwrap_or_default();
            text.push_str(&format!("[{}] {place}: {why}\n", source.number));
            if let Some(archive) = &source.archive {
                text.push_str(&format!("    perhaps archived at {archive}\n"));
            }
        }
        if text.is_empty() { text } else { format!("\nNot read:\n{text}") }
    }
}

/// The figures in a line.
fn summary(figures: &EvidenceFigures) -> String {
    let named = [
        (figures.supported, "supported"),
        (figures.partial, "partial"),
        (figures.unsupported, "unsupported"),
        (figures.unreachable, "unreachable"),
        (figures.not_visited, "not visited"),
        (figures.uncited, "uncited"),
    ];
    let named: Vec<String> =
        named.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    let share =
        figures.share_supported.map(|share| format!("; {:.0}% of the cited claims are supported", share * 100.0));
    let noun = if figures.claims == 1 { "claim" } else { "claims" };
    let colon = if named.is_empty() { "" } else { ": " };
    let differs = match figures.differs {
        0 => String::new(),
        count => format!("; for {count} another source has another figure"),
    };
    let more = figures
        .not_judged
        .map(|count| format!("\n{count} more claims were not judged: {} of a report are", limits::EVIDENCE_CLAIMS));
    format!(
        "{} {noun}{colon}{}{}{differs}{}",
        figures.claims,
        named.join(", "),
        share.unwrap_or_default(),
        more.unwrap_or_default()
    )
}

/// Characters of a claim in a line of the terminal.
const TEXT_COLUMNS: usize = 80;

/// A text in lines of at most so many characters, broken at blanks where there are any.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut width = columns;
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        while !rest.is_empty() {
            let piece: String = rest.drain(..rest.len().min(columns)).collect();
            let length = piece.chars().count();
            match lines.last_mut().filter(|_| width + 1 + length <= columns) {
                Some(line) => {
                    line.push(' ');
                    line.push_str(&piece);
                    width += 1 + length;
                }
                None => {
                    lines.push(piece);
                    width = length;
                }
            }
        }
    }
    lines
}
