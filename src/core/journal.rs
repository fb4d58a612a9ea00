//! A task in motion, as a pure value: what its method has asked for, what has ended, what comes next.
//!
//! The engine asks [`Run::next`], does what it says, writes the journal and reports back. Replaying the
//! journal's rows gives the same value again: that, and nothing else, is resume.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::budget::{Budget, Cap};
use super::effect::{Effect, Event, Level, Outcome};
use super::error::{Code, Error};
use super::limits;
use super::method::Method;
use super::report::StopReason;
use super::task::{Ending, Progress, TaskSpec};
use super::usage::Usage;

/// A row of the journal, as the store returns it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) no: u32,
    pub(crate) body: Body,
    /// How often it was started.
    pub(crate) tries: u32,
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
    End(Ending),
}

/// The state of a running task.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    method: Method,
    budget: Budget,
    waiting: VecDeque<(u32, Effect)>,
    open: BTreeMap<u32, Effect>,
    next_no: u32,
    next_order: u32,
    spent: Usage,
    progress: Option<Progress>,
    lines: Vec<(Level, String)>,
    capped: Option<Cap>,
    ending: Option<Ending>,
}

impl Run {
    pub(crate) fn new(spec: &TaskSpec) -> Self {
        let mut run = Self {
            method: Method::new(spec),
            budget: spec.budget,
            waiting: VecDeque::new(),
            open: BTreeMap::new(),
            next_no: 0,
            next_order: 0,
            spent: Usage::ZERO,
            progress: None,
            lines: Vec::new(),
            capped: None,
            ending: None,
        };
        let effects = run.method.step(Event::Begin);
        run.take(effects);
        run
    }

    /// The state after the journal's rows, and the effects that were started and never ended, with the
    /// number of their tries. A journal that does not fit the method (it was written by another version)
    /// is an error; nothing is guessed.
    pub(crate) fn replay(spec: &TaskSpec, rows: Vec<Row>) -> Result<(Self, Vec<(u32, Effect, u32)>), Error> {
        let mut run = Self::new(spec);
        let mut started = BTreeMap::new();
        let mut ended = BTreeMap::new();
        for row in rows {
            match row.end {
                Some(end) => {
                    ended.insert(end.order, (row.no, row.body, end));
                }
                None => {
                    started.insert(row.no, (row.body, row.tries));
                }
            }
        }
        for (order, (no, body, end)) in ended {
            if order != run.next_order {
                return Err(misfit(&format!("event {} is missing", run.next_order)));
            }
            match (body, end.outcome) {
                (Body::Cap { cap }, _) => run.capped(cap),
                (Body::Effect(effect), Some(outcome)) => {
                    run.adopt(no, &effect)?;
                    run.done(no, outcome, end.usage);
                }
                (Body::Effect(_), None) => return Err(misfit(&format!("effect {no} ended without an outcome"))),
            }
        }
        let mut lost = Vec::new();
        for (no, (body, tries)) in started {
            let Body::Effect(effect) = body else { return Err(misfit("a cap that did not end")) };
            // A wall-time cap drops what was in flight; such a row stays open for ever.
            if run.capped.is_none() || run.waiting.iter().any(|(waiting, _)| *waiting == no) {
                run.adopt(no, &effect)?;
                lost.push((no, effect, tries));
            }
        }
        run.progress = None;
        run.lines.clear();
        Ok((run, lost))
    }

    /// Moves an effect that the journal knows from waiting to open.
    fn adopt(&mut self, no: u32, effect: &Effect) -> Result<(), Error> {
        let place = self.waiting.iter().position(|(waiting, _)| *waiting == no);
        match place.and_then(|place| self.waiting.remove(place)) {
            Some((_, asked)) if asked == *effect => {
                self.open.insert(no, asked);
                Ok(())
            }
            Some((_, asked)) => Err(misfit(&format!("effect {no} is `{}`, not `{}`", effect.name(), asked.name()))),
            None => Err(misfit(&format!("effect {no} (`{}`) was not asked for", effect.name()))),
        }
    }

    /// What to do now. `Start` and `Cap` are to be journalled before anything else happens.
    pub(crate) fn next(&mut self) -> Next {
        if let Some(ending) = &self.ending {
            return Next::End(ending.clone());
        }
        while self.open.len() < limits::EFFECTS_IN_FLIGHT {
            let Some((no, effect)) = self.waiting.pop_front() else { break };
            let promised = self.open.values().map(Effect::expected).sum::<Usage>();
            match self.budget.refuses(self.spent + promised, effect.expected(), effect.purse()) {
                None => {
                    self.open.insert(no, effect.clone());
                    return Next::Start(no, effect);
                }
                Some(cap) if self.capped.is_none() => return Next::Cap(cap),
                // After a cap the method was told; what it still asks for beyond the reserve is dropped.
                Some(_) => {}
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
            Some(cap) => self.stopped(stop_reason(cap)),
            None => Ending::Failed {
                error: Error::new(Code::Internal, "the method came to a halt without finishing"),
                partial: self.method.partial(StopReason::NothingFound),
            },
        };
        self.ending = Some(ending);
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

    /// Takes the outcome of an effect in flight.
    pub(crate) fn done(&mut self, no: u32, outcome: Outcome, usage: Usage) {
        self.spent += usage;
        self.next_order += 1;
        if let Some(effect) = self.open.remove(&no) {
            let effects = self.method.step(Event::Done(effect, outcome));
            self.take(effects);
        }
    }

    /// Takes a reached cap: what was not started is dropped, and for wall time also what is in flight.
    pub(crate) fn capped(&mut self, cap: Cap) {
        self.next_order += 1;
        self.waiting.clear();
        if cap == Cap::WallTime {
            self.open.clear();
        }
        self.capped = Some(cap);
        let effects = self.method.step(Event::Cap(cap));
        self.take(effects);
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Progress(progress) => self.progress = Some(progress),
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

    /// The lines for people since they were last asked for. What a replay would say was said before.
    pub(crate) fn take_lines(&mut self) -> Vec<(Level, String)> {
        std::mem::take(&mut self.lines)
    }

    /// The newest progress since it was last asked for.
    pub(crate) fn take_progress(&mut self) -> Option<Progress> {
        self.progress.take()
    }

    /// The place of the next event in the order.
    pub(crate) fn order(&self) -> u32 {
        self.next_order
    }

    /// The number a cap's own row gets. Effects count up from 0, caps down from the top, so they never meet.
    pub(crate) fn cap_no(&self) -> u32 {
        u32::MAX - self.next_order
    }

    pub(crate) fn spent(&self) -> Usage {
        self.spent
    }
}

pub(crate) fn stop_reason(cap: Cap) -> StopReason {
    match cap {
        Cap::Cost => StopReason::BudgetCost,
        Cap::Tokens => StopReason::BudgetTokens,
        Cap::WallTime => StopReason::BudgetTime,
    }
}

fn misfit(what: &str) -> Error {
    Error::new(Code::Internal, format!("the journal does not fit this version's method: {what}"))
        .hint("start the research again; what was found so far is kept with this task")
}
