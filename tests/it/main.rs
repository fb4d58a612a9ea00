//! The real program, from outside: child processes, pipes and signals.

#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod cli;
mod cli_settings;
mod cli_signals;
mod client;
mod mcp;
mod mcp_tasks;
