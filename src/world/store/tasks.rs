//! Rows of tasks and results.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::hosted::refuse_same;
use super::journal::{charge_lost, shrink};
use super::{Fenced, Store, spend, texts};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::method::TaskSpec;
use crate::core::money::usage::{Usage, Usd};
use crate::core::report::{Report, Source};
use crate::core::task::{Branch, Ending, Hands, HostedStart, Progress, Status, TaskView};
use crate::world::clock;

/// A task that this process does not own and that is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Orphan {
    pub(crate) id: TaskId,
    pub(crate) owner: Option<String>,
    pub(crate) fence: i64,
    /// Somebody else's agent works on it: going on needs a key.
    pub(crate) hosted: bool,
}

impl Orphan {
    /// Its user has stopped waiting for it; it is not taken over by itself.
    pub(crate) fn is_paused(&self) -> bool {
        self.owner.as_deref() == Some(Hands::PAUSED)
    }
}

/// Who goes on with a task that is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Release {
    ToAnybody,
    /// Only whoever is asked to.
    Paused,
}

/// Whether the end of a task is to be shown to its user. It is claimed with the end itself, so exactly one process shows
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotifyUser {
    Yes,
    No,
}

/// A claim on a task: it holds as long as the row has this fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) id: TaskId,
    pub(crate) fence: i64,
}

/// A task with all that is needed to go on with it.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) spec: TaskSpec,
    pub(crate) journal: Vec<crate::core::journal::Row>,
    pub(crate) active_ms: u64,
    /// Whose it is, if not the user's of this machine.
    pub(crate) guest: Option<String>,
}

const VIEW: &str = "SELECT task_id, tool, query, engine, status, progress, current_action, tokens_in, tokens_out, \
     cost_micros, cost_unknown, error_json, created_at, updated_at, completed_at, cancel_requested IS NOT NULL, engine_reason, \
     agent, interaction_id, complexity, estimated_micros, estimated_ms, live_json, owner, tree_json FROM research_tasks";

/// The list of tasks. That of a guest names its column alone, so that its index serves it.
pub(super) fn listing(for_guest: bool) -> String {
    let whose = if for_guest { "principal = ?3" } else { "?3 = ''" };
    format!(
        "{VIEW} WHERE {whose} AND (?1 IS NULL OR status = ?1) AND (?4 IS NULL OR (-created_at, task_id) > (-?4, ?5)) \
         ORDER BY created_at DESC, task_id LIMIT ?2"
    )
}

/// Refuses a guest that has too many tasks which are not over: they share the machine with everybody else's.
fn admit_guest(connection: &Connection, guest: &str) -> Result<()> {
    let unfinished: u32 = connection
        .prepare_cached(
            "SELECT COUNT(*) FROM research_tasks WHERE principal = ?1 AND status IN ('pending', 'running')",
        )?
        .query_row([guest], |row| row.get(0))?;
    if unfinished < limits::GUEST_TASKS {
        return Ok(());
    }
    Err(Error::new(Code::TooManyTasks, format!("{unfinished} tasks of this token are not over; nothing was started"))
        .hint("wait for some of them, or cancel what is no longer needed"))
}

