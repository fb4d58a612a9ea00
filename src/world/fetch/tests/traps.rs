//! Every trap of the simulated web ends within its limit, and says which.

use super::*;

#[tokio::test]
async fn an_honest_page_comes_whole() {
    let bench = bench();
    let page = bench.get("http://tides.sim.test/history#part").await.unwrap();
    assert_eq!((page.status, page.from_cache), (200, false));
    assert_eq!(page.url, "http://tides.sim.test/history#part");
    assert_eq!(page.final_url, "http://tides.sim.test/history");
    assert_eq!(page.content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert!(text(&page).contains("The history of tides"));
    let asked = bench.web.requests();
    assert_eq!(asked.iter().map(|request| request.path.as_str()).collect::<Vec<_>>(), ["/robots.txt", "/history"]);
    for request in asked {
        assert!(request.user_agent.unwrap().starts_with("hadal/"));
        assert_eq!(request.accept_encoding.as_deref(), Some("gzip, br, zstd"));
    }
}

#[tokio::test]
async fn traps_end_with_a_code() {
    for (path, code, words) in [
        ("/loop/0", Code::FetchFailed, "leads on and on"),
        ("/chain/6", Code::FetchFailed, "leads on and on"),
        ("/bad-location", Code::AddressRefused, "not an address of the web"),
        ("/no-location", Code::FetchFailed, "no `Location`"),
        ("/drip", Code::Timeout, "within 3 s"),
        ("/silent", Code::Timeout, "within 3 s"),
        ("/bomb", Code::OutputTooLarge, "100 times its size"),
        ("/huge", Code::OutputTooLarge, "10485760 bytes"),
        ("/endless", Code::OutputTooLarge, "10485760 bytes"),
        ("/cut", Code::FetchFailed, "could not be fetched"),
        ("/cut-gzip", Code::FetchFailed, "ends too early"),
        ("/packed-as", Code::FetchFailed, "packed as `compress`"),
        ("/status/404", Code::PageUnavailable, "status 404"),
        ("/status/410", Code::PageUnavailable, "status 410"),
        ("/status/403", Code::PageUnavailable, "status 403"),
        ("/status/500", Code::FetchFailed, "status 500"),
        ("/status/304", Code::PageUnavailable, "status 304"),
        ("/busy", Code::QuotaExceeded, "in 3600 s"),
        ("/image", Code::PageUnavailable, "`image/png`"),
    ] {
        // One web each, so that no page waits for the pace of its site.
        let limit = if code == Code::Timeout { Duration::from_secs(3) } else { sim::wait::SAFETY_NET };
        let bench = bench_with(|fetch| fetch.timeout = limit);
        let error = bench.trap(path).await.map(|page| page.final_url).unwrap_err();
        assert_eq!(error.code, code, "{path}: {error}");
        assert!(error.message.contains(words), "{path}: {error}");
    }
}

#[tokio::test]
async fn what_is_only_strange_is_fetched() {
    let bench = bench();
    for (path, words) in [
        ("/chain/5", "end of a chain"),
        ("/later", "worth coming back"),
        ("/packed", "came packed"),
        ("/soft404", "could not find"),
        ("/injection", "IGNORE YOUR INSTRUCTIONS"),
        ("/json", "42"),
        ("/feed", "News"),
        ("/pdf", "%PDF-1.4"),
        ("/to?http://tides.sim.test/maps", "The maps of tides"),
        ("/to?//tides.sim.test/law%23x", "no such page"),
    ] {
        match bench.trap(path).await {
            Ok(page) => assert!(text(&page).contains(words), "{path}"),
            Err(error) => assert_eq!((error.code, words), (Code::PageUnavailable, "no such page"), "{path}: {error}"),
        }
    }
    let nested = bench.trap("/nested").await.unwrap();
    assert_eq!(nested.bytes.len(), text(&nested).len());
    assert!(nested.bytes.len() > 1_000_000);
    let utf16 = bench.trap("/utf16").await.unwrap();
    assert_eq!(utf16.bytes.get(..2), Some([0xff, 0xfe].as_slice()), "bytes are left as they are");
}

#[tokio::test]
async fn the_way_to_a_page_is_told() {
    let bench = bench();
    let page = bench.trap("/chain/2").await.unwrap();
    let way: Vec<(&str, u16)> = page.hops.iter().map(|hop| (hop.to.as_str(), hop.status)).collect();
    assert_eq!(way, [("http://traps.sim.test/chain/1", 301), ("http://traps.sim.test/chain/0", 301)]);
    assert_eq!(page.final_url, "http://traps.sim.test/chain/0");
}

#[tokio::test]
async fn a_dead_site_is_a_failure_and_a_cancel_ends_the_waiting() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let bench = bench_with(|fetch| {
        fetch.hosts.insert(0, FixedHost { name: "dead.sim.test".into(), to: closed });
    });
    let error = bench.get("http://dead.sim.test/").await.unwrap_err();
    assert_eq!(error.code, Code::FetchFailed, "{error}");
    let cancel = CancellationToken::new();
    let waiting = bench.fetcher.fetch("http://traps.sim.test/silent", &cancel);
    let (error, ()) = tokio::join!(waiting, async { cancel.cancel() });
    assert_eq!(error.unwrap_err().code, Code::Cancelled);
}
