//! Tables for what is kept of a search, and in which order.

use proptest::prelude::*;

use super::*;
use crate::core::money::usage::Usd;
use crate::core::web::address::Rules;

fn hit(url: &str) -> Hit {
    Hit { url: url.into(), title: format!("title of {url}"), ..Hit::default() }
}

fn urls(results: &[super::Result]) -> Vec<&str> {
    results.iter().map(|result| result.hit.url.as_str()).collect()
}

#[test]
fn what_several_providers_find_comes_first() {
    let tavily = vec![hit("https://a.example/"), hit("https://b.example/x"), hit("https://c.example/")];
    let mut brave = vec![hit("http://B.example:80/x/?utm_source=y#z"), hit("https://d.example/")];
    brave[0].snippet = "longer".into();
    brave[0].date = Some("2026-01-02".into());
    let fused = fuse(vec![(Provider::Tavily, tavily), (Provider::Brave, brave)]);
    assert_eq!(urls(&fused), ["https://b.example/x", "https://a.example/", "https://d.example/", "https://c.example/"]);
    let first = &fused[0];
    assert_eq!(first.providers, [Provider::Tavily, Provider::Brave]);
    assert_eq!((first.hit.snippet.as_str(), first.hit.date.as_deref()), ("longer", Some("2026-01-02")));
}

#[test]
fn copies_and_nonsense_are_left_out() {
    let text = "a row lock is taken before the row is written and another transaction that wants the same row waits until \
                the first one commits";
    let with = |url: &str, snippet: &str| Hit { snippet: snippet.into(), ..hit(url) };
    let list = vec![
        with("https://a.example/", text),
        with("https://mirror.example/", &text.to_uppercase()),
        with("https://c.example/", "short"),
        with("https://d.example/", "short"),
        hit("https://a.example/#again"),
        hit("javascript:alert(1)"),
        hit("no address"),
    ];
    let fused = fuse(vec![(Provider::Exa, list)]);
    assert_eq!(urls(&fused), ["https://a.example/", "https://c.example/", "https://d.example/"]);
}

#[test]
fn sites_and_days_are_enforced() {
    let query = |only: &[&str], never: &[&str]| Query {
        within: Within {
            only: only.iter().map(|site| (*site).to_owned()).collect(),
            never: never.iter().map(|site| (*site).to_owned()).collect(),
            ..Within::default()
        },
        ..Query::default()
    };
    for (url, only, never, want) in [
        ("https://example.com/", &[][..], &[][..], true),
        ("https://example.com/", &["example.com"], &[], true),
        ("https://docs.example.com/", &["example.com"], &[], true),
        ("https://docs.example.com/", &["*.Example.com"], &[], true),
        ("https://example.com/", &["https://www.example.com/path"], &[], true),
        ("https://notexample.com/", &["example.com"], &[], false),
        ("https://example.com.evil.org/", &["example.com"], &[], false),
        ("https://example.com/", &["docs.example.com"], &[], false),
        ("https://example.com/", &[], &["example.com"], false),
        ("https://a.example.com/", &["example.com"], &["a.example.com"], false),
        ("https://b.example.com/", &["example.com"], &["a.example.com"], true),
        ("https://xn--bcher-kva.example/", &["bücher.example"], &[], true),
        ("https://example.com@evil.org/", &["example.com"], &[], false),
        ("https://example.com./", &[], &["EXAMPLE.COM."], false),
        ("http://127.0.0.1/", &[], &[], false),
        ("ftp://example.com/", &[], &[], false),
    ] {
        assert_eq!(allowed(&hit(url), &query(only, never), &Rules::default()), want, "{url} {only:?} {never:?}");
    }
    let within = Within { from: Some("2026-01-10".into()), until: Some("2026-02-01".into()), ..Within::default() };
    let ranged = Query { within, ..Query::default() };
    for (date, want) in [
        (None, true),
        (Some("2026-01-09"), false),
        (Some("2026-01-10"), true),
        (Some("2026-02-01"), true),
        (Some("2026-02-02"), false),
    ] {
        let dated = Hit { date: date.map(str::to_owned), ..hit("https://example.com/") };
        assert_eq!(allowed(&dated, &ranged, &Rules::default()), want, "{date:?}");
    }
}

