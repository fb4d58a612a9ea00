//! `hadal check` on reports that cite documents of this machine, on reports made of quotes, and on what is no report at all.

use serde_json::{Value, json};
use sim::chat::{Chat, MODEL, Say};

use crate::check::{Desk, TRUE_CLAIM, reason, verdicts};
use crate::client::Client;

const LAKE: &str = "# Lake Ormond\n\nLake Ormond lies at 412 metres above the sea. It was dammed in 1931 by the engineer Ilse Kranz.\n\n\
                    The dam is 87 metres high and feeds two turbines.\n\n## Fish\n\n\
                    Trout were released in 1950. Nobody has fished there since 1988, when the reserve was founded.\n";

const REPORT: &str = "---\ntitle: A colleague's report of the lake\n---\n\nThe dam is 87 metres high ([lake.md](docs/lake.md#L5)). \
                      It was dammed in 1931 by Ilse Kranz (docs/lake.md:3). The lake lies at 500 metres above the sea `docs/lake.md:3`.\n\n\
                      Trout were released in 1950 [1]. Trout were released in 1950 (docs/lake.md:1-2). The key is secret (../private/key.md).\n\n\
                      ## Sources\n\n1. docs/lake.md:7-9\n";

fn desk() -> Desk {
    let desk = Desk::new();
    for folder in ["work/docs", "private"] {
        std::fs::create_dir_all(desk.home.path().join(folder)).unwrap();
    }
    desk.file("work/docs/lake.md", LAKE);
    desk.file("private/key.md", "The key is secret.");
    desk
}

fn state_of<'a>(reply: &'a Value, address: &str) -> &'a Value {
    let mut sources = reply["sources"].as_array().unwrap().iter();
    sources.find(|source| source["address"] == address).unwrap_or_else(|| panic!("no {address}: {reply:#}"))
}

/// EV-03: documents of this machine are read where they are beside the report, by their lines, and nowhere else.
#[test]
fn documents_beside_the_report_are_read() {
    let desk = desk();
    desk.file("work/report.md", REPORT);
    let reply = desk.check(&["work/report.md"]);
    assert_eq!(
        verdicts(&reply),
        [
            "supported: The dam is 87 metres high.",
            "supported: It was dammed in 1931 by Ilse Kranz.",
            "unsupported: The lake lies at 500 metres above the sea.",
            "supported: Trout were released in 1950.",
            "partial: Trout were released in 1950.",
            "supported: The key is secret.",
        ],
        "{reply:#}"
    );
    assert_eq!(reason(&reply, 4), "it stands in line 9 of this file, not where it is cited");
    assert!(reason(&reply, 2).contains("it says '412"), "{reply:#}");
    assert!(desk.web.requests().is_empty(), "nobody was asked");
    let passage = reply["claims"][0]["cited"][0]["passage"].as_str().unwrap();
    assert!(passage.contains("87 metres high"), "{passage}");

    // The current folder held that key; from elsewhere it is out of reach.
    let mut elsewhere = desk.command();
    elsewhere.current_dir(desk.home.path().join("work/docs")).args(["--json", "check", "../report.md"]);
    let reply: Value = serde_json::from_slice(&elsewhere.output().unwrap().stdout).unwrap();
    assert_eq!(reply["claims"][0]["verdict"], "supported", "{reply:#}");
    let key = state_of(&reply, "../private/key.md");
    assert_eq!((&key["state"], &key["why"]), (&json!("not_visited"), &json!("not_allowed")), "{key}");
}

/// EV-03: a check that is repeated by its id reads files where the first one did, and nowhere else.
#[test]
fn a_repeated_check_reads_where_the_first_did() {
    let desk = desk();
    desk.file("work/report.md", "The dam is 87 metres high (docs/late.md:1). The key is secret (../../key.md).\n");
    let first = desk.check(&["work/report.md"]);
    assert_eq!(reason(&first, 0), "there is no such file", "{first:#}");
    desk.file("work/docs/late.md", "The dam is 87 metres high.");
    desk.file("key.md", "The key is secret.");
    let again = desk.check(&[first["task_id"].as_str().unwrap()]);
    assert_eq!(again["claims"][0]["verdict"], "supported", "{again:#}");
    assert_eq!(again["claims"][1]["verdict"], first["claims"][1]["verdict"], "{again:#}");
}

/// EV-03: over MCP only what is in the library is read.
#[test]
fn over_mcp_only_the_library_is_read() {
    let desk = desk();
    let mut client = Client::serve(desk.command(), &desk.home.path().join("server.log"));
    let path = desk.home.path().join("work/docs/lake.md");
    let text =
        format!("The dam is 87 metres high ({}:5). It was dammed in 1931 (work/docs/lake.md:3).", path.display());
    let reply = client.call("check_claims", json!({"text": text}));
    assert_eq!(reply["evidence"]["not_visited"], 2, "{reply:#}");
    let added = desk.run(&["library", "add", "work/docs"]);
    assert_eq!(added.status.code(), Some(0), "{added:?}");
    let reply = client.call("check_claims", json!({"text": text}));
    assert_eq!(reply["claims"][0]["verdict"], "supported", "{reply:#}");
    assert_eq!(reply["claims"][1]["cited"][0]["verdict"], "unreachable", "{reply:#}");
    assert_eq!(reason(&reply, 1), "there is no such file", "{reply:#}");
}

