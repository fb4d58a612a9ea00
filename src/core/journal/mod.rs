//! A task in motion, as a pure value: what its method has asked for, what has ended, what comes next.
//!
//! The engine asks [`Run::next`], does what it says, writes the journal and reports back. Replaying the
//! journal's rows ([`Run::replay`]) gives the same value again: that, and nothing else, is resume.

mod replay;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use crate::core::base::error::{Code, Error};
use crate::core::base::limits;
use crate::core::method::{Method, TaskSpec};
use crate::core::money::budget::{Budget, Cap};
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::Usage;
use crate::core::report::StopReason;
use crate::core::task::effect::{Effect, LogLevel};
use crate::core::task::outcome::{Event, Outcome};
use crate::core::task::{Ending, Progress};

/// A row of the journal, as the store returns it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) no: u32,
    pub(crate) body: Body,
    /// How often it was started.
    pub(crate) tries: u32,
    /// What starts whose ends were lost are charged with, while it has not ended.
    pub(crate) lost: Usage,
    pub(crate) end: Option<End>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "snake_case")]
pub(crate) enum Body {
    Effect(Effect),
    /// A cap was reached; it has no outcome, its place in the order is what counts.
    Cap {
        cap: Cap,
    },
    /// The user said something to the task; it has no outcome either.
    Steer {
        message: String,
    },
    /// This version cannot read the row, for this reason. Never written.
    #[serde(skip)]
    Unreadable(String),
}

/// How a row ended. `order` is its place in the sequence of events the method saw.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct End {
    pub(crate) order: u32,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) usage: Usage,
}

/// What the engine is to do now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// Journal and run this effect.
    Start(u32, Effect),
    /// The budget refuses the next effect: journal the cap, then tell [`Run::capped`].
    Cap(Cap),
    /// Wait for an effect in flight.
    Wait,
    /// The task is over.
    End(Box<Ending>),
}

/// The state of a running task.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    method: Method,
    budget: Budget,
    waiting: VecDeque<(u32, Effect)>,
    open: BTreeMap<u32, Effect>,
    /// Effects that a wall-time cap took away while they ran. What they used still counts.
    dropped: BTreeSet<u32>,
    next_no: u32,
    next_order: u32,
    spent: Usage,
    progress: Option<Progress>,
    lines: Vec<(LogLevel, String)>,
    capped: Option<Cap>,
    /// The first number that was free when the cap was told: what has a lower one was asked for before.
    capped_at: u32,
    ending: Option<Ending>,
    /// The method panicked; its state is not to be trusted any more.
    faulted: bool,
}

impl Run {
    pub(crate) fn new(spec: &TaskSpec) -> Self {
        let mut run = Self {
            method: Method::new(spec),
            budget: spec.budget,
            waiting: VecDeque::new(),
            open: BTreeMap::new(),
            dropped: BTreeSet::new(),
            next_no: 0,
            next_order: 0,
            spent: Usage::ZERO,
            progress: None,
            lines: Vec::new(),
            capped: None,
            capped_at: 0,
            ending: None,
            faulted: false,
        };
        run.step(Event::Begin);
        run
    }

    /// What to do now. `Start` and `Cap` are to be journalled before anything else happens.
    pub(crate) fn next(&mut self) -> Next {
        if let Some(ending) = &self.ending {
            return Next::End(Box::new(ending.clone()));
        }
        while self.open.len() < limits::EFFECTS_IN_FLIGHT {
            let Some((_, effect)) = self.waiting.front() else { break };
            let promised = self.open.values().map(Effect::expected).sum::<Usage>();
            let policy = effect.policy();
            match self.budget.refuses(self.spent + promised, policy.expected, policy.reserve, self.method.reserve()) {
                None => {
                    let Some((no, effect)) = self.waiting.pop_front() else { break };
                    self.open.insert(no, effect.clone());
                    return Next::Start(no, effect);
                }
                Some(cap) if self.capped.is_none() => return Next::Cap(cap),
                // After a cap the method was told; what it still asks for beyond the reserve is dropped. But not on the word of a mere
                // promise: only what is spent is in the journal, and a replay must come to the same decision.
                Some(_) if self.open.is_empty() => {
                    self.waiting.pop_front();
                }
                Some(_) => break,
            }
        }
        if self.open.is_empty() && self.waiting.is_empty() {
            self.stall();
            return self.next();
        }
        Next::Wait
    }

    /// The method asks for nothing more and did not finish: end it with what there is.
    fn stall(&mut self) {
        let ending = match self.capped {
            Some(cap) => self.stopped(cap.into()),
            None => Ending::Failed {
                error: Error::new(Code::Internal, "the method came to a halt without finishing"),
                partial: self.method.partial(StopReason::NothingFound),
            },
        };
        self.ending = Some(ending);
    }

    /// Why what runs elsewhere could not be stopped, when the task was.
    pub(crate) fn cancel_failure(&self) -> Option<Error> {
        self.method.cancel_failure()
    }

    /// The ending of a task stopped from outside, with what there is so far.
    pub(crate) fn stopped(&self, reason: StopReason) -> Ending {
        match (self.method.partial(reason), reason) {
            (partial, StopReason::Cancelled) => Ending::Cancelled { partial },
            (Some(report), _) => Ending::Completed { report },
            (None, _) => Ending::Failed {
                error: Error::new(Code::ExecutionError, "the budget ended before anything was found")
                    .hint("raise the budget, or ask a narrower question"),
                partial: None,
            },
        }
    }

