//! Everything needed to run a task from the beginning: its method with its inputs, its engine, its budget.

#[cfg(feature = "scripted")]
use super::scripted;
use super::{adaptive, check, hosted, rounds, study};
use crate::core::base::engine::{EngineChoice, EvidenceMode};
use crate::core::base::id::TaskId;
use crate::core::evidence::checked::{CheckedSource, FileReach};
use crate::core::evidence::passage::PageHash;
use crate::core::money::budget::Budget;
use crate::core::money::usage::Usage;
use crate::core::task::{Ending, Hands, Progress, TaskView, Tool};
use serde::{Deserialize, Serialize};

/// The method of a task, with its inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub(crate) enum Plan {
    Adaptive(adaptive::AdaptivePlan),
    Rounds(rounds::RoundsPlan),
    Hosted(hosted::HostedPlan),
    Study(study::StudyPlan),
    Check(check::CheckPlan),
    #[cfg(feature = "scripted")]
    Scripted(scripted::ScriptedPlan),
}

impl Plan {
    /// Where documents may be read when the report of such a task is checked: a check that is repeated reads where it did before.
    pub(crate) fn file_reach(&self, sources: &[CheckedSource]) -> FileReach {
        if let Self::Check(first) = self { first.files.clone() } else { FileReach::of_report(sources) }
    }

    /// EM-01: where the question of such a task goes, if nobody asked for that.
    pub(crate) fn told(&self) -> Option<String> {
        if let Self::Adaptive(plan) = self { plan.web.as_ref()?.told() } else { None }
    }
}

/// Everything needed to run a task from the beginning, on any machine that has the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TaskSpec {
    pub(crate) tool: Tool,
    pub(crate) query: String,
    pub(crate) engine: EngineChoice,
    pub(crate) budget: Budget,
    pub(crate) plan: Plan,
    /// Whether its report is checked before it ends.
    #[serde(default, skip_serializing_if = "EvidenceMode::is_off")]
    pub(crate) evidence: EvidenceMode,
    /// Who is asked about the claims that this leaves open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) opinion: Option<check::opinion::OpinionPlan>,
}

impl TaskSpec {
    /// Whether the work is done elsewhere, and only followed here.
    pub(crate) fn is_hosted(&self) -> bool {
        matches!(self.plan, Plan::Hosted(_))
    }

    /// Whether it takes what its user says while it runs.
    pub(crate) fn is_study(&self) -> bool {
        matches!(self.plan, Plan::Study(_))
    }

    /// The archived pages that it needs from its beginning on.
    pub(crate) fn rests_on(&self) -> Vec<PageHash> {
        match &self.plan {
            Plan::Study(plan) => plan.course.known.iter().flat_map(|known| known.archived()).cloned().collect(),
            Plan::Adaptive(_) | Plan::Rounds(_) | Plan::Hosted(_) | Plan::Check(_) => Vec::new(),
            #[cfg(feature = "scripted")]
            Plan::Scripted(_) => Vec::new(),
        }
    }

    /// Who was chosen to do it and how hard they will look, for people.
    pub(crate) fn chosen(&self) -> String {
        let depth = match &self.plan {
            Plan::Study(plan) if plan.quick => "quick",
            Plan::Study(plan) => plan.strategy().level.name(),
            Plan::Adaptive(plan) => plan.strategy().level.name(),
            Plan::Rounds(_) => "one thorough round",
            Plan::Hosted(_) => "as the agent chooses",
            Plan::Check(_) => "every claim",
            #[cfg(feature = "scripted")]
            Plan::Scripted(_) => "scripted",
        };
        format!("Engine {} ({}), depth: {depth}", self.engine.name.name(), self.engine.reason)
    }

    /// A task that is over, as its row would show it if the store could take it.
    pub(crate) fn view_of_ended(&self, id: TaskId, ending: &Ending, now_ms: i64) -> TaskView {
        TaskView {
            id,
            tool: self.tool.name().to_owned(),
            query: self.query.clone(),
            engine: self.engine.name.name().to_owned(),
            engine_reason: self.engine.reason.clone(),
            status: ending.status(),
            progress: Progress::default(),
            usage: Usage::ZERO,
            error: match ending {
                Ending::Failed { error, .. } => Some(error.clone()),
                Ending::Completed { .. } | Ending::Cancelled { .. } => None,
            },
            created_ms: now_ms,
            updated_ms: now_ms,
            completed_ms: Some(now_ms),
            cancel_requested: false,
            hands: Hands::default(),
            hosted: None,
        }
    }
}
