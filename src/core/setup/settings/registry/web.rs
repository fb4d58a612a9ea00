//! The settings of fetching and searching.

use super::{Allowed, Setting};

pub(crate) const FETCH_ALLOW_PRIVATE: Setting = Setting {
    key: "fetch.allow_private",
    in_file: true,
    variable: "HADAL_FETCH_ALLOW_PRIVATE",
    flag: None,
    allowed: Allowed::OneOf(&["yes", "no"]),
    default: Some("no"),
    meaning: "Whether pages may be fetched from this machine and from private networks. It is for tests and for an intranet \
              whose pages you trust: with `yes`, a page on the web can make hadal ask your own servers. Metadata services of \
              clouds stay closed.",
};

pub(crate) const FETCH_PORTS: Setting = Setting {
    key: "fetch.ports",
    in_file: true,
    variable: "HADAL_FETCH_PORTS",
    flag: None,
    allowed: Allowed::Form("port numbers with commas between them, or `any`"),
    default: None,
    meaning: "Ports beside 80 and 443 that pages may be fetched from. Without it there are none.",
};

pub(crate) const FETCH_HOSTS: Setting = Setting {
    key: "fetch.hosts",
    in_file: true,
    variable: "HADAL_FETCH_HOSTS",
    flag: None,
    allowed: Allowed::Form("pairs such as `wiki.corp=10.0.0.7:80,*.sim.test=127.0.0.1:8000`"),
    default: None,
    meaning: "Names that are not looked up but lead to a fixed address and port. The address must be one that may be \
              asked, so private ones need `fetch.allow_private`. For tests, and for an intranet without a resolver.",
};

pub(crate) const FETCH_PROXY: Setting = Setting {
    key: "fetch.proxy",
    in_file: false,
    variable: "HADAL_FETCH_PROXY",
    flag: None,
    allowed: Allowed::Secret,
    default: None,
    meaning: "The address of an HTTP proxy through which pages are fetched, such as `http://proxy.corp:3128`; it may hold a name \
              and password. Without it pages are fetched directly, whatever `HTTPS_PROXY` says: a proxy looks names up itself, \
              after hadal has checked them, so you decide whether to trust it with that.",
};

pub(crate) const FETCH_TIMEOUT: Setting = Setting {
    key: "fetch.timeout_seconds",
    in_file: true,
    variable: "HADAL_FETCH_TIMEOUT_SECONDS",
    flag: None,
    allowed: Allowed::Whole { min: 1, max: 600 },
    default: Some("30"),
    meaning: "Seconds that one page may take, with its redirects and the wait for its turn.",
};

pub(crate) const FETCH_MAX_PAGE: Setting = Setting {
    key: "fetch.max_page_mb",
    in_file: true,
    variable: "HADAL_FETCH_MAX_PAGE_MB",
    flag: None,
    allowed: Allowed::Whole { min: 1, max: 64 },
    default: Some("10"),
    meaning: "Pages larger than this many megabytes (of 1,048,576 bytes, after decompression) are not taken.",
};

pub(crate) const FETCH_CACHE: Setting = Setting {
    key: "fetch.cache_mb",
    in_file: true,
    variable: "HADAL_FETCH_CACHE_MB",
    flag: None,
    allowed: Allowed::Whole { min: 0, max: 65_536 },
    default: Some("256"),
    meaning: "Room for fetched pages in `pages` in the data directory, in megabytes; 0 keeps none.",
};

pub(crate) const CONTACT: Setting = Setting {
    key: "contact",
    in_file: true,
    variable: "HADAL_CONTACT",
    flag: None,
    allowed: Allowed::Form("a mail address or the address of a page, at most 200 plain characters"),
    default: None,
    meaning: "How the owner of a site reaches you. It is sent with each request for a page or a keyless search; some free \
              services serve those better who say who they are.",
};

pub(crate) const SEARCH_PROVIDERS: Setting = Setting {
    key: "search.providers",
    in_file: true,
    variable: "HADAL_SEARCH_PROVIDERS",
    flag: None,
    allowed: Allowed::Form(
        "names with commas between them: `tavily`, `brave`, `exa`, `serper`, `searxng`, `wikipedia`, `openalex`, `crossref`, \
         `arxiv`, `stackexchange`, `hackernews`, `github`",
    ),
    default: None,
    meaning: "The search providers that are asked, best first. Without it, every one that needs no key or has its key.",
};

pub(crate) const SEARCH_URLS: Setting = Setting {
    key: "search.urls",
    in_file: true,
    variable: "HADAL_SEARCH_URLS",
    flag: None,
    allowed: Allowed::Form("pairs such as `tavily=https://proxy.corp/tavily,brave=https://proxy.corp/brave`"),
    default: None,
    meaning: "Where search providers are asked instead of their own addresses: for tests and for gateways.",
};

pub(crate) const SEARXNG_URL: Setting = Setting {
    key: "search.searxng_url",
    in_file: true,
    variable: "SEARXNG_URL",
    flag: None,
    allowed: Allowed::Address,
    default: None,
    meaning: "The address of your SearXNG. Its `settings.yml` must list `json` under `search.formats`.",
};

pub(crate) const TAVILY_API_KEY: Setting = key("tavily_api_key", "TAVILY_API_KEY", "The key for Tavily's search.");
pub(crate) const BRAVE_API_KEY: Setting = key("brave_api_key", "BRAVE_API_KEY", "The key for Brave's search.");
pub(crate) const EXA_API_KEY: Setting = key("exa_api_key", "EXA_API_KEY", "The key for Exa's search.");
pub(crate) const SERPER_API_KEY: Setting = key("serper_api_key", "SERPER_API_KEY", "The key for Serper's search.");

const fn key(key: &'static str, variable: &'static str, meaning: &'static str) -> Setting {
    Setting { key, in_file: false, variable, flag: None, allowed: Allowed::Secret, default: None, meaning }
}
