//! The `hosted` method: a run of somebody else's research agent is created, followed to its end and collected.
//!
//! Creating is the one step that costs money once it is taken, so it is taken once: it is repeated only when it is
//! known that nothing was started (the far side said "too many requests", or was never reached). A reply that was lost
//! ends the task in a state that says so; a second run is the user's choice. Everything after it is free and can be
//! repeated for ever.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::core::agent::{Create, Follow, FollowEnd, RunStatus, Snapshot, backoff, notes, uncertain};
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::limits;
use crate::core::evidence::reading::address_key;
use crate::core::money::budget::Cap;
use crate::core::money::usage::Usd;
use crate::core::report::sources::note_on_claimed;
use crate::core::report::{Report, Round, Source, StopReason};
use crate::core::task::effect::{Effect, LogLevel};
use crate::core::task::outcome::{Event, Outcome};
use crate::core::task::{Ending, Progress};
use crate::core::text::neutral::{KnownAddresses, neutral};

/// The inputs of the method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HostedPlan {
    pub(crate) create: Create,
    /// Milliseconds since 1970; the run is not followed for longer.
    pub(crate) deadline_ms: i64,
    /// A run that is known to have cost more is stopped.
    pub(crate) cost_cap: Option<Usd>,
    /// The same for tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) token_cap: Option<u64>,
    /// The user wants one more try when it is not known whether a run was started.
    pub(crate) retry_uncertain: bool,
    /// The user wants the provider to delete the run once it is collected.
    #[serde(default)]
    pub(crate) delete: bool,
}

/// What a plan says of itself.
pub(super) const PLAN_NOTE: &str = "This is a research plan, not a report. To start the research call start_deep_research with \
                         follow_up_to set to this task's id and query \"Go ahead\", or with changes; with plan_only to \
                         refine the plan first.";

/// Exactly the sentence of HR-13.
pub(crate) const EXPIRED: &str =
    "Research session expired on Gemini servers. Task was interrupted and cannot be recovered.";

#[derive(Clone, Debug)]
pub(crate) struct Hosted {
    plan: HostedPlan,
    interaction: Option<String>,
    /// Creates that were refused before anything was started.
    refused: u32,
    /// Milliseconds waited for that.
    waited_ms: u64,
    /// Whether the one more try of an uncertain create was used.
    retried: bool,
    last: Snapshot,
    problems: Vec<Problem>,
    /// Why the last cancel did not reach the provider.
    not_cancelled: Option<Error>,
    /// The cap that a run is being stopped for.
    stopping: Option<Cap>,
    /// What the task ends with once the run is deleted.
    ending: Option<Ending>,
}

