//! One integration-test binary: the real program, and the project's own rules.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its world has to fail")]

mod tidy;
