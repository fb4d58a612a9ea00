//! One integration-test binary: the real program from outside (child processes, pipes and signals), and the
//! project's own rules.

#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(clippy::disallowed_methods, reason = "tests start the real program")]

mod cli;
mod cli_settings;
mod cli_signals;
mod client;
mod crash;
// `cfg(test)` tells clippy that helpers are tests too.
#[cfg(test)]
mod client;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod mcp_tasks;
mod tidy;
