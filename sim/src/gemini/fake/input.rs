//! What the CLI makes of its input: the prompt from stdin and `-p`, the files that an `@` pulls in, slash commands.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::super::call::File;

/// The real CLI reads so much of stdin and drops the rest.
const STDIN: usize = 8 * 1024 * 1024;
/// So long it waits for the first byte.
const FIRST_BYTE: Duration = Duration::from_millis(500);

/// Reads stdin like the real CLI: to the end, but not at all when nothing comes.
pub(super) fn stdin() -> String {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut block = vec![0; 64 * 1024];
        while let Ok(length) = io::stdin().read(&mut block) {
            let bytes = block.get(..length).unwrap_or_default().to_vec();
            if sender.send(bytes).is_err() || length == 0 {
                break;
            }
        }
    });
    let mut text = Vec::new();
    let mut wait = FIRST_BYTE;
    loop {
        match receiver.recv_timeout(wait) {
            Ok(bytes) if bytes.is_empty() => break,
            Ok(bytes) => text.extend(bytes),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
        wait = Duration::from_secs(600);
        if text.len() > STDIN {
            text.truncate(STDIN);
            let _ = writeln!(io::stderr(), "Warning: stdin input truncated to {STDIN} bytes.");
            break;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// stdin first, then what stood on the command line.
pub(super) fn join(stdin: String, flag: Option<&str>) -> String {
    match flag {
        Some(flag) if stdin.is_empty() => flag.to_owned(),
        Some(flag) => format!("{stdin}\n\n{flag}"),
        None => stdin,
    }
}

/// The directories whose files the CLI reads.
#[derive(Debug)]
pub(super) struct Workspace(Vec<PathBuf>);

impl Workspace {
    pub(super) fn new(include: &[PathBuf]) -> Self {
        let cwd = std::env::current_dir().unwrap_or_default();
        let dirs = include.iter().map(|dir| cwd.join(dir)).filter_map(|dir| dir.canonicalize().ok());
        Self(cwd.canonicalize().into_iter().chain(dirs).collect())
    }

    fn holds(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| self.0.iter().any(|dir| path.starts_with(dir)))
    }

    /// The files that the CLI puts into the prompt for the sake of an `@`.
    pub(super) fn expanded(&self, prompt: &str) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = Vec::new();
        for name in at_names(prompt) {
            let file = self.0.iter().map(|dir| dir.join(&name)).find(|path| self.holds(path));
            found.extend(file.filter(|file| !found.contains(file)));
        }
        found
    }

    pub(super) fn file(&self, path: &Path) -> File {
        File {
            path: path.to_owned(),
            contents: std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            in_workspace: self.holds(path),
        }
    }

    /// The files with output to be corrected that the prompt names.
    pub(super) fn invalid_outputs(&self, prompt: &str) -> Vec<File> {
        let mut paths: Vec<&str> = prompt
            .split(|letter: char| letter.is_whitespace() || "\"'`<>()[]{},;@".contains(letter))
            .filter(|word| word.contains("temp-invalid-output-"))
            .map(|word| word.trim_end_matches(['.', ':']))
            .collect();
        paths.sort_unstable();
        paths.dedup();
        paths.into_iter().map(|path| self.file(&self.absolute(path))).collect()
    }

    fn absolute(&self, path: &str) -> PathBuf {
        self.0.iter().map(|dir| dir.join(path)).find(|path| path.exists()).unwrap_or_else(|| PathBuf::from(path))
    }
}

/// The words after each `@` without a backslash before it. A full stop ends a name only where a sentence could end.
fn at_names(prompt: &str) -> Vec<String> {
    let letters: Vec<char> = prompt.chars().collect();
    let mut names = Vec::new();
    for (at, _) in letters.iter().enumerate().filter(|(_, letter)| **letter == '@') {
        if at.checked_sub(1).and_then(|before| letters.get(before)) == Some(&'\\') {
            continue;
        }
        let mut name = String::new();
        let mut rest = letters.iter().skip(at + 1).peekable();
        while let Some(letter) = rest.next() {
            let sentence_end = *letter == '.' && rest.peek().is_none_or(|next| next.is_whitespace());
            if sentence_end || " \t\r\n,;!?()[]{}".contains(*letter) {
                break;
            }
            name.push(*letter);
        }
        if !name.is_empty() {
            names.push(name);
        }
    }
    names
}

/// The commands of the CLI. Without a terminal none of them can do anything; other words after a slash are plain text.
const COMMANDS: &[&str] = &[
    "about",
    "agents",
    "auth",
    "bug",
    "chat",
    "clear",
    "commands",
    "compress",
    "copy",
    "dir",
    "directory",
    "docs",
    "editor",
    "exit",
    "extensions",
    "help",
    "hooks",
    "ide",
    "init",
    "mcp",
    "memory",
    "model",
    "permissions",
    "plan",
    "policies",
    "privacy",
    "quit",
    "resume",
    "restore",
    "rewind",
    "settings",
    "setup-github",
    "shells",
    "skills",
    "stats",
    "terminal-setup",
    "theme",
    "tools",
    "upgrade",
    "vim",
];

pub(super) fn is_command(prompt: &str) -> bool {
    let command = prompt.strip_prefix('/').and_then(|rest| rest.split_whitespace().next());
    command.is_some_and(|command| COMMANDS.contains(&command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_at_names_a_file_unless_it_is_escaped() {
        let table: [(&str, &[&str]); 6] = [
            ("see @notes.txt.", &["notes.txt"]),
            ("see @notes.txt. More", &["notes.txt"]),
            (r"mail \@notes.txt", &[]),
            ("me@host.example, @b", &["host.example", "b"]),
            ("@/etc/passwd!", &["/etc/passwd"]),
            ("@ alone", &[]),
        ];
        for (prompt, names) in table {
            assert_eq!(at_names(prompt), names, "{prompt}");
        }
    }

    #[test]
    fn only_known_words_after_a_slash_are_commands() {
        for (prompt, command) in [("/quit now", true), ("/nonsense", false), ("say /quit", false), ("//quit", false)] {
            assert_eq!(is_command(prompt), command, "{prompt}");
        }
    }
}
