//! What we run: one owner of live tasks. It executes effects, writes the journal, enforces budgets, cancels and
//! recovers. It decides nothing about research, and it assumes nothing about being the only process.
//!
//! - `drive` takes one task from its journal to its end,
//! - `perform` executes one effect through the world's adapters,
//! - `tick` looks after what other processes do: dead owners, cancel requests; `elsewhere` tells of their tasks,
//! - `forget` deletes what is over.

#[cfg(feature = "scripted")]
pub(crate) mod bench;
mod doctor;
mod drive;
mod elsewhere;
mod evidence;
mod files;
mod finish;
mod forget;
mod hosted;
mod keeper;
mod library;
mod live;
mod notice;
mod patience;
mod perform;
mod read;
#[cfg(feature = "scripted")]
mod scripted;
mod setup;
mod showing;
mod slots;
#[cfg(test)]
mod tests;
mod tick;
mod waiting;
mod web;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OnceCell, Semaphore, broadcast, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::base::masks::Masks;
use crate::core::method::{Plan, TaskSpec};
use crate::core::setup::settings::Settings;
use crate::core::task::{Ending, Hands, HostedStart, Status, TaskView};
// Surfaces never touch the world; what they need of it is handed on here.
pub(crate) use crate::world::blocking;
pub(crate) use crate::world::clock::now_ms;
use crate::world::fetch::Fetcher;
use crate::world::gemini_api::GeminiApi;
use crate::world::gemini_cli::GeminiCli;
use crate::world::library::Library;
pub(crate) use crate::world::library::{Choice, Root};
pub(crate) use crate::world::log;
use crate::world::models::Models;
use crate::world::owner::Owner;
use crate::world::pdf;
use crate::world::process::{Gate, WardenProgram};
use crate::world::random;
pub(crate) use crate::world::random::bits128 as random_bits;
use crate::world::search::Search;
pub(crate) use crate::world::store::Repaired;
use crate::world::store::{Claim, Fenced, Orphan, Steer, Store};
pub(crate) use doctor::{Examination, ModelLookup};
pub(crate) use files::SaveRequest;
pub(crate) use forget::{AtProvider, Deletion, Pruned};
pub(crate) use keeper::{Keeper, is_keeper};
use live::{LiveTasks, Stop};
pub(crate) use setup::{
    Flags, Holder, Tokens, change_key, clients, hangup_ends, hidden_line, main_token, new_token, pdf_reader,
    raise_file_limit, remove_token, settings, warden,
};
use slots::Slots;
pub(crate) use waiting::{News, TaskEvent};

/// The engine. A cheap handle: clones share one engine.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    inner: Arc<Inner>,
    /// Who asks; `None` is the user of this machine, who sees every task.
    principal: Option<Arc<str>>,
}

/// Whether this engine also takes over tasks whose owner died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adopt {
    /// A server: every task of a dead process.
    All,
    /// The keeper: the same, without hurry, and it says when nothing is left.
    Keeper,
    /// A single command: only what it is asked for.
    Nothing,
}

impl Adopt {
    fn takes_over(self) -> bool {
        match self {
            Self::All | Self::Keeper => true,
            Self::Nothing => false,
        }
    }

    /// How often it looks at what others do.
    fn tick(self) -> Duration {
        match self {
            Self::All | Self::Nothing => limits::TICK,
            Self::Keeper => limits::KEEPER_TICK,
        }
    }
}

/// Which tasks to list, newest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListFilter {
    pub(crate) status: Option<Status>,
    pub(crate) limit: Option<u32>,
    /// When the last one was created that is known already, and its id.
    pub(crate) after: Option<(i64, TaskId)>,
}

#[derive(Debug)]
struct Inner {
    settings: Arc<Settings>,
    /// What every text that comes from outside passes.
    masks: Masks,
    adopt: Adopt,
    open: OnceCell<Open>,
    library: Arc<Library>,
    gate: Gate,
    gemini: GeminiCli,
    api: GeminiApi,
    models: Models,
    /// Both made with the first need of them.
    fetcher: OnceCell<Fetcher>,
    search: OnceCell<Search>,
    reader: pdf::Reader,
    live: LiveTasks,
    slots: Slots,
    /// Held by an effect that may have ended its process before: such effects run one at a time, so that
    /// the guilty one is found out and the innocent ones are not given up with it.
    suspects: Semaphore,
    events: broadcast::Sender<Arc<TaskEvent>>,
    shutdown: CancellationToken,
    tasks: TaskTracker,
    /// What the keeper is to do; told by the tick.
    kept: watch::Sender<keeper::Kept>,
    /// Paid starts in flight: their replies have ids that nobody else knows.
    paying: TaskTracker,
}

