//! Looking after what other processes do: tasks whose owner died, and requests to cancel ours.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::time::{Instant, MissedTickBehavior, interval};

use super::elsewhere::Elsewhere;
use super::keeper::Kept;
use super::live::Stop;
use super::{Inner, Open, forget};
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::world::log;
use crate::world::owner::{Life, life_of};
use crate::world::store::{Orphan, Store, Watch};

/// Runs until the engine shuts down.
pub(super) async fn run(inner: Arc<Inner>) {
    let mut ticks = interval(inner.adopt.tick());
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut state = Ticker::default();
    let mut last_complaint = None;
    loop {
        tokio::select! {
            () = inner.shutdown.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let kept = state.tick(&inner).await;
        inner.kept.send_replace(*kept.as_ref().unwrap_or(&Kept::Unknown));
        match kept {
            Ok(_) => last_complaint = None,
            // The same trouble every quarter of a second is one line, not thousands.
            Err(error) if last_complaint == Some(error.code) => {}
            Err(error) => {
                log::warn(format!("cannot look for unfinished research: {error}"));
                last_complaint = Some(error.code);
            }
        }
    }
}

#[derive(Debug, Default)]
struct Ticker {
    watch: Option<Watch>,
    version: Option<i64>,
    orphans: Vec<Orphan>,
    /// The last sign of life seen of each other owner, and when it was new.
    lives: HashMap<String, (u64, Instant)>,
    elsewhere: Option<Elsewhere>,
    last_beat: Option<Instant>,
    last_upkeep: Option<Instant>,
}

impl Ticker {
    async fn tick(&mut self, inner: &Arc<Inner>) -> Result<Kept> {
        self.elsewhere = Elsewhere::attended(inner, self.elsewhere.take());
        if inner.open.get().is_none() && (!inner.adopt.takes_over() || !Store::exists(&inner.settings.data_dir)) {
            return Ok(Kept::Nothing);
        }
        let open = inner.open().await?;
        if self.last_beat.is_none_or(|beat| beat.elapsed() >= limits::HEARTBEAT) {
            open.owner.beat();
            self.last_beat = Some(Instant::now());
        }
        if self.last_upkeep.is_none_or(|last| last.elapsed() >= limits::UPKEEP) {
            inner.tasks.spawn(forget::upkeep(Arc::clone(inner)));
            self.last_upkeep = Some(Instant::now());
        }
        let version = self.check_database(open)?;
        let is_changed = self.version != Some(version);
        if let Some(elsewhere) = &mut self.elsewhere
            && (is_changed || !elsewhere.has_looked())
        {
            elsewhere.look(inner, open).await?;
        }
        if is_changed {
            for (id, save_partial) in open.store.cancel_requests(open.owner.name()).await? {
                inner.live.stop(id, Stop::Cancel { save_partial });
            }
            for id in open.store.steered(open.owner.name()).await? {
                inner.live.tell(id);
            }
            if inner.adopt.takes_over() {
                self.orphans = open.store.orphans(open.owner.name()).await?;
                self.orphans.retain(|orphan| !orphan.is_paused());
            }
            // Only now: what could not be read is read again with the next tick.
            self.version = Some(version);
        }
        self.adopt(inner, open).await?;
        // What is in the hands of a living process may yet be left behind.
        let is_idle = self.orphans.is_empty() && inner.live.count() == 0;
        Ok(if is_idle { Kept::Nothing } else { Kept::Something })
    }

    /// A number that changes with every commit, of whichever process.
    fn check_database(&mut self, open: &Open) -> Result<i64> {
        let watch = match self.watch.take() {
            Some(watch) => watch,
            None => open.store.watch()?,
        };
        let version = watch.version()?;
        self.watch = Some(watch);
        Ok(version)
    }

    /// Takes the tasks of owners that are dead, or that have hung for very long.
    async fn adopt(&mut self, inner: &Arc<Inner>, open: &Open) -> Result<()> {
        if self.orphans.is_empty() {
            self.lives.clear();
            return Ok(());
        }
        let mut verdicts: HashMap<Option<String>, bool> = HashMap::new();
        let mut orphans = std::mem::take(&mut self.orphans).into_iter();
        while let Some(orphan) = orphans.next() {
            let dead = match verdicts.get(&orphan.owner) {
                Some(dead) => *dead,
                None => {
                    let dead = orphan.owner.as_deref().is_none_or(|owner| self.is_gone(inner, owner));
                    verdicts.insert(orphan.owner.clone(), dead);
                    dead
                }
            };
            if !dead {
                self.orphans.push(orphan);
                continue;
            }
            match inner.adopt(open, &orphan).await {
                Ok(true) => log::info(format!("going on with task {} of a process that ended", orphan.id)),
                // Somebody else has it.
                Ok(false) => {}
                // Nothing was committed, so no later look would list them again: they stay on the list.
                Err(error) => {
                    self.orphans.push(orphan);
                    self.orphans.extend(orphans);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn is_gone(&mut self, inner: &Inner, owner: &str) -> bool {
        match life_of(&inner.settings.data_dir.join("owners"), owner) {
            Life::Dead => true,
            Life::Held(count) => {
                let now = Instant::now();
                let (seen, since) = self.lives.entry(owner.to_owned()).or_insert((count, now));
                if *seen != count {
                    (*seen, *since) = (count, now);
                }
                since.elapsed() >= limits::HUNG_OWNER
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::setup::settings::Settings;
    use crate::engine::{Adopt, Engine};
    use crate::world::owner::Owner;

    /// An owner that holds its lock is given up after `HUNG_OWNER` without a sign of life, and each sign begins the time anew.
    #[tokio::test]
    async fn a_hung_owner_is_given_up_and_a_living_one_is_not() {
        let home = tempfile::tempdir().unwrap();
        let settings = Settings::defaults(home.path());
        let engine = Engine::new(&settings, Adopt::Nothing);
        let owner = Owner::new(&settings.data_dir.join("owners")).unwrap();
        let mut state = Ticker::default();
        let mut is_gone = |quiet_for| {
            // The time that has passed since the owner was last seen alive.
            for (_, since) in state.lives.values_mut() {
                *since = Instant::now().checked_sub(quiet_for).unwrap();
            }
            state.is_gone(&engine.inner, owner.name())
        };
        let almost = limits::HUNG_OWNER - limits::HEARTBEAT;
        assert!(!is_gone(limits::HUNG_OWNER), "it is seen for the first time");
        assert!(!is_gone(almost));
        owner.beat();
        assert!(!is_gone(limits::HUNG_OWNER), "it has shown a sign of life");
        assert!(!is_gone(almost));
        assert!(is_gone(limits::HUNG_OWNER));
    }
}
