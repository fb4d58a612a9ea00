//! A source of a report, and what became of the page behind it.

use serde::{Deserialize, Serialize};

use crate::core::evidence::passage::PageHash;
use crate::core::evidence::place::{LocalPlace, local};

/// Where documents of this machine may be read that a report cites.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileReach {
    /// Folders that paths may be relative to, and whatever lies in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) folders: Vec<String>,
    /// The folders and files of the library too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) registered: bool,
}

impl FileReach {
    /// For a report that hadal wrote itself: the library, where it has read some of it. What a model says of files has no say in that.
    pub(crate) fn of_report(sources: &[CheckedSource]) -> Self {
        let has_read = |source: &CheckedSource| source.page.is_some() && !source.claimed && source.local().is_some();
        Self { folders: Vec::new(), registered: sources.iter().any(has_read) }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.folders.is_empty() && !self.registered
    }
}

/// A source that a report cites.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CheckedSource {
    /// The `[n]` of the report, or the next free number.
    pub(crate) number: u32,
    /// What the report calls it, where that is no number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// As the report has it: an address or a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    /// Where it led, if elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) final_address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// When the page was read, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) read_ms: Option<i64>,
    /// The archived text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<PageHash>,
    #[serde(flatten)]
    pub(crate) state: SourceState,
    /// A model names it, and nothing shows that the model has visited it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) claimed: bool,
    /// The source of the report that has the same text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) copy_of: Option<u32>,
}

/// What became of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum SourceState {
    /// It was read, and its text is in the archive.
    Read,
    Unreachable {
        why: Unreachable,
        /// What came instead, for a person.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        detail: String,
    },
    /// Nobody has asked for it.
    NotVisited { why: NotVisited },
}

impl Default for SourceState {
    fn default() -> Self {
        Self::NotVisited { why: NotVisited::NotAsked }
    }
}

/// Why a page could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unreachable {
    /// The page or its server is gone, or does not answer.
    Dead,
    /// Only for those who log in or pay.
    Paywalled,
    /// The site refuses: a captcha, a refusal, its `robots.txt`.
    Blocked,
    /// Cookies must be accepted first.
    Consent,
    /// A notice that the page is gone, sent as if it were the page.
    #[serde(rename = "soft_404")]
    Soft404,
    /// It came, and holds no text that can be read here.
    Unreadable,
    /// An address that is never asked: a private network, another protocol.
    Refused,
}

/// Why nobody has asked for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotVisited {
    NotAsked,
    /// The report does not say where it is.
    NoAddress,
    /// The limit on pages was reached before.
    Limit,
    /// The time was over before.
    Time,
    /// It is not in the cache, and the network was not to be used.
    Offline,
    /// A file of this machine in no folder that may be read for the report.
    NotAllowed,
}

impl CheckedSource {
    pub(crate) fn is_read(&self) -> bool {
        self.state == SourceState::Read
    }

    /// Why there is no page to compare with, for a person.
    pub(crate) fn unread_reason(&self) -> Option<String> {
        let said = match &self.state {
            SourceState::Read => return None,
            SourceState::Unreachable { why, detail } if detail.is_empty() => why.reason().to_owned(),
            SourceState::Unreachable { detail, .. } if self.local().is_some() => detail.clone(),
            SourceState::Unreachable { why, detail } => format!("{} ({detail})", why.reason()),
            SourceState::NotVisited { why } => why.reason().to_owned(),
        };
        Some(said)
    }

    /// Where its page is on the web.
    pub(crate) fn fetch_address(&self) -> Option<String> {
        let address = self.address.as_deref()?;
        let begins = |start: &str| address.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        match address {
            _ if begins("http://") || begins("https://") => Some(address.to_owned()),
            _ if begins("www.") => Some(format!("https://{address}")),
            _ => None,
        }
    }

    /// The document of this machine that it is.
    pub(crate) fn local(&self) -> Option<LocalPlace> {
        self.address.as_deref().filter(|_| self.fetch_address().is_none()).and_then(local)
    }

    /// Where an archive of the web may have it. The address is printed and never asked.
    pub(crate) fn archive_address(&self) -> Option<String> {
        let address = self.fetch_address()?;
        let gone = matches!(self.state, SourceState::Unreachable { why: Unreachable::Dead | Unreachable::Soft404, .. });
        gone.then(|| format!("https://web.archive.org/web/{address}"))
    }
}

impl Unreachable {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dead => "dead",
            Self::Paywalled => "paywalled",
            Self::Blocked => "blocked",
            Self::Consent => "consent",
            Self::Soft404 => "soft_404",
            Self::Unreadable => "unreadable",
            Self::Refused => "refused",
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Dead => "the page is gone or does not answer",
            Self::Paywalled => "the page is only for those who log in or pay",
            Self::Blocked => "the site refuses to be read",
            Self::Consent => "a consent wall stands in the place of the page",
            Self::Soft404 => "a notice that it is gone stands in the place of the page",
            Self::Unreadable => "the page holds no text that can be read",
            Self::Refused => "the address is not one that may be asked",
        }
    }
}

impl NotVisited {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NotAsked => "not_asked",
            Self::NoAddress => "no_address",
            Self::Limit => "limit",
            Self::Time => "time",
            Self::Offline => "offline",
            Self::NotAllowed => "not_allowed",
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::NotAsked => "the page was not visited",
            Self::NoAddress => "the report does not say where this source is",
            Self::Limit => "the limit on pages was reached before this one",
            Self::Time => "the time for reading pages was over before this one",
            Self::Offline => "the page is not in the cache, and the network was not asked",
            Self::NotAllowed => "the file is in no folder that may be read for this report",
        }
    }
}
