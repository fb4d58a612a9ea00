//! JSON Schemas of the tools, as small as they can be: every client pays for them in tokens, in every session.
//!
//! Taken out: titles, number formats that are not JSON Schema's own (some clients warn about them), and `null` for
//! what is simply absent.

use std::sync::Arc;

use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Value, json};

use super::tools::{Kind, Length};
use crate::core::base::rows::is_listed;
use crate::surface::wire::ErrorBody;

/// A tool as clients get to know it.
pub(super) fn tool<A: JsonSchema, R: JsonSchema>(
    (name, title): (&'static str, &'static str),
    (kind, length): (Kind, Length),
    description: &'static str,
) -> Tool {
    // Only what is not the protocol's default is said: by it a tool writes, destroys, is not idempotent and reaches out.
    let here = || ToolAnnotations::new().open_world(false);
    let hints = match kind {
        Kind::Starts => ToolAnnotations::new().destructive(false),
        Kind::Reads => here().read_only(true).idempotent(true),
        Kind::WritesFile | Kind::Tells => here().destructive(false),
        Kind::Stops => here().idempotent(true),
        Kind::Deletes => here(),
    };
    let tool = Tool::new(name, description, input::<A>())
        .with_title(title)
        .with_raw_output_schema(listed_reply(&reply::<R>()).into())
        .with_annotations(hints);
    if length == Length::Report { tool.with_meta(large_result()) } else { tool }
}

/// Characters of a result that a client is asked to show in full; about 50,000 tokens.
const RESULT_CHARS: usize = 200_000;

/// Some clients put a long result into a file unless the tool says how long it may be.
fn large_result() -> MetaObject {
    let mut meta = JsonObject::new();
    meta.insert("anthropic/maxResultSizeChars".to_owned(), json!(RESULT_CHARS));
    MetaObject::from(meta)
}

/// The schema of a tool's arguments.
pub(super) fn input<T: JsonSchema>() -> Arc<JsonObject> {
    Arc::new(generate::<T>(Contract::Deserialize))
}

/// The schema of a tool's reply, all of it. An error has the same shape: everything but `success` may be absent, and `error` may be there.
pub(super) fn reply<T: JsonSchema>() -> JsonObject {
    let mut schema = generate::<T>(Contract::Serialize);
    let error = generate::<ErrorBody>(Contract::Serialize);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert("error".to_owned(), Value::Object(error));
    }
    schema.insert("required".to_owned(), json!(["success"]));
    schema
}

/// The fields of replies that a model acts on.
const ACTED_ON: &str = "claims cost_so_far current_action deleted error estimated_cost evidence file_path message \
     paging partial recommendation report result sources status stop_reason success task_id tasks";

/// What the list of tools says of a reply: the fields that a model acts on and their types. Clients check replies against it, errors too; further
/// fields are allowed. The whole schemas stand in `docs/replies.json`.
pub(super) fn listed_reply(whole: &JsonObject) -> JsonObject {
    let mut listed = JsonObject::new();
    let properties = whole.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten().filter(|(name, _)| is_listed(ACTED_ON, name)) {
        listed.insert(name.clone(), json!({"type": property["type"]}));
    }
    let listed = json!({"type": "object", "properties": listed, "required": ["success"]});
    listed.as_object().cloned().unwrap_or_default()
}

fn generate<T: JsonSchema>(contract: Contract) -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        settings.contract = contract;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    match schema {
        Value::Object(mut schema) => {
            schema.remove("description");
            schema
        }
        // Only `true` and `false` are schemas without being objects, and no tool has such arguments.
        _ => JsonObject::new(),
    }
}

/// Tidies one schema and those inside it. A property may have the name of a keyword, so only schemas are looked at.
fn tidy(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    schema.remove("format");
    schema.remove("title");
    if schema.get("minimum") == Some(&json!(0)) && !schema.contains_key("maximum") {
        schema.remove("minimum");
    }
    let required: Vec<String> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
        .unwrap_or_default();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            if !required.contains(name) {
                without_null(property);
            }
            tidy(property);
        }
    }
    if let Some(items) = schema.get_mut("items") {
        tidy(items);
    }
}

/// An optional value is absent, not null.
fn without_null(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [single] = types.as_slice() {
            let single = single.clone();
            object.insert("type".to_owned(), single);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(any)) = object.get("anyOf") else { return };
    let mut others = any.iter().filter(|schema| **schema != json!({"type": "null"}));
    if let (Some(Value::Object(inner)), None) = (others.next().cloned(), others.next()) {
        object.remove("anyOf");
        for (keyword, value) in inner {
            object.entry(keyword).or_insert(value);
        }
    }
}
