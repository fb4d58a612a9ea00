//! What stands in the database, for tests that look there.

use rusqlite::{Connection, Row};
use serde_json::{Value, json};

/// How a task ended, in the form of today or in that of earlier versions: text and sources in columns of their own.
pub(crate) fn ending(database: &Connection, id: &str) -> Value {
    type Columns = (Option<u32>, Option<Vec<u8>>, Option<String>, String, String);
    let sql = "SELECT ending_bytes, ending_zstd, report_markdown, sources_json, metadata_json FROM research_results
               WHERE task_id = ?1";
    let columns = |row: &Row<'_>| -> rusqlite::Result<Columns> {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
    };
    let (bytes, packed, markdown, sources, metadata) = database.query_row(sql, [id], columns).unwrap();
    if let Some(packed) = packed {
        let json = zstd::bulk::decompress(&packed, bytes.unwrap() as usize).unwrap();
        return serde_json::from_slice(&json).unwrap();
    }
    let mut ending: Value = serde_json::from_str(&metadata).unwrap();
    let report = if ending["report"].is_object() { &mut ending["report"] } else { &mut ending["partial"] };
    if report.is_object() {
        report["markdown"] = json!(markdown);
        report["sources"] = serde_json::from_str(&sources).unwrap();
    }
    ending
}
