//! The failures of the real CLI: exit codes and words, as measured.

use serde_json::json;

use super::super::scenario::Fault;
use crate::api;

/// What a fault looks like.
#[derive(Debug)]
pub(super) struct Look {
    /// Nothing reaches stdout: it fails before it starts.
    pub(super) early: bool,
    /// In json and stream-json. In text every failure of the API is 1.
    pub(super) code: u8,
    /// `error.type` of the `result`.
    pub(super) kind: &'static str,
    pub(super) message: String,
    /// The name of the exception on stderr.
    pub(super) exception: &'static str,
    /// It is tried again, and this stands on stderr each time.
    pub(super) attempt: Option<String>,
    /// The text of an `error` event; the `result` then has no error of its own and the exit code is 0.
    pub(super) event: Option<&'static str>,
}

const WAIT: &str = "\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method";

pub(super) fn look(fault: Fault, model: &str, home: &str) -> Look {
    let early = |code, message: &str| Look { early: true, code, kind: "Error", ..Look::api(code, message, "Error") };
    match fault {
        Fault::AuthMissing => early(41, &format!(
            "Please set an Auth method in your {home}/.gemini/settings.json or specify one of the following environment variables before running: GEMINI_API_KEY, GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_GENAI_USE_GCA"
        )),
        Fault::LoginNeeded => early(41, "Error authenticating: FatalAuthenticationError: Manual authorization is required but the current session is non-interactive. Please run the Gemini CLI in an interactive terminal to log in."),
        Fault::Untrusted => early(55, "Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the `GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode. For more details, see https://geminicli.com/docs/cli/trusted-folders/#headless-and-automated-environments"),
        Fault::NoInput => early(42, "No input provided via stdin. Input can be provided by piping data into gemini or using the --prompt option."),
        Fault::NodeMissing => early(127, "/usr/bin/env: 'node': No such file or directory"),
        Fault::BadFlag => early(1, &format!("Unknown argument: nonsense\n{}", super::args::help())),
        Fault::BadKey => Look::http(api::Fault::BadKey, model, 144),
        Fault::Unauthenticated => Look::http(api::Fault::Unauthenticated, model, 145),
        Fault::Forbidden => Look::http(api::Fault::Forbidden, model, 147),
        Fault::Internal => Look::http(api::Fault::Internal, model, 244).retried("with status 500"),
        Fault::Overloaded => Look::http(api::Fault::Overloaded, model, 247).retried("with status 503"),
        Fault::Quota => {
            let message = "You exceeded your current quota, please check your plan and billing details.\nSuggested retry after 2s.";
            let mut look = Look::api(173, message, "RetryableQuotaError");
            look.attempt = Some(format!("failed: {message}. Retrying after 5990ms..."));
            look.wait()
        }
        Fault::DailyQuota => {
            Look::api(173, "You have exhausted your daily quota on this model.", "TerminalQuotaError").wait()
        }
        Fault::ModelNotFound => {
            let message = format!("models/{model} is not found for API version v1beta.");
            Look::api(1, &message, "ModelNotFoundError")
        }
        Fault::Network => {
            let mut look = Look::api(1, "exception TypeError: fetch failed sending request", "TypeError");
            look.attempt = Some("failed with network error. Retrying with backoff... TypeError: fetch failed".to_owned());
            look
        }
        Fault::TurnLimit => Look {
            message: "Reached max session turns for this session. Increase the number of turns by specifying maxSessionTurns in settings.json.".to_owned(),
            kind: "FatalTurnLimitedError",
            ..Look::api(53, "", "")
        },
        Fault::SlashCommand => Look {
            kind: "FatalInputError",
            exception: "",
            ..Look::api(42, "Exiting due to command result that is not supported in non-interactive mode.", "")
        },
        Fault::Empty => Look::silent("The model returned an empty response with no text or thoughts. This may be a transient API issue; please try again."),
        Fault::Safety => Look::silent("The model response was blocked due to safety settings."),
        Fault::MaxTokens => Look::silent(""),
    }
}

impl Fault {
    /// The `code` of the error object: the HTTP status, or the exit code where there is none.
    pub(super) fn number(self) -> u16 {
        let code = look(self, "", "").code;
        // Exit codes are one byte, so the status lost 256.
        if code > 130 { u16::from(code) + 256 } else { u16::from(code) }
    }
}

impl Look {
    fn api(code: u8, message: &str, exception: &'static str) -> Self {
        let message = if message.is_empty() { String::new() } else { format!("[API Error: {message}]") };
        Self { early: false, code, kind: "unknown", message, exception, attempt: None, event: None }
    }

    fn http(fault: api::Fault, model: &str, code: u8) -> Self {
        let body = fault.error(model).map_or(json!({}), |(_, body)| body);
        Self::api(code, &body.to_string(), "_ApiError")
    }

    fn silent(event: &'static str) -> Self {
        Self { event: Some(event), ..Self::api(0, "", "") }
    }

    fn retried(mut self, status: &str) -> Self {
        self.attempt = Some(format!("failed {status}. Retrying with backoff... _ApiError: {}", self.bare()));
        self
    }

    fn wait(mut self) -> Self {
        self.message += WAIT;
        self
    }

    /// The message as stderr has it.
    pub(super) fn bare(&self) -> &str {
        let message = self.message.strip_suffix(WAIT).unwrap_or(&self.message);
        message.strip_prefix("[API Error: ").and_then(|rest| rest.strip_suffix(']')).unwrap_or(message)
    }
}
