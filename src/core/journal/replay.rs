//! A task in motion out of its journal.

use std::collections::BTreeMap;

use super::{Body, End, Lost, Row, Run, fault};
use crate::core::base::error::{Code, Error};
use crate::core::method::TaskSpec;
use crate::core::money::budget::Cap;
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::Usage;
use crate::core::task::effect::Effect;

impl Run {
    /// The state after the journal's rows, and the effects that were started and never ended, with the number of their tries.
    ///
    /// A row belongs to what the method asks for by its number and its kind, and what stands in it is what happened: another
    /// version may word its prompts differently. What fits in no way, or makes the method panic, ends the task with what was found
    /// up to there.
    pub(crate) fn replay(spec: &TaskSpec, rows: &[Row]) -> (Self, Vec<Lost>) {
        let mut run = Self::new(spec);
        match run.tell_all(rows) {
            Ok(lost) if !run.faulted => (run, lost),
            Ok(_) => (Self::before_fault(spec, rows, run.next_order), Vec::new()),
            Err(error) => {
                let ending = run.failed(error);
                run.ending.get_or_insert(ending);
                (run, Vec::new())
            }
        }
    }

    /// The state before the event that made the method panic, which is the last of so many. It goes no further.
    fn before_fault(spec: &TaskSpec, rows: &[Row], events: u32) -> Self {
        let before = |row: &&Row| row.end.as_ref().is_some_and(|end| end.order + 1 < events);
        let rows: Vec<Row> = rows.iter().filter(before).cloned().collect();
        let mut run = Self::new(spec);
        // The same rows were told a moment ago, and fitted.
        let _ = run.tell_all(&rows);
        let error = if run.faulted { None } else { Some(run.failed(fault())) };
        run.ending = error.or(run.ending);
        run
    }

    /// Tells the method what the journal has, in its order.
    fn tell_all(&mut self, rows: &[Row]) -> Result<Vec<Lost>, Error> {
        let mut begun = BTreeMap::new();
        let mut ended = BTreeMap::new();
        for row in rows {
            self.spent += row.lost;
            if let Some(end) = &row.end
                && ended.insert(end.order, row).is_some()
            {
                return Err(mismatch(&format!("event {} stands twice", end.order)));
            }
            match &row.body {
                Body::Effect(effect) => {
                    if begun.insert(row.no, (effect, row.tries, row.end.is_some())).is_some() {
                        return Err(mismatch(&format!("effect {} stands twice", row.no)));
                    }
                }
                Body::Cap { .. } if row.end.is_none() => return Err(mismatch("a cap that did not end")),
                Body::Steer { .. } if row.end.is_none() => return Err(mismatch("a word that did not end")),
                // The event says so when it is its turn.
                Body::Cap { .. } | Body::Steer { .. } | Body::Unreadable(_) => {}
            }
        }
        for (order, row) in ended {
            self.tell(order, row, &begun)?;
            if self.faulted {
                return Ok(Vec::new());
            }
        }
        self.lost(rows, begun)
    }

    /// The effects that were started and never ended.
    fn lost(&mut self, rows: &[Row], begun: Begun<'_>) -> Result<Vec<Lost>, Error> {
        if let Some((no, why)) = rows.iter().find_map(Row::unreadable) {
            return Err(mismatch(&format!("effect {no} cannot be read: {why}")));
        }
        let mut lost = Vec::new();
        for (no, (effect, tries, ended)) in begun {
            // A task that is over needs nothing more, whatever was still in flight.
            if !ended && self.adopt(no, effect)? && self.ending.is_none() {
                lost.push((no, effect.clone(), tries));
            }
        }
        // What the method is at counts now as it did then. Its lines: what runs was begun after they were shown; with nothing
        // begun since the last event they may never have been, and a new task has yet to say its first ones.
        if !lost.is_empty() {
            self.lines.clear();
        }
        Ok(lost)
    }

