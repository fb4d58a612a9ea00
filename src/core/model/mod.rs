//! Questions to models and what comes back: chat models, model programs, prompts, answers out of text.

pub(crate) mod ask;
pub(crate) mod chat;
pub(crate) mod gemini_cli;
pub(crate) mod json;
pub(crate) mod numbered;
pub(crate) mod prompt;
pub(crate) mod said;
pub(crate) mod shown;
pub(crate) mod throttle;
pub(crate) mod window;
