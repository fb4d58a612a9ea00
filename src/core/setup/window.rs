//! The call window: how long a tool call may wait for its task before it hands back the task id.
//!
//! Every client has its own patience; a call that outlives it is killed and its answer lost. The
//! figures are measured or reported limits with a margin.

use std::time::Duration;

/// Clients by the name they give at `initialize`, lower case, matched as a prefix.
const CLIENTS: &[(&str, u64)] = &[
    // Idle limit 30 minutes on stdio, reset by progress; moved to the background at 120 s.
    ("claude-code", 110),
    // Hard limit 300 s, progress or not.
    ("codex", 240),
    // 10 minutes by default.
    ("gemini-cli", 300),
    // Between 60 and 240 s, not configurable.
    ("claude-ai", 45),
    ("claude desktop", 45),
    // 300 s by default.
    ("goose", 240),
];

/// An unknown client may be one of the many that give up at 60 s.
const UNKNOWN: Duration = Duration::from_secs(45);

/// How long a call of `client` may wait.
pub(crate) fn for_client(client: &str) -> Duration {
    let client = client.to_lowercase();
    CLIENTS
        .iter()
        .find(|(name, _)| client.starts_with(name))
        .map_or(UNKNOWN, |(_, seconds)| Duration::from_secs(*seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JB-01: the window ends before the client's patience does.
    #[test]
    fn every_window_is_shorter_than_the_patience() {
        for (client, patience) in [
            ("codex-mcp-client", 300),
            ("claude-code", 120),
            ("gemini-cli-mcp-client", 600),
            ("claude-ai", 60),
            ("goose", 300),
            ("mcp-inspector", 60),
            ("", 60),
        ] {
            assert!(for_client(client) < Duration::from_secs(patience), "{client}");
        }
        assert_eq!(for_client("Codex"), Duration::from_secs(240));
    }
}
