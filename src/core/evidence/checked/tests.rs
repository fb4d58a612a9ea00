use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::core::evidence::passage::PageHash;
use crate::core::evidence::reading::Annotation;

const SHIP: &str = "# Meridian Lark\n\nThe Meridian Lark was built in Gdynia in 1898. From 1909 to 1914 her captain was Ottoline Varga, who had \
    learned the trade on coal ships. The crew of nine men sailed north in the summer. The vessel was broken up in 1927.";
const OTHER: &str = "# Museum notes\n\nThe crew of eleven men sailed north in the summer. The bell of the ship hangs in the hall of the museum.";

fn page(number: u32, address: &str, text: &str) -> SourcePage {
    let source = CheckedSource {
        number,
        address: Some(address.into()),
        page: Some(PageHash(format!("hash-{number}"))),
        state: SourceState::Read,
        ..CheckedSource::default()
    };
    SourcePage { source, text: Some(text.into()) }
}

fn unread(number: u32, address: &str, state: SourceState) -> SourcePage {
    let source = CheckedSource { number, address: Some(address.into()), state, ..CheckedSource::default() };
    SourcePage { source, text: None }
}

fn shown(evidence: &Evidence) -> String {
    let mut text = String::new();
    for claim in &evidence.claims {
        let _ = write!(text, "{} | {}", claim.verdict.name(), claim.text);
        for cited in &claim.cited {
            let _ = write!(text, " | [{}] {}", cited.source, cited.verdict.name());
            cited.reason.iter().for_each(|reason| text.push_str(&format!(": {reason}")));
        }
        if let Some(DiffersFrom { source, said, figure }) = &claim.differs {
            let _ = write!(text, " | differs: [{source}] '{said}' / '{figure}'");
        }
        text.push('\n');
    }
    text
}

fn check_report(report: &str, pages: &[SourcePage], want: &Expect) -> Evidence {
    let evidence = check(report, &[], pages);
    want.assert_eq(&shown(&evidence));
    evidence
}

