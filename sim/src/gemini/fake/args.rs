//! The command line of Gemini CLI 0.61, with the refusals of the real one.

use std::path::PathBuf;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Text,
    Json,
    StreamJson,
}

#[derive(Debug, Default)]
pub(super) struct Args {
    pub(super) format: Format,
    pub(super) prompt: Option<String>,
    pub(super) model: Option<String>,
    pub(super) policies: Vec<PathBuf>,
    pub(super) include: Vec<PathBuf>,
    pub(super) skip_trust: bool,
    pub(super) yolo: bool,
    pub(super) session_id: Option<String>,
    pub(super) version: bool,
    pub(super) help: bool,
}

/// Name, short name, and whether a value follows.
const FLAGS: &[(&str, &str, bool)] = &[
    ("debug", "d", false),
    ("model", "m", true),
    ("prompt", "p", true),
    ("prompt-interactive", "i", true),
    ("skip-trust", "", false),
    ("worktree", "w", true),
    ("sandbox", "s", false),
    ("yolo", "y", false),
    ("approval-mode", "", true),
    ("policy", "", true),
    ("admin-policy", "", true),
    ("acp", "", false),
    ("experimental-acp", "", false),
    ("allowed-mcp-server-names", "", true),
    ("allowed-tools", "", true),
    ("extensions", "e", true),
    ("list-extensions", "l", false),
    ("resume", "r", true),
    ("session-file", "", true),
    ("session-id", "", true),
    ("list-sessions", "", false),
    ("delete-session", "", true),
    ("include-directories", "", true),
    ("screen-reader", "", false),
    ("output-format", "o", true),
    ("raw-output", "", false),
    ("accept-raw-output-risk", "", false),
    ("version", "v", false),
    ("help", "h", false),
];

impl Args {
    /// The error is the line above the help text.
    pub(super) fn parse(argv: &[String]) -> Result<Self, String> {
        let mut args = Self::default();
        let mut words = Vec::new();
        let mut modes = Vec::new();
        let mut rest = argv.iter();
        while let Some(word) = rest.next() {
            let Some((name, given)) = flag(word) else {
                words.push(word.clone());
                continue;
            };
            let known = FLAGS.iter().find(|(long, short, _)| *long == name || (!short.is_empty() && *short == name));
            let Some((long, _, takes)) = known else { return Err(format!("Unknown argument: {name}")) };
            let value = match given {
                _ if !takes => String::new(),
                Some(value) => value.to_owned(),
                // What looks like a flag is not taken for a value.
                None => rest
                    .next()
                    .filter(|value| !value.starts_with('-'))
                    .ok_or_else(|| format!("Not enough arguments following: {name}"))?
                    .clone(),
            };
            if ["yolo", "approval-mode"].contains(long) {
                modes.push(*long);
            }
            args.set(long, value)?;
        }
        if modes.contains(&"yolo") && modes.contains(&"approval-mode") {
            return Err(BOTH_MODES.to_owned());
        }
        if !words.is_empty() {
            if args.prompt.is_some() {
                return Err("Cannot use both a positional prompt and the --prompt (-p) flag together".to_owned());
            }
            args.prompt = Some(words.join(" "));
        }
        Ok(args)
    }

    fn set(&mut self, flag: &str, value: String) -> Result<(), String> {
        let list = |value: &str| value.split(',').map(|one| PathBuf::from(one.trim())).collect::<Vec<_>>();
        match flag {
            "output-format" => {
                self.format = match value.as_str() {
                    "text" => Format::Text,
                    "json" => Format::Json,
                    "stream-json" => Format::StreamJson,
                    _ => return Err(invalid("output-format", &value, r#""text", "json", "stream-json""#)),
                }
            }
            "approval-mode" => {
                if !["default", "auto_edit", "yolo", "plan"].contains(&value.as_str()) {
                    return Err(invalid("approval-mode", &value, r#""default", "auto_edit", "yolo", "plan""#));
                }
                self.yolo = value == "yolo";
            }
            "prompt" => self.prompt = Some(value),
            "model" => self.model = Some(value),
            "policy" => self.policies.extend(list(&value)),
            "include-directories" => self.include.extend(list(&value)),
            "session-id" => self.session_id = Some(value),
            "skip-trust" => self.skip_trust = true,
            "yolo" => self.yolo = true,
            "version" => self.version = true,
            "help" => self.help = true,
            "acp" | "experimental-acp" => return Err("the fake does not speak ACP".to_owned()),
            _ => {}
        }
        Ok(())
    }
}

const BOTH_MODES: &str = "Cannot use both --yolo (-y) and --approval-mode together. Use --approval-mode=yolo instead.";

/// Name and value of `--name`, `--name=value`, `-n` or `-n=value`.
fn flag(word: &str) -> Option<(&str, Option<&str>)> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|name| !name.is_empty())?;
    Some(name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value))))
}

fn invalid(flag: &str, given: &str, choices: &str) -> String {
    format!("Invalid values:\n  Argument: {flag}, Given: \"{given}\", Choices: {choices}")
}

/// The start of the help text; the real one is longer.
pub(super) fn help() -> String {
    let mut text = "Usage: gemini [options] [command]\n\nGemini CLI - Launch an interactive CLI, use -p/--prompt for non-interactive mode\n\nOptions:\n".to_owned();
    for (long, short, takes) in FLAGS {
        let short = if short.is_empty() { "    ".to_owned() } else { format!("-{short}, ") };
        text += &format!("  {short}--{long}  [{}]\n", if *takes { "string" } else { "boolean" });
    }
    text
}
