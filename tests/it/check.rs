//! `hadal check`: a report from anywhere beside the pages that it cites, through the real binary against the simulated web.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use sim::web::{SECOND_HOP, Web};
use tempfile::TempDir;

use crate::client::{Client, PATIENT};

pub(crate) struct Desk {
    pub(crate) home: TempDir,
    pub(crate) web: Web,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap(), web: Web::start(Duration::ZERO).unwrap() }
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hadal"));
        command.env_clear().env("HADAL_BACKGROUND", "no").env("HADAL_HOME", self.home.path().join("data"));
        command.env("HOME", self.home.path()).env("HADAL_FIND_LOCAL_MODELS", "no");
        command.env("HADAL_FETCH_HOSTS", self.web.hosts()).env("HADAL_FETCH_ALLOW_PRIVATE", "yes");
        command.env(PATIENT.0, PATIENT.1).current_dir(self.home.path());
        command
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.home.path().join(name), bytes).unwrap();
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command().args(args).output().unwrap()
    }

    /// A check that must complete, as JSON.
    pub(crate) fn check(&self, args: &[&str]) -> Value {
        let output = self.run(&[&["--json", "check"], args].concat());
        let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {output:?}"));
        assert_eq!(reply["status"], "completed", "{reply:#}");
        reply
    }

    fn asked_for(&self, path: &str) -> usize {
        self.web.requests().iter().filter(|request| request.path == path).count()
    }
}

pub(crate) fn verdicts(reply: &Value) -> Vec<String> {
    let claims = reply["claims"].as_array().unwrap().iter();
    claims
        .map(|claim| format!("{}: {}", claim["verdict"].as_str().unwrap(), claim["claim"].as_str().unwrap()))
        .collect()
}

pub(crate) fn reason(reply: &Value, claim: usize) -> String {
    reply["claims"][claim]["reason"].as_str().unwrap_or_default().to_owned()
}

pub(crate) const TRUE_CLAIM: &str = "From 1909 to 1914 the captain of the Meridian Lark was Ottoline Varga";
const FALSE_CLAIM: &str = "The Meridian Lark, a barquentine of 987 tons, was built in 1898";

fn markdown() -> String {
    format!(
        "# The ship\n\n{TRUE_CLAIM} [1]. {FALSE_CLAIM} [1].\n\nPenguins cannot fly, as everybody knows.\n\n## Sources\n\n1. Registry, {SECOND_HOP}\n"
    )
}

const THREE: [&str; 3] = ["supported", "unsupported", "uncited"];

fn assert_three(reply: &Value) {
    let found: Vec<&str> =
        reply["claims"].as_array().unwrap().iter().map(|claim| claim["verdict"].as_str().unwrap()).collect();
    assert_eq!(found, THREE, "{reply:#}");
    assert!(reason(reply, 1).contains("987"), "{}", reason(reply, 1));
    let cited = &reply["claims"][0]["cited"][0];
    assert!(cited["passage"].as_str().unwrap().contains("her captain was Ottoline Varga"), "{cited}");
    assert_eq!(reply["evidence"]["share_supported"], 0.5, "{reply:#}");
    let source = &reply["sources"][0];
    assert_eq!((&source["state"], source["page"].as_str().map(str::len)), (&json!("read"), Some(64)), "{source}");
}

