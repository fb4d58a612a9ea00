//! Create: what is refused, and what an accepted body starts.

use serde_json::{Value, json};

use super::fault::Fault;
use super::plan::{End, ModelAnswer, Plan, Run, Shape, Usage};
use super::record::text;

/// What an agent says that was asked for its plan only.
pub const PLAN_TEXT: &str = "1. Find out how deep the sea is – at its deepest point.\n\
    2. Compare the measurements since 1875.\n3. Zusammenfassen, with sources.\n";

/// Fields of a create body. A client that sends others should be noticed.
const FIELDS: [&str; 20] = [
    "agent",
    "agent_config",
    "background",
    "cached_content",
    "continuation_token",
    "environment",
    "generation_config",
    "input",
    "labels",
    "model",
    "previous_interaction_id",
    "response_format",
    "response_mime_type",
    "response_modalities",
    "service_tier",
    "store",
    "stream",
    "system_instruction",
    "tools",
    "webhook_config",
];

/// Longest label or value of one, in characters.
const LABEL_CHARS: usize = 63;

/// Why a body is refused.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) message: String,
}

impl Refusal {
    fn invalid<T>(message: impl Into<String>) -> Result<T, Self> {
        Err(Self { status: 400, message: message.into() })
    }

    pub(super) fn missing(message: impl Into<String>) -> Self {
        Self { status: 404, message: message.into() }
    }

    pub(super) fn body(&self) -> Value {
        let code = if self.status == 404 { "not_found" } else { "invalid_request" };
        json!({"error": {"message": self.message, "code": code}})
    }
}

/// Checks everything about a body but its previous interaction. The name of the agent or the model is returned.
pub(super) fn check(plan: &Plan, body: &Value) -> Result<String, Refusal> {
    let Some(fields) = body.as_object() else { return Refusal::invalid("The request body is not a JSON object.") };
    if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Refusal::invalid(format!("Unknown name \"{unknown}\": Cannot find field."));
    }
    if text(&body["input"]).trim().is_empty() && !body["input"].is_array() {
        return Refusal::invalid("The 'input' field is required.");
    }
    labels(&body["labels"])?;
    let not_stored = body["store"] == false;
    if not_stored && body["background"] == true {
        return Refusal::invalid("store=true is required for background interactions.");
    }
    if not_stored && body.get("previous_interaction_id").is_some() {
        return Refusal::invalid("store=true is required with previous_interaction_id.");
    }
    match (body["agent"].as_str(), body["model"].as_str()) {
        (Some(agent), None) => agent_body(plan, body, agent).map(|()| agent.to_owned()),
        (None, Some(model)) => model_body(plan, body, model).map(|()| model.to_owned()),
        _ => Refusal::invalid("Exactly one of 'model' and 'agent' is required."),
    }
}

fn labels(labels: &Value) -> Result<(), Refusal> {
    let allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-".contains(letter);
    let fits = |text: &str| text.chars().count() <= LABEL_CHARS && text.chars().all(allowed);
    for (name, value) in labels.as_object().into_iter().flatten() {
        if !fits(name) || !value.as_str().is_some_and(fits) {
            return Refusal::invalid(format!("Label '{name}' is not valid."));
        }
    }
    Ok(())
}

fn agent_body(plan: &Plan, body: &Value, agent: &str) -> Result<(), Refusal> {
    if !plan.knows(agent) {
        return Err(Refusal::missing(format!("Agent '{agent}' was not found.")));
    }
    if body["background"] != true {
        return Refusal::invalid("Agents are required to use background=true.");
    }
    if body.get("system_instruction").is_some() {
        return Refusal::invalid(format!(
            "system_instruction is not supported for the {agent} agent. Please include any specific instructions in the \
             input prompt instead."
        ));
    }
    for field in ["response_format", "response_mime_type", "generation_config", "cached_content", "continuation_token"]
    {
        if body.get(field).is_some() {
            return Refusal::invalid(format!("{field} is not supported for the {agent} agent."));
        }
    }
    if body["tools"].as_array().into_iter().flatten().any(|tool| tool["type"] == "function") {
        return Refusal::invalid(format!("Custom functions are not supported for the {agent} agent."));
    }
    let Some(config) = body.get("agent_config") else { return Ok(()) };
    if config["type"] != "deep-research" {
        return Refusal::invalid("agent_config.type must be 'deep-research'.");
    }
    for (field, values) in [("thinking_summaries", ["auto", "none"]), ("visualization", ["auto", "off"])] {
        if config.get(field).is_some_and(|value| !values.iter().any(|allowed| value == allowed)) {
            return Refusal::invalid(format!("agent_config.{field} has an invalid value."));
        }
    }
    Ok(())
}

fn model_body(plan: &Plan, body: &Value, model: &str) -> Result<(), Refusal> {
    if plan.knows(model) || model.starts_with("deep-research") {
        return Refusal::invalid(format!(
            "'{model}' refers to an agent, but was provided in the 'model' field. Please use the 'agent' field instead."
        ));
    }
    if !model.starts_with("gemini-") {
        return Err(Refusal::missing(format!("Model '{model}' was not found.")));
    }
    if plan.refuses_form_with_tools && body.get("response_format").is_some() && body.get("tools").is_some() {
        return Refusal::invalid("Tool use with a response mime type: 'application/json' is unsupported");
    }
    Ok(())
}

/// What an accepted body starts.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) run: Run,
    pub(super) queries: Vec<String>,
    pub(super) fault: Option<Fault>,
}

/// An agent that goes to work, or only plans it.
pub(super) fn agent(plan: &Plan, body: &Value, input: &str) -> Started {
    let mut run = plan.run(input).clone();
    if body["agent_config"]["collaborative_planning"] == true {
        run = Run {
            seconds: run.seconds / 10.0,
            searches: 0,
            pages: 0,
            thoughts: run.thoughts.min(1),
            report: PLAN_TEXT.to_owned(),
            sources: Vec::new(),
            usage: Usage::PLANNING,
            spread: 1,
            image_bytes: 0,
            ..run
        };
    }
    let subject: String = input.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
    let queries = (1..=run.searches.max(1)).map(|n| format!("{subject} {n}")).collect();
    Started { run, queries, fault: None }
}

/// The answer of a model; `used` counts how often each was given. `None` when the plan has none left.
pub(super) fn model(plan: &Plan, used: &mut Vec<u64>, body: &Value, input: &str) -> Option<Started> {
    used.resize(plan.models.len(), 0);
    let instruction = body["system_instruction"].as_str().unwrap_or_default();
    let fits = |answer: &ModelAnswer, used: u64| {
        answer.times.is_none_or(|times| used < times)
            && (input.contains(&answer.contains) || instruction.contains(&answer.contains))
    };
    let position = plan.models.iter().zip(used.iter()).position(|(answer, used)| fits(answer, *used));
    let answer = match position {
        Some(n) => {
            used[n] += 1;
            plan.models[n].clone()
        }
        None if plan.models.is_empty() => ModelAnswer::default(),
        None => return None,
    };
    let run = Run {
        seconds: 0.0,
        queued_seconds: 0.0,
        searches: u32::try_from(answer.queries.len()).unwrap_or(u32::MAX),
        pages: 0,
        thoughts: 0,
        report: answer.text,
        sources: answer.sources,
        usage: answer.usage,
        end: End::Completed,
        shape: Shape::Steps,
        spread: 1,
        image_bytes: 0,
        usage_delay_seconds: 0.0,
        usage_while_running: false,
        sync: true,
        stall_after: None,
    };
    Some(Started { run, queries: answer.queries, fault: answer.fault })
}
