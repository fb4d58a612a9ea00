//! How an error looks, on every surface.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::core::base::error::{Code, Error};
use crate::core::base::plain;
use crate::surface::hints::{Reader, spoken};

/// The reply of a call that failed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ErrorReply {
    pub(crate) success: bool,
    pub(crate) error: ErrorBody,
}

/// What happened and what to do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ErrorBody {
    #[cfg_attr(test, schemars(with = "String"))]
    pub(crate) code: Code,
    pub(crate) message: String,
    /// What to do, one step each.
    pub(crate) hints: Vec<String>,
    /// The same call can succeed later.
    pub(crate) retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after_seconds: Option<u64>,
}

impl From<&Error> for ErrorBody {
    fn from(error: &Error) -> Self {
        Self {
            code: error.code,
            message: error.message.clone(),
            hints: error.hints.clone(),
            retryable: error.code.retryable(),
            // Rounded up: a retry that is a moment too early is refused again.
            retry_after_seconds: error.retry_after.map(|wait| wait.as_millis().div_ceil(1_000).try_into().unwrap_or(0)),
        }
    }
}

impl From<&Error> for ErrorReply {
    fn from(error: &Error) -> Self {
        Self { success: false, error: error.into() }
    }
}

impl ErrorBody {
    pub(super) fn markdown(&self) -> String {
        let mut text = format!("**{}**: {}\n", self.code, self.message);
        for hint in &self.hints {
            text.push_str(&format!("\nhint: {}", spoken(hint, Reader::Person)));
        }
        if let Some(seconds) = self.retry_after_seconds {
            text.push_str(&format!("\nhint: try again in {seconds} s"));
        }
        plain::lines(text.trim_end())
    }
}
