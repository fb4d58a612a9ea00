//! The settings of fetching and searching.

use std::time::Duration;

use super::tasks::small;
use super::{Allowed, Setting};
use crate::core::base::secrets::Secret;
use crate::core::setup::http::TokenRule;
use crate::core::setup::settings::web::{FixedHost, provider_urls, web_url};
use crate::core::web::address::Ports;
use crate::core::web::search::Provider;

/// A contact goes into a header.
const CONTACT_CHARS: usize = 200;

pub(super) fn rows() -> Vec<Setting> {
    fetch().into_iter().chain(search()).chain(keys()).chain(server()).collect()
}

fn fetch() -> [Setting; 7] {
    let form = |words: &str| Allowed::Form(words.to_owned());
    [
        Setting::yes_or_no("fetch.allow_private", "HADAL_FETCH_ALLOW_PRIVATE", &["yes", "no"], |s, yes| {
            s.fetch.rules.allow_private = yes;
        })
        .default("no")
        .means(
            "Whether pages may be fetched from this machine and from private networks. It is for tests and for an intranet \
             whose pages you trust: with `yes`, a page on the web can make hadal ask your own servers. Metadata services of \
             clouds stay closed.",
        ),
        Setting::parsed(
            "fetch.ports",
            "HADAL_FETCH_PORTS",
            form("port numbers with commas between them, or `any`"),
            ports,
            |s, ports| s.fetch.rules.ports = ports,
        )
        .means("Ports beside 80 and 443 that pages may be fetched from. Without it there are none."),
        Setting::parsed(
            "fetch.hosts",
            "HADAL_FETCH_HOSTS",
            form("pairs such as `wiki.corp=10.0.0.7:80,*.sim.test=127.0.0.1:8000`"),
            FixedHost::parse_list,
            |s, hosts| s.fetch.hosts = hosts,
        )
        .means(
            "Names that are not looked up but lead to a fixed address and port. The address must be one that may be \
             asked, so private ones need `fetch.allow_private`. For tests, and for an intranet without a resolver.",
        ),
        Setting::parsed("fetch.proxy", "HADAL_FETCH_PROXY", Allowed::Secret, web_url, |s, url| {
            s.fetch.proxy = Some(Secret::new(url));
        })
        .not_in_file()
        .means(
            "The address of an HTTP proxy through which pages are fetched, such as `http://proxy.corp:3128`; it may hold a name \
             and password. Without it pages are fetched directly, whatever `HTTPS_PROXY` says: a proxy looks names up itself, \
             after hadal has checked them, so you decide whether to trust it with that.",
        ),
        Setting::whole("fetch.timeout_seconds", "HADAL_FETCH_TIMEOUT_SECONDS", 1..=600, |s, most| {
            s.fetch.timeout = Duration::from_secs(most);
        })
        .default("30")
        .means("Seconds that one page may take, with its redirects and the wait for its turn."),
        Setting::whole("fetch.max_page_mb", "HADAL_FETCH_MAX_PAGE_MB", 1..=64, |s, most| {
            s.fetch.max_page_bytes = small(most << 20);
        })
        .default("10")
        .means("Pages larger than this many megabytes (of 1,048,576 bytes, after decompression) are not taken."),
        Setting::whole("fetch.cache_mb", "HADAL_FETCH_CACHE_MB", 0..=65_536, |s, most| s.fetch.cache_bytes = most << 20)
            .default("256")
            .means("Room for fetched pages in `pages` in the data directory, in megabytes; 0 keeps none."),
    ]
}

fn search() -> [Setting; 5] {
    let form = |words: &str| Allowed::Form(words.to_owned());
    let names: Vec<String> = Provider::ALL.iter().map(|provider| format!("`{}`", provider.name())).collect();
    let names = format!("names with commas between them: {}", names.join(", "));
    [
        Setting::parsed(
            "contact",
            "HADAL_CONTACT",
            form("a mail address or the address of a page, at most 200 plain characters"),
            contact,
            |s, contact| (s.search.contact, s.fetch.contact) = (Some(contact.clone()), Some(contact)),
        )
        .means(
            "How the owner of a site reaches you. It is sent with each request for a page or a keyless search; some free \
             services serve those better who say who they are.",
        ),
        Setting::parsed("search.providers", "HADAL_SEARCH_PROVIDERS", Allowed::Form(names), providers, |s, names| {
            s.search.providers = Some(names);
        })
        .means("The search providers that are asked, best first. Without it, every one that needs no key or has its key."),
        Setting::whole("search.per_second", "HADAL_SEARCH_PER_SECOND", 1..=1_000, |s, most| {
            s.search.per_second = u32::try_from(most).ok();
        })
        .means(
            "Requests a second to each search provider. Without it, each is asked at the pace that it allows without a plan that is paid for. \
             A provider that asks for more time gets it in either case.",
        ),
        Setting::parsed(
            "search.urls",
            "HADAL_SEARCH_URLS",
            form("pairs such as `tavily=https://proxy.corp/tavily,brave=https://proxy.corp/brave`"),
            provider_urls,
            |s, urls| s.search.urls = urls,
        )
        .means("Where search providers are asked instead of their own addresses: for tests and for gateways."),
        Setting::parsed("search.searxng_url", "SEARXNG_URL", Allowed::Address, web_url, |s, url| {
            s.search.urls.push((Provider::Searxng, Secret::new(url)));
        })
        .means("The address of your SearXNG. Its `settings.yml` must list `json` under `search.formats`."),
    ]
}

fn server() -> [Setting; 3] {
    let form = |words: &str| Allowed::Form(words.to_owned());
    let names = |text: &str| {
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        names.iter().all(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())).then_some(names)
    };
    [
        Setting::parsed("http.token", "HADAL_HTTP_TOKEN", Allowed::OneOf(TokenRule::NAMES), TokenRule::parse, |s, rule| {
            s.http.token = rule;
        })
        .default("remote")
        .means(
            "When `hadal serve --http` wants a token with each request: `remote`, when it listens beyond this machine; `always`, \
             also on this machine, whose other users could ask and spend without one.",
        ),
        Setting::parsed(
            "http.hosts",
            "HADAL_HTTP_HOSTS",
            form("names with commas between them, such as `hadal.corp`"),
            names,
            |s, hosts| s.http.hosts = hosts,
        )
        .means("Names by which `hadal serve --http` is asked, beside `localhost` and its address: that of a reverse proxy."),
        Setting::parsed(
            "http.origins",
            "HADAL_HTTP_ORIGINS",
            form("origins with commas between them, such as `https://app.corp`"),
            names,
            |s, origins| s.http.origins = origins,
        )
        .means("Sites whose pages may ask `hadal serve --http`, beside those of this machine."),
    ]
}

fn keys() -> impl Iterator<Item = Setting> {
    Provider::ALL.into_iter().filter_map(|provider| {
        let names = provider.row().key?;
        Some(Setting::secret(names, move |s, key| s.search.keys.push((provider, key))))
    })
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

fn contact(text: &str) -> Option<String> {
    let plain = text.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '(' | ')' | '"'));
    (plain && !text.is_empty() && text.len() <= CONTACT_CHARS).then(|| text.to_owned())
}
