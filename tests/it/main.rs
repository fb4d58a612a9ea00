//! The real program, from outside: child processes, pipes and signals.

// `cfg(test)` tells clippy that helpers are tests too.
#[cfg(test)]
mod client;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod mcp_tasks;