impl Store {
    /// Writes a new task, owned by `owner`. A hosted one is refused when a cap over many tasks or the same research stands in the
    /// way: checking and writing are one transaction, so two starts at the same moment cannot both take the last dollar, nor pay for one
    /// answer twice.
    pub(crate) async fn create(
        &self,
        id: TaskId,
        spec: &TaskSpec,
        hosted: Option<HostedStart>,
        owner: &str,
    ) -> Result<Claim> {
        let (tool, engine, reason) = (spec.tool.name(), spec.engine.name.name(), spec.engine.reason.clone());
        let pages = spec.rests_on();
        let (query, spec, owner) = (spec.query.clone(), texts::pack(json(spec)?)?, owner.to_owned());
        let principal = self.principal.clone();
        self.write(move |connection| {
            if let Some(guest) = &principal {
                admit_guest(connection, guest)?;
            }
            if let Some(hosted) = &hosted {
                refuse_same(connection, &query, hosted, principal.as_deref())?;
                spend::admit(connection, hosted, principal.is_some())?;
            }
            let hosted = hosted.as_ref();
            connection
                .prepare_cached(
                    "INSERT INTO research_tasks
                     (task_id, query, tool, engine, engine_reason, spec_json, owner, fence, created_at, updated_at,
                      agent, enable_notifications, complexity, estimated_micros, estimated_ms, principal)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
                )?
                .execute(params![
                    id.to_string(),
                    query,
                    tool,
                    engine,
                    reason,
                    spec.json,
                    owner,
                    clock::now_ms(),
                    hosted.map(|hosted| &hosted.agent),
                    hosted.is_none_or(|hosted| hosted.notify),
                    hosted.map(|hosted| hosted.complexity),
                    hosted.map(|hosted| signed(hosted.estimated.micros())),
                    hosted.map(|hosted| signed(hosted.estimated_ms)),
                    principal.as_deref()
                ])?;
            texts::keep(connection, &id.to_string(), &spec.texts)?;
            texts::use_pages(connection, &id.to_string(), &pages)?;
            spend::record(connection, &id.to_string())?;
            Ok(Claim { id, fence: 1 })
        })
        .await
    }

