//! Damaged files of every version.

use std::fs;

use super::*;
use crate::core::base::id::TaskId;
use crate::core::evidence::passage::Reach;
use crate::core::method::TaskSpec;
use crate::core::task::Ending;
use crate::core::task::effect::Effect;
use crate::world::store::tests::{report, spec};
use crate::world::store::{Fenced, Store};

const ROWS: i64 = 60;
const PAGE: usize = 4_096;

/// A file as a version of hadal left it, with some rows in every table, and an own row for each id.
fn file_of(path: &Path, version: usize) {
    #[expect(clippy::disallowed_methods, reason = "the file is made as an earlier version did")]
    let made = Connection::open(path).unwrap();
    schema::make(&made, version).unwrap();
    made.execute_batch("BEGIN").unwrap();
    let text = |no: i64| format!("{no} ").repeat(150);
    for no in 1..=ROWS {
        let id = TaskId::from_random(u128::try_from(no).unwrap()).to_string();
        let ending = crate::world::store::tasks::json(&Ending::Cancelled { partial: None }).unwrap();
        for (sql, value) in [
            ("INSERT INTO research_tasks (task_id, query, status, completed_at, tool, engine, spec_json, fence, created_at, updated_at)
              VALUES (?1, ?2, 'cancelled', 9, 't', 'e', '{}', 1, 5, 5)", text(no)),
            ("INSERT INTO research_results (task_id, report_markdown, sources_json, metadata_json) VALUES (?1, NULL, '[]', ?2)", ending),
            ("INSERT INTO effects (task_id, no, body_json, paid, tries, fence, started_at) VALUES (?1, 0, ?2, 0, 1, 1, 5)", text(no)),
            ("INSERT INTO pages (hash, bytes, text_zstd, archived_at) VALUES (?1, 3, CAST(?2 AS BLOB), 5)", text(no)),
            ("INSERT INTO sources (task_id, number, title, location, page) VALUES (?1, 1, ?2, 'here', ?1)", text(no)),
        ] {
            made.execute(sql, [&id, &value]).unwrap();
        }
    }
    made.execute_batch("COMMIT").unwrap();
}

/// What stands on a page of the file: the table or index, whether it is a leaf, and its rows.
fn pages(path: &Path) -> Vec<(usize, String, bool, i64)> {
    let file = open_as_it_is(path).unwrap();
    let mut statement =
        file.prepare("SELECT pageno, name, pagetype = 'leaf', ncell FROM dbstat ORDER BY pageno").unwrap();
    let rows =
        statement.query_map([], |row| Ok((row.get::<_, u32>(0)? as usize, row.get(1)?, row.get(2)?, row.get(3)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

fn saved_of(repaired: &Repaired, table: &str) -> i64 {
    let saved = repaired.saved.iter().find(|saved| saved.table == table);
    i64::try_from(saved.map_or(0, |saved| saved.rows)).unwrap()
}

/// PR-04: whichever version wrote the file and whichever page is damaged, every row of the other pages is saved, and the new file is
/// one of this version.
#[test]
fn a_damaged_page_costs_its_own_rows() {
    for version in 1..=usize::try_from(schema::newest()).unwrap() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hadal.db");
        file_of(&path, version);
        let whole = fs::read(&path).unwrap();
        let tables = ["research_tasks", "research_results", "effects", "pages", "sources"];
        let pages = pages(&path);
        for table in tables {
            let leaves: Vec<_> = pages.iter().filter(|(_, name, leaf, _)| name == table && *leaf).collect();
            assert!(leaves.len() > 1, "{table} of version {version} has one page");
            // The first leaf, one of the middle, or the last.
            let place = [0, leaves.len() / 2, leaves.len() - 1][version % 3];
            let (number, _, _, rows) = leaves[place];
            let mut damaged = whole.clone();
            damaged[(number - 1) * PAGE..number * PAGE].fill([0xff, 0x00, 0x5a][(version + number) % 3]);
            let _none = fs::remove_file(dir.path().join("hadal.db-wal"));
            fs::write(&path, &damaged).unwrap();
            let repaired = Store::repair(dir.path()).unwrap().expect("it is damaged");
            let what = format!("page {number} of {table}, version {version}: {}", repaired.summary());
            assert_eq!(fs::read(&repaired.kept).unwrap(), damaged, "{what}");
            for other in tables {
                let lost = match (table, other) {
                    (damaged, other) if damaged == other => *rows,
                    // Without its task a row has nobody to belong to; a report gets a task that says so.
                    ("research_tasks", "effects" | "sources") => *rows,
                    _ => 0,
                };
                let left = saved_of(&repaired, other);
                assert!(left >= ROWS - lost, "{left} rows of {other}; {what}");
            }
            drop(Store::open(dir.path()).unwrap());
            assert_eq!(Store::repair(dir.path()).unwrap(), None, "what is repaired is sound: {what}");
            let new = open_as_it_is(&path).unwrap();
            let count = |sql: &str| new.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
            assert_eq!(count("SELECT user_version FROM pragma_user_version"), schema::newest());
            let reports = count("SELECT count(*) FROM research_results JOIN research_tasks USING (task_id)");
            assert!(
                reports >= if table == "research_results" { ROWS - rows } else { ROWS },
                "{reports} reports; {what}"
            );
            drop(new);
            fs::remove_file(repaired.kept).unwrap();
        }
    }
}

/// PR-04: the list of tables is not needed. Whichever version wrote the file, with a damaged page of the list, with all of the first page
/// gone and with none of the list left, every row is saved.
#[test]
fn a_lost_list_of_tables_costs_no_row() {
    for version in 1..=usize::try_from(schema::newest()).unwrap() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hadal.db");
        file_of(&path, version);
        let whole = fs::read(&path).unwrap();
        let of_list: Vec<usize> =
            pages(&path).iter().filter(|(_, name, ..)| name == "sqlite_schema").map(|(page, ..)| *page).collect();
        let body = |page: usize| if page == 1 { 100..PAGE } else { (page - 1) * PAGE..page * PAGE };
        let mut damages: Vec<Vec<std::ops::Range<usize>>> = of_list.iter().map(|page| vec![body(*page)]).collect();
        damages.push(std::iter::once(0..PAGE).collect());
        damages.push(of_list.iter().map(|page| (page - 1) * PAGE..page * PAGE).collect());
        for (no, damage) in damages.into_iter().enumerate() {
            let mut damaged = whole.clone();
            for range in &damage {
                damaged[range.clone()].fill([0xa5, 0x00, 0x0d][no % 3]);
            }
            let _none = fs::remove_file(dir.path().join("hadal.db-wal"));
            fs::write(&path, &damaged).unwrap();
            let repaired = Store::repair(dir.path()).unwrap().expect("it is damaged");
            let what = format!("{damage:?}, version {version}: {}", repaired.summary());
            assert_eq!(fs::read(&repaired.kept).unwrap(), damaged, "{what}");
            for table in ["research_tasks", "research_results", "effects", "pages", "sources"] {
                assert_eq!(saved_of(&repaired, table), ROWS, "{table}; {what}");
            }
            assert_eq!(Store::repair(dir.path()).unwrap(), None, "what is repaired is sound: {what}");
            let new = open_as_it_is(&path).unwrap();
            let texts = "SELECT count(*) FROM research_tasks JOIN effects USING (task_id) JOIN sources USING (task_id)
                           JOIN pages ON page = hash WHERE query = body_json AND query = title AND query = CAST(text_zstd AS TEXT)
                            AND length(query) > 100";
            assert_eq!(new.query_row(texts, [], |row| row.get::<_, i64>(0)).unwrap(), ROWS, "{what}");
            drop(new);
            fs::remove_file(repaired.kept).unwrap();
        }
    }
}

/// Rows that go on over many pages come back whole without the list of tables.
#[tokio::test]
async fn long_rows_are_found_without_the_list_of_tables() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let long = TaskSpec { query: "why? ".repeat(20_000), ..spec() };
    let claim = store.create(TaskId::from_random(1), &long, None, "1-aa").await.unwrap();
    let effect = Effect::SearchLibrary {
        query: (0..20_000).map(|no| format!("{no:x} ")).collect(),
        roots: vec![],
        limit: 1,
        reach: Reach::Words,
    };
    assert_eq!(store.begin(claim, 0, &effect).await.unwrap(), Fenced::Applied(1));
    let before = store.load(claim.id).await.unwrap();
    store.fold().unwrap();
    drop(store);
    let mut bytes = fs::read(dir.path().join("hadal.db")).unwrap();
    bytes[..PAGE].fill(0xa5);
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("hadal.db"), bytes).unwrap();
    Store::repair(other.path()).unwrap().expect("the first page is damaged");
    let after = Store::open(other.path()).unwrap().load(claim.id).await.unwrap();
    assert_eq!((after.spec, after.journal), (before.spec, before.journal));
}

/// A damaged file is kept, and what is no database gives nothing; a sound one and one of somebody else are left alone.
#[tokio::test]
async fn a_repair_keeps_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let claim = store.create(TaskId::from_random(1), &spec(), None, "1-aa").await.unwrap();
    assert!(matches!(
        store.finish(claim, Ending::Completed { report: report() }, 9).await.unwrap(),
        Fenced::Applied(_)
    ));
    assert_eq!(Store::repair(dir.path()).unwrap(), None);
    assert_eq!(store.ending(claim.id).await.unwrap(), Some(Ending::Completed { report: report() }));

    let dir = tempfile::tempdir().unwrap();
    let garbage = vec![0x5a; 8_192];
    fs::write(dir.path().join("hadal.db"), &garbage).unwrap();
    let repaired = Store::repair(dir.path()).unwrap().unwrap();
    assert_eq!((fs::read(&repaired.kept).unwrap(), repaired.saved.len()), (garbage, 0));
    assert!(Store::open(dir.path()).unwrap().list(None, None, 10).await.unwrap().is_empty());

    let dir = tempfile::tempdir().unwrap();
    connect(&dir.path().join("hadal.db")).unwrap().execute_batch("CREATE TABLE recipes (soup TEXT)").unwrap();
    assert_eq!(Store::repair(dir.path()).unwrap_err().code, Code::StoreCorrupt);
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().filter(|file| file.as_ref().unwrap().file_name() != "hadal.db").count(),
        0
    );
}