/// EV-02: every factual sentence has a verdict, the uncited ones too, and what is wrong is named.
#[test]
fn every_claim_is_judged_by_what_it_cites() {
    let report = "# The ship\n\nThe Meridian Lark was built in Gdynia in 1898 [1]. The crew of twelve men sailed north in the summer [1]. \
        Penguins are not able to fly at all. Her bell was sold to a brewer in Lisbon [3]. The mast fell in a storm near Oaxaca [4].\n\n\
        What became of her?\n";
    let dead = SourceState::Unreachable { why: Unreachable::Dead, detail: "404".into() };
    let evidence = check_report(
        report,
        &[page(1, "https://ship.example/", SHIP), unread(3, "https://gone.example/", dead)],
        &expect![[r#"
            supported | The Meridian Lark was built in Gdynia in 1898. | [1] supported
            unsupported | The crew of twelve men sailed north in the summer. | [1] unsupported: 'twelve' is not on this page; it says 'nine'
            uncited | Penguins are not able to fly at all.
            unreachable | Her bell was sold to a brewer in Lisbon. | [3] unreachable: the page is gone or does not answer (404)
            not_visited | The mast fell in a storm near Oaxaca. | [4] not_visited: the report does not say where this source is
        "#]],
    );
    let counts = evidence.counts();
    assert_eq!((counts.claims(), counts.cited(), counts.supported, counts.uncited), (5, 4, 1, 1));
    assert_eq!((evidence.share_supported(), evidence.share_cited()), (Some(0.25), Some(0.8)));
    assert_eq!((evidence.citations, evidence.parsed), (4, 3));
    for claim in &evidence.claims {
        let span = claim.span.unwrap();
        let shown = report.get(usize::try_from(span.start).unwrap()..usize::try_from(span.end).unwrap()).unwrap();
        assert!(shown.contains(claim.text.trim_end_matches('.')), "{shown}");
    }
    let passage = evidence.claims[0].cited[0].passage.unwrap();
    let passage = SHIP.get(usize::try_from(passage.start).unwrap()..usize::try_from(passage.end).unwrap()).unwrap();
    assert!(passage.contains("built in Gdynia"), "{passage}");
    assert_eq!(evidence.claims[1].reason().as_deref(), Some("'twelve' is not on this page; it says 'nine'"));
}

/// Citations are taken together; only a claim whose pages were all read is called unsupported.
#[test]
fn citations_are_taken_together() {
    let offline = SourceState::NotVisited { why: NotVisited::Offline };
    check_report(
        "The Meridian Lark was built in Gdynia in 1898 and her bell hangs in the hall of the museum [1][2].\n\n\
         Penguins live in large colonies on the ice of the south [1][3].\n\n\
         Penguins live in large colonies on the ice of the south [1][2].\n",
        &[
            page(1, "https://a.example/", SHIP),
            page(2, "https://b.example/", OTHER),
            unread(3, "https://c.example/", offline),
        ],
        &expect![[r#"
            supported | The Meridian Lark was built in Gdynia in 1898 and her bell hangs in the hall of the museum. | [1] partial: only some of its words stand together on this page | [2] unsupported: the figure '1898' is not on this page
            not_visited | Penguins live in large colonies on the ice of the south. | [1] unsupported: this page does not speak of it in these words | [3] not_visited: the page is not in the cache, and the network was not asked
            unsupported | Penguins live in large colonies on the ice of the south. | [1] unsupported: this page does not speak of it in these words | [2] unsupported: this page does not speak of it in these words
        "#]],
    );
}

/// A source that has another figure than the one that is borne out is named beside the verdict.
#[test]
fn another_cited_source_has_another_figure() {
    check_report(
        "The crew of nine men sailed north in the summer [1]. The bell of the ship hangs in the hall of the museum [2].",
        &[page(1, "https://a.example/", SHIP), page(2, "https://b.example/", OTHER)],
        &expect![[r#"
            supported | The crew of nine men sailed north in the summer. | [1] supported | differs: [2] 'nine' / 'eleven'
            supported | The bell of the ship hangs in the hall of the museum. | [2] supported
        "#]],
    );
}

/// Two sources with two figures are told to whoever repeats either; figures have their units, and parts of a claim are joined.
#[test]
fn figures_of_two_sources() {
    let registry = "The Ormond Dam was completed in 1931 and is 87 metres high. The two turbines produce about 52 gigawatt hours per year.";
    let news = "Ninety years ago the Ormond Dam was opened. At 91 metres high it was completed as the highest dam. \
                The two turbines produce 48 gigawatt hours per year, enough for 13,000 households. The lake holds 1.5 million cubic metres.";
    check_report(
        "The Ormond Dam was completed in 1931 and is 87 metres high [1]. The Ormond Dam is 91 metres high, the highest dam [2].\n\n\
         The two turbines produce 52 GWh per year, enough for 13,000 households [1][2].\n\n\
         | Figure | Value |\n|---|---|\n| Volume | 1.5 million m³ [2] |\n| Area | 12 km² [2] |\n",
        &[page(1, "https://a.example/", registry), page(2, "https://b.example/", news)],
        &expect![[r#"
            supported | The Ormond Dam was completed in 1931 and is 87 metres high. | [1] supported | differs: [2] '87 metres' / '91 metres'
            supported | The Ormond Dam is 91 metres high, the highest dam. | [2] supported | differs: [1] '91 metres' / '87 metres'
            partial | The two turbines produce 52 GWh per year, enough for 13,000 households. | [1] unsupported: the figure '13,000' is not on this page | [2] unsupported: '52 GWh' is not on this page; it says '48 gigawatt hours' | differs: [2] '52 GWh' / '48 gigawatt hours'
            partial | Volume: 1.5 million m³ | [2] partial: only some of its words stand together on this page
            unsupported | Area: 12 km² | [2] unsupported: the figure '12 km²' is not on this page
        "#]],
    );
}

/// Copies of one article are one voice.
#[test]
fn copies_count_once() {
    let copy = SHIP.replace("who had", "that had");
    let report = "The Meridian Lark was built in Gdynia in 1898 [1][2][3][4].";
    let pages = [
        page(1, "https://a.example/", SHIP),
        page(2, "https://b.example/", &copy),
        page(3, "https://c.example/", OTHER),
        page(4, "https://d.example/", SHIP),
    ];
    let evidence = check(report, &[], &pages);
    let copies: Vec<Option<u32>> = evidence.sources.iter().map(|source| source.copy_of).collect();
    assert_eq!(copies, [None, Some(1), None, Some(1)]);
    assert_eq!(evidence.independent(&evidence.claims[0]), [1]);
}

/// EV-01: the numbers of a report's sources are its own; what has none gets a free one.
#[test]
fn sources_keep_the_numbers_of_the_report() {
    let report = "Deep is the sea here [2]. Wide is the land there [^x]. High are the hills ([Hills](https://hills.example/high)). \
        So is the sky above ([Deep](https://deep.example)).\n\n[^x]: Land, https://land.example/wide\n\n## Sources\n\n1. Nobody cites it, https://one.example\n2. Deep, https://deep.example/\n";
    let listed = |known: &[CheckedSource]| {
        let sources = cited_sources(report, &[], known).into_iter();
        let shown: Vec<String> =
            sources.map(|source| format!("{} {}", source.number, source.address.unwrap_or_default())).collect();
        shown.join("\n")
    };
    expect![[r#"
        2 https://deep.example/
        3 https://land.example/wide
        4 https://hills.example/high"#]]
    .assert_eq(&listed(&[]));
    let known =
        CheckedSource { number: 7, address: Some("https://hills.example/high".into()), ..CheckedSource::default() };
    expect![[r#"
        2 https://deep.example/
        3 https://land.example/wide
        7 https://hills.example/high"#]]
    .assert_eq(&listed(&[known]));
}

/// What a provider cites by offset counts as a citation.
#[test]
fn annotations_are_citations() {
    let report = "The Meridian Lark was built in Gdynia in 1898.";
    let annotation = Annotation { span: 0..report.len(), url: "https://ship.example".into(), title: None };
    let evidence = check(report, &[annotation], &[page(5, "https://ship.example/", SHIP)]);
    assert_eq!(evidence.claims[0].cited[0].source, 5);
    assert_eq!(evidence.claims[0].verdict, Verdict::Supported);
}

/// The names on disk.
#[test]
fn what_is_stored() {
    let dead = SourceState::Unreachable { why: Unreachable::Soft404, detail: String::new() };
    let evidence = check("Deep is the sea here [1]. Wide is the land.", &[], &[unread(1, "https://a.example/", dead)]);
    let stored = serde_json::to_string_pretty(&evidence).unwrap();
    expect![[r#"
        {
          "claims": [
            {
              "text": "Deep is the sea here.",
              "span": {
                "start": 0,
                "end": 25
              },
              "verdict": "unreachable",
              "cited": [
                {
                  "source": 1,
                  "verdict": "unreachable",
                  "reason": "a notice that it is gone stands in the place of the page"
                }
              ]
            },
            {
              "text": "Wide is the land.",
              "span": {
                "start": 26,
                "end": 43
              },
              "verdict": "uncited"
            }
          ],
          "sources": [
            {
              "number": 1,
              "address": "https://a.example/",
              "state": "unreachable",
              "why": "soft_404"
            }
          ],
          "citations": 1,
          "parsed": 1
        }"#]]
    .assert_eq(&stored);
    assert_eq!(serde_json::from_str::<Evidence>(&stored).unwrap(), evidence);
    assert_eq!(serde_json::from_str::<Verdict>("\"uncited\"").unwrap(), Verdict::Uncited);
}

proptest! {
    /// Whatever a report is: a claim cites what is listed, and its place is a piece of the report.
    #[test]
    fn any_report_is_checked(report in "(\\PC|[\\[\\]().1-9 \n]|\\[1\\]|\\[2\\]|The crew of nine men sailed north\\. |https://a\\.b/c|\n\n|Sources:\n){0,60}") {
        let evidence = check(&report, &[], &[page(1, "https://a.b/c", SHIP)]);
        for claim in &evidence.claims {
            let span = claim.span.unwrap();
            prop_assert!(report.get(usize::try_from(span.start).unwrap()..usize::try_from(span.end).unwrap()).is_some());
            prop_assert!(claim.cited.iter().all(|cited| evidence.source(cited.source).is_some()));
            prop_assert!(claim.cited.is_empty() || claim.verdict != Verdict::Uncited);
        }
        prop_assert!(evidence.parsed <= evidence.citations);
    }
}

/// EV-03: which documents a report of hadal's may lead to is decided by what hadal itself has read for it, not by what a model says.
#[test]
fn files_are_read_for_reports_that_read_files() {
    let source = |address: &str, read: bool, claimed: bool| CheckedSource {
        address: Some(address.to_owned()),
        page: read.then(|| PageHash("0".repeat(64))),
        claimed,
        ..CheckedSource::default()
    };
    for (sources, want) in [
        (vec![source("/notes/lake.md", true, false)], true),
        (vec![source("https://a.test/", true, false), source("/notes/lake.md", true, false)], true),
        (vec![source("https://a.test/lake.md", true, false)], false),
        (vec![source("/notes/lake.md", false, false)], false),
        (vec![source("/notes/lake.md", true, true)], false),
        (Vec::new(), false),
    ] {
        assert_eq!(FileReach::of_report(&sources).registered, want, "{sources:?}");
    }
}

/// EV-03: a file that is cited twice speaks with the lines that bear the claim out; what stands in neither place stays partial.
#[test]
fn two_places_of_one_file() {
    let text = format!("The dam is 87 metres high.\n{}The lake froze in 1963.\n", "Nothing.\n".repeat(30));
    let pages = [page(1, "lake.md:20-21", &text), page(2, "lake.md:1", &text), page(3, "lake.md:12", &text)];
    let list = "\n\n## Sources\n\n1. lake.md:20-21\n2. lake.md:1\n3. lake.md:12\n";
    let verdicts = |cites: &str| {
        let report = format!("The dam is 87 metres high {cites}.{list}");
        check(&report, &[], &pages).claims.into_iter().map(|claim| claim.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts("[1][2]"), [Verdict::Supported]);
    assert_eq!(verdicts("[1][3]"), [Verdict::Partial]);
}
