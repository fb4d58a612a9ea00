//! Many pages at once.

use sim::wait::until_beside;

use super::*;

/// Pages of every site in turn, as a search would mix them.
fn mixed(count: usize) -> Vec<String> {
    let sites = sim::web::sites();
    let pages = sim::web::all_urls();
    let of =
        |site: &String| pages.iter().filter(|url| url.contains(&format!("//{site}/"))).cloned().collect::<Vec<_>>();
    let lists: Vec<Vec<String>> = sites.iter().map(of).collect();
    (0..count).map(|n| lists[n % lists.len()][n / lists.len()].clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_pages_of_twenty_sites_come_in_their_order() {
    let home = tempfile::tempdir().unwrap();
    let web = Web::start(Duration::from_millis(50)).unwrap();
    let mut settings = Settings::defaults(home.path());
    settings.fetch.rules.allow_private = true;
    settings.fetch.hosts = FixedHost::parse_list(&web.hosts()).unwrap();
    let fetcher = Fetcher::new(&settings).unwrap();
    let urls = mixed(100);
    let (pages, problems) = fetcher.fetch_many(&urls, Bounds::default(), &CancellationToken::new()).await;
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(pages.iter().map(|page| page.url.clone()).collect::<Vec<_>>(), urls, "in their order");
}

#[tokio::test]
async fn each_page_is_fetched_once_and_failures_are_listed() {
    let bench = bench();
    let urls: Vec<String> = [
        "http://tides.sim.test/history",
        "http://TIDES.sim.test:80/history/?utm_source=x#y",
        "http://tides.sim.test/nothing",
        "http://169.254.169.254/",
        "nonsense",
        "http://tides.sim.test/maps",
    ]
    .map(str::to_owned)
    .to_vec();
    let (pages, problems) = bench.fetcher.fetch_many(&urls, Bounds::default(), &CancellationToken::new()).await;
    let found: Vec<&str> = pages.iter().map(|page| page.url.as_str()).collect();
    assert_eq!(found, ["http://tides.sim.test/history", "http://tides.sim.test/maps"]);
    let failed: Vec<(&str, Code)> =
        problems.iter().map(|problem| (problem.subject.as_str(), problem.error.code)).collect();
    assert_eq!(
        failed,
        [
            ("http://tides.sim.test/nothing", Code::PageUnavailable),
            ("http://169.254.169.254/", Code::AddressRefused),
            ("nonsense", Code::AddressRefused),
        ]
    );
}

#[tokio::test]
async fn bounds_of_a_call_are_kept() {
    let bench = bench();
    let urls = mixed(40);
    let cancel = CancellationToken::new();
    let small = Bounds { bytes: 10_000, at_once: 1, ..Bounds::default() };
    let (pages, problems) = bench.fetcher.fetch_many(&urls, small, &cancel).await;
    assert!(!pages.is_empty() && pages.iter().map(|page| page.bytes.len()).sum::<usize>() <= 10_000);
    assert_eq!(pages.len() + problems.len(), 40);
    assert!(problems.iter().all(|problem| problem.error.code == Code::OutputTooLarge), "{problems:?}");

    let many: Vec<String> = (0..limits::FETCH_MANY_PAGES + 3).map(|n| format!("http://169.254.169.254/{n}")).collect();
    let (pages, problems) = bench.fetcher.fetch_many(&many, Bounds::default(), &cancel).await;
    assert_eq!((pages.len(), problems.len()), (0, many.len()));

    // What came in time counts. A machine on which nothing does gets more of it.
    let slow = ["http://tides.sim.test/history".to_owned(), "http://traps.sim.test/silent".to_owned()];
    let mut found = 0;
    for seconds in [1, 4, 16] {
        let short = Bounds { time: Duration::from_secs(seconds), ..Bounds::default() };
        let (pages, problems) = bench.fetcher.fetch_many(&slow, short, &cancel).await;
        assert_eq!(problems.last().map(|problem| problem.error.code), Some(Code::Timeout), "{problems:?}");
        found = pages.len();
        if found > 0 {
            break;
        }
    }
    assert_eq!(found, 1);
}

#[tokio::test]
async fn a_cancel_ends_the_call_with_what_is_there() {
    let bench = bench();
    let urls = vec!["http://tides.sim.test/history".to_owned(), "http://traps.sim.test/silent".to_owned()];
    let cancel = CancellationToken::new();
    // One after the other: whoever asks for the second has the first.
    let one_by_one = Bounds { at_once: 1, ..Bounds::default() };
    let ((pages, problems), ()) = tokio::join!(bench.fetcher.fetch_many(&urls, one_by_one, &cancel), async {
        let asked = || bench.web.requests().iter().any(|request| request.path == "/silent");
        until_beside("the request for the second page", asked).await;
        cancel.cancel();
    });
    assert_eq!(pages.len(), 1);
    assert_eq!(problems.first().map(|problem| problem.error.code), Some(Code::Cancelled), "{problems:?}");
}

/// Several processes share what is kept: here as several fetchers on one folder that is too small for all of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_share_a_small_room_without_harm() {
    let bench = bench_with(|fetch| fetch.cache_bytes = 30_000);
    let urls = mixed(100);
    let mut readers = JoinSet::new();
    for _ in 0..4 {
        let (fetcher, urls) = (Fetcher::new(&bench.settings).unwrap(), urls.clone());
        readers.spawn(async move { fetcher.fetch_many(&urls, Bounds::default(), &CancellationToken::new()).await });
    }
    while let Some(ended) = readers.join_next().await {
        let (pages, problems) = ended.unwrap();
        assert_eq!((pages.len(), problems.len()), (100, 0), "{problems:?}");
        for page in pages {
            assert!(text(&page).contains(&format!("href=\"{}\"", page.url)), "{} holds another page", page.url);
        }
    }
    let left = walkdir::WalkDir::new(bench.settings.data_dir.join("pages")).into_iter().flatten();
    let temporary = left.filter(|entry| entry.path().extension().is_some_and(|end| end == "tmp")).count();
    assert_eq!(temporary, 0);
}
