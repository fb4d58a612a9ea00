use std::path::Path;

use super::*;

#[test]
fn hints_are_said_to_their_reader() {
    for (hint, person, model) in [
        (
            "wait for it with `hadal results --wait 3f2b`",
            "wait for it with `hadal results --wait 3f2b`",
            "wait for it with `check_research_status(task_id='3f2b')`",
        ),
        (
            "check_research_status(task_id='3f2b') says how far it is",
            "`hadal status 3f2b` says how far it is",
            "check_research_status(task_id='3f2b') says how far it is",
        ),
        ("`hadal list` shows all tasks", "`hadal list` shows all tasks", "`list_research` shows all tasks"),
        ("`hadal doctor` shows it", "`hadal doctor` shows it", "for the user: `hadal doctor` shows it"),
        ("raise `budget_usd`", "raise `--budget-usd`", "raise `budget_usd`"),
        ("or `--engine extractive --web`", "or `--engine extractive --web`", "or `engine extractive web`"),
        (
            "get_research_results shows what was saved",
            "`hadal results` shows what was saved",
            "get_research_results shows what was saved",
        ),
        ("search for something else", "search for something else", "search for something else"),
    ] {
        assert_eq!(spoken(hint, Reader::Person), person);
        assert_eq!(spoken(hint, Reader::Model), model);
    }
}

#[test]
fn a_reply_keeps_everything_but_its_hints() {
    let reply = serde_json::json!({"report": "`hadal list` shows all tasks", "error": {"hints": ["see `hadal list`"]},
        "check_status_command": "check_research_status(task_id='x')"});
    let model = super::reply(&reply, Reader::Model).to_string();
    assert!(model.contains("see `list_research`") && model.contains("\"report\":\"`hadal list` shows"), "{model}");
    let person = super::reply(&reply, Reader::Person).to_string();
    assert!(person.contains("\"check_status_command\":\"hadal status x\""), "{person}");
}

/// Every hint in the program: none tells a model to type a command, none tells a person to call a tool.
#[test]
fn every_hint_speaks_the_language_of_its_surface() {
    let mut hints = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut hints);
    assert!(hints.len() > 80, "only {} hints were found", hints.len());
    for hint in hints {
        let model = spoken(&hint, Reader::Model);
        let commands = COMMANDS.iter().any(|(command, _)| model.contains(&format!("`{command}")));
        let others = model.contains("`hadal ") && !model.starts_with("for the user: ");
        assert!(!commands && !others && !model.contains("`--"), "to a model: {model}");
        let person = spoken(&hint, Reader::Person);
        let tools = COMMANDS.iter().any(|(_, tool)| tool.contains('_') && person.contains(tool));
        assert!(!tools, "to a person: {person}");
    }
}

/// The texts of `.hint("…")` and `.hint(format!("…"))` below a folder.
fn sources(dir: &Path, hints: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, hints);
        } else if name.ends_with(".rs")
            && !name.contains("tests")
            && !path.components().any(|part| part.as_os_str() == "mcp")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            for piece in text.split(".hint(").skip(1) {
                let piece = piece.trim_start().trim_start_matches("format!(").trim_start();
                let Some(piece) = piece.strip_prefix('"') else { continue };
                hints.extend(piece.split_once("\")").map(|(hint, _)| hint.replace("{0}", "ID").replace("{}", "ID")));
            }
        }
    }
}