#[test]
fn days_are_read_as_providers_write_them() {
    for (text, want) in [
        ("2026-11-15", Some("2026-11-15")),
        ("2026-11-15T03:29:31Z", Some("2026-11-15")),
        ("2026-11", Some("2026-11-01")),
        (" 2026 ", Some("2026-01-01")),
        ("2026-13-01", None),
        ("2026-02-30", None),
        ("3 days ago", None),
        ("yesterday", None),
        ("", None),
    ] {
        assert_eq!(day(text).as_deref(), want, "{text}");
    }
    for (text, want) in [
        ("Mar 7, 2026", Some("2026-03-07")),
        ("7 March 2026", Some("2026-03-07")),
        ("3 days ago", None),
        ("Mar 2026", None),
        ("", None),
    ] {
        assert_eq!(day_in_words(text).as_deref(), want, "{text}");
    }
    assert_eq!(day_of_seconds(1_794_700_800).as_deref(), Some("2026-11-15"));
    assert_eq!(day_of_seconds(i64::MAX), None);
}

#[test]
fn a_block_page_is_no_answer() {
    for (kind, body, want) in [
        (Some("text/html"), "<!DOCTYPE html><title>Just a moment...</title>", true),
        (None, "\n<html><body>Please solve this CAPTCHA</body>", true),
        (Some("text/html; charset=utf-8"), "<p>Our systems have detected unusual traffic", true),
        (Some("text/html"), "<html><body>Results", false),
        (Some("application/json"), "{\"title\": \"How a captcha works\"}", false),
        (Some("text/html"), "{\"title\": \"How a captcha works\"}", false),
        (Some("application/atom+xml"), "<?xml version='1.0'?><feed><title>captcha</title>", false),
        (None, "", false),
    ] {
        assert_eq!(is_block_page(kind, body.as_bytes()), want, "{body}");
    }
}

#[test]
fn snippets_are_plain_text() {
    for (html, want) in [
        ("plain", "plain"),
        ("a <strong>b</strong>c &amp; d&#39;s", "a bc & d's"),
        ("<p>one</p><p>two<br>three</p>", "one two three"),
        ("x <script>alert(1)", "x alert(1)"),
        ("1 < 2 and\n\n  3 > 2\u{0}", "1 < 2 and 3 > 2"),
        ("", ""),
    ] {
        assert_eq!(plain(html), want, "{html}");
    }
    let many = format!("one<i {}>two", "a=\"b\" ".repeat(50_000));
    assert_eq!(plain(&many), "onetwo", "a tag of very many attributes takes nothing down");
    assert!(plain(&"word ".repeat(100_000)).chars().count() <= crate::core::base::limits::SEARCH_SNIPPET_CHARS);
}

#[test]
fn prices_are_those_of_the_table() {
    let price = |provider: Provider, depth, limit| provider.price(&Query { depth, limit, ..Query::default() });
    for (provider, depth, limit, micros) in [
        (Provider::Tavily, Depth::Basic, 20, 8_000),
        (Provider::Tavily, Depth::Advanced, 5, 16_000),
        (Provider::Brave, Depth::Advanced, 20, 5_000),
        (Provider::Exa, Depth::Basic, 10, 7_000),
        (Provider::Exa, Depth::Basic, 12, 9_000),
        (Provider::Serper, Depth::Basic, 10, 1_000),
        (Provider::Serper, Depth::Basic, 11, 2_000),
    ] {
        assert_eq!(price(provider, depth, limit), Usd::from_micros(micros), "{provider:?}");
    }
    for provider in Provider::ALL {
        assert_eq!(provider.needs_key(), price(provider, Depth::Basic, 10) > Usd::default(), "{provider:?}");
        assert_eq!(Provider::parse(provider.name()), Some(provider));
        assert_eq!(serde_json::to_value(provider).unwrap(), provider.name());
    }
}

proptest! {
    #[test]
    fn fusing_loses_and_invents_nothing(a in prop::collection::vec(0..12_u8, 0..10), b in prop::collection::vec(0..12_u8, 0..10)) {
        let list = |numbers: &[u8]| numbers.iter().map(|n| hit(&format!("https://{n}.example/"))).collect::<Vec<_>>();
        let fused = fuse(vec![(Provider::Tavily, list(&a)), (Provider::Brave, list(&b))]);
        let mut found: Vec<&str> = urls(&fused);
        prop_assert!(fused.windows(2).all(|pair| pair[0].score >= pair[1].score));
        found.sort_unstable();
        let mut want: Vec<String> = a.iter().chain(&b).map(|n| format!("https://{n}.example/")).collect();
        want.sort();
        want.dedup();
        prop_assert_eq!(found, want);
    }

    #[test]
    fn garbage_is_read(text in "(?s).{0,120}") {
        let _any = (plain(&text), day(&text), is_block_page(None, text.as_bytes()));
        let within = Within { only: vec![text.clone()], ..Within::default() };
        let query = Query { within, ..Query::default() };
        let _either = allowed(&hit(&text), &query, &Rules::default());
    }
}
