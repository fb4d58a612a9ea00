//! The search providers: their names, their places, their pace and their prices.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Depth, Query};
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

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tavily => "tavily",
            Self::Brave => "brave",
            Self::Exa => "exa",
            Self::Serper => "serper",
            Self::Searxng => "searxng",
            Self::Wikipedia => "wikipedia",
            Self::OpenAlex => "openalex",
            Self::Crossref => "crossref",
            Self::Arxiv => "arxiv",
            Self::StackExchange => "stackexchange",
            Self::HackerNews => "hackernews",
            Self::GitHub => "github",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    pub(crate) fn needs_key(self) -> bool {
        matches!(self, Self::Tavily | Self::Brave | Self::Exa | Self::Serper)
    }

    /// Where it is asked unless a setting says otherwise; a SearXNG is everybody's own.
    pub(crate) fn url(self) -> Option<&'static str> {
        match self {
            Self::Tavily => Some("https://api.tavily.com"),
            Self::Brave => Some("https://api.search.brave.com"),
            Self::Exa => Some("https://api.exa.ai"),
            Self::Serper => Some("https://google.serper.dev"),
            Self::Searxng => None,
            Self::Wikipedia => Some("https://en.wikipedia.org"),
            Self::OpenAlex => Some("https://api.openalex.org"),
            Self::Crossref => Some("https://api.crossref.org"),
            Self::Arxiv => Some("https://export.arxiv.org"),
            Self::StackExchange => Some("https://api.stackexchange.com"),
            Self::HackerNews => Some("https://hn.algolia.com"),
            Self::GitHub => Some("https://api.github.com"),
        }
    }

    /// How fast it may be asked: what it documents, with some room. Providers that are paid by use have no pace of their own
    /// below ten requests a second.
    pub(crate) fn pace(self) -> Pace {
        let (gap_ms, burst) = match self {
            Self::Tavily | Self::Brave | Self::Exa | Self::Serper => (100, 10),
            Self::Searxng | Self::OpenAlex | Self::HackerNews => (200, 5),
            Self::Wikipedia | Self::Crossref | Self::StackExchange => (500, 3),
            // One request in three seconds is its rule.
            Self::Arxiv => (3_000, 1),
            // Ten a minute without a token.
            Self::GitHub => (6_000, 5),
        };
        Pace::new(Duration::from_millis(gap_ms), burst)
    }

    /// What one search costs. Prices per search without a subscription, from the vendors' pages: Tavily of 2026-10,
    /// Brave of 2026-09, Exa of 2026-11, Serper of 2026-08. Free allowances are not subtracted, so that a budget errs to the safe side.
    pub(crate) fn price(self, query: &Query) -> Usd {
        Usd::from_micros(match self {
            // A credit is $0.008; the advanced search takes two.
            Self::Tavily => match query.depth {
                Depth::Basic => 8_000,
                Depth::Advanced => 16_000,
            },
            Self::Brave => 5_000,
            // Ten results with their contents; each further one is $0.001.
            Self::Exa => 7_000 + 1_000 * u64::from(query.limit.saturating_sub(10)),
            // The smallest pack; more than ten results take two credits.
            Self::Serper => 1_000 * (1 + u64::from(query.limit > 10)),
            Self::Searxng
            | Self::Wikipedia
            | Self::OpenAlex
            | Self::Crossref
            | Self::Arxiv
            | Self::StackExchange
            | Self::HackerNews
            | Self::GitHub => 0,
        })
    }

    /// The most results of one request.
    pub(crate) fn most(self) -> u32 {
        match self {
            Self::Tavily | Self::Brave | Self::Serper | Self::Searxng => 20,
            Self::Exa
            | Self::Wikipedia
            | Self::OpenAlex
            | Self::Crossref
            | Self::Arxiv
            | Self::StackExchange
            | Self::HackerNews
            | Self::GitHub => 50,
        }
    }
}