/// What exists once the store was needed.
#[derive(Debug)]
struct Open {
    store: Store,
    owner: Owner,
}

impl Engine {
    /// Makes the engine. Nothing is opened: a store that cannot be opened is the error of the first call that needs
    /// it. Must be called inside the runtime.
    pub(crate) fn new(settings: &Settings, adopt: Adopt) -> Self {
        let gate = Gate::new(WardenProgram::this_binary());
        let reader = pdf::Reader::new(gate.clone(), WardenProgram::this_binary().program().to_owned());
        let inner = Arc::new(Inner {
            settings: Arc::new(settings.clone()),
            masks: settings.masks(),
            adopt,
            open: OnceCell::new(),
            library: Arc::new(library::library(settings, reader.clone())),
            reader,
            gate,
            gemini: GeminiCli::new(settings),
            api: GeminiApi::new(settings),
            models: Models::new(settings),
            fetcher: OnceCell::new(),
            search: OnceCell::new(),
            live: LiveTasks::default(),
            slots: Slots::new(settings.max_tasks),
            suspects: Semaphore::new(1),
            events: broadcast::channel(limits::EVENTS_KEPT).0,
            shutdown: CancellationToken::new(),
            tasks: TaskTracker::new(),
            paying: TaskTracker::new(),
            kept: watch::Sender::default(),
        });
        let ticking = Arc::clone(&inner);
        inner.tasks.spawn(tick::run(ticking));
        Self { inner, principal: None }
    }

    /// The same engine for a principal of its own: it sees the tasks that it has started and no others.
    pub(crate) fn seen_by(&self, principal: &str) -> Self {
        Self { inner: Arc::clone(&self.inner), principal: Some(principal.into()) }
    }

    /// Whether this engine sees a part of the tasks only.
    pub(crate) fn is_guest(&self) -> bool {
        self.principal.is_some()
    }

    /// The store as this principal sees it.
    async fn store(&self) -> Result<Store> {
        Ok(self.inner.open().await?.store.seen_by(self.principal.clone()))
    }

    /// Writes the task's row, then runs it. The id can be looked up before it is handed out.
    pub(crate) async fn start(&self, spec: TaskSpec) -> Result<TaskId> {
        self.write_and_run(spec, None).await
    }

    async fn write_and_run(&self, spec: TaskSpec, hosted: Option<HostedStart>) -> Result<TaskId> {
        let (open, store) = (self.inner.open().await?, self.store().await?);
        let id = TaskId::from_random(random::bits128());
        // In hand before it is in the store: a cancel request that is already there finds it.
        let stop = self.inner.live.take(id).ok_or_else(shutting_down)?;
        match store.create(id, &spec, hosted, open.owner.name()).await {
            Ok(claim) => {
                self.inner.spawn(claim, stop);
                Ok(id)
            }
            Err(error) => {
                self.inner.live.put_back(id);
                Err(error)
            }
        }
    }

    /// Asks for a task to be stopped, in whichever process it runs, and waits (bounded) until it is. A finished task is
    /// an error that says how it ended.
    pub(crate) async fn cancel(&self, id: TaskId, save_partial: bool) -> Result<TaskView> {
        let open = self.inner.open().await?;
        let view = self.task(id).await?;
        if view.status.is_final() || !open.store.request_cancel(id, save_partial).await? {
            return Err(already_over(&self.task(id).await?));
        }
        if !self.inner.live.stop(id, Stop::Cancel { save_partial }) {
            // Nobody's task: take it over and stop it here. Somebody else's: its owner reads the request.
            self.resume(id).await?;
            self.inner.live.stop(id, Stop::Cancel { save_partial });
        }
        self.wait(id, Some(limits::CANCEL_WAIT)).await
    }

