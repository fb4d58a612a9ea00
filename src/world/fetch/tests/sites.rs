//! Sites are asked as they wish.

use std::time::Instant;

use super::*;

#[tokio::test]
async fn rules_of_a_site_are_kept() {
    let bench = bench();
    for (url, allowed) in [
        ("http://closed.sim.test/", true),
        ("http://closed.sim.test/private", false),
        ("http://closed.sim.test/private/secret?x=1", false),
        ("http://closed.sim.test/private/open", true),
        ("http://tides.sim.test/never/x", false),
        ("http://long.sim.test/never", false),
        ("http://long.sim.test/page", true),
    ] {
        match bench.get(url).await {
            Ok(_) => assert!(allowed, "{url}"),
            Err(error) => assert!(!allowed && error.code == Code::RobotsRefused, "{url}: {error}"),
        }
    }
    let rules = bench.web.requests().into_iter().filter(|request| request.path == "/robots.txt").count();
    assert_eq!(rules, 3, "one request per site");
    let asked = bench.web.requests().into_iter().any(|request| request.path.starts_with("/private/secret"));
    assert!(!asked, "what is refused is not asked for");
}

#[tokio::test]
async fn a_site_whose_rules_are_out_of_order_is_closed() {
    let bench = bench();
    for _ in 0..2 {
        let error = bench.get("http://ill.sim.test/page").await.unwrap_err();
        assert_eq!(error.code, Code::FetchFailed, "{error}");
        assert!(error.message.contains("robots.txt"), "{error}");
    }
    assert_eq!(bench.web.requests().len(), 1, "the page was not asked for, and the rules once");
}

/// A redirect to a page that its site closes is refused there.
#[tokio::test]
async fn rules_count_at_every_hop() {
    let bench = bench();
    let error = bench.trap("/to?http://closed.sim.test/private/x").await.unwrap_err();
    assert_eq!(error.code, Code::RobotsRefused, "{error}");
}

#[tokio::test]
async fn a_site_that_wants_it_slow_is_asked_slowly() {
    let bench = bench();
    let begin = Instant::now();
    let urls: Vec<String> = (0..3).map(|n| format!("http://slow.sim.test/{n}")).collect();
    let (pages, problems) = bench.fetcher.fetch_many(&urls, Bounds::default(), &CancellationToken::new()).await;
    assert_eq!((pages.len(), problems.len()), (3, 0), "{problems:?}");
    assert!(begin.elapsed() >= Duration::from_millis(1_400), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn whoever_runs_it_can_be_reached() {
    let bench = bench_with(|fetch| fetch.contact = Some("me@example.org".into()));
    bench.get("http://tides.sim.test/history").await.unwrap();
    let agent = bench.web.requests().pop().unwrap().user_agent.unwrap();
    assert!(agent.starts_with("hadal/") && agent.ends_with("(+me@example.org)"), "{agent}");
}
