use std::collections::BTreeSet;

use super::*;
use crate::core::base::id::TaskId;
use crate::core::evidence::checked::{CitedSource, DiffersFrom, SourceState};
use crate::core::money::usage::Usage;
use crate::core::report::{Source, StopReason};
use crate::core::saved::citations::cited_at;
use crate::core::task::{Hands, Progress, Status};
use crate::core::text::spans::Span;

const PARTS: Parts = Parts { metadata: true, sources: true };

fn task() -> TaskView {
    TaskView {
        id: TaskId::from_random(7),
        tool: "deep_research".into(),
        query: "how deep is \"it\"?".into(),
        engine_reason: "the only one".into(),
        engine: "native".into(),
        status: Status::Completed,
        progress: Progress::default(),
        usage: Usage::ZERO,
        error: None,
        created_ms: 1_794_700_800_000,
        updated_ms: 1_794_700_803_000,
        completed_ms: Some(1_794_700_803_000),
        cancel_requested: false,
        hands: Hands::default(),
        hosted: None,
    }
}

fn tint(markdown: &str, words: &str, number: usize, verdict: Verdict) -> Tint {
    let start = markdown.find(words).unwrap();
    Tint { span: start..start + words.len(), number, verdict }
}

fn html(markdown: &str, tints: &[Tint]) -> String {
    body(markdown, tints, &cited_at(markdown, &BTreeSet::from([1, 2])), &(0..0)).html
}

/// EV-04: a claim is one link however the parser cuts its text, and citations stay links of their own.
#[test]
fn ev_04_claims_and_citations_are_links() {
    let text = "The trench is *very* deep `here`, 10,935 m. [1][2] Nobody lives there.\n";
    let tints = [
        tint(text, "The trench is *very* deep `here`, 10,935 m.", 1, Verdict::Supported),
        tint(text, "Nobody lives there.", 2, Verdict::Uncited),
    ];
    let made = html(text, &tints);
    let open = "<a class=\"claim supported\" href=\"#c1\">";
    assert_eq!(
        made,
        format!(
            "<p><a class=\"claim supported\" id=\"r1\" href=\"#c1\">The trench is </a><em>{open}very</a></em>{open} deep <code>here</code>, 10,935 m.</a> \
             <sup class=\"cite\">[<a href=\"#s1\">1</a>]</sup><sup class=\"cite\">[<a href=\"#s2\">2</a>]</sup> \
             <a class=\"claim uncited\" id=\"r2\" href=\"#c2\">Nobody lives there.</a></p>\n"
        )
    );
}

/// EV-04, PR-02: whatever a model writes, the file holds no markup, picture or script of its making.
#[test]
fn ev_04_what_a_model_writes_stays_text() {
    for (text, wanted) in [
        ("<script>alert(1)</script>\n", "&lt;script&gt;"),
        ("a <img src=x onerror=alert(1)> b\n", "&lt;img src=x"),
        ("![secret](http://x.example/?q=1)\n", "<p>secret</p>"),
        ("[go](javascript:alert(1))\n", "<p>go</p>"),
        ("[go](data:text/html,x)\n", "<p>go</p>"),
        ("# A <b onclick=x>title</b>\n", "<h1 id=\"h1\">A &lt;b onclick=x&gt;title&lt;/b&gt;</h1>"),
        ("&lt;script&gt; \\<i\\>\n", "&lt;script&gt; &lt;i&gt;"),
        ("```\n</pre><script>\n```\n", "&lt;/pre&gt;&lt;script&gt;"),
    ] {
        let made = html(text, &[]);
        assert!(made.contains(wanted), "{text}: {made}");
        for bad in ["<script", "<img", "javascript:", "data:", "<b ", "<i>"] {
            assert!(!made.contains(bad), "{text}: {made}");
        }
    }
    assert!(
        html("[page](https://a.example/x \"t\") [mail](mailto:a@b)\n", &[])
            .contains("<a href=\"https://a.example/x\" title=\"t\">page</a> mail")
    );
}

/// A claim inside a link is tinted, for a link cannot stand in a link.
#[test]
fn a_claim_in_a_link_is_only_tinted() {
    let text = "See [the sea is deep](https://a.example) now.\n";
    let made = html(text, &[tint(text, "the sea is deep](https://a.example) now.", 1, Verdict::Partial)]);
    assert_eq!(
        made,
        "<p>See <a href=\"https://a.example\"><span class=\"claim partial\" id=\"r1\">the sea is deep</span></a>\
         <a class=\"claim partial\" href=\"#c1\"> now.</a></p>\n"
    );
}

/// The words of the claim are marked in the passage, in any of their forms, and nothing in it is markup.
#[test]
fn the_words_of_a_claim_are_marked_in_its_passage() {
    let page = "An old intro.\nBefore it. The trenches are <b>10,935</b> metres deep. After it.\nFar away.";
    let start = page.find("The trenches").unwrap() as u64;
    let end = page.find(" After").unwrap() as u64;
    let made = passage(page, Span { start, end }, "The trench is 10,935 metres deep.").unwrap();
    assert_eq!(
        made,
        "<span class=\"around\">Before it. </span>The <mark>trenches</mark> are &lt;b&gt;<mark>10</mark>,<mark>935</mark>&lt;&#x2f;b&gt; \
         <mark>metres deep</mark>.<span class=\"around\"> After it.</span>"
    );
    assert_eq!(passage(page, Span { start: 5, end: 4_000 }, "x"), None);
    assert_eq!(passage("é", Span { start: 1, end: 2 }, "x"), None);
}

