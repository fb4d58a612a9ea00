//! A database whose list of tables is damaged. What a row is can be seen by its columns, because hadal knows every table that it ever
//! made: each whole page with rows is read, and they are put where they belong.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::pages_of_file::{Kind, Page, PageFile};
use super::salvage::{Saved, TABLES, keep_report, placeholder};
use super::schema;
use crate::core::base::sorting::sort_by_key;

/// A table as the versions of hadal made it.
struct Shape {
    table: &'static str,
    columns: Vec<Column>,
    /// How many columns it had, and since which version.
    widths: BTreeMap<usize, usize>,
}

struct Column {
    name: String,
    kind: Kind,
    may_be_null: bool,
}

impl Shape {
    /// Whether a row of these kinds can be one of the table.
    fn fits(&self, kinds: &[Kind]) -> bool {
        self.widths.contains_key(&kinds.len())
            && self.columns.iter().zip(kinds).all(|(column, kind)| match kind {
                Kind::Null => column.may_be_null,
                kind => *kind == column.kind,
            })
    }
}

/// Whether a database lacks a table of its version.
pub(super) fn is_lost(old: &Connection, version: usize) -> bool {
    let Ok(shapes) = shapes() else { return false };
    let has = |shape: &Shape| old.prepare(&format!("SELECT 1 FROM {}", shape.table)).is_ok();
    let of_version = |shape: &&Shape| version == 0 || shape.widths.values().any(|since| *since <= version);
    shapes.iter().filter(of_version).any(|shape| !has(shape))
}

/// The rows of a file whose list of tables is lost.
pub(super) struct Found {
    file: PageFile,
    shapes: Vec<Shape>,
    /// The leaves of each table, those that a tree leads to first: others may be left over from an earlier state.
    leaves: BTreeMap<usize, Vec<u32>>,
    /// The oldest version that made such rows.
    pub(super) version: usize,
}

/// Looks at every page of a file.
pub(super) fn find(path: &Path) -> rusqlite::Result<Found> {
    let file = PageFile::open(path).map_err(|_unreadable| rusqlite::Error::InvalidPath(path.to_owned()))?;
    let shapes = shapes()?;
    let (mut leaves, mut below, mut version) = (Vec::new(), Vec::new(), 0);
    for number in 1..=file.count {
        let bytes = file.bytes(number);
        match file.look(number, &bytes) {
            Page::Leaf(places) => {
                let kinds = places.iter().filter_map(|place| file.kinds(&bytes, *place));
                let of = |kinds: Vec<Kind>| {
                    let at = shapes.iter().position(|shape| shape.fits(&kinds))?;
                    Some((at, *shapes.get(at)?.widths.get(&kinds.len())?))
                };
                let mut first = None;
                for (at, since) in kinds.filter_map(of) {
                    first = first.or(Some(at));
                    version = version.max(since);
                }
                leaves.extend(first.map(|at| (at, number)));
            }
            Page::Interior(pages) => below.extend(pages),
            Page::Other => {}
        }
    }
    below.sort_unstable();
    let mut of_table: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (at, number) in leaves {
        of_table.entry(at).or_default().push(number);
    }
    for pages in of_table.values_mut() {
        sort_by_key(pages, |number| below.binary_search(number).is_err());
    }
    Ok(Found { file, shapes, leaves: of_table, version })
}

impl Found {
    /// Puts all rows into a new database.
    pub(super) fn save(&self, new: &Connection) -> rusqlite::Result<Vec<Saved>> {
        let mut all = Vec::new();
        for (at, shape) in self.shapes.iter().enumerate() {
            let Some(leaves) = self.leaves.get(&at) else { continue };
            let mut saved = Saved { table: shape.table, rows: 0, holes: 0, strangers: 0 };
            new.execute_batch("BEGIN IMMEDIATE")?;
            let put = leaves.iter().try_for_each(|number| self.put_page(new, shape, *number, &mut saved));
            new.execute_batch("COMMIT")?;
            put?;
            all.push(saved);
        }
        Ok(all)
    }

    fn put_page(&self, new: &Connection, shape: &Shape, number: u32, saved: &mut Saved) -> rusqlite::Result<()> {
        let bytes = self.file.bytes(number);
        let Page::Leaf(places) = self.file.look(number, &bytes) else { return Ok(()) };
        for place in places {
            let fits = self.file.kinds(&bytes, place).is_some_and(|kinds| shape.fits(&kinds));
            let Some(row) = fits.then(|| self.file.row(&bytes, place)).flatten() else {
                saved.holes += 1;
                continue;
            };
            if shape.table == "research_results" {
                keep_report(new, &row.values);
            }
            match put(new, shape, &row.values) {
                // There already: an earlier state of the same row.
                Ok(0) => {}
                Ok(_) => saved.rows += 1,
                Err(rusqlite::Error::SqliteFailure(error, _))
                    if error.code == rusqlite::ErrorCode::ConstraintViolation =>
                {
                    saved.strangers += 1;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Puts a row in. Columns that its version did not have yet get what a later version gives them.
fn put(new: &Connection, shape: &Shape, row: &[Value]) -> rusqlite::Result<usize> {
    let names: Vec<&str> = shape.columns.iter().take(row.len()).map(|column| column.name.as_str()).collect();
    let values: Vec<String> = (1..).zip(&names).map(|(place, name)| placeholder(shape.table, name, place)).collect();
    let sql = format!("INSERT OR IGNORE INTO {} ({}) VALUES ({})", shape.table, names.join(", "), values.join(", "));
    new.prepare_cached(&sql)?.execute(params_from_iter(row))
}

/// The tables of all versions.
fn shapes() -> rusqlite::Result<Vec<Shape>> {
    let mut shapes: Vec<Shape> =
        TABLES.iter().map(|table| Shape { table, columns: Vec::new(), widths: BTreeMap::new() }).collect();
    for version in 1..=usize::try_from(schema::newest()).unwrap_or_default() {
        // It is never written to a disk.
        let made = Connection::open_in_memory()?;
        schema::make(&made, version)?;
        for shape in &mut shapes {
            shape.columns = columns(&made, shape.table)?;
            if !shape.columns.is_empty() {
                shape.widths.entry(shape.columns.len()).or_insert(version);
            }
        }
    }
    Ok(shapes)
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<Column>> {
    let mut statement = connection.prepare("SELECT name, type, \"notnull\" FROM pragma_table_info(?1)")?;
    let column = |row: &rusqlite::Row<'_>| {
        let kind: String = row.get(1)?;
        Ok(Column {
            name: row.get(0)?,
            kind: match kind.as_str() {
                "INTEGER" => Kind::Integer,
                "BLOB" => Kind::Blob,
                "REAL" => Kind::Real,
                _ => Kind::Text,
            },
            may_be_null: row.get::<_, i64>(2)? == 0,
        })
    };
    statement.query_map([table], column)?.collect()
}
