//! Research goes on when the last process that worked on it ends: how it is handed over, and the keeper that takes it.
//!
//! The keeper is an engine without a surface, in a process of its own, one for each data directory. It takes what no living process has,
//! and leaves when there is nothing left, when it is asked to, and when a newer program stands in its place.

use tokio::time::{Instant, sleep};

use super::live::Stop;
use super::{Adopt, Engine};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::setup::settings::Settings;
use crate::core::task::Hands;
use crate::world::keeper::{self, KeeperLock, Leave};
use crate::world::{blocking, log};

/// What a keeper has to do, as of its last look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kept {
    /// Nobody has looked yet.
    #[default]
    Unknown,
    Something,
    /// No task is left that is not over, and that it could take.
    Nothing,
}

/// Whether this command line asks for the keeper (`hadal __keeper`).
pub(crate) fn is_keeper(args: &[std::ffi::OsString]) -> bool {
    args.get(1).is_some_and(|command| command == keeper::COMMAND)
}

impl Engine {
    /// Lets go of everything, and has it gone on with in the background if the settings allow it. The process that goes on is
    /// started first: whoever is in a hurry to end this one cannot come in between.
    pub(crate) async fn hand_over(&self) {
        if self.live() > 0 && self.inner.settings.background {
            self.start_keeper().await;
        }
        self.shutdown().await;
    }

    /// The same at the end of a command, which ends once it has seen its tasks in other hands.
    pub(crate) async fn hand_over_and_see(&self) {
        let had = self.inner.live.ids();
        self.shutdown().await;
        self.see_kept(&had).await;
    }

    /// Its user stopped waiting: what can be paused is. A run that is paid for is handed over.
    pub(crate) async fn pause(&self) {
        let had = self.inner.live.ids();
        self.let_go(Stop::Pause).await;
        self.see_kept(&had).await;
    }

    /// Has somebody go on with those of these tasks that nobody has now, and waits a little until somebody does.
    async fn see_kept(&self, had: &[crate::core::base::id::TaskId]) {
        if !self.inner.settings.background || !self.is_any_left(had).await {
            return;
        }
        self.start_keeper().await;
        let began = Instant::now();
        while began.elapsed() < limits::KEEPER_START && self.is_any_left(had).await {
            sleep(limits::TICK / 5).await;
        }
    }

    async fn is_any_left(&self, ids: &[crate::core::base::id::TaskId]) -> bool {
        for id in ids {
            if self.task(*id).await.is_ok_and(|task| !task.status.is_final() && task.hands == Hands::Nobody) {
                return true;
            }
        }
        false
    }

    async fn start_keeper(&self) {
        let (data_dir, config_dir) = (self.inner.settings.data_dir.clone(), self.inner.settings.config_dir.clone());
        let started = blocking("starting the keeper", move || keeper::start(&data_dir, &config_dir, None)).await;
        if let Err(error) = started {
            log::warn(error);
        }
    }

    /// Has the keeper leave and keeps others from coming for as long as the answer lives. Nobody may touch the files then.
    pub(crate) async fn without_keeper(&self) -> Result<impl Sized + use<>> {
        let dir = self.inner.settings.data_dir.clone();
        let began = Instant::now();
        loop {
            if let Some(lock) = KeeperLock::take(&dir)? {
                return Ok(lock);
            }
            keeper::ask_to_leave(&dir)?;
            if began.elapsed() > limits::KEEPER_LEAVE {
                return Err(Error::new(Code::StoreLocked, "research goes on in the background and does not stop")
                    .hint("see `keeper.log` in the data directory; end the process `hadal __keeper` and try again"));
            }
            sleep(limits::TICK).await;
        }
    }
}

/// The keeper of a data directory.
#[derive(Debug)]
pub(crate) struct Keeper {
    engine: Engine,
    settings: Settings,
    lock: KeeperLock,
}

impl Keeper {
    /// Becomes the keeper; `None` when there is one already. One of an older version is asked to leave.
    pub(crate) async fn begin(settings: &Settings) -> Result<Option<Self>> {
        let dir = &settings.data_dir;
        let began = Instant::now();
        let lock = loop {
            if let Some(lock) = KeeperLock::take(dir)? {
                break lock;
            }
            if !keeper::is_older(dir) || began.elapsed() > limits::KEEPER_LEAVE {
                return Ok(None);
            }
            keeper::ask_to_leave(dir)?;
            sleep(limits::TICK).await;
        };
        log::info(format!("process {} goes on with research in the background", std::process::id()));
        let engine = Engine::new(settings, Adopt::Keeper);
        Ok(Some(Self { engine, settings: settings.clone(), lock }))
    }

    /// Works until there is a reason to leave: `None` when nothing is left.
    async fn work(&self) -> Option<Leave> {
        let mut kept = self.engine.inner.kept.subscribe();
        loop {
            // The engine is never dropped before this ends.
            let _told = kept.changed().await;
            let nothing = *kept.borrow_and_update() == Kept::Nothing;
            self.lock.bound_log();
            match self.lock.reason_to_leave() {
                None if nothing => return None,
                None => {}
                reason => return reason,
            }
        }
    }

    /// Works until there is a reason to leave, or until `stop`, and leaves everything in order.
    pub(crate) async fn keep(mut self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        loop {
            let leave = tokio::select! {
                () = &mut stop => Some(Leave::Asked),
                leave = self.work() => leave,
            };
            self.engine.shutdown().await;
            let Self { settings, lock, .. } = self;
            lock.give_up();
            match leave {
                None => {}
                Some(Leave::NewProgram(path)) => {
                    log::info(format!("`{}` is new and goes on", path.display()));
                    let started = keeper::start(&settings.data_dir, &settings.config_dir, Some(path));
                    return started.map_or_else(log::error, |_| ());
                }
                Some(Leave::Asked | Leave::DirectoryGone) => return log::info("leaving; research is paused"),
            }
            // Whoever found the lock taken until now has left its tasks to this keeper.
            let look = Engine::new(&settings, Adopt::Nothing);
            let left = look.is_anything_left().await;
            look.shutdown().await;
            match left.then(|| KeeperLock::take(&settings.data_dir)) {
                Some(Ok(Some(lock))) => self = Self { engine: Engine::new(&settings, Adopt::Keeper), settings, lock },
                Some(Ok(None) | Err(_)) | None => return log::info("leaving; nothing is left to be done"),
            }
        }
    }
}

impl Engine {
    /// Whether there is a task that a keeper with these settings would take, or wait for.
    async fn is_anything_left(&self) -> bool {
        let Ok(open) = self.inner.open().await else { return false };
        let orphans = open.store.orphans(open.owner.name()).await.unwrap_or_default();
        orphans.iter().any(|orphan| !orphan.is_paused() && (!orphan.hosted || self.inner.api.has_key()))
    }
}