/// A task that runs still has its texts after a repair.
#[tokio::test]
async fn a_running_task_goes_on_after_a_repair() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let long = TaskSpec { query: "why? ".repeat(1_000), ..spec() };
    let claim = store.create(TaskId::from_random(1), &long, None, "1-aa").await.unwrap();
    let effect = Effect::SearchLibrary { query: "deep? ".repeat(1_000), roots: vec![], limit: 1, reach: Reach::Words };
    assert_eq!(store.begin(claim, 0, &effect).await.unwrap(), Fenced::Applied(1));
    let before = store.load(claim.id).await.unwrap();
    store.fold().unwrap();
    drop(store);
    let path = dir.path().join("hadal.db");
    let (index, ..) = pages(&path).into_iter().find(|(_, name, ..)| name == "tasks_newest").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[(index - 1) * PAGE..index * PAGE].fill(0xff);
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("hadal.db"), bytes).unwrap();
    Store::repair(other.path()).unwrap().expect("an index is damaged");
    let store = Store::open(other.path()).unwrap();
    store.remove_unused_texts().await.unwrap();
    let after = store.load(claim.id).await.unwrap();
    assert_eq!((after.spec, after.journal), (before.spec, before.journal));
    let raw = connect(&other.path().join("hadal.db")).unwrap();
    let uses: i64 = raw.query_row("SELECT count(*) FROM text_uses", [], |row| row.get(0)).unwrap();
    assert_eq!(uses, 2, "they can be taken away while the task needs them");
}

