//! Reading what can be read of a damaged database, table by table, around the damaged pages.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::tasks::stored_ending;
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::world::clock;

/// Parents before children, so that references hold. What is not here is made from these.
pub(super) const TABLES: &[&str] = &[
    "research_tasks",
    "pages",
    "research_results",
    "effects",
    "steers",
    "sources",
    "claims",
    "calibration",
    "spend",
    "upkeep",
];

/// What was saved of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) table: &'static str,
    pub(crate) rows: u64,
    /// Places at which something could not be read; nobody can say how many rows were there.
    pub(crate) holes: u64,
    /// Rows that were read and belong to nothing any more.
    pub(crate) strangers: u64,
}

/// Copies what can be read into a new database of the same version.
pub(super) fn salvage(old: &Connection, new: &Connection) -> rusqlite::Result<Vec<Saved>> {
    let mut all = Vec::new();
    for table in TABLES {
        let columns = columns(new, table)?;
        if columns.is_empty() {
            continue;
        }
        let mut saved = Saved { table, rows: 0, holes: 0, strangers: 0 };
        new.execute_batch("BEGIN IMMEDIATE")?;
        let copied = copy(old, new, &columns, &mut saved);
        new.execute_batch("COMMIT")?;
        copied?;
        all.push(saved);
    }
    Ok(all)
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    statement.query_map([table], |row| row.get(0))?.collect()
}

fn copy(old: &Connection, new: &Connection, columns: &[String], saved: &mut Saved) -> rusqlite::Result<()> {
    let table = saved.table;
    let values: Vec<String> = (1..).zip(columns).map(|(place, column)| placeholder(table, column, place)).collect();
    let mut insert =
        new.prepare(&format!("INSERT OR IGNORE INTO {table} ({}) VALUES ({})", columns.join(", "), values.join(", ")))?;
    let reader = Reader { old, table, columns };
    reader.read_all(saved, |row| {
        if table == "research_results" {
            keep_report(new, row);
        }
        insert.execute(params_from_iter(row)).unwrap_or(0) == 1
    });
    Ok(())
}

/// How the value of a column is put in.
pub(super) fn placeholder(table: &str, column: &str, place: usize) -> String {
    match (table, column) {
        // A source outlives its page, and says so.
        ("sources", "page") => format!("(SELECT hash FROM pages WHERE hash = ?{place})"),
        _ => format!("?{place}"),
    }
}

/// A report whose task could not be read gets a task that says so.
pub(super) fn keep_report(new: &Connection, row: &[Value]) {
    let Some(Value::Text(id)) = row.first() else { return };
    let status = new
        .query_row(
            "SELECT ?1, ?2, ?3, ?4, ?5",
            // In the order in which an ending is read; files of earlier versions have three of the columns.
            params_from_iter([4, 5, 1, 2, 3].map(|place| row.get(place).cloned().unwrap_or(Value::Null))),
            |row| Ok(stored_ending(row)),
        )
        .map(|ending: Result<_>| ending.map_or("completed", |ending| ending.status().name()))
        .unwrap_or("completed");
    // It is there already, or it cannot be kept.
    let _kept = new.execute(
        "INSERT OR IGNORE INTO research_tasks (task_id, query, status, tool, engine, spec_json, fence, created_at, updated_at,
             completed_at)
         VALUES (?1, '(the question was lost with a damaged part of the database)', ?2, 'deep_research', 'extractive', '{}', 1,
             ?3, ?3, ?3)",
        rusqlite::params![id, status, clock::now_ms()],
    );
}

/// Reads a table in the order of its row ids.
struct Reader<'a> {
    old: &'a Connection,
    table: &'a str,
    columns: &'a [String],
}

/// What stands at and behind a row id.
enum Look {
    /// Rows, at least one, and whether there may be more behind them.
    Rows(i64),
    Nothing,
    Damage,
}

impl Reader<'_> {
    /// Hands over every row that can be read. A damaged place is left out.
    fn read_all(&self, saved: &mut Saved, mut take: impl FnMut(&[Value]) -> bool) {
        let mut next = Some(i64::MIN);
        while let Some(from) = next {
            next = match self.read(from, saved, &mut take) {
                Look::Rows(last) => last.checked_add(1),
                Look::Nothing => None,
                Look::Damage => {
                    saved.holes += 1;
                    self.behind(from)
                }
            };
        }
    }

    /// Rows from a row id on, up to the end or the next damaged place.
    fn read(&self, from: i64, saved: &mut Saved, take: &mut impl FnMut(&[Value]) -> bool) -> Look {
        let sql =
            format!("SELECT rowid, {} FROM {} WHERE rowid >= ?1 ORDER BY rowid", self.columns.join(", "), self.table);
        let Ok(mut statement) = self.old.prepare(&sql) else { return Look::Nothing };
        let Ok(mut rows) = statement.query([from]) else { return Look::Damage };
        let mut last = None;
        loop {
            match rows.next() {
                Ok(Some(row)) => {
                    let values: rusqlite::Result<Vec<Value>> =
                        (1..=self.columns.len()).map(|column| row.get(column)).collect();
                    match (row.get(0), values) {
                        (Ok(id), Ok(values)) => {
                            last = Some(id);
                            if take(&values) { saved.rows += 1 } else { saved.strangers += 1 }
                        }
                        _ => return last.map_or(Look::Damage, Look::Rows),
                    }
                }
                Ok(None) => return last.map_or(Look::Nothing, Look::Rows),
                Err(_) => return last.map_or(Look::Damage, Look::Rows),
            }
        }
    }

    /// The first row id behind a damaged place from which on something can be read. Each of the next ids is tried, so that what stands
    /// between two damaged places is found; behind a large hole the steps grow, and the first good id is found by halves.
    fn behind(&self, damaged: i64) -> Option<i64> {
        // Row ids begin at one.
        let (mut at, mut step, mut looks) = (damaged.max(0), 1_i64, 0_u32);
        loop {
            at = at.checked_add(step)?;
            match self.look(at) {
                Look::Damage => {}
                Look::Rows(_) => return Some(self.first_good(at - step, at)),
                Look::Nothing if step == 1 => return None,
                // What is behind the last damaged place is at most a step away.
                Look::Nothing => return Some(self.first_good(at - step, at)),
            }
            looks += 1;
            if looks > limits::REPAIR_LOOKS && looks.is_multiple_of(limits::REPAIR_LOOKS_EACH) {
                step = step.saturating_mul(2);
            }
        }
    }

    /// The first of the ids behind a damaged one from which on nothing is damaged up to a good one.
    fn first_good(&self, mut bad: i64, mut good: i64) -> i64 {
        while good - bad > 1 {
            let middle = bad + (good - bad) / 2;
            match self.look(middle) {
                Look::Damage => bad = middle,
                Look::Rows(_) | Look::Nothing => good = middle,
            }
        }
        good
    }

    /// Whether a row can be read at or behind a row id.
    fn look(&self, from: i64) -> Look {
        let sql = format!(
            "SELECT rowid, {} FROM {} WHERE rowid >= ?1 ORDER BY rowid LIMIT 1",
            self.columns.join(", "),
            self.table
        );
        let read = self.old.prepare_cached(&sql).and_then(|mut statement| {
            let mut rows = statement.query([from])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            for column in 1..=self.columns.len() {
                row.get::<_, Value>(column)?;
            }
            row.get::<_, i64>(0).map(Some)
        });
        match read {
            Ok(Some(id)) => Look::Rows(id),
            Ok(None) => Look::Nothing,
            Err(_) => Look::Damage,
        }
    }
}
