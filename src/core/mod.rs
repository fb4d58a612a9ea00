//! What is true: the domain and every rule that can be stated without IO.
//!
//! Nothing here reads a file, a clock, the environment or randomness, and nothing is async. A
//! research method is a state machine ([`method::Method`]): it takes events, returns
//! effects as data, and can be replayed from the journal without a network.

pub(crate) mod adaptive;
pub(crate) mod address;
pub(crate) mod ask;
pub(crate) mod budget;
pub(crate) mod chat;
pub(crate) mod dedup;
pub(crate) mod effect;
pub(crate) mod error;
pub(crate) mod estimate;
pub(crate) mod extractive;
pub(crate) mod fetching;
pub(crate) mod gemini;
pub(crate) mod hosted;
pub(crate) mod id;
pub(crate) mod journal;
pub(crate) mod json;
pub(crate) mod ladder;
pub(crate) mod ledger;
pub(crate) mod limits;
pub(crate) mod markdown;
pub(crate) mod markdown_file;
pub(crate) mod method;
pub(crate) mod moment;
pub(crate) mod pace;
pub(crate) mod pages;
pub(crate) mod price;
pub(crate) mod prompt;
pub(crate) mod quality;
pub(crate) mod query;
pub(crate) mod reading;
pub(crate) mod redirect;
pub(crate) mod report;
pub(crate) mod rounds;
#[cfg(feature = "scripted")]
pub(crate) mod scripted;
pub(crate) mod search;
pub(crate) mod settings;
pub(crate) mod strategy;
pub(crate) mod task;
pub(crate) mod template;
pub(crate) mod text;
pub(crate) mod usage;
pub(crate) mod window;
pub(crate) mod words;
