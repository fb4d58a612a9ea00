//! The world outside hadal, simulated.
