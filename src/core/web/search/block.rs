//! Block pages and captchas: an answer that is none.

use crate::core::base::rows::phrases;

/// Words of pages that stand between a program and its results. Each says clearly that it is one.
const MARKS: &str = "captcha, are you a robot, are you human, verify you are human, verify that you are human, \
     unusual traffic, automated queries, automated access, access denied, request blocked, you have been blocked, \
     attention required, checking your browser, just a moment..., enable javascript and cookies, anomaly-modal";

/// How far into an answer the marks are looked for, in bytes: a block page says so at its beginning.
const LOOKED_AT: usize = 64 * 1024;

/// Whether an answer that should be data is a page that asks who we are. Data in JSON or XML never is one: its texts may be about
/// captchas.
pub(crate) fn is_block_page(content_type: Option<&str>, body: &[u8]) -> bool {
    let head = body.get(..LOOKED_AT).unwrap_or(body);
    let text = String::from_utf8_lossy(head).to_lowercase();
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let data = start.starts_with(['{', '[']) || start.starts_with("<?xml") || start.starts_with("<feed");
    let html = content_type.is_some_and(|kind| kind.to_ascii_lowercase().contains("html"))
        || start.starts_with("<!doctype html")
        || start.starts_with("<html");
    !data && html && phrases(MARKS).any(|mark| text.contains(mark))
}
