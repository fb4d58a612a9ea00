//! Measures hadal's methods on labelled data. A program for developers, never shipped.
//!
//! `hadal-eval extraction DIR [--compare]` measures HTML extraction, `hadal-eval features DIR` prints what its model is trained
//! with (see `train.py`), `hadal-eval retrieval DOCS.jsonl QUERIES.jsonl` measures what the library finds, and `hadal-eval hostile` reads pages that are made to break a reader. DIR holds `truth.jsonl` and `pages/ID.html.gz`. Data is read where it lies; none is part of the project.

#![expect(clippy::disallowed_macros, reason = "a program for a terminal")]

mod extraction;
mod hostile;
mod others;
mod pages;
mod retrieval;
mod score;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: hadal-eval extraction DIR [--compare]\n       hadal-eval hostile\n       hadal-eval features DIR\n       \
     hadal-eval retrieval DOCS.jsonl QUERIES.jsonl";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["extraction", dir] => extraction::run(Path::new(dir), false),
        ["extraction", dir, "--compare"] => extraction::run(Path::new(dir), true),
        ["hostile"] => hostile::run(),
        ["retrieval", documents, queries] => retrieval::run(Path::new(documents), Path::new(queries)),
        ["features", dir] => extraction::features(Path::new(dir)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
