use std::time::Duration;

use proptest::prelude::*;

use super::*;

/// The longest a hostile page may take here, without optimisation and on a busy machine. `hadal-eval hostile` has them at full
/// size.
const MOST: Duration = Duration::from_secs(60);

fn read(bytes: &[u8], content_type: &str) -> Extracted {
    extract(Raw { url: "https://example.org/", content_type: Some(content_type), bytes }).unwrap()
}

/// What came out is bounded by what came in.
fn assert_bounded(page: &Extracted, input: usize) {
    let most = 40_000 + 12 * input;
    assert!(page.text.len() <= most, "{} bytes of text from {input}", page.text.len());
    assert!(page.markdown.len() <= most, "{} bytes of Markdown from {input}", page.markdown.len());
    assert!(page.links.len() <= limits::EXTRACT_LINKS);
}

#[test]
fn hostile_pages_end_soon_and_lose_no_words() {
    let many = |piece: &str, count: usize| piece.repeat(count);
    let attributes: String = (0..50_000).map(|no| format!(" a{no}=b")).collect();
    let cases: [(&str, String); 18] = [
        ("nested divs", many("<div>", 100_000) + "needle"),
        ("nested b", many("<b>", 100_000) + "needle"),
        ("nested lists", many("<ul><li>", 50_000) + "needle"),
        ("nested tables", many("<table><tr><td>", 30_000) + "needle"),
        ("nested quotes", many("<blockquote>x", 30_000) + "needle"),
        ("quoted lists", many("<blockquote><ul><li>", 200) + &many("<p>x", 20_000) + "needle"),
        ("nested links", many("<a href=/x>", 50_000) + "needle"),
        ("closed at the end", many("<div><b>", 30_000) + "needle" + &many("</b></div>", 30_000)),
        ("one paragraph", "<p>".to_owned() + &many("word ", 100_000) + "needle"),
        ("one word", "<p>".to_owned() + &many("x", 500_000) + " needle"),
        ("attributes", format!("<p{attributes}>needle")),
        ("end tags", many("</div>", 50_000) + "needle"),
        ("less than", many("<", 500_000) + " needle"),
        ("entities", many("&amp;&#x41;&nosuch;", 25_000) + " needle"),
        ("paragraphs", many("<p>word", 50_000) + "<p>needle"),
        (
            "wide table",
            "<table>".to_owned() + &many("<tr><td>a", 20_000) + &many("<td>b", 20_000) + "<td>needle</table>needle",
        ),
        (
            "a long title",
            "<title>".to_owned() + &many("ab ", 2_000_000) + "</title>" + &many("<p>cd", 15_000) + "needle",
        ),
        ("classes", many("<div class='a b c d e f g h nav menu footer'>x</div>", 5_000) + "needle"),
    ];
    for (name, html) in cases {
        let began = sim::cpu_time();
        let page = read(html.as_bytes(), "text/html");
        let took = sim::cpu_time() - began;
        assert!(took < MOST, "{name} took {took:?} of a processor");
        assert!(!page.text.is_empty() && !page.markdown.is_empty(), "{name} is lost");
        assert_bounded(&page, html.len());
    }
}

/// Indenting what is nested deep takes a multiple of it, so it stays as it came.
#[test]
fn deep_json_is_not_indented() {
    let deep = "[".repeat(100) + &"1,".repeat(100_000) + "1" + &"]".repeat(100);
    let page = read(deep.as_bytes(), "application/json");
    assert_eq!(page.text, deep);
    let flat = "{\"a\":[1,\"``````\"]}";
    let page = read(flat.as_bytes(), "application/json");
    let want = "{\n  \"a\": [\n    1,\n    \"``````\"\n  ]\n}";
    assert_eq!((page.text.as_str(), page.markdown), (want, format!("```````json\n{want}\n```````")));
}

#[test]
fn bytes_that_are_no_page_are_read_all_the_same() {
    let random: Vec<u8> = (0..200_000_u32).map(|no| (no.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let cases: [&[u8]; 8] = [
        b"",
        b"\0\0\0",
        b"<",
        b"</",
        b"<!--",
        b"<![CDATA[",
        "<p>caf\u{e9}".as_bytes().split_last().unwrap().1,
        &random,
    ];
    for bytes in cases {
        for content_type in ["text/html", "text/plain", "text/markdown", "application/json", "application/rss+xml"] {
            assert_bounded(&read(bytes, content_type), bytes.len());
        }
    }
}

#[test]
fn a_page_over_the_limit_is_cut_and_says_so() {
    let html = "<p>word ".repeat(limits::EXTRACT_BYTES / 8 + 100);
    let page = read(html.as_bytes(), "text/plain");
    assert!(page.problems.contains(&Problem::Cut) && page.text.len() <= limits::EXTRACT_BYTES);
}

#[test]
fn feeds_of_each_form_give_the_same() {
    let rss = "<?xml version='1.0'?><rss version='2.0'><channel><title>News &amp; more</title><link>https://example.org/</link>
        <item><title>First</title><link>https://example.org/1</link><pubDate>2026-11-15</pubDate>
        <description><![CDATA[<p>One <b>thing</b>.</p>]]></description></item></channel></rss>";
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>News &amp; more</title><entry><title>First</title>
        <link rel='self' href='/feed'/><link href='/1'/><updated>2026-12-24T00:00:00Z</updated><published>2026-11-15T00:00:00Z</published>
        <content type='html'>&lt;p&gt;One &lt;b&gt;thing&lt;/b&gt;.&lt;/p&gt;</content></entry></feed>";
    let json = r#"{"version":"https://jsonfeed.org/version/1.1","title":"News & more","items":[{"title":"First",
        "url":"https://example.org/1","date_published":"2026-11-15","content_html":"<p>One <b>thing</b>.</p>"}]}"#;
    // An element of very many attributes takes nothing down.
    let wide = atom.replace("<entry>", &format!("<entry {}>", "a='b' ".repeat(50_000)));
    for (feed, content_type, kind) in [
        (rss, "application/rss+xml", Kind::Feed),
        (atom, "text/xml", Kind::Feed),
        (wide.as_str(), "text/xml", Kind::Feed),
        (json, "application/json", Kind::Feed),
    ] {
        let page = read(feed.as_bytes(), content_type);
        assert_eq!(page.kind, kind, "{content_type}");
        assert_eq!(page.title.as_deref(), Some("News & more"), "{content_type}");
        assert_eq!(
            page.markdown.trim(),
            "# News & more\n\n## [First](https://example.org/1)\n\n2026-11-15\n\nOne thing.",
            "{content_type}"
        );
        assert_eq!(page.links.len(), 1);
    }
}

