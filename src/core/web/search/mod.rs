//! Searching the web, as far as it needs no network: who can be asked, what a question and a result are, and how the results
//! of several providers become one list.
//!
//! What a user allowed (sites, dates) is enforced here, after the provider: providers take such wishes as hints, or not
//! at all.

mod block;
mod filter;
mod fuse;
mod kind;
mod plain;
mod provider;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use time::Date;

use crate::core::base::error::Problem;
use crate::core::money::usage::Usage;

pub(crate) use block::is_block_page;
pub(crate) use filter::allowed;
pub(crate) use fuse::fuse;
pub(crate) use plain::plain;
pub(crate) use provider::Provider;

/// What is searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Query {
    pub(crate) text: String,
    /// Results wanted of each provider.
    pub(crate) limit: u32,
    #[serde(default)]
    pub(crate) depth: Depth,
    #[serde(flatten)]
    pub(crate) within: Within,
}

/// Where results may come from, and of which time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Within {
    /// Only these sites and what is below them; none means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) only: Vec<String>,
    /// None of these, nor what is below them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) never: Vec<String>,
    /// The first and the last day of publication, as `2026-11-15`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<String>,
}

/// How much a provider is to look for it; some bill by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Depth {
    #[default]
    Basic,
    Advanced,
}

/// One result of one provider, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hit {
    pub(crate) url: String,
    pub(crate) title: String,
    /// What the provider quotes of the page, as plain text.
    pub(crate) snippet: String,
    /// The day of publication, as `2026-11-15`, where the provider says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<String>,
}

/// A page that one or more providers found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Result {
    pub(crate) hit: Hit,
    /// Who found it, best place first.
    pub(crate) providers: Vec<Provider>,
    /// By reciprocal rank; comparable within one search.
    pub(crate) score: f64,
}

/// What a search of several providers found, best first, what went wrong, and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SearchReply {
    pub(crate) results: Vec<Result>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) usage: Usage,
    /// Who answered, whether with results or without.
    pub(crate) asked: Vec<Provider>,
}

/// The day at the beginning of a date or moment as providers write them: `2026-11-15T…`, `2026-11`, `2026`.
pub(crate) fn day(text: &str) -> Option<String> {
    let head: String = text.trim().chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
    let mut parts = head.split('-').map(str::parse::<u16>);
    let year = i32::from(parts.next()?.ok()?);
    let month = parts.next().transpose().ok()?.unwrap_or(1);
    let day = parts.next().transpose().ok()?.unwrap_or(1);
    let month = time::Month::try_from(u8::try_from(month).ok()?).ok()?;
    Date::from_calendar_date(year, month, u8::try_from(day).ok()?)
        .ok()
        .filter(|_| year >= 1000)
        .map(|date| date.to_string())
}

/// The day of a moment in seconds since 1970.
pub(crate) fn day_of_seconds(seconds: i64) -> Option<String> {
    time::OffsetDateTime::from_unix_timestamp(seconds).ok().map(|moment| moment.date().to_string())
}

/// The day in `Mar 7, 2026` or `7 Mar 2026`. `3 days ago` is none: it needs a clock.
pub(crate) fn day_in_words(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let (mut year, mut month, mut date) = (None, None, None);
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let short: String = word.chars().take(3).collect::<String>().to_lowercase();
        match word.parse::<u16>() {
            Ok(number) if number > 31 => year = Some(number),
            Ok(number) => date = Some(number),
            Err(_) => month = Some(1 + MONTHS.iter().position(|name| *name == short)?),
        }
    }
    day(&format!("{:04}-{:02}-{:02}", year?, month?, date?))
}
