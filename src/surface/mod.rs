//! What people see: three thin faces over the same verbs. Wire types live here and only here.

mod app;
mod check;
pub(crate) mod cli;
mod follow_up;
mod forget;
pub(crate) mod hints;
pub(crate) mod hosted;
pub(crate) mod mcp;
pub(crate) mod output;
pub(crate) mod rounds;
pub(crate) mod save;
pub(crate) mod signals;
mod steer;
pub(crate) mod verbs;
pub(crate) mod wire;
