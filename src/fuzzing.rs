//! The doors of the fuzz targets in `fuzz/`: one function each, taking bytes and panicking on a broken promise. Not an API.

#![expect(clippy::panic, reason = "a fuzz target reports by panicking")]

use crate::core::base::limits;
use crate::core::model::json::{self, Answer, AnswerShape};
use crate::core::text::page::{self, Raw};

/// JSON out of model text: no panic, linear work, and what is accepted is an answer by its own measure.
pub fn json(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for shape in [AnswerShape::Search, AnswerShape::DeepSearch] {
        let (found, steps) = json::counted(&text, shape);
        let layers = limits::JSON_ENCODINGS as u64 + 1;
        let per_byte = limits::JSON_RESCANS + limits::JSON_LOOKAHEAD + 16;
        let most = layers * (2 * limits::JSON_FREE_STEPS + 64 + per_byte * text.len() as u64);
        if steps > most {
            panic!("{steps} steps for {} bytes", text.len());
        }
        let Ok(answer) = found else { continue };
        if answer.success
            && (answer.report.trim().is_empty() || (shape == AnswerShape::DeepSearch && answer.verified.is_none()))
        {
            panic!("accepted what the schema refuses: {answer:?}");
        }
        let whole = Answer { salvaged: false, ..answer };
        let again = json::extract(&written(&whole), shape);
        if again.as_ref() != Ok(&whole) {
            panic!("{whole:?} was read back as {again:?}");
        }
    }
}

fn written(answer: &Answer) -> String {
    serde_json::json!({
        "success": answer.success,
        "verified": answer.verified,
        "report": answer.report,
        "error": answer.error,
        "metadata": {
            "sources_visited": answer.sources_visited,
            "search_queries_used": answer.search_queries,
            "iterations": answer.iterations,
        },
    })
    .to_string()
}

/// Pages of every kind but PDF: no panic, bounded output, and no page with words is lost.
pub fn extract(data: &[u8]) {
    let kinds = ["text/html", "text/plain", "text/markdown", "application/json", "application/rss+xml", ""];
    let (first, bytes) = data.split_first().unwrap_or((&0, data));
    let content_type = kinds.get(usize::from(*first) % kinds.len()).copied().filter(|kind| !kind.is_empty());
    let Ok(page) = page::extract(Raw { url: "https://page.invalid/", content_type, bytes }) else { return };
    let most = 40_000 + 12 * bytes.len();
    if page.text.len() > most || page.markdown.len() > most {
        panic!("{} and {} bytes from {}", page.text.len(), page.markdown.len(), bytes.len());
    }
    if page.markdown.trim().is_empty() && page.text.contains(char::is_alphanumeric) {
        panic!("text without Markdown: {:?}", page.text);
    }
}
