//! The rule for a question: what is taken, what is refused.

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::base::plain::is_unspaced;

/// Checks and trims a question. Text is taken literally; only what cannot be a question is refused.
pub(crate) fn check(text: &str) -> Result<String> {
    let refuse = |what: String| {
        Err(Error::new(Code::InvalidQuery, what).hint(format!(
            "ask a question of {} to {} characters",
            limits::QUERY_MIN_CHARS,
            limits::QUERY_MAX_CHARS
        )))
    };
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return refuse("the question is empty".into());
    }
    // Counting stops early: a question may be megabytes of garbage.
    let chars = trimmed.chars().take(limits::QUERY_MAX_CHARS + 1).count();
    if chars > limits::QUERY_MAX_CHARS {
        return refuse(format!("the question is longer than {} characters", limits::QUERY_MAX_CHARS));
    }
    // A character of a script without spaces is a syllable or a word of its own.
    let is_dense = trimmed.chars().filter(|c| is_unspaced(*c)).count() >= limits::QUERY_MIN_DENSE;
    if chars < limits::QUERY_MIN_CHARS && !is_dense {
        return refuse(format!("the question has {chars} of at least {} characters", limits::QUERY_MIN_CHARS));
    }
    if let Some(control) = trimmed.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return refuse(format!("the question holds the control character U+{:04X}", u32::from(control)));
    }
    Ok(trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// HR-04: what is refused, and why.
    #[test]
    fn refused_questions_say_why() {
        for (text, why) in [
            ("", "empty"),
            (" \n\t ", "empty"),
            ("ab", "2 of at least 3"),
            ("保", "1 of at least 3"),
            ("保a", "2 of at least 3"),
            (&"x".repeat(10_001), "longer than 10000"),
            (&"é".repeat(1 << 20), "longer than 10000"),
            ("what\0now", "U+0000"),
            ("what \u{1b}[31m now", "U+001B"),
            ("what \u{85} now", "U+0085"),
        ] {
            let error = check(text).unwrap_err();
            assert_eq!(error.code, Code::InvalidQuery);
            assert!(error.message.contains(why), "{:?} does not say {why:?}", error.message);
        }
    }

    #[test]
    fn everything_else_is_literal() {
        for text in [
            "why?",
            "{{query}}",
            "@/etc/passwd",
            "/quit now",
            "多言語の質問",
            "保修",
            "two\nlines",
            &"é".repeat(10_000),
        ] {
            assert_eq!(check(text).unwrap(), text);
        }
        assert_eq!(check("  why?  ").unwrap(), "why?");
    }
}