    /// The task as it stands; `None` if there is none with this id, or if it is somebody else's.
    pub(crate) async fn task(&self, id: TaskId) -> Result<Option<TaskView>> {
        let principal = self.principal.clone();
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached(&format!("{VIEW} WHERE task_id = ?1 AND (?2 IS NULL OR principal = ?2)"))?;
            let asked = params![id.to_string(), principal.as_deref()];
            let row = statement.query_row(asked, |row| Ok(view(row))).optional()?;
            row.transpose()
        })
        .await
    }

    /// Tasks, newest first, from the one behind `after` on.
    pub(crate) async fn list(
        &self,
        status: Option<Status>,
        after: Option<(i64, TaskId)>,
        limit: u32,
    ) -> Result<Vec<TaskView>> {
        let principal = self.principal.clone();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(&listing(principal.is_some()))?;
            let (created_ms, id) = after.map(|(created_ms, id)| (created_ms, id.to_string())).unzip();
            let asked =
                params![status.map(Status::name), limit, principal.as_deref().unwrap_or_default(), created_ms, id];
            let rows = statement.query_map(asked, |row| Ok(view(row)))?;
            rows.map(|row| row.map_err(Error::from)?).collect()
        })
        .await
    }

    /// Live tasks of other owners, or of none.
    pub(crate) async fn orphans(&self, me: &str) -> Result<Vec<Orphan>> {
        let me = me.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT task_id, owner, fence, agent IS NOT NULL FROM research_tasks
                 WHERE status IN ('pending', 'running') AND owner IS NOT ?1 ORDER BY created_at",
            )?;
            let rows = statement.query_map([me], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, i64>(2)?, row.get(3)?))
            })?;
            rows.map(|row| {
                let (id, owner, fence, hosted) = row?;
                Ok(Orphan { id: TaskId::parse(&id)?, owner, fence, hosted })
            })
            .collect()
        })
        .await
    }

    /// Takes a task over, unless somebody else was faster.
    pub(crate) async fn claim(&self, orphan: &Orphan, me: &str) -> Result<Fenced<Claim>> {
        let (orphan, me) = (orphan.clone(), me.to_owned());
        self.write(move |connection| {
            let changed = connection
                .prepare_cached(
                    "UPDATE research_tasks SET owner = ?1, fence = fence + 1, updated_at = ?2
                     WHERE task_id = ?3 AND fence = ?4 AND owner IS ?5 AND status IN ('pending', 'running')",
                )?
                .execute(params![me, clock::now_ms(), orphan.id.to_string(), orphan.fence, orphan.owner])?;
            if changed == 0 {
                return Ok(Fenced::Lost);
            }
            charge_lost(connection, orphan.id)?;
            Ok(Fenced::Applied(Claim { id: orphan.id, fence: orphan.fence + 1 }))
        })
        .await
    }

    /// Gives a task back, to be taken by whoever comes. Effects that were stopped in good order do not count as tries.
    pub(crate) async fn release(&self, claim: Claim, to: Release, active_ms: u64) -> Result<Fenced<()>> {
        let owner = match to {
            Release::ToAnybody => None,
            Release::Paused => Some(Hands::PAUSED),
        };
        self.write(move |connection| {
            let changed = connection.execute(
                "UPDATE research_tasks SET owner = ?4, fence = fence + 1, active_ms = ?3
                 WHERE task_id = ?1 AND fence = ?2 AND status IN ('pending', 'running')",
                params![claim.id.to_string(), claim.fence, signed(active_ms), owner],
            )?;
            if changed == 0 {
                return Ok(Fenced::Lost);
            }
            charge_lost(connection, claim.id)?;
            connection.execute(
                "UPDATE effects SET tries = tries - 1
                 WHERE task_id = ?1 AND fence = ?2 AND ended_order IS NULL AND NOT paid",
                params![claim.id.to_string(), claim.fence],
            )?;
            Ok(Fenced::Applied(()))
        })
        .await
    }

    /// Leaves word for the owner that the task is to stop. `false`: there is no such live task.
    pub(crate) async fn request_cancel(&self, id: TaskId, save_partial: bool) -> Result<bool> {
        self.write(move |connection| {
            let changed = connection.execute(
                "UPDATE research_tasks SET cancel_requested = ?2, updated_at = ?3
                 WHERE task_id = ?1 AND status IN ('pending', 'running')",
                params![id.to_string(), if save_partial { "keep" } else { "drop" }, clock::now_ms()],
            )?;
            Ok(changed == 1)
        })
        .await
    }

    /// Live tasks of this owner that somebody wants stopped, and whether to keep what there is.
    pub(crate) async fn cancel_requests(&self, me: &str) -> Result<Vec<(TaskId, bool)>> {
        let me = me.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT task_id, cancel_requested = 'keep' FROM research_tasks
                 WHERE status IN ('pending', 'running') AND owner = ?1 AND cancel_requested IS NOT NULL",
            )?;
            let rows = statement.query_map([me], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
            rows.map(|row| {
                let (id, keep) = row?;
                Ok((TaskId::parse(&id)?, keep))
            })
            .collect()
        })
        .await
    }

    /// Shows how far the task is.
    pub(crate) async fn progress(&self, claim: Claim, progress: Progress) -> Result<Fenced<()>> {
        let tree = if progress.tree.is_empty() { None } else { Some(json(&progress.tree)?) };
        let values = vec![progress.percent.into(), progress.action.into(), tree.into()];
        // A word on what is done now says nothing of the plan.
        self.show(claim, "progress = ?4, current_action = ?5, tree_json = coalesce(?6, tree_json)", values).await
    }

    /// Shows what the task is doing now; how far it is stays.
    pub(crate) async fn action(&self, claim: Claim, action: String) -> Result<Fenced<()>> {
        self.show(claim, "current_action = ?4", vec![action.into()]).await
    }

    /// Sets columns of a live task that are only shown.
    pub(super) async fn show(&self, claim: Claim, columns: &'static str, values: Vec<Value>) -> Result<Fenced<()>> {
        self.write(move |connection| {
            let ours = set_live(connection, claim, columns, values)?;
            Ok(if ours { Fenced::Applied(()) } else { Fenced::Lost })
        })
        .await
    }

    /// Ends a task: its last state, its report, its sources and its ledger, in one transaction. What is final stays.
    /// Whoever ends a hosted task also tells its user: the answer says whether that is wanted.
    pub(crate) async fn finish(&self, claim: Claim, ending: Ending, active_ms: u64) -> Result<Fenced<NotifyUser>> {
        self.write(move |connection| {
            let error = match &ending {
                Ending::Failed { error, .. } => Some(json(error)?),
                Ending::Completed { .. } | Ending::Cancelled { .. } => None,
            };
            let columns = "status = ?4, completed_at = ?3, error_json = ?5, active_ms = ?6, owner = NULL,
                 progress = CASE ?4 WHEN 'completed' THEN 100 ELSE progress END,
                 notified_at = CASE WHEN agent IS NOT NULL AND enable_notifications AND ?4 != 'cancelled' THEN ?3 END";
            let status = ending.status().name().to_owned();
            if !set_live(connection, claim, columns, vec![status.into(), error.into(), signed(active_ms).into()])? {
                return Ok(Fenced::Lost);
            }
            charge_lost(connection, claim.id)?;
            write_result(connection, claim.id, &ending)?;
            spend::record(connection, &claim.id.to_string())?;
            shrink(connection, &claim.id.to_string())?;
            // What nobody heard in time is not heard any more.
            connection.prepare_cached("DELETE FROM steers WHERE task_id = ?1")?.execute([claim.id.to_string()])?;
            let told: bool = connection.query_row(
                "SELECT notified_at IS NOT NULL FROM research_tasks WHERE task_id = ?1",
                [claim.id.to_string()],
                |row| row.get(0),
            )?;
            Ok(Fenced::Applied(if told { NotifyUser::Yes } else { NotifyUser::No }))
        })
        .await
    }

    /// How a task ended; `None` while it has not.
    pub(crate) async fn ending(&self, id: TaskId) -> Result<Option<Ending>> {
        self.read(move |connection| {
            connection
                .prepare_cached(
                    "SELECT ending_bytes, ending_zstd, report_markdown, sources_json, metadata_json
                     FROM research_results WHERE task_id = ?1",
                )?
                .query_row([id.to_string()], |row| Ok(stored_ending(row)))
                .optional()?
                .transpose()
        })
        .await
    }

    /// What a task was asked for. Of one that is over its long texts may be gone; they are empty then. `None`: it cannot be read.
    pub(crate) async fn inputs(&self, id: TaskId) -> Result<Option<TaskSpec>> {
        self.read(move |connection| {
            let spec = connection
                .query_row("SELECT spec_json FROM research_tasks WHERE task_id = ?1", [id.to_string()], |row| {
                    row.get::<_, String>(0)
                })
                .optional()?;
            let Some(spec) = spec else { return Ok(None) };
            Ok(from_json(&texts::unpack_what_is_left(connection, spec)?).ok())
        })
        .await
    }

    /// Everything needed to go on with a task.
    pub(crate) async fn load(&self, id: TaskId) -> Result<Stored> {
        self.read(move |connection| {
            let (spec, active_ms, guest): (String, i64, Option<String>) = connection.query_row(
                "SELECT spec_json, active_ms, principal FROM research_tasks WHERE task_id = ?1",
                [id.to_string()],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )?;
            let journal = super::journal::rows(connection, id)?;
            let spec = from_json(&texts::unpack(connection, spec)?)?;
            Ok(Stored { spec, journal, active_ms: u64::try_from(active_ms).unwrap_or(0), guest })
        })
        .await
    }
}