/// EV-03: the quotes of a report made of quotes are judged by the places that they were cut from.
#[test]
fn a_report_of_quotes_is_borne_out_by_its_places() {
    let desk = desk();
    let question = "How high is the dam of Lake Ormond?";
    let args = ["--json", "deep-research", question, "--engine", "extractive", "--library", "work/docs"];
    let output = desk.run(&args);
    let researched: Value = serde_json::from_slice(&output.stdout).unwrap();
    let id = researched["task_id"].as_str().unwrap();
    assert_eq!(researched["ledger"]["supported"], 0, "nobody judged it: {researched:#}");
    let shown: Value = serde_json::from_slice(&desk.run(&["--json", "results", "--evidence", id]).stdout).unwrap();
    let quote = &shown["claims"][0];
    let report = researched["result"].as_str().unwrap();
    let place = |end: &str| usize::try_from(quote[end].as_u64().unwrap()).unwrap();
    assert!(report.get(place("start")..place("end")).unwrap().contains("87 metres"), "{quote}");

    let reply = desk.check(&[id]);
    let found = verdicts(&reply);
    assert!(found.contains(&"supported: The dam is 87 metres high and feeds two turbines.".to_owned()), "{found:#?}");
    assert!(found.iter().all(|claim| claim.starts_with("supported: ")), "{found:#?}");

    let nothing =
        desk.run(&["deep-research", "Quantum zebras of Saturn", "--engine", "extractive", "--library", "work/docs"]);
    let text = String::from_utf8(nothing.stdout).unwrap();
    assert_eq!(text.matches("Nothing relevant was found").count(), 1, "{text}");
}

/// EV-03: what is no report is a wrong argument; a page that stands in the place of one is named.
#[test]
fn what_is_no_report() {
    let desk = Desk::new();
    let error = |args: &[&str]| {
        let output = desk.run(args);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    desk.file("picture.bin", (0..=255).cycle().take(4_000).collect::<Vec<u8>>());
    let (status, text) = error(&["check", "picture.bin"]);
    assert!(status == Some(2) && text.contains("INVALID_ARGUMENT"), "{text}");
    desk.file("large.md", "word ".repeat(4 << 20));
    let (status, text) = error(&["check", "large.md"]);
    assert!(status == Some(2) && text.contains("the report has 20 MB; a report may have 16 MB"), "{text}");
    let (status, text) = error(&["check", "http://traps.sim.test/soft404"]);
    assert!(status != Some(0) && text.contains("PAGE_UNAVAILABLE") && text.contains("is gone stands"), "{text}");
    desk.file("uncited.md", "Penguins cannot fly, as everybody knows.\n");
    let (status, text) = error(&["check", "uncited.md", "--fail-under", "0.9"]);
    assert!(status == Some(7) && text.contains("no claim cites anything"), "{text}");
    desk.file("page.html", format!("<!DOCTYPE html><title>x</title><p>{TRUE_CLAIM}.</p>"));
    let output = desk.run(&["check", "page.html", "--format", "github"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("::notice file=page.html,title=claim 1 is uncited::"), "{text}");
}

/// EV-02, EV-03: where its user wants it, a model is asked of what the words leave open, of nothing else, and its word is marked.
#[test]
fn a_second_opinion_is_marked_as_a_models_word() {
    let desk = desk();
    desk.file(
        "work/report.md",
        "The dam of 87 metres drives a pair of turbines for the valley (docs/lake.md:5). \
         Trout have lived in the lake since their release in 1950 (docs/lake.md:9). The dam is 99 metres high (docs/lake.md:5). \
         The engineer who dammed Ormond in 1931 was a Swiss called Kranz (docs/lake.md:3).\n",
    );
    let chat = Chat::start(|_| Say::Text("1 yes\n2. no\n3 yes\n4 yes".to_owned())).unwrap();
    let check = |wanted: &str, args: &[&str]| {
        let mut command = desk.command();
        command.env("HADAL_MODEL", MODEL).env("HADAL_MODEL_BASE_URL", chat.url()).env("HADAL_SECOND_OPINION", wanted);
        command.args(args).output().unwrap()
    };
    let json = |wanted: &str| -> Value {
        serde_json::from_slice(&check(wanted, &["--json", "check", "work/report.md"]).stdout).unwrap()
    };
    let by_words = json("no");
    assert_eq!((chat.requests().len(), &by_words["evidence"]["partial"]), (0, &json!(3)), "{by_words:#}");

    let reply = json("yes");
    let told: Vec<(&str, bool)> = reply["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(|claim| (claim["verdict"].as_str().unwrap(), claim["by_model"].is_string()))
        .collect();
    let want = [("supported", true), ("unsupported", true), ("unsupported", false), ("partial", false)];
    assert_eq!(told, want, "{reply:#}");
    let asked = chat.requests();
    assert_eq!(asked.len(), 1);
    assert!(
        asked[0].prompt.contains("feeds two turbines") && !asked[0].prompt.contains("99 metres"),
        "{}",
        asked[0].prompt
    );
    let text = String::from_utf8(check("yes", &["check", "work/report.md"]).stdout).unwrap();
    assert!(text.contains("a model's word ("), "{text}");
}
