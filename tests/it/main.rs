//! One integration-test binary: the real program, and the project's own rules.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its world has to fail")]

mod tidy;
//! The real program, from outside: child processes, pipes and signals.

mod client;
mod mcp;
mod mcp_tasks;
