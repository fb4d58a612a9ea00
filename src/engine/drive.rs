//! One task, from its journal to its end: ask the run what is next, write it down, do it, write down how it
//! ended, tell the run.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::finish::{self, Active, Unwritten};
use super::live::{Stop, StopSignal};
use super::patience::{goes_on, retry_while_busy};
use super::showing::{self, ShownProgress};
use super::{Inner, News, perform};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::journal::{End, Lost, Next, Run};
use crate::core::method::TaskSpec;
use crate::core::money::budget::Cap;
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::Usage;
use crate::core::report::StopReason;
use crate::core::task::Ending;
use crate::core::task::effect::{Effect, LogLevel};
use crate::core::task::outcome::Outcome;
use crate::world::log;
use crate::world::store::{Claim, Fenced, Release, Store, Stored};

/// How a drive came to its end.
#[expect(clippy::large_enum_variant, reason = "there is one for each drive")]
enum DriveEnd {
    /// The task is over. What the store could not take of its journal goes along.
    Ended(Ending, Vec<Unwritten>),
    /// This process ends; the task is given back.
    Interrupted(Release),
    /// Another process has the task now.
    Lost,
}

/// Runs a task behind a panic barrier and leaves the store as the next owner needs it.
pub(super) async fn supervise(inner: Arc<Inner>, claim: Claim, mut stop: StopSignal) {
    let Ok(open) = inner.open().await else { return };
    let store = open.store.clone();
    let mut active = Active { before: 0, started: Instant::now() };
    let loaded = retry_while_busy(limits::STORE_PATIENCE, &inner.shutdown, || store.load(claim.id)).await;
    // A task that is stopped while it waits for its turn takes no turn; the drive then starts nothing. What runs elsewhere
    // needs none.
    let _turn = match &loaded {
        Ok(stored) if !stored.spec.is_hosted() => tokio::select! {
            turn = inner.slots.turn(stored.guest.as_deref(), showing::waits(&inner, &store, claim)) => turn,
            () = stopped(&mut stop) => None,
        },
        _ => None,
    };
    active.started = Instant::now();
    let mut spec = None;
    let over = match loaded {
        Ok(stored) => {
            active.before = stored.active_ms;
            spec = Some(stored.spec.clone());
            match tokio::spawn(drive(Arc::clone(&inner), store.clone(), claim, stored, stop, active)).await {
                Ok(over) => over,
                Err(panicked) => failed(fault(&panicked, "the engine")),
            }
        }
        Err(_) if inner.shutdown.is_cancelled() => DriveEnd::Interrupted(Release::ToAnybody),
        Err(error) => failed(error),
    };
    match over {
        DriveEnd::Ended(ending, unwritten) => {
            let end = finish::Finish { claim, spec: spec.as_ref(), ending, unwritten, active };
            finish::finish(&inner, &store, end).await;
        }
        DriveEnd::Interrupted(to) => match store.release(claim, to, active.ms()).await {
            Ok(Fenced::Applied(()) | Fenced::Lost) => {}
            Err(error) => log::warn(format!("task {} could not be given back; its lock shows it: {error}", claim.id)),
        },
        DriveEnd::Lost => log::info(format!("task {} is in other hands", claim.id)),
    }
    // Let go of first, so that whoever hears of the end finds it so.
    inner.live.put_back(claim.id);
    inner.tell(claim.id, News::Ended);
}

fn failed(error: Error) -> DriveEnd {
    DriveEnd::Ended(Ending::Failed { error, partial: None }, Vec::new())
}

