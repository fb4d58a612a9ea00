//! What we touch: one gate per outside thing, each adapter in a file of its own.
//!
//! Nothing here decides anything about research. Adapters return data and problems; an adapter
//! error is a coded [`crate::core::error::Error`].

pub(crate) mod clock;
pub(crate) mod environment;
#[expect(dead_code, reason = "fetching is its caller and comes after it")]
pub(crate) mod extract;
pub(crate) mod files;
pub(crate) mod gemini_cli;
pub(crate) mod library;
pub(crate) mod log;
pub(crate) mod machine;
pub(crate) mod owner;
pub(crate) mod process;
pub(crate) mod prompts;
pub(crate) mod random;
pub(crate) mod redirects;
pub(crate) mod store;
