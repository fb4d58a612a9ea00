//! The methods, behind one door: `step(state, event) -> effects`.

pub(crate) mod adaptive;
pub(crate) mod arguments;
mod at_end;
pub(crate) mod check;
pub(crate) mod hosted;
mod plan;
pub(crate) mod quality;
pub(crate) mod rounds;
#[cfg(feature = "scripted")]
pub(crate) mod scripted;
pub(crate) mod strategy;
pub(crate) mod study;
mod subjects;

use at_end::AtEnd;
pub(crate) use plan::{Plan, TaskSpec};

use crate::core::base::error::Error;
use crate::core::base::problems::Problems;
use crate::core::money::usage::Usage;
use crate::core::report::{Report, StopReason};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::{Event, Outcome};

/// A research method in the middle of its work. It decides everything about the research and does nothing of
/// it. Equal events give equal effects: that is what makes a journal a checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    chosen: Chosen,
    at_end: AtEnd,
}

impl Method {
    pub(crate) fn new(spec: &TaskSpec) -> Self {
        Self { chosen: Chosen::new(&spec.plan), at_end: AtEnd::new(spec.evidence, spec.opinion.clone()) }
    }

    /// Takes one event and says what is to be done next. Nothing to do, nothing in flight and no `Finish` is a
    /// fault of the method; the engine ends such a task.
    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        if self.at_end.has_begun() {
            return self.at_end.step(event);
        }
        let effects = self.chosen.step(event);
        self.at_end.hold_back(effects)
    }

    /// What there is to hand back now, when the task is stopped from outside.
    pub(crate) fn partial(&self, reason: StopReason) -> Option<Report> {
        self.at_end.report().or_else(|| self.chosen.partial(reason))
    }

    /// Why what runs elsewhere could not be stopped, when the task was.
    pub(crate) fn cancel_failure(&self) -> Option<Error> {
        self.chosen.cancel_failure()
    }

    /// What the final answer is expected to use: so much of the budget nothing else may take. A method whose every step ends in a
    /// report of its own keeps nothing back.
    pub(crate) fn reserve(&self) -> Usage {
        if self.at_end.has_begun() { Usage::ZERO } else { self.chosen.reserve() }
    }

    /// The last thing to be done in the world when the task is stopped from outside.
    pub(crate) fn on_cancel(&self) -> Option<Effect> {
        self.chosen.on_cancel()
    }
}

/// The method that a plan asks for.
#[derive(Clone, Debug)]
enum Chosen {
    Adaptive(Box<adaptive::Adaptive>),
    Rounds(Box<rounds::Rounds>),
    Hosted(Box<hosted::Hosted>),
    Study(Box<study::Study>),
    Check(Box<check::Check>),
    #[cfg(feature = "scripted")]
    Scripted(scripted::Scripted),
}

impl Chosen {
    fn new(plan: &Plan) -> Self {
        match plan {
            Plan::Adaptive(plan) => Self::Adaptive(Box::new(adaptive::Adaptive::new(plan.clone()))),
            Plan::Rounds(plan) => Self::Rounds(Box::new(rounds::Rounds::new(plan.clone()))),
            Plan::Hosted(plan) => Self::Hosted(Box::new(hosted::Hosted::new(plan.clone()))),
            Plan::Study(plan) => Self::Study(Box::new(study::Study::new(plan.clone()))),
            Plan::Check(plan) => Self::Check(Box::new(check::Check::new(plan.clone()))),
            #[cfg(feature = "scripted")]
            Plan::Scripted(plan) => Self::Scripted(scripted::Scripted::new(plan.clone())),
        }
    }

    fn step(&mut self, event: Event) -> Vec<Effect> {
        match self {
            Self::Adaptive(state) => state.step(event),
            Self::Rounds(state) => state.step(event),
            Self::Hosted(state) => state.step(event),
            Self::Study(state) => state.step(event),
            Self::Check(state) => state.step(event),
            #[cfg(feature = "scripted")]
            Self::Scripted(state) => state.step(event),
        }
    }

    fn partial(&self, reason: StopReason) -> Option<Report> {
        match self {
            Self::Adaptive(state) => state.partial(reason),
            Self::Rounds(state) => state.partial(reason),
            Self::Hosted(state) => state.partial(reason),
            Self::Study(state) => state.partial(reason),
            Self::Check(state) => state.partial(reason),
            #[cfg(feature = "scripted")]
            Self::Scripted(state) => state.partial(reason),
        }
    }

    fn cancel_failure(&self) -> Option<Error> {
        match self {
            Self::Hosted(state) => state.cancel_failure(),
            Self::Adaptive(_) | Self::Rounds(_) | Self::Study(_) | Self::Check(_) => None,
            #[cfg(feature = "scripted")]
            Self::Scripted(_) => None,
        }
    }

    fn reserve(&self) -> Usage {
        match self {
            Self::Adaptive(state) => state.reserve(),
            Self::Study(state) => state.reserve(),
            Self::Rounds(_) | Self::Hosted(_) | Self::Check(_) => Usage::ZERO,
            #[cfg(feature = "scripted")]
            Self::Scripted(_) => Usage::ZERO,
        }
    }

    fn on_cancel(&self) -> Option<Effect> {
        match self {
            Self::Hosted(state) => state.on_cancel(),
            Self::Adaptive(_) | Self::Rounds(_) | Self::Study(_) | Self::Check(_) => None,
            #[cfg(feature = "scripted")]
            Self::Scripted(_) => None,
        }
    }
}

/// Takes down that an effect did not work, and why.
fn add_failure(problems: &mut Problems, subject: &str, outcome: Outcome) -> Error {
    let error = outcome.failure();
    problems.add_failure(subject, &error);
    error
}
