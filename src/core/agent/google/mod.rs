//! Google's Interactions API as far as it needs no network: its JSON, its events, its errors, its citations, its agents.

mod agents;
mod cite;
mod errors;
mod events;
mod interaction;

pub(crate) use agents::{AGENTS, agent_today};
pub(crate) use errors::refusal;
pub(crate) use events::Events;
pub(crate) use interaction::interaction;
