//! Index build and questions over generated documents, through the command line.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::figures::Figure;
use crate::{Effort, HADAL};

/// Words of the generated documents; a question asks for some of them.
const WORDS: [&str; 24] = [
    "trench", "pressure", "plankton", "sediment", "current", "sonar", "vessel", "journal", "budget", "sample", "depth",
    "light", "thermal", "salinity", "oxygen", "vent", "crust", "basin", "species", "survey", "cable", "pump", "valve",
    "log",
];

pub(crate) fn measure(effort: Effort, home: &Path) -> Result<Vec<Figure>, String> {
    let documents = home.join("documents");
    let bytes = generate(&documents, effort.documents).map_err(|error| format!("cannot write documents: {error}"))?;
    let folder = documents.to_str().ok_or("the temporary folder has no UTF-8 name")?;
    let build = hadal(home, &["library", "add", folder])?.0;
    let again = hadal(home, &["library", "add", folder])?.0;
    let mut questions = Vec::new();
    for number in 0..effort.questions {
        let [a, b, c] = [1, 5, 11].map(|step| WORDS[(number * step + step) % WORDS.len()]);
        let question = format!("How does the {a} of the {b} change the {c}?");
        let (ms, answer) = hadal(home, &["deep-research", "--json", "--library", folder, &question])?;
        let answer: Value = serde_json::from_str(&answer).map_err(|error| format!("`--json` is not JSON: {error}"))?;
        // An answer without a source would be fast and worthless.
        if !answer.to_string().contains("document-") {
            return Err(format!("`{question}` was answered without a source"));
        }
        questions.push(ms);
    }
    let named = |what: &str| format!("library: {what}, {} files, {:.1} MB", effort.documents, bytes as f64 / 1e6);
    Ok(vec![
        Figure::of(&named("index"), "ms", &[build]),
        Figure::of(&named("nothing changed"), "ms", &[again]),
        Figure::of(&named("a question, whole command"), "ms", &questions),
    ])
}

/// Writes Markdown documents that differ and repeats them exactly in every run; returns their size.
fn generate(folder: &Path, count: usize) -> std::io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let mut seed = 1_u64;
    let mut word = || {
        // A linear congruential generator: the same documents everywhere.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        WORDS[(seed >> 33) as usize % WORDS.len()]
    };
    let mut bytes = 0;
    for number in 0..count {
        let mut text = format!("# Document {number} on {}\n", word());
        for section in 0..6 {
            let _ = writeln!(text, "\n## Part {section}: {} and {}\n", word(), word());
            for sentence in 0..8 {
                let _ = writeln!(
                    text,
                    "The {} of the {} was {} units in the {} near {}.",
                    word(),
                    word(),
                    number * 7 + sentence,
                    word(),
                    word()
                );
            }
        }
        bytes += text.len();
        std::fs::write(folder.join(format!("document-{number:05}.md")), text)?;
    }
    Ok(bytes)
}

/// Runs the program to its end: milliseconds and stdout.
fn hadal(home: &Path, args: &[&str]) -> Result<(f64, String), String> {
    let started = Instant::now();
    let output = Command::new(HADAL)
        .args(args)
        .env("HADAL_HOME", home)
        .output()
        .map_err(|error| format!("cannot start {HADAL}: {error}"))?;
    let ms = started.elapsed().as_secs_f64() * 1e3;
    if output.status.success() {
        Ok((ms, String::from_utf8_lossy(&output.stdout).into_owned()))
    } else {
        let reason = String::from_utf8_lossy(&output.stderr);
        Err(format!("`hadal {}` ended with {}: {}", args.join(" "), output.status, reason.trim()))
    }
}
