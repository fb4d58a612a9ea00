//! Index build and questions over generated documents, through the command line.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::Ground;
use crate::figures::Figure;

/// Halves of the words of the generated documents: as with real ones, a document uses few of all the words there are.
const HALVES: [&str; 24] = [
    "trench", "pressure", "plankton", "sediment", "current", "sonar", "vessel", "journal", "budget", "sample", "depth",
    "light", "thermal", "salinity", "oxygen", "vent", "crust", "basin", "species", "survey", "cable", "pump", "valve",
    "log",
];

pub(crate) fn measure(Ground { effort, programs, home }: Ground<'_>) -> Result<Vec<Figure>, String> {
    let documents = home.join("documents");
    let bytes = generate(&documents, effort.documents).map_err(|error| format!("cannot write documents: {error}"))?;
    let folder = documents.to_str().ok_or("the temporary folder has no UTF-8 name")?;
    let hadal = |args: &[&str]| run(&programs.shipped, home, args);
    let build = hadal(&["library", "add", folder])?.0;
    let again = hadal(&["library", "add", folder])?.0;
    let mut questions = Vec::new();
    for number in 0..effort.questions {
        let [a, b, c, ..] = subject(number * effort.documents / effort.questions);
        let question = format!("How does the {a} of the {b} change in the {c}?");
        let (ms, answer) = hadal(&["deep-research", "--json", "--library", folder, &question])?;
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

/// The words that a document is about. The same numbers give the same documents everywhere.
fn subject(document: usize) -> [String; 8] {
    let mut dice = Dice(document as u64);
    std::array::from_fn(|_| format!("{}{}", dice.pick(&HALVES), dice.pick(&HALVES)))
}

/// A linear congruential generator.
struct Dice(u64);

impl Dice {
    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        &of[(self.0 >> 33) as usize % of.len()]
    }
}

/// Writes Markdown documents; returns their size.
fn generate(folder: &Path, count: usize) -> std::io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let mut bytes = 0;
    for number in 0..count {
        let (subject, mut dice) = (subject(number), Dice(number as u64 + 1));
        let mut word = || dice.pick(&subject);
        let mut text = format!("# Document {number} on {}\n", word());
        for section in 0..6 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n## Part {section}: {} and {}\n", word(), word());
            for sentence in 0..8 {
                let units = number * 7 + sentence;
                let (a, b, c, d) = (word(), word(), word(), word());
                let _ = writeln!(text, "The {a} of the {b} changes by {units} units in the {c} near {d}.");
            }
        }
        bytes += text.len();
        std::fs::write(folder.join(format!("document-{number:05}.md")), text)?;
    }
    Ok(bytes)
}

/// Runs the program to its end: milliseconds and stdout.
fn run(hadal: &Path, home: &Path, args: &[&str]) -> Result<(f64, String), String> {
    let started = Instant::now();
    let output = Command::new(hadal)
        .args(args)
        .env("HADAL_HOME", home)
        .output()
        .map_err(|error| format!("cannot start {}: {error}", hadal.display()))?;
    let ms = started.elapsed().as_secs_f64() * 1e3;
    if output.status.success() {
        Ok((ms, String::from_utf8_lossy(&output.stdout).into_owned()))
    } else {
        let reason = String::from_utf8_lossy(&output.stderr);
        Err(format!("`hadal {}` ended with {}: {}", args.join(" "), output.status, reason.trim()))
    }
}
