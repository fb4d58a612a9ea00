//! The settings of what asks the web: fetching pages and searching.

use ::core::net::SocketAddr;
use std::time::Duration;

use super::Secret;
use crate::core::web::address::Rules;
use crate::core::web::pace::Pace;
use crate::core::web::search::Provider;

/// How pages are fetched.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FetchSettings {
    pub(crate) rules: Rules,
    /// Names that are not looked up. They lead where the user said, if the rules allow that address.
    pub(crate) hosts: Vec<FixedHost>,
    /// The proxy that pages are fetched through, with its password if it has one.
    pub(crate) proxy: Option<Secret>,
    /// The longest one page may take, redirects included.
    pub(crate) timeout: Duration,
    pub(crate) max_page_bytes: usize,
    /// Room for pages on disk; 0 keeps none.
    pub(crate) cache_bytes: u64,
    /// How whoever runs a site reaches the user: a mail address or a page.
    pub(crate) contact: Option<String>,
}

/// A name, or `*.` and the end of many, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FixedHost {
    pub(crate) name: String,
    pub(crate) to: SocketAddr,
}

impl FixedHost {
    /// Reads `a.example=127.0.0.1:8000,*.sim.test=127.0.0.1:8001`.
    pub(crate) fn parse_list(text: &str) -> Option<Vec<Self>> {
        let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
        pairs
            .map(|pair| {
                let (name, to) = pair.split_once('=')?;
                let name = name.trim().to_ascii_lowercase();
                (!name.is_empty()).then_some(Self { name, to: to.trim().parse().ok()? })
            })
            .collect()
    }

    pub(crate) fn covers(&self, host: &str) -> bool {
        match self.name.strip_prefix("*.") {
            Some(end) => host.strip_suffix(end).is_some_and(|rest| rest.ends_with('.')),
            None => host == self.name,
        }
    }
}

/// Who is searched, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SearchSettings {
    /// The providers that are asked; `None` is every one that is set up.
    pub(crate) providers: Option<Vec<Provider>>,
    /// Where a provider is asked instead of its own place; the address may hold a password.
    pub(crate) urls: Vec<(Provider, Secret)>,
    pub(crate) keys: Vec<(Provider, Secret)>,
    /// The same as [`FetchSettings::contact`].
    pub(crate) contact: Option<String>,
    /// Requests a second to each provider; `None` is the pace of each.
    pub(crate) per_second: Option<u32>,
}

impl SearchSettings {
    pub(crate) fn key(&self, provider: Provider) -> Option<&Secret> {
        self.keys.iter().find(|(of, _)| *of == provider).map(|(_, key)| key)
    }

    /// How fast a provider is asked.
    pub(crate) fn pace(&self, provider: Provider) -> Pace {
        match self.per_second {
            Some(most) => Pace::new(Duration::from_secs(1) / most.max(1), most),
            None => provider.pace(),
        }
    }

    pub(crate) fn url(&self, provider: Provider) -> Option<&str> {
        let own = self.urls.iter().find(|(of, _)| *of == provider).map(|(_, url)| url.reveal());
        own.or(provider.row().url)
    }

    /// Whether a provider can be asked: it has its key, or needs none, and a place to be asked at.
    pub(crate) fn has(&self, provider: Provider) -> bool {
        (!provider.needs_key() || self.key(provider).is_some()) && self.url(provider).is_some()
    }

    /// Providers that `search.providers` names and that have no key.
    pub(crate) fn named_without_key(&self) -> Vec<Provider> {
        let named = self.providers.as_deref().unwrap_or_default().iter().copied();
        named.filter(|provider| provider.needs_key() && self.key(*provider).is_none()).collect()
    }

    /// The providers that are asked, best first.
    pub(crate) fn active(&self) -> Vec<Provider> {
        let wanted = self.providers.as_deref().unwrap_or(&Provider::ALL);
        wanted.iter().copied().filter(|provider| self.has(*provider)).collect()
    }
}

/// Reads `tavily=https://…,brave=https://…`. These are shown, so they hold no passwords.
pub(crate) fn provider_urls(text: &str) -> Option<Vec<(Provider, Secret)>> {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, url) = pair.split_once('=')?;
            let url = web_url(url).filter(|url| !url.contains('@'))?;
            Some((Provider::parse(name.trim())?, Secret::new(url)))
        })
        .collect()
}

/// An address of the web without a slash at its end.
pub(crate) fn web_url(text: &str) -> Option<String> {
    let url = url::Url::parse(text.trim()).ok()?;
    let web = matches!(url.scheme(), "http" | "https") && url.has_host() && url.query().is_none();
    web.then(|| url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_hosts_are_names_or_ends_of_names() {
        let hosts = FixedHost::parse_list(" A.example=127.0.0.1:80 , *.sim.test=[::1]:8001,").unwrap();
        for (host, want) in [
            ("a.example", Some("127.0.0.1:80")),
            ("b.example", None),
            ("x.sim.test", Some("[::1]:8001")),
            ("x.y.sim.test", Some("[::1]:8001")),
            ("sim.test", None),
            ("notsim.test", None),
        ] {
            let found = hosts.iter().find(|fixed| fixed.covers(host)).map(|fixed| fixed.to.to_string());
            assert_eq!(found.as_deref(), want, "{host}");
        }
        for bad in ["a", "a=b", "a=127.0.0.1", "=127.0.0.1:1", "a=127.0.0.1:99999"] {
            assert_eq!(FixedHost::parse_list(bad), None, "{bad}");
        }
    }

    #[test]
    fn providers_have_their_own_places() {
        let urls = provider_urls("tavily=http://127.0.0.1:9/t/, brave=https://b.example").unwrap();
        let shown: Vec<(Provider, &str)> = urls.iter().map(|(provider, url)| (*provider, url.reveal())).collect();
        assert_eq!(shown, [(Provider::Tavily, "http://127.0.0.1:9/t"), (Provider::Brave, "https://b.example")]);
        for bad in ["bing=http://x", "tavily", "tavily=ftp://x", "tavily=x", "tavily=http://x?y", "tavily=http://u:p@x"]
        {
            assert_eq!(provider_urls(bad), None, "{bad}");
        }
    }

    #[test]
    fn only_what_is_set_up_is_asked() {
        let mut settings = SearchSettings::default();
        assert!(!settings.has(Provider::Tavily) && !settings.has(Provider::Searxng) && settings.has(Provider::Arxiv));
        settings.keys.push((Provider::Tavily, Secret::new("canary".into())));
        assert_eq!(settings.active().first(), Some(&Provider::Tavily));
        settings.providers = Some(vec![Provider::Brave, Provider::Wikipedia]);
        assert_eq!(settings.active(), [Provider::Wikipedia]);
    }
}
