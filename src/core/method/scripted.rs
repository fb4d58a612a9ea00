//! A method that follows a script instead of doing research: for tests of the engine, the process gate and
//! the store. Compiled only with the `scripted` feature, which no release has.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::core::report::{Report, StopReason};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::{Event, Outcome};
use crate::core::task::scripted::{Act, Step};
use crate::core::task::{Ending, Progress};

/// Stages run one after another, the steps of a stage together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScriptedPlan {
    pub(crate) stages: Vec<Vec<Step>>,
}

/// How far the script is.
#[derive(Clone, Debug)]
pub(crate) struct Scripted {
    plan: ScriptedPlan,
    stage: usize,
    left: usize,
    values: BTreeMap<String, String>,
}

impl Scripted {
    pub(crate) fn new(plan: ScriptedPlan) -> Self {
        Self { plan, stage: 0, left: 0, values: BTreeMap::new() }
    }

    pub(crate) fn step(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Begin => self.start_stage(),
            Event::Done(Effect::Script(step), outcome) => self.done(&step, outcome),
            Event::Done(..) | Event::Steer(_) => Vec::new(),
            Event::Cap(cap) => vec![self.finish(cap.into())],
        }
    }

    fn start_stage(&mut self) -> Vec<Effect> {
        // An empty stage has nothing to wait for.
        while self.plan.stages.get(self.stage).is_some_and(Vec::is_empty) {
            self.stage += 1;
        }
        let Some(steps) = self.plan.stages.get(self.stage) else { return vec![self.finish(StopReason::ScriptEnded)] };
        self.left = steps.len();
        let percent = u8::try_from(self.stage * 100 / self.plan.stages.len()).ok();
        let action = format!("stage {} of {}", self.stage + 1, self.plan.stages.len());
        let mut effects = vec![Effect::Progress(Progress::new(percent, action))];
        effects.extend(steps.iter().cloned().map(Effect::Script));
        effects
    }

    fn done(&mut self, step: &Step, outcome: Outcome) -> Vec<Effect> {
        let value = match (&step.act, outcome) {
            #[expect(clippy::panic, reason = "the fault is the script")]
            (Act::Fault, _) => panic!("a scripted fault of the method"),
            (_, Outcome::Scripted { value }) if !value.is_empty() => value,
            // The reply was lost: find out whether it happened before doing it again.
            (Act::Paid { ms, micros, tokens, invoice }, Outcome::Uncertain) => {
                let act = Act::Reconcile { micros: *micros, tokens: *tokens, invoice: invoice.clone(), ms: *ms };
                return vec![Effect::Script(Step { act, ..step.clone() })];
            }
            (Act::Reconcile { micros, tokens, invoice, ms }, Outcome::Scripted { .. }) => {
                let act = Act::Paid { ms: *ms, micros: *micros, tokens: *tokens, invoice: invoice.clone() };
                return vec![Effect::Script(Step { act, ..step.clone() })];
            }
            (_, Outcome::Failed { error }) => format!("failed: {}", error.code),
            (_, other) => format!("unexpected: {other:?}"),
        };
        self.values.insert(step.key.clone(), value);
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return Vec::new();
        }
        self.stage += 1;
        self.start_stage()
    }

    fn finish(&self, reason: StopReason) -> Effect {
        Effect::Finish(Box::new(Ending::Completed { report: self.report(reason) }))
    }

    pub(crate) fn partial(&self, reason: StopReason) -> Option<Report> {
        Some(self.report(reason))
    }

    fn report(&self, reason: StopReason) -> Report {
        let lines: Vec<String> = self.values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Report { partial: reason != StopReason::ScriptEnded, ..Report::new(lines.join("\n"), reason) }
    }
}
