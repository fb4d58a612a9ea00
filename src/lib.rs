//! hadal: deep research in one binary.
//!
//! Only [`run`] is public; everything else is reachable from it or is dead code, which the compiler
//! reports. `ARCHITECTURE.md` has the map.

mod core;
mod engine;
mod surface;
mod world;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

/// Runs `hadal serve` until the rest of the command line is there.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = args.into_iter().nth(1);
    if command.as_deref() != Some("serve".as_ref()) {
        return ExitCode::from(2);
    }
    let dir = std::env::temp_dir().join("hadal");
    let settings = core::settings::Settings {
        config_dir: dir.clone(),
        data_dir: dir,
        max_tasks: 8,
        linger: Duration::from_secs(600),
        call_window: None,
        budget: core::budget::Budget::default(),
        library_max_file_bytes: 10 << 20,
    };
    let Ok(runtime) = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() else {
        return ExitCode::from(1);
    };
    let served = runtime.block_on(async {
        let engine = engine::Engine::new(&settings, engine::Adopt::All);
        surface::mcp::serve_stdio(surface::verbs::App { engine, settings }).await
    });
    runtime.shutdown_background();
    if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
