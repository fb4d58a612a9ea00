//! An attempt on the web: search, choose pages, fetch and read them.

use serde::{Deserialize, Serialize};

use super::{Adaptive, Phase};
use crate::core::base::error::{Code, Error};
use crate::core::base::limits;
use crate::core::language::words::informative;
use crate::core::report::explain::{SearchDepth, Strategy};
use crate::core::report::{Round, StopReason};
use crate::core::task::effect::Effect;
use crate::core::task::outcome::Outcome;
use crate::core::web::search::{Depth, Provider, Query, Within};

/// How the web is searched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Web {
    /// Who is asked; it decides what a search may cost.
    pub(crate) providers: Vec<Provider>,
    #[serde(flatten)]
    pub(crate) within: Within,
    /// The call did not ask for the web: nothing else is set up here, and the settings allow it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) unasked: bool,
}

impl Web {
    /// EM-01: what a report says of where its question went, if nobody asked for that.
    pub(in crate::core::method) fn told(&self) -> Option<String> {
        if !self.unasked {
            return None;
        }
        let names: Vec<&str> = self.providers.iter().map(|provider| provider.name()).collect();
        Some(format!(
            "No model and no library is set up here: the question went to {} on the web, and the passages are quoted as they stand. \
             `hadal doctor` shows what can be set up; `web = no` in the settings keeps questions here.",
            names.join(", ")
        ))
    }

    /// AS-05: depth and number of results as the strategy has them.
    pub(in crate::core::method) fn search(&self, text: String, strategy: &Strategy) -> Effect {
        let query = Query {
            text: text.chars().take(limits::SEARCH_QUERY_CHARS).collect(),
            limit: strategy.max_results,
            depth: match strategy.search_depth {
                SearchDepth::Basic => Depth::Basic,
                SearchDepth::Advanced => Depth::Advanced,
            },
            within: self.within.clone(),
        };
        Effect::WebSearch { query, providers: self.providers.clone() }
    }
}

impl Adaptive {
    pub(super) fn web_found(&mut self, outcome: Outcome) -> Vec<Effect> {
        let query = self.queries.last().cloned().unwrap_or_default();
        let mut round =
            Round { round_number: self.round_number(), search_queries: vec![query.clone()], ..Round::default() };
        let searched = match outcome {
            Outcome::WebFound(searched) => searched,
            other => return self.lost_search(round, &query, other),
        };
        let first = || searched.problems.first().map_or_else(nobody, |problem| problem.error.clone());
        let failed = searched.asked.is_empty().then(first);
        self.add_problems(searched.problems);
        let results = searched.results.len();
        let found = searched.results.into_iter().take(self.strategy.max_results as usize).map(|result| result.hit.url);
        // A page that was read is read again: another query may find another passage in it. One that failed is not tried again.
        let mut urls: Vec<String> = found.filter(|url| !self.dead.contains(url)).collect();
        // AS-06: no more pages than the strategy allows, whatever the providers returned.
        urls.truncate(self.strategy.top_pages as usize);
        round.intermediate_result_summary = format!("{results} results, {} pages chosen", urls.len());
        round.error = failed;
        self.rounds.push(round);
        if urls.is_empty() {
            return self.nothing_new();
        }
        self.phase = Phase::Pages;
        let progress = self.progress(1, &format!("reading {} pages", urls.len()));
        let limit = self.room().candidates;
        vec![progress, Effect::FetchPages { query, urls, limit }]
    }

    /// A search without a new page: another query may do better, unless what there is suggests none.
    fn nothing_new(&mut self) -> Vec<Effect> {
        if self.attempt() < self.strategy.max_attempts {
            return if self.evidence.kept().is_empty() { self.follow_rule() } else { self.scored() };
        }
        let reason = if self.evidence.kept().is_empty() { StopReason::NothingFound } else { StopReason::MaxAttempts };
        self.conclude(reason)
    }

    pub(super) fn fetched(&mut self, urls: &[String], outcome: Outcome) -> Vec<Effect> {
        let query = self.queries.last().cloned().unwrap_or_default();
        let fetched = match outcome {
            Outcome::Fetched(fetched) => *fetched,
            other => {
                self.failed("pages", other);
                self.dead.extend(urls.iter().cloned());
                return self.nothing_new();
            }
        };
        let pages: Vec<String> = fetched.pages.iter().map(|page| page.url.clone()).collect();
        self.dead.extend(fetched.found.problems.iter().map(|problem| problem.subject.clone()));
        for page in fetched.pages {
            self.evidence.note(page.page, page.age_days);
        }
        self.read.extend(pages.iter().cloned());
        self.documents = Some(self.read.len() as u64);
        let read = pages.len();
        let (_, chosen, _) = self.chosen(&query, fetched.found);
        if let Some(round) = self.rounds.last_mut() {
            round.sources_visited = pages;
            round.intermediate_result_summary.push_str(&format!(", {read} read, {} passages taken", chosen.len()));
        }
        self.evidence.keep(chosen);
        self.scored()
    }

    /// The telling words of the goal alone, if nobody asked for them yet: some providers want every word of a query
    /// to stand in a page.
    pub(super) fn plainer_query(&self) -> Option<String> {
        self.plan.web.as_ref()?;
        if !self.evidence.kept().is_empty() {
            return None;
        }
        let words = informative(&self.plan.goal);
        let query = words.iter().take(PLAIN_WORDS).cloned().collect::<Vec<_>>().join(" ");
        let asked = self.queries.iter().any(|known| known.eq_ignore_ascii_case(&query));
        (!query.is_empty() && !asked).then_some(query)
    }
}

fn nobody() -> Error {
    Error::new(Code::EngineUnavailable, "no search provider is set up")
}

/// Words of such a query.
const PLAIN_WORDS: usize = 6;
