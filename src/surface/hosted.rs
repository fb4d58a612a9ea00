//! The verbs of hosted research: `start_deep_research` and `estimate_research_cost`.

use std::time::Duration;

use super::app::{App, invalid, within};
use super::verbs::cost_cap;
use super::wire::{EstimateArgs, EstimateReply, StartArgs, StartReply, excerpt};
use crate::core::agent::estimate::{self, Estimate};
use crate::core::agent::google::agent_today;
use crate::core::agent::{Create, Worker};
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::error::Result;
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::method::hosted::HostedPlan;
use crate::core::method::{self, TaskSpec};
use crate::core::money::budget::{self, Budget, SpendCap};
use crate::core::money::price;
use crate::core::money::usage::Usd;
use crate::core::question;
use crate::core::task::{HostedStart, SameResearch, Tool};
use crate::engine::now_ms;

/// A start whose arguments and estimate were checked; nothing is written or paid yet.
pub(crate) struct PreparedStart {
    spec: TaskSpec,
    start: HostedStart,
    warning: Option<String>,
    estimate: Estimate,
}

impl PreparedStart {
    /// What its user is asked before money is spent.
    pub(crate) fn question(&self) -> String {
        let query = excerpt(&self.spec.query, limits::ECHO_CHARS);
        format!("Start Google's Deep Research on \u{201c}{query}\u{201d}? {}", self.figures())
    }

    /// What it is estimated to cost and take.
    pub(crate) fn figures(&self) -> String {
        let reply = EstimateReply::new(self.start.agent.clone(), &self.estimate);
        let (cost, time) = (reply.estimated_cost, reply.estimated_duration);
        format!(
            "It is estimated to cost {:.2} to {:.2} US dollars and to take {:.0} to {:.0} minutes.",
            cost.min_usd, cost.max_usd, time.min_minutes, time.max_minutes,
        )
    }

    /// The most that it is estimated to cost.
    pub(crate) fn most(&self) -> Usd {
        self.estimate.cost.max
    }
}

/// A started research, and what its user should know about how it was started.
pub(crate) struct Started {
    pub(crate) id: TaskId,
    pub(crate) warning: Option<String>,
}

impl App {
    /// Checks the arguments and the spend caps, and starts the research. When this returns, the task is durable; whether the run
    /// exists at the provider is a matter of its reply.
    pub(crate) async fn start_hosted(&self, args: StartArgs) -> Result<Started> {
        self.start_prepared(self.prepare_hosted(args).await?).await
    }

    /// The same for a start that was checked before.
    pub(crate) async fn start_prepared(&self, prepared: PreparedStart) -> Result<Started> {
        let PreparedStart { spec, start, warning, .. } = prepared;
        Ok(Started { id: self.engine.start_hosted(spec, start).await?, warning })
    }

    /// Checks the arguments and what the research may cost.
    pub(crate) async fn prepare_hosted(&self, args: StartArgs) -> Result<PreparedStart> {
        let query = question::check(&args.query)?;
        let hours = within("max_wait_hours", args.max_wait_hours.unwrap_or(8), 1, limits::WAIT_HOURS_MAX)?;
        let (agent, warning) = self.agent(args.model.as_deref())?;
        let cap = self.caller().cap(args.budget_usd.map(cost_cap).transpose()?, self.settings.budget.cost);
        let any_cap = cap.or(self.settings.hosted.day).or(self.settings.hosted.month);
        let without_price = (!price::is_known(&agent)).then_some(agent.as_str());
        budget::admit_models(any_cap, without_price.as_slice())?;
        let previous = match &args.follow_up_to {
            Some(id) => Some(self.engine.task(TaskId::parse(id)?).await?.to_go_on_from()?.to_owned()),
            None => None,
        };
        let estimate = self.estimated(&query, &agent).await?;
        budget::admit(cap, estimate.cost.likely)?;
        let plan_only = args.plan_only.unwrap_or(false);
        let now = now_ms();
        let start = HostedStart {
            agent: agent.clone(),
            notify: args.enable_notifications.unwrap_or(true) && self.settings.hosted.notifications,
            complexity: estimate.complexity.name(),
            estimated: estimate.cost.likely,
            estimated_ms: estimate.duration_ms.likely,
            caps: SpendCap::at(now, self.settings.hosted.day, self.settings.hosted.month),
            unless: (args.again != Some(true)).then(|| SameResearch {
                completed_since_ms: now.saturating_sub(limits::SAME_RESEARCH_MS),
                previous: previous.clone(),
                plan_only,
            }),
        };
        // Nobody is asked to pay for what will not be started.
        self.engine.refuse_same(&query, &start).await?;
        let plan = HostedPlan {
            create: Create { worker: Worker::named(&agent), input: query.clone(), previous, plan_only },
            deadline_ms: now.saturating_add(i64::from(hours) * 3_600_000),
            cost_cap: cap,
            token_cap: self.settings.budget.tokens,
            retry_uncertain: self.settings.hosted.retry_uncertain,
            delete: self.settings.hosted.delete,
        };
        let engine = EngineChoice { name: EngineName::GeminiApi, reason: format!("hosted agent {agent}") };
        // Money and tokens are the run's own matter: its caps are checked against what the provider says it used.
        let wall = self.settings.budget.wall;
        let budget = Budget { cost: None, tokens: None, wall, ..self.settings.budget };
        let (plan, evidence) = (method::Plan::Hosted(plan), self.settings.evidence);
        // Its caps count what the provider says, and would not see what a model costs that is asked here.
        let opinion = if any_cap.is_none() { self.opinion().await? } else { None };
        let spec = TaskSpec { tool: Tool::StartDeepResearch, query, engine, budget, plan, evidence, opinion };
        Ok(PreparedStart { spec, start, warning, estimate })
    }

    /// The reply once the run exists, the task is over or the window has passed.
    pub(crate) async fn start_reply(&self, started: Started, window: Duration) -> Result<StartReply> {
        self.engine.wait_started(started.id, window).await?;
        let (task, ending) = self.engine.ending(started.id).await?;
        Ok(StartReply::new(&task, ending, started.warning))
    }

    /// HR-10: what a question would cost and take. Nothing is asked of anybody.
    pub(crate) async fn estimate(&self, args: EstimateArgs) -> Result<EstimateReply> {
        let query = question::check(&args.query)?;
        let (agent, _) = self.agent(args.model.as_deref())?;
        let estimate = self.estimated(&query, &agent).await?;
        Ok(EstimateReply::new(agent, &estimate))
    }

    /// An estimate that rests on the runs of that agent.
    pub(super) async fn estimated(&self, query: &str, agent: &str) -> Result<Estimate> {
        Ok(estimate::estimate(query, agent, &self.engine.past(agent).await?))
    }

    /// The agent of a call: its own, else that of the settings.
    fn agent(&self, asked: Option<&str>) -> Result<(String, Option<String>)> {
        let name = asked.unwrap_or(&self.settings.hosted.agent);
        agent_today(name).ok_or_else(|| invalid("model", "must be the name of an agent", name))
    }
}
