//! The world outside hadal, simulated: small real programs instead of mocks. Never shipped.

pub mod api;
pub mod chat;
pub mod echo;
pub mod field;
pub mod gemini;
mod host;
mod http;
pub mod interactions;
pub mod notifications;
mod ollama;
mod program;
pub mod schema;
pub mod search;
pub mod wait;
pub mod web;

pub use host::{alive, cpu_time};
pub use program::program;
