//! What a page is that did not come, or came as something else.

use super::sources::{NotVisited, SourceState, Unreachable};
use crate::core::base::error::{Code, Error};
use crate::core::base::limits;
use crate::core::text::page::Blocked;

impl SourceState {
    /// Something else stands in the place of the page.
    pub(crate) fn of_block(blocked: Blocked) -> Self {
        let why = match blocked {
            Blocked::Captcha | Blocked::Denied => Unreachable::Blocked,
            Blocked::NotFound => Unreachable::Soft404,
            Blocked::Consent => Unreachable::Consent,
            Blocked::Login => Unreachable::Paywalled,
            Blocked::NeedsScript => Unreachable::Unreadable,
        };
        Self::Unreachable { why, detail: String::new() }
    }

    /// The page did not come; `status` is what its site answered with, if it did. `over`: the time for all pages was over.
    pub(crate) fn of_error(error: &Error, status: Option<u16>, over: bool) -> Self {
        let why = match (error.code, status) {
            (Code::Timeout, _) if over => return Self::NotVisited { why: NotVisited::Time },
            (Code::AddressRefused, _) => Unreachable::Refused,
            (Code::RobotsRefused | Code::QuotaExceeded, _) | (_, Some(403 | 429 | 451)) => Unreachable::Blocked,
            (_, Some(401 | 402 | 407)) => Unreachable::Paywalled,
            (Code::PageUnavailable, None) | (Code::PageUnreadable | Code::OutputTooLarge, _) => Unreachable::Unreadable,
            _ => Unreachable::Dead,
        };
        let detail = match (error.code, status) {
            (_, Some(status)) => format!("status {status}"),
            (Code::RobotsRefused, None) => "robots.txt".to_owned(),
            (Code::Timeout, None) => "no answer in time".to_owned(),
            (Code::OutputTooLarge, None) => "it is too large; save it as a file and cite that".to_owned(),
            (Code::AddressRefused, None) => error.message.chars().take(limits::EVIDENCE_REASON_CHARS).collect(),
            _ => String::new(),
        };
        Self::Unreachable { why, detail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EV-03: what stands in the way of a page is told as what it is.
    #[test]
    fn a_page_that_did_not_come_is_named() {
        for (code, status, name) in [
            (Code::PageUnavailable, Some(404), "dead"),
            (Code::PageUnavailable, Some(403), "blocked"),
            (Code::PageUnavailable, Some(402), "paywalled"),
            (Code::FetchFailed, Some(502), "dead"),
            (Code::PageUnavailable, None, "unreadable"),
            (Code::RobotsRefused, None, "blocked"),
            (Code::AddressRefused, None, "refused"),
            (Code::Timeout, None, "dead"),
            (Code::OutputTooLarge, None, "unreadable"),
        ] {
            match SourceState::of_error(&Error::new(code, "no"), status, false) {
                SourceState::Unreachable { why, .. } => assert_eq!(why.name(), name, "{code:?} {status:?}"),
                other => panic!("{other:?}"),
            }
        }
        let large = SourceState::of_error(&Error::new(Code::OutputTooLarge, "no"), None, false);
        assert!(matches!(large, SourceState::Unreachable { detail, .. } if detail.contains("save it as a file")));
        let late = SourceState::of_error(&Error::new(Code::Timeout, "no"), None, true);
        assert_eq!(late, SourceState::NotVisited { why: NotVisited::Time });
    }
}
