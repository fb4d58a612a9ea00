use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::core::base::limits;

/// What a report is read as, a line per claim: how it is bound, its text, its sources.
pub(super) fn shown(report: &str, annotations: &[Annotation]) -> String {
    let reading = read(report, annotations);
    let source = |at: usize| {
        let source = &reading.sources[at];
        let name = source.url.clone().or(source.title.clone()).unwrap_or_else(|| "?".to_owned());
        format!("{}={name}", source.label.clone().unwrap_or_default())
    };
    let mut out = String::new();
    for claim in &reading.claims {
        let sources: Vec<String> = reading.sources_of(claim).into_iter().map(source).collect();
        out += &format!("{:?} {} [{}]\n", claim.bound, claim.text, sources.join(" "));
        assert!(report.get(claim.span.clone()).is_some());
    }
    out
}

fn check(report: &str, want: Expect) {
    want.assert_eq(&shown(report, &[]));
}

/// PR-02: work and memory grow with the report, not faster. A quadratic reading of these would take hours.
#[test]
fn hostile_reports_are_read_in_one_go() {
    let list = "\n\n## Sources\n\n[1] Smith, A. (2024). https://one.example/a\n";
    for piece in ["(2024)", "Smith(2024)", "[1]", "[1](", "```", "a | b | "] {
        let report = format!("The sea is deep and cold {}.{list}", piece.repeat((1 << 17) / piece.len()));
        read(&report, &[]);
    }
    let report = format!("{}{}{list}", "The sea is deep and cold. ".repeat(5_000), "[1]".repeat(25_000));
    let reading = read(&report, &[]);
    assert!(reading.claims.len() >= 5_000, "{}", reading.claims.len());
    assert!(reading.claims.iter().rev().skip(1).all(|claim| claim.citations.len() <= limits::EVIDENCE_PER_CLAIM));
    assert!(reading.claims.iter().all(|claim| claim.bound != Bound::Uncited), "the marks close the paragraph");
}

