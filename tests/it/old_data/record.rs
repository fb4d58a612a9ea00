//! How the stored data directories were made: the real program, killed where it hurts. It runs only for a directory that is not
//! stored yet; what is stored is never written again, because only a binary of its time can make it.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use sim::gemini::{Fault, Scenario, Script};
use sim::interactions::{self, End, FaultRule, ModelAnswer, On, Plan, Run};
use sim::wait::{message, until};
use sim::web::QUESTION;

use super::lab::{KEY, Lab, asks_to_verify};
use super::{dump, index, marked_deadlines, shown};

/// A data directory in the making.
pub(super) struct Recorder<'a> {
    pub(super) lab: &'a Lab,
    /// The tasks so far, by what became of them.
    tasks: Vec<(String, String)>,
    /// More to be replaced by marks.
    marks: Vec<(String, String)>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(lab: &'a Lab) -> Self {
        Self { lab, tasks: Vec::new(), marks: Vec::new() }
    }

    /// Gives the one task that is new a label, and returns its id.
    fn label(&mut self, label: &str) -> String {
        let known: BTreeSet<&String> = self.tasks.iter().map(|(_, id)| id).collect();
        let list = self.lab.run(&["list"]);
        let ids = list["tasks"].as_array().unwrap().iter().map(|task| task["task_id"].as_str().unwrap().to_owned());
        let new: Vec<String> = ids.filter(|id| !known.contains(id)).collect();
        let [id] = &new[..] else { panic!("{label}: not one new task: {list:#}") };
        self.tasks.push((label.to_owned(), id.clone()));
        id.clone()
    }

    /// A command to its end, whose task gets a label and must have this status. Returns its id.
    fn ended(&mut self, label: &str, status: &str, args: &[&str]) -> String {
        self.ended_with(label, status, &[], args)
    }

    /// The same with settings.
    fn ended_with(&mut self, label: &str, status: &str, settings: &[(&str, &str)], args: &[&str]) -> String {
        self.lab.command().envs(settings.iter().copied()).args(args).output().unwrap();
        let id = self.label(label);
        assert_eq!(self.lab.run(&["status", &id])["status"], status, "{label}");
        id
    }

    /// Kills a command, whose task gets a label and is not over.
    fn killed(&mut self, label: &str, mut child: Child) -> String {
        child.kill().unwrap();
        child.wait().unwrap();
        let id = self.label(label);
        let open = "SELECT count(*) FROM effects WHERE task_id = ?1 AND ended_order IS NULL";
        let open: u32 = self.lab.database().query_row(open, [&id], |row| row.get(0)).unwrap();
        assert_eq!(open, 1, "{label}: effects in flight");
        assert_eq!(self.lab.run(&["status", &id])["status"], "running_async", "{label}");
        id
    }

    /// Cancels the task of a command that runs, and waits for the command.
    fn cancelled(&mut self, label: &str, mut child: Child) {
        let id = self.label(label);
        assert_eq!(self.lab.run(&["cancel", &id])["status"], "cancelled", "{label}");
        child.wait().unwrap();
    }

    /// Stores the directory, and what is shown of it.
    pub(super) fn store(self, folder: &Path) {
        let tasks = self.tasks.iter().map(|(label, id)| format!("{:?}: {}", label, shown::task(self.lab, id)));
        let tasks: Vec<String> = tasks.collect();
        let (list, library) = (self.lab.run(&["list"]), self.lab.run(&["library", "list"]));
        let shown =
            format!("{{\n\"list\": {list},\n\"library\": {library},\n\"tasks\": {{\n{}\n}}\n}}\n", tasks.join(",\n"));
        let marks = self.lab.marks().into_iter().map(|(mark, value)| (mark.to_owned(), value)).chain(self.marks);
        let marks: Vec<(String, String)> = marks.collect();
        let marked = |text: String| marks.iter().fold(text, |text, (mark, value)| text.replace(value, mark));
        let sql = marked_deadlines(&marked(dump::dump(&self.lab.database())));
        assert!(!sql.contains(KEY) && !sql.contains(self.lab.home.path().to_str().unwrap()));
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("hadal.sql"), sql).unwrap();
        std::fs::write(folder.join("shown.json"), marked(shown)).unwrap();
        index::store(self.lab, folder, marked);
    }
}

