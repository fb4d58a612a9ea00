//! What lies in a library and is nobody's document.

use std::ffi::OsString;

use crate::cli::Home;

const KEY: &str = "AIzaSyFAKEKEYfakekey1234567890abcdefghi";

/// LB-01: where a home lies in a library, its keys and its data are not read; what else lies there is.
#[test]
fn lb_01_keys_and_data_of_hadal_are_no_documents() {
    let inner = Home::new();
    let set = inner.run_with(["key", "set", "gemini"].map(OsString::from).to_vec(), format!("{KEY}\n").as_bytes());
    assert_eq!(set.status, 0, "{}", set.stderr);
    let folder = inner.0.path();
    std::fs::write(folder.join("tides.md"), "# Tides\n\nThe tide at Brest rises by six metres.\n").unwrap();
    let asked = inner.run(&["deep-research", "--offline", "--library", "tides.md", "How far does the tide rise?"]);
    assert_eq!(asked.status, 0, "{}", asked.stderr);
    for copy in ["keys.toml.bak", "keys.toml"] {
        std::fs::copy(folder.join("config/keys.toml"), folder.join(copy)).unwrap();
    }
    let outer = Home::new();
    for root in [folder.to_owned(), folder.join("config"), folder.join("data")] {
        let added = outer.run(&["library", "add", "--json", "--hidden", root.to_str().unwrap()]);
        let root = &added.json()["root"];
        assert_eq!(
            added.stdout.contains("data of hadal"),
            !root["path"].as_str().unwrap().ends_with("config"),
            "{root}"
        );
        assert!(root["files"].as_u64().unwrap() <= 1, "{root}");
    }
    for question in ["What is GEMINI_API_KEY?", "gemini api key", "How far does the tide rise at Brest?"] {
        let done = outer.run(&["deep-research", "--offline", "--json", question]);
        assert!(!done.stdout.contains(KEY), "{question}: {}", done.stdout);
        assert_eq!(done.stdout.contains("six metres"), question.contains("tide"), "{}", done.stdout);
    }
}