/// Sets columns of a task that is not over and still has the claim's fence; `false` when it is no longer ours. The values stand
/// from ?4 on; ?3 is the present time.
pub(super) fn set_live(connection: &Connection, claim: Claim, columns: &str, values: Vec<Value>) -> Result<bool> {
    let sql = format!(
        "UPDATE research_tasks SET {columns}, updated_at = ?3
         WHERE task_id = ?1 AND fence = ?2 AND status IN ('pending', 'running')"
    );
    let named: [Value; 3] = [claim.id.to_string().into(), claim.fence.into(), clock::now_ms().into()];
    Ok(connection.prepare_cached(&sql)?.execute(params_from_iter(named.into_iter().chain(values)))? == 1)
}

fn view(row: &Row<'_>) -> Result<TaskView> {
    let (id, status): (String, String) = (row.get(0)?, row.get(4)?);
    let error: Option<String> = row.get(11)?;
    Ok(TaskView {
        id: TaskId::parse(&id)?,
        tool: row.get(1)?,
        query: row.get(2)?,
        engine: row.get(3)?,
        engine_reason: row.get(16)?,
        status: Status::parse(&status)
            .ok_or_else(|| Error::new(Code::StoreCorrupt, format!("a task has the status `{status}`")))?,
        progress: Progress { percent: row.get(5)?, action: row.get(6)?, tree: tree(row.get(24)?), question: None },
        usage: usage(row, 7)?,
        error: error.map(|text| from_json(&text)).transpose()?,
        created_ms: row.get(12)?,
        updated_ms: row.get(13)?,
        completed_ms: row.get(14)?,
        cancel_requested: row.get(15)?,
        hosted: super::hosted::view(row, 17)?,
        hands: Hands::of(row.get(23)?),
    })
}