/// A row that cannot be read costs itself: those after it, and what belongs to them, are saved.
#[tokio::test]
async fn a_repair_goes_on_after_a_bad_row() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    // So long that it goes on in other pages of the file.
    let long = TaskSpec { query: "?".repeat(20_000), ..spec() };
    let before = store.create(TaskId::from_random(1), &spec(), None, "1-aa").await.unwrap();
    let bad = store.create(TaskId::from_random(2), &long, None, "1-aa").await.unwrap();
    let after = store.create(TaskId::from_random(3), &spec(), None, "1-aa").await.unwrap();
    for claim in [before, bad, after] {
        assert_eq!(store.begin(claim, 0, &Effect::RefreshLibrary { roots: vec![] }).await.unwrap(), Fenced::Applied(1));
    }
    drop(store);
    let file = dir.path().join("hadal.db");
    connect(&file).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = fs::read(&file).unwrap();
    // Where a long row goes on, a page begins with the number of the next one: here they lead out of the file.
    let goes_on = |page: &[u8]| page[0] == 0 && page[4..].iter().filter(|byte| **byte == b'?').count() > 3_000;
    let pages: Vec<usize> =
        (0..bytes.len()).step_by(4_096).filter(|start| goes_on(&bytes[*start..start + 4_096])).collect();
    assert!(!pages.is_empty(), "the row is not spread over pages");
    for start in pages {
        bytes[start..start + 4].fill(0x7f);
    }
    fs::write(&file, bytes).unwrap();

    let repaired = Store::repair(dir.path()).unwrap().unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert!(store.task(bad.id).await.unwrap().is_none(), "the damage did no harm: nothing is tested");
    for claim in [before, after] {
        assert!(store.task(claim.id).await.unwrap().is_some());
        assert_eq!(store.load(claim.id).await.unwrap().journal.len(), 1);
    }
    let rows: Vec<_> =
        repaired.saved.iter().filter(|table| table.rows > 0).map(|table| (table.table, table.rows)).collect();
    // Two tasks, each with an effect, and the long text of the lost task; the effect of that has nobody to belong to.
    assert_eq!(rows, [("research_tasks", 2), ("pages", 1), ("effects", 2)]);
    let summary = repaired.summary();
    assert!(
        summary.contains("2 rows of `research_tasks`") && summary.contains("`effects` has 0 damaged places, and 1 row"),
        "{summary}"
    );
}
