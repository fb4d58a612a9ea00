//! The real adapters against simulated providers, over real sockets.

use proptest::prelude::*;
use sim::search::{Fault, PROVIDERS, SearchApi};
use sim::wait::until_beside;

use super::*;
use crate::core::setup::settings::web::provider_urls;
use crate::core::web::search::{Depth, Within};

const CANARY: &str = "canary-key-7";

struct Bench {
    api: SearchApi,
    search: Search,
    _home: tempfile::TempDir,
}

fn bench() -> Bench {
    let home = tempfile::tempdir().unwrap();
    let api = SearchApi::start().unwrap();
    let mut settings = Settings::defaults(home.path());
    settings.fetch.rules.allow_private = true;
    settings.search.urls = provider_urls(&api.urls()).unwrap();
    settings.search.keys =
        Provider::ALL.iter().filter(|of| of.needs_key()).map(|of| (*of, Secret::new(CANARY.into()))).collect();
    Bench { search: Search::new(&settings).unwrap(), api, _home: home }
}

impl Bench {
    async fn ask(&self, query: &Query, providers: &[Provider]) -> SearchReply {
        self.search.search(query, providers, &CancellationToken::new()).await
    }

    fn asked(&self, provider: Provider) -> usize {
        self.api.requests().iter().filter(|request| request.provider == provider.name()).count()
    }
}

fn query(text: &str) -> Query {
    Query { text: text.into(), limit: 5, ..Query::default() }
}

const TEXT: &str = "Halvorsen expedition to Brannock Island";

#[test]
fn the_simulator_knows_every_provider() {
    let mut names: Vec<&str> = Provider::ALL.iter().map(|provider| provider.name()).collect();
    names.sort_unstable();
    let mut simulated = PROVIDERS;
    simulated.sort_unstable();
    assert_eq!(names, simulated);
}

#[tokio::test]
async fn every_provider_is_asked_and_understood() {
    let bench = bench();
    for provider in Provider::ALL {
        let found = bench.ask(&query(TEXT), &[provider]).await;
        assert_eq!((found.problems.as_slice(), found.asked.as_slice()), ([].as_slice(), [provider].as_slice()));
        let first = found.results.first().map(|result| &result.hit).unwrap();
        let title = match provider {
            Provider::Arxiv => "The Halvorsen expedition to Brannock Island & more",
            Provider::StackExchange => "The Halvorsen expedition to Brannock Island & 'why'",
            Provider::GitHub => "sim/0",
            _ => "The Halvorsen expedition to Brannock Island",
        };
        assert_eq!((first.url.as_str(), first.title.as_str()), (sim::web::FIRST_HOP, title), "{provider:?}");
        assert!(first.snippet.contains("Meridian Lark"), "{provider:?}: {}", first.snippet);
        assert!(!first.title.contains('<') && !first.snippet.contains("</"), "{provider:?}: {first:?}");
        let date = match provider {
            Provider::Searxng | Provider::Wikipedia => None,
            Provider::StackExchange => Some("2020-09-13"),
            _ => Some("2019-05-04"),
        };
        assert_eq!(first.date.as_deref(), date, "{provider:?}");
        assert!((1..=5).contains(&found.results.len()) || provider == Provider::Searxng, "{provider:?}");
        assert_eq!(found.usage.cost, provider.price(&query(TEXT)), "{provider:?}");
    }
    for request in bench.api.requests() {
        assert!(request.user_agent.unwrap().starts_with("hadal/"), "{}", request.provider);
    }
}