#[test]
fn other_text_is_what_it_is() {
    let page = read(b"# Title\n\nSome *words*.", "text/markdown");
    assert_eq!(
        (page.kind, page.title.as_deref(), page.text.as_str()),
        (Kind::Markdown, Some("Title"), "# Title\n\nSome *words*.")
    );
    let page = read(br#"{"name":"x","b":[1,2]}"#, "application/json");
    assert_eq!(page.title.as_deref(), Some("x"));
    assert!(page.markdown.starts_with("```json\n{\n"), "{}", page.markdown);
    let page = read("La mar\u{e9}e monte deux fois par jour, parce que la lune attire l'eau qui est la plus proche d'elle, et la terre \
        elle-m\u{ea}me loin de l'eau qui en est la plus \u{e9}loign\u{e9}e. Les marins savaient quand, bien avant que l'on sache pourquoi.".as_bytes(), "text/plain");
    assert_eq!(page.language.as_deref(), Some("fr"));
}

#[test]
fn pages_in_place_of_the_page_are_told() {
    let long =
        "The captcha was invented at a university, and many a page not found has been found again since. ".repeat(30);
    for (title, text, expected) in [
        ("Just a moment...", "Checking your browser before accessing example.org.", Some(Blocked::Captcha)),
        ("Robot check", "Please solve the CAPTCHA to continue.", Some(Blocked::Captcha)),
        ("Access Denied", "You don\u{2019}t have permission to access this resource.", Some(Blocked::Denied)),
        ("Attention Required! | Cloudflare", "Sorry, you have been blocked", Some(Blocked::Denied)),
        ("Page not found", "Try our search.", Some(Blocked::NotFound)),
        ("Oops", "The page you were looking for has moved or no longer exists.", Some(Blocked::NotFound)),
        ("Before you continue", "We use cookies and data.", Some(Blocked::Consent)),
        ("Sign in", "Please log in to see this thread.", Some(Blocked::Login)),
        ("App", "You need to enable JavaScript to run this app.", Some(Blocked::NeedsScript)),
        ("On captchas", long.as_str(), None),
        ("On tides", "The tide comes twice a day.", None),
    ] {
        let html = format!("<title>{title}</title><body><p>{text}</p>");
        assert_eq!(read(html.as_bytes(), "text/html").blocked, expected, "{title}");
    }
}

proptest! {
    #[test]
    fn no_page_panics_or_grows(pieces in proptest::collection::vec(piece(), 0..60)) {
        let html = pieces.concat();
        let page = read(html.as_bytes(), "text/html");
        assert_bounded(&page, html.len());
        let words = html::words(&html);
        prop_assert_eq!(page.text.trim().is_empty(), words.trim().is_empty(), "{} lost: {}", html, words);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), kind in 0..5_usize) {
        let kinds = ["text/html", "text/plain", "application/json", "application/rss+xml", "text/html; charset=shift_jis"];
        assert_bounded(&read(&bytes, kinds[kind]), bytes.len());
    }
}

/// Tags and text that meet each other in every wrong order.
fn piece() -> impl Strategy<Value = String> {
    let names = [
        "p",
        "div",
        "a href=/x",
        "ul",
        "ol",
        "li",
        "table",
        "tr",
        "td",
        "pre",
        "code",
        "h1",
        "h6",
        "blockquote",
        "nav",
        "main",
        "article",
        "br",
        "img alt=x",
        "head",
        "body",
        "html",
        "noscript",
        "title",
        "script",
        "svg",
        "dl",
        "dt",
        "dd",
        "form",
    ];
    prop_oneof![
        prop::sample::select(names.to_vec()).prop_map(|name| format!("<{name}>")),
        prop::sample::select(names.to_vec())
            .prop_map(|name| format!("</{}>", name.split(' ').next().unwrap_or_default())),
        "[a-z<>&;#| \\n\\[\\]`*-]{0,12}",
        "\\PC{0,6}",
    ]
}
