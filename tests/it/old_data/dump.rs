//! A database as SQL text that makes the same database again: the schema as it was, then a line or more for each row.

use std::fmt::Write;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// The whole database as text.
pub(super) fn dump(database: &Connection) -> String {
    let mut text = String::new();
    for name in ["application_id", "user_version"] {
        let value: i64 = database.pragma_query_value(None, name, |row| row.get(0)).unwrap();
        writeln!(text, "PRAGMA {name}={value};").unwrap();
    }
    let made = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, rowid";
    let mut statement = database.prepare(made).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let schema: Vec<(String, String, String)> = rows.map(Result::unwrap).collect();
    for (_, _, sql) in &schema {
        writeln!(text, "{sql};").unwrap();
    }
    for (_, table, _) in schema.iter().filter(|(kind, _, _)| kind == "table") {
        rows_of(database, table, &mut text);
    }
    text
}

fn rows_of(database: &Connection, table: &str, text: &mut String) {
    let mut statement = database.prepare(&format!("SELECT * FROM {table} ORDER BY rowid")).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let values: Vec<String> = (0..columns).map(|column| literal(row.get_ref(column).unwrap())).collect();
        writeln!(text, "INSERT INTO {table} VALUES({});", values.join(",")).unwrap();
    }
}

/// A value as SQL reads it back, to the byte.
fn literal(value: ValueRef<'_>) -> String {
    let hex = |bytes: &[u8]| bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02X}"));
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => format!("{number:?}"),
        // SQL text ends at a zero byte.
        ValueRef::Text(bytes) if bytes.contains(&0) => format!("CAST(X'{}' AS TEXT)", hex(bytes)),
        ValueRef::Text(bytes) => format!("'{}'", std::str::from_utf8(bytes).unwrap().replace('\'', "''")),
        ValueRef::Blob(bytes) => format!("X'{}'", hex(bytes)),
    }
}

/// Makes the database of a text, at a path where there is none.
pub(super) fn load(path: &Path, text: &str) -> Connection {
    let database = Connection::open(path).unwrap();
    // Rows come table by table, whichever they point to.
    database.execute_batch("PRAGMA foreign_keys=OFF; PRAGMA journal_mode=WAL; BEGIN;").unwrap();
    database.execute_batch(text).unwrap();
    database.execute_batch("COMMIT; PRAGMA foreign_keys=ON;").unwrap();
    let strangers: i64 =
        database.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
    assert_eq!(strangers, 0, "rows that point nowhere");
    database
}

/// What is dumped and loaded is the same, whatever is in it.
#[test]
fn a_loaded_dump_is_the_same_database() {
    let home = tempfile::tempdir().unwrap();
    let first = Connection::open_in_memory().unwrap();
    first
        .execute_batch(
            "PRAGMA application_id=7; PRAGMA user_version=2;
             CREATE TABLE a (id TEXT PRIMARY KEY, b BLOB, n INTEGER, r REAL) STRICT; CREATE INDEX by_n ON a (n);
             INSERT INTO a VALUES('it''s {\"x\": \"\\n\"}\n深海', X'00FF27', -9, 0.1), (CAST(X'6100C3A9' AS TEXT), NULL, NULL, 2.0);",
        )
        .unwrap();
    let text = dump(&first);
    assert_eq!(text.matches("INSERT").count(), 2, "{text}");
    assert_eq!(dump(&load(&home.path().join("copy.db"), &text)), text);
}
