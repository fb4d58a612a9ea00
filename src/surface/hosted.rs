//! The verbs of hosted research: `start_deep_research` and `estimate_research_cost`.

use std::time::Duration;

use super::verbs::{App, invalid, within};
use super::wire::{EstimateArgs, EstimateReply, StartArgs, StartReply};
use crate::core::error::{Code, Error, Result};
use crate::core::estimate::{self, Estimate};
use crate::core::hosted::{Create, Plan, Worker, agent_today};
use crate::core::id::TaskId;
use crate::core::task::{EngineChoice, EngineName, HostedStart, SpendCap, Status, TaskSpec, Tool};
use crate::core::usage::Usd;
use crate::core::{limits, moment, query, task};
use crate::engine::now_ms;

/// A started research, and what its user should know about how it was started.
pub(crate) struct Started {
    pub(crate) id: TaskId,
    pub(crate) warning: Option<String>,
}

impl App {
    /// Checks the arguments and the spend caps, and starts the research. When this returns, the task is durable; whether the run
    /// exists at the provider is a matter of its reply.
    pub(crate) async fn start_hosted(&self, args: StartArgs) -> Result<Started> {
        let query = query::check(&args.query)?;
        let hours = within("max_wait_hours", args.max_wait_hours.unwrap_or(8), 1, limits::WAIT_HOURS_MAX)?;
        let (agent, warning) = self.agent(args.model.as_deref())?;
        let cap = match args.budget_usd {
            Some(dollars) => {
                Some(Usd::from_dollars(dollars).ok_or_else(|| invalid("budget_usd", "must be 0 or more", dollars))?)
            }
            None => self.settings.budget.cost,
        };
        let previous = match &args.follow_up_to {
            Some(id) => Some(self.interaction(id).await?),
            None => None,
        };
        let estimate = estimate::estimate(&query, &agent, &self.engine.past(&agent).await?);
        refuse_dear(cap, &estimate)?;
        let now = now_ms();
        let start = HostedStart {
            agent: agent.clone(),
            notify: args.enable_notifications.unwrap_or(true) && self.settings.hosted.notifications,
            complexity: estimate.complexity.name(),
            estimated: estimate.cost.likely,
            estimated_ms: estimate.duration_ms.likely,
            caps: self.spend_caps(now),
        };
        let plan = Plan {
            create: Create {
                worker: Worker::named(&agent),
                input: query.clone(),
                previous,
                plan_only: args.plan_only.unwrap_or(false),
            },
            deadline_ms: now.saturating_add(i64::from(hours) * 3_600_000),
            cost_cap: cap,
            retry_uncertain: self.settings.hosted.retry_uncertain,
            delete: self.settings.hosted.delete,
        };
        let engine = EngineChoice { name: EngineName::GeminiApi, reason: format!("hosted agent {agent}") };
        // Money and time are the run's own matter: its caps are checked against what the provider says it used.
        let budget = crate::core::budget::Budget { cost: None, tokens: None, wall: None, ..self.settings.budget };
        let spec = TaskSpec { tool: Tool::StartDeepResearch, query, engine, budget, plan: task::Plan::Hosted(plan) };
        Ok(Started { id: self.engine.start_hosted(spec, start).await?, warning })
    }

    /// The reply once the run exists, the task is over or the window has passed.
    pub(crate) async fn start_reply(&self, started: Started, window: Duration) -> Result<StartReply> {
        self.engine.wait_started(started.id, window).await?;
        let (task, ending) = self.engine.ending(started.id).await?;
        Ok(StartReply::new(&task, ending, started.warning))
    }

    /// HR-10: what a question would cost and take. Nothing is asked of anybody.
    pub(crate) async fn estimate(&self, args: EstimateArgs) -> Result<EstimateReply> {
        let query = query::check(&args.query)?;
        let (agent, _) = self.agent(args.model.as_deref())?;
        let estimate = estimate::estimate(&query, &agent, &self.engine.past(&agent).await?);
        Ok(EstimateReply::new(agent, &estimate))
    }

    /// HR-03: the agent of a call, by the name it has today.
    fn agent(&self, asked: Option<&str>) -> Result<(String, Option<String>)> {
        let name = asked.unwrap_or(&self.settings.hosted.agent).trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > limits::LABEL_CHARS || !name.chars().all(plain) {
            return Err(invalid("model", "must be the name of an agent", name));
        }
        Ok(agent_today(name))
    }

    /// The interaction that a further question goes on from.
    async fn interaction(&self, id: &str) -> Result<String> {
        let view = self.engine.task(TaskId::parse(id)?).await?;
        let interaction = view.hosted.and_then(|hosted| hosted.interaction);
        match (view.status, interaction) {
            (Status::Completed, Some(interaction)) => Ok(interaction),
            (Status::Completed, None) => Err(Error::new(
                Code::InvalidArgument,
                format!("`follow_up_to`: task `{id}` was not done by a hosted agent, so it cannot be gone on with"),
            )
            .hint("put what is known into the question instead")),
            (status, _) => Err(Error::new(
                Code::ResearchNotCompleted,
                format!(
                    "`follow_up_to`: task `{id}` is {}, and only a completed one can be gone on with",
                    status.name()
                ),
            )),
        }
    }

    fn spend_caps(&self, now_ms: i64) -> Vec<SpendCap> {
        let hosted = &self.settings.hosted;
        let day = hosted.day.map(|most| SpendCap { per: "day", since_ms: moment::day_start(now_ms), most });
        let month = hosted.month.map(|most| SpendCap { per: "month", since_ms: moment::month_start(now_ms), most });
        day.into_iter().chain(month).collect()
    }
}

/// BU-01: what is estimated to cost more than it may is not begun.
fn refuse_dear(cap: Option<Usd>, estimate: &Estimate) -> Result<()> {
    match cap {
        Some(cap) if estimate.cost.likely > cap => {
            let likely = estimate.cost.likely;
            Err(Error::new(
                Code::BudgetExceeded,
                format!("the research is estimated at {likely}, and its budget is {cap}; nothing was started"),
            )
            .hint("raise `budget_usd` (or `budget.cost_usd` in the settings), or ask a narrower question"))
        }
        _ => Ok(()),
    }
}
