//! The CLI's session record on disk.

use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;

use crate::core::base::limits;
use crate::core::model::gemini_cli::{Record, read_session};

/// Finds and reads the record of a session; `None` when it is not where it is expected.
pub(super) fn read(env: &[(OsString, OsString)], session: &str) -> Option<Record> {
    let value = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| PathBuf::from(value));
    let home = value("GEMINI_CLI_HOME").or_else(|| value("HOME"))?;
    // The id comes from the program's output; only its first part is in the name, and only if it looks like one.
    let short = session.get(..8).filter(|short| short.bytes().all(|b| b.is_ascii_alphanumeric()))?;
    let tail = format!("-{short}.jsonl");
    let projects = std::fs::read_dir(home.join(".gemini").join("tmp")).ok()?;
    let chats = projects.flatten().take(limits::GEMINI_PROJECTS).map(|project| project.path().join("chats"));
    let mut files = chats.filter_map(|chats| std::fs::read_dir(chats).ok()).flatten().flatten();
    let file = files.find(|entry| {
        entry.file_name().to_str().is_some_and(|name| name.starts_with("session-") && name.ends_with(&tail))
    })?;
    let mut bytes = Vec::new();
    std::fs::File::open(file.path()).ok()?.take(limits::GEMINI_RECORD_BYTES).read_to_end(&mut bytes).ok()?;
    Some(read_session(&String::from_utf8_lossy(&bytes)))
}
