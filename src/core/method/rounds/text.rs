//! Lists and lines of a round.

use crate::core::base::limits;

/// Appends what is not there yet, in order, up to the limit of a list.
pub(super) fn add(list: &mut Vec<String>, more: &[String]) {
    for item in more {
        if list.len() < limits::LISTED && !list.contains(item) {
            list.push(item.clone());
        }
    }
}

/// The first words of a report, on one line.
pub(super) fn summary(report: &str) -> String {
    let words = report.split_whitespace().filter(|word| !word.chars().all(|c| matches!(c, '#' | '-' | '*' | '|')));
    let mut line = String::new();
    for word in words {
        if line.len() + word.len() > limits::SUMMARY_BYTES {
            line.push('…');
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