async fn drive(
    inner: Arc<Inner>,
    store: Store,
    claim: Claim,
    stored: Stored,
    mut stop: StopSignal,
    active: Active,
) -> DriveEnd {
    let Stored { spec, journal, .. } = stored;
    let (run, lost) = Run::replay(&spec, &journal);
    drop(journal);
    let mut driver = Driver {
        inner,
        store,
        claim,
        active,
        run,
        in_flight: JoinSet::new(),
        numbers: HashMap::new(),
        cancel: CancellationToken::new(),
        progress: ShownProgress::default(),
        unwritten: Vec::new(),
    };
    let over = driver.work(&spec, lost, &mut stop).await;
    if matches!(over, Ok(DriveEnd::Ended(..))) {
        driver.progress.hurry();
        driver.show().await;
    }
    match over {
        Ok(DriveEnd::Ended(ending, unwritten)) if driver.run.has_faulted() => {
            DriveEnd::Ended(driver.before_fault(&spec).await.unwrap_or(ending), unwritten)
        }
        Ok(over) => over,
        // It cannot go on; what it has found so far is kept.
        Err(error) => {
            let ending = driver.run.failed(error);
            driver.over(ending)
        }
    }
}

fn cancelled(run: &Run, save_partial: bool) -> Ending {
    let partial = match run.stopped(StopReason::Cancelled) {
        Ending::Cancelled { partial } if save_partial => partial,
        _ => None,
    };
    match run.cancel_failure() {
        // The user must know: it may go on and cost money.
        Some(error) => Ending::Failed { error, partial },
        None => Ending::Cancelled { partial },
    }
}

/// Waits for the stop signal; one that is already there counts.
async fn stopped(stop: &mut StopSignal) {
    // The sender lives in the table of live tasks until after the drive.
    if stop.wait_for(Option::is_some).await.is_err() {
        std::future::pending().await
    }
}

struct Driver {
    inner: Arc<Inner>,
    store: Store,
    claim: Claim,
    active: Active,
    run: Run,
    in_flight: JoinSet<Result<FinishedEffect>>,
    numbers: HashMap<Id, u32>,
    cancel: CancellationToken,
    progress: ShownProgress,
    /// Ends that the store could not take yet, oldest first.
    unwritten: Vec<Unwritten>,
}

/// How an effect ended.
enum FinishedEffect {
    Done(Outcome, Usage),
    /// It has ended its process too often.
    Poison(Effect),
    Lost,
}

impl Driver {
    async fn work(&mut self, spec: &TaskSpec, lost: Vec<Lost>, stop: &mut StopSignal) -> Result<DriveEnd> {
        let Some(lost) = self.settle(lost).await? else { return Ok(DriveEnd::Lost) };
        // A request that was there before us: nothing is started for it. But a run that may exist and be paid is told, also to
        // whoever wanted it stopped.
        if stop.borrow().is_some() {
            return match self.run.ending() {
                Some(ending) => Ok(self.over(ending)),
                None => self.stop(stop).await,
            };
        }
        self.go(spec, lost, stop).await
    }

    /// The ending of a task whose method panicked, with what it had found before: the journal has that.
    async fn before_fault(&self, spec: &TaskSpec) -> Option<Ending> {
        let stored = self.store.load(self.claim.id).await.ok()?;
        let (run, _) = Run::replay(spec, &stored.journal);
        match (run.ending(), self.run.ending()) {
            (Some(ending), _) => Some(ending),
            // The event that did it could not be written.
            (None, Some(Ending::Failed { error, .. })) => Some(run.failed(error)),
            (None, _) => None,
        }
    }

