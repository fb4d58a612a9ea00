//! HR-11: names that stay in their folder, and a file that reads as what it is.

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::core::report::{Lines, StopReason};
use crate::core::task::{Progress, Status};
use crate::core::usage::{Usage, Usd};

fn task() -> TaskView {
    TaskView {
        id: TaskId::from_random(7),
        tool: "deep_research".into(),
        query: "what is \"hadal\"?\u{2028}- x".into(),
        engine_reason: "the only one".into(),
        engine: "extractive".into(),
        status: Status::Completed,
        progress: Progress::default(),
        usage: Usage { tokens_in: 10, tokens_out: 2, cost: Usd::from_micros(1_500) },
        error: None,
        created_ms: 1_794_700_800_000,
        updated_ms: 1_794_700_803_000,
        completed_ms: Some(1_794_700_803_000),
        cancel_requested: false,
    }
}

fn report(markdown: &str) -> Report {
    let source = |number, title: &str, location: &str, lines| Source {
        number,
        title: title.into(),
        location: location.into(),
        lines,
        page: None,
    };
    Report {
        markdown: markdown.into(),
        sources: vec![
            source(1, "A <b>*title*</b>", "docs/a`b.md", Some(Lines { first: 3, last: 9 })),
            source(2, "Page\n# forged", "https://example.org/a b>c", None),
            source(3, "Not a link", "javascript:alert(1)", Some(Lines { first: 4, last: 4 })),
        ],
        claims: Vec::new(),
        rounds: Vec::new(),
        problems: Vec::new(),
        stop_reason: StopReason::GoodEnough,
        verified: false,
        partial: false,
        model: None,
        engine: None,
        strategy: Some("shallow".into()),
        note: None,
    }
}

#[test]
fn the_file_has_metadata_report_and_sources() {
    let text = render(&task(), &report("# Answer\n\nDeep [1].\n"), Parts { metadata: true, sources: true });
    expect![[r##"
        ---
        title: "what is \"hadal\"?\u2028- x"
        task_id: "00000000-0000-4000-8000-000000000007"
        tool: "deep_research"
        engine: "extractive"
        strategy: "shallow"
        status: "completed"
        created_at: "2026-11-15T00:00:00Z"
        completed_at: "2026-11-15T00:00:03Z"
        duration_seconds: 3
        tokens_input: 10
        tokens_output: 2
        cost_usd: 0.0015
        stop_reason: "good_enough"
        sources: 3
        ---

        # Answer

        Deep [1].

        ## Sources

        - \[1\] A \<b\>\*title\*\</b\>: `` docs/a`b.md ``, lines 3–9
        - \[2\] Page \# forged: <https://example.org/a%20b%3Ec>
        - \[3\] Not a link: `javascript:alert(1)`, line 4
    "##]]
    .assert_eq(&text);
}

#[test]
fn parts_can_be_left_out_and_are_never_doubled() {
    let bare = Parts { metadata: false, sources: false };
    assert_eq!(render(&task(), &report("Deep."), bare), "Deep.\n");
    let own = "Deep [1].\n\n## Sources\n\n- [1] mine";
    assert_eq!(render(&task(), &report(own), Parts { sources: true, ..bare }), format!("{own}\n"));
}

#[test]
fn names_follow_the_pattern() {
    let name = file_name("research", TaskId::from_random(7), 1_794_700_803_000).unwrap();
    assert_eq!(name.folder, "2026-11");
    assert_eq!(name.stem, "research_00000000-0000-4000-8000-000000000007_20261115_000003");
}

#[test]
fn prefixes_that_could_escape_are_refused() {
    let long = "x".repeat(65);
    for prefix in ["", ".", "..", "../x", "a/b", "a\\b", "a b", "a\0", "é", ".hidden", "nul", "COM1.txt", "lpt9", &long]
    {
        let error = file_name(prefix, TaskId::from_random(7), 0).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument, "{prefix:?}");
    }
    for prefix in ["r", "my-report_v1.2", "console", "com10", &"x".repeat(64)] {
        file_name(prefix, TaskId::from_random(7), 0).expect(prefix);
    }
}

proptest! {
    /// Whatever a title or a location holds, a source stays one line and brings no HTML.
    #[test]
    fn sources_are_one_line_each(title in "(?s).{0,60}", location in "(?s).{0,60}") {
        let line = source_line(&Source { number: 1, title, location, lines: None, page: None });
        prop_assert_eq!(line.lines().count(), 1);
        prop_assert!(line.ends_with('\n'));
    }
}
