//! The figures of the house, measured on the binary as it is shipped: size, start-up, library, store, idling, adoption.
//!
//! `cargo bench` prints a table and writes `bench/house.json` below the target directory. A piece that is missing is
//! named and fails the run; a missed target is marked, and fails the run with `cargo bench -- --strict` (timings on
//! a busy machine are no verdict). Nothing here is a test, and nothing reaches into the program: what needs its inside is
//! measured by the hidden command `hadal __bench`. What a user feels is measured on the binary a user gets; only where
//! tasks of a known length are needed it is the one with the feature `scripted`.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a program of its own: it has its own stdout and starts its own children"
)]

mod adoption;
mod figures;
mod hosted;
mod idle;
mod inside;
mod library;
mod programs;
mod server;
mod startup;
mod study;
mod web;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use figures::Figure;
use programs::Programs;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Starts of each server.
    starts: usize,
    /// Generated documents of the library.
    documents: usize,
    /// Questions asked of it.
    questions: usize,
    /// How long a server is left alone.
    idle: Duration,
    /// Owners killed.
    kills: usize,
    /// Hosted runs under way.
    hosted: usize,
}

const FULL: Effort =
    Effort { starts: 40, documents: 2_000, questions: 20, idle: Duration::from_secs(60), kills: 40, hosted: 1_000 };
const QUICK: Effort =
    Effort { starts: 5, documents: 200, questions: 3, idle: Duration::from_secs(10), kills: 3, hosted: 1_000 };

/// What a measurement works with.
#[derive(Clone, Copy, Debug)]
struct Ground<'a> {
    effort: Effort,
    programs: &'a Programs,
    /// An empty folder of its own.
    home: &'a Path,
}

type Measure = fn(Ground<'_>) -> Result<Vec<Figure>, String>;

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
    let measures: [(&str, Measure); 9] = [
        ("size", size),
        ("start-up", startup::measure),
        ("library", library::measure),
        ("store", inside::measure),
        ("idling", idle::measure),
        ("adoption", adoption::measure),
        ("hosted research", hosted::measure),
        ("web pages", web::measure),
        ("studies", study::measure),
    ];
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1);
    eprintln!("building the binary as it is shipped, and a bare rmcp server …");
    let programs = Programs::build()?;
    let mut figures = Vec::new();
    let mut missing = Vec::new();
    for (name, measure) in measures.into_iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)) {
        eprintln!("measuring {name} …");
        let home = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        match measure(Ground { effort, programs: &programs, home: home.path() }) {
            Ok(more) => figures.extend(more),
            Err(error) => missing.push(format!("{name}: {error}")),
        }
    }
    print!("\n{}", figures::table(&figures));
    let path = programs::target_dir()?.join("bench").join("house.json");
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

/// The stripped binary; 25 MB is what a user may be asked to download.
fn size(ground: Ground<'_>) -> Result<Vec<Figure>, String> {
    let path = &ground.programs.shipped;
    let bytes = std::fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?.len();
    Ok(vec![Figure::of("binary size", "MB", &[bytes as f64 / 1e6]).at_most(25.0)])
}