    async fn go(&mut self, spec: &TaskSpec, lost: Vec<Lost>, stop: &mut StopSignal) -> Result<DriveEnd> {
        let (again, cap) = self.run.readmit(lost);
        for (no, effect, tries) in again {
            self.start_effect(no, effect, tries);
        }
        if let Some(cap) = cap
            && self.capped(cap).await? == Fenced::Lost
        {
            return Ok(DriveEnd::Lost);
        }
        let deadline =
            spec.budget.wall_left(Duration::from_millis(self.active.before)).map(|left| self.active.started + left);
        // What is kept back is for writing; a method that has been told of a cap is at it.
        let kept = if self.run.writes() { spec.budget.wall_reserve() } else { Duration::ZERO };
        let mut wall = deadline.map(|deadline| deadline.checked_sub(kept).unwrap_or(deadline));
        let steered = self.inner.live.steered(self.claim.id);
        // What was said before this process had the task.
        if spec.is_study() {
            steered.notify_one();
        }
        loop {
            self.show().await;
            match self.run.next() {
                Next::Start(no, effect) => {
                    self.start_effect(no, effect, 0);
                    continue;
                }
                Next::Cap(cap) => {
                    if self.capped(cap).await? == Fenced::Lost {
                        return Ok(DriveEnd::Lost);
                    }
                    continue;
                }
                Next::End(ending) => return Ok(self.over(*ending)),
                Next::Wait => {}
            }
            tokio::select! {
                Some(finished) = self.in_flight.join_next_with_id() => {
                    if let Some(over) = self.effect_finished(finished).await? {
                        return Ok(over);
                    }
                }
                () = stopped(stop) => return self.stop(stop).await,
                () = steered.notified() => {
                    if self.take_steers().await? == Fenced::Lost {
                        return Ok(DriveEnd::Lost);
                    }
                }
                // Written at the top of the loop.
                () = at(self.progress.due()) => {}
                () = at(wall) => {
                    self.stop_all(limits::CANCEL_GRACE * 2).await?;
                    // A method that still does something after the first word ends with the second.
                    wall = deadline.filter(|end| *end > Instant::now()).or(Some(Instant::now() + limits::LAST_STEP));
                    if self.capped(Cap::WallTime).await? == Fenced::Lost {
                        return Ok(DriveEnd::Lost);
                    }
                }
            }
        }
    }

    /// Tells the run which of the effects that never ended may have happened, and gives back those to be done again. `None`:
    /// the task is no longer ours.
    async fn settle(&mut self, lost: Vec<Lost>) -> Result<Option<Vec<Lost>>> {
        let (uncertain, again): (Vec<Lost>, Vec<Lost>) =
            lost.into_iter().partition(|(_, effect, _)| effect.repeat() == Repeat::Never);
        for (no, effect, _) in uncertain {
            // A run may exist and be paid for, and nobody knows how much.
            let unknown = Usage { cost_unknown: matches!(effect, Effect::CreateRun(_)), ..Usage::ZERO };
            if self.ended(no, Outcome::Uncertain, unknown).await? == Fenced::Lost {
                return Ok(None);
            }
        }
        Ok(Some(again))
    }

    fn over(&mut self, ending: Ending) -> DriveEnd {
        DriveEnd::Ended(ending.neutral(), std::mem::take(&mut self.unwritten))
    }

    /// Starts an effect: its row first, then the deed. While the store is in trouble, what costs nothing is done without
    /// its row; what is paid is not done at all.
    fn start_effect(&mut self, no: u32, effect: Effect, tries: u32) {
        let (inner, store, claim) = (Arc::clone(&self.inner), self.store.clone(), self.claim);
        let cancel = self.cancel.child_token();
        let handle = self.in_flight.spawn(async move {
            // Only what can end a process is suspected of having ended one.
            let deaths = if effect.policy().may_crash_process { tries } else { 0 };
            if deaths >= limits::EFFECT_TRIES {
                return Ok(FinishedEffect::Poison(effect));
            }
            let _alone = match deaths {
                0 | 1 => None,
                _ => inner.suspects.acquire().await.ok(),
            };
            let paid = effect.repeat() == Repeat::Never;
            let patience = if paid { limits::STORE_PATIENCE } else { limits::STORE_PATIENCE_FREE };
            match retry_while_busy(patience, &cancel, || store.begin(claim, no, &effect)).await {
                Ok(Fenced::Lost) => return Ok(FinishedEffect::Lost),
                Ok(Fenced::Applied(_tries)) => {}
                Err(error) if !paid && goes_on(&error) => {
                    log::warn(format!(
                        "`{}` of task {} runs without its journal row: {error}",
                        effect.name(),
                        claim.id
                    ));
                }
                Err(error) => return Err(error),
            }
            let (outcome, usage) = perform::perform(&inner, &store, claim, &effect, &cancel).await;
            Ok(FinishedEffect::Done(outcome, usage))
        });
        self.numbers.insert(handle.id(), no);
    }

