//! What the end of a run means. Success is exit code 0 *and* a result of `success` *and* an answer; anything else is
//! a coded error that says what to do.

use super::stream::Stream;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::plain;

/// How the process ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunEnd {
    Code(i32),
    Signal(i32),
}

/// Judges a run that came to its own end.
pub(crate) fn verdict(ended: RunEnd, stream: &Stream, stderr: &str) -> Result<()> {
    match (ended, &stream.result) {
        (RunEnd::Code(0), Some(Ok(()))) if stream.answer.trim().is_empty() => {
            Err(failed("Gemini CLI ended without an answer; its prompt may have been too long").hint(LATER))
        }
        (RunEnd::Code(0), Some(Ok(()))) => Ok(()),
        (RunEnd::Code(0), Some(Err(why))) => Err(said(why)),
        // A signal ends it with code 0 and without a result.
        (RunEnd::Code(0), None) => Err(failed("Gemini CLI was ended before its result").hint(LATER)),
        (RunEnd::Code(code), result) => {
            let why = result.as_ref().and_then(|result| result.as_ref().err()).map(String::as_str);
            Err(by_code(code, why, stderr))
        }
        (RunEnd::Signal(signal), _) => Err(failed(&format!("Gemini CLI was killed by signal {signal}"))
            .hint("it may have run out of memory: each run takes about 250 MB; lower `HADAL_MAX_TASKS`")),
    }
}

const LATER: &str = "try again later; `gemini` in a terminal shows whether it works at all";
const INSTALL: &str = "install its newest version: `npm install -g @google/gemini-cli` (needs Node.js 20 or newer)";

fn by_code(code: i32, why: Option<&str>, stderr: &str) -> Error {
    let words = why.map_or_else(|| last_words(stderr), short);
    match code {
        41 => not_authenticated(&words),
        42 => Error::new(Code::InvalidQuery, format!("Gemini CLI did not take the prompt: {words}"))
            .hint("ask in another way; if there are prompts of your own in the config directory, look at those"),
        44 | 52 | 54 => setup(format!("Gemini CLI has a faulty set-up (exit {code}): {words}")),
        53 => failed("Gemini CLI reached its limit of turns before it had an answer").hint("ask a narrower question"),
        55 => setup(format!("Gemini CLI does not trust its working directory: {words}")),
        127 => Error::new(Code::CliNotFound, format!("Gemini CLI cannot find Node.js: {words}"))
            .hint("put `node` (20 or newer) on the PATH of the program that starts hadal"),
        // API errors: the HTTP status modulo 256.
        145 | 147 => not_authenticated(&words),
        173 => quota(&words),
        1 if why.is_none() && telling(stderr).is_some() => {
            let line = telling(stderr).map(short).unwrap_or_default();
            Error::new(Code::EngineUnavailable, format!("Gemini CLI cannot be used as it is installed: {line}"))
                .hint(INSTALL)
        }
        144 if words.contains("API_KEY_INVALID") || words.contains("API key") => not_authenticated(&words),
        _ => said_with(&words, code),
    }
}

/// A reason in the CLI's own words.
fn said(why: &str) -> Error {
    said_with(&short(why), 0)
}

fn said_with(words: &str, code: i32) -> Error {
    let lower = words.to_lowercase();
    let has = |needles: &[&str]| needles.iter().any(|needle| lower.contains(needle));
    if has(&["quota", "resource_exhausted", "exhausted", "429"]) {
        return quota(words);
    }
    if has(&["api_key_invalid", "api key not valid", "auth method", "unauthenticated", "ineligibletier"]) {
        return not_authenticated(words);
    }
    if has(&["not_found", "is not found", "modelnotfound", "404"]) && lower.contains("model") {
        return Error::new(Code::ModelNotFound, format!("Gemini CLI: {words}"))
            .hint("set `GEMINI_MODEL` to a model of this account, or unset it");
    }
    let at = if code == 0 { String::new() } else { format!(" (exit {code})") };
    let network = has(&["fetch failed", "network", "econn", "enotfound", "etimedout"]);
    failed(&format!("Gemini CLI failed{at}: {words}")).hint(if network {
        "look at the network connection and at the proxy settings"
    } else {
        LATER
    })
}

fn quota(words: &str) -> Error {
    if words.contains("daily quota") || words.contains("PerDay") {
        return Error::new(Code::DailyQuotaExceeded, format!("Gemini CLI: {words}"))
            .hint("try again tomorrow, set `GEMINI_MODEL` to another model, or use another key");
    }
    Error::new(Code::QuotaExceeded, format!("Gemini CLI: {words}"))
        .hint("try again in a minute, or use fewer calls at once")
}

fn not_authenticated(words: &str) -> Error {
    Error::new(Code::NotAuthenticated, format!("Gemini CLI is not signed in, or its key was refused: {words}"))
        .hint("set `GEMINI_API_KEY` to a valid key, or run `gemini` once in a terminal and sign in")
}

fn setup(message: String) -> Error {
    Error::new(Code::EngineUnavailable, message).hint("`gemini` in a terminal shows what is wrong")
}

fn failed(message: &str) -> Error {
    Error::new(Code::ExecutionError, message)
}

/// The line of a program that does not know our flags, or whose Node.js is too old for it. What follows it is help
/// text or a stack trace.
fn telling(stderr: &str) -> Option<&str> {
    let signs = ["Unknown argument", "SyntaxError: "];
    stderr.lines().map(str::trim).find(|line| signs.iter().any(|sign| line.starts_with(sign)))
}

/// The last line that is not a line of a stack trace: that is where the reason stands.
fn last_words(stderr: &str) -> String {
    let telling = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("at ") && !matches!(line, "{" | "}" | "[" | "]" | "},")
    };
    stderr.lines().rev().find(telling).map_or_else(|| "no reason given".into(), short)
}

fn short(words: &str) -> String {
    plain::line(words, 600).trim().to_owned()
}
