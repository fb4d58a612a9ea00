//! What Gemini CLI says and means, without running it: its event stream, its exit codes, its session record.
//!
//! The facts were measured on version 0.61. Exit code 0 alone is not success, and source addresses are on no output
//! format: they stand in the session record only.

mod exit;
mod session;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use exit::{RunEnd, verdict};
pub(crate) use session::{Record, read_session};
pub(crate) use stream::Stream;

/// What the program gets of our environment: where things are, who is signed in, and how to reach the network.
/// `GEMINI_MODEL` is not among them: a model is a flag or it is the program's own choice.
pub(crate) const PASSED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "TZ",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "GEMINI_CLI_HOME",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_GEMINI_BASE_URL",
    "GOOGLE_VERTEX_BASE_URL",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GOOGLE_GENAI_USE_GCA",
    "GOOGLE_GENAI_API_VERSION",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_PROJECT_ID",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_QUOTA_PROJECT",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Makes a prompt literal. The CLI takes `@word` for a file to read in and a leading `/` for a command of its own.
pub(crate) fn literal(prompt: &str) -> String {
    let escaped = prompt.replace('@', "\\@");
    // Our prompts start with our own words; an override may not.
    if escaped.starts_with('/') { format!(" {escaped}") } else { escaped }
}

/// What may stand behind an address without being part of it.
const PUNCTUATION: [char; 10] = ['.', ',', ';', ':', '!', '?', '\'', '*', '_', ']'];

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
        let address = address.trim_end_matches(PUNCTUATION);
        // A closing bracket belongs to the address only when it was opened in it.
        let open = address.matches('(').count();
        let extra = address.matches(')').count().saturating_sub(open);
        let address = (0..extra).fold(address, |address, _| address.strip_suffix(')').unwrap_or(address));
        let address = address.trim_end_matches(PUNCTUATION);
        if address.len() > "https://".len() && !found.iter().any(|known| known == address) {
            found.push(address.to_owned());
        }
    }
    found
}