    /// Takes the end of an effect into the journal and the run; says when the task is over by it.
    async fn effect_finished(
        &mut self,
        finished: Result<(Id, Result<FinishedEffect>), JoinError>,
    ) -> Result<Option<DriveEnd>> {
        let id = finished.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Some(no) = self.numbers.remove(&id) else {
            return Err(Error::new(Code::Internal, "an effect ended that was not started"));
        };
        let (outcome, usage) = match finished {
            Ok((_, Ok(FinishedEffect::Done(outcome, usage)))) => (outcome, usage),
            Ok((_, Ok(FinishedEffect::Poison(effect)))) => {
                let ending = self.poisoned(&effect);
                return Ok(Some(self.over(ending)));
            }
            Ok((_, Ok(FinishedEffect::Lost))) => return Ok(Some(DriveEnd::Lost)),
            Ok((_, Err(error))) => return Err(error),
            Err(panicked) => (Outcome::Failed { error: fault(&panicked, "an effect") }, Usage::ZERO),
        };
        Ok(match self.ended(no, outcome, usage).await? {
            Fenced::Applied(()) => None,
            Fenced::Lost => Some(DriveEnd::Lost),
        })
    }

    fn poisoned(&self, effect: &Effect) -> Ending {
        let error = Error::new(
            Code::TaskPoisoned,
            format!("`{}` ended its process {} times; it is not tried again", effect.name(), limits::EFFECT_TRIES),
        )
        .hint("please report this with the question; ask it in another way");
        Ending::Failed { error, partial: self.run.stopped(StopReason::Cancelled).report().cloned() }
    }

    async fn ended(&mut self, no: u32, outcome: Outcome, usage: Usage) -> Result<Fenced<()>> {
        let end = End { order: self.run.order(), outcome: Some(outcome.clone()), usage };
        let written = self.write(Unwritten::End { no, effect: self.run.in_flight(no), end }).await?;
        if written == Fenced::Applied(()) {
            self.run.done(no, outcome, usage);
        }
        Ok(written)
    }

    async fn capped(&mut self, cap: Cap) -> Result<Fenced<()>> {
        let written = self.write(Unwritten::Cap { no: self.run.event_no(), order: self.run.order(), cap }).await?;
        if written == Fenced::Applied(()) {
            self.run.capped(cap);
        }
        Ok(written)
    }

    /// Takes what the user has said into the journal and the run.
    async fn take_steers(&mut self) -> Result<Fenced<()>> {
        // A word that is not off the waiting ones yet would be taken twice.
        while self.unwritten.is_empty() {
            let (said, message) = match self.store.next_steer(self.claim.id).await {
                Ok(Some(word)) => word,
                Ok(None) => break,
                Err(error) => {
                    log::warn(format!("what was said to task {} could not be read: {error}", self.claim.id));
                    break;
                }
            };
            let (no, order) = (self.run.event_no(), self.run.order());
            let written = self.write(Unwritten::Steer { no, order, said, message: message.clone() }).await?;
            if written == Fenced::Lost {
                return Ok(Fenced::Lost);
            }
            self.run.steered(message);
        }
        Ok(Fenced::Applied(()))
    }

    /// Writes an event, after those that are not written yet. What happened has happened: it stays in memory until the store can
    /// take it.
    async fn write(&mut self, event: Unwritten) -> Result<Fenced<()>> {
        let (store, claim, active) = (&self.store, self.claim, self.active);
        self.unwritten.push(event);
        while let Some(first) = self.unwritten.first() {
            let write = || first.write(store, claim, active);
            match retry_while_busy(limits::STORE_PATIENCE_FREE, &self.cancel, write).await {
                Ok(Fenced::Applied(())) => self.unwritten.remove(0),
                Ok(Fenced::Lost) => return Ok(Fenced::Lost),
                Err(error) if goes_on(&error) => {
                    log::warn(format!("what task {} did is kept in memory: {error}", claim.id));
                    break;
                }
                Err(error) => return Err(error),
            };
        }
        Ok(Fenced::Applied(()))
    }

