use proptest::prelude::*;

use super::*;

fn entries(report: &str) -> Vec<(Option<u32>, String)> {
    let list = own_list(report).map(|list| list.entries).unwrap_or_default();
    let place = |entry: Listed| entry.url.or(entry.title).unwrap_or_default();
    list.into_iter().map(|entry| (entry.number, place(entry))).collect()
}

/// Under any usual heading, in any usual form.
#[test]
fn lists_are_found_by_their_heading_and_their_entries() {
    let links = "1. [One](https://one.example)\n2. Two: https://two.example\n";
    let want = [(Some(1), "https://one.example".to_owned()), (Some(2), "https://two.example".to_owned())];
    for heading in [
        "## Sources",
        "### References",
        "**Sources:**",
        "Works cited",
        "Sources cited:",
        "# 7. Bibliography",
        "## Quellen",
        "## 参考文献",
        "Sources\n-------",
        "## Key Sources",
    ] {
        assert_eq!(entries(&format!("Text [1].\n\n{heading}\n\n{links}")), want, "{heading}");
    }
    for (list, want) in [
        (
            "[2] Two https://two.example\n[7] Seven, https://seven.example",
            vec![(2, "https://two.example"), (7, "https://seven.example")],
        ),
        ("- https://a.example\n- https://b.example", vec![(1, "https://a.example"), (2, "https://b.example")]),
        (
            "[1] Smith, J. (2001). Oceans.\n[2] Lee, K. Tides.",
            vec![(1, "Smith, J. (2001). Oceans"), (2, "Lee, K. Tides")],
        ),
        ("The following pages were read:\n\n1. https://a.example\n\nThat is all.", vec![(1, "https://a.example")]),
        (
            "### Web\n\n1. https://a.example\n\n### Books\n\n2. B, https://b.example",
            vec![(1, "https://a.example"), (2, "https://b.example")],
        ),
        ("- [1] `notes/ship.md:1-3` The ship", vec![(1, "notes/ship.md:1-3")]),
    ] {
        let want: Vec<(Option<u32>, String)> = want.into_iter().map(|(n, place)| (Some(n), place.to_owned())).collect();
        let got = entries(&format!("Text [1].\n\n## Sources\n\n{list}\n"));
        let trimmed = |place: &str| place.trim_matches('`').to_owned();
        assert_eq!(got.len(), want.len(), "{list}: {got:?}");
        for ((n, place), (wanted, name)) in got.iter().zip(&want) {
            assert_eq!((n, trimmed(place)), (wanted, trimmed(name)), "{list}");
        }
    }
}

/// A chapter of the report that is called like a list, or nearly so, is none and is not cut.
#[test]
fn chapters_are_no_lists() {
    for chapter in [
        "## Sources of oil\n\n- Shale [1]\n- Sand [2]",
        "## Sources\n\n- Coal is burnt everywhere [1].\n- Wind is free [2].",
        "## Sources\n\nMost of the oil comes from shale [1]. It is deep.",
        "## Notes\n\nThe tide was low that day [1].",
        "## References to the sea in poetry\n\n1. https://poem.example",
        "## Literature\n\n1. Novels of the century\n2. Poems",
        "Sources say that it is deep [1].",
    ] {
        let report = format!("Text.\n\n{chapter}\n\n## After\n\nMore text.");
        assert_eq!(own_list(&report), None, "{chapter}");
        assert_eq!(without_own_list(&report), report, "{chapter}");
    }
    let both = "Oil.\n\n## Sources\n\n- Coal [1]\n\n## References\n\n1. https://a.example\n\n## After\n\nMore.";
    assert_eq!(entries(both), [(Some(1), "https://a.example".to_owned())]);
    assert_eq!(without_own_list(both), "Oil.\n\n## Sources\n\n- Coal [1]\n\n## After\n\nMore.");
}

/// PR-02: work grows with the text, not faster. A quadratic reading of these would take hours.
#[test]
fn hostile_reports_are_read_in_one_go() {
    for piece in [
        "# Sources\n",
        "# Sources\n## Sources\n",
        "**Sources**\n[1] x\n",
        "[1]: http://a\n",
        "[",
        "[1](",
        "](http",
        "- [1] https://a.example\n",
    ] {
        let text = format!("## Sources\n{}", piece.repeat((1 << 18) / piece.len()));
        let _ = (own_list(&text), without_own_list(&text));
    }
}

proptest! {
    #[test]
    fn any_list_is_a_piece_of_the_report(report in "(\\PC|\n|## Sources\n|\\[1\\] |https://a\\.b/c|- |\\*\\*){0,60}") {
        if let Some(list) = own_list(&report) {
            prop_assert!(report.get(list.span.clone()).is_some() && !list.entries.is_empty());
        }
        without_own_list(&report);
    }
}
