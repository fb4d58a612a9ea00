//! Adapter tests.