impl Hosted {
    pub(crate) fn new(plan: HostedPlan) -> Self {
        Self {
            plan,
            interaction: None,
            refused: 0,
            waited_ms: 0,
            retried: false,
            last: Snapshot::default(),
            problems: Vec::new(),
            not_cancelled: None,
            stopping: None,
            ending: None,
        }
    }

    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Begin | Event::Done(Effect::Wait { .. }, _) => self.create(),
            Event::Done(Effect::CreateRun(_), outcome) => self.created(outcome),
            Event::Done(Effect::FollowRun(_), outcome) => self.followed(outcome),
            Event::Done(Effect::CancelRun { .. }, outcome) => self.let_go(outcome),
            Event::Done(Effect::DeleteRun { .. }, outcome) => self.deleted(outcome),
            // The method asks for nothing else.
            Event::Done(..) | Event::Steer(_) => Vec::new(),
            Event::Cap(cap) => self.capped(cap),
        }
    }

    /// A cap of money or tokens refuses the create; one of time also stops a run that exists, which would go on and cost money.
    fn capped(&mut self, cap: Cap) -> Vec<Effect> {
        match (self.on_cancel(), self.stopping) {
            (Some(cancel), None) => {
                self.stopping = Some(cap);
                vec![progress("stopping the run: its time is over".to_owned()), cancel]
            }
            _ => self.stop(cap.into()),
        }
    }

    fn create(&self) -> Vec<Effect> {
        vec![progress("asking the agent to start".to_owned()), Effect::CreateRun(self.plan.create.clone())]
    }

    fn created(&mut self, outcome: Outcome) -> Vec<Effect> {
        match outcome {
            Outcome::Run(snapshot) => {
                let snapshot = *snapshot;
                let Some(interaction) = snapshot.id.clone() else {
                    return fail(uncertain("the reply to the start of the run has no id"), None);
                };
                self.interaction = Some(interaction);
                let over = snapshot.status.is_over();
                self.last = snapshot;
                // What a reply at once leaves open (usage that comes later) is for the following to find out.
                if over && self.last.tokens.is_some() { self.over() } else { self.follow() }
            }
            Outcome::Uncertain => self.uncertain(uncertain("hadal was stopped while it started the run")),
            Outcome::Failed { error } if error.code == Code::PaidRunUncertain => self.uncertain(error),
            Outcome::Failed { error } => self.create_failed(error),
            other => fail(Error::new(Code::Internal, format!("creating a run ended as {other:?}")), None),
        }
    }

    /// Nothing was started. What passes is waited for; the rest is told.
    fn create_failed(&mut self, error: Error) -> Vec<Effect> {
        self.refused += 1;
        let patience = match error.code {
            Code::QuotaExceeded if error.retry_after.is_some() => limits::CREATE_PATIENCE_TOLD,
            Code::QuotaExceeded => limits::CREATE_PATIENCE,
            Code::ProviderUnreachable => limits::CREATE_PATIENCE_UNREACHABLE,
            _ => return fail(error, None),
        };
        // A steady refusal is asked less and less often, whatever it says.
        let wait = error.retry_after.unwrap_or_default().max(backoff(self.refused)).max(Duration::from_millis(100));
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        if Duration::from_millis(self.waited_ms.saturating_add(wait_ms)) > patience {
            return fail(error.hint("nothing was started and nothing was paid; start it again later"), None);
        }
        self.waited_ms += wait_ms;
        let line = format!("{}; nothing is started yet, trying again in {} s", error.message, wait.as_secs().max(1));
        vec![Effect::Log { level: LogLevel::Warn, line: line.clone() }, progress(line), Effect::Wait { ms: wait_ms }]
    }

    fn uncertain(&mut self, error: Error) -> Vec<Effect> {
        if self.plan.retry_uncertain && !self.retried {
            self.retried = true;
            self.problems.push(Problem { subject: "start of the run".into(), error });
            return self.create();
        }
        fail(error, None)
    }

    fn follow(&self) -> Vec<Effect> {
        let Some(interaction) = self.interaction.clone() else { return Vec::new() };
        vec![
            progress("the agent is at work".to_owned()),
            Effect::FollowRun(Follow {
                interaction,
                worker: self.plan.create.worker.name().to_owned(),
                deadline_ms: self.plan.deadline_ms,
                cost_cap: self.plan.cost_cap,
                token_cap: self.plan.token_cap,
            }),
        ]
    }

    fn followed(&mut self, outcome: Outcome) -> Vec<Effect> {
        let followed = match outcome {
            Outcome::Followed(followed) => *followed,
            Outcome::Failed { error } => {
                let partial = self.partial(StopReason::EngineFailed);
                return fail(error, partial);
            }
            other => return fail(Error::new(Code::Internal, format!("following a run ended as {other:?}")), None),
        };
        self.last = followed.last;
        match followed.verdict {
            FollowEnd::Over => self.over(),
            FollowEnd::Expired => {
                let error = Error::new(Code::SessionExpired, EXPIRED)
                    .hint("get_research_results shows what was saved before; a new start is a new, paid run");
                fail(error, self.partial(StopReason::EngineFailed))
            }
            FollowEnd::Deadline => {
                let id = self.interaction.as_deref().unwrap_or_default();
                let error = Error::new(Code::Timeout, "the research was not done within `max_wait_hours`")
                    .hint(format!("the run may still go on at Google and cost money; its id there is `{id}`"));
                fail(error, self.partial(StopReason::BudgetTime))
            }
            FollowEnd::Refused(error) => fail(error, self.partial(StopReason::EngineFailed)),
            FollowEnd::OverBudget => {
                let interaction = self.interaction.clone().unwrap_or_default();
                vec![progress("stopping the run: its budget is used up".to_owned()), self.cancel(interaction)]
            }
        }
    }

    /// The end of a run that was stopped because of its budget; one that its user stopped ends elsewhere.
    fn let_go(&mut self, outcome: Outcome) -> Vec<Effect> {
        match outcome {
            Outcome::Run(snapshot) => {
                self.not_cancelled = None;
                self.last.take_newer(*snapshot);
            }
            Outcome::Failed { error } => {
                self.not_cancelled = Some(error.clone());
                self.problems.push(Problem { subject: "cancelling the run at the provider".into(), error });
            }
            _ => {}
        }
        let over = |cap: Option<u64>, used: Option<u64>| cap.zip(used).is_some_and(|(cap, used)| used > cap);
        let tokens = self.last.tokens.map(|tokens| tokens.total());
        let reason = match self.stopping {
            Some(cap) => cap.into(),
            None if over(self.plan.token_cap, tokens) => StopReason::BudgetTokens,
            None => StopReason::BudgetCost,
        };
        self.stop(reason)
    }

    fn stop(&self, reason: StopReason) -> Vec<Effect> {
        match self.partial(reason) {
            Some(report) => vec![Effect::Finish(Box::new(Ending::Completed { report }))],
            None => {
                let error = Error::new(Code::BudgetExceeded, "the budget ended before anything was found")
                    .hint("raise the budget, or ask a narrower question");
                fail(error, None)
            }
        }
    }

    fn cancel(&self, interaction: String) -> Effect {
        Effect::CancelRun { interaction, worker: self.plan.create.worker.name().to_owned() }
    }

    /// What to do at the provider when the user stops the task: nothing for a run that is over, which was booked already.
    pub(crate) fn on_cancel(&self) -> Option<Effect> {
        self.interaction.clone().filter(|_| !self.last.status.is_over()).map(|interaction| self.cancel(interaction))
    }

    /// What a user who stopped the task must know: the run was not stopped at the provider.
    pub(crate) fn cancel_failure(&self) -> Option<Error> {
        let error = self.not_cancelled.clone()?;
        let id = self.interaction.as_deref().unwrap_or_default();
        Some(
            error.hint(format!("hadal no longer follows the run; stop it in Google AI Studio, where its id is `{id}`")),
        )
    }

    /// Whether or not it worked: the result is here.
    fn deleted(&mut self, outcome: Outcome) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Outcome::Failed { error } = outcome {
            let line = format!("the provider keeps the run for now: {}", error.message);
            effects.push(Effect::Log { level: LogLevel::Warn, line });
        }
        effects.extend(self.ending.take().map(|ending| Effect::Finish(Box::new(ending))));
        effects
    }

    fn over(&mut self) -> Vec<Effect> {
        let what = self.last.failure.clone().unwrap_or_else(|| "no reason was given".to_owned());
        match &self.last.status {
            RunStatus::Completed if !self.last.text.trim().is_empty() => {
                let note = self.plan.create.plan_only.then(|| PLAN_NOTE.to_owned());
                let ending = Ending::Completed { report: self.report(StopReason::Answered, note) };
                match self.interaction.clone().filter(|_| self.plan.delete) {
                    // Only what is in the journal may be deleted at the provider; this event is.
                    Some(interaction) => {
                        self.ending = Some(ending);
                        vec![Effect::DeleteRun { interaction }]
                    }
                    None => vec![Effect::Finish(Box::new(ending))],
                }
            }
            RunStatus::Completed => {
                let error = Error::new(Code::ExecutionError, "the agent completed without a report")
                    .hint("it was paid for; ask in another way, or see the run in Google AI Studio");
                fail(error, self.partial(StopReason::EngineFailed))
            }
            RunStatus::Partial(word) => {
                let note = format!("The agent ended early (`{word}`); the report is what there was.");
                match self.partial(StopReason::EngineFailed) {
                    Some(report) => {
                        let report = Report { note: Some(note), ..report };
                        vec![Effect::Finish(Box::new(Ending::Completed { report }))]
                    }
                    None => fail(Error::new(Code::ExecutionError, format!("the run ended as `{word}`: {what}")), None),
                }
            }
            RunStatus::Cancelled => {
                let error = Error::new(Code::Cancelled, "the run was cancelled at the provider, not by hadal");
                fail(error, self.partial(StopReason::Cancelled))
            }
            RunStatus::Failed => {
                let error = Error::new(Code::ExecutionError, format!("the agent failed: {what}"))
                    .hint("start it again, or ask in another way; what was found so far is kept");
                fail(error, self.partial(StopReason::EngineFailed))
            }
            RunStatus::NeedsAction(word) | RunStatus::Unknown(word) | RunStatus::Running(word) => {
                let error = Error::new(
                    Code::ExecutionError,
                    format!("the run stopped in the state `{word}`, which hadal does not know how to go on from"),
                )
                .hint("see the run in Google AI Studio; a newer hadal may know the state");
                fail(error, self.partial(StopReason::EngineFailed))
            }
        }
    }

    /// What there is to hand back now, when the task is stopped from outside.
    pub(crate) fn partial(&self, reason: StopReason) -> Option<Report> {
        if !self.last.has_anything() {
            return None;
        }
        let note = "The research ended before the report was written; this is what the agent had found and noted.";
        let mut report = self.report(reason, (self.last.text.trim().is_empty()).then(|| note.to_owned()));
        if self.last.text.trim().is_empty() {
            let known = KnownAddresses::new(self.last.pages.iter().map(String::as_str));
            report.markdown = neutral(&notes(&self.last), &known);
        }
        report.partial = true;
        Some(report)
    }

    /// What the report cites, by its numbers. A page that only its own list names counts as claimed, if the provider told of any page at all.
    fn sources(&self) -> Vec<Source> {
        let last = &self.last;
        let told = !last.pages.is_empty() || last.sources.iter().any(|cited| !cited.unconfirmed);
        let read: BTreeSet<String> = last.pages.iter().map(|page| address_key(page)).collect();
        let cited = last.sources.iter().zip(1..).map(|(cited, place)| Source {
            claimed: told && cited.unconfirmed && !read.contains(&address_key(&cited.url)),
            ..Source::link(cited.number.unwrap_or(place), cited.title.clone(), cited.url.clone())
        });
        cited.collect()
    }

    fn report(&self, reason: StopReason, note: Option<String>) -> Report {
        let sources = self.sources();
        let claimed = note_on_claimed(&sources);
        let note = [note, claimed].into_iter().flatten().reduce(|first, second| format!("{first} {second}"));
        let mut problems = self.problems.clone();
        problems.extend(self.last.problems());
        problems.truncate(limits::PROBLEMS);
        Report {
            sources,
            rounds: vec![Round {
                round_number: 1,
                sources_visited: self.last.pages.clone(),
                search_queries: self.last.queries.clone(),
                ..Round::default()
            }],
            problems,
            model: Some(self.plan.create.worker.name().to_owned()),
            strategy: self.plan.create.plan_only.then(|| "plan".to_owned()),
            note,
            ..Report::new(self.last.text.clone(), reason)
        }
    }
}

fn progress(action: String) -> Effect {
    Effect::Progress(Progress::new(None, action))
}

fn fail(error: Error, partial: Option<Report>) -> Vec<Effect> {
    vec![Effect::Finish(Box::new(Ending::Failed { error, partial }))]
}
