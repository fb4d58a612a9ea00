//! What is decided before a task: settings, the ladder of engines, the call window; and how clients learn of hadal.

pub(crate) mod connect;
pub(crate) mod http;
pub(crate) mod ladder;
pub(crate) mod settings;
mod toml_text;
pub(crate) mod window;
