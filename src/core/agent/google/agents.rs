//! The names of Google's research agents.

use crate::core::base::limits;

/// The agents that are known to exist, the default first.
pub(crate) const AGENTS: &[&str] = &["deep-research-preview-04-2026", "deep-research-max-preview-04-2026"];

/// Names that no longer work, and what took their place.
const RETIRED: &[(&str, &str)] = &[("deep-research-pro-preview-12-2025", "deep-research-preview-04-2026")];

/// HR-03: the name an agent has today; the second value warns when that is another than the one asked for. `None`: no
/// agent can have that name.
pub(crate) fn agent_today(asked: &str) -> Option<(String, Option<String>)> {
    let asked = asked.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if asked.is_empty() || asked.len() > limits::LABEL_CHARS || !asked.chars().all(plain) {
        return None;
    }
    Some(match RETIRED.iter().find(|(retired, _)| *retired == asked) {
        Some((retired, heir)) => {
            let warning = format!("the agent `{retired}` was shut down by Google in October 2026; `{heir}` is used");
            ((*heir).to_owned(), Some(warning))
        }
        None => (asked.to_owned(), None),
    })
}
