//! What is no answer, and what is said about it.

use super::*;

#[test]
fn each_says_what_is_missing() {
    let no_object = "no JSON object with `success` and `report`";
    for (text, shape, says) in [
        ("", AnswerShape::Search, "the answer is empty"),
        (" \n\t", AnswerShape::Search, "the answer is empty"),
        ("I could not find anything.", AnswerShape::Search, no_object),
        ("{", AnswerShape::Search, no_object),
        ("{}", AnswerShape::Search, no_object),
        ("[]", AnswerShape::Search, no_object),
        ("null", AnswerShape::Search, no_object),
        ("\"", AnswerShape::Search, no_object),
        ("```json\n```", AnswerShape::Search, no_object),
        (r#"{"result": "of a tool"}"#, AnswerShape::Search, no_object),
        (r#"{"error": "x", "sources": []}"#, AnswerShape::Search, no_object),
        (r#"{"success": true}"#, AnswerShape::Search, "`report` is missing"),
        (r#"{"success": true, "report": null}"#, AnswerShape::Search, "`report` is missing"),
        (r#"{"success": true, "report": ""}"#, AnswerShape::Search, "`report` is empty"),
        (r#"{"success": true, "report": " \n"}"#, AnswerShape::Search, "`report` is empty"),
        (r#"{"success": true, "report": ["a"]}"#, AnswerShape::Search, "`report` is not a string"),
        (r#"{"success": true, "report": {"text": "a"}}"#, AnswerShape::Search, "`report` is not a string"),
        (r#"{"report": "R"}"#, AnswerShape::Search, "`success` is missing"),
        (r#"{"success": 1, "report": "R"}"#, AnswerShape::Search, "`success` is not true or false"),
        (r#"{"success": "yes", "report": "R"}"#, AnswerShape::Search, "`success` is not true or false"),
        (r#"{"Success": true, "report": "R"}"#, AnswerShape::Search, "`success` is missing"),
        (r#"{"success": true, "report": "R"}"#, AnswerShape::DeepSearch, "`verified` is missing"),
        (
            r#"{"success": true, "report": "R", "verified": "mostly"}"#,
            AnswerShape::DeepSearch,
            "`verified` is not true or false",
        ),
        (r#"{"verified": true}"#, AnswerShape::DeepSearch, "`success` is missing; `report` is missing"),
        (
            r#"{"success": true, "repo"#,
            AnswerShape::Search,
            "a broken JSON object with `success`, but `report` is missing",
        ),
        (r#"{"success": true, "report": ""#, AnswerShape::Search, "`report` is empty"),
        (r#"{"success": tru"#, AnswerShape::Search, "`success` is not true or false"),
        (r#"{"report": "cut before succ"#, AnswerShape::Search, "`success` is missing"),
    ] {
        let said = extract(text, shape).unwrap_err().to_string();
        assert!(said.contains(says), "{text:?}: {said:?} does not say {says:?}");
    }
}

/// A report about JSON is not mined for answers when the object around it is at fault.
#[test]
fn an_answer_quoted_in_a_report_is_not_taken() {
    for report in [
        r"{'success': true, 'verified': true, 'report': 'no'}",
        r#"{\"success\": true, \"verified\": true, \"report\": \"no\"}"#,
    ] {
        let text = format!(r#"{{"success": true, "report": "the format is {report}"}}"#);
        assert_eq!(extract(&text, AnswerShape::DeepSearch).unwrap_err().flaws, [Flaw::Missing("verified")]);
    }
}

#[test]
fn the_nearest_object_is_named() {
    let mismatch =
        extract(r#"{"verified": true} {"success": true, "report": ""} {"success": true}"#, AnswerShape::Search);
    assert_eq!(
        mismatch.unwrap_err(),
        Mismatch {
            found: FoundInstead::Object { fields: vec!["success", "report"], broken: false },
            flaws: vec![Flaw::Empty("report")]
        }
    );
}

/// A report of a colon is no example of ours, though a colon and a space stand between its names and values.
#[test]
fn signs_of_the_example_are_no_echo() {
    let text = r#"{"success": true, "report": ": ", "verified": true}"#;
    for shape in [AnswerShape::Search, AnswerShape::DeepSearch] {
        assert_eq!(extract(text, shape).map(|answer| answer.report), Ok(": ".to_owned()), "{shape:?}");
    }
}
