//! JSON Schemas of the tools, as small as they can be: every client pays for them in tokens, in every session.
//!
//! Taken out: titles, number formats that are not JSON Schema's own (some clients warn about them), and `null` for
//! what is simply absent.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Value, json};

/// The schema of a tool's arguments.
pub(super) fn input<T: JsonSchema>() -> Arc<JsonObject> {
    Arc::new(generate::<T>(Contract::Deserialize))
}

/// The schema of a tool's reply. Clients check an error's structured content against it as well, so it
/// takes both shapes: everything but `success` may be absent, and `error` may be there.
pub(super) fn output<T: JsonSchema>() -> Arc<JsonObject> {
    let mut schema = generate::<T>(Contract::Serialize);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        // What an error holds is in the server's instructions, once and not in every tool.
        properties.insert("error".to_owned(), json!({"type": "object"}));
    }
    schema.insert("required".to_owned(), json!(["success"]));
    outline(&mut schema, 0);
    Arc::new(schema)
}

/// Levels of a reply that its schema describes. Deeper down there is only the type: whoever wants to know looks at
/// the reply.
const OUTLINE_DEPTH: u32 = 2;

/// Leaves the upper levels of a reply's schema. What must be there is said of the reply itself only.
fn outline(schema: &mut JsonObject, depth: u32) {
    if depth > 0 {
        schema.remove("required");
    }
    if depth >= OUTLINE_DEPTH {
        schema.remove("properties");
        schema.remove("items");
        schema.remove("description");
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        items.remove("description");
        outline(items, depth);
        items.remove("required");
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            outline(property, depth + 1);
        }
    }
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
