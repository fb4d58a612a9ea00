//! What is no answer, and what is said about it.

use super::*;

#[test]
fn each_says_what_is_missing() {
    let no_object = "no JSON object with `success` and `report`";
    for (text, shape, says) in [
        ("", Shape::Search, "the answer is empty"),
        (" \n\t", Shape::Search, "the answer is empty"),
        ("I could not find anything.", Shape::Search, no_object),
        ("{", Shape::Search, no_object),
        ("{}", Shape::Search, no_object),
        ("[]", Shape::Search, no_object),
        ("null", Shape::Search, no_object),
        ("\"", Shape::Search, no_object),
        ("```json\n```", Shape::Search, no_object),
        (r#"{"result": "of a tool"}"#, Shape::Search, no_object),
        (r#"{"error": "x", "sources": []}"#, Shape::Search, no_object),
        (r#"{"success": true}"#, Shape::Search, "`report` is missing"),
        (r#"{"success": true, "report": null}"#, Shape::Search, "`report` is missing"),
        (r#"{"success": true, "report": ""}"#, Shape::Search, "`report` is empty"),
        (r#"{"success": true, "report": " \n"}"#, Shape::Search, "`report` is empty"),
        (r#"{"success": true, "report": ["a"]}"#, Shape::Search, "`report` is not a string"),
        (r#"{"success": true, "report": {"text": "a"}}"#, Shape::Search, "`report` is not a string"),
        (r#"{"report": "R"}"#, Shape::Search, "`success` is missing"),
        (r#"{"success": 1, "report": "R"}"#, Shape::Search, "`success` is not true or false"),
        (r#"{"success": "yes", "report": "R"}"#, Shape::Search, "`success` is not true or false"),
        (r#"{"Success": true, "report": "R"}"#, Shape::Search, "`success` is missing"),
        (r#"{"success": true, "report": "R"}"#, Shape::DeepSearch, "`verified` is missing"),
        (
            r#"{"success": true, "report": "R", "verified": "mostly"}"#,
            Shape::DeepSearch,
            "`verified` is not true or false",
        ),
        (r#"{"verified": true}"#, Shape::DeepSearch, "`success` is missing; `report` is missing"),
        (r#"{"success": true, "repo"#, Shape::Search, "a broken JSON object with `success`, but `report` is missing"),
        (r#"{"success": true, "report": ""#, Shape::Search, "`report` is empty"),
        (r#"{"success": tru"#, Shape::Search, "`success` is not true or false"),
        (r#"{"report": "cut before succ"#, Shape::Search, "`success` is missing"),
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
        assert_eq!(extract(&text, Shape::DeepSearch).unwrap_err().lacks, [Lack::Missing("verified")]);
    }
}

#[test]
fn the_nearest_object_is_named() {
    let misfit = extract(r#"{"verified": true} {"success": true, "report": ""} {"success": true}"#, Shape::Search);
    assert_eq!(
        misfit.unwrap_err(),
        Misfit {
            found: Found::Object { fields: vec!["success", "report"], broken: false },
            lacks: vec![Lack::Empty("report")]
        }
    );
}
