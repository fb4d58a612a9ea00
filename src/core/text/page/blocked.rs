//! Pages that stand in place of the page that was asked for: refusals, riddles, consent walls, pages that are gone.
//!
//! Such a page comes with status 200 often enough. It is a finding, not an error: the caller decides.

use super::Extracted;

/// What stands there instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocked {
    /// A riddle, or a check whether a human asks.
    Captcha,
    /// The server does not want us.
    Denied,
    /// The page is not there, though the status says so not.
    NotFound,
    /// Cookies must be accepted first.
    Consent,
    /// Only for those who log in or pay.
    Login,
    /// Nothing is shown without scripts.
    NeedsScript,
}

struct Rule {
    blocked: Blocked,
    /// A page with more words is a page that only speaks of such things.
    most_words: usize,
    /// In the title or the first words of the text, in small letters.
    phrases: &'static [&'static str],
}

const RULES: [Rule; 6] = [
    Rule {
        blocked: Blocked::Captcha,
        most_words: 200,
        phrases: &[
            "captcha",
            "verify you are human",
            "verifying you are human",
            "are you a robot",
            "you are not a robot",
            "i'm not a robot",
            "just a moment...",
            "checking your browser",
            "unusual traffic",
            "automated requests",
            "security check to access",
            "complete the security check",
            "press & hold",
            "bot detection",
            "ddos protection by",
            "please verify you are a human",
            "performing security verification",
            "pardon our interruption",
        ],
    },
    Rule {
        blocked: Blocked::Denied,
        most_words: 150,
        phrases: &[
            "access denied",
            "403 forbidden",
            "you have been blocked",
            "request blocked",
            "you don't have permission to access",
            "error 1020",
            "not available in your region",
            "not available in your country",
            "too many requests",
            "the requested url was rejected",
            "attention required!",
            "unavailable for legal reasons",
        ],
    },
    Rule {
        blocked: Blocked::NotFound,
        most_words: 250,
        phrases: &[
            "page not found",
            "404 not found",
            "error 404",
            "404 error",
            "page doesn't exist",
            "page does not exist",
            "page you requested could not be found",
            "page you are looking for",
            "page you were looking for",
            "page isn't available",
            "page is no longer available",
            "we can't find that page",
            "we couldn't find that page",
            "nothing was found at this location",
            "seite nicht gefunden",
            "page introuvable",
            "no longer exists",
        ],
    },
    Rule {
        blocked: Blocked::Consent,
        most_words: 300,
        phrases: &[
            "before you continue",
            "we value your privacy",
            "we and our partners store",
            "accept all cookies to continue",
            "manage your consent",
            "consent to the use of cookies",
        ],
    },
    Rule {
        blocked: Blocked::Login,
        most_words: 150,
        phrases: &[
            "log in to continue",
            "sign in to continue",
            "please log in",
            "please sign in",
            "you must be logged in",
            "you must log in",
            "subscribe to continue reading",
            "subscribers only",
            "create a free account to continue",
            "create an account to read",
        ],
    },
    Rule {
        blocked: Blocked::NeedsScript,
        most_words: 80,
        phrases: &[
            "enable javascript",
            "javascript is disabled",
            "javascript is required",
            "requires javascript",
            "turn on javascript",
            "javascript to run this app",
            "browser is not supported",
        ],
    },
];

/// Words of the text that are looked at.
const FIRST_WORDS: usize = 120;

/// What a page is instead of itself, if anything.
pub(super) fn find(page: &Extracted) -> Option<Blocked> {
    let words = page.text.split_whitespace().count();
    let mut looked_at = page.title.clone().unwrap_or_default();
    for word in page.text.split_whitespace().take(FIRST_WORDS) {
        looked_at.push(' ');
        looked_at.push_str(word);
    }
    let looked_at = looked_at.to_lowercase().replace('\u{2019}', "'");
    let fits = |rule: &&Rule| words <= rule.most_words && rule.phrases.iter().any(|phrase| looked_at.contains(phrase));
    RULES.iter().find(fits).map(|rule| rule.blocked)
}
