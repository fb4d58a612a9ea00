//! The figures of the house, measured on the real release binary: start-up, memory, size, library, store.
//!
//! `cargo bench` prints a table and writes `bench/house.json` below the target directory. A piece that is missing is
//! named and fails the run; a missed target is marked, and fails the run with `cargo bench -- --strict` (timings on
//! a busy machine are no verdict). Nothing here is a test, and nothing reaches into the program: what needs its inside is
//! measured by the hidden command `hadal __bench`.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a program of its own: it has its own stdout and starts its own children"
)]

mod figures;
mod inside;
mod library;
mod server;
mod startup;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use figures::Figure;

/// The program under measurement, built by cargo with the bench profile (the release profile's settings).
const HADAL: &str = env!("CARGO_BIN_EXE_hadal");

/// How much is measured.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Starts of each server.
    starts: usize,
    /// Generated documents of the library.
    documents: usize,
    /// Questions asked of it.
    questions: usize,
}

const FULL: Effort = Effort { starts: 40, documents: 2_000, questions: 20 };
const QUICK: Effort = Effort { starts: 5, documents: 200, questions: 3 };

type Measure = fn(Effort, &Path) -> Result<Vec<Figure>, String>;

fn main() -> ExitCode {
    let given = |flag: &str| std::env::args().any(|argument| argument == flag);
    if !given("--bench") {
        // `cargo test --all-targets` runs this program too; it has nothing to test.
        println!("nothing measured; run `cargo bench`");
        return ExitCode::SUCCESS;
    }
    let effort = if given("--quick") { QUICK } else { FULL };
    match run(effort, given("--strict")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            eprintln!("\nbench: {problems}");
            ExitCode::FAILURE
        }
    }
}

fn run(effort: Effort, strict: bool) -> Result<(), String> {
    let measures: [(&str, Measure); 4] = [
        ("size", |_, _| size()),
        ("start-up", startup::measure),
        ("library", library::measure),
        ("store", |_, home| inside::measure(home)),
    ];
    let mut figures = Vec::new();
    let mut missing = Vec::new();
    for (name, measure) in measures {
        eprintln!("measuring {name} …");
        let home = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        match measure(effort, home.path()) {
            Ok(more) => figures.extend(more),
            Err(error) => missing.push(format!("{name}: {error}")),
        }
    }
    print!("\n{}", figures::table(&figures));
    let path = target_dir()?.join("bench").join("house.json");
    figures::write(&path, &figures, &missing)?;
    println!("\nwritten to {}", path.display());
    let missed: Vec<String> =
        figures.iter().filter(|figure| figure.misses()).map(|figure| figure.name.clone()).collect();
    if !missing.is_empty() {
        return Err(format!("not everything could be measured\n  {}", missing.join("\n  ")));
    }
    if strict && !missed.is_empty() {
        return Err(format!("targets missed: {}", missed.join(", ")));
    }
    Ok(())
}

/// The stripped binary; 30 MB is what a user may be asked to download.
fn size() -> Result<Vec<Figure>, String> {
    let bytes = std::fs::metadata(HADAL).map_err(|error| format!("{HADAL}: {error}"))?.len();
    Ok(vec![Figure::of("binary size", "MB", &[bytes as f64 / 1e6]).at_most(30.0)])
}

/// Where cargo puts things: two folders above the binary.
fn target_dir() -> Result<PathBuf, String> {
    let dir = Path::new(HADAL).parent().and_then(Path::parent);
    dir.map(Path::to_owned).ok_or_else(|| format!("{HADAL} stands in no target directory"))
}
