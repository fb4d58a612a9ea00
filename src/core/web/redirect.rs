//! Links of Google's search that stand for other addresses.

use crate::core::base::limits;

/// How such a link begins.
pub(crate) const GOOGLE: &str = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/";

/// The address a link leads to, if it is one that may stand in a report: of the web, of sensible length, plain text.
pub(crate) fn redirect_target(location: &str) -> Option<String> {
    let web = location.starts_with("https://") || location.starts_with("http://");
    let plain = !location.chars().any(|c| c.is_control() || c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`'));
    (web && plain && location.len() <= limits::ADDRESS_BYTES).then(|| location.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_addresses_count() {
        assert_eq!(redirect_target("https://a.example/x?y=1"), Some("https://a.example/x?y=1".into()));
        for bad in [
            "/relative",
            "javascript:alert(1)",
            "https://a b",
            "https://a\n",
            "https://<b>",
            &format!("https://{}", "a".repeat(9_000)),
        ] {
            assert_eq!(redirect_target(bad), None, "{bad:.40}");
        }
    }
}
