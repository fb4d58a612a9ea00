//! Serves the simulated Gemini API until it is killed: `gemini-api PLAN.json` prints its address.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "gemini-api: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> io::Result<()> {
    let path = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: gemini-api PLAN.json"))?;
    let plan = serde_json::from_slice(&std::fs::read(path)?)?;
    let api = sim::api::GeminiApi::start(plan)?;
    writeln!(io::stdout(), "{}", api.url())?;
    io::stdout().flush()?;
    loop {
        std::thread::park();
    }
}
