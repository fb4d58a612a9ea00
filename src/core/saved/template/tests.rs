//! HR-11: a file that reads as what it is, whatever stands in its parts.

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::core::base::id::TaskId;
use crate::core::money::usage::{Usage, Usd};
use crate::core::report::{Source, StopReason};
use crate::core::task::{Hands, Progress, Status};
use crate::core::text::spans::PlaceInFile;

const ALL: Parts = Parts { metadata: true, sources: true };
const BARE: Parts = Parts { metadata: false, sources: false };
const SOURCES: Parts = Parts { metadata: false, sources: true };

fn task() -> TaskView {
    TaskView {
        id: TaskId::from_random(7),
        tool: "deep_research".into(),
        query: "what is \"hadal\"?\u{2028}- x".into(),
        engine_reason: "the only one".into(),
        engine: "extractive".into(),
        status: Status::Completed,
        progress: Progress::default(),
        usage: Usage { tokens_in: 10, tokens_out: 2, cost: Usd::from_micros(1_500), ..Usage::ZERO },
        error: None,
        created_ms: 1_794_700_800_000,
        updated_ms: 1_794_700_803_000,
        completed_ms: Some(1_794_700_803_000),
        cancel_requested: false,
        hands: Hands::default(),
        hosted: None,
    }
}

fn report(markdown: &str) -> Report {
    let source = |number, title: &str, location: &str, lines| Source {
        number,
        title: title.into(),
        location: location.into(),
        lines,
        page: None,
        claimed: false,
    };
    Report {
        ignored_arguments: vec![],
        markdown: markdown.into(),
        sources: vec![
            source(1, "A <b>*title*</b>", "docs/a`b.md", Some(PlaceInFile::lines(3, 9))),
            source(2, "Page\n# forged", "https://example.org/a b>c", None),
            source(3, "Not a link", "javascript:alert(1)", Some(PlaceInFile::lines(4, 4))),
        ],
        claims: Vec::new(),
        rounds: Vec::new(),
        problems_beyond: 0,
        problems: Vec::new(),
        stop_reason: StopReason::GoodEnough,
        verified: false,
        partial: false,
        model: None,
        engine: None,
        strategy: Some("shallow".into()),
        note: None,
        explain: None,
        evidence: None,
    }
}

fn rendered(text: &str, parts: Parts) -> String {
    Template::shipped().render(&task(), &report(text), parts).unwrap()
}

