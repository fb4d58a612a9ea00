//! JR-01: lenient wrapping. Each case is a mess as models make it and the report that must come out whole.

use super::*;

const CLEAN: &str = r#"{"success": true, "report": "R"}"#;

/// Every report must come out as written, and nothing is called salvaged.
fn check(cases: &[(&str, &str, &str)]) {
    for (name, text, report) in cases {
        let answer = found(text, AnswerShape::Search);
        assert_eq!(answer.report, *report, "{name}");
        assert!(answer.success && !answer.salvaged, "{name}");
    }
}

#[test]
fn around_the_object() {
    check(&[
        ("bare", CLEAN, "R"),
        ("blanks around", "\n\n  {\"success\":true,\"report\":\"R\"}\n\t ", "R"),
        ("byte-order mark", "\u{feff}{\"success\":true,\"report\":\"R\"}", "R"),
        ("fence", "```json\n{\"success\": true, \"report\": \"R\"}\n```", "R"),
        ("fence without tag", "```\n{\"success\": true, \"report\": \"R\"}\n```", "R"),
        ("tilde fence", "~~~json\n{\"success\": true, \"report\": \"R\"}\n~~~", "R"),
        ("loud tag", "```JSON\n{\"success\": true, \"report\": \"R\"}\n```", "R"),
        ("other tag", "```json5 title=\"a\"\n{\"success\": true, \"report\": \"R\"}\n```", "R"),
        (
            "indented fence",
            "  1. Result:\n     ```json\n     {\"success\": true,\n     \"report\": \"R\"}\n     ```",
            "R",
        ),
        ("long fence", "`````json\n{\"success\": true, \"report\": \"R\"}\n`````", "R"),
        ("fence on one line", "```json{\"success\": true, \"report\": \"R\"}```", "R"),
        ("fence never closed", "```json\n{\"success\": true, \"report\": \"R\"}\n", "R"),
        ("inline code", "`{\"success\": true, \"report\": \"R\"}`", "R"),
        ("windows lines", "```json\r\n{\r\n\"success\": true,\r\n\"report\": \"R\"\r\n}\r\n```\r\n", "R"),
        ("prose around", "Sure! Here it is:\n{\"success\": true, \"report\": \"R\"}\nHope this helps.", "R"),
        ("prose on the line", "Result: {\"success\": true, \"report\": \"R\"} Hope this helps!", "R"),
        ("braces in prose", "I use {placeholders} and {} and f(x) = {y}. {\"success\": true, \"report\": \"R\"}", "R"),
        ("open brace in prose", "A lone { here.\n{\"success\": true, \"report\": \"R\"}", "R"),
        ("open string in prose", "Set {\"key\": \"value} first.\n{\"success\": true, \"report\": \"R\"}", "R"),
        ("open single quote in prose", "{success: 'oops\n\n{\"success\": true, \"report\": \"R\"}", "R"),
        ("quotes in prose", "He said \"go\", \"now\": then {\"success\": true, \"report\": \"R\"} \"end", "R"),
        ("in a list", "[{\"success\": true, \"report\": \"R\"}]", "R"),
        ("in an object", "{\"response\": {\"success\": true, \"report\": \"R\"}, \"stats\": {\"n\": 1}}", "R"),
        ("as arguments", "{\"name\": \"answer\", \"arguments\": {\"success\": true, \"report\": \"R\"}}", "R"),
        ("in tags", "<answer>{\"success\": true, \"report\": \"R\"}</answer>", "R"),
        ("assigned", "const answer = {success: true, report: \"R\"};", "R"),
        ("json lines", "{\"type\":\"init\"}\n{\"type\":\"delta\"}\n{\"success\": true, \"report\": \"R\"}\n", "R"),
    ]);
}