/// The plan as it was shown last. One that this version cannot read is not shown.
pub(super) fn tree(json: Option<String>) -> Vec<Branch> {
    json.and_then(|json| from_json(&json).ok()).unwrap_or_default()
}

/// Four columns from `first`: tokens in, tokens out, cost, whether there is an unknown cost besides.
pub(super) fn usage(row: &Row<'_>, first: usize) -> rusqlite::Result<Usage> {
    let get = |column| row.get::<_, i64>(column).map(|value| u64::try_from(value).unwrap_or(0));
    Ok(Usage {
        tokens_in: get(first)?,
        tokens_out: get(first + 1)?,
        cost: Usd::from_micros(get(first + 2)?),
        cost_unknown: row.get(first + 3)?,
    })
}

fn report_mut(ending: &mut Ending) -> Option<&mut Report> {
    match ending {
        Ending::Completed { report } => Some(report),
        Ending::Failed { partial, .. } | Ending::Cancelled { partial } => partial.as_mut(),
    }
}

/// The ending of a row: in one piece, or as earlier versions wrote it, with columns for the report's text and sources.
pub(super) fn stored_ending(row: &Row<'_>) -> Result<Ending> {
    if let Some(packed) = row.get::<_, Option<Vec<u8>>>(1)? {
        return from_json(&texts::decompress(row.get(0)?, &packed)?);
    }
    let (markdown, sources, metadata): (Option<String>, String, String) = (row.get(2)?, row.get(3)?, row.get(4)?);
    let mut ending: Ending = from_json(&metadata)?;
    if let Some(report) = report_mut(&mut ending) {
        report.markdown = markdown.unwrap_or_default();
        report.sources = from_json::<Vec<Source>>(&sources)?;
    }
    Ok(ending)
}

fn write_result(connection: &Connection, id: TaskId, ending: &Ending) -> Result<()> {
    let whole = json(ending)?;
    connection.execute(
        "INSERT INTO research_results (task_id, sources_json, metadata_json, ending_bytes, ending_zstd)
         VALUES (?1, '', '', ?2, ?3)",
        params![id.to_string(), signed(whole.len() as u64), texts::compress(&whole)?],
    )?;
    if let Some(report) = ending.report() {
        super::archive::write_sources(connection, id, report)?;
    }
    Ok(())
}

/// SQLite has signed integers only; a sum that large is no sum of ours.
pub(super) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::new(Code::Internal, format!("cannot be stored: {error}")))
}

pub(super) fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        Error::new(Code::StoreCorrupt, format!("a row cannot be read by this version of hadal: {error}"))
    })
}
