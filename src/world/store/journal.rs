//! The effect journal: a row before an effect runs, its outcome after, and the task's sums with it.

use rusqlite::{Connection, params};

use super::tasks::{from_json, json, set_live, signed, usage};
use super::{Claim, Fenced, Store, spend, texts};
use crate::core::agent::RunProgress;
use crate::core::base::error::Result;
use crate::core::base::id::TaskId;
use crate::core::journal::{Body, End, Row};
use crate::core::money::budget::Cap;
use crate::core::money::repeat::Repeat;
use crate::core::money::usage::Usage;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::world::clock;

/// Writes what happened to a task beside its effects, at its place in their order. False: the task is in other hands.
pub(super) fn event(
    connection: &Connection,
    claim: Claim,
    (no, order): (u32, u32),
    body: &str,
    active_ms: u64,
) -> Result<bool> {
    if !touch(connection, claim, Some((Usage::ZERO, active_ms)))? {
        return Ok(false);
    }
    connection.execute(
        "INSERT INTO effects (task_id, no, body_json, paid, tries, fence, started_at, ended_at, ended_order)
         VALUES (?1, ?2, ?3, 0, 1, ?4, ?5, ?5, ?6) ON CONFLICT (task_id, no) DO NOTHING",
        params![claim.id.to_string(), no, body, claim.fence, clock::now_ms(), order],
    )?;
    Ok(true)
}

impl Store {
    /// Writes that an effect is about to run. Returns how often it has now been started.
    pub(crate) async fn begin(&self, claim: Claim, no: u32, effect: &Effect) -> Result<Fenced<u32>> {
        let policy = effect.policy();
        let (paid, expected) = (policy.repeat == Repeat::Never, policy.expected);
        let body = texts::pack(json(&Body::Effect(effect.clone()))?)?;
        self.write(move |connection| {
            if !touch(connection, claim, None)? {
                return Ok(Fenced::Lost);
            }
            texts::keep(connection, &claim.id.to_string(), &body.texts)?;
            let tries = connection
                .prepare_cached(
                    "INSERT INTO effects (task_id, no, body_json, paid, tries, begun, fence, started_at,
                                          expected_in, expected_out, expected_micros)
                     VALUES (?1, ?2, ?3, ?4, 1, 1, ?5, ?6, ?7, ?8, ?9)
                     ON CONFLICT (task_id, no) DO UPDATE SET tries = tries + 1, begun = begun + 1, fence = ?5,
                         started_at = ?6, expected_in = ?7, expected_out = ?8, expected_micros = ?9
                     RETURNING tries",
                )?
                .query_row(
                    params![
                        claim.id.to_string(),
                        no,
                        body.json,
                        paid,
                        claim.fence,
                        clock::now_ms(),
                        signed(expected.tokens_in),
                        signed(expected.tokens_out),
                        signed(expected.cost.micros())
                    ],
                    |row| row.get(0),
                )?;
            Ok(Fenced::Applied(tries))
        })
        .await
    }

    /// Writes how an effect ended, what it used, and the task's new sums. The effect itself goes along for the case
    /// that its beginning could not be written.
    pub(crate) async fn end(
        &self,
        claim: Claim,
        no: u32,
        effect: Option<&Effect>,
        end: End,
        active_ms: u64,
    ) -> Result<Fenced<()>> {
        let outcome = end.outcome.as_ref().map(|outcome| texts::pack(json(outcome)?)).transpose()?;
        let interaction = end.outcome.as_ref().and_then(Outcome::interaction).map(str::to_owned);
        let body = effect.map(|effect| texts::pack(json(&Body::Effect(effect.clone()))?)).transpose()?;
        let live = end.outcome.as_ref().and_then(over_at_once).map(|live| json(&live)).transpose()?;
        self.write(move |connection| {
            if !touch(connection, claim, Some((end.usage, active_ms)))? {
                return Ok(Fenced::Lost);
            }
            for packed in outcome.iter().chain(&body) {
                texts::keep(connection, &claim.id.to_string(), &packed.texts)?;
            }
            if let Some(interaction) = &interaction {
                connection.execute(
                    "UPDATE research_tasks SET interaction_id = ?2, live_json = coalesce(?3, live_json)
                     WHERE task_id = ?1",
                    params![claim.id.to_string(), interaction, live],
                )?;
            }
            if let Some(body) = &body {
                connection
                    .prepare_cached(
                        "INSERT INTO effects (task_id, no, body_json, paid, tries, fence, started_at)
                         VALUES (?1, ?2, ?3, 0, 1, ?4, ?5) ON CONFLICT (task_id, no) DO NOTHING",
                    )?
                    .execute(params![claim.id.to_string(), no, body.json, claim.fence, clock::now_ms()])?;
            }
            connection
                .prepare_cached(
                    "UPDATE effects SET ended_at = ?3, ended_order = ?4, outcome_json = ?5, tokens_in = tokens_in + ?6,
                     tokens_out = tokens_out + ?7, cost_micros = cost_micros + ?8, cost_unknown = cost_unknown OR ?9
                     WHERE task_id = ?1 AND no = ?2 AND ended_order IS NULL",
                )?
                .execute(params![
                    claim.id.to_string(),
                    no,
                    clock::now_ms(),
                    end.order,
                    outcome.as_ref().map(|outcome| &outcome.json),
                    signed(end.usage.tokens_in),
                    signed(end.usage.tokens_out),
                    signed(end.usage.cost.micros()),
                    end.usage.cost_unknown
                ])?;
            spend::record(connection, &claim.id.to_string())?;
            Ok(Fenced::Applied(()))
        })
        .await
    }

    /// Writes that a cap was reached.
    pub(crate) async fn cap(&self, claim: Claim, no: u32, order: u32, cap: Cap, active_ms: u64) -> Result<Fenced<()>> {
        let body = json(&Body::Cap { cap })?;
        self.write(move |connection| {
            let written = event(connection, claim, (no, order), &body, active_ms)?;
            Ok(if written { Fenced::Applied(()) } else { Fenced::Lost })
        })
        .await
    }
}

