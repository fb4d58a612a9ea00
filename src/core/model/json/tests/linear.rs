//! Linear time, shown by counting steps and not by a clock: whatever the text, the work per byte has one bound.

use super::*;

/// One reading of each byte, the second readings, the looking ahead (which may overshoot by what one look needs), the candidates
/// for braces, and all that once per layer of encoding.
const STEPS_PER_BYTE: u64 = (limits::JSON_ENCODINGS as u64 + 1) * (limits::JSON_RESCANS + limits::JSON_LOOKAHEAD + 16);

/// Units that invite a scanner to read the rest of the text again and again.
const UNITS: [&str; 36] = [
    "{",
    "}",
    "\"",
    "'",
    "[{",
    "[",
    "```",
    "```json\n",
    "\\",
    "\\\"",
    "{\\\"",
    "{\"",
    "{\"a\":",
    "{\"a\":\"",
    "{\"a\":[",
    "{a:",
    "\",",
    "\"//",
    "\"/*",
    "\"#",
    "{//",
    "{/*",
    "{#",
    "\" \n",
    "\", \"",
    "\"}",
    "{\"success\":",
    "{\"success\":true,\"report\":\"",
    "{\"success\":true,\"report\":\"R\"}",
    "{\"success\":true,\"report\":\"R\"},",
    "{'success':'",
    "\u{201c}",
    "{ ",
    "{\"\\u",
    "\"\"\"",
    "{\"success\":\"{",
];

fn steps_per_byte(text: &str) -> u64 {
    let free = (limits::JSON_ENCODINGS as u64 + 1) * 2 * limits::JSON_FREE_STEPS;
    counted(text, AnswerShape::Search).1.saturating_sub(free) / text.len().max(1) as u64
}

#[test]
fn repeated_units_take_linear_time() {
    for unit in UNITS {
        for head in ["", "{\"success\": true, \"report\": \"", "{\"a\": [\""] {
            let text = format!("{head}{}", unit.repeat((1 << 16) / unit.len()));
            let steps = steps_per_byte(&text);
            assert!(steps <= STEPS_PER_BYTE, "{head}{unit}: {steps} steps per byte");
        }
    }
}

#[test]
fn pairs_of_units_take_linear_time() {
    for first in UNITS {
        for second in UNITS {
            let half = 1 << 10;
            let text = format!("{}{}", first.repeat(half / first.len()), second.repeat(half / second.len()));
            let mixed = format!("{first}{second}").repeat(half / (first.len() + second.len()));
            for text in [text, mixed] {
                let steps = steps_per_byte(&text);
                assert!(steps <= STEPS_PER_BYTE, "{first} and {second}: {steps} steps per byte");
            }
        }
    }
}

/// A large honest answer is read about once, also when its report is full of bare quotes.
#[test]
fn honest_answers_cost_little() {
    let cost = |text: &str| counted(text, AnswerShape::Search).1 as f64 / text.len() as f64;
    let page = "A sentence with \\\"quotes\\\", a list [1] and code { x }.\\n".repeat(20_000);
    let clean = format!(r#"{{"success": true, "report": "{page}"}}"#);
    assert!(cost(&clean) < 1.5, "{}", cost(&clean));
    let page = "A sentence with \"quotes\", a list [1], and \"more\".\n".repeat(20_000);
    let bare = format!(r#"{{"success": true, "report": "{page}"}}"#);
    assert!(cost(&bare) < 4.0, "{}", cost(&bare));
    assert_eq!(found(&bare, AnswerShape::Search).report, page);
}

/// Garbage in front, as much as the second readings may cost, does not hide the answer.
#[test]
fn the_answer_is_found_behind_much_garbage() {
    for unit in UNITS {
        let text = format!("{}\n\n{}", unit.repeat(2_000), r#"{"success": true, "report": "R"}"#);
        if let Ok(answer) = extract(&text, AnswerShape::Search) {
            assert!(answer.report.ends_with('R') || answer.salvaged, "{unit}");
        }
    }
    for unit in ["{", "{ ", "[{", "}", "{\"a\":[", "{\"", "{a:", "```", "{x} "] {
        let text = format!("{}\n\n{}", unit.repeat(2_000), r#"{"success": true, "report": "R"}"#);
        assert_eq!(found(&text, AnswerShape::Search).report, "R", "{unit}");
    }
}

/// Depth is limited, not the stack.
#[test]
fn depth_has_a_limit() {
    let nested = |n: usize| format!("{}{}", "{\"a\":".repeat(n), r#"{"success":true,"report":"R"}"#) + &"}".repeat(n);
    assert_eq!(found(&nested(limits::JSON_DEPTH - 1), AnswerShape::Search).report, "R");
    assert_eq!(found(&nested(limits::JSON_DEPTH * 20), AnswerShape::Search).report, "R");
    let inside = format!(r#"{{"success":true,"report":"R","x":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(found(&inside, AnswerShape::Search).salvaged);
}
