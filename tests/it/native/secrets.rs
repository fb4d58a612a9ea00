//! PR-02: a key goes to its server and nowhere else, whatever the server does with it.

use std::path::PathBuf;

use sim::chat::{Received, Say};
use sim::echo::{complaint, tells};
use sim::search::Fault;
use sim::web::{ANSWER, QUESTION};

use super::Lab;
use super::script::{Step, reader, step};

const MODEL_KEY: &str = "sk-model/4be1+f7=\"tell\\nobody";
const SEARCH_KEY: &str = "tvly/93ab+c2==\"say\\nothing";

fn told(bytes: &[u8]) -> bool {
    tells(bytes, MODEL_KEY) || tells(bytes, SEARCH_KEY)
}

fn files_that_tell(lab: &Lab) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(lab.home.path()).into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter(|path| told(&std::fs::read(path).unwrap())).collect()
}

fn lab(model: impl Fn(&Received) -> Say + Send + Sync + 'static) -> Lab {
    Lab::new(model).with("HADAL_MODEL_API_KEY", MODEL_KEY).with("TAVILY_API_KEY", SEARCH_KEY).with("HADAL_LOG", "info")
}

/// PR-02: a model server that puts the key into its errors and its answers, in every form, and a search provider that puts its
/// own into a refusal and into hits: neither is in a reply, a line on stderr, the database, or a saved file.
#[test]
fn pr_02_keys_that_servers_repeat_are_told_to_nobody() {
    for status in [400, 401, 429, 500] {
        let lab = lab(move |asked| match (step(asked), reader(asked)) {
            // One question fails, the others answer; all tell.
            (Step::Reflect, _) => Say::Refused(status, complaint(asked.key.as_deref().unwrap_or_default())),
            (_, Say::Text(text)) => {
                let told = complaint(asked.key.as_deref().unwrap_or_default());
                let text = text.replace("Meridian Lark", &format!("Meridian Lark ({told})"));
                Say::Text(format!("{text} It was paid with {told}."))
            }
            (_, other) => other,
        })
        .with("HADAL_SEARCH_PROVIDERS", "tavily,wikipedia");
        lab.search.fail("tavily", Fault::Says(status, complaint(SEARCH_KEY)), 1);
        lab.search.list(
            "http://registry.sim.test/captain",
            "The captain of the Halvorsen ship",
            &complaint(SEARCH_KEY),
        );
        for args in [&["deep-research", QUESTION, "--task-scope", "large"][..], &["search", QUESTION]] {
            let (reply, output) = lab.run(args);
            assert!(!told(&output.stdout), "{status} {args:?}: {reply:#}");
            assert!(!told(&output.stderr), "{status} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        let id = lab.run(&["list"]).0["tasks"][0]["task_id"].as_str().unwrap().to_owned();
        for args in [&["results", &id][..], &["status", &id], &["save", &id], &["doctor"]] {
            let output = lab.command().args(args).output().unwrap();
            assert!(!told(&output.stdout) && !told(&output.stderr), "{status} {args:?}: {output:?}");
        }
        assert_eq!(files_that_tell(&lab), Vec::<PathBuf>::new(), "{status}");
        assert!(lab.chat.requests().iter().all(|request| request.key.as_deref() == Some(MODEL_KEY)), "it was sent");
        assert!(lab.search.requests().iter().any(|request| request.provider == "tavily"), "it was asked");
    }
}

/// PR-02: a short key is a part of ordinary words; it is sent, and no reply is torn apart for it. `doctor` says so.
#[test]
fn pr_02_a_short_key_tears_no_reply_apart() {
    let lab = Lab::new(reader).with("HADAL_MODEL_API_KEY", "captain").with("TAVILY_API_KEY", "a");
    let reply = lab.research(&[QUESTION, "--task-scope", "large"]);
    let result = reply["result"].as_str().unwrap();
    assert!(result.contains(ANSWER) && result.contains("captain") && !result.contains("****"), "{reply:#}");
    let (doctor, _) = lab.run(&["doctor"]);
    let checks = doctor["checks"].as_array().unwrap();
    let warned: Vec<&str> = checks
        .iter()
        .filter(|check| check["name"] == "keys" && check["state"] == "warning")
        .filter_map(|check| check["detail"].as_str()?.split('`').nth(1))
        .collect();
    assert_eq!(warned, ["HADAL_MODEL_API_KEY", "TAVILY_API_KEY"], "{doctor:#}");
    assert!(!doctor.to_string().contains("captain"), "{doctor:#}");
}