#[tokio::test]
async fn wishes_reach_the_provider_and_are_seen_to_afterwards() {
    let bench = bench();
    let wish = Query {
        depth: Depth::Advanced,
        within: Within {
            only: vec!["registry.sim.test".into(), "tides.sim.test".into()],
            never: vec!["clocks.sim.test".into()],
            from: Some("2012-01-01".into()),
            until: Some("2021-12-31".into()),
        },
        limit: 20,
        ..query("vessel Meridian Lark captain tides survey")
    };
    let providers: Vec<Provider> = Provider::ALL.into_iter().filter(|provider| *provider != Provider::Arxiv).collect();
    let found = bench.ask(&wish, &providers).await;
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    assert_eq!(found.results.first().map(|result| result.hit.url.as_str()), Some(sim::web::SECOND_HOP));
    for result in &found.results {
        let url = &result.hit.url;
        assert!(url.starts_with("http://registry.sim.test/") || url.starts_with("http://tides.sim.test/"), "{url}");
        let day = result.hit.date.as_deref().unwrap_or("2012-01-01");
        assert!(("2012-01-01".."2022").contains(&day), "{result:?}");
    }
    let of = |name: &str| bench.api.requests().into_iter().find(|request| request.provider == name).unwrap();
    let tavily = of("tavily").body;
    assert_eq!(tavily["search_depth"], "advanced");
    assert_eq!(tavily["auto_parameters"], false);
    assert_eq!(tavily["include_domains"][0], "registry.sim.test");
    assert_eq!((tavily["start_date"].as_str(), tavily["end_date"].as_str()), (Some("2012-01-01"), Some("2021-12-31")));
    assert!(of("brave").query.contains("freshness=2012-01-01to2021-12-31"), "{}", of("brave").query);
    assert!(of("brave").query.contains("site%3Aregistry.sim.test+OR+site%3Atides.sim.test"), "{}", of("brave").query);
    assert_eq!(of("exa").body["endPublishedDate"], "2021-12-31T23:59:59.999Z");
    assert_eq!(of("serper").body["tbs"], "cdr:1,cd_min:01/01/2012,cd_max:12/31/2021");
    assert!(of("openalex").query.contains("from_publication_date%3A2012-01-01"), "{}", of("openalex").query);
    assert!(of("crossref").query.contains("until-pub-date%3A2021-12-31"), "{}", of("crossref").query);
    assert!(of("hackernews").query.contains("created_at_i%3E%3D1325376000"), "{}", of("hackernews").query);
    assert!(of("stackexchange").query.contains("fromdate=1325376000"), "{}", of("stackexchange").query);
    assert!(of("github").query.contains("pushed%3A%3E%3D2012-01-01"), "{}", of("github").query);
}