    /// Says something to a study that runs, in whichever process it does. One that nobody works on hears it when it goes on.
    pub(crate) async fn steer(&self, id: TaskId, message: String) -> Result<TaskView> {
        let open = self.inner.open().await?;
        let view = self.task(id).await?;
        let refused = |why: &str| Err(Error::new(Code::NotSteerable, format!("task `{id}` {why}")));
        if view.status.is_final() {
            return Err(already_over(&view));
        }
        match open.store.request_steer(id, message).await? {
            Steer::Kept => {}
            Steer::Over => return Err(already_over(&self.task(id).await?)),
            Steer::NoStudy => {
                return refused("is no study of the engine `native`; nobody can be told anything while it runs");
            }
            Steer::TooOften => return refused("was told as much as it can keep in mind"),
        }
        self.inner.live.tell(id);
        Ok(view)
    }

    pub(crate) async fn task(&self, id: TaskId) -> Result<TaskView> {
        // A result that the store could not take yet is not lost: it is here. Asked first, for it goes when the store has it.
        let settled = self.inner.live.settled(id);
        let stored = self.store().await?.task(id).await?;
        let mut view = stored.ok_or_else(|| {
            Error::new(Code::TaskNotFound, format!("no task has the id `{id}`")).hint("`hadal list` shows all tasks")
        })?;
        if let Some(ending) = settled {
            view.status = ending.status();
        }
        self.inner.look_for_owner(&mut view);
        Ok(view.neutral())
    }

    /// The task and, when it is over, how it ended.
    pub(crate) async fn ending(&self, id: TaskId) -> Result<(TaskView, Option<Ending>)> {
        let mut view = self.task(id).await?;
        let ending = match self.inner.live.settled(id) {
            Some(ending) => Some(ending),
            None => self.inner.open().await?.store.ending(id).await?,
        };
        // It may have ended between the two: no result is shown of a task that is said to run.
        if ending.is_some() && !view.status.is_final() {
            view = self.task(id).await?;
        }
        // What an earlier version stored was shown as the model wrote it.
        Ok((view, ending.map(Ending::neutral)))
    }

    /// What a task was asked for, as far as that is kept of one that is over; `None` where this version cannot read it.
    pub(crate) async fn inputs(&self, id: TaskId) -> Result<Option<Plan>> {
        self.task(id).await?;
        Ok(self.inner.open().await?.store.inputs(id).await?.map(|spec| spec.plan))
    }

    pub(crate) async fn list(&self, filter: ListFilter) -> Result<Vec<TaskView>> {
        // One more tells whether there are more.
        let limit = filter.limit.unwrap_or(limits::LIST_ROWS).min(limits::LIST_ROWS + 1);
        let mut tasks = self.store().await?.list(filter.status, filter.after, limit).await?;
        tasks.iter_mut().for_each(|view| self.inner.look_for_owner(view));
        Ok(tasks.into_iter().map(TaskView::neutral).collect())
    }

    /// Takes a task without a live owner over into this process; a task that is owned or over is left alone.
    pub(crate) async fn resume(&self, id: TaskId) -> Result<()> {
        self.task(id).await?;
        let open = self.inner.open().await?;
        let orphans = open.store.orphans(open.owner.name()).await?;
        if let Some(orphan) = orphans.into_iter().find(|orphan| orphan.id == id)
            && self.inner.is_dead(orphan.owner.as_deref())
        {
            self.inner.adopt(open, &orphan).await?;
        }
        Ok(())
    }

    /// Opens the store and reads the whole file for damage.
    pub(crate) async fn check_store(&self) -> Result<()> {
        let store = self.inner.open().await?.store.clone();
        blocking("the check of the database", move || store.check()).await
    }

    /// Moves a damaged database aside and saves what can be read from it; nothing is done while the file is sound. To be called
    /// before the store is opened: a connection to the damaged file would disturb the new one.
    pub(crate) async fn repair_store(&self) -> Result<Option<Repaired>> {
        let data_dir = self.inner.settings.data_dir.clone();
        if !Store::exists(&data_dir) {
            return Ok(None);
        }
        blocking("the repair of the database", move || Store::repair(&data_dir)).await
    }

