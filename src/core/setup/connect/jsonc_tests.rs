use proptest::prelude::*;
use serde_json::json;

use super::*;

const PATH: [&str; 2] = ["servers", "hadal"];

fn entry() -> Value {
    json!({"command": "hadal", "args": ["serve"]})
}

#[test]
fn an_entry_is_added_in_the_style_of_the_file() {
    for (before, after) in [
        (
            "",
            "{\n  \"servers\": {\n    \"hadal\": {\n      \"command\": \"hadal\",\n      \"args\": [\"serve\"]\n    }\n  }\n}\n",
        ),
        (
            "{}",
            "{\n  \"servers\": {\n    \"hadal\": {\n      \"command\": \"hadal\",\n      \"args\": [\"serve\"]\n    }\n  }\n}",
        ),
        ("{\"a\":1}", "{\"a\":1, \"servers\": {\"hadal\":{\"command\":\"hadal\",\"args\":[\"serve\"]}}}"),
        (
            "// mine\n{\n\t\"a\": 1, // one\n\t/* none */\n\t\"servers\": {\n\t\t\"other\": {} // keep\n\t}\n}\n",
            "// mine\n{\n\t\"a\": 1, // one\n\t/* none */\n\t\"servers\": {\n\t\t\"other\": {}, // keep\n\t\t\"hadal\": {\n\t\t\t\"command\": \"hadal\",\n\t\t\t\"args\": [\"serve\"]\n\t\t}\n\t}\n}\n",
        ),
        (
            "{\r\n    \"servers\": {\r\n        \"other\": {},\r\n    },\r\n}\r\n",
            "{\r\n    \"servers\": {\r\n        \"other\": {},\r\n        \"hadal\": {\r\n            \"command\": \"hadal\",\r\n            \"args\": [\"serve\"]\r\n        },\r\n    },\r\n}\r\n",
        ),
        (
            "\u{feff}{\n  \"servers\": {\"hadal\": 7}\n}",
            "\u{feff}{\n  \"servers\": {\"hadal\": {\n    \"command\": \"hadal\",\n    \"args\": [\"serve\"]\n  }}\n}",
        ),
        (
            "{\n  \"servers\": {}, // none yet\n  \"b\": 2\n}",
            "{\n  \"servers\": {\n    \"hadal\": {\n      \"command\": \"hadal\",\n      \"args\": [\"serve\"]\n    }\n  }, // none yet\n  \"b\": 2\n}",
        ),
    ] {
        let edited = set(before, &PATH, &entry()).unwrap();
        assert_eq!(edited, after);
        assert_eq!(get(&edited, &PATH).unwrap(), Some(entry()), "{edited}");
    }
}

#[test]
fn an_entry_is_taken_out_and_nothing_else() {
    for (before, after) in [
        ("", ""),
        ("{}", "{}"),
        ("{\"servers\": {\"hadal\": {}}}", "{\"servers\": {}}"),
        ("{\"servers\": {\"hadal\": {}, \"b\": 1}}", "{\"servers\": {\"b\": 1}}"),
        ("{\"servers\": {\"a\": 1,\"hadal\": {}}}", "{\"servers\": {\"a\": 1}}"),
        (
            "{\n  \"servers\": {\n    \"a\": 1, // one\n    \"hadal\": {\n      \"x\": [1, 2]\n    }\n  }\n}\n",
            "{\n  \"servers\": {\n    \"a\": 1 // one\n  }\n}\n",
        ),
        (
            "{\r\n  \"servers\": {\r\n    \"hadal\": {},\r\n    // of b\r\n    \"b\": 1,\r\n  },\r\n}",
            "{\r\n  \"servers\": {\r\n    // of b\r\n    \"b\": 1,\r\n  },\r\n}",
        ),
    ] {
        assert_eq!(remove(before, &PATH).unwrap(), after);
    }
}

#[test]
fn what_is_no_json_is_not_edited() {
    for (text, line, what) in [
        ("{\n\"a\": 1\n\"b\": 2}", 3, "lacks a comma"),
        ("{\n  a: 1}", 2, "lacks a name in quotes"),
        ("{\"a\" 1}", 1, "lacks a colon"),
        ("{\"a\": }", 1, "has a value that is not valid"),
        ("{\"a\": \"b}", 1, "has a text without an end"),
        ("{\"a\": \"\\x\"}", 1, "has a text that is not valid"),
        ("{\"a\": 1} x", 1, "has something after its end"),
        ("{\"a\": [1 2]}", 1, "lacks a comma"),
        ("/* {", 1, "has a comment without an end"),
        ("{\"a\": 1,", 1, "lacks a name in quotes"),
        ("[]", 1, "is no object"),
        ("\n{\"servers\": []}", 2, "is no object"),
        ("<<<<<<< HEAD\n{}", 1, "has a value that is not valid"),
    ] {
        let fault = set(text, &PATH, &entry()).unwrap_err();
        assert_eq!((fault.line, fault.what), (line, what), "{text}");
    }
    let deep = format!("{}{}", "{\"a\":".repeat(500), "}".repeat(500));
    assert_eq!(set(&deep, &PATH, &entry()).unwrap_err().what, "is too deep");
}

#[test]
fn two_members_with_a_name_on_the_way_are_refused() {
    let fault = Fault { line: 2, what: "has the same name a second time" };
    for text in ["{\"servers\": {\"hadal\": 1},\n\"servers\": {}}", "{\"servers\": {\"hadal\": 1,\n\"hadal\": 2}}"] {
        assert_eq!(get(text, &PATH).unwrap_err(), fault);
        assert_eq!(set(text, &PATH, &json!(3)).unwrap_err(), fault);
        assert_eq!(remove(text, &PATH).unwrap_err(), fault);
    }
    let elsewhere = "{\"a\": 1, \"a\": 2, \"servers\": {\"hadal\": 1}}";
    assert_eq!(get(elsewhere, &PATH).unwrap(), Some(json!(1)));
}

/// Any JSON as a value, without floats, which are written in more than one way.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(".{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    /// The rest of any file stays as it is, however it is laid out, and what was added can be taken out.
    #[test]
    fn the_rest_stays(
        members in proptest::collection::btree_map("[a-z]{1,4}", any_json(), 0..4), servers in any::<bool>(), pretty in any::<bool>()
    ) {
        let mut file: serde_json::Map<String, Value> = members.into_iter().collect();
        if servers {
            file.insert("servers".into(), json!({"other": {"command": "x"}}));
        }
        let file = Value::Object(file);
        let text = if pretty { serde_json::to_string_pretty(&file).unwrap() } else { file.to_string() };
        let edited = set(&text, &PATH, &entry()).unwrap();
        let mut whole: Value = serde_json::from_str(&edited).unwrap();
        prop_assert_eq!(whole["servers"].as_object_mut().unwrap().remove("hadal"), Some(entry()));
        if !servers {
            whole.as_object_mut().unwrap().remove("servers");
        }
        prop_assert_eq!(&whole, &file);
        if servers {
            prop_assert_eq!(serde_json::from_str::<Value>(&remove(&edited, &PATH).unwrap()).unwrap(), file);
        }
    }

    /// Whatever a file holds, reading it ends without a panic.
    #[test]
    fn garbage_is_refused(text in "[{}\\[\\]\":,/*\\\\a1\n \u{feff}é]{0,60}") {
        if let Ok(edited) = set(&text, &PATH, &entry()) {
            prop_assert_eq!(get(&edited, &PATH).unwrap(), Some(entry()));
        }
        let _ = remove(&text, &PATH);
    }
}