    /// Tells the method one event of the journal.
    fn tell(&mut self, order: u32, row: &Row, begun: &Begun<'_>) -> Result<(), Error> {
        if order != self.next_order {
            return Err(mismatch(&format!("event {} is missing", self.next_order)));
        }
        // An event that ended came after the lines before it were shown.
        self.progress = None;
        self.lines.clear();
        match (&row.body, &row.end) {
            (Body::Unreadable(why), _) => {
                return Err(mismatch(&format!("event {order} cannot be read: {why}")));
            }
            (Body::Cap { cap }, _) => {
                // What had begun by then goes on in spite of the cap; what waited is dropped. Only what had begun has a row.
                let waiting: Vec<u32> = self.waiting.iter().map(|(no, _)| *no).collect();
                for no in waiting {
                    if let Some((effect, ..)) = begun.get(&no) {
                        self.adopt(no, effect)?;
                    }
                }
                self.capped(*cap);
            }
            (Body::Steer { message }, _) => self.steered(message.clone()),
            (Body::Effect(effect), Some(End { outcome: Some(outcome), usage, .. })) => {
                self.adopt(row.no, effect)?;
                self.done(row.no, outcome.clone(), *usage);
            }
            (Body::Effect(_), _) => return Err(mismatch(&format!("effect {} ended without an outcome", row.no))),
        }
        Ok(())
    }

    /// Of the effects whose ends were lost, those that may be done again: each try is paid anew, so the budget is asked anew. The
    /// others are dropped, with the cap to be told if the method knows of none. What was asked for before a cap and costs
    /// something is not started again after it.
    pub(crate) fn readmit(&mut self, lost: Vec<Lost>) -> (Vec<Lost>, Option<Cap>) {
        for (no, ..) in &lost {
            self.open.remove(no);
        }
        let (mut again, mut reached) = (Vec::new(), None);
        for (no, effect, tries) in lost {
            let promised = self.open.values().map(Effect::expected).sum::<Usage>();
            let policy = effect.policy();
            let priced = policy.expected != Usage::ZERO;
            let refused =
                self.budget.refuses(self.spent + promised, policy.expected, policy.reserve, self.method.reserve());
            let late = priced && self.capped.is_some() && no < self.capped_at;
            if refused.is_some() || late {
                self.dropped.insert(no);
                reached = reached.or(refused);
            } else {
                self.open.insert(no, effect.clone());
                again.push((no, effect, tries));
            }
        }
        (again, reached.filter(|_| self.capped.is_none()))
    }

    /// Moves an effect that the journal knows from waiting to open; whether it is in flight then.
    fn adopt(&mut self, no: u32, effect: &Effect) -> Result<bool, Error> {
        if let Some(asked) = self.open.get(&no) {
            return fits(no, asked, effect).map(|()| true);
        }
        if self.dropped.contains(&no) {
            return Ok(false);
        }
        // Not the method but the end of an earlier owner asked for it.
        if effect.is_on_cancel() && !self.waiting.iter().any(|(waiting, _)| *waiting == no) {
            self.next_no = self.next_no.max(no + 1);
            self.dropped.extend(self.waiting.drain(..).map(|(no, _)| no));
            self.open.insert(no, effect.clone());
            return Ok(true);
        }
        let place = self.waiting.iter().position(|(waiting, _)| *waiting == no);
        let Some((_, asked)) = place.and_then(|place| self.waiting.remove(place)) else {
            return Err(mismatch(&format!("effect {no} (`{}`) was not asked for", effect.name())));
        };
        fits(no, &asked, effect)?;
        // What the journal says was done, not what this version would do.
        self.open.insert(no, effect.clone());
        Ok(true)
    }
}

impl Row {
    fn unreadable(&self) -> Option<(u32, &str)> {
        match &self.body {
            Body::Unreadable(why) => Some((self.no, why)),
            Body::Effect(_) | Body::Cap { .. } | Body::Steer { .. } => None,
        }
    }
}

/// The effects of a journal: what was asked, how often it was started, whether it ended.
type Begun<'a> = BTreeMap<u32, (&'a Effect, u32, bool)>;

/// Whether a row can stand for what the method asks for under its number. Something paid must be the same to the letter.
fn fits(no: u32, asked: &Effect, journalled: &Effect) -> Result<(), Error> {
    let (is, was) = (asked.policy(), journalled.policy());
    if is.name != was.name {
        return Err(mismatch(&format!("effect {no} is `{}`, not `{}`", was.name, is.name)));
    }
    if (is.repeat == Repeat::Never || was.repeat == Repeat::Never) && asked != journalled {
        let paid = mismatch(&format!("effect {no}, a paid `{}`, is not the one that is asked for", was.name));
        return Err(paid.hint("it may be paid for already: look at what the provider shows before that"));
    }
    Ok(())
}

fn mismatch(what: &str) -> Error {
    Error::new(Code::Internal, format!("the journal does not fit this version's method: {what}"))
        .hint("start the research again; what was found so far is kept with this task")
}
