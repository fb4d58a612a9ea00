//! Serves the simulated Interactions API until it is killed: `interactions-api PLAN.json [--port N]` prints its address.

use std::ffi::OsString;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use sim::interactions::Service;

const USAGE: &str = "usage: interactions-api PLAN.json [--port N]";

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "interactions-api: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> io::Result<()> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (path, port) = match arguments.as_slice() {
        [path] => (path, 0),
        [path, flag, port] if flag == "--port" => {
            (path, port.to_str().and_then(|port| port.parse().ok()).ok_or_else(|| io::Error::other(USAGE))?)
        }
        _ => return Err(io::Error::other(USAGE)),
    };
    let plan = serde_json::from_slice(&std::fs::read(path)?)?;
    let service = Service::start_on(SocketAddr::from(([127, 0, 0, 1], port)), plan)?;
    writeln!(io::stdout(), "{}", service.url())?;
    io::stdout().flush()?;
    loop {
        std::thread::park();
    }
}
