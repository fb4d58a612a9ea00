//! Hints in the language of whoever reads them: a person types commands, a model calls tools.
//!
//! Errors are made far from any surface and name what to do as a command or as a tool. Here is the one table that says which is which; each
//! surface passes what it shows through it.

use serde::Serialize;
use serde_json::Value;

/// Who reads a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    Person,
    Model,
}

/// A command and the tool that does the same. Longer commands come before their beginnings.
const COMMANDS: [(&str, &str); 16] = [
    ("hadal results --wait", "check_research_status"),
    ("hadal results", "get_research_results"),
    ("hadal status", "check_research_status"),
    ("hadal cancel", "cancel_research"),
    ("hadal steer", "steer_research"),
    ("hadal list", "list_research"),
    ("hadal start", "start_deep_research"),
    ("hadal estimate", "estimate_research_cost"),
    ("hadal save", "save_research_to_markdown"),
    ("hadal delete", "delete_research"),
    ("hadal deep-search", "deep_search"),
    ("hadal deep-research", "deep_research"),
    ("hadal search", "search"),
    ("hadal ask", "deep_research"),
    ("hadal study", "study"),
    ("hadal check", "check_claims"),
];

/// A flag and the argument that means the same.
const FLAGS: [(&str, &str); 14] = [
    ("--site", "sites"),
    ("--since", "since"),
    ("--library", "library"),
    ("--web", "web"),
    ("--context", "context"),
    ("--engine", "engine"),
    ("--task-scope", "task_scope"),
    ("--task-type", "task_type_hint"),
    ("--max-attempts", "max_attempts"),
    ("--max-iterations", "max_iterations"),
    ("--budget-usd", "budget_usd"),
    ("--budget-tokens", "budget_tokens"),
    ("--budget-seconds", "budget_seconds"),
    ("--again", "again"),
];

/// Fields of replies that tell what to do next.
const FIELDS: [&str; 3] = ["hints", "check_status_command", "fix"];

/// A hint as its reader can follow it.
pub(crate) fn spoken(hint: &str, reader: Reader) -> String {
    match reader {
        Reader::Model => for_model(hint),
        Reader::Person => for_person(hint),
    }
}

/// A reply's JSON, in which what to do next is said to this reader; everything else is as it was.
pub(crate) fn reply(reply: &impl Serialize, reader: Reader) -> Value {
    // No reply has keys that are not text, the only thing JSON cannot hold.
    let mut value = serde_json::to_value(reply).unwrap_or_default();
    reword(&mut value, reader);
    value
}

fn reword(value: &mut Value, reader: Reader) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(hint) if FIELDS.contains(&name.as_str()) => *hint = field(hint, reader),
                    Value::Array(list) if FIELDS.contains(&name.as_str()) => {
                        for hint in list {
                            if let Value::String(hint) = hint {
                                *hint = field(hint, reader);
                            }
                        }
                    }
                    other => reword(other, reader),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| reword(value, reader)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A field that is nothing but a command needs no marks around it.
fn field(hint: &str, reader: Reader) -> String {
    let said = spoken(hint, reader);
    let bare = said.strip_prefix('`').and_then(|said| said.strip_suffix('`')).filter(|bare| !bare.contains('`'));
    bare.map_or(said.clone(), str::to_owned)
}

/// Commands become tools; those that no tool does are for the user.
fn for_model(hint: &str) -> String {
    let mut for_the_user = false;
    let pieces: Vec<String> = hint
        .split('`')
        .enumerate()
        .map(|(place, piece)| {
            if place % 2 == 0 {
                return piece.to_owned();
            }
            for_the_user |= piece.starts_with("hadal ") && tool_call(piece).is_none();
            let said = tool_call(piece).or_else(|| arguments(piece)).unwrap_or_else(|| piece.to_owned());
            format!("`{said}`")
        })
        .collect();
    let said = pieces.concat();
    if for_the_user { format!("for the user: {said}") } else { said }
}

/// `hadal results --wait ID` as `check_research_status(task_id='ID')`, which can wait; the tool that hands the report over does not.
fn tool_call(command: &str) -> Option<String> {
    let (name, tool) = COMMANDS
        .iter()
        .find(|(name, _)| command.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))?;
    let words: Vec<&str> = command.strip_prefix(name)?.split_whitespace().collect();
    Some(match words.as_slice() {
        [] => (*tool).to_owned(),
        [id] if !id.starts_with('-') => format!("{tool}(task_id='{id}')"),
        [..] => (*tool).to_owned(),
    })
}

/// `--engine extractive --web` as `engine extractive, web`.
fn arguments(flags: &str) -> Option<String> {
    if !flags.starts_with("--") {
        return None;
    }
    let said = |word: &str| match FLAGS.iter().find(|(flag, _)| *flag == word) {
        Some((_, argument)) => (*argument).to_owned(),
        None => word.trim_start_matches('-').replace('-', "_"),
    };
    let words = flags.split_whitespace().map(|word| if word.starts_with("--") { said(word) } else { word.to_owned() });
    Some(words.collect::<Vec<_>>().join(" "))
}

/// Tools become commands, and arguments flags.
fn for_person(hint: &str) -> String {
    let mut said = hint.to_owned();
    for (command, tool) in COMMANDS.iter().skip(1) {
        // `search` and `study` are words as well; as tools they stand in code.
        let marked = format!("`{tool}`");
        said = said.replace(&marked, &format!("`{command}`"));
        if tool.contains('_') {
            said = commanded(&said, tool, command);
        }
    }
    for (flag, argument) in FLAGS {
        said = said.replace(&format!("`{argument}`"), &format!("`{flag}`"));
    }
    said
}

/// `check_research_status(task_id='ID')` as `hadal status ID`, in code.
fn commanded(hint: &str, tool: &str, command: &str) -> String {
    let mut said = String::new();
    let mut rest = hint;
    while let Some((before, after)) = rest.split_once(tool) {
        let (arguments, behind) = match after.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
            Some((inner, behind)) => (inner, behind),
            None => ("", after),
        };
        let id = arguments.split('\'').nth(1).map(|id| format!(" {id}")).unwrap_or_default();
        let in_code = before.ends_with('`');
        let code = if in_code { format!("{command}{id}") } else { format!("`{command}{id}`") };
        said.push_str(before);
        said.push_str(&code);
        rest = behind;
    }
    said.push_str(rest);
    said
}

#[cfg(test)]
#[path = "hints_tests.rs"]
mod tests;
