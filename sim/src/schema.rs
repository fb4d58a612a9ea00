//! Whether a value is as a JSON Schema says: the keywords that schemas of tools use, and no others. As a strict client would, it takes
//! nothing that the schema does not name.

use serde_json::{Map, Value};

/// Says nothing about which values are allowed.
const NOTES: [&str; 5] = ["description", "title", "examples", "default", "$schema"];

/// Checks a value. The error says where it does not fit.
///
/// # Errors
///
/// The value is not as the schema says, or the schema has a keyword that is not known here.
pub fn conforms(value: &Value, schema: &Value) -> Result<(), String> {
    let Value::Object(schema) = schema else { return Err(format!("no schema: {schema}")) };
    for (keyword, rule) in schema.iter().filter(|(keyword, _)| !NOTES.contains(&keyword.as_str())) {
        match keyword.as_str() {
            "type" => is_of_type(value, rule)?,
            "required" => has(value, rule)?,
            "properties" => fields(value, rule, schema)?,
            // What stands in `properties` is looked at there.
            "additionalProperties" => {}
            "items" => each(value, rule)?,
            "enum" => check(rule.as_array().is_some_and(|known| known.contains(value)), value, "one of", rule)?,
            "minimum" => bound(value, rule, |value, least| value >= least, "at least")?,
            "maximum" => bound(value, rule, |value, most| value <= most, "at most")?,
            "minItems" => counted(value.as_array().map(Vec::len), rule, |count, least| count >= least)?,
            "maxItems" => counted(value.as_array().map(Vec::len), rule, |count, most| count <= most)?,
            "minLength" => counted(chars(value), rule, |count, least| count >= least)?,
            "maxLength" => counted(chars(value), rule, |count, most| count <= most)?,
            unknown => return Err(format!("the keyword `{unknown}` is not known")),
        }
    }
    if schema.contains_key("type") { Ok(()) } else { Err(format!("no type in {schema:?}")) }
}

/// Checks a value as most clients do: fields that the schema does not name are allowed beside those that it does.
///
/// # Errors
///
/// As for [`conforms`].
pub fn allows(value: &Value, schema: &Value) -> Result<(), String> {
    let mut value = value.clone();
    if let (Some(fields), Some(named)) = (value.as_object_mut(), schema["properties"].as_object()) {
        fields.retain(|name, _| named.contains_key(name));
    }
    conforms(&value, schema)
}

fn check(fits: bool, value: &Value, what: &str, rule: &Value) -> Result<(), String> {
    if fits { Ok(()) } else { Err(format!("{value} is not {what} {rule}")) }
}

fn is_of_type(value: &Value, rule: &Value) -> Result<(), String> {
    let one = |name: &Value| match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some(_) | None => false,
    };
    let fits = rule.as_array().map_or_else(|| one(rule), |names| names.iter().any(one));
    check(fits, value, "of the type", rule)
}

fn has(value: &Value, rule: &Value) -> Result<(), String> {
    // The keyword speaks of objects alone; whether it must be one, the type says.
    if !value.is_object() {
        return Ok(());
    }
    let missing =
        rule.as_array().into_iter().flatten().filter_map(Value::as_str).find(|name| value.get(name).is_none());
    missing.map_or(Ok(()), |name| Err(format!("`{name}` is missing in {value}")))
}

fn fields(value: &Value, rule: &Value, schema: &Map<String, Value>) -> Result<(), String> {
    for (name, inner) in value.as_object().into_iter().flatten() {
        match (rule.get(name), schema.get("additionalProperties")) {
            (Some(own), _) => conforms(inner, own).map_err(|error| format!("{name}: {error}"))?,
            (None, Some(others @ Value::Object(_))) => {
                conforms(inner, others).map_err(|error| format!("{name}: {error}"))?
            }
            (None, _) => return Err(format!("`{name}` is not in the schema")),
        }
    }
    Ok(())
}

fn each(value: &Value, rule: &Value) -> Result<(), String> {
    let mut items = value.as_array().into_iter().flatten().enumerate();
    items.try_for_each(|(place, item)| conforms(item, rule).map_err(|error| format!("[{place}]: {error}")))
}

fn bound(value: &Value, rule: &Value, fits: fn(f64, f64) -> bool, what: &str) -> Result<(), String> {
    let (Some(number), Some(limit)) = (value.as_f64(), rule.as_f64()) else { return Ok(()) };
    check(fits(number, limit), value, what, rule)
}

fn counted(count: Option<usize>, rule: &Value, fits: fn(u64, u64) -> bool) -> Result<(), String> {
    let (Some(count), Some(limit)) = (count, rule.as_u64()) else { return Ok(()) };
    if fits(count as u64, limit) { Ok(()) } else { Err(format!("{count} entries or characters, not {limit}")) }
}

fn chars(value: &Value) -> Option<usize> {
    value.as_str().map(|text| text.chars().count())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_fit_is_told() {
        let schema = json!({"type": "object", "required": ["ok"], "properties": {
            "ok": {"type": "boolean"}, "n": {"type": ["integer", "null"], "minimum": 0, "maximum": 9},
            "list": {"type": "array", "maxItems": 2, "items": {"type": "string", "minLength": 1}}}});
        for (value, want) in [
            (json!({"ok": true}), ""),
            (json!({"ok": true, "n": null, "list": ["a", "b"]}), ""),
            (json!([]), "of the type"),
            (json!({}), "`ok` is missing"),
            (json!({"ok": null}), "ok: null is not of the type"),
            (json!({"ok": true, "n": 1.5}), "n: 1.5"),
            (json!({"ok": true, "n": 10}), "at most"),
            (json!({"ok": true, "n": -1}), "at least"),
            (json!({"ok": true, "list": [""]}), "list: [0]"),
            (json!({"ok": true, "list": ["a", "b", "c"]}), "3 entries"),
            (json!({"ok": true, "new": 1}), "`new` is not in the schema"),
        ] {
            let told = conforms(&value, &schema).err().unwrap_or_default();
            assert!(told.contains(want) && told.is_empty() == want.is_empty(), "{value}: {told}");
        }
        assert_eq!(allows(&json!({"ok": true, "new": 1}), &schema), Ok(()));
        assert!(allows(&json!({"ok": 1, "new": 1}), &schema).is_err());
        assert!(conforms(&json!(1), &json!({"type": "integer", "oneOf": []})).unwrap_err().contains("oneOf"));
        assert!(conforms(&json!(1), &json!({})).is_err());
    }
}