#[test]
fn hr_11_the_file_has_metadata_report_and_sources() {
    expect![[r#"
        ---
        title: "Answer"
        task_id: "00000000-0000-4000-8000-000000000007"
        query: "what is \"hadal\"?\u2028- x"
        status: "completed"
        created: "2026-11-15T00:00:00Z"
        completed: "2026-11-15T00:00:03Z"
        duration_minutes: 0.1
        tool: "deep_research"
        engine: "extractive"
        strategy: "shallow"
        stop_reason: "good_enough"
        tokens_input: 10
        tokens_output: 2
        cost_usd: 0.0015
        sources: 3
        ---

        # Answer

        Deep [^1], and deeper [^3].

        ## Sources

        [^1]: A \<b\>\*title\*\</b\>: `` docs/a`b.md ``, lines 3–9
        [^3]: Not a link: `javascript:alert(1)`, line 4

        - \[2\] [Page \# forged](https://example.org/a%20b%3Ec)
    "#]]
    .assert_eq(&rendered("# Answer\n\nDeep [1], and deeper [3].\n", ALL));
}

#[test]
fn hr_11_a_report_that_cites_nothing_gets_a_numbered_list() {
    expect![[r#"
        Deep.

        ## Sources

        1. A \<b\>\*title\*\</b\>: `` docs/a`b.md ``, lines 3–9
        2. [Page \# forged](https://example.org/a%20b%3Ec)
        3. Not a link: `javascript:alert(1)`, line 4
    "#]]
    .assert_eq(&rendered("Deep.", SOURCES));
}

/// A reader of Markdown with footnotes finds every citation's source, and a list beside them.
#[test]
fn hr_11_footnotes_are_footnotes() {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    let text = rendered("Deep [1], and deeper [3, 1].", SOURCES);
    let mut seen = (Vec::new(), Vec::new(), 0);
    for event in Parser::new_ext(&text, Options::ENABLE_FOOTNOTES) {
        match event {
            Event::FootnoteReference(label) => seen.0.push(label.to_string()),
            Event::Start(Tag::FootnoteDefinition(label)) => seen.1.push(label.to_string()),
            Event::Start(Tag::Item) => seen.2 += 1,
            _ => {}
        }
    }
    let strings = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>();
    assert_eq!(seen, (strings(&["1", "3", "1"]), strings(&["1", "3"]), 1), "{text}");
}

#[test]
fn parts_can_be_left_out_and_are_never_doubled() {
    assert_eq!(rendered("Deep [1].", BARE), "Deep [1].\n");
    let own = "Deep [1].\n\n## Sources\n\n- [1] mine";
    assert_eq!(rendered(own, SOURCES), format!("{own}\n"));
    let without = Report { sources: Vec::new(), ..report("Deep [1].") };
    assert_eq!(Template::shipped().render(&task(), &without, SOURCES).unwrap(), "Deep [1].\n");
}

#[test]
fn only_citations_become_footnotes() {
    let known = BTreeSet::from([1, 2, 12]);
    for (text, want) in [
        ("a [1] b [12].", "a [^1] b [^12]."),
        ("a [1, 2][12]", "a [^1][^2][^12]"),
        ("already [^2]", "already [^2]"),
        ("**[1]**, | [2] |", "**[^1]**, | [^2] |"),
        ("unknown [7], [1, 7], [0x1], [+1], []", "unknown [7], [1, 7], [0x1], [+1], []"),
        ("`x[1]` and x[1]", "`x[1]` and x[^1]"),
        ("```\nx[1]\n```\n\n    x[2]\n\n[2]", "```\nx[1]\n```\n\n    x[2]\n\n[^2]"),
        ("[1](https://example.org) ![2](x.png) \\[1]", "[1](https://example.org) ![2](x.png) \\[1]"),
        ("[a [1] b](https://example.org)", "[a [1] b](https://example.org)"),
        ("<b title=\"[1]\">x</b> [1]", "<b title=\"[1]\">x</b> [^1]"),
        ("[2]\n\n[2]: https://example.org", "[2]\n\n[2]: https://example.org"),
        ("open [1", "open [1"),
        ("深い [1]。", "深い [^1]。"),
    ] {
        assert_eq!(citations::footnotes(text, &known).text, want);
    }
}

/// What comes from outside is data: it closes no front matter, opens no HTML and is no template.
#[test]
fn hr_11_hostile_text_stays_text() {
    let query = "a\n---\nadmin: true\n\"quoted\" 'single' {{ task_id }} {% raw %} \\ \u{2028}\u{85}\t#";
    let hostile = TaskView { query: query.into(), ..task() };
    let body = "# {{ query }} \"x\"\n\n{% for %}{{ 1/0 }} --- {# no #} \\n";
    let text = Template::shipped().render(&hostile, &report(body), ALL).unwrap();
    let front: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!((front.first(), front.last()), (Some(&"---"), Some(&"---")));
    let field = |name: &str| front.iter().find_map(|line| line.strip_prefix(name)).unwrap();
    assert_eq!(serde_json::from_str::<String>(field("query: ")).unwrap(), query);
    assert_eq!(field("title: "), r#""{{ query }} \"x\"""#);
    assert!(!front.contains(&"admin: true") && front.iter().filter(|line| **line == "---").count() == 2);
    assert!(text.contains(body.trim()), "{text}");
}

#[test]
fn values_are_yaml() {
    for (value, want) in [
        (Value::from("a: b\n"), r#""a: b\n""#),
        (Value::from(true), "true"),
        (Value::from(0.000_001), "0.000001"),
        (Value::from(3), "3"),
        (Value::from(()), "null"),
    ] {
        assert_eq!(yaml(value).unwrap(), want);
    }
}

/// A template of the user: what it can name, and what is said of one that is wrong.
#[test]
fn hr_11_a_template_can_be_replaced() {
    let render = |text: &str| Template::new("/t/report.md.j2".into(), text.into())?.render(&task(), &report("R"), ALL);
    let own =
        "{% for source in sources %}{{ source.title | markdown }} {{ source.url or source.location }};{% endfor %}";
    assert_eq!(
        render(own).unwrap(),
        "A \\<b\\>\\*title\\*\\</b\\> docs/a`b.md;Page \\# forged https://example.org/a b>c;Not a link \
         javascript:alert(1);\n"
    );
    for (text, says) in [
        ("\n{{ nothing }}", "in line 2: undefined value"),
        ("{{ nothing | yaml }}", "in line 1: undefined value"),
        ("{{ query", "in line 1: syntax error"),
        ("a\nb\n{% if %}", "in line 3: syntax error"),
        ("{{ query | shout }}", "unknown filter: filter shout is unknown"),
        ("{% include 'x' %}", "syntax error"),
        ("{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}", "more than 1000000 steps"),
        ("{% for a in range(9000) %}{{ 'x' * 9000 }}{% endfor %}", "more than 67108864 bytes"),
    ] {
        let error = render(text).unwrap_err();
        assert_eq!(error.code, Code::InvalidConfig);
        assert!(error.message.contains("`/t/report.md.j2`") && error.message.contains(says), "{error}");
    }
    let deep = format!("{}{{{{ 1 }}}}{}", "{% if true %}".repeat(5_000), "{% endif %}".repeat(5_000));
    assert!(render(&deep).is_err());
}

/// The seed's PM-004, in a measure that a busy machine does not change: the engine does millions of steps in a second.
#[test]
fn a_large_report_takes_few_steps() {
    let source = |number| Source { number, ..report("").sources[1].clone() };
    let cites: String = (1..=limits::LISTED).map(|number| format!("[{number}] ")).collect();
    let sources = (1..).map(source).take(limits::LISTED).collect();
    let large = Report { sources, ..report(&cites) };
    let (text, steps) = Template::shipped().rendered(&Values::new(&task(), &large, ALL)).unwrap();
    assert_eq!(text.matches("]: [Page").count(), limits::LISTED);
    assert!(steps > 0 && steps < 20_000, "{steps} steps");
}

proptest! {
    /// Whatever a title or a location holds, a source stays one line and brings no HTML.
    #[test]
    fn sources_are_one_line_each(title in "(?s).{0,60}", location in "(?s)(https://)?.{0,60}") {
        let line = source::entry(&Source { number: 1, title, location, lines: None, page: None, claimed: false });
        prop_assert_eq!(line.lines().count(), 1);
        for event in pulldown_cmark::Parser::new(&line) {
            prop_assert!(!matches!(event, pulldown_cmark::Event::Html(_) | pulldown_cmark::Event::InlineHtml(_)));
        }
    }

    /// No text makes it fail, and what is not a citation stays as it was; of `[ 1 ]` the blanks go.
    #[test]
    fn any_report_can_be_saved(text in "(?s)[\\[\\]`^!<>(){}%\\\\ a1-9\n]{0,80}") {
        let saved = rendered(&text, SOURCES);
        prop_assert!(saved.ends_with('\n'));
        let plain = |text: &str| text.split_whitespace().collect::<String>().replace('^', "");
        let cited = citations::footnotes(&text, &BTreeSet::from([1, 2, 3]));
        if !text.contains(',') {
            prop_assert_eq!(plain(&cited.text), plain(&text));
        }
    }
}