    /// Whether a final answer is still to be written, for which time and money are kept.
    pub(crate) fn writes(&self) -> bool {
        self.capped.is_none() && self.method.reserve().is_anything()
    }

    /// How the task ends, once that is known.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.ending.clone()
    }

    /// An effect in flight.
    pub(crate) fn in_flight(&self, no: u32) -> Option<Effect> {
        self.open.get(&no).cloned()
    }

    /// Whether something is in flight that is paid once it exists.
    pub(crate) fn pays(&self) -> bool {
        self.open.values().any(|effect| effect.repeat() == Repeat::Never)
    }

    /// Whether something runs elsewhere that goes on, and is paid for, without us.
    pub(crate) fn runs_elsewhere(&self) -> bool {
        self.ending.is_none() && self.method.on_cancel().is_some()
    }

    /// The last effect of a task that is stopped from outside, as one in flight.
    pub(crate) fn on_cancel(&mut self) -> Option<(u32, Effect)> {
        if self.ending.is_some() {
            return None;
        }
        let effect = self.method.on_cancel()?;
        self.waiting.clear();
        let no = self.next_no;
        self.next_no += 1;
        self.open.insert(no, effect.clone());
        Some((no, effect))
    }

    /// Takes the outcome of an effect in flight.
    pub(crate) fn done(&mut self, no: u32, outcome: Outcome, usage: Usage) {
        self.spent += usage;
        self.next_order += 1;
        if let Some(effect) = self.open.remove(&no) {
            self.step(Event::Done(effect, outcome));
        }
    }

    /// Takes a reached cap: what was not started is dropped, and for wall time also what is in flight.
    pub(crate) fn capped(&mut self, cap: Cap) {
        self.next_order += 1;
        self.waiting.clear();
        if cap == Cap::WallTime {
            self.dropped.extend(std::mem::take(&mut self.open).into_keys());
        }
        if self.capped.replace(cap).is_none() {
            self.capped_at = self.next_no;
        }
        self.step(Event::Cap(cap));
    }

    /// Takes what the user said. Whatever was asked for before stays as it was asked.
    pub(crate) fn steered(&mut self, message: String) {
        self.next_order += 1;
        self.step(Event::Steer(message));
    }

    /// Steps the method. One that panics ends its task; what it had found before is in the journal.
    fn step(&mut self, event: Event) {
        if self.faulted {
            return;
        }
        let method = &mut self.method;
        match catch_unwind(AssertUnwindSafe(|| method.step(event))) {
            Ok(effects) => self.take(effects),
            Err(_shown_on_stderr) => {
                self.faulted = true;
                self.waiting.clear();
                self.ending.get_or_insert(Ending::Failed { error: fault(), partial: None });
            }
        }
    }

    /// Whether the method panicked: only a replay knows what it had found before.
    pub(crate) fn has_faulted(&self) -> bool {
        self.faulted
    }

    /// The ending of a task that cannot go on for this reason, with what there is so far.
    pub(crate) fn failed(&self, error: Error) -> Ending {
        let partial = if self.faulted { None } else { self.method.partial(StopReason::EngineFailed) };
        Ending::Failed { error, partial }
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Progress(mut progress) => {
                    // Who has no plan to show does not take away what is shown of one.
                    if let Some(last) = self.progress.take().filter(|_| progress.tree.is_empty()) {
                        progress.tree = last.tree;
                    }
                    self.progress = Some(progress);
                }
                Effect::Log { level, line } => self.lines.push((level, line)),
                Effect::Finish(ending) => {
                    self.ending.get_or_insert(*ending);
                }
                effect => {
                    if self.next_no >= limits::EFFECTS_PER_TASK {
                        self.ending.get_or_insert(Ending::Failed {
                            error: Error::new(Code::Internal, "the method asked for more effects than a task may have"),
                            partial: self.method.partial(StopReason::MaxAttempts),
                        });
                        return;
                    }
                    self.waiting.push_back((self.next_no, effect));
                    self.next_no += 1;
                }
            }
        }
    }

    /// The lines for people since they were last asked for. A replay does not repeat what was shown before.
    pub(crate) fn take_lines(&mut self) -> Vec<(LogLevel, String)> {
        std::mem::take(&mut self.lines)
    }

    /// The newest progress since it was last asked for.
    pub(crate) fn take_progress(&mut self) -> Option<Progress> {
        self.progress.take()
    }

    /// What it has used so far.
    pub(crate) fn spent(&self) -> Usage {
        self.spent
    }

    /// The place of the next event in the order.
    pub(crate) fn order(&self) -> u32 {
        self.next_order
    }

    /// The number that the row of a cap or of a user's word gets. Effects count up from 0, these down from the top, so they never meet.
    pub(crate) fn event_no(&self) -> u32 {
        u32::MAX - self.next_order
    }
}

/// An effect that was started and never ended: its number, what it is, and how often it was started.
pub(crate) type Lost = (u32, Effect, u32);

fn fault() -> Error {
    Error::new(Code::Internal, "the method has a fault")
        .hint("please report this with the lines on stderr; what was found so far is kept with this task")
}

#[cfg(test)]
mod tests;