    /// The number of tasks this process has in hand.
    pub(crate) fn live(&self) -> usize {
        self.inner.live.count()
    }

    /// Takes no more work, stops what runs (it is resumed later, by whoever comes), and returns within
    /// [`limits::SHUTDOWN`]; only the reply to a paid start is waited for a little longer.
    pub(crate) async fn shutdown(&self) {
        self.let_go(Stop::Shutdown).await;
    }

    async fn let_go(&self, why: Stop) {
        self.inner.live.close(why);
        self.inner.shutdown.cancel();
        self.inner.tasks.close();
        // What is not done is found by the next owner.
        let _ = tokio::time::timeout(limits::SHUTDOWN, self.inner.tasks.wait()).await;
        if !self.inner.paying.is_empty() {
            log::warn("waiting for the reply to a paid start; its id would be lost");
            // The request itself ends after `limits::CREATE_REPLY`; a second signal ends this process at once.
            self.inner.paying.close();
            self.inner.paying.wait().await;
            // What is not written is found by the next owner.
            let _ = tokio::time::timeout(limits::SHUTDOWN, self.inner.tasks.wait()).await;
        }
        if let Some(open) = self.inner.open.get() {
            let store = open.store.clone();
            // Another process may be at it, and whoever opens the file next does it otherwise.
            let _done_by_another = blocking("closing the database", move || store.fold()).await;
            open.owner.leave();
        }
    }
}

impl Inner {
    /// The store and this process's lock, opened with the first need of them.
    async fn open(&self) -> Result<&Open> {
        self.open
            .get_or_try_init(|| async {
                let data_dir = self.settings.data_dir.clone();
                let open = move || {
                    let store = Store::open(&data_dir)?;
                    Ok(Open { store, owner: Owner::new(&data_dir.join("owners"))? })
                };
                blocking("opening the database", open).await
            })
            .await
    }

    /// An owner that is dead works on nothing.
    fn look_for_owner(&self, view: &mut TaskView) {
        if let Hands::Owner(owner) = &view.hands
            && !view.status.is_final()
            && self.is_dead(Some(owner))
        {
            view.hands = Hands::Nobody;
        }
    }

    fn is_dead(&self, owner: Option<&str>) -> bool {
        use crate::world::owner::{Life, life_of};
        owner.is_none_or(|owner| life_of(&self.settings.data_dir.join("owners"), owner) == Life::Dead)
    }

    /// Takes a dead owner's task. Somebody else may be faster; that is fine.
    async fn adopt(self: &Arc<Self>, open: &Open, orphan: &Orphan) -> Result<bool> {
        // Without a key it could only be held, away from those who have one.
        if orphan.hosted && !self.api.has_key() {
            return Ok(false);
        }
        let Some(stop) = self.live.take(orphan.id) else { return Ok(false) };
        match open.store.claim(orphan, open.owner.name()).await {
            Ok(Fenced::Applied(claim)) => {
                self.spawn(claim, stop);
                Ok(true)
            }
            Ok(Fenced::Lost) => {
                self.live.put_back(orphan.id);
                Ok(false)
            }
            Err(error) => {
                self.live.put_back(orphan.id);
                Err(error)
            }
        }
    }

    fn spawn(self: &Arc<Self>, claim: Claim, stop: live::StopSignal) {
        let inner = Arc::clone(self);
        self.tasks.spawn(drive::supervise(inner, claim, stop));
    }

    fn tell(&self, task: TaskId, news: News) {
        // Nobody may be watching.
        let _watchers = self.events.send(Arc::new(TaskEvent::new(task, news)));
    }
}

/// The next word of a task. Events that were missed, or an engine that is gone, are a reason to look at the row as well.
fn shutting_down() -> Error {
    Error::new(Code::ShuttingDown, "hadal is shutting down and takes no new research")
}

fn already_over(view: &TaskView) -> Error {
    let code = match view.status {
        Status::Completed => Code::ResearchAlreadyCompleted,
        Status::Failed => Code::ResearchAlreadyFailed,
        Status::Cancelled => Code::ResearchAlreadyCancelled,
        Status::Pending | Status::Running => Code::Internal,
    };
    Error::new(code, format!("task `{}` is over: {}", view.id, view.status.name()))
        .hint("`hadal results` shows what it found")
}
