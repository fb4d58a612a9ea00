//! The settings of fetching and searching, in the order of the registry.

use std::time::Duration;

use super::{Resolver, is_header, yes_or_no};
use crate::core::base::error::Result;
use crate::core::base::secrets::Secret;
use crate::core::setup::settings::file::Raw;
use crate::core::setup::settings::registry::{Setting, web};
use crate::core::setup::settings::web::{FetchSettings, FixedHost, SearchSettings, provider_urls, web_url};
use crate::core::web::address::{Ports, Rules};
use crate::core::web::search::Provider;

/// A contact goes into a header.
const CONTACT_CHARS: usize = 200;

impl Resolver<'_> {
    pub(super) fn web(&mut self) -> Result<(FetchSettings, SearchSettings)> {
        let fetch = FetchSettings {
            rules: Rules {
                allow_private: self.one_of(&web::FETCH_ALLOW_PRIVATE, yes_or_no)?,
                ports: self.read(&web::FETCH_PORTS, ports)?.unwrap_or_default(),
            },
            hosts: self.read(&web::FETCH_HOSTS, FixedHost::parse_list)?.unwrap_or_default(),
            proxy: self.read(&web::FETCH_PROXY, web_url)?.map(Secret::new),
            timeout: Duration::from_secs(self.whole_or_default(&web::FETCH_TIMEOUT)?),
            max_page_bytes: self.megabytes(&web::FETCH_MAX_PAGE)?.try_into().unwrap_or(usize::MAX),
            cache_bytes: self.megabytes(&web::FETCH_CACHE)?,
            contact: self.read(&web::CONTACT, contact)?,
        };
        let providers = self.read(&web::SEARCH_PROVIDERS, providers)?;
        let mut urls = self.read(&web::SEARCH_URLS, provider_urls)?.unwrap_or_default();
        if let Some(url) = self.read(&web::SEARXNG_URL, web_url)? {
            urls.push((Provider::Searxng, Secret::new(url)));
        }
        let mut keys = Vec::new();
        for (provider, setting) in [
            (Provider::Tavily, &web::TAVILY_API_KEY),
            (Provider::Brave, &web::BRAVE_API_KEY),
            (Provider::Exa, &web::EXA_API_KEY),
            (Provider::Serper, &web::SERPER_API_KEY),
        ] {
            keys.extend(self.read(setting, secret)?.map(|key| (provider, key)));
        }
        let contact = fetch.contact.clone();
        Ok((fetch, SearchSettings { providers, urls, keys, contact }))
    }

    /// Takes a text through `parse`.
    pub(super) fn read<T>(
        &mut self,
        setting: &'static Setting,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        self.take(setting, |raw| match raw {
            Raw::Text(text) | Raw::FileText(text) => parse(text),
            Raw::FileWhole(_) | Raw::FileNumber(_) | Raw::FileOther(_) => None,
        })
    }

    fn megabytes(&mut self, setting: &'static Setting) -> Result<u64> {
        Ok(self.whole_or_default(setting)?.saturating_mul(1 << 20))
    }
}

fn ports(text: &str) -> Option<Ports> {
    if text.trim() == "any" {
        return Some(Ports::Any);
    }
    let ports: Option<Vec<u16>> = text.split(',').map(|port| port.trim().parse().ok()).collect();
    ports.map(Ports::Also)
}

fn providers(text: &str) -> Option<Vec<Provider>> {
    text.split(',').map(|name| Provider::parse(name.trim())).collect()
}

/// A key goes into a header, which takes visible characters only; a line break at its end is a slip of copying.
pub(super) fn secret(text: &str) -> Option<Secret> {
    let text = text.trim();
    is_header(text).then(|| Secret::new(text.to_owned()))
}

fn contact(text: &str) -> Option<String> {
    let plain = text.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '(' | ')' | '"'));
    (plain && !text.is_empty() && text.len() <= CONTACT_CHARS).then(|| text.to_owned())
}
