//! Pages that stand in place of the page that was asked for: refusals, riddles, consent walls, pages that are gone.
//!
//! Such a page comes with status 200 often enough. It is a finding, not an error: the caller decides.

use super::Extracted;
use crate::core::base::rows::phrases;

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
    /// In the title or the first words of the text, in small letters, with commas between them.
    phrases: &'static str,
    /// A question with one of these words is about such pages.
    topics: &'static str,
}

const RULES: [Rule; 6] = [
    Rule {
        blocked: Blocked::Captcha,
        most_words: 200,
        phrases: "captcha, verify you are human, verifying you are human, are you a robot, you are not a robot, \
             i'm not a robot, just a moment..., checking your browser, unusual traffic, automated requests, \
             security check to access, complete the security check, press & hold, bot detection, ddos protection by, \
             please verify you are a human, performing security verification, pardon our interruption",
        topics: "captcha, robot check, bot detection, cloudflare, turnstile",
    },
    Rule {
        blocked: Blocked::Denied,
        most_words: 150,
        phrases: "access denied, 403 forbidden, you have been blocked, request blocked, \
             you don't have permission to access, error 1020, not available in your region, \
             not available in your country, too many requests, the requested url was rejected, attention required!, \
             unavailable for legal reasons",
        topics: "403, 429, 451, 1020, rate limit, access denied, forbidden",
    },
    Rule {
        blocked: Blocked::NotFound,
        most_words: 250,
        phrases: "page not found, 404 not found, error 404, 404 error, page doesn't exist, page does not exist, \
             page you requested could not be found, page you are looking for, page you were looking for, \
             page isn't available, page is no longer available, we can't find that page, we couldn't find that page, \
             nothing was found at this location, seite nicht gefunden, page introuvable, no longer exists",
        topics: "404, not found",
    },
    Rule {
        blocked: Blocked::Consent,
        most_words: 300,
        phrases: "before you continue, we value your privacy, we and our partners store, \
             accept all cookies to continue, manage your consent, consent to the use of cookies",
        topics: "consent, cookie banner, gdpr",
    },
    Rule {
        blocked: Blocked::Login,
        most_words: 150,
        phrases: "log in to continue, sign in to continue, please log in, please sign in, you must be logged in, \
             you must log in, subscribe to continue reading, subscribers only, create a free account to continue, \
             create an account to read",
        topics: "paywall",
    },
    Rule {
        blocked: Blocked::NeedsScript,
        most_words: 80,
        phrases: "enable javascript, javascript is disabled, javascript is required, requires javascript, \
             turn on javascript, javascript to run this app, browser is not supported",
        topics: "javascript, noscript",
    },
];

/// Words of the text that are looked at.
const FIRST_WORDS: usize = 120;

/// A page with fewer words is nothing but the notice, whatever the question is about.
const NOTICE_WORDS: usize = 25;

/// What a page is instead of itself, if anything.
pub(super) fn find(page: &Extracted) -> Option<Blocked> {
    fitting(page).next().map(|(rule, _)| rule.blocked)
}

/// Whether a page only speaks of what looks like a notice in the place of a page, because the question is about just that.
pub(crate) fn is_asked_for(page: &Extracted, question: &str) -> bool {
    let question = small(question);
    word_count(&page.text) >= NOTICE_WORDS
        && fitting(page).all(|(rule, phrase)| {
            question.contains(phrase) || phrases(rule.topics).any(|topic| question.contains(topic))
        })
}

/// How many words a text has. What is written without blanks has about two letters to a word.
fn word_count(text: &str) -> usize {
    let without_blanks =
        text.chars().filter(|c| matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{3040}'..='\u{9fff}'));
    text.split_whitespace().count() + without_blanks.count() / 2
}

fn small(text: &str) -> String {
    text.to_lowercase().replace('\u{2019}', "'")
}

/// The rules that fit a page, each with its first phrase that stands there.
fn fitting(page: &Extracted) -> impl Iterator<Item = (&'static Rule, &'static str)> {
    let words = word_count(&page.text);
    let mut looked_at = page.title.clone().unwrap_or_default();
    for word in page.text.split_whitespace().take(FIRST_WORDS) {
        looked_at.push(' ');
        looked_at.push_str(word);
    }
    let looked_at = small(&looked_at);
    RULES.iter().filter(move |rule| words <= rule.most_words).filter_map(move |rule| {
        let phrase = phrases(rule.phrases).find(|phrase| looked_at.contains(phrase))?;
        Some((rule, phrase))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::text::page::Kind;

    fn page(title: &str, text: &str) -> Extracted {
        Extracted { title: Some(title.into()), text: text.into(), ..Extracted::empty(Kind::Html) }
    }

    /// PR-02: a page about such pages is one, for whoever asks about them; a bare notice is none for anybody.
    #[test]
    fn a_page_about_refusals_is_no_refusal() {
        let about = "The HTTP 429 Too Many Requests client error response status code indicates the client has sent too many \
                     requests in a given amount of time. A Retry-After header may say how long to wait before a new request.";
        let article = page("429 Too Many Requests - HTTP", about);
        assert_eq!(find(&article), Some(Blocked::Denied));
        for (question, asked_for) in [
            ("What does 429 Too Many Requests mean?", true),
            ("http status 429", true),
            ("how do APIs rate limit their clients", true),
            ("how deep is the Mariana Trench", false),
        ] {
            assert_eq!(is_asked_for(&article, question), asked_for, "{question}");
        }
        let notice = page("429 Too Many Requests", "429 Too Many Requests nginx");
        assert!(!is_asked_for(&notice, "What does 429 Too Many Requests mean?"));
    }

    /// A long article is no notice because it has such a phrase, in no script.
    #[test]
    fn a_long_article_is_no_notice() {
        let long = "The error too many requests is answered by servers that are asked too often. ".repeat(12);
        assert_eq!(find(&page("Rate limits", &long)), None);
        let japanese = "CAPTCHAは、人間とコンピュータを区別するためのテストである。".repeat(20);
        assert_eq!(find(&page("CAPTCHA", &japanese)), None);
        assert_eq!(find(&page("CAPTCHA", "人間ですか。")), Some(Blocked::Captcha));
    }
}
