//! Files of YAML that hold several documents, with lines of `---` between them, as Kubernetes is told what to run.
//!
//! What is said in one of them is said of what it describes: each stands below its kind and name, and is cut at its keys only where it is long.

use std::ops::Range;

use super::lines::indent;
use super::one_line;
use super::passages::words;
use crate::core::base::limits::PASSAGE_MAX_WORDS;

/// The level of what a document is called: above sections and banners.
pub(super) const DOCUMENT: u8 = 1;
/// Longer values name nothing, in bytes.
const NAME_BYTES: usize = 80;
/// Keys by which a document without a kind says what it is about.
const NAMES: [&str; 3] = ["name", "title", "id"];

/// One of several documents.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct YamlDocument {
    pub(super) lines: Range<usize>,
    /// `Deployment plover`; nothing where it does not say it.
    pub(super) name: String,
    /// Whether it is one passage.
    pub(super) is_small: bool,
}

/// Whether a line only begins or ends a document.
pub(super) fn is_mark(line: &str) -> bool {
    let line = line.trim_end();
    let line = line.split_once(" #").map_or(line, |(mark, _)| mark.trim_end());
    matches!(line, "---" | "...")
}

/// The documents among the lines of settings, ascending; none where all of it is one.
pub(super) fn documents(lines: &[&str]) -> Vec<YamlDocument> {
    let ends = lines.iter().enumerate().filter(|(_, line)| is_mark(line)).map(|(at, _)| at).chain([lines.len()]);
    let mut documents = Vec::new();
    let mut start = 0;
    for end in ends {
        let inside = lines.get(start..end).unwrap_or_default();
        if inside.iter().any(|line| says(line)) {
            let size: usize = inside.iter().map(|line| words(line)).sum();
            let is_small = size <= PASSAGE_MAX_WORDS;
            documents.push(YamlDocument { lines: start..end, name: name(inside), is_small });
        }
        start = end + 1;
    }
    if documents.len() < 2 { Vec::new() } else { documents }
}

/// Whether a line is no comment and no order to the parser.
fn says(line: &str) -> bool {
    let said = line.trim();
    !said.is_empty() && !said.starts_with('#') && !line.starts_with("%YAML ") && !line.starts_with("%TAG ")
}

/// What a document says that it is: its kind and its name.
fn name(lines: &[&str]) -> String {
    let kind = value_of(lines, "kind").unwrap_or_default();
    let own = || NAMES.iter().find_map(|key| value_of(lines, key));
    let name = of_metadata(lines).or_else(own).unwrap_or_default();
    one_line(&format!("{kind} {name}"))
}

/// What stands behind a key in the first column.
fn value_of<'t>(lines: &[&'t str], key: &str) -> Option<&'t str> {
    lines.iter().find_map(|line| value(line.strip_prefix(key)?))
}

/// The name right below `metadata:`.
fn of_metadata<'t>(lines: &[&'t str]) -> Option<&'t str> {
    let at = lines.iter().position(|line| line.trim_end() == "metadata:")?;
    let mut below = lines.iter().skip(at + 1).filter(|line| says(line)).take_while(|line| indent(line) > 0).peekable();
    let first = below.peek().map(|line| indent(line))?;
    below.filter(|line| indent(line) == first).find_map(|line| value(line.trim_start().strip_prefix("name")?))
}

/// The value in what stands behind a key, without quotes and comments.
fn value(behind: &str) -> Option<&str> {
    let value = behind.strip_prefix(':')?;
    let value = value.split_once(" #").map_or(value, |(value, _)| value).trim().trim_matches(['"', '\'']);
    (!value.is_empty() && value.len() <= NAME_BYTES && !value.starts_with(['{', '[', '|', '>', '&', '*', '!']))
        .then_some(value)
}

#[cfg(test)]
mod tests {
    use super::super::{Format, extract};
    use super::*;

    /// What the documents of a text are called.
    fn names(text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        documents(&lines).into_iter().map(|document| document.name).collect()
    }

    #[test]
    fn lb_01_documents_are_called_by_their_kind_and_name() {
        for (text, expected) in [
            (
                "kind: Pod\nmetadata:\n  labels:\n    name: no\n  name: \"a\" # its name\n---\nname: b\n",
                vec!["Pod a", "b"],
            ),
            ("---\n# First.\nkind: List\n---\nmetadata:\nname: [x]\nid: 7\n...\n", vec!["List", "7"]),
            ("--- # one\na: 1\n---\nb: 1\n", vec!["", ""]),
            // One document, whatever stands above and below it.
            ("# Licence\n---\n%YAML 1.2\n---\nkind: Pod\n...\n", vec![]),
            ("a: |\n  ---\nb: ----\n", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    /// LB-01: what is said in a document stands with its name, also where it is long, and no mark is quoted.
    #[test]
    fn lb_01_parts_of_a_document_stand_below_its_name() {
        let long = (0..80).map(|at| format!("  field{at}: value {at}\n")).collect::<String>();
        let text = format!(
            "---\nkind: Pod\nmetadata:\n  name: plover\nspec:\n  replicas: 6\n---\nkind: ConfigMap\nmetadata:\n  name: dunlin\ndata:\n{long}"
        );
        let document = extract(Format::Settings, text.into_bytes()).unwrap();
        let shown: Vec<(String, &str)> = document
            .passages
            .iter()
            .map(|piece| (piece.headings.join(" > "), document.passage_text(piece).lines().next().unwrap_or_default()))
            .collect();
        let of = |headings: &str, first| (headings.to_owned(), first);
        assert_eq!(shown.first(), Some(&of("Pod plover", "kind: Pod")));
        assert!(shown.contains(&of("ConfigMap dunlin > data", "data:")), "{shown:?}");
        assert!(document.passages.iter().all(|piece| !document.passage_text(piece).contains("---")));
        let one = extract(Format::Settings, b"---\nport: 1\n...\n".to_vec()).unwrap();
        let texts: Vec<&str> = one.passages.iter().map(|piece| one.passage_text(piece).trim()).collect();
        assert_eq!(texts, ["port: 1"]);
    }
}
