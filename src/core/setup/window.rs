//! The call window: how long a tool call may wait for its task before it hands back the task id; and how much of a reply a client shows.
//!
//! Every client has its own patience; a call that outlives it is killed and its answer lost. The
//! figures are measured or reported limits with a margin.

use std::time::Duration;

/// Clients by the name they give at `initialize`, lower case, matched as a prefix: the seconds that a call may wait, and what of a reply
/// reaches the model where that is known.
const CLIENTS: &[(&str, u64, Option<ReplySize>)] = &[
    // Idle limit 30 minutes on stdio, reset by progress; moved to the background at 120 s. Shows what a tool says it may send.
    ("claude-code", 110, Some(ReplySize { page_bytes: 60_000, bytes: 190_000 })),
    // Hard limit 300 s, progress or not. Keeps the first 12.5 KB of a reply.
    ("codex", 240, Some(ReplySize { page_bytes: 6_500, bytes: 12_000 })),
    // 10 minutes by default. Keeps the first 8,000 and the last 32,000 characters.
    ("gemini-cli", 300, Some(ReplySize { page_bytes: 24_000, bytes: 38_000 })),
    // Between 60 and 240 s, not configurable.
    ("claude-ai", 45, None),
    ("claude desktop", 45, None),
    // 300 s by default.
    ("goose", 240, None),
];

/// How much of a reply reaches the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReplySize {
    /// The report in it, inside the JSON.
    pub(crate) page_bytes: usize,
    /// The whole of it, as JSON.
    pub(crate) bytes: usize,
}

/// An unknown client may be one of the many that give up at 60 s.
const UNKNOWN: Duration = Duration::from_secs(45);

/// How long a call of `client` may wait.
pub(crate) fn for_client(client: &str) -> Duration {
    row(client).map_or(UNKNOWN, |(_, seconds, _)| Duration::from_secs(*seconds))
}

/// What of a reply a client shows; `None` where that is not known.
pub(crate) fn reply_size(client: &str) -> Option<ReplySize> {
    row(client).and_then(|(_, _, size)| *size)
}

fn row(client: &str) -> Option<&'static (&'static str, u64, Option<ReplySize>)> {
    let client = client.to_lowercase();
    CLIENTS.iter().find(|(name, _, _)| client.starts_with(name))
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

    /// MC-01: a page and what stands around it fit into what a client shows.
    #[test]
    fn mc_01_every_page_leaves_room_for_the_rest() {
        for (client, most) in
            [("codex-mcp-client", 12_500), ("gemini-cli-mcp-client", 40_000), ("claude-code", 200_000)]
        {
            let size = reply_size(client).unwrap();
            assert!(size.bytes <= most && size.page_bytes * 3 / 2 <= size.bytes, "{client}");
        }
        assert_eq!(reply_size("mcp-inspector"), None);
    }
}
