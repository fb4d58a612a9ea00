//! What Gemini CLI says and means, without running it: its event stream, its exit codes, its session record.
//!
//! The facts were measured on version 0.61. Exit code 0 alone is not success, and source addresses are on no output
//! format: they stand in the session record only.

mod exit;
mod session;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use exit::{Ended, verdict};
pub(crate) use session::{Record, read_session};
pub(crate) use stream::Stream;

/// Makes a prompt literal. The CLI takes `@word` for a file to read in and a leading `/` for a command of its own.
pub(crate) fn literal(prompt: &str) -> String {
    let escaped = prompt.replace('@', "\\@");
    // Our prompts start with our own words; an override may not.
    if escaped.starts_with('/') { format!(" {escaped}") } else { escaped }
}

/// Web addresses inside a text, in order, each once.
pub(crate) fn addresses(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '`' | '|')) {
        let start = match (part.find("https://"), part.find("http://")) {
            (Some(one), Some(other)) => one.min(other),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => continue,
        };
        let address = part.get(start..).unwrap_or_default();
        let address =
            address.trim_end_matches(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' | ']'));
        let punctuation = |c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' | ']');
        let address = address.trim_end_matches(punctuation);
        // A closing bracket belongs to the address only when it was opened in it.
        let open = address.matches('(').count();
        let extra = address.matches(')').count().saturating_sub(open);
        let address = (0..extra).fold(address, |address, _| address.strip_suffix(')').unwrap_or(address));
        let address = address.trim_end_matches(punctuation);
        if address.len() > "https://".len() && !found.iter().any(|known| known == address) {
            found.push(address.to_owned());
        }
    }
    found
}
