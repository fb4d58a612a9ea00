//! Tables of messes, properties, and the proof of linear time.

mod linear;
mod mismatches;
mod properties;
mod salvage;
mod schema;
mod wrapping;

use super::*;

/// The answer, or a failed test that shows the text.
fn found(text: &str, shape: AnswerShape) -> Answer {
    extract(text, shape).unwrap_or_else(|mismatch| panic!("{mismatch}\nin: {text}"))
}

/// An answer as a model should write it, with the lists before or after the text.
fn written(answer: &Answer, lists_first: bool) -> String {
    let metadata = serde_json::json!({
        "sources_visited": answer.sources_visited,
        "search_queries_used": answer.search_queries,
        "iterations": answer.iterations,
    });
    let head = format!(r#""success": {}, "verified": {}"#, answer.success, serde_json::json!(answer.verified));
    let text =
        format!(r#""report": {}, "error": {}"#, serde_json::json!(answer.report), serde_json::json!(answer.error));
    match lists_first {
        true => format!(r#"{{{head}, "metadata": {metadata}, {text}}}"#),
        false => format!(r#"{{{head}, {text}, "metadata": {metadata}}}"#),
    }
}
