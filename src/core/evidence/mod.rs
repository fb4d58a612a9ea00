//! Passages, claims and whether one bears out the other.

pub(crate) mod claim;
pub(crate) mod ledger;
pub(crate) mod passage;
pub(crate) mod place;
pub(crate) mod rank;
