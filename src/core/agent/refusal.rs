//! What a refusal of a provider means for a run.

use crate::core::base::error::Error;

/// A reply that is not a success, by what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// 429: nothing was started; wait.
    TooMany(Error),
    /// 5xx: it may have happened.
    Server(Error),
    /// 404.
    Missing(Error),
    /// 403: no access, or not yet.
    Forbidden(Error),
    /// The request or the key is wrong; the same again is as wrong.
    Wrong(Error),
}

impl Refusal {
    pub(crate) fn error(self) -> Error {
        match self {
            Self::TooMany(error)
            | Self::Server(error)
            | Self::Missing(error)
            | Self::Forbidden(error)
            | Self::Wrong(error) => error,
        }
    }
}
