//! The real program, from outside: child processes, pipes and signals.

mod client;
mod mcp;
mod mcp_tasks;
