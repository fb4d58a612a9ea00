//! Output that is not the JSON asked for: one correction, its temporary file, its log lines, its end.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use sim::gemini::{Scenario, Script};

use super::{FACES, Face, Lab, QUERY, answer, until};

const PROSE: &str = "I found that the trench is 10,935 m deep. Sorry, no JSON today.";

/// JR-01: what the wrapping may be; none of it needs a correction.
#[test]
fn an_answer_is_found_in_many_wrappings() {
    let report = "# Title\n\n```json\n{\"not\": \"this\"}\n```\n\nAfter the fence: 11 km.";
    let object = json!({"success": true, "verified": true, "report": report, "metadata": {}});
    let lab = Lab::new(&Script::default());
    let mut client = lab.serve();
    for (what, text) in [
        ("fenced, with fences in the report", format!("```json\n{object:#}\n```")),
        ("bare", object.to_string()),
        ("with words around it", format!("Certainly! Here it is:\n{object}\nHope that helps {{really}}.")),
        ("in a fence without a word", format!("~~~~\n{object}\n~~~~\n")),
        ("after another object", format!("{{\"step\": 1}}\n\n```json\n{object}\n```")),
        ("with a trailing comma", object.to_string().replace("\"metadata\":{}", "\"metadata\":{},")),
    ] {
        lab.fake.script(&Script::runs([Scenario::answer(text)]));
        let reply = client.call("deep_search", json!({"query": QUERY}));
        assert_eq!((&reply["result"], &reply["verified"]), (&json!(report), &json!(true)), "{what}: {reply:#}");
    }
    assert!(lab.calls().iter().all(|call| call.invalid_outputs.is_empty()));
}

