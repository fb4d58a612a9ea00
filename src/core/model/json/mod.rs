//! JSON out of model text: finds the answer object in whatever a model wrapped around it.
//!
//! Lenient about the wrapping (fences, prose, bare quotes, comments, a tail that was cut off), strict about the schema
//! afterwards. It must not guess: a field that is not there is a [`Mismatch`], never a default that looks like an answer. It must
//! not take longer than linear time, whatever the text: total work is bounded by the `JSON_*` limits.
//!
//! - [`cursor`] knows bytes, blanks, comments and quotes; [`string`](mod@string) knows where a string ends.
//! - [`read`] reads one object from an opening brace and offers every object in it to [`best`].
//! - [`candidates`] decides which opening braces are worth a try, and in which order.
//! - [`fit`] is the schema.

mod best;
mod candidates;
mod cursor;
mod fit;
mod read;
mod string;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use crate::core::base::limits;
use best::Best;

/// Which answer is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerShape {
    /// `search`: success, report, metadata.
    Search,
    /// `deep_search`: the same and `verified`.
    DeepSearch,
}

/// A model's answer, as far as it can be trusted to be one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) success: bool,
    /// Never empty when `success`.
    pub(crate) report: String,
    /// The model's own word; always there for a successful [`AnswerShape::DeepSearch`]. `false` when the answer was cut off before it.
    pub(crate) verified: Option<bool>,
    /// In the order given, each once, without control characters. Not checked to be addresses.
    pub(crate) sources_visited: Vec<String>,
    pub(crate) search_queries: Vec<String>,
    pub(crate) iterations: Option<u32>,
    /// The object broke off before its end: the report may lack its tail, the lists may be short.
    pub(crate) salvaged: bool,
    /// Why there is no report, in the model's words.
    pub(crate) error: Option<String>,
}

/// Why a text holds no answer: for the log and for the correction prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) found: FoundInstead,
    /// What is wrong with the nearest object; empty when there was none.
    pub(crate) flaws: Vec<Flaw>,
}

/// What there was instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundInstead {
    /// Nothing but blanks.
    Nothing,
    /// Text without an object that resembles an answer.
    Text { bytes: usize },
    /// An object with some of the fields, named here.
    Object { fields: Vec<&'static str>, broken: bool },
}

/// One way in which an object is not an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    Missing(&'static str),
    NotBool(&'static str),
    NotText(&'static str),
    Empty(&'static str),
    /// The report is the one of [`example`], word for word.
    Echo,
}

/// Finds the answer in a model's text.
///
/// Of several objects that fit, a whole one is preferred to a broken one, and the last of the whole ones is taken: a model
/// that shows the format, drafts or corrects itself does so first and gives its answer after that.
pub(crate) fn extract(text: &str, shape: AnswerShape) -> Result<Answer, Mismatch> {
    counted(text, shape).0
}

/// [`extract`], and how many steps it took: the proof of linear time does not need a clock.
pub(crate) fn counted(text: &str, shape: AnswerShape) -> (Result<Answer, Mismatch>, u64) {
    let mut best = Best::new(shape);
    let mut steps = 0;
    let mut layer = Cow::Borrowed(text);
    for _ in 0..=limits::JSON_ENCODINGS {
        steps += candidates::candidates(&layer, &mut best);
        if !best.is_empty() {
            break;
        }
        // An escaped object inside a string is looked at only when nothing else resembles an answer: a report may
        // well quote one.
        let Some(inner) = candidates::decode(&layer) else { break };
        steps += layer.len() as u64;
        layer = Cow::Owned(inner);
    }
    (best.verdict(text), steps)
}

/// The whole JSON example that prompts show. The report comes last: a model that is cut off then loses the end of
/// its report and nothing else.
pub(crate) fn example(shape: AnswerShape) -> &'static str {
    match shape {
        AnswerShape::Search => include_str!("search-example.json"),
        AnswerShape::DeepSearch => include_str!("deep-search-example.json"),
    }
}

/// The same as a schema, for models that can be held to one.
pub(crate) fn schema() -> serde_json::Value {
    let texts = serde_json::json!({"type": "array", "items": {"type": "string"}});
    serde_json::json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "verified": {"type": "boolean"},
            "metadata": {
                "type": "object",
                "properties": {"sources_visited": texts, "search_queries_used": texts, "iterations": {"type": "integer"}},
            },
            "error": {"type": "string"},
            "report": {"type": "string"},
        },
        "required": ["success", "verified", "metadata", "report"],
    })
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.found {
            FoundInstead::Nothing => return f.write_str("the answer is empty"),
            FoundInstead::Text { bytes } => {
                return write!(f, "the answer has no JSON object with `success` and `report` in its {bytes} bytes");
            }
            FoundInstead::Object { fields, broken } => {
                let whole = if *broken { "a broken JSON object" } else { "a JSON object" };
                write!(f, "the answer has {whole} with `{}`, but ", fields.join("`, `"))?;
            }
        }
        for (i, lack) in self.flaws.iter().enumerate() {
            write!(f, "{}{lack}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Mismatch {}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "`{name}` is missing"),
            Self::NotBool(name) => write!(f, "`{name}` is not true or false"),
            Self::NotText(name) => write!(f, "`{name}` is not a string"),
            Self::Empty(name) => write!(f, "`{name}` is empty"),
            Self::Echo => f.write_str("`report` is the text of the example"),
        }
    }
}
