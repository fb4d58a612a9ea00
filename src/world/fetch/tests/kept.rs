//! Pages on disk.

use super::*;

fn made(page: &Page) -> String {
    text(page).trim_start_matches("<p>").to_owned()
}

#[tokio::test]
async fn pages_are_kept_as_they_ask() {
    let bench = bench();
    for (path, second, cached) in [
        ("/max-age", "Made 1 times.", true),
        ("/no-store", "Made 2 times.", false),
        ("/etag", "Made 1 times.", true),
        ("/dated", "Made 1 times.", true),
    ] {
        let first = bench.trap(path).await.unwrap();
        assert_eq!((made(&first).as_str(), first.from_cache), ("Made 1 times.", false), "{path}");
        let again = bench.trap(path).await.unwrap();
        assert_eq!((made(&again).as_str(), again.from_cache), (second, cached), "{path}");
        assert_eq!((again.status, again.content_type), (first.status, first.content_type), "{path}");
    }
    let asked = bench.web.requests();
    let conditional: Vec<&str> = asked
        .iter()
        .filter(|request| request.if_none_match.is_some() || request.if_modified_since.is_some())
        .map(|request| request.path.as_str())
        .collect();
    assert_eq!(conditional, ["/etag", "/dated"]);
    let asked = bench.web.requests().into_iter().filter(|request| request.path == "/max-age").count();
    assert_eq!(asked, 1);
}

#[tokio::test]
async fn another_process_finds_what_one_kept() {
    let bench = bench();
    bench.trap("/chain/2").await.unwrap();
    let other = Fetcher::new(&bench.settings).unwrap();
    let asked = bench.web.requests().len();
    let page = other.fetch("http://traps.sim.test/chain/2", &CancellationToken::new()).await.unwrap();
    assert!(page.from_cache);
    assert_eq!((page.hops.len(), page.final_url.as_str()), (2, "http://traps.sim.test/chain/0"));
    assert_eq!(bench.web.requests().len(), asked);
}

#[tokio::test]
async fn what_is_damaged_is_fetched_again() {
    let bench = bench();
    bench.trap("/max-age").await.unwrap();
    let files: Vec<_> = walkdir::WalkDir::new(bench.settings.data_dir.join("pages"))
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect();
    assert_eq!(files.len(), 3, "a record, a body and the lock: {files:?}");
    for damage in [b"".as_slice(), b"garbage", &zstd::bulk::compress(b"another body", 3).unwrap()] {
        for file in &files {
            std::fs::write(file, damage).unwrap();
        }
        let page = bench.trap("/max-age").await.unwrap();
        assert!(!page.from_cache);
        assert!(bench.trap("/max-age").await.unwrap().from_cache, "and kept again");
    }
}

/// A record that was written under a clock that ran ahead says nothing about now.
#[tokio::test]
async fn a_record_from_the_future_is_not_believed() {
    let bench = bench();
    bench.trap("/max-age").await.unwrap();
    let records = walkdir::WalkDir::new(bench.settings.data_dir.join("pages/records")).into_iter().flatten();
    let file = records.map(walkdir::DirEntry::into_path).find(|path| path.is_file()).unwrap();
    let mut record: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    for (hours_ahead, cached) in [(0, true), (1, false)] {
        let fetched_at = crate::world::clock::now_ms() + hours_ahead * 3_600_000;
        record["fetched_at"] = fetched_at.into();
        record["fresh_until"] = (fetched_at + 3_600_000).into();
        std::fs::write(&file, record.to_string()).unwrap();
        assert_eq!(bench.trap("/max-age").await.unwrap().from_cache, cached, "{hours_ahead} hours ahead");
    }
}

/// What comes from the disk fills the room of a call as well: a fresh page, and one that its site says has not changed.
#[tokio::test]
async fn kept_pages_take_room() {
    let bench = bench();
    for path in ["/max-age", "/etag"] {
        let url = [format!("http://traps.sim.test{path}")];
        let size = bench.trap(path).await.unwrap().bytes.len();
        // Too little first: what was asked for again with success is fresh for a while.
        for (bytes, code) in [(size - 1, Some(Code::OutputTooLarge)), (size, None)] {
            let bounds = Bounds { bytes, ..Bounds::default() };
            let (pages, problems) = bench.fetcher.fetch_many(&url, bounds, &CancellationToken::new()).await;
            assert!(pages.iter().all(|page| page.from_cache), "{path}");
            assert_eq!(problems.first().map(|problem| problem.error.code), code, "{path} in {bytes} bytes");
            assert_eq!(pages.len() + problems.len(), 1);
        }
    }
}

/// The size of all that is kept.
fn used(bench: &Bench) -> u64 {
    let files = walkdir::WalkDir::new(bench.settings.data_dir.join("pages")).into_iter().flatten();
    files.filter_map(|entry| entry.metadata().ok().filter(std::fs::Metadata::is_file).map(|file| file.len())).sum()
}

#[tokio::test]
async fn the_room_is_bounded() {
    const ROOM: u64 = 40_000;
    let urls: Vec<String> = sim::web::all_urls().into_iter().take(150).collect();
    let (last, first) = urls.split_last().unwrap();
    for (room, fits) in [(ROOM, true), (ROOM * 1_000, false)] {
        let bench = bench_with(|fetch| fetch.cache_bytes = room);
        let cancel = CancellationToken::new();
        let (pages, problems) = bench.fetcher.fetch_many(first, Bounds::default(), &cancel).await;
        assert_eq!((pages.len(), problems.len()), (149, 0), "{problems:?}");
        // Room is measured now and then; a new process measures it with the first page that it keeps.
        Fetcher::new(&bench.settings).unwrap().fetch(last, &cancel).await.unwrap();
        let used = used(&bench);
        assert_eq!(used <= ROOM, fits, "{used} bytes are kept in a room of {room}");
        assert!(used > ROOM / 4, "hardly anything is kept: {used}");
    }
}

#[tokio::test]
async fn without_room_nothing_is_kept() {
    let bench = bench_with(|fetch| fetch.cache_bytes = 0);
    bench.trap("/max-age").await.unwrap();
    assert!(!bench.trap("/max-age").await.unwrap().from_cache);
    assert!(!bench.settings.data_dir.join("pages").exists());
}

/// PR-04: pages of a deleted task's time go with it, and old ones by themselves; the others stay.
#[tokio::test]
async fn pages_are_forgotten_by_age_and_by_task() {
    let bench = bench();
    let data_dir = bench.settings.data_dir.clone();
    let from = crate::world::clock::now_ms();
    bench.trap("/max-age").await.unwrap();
    let until = crate::world::clock::now_ms();
    let files = || {
        let entries = walkdir::WalkDir::new(data_dir.join("pages")).min_depth(3).into_iter().flatten();
        entries.filter(|entry| entry.file_type().is_file()).count()
    };
    for (stale, left) in [
        (Stale::by_age(), 2),
        (Stale { within_ms: vec![(0, from - 1), (until + 1, i64::MAX)], ..Stale::by_age() }, 2),
        (Stale { within_ms: vec![(0, 9), (from, until)], ..Stale::by_age() }, 0),
    ] {
        forget(&data_dir, &stale);
        assert_eq!(files(), left, "a record and its body: {stale:?}");
    }
    bench.trap("/max-age").await.unwrap();
    assert_eq!(files(), 2);
    forget(&data_dir, &Stale { before_ms: crate::world::clock::now_ms() + 1, within_ms: vec![] });
    assert_eq!(files(), 0);
}
