//! The `adaptive` method: strategy, search, read, score, stop rule.

use serde::{Deserialize, Serialize};

use super::effect::{Effect, Event};
use super::report::{Report, StopReason};

/// The inputs of a research call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) goal: String,
    /// Library roots to look in; none = every registered one.
    pub(crate) library: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct State {}

impl State {
    pub(crate) fn new(_plan: Plan) -> Self {
        Self {}
    }
    pub(crate) fn step(&mut self, _event: Event) -> Vec<Effect> {
        Vec::new()
    }
    pub(crate) fn partial(&self, _reason: StopReason) -> Option<Report> {
        None
    }
}
