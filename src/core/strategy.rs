//! How hard to look: the strategy of one research call.
