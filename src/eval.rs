//! What `eval/` measures: one function per thing. Not an API.

pub mod evidence;
mod finding;

pub use finding::{Found, Index, Size};

use crate::core::text::page::{self, Raw};

/// The plain text and the Markdown of an HTML page.
pub fn extract(html: &[u8]) -> Option<(String, String)> {
    let raw = Raw { url: "https://page.invalid/", content_type: Some("text/html"), bytes: html };
    page::extract(raw).ok().map(|page| (page.text, page.markdown))
}

/// The blocks of an HTML page, each with its text and its numbers, as the model is trained with.
pub fn blocks(html: &[u8]) -> Vec<(String, Vec<f32>)> {
    page::measured(Raw { url: "", content_type: Some("text/html"), bytes: html })
}