/// A range ends with the end of its last day, also where a provider counts in seconds. `1640995200` is the first of January 2022.
#[test]
fn the_last_day_of_a_range_is_whole() {
    let wish = Query {
        within: Within { from: Some("2012-01-01".into()), until: Some("2021-12-31".into()), ..Within::default() },
        ..query("tides")
    };
    let place = Endpoint { url: "http://127.0.0.1", key: None, contact: None };
    for (provider, until) in [
        (Provider::HackerNews, "created_at_i<1640995200"),
        (Provider::StackExchange, "todate=1640995199"),
        (Provider::Arxiv, "TO 202112312359]"),
        (Provider::Exa, "2021-12-31T23:59:59.999Z"),
        (Provider::GitHub, "pushed:<=2021-12-31"),
        (Provider::Crossref, "until-pub-date:2021-12-31"),
        (Provider::OpenAlex, "to_publication_date:2021-12-31"),
        (Provider::Brave, "to2021-12-31"),
        (Provider::Serper, "cd_max:12/31/2021"),
        (Provider::Tavily, r#""end_date":"2021-12-31""#),
    ] {
        let request = adapter(provider).request(&wish, &place).unwrap();
        let pairs = request.url.query_pairs().map(|(name, value)| format!("{name}={value}"));
        let sent: Vec<String> = pairs.chain(request.body.map(|body| body.to_string())).collect();
        assert!(sent.iter().any(|part| part.contains(until)), "{provider:?}: {sent:?}");
    }
}

/// A provider that wants to be left alone after its answer is not asked before that time is over.
#[tokio::test]
async fn a_provider_that_asks_for_a_pause_gets_it() {
    let next = |bench: &Bench| bench.search.inner.turns[&Provider::StackExchange].first_start();
    let bench = bench();
    let found = bench.ask(&query(TEXT), &[Provider::StackExchange]).await;
    assert!(found.problems.is_empty() && !found.results.is_empty(), "{found:?}");
    assert!(next(&bench) < Duration::from_secs(600), "{:?}", next(&bench));
    bench.api.fail("stackexchange", Fault::Backoff(3_600), 1);
    let found = bench.ask(&query("captain of the vessel Meridian Lark"), &[Provider::StackExchange]).await;
    assert!(found.problems.is_empty() && !found.results.is_empty(), "the answer counts all the same: {found:?}");
    assert!(next(&bench) >= Duration::from_secs(3_600), "{:?}", next(&bench));
}

#[tokio::test]
async fn a_failing_provider_is_a_problem_and_never_no_results() {
    let forever = 99;
    for (fault, times, code, requests) in [
        (Fault::RateLimited(Some(0)), 1, None, 2),
        (Fault::RateLimited(None), 2, None, 3),
        (Fault::RateLimited(Some(3_600)), forever, Some(Code::QuotaExceeded), 1),
        (Fault::Internal, 1, None, 2),
        (Fault::Internal, forever, Some(Code::FetchFailed), 3),
        (Fault::Drop, forever, Some(Code::FetchFailed), 3),
        (Fault::Unauthorized, forever, Some(Code::NotAuthenticated), 1),
        (Fault::Garbage, forever, Some(Code::ExecutionError), 1),
        (Fault::Captcha, forever, Some(Code::SearchBlocked), 1),
        (Fault::Flood, forever, Some(Code::OutputTooLarge), 1),
        (Fault::Slow(Duration::from_millis(300)), 1, None, 1),
    ] {
        let bench = bench();
        bench.api.fail("tavily", fault.clone(), times);
        let found = bench.ask(&query(TEXT), &[Provider::Tavily, Provider::Wikipedia]).await;
        let failed: Vec<(&str, Code)> =
            found.problems.iter().map(|problem| (problem.subject.as_str(), problem.error.code)).collect();
        assert_eq!(failed, code.map(|code| ("tavily", code)).into_iter().collect::<Vec<_>>(), "{fault:?}");
        assert_eq!(bench.asked(Provider::Tavily), requests, "{fault:?}");
        assert!(!found.results.is_empty(), "the other provider answers: {fault:?}");
        assert!(!format!("{found:?}").contains(CANARY), "{fault:?}");
        if fault != Fault::Garbage {
            let billed = bench.api.invoice().values().sum();
            assert_eq!(found.usage.cost, Usd::from_micros(billed), "{fault:?}");
        }
    }
}

#[tokio::test]
async fn captchas_are_noticed_at_every_provider() {
    let bench = bench();
    for provider in Provider::ALL {
        bench.api.fail(provider.name(), Fault::Captcha, 1);
    }
    let found = bench.ask(&query(TEXT), &Provider::ALL).await;
    assert!(found.results.is_empty() && found.asked.is_empty());
    assert_eq!(found.problems.len(), Provider::ALL.len());
    assert!(found.problems.iter().all(|problem| problem.error.code == Code::SearchBlocked), "{:?}", found.problems);
    assert_eq!(found.usage.cost, Usd::default());
}

/// A reply that holds no result is an answer only when the provider really looked.
#[tokio::test]
async fn an_empty_answer_is_told_from_a_search_that_was_not_made() {
    let bench = bench();
    for provider in Provider::ALL {
        bench.api.fail(provider.name(), Fault::Empty, 99);
    }
    let found = bench.ask(&query(TEXT), &Provider::ALL).await;
    assert_eq!((found.problems.as_slice(), found.asked.as_slice()), ([].as_slice(), Provider::ALL.as_slice()));
    assert!(found.results.is_empty(), "{found:?}");

    let inside = Provider::ALL.into_iter().map(|provider| (provider, Fault::ErrorInside, Code::ExecutionError, 1));
    for (provider, fault, code, requests) in inside.chain([
        (Provider::Searxng, Fault::Unresponsive, Code::SearchBlocked, 1),
        (Provider::Wikipedia, Fault::Maxlag(3_600), Code::QuotaExceeded, 1),
        (Provider::Wikipedia, Fault::Maxlag(0), Code::QuotaExceeded, 3),
        (Provider::StackExchange, Fault::Throttled(4_520), Code::QuotaExceeded, 1),
    ]) {
        let bench = self::bench();
        bench.api.fail(provider.name(), fault.clone(), 99);
        let found = bench.ask(&query(TEXT), &[provider]).await;
        let codes: Vec<Code> = found.problems.iter().map(|problem| problem.error.code).collect();
        assert_eq!((codes, found.asked.len()), (vec![code], 0), "{provider:?} {fault:?}");
        assert_eq!(bench.asked(provider), requests, "{provider:?} {fault:?}");
    }
}

/// Brave refuses queries of more than 50 words or 400 characters, with those for sites.
#[tokio::test]
async fn a_long_query_is_cut_to_what_the_provider_takes() {
    let bench = bench();
    let sites: Vec<String> = (0..20).map(|n| format!("site-number-{n}.example")).collect();
    for (text, only) in [
        (format!("{TEXT} {}", "and more words ".repeat(60)), Vec::new()),
        (TEXT.to_owned(), sites.clone()),
        (format!("{TEXT} {}", "wordswithoutanend".repeat(40)), sites),
    ] {
        let wish = Query { within: Within { only, ..Within::default() }, ..query(&text) };
        let found = bench.ask(&wish, &[Provider::Brave]).await;
        assert!(found.problems.is_empty(), "{:?}", found.problems);
        let sent = bench.api.requests().pop().unwrap().query;
        assert!(sent.contains("Halvorsen+expedition"), "{sent}");
        assert_eq!(sent.contains("site%3Asite-number-0.example"), !wish.within.only.is_empty(), "{sent}");
    }
}

/// What a throttle says in words, what a cut search says in a field, and a feed that lost its entries.
#[test]
fn complaints_that_only_one_provider_has_are_read() {
    let throttle = r#"{"error_id": 502, "error_name": "throttle_violation", "error_message": "x, more requests available in 4520 seconds"}"#;
    let read = |provider, reply: &str| adapter(provider).complaint(reply.as_bytes());
    let waits = read(Provider::StackExchange, throttle).and_then(|complaint| complaint.wait);
    assert_eq!(waits, Some(Duration::from_secs(4_520)));
    let cut = r#"{"total_count": 0, "incomplete_results": true, "items": []}"#;
    assert_eq!(read(Provider::GitHub, cut).map(|complaint| complaint.code), Some(Code::Timeout));
    assert_eq!(read(Provider::GitHub, &cut.replace("true", "false")), None);
    let feed = "<feed><opensearch:totalResults xmlns:x=\"y\">12</opensearch:totalResults></feed>";
    assert_eq!(read(Provider::Arxiv, feed).map(|complaint| complaint.code), Some(Code::FetchFailed));
    assert_eq!(read(Provider::Arxiv, &feed.replace("12", "0")), None);
}

#[tokio::test]
async fn several_are_fused_and_paid_as_the_invoice_says() {
    let bench = bench();
    let providers = [Provider::Tavily, Provider::Brave, Provider::Exa, Provider::Serper, Provider::Wikipedia];
    let found = bench.ask(&query(TEXT), &providers).await;
    let first = found.results.first().unwrap();
    assert_eq!((first.hit.url.as_str(), first.providers.len()), (sim::web::FIRST_HOP, 5));
    let billed: u64 = bench.api.invoice().values().sum();
    assert_eq!(found.usage.cost, Usd::from_micros(billed));
    assert_eq!(billed, 8_000 + 5_000 + 7_000 + 1_000);
    // Asked again a moment later it costs nothing and finds the same.
    let again = bench.ask(&query(&format!("  {TEXT}\n")), &providers).await;
    assert_eq!((again.results, again.usage.cost), (found.results, Usd::default()));
    assert_eq!(bench.api.requests().len(), providers.len());
}

#[tokio::test]
async fn what_is_not_set_up_says_so_and_a_cancel_ends_the_waiting() {
    let home = tempfile::tempdir().unwrap();
    let settings = Settings::defaults(home.path());
    let search = Search::new(&settings).unwrap();
    assert!(!search.providers().contains(&Provider::Tavily) && search.providers().contains(&Provider::Wikipedia));
    let found = search.search(&query(TEXT), &[Provider::Tavily, Provider::Searxng], &CancellationToken::new()).await;
    let codes: Vec<Code> = found.problems.iter().map(|problem| problem.error.code).collect();
    assert_eq!(codes, [Code::EngineUnavailable; 2]);

    let bench = bench();
    bench.api.fail("brave", Fault::Slow(sim::wait::SAFETY_NET), 1);
    let cancel = CancellationToken::new();
    let wanted = query(TEXT);
    let search = bench.search.search(&wanted, &[Provider::Brave], &cancel);
    let (found, ()) = tokio::join!(search, async { cancel.cancel() });
    assert_eq!(found.problems.first().map(|problem| problem.error.code), Some(Code::Cancelled));
    assert_eq!(found.usage.cost, Usd::default(), "nothing was sent yet");
}

/// A request that was sent and then cut off may have been billed.
#[tokio::test]
async fn what_is_cut_off_counts_as_paid() {
    let bench = bench();
    bench.api.fail("brave", Fault::Slow(sim::wait::SAFETY_NET), 1);
    let cancel = CancellationToken::new();
    let wanted = query(TEXT);
    let search = bench.search.search(&wanted, &[Provider::Brave, Provider::Wikipedia], &cancel);
    let (found, ()) = tokio::join!(search, async {
        until_beside("the request", || bench.asked(Provider::Brave) > 0).await;
        cancel.cancel();
    });
    assert_eq!(found.usage.cost, Provider::Brave.price(&wanted));
    assert!(found.problems.iter().any(|problem| problem.subject == "brave"), "{:?}", found.problems);
}

#[test]
fn the_memory_is_bounded() {
    let memory = Memory::default();
    for n in 0..limits::SEARCH_CACHED + 10 {
        memory.put(Provider::Exa, &query(&n.to_string()), &[]);
    }
    let kept = (0..limits::SEARCH_CACHED + 10).filter(|n| memory.get(Provider::Exa, &query(&n.to_string())).is_some());
    assert_eq!(kept.count(), limits::SEARCH_CACHED);
}

proptest! {
    /// Whatever a provider sends: results, or none, but no panic; and a result always has an address.
    #[test]
    fn replies_are_foreign(text in "(?s).{0,200}", cut in 0..2_000_usize, which in 0..Provider::ALL.len()) {
        let shapes = [
            r#"{"results": [{"url": 7, "title": null, "content": [], "abstract_inverted_index": {"a": [1, "x"]}}, 5, null]}"#,
            r#"{"results": {}, "items": [[]], "hits": [{}], "organic": [{"link": "x", "date": 9}]}"#,
            r#"{"message": {"items": [{"URL": "u", "title": [], "issued": {"date-parts": [[null]]}}]}, "backoff": -1}"#,
            r#"{"query": {"pages": [{"index": "x", "fullurl": "u"}]}, "web": {"results": [{"url": "u", "extra_snippets": 3}]}}"#,
            "<feed><entry><id>x</id><title>a</title></entry><entry><id></id></entry><entry>",
        ];
        let adapter = adapter(Provider::ALL[which]);
        let mut replies: Vec<String> = shapes.iter().map(|shape| (*shape).to_owned()).collect();
        replies.extend(shapes.iter().map(|shape| shape.chars().take(cut).collect()));
        replies.push(text);
        for reply in replies {
            let _any = (adapter.wait(reply.as_bytes()), adapter.complaint(reply.as_bytes()));
            for hit in adapter.read(reply.as_bytes()).into_iter().flatten() {
                prop_assert!(!hit.url.is_empty());
            }
        }
    }
}