/// EV-03: a report in Markdown, text, HTML and PDF, from a file, an address and standard input.
#[test]
fn a_report_in_four_formats() {
    let desk = Desk::new();
    desk.file("report.md", markdown());
    let reply = desk.check(&["report.md"]);
    assert_three(&reply);

    let plain = format!(
        "{TRUE_CLAIM} ({SECOND_HOP}).\n\n{FALSE_CLAIM} ({SECOND_HOP}).\n\nPenguins cannot fly, as everybody knows.\n"
    );
    let mut child = desk.command();
    child.args(["--json", "check", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = child.spawn().unwrap();
    child.stdin.take().unwrap().write_all(plain.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_three(&serde_json::from_slice(&output.stdout).unwrap());

    let html = format!(
        "<!DOCTYPE html><html><head><title>The ship</title></head><body><nav><a href='/'>Home</a></nav><h1>The ship</h1>\
         <p>{TRUE_CLAIM}<sup><a href='#r1'>[1]</a></sup>. {FALSE_CLAIM} (<a href='{SECOND_HOP}'>registry</a>).</p>\
         <p>Penguins cannot fly, as everybody knows.</p><h2>References</h2><ol><li id='r1'><a href='{SECOND_HOP}'>Registry</a></li></ol></body></html>"
    );
    desk.file("report.html", &html);
    assert_three(&desk.check(&["report.html"]));

    let lines = [
        format!("{TRUE_CLAIM} [1]."),
        format!("{FALSE_CLAIM} [1]."),
        String::new(),
        "Penguins cannot fly, as everybody knows.".to_owned(),
        String::new(),
        "References".to_owned(),
        format!("[1] Registry, {SECOND_HOP}"),
    ];
    desk.file("report.pdf", pdf(&lines));
    let reply = desk.check(&["report.pdf"]);
    let found = verdicts(&reply);
    assert!(found.iter().any(|claim| claim.starts_with("supported: From 1909")), "{reply:#}");
    assert!(
        found.iter().any(|claim| claim.starts_with("unsupported: The Meridian Lark, a barquentine of 987")),
        "{reply:#}"
    );
}

/// A file with one page and one line of text for each of these.
fn pdf(lines: &[String]) -> Vec<u8> {
    let mut text = "BT /F1 10 Tf 14 TL 40 760 Td\n".to_owned();
    for line in lines {
        let line = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        let _ = writeln!(text, "({line}) Tj T*");
    }
    text.push_str("ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        places.push(file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let table = file.len();
    let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(file, "{place:010} 00000 n ");
    }
    let _ = write!(file, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    file.into_bytes()
}

/// EV-03: what stands in the way of a page is named; a redirect is followed and told; a dead page has an archive address that nobody asks.
#[test]
fn pages_that_are_not_there() {
    let desk = Desk::new();
    let places = [
        ("http://traps.sim.test/status/404", "unreachable", "dead"),
        ("http://traps.sim.test/status/402", "unreachable", "paywalled"),
        ("http://traps.sim.test/status/403", "unreachable", "blocked"),
        ("http://closed.sim.test/private/x", "unreachable", "blocked"),
        ("http://traps.sim.test/soft404", "unreachable", "soft_404"),
        ("http://traps.sim.test/image", "unreachable", "unreadable"),
        ("http://traps.sim.test/loop/1", "unreachable", "dead"),
        ("http://nobody.invalid/x", "unreachable", "dead"),
        ("http://traps.sim.test/huge", "unreachable", "unreadable"),
        ("ftp://files.sim.test/x", "not_visited", "no_address"),
    ];
    let mut report = String::new();
    for (number, (place, ..)) in (1..).zip(places) {
        let _ = writeln!(report, "The sea was {number} metres deep that day [{number}].\n");
        let _ = place;
    }
    let _ =
        writeln!(report, "{TRUE_CLAIM} [50].\n\nThe tide table of 1911 lists 706 high waters [51].\n\n## Sources\n");
    for (number, (place, ..)) in (1..).zip(places) {
        let _ = writeln!(report, "[{number}] {place}");
    }
    let _ = writeln!(report, "[50] http://traps.sim.test/to?{SECOND_HOP}\n[51] http://traps.sim.test/pdf");
    desk.file("report.md", &report);
    let reply = desk.check(&["report.md"]);
    let source = |number: u32| {
        let mut sources = reply["sources"].as_array().unwrap().iter();
        sources.find(|source| source["number"] == number).unwrap_or_else(|| panic!("no source {number}: {reply:#}"))
    };
    for (number, (place, state, why)) in (1..).zip(places) {
        let found = source(number);
        assert_eq!((&found["state"], &found["why"]), (&json!(state), &json!(why)), "{place}: {found}");
    }
    assert_eq!(source(1)["archive"], "https://web.archive.org/web/http://traps.sim.test/status/404");
    assert!(source(3)["archive"].is_null());
    assert_eq!(source(50)["final_address"], SECOND_HOP);
    let found = verdicts(&reply);
    assert!(found.contains(&format!("supported: {TRUE_CLAIM}.")), "{found:#?}");
    assert!(found.contains(&"supported: The tide table of 1911 lists 706 high waters.".to_owned()), "{found:#?}");
    assert!(desk.web.requests().iter().all(|request| !request.host.contains("archive")));
    let text = String::from_utf8(desk.run(&["check", "report.md"]).stdout).unwrap();
    assert!(text.contains("perhaps archived at https://web.archive.org/web/"), "{text}");
}

/// EV-03: a page is read once for a check, whatever it says the next time; what was judged stays with the task.
#[test]
fn a_page_that_changes_between_fetches() {
    let desk = Desk::new();
    let place = "http://traps.sim.test/no-store";
    let said = |times: u32| {
        format!(
            "The page itself says that it was made {times} times [1][2]. It was made {times} times [2].\n\n## Sources\n\n1. {place}\n2. {place}\n"
        )
    };
    desk.file("report.md", said(1));
    let first = desk.check(&["report.md"]);
    assert_eq!(desk.asked_for("/no-store"), 1);
    assert_eq!(first["sources"][0]["page"], first["sources"][1]["page"]);
    let second = desk.check(&["report.md"]);
    assert_eq!(desk.asked_for("/no-store"), 2);
    assert_ne!(first["sources"][0]["page"], second["sources"][0]["page"]);
    assert!(reason(&second, 0).contains("is not on this page"), "{second:#}");
    // A check of the check reads what was read then.
    let again = desk.check(&[first["task_id"].as_str().unwrap()]);
    assert_eq!(desk.asked_for("/no-store"), 2);
    assert_eq!(verdicts(&again), verdicts(&first));
}

/// EV-03: exit 7 below the asked share, annotations for a workflow with the lines of the file, and nothing asked without a network.
#[test]
fn in_a_workflow() {
    let desk = Desk::new();
    desk.file("docs.md", markdown());
    let output = desk.run(&["check", "docs.md", "--fail-under", "0.9", "--format", "github"]);
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(
        lines[0].starts_with(
            "::error file=docs.md,line=3,title=claim 2 is unsupported::The Meridian Lark, a barquentine of 987"
        ),
        "{text}"
    );
    assert!(lines[1].starts_with("::notice file=docs.md,line=5,title=claim 3 is uncited::Penguins"), "{text}");
    assert_eq!(desk.run(&["check", "docs.md", "--fail-under", "0.5"]).status.code(), Some(0));
    assert_eq!(desk.run(&["check", "docs.md", "--fail-under", "1.5"]).status.code(), Some(2));
    assert_eq!(desk.run(&["check", "nowhere.md"]).status.code(), Some(2));
    let failing = desk.check(&["docs.md", "--fail-under", "0.9"]);
    assert_eq!(failing["passed"], false);

    let before = desk.web.requests().len();
    desk.file(
        "more.md",
        format!("{TRUE_CLAIM} ({SECOND_HOP}).\n\nTides are told at length here (http://tides.sim.test/history).\n"),
    );
    let offline = desk.check(&["more.md", "--offline"]);
    assert_eq!(desk.web.requests().len(), before, "nobody was asked");
    assert_eq!(offline["claims"][0]["verdict"], "supported", "{offline:#}");
    assert_eq!(offline["claims"][1]["verdict"], "not_visited", "{offline:#}");
    let none = desk.check(&["more.md", "--pages", "0"]);
    assert_eq!(none["evidence"]["not_visited"], 2, "{none:#}");
}

/// EV-03: large, right-to-left and hostile reports are bounded and right.
#[test]
fn hostile_reports() {
    let desk = Desk::new();
    let zero_width =
        "The record says that “learned the\u{200b} trade on\u{200d} coal ships” of her captain Ottoline Varga";
    let hebrew = "הספינה נבנתה בשנת 1898 והייתה בת 312 טונות לפי הרישום";
    let escape = "The ship is \u{1b}[2J\u{202e}sunk and | broken <script>alert(1)</script> in the north";
    desk.file(
        "odd.md",
        format!("{zero_width} ({SECOND_HOP}).\n\n{hebrew} ({SECOND_HOP}).\n\n{escape} ({SECOND_HOP}).\n"),
    );
    let reply = desk.check(&["odd.md"]);
    assert_eq!(reply["claims"][0]["verdict"], "supported", "{reply:#}");
    assert_eq!(reply["claims"][1]["verdict"], "partial", "{reply:#}");
    assert!(reason(&reply, 1).contains("another language"), "{reply:#}");
    let text = String::from_utf8(desk.run(&["check", "odd.md"]).stdout).unwrap();
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");

    // 10,000 citations of as many pages: 3 are asked for, and all claims are told.
    let mut many = String::new();
    for number in 0..10_000 {
        let _ =
            writeln!(many, "The {number}th survey counted 1000 entries (http://tides.sim.test/history?{number}).\n");
    }
    desk.file("many.md", &many);
    let before = desk.web.requests().len();
    let reply = desk.check(&["many.md", "--pages", "3"]);
    assert_eq!(reply["evidence"]["claims"], 10_000);
    assert_eq!(reply["evidence"]["not_visited"], 9_997, "{}", reply["evidence"]);
    assert!(desk.web.requests().len() - before <= 4);

    // 8 MB of prose in long paragraphs, and the list of sources at their end.
    let filler = "and so on it goes in words that nobody counts ".repeat(86);
    let mut large = String::new();
    while large.len() < 8 << 20 {
        let _ = writeln!(large, "{TRUE_CLAIM}, {filler} [1].\n");
    }
    let _ = writeln!(large, "{TRUE_CLAIM} [1].\n\n[1]: {SECOND_HOP}");
    desk.file("large.md", &large);
    let reply = desk.check(&["large.md"]);
    let claims = reply["claims"].as_array().unwrap();
    assert_eq!(claims.last().unwrap()["verdict"], "supported", "{}", reply["evidence"]);
    assert!(claims.len() > 2_000 && claims.iter().all(|claim| claim["claim"].as_str().unwrap().len() <= 4_000));
    assert_eq!(reply["evidence"]["share_parsed"], 1.0);
}

/// EV-03: over MCP a text or a task is checked; the task is one of the list, and its table comes in pages.
#[test]
fn over_mcp() {
    let desk = Desk::new();
    let mut client = Client::serve(desk.command(), &desk.home.path().join("server.log"));
    let reply = client.call("check_claims", json!({"text": markdown()}));
    assert_three(&reply);
    let id = reply["task_id"].as_str().unwrap().to_owned();
    let again = client.call("check_claims", json!({"task_id": id}));
    assert_three(&again);
    for (arguments, code) in [
        (json!({}), "INVALID_ARGUMENT"),
        (json!({"text": "x y z.", "task_id": id}), "INVALID_ARGUMENT"),
        (json!({"text": " "}), "INVALID_ARGUMENT"),
        (json!({"text": "x y z.", "pages": 9_999}), "INVALID_ARGUMENT"),
        (json!({"task_id": "00000000-0000-4000-8000-000000000000"}), "TASK_NOT_FOUND"),
    ] {
        assert_eq!(client.call("check_claims", arguments.clone())["error"]["code"], code, "{arguments}");
    }
    let results = client.call("get_research_results", json!({"task_id": id}));
    assert!(results["report"].as_str().unwrap().contains("| 2 | **unsupported** |"), "{results:#}");
    assert_eq!(results["metadata"]["evidence"]["unsupported"], 1, "{results:#}");
    assert_eq!(results["stop_reason"], "checked");
    let list = client.call("list_research", json!({}));
    assert_eq!(list["tasks"].as_array().unwrap().len(), 2, "{list:#}");

    // More claims than a model wants: those that hold go first.
    let mut many = String::new();
    for number in 0..150 {
        let _ = writeln!(many, "{TRUE_CLAIM} number {number} ({SECOND_HOP}).\n");
    }
    let reply = client.call("check_claims", json!({"text": many}));
    assert_eq!(reply["claims"].as_array().unwrap().len(), 100, "{}", reply["evidence"]);
    assert_eq!(reply["claims_omitted"], 50);
}
