//! The fake `gemini`; see `sim::gemini`.

fn main() -> std::process::ExitCode {
    sim::gemini::main()
}
