use super::sources::{Known, bind, note_on_claimed};

/// What a report's numbers stand for, a line each; `?` marks what the model only claims.
fn shown(report: &str, visited: &[&str], shown: &[&str], said: &[&str]) -> String {
    let owned = |list: &[&str]| list.iter().map(|place| (*place).to_owned()).collect::<Vec<_>>();
    let (visited, shown, said) = (owned(visited), owned(shown), owned(said));
    let sources = bind(report, &Known { visited: &visited, shown: &shown, said: &said });
    let line = |source: &super::Source| {
        format!("{}={}{}", source.number, source.location, if source.claimed { "?" } else { "" })
    };
    sources.iter().map(line).collect::<Vec<_>>().join(" ")
}

/// PR-03: `[n]` is what the report's own list says, whatever was visited first.
#[test]
fn numbers_follow_the_list_of_the_report() {
    let (a, b, c) = ("https://a.example/x", "https://b.example", "https://c.example");
    for (report, visited, pages, said, want) in [
        // The list has the other order than the visits.
        (
            "X [1]. Y [2].\n\n## Sources\n1. B https://b.example\n2. A https://a.example/x",
            vec![a, b],
            vec![],
            vec![],
            "1=https://b.example 2=https://a.example/x",
        ),
        // The list names a page that was never visited; what was visited besides comes behind.
        (
            "X [1][2].\n\nReferences:\n[1] https://never.example\n[2] http://www.a.example/x/",
            vec![a, c],
            vec![],
            vec![],
            "1=https://never.example? 2=https://a.example/x 3=https://c.example",
        ),
        // Gaps stay gaps.
        (
            "X [2]. Y [9].\n\n## Works cited\n[2] https://b.example\n[9] https://a.example/x",
            vec![a, b, c],
            vec![],
            vec![],
            "2=https://b.example 9=https://a.example/x 10=https://c.example",
        ),
        // Numbers at links.
        (
            "X [3](https://b.example). Y ([A](https://a.example/x)).",
            vec![a, b],
            vec![],
            vec![],
            "3=https://b.example 4=https://a.example/x",
        ),
        // No list: the numbers under which the model was shown the pages.
        ("X [2].", vec![a, b], vec![b, a], vec![], "1=https://b.example 2=https://a.example/x"),
        // Nothing says what [1] means: no page is put behind it.
        ("X [1].", vec![a, b], vec![], vec![], "2=https://a.example/x 3=https://b.example"),
        // No numbers at all: the order of the visits.
        ("X.", vec![b, a], vec![], vec![], "1=https://b.example 2=https://a.example/x"),
        // What the model says it visited, and nobody saw.
        ("X.", vec![b], vec![], vec![b, c], "1=https://b.example 2=https://c.example?"),
        ("", vec![], vec![], vec![], ""),
    ] {
        assert_eq!(shown(report, &visited, &pages, &said), want, "{report}");
    }
}

#[test]
fn claimed_sources_are_told() {
    let known = Known::default();
    assert_eq!(note_on_claimed(&bind("X.", &known)), None);
    let one = bind("X [1].\n\n## Sources\n1. https://a.example", &known);
    assert!(note_on_claimed(&one).unwrap().starts_with("[1] is named by the model alone"));
    let list: String = (1..=12).map(|n| format!("[{n}] https://a.example/{n}\n")).collect();
    let many = bind(&format!("X [1].\n\n## Sources\n{list}"), &known);
    assert!(note_on_claimed(&many).unwrap().contains("[10] and 2 more are named"));
}
