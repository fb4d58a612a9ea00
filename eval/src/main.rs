//! Measures hadal's methods on labelled data. A program for developers, never shipped.
//!
//! `hadal-eval extraction DIR [--compare]` measures HTML extraction, `hadal-eval features DIR` prints what its model is trained
//! with (see `train.py`), and `hadal-eval hostile` reads pages that are made to break a reader. `hadal-eval retrieval DOCS.jsonl
//! QUERIES.jsonl` measures what the library finds, `breadth DIR` how much of a subject, `doubt` with the same files how
//! often an answer is doubted. `hadal-eval evidence FILE` measures how claims are judged, `faults` plants faults in
//! true ones, `citations` reads generated reports, `evidence-speed` takes the time, and `train-evidence` makes the judge's table. DIR
//! holds `truth.jsonl` and `pages/ID.html.gz`. Data is read where it lies; none is part of the project.

#![expect(clippy::disallowed_macros, reason = "a program for a terminal")]

mod breadth;
mod doubt;
mod evidence;
mod extraction;
mod hostile;
mod labelled;
mod others;
mod pages;
mod retrieval;
mod score;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: hadal-eval extraction DIR [--compare]\n       hadal-eval hostile [PART OF A NAME]\n       hadal-eval features DIR\n       \
     hadal-eval retrieval DOCS.jsonl QUERIES.jsonl\n       hadal-eval doubt DOCS.jsonl QUERIES.jsonl\n       hadal-eval passages FOLDER < QUESTIONS\n       hadal-eval breadth DIR\n       hadal-eval evidence FILE.jsonl\n       hadal-eval faults [--show KIND] FILE.jsonl...\n       \
     hadal-eval citations\n       hadal-eval evidence-speed\n       hadal-eval common-words TABLE FILE.jsonl...\n       \
     hadal-eval train-evidence TABLE FILE.jsonl...";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["extraction", dir] => extraction::run(Path::new(dir), false),
        ["extraction", dir, "--compare"] => extraction::run(Path::new(dir), true),
        ["hostile"] => hostile::run(""),
        ["hostile", part] => hostile::run(part),
        ["retrieval", documents, queries] => retrieval::run(Path::new(documents), Path::new(queries)),
        ["doubt", documents, queries] => doubt::run(Path::new(documents), Path::new(queries)),
        ["passages", folder] => retrieval::passages(Path::new(folder)),
        ["breadth", dir] => breadth::run(Path::new(dir)),
        ["evidence", file] => evidence::run(Path::new(file)),
        ["faults", "--show", kind, files @ ..] if !files.is_empty() => evidence::faults(files, Some(kind)),
        ["faults", files @ ..] if !files.is_empty() => evidence::faults(files, None),
        ["citations"] => evidence::citations(),
        ["evidence-speed"] => evidence::speed(),
        ["common-words", table, files @ ..] if !files.is_empty() => evidence::common_words(Path::new(table), files),
        ["train-evidence", table, files @ ..] if !files.is_empty() => evidence::train(Path::new(table), files),
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
