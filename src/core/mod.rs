//! What is true: the domain and every rule that can be stated without IO.
//!
//! Nothing here reads a file, a clock, the environment or randomness, and nothing is async. A
//! research method is a state machine ([`method::Method`]): it takes events, returns
//! effects as data, and can be replayed from the journal without a network.

pub(crate) mod adaptive;
pub(crate) mod budget;
pub(crate) mod effect;
pub(crate) mod error;
pub(crate) mod id;
pub(crate) mod journal;
pub(crate) mod json;
pub(crate) mod limits;
pub(crate) mod method;
pub(crate) mod query;
pub(crate) mod report;
#[cfg(feature = "scripted")]
pub(crate) mod scripted;
pub(crate) mod settings;
pub(crate) mod strategy;
pub(crate) mod task;
pub(crate) mod usage;
pub(crate) mod window;
