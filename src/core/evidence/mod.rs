//! Passages, claims and whether one bears out the other.

pub(crate) mod checked;
pub(crate) mod claim;
pub(crate) mod excerpt;
pub(crate) mod judge;
pub(crate) mod ledger;
pub(crate) mod meaning;
pub(crate) mod passage;
pub(crate) mod place;
pub(crate) mod rank;
pub(crate) mod reading;
pub(crate) mod vectors;
