//! What people see: three thin faces over the same verbs. Wire types live here and only here.

pub(crate) mod mcp;
pub(crate) mod signals;
pub(crate) mod verbs;
pub(crate) mod wire;
