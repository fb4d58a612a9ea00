//! Prompts, which clients show as slash commands: each asks for one of the tools in words that a person would use.

use rmcp::model::{GetPromptResult, JsonObject, ListPromptsResult, Prompt, PromptArgument, PromptMessage, Role};

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::surface::wire::excerpt;

struct PromptRow {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name, description, and whether it must be given.
    arguments: &'static [(&'static str, &'static str, bool)],
    /// `{name}` stands for an argument.
    text: &'static str,
}

const PROMPTS: &[PromptRow] = &[
    PromptRow {
        name: "research_this",
        title: "Research this",
        description: "A cited report on a question",
        arguments: &[("question", "The question, complete", true)],
        text: "Research this with hadal's deep_research and answer from its report, keeping the [n] citations and listing the \
               sources. If it returns running_async, follow it with check_research_status until it is over.\n\n{question}",
    },
    PromptRow {
        name: "check_this_text",
        title: "Check this text",
        description: "Every claim of a text against the pages it cites",
        arguments: &[("text", "The text with its citations, or the id of a task", true)],
        text: "Check this with hadal's check_claims and tell me which claims their sources do not bear out, with the reason of \
               each. Do not judge from memory.\n\n{text}",
    },
    PromptRow {
        name: "compare_options",
        title: "Compare options",
        description: "A cited comparison, with a table",
        arguments: &[
            ("options", "What is compared, such as: SQLite, PostgreSQL", true),
            ("criteria", "What matters, such as: cost, speed", false),
        ],
        text: "Compare these with hadal's deep_research: one question that names all of them and what matters, then a table with \
               a row for each criterion and a citation in each cell, and a recommendation with its conditions. Say where the \
               sources are silent.\n\nOptions: {options}\nWhat matters: {criteria}",
    },
];

/// What stands for an argument that was not given.
const NOT_GIVEN: &str = "whatever the sources show to matter";

pub(super) fn list() -> ListPromptsResult {
    let prompt = |row: &PromptRow| {
        let arguments = row.arguments.iter().map(|(name, description, required)| {
            PromptArgument::new(*name).with_description(*description).with_required(*required)
        });
        Prompt::new(row.name, Some(row.description), Some(arguments.collect())).with_title(row.title)
    };
    ListPromptsResult::with_all_items(PROMPTS.iter().map(prompt).collect())
}

pub(super) fn get(name: &str, given: Option<&JsonObject>) -> Result<GetPromptResult> {
    let row = PROMPTS.iter().find(|row| row.name == name).ok_or_else(|| {
        let shown = excerpt(name, limits::ECHO_CHARS);
        Error::new(Code::InvalidArgument, format!("there is no prompt `{shown}`")).hint("prompts/list has the names")
    })?;
    let mut text = String::new();
    let mut rest = row.text;
    // One pass: what an argument holds is not looked at again.
    while let Some((before, after)) = rest.split_once('{') {
        let (argument, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(value(row, argument, given)?);
        rest = after;
    }
    text.push_str(rest);
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).with_description(row.description))
}

fn value<'a>(row: &PromptRow, argument: &str, given: Option<&'a JsonObject>) -> Result<&'a str> {
    let value = given.and_then(|given| given.get(argument)?.as_str()).map(str::trim).filter(|value| !value.is_empty());
    let required = row.arguments.iter().any(|(name, _, required)| *name == argument && *required);
    match value {
        Some(value) => Ok(value),
        None if required => Err(Error::new(Code::InvalidArgument, format!("the prompt needs `{argument}`"))),
        None => Ok(NOT_GIVEN),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn said(name: &str, given: Value) -> Result<String> {
        let result = get(name, given.as_object())?;
        Ok(serde_json::to_value(result).unwrap()["messages"][0]["content"]["text"].as_str().unwrap().to_owned())
    }

    /// MC-01: every prompt fills in what it is given, and names a tool that there is.
    #[test]
    fn mc_01_prompts_are_filled_in() {
        for row in PROMPTS {
            let all: JsonObject =
                row.arguments.iter().map(|(name, ..)| ((*name).to_owned(), json!("{question} 7"))).collect();
            let text = said(row.name, Value::Object(all)).unwrap();
            assert_eq!(text.matches("{question} 7").count(), row.arguments.len(), "{text}");
            assert!(super::super::tool_names().any(|tool| text.contains(tool)), "{text}");
            let error = said(row.name, json!({})).unwrap_err();
            assert_eq!(error.code, Code::InvalidArgument);
        }
        assert!(said("compare_options", json!({"options": "A, B"})).unwrap().ends_with(NOT_GIVEN));
        assert!(said("no_such", json!({})).is_err());
    }
}
