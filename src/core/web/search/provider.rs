//! The search providers, one row each: name, place, key, pace and price.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Depth, Query};
use crate::core::base::secrets::KeySetting;
use crate::core::money::usage::Usd;
use crate::core::web::pace::Pace;

/// Who can be searched, those with the best results first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Provider {
    Tavily,
    Brave,
    Exa,
    Serper,
    Searxng,
    Wikipedia,
    OpenAlex,
    Crossref,
    Arxiv,
    StackExchange,
    HackerNews,
    GitHub,
}

/// What is known of a provider beside how it is asked, which its adapter in `world::search` knows.
#[derive(Clone, Copy)]
pub(crate) struct ProviderRow {
    pub(crate) name: &'static str,
    /// Where it is asked unless a setting says otherwise; a SearXNG is everybody's own.
    pub(crate) url: Option<&'static str>,
    /// The setting with its key; `None` where none is needed.
    pub(crate) key: Option<KeySetting>,
    /// How fast it may be asked: what it documents, with some room. First the milliseconds between two requests, then the burst.
    pace: (u64, u32),
    /// What one search costs, in millionths of a dollar.
    price: fn(&Query) -> u64,
    /// The most results of one request.
    pub(crate) most: u32,
}

/// Providers that are paid by use have no pace of their own below ten requests a second.
const PAID: ProviderRow = ProviderRow { pace: (100, 10), most: 20, ..FREE };
const FREE: ProviderRow = ProviderRow { name: "", url: None, key: None, pace: (200, 5), price: |_| 0, most: 50 };

impl Provider {
    pub(crate) const ALL: [Self; 12] = [
        Self::Tavily,
        Self::Brave,
        Self::Exa,
        Self::Serper,
        Self::Searxng,
        Self::Wikipedia,
        Self::OpenAlex,
        Self::Crossref,
        Self::Arxiv,
        Self::StackExchange,
        Self::HackerNews,
        Self::GitHub,
    ];

    /// Prices are those of a search without a subscription, from the vendors' pages: Tavily of 2026-10, Brave of 2026-09, Exa of 2026-11, Serper
    /// of 2026-08. Free allowances are not subtracted, so that a budget errs to the safe side.
    pub(crate) fn row(self) -> ProviderRow {
        match self {
            Self::Tavily => ProviderRow {
                name: "tavily",
                url: Some("https://api.tavily.com"),
                key: KeySetting::new("tavily_api_key", "TAVILY_API_KEY", "The key for Tavily's search."),
                // A credit is $0.008; the advanced search takes two.
                price: |query| if query.depth == Depth::Advanced { 16_000 } else { 8_000 },
                ..PAID
            },
            Self::Brave => ProviderRow {
                name: "brave",
                url: Some("https://api.search.brave.com"),
                key: KeySetting::new("brave_api_key", "BRAVE_API_KEY", "The key for Brave's search."),
                price: |_| 5_000,
                ..PAID
            },
            Self::Exa => ProviderRow {
                name: "exa",
                url: Some("https://api.exa.ai"),
                key: KeySetting::new("exa_api_key", "EXA_API_KEY", "The key for Exa's search."),
                // Ten results with their contents; each further one is $0.001.
                price: |query| 7_000 + 1_000 * u64::from(query.limit.saturating_sub(10)),
                most: 50,
                ..PAID
            },
            Self::Serper => ProviderRow {
                name: "serper",
                url: Some("https://google.serper.dev"),
                key: KeySetting::new("serper_api_key", "SERPER_API_KEY", "The key for Serper's search."),
                // The smallest pack; more than ten results take two credits.
                price: |query| 1_000 * (1 + u64::from(query.limit > 10)),
                ..PAID
            },
            Self::Searxng => ProviderRow { name: "searxng", most: 20, ..FREE },
            Self::Wikipedia => Self::free("wikipedia", "https://en.wikipedia.org", (500, 3)),
            // Metered since February 2026: a dollar a day is free with a key, about ten searches without one.
            Self::OpenAlex => ProviderRow {
                key: KeySetting::new("openalex_api_key", "OPENALEX_API_KEY", "The key for OpenAlex, which is free."),
                price: |_| 1_000,
                ..Self::free("openalex", "https://api.openalex.org", FREE.pace)
            },
            Self::Crossref => Self::free("crossref", "https://api.crossref.org", (500, 3)),
            // One request in three seconds is its rule.
            Self::Arxiv => Self::free("arxiv", "https://export.arxiv.org", (3_000, 1)),
            Self::StackExchange => Self::free("stackexchange", "https://api.stackexchange.com", (500, 3)),
            Self::HackerNews => Self::free("hackernews", "https://hn.algolia.com", FREE.pace),
            // Ten a minute without a token.
            Self::GitHub => Self::free("github", "https://api.github.com", (6_000, 5)),
        }
    }

    fn free(name: &'static str, url: &'static str, pace: (u64, u32)) -> ProviderRow {
        ProviderRow { name, url: Some(url), pace, ..FREE }
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    pub(crate) fn needs_key(self) -> bool {
        self.row().key.is_some()
    }

    pub(crate) fn pace(self) -> Pace {
        let (gap_ms, burst) = self.row().pace;
        Pace::new(Duration::from_millis(gap_ms), burst)
    }

    pub(crate) fn price(self, query: &Query) -> Usd {
        Usd::from_micros((self.row().price)(query))
    }
}