/// A run that was over when it was seen first: whoever waits for its start can wait for its end.
fn over_at_once(outcome: &Outcome) -> Option<RunProgress> {
    match outcome {
        Outcome::Run(run) if run.status.is_over() => {
            Some(RunProgress { last: run.as_ref().clone(), moved_ms: clock::now_ms(), ..RunProgress::default() })
        }
        _ => None,
    }
}

/// Checks the fence and adds to the task's sums; `false` when the task is no longer ours.
pub(super) fn touch(connection: &Connection, claim: Claim, used: Option<(Usage, u64)>) -> Result<bool> {
    let (usage, active_ms) = used.unwrap_or((Usage::ZERO, 0));
    let columns = "status = 'running', tokens_in = tokens_in + ?4, tokens_out = tokens_out + ?5,
         cost_micros = cost_micros + ?6, active_ms = max(active_ms, ?7), cost_unknown = cost_unknown OR ?8";
    let values = [usage.tokens_in, usage.tokens_out, usage.cost.micros(), active_ms];
    let values = values.into_iter().map(|value| signed(value).into()).chain([usage.cost_unknown.into()]);
    set_live(connection, claim, columns, values.collect())
}

/// Charges the starts whose ends were lost with what they were expected to use. The far side may have billed them, and nobody can
/// say any more. Each is charged once, whoever comes by. Of a paid start the method decides: it is told that the end is unknown.
pub(super) fn charge_lost(connection: &Connection, id: TaskId) -> Result<()> {
    let id = id.to_string();
    let lost: (i64, i64, i64) = connection
        .prepare_cached(
            "SELECT coalesce(sum((begun - charged) * expected_in), 0), coalesce(sum((begun - charged) * expected_out), 0),
                    coalesce(sum((begun - charged) * expected_micros), 0)
             FROM effects WHERE task_id = ?1 AND ended_order IS NULL AND begun > charged AND NOT paid",
        )?
        .query_row([&id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    connection
        .prepare_cached(
            "UPDATE effects SET tokens_in = tokens_in + (begun - charged) * expected_in,
             tokens_out = tokens_out + (begun - charged) * expected_out,
             cost_micros = cost_micros + (begun - charged) * expected_micros, charged = begun
             WHERE task_id = ?1 AND ended_order IS NULL AND begun > charged AND NOT paid",
        )?
        .execute([&id])?;
    connection
        .prepare_cached(
            "UPDATE research_tasks SET tokens_in = tokens_in + ?2, tokens_out = tokens_out + ?3,
             cost_micros = cost_micros + ?4 WHERE task_id = ?1",
        )?
        .execute(params![id, lost.0, lost.1, lost.2])?;
    spend::record(connection, &id)
}

/// Leaves of the journal of a task that is over what it did and what that cost. What its steps were told and brought is in the
/// report as far as it counts, and nothing replays it any more.
pub(super) fn shrink(connection: &Connection, id: &str) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE effects SET outcome_json = NULL,
                 body_json = CASE WHEN NOT json_valid(body_json) THEN '{}'
                     WHEN json_extract(body_json, '$.row') = 'effect'
                     THEN json_object('row', 'effect', 'effect', json_extract(body_json, '$.effect')) ELSE body_json END
             WHERE task_id = ?1",
        )?
        .execute([id])?;
    // Its counts are still shown; what there was of the report is in the ending.
    connection
        .prepare_cached(
            "UPDATE research_tasks SET live_json = json_set(live_json, '$.last.text', '', '$.last.sources', json('[]'),
                 '$.last.queries', json('[]'), '$.last.pages', json('[]'), '$.last.unread', json('[]'),
                 '$.last.thoughts', json('[]'))
             WHERE task_id = ?1 AND CASE WHEN json_valid(live_json) THEN json_type(live_json, '$.last') = 'object' END",
        )?
        .execute([id])?;
    texts::let_go(connection, id)
}

pub(super) fn rows(connection: &Connection, id: TaskId) -> Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(
        "SELECT no, body_json, tries, ended_order, outcome_json, tokens_in, tokens_out, cost_micros, cost_unknown
         FROM effects WHERE task_id = ?1 ORDER BY no",
    )?;
    let rows = statement.query_map([id.to_string()], |row| {
        Ok((
            row.get::<_, u32>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, u32>(2)?,
            row.get::<_, Option<u32>>(3)?,
            row.get::<_, Option<String>>(4)?,
            usage(row, 5)?,
        ))
    })?;
    rows.map(|row| {
        let (no, body, tries, order, outcome, usage) = row?;
        let (body, outcome) =
            (texts::unpack(connection, body)?, outcome.map(|outcome| texts::unpack(connection, outcome)).transpose()?);
        // A row that another version wrote is the replay's business: what came before it still counts.
        let read = from_json(&body).and_then(|body: Body| {
            let outcome: Option<Outcome> = outcome.map(|text| from_json(&text)).transpose()?;
            Ok((body, outcome))
        });
        let (body, outcome) = read.unwrap_or_else(|error| (Body::Unreadable(error.message), None));
        let end = order.map(|order| End { order, outcome, usage });
        let lost = if end.is_some() { Usage::ZERO } else { usage };
        Ok(Row { no, body, tries, lost, end })
    })
    .collect()
}
