//! What is true: the domain and every rule that can be stated without IO.
//!
//! Nothing here reads a file, a clock, the environment or randomness, and nothing is async. A
//! research method is a state machine ([`method::Method`]): it takes events, returns
//! effects as data, and can be replayed from the journal without a network.
//!
//! The folders stand in the order in which they may use each other: each uses itself and those above it. A test holds it.

pub(crate) mod agent;
pub(crate) mod base;
pub(crate) mod evidence;
pub(crate) mod journal;
pub(crate) mod language;
pub(crate) mod method;
pub(crate) mod model;
pub(crate) mod money;
pub(crate) mod question;
pub(crate) mod report;
pub(crate) mod saved;
pub(crate) mod setup;
pub(crate) mod task;
pub(crate) mod text;
pub(crate) mod web;
