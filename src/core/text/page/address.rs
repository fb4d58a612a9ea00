//! Addresses on a page, made absolute. Only those of the web are let through.

use url::Url;

use crate::core::base::limits;

/// The address that relative ones are relative to.
#[derive(Clone, Debug)]
pub(super) struct Address(Option<Url>);

impl Address {
    pub(super) fn of(url: &str) -> Self {
        Self(Url::parse(url).ok())
    }

    /// The address after a `<base href>`.
    pub(super) fn joined(&self, base: &str) -> Self {
        let base = base.trim();
        if base.is_empty() {
            return self.clone();
        }
        let joined = self.0.as_ref().map_or_else(|| Url::parse(base), |own| own.join(base));
        Self(joined.ok().or_else(|| self.0.clone()))
    }

    /// `None` for what leads nowhere else: places on the same page, scripts, mail, data.
    pub(super) fn resolve(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if href.is_empty() || href.starts_with('#') || href.len() > limits::ADDRESS_BYTES {
            return None;
        }
        let url = match &self.0 {
            Some(base) => base.join(href).ok()?,
            None => Url::parse(href).ok()?,
        };
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host() && url.username().is_empty();
        (is_web && url.as_str().len() <= limits::ADDRESS_BYTES).then(|| url.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_absolute_and_only_those_of_the_web_stay() {
        let page = Address::of("https://example.org/a/b.html");
        for (href, expected) in [
            ("c.html", Some("https://example.org/a/c.html")),
            ("/c?x=1#y", Some("https://example.org/c?x=1#y")),
            ("//other.net/", Some("https://other.net/")),
            (" http://x.org/ ", Some("http://x.org/")),
            ("#top", None),
            ("javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("mailto:a@b.c", None),
            ("https://user:pass@x.org/", None),
            ("", None),
        ] {
            assert_eq!(page.resolve(href).as_deref(), expected, "{href}");
        }
        assert_eq!(page.joined("/base/").resolve("c").as_deref(), Some("https://example.org/base/c"));
        assert_eq!(Address::of("no address").resolve("c"), None);
    }
}
