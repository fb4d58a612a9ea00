//! Answers that were cut off: what is there is kept and marked.

use super::*;

fn check(name: &str, text: &str, shape: AnswerShape, report: &str) -> Answer {
    let answer = found(text, shape);
    assert_eq!(answer.report, report, "{name}");
    assert!(answer.salvaged, "{name} is not marked");
    answer
}

#[test]
fn the_report_so_far() {
    for (name, text, report) in [
        ("in the report", r#"{"success": true, "report": "half a sen"#, "half a sen"),
        ("in an escape", r#"{"success": true, "report": "half\"#, "half"),
        ("in a code point", r#"{"success": true, "report": "half\u00"#, "half"),
        ("in a pair", r#"{"success": true, "report": "half\ud83d\ud"#, "half"),
        ("before the quote's end", r#"{"success": true, "report": "half"#, "half"),
        ("missing brace", r#"{"success": true, "report": "R""#, "R"),
        ("missing brace, bool last", r#"{"report": "R", "success": true"#, "R"),
        ("missing brace, fence closed", "```json\n{\"success\": true, \"report\": \"R\"\n```\n", "R"),
        ("cut, fence closed", "```json\n{\"success\": true, \"report\": \"half\n```\n", "half"),
        ("cut in a code block", "```json\n{\"success\": true, \"report\": \"a\n```sh\nls\n```", "a\n```sh\nls\n```"),
        ("missing braces", r#"{"success": true, "report": "R", "metadata": {"sources": ["a"]"#, "R"),
        ("in a key", r#"{"success": true, "report": "R", "meta"#, "R"),
        ("after a comma", r#"{"success": true, "report": "R","#, "R"),
        ("after a colon", r#"{"success": true, "report": "R", "metadata":"#, "R"),
        ("gone wrong behind", r#"{"success": true, "report": "R", "metadata": <none>}"#, "R"),
        ("wrapped", r#"[{"answer": {"success": true, "report": "half"#, "half"),
        ("bare quotes", r#"{"success": true, "report": "the "deep" zo"#, r#"the "deep" zo"#),
        ("after a failure", r#"{"success": false, "error": "403"} {"success": true, "report": "half"#, "half"),
        (
            "the longer half",
            r#"{"success": true, "report": "longer", "metadata": ?? {"success": true, "report": "R"#,
            "longer",
        ),
        ("encoded", r#""{\"success\": true, \"report\": \"say \\\"ha"#, "say \"ha"),
    ] {
        check(name, text, AnswerShape::Search, report);
    }
}

#[test]
fn a_cut_answer_is_not_verified_by_default() {
    let answer = check("cut before", r#"{"success": true, "report": "R", "veri"#, AnswerShape::DeepSearch, "R");
    assert_eq!(answer.verified, Some(false));
    let answer = check("there", r#"{"success": true, "verified": true, "report": "R"#, AnswerShape::DeepSearch, "R");
    assert_eq!(answer.verified, Some(true));
}

/// Half an address is another address.
#[test]
fn half_a_source_and_half_a_number_are_dropped() {
    let answer = check(
        "cut in a source",
        r#"{"success": true, "report": "R", "sources": ["https://a.example", "https://b.exa"#,
        AnswerShape::Search,
        "R",
    );
    assert_eq!(answer.sources_visited, ["https://a.example"]);
    let answer = check("number", r#"{"success": true, "report": "R", "iterations": 1"#, AnswerShape::Search, "R");
    assert_eq!(answer.iterations, None);
}
