//! What things cost, what may be spent, and what may be repeated after a crash.

pub(crate) mod budget;
pub(crate) mod meter;
pub(crate) mod price;
pub(crate) mod repeat;
pub(crate) mod usage;
