//! Arguments of a tool call, from JSON to types. What does not fit is a coded error that names the argument.

use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::surface::wire::excerpt;

pub(super) fn read<T: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<T> {
    let mut arguments = arguments.unwrap_or_default();
    arguments.values_mut().for_each(whole);
    parse(arguments.clone()).map_err(|error| refuse(&error, culprit::<T>(&arguments, &error.to_string())))
}

/// Clients that have one kind of number write 2 as 2.0.
fn whole(value: &mut Value) {
    /// The largest below which every whole number has a place of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < EXACT);
            #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
            if let Some(whole) = whole.filter(|_| number.is_f64()) {
                *value = Value::from(whole as i64);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(whole),
        Value::Object(fields) => fields.values_mut().for_each(whole),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn parse<T: DeserializeOwned>(arguments: JsonObject) -> serde_json::Result<T> {
    serde_json::from_value(Value::Object(arguments))
}

/// A type error does not say where it is. The argument without which the error is gone, or another one, is the one.
fn culprit<'a, T: DeserializeOwned>(arguments: &'a JsonObject, error: &str) -> Option<&'a str> {
    arguments.keys().map(String::as_str).find(|key| {
        let mut rest = arguments.clone();
        rest.remove(*key);
        parse::<T>(rest).map_or_else(|other| other.to_string() != error, |_| true)
    })
}

fn refuse(error: &serde_json::Error, culprit: Option<&str>) -> Error {
    // The text of the error can repeat the argument, which can be megabytes.
    let what = excerpt(&error.to_string(), limits::ECHO_CHARS);
    let message = match culprit.filter(|name| !what.contains(*name)) {
        Some(name) => format!("`{}`: {what}", excerpt(name, limits::ECHO_CHARS)),
        None => what,
    };
    Error::new(Code::InvalidArgument, message).hint("tools/list has the schema of the arguments")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::surface::wire::{DeepResearchArgs, StatusArgs};

    fn refused(arguments: Value) -> String {
        let Value::Object(arguments) = arguments else { panic!("an object") };
        let error = read::<DeepResearchArgs>(Some(arguments)).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
        error.message
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (arguments, says) in [
            (json!({"query": 7}), "`query`: invalid type: integer `7`"),
            (json!({"query": "why?", "max_attempts": "3"}), "`max_attempts`: invalid type: string"),
            (json!({"query": "why?", "max_attempts": -1}), "`max_attempts`: invalid value: integer `-1`"),
            (json!({"query": "why?", "task_scope": "huge"}), "`task_scope`: unknown variant `huge`"),
            (json!({"query": "why?", "library": "docs"}), "`library`: invalid type: string"),
            (json!({"query": "why?", "depth": 3}), "unknown field `depth`"),
        ] {
            let message = refused(arguments);
            assert!(message.contains(says), "{message:?} does not say {says:?}");
        }
    }

    #[test]
    fn a_huge_argument_is_not_repeated() {
        assert!(refused(json!({"query": "why?", "max_attempts": "x".repeat(1 << 20)})).len() < 400);
    }

    #[test]
    fn whole_numbers_may_have_a_point() {
        let read = |wait: Value| {
            let Value::Object(arguments) = json!({"task_id": "x", "wait_seconds": wait}) else { panic!("an object") };
            read::<StatusArgs>(Some(arguments)).map(|read| read.wait_seconds)
        };
        assert_eq!(read(json!(2.0)).unwrap(), Some(2));
        for wrong in [json!(2.5), json!(-2.0), json!(1e300)] {
            assert_eq!(read(wrong).unwrap_err().code, Code::InvalidArgument);
        }
    }

    #[test]
    fn null_is_as_good_as_absent() {
        let Value::Object(arguments) = json!({"task_id": "x", "wait_seconds": null}) else { panic!("an object") };
        assert_eq!(read::<StatusArgs>(Some(arguments)).unwrap().wait_seconds, None);
        assert!(read::<StatusArgs>(None).unwrap_err().message.contains("missing field `task_id`"));
    }
}
