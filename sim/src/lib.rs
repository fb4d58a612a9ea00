//! The world outside hadal, simulated: small real programs instead of mocks. Never shipped.

mod program;

pub use program::program;