/// A page of many brackets and marks takes no longer for each than a short one.
#[test]
fn the_page_is_made_in_one_pass() {
    let text = "[1] a. ".repeat(20_000);
    let spans = text.match_indices("a.").map(|(at, _)| at..at + 2);
    let tints: Vec<Tint> =
        (1..).zip(spans).map(|(number, span)| Tint { span, number, verdict: Verdict::Supported }).collect();
    let made = html(&text, &tints);
    assert_eq!(made.matches("class=\"claim").count(), 20_000);
    assert_eq!(made.matches("class=\"cite").count(), 20_000);
}

fn report() -> Report {
    let markdown = "# How deep\n\nThe trench is 10,935 m deep. [1] It is warm. [1]\n\n## Sources\n\n1. [Sea](https://sea.example/)\n";
    let claim = |words: &str, verdict| {
        let start = markdown.find(words).unwrap() as u64;
        CheckedClaim {
            text: words.to_owned(),
            span: Some(Span { start, end: start + words.len() as u64 }),
            verdict,
            cited: vec![CitedSource {
                source: 1,
                verdict,
                reason: (verdict == Verdict::Unsupported).then(|| "'warm' is <nowhere>".to_owned()),
                passage: (verdict == Verdict::Supported).then_some(Span { start: 0, end: 32 }),
                score: Some(0.9),
            }],
            by_model: None,
            differs: (verdict == Verdict::Unsupported).then(|| DiffersFrom {
                source: 1,
                said: "warm".into(),
                figure: "cold".into(),
            }),
        }
    };
    let mut report = Report::new(markdown.to_owned(), StopReason::Answered);
    report.sources = vec![Source {
        page: Some(PageHash("ab12".into())),
        ..Source::link(1, "Sea <i>".into(), "https://sea.example/".into())
    }];
    let checked = CheckedSource {
        number: 1,
        page: Some(PageHash("ab12".into())),
        read_ms: Some(0),
        state: SourceState::Read,
        ..CheckedSource::default()
    };
    let claims =
        vec![claim("The trench is 10,935 m deep.", Verdict::Supported), claim("It is warm.", Verdict::Unsupported)];
    report.with_evidence(Evidence { claims, sources: vec![checked], citations: 2, parsed: 2, ..Evidence::default() })
}

/// EV-04: the file holds verdicts, passages, reasons and sources with time and hash, and asks nobody for anything.
#[test]
fn ev_04_one_file_has_it_all() {
    let pages = Pages::from([(PageHash("ab12".into()), "The trench is 10,935 metres deep. It is cold.".to_owned())]);
    let report = report();
    assert_eq!(pages_shown(&report), BTreeSet::from([PageHash("ab12".into())]));
    let file = render(&task(), &report, &pages, PARTS).unwrap();
    for wanted in [
        "<title>How deep</title>",
        "<section class=\"card\" id=\"c1\">",
        "<mark>trench</mark>",
        "&#x27;warm&#x27; is &lt;nowhere&gt;",
        "this sentence says warm, source [1] says cold",
        "1 not supported",
        "Sea &lt;i&gt;</a>",
        "read 1970-01-01",
        "sha-256 ab12",
        "<li id=\"s1\" value=\"1\">",
    ] {
        assert!(file.contains(wanted), "{wanted}: {file}");
    }
    // The report's own list gives way to the list with times and hashes.
    assert_eq!(file.matches("sea.example").count(), 2, "the link and its text");
    for foreign in ["<script", "src=", "@import", "url(", "<link"] {
        assert!(!file.contains(foreign), "{foreign}");
    }
    let bare = render(&task(), &report, &pages, Parts { metadata: false, sources: false }).unwrap();
    assert!(!bare.contains("sha-256") && !bare.contains("engine "), "{bare}");
    let unchecked = render(&task(), &Report::new("Text.".into(), StopReason::Answered), &pages, PARTS).unwrap();
    assert!(unchecked.contains("were not checked"), "{unchecked}");
}

/// EV-04: the page says its language, and nothing of where on this machine its documents lie.
#[test]
fn ev_04_a_page_that_is_passed_on() {
    let text = "The sea is deep and cold, and nobody knows what lives at the bottom of it, because the light of the sun never gets there.";
    let mut report = Report::new(text.to_owned(), StopReason::Answered);
    report.sources = vec![
        Source::link(1, "Sea".into(), "/home/jane/notes/sea.md".into()),
        Source::link(2, "/home/jane/notes/deep.md".into(), "/home/jane/notes/deep.md".into()),
        Source::link(3, "/r/sea: 1/2 of it".into(), "https://sea.example/r".into()),
    ];
    let file = render(&task(), &report, &Pages::new(), PARTS).unwrap();
    assert!(file.contains("<html lang=\"en\">") && file.contains("<br>notes&#x2f;sea.md"), "{file}");
    assert!(file.contains(">notes&#x2f;deep.md") && !file.contains("jane"), "{file}");
    assert!(file.contains("&#x2f;r&#x2f;sea: 1&#x2f;2 of it"), "{file}");
    report.markdown = "Short.".to_owned();
    assert!(render(&task(), &report, &Pages::new(), PARTS).unwrap().contains("<html>"));
}
