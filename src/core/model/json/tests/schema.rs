//! DS-04, DS-05: what is taken from an object once it is found.

use super::*;

#[test]
fn all_fields() {
    let answer = found(
        r#"{"success": true, "verified": true, "report": "R", "metadata":
            {"sources_visited": ["https://a.example", "https://b.example"], "search_queries_used": ["q"], "iterations": 3}}"#,
        AnswerShape::DeepSearch,
    );
    let expected = Answer {
        success: true,
        report: "R".into(),
        verified: Some(true),
        sources_visited: vec!["https://a.example".into(), "https://b.example".into()],
        search_queries: vec!["q".into()],
        iterations: Some(3),
        salvaged: false,
        error: None,
    };
    assert_eq!(answer, expected);
}

#[test]
fn lists_under_their_names() {
    for (name, fields, sources, queries) in [
        ("none", r#""x": 1"#, vec![], vec![]),
        ("beside", r#""sources_visited": ["a"], "search_queries": ["q"]"#, vec!["a"], vec!["q"]),
        ("in metadata", r#""metadata": {"sources": ["a"], "search_queries": ["q"]}"#, vec!["a"], vec!["q"]),
        ("all_sources", r#""all_sources": ["a", "b"]"#, vec!["a", "b"], vec![]),
        ("union", r#""sources": ["c", "a"], "metadata": {"sources_visited": ["a", "b"]}"#, vec!["a", "b", "c"], vec![]),
        ("objects", r#""sources": [{"title": "T", "url": "a"}, {"title": "T"}, {"x": 1}]"#, vec!["a", "T"], vec![]),
        ("queries as objects", r#""search_queries": [{"query": "q", "engine": "e"}]"#, vec![], vec!["q"]),
        ("one string", r#""sources": "a", "search_queries": "q""#, vec!["a"], vec!["q"]),
        ("not strings", r#""sources": [1, null, true, ["b"], "a"]"#, vec!["a"], vec![]),
        ("null", r#""sources": null, "metadata": null"#, vec![], vec![]),
        ("control characters", r#""sources": ["a\u0000\u001b[31m\n", " \t ", "\u0085b"]"#, vec!["a[31m", "b"], vec![]),
    ] {
        let answer = found(&format!(r#"{{"success": true, "report": "R", {fields}}}"#), AnswerShape::Search);
        assert_eq!(answer.sources_visited, sources, "{name}");
        assert_eq!(answer.search_queries, queries, "{name}");
    }
}

#[test]
fn lists_have_limits() {
    let long = "x".repeat(limits::JSON_ITEM_CHARS + 1);
    let many: Vec<String> = (0..limits::JSON_LIST_ITEMS + 10).map(|n| n.to_string()).collect();
    let text = serde_json::json!({"success": true, "report": "R", "sources": many, "search_queries": [long, "q"]});
    let answer = found(&text.to_string(), AnswerShape::Search);
    assert_eq!(answer.sources_visited.len(), limits::JSON_LIST_ITEMS);
    assert_eq!(answer.search_queries, ["q"]);
}

#[test]
fn iterations_are_a_count() {
    for (value, expected) in
        [("2", Some(2)), ("\"2\"", Some(2)), ("-1", None), ("2.5", None), ("null", None), ("99999999999", None)]
    {
        for text in [
            format!(r#"{{"success": true, "report": "R", "iterations": {value}}}"#),
            format!(r#"{{"success": true, "report": "R", "metadata": {{"iterations": {value}}}}}"#),
        ] {
            assert_eq!(found(&text, AnswerShape::Search).iterations, expected, "{value}");
        }
    }
}

#[test]
fn failures_keep_their_reason() {
    for (fields, error) in [
        (r#""error": "no access""#, Some("no access")),
        (r#""message": "no access""#, Some("no access")),
        (r#""error": {"code": 403, "message": "no access"}"#, Some("no access")),
        (r#""error": null, "message": "no access""#, Some("no access")),
        (r#""error": "", "report": """#, None),
        (r#""report": "partial""#, None),
    ] {
        let answer = found(&format!(r#"{{"success": false, {fields}}}"#), AnswerShape::DeepSearch);
        assert!(!answer.success);
        assert_eq!(answer.error.as_deref(), error, "{fields}");
    }
}

/// The example is what prompts and corrections ask for: it is valid JSON with every field, and it is no answer.
#[test]
fn the_example_has_the_fields_and_is_not_an_answer() {
    for shape in [AnswerShape::Search, AnswerShape::DeepSearch] {
        let mut value: serde_json::Value = serde_json::from_str(example(shape)).unwrap();
        assert_eq!(value["verified"].is_boolean(), shape == AnswerShape::DeepSearch);
        let mismatch = extract(&format!("```json\n{}\n```", example(shape)), shape).unwrap_err();
        assert_eq!(mismatch.flaws, [Flaw::Echo]);
        value["report"] = "R".into();
        let answer = found(&value.to_string(), shape);
        assert_eq!((answer.sources_visited.len(), answer.iterations), (2, Some(1)));
        assert!(!answer.search_queries.is_empty());
    }
}
