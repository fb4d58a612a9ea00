//! Labelled claims on disk: a JSON object per line with `claim`, `evidence` (text, or sentences) and `supported` or `label`.

use std::path::Path;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Evidence {
    Text(String),
    Sentences(Vec<String>),
}

#[derive(Debug, Deserialize)]
struct Line {
    claim: String,
    evidence: Evidence,
    supported: Option<bool>,
    label: Option<String>,
}

/// A claim, the page it cites, and whether people found that the page bears it out.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) claim: String,
    pub(crate) page: String,
    pub(crate) supported: bool,
}

pub(crate) fn read(file: &Path) -> Result<Vec<Row>, String> {
    let text = std::fs::read_to_string(file).map_err(|problem| format!("{}: {problem}", file.display()))?;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let problem = |what: &dyn std::fmt::Display| format!("{}:{}: {what}", file.display(), number + 1);
        let line: Line = serde_json::from_str(line).map_err(|error| problem(&error))?;
        let supported = match (line.supported, line.label.as_deref()) {
            (Some(supported), _) => supported,
            (None, Some(label)) => label == "supported",
            (None, None) => return Err(problem(&"neither `supported` nor `label`")),
        };
        let page = match line.evidence {
            Evidence::Text(text) => text,
            // Each is a sentence of its own.
            Evidence::Sentences(sentences) => sentences.join("\n\n"),
        };
        rows.push(Row { claim: hadal::eval::evidence::bare(&line.claim), page, supported });
    }
    if rows.is_empty() { Err(format!("{}: no claims", file.display())) } else { Ok(rows) }
}
