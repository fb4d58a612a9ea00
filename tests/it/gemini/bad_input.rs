//! Questions that are none.

use serde_json::json;
use sim::gemini::Script;

use super::{FACES, Lab};

/// HR-04: refused with a reason and a hint, before anything is started.
#[test]
fn questions_that_are_none_never_reach_the_program() {
    let lab = Lab::new(&Script::default());
    let long = "x".repeat(10_001);
    for face in FACES {
        for (query, says) in [
            ("", "empty"),
            (" \n\t ", "empty"),
            ("ab", "at least 3"),
            (long.as_str(), "longer than 10000"),
            ("bell \u{7} and escape \u{1b}[31m", "U+0007"),
        ] {
            for tool in ["search", "deep_search", "deep_research"] {
                let told = lab.ask(face, tool, &json!({"query": query}));
                assert_eq!(told.code(), "INVALID_QUERY");
                assert!(told.message().contains(says) && !told.reply["error"]["hints"][0].is_null(), "{told:#?}");
            }
        }
    }
    assert_eq!(lab.calls().len(), 0);
}
