//! The key goes into one header and nowhere else.

use std::path::Path;

use sim::interactions::{Fault, FaultRule, ModelAnswer};

use super::*;

const CANARY: &str = "canary/4be1+f7=\"tell\\nobody";

/// Whether a file or a text has it.
fn has(bytes: &[u8]) -> bool {
    sim::echo::tells(bytes, CANARY)
}

fn files_that_tell(dir: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(dir).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).filter(|path| has(&std::fs::read(path).unwrap())).collect()
}

/// HR-05: neither research nor searches, faults that repeat the key, `doctor` or `config` show it: not on stdout, not on
/// stderr, in no file and in no argument.
#[test]
fn hr_05_the_key_is_told_to_nobody() {
    let tells = |on, status| FaultRule::always(on, Fault::TellsKey { status });
    let of = |word: &str, rule: FaultRule| FaultRule { input: Some(word.into()), ..rule };
    let said = json!({"success": true, "verified": true, "report": "Deep.", "metadata": {}}).to_string();
    let plan = Plan {
        faults: vec![
            of("refused", tells(On::Create, 400)),
            of("forbidden", tells(On::Create, 403)),
            of("uncertain", tells(On::Create, 500)),
            of("limited", FaultRule { times: Some(1), ..tells(On::Create, 429) }),
            of("followed", FaultRule { times: Some(3), ..tells(On::Get, 503) }),
            FaultRule { times: Some(1), ..tells(On::Cancel, 500) },
        ],
        models: vec![ModelAnswer { text: said, ..ModelAnswer::default() }],
        ..fast()
    };
    let lab = Lab::new(plan).with("GEMINI_API_KEY", CANARY).with("HADAL_LOG", "info");
    let mut client = lab.serve();
    let mut seen = String::new();
    for (word, wanted) in
        [("refused", "PROVIDER_REFUSED"), ("forbidden", "NOT_AUTHENTICATED"), ("uncertain", "PAID_RUN_UNCERTAIN")]
    {
        let reply = client.call("start_deep_research", json!({"query": format!("{word}: how deep is the sea?")}));
        assert_eq!(code(&reply), wanted, "{reply:#}");
        assert!(message(&reply).contains("x-goog-api-key: ********"), "the provider's own words are kept: {reply:#}");
        let search = client.call("search", json!({"query": format!("{word}: how deep is the sea?")}));
        assert_eq!(search["success"], false, "{search:#}");
        seen.push_str(&format!("{reply}{search}"));
    }
    for word in ["limited", "followed"] {
        let id = start(&mut client, &format!("{word}: how deep is the sea?"));
        seen.push_str(&ended(&mut client, &id).to_string());
        seen.push_str(&results(&mut client, &id).to_string());
        seen.push_str(&client.call("save_research_to_markdown", json!({"task_id": id})).to_string());
    }
    lab.api.set_plan(Plan { faults: vec![tells(On::Cancel, 500)], ..still() });
    let id = start(&mut client, "cancelled: how deep is the sea?");
    seen.push_str(&client.call("cancel_research", json!({"task_id": id})).to_string());
    seen.push_str(&client.call("search", json!({"query": "how deep is the sea?"})).to_string());
    seen.push_str(&client.call("list_research", json!({})).to_string());
    let process = PathBuf::from(format!("/proc/{}/cmdline", client.pid()));
    let arguments = std::fs::read(process).unwrap();
    assert!(arguments.ends_with(b"serve\0") && !has(&arguments), "{arguments:?}");
    // While it runs: the write-ahead log is there.
    assert_eq!(files_that_tell(lab.home.path()), Vec::<PathBuf>::new());
    client.close();
    assert!(client.wait().success());

    for args in [&["doctor"][..], &["config"], &["list"], &["search", "how deep is it?"], &["start", "refused again?"]]
    {
        for json in [&["--json"][..], &[]] {
            let output = lab.command().args(json).args(args).output().unwrap();
            assert!(!has(&output.stdout) && !has(&output.stderr), "{args:?}: {output:?}");
        }
    }
    assert!(!has(seen.as_bytes()), "{seen}");
    assert_eq!(files_that_tell(lab.home.path()), Vec::<PathBuf>::new());
    assert!(
        lab.path("work/research_reports").is_dir() && !lab.server_log().is_empty(),
        "there was something to search"
    );
    let keys: Vec<_> = lab.api.requests().into_iter().map(|request| request.key).collect();
    assert!(keys.len() > 20 && keys.iter().all(|key| key.as_deref() == Some(CANARY)), "and it was sent");
    assert!(
        lab.api
            .requests()
            .iter()
            .all(|request| !has(request.path.as_bytes()) && !has(request.body.to_string().as_bytes()))
    );
}

/// PR-02: a short key stands in words and in JSON; the reply to a paid start is read all the same.
#[test]
fn pr_02_a_short_key_tears_no_paid_reply_apart() {
    for key in ["id", "status", "a"] {
        let lab = Lab::new(fast()).with("GEMINI_API_KEY", key);
        let mut client = lab.serve();
        let id = start(&mut client, "how deep is the sea?");
        let end = ended(&mut client, &id);
        assert_eq!(end["status"], "completed", "{key}: {end:#}");
        assert!(!results(&mut client, &id).to_string().contains("****"), "{key}");
        client.close();
        assert!(client.wait().success());
    }
}
