//! What was seen of a run: its status, its report so far, its steps, its usage.

use serde::{Deserialize, Serialize};

use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::plain;
use crate::core::money::price::Tokens;

/// Where a run stands. The provider's own word is kept wherever it says more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunStatus {
    Running(String),
    Completed,
    /// Over, with less than a whole report.
    Partial(String),
    Failed,
    Cancelled,
    /// It waits for something that a research agent should not need.
    NeedsAction(String),
    Unknown(String),
}

impl RunStatus {
    /// Whether nothing more will come. An unknown word is given some time first, by whoever follows.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Self::Running(_) | Self::Unknown(_) => false,
            Self::Completed | Self::Partial(_) | Self::Failed | Self::Cancelled | Self::NeedsAction(_) => true,
        }
    }
}

impl Default for RunStatus {
    fn default() -> Self {
        Self::Running("in_progress".to_owned())
    }
}

/// What was seen of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) id: Option<String>,
    pub(crate) status: RunStatus,
    /// The report so far, with `[n]` for its sources.
    pub(crate) text: String,
    pub(crate) sources: Vec<CitedPage>,
    /// What it searched for and which pages it read, in order.
    pub(crate) queries: Vec<String>,
    pub(crate) pages: Vec<String>,
    /// Pages it could not read, and why.
    pub(crate) unread: Vec<(String, String)>,
    /// Its own summaries of what it thought, oldest first.
    pub(crate) thoughts: Vec<String>,
    /// How many steps of each kind there are in all; the lists above are bounded.
    pub(crate) searches: u32,
    pub(crate) read: u32,
    pub(crate) thought: u32,
    /// Pictures in the report, which are left out.
    pub(crate) images: u32,
    /// What it used; missing while it runs, and for some seconds after.
    pub(crate) tokens: Option<Tokens>,
    pub(crate) failure: Option<String>,
}

/// Something the report cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CitedPage {
    pub(crate) url: String,
    pub(crate) title: String,
    /// By which the text cites it, where that is not its place in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<u32>,
    /// Only the report's own list has it; the provider does not say that it supports anything.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) unconfirmed: bool,
}

impl CitedPage {
    pub(crate) fn new(url: String, title: String) -> Self {
        Self { url, title, number: None, unconfirmed: false }
    }
}

impl Snapshot {
    /// Takes what a newer poll shows, but nothing away: a cancelled run may answer without its steps, a failed one without its text.
    pub(crate) fn take_newer(&mut self, newer: Self) {
        let older = std::mem::replace(self, newer);
        self.id = self.id.take().or(older.id);
        self.tokens = self.tokens.or(older.tokens);
        self.failure = self.failure.take().or(older.failure);
        // A text belongs to its sources.
        if self.text.trim().is_empty() {
            (self.text, self.sources) = (older.text, older.sources);
        }
        longer(&mut self.queries, older.queries);
        longer(&mut self.pages, older.pages);
        longer(&mut self.unread, older.unread);
        longer(&mut self.thoughts, older.thoughts);
        self.searches = self.searches.max(older.searches);
        self.read = self.read.max(older.read);
        self.thought = self.thought.max(older.thought);
        self.images = self.images.max(older.images);
    }

    /// Whether there is anything to show of it.
    pub(crate) fn has_anything(&self) -> bool {
        !(self.text.trim().is_empty() && self.thoughts.is_empty() && self.queries.is_empty() && self.pages.is_empty())
    }

    /// What a report tells of this run besides its text.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let unread = self.unread.iter().map(|(url, why)| Problem {
            subject: url.clone(),
            error: Error::new(Code::ExecutionError, format!("the agent could not read the page: {why}")),
        });
        let images = (self.images > 0).then(|| Problem {
            subject: "images".to_owned(),
            error: Error::new(Code::OutputTooLarge, format!("{} pictures of the report are left out", self.images)),
        });
        let usage = (self.status.is_over() && self.tokens.is_none()).then(|| Problem {
            subject: "cost".to_owned(),
            error: Error::new(Code::ExecutionError, "the provider did not say what the run used; its cost is unknown"),
        });
        unread.chain(images).chain(usage).collect()
    }

    /// Takes over what another account of the same run counts more of.
    pub(super) fn add(&mut self, other: &Self) {
        self.searches = self.searches.max(other.searches);
        self.read = self.read.max(other.read);
        self.thought = self.thought.max(other.thought);
        if other.thoughts.len() > self.thoughts.len() {
            self.thoughts.clone_from(&other.thoughts);
        }
    }

    /// Grows with everything a run does; equal weights show the same.
    pub(super) fn weight(&self) -> u64 {
        let counted = u64::from(self.searches) + u64::from(self.read) + u64::from(self.thought);
        let listed = self.thoughts.len() + self.unread.len() + self.text.len();
        counted + u64::try_from(listed).unwrap_or(u64::MAX)
    }
}

fn longer<T>(list: &mut Vec<T>, other: Vec<T>) {
    if other.len() > list.len() {
        *list = other;
    }
}

pub(crate) fn clip(text: &str, chars: usize) -> String {
    let mut clipped: String = plain::lines(text.trim()).chars().take(chars).collect();
    if clipped.len() < text.trim().len() && text.chars().nth(chars).is_some() {
        clipped.push('…');
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PR-01: what a status has shown stays, whatever a later poll leaves out.
    #[test]
    fn a_poorer_poll_takes_nothing_away() {
        let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
        let full = Snapshot {
            id: Some("v1_a".into()),
            text: "half a report [1]".into(),
            sources: vec![CitedPage::new("https://a.example/".into(), "A".into())],
            queries: list(&["a", "b"]),
            pages: list(&["https://a.example/"]),
            thoughts: list(&["first", "second"]),
            searches: 9,
            read: 4,
            thought: 2,
            tokens: Some(Tokens { input: 5, ..Tokens::default() }),
            failure: Some("out of quota".into()),
            ..Snapshot::default()
        };
        let poorer = [
            Snapshot { status: RunStatus::Cancelled, ..Snapshot::default() },
            Snapshot { status: RunStatus::Failed, thoughts: list(&["first"]), thought: 1, ..Snapshot::default() },
            Snapshot { status: RunStatus::Failed, queries: list(&["a"]), searches: 1, ..Snapshot::default() },
        ];
        for newer in poorer {
            let (mut seen, status) = (full.clone(), newer.status.clone());
            seen.take_newer(newer);
            assert_eq!(seen, Snapshot { status, ..full.clone() });
        }
        let mut seen = full.clone();
        let grown = Snapshot {
            text: "a whole report".into(),
            searches: 10,
            thoughts: list(&["1", "2", "3"]),
            ..Snapshot::default()
        };
        seen.take_newer(grown);
        assert_eq!(
            (seen.text.as_str(), seen.sources.len(), seen.searches, seen.thoughts.len()),
            ("a whole report", 0, 10, 3)
        );
    }
}
