use std::process::ExitCode;

fn main() -> ExitCode {
    hadal::run(std::env::args_os())
}
