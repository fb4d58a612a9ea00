//! What a run had noted before it was stopped, as a text for people.

use super::snapshot::Snapshot;

/// The agent's notes, searches and pages. The words are the agent's own; headings are ours.
pub(crate) fn notes(last: &Snapshot) -> String {
    let mut text = String::from("# What was found before the research stopped\n");
    if !last.thoughts.is_empty() {
        text.push_str("\n## Notes of the agent\n");
        for thought in &last.thoughts {
            text.push_str(&format!("\n{}\n", thought.trim()));
        }
    }
    section(&mut text, "Searches", &last.queries);
    section(&mut text, "Pages read", &last.pages);
    text
}

fn section(text: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!("\n## {title}\n\n"));
    for line in lines {
        text.push_str(&format!("- {}\n", line.replace('\n', " ")));
    }
}
