//! What we touch: one gate per outside thing, each adapter in a file of its own.
//!
//! Nothing here decides anything about research. Adapters return data and problems; an adapter
//! error is a coded [`crate::core::base::error::Error`].

mod blocking;
pub(crate) mod clients;
pub(crate) mod clock;
pub(crate) mod environment;

pub(crate) mod documents;
pub(crate) mod fetch;
pub(crate) mod files;
pub(crate) mod gemini_api;
pub(crate) mod gemini_cli;
pub(crate) mod hangup;
pub(crate) mod http;
pub(crate) mod keeper;
pub(crate) mod keys;
pub(crate) mod library;
pub(crate) mod log;
pub(crate) mod machine;
pub(crate) mod models;
pub(crate) mod notify;
pub(crate) mod open_files;
pub(crate) mod overrides;
pub(crate) mod own_file;
pub(crate) mod owner;
pub(crate) mod pdf;
pub(crate) mod private;
pub(crate) mod process;
pub(crate) mod prompts;
pub(crate) mod random;
pub(crate) mod redirects;
pub(crate) mod search;
pub(crate) mod store;
pub(crate) mod templates;
pub(crate) mod terminal;
pub(crate) mod tokens;
mod turns;

pub(crate) use blocking::{blocking, stoppable};
