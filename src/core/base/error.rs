//! One error for the whole program: a code, what happened, and what to do next.
//!
//! Leaf modules may have their own small error enums; at a wing's boundary they become
//! an [`Error`]. It is plain data, so it can be journalled and shown by every surface. It
//! never carries a secret, a stack trace or an inner error that a user cannot act on.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What went wrong, as a surface shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Error {
    pub(crate) code: Code,
    pub(crate) message: String,
    /// What the user can do, one step each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) hints: Vec<String>,
    /// When a retry can help, and the other side said how long to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<Duration>,
}

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hints: Vec::new(), retry_after: None }
    }

    /// Adds one thing the user can do.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The family an error belongs to; it decides the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The caller asked for something that cannot be.
    Input,
    /// The task is not in a state that allows it.
    State,
    /// Something the user must install, set or mend.
    Setup,
    /// The far side refused, failed or was out of reach.
    Provider,
    /// The local disk or database.
    Storage,
    /// A fault of ours.
    Internal,
}

impl Kind {
    /// The documented exit status of the command line.
    pub(crate) fn exit_status(self) -> u8 {
        match self {
            Self::Internal => 1,
            Self::Input => 2,
            Self::State => 3,
            Self::Setup => 4,
            Self::Provider => 5,
            Self::Storage => 6,
        }
    }
}