pub(super) fn scripted(recorder: &mut Recorder<'_>) {
    let lab = recorder.lab;
    let invoice = lab.path("invoice");
    let file = |name: &str, stages: Value| {
        std::fs::write(lab.path(name), json!({"stages": stages}).to_string()).unwrap();
        std::fs::canonicalize(lab.path(name)).unwrap().to_str().unwrap().to_owned()
    };
    let work = |key: &str, ms: u64| json!({"key": key, "act": "work", "ms": ms});
    let paid = |key: &str, ms: u64| json!({"key": key, "act": "paid", "ms": ms, "micros": 1_200, "tokens": 10, "invoice": invoice});
    let run = |path: &str| lab.command().args(["scripted", path]).output().unwrap();
    run(&file("completed.json", json!([[work("a", 1), paid("b", 1)], [work("c", 1)]])));
    recorder.label("completed");
    for (label, setting, most) in
        [("capped_tokens", "HADAL_BUDGET_TOKENS", "15"), ("capped_time", "HADAL_BUDGET_SECONDS", "1")]
    {
        let stages = json!([[paid("a", 1)], [paid("b", 1), work("c", 3_600_000)], [paid("d", 1)]]);
        let path = file(&format!("{label}.json"), stages);
        recorder.ended_with(label, "completed", &[(setting, most)], &["scripted", &path]);
    }
    let poison = file("poison.json", json!([[work("a", 1)], [{"key": "bang", "act": "abort"}]]));
    run(&poison);
    let id = recorder.label("failed");
    until("poison is given up", || {
        lab.command().args(["results", "--wait", &id]).output().unwrap();
        lab.run(&["status", &id])["status"] == "failed"
    });

    let second_step = |path: &str| {
        let begun = "SELECT count(*) FROM effects";
        let before = number(lab, begun);
        let child = lab.spawn(&["scripted", path]);
        until("the second step", || number(lab, begun) == before + 2);
        child
    };
    let hour = json!([[paid("a", 1)], [work("b", 3_600_000)]]);
    let child = second_step(&file("cancelled.json", hour.clone()));
    recorder.cancelled("cancelled", child);
    let child = second_step(&file("with-cancel.json", hour));
    // A paused owner does not read the request.
    kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
    let newest = lab.run(&["list"])["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    assert_eq!(lab.run(&["cancel", &newest])["status"], "running_async");
    recorder.killed("killed_with_cancel", child);
    let child = second_step(&file("in-work.json", json!([[paid("a", 1)], [work("b", 1_500)], [work("c", 1)]])));
    recorder.killed("killed_in_work", child);
    let bills = || std::fs::read_to_string(&invoice).unwrap_or_default().lines().count();
    let before = bills();
    let child = second_step(&file("in-paid.json", json!([[work("a", 1)], [paid("b", 1_500)], [paid("c", 1)]])));
    until("the bill", || bills() > before);
    recorder.killed("killed_in_paid", child);
    let left = file("left.json", json!([[work("a", 1)]]));
    lab.command().args(["scripted", "--start-only", &left]).output().unwrap();
    recorder.label("not_begun");
}

fn number(lab: &Lab, sql: &str) -> u32 {
    lab.database().query_row(sql, [], |row| row.get(0)).unwrap()
}

const DEPTH: &str = "How deep is the Mariana Trench?";

fn body(report: &str, verified: bool) -> Value {
    json!({"success": true, "verified": verified, "report": report, "metadata": {}})
}

pub(super) fn gemini_cli(recorder: &mut Recorder<'_>) {
    let lab = recorder.lab;
    let says = |report: &str, verified: bool| Scenario::json(&body(report, verified));
    let found = |report: &str, verified| says(report, verified).search("depth of the trench", &["https://a.example/1"]);
    lab.fake.script(&Script::runs([found("About **10 935 m**.", true)]));
    recorder.ended("search", "completed", &["search", DEPTH]);
    lab.fake.script(&Script::runs([
        Scenario::answer("no JSON"),
        found("one", false),
        found("two", true).fetch("https://a.example/2"),
    ]));
    recorder.ended("deep_search", "completed", &["deep-search", "--engine", "gemini-cli", DEPTH]);
    lab.fake.script(&Script::always(Scenario::fault(Fault::BadKey)));
    recorder.ended("failed", "failed", &["search", "--engine", "gemini-cli", DEPTH]);

    lab.fake.script(&Script::always(Scenario::fault(Fault::AuthMissing)));
    let answer = ModelAnswer { text: body("About 11 km.", true).to_string(), ..ModelAnswer::default() };
    lab.api.set_plan(Plan { models: vec![answer], ..Plan::default() });
    recorder.ended("gave_way", "completed", &["search", DEPTH]);

    let in_round_two = Script::runs([found("one", false), says("lost", true).hold("never")]);
    let calls = lab.fake.calls().len();
    lab.fake.script(&in_round_two);
    let child = lab.spawn(&["deep-search", DEPTH]);
    let _asked = lab.fake.wait_for("round 2", |now| now.len() == calls + 2);
    recorder.cancelled("cancelled", child);
    lab.fake.script(&in_round_two);
    let child = lab.spawn(&["deep-search", DEPTH]);
    let asked = lab.fake.wait_for("round 2", |now| now.len() == calls + 4);
    recorder.killed("killed_in_round_two", child);
    until("the orphan is gone", || asked.last().is_some_and(|call| !sim::alive(call.pid)));
}

pub(super) fn gemini_api(recorder: &mut Recorder<'_>) {
    let lab = recorder.lab;
    let found = |report: &str, verified| {
        let text = body(report, verified).to_string();
        let source = interactions::Source::of(&text, report, "https://ocean.example/deep", "");
        let queries = vec!["mariana depth".to_owned()];
        ModelAnswer { sources: vec![source], text, queries, times: Some(1), ..ModelAnswer::default() }
    };
    let plan = |models| Plan { models, speed: 0.0, ..Plan::default() };
    lab.api.set_plan(plan(vec![found("One.", false), found("About **10 935 m**.", true)]));
    recorder.ended("deep_search", "completed", &["deep-search", "--engine", "gemini-api", DEPTH]);
    lab.api.set_plan(plan(vec![found("One.", false)]));
    let never = Plan { reply_delay_ms: 3_600_000, ..plan(vec![found("lost", true)]) };
    let asked = lab.asked().api;
    let child = lab.spawn(&["deep-search", "--engine", "gemini-api", DEPTH]);
    until("round 1", || lab.asked().api > asked);
    lab.api.set_plan(never);
    until("round 2", || lab.asked().api > asked + 1);
    recorder.killed("killed_in_round_two", child);
}

pub(super) fn rounds_native(recorder: &mut Recorder<'_>) {
    let lab = recorder.lab;
    recorder.ended("search", "completed", &["search", "--engine", "native", QUESTION]);
    recorder.ended("deep_search", "completed", &["deep-search", "--engine", "native", QUESTION]);
    let held = lab.hold_chat(asks_to_verify);
    let child = lab.spawn(&["deep-search", "--engine", "native", QUESTION]);
    message("the question to the model", &held).unwrap();
    recorder.killed("killed_in_round_two", child);
}

pub(super) fn library(recorder: &mut Recorder<'_>) {
    let lab = recorder.lab;
    let documents = std::fs::canonicalize(lab.path("documents")).unwrap().to_str().unwrap().to_owned();
    let question = "Who was captain of the Meridian Lark?";
    lab.run(&["library", "add", &documents]);
    recorder.ended("registered", "completed", &["deep-research", "--engine", "extractive", question]);
    let args = ["deep-research", "--engine", "extractive", "--library", &documents, question];
    recorder.ended("completed", "completed", &args);
    // Whoever holds its lock keeps the index from being brought up to date.
    let locks = walkdir::WalkDir::new(lab.path("data")).into_iter().map(Result::unwrap);
    let locks = locks.filter(|entry| entry.file_name().to_string_lossy().contains("lock"));
    let locks: Vec<File> = locks.map(|entry| File::options().write(true).open(entry.path()).unwrap()).collect();
    assert!(!locks.is_empty());
    locks.iter().for_each(|lock| lock.lock().unwrap());
    let child = lab.spawn(&args);
    let open = "SELECT count(*) FROM effects WHERE ended_order IS NULL";
    until("the refresh", || number(lab, open) == 1);
    recorder.killed("killed_in_refresh", child);
}

pub(super) fn web(recorder: &mut Recorder<'_>) {
    let lab = recorder.lab;
    let research = ["deep-research", "--engine", "native", "--task-scope", "large"];
    for path in ["status/503", "status/404", "pdf"] {
        let text = "captain of the ship that carried the Halvorsen expedition to Brannock Island";
        lab.search.list(&format!("http://traps.sim.test/{path}"), "The captain", text);
    }
    recorder.ended("completed", "completed", &[&research[..], &["--explain", QUESTION]].concat());
    recorder.ended("capped", "completed", &[&research[..], &["--budget-usd", "0.001", QUESTION]].concat());
    let quotes = ["deep-research", "--engine", "extractive", "--web", "--site", "-tides.sim.test", QUESTION];
    recorder.ended("quotes", "completed", &quotes);

    let held = lab.hold_chat(|asked| !super::lab::asks_for_queries(asked));
    let child = lab.spawn(&[&research[..], &[QUESTION]].concat());
    message("the question to the model", &held).unwrap();
    recorder.killed("killed_in_report", child);
    let searches = lab.asked().search;
    let never = sim::search::Fault::Slow(std::time::Duration::from_secs(3_600));
    lab.search.fail("tavily", never, 1);
    let child = lab.spawn(&[&research[..], &["--site", "-printing.sim.test", QUESTION]].concat());
    until("the search", || lab.asked().search > searches);
    recorder.killed("killed_in_search", child);
}

const SEA: &str = "How deep is the sea?";

pub(super) fn hosted(recorder: &mut Recorder<'_>) {
    let lab = recorder.lab;
    let still = Plan { speed: 0.0, ..Plan::default() };
    let fast = Plan { speed: 12_000.0, ..Plan::default() };
    let start = ["start", "--wait", SEA];
    lab.api.set_plan(fast.clone());
    recorder.ended("completed", "completed", &start);
    recorder.ended_with("deleted", "completed", &[("HADAL_DEEP_RESEARCH_DELETE", "yes")], &start);
    let plan = recorder.ended("planned", "completed", &["start", "--wait", "--plan-only", SEA]);
    recorder.ended("approved", "completed", &["start", "--wait", "--follow-up-to", &plan, "Go on."]);
    lab.api.set_plan(Plan { run: Run { end: End::FailedWithErrors, ..Run::default() }, ..fast.clone() });
    recorder.ended("failed", "failed", &start);
    let refused = interactions::Fault::RateLimited { retry_after: Some(1), retry_delay: None, per_day: false };
    lab.api.set_plan(Plan { faults: vec![FaultRule::times(On::Create, refused, 1)], ..fast });
    recorder.ended("refused_once", "completed", &start);

    lab.api.set_plan(still.clone());
    let looks = |lab: &Lab| lab.api.count(On::Get);
    let before = looks(lab);
    let child = lab.spawn(&start);
    until("a look", || looks(lab) > before);
    lab.api.advance(700.0);
    let pages = "SELECT count(*) FROM research_tasks WHERE status = 'running' AND live_json LIKE '%\"read\":1%'";
    until("progress", || number(lab, pages) == 1);
    recorder.cancelled("cancelled", child);

    let before = looks(lab);
    let child = lab.spawn(&start);
    until("a look", || looks(lab) > before);
    lab.api.advance(700.0);
    until("progress", || number(lab, pages) == 1);
    let id = recorder.killed("killed_in_follow", child);
    let interaction = lab.run(&["status", &id])["interaction_id"].as_str().unwrap().to_owned();
    recorder.marks.push((super::INTERACTION.to_owned(), interaction));

    let delay = interactions::Fault::Delay { ms: 3_600_000 };
    lab.api.set_plan(Plan { faults: vec![FaultRule::times(On::Create, delay, 2)], ..still });
    let in_create = || {
        let creates = lab.api.count(On::Create);
        let child = lab.spawn(&start);
        until("the create", || lab.api.count(On::Create) > creates);
        child
    };
    let uncertain = recorder.killed("uncertain", in_create());
    assert_eq!(lab.run(&["results", "--wait", &uncertain])["error"]["code"], "PAID_RUN_UNCERTAIN");
    recorder.killed("killed_in_create", in_create());
}
