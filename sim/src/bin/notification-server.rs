//! Shows nothing and says what it was asked to show: `notification-server ADDRESS answer|hang`.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(address), Some(mode)) = (args.next(), args.next()) else {
        let _ = writeln!(io::stderr(), "usage: notification-server ADDRESS answer|hang");
        return ExitCode::FAILURE;
    };
    let served = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(zbus::Error::from)
        .and_then(|runtime| runtime.block_on(sim::notifications::server::serve(&address, mode == "hang")));
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "notification-server: {problem}");
            ExitCode::FAILURE
        }
    }
}
