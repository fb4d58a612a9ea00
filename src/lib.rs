//! hadal: deep research in one binary.
//!
//! Only [`run`] is public; everything else is reachable from it or is dead code, which the compiler
//! reports. `ARCHITECTURE.md` has the map.

mod core;
mod engine;
#[cfg(feature = "eval")]
#[doc(hidden)]
pub mod eval;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
#[cfg(any(test, feature = "eval"))]
#[doc(hidden)]
pub mod passes;
mod surface;
mod world;

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program with its command line, the program's own name first.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    surface::cli::run(args.into_iter().collect())
}