/// JR-02, JR-03, JR-05: the file is there, private, readable to the child and gone afterwards; the prompt says all it must.
#[test]
fn a_correction_reads_the_invalid_output_from_a_private_file() {
    let corrected = answer("10,935 m", true).hold("correction");
    let lab = Lab::new(&Script::runs([Scenario::answer(PROSE)]).when(&["JSON formatter"], corrected));
    let mut client = lab.serve();
    let id = client.send("tools/call", json!({"name": "deep_search", "arguments": {"query": QUERY}}));
    let calls = lab.fake.wait_for("the correction", |calls| calls.len() == 2);
    let [file] = &calls[1].invalid_outputs[..] else { panic!("{:#?}", calls[1]) };
    assert_eq!((file.contents.as_deref(), file.in_workspace), (Some(PROSE), true));
    assert_eq!(file.path.parent(), Some(lab.config().as_path()));
    let middle =
        super::name(&file.path).strip_prefix("temp-invalid-output-").and_then(|rest| rest.strip_suffix(".txt"));
    let stamp: u64 = middle.unwrap().split('-').next().unwrap().parse().unwrap();
    assert!(calls[1].started_ms.abs_diff(stamp * 1_000) < 60_000, "{}", file.path.display());
    assert_eq!(file.path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let prompt = &calls[1].prompt;
    for word in [
        file.path.to_str().unwrap(),
        "You are a JSON formatter",
        "\"success\": true",
        "\"verified\": false",
        "\"report\"",
        "\"metadata\"",
        "```json",
        "Read that file",
    ] {
        assert!(prompt.contains(word), "{word} is not in {prompt}");
    }
    assert!(!prompt.contains("{{") && !prompt.contains(PROSE), "{prompt}");
    let policy = calls[1].policies[0].contents.as_deref().unwrap();
    assert!(policy.contains("\"read_file\"") && !policy.contains("web_fetch"), "{policy}");
    assert_eq!(calls[1].flag("--include-directories"), lab.config().to_str());
    lab.fake.release("correction");
    let reply = client.answer(id)["result"]["structuredContent"].clone();
    assert_eq!((&reply["result"], &reply["metadata"]["iterations"]), (&json!("10,935 m"), &json!(1)), "{reply:#}");
    assert!(!file.path.exists());
    assert_eq!((lab.calls().len(), lab.leftovers().len()), (2, 0));
    let log = lab.server_log();
    assert!(log.contains("[WARN] Round 1: the answer is not the JSON asked for"), "{log}");
    assert!(!log.contains("JSON correction failed"), "{log}");
}

/// JR-02: the example in the prompt is that of the tool: a search has nothing to verify.
#[test]
fn the_example_is_that_of_the_tool() {
    let lab = Lab::new(&Script::runs([Scenario::answer(PROSE), answer("ok", false)]));
    let told = lab.search(Face::Terminal, QUERY);
    assert_eq!(told.reply["result"], "ok", "{told:#?}");
    let prompt = &lab.calls()[1].prompt;
    assert!(prompt.contains("\"report\"") && !prompt.contains("\"verified\""), "{prompt}");
}

/// JR-03, JR-04: three cycles of search and correction with waits of one and two seconds, then an error that says so.
#[test]
fn three_cycles_then_an_error() {
    let lab = Lab::new(&Script::always(Scenario::answer(PROSE)));
    let told = lab.search(Face::Terminal, QUERY);
    assert_eq!(told.code(), "EXECUTION_ERROR");
    assert!(
        told.message().contains("all retry and correction attempts of round 1 were exhausted (3 cycles)"),
        "{told:#?}"
    );
    assert!(!told.reply["error"]["hints"].as_array().unwrap().is_empty(), "{told:#?}");
    assert_eq!(told.lines(&["[ERROR] JSON correction failed: "]).len(), 3, "{}", told.stderr);
    let calls = lab.calls();
    let corrections: Vec<bool> = calls.iter().map(|call| !call.invalid_outputs.is_empty()).collect();
    assert_eq!(corrections, [false, true, false, true, false, true]);
    for (before, after, wait) in [(1, 2, 1_000), (3, 4, 2_000)] {
        let gap = calls[after].started_ms - calls[before].ended.as_ref().unwrap().at_ms;
        assert!(gap >= wait, "between {before} and {after}: {gap} ms");
    }
    assert_eq!(lab.leftovers().len(), 0);
}

/// JR-05: a file that cannot be deleted is said.
#[test]
fn a_failed_deletion_is_logged() {
    let corrected = answer("fine", true).hold("gone");
    let lab = Lab::new(&Script::runs([Scenario::answer(PROSE)]).when(&["JSON formatter"], corrected));
    let running = lab.start(&["search", QUERY]);
    let calls = lab.fake.wait_for("the correction", |calls| calls.len() == 2);
    // Somebody else was faster.
    std::fs::remove_file(&calls[1].invalid_outputs[0].path).unwrap();
    lab.fake.release("gone");
    until("the deletion is said to have failed", || {
        lab.command_log()
            .lines()
            .any(|line| line.starts_with("[ERROR] temporary file `") && line.contains("could not be deleted: "))
    });
    drop(running);
}

/// JR-06: what crashed processes left is swept up at the start, counted, and what is alive stays.
#[test]
fn orphans_are_swept_up_at_the_start() {
    for face in FACES {
        let lab = Lab::new(&Script::always(answer("ok", true)));
        let file = |name: &str| lab.config().join(name);
        let gone = ["temp-invalid-output-1700000000.txt", "temp-invalid-output-1700000000-4194305-abcd.txt"];
        let mine = format!("temp-invalid-output-1700000000-{}-abcd.txt", std::process::id());
        let stays = [mine.as_str(), "temp-notes.txt", "hadal.toml"];
        let run = lab.config().join("gemini-cli/run-4194305-0123");
        std::fs::create_dir_all(&run).unwrap();
        for name in gone.iter().chain(&stays) {
            std::fs::write(file(name), "").unwrap();
        }
        let told = lab.search(face, QUERY);
        assert_eq!(told.lines(&["orphaned"]), ["[INFO] Cleaned up 2 orphaned temporary files"]);
        assert!(gone.iter().all(|name| !file(name).exists()) && stays.iter().all(|name| file(name).exists()));
        assert!(!run.exists());
        let told = lab.search(face, QUERY);
        assert_eq!(told.lines(&["orphaned"]), ["[INFO] Cleaned up 0 orphaned temporary files"]);
    }
}

/// JR-06: no directory to look through is a warning and nothing more.
#[test]
fn no_directory_to_sweep_is_only_a_warning() {
    for face in FACES {
        let lab = Lab::new(&Script::always(answer("ok", true)));
        std::fs::remove_dir(lab.config()).unwrap();
        let told = lab.search(face, QUERY);
        assert_eq!(told.reply["result"], "ok", "{told:#?}");
        let [line] = told.lines(&["orphaned"])[..] else { panic!("{}", told.stderr) };
        assert!(line.starts_with("[WARN] cannot look for orphaned temporary files"), "{line}");
    }
}