macro_rules! codes {
    ($($variant:ident $name:literal $kind:ident $http:literal $retry:literal $meaning:literal;)*) => {
        /// Every code hadal can answer with.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub(crate) enum Code {
            $(#[doc = $meaning] #[serde(rename = $name)] $variant,)*
        }

        impl Code {
            /// The table, in the order of the reference page.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name on the wire; it never changes.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            pub(crate) fn kind(self) -> Kind {
                match self { $(Self::$variant => Kind::$kind,)* }
            }

            /// The nearest HTTP status.
            pub(crate) fn http_status(self) -> u16 {
                match self { $(Self::$variant => $http,)* }
            }

            /// Whether the same call can succeed later without the user changing anything.
            pub(crate) fn retryable(self) -> bool {
                match self { $(Self::$variant => $retry,)* }
            }

            /// One line for the reference page.
            pub(crate) fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

codes! {
    InvalidQuery "INVALID_QUERY" Input 400 false "The question is empty, too short, too long or holds control characters.";
    InvalidArgument "INVALID_ARGUMENT" Input 400 false "An argument other than the question is not allowed.";
    InvalidTaskId "INVALID_TASK_ID" Input 400 false "The task id does not have the form of one.";
    TaskNotFound "TASK_NOT_FOUND" State 404 false "No task has this id.";
    ResearchNotCompleted "RESEARCH_NOT_COMPLETED" State 409 true "The task is still running.";
    ResearchAlreadyCompleted "RESEARCH_ALREADY_COMPLETED" State 409 false "The task has completed and cannot be cancelled.";
    ResearchAlreadyFailed "RESEARCH_ALREADY_FAILED" State 409 false "The task has failed and cannot be cancelled.";
    ResearchAlreadyCancelled "RESEARCH_ALREADY_CANCELLED" State 409 false "The task was cancelled before.";
    ResultNotFound "RESULT_NOT_FOUND" State 404 false "The task ended without a report.";
    Cancelled "CANCELLED" State 409 false "The task was cancelled.";
    CliNotFound "CLI_NOT_FOUND" Setup 503 false "No engine is available; Gemini CLI is not installed.";
    EngineUnavailable "ENGINE_UNAVAILABLE" Setup 503 false "The engine asked for is not available here.";
    NotAuthenticated "NOT_AUTHENTICATED" Setup 401 false "The engine is not logged in, or its key was refused.";
    ModelNotFound "MODEL_NOT_FOUND" Setup 404 false "The model that was asked for does not exist for this account.";
    PriceUnknown "PRICE_UNKNOWN" Setup 501 false "The price of a model is not known; it is not asked under a cap in dollars, and without one its cost is shown as unknown.";
    InvalidConfig "INVALID_CONFIG" Setup 500 false "A setting has a value that is not allowed, or is unknown.";
    ExecutionError "EXECUTION_ERROR" Provider 502 true "An engine failed and its retries are used up.";
    QuotaExceeded "QUOTA_EXCEEDED" Provider 429 true "The provider's rate limit is reached; a later try can work.";
    DailyQuotaExceeded "DAILY_QUOTA_EXCEEDED" Provider 429 false "The provider's limit for today is used up.";
    Timeout "TIMEOUT" Provider 504 true "Something outside took longer than its limit.";
    OutputTooLarge "OUTPUT_TOO_LARGE" Provider 502 false "Something outside sent more than its limit.";
    AddressRefused "ADDRESS_REFUSED" Input 403 false "The address leads into a private network, or is none that may be asked.";
    RobotsRefused "ROBOTS_REFUSED" Provider 403 false "The site asks programs not to read this page (robots.txt).";
    PageUnavailable "PAGE_UNAVAILABLE" Provider 404 false "The site does not have the page, or not for us, or it is nothing to read.";
    FetchFailed "FETCH_FAILED" Provider 502 true "A page could not be fetched: no connection, a broken answer or a fault of the site.";
    SearchBlocked "SEARCH_BLOCKED" Provider 503 false "A search provider answered with a block page or a captcha instead of results.";
    SearchFailed "SEARCH_FAILED" Provider 503 true "No search provider answered: each one failed, refused or was itself blocked. It says nothing about what the web holds.";
    PageUnreadable "PAGE_UNREADABLE" Provider 422 false "A page is not a kind of document that hadal reads, or is too damaged.";
    PaidRunUncertain "PAID_RUN_UNCERTAIN" Provider 409 false "A paid run may or may not have been started; hadal does not repeat it by itself.";
    ProviderUnreachable "PROVIDER_UNREACHABLE" Provider 503 true "The provider could not be reached; nothing was sent to it.";
    ProviderRefused "PROVIDER_REFUSED" Provider 400 false "The provider did not take the request.";
    SessionExpired "SESSION_EXPIRED" Provider 410 false "The provider has forgotten the run before its result was collected.";
    ResearchAlreadyStarted "RESEARCH_ALREADY_STARTED" State 409 false "The same research runs, or completed within the hour; nothing was started again.";
    NotSteerable "NOT_STEERABLE" State 409 false "The task is none that takes a word while it runs, or it has taken as many as it may.";
    BudgetExceeded "BUDGET_EXCEEDED" State 402 false "A spend cap stands in the way; nothing was paid.";
    LibraryNotFound "LIBRARY_NOT_FOUND" Input 404 false "The folder or file to read is not there.";
    LibraryUnreadable "LIBRARY_UNREADABLE" Input 403 false "The folder or file cannot be read.";
    LibraryChanged "LIBRARY_CHANGED" State 409 true "A document changed while it was read, or after it was searched; the next question reads it anew.";
    LibraryNotShown "LIBRARY_NOT_SHOWN" Setup 403 false "Documents were left out, because the model is beyond this machine and nobody allowed it to see them.";
    LibraryBusy "LIBRARY_BUSY" Storage 409 true "Another process is writing the index.";
    IndexDamaged "INDEX_DAMAGED" Storage 500 false "The full-text index cannot be read; it can be built again.";
    TaskPoisoned "TASK_POISONED" Internal 500 false "The task ended its process several times and was given up.";
    StoreFull "STORE_FULL" Storage 507 true "The disk is full.";
    StoreReadOnly "STORE_READ_ONLY" Storage 500 false "The data directory or database cannot be written.";
    StoreLocked "STORE_LOCKED" Storage 503 true "Another process holds the database for too long.";
    StoreCorrupt "STORE_CORRUPT" Storage 500 false "The database file is damaged or is not a database.";
    StoreNewer "STORE_NEWER" Storage 500 false "The database was written by a newer hadal.";
    StoreUnavailable "STORE_UNAVAILABLE" Storage 500 true "The database could not be opened or answered with an unexpected error.";
    SaveFailed "SAVE_FAILED" Storage 500 true "The report could not be written to a file.";
    DiskFull "DISK_FULL" Storage 507 true "There is no room for the file.";
    PermissionDenied "PERMISSION_DENIED" Storage 403 false "The file or folder may not be read or written.";
    TokenRefused "TOKEN_REFUSED" Setup 401 false "The request over HTTP has no token, or one that is not known.";
    OriginRefused "ORIGIN_REFUSED" Input 403 false "The request over HTTP came from a foreign page, or by a name that is not this server's.";
    RequestTooLarge "REQUEST_TOO_LARGE" Input 413 false "The request over HTTP is larger than it may be, or came too slowly.";
    TooManyRequests "TOO_MANY_REQUESTS" State 429 true "More requests over HTTP came than are answered.";
    TooManyTasks "TOO_MANY_TASKS" State 429 true "A guest of this machine has as many tasks that are not over as it may have.";
    NotConfirmed "NOT_CONFIRMED" State 409 false "The user was asked before money is spent and did not agree or did not answer; nothing was started.";
    QuestionUnclear "QUESTION_UNCLEAR" State 409 false "The question says too little, its user was asked what is meant and did not say; nothing was started.";
    NotForGuests "NOT_FOR_GUESTS" Input 403 false "Only the user of the machine may do this; the token is a guest's.";
    ShuttingDown "SHUTTING_DOWN" State 503 true "hadal is shutting down and takes no more work.";
    Internal "INTERNAL_ERROR" Internal 500 false "A fault in hadal itself.";
}

impl Code {
    /// Whether the same engine can succeed at the next try: not when it is missing, locked out or used up, nor when
    /// its files may not be written.
    pub(crate) fn mendable(self) -> bool {
        let used_up =
            matches!(self, Self::DailyQuotaExceeded | Self::Cancelled | Self::ShuttingDown | Self::PermissionDenied);
        self.kind() != Kind::Setup && self.kind() != Kind::Input && !used_up
    }

    /// Whether a file that could not be read for this reason may be readable later as it is: the machine failed and not the file. A file that
    /// takes too long takes as long the next time.
    pub(crate) fn spares_file(self) -> bool {
        self == Self::ExecutionError
    }
}

/// A source or step that failed. It is data: the task goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Problem {
    /// The path, address or step it is about.
    pub(crate) subject: String,
    pub(crate) error: Error,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_shouting_snake() {
        let mut seen = std::collections::BTreeSet::new();
        for code in Code::ALL {
            assert!(seen.insert(code.name()), "{} stands twice", code.name());
            assert!(code.name().bytes().all(|b| b.is_ascii_uppercase() || b == b'_'), "{code}");
            assert!((400..600).contains(&code.http_status()), "{code}");
        }
    }

    #[test]
    fn the_journal_form_reads_back() {
        let error = Error::new(Code::Timeout, "no answer").hint("try later");
        let text = serde_json::to_string(&error).unwrap();
        assert!(text.contains("\"TIMEOUT\""), "{text}");
        assert_eq!(serde_json::from_str::<Error>(&text).unwrap(), error);
    }
}