#[test]
fn inside_the_report() {
    check(&[
        (
            "fences in the report",
            "```json\n{\"success\": true, \"report\": \"Run:\\n```sh\\nls {a,b}\\n```\\nDone }\"}\n```",
            "Run:\n```sh\nls {a,b}\n```\nDone }",
        ),
        (
            "raw fences in the report",
            "```json\n{\"success\": true, \"report\": \"Run:\n```json\n{ \\\"a\\\": 1 }\n```\nDone\"}\n```",
            "Run:\n```json\n{ \"a\": 1 }\n```\nDone",
        ),
        ("braces in the report", r#"{"success": true, "report": "a } b { c ]} {{query}}"}"#, "a } b { c ]} {{query}}"),
        (
            "an answer in the report",
            r#"{"success": true, "report": "{'success': true, 'report': 'no'} {\"success\": true, \"report\": \"no\"}"}"#,
            r#"{'success': true, 'report': 'no'} {"success": true, "report": "no"}"#,
        ),
        ("escapes", r#"{"success": true, "report": "a\n\t\"b\" \\ \/ \u00e9 \ud83d\ude00"}"#, "a\n\t\"b\" \\ / é 😀"),
        (
            "lone surrogates",
            r#"{"success": true, "report": "a\ud83d b\ude00 \ud83d\u0041"}"#,
            "a\u{fffd} b\u{fffd} \u{fffd}A",
        ),
        ("Markdown escapes", r#"{"success": true, "report": "snake\_case \* \# 1\."}"#, r"snake\_case \* \# 1\."),
        ("LaTeX", r#"{"success": true, "report": "\alpha \le \$x"}"#, r"\alpha \le \$x"),
        ("quoted apostrophe", r#"{"success": true, "report": "it\'s"}"#, "it's"),
        ("bad unicode escape", r#"{"success": true, "report": "\u12 \uzzzz C:\users"}"#, r"\u12 \uzzzz C:\users"),
        ("raw newlines and tabs", "{\"success\": true, \"report\": \"# A\n\n\tb\r\nc\"}", "# A\n\n\tb\r\nc"),
        ("escaped line end", "{\"success\": true, \"report\": \"a\\\nb\"}", "a\nb"),
        ("every script", "{\"success\": true, \"report\": \"日本語 “ja” ünï 🦀\"}", "日本語 “ja” ünï 🦀"),
        ("backslash at the end", r#"{"success": true, "report": "C:\\"}"#, r"C:\"),
        (
            "a URL",
            r#"{"success": true, "report": "see https://a.example/b//c /* d */ # e"}"#,
            "see https://a.example/b//c /* d */ # e",
        ),
    ]);
}

#[test]
fn bare_quotes() {
    check(&[
        ("a word", r#"{"success": true, "report": "the "deep" zone"}"#, r#"the "deep" zone"#),
        ("at the start", r#"{"success": true, "report": ""Deep" is deep"}"#, r#""Deep" is deep"#),
        ("at the end", r#"{"success": true, "report": "it is "deep"", "metadata": {}}"#, r#"it is "deep""#),
        (
            "a list of words",
            r#"{"success": true, "report": "say "yes", "no" or "maybe"."}"#,
            r#"say "yes", "no" or "maybe"."#,
        ),
        ("before a colon", r#"{"success": true, "report": "a "term": its meaning"}"#, r#"a "term": its meaning"#),
        ("before a bracket", r#"{"success": true, "report": "try ["a", "b"] now"}"#, r#"try ["a", "b"] now"#),
        (
            "code with braces",
            r#"{"success": true, "report": "post {"q": "x", "n": "y"} to it", "metadata": {"iterations": 1}}"#,
            r#"post {"q": "x", "n": "y"} to it"#,
        ),
        ("a brace never closed", r#"{"success": true, "report": "a { and "b" end"}"#, r#"a { and "b" end"#),
        ("over lines", "{\"success\": true, \"report\": \"he said\n\"no\"\nand left\"\n}", "he said\n\"no\"\nand left"),
        ("apostrophe in single quotes", "{'success': true, 'report': 'it's the model's way'}", "it's the model's way"),
    ]);
}

#[test]
fn other_dialects() {
    check(&[
        ("trailing commas", r#"{"success": true, "report": "R", "metadata": {"sources": ["a",],},}"#, "R"),
        ("doubled commas", r#"{"success": true,, "report": "R"}"#, "R"),
        ("a forgotten comma", "{\"success\": true\n\"report\": \"R\"\n\"metadata\": {}}", "R"),
        ("a forgotten bracket", r#"{"success": true, "metadata": {"sources": ["a", "b"}, "report": "R"}"#, "R"),
        ("line comments", "{ // the answer\n\"success\": true, // it went well\n\"report\": \"R\" // done\n}", "R"),
        ("block comments", r#"{/* a */"success"/* b */:/* c */true, "report": "R" /* d "x": */ }"#, "R"),
        ("hash comments", "{\n# the answer\n\"success\": true, # well\n\"report\": \"R\"}", "R"),
        ("single quotes", "{'success': true, 'report': 'R'}", "R"),
        ("Python", "{'success': True, 'report': 'R', 'error': None, 'verified': False}", "R"),
        ("triple quotes", "{\"success\": true, \"report\": \"\"\"a \"b\"\nc\"\"\"}", "a \"b\"\nc"),
        ("unquoted keys", "{success: true, report: \"R\", note: \"n\"}", "R"),
        ("smart quotes", "{“success”: true, “report”: “the “deep” zone, “she” said”}", "the “deep” zone, “she” said"),
        ("smart and straight", "{“success\": true, \"report\": \"R\"}", "R"),
        ("smart single quotes", "{‘success’: true, ‘report’: ‘it’s R’}", "it’s R"),
        ("German quotes", "{„success“: true, „report“: „R“}", "R"),
        ("no-break spaces", "{\u{a0}\"success\":\u{a0}true,\u{a0}\"report\":\u{a0}\"R\"\u{a0}}", "R"),
        ("not a number", r#"{"success": true, "score": NaN, "x": -Infinity, "y": undefined, "report": "R"}"#, "R"),
        ("numbers of all kinds", r#"{"a": -1.5e+10, "b": .5, "c": 0x1F, "success": true, "report": "R"}"#, "R"),
        ("elision", r#"{"success": true, "report": "R", "metadata": {"sources": ["a", ...]}}"#, "R"),
        ("duplicated keys", r#"{"success": false, "report": "old", "success": true, "report": "R"}"#, "R"),
        ("unknown fields", r#"{"x": [[{"y": {}}], null], "success": true, "report": "R", "z": {"report": 1}}"#, "R"),
        ("text for a bool", r#"{"success": "true", "report": "R"}"#, "R"),
        ("the other name", r#"{"success": true, "result": "R"}"#, "R"),
        ("escaped key in front", r#"{"a\"b": 1, "success": true, "report": "R"}"#, "R"),
    ]);
}

#[test]
fn encoded_again() {
    let twice = serde_json::to_string(CLEAN).unwrap();
    let thrice = serde_json::to_string(&twice).unwrap();
    let envelope = serde_json::json!({"session_id": "x", "response": format!("```json\n{CLEAN}\n```")}).to_string();
    let pretty = serde_json::to_string("{\n  \"success\": true,\n  \"report\": \"say \\\"R\\\"\\n\"\n}").unwrap();
    check(&[
        ("a string", &twice, "R"),
        ("a string of a string", &thrice, "R"),
        ("a field of an envelope", &envelope, "R"),
        ("pretty", &pretty, "say \"R\"\n"),
        ("escaped without quotes around", r#"{\"success\": true, \"report\": \"R\"}"#, "R"),
        ("fenced", &format!("```json\n{twice}\n```"), "R"),
    ]);
}

#[test]
fn several_objects() {
    check(&[
        ("the last", r#"{"success": true, "report": "draft"} or rather {"success": true, "report": "R"}"#, "R"),
        ("the one that fits", r#"{"success": true, "report": "R"} {"tool": "search", "result": "x"}"#, "R"),
        ("the one with a report", r#"{"success": true, "report": "R"} {"success": true, "report": ""}"#, "R"),
        ("the outer one", r#"{"success": true, "report": "R", "metadata": {"success": true, "report": "inner"}}"#, "R"),
        ("whole before broken", r#"{"success": true, "report": "R"} {"success": true, "report": "longer but cut"#, "R"),
        (
            "a second start",
            "{\"success\": true, \"report\": \"draft\n\nLet me do that again:\n```json\n{\"success\": true, \"report\": \"R\"}\n```",
            "R",
        ),
        ("after a tool's failure", r#"{"success": false, "error": "403"} {"success": true, "report": "R"}"#, "R"),
        ("after the example", &format!("{}\n{CLEAN}", example(AnswerShape::Search)), "R"),
        ("before the example", &format!("{CLEAN}\n{}", example(AnswerShape::Search)), "R"),
    ]);
    let failed = found(r#"{"success": true, "report": "draft"} {"success": false, "error": "E"}"#, AnswerShape::Search);
    assert_eq!((failed.success, failed.error.as_deref()), (false, Some("E")), "the last word counts");
}
