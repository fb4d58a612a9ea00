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

#[tokio::test]
async fn the_room_is_bounded() {
    let bench = bench_with(|fetch| fetch.cache_bytes = 40_000);
    let urls: Vec<String> = sim::web::all_urls().into_iter().take(150).collect();
    let (pages, _) = bench.fetcher.fetch_many(&urls, Bounds::default(), &CancellationToken::new()).await;
    assert_eq!(pages.len(), 150);
    let used: u64 = walkdir::WalkDir::new(bench.settings.data_dir.join("pages"))
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.metadata().ok().filter(std::fs::Metadata::is_file).map(|file| file.len()))
        .sum();
    // Between two measurements some pages more are kept.
    assert!(used < 40_000 + 2 * limits::FETCH_CACHE_LOOK * 2_000, "{used}");
    assert!(used > 10_000, "{used}");
}

#[tokio::test]
async fn without_room_nothing_is_kept() {
    let bench = bench_with(|fetch| fetch.cache_bytes = 0);
    bench.trap("/max-age").await.unwrap();
    assert!(!bench.trap("/max-age").await.unwrap().from_cache);
    assert!(!bench.settings.data_dir.join("pages").exists());
}