/// Code ends where its own fence does.
#[test]
fn fences_inside_code_end_nothing() {
    check(
        "````\n```\nThis is a part of the code. [1]\n```\n````\nThe sea is deep and cold [1].\n\n## Sources\n\n[1] https://one.example/a\n",
        expect![[r#"
            Own The sea is deep and cold. [1=https://one.example/a]
        "#]],
    );
}

/// EV-01: numbers that look like something else are citations where the list has them, and names of programs are no files.
#[test]
fn numbers_and_names_by_their_list() {
    let list = "\n\n## Sources\n\n[1] https://one.example/a\n[2] https://two.example\n[3] https://three.example\n[1987] https://years.example\n[10000] https://many.example\n";
    for (sentence, want) in [
        ("It was founded in 1987 [1987].", "1987=https://years.example"),
        ("It has many sources [10000].", "10000=https://many.example"),
        ("It was founded there in 2015<sup>1</sup>.", "1=https://one.example/a"),
        ("It was founded there in 1987¹.", "1=https://one.example/a"),
        ("It had 42,000² members by then.", "2=https://two.example"),
        ("All three of them say so [1]–[3].", "1=https://one.example/a 2=https://two.example 3=https://three.example"),
        ("The area of it is 10² square metres.", ""),
        ("The runtime (Node.js) was written by one man.", ""),
        ("He holds a degree (Ph.D) in the field.", ""),
        ("It runs with the runtimes (Node.js/React) of the web.", ""),
        ("It is [Node.js](https://one.example/a) that runs it.", "1=https://one.example/a"),
        ("It stands in the file (docs/main.js) of the project.", "=docs/main.js"),
        ("It stands in the file (docs.rs/serde/x) of the project.", "=https://docs.rs/serde/x"),
    ] {
        let read = shown(&format!("{sentence}{list}"), &[]);
        assert!(read.lines().next().unwrap().ends_with(&format!(" [{want}]")), "{sentence}\n{read}");
    }
    let paths = "It is deep [1]. It is wide [2].\n\n## Sources\n\n1. ../x/lake.md\n2. .hidden/s.md\n";
    let sources: Vec<_> = read(paths, &[]).sources.into_iter().filter_map(|source| source.url).collect();
    assert_eq!(sources, ["../x/lake.md", ".hidden/s.md"]);
}

/// EV-01: what hadal says of its own report is no claim; a cited sentence that begins like it is one.
#[test]
fn own_words_are_no_claims() {
    let read = shown(
        "_Angenommen: der Damm am Fluss ist gemeint_\n\nCut here; the rest of the dam was rebuilt in 1950 [1].",
        &[],
    );
    assert_eq!(read.lines().count(), 1, "{read}");
    assert!(read.contains("Cut here; the rest"), "{read}");
}

/// Every usual form of citation leads to its source.
#[test]
fn each_form_is_read() {
    let list = "\n\n## Sources\n\n1. [One](https://one.example/a)\n2. Two, https://two.example\n3. https://three.example/x_(y)\n";
    for (mark, want) in [
        ("[1]", "1=https://one.example/a"),
        ("[1-3]", "1=https://one.example/a 2=https://two.example 3=https://three.example/x_(y)"),
        ("[1;2]", "1=https://one.example/a 2=https://two.example"),
        ("[1, 2]", "1=https://one.example/a 2=https://two.example"),
        ("[1][2]", "1=https://one.example/a 2=https://two.example"),
        ("\\[2\\]", "2=https://two.example"),
        ("[^2]", "2=https://two.example"),
        ("【2】", "2=https://two.example"),
        ("【2†source】", "2=https://two.example"),
        ("[source 2]", "2=https://two.example"),
        ("[cite: 1, 2]", "1=https://one.example/a 2=https://two.example"),
        ("<sup>2</sup>", "2=https://two.example"),
        ("<sup>[2](https://two.example)</sup>", "2=https://two.example"),
        ("²", "2=https://two.example"),
        ("(source 2)", "2=https://two.example"),
        ("[7](https://seven.example)", "7=https://seven.example"),
        ("[[7]](https://seven.example/p)", "7=https://seven.example/p"),
        ("([Seven](https://seven.example))", "=https://seven.example"),
        ("(https://seven.example/p_(q))", "=https://seven.example/p_(q)"),
        ("<https://seven.example>", "=https://seven.example"),
        ("<a href=\"https://seven.example\">7</a>", "7=https://seven.example"),
    ] {
        for (before, after) in [(" ", "."), (".", "")] {
            let report =
                format!("The vessel carried nine men north{before}{mark}{after} Nobody came back from it.{list}");
            let first = shown(&report, &[]).lines().next().unwrap().to_owned();
            assert!(
                first.starts_with("Own The vessel carried nine men north") && first.ends_with(&format!("[{want}]")),
                "{report}\n{first}"
            );
            assert_eq!(read(&report, &[]).share_parsed(), Some(1.0), "{report}");
        }
    }
}

#[test]
fn authors_and_footnotes_are_resolved_by_their_list() {
    check(
        "Ice fell by a third (Smith & Lee, 2024). Jones (2019) disagrees with that. It was warm (Nobody 2001) that year.[^ice]\n\n\
         [^ice]: The ice page, https://ice.example\n\n**References**\n\n- Smith, J., & Lee, K. (2024). Ice. https://smith.example\n- Anna Jones. 2019. Other ice.\n",
        expect![[r#"
            Own Ice fell by a third. [=https://smith.example]
            Own Jones disagrees with that. [=Anna Jones. 2019. Other ice]
            Own It was warm (Nobody 2001) that year. [ice=https://ice.example]
        "#]],
    );
}

/// What is a claim, and what covers it.
#[test]
fn claims_are_all_sentences_that_say_something() {
    check(
        "# The Meridian Lark [9]\n\nThis report covers the ship. What was she? She was built in 1898. She had three masts. She weighed 312 tons [1].\n\n\
         Nobody cites this sentence here. Dr. Varga paid $3.5 million for it [1], while the U.S. museum paid nothing at all for the bell [2].\n\n\
         Key facts:\n\n- Built in Gdynia [2]\n- Painted green and white\n- Yes\n\n| Year | Tons | Source |\n|---|---|---|\n| 1898 | 312 | [1] |\n| 1909 | 340 [2] | |\n\n\
         ```\ncode says nothing [1].\n```\n\n船は1898年に建造された。【1】彼女は緑色だった。\n\nSources:\n[1] A https://a.example\n[2] B https://b.example\n",
        expect![[r#"
            Covered She was built in 1898. [1=https://a.example]
            Covered She had three masts. [1=https://a.example]
            Own She weighed 312 tons. [1=https://a.example]
            Uncited Nobody cites this sentence here. []
            Own Dr. Varga paid $3.5 million for it [1=https://a.example]
            Own while the U.S. museum paid nothing at all for the bell. [2=https://b.example]
            Own Built in Gdynia [2=https://b.example]
            Uncited Painted green and white []
            Covered 1898: Tons: 312 [1=https://a.example]
            Own 1909: Tons: 340 [2=https://b.example]
            Own 船は1898年に建造された。 [1=https://a.example]
            Uncited 彼女は緑色だった。 []
        "#]],
    );
}

#[test]
fn what_looks_like_a_citation_and_is_none() {
    check(
        "The area is 12 km² and E = mc². See [the list](#list) of 2024 [2024]. An array a[0] is empty, and ![a picture](https://p.example/x.png) is shown.",
        expect![[r#"
            Uncited The area is 12 km² and E = mc². []
            Uncited See [the list](#list) of 2024 [2024]. []
            Uncited An array a[0] is empty, and ![a picture](https://p.example/x.png) is shown. []
        "#]],
    );
}

/// What a provider says by offset is bound to the claims it lies on.
#[test]
fn annotations_are_citations() {
    let report = "Écoute: the ship was green. She sank in 1927. \u{e200}cite\u{e202}turn0search0\u{e201}";
    let chars = |from: usize, to: usize| {
        let bytes = in_bytes(report, &[to, from], Unit::Chars);
        bytes[1]..bytes[0]
    };
    let annotation = |span: Range<usize>, url: &str| Annotation { span, url: url.to_owned(), title: None };
    let annotations = [annotation(chars(8, 27), "https://a.example"), annotation(chars(46, 66), "https://b.example")];
    expect![[r#"
        Own Écoute: the ship was green. [=https://a.example]
        Own She sank in 1927. [=https://b.example]
    "#]]
    .assert_eq(&shown(report, &annotations));
    assert_eq!(in_bytes("a😀b", &[1, 3, 9], Unit::Utf16), [1, 5, 6]);
    assert_eq!(in_bytes("a😀b", &[1, 3, 5], Unit::Bytes), [1, 5, 5]);
}

#[test]
fn a_claim_without_its_marks() {
    for (text, want) in [
        ("Ice fell by a third [1][2].", "Ice fell by a third."),
        ("**Ice** ([NASA](https://nasa.example)) fell.", "Ice fell."),
        ("Ice fell, [NASA](https://nasa.example) says.", "Ice fell, NASA says."),
        ("Ice fell.¹", "Ice fell."),
        ("[cite_start]Ice fell. [cite: 3]", "Ice fell."),
    ] {
        assert_eq!(bare(text), want);
    }
}

proptest! {
    /// No report breaks the reader; every place is a piece of the report, and every number leads somewhere.
    #[test]
    fn any_report_is_read(report in "(\\PC|[\\[\\]()<>|#*¹²【】^\\\\\n.:1-9 -]|\\[1\\]|https://a\\.b/c|<sup>|\n\n|Sources:\n){0,80}") {
        let length = report.len();
        let reading = read(&report, &[Annotation { span: length / 2..length, url: "https://x.example".to_owned(), title: None }]);
        for citation in &reading.citations {
            prop_assert!(citation.sources.iter().all(|at| *at < reading.sources.len()));
        }
        for claim in &reading.claims {
            prop_assert!(report.get(claim.span.clone()).is_some() && !claim.text.is_empty());
            prop_assert!(claim.citations.iter().all(|at| *at < reading.citations.len()));
            prop_assert_eq!(claim.citations.is_empty(), claim.bound == Bound::Uncited);
        }
        bare(&report);
    }
}