    /// Stops what is running and says how the task goes on.
    async fn stop(&mut self, stop: &StopSignal) -> Result<DriveEnd> {
        let why = *stop.borrow();
        match why {
            Some(Stop::Cancel { save_partial }) => {
                // A paid start is not torn: only its reply has the id that can be cancelled.
                let grace = if self.run.pays() { limits::CREATE_REPLY } else { limits::CANCEL_GRACE * 2 };
                self.stop_all(grace).await?;
                self.on_cancel().await?;
                let ending = cancelled(&self.run, save_partial);
                Ok(self.over(ending))
            }
            Some(Stop::Shutdown | Stop::Pause) | None => {
                // The reply to a paid start has an id that is nowhere else.
                let grace = if self.run.pays() { limits::CREATE_REPLY } else { limits::SHUTDOWN / 2 };
                self.stop_all(grace).await?;
                let pause = why == Some(Stop::Pause) && !self.run.runs_elsewhere();
                Ok(DriveEnd::Interrupted(if pause { Release::Paused } else { Release::ToAnybody }))
            }
        }
    }

    /// What is left to be done in the world: a run at a provider is stopped there.
    async fn on_cancel(&mut self) -> Result<()> {
        let Some((no, effect)) = self.run.on_cancel() else { return Ok(()) };
        self.start_effect(no, effect, 0);
        let finished = self.in_flight.join_next_with_id();
        if let Ok(Some(finished)) = tokio::time::timeout(limits::PROVIDER_CANCEL * 2, finished).await {
            self.effect_finished(finished).await?;
        }
        Ok(())
    }

    /// Ends every effect: politely, and after the grace hard. What came to its end all the same is journalled: it may
    /// have cost money.
    async fn stop_all(&mut self, grace: Duration) -> Result<()> {
        self.cancel.cancel();
        let deadline = Instant::now() + grace;
        while let Ok(Some(finished)) = tokio::time::timeout_at(deadline, self.in_flight.join_next_with_id()).await {
            if let Ok((id, Ok(FinishedEffect::Done(outcome, usage)))) = finished
                && !matches!(&outcome, Outcome::Failed { error } if error.code == Code::Cancelled)
                && let Some(no) = self.numbers.remove(&id)
                && self.ended(no, outcome, usage).await? == Fenced::Lost
            {
                break;
            }
        }
        self.in_flight.shutdown().await;
        self.numbers.clear();
        // A method that goes on after a cap gets a fresh token.
        self.cancel = CancellationToken::new();
        Ok(())
    }

    /// Shows new progress: to watchers at once, in the store not too often.
    async fn show(&mut self) {
        for (level, line) in self.run.take_lines() {
            match level {
                LogLevel::Info => log::info(line),
                LogLevel::Warn => log::warn(line),
                LogLevel::Error => log::error(line),
            }
        }
        if let Some(mut progress) = self.run.take_progress() {
            let spent = self.run.spent();
            // A plan that fills is watched for what it costs.
            if !progress.tree.is_empty() && spent.is_anything() {
                progress.action = format!("{}, {}", progress.action, spent.in_words());
            }
            self.inner.tell(self.claim.id, News::Progress(progress.clone()));
            self.progress.news(progress);
        }
        if let Some(progress) = self.progress.take_due()
            && let Err(error) = self.store.progress(self.claim, progress).await
        {
            log::warn(format!("progress of task {} could not be written: {error}", self.claim.id));
        }
    }
}

async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// A panic as an error. The message of the panic is on stderr already.
fn fault(error: &JoinError, what: &str) -> Error {
    let how = if error.is_panic() { "has a fault" } else { "was stopped" };
    Error::new(Code::Internal, format!("{what} {how}")).hint("please report this with the lines above on stderr")
}
