//! `hadal check` on reports that cite documents of this machine, on reports made of quotes, and on what is no report at all.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

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

/// EV-03: lines that a file does not have bear out nothing, however near its end they are.
#[test]
fn lines_behind_the_end_of_a_file_are_told() {
    let desk = desk();
    desk.file(
        "work/report.md",
        "Trout were released in 1950 (docs/lake.md:11). Trout were released in 1950 (docs/lake.md:9).\n",
    );
    let reply = desk.check(&["work/report.md"]);
    let claim = "Trout were released in 1950.";
    assert_eq!(verdicts(&reply), [format!("partial: {claim}"), format!("supported: {claim}")], "{reply:#}");
    assert_eq!(reason(&reply, 0), "it stands in line 9 of this file, which has no line 11");
}

/// EV-03: files inside archives are cited as hadal itself cites them, and found again.
#[test]
fn documents_inside_archives_are_read() {
    let desk = desk();
    let archive = data("files/python.zip");
    desk.file("work/old.zip", &archive);
    let report = "The surge of 1953 added 2.9 metres at Dunmore (old.zip!docs/pandoc.docx). \
                  The surge of 1953 added 4.1 metres at Dunmore (old.zip!docs/pandoc.docx). \
                  The surge of 1953 added 2.9 metres at Dunmore (old.zip!docs/none.md).\n";
    desk.file("work/report.md", report);
    let reply = desk.check(&["work/report.md"]);
    let found: Vec<String> = verdicts(&reply).iter().map(|row| row.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(found, ["supported", "unsupported", "unreachable"], "{reply:#}");

    // What hadal cites itself, from a folder and from an archive that is a root.
    std::fs::create_dir(desk.home.path().join("files")).unwrap();
    desk.file("files/old.zip", &archive);
    for root in ["files", "files/old.zip"] {
        assert!(desk.run(&["library", "add", root]).status.success());
        let args =
            ["--json", "deep-research", "How much did the surge of 1953 add at Dunmore?", "--engine", "extractive"];
        let researched: Value = serde_json::from_slice(&desk.run(&args).stdout).unwrap();
        let cited = researched["sources"][0]["location"].as_str().unwrap();
        assert!(cited.ends_with("files/old.zip!docs/pandoc.docx"), "{cited}");
        desk.file("own.md", format!("The surge of 1953 added 2.9 metres at Dunmore ({cited}).\n"));
        let reply = desk.check(&["own.md"]);
        assert_eq!(verdicts(&reply), ["supported: The surge of 1953 added 2.9 metres at Dunmore."], "{reply:#}");
        assert!(desk.run(&["library", "remove", root]).status.success());
    }
}

/// EV-03: links of a PDF and notes of a text are citations, as real programs write them.
#[test]
fn links_and_notes_of_real_programs_are_citations() {
    let desk = desk();
    for name in ["notes.odt", "notes.docx", "links.pdf"] {
        desk.file(name, data(&format!("reports/{name}")));
        let reply = desk.check(&["--offline", name]);
        let cited: Vec<&str> =
            reply["sources"].as_array().unwrap().iter().filter_map(|source| source["address"].as_str()).collect();
        for address in ["https://lake.example/yearbook", "https://lake.example/chronicle"] {
            assert!(cited.contains(&address), "{name}: {cited:?}");
        }
        let found = verdicts(&reply);
        for claim in ["The dam is 87 metres high.", "It was dammed in 1931 by Ilse Kranz."] {
            assert!(found.contains(&format!("not_visited: {claim}")), "{name}: {found:#?}");
        }
    }
}

/// EV-03: a report that comes without a name is read by its bytes, whatever program wrote it.
#[test]
fn a_report_from_standard_input_is_read_by_its_bytes() {
    let desk = desk();
    for name in ["pandoc.docx", "pandoc.odt", "pandoc.epub", "libreoffice.pptx", "chromium.pdf"] {
        let mut child = desk.command();
        child.args(["--json", "check", "--offline", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.spawn().unwrap();
        child.stdin.take().unwrap().write_all(&data(&format!("files/{name}"))).unwrap();
        let output = child.wait_with_output().unwrap();
        let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{name}: {output:?}"));
        let found = verdicts(&reply);
        assert!(found.iter().any(|claim| claim.contains("The surge of 1953 added 2.9 metres")), "{name}: {found:#?}");
    }
}

/// EV-04: what is saved of a check names no whole path of this machine.
#[test]
fn a_saved_check_names_no_whole_path() {
    let desk = desk();
    let home = desk.home.path().canonicalize().unwrap();
    let absolute = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let report = "The dam is 87 metres high ([1]). It was dammed in 1931 ([2]).\n\n## Sources\n\n1. PLACE/docs/lake.md\n2. PLACE/docs/none.md\n";
    desk.file("work/report.md", report.replace("PLACE", &absolute("work")));
    let reply = desk.check(&[&absolute("work/report.md")]);
    let id = reply["task_id"].as_str().unwrap();
    for format in ["markdown", "html"] {
        let args = ["--json", "save", id, "--format", format, "--output-dir", &absolute("saved")];
        let output = desk.run(&args);
        let saved: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        let text = std::fs::read_to_string(saved["file_path"].as_str().unwrap()).unwrap().replace("&#x2f;", "/");
        let body = text.split("\n## Sources").next().unwrap();
        assert!(body.contains("work/report.md") && body.contains("docs/none.md"), "{format}: {text}");
        assert!(!body.contains(home.to_str().unwrap()), "{format}: {text}");
    }
}

fn data(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
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

/// EV-03: a note may be cited by its own lines or by those that refer to it, and what stands elsewhere is told.
#[test]
fn ev_03_notes_are_borne_out_by_both_of_their_places() {
    let desk = desk();
    let radio = "# Radio\n\nThe tuner holds 256 presets[^1].\n\nThe speaker is made of paper.\n\n\n\n\n\n\n\n\
                 [^1]: Two presets are reserved for the weather service.\n";
    desk.file("work/docs/radio.md", radio);
    desk.file(
        "work/report.md",
        "Two presets are reserved for the weather service (docs/radio.md:13). Two presets are reserved for the weather service \
         (docs/radio.md:3). The tuner holds 256 presets (docs/radio.md:3,13). The speaker is made of paper (docs/radio.md:13).\n",
    );
    let reply = desk.check(&["work/report.md"]);
    let note = "supported: Two presets are reserved for the weather service.";
    let wanted = [note, note, "supported: The tuner holds 256 presets.", "partial: The speaker is made of paper."];
    assert_eq!(verdicts(&reply), wanted, "{reply:#}");
    assert_eq!(reason(&reply, 3), "it stands in line 5 of this file, not where it is cited");
}
