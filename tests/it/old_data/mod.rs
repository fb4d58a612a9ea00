//! Data directories that earlier versions of hadal left behind: this one opens them, shows what they showed, goes on with what was
//! killed in the middle, and comes to the same end from the same journal.
//!
//! Each directory is stored as SQL text beside what was shown of it (`tests/fixtures/data-v1`). Marks in the text stand for the
//! paths, addresses and dates that every test has of its own. What is stored is never changed; a new one is made with
//! `RECORD_DATA=1 cargo test --test it old_data` by the version whose data it is.

mod dump;
mod index;
mod lab;
mod record;
mod shown;

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use serde_json::{Value, json};
use sim::gemini::{Scenario, Script};
use sim::interactions::{ModelAnswer, On, Plan};
use sim::web::ANSWER;

use crate::stored;
use lab::{Asked, Lab};
use record::Recorder;

/// Stands for the moment until which a hosted run is followed.
const DEADLINE: &str = "{{DEADLINE}}";
/// Stands for the provider's id of the run that is still to be followed.
const INTERACTION: &str = "{{INTERACTION}}";

/// A stored data directory, opened in an installation of its own.
struct Old {
    lab: Lab,
    shown: Value,
    journal: Journal,
}

/// The journal as it is stored: a task that ends now keeps little of it.
type Journal = Vec<(String, u32, String, Option<String>)>;

/// The share of nothing was written as minus zero then.
fn zero_has_no_sign(stored: &mut Value) {
    match stored {
        Value::String(text) => *text = text.replace(" -0.00,", " 0.00,"),
        Value::Array(list) => list.iter_mut().for_each(zero_has_no_sign),
        Value::Object(fields) => fields.values_mut().for_each(zero_has_no_sign),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A lost start was shown as $0 then, and so was a run at the provider in the list, which has not told its cost. It is not known, and that is
/// what is shown now.
fn unknown_is_not_zero(shown: &mut Value) {
    for listed in shown["list"]["tasks"].as_array_mut().into_iter().flatten() {
        if listed["tool"] == "start_deep_research" && listed["status"] == "running_async" {
            listed["cost_usd"] = Value::Null;
        }
    }
    let Some(uncertain) = shown["tasks"].get_mut("uncertain") else { return };
    uncertain["status"]["cost_so_far"] = Value::Null;
    let id = uncertain["task_id"].clone();
    for listed in shown["list"]["tasks"].as_array_mut().into_iter().flatten().filter(|listed| listed["task_id"] == id) {
        listed["cost_usd"] = Value::Null;
    }
}

/// What a killed process was at was shown as if it were still at it. Now it is told that nobody is.
fn nobody_works(shown: &mut Value) {
    for task in shown["tasks"].as_object_mut().into_iter().flat_map(|tasks| tasks.values_mut()) {
        let status = &mut task["status"];
        if status["status"] != "running_async" {
            continue;
        }
        let last = status["current_action"].as_str().unwrap_or_default().to_owned();
        let elsewhere = status["interaction_id"].is_string();
        let paused =
            if elsewhere { "paused here until hadal runs, the agent goes on" } else { "paused until hadal runs" };
        let before = if last.is_empty() { String::new() } else { format!("; before that: {last}") };
        status["current_action"] = json!(format!("{paused}{before}"));
    }
}

/// A person was told which tool to call. A terminal names the command now.
fn hints_of_a_terminal(shown: &mut Value) {
    for task in shown["tasks"].as_object_mut().into_iter().flat_map(|tasks| tasks.values_mut()) {
        let id = task["task_id"].as_str().unwrap_or_default().to_owned();
        let (tool, command) = (format!("check_research_status(task_id='{id}')"), format!("`hadal status {id}`"));
        let Some(hints) = task.pointer_mut("/results/error/hints").and_then(Value::as_array_mut) else { continue };
        for hint in hints {
            *hint = json!(hint.as_str().unwrap_or_default().replace(&tool, &command));
        }
    }
}

impl Old {
    fn open(name: &str, record: fn(&mut Recorder<'_>)) -> Self {
        Self::open_with(name, record, |_| String::new())
    }

    /// Opens it with the id of a run that the provider of this test knows.
    fn open_with(name: &str, record: fn(&mut Recorder<'_>), interaction: impl Fn(&Lab) -> String) -> Self {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/data-v1").join(name);
        if !folder.exists() {
            assert!(std::env::var_os("RECORD_DATA").is_some(), "no stored data: {}", folder.display());
            let lab = Lab::new();
            let mut recorder = Recorder::new(&lab);
            record(&mut recorder);
            recorder.store(&folder);
        }
        let lab = Lab::new();
        let mut marks = lab.marks();
        marks.push((DEADLINE, in_eight_hours().to_string()));
        marks.push((INTERACTION, interaction(&lab)));
        let filled = |text: String| marks.iter().fold(text, |text, (mark, value)| text.replace(mark, value));
        let read = |file: &str| filled(std::fs::read_to_string(folder.join(file)).unwrap());
        index::restore(&lab, &folder, filled);
        let database = dump::load(&lab.path("data/hadal.db"), &read("hadal.sql"));
        // A killed process leaves its file behind, and the lock on it is free.
        std::fs::create_dir_all(lab.path("data/owners")).unwrap();
        let mut owners = database.prepare("SELECT DISTINCT owner FROM research_tasks WHERE owner IS NOT NULL").unwrap();
        for owner in owners.query_map([], |row| row.get::<_, String>(0)).unwrap() {
            std::fs::write(lab.path("data/owners").join(owner.unwrap()), "").unwrap();
        }
        let journal = journal_of(&database);
        let mut shown: Value = serde_json::from_str(&read("shown.json")).unwrap();
        unknown_is_not_zero(&mut shown);
        nobody_works(&mut shown);
        hints_of_a_terminal(&mut shown);
        Self { lab, shown, journal }
    }

    fn tasks(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.shown["tasks"].as_object().unwrap().iter()
    }

    /// What is shown now is what was shown then.
    fn shows_what_it_showed(&self) {
        let mut found = shown::differences(&self.shown["list"], &self.lab.run(&["list"]));
        found.extend(shown::differences(&self.shown["library"], &self.lab.run(&["library", "list"])));
        for (label, was) in self.tasks() {
            let is = shown::task(&self.lab, was["task_id"].as_str().unwrap());
            found.extend(shown::differences(was, &is).iter().map(|what| format!("{label}{what}")));
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    /// Each task that ended by itself, put back to the moment before its end was written, ends in the same way: what is shown and
    /// what is stored. Nobody is asked for anything: all of it is in the journal.
    fn ends_again_as_it_ended(&self) {
        let before = self.lab.asked();
        let ended = self
            .tasks()
            .filter(|(_, was)| was["status"]["status"] == "completed" || was["status"]["status"] == "failed");
        for (label, was) in ended {
            let id = was["task_id"].as_str().unwrap();
            let mut stored = self.stored_end(id);
            zero_has_no_sign(&mut stored);
            self.forget_the_end(id);
            self.remember_the_journal(id, None);
            let mut expected = was["results"].clone();
            zero_has_no_sign(&mut expected);
            if let Some(metadata) = expected["metadata"].as_object_mut() {
                metadata.retain(|field, _| field != "completed_at" && field != "duration_minutes");
            }
            let reply = self.resumed(label);
            let mut found = shown::differences(&expected, &reply);
            found.extend(shown::differences(&stored, &self.stored_end(id)));
            assert!(found.is_empty(), "{label}: {}\n{}", found.join("\n"), reply["error"]);
        }
        assert_eq!(self.lab.asked(), before, "somebody was asked for what the journal knows");
    }

    /// What is stored of the end of a task, but for its moment.
    fn stored_end(&self, id: &str) -> Value {
        let database = self.lab.database();
        let rows = |columns: &str, table: &str| -> Value {
            let sql = format!("SELECT json_array({columns}) FROM {table} WHERE task_id = ?1 ORDER BY 1");
            let mut statement = database.prepare(&sql).unwrap();
            let rows = statement.query_map([id], |row| row.get::<_, String>(0)).unwrap();
            rows.map(|row| serde_json::from_str::<Value>(&row.unwrap()).unwrap()).collect()
        };
        json!({
            "task": rows("status, progress, error_json, tokens_in, tokens_out, cost_micros", "research_tasks"),
            "result": stored::ending(&database, id),
            "sources": rows("number, title, location, line_first, line_last, page", "sources"),
            "spend": rows("tool, engine, estimated_micros, cost_micros, charged_micros, agent, complexity, calibrates", "spend"),
        })
    }

    /// The task, put back to the moment after each of its steps in turn, goes on to an end whose report says `words`.
    fn resumes_after_each_step(&self, label: &str, words: &str) {
        let id = self.shown["tasks"][label]["task_id"].as_str().unwrap();
        let database = self.lab.database();
        let steps =
            database.query_row("SELECT count(*) FROM effects WHERE task_id = ?1", [id], |row| row.get(0)).unwrap();
        for step in (0..steps).rev() {
            self.forget_the_end(id);
            self.remember_the_journal(id, Some(step));
            let reply = self.resumed(label);
            assert!(completed(&reply).contains(words), "after {step} steps: {reply:#}");
        }
        assert!(steps > 2, "{label} has {steps} steps");
    }

    /// Puts the journal of a task back to what is stored of it, up to the step `before`.
    fn remember_the_journal(&self, id: &str, before: Option<u32>) {
        let database = self.lab.database();
        for (_, no, body, outcome) in self.journal.iter().filter(|(task, ..)| task == id) {
            let was = "UPDATE effects SET body_json = ?3, outcome_json = ?4 WHERE task_id = ?1 AND no = ?2";
            assert!(database.execute(was, (id, no, body, outcome)).unwrap() <= 1);
        }
        if let Some(before) = before {
            database.execute("DELETE FROM effects WHERE task_id = ?1 AND ended_order >= ?2", (id, before)).unwrap();
        }
    }

    /// The state that a kill between the last step of a task and the writing of its end leaves behind.
    fn forget_the_end(&self, id: &str) {
        let database = self.lab.database();
        // What its sources hold, a task that runs holds itself: no other task that ends may let it go.
        let held = "INSERT OR IGNORE INTO text_uses (task_id, hash)
                    SELECT task_id, page FROM sources WHERE task_id = ?1 AND page IS NOT NULL";
        database.execute(held, [id]).unwrap();
        for table in ["research_results", "sources", "claims", "spend"] {
            database.execute(&format!("DELETE FROM {table} WHERE task_id = ?1"), [id]).unwrap();
        }
        let open =
            "UPDATE research_tasks SET status = 'running', owner = '1-ab', completed_at = NULL, error_json = NULL,
                    notified_at = NULL WHERE task_id = ?1";
        assert_eq!(database.execute(open, [id]).unwrap(), 1);
    }

    /// The journal as another version would have written it, with questions and prompts in other words.
    fn word_differently(&mut self) {
        let database = self.lab.database();
        let mut changed = 0;
        for (kind, fields) in [
            ("chat", &["$.system", "$.prompt"][..]),
            ("ask", &["$.prompt"]),
            ("web_search", &["$.query.text"]),
            ("fetch_pages", &["$.query"]),
            ("search_library", &["$.query"]),
        ] {
            for field in fields {
                let sql =
                    "UPDATE effects SET body_json = json_set(body_json, ?2, 'in other words: ' || (body_json ->> ?2))
                           WHERE body_json ->> '$.effect' = ?1 AND json_type(body_json, ?2) = 'text'";
                changed += database.execute(sql, (kind, field)).unwrap();
            }
        }
        assert!(changed > 0, "nothing was worded differently");
        self.journal = journal_of(&database);
        // This version brings the database into its own form.
        self.lab.run(&["list"]);
    }

    /// Goes on with a task to its end.
    fn resumed(&self, label: &str) -> Value {
        self.lab.run(&["results", "--wait", self.shown["tasks"][label]["task_id"].as_str().unwrap()])
    }

    /// The tasks that were killed and are still to be finished.
    fn unfinished(&self) -> Vec<&String> {
        let open = self.tasks().filter(|(_, was)| was["status"]["status"] == "running_async");
        let mut labels: Vec<&String> = open.map(|(label, _)| label).collect();
        labels.sort();
        labels
    }

    /// Millionths of a dollar that were spent on a task.
    fn micros(&self, label: &str) -> u64 {
        let id = self.shown["tasks"][label]["task_id"].as_str().unwrap();
        let sql = "SELECT cost_micros FROM research_tasks WHERE task_id = ?1";
        self.lab.database().query_row(sql, [id], |row| row.get::<_, u32>(0)).unwrap().into()
    }
}

fn journal_of(database: &Connection) -> Journal {
    let mut rows = database.prepare("SELECT task_id, no, body_json, outcome_json FROM effects").unwrap();
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

fn in_eight_hours() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() + 8 * 3_600_000
}

/// Puts a mark for every moment until which a run is followed.
fn marked_deadlines(text: &str) -> String {
    const FIELD: &str = "\"deadline_ms\":";
    let mut parts = text.split(FIELD);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |done, part| done + FIELD + DEADLINE + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

fn completed(reply: &Value) -> &str {
    assert_eq!(reply["status"], "completed", "{reply:#}");
    reply["report"].as_str().unwrap()
}

#[test]
fn scripted_tasks() {
    let old = Old::open("scripted", record::scripted);
    old.shows_what_it_showed();
    assert_eq!(old.unfinished(), ["killed_in_paid", "killed_in_work", "killed_with_cancel", "not_begun"]);
    let id = old.shown["tasks"]["killed_in_paid"]["task_id"].as_str().unwrap();
    // What was paid before the kill.
    std::fs::write(old.lab.path("invoice"), format!("{id} b\n")).unwrap();
    assert_eq!(completed(&old.resumed("killed_in_work")), "a=paid\nb=done\nc=done");
    assert_eq!(completed(&old.resumed("killed_in_paid")), "a=done\nb=paid\nc=paid");
    assert_eq!(completed(&old.resumed("not_begun")), "a=done");
    let reply = old.resumed("killed_with_cancel");
    assert_eq!((&reply["status"], &reply["report"]), (&json!("cancelled"), &json!("a=paid")), "{reply:#}");
    let invoice = std::fs::read_to_string(old.lab.path("invoice")).unwrap();
    assert_eq!(invoice, format!("{id} b\n{id} c\n"), "what is paid is not paid again");
    assert_eq!((old.micros("killed_in_work"), old.micros("killed_in_paid")), (1_200, 2_400));
    old.ends_again_as_it_ended();
}

#[test]
fn rounds_on_gemini_cli() {
    let old = Old::open("rounds-gemini-cli", record::gemini_cli);
    old.shows_what_it_showed();
    old.ends_again_as_it_ended();
    assert_eq!(old.unfinished(), ["killed_in_round_two"]);
    let answer = json!({"success": true, "verified": true, "report": "two", "metadata": {}});
    old.lab.fake.script(&Script::runs([Scenario::json(&answer)]));
    let reply = old.resumed("killed_in_round_two");
    assert_eq!(completed(&reply), "two");
    let [asked] = &old.lab.fake.calls()[..] else { panic!("{:#?}", old.lab.fake.calls()) };
    assert!(asked.prompt.contains("round 2 of at most 5") && asked.prompt.contains("one"), "{}", asked.prompt);
    assert_eq!(reply["metadata"]["rounds"][0]["intermediate_result_summary"], "one", "{reply:#}");
}

#[test]
fn rounds_on_the_gemini_api() {
    let old = Old::open("rounds-gemini-api", record::gemini_api);
    old.shows_what_it_showed();
    old.ends_again_as_it_ended();
    assert_eq!(old.unfinished(), ["killed_in_round_two"]);
    let text = json!({"success": true, "verified": true, "report": "Two.", "metadata": {}}).to_string();
    let answer = ModelAnswer { text, sources: Vec::new(), ..ModelAnswer::default() };
    old.lab.api.set_plan(Plan { models: vec![answer], ..Plan::default() });
    let before = old.micros("killed_in_round_two");
    let reply = old.resumed("killed_in_round_two");
    assert_eq!((completed(&reply), &reply["metadata"]["iterations"]), ("Two.", &json!(2)));
    assert_eq!(old.lab.asked(), Asked { api: 1, ..Asked::default() });
    assert!(before > 0, "the first round was paid");
    assert_eq!(old.micros("killed_in_round_two"), before + old.lab.api.invoice().cost_micros());
}

#[test]
fn rounds_on_a_chat_model() {
    let old = Old::open("rounds-native", record::rounds_native);
    old.shows_what_it_showed();
    old.ends_again_as_it_ended();
    assert_eq!(old.unfinished(), ["killed_in_round_two"]);
    let before = old.micros("killed_in_round_two");
    let reply = old.resumed("killed_in_round_two");
    assert!(completed(&reply).contains("Meridian Lark"), "{reply:#}");
    assert_eq!((&reply["verified"], &reply["metadata"]["iterations"]), (&json!(true), &json!(2)));
    let asked = old.lab.asked();
    assert_eq!((asked.chat, asked.search), (1, 1), "the second round alone");
    let searches: u64 = old.lab.search.invoice().values().sum();
    assert_eq!(old.micros("killed_in_round_two"), before + old.lab.chat.invoice().micros + searches);
}

#[test]
fn adaptive_research_in_a_library() {
    let old = Old::open("adaptive-library", record::library);
    old.shows_what_it_showed();
    old.ends_again_as_it_ended();
    assert_eq!(old.unfinished(), ["killed_in_refresh"]);
    assert!(completed(&old.resumed("killed_in_refresh")).contains(ANSWER));
    old.resumes_after_each_step("completed", ANSWER);
}

#[test]
fn adaptive_research_on_the_web() {
    let old = Old::open("adaptive-web", record::web);
    old.shows_what_it_showed();
    old.ends_again_as_it_ended();
    assert_eq!(old.unfinished(), ["killed_in_report", "killed_in_search"]);
    let before = old.micros("killed_in_report");
    let reply = old.resumed("killed_in_report");
    assert!(completed(&reply).contains(ANSWER), "{reply:#}");
    assert_eq!(old.lab.asked(), Asked { chat: 1, ..Asked::default() }, "only the report is written again");
    assert_eq!(old.micros("killed_in_report"), before + old.lab.chat.invoice().micros);
    assert!(completed(&old.resumed("killed_in_search")).contains(ANSWER));
    old.resumes_after_each_step("completed", ANSWER);
}

/// PR-03: a new version that words its prompts differently comes to the same end from the same journal, and goes on with what was in
/// flight.
#[test]
fn pr_03_prompts_in_other_words_fail_no_task() {
    type Record = fn(&mut Recorder<'_>);
    let recorded: [(&str, Record); 4] = [
        ("rounds-gemini-api", record::gemini_api),
        ("rounds-native", record::rounds_native),
        ("adaptive-library", record::library),
        ("adaptive-web", record::web),
    ];
    for (name, record) in recorded {
        let mut old = Old::open(name, record);
        old.word_differently();
        old.ends_again_as_it_ended();
        let text = json!({"success": true, "verified": true, "report": "Two.", "metadata": {}}).to_string();
        old.lab.api.set_plan(Plan { models: vec![ModelAnswer { text, ..ModelAnswer::default() }], ..Plan::default() });
        for label in old.unfinished() {
            completed(&old.resumed(label));
        }
    }
}

/// PR-03: a paid start must be the one that the task asks for; another one ends the task, and nothing is started.
#[test]
fn pr_03_another_paid_start_does_not_fit() {
    let old = Old::open("hosted", record::hosted);
    let changed = "UPDATE effects SET body_json = replace(body_json, 'How', 'Why')
                   WHERE body_json ->> '$.effect' = 'create_run'";
    assert!(old.lab.database().execute(changed, []).unwrap() > 0);
    let reply = old.resumed("killed_in_follow");
    assert!(reply["error"]["message"].as_str().unwrap().contains("a paid `create_run`"), "{reply:#}");
    assert_eq!(old.lab.api.requests().len(), 0);
}

#[test]
fn hosted_runs() {
    let query = "How deep is the sea?";
    let interaction = |lab: &Lab| {
        // A run that exists at the provider, started from another installation.
        let other = tempfile::tempdir().unwrap();
        let run = |args: &[&str]| -> Value {
            let output = lab.command().env("HADAL_HOME", other.path()).arg("--json").args(args).output().unwrap();
            serde_json::from_slice(&output.stdout).unwrap()
        };
        let started = run(&["start", query]);
        let status = run(&["status", started["task_id"].as_str().unwrap()]);
        status["interaction_id"].as_str().unwrap_or_else(|| panic!("{status:#}")).to_owned()
    };
    let old = Old::open_with("hosted", record::hosted, interaction);
    old.shows_what_it_showed();
    old.ends_again_as_it_ended();
    assert_eq!(old.unfinished(), ["killed_in_create", "killed_in_follow"]);
    old.lab.api.advance(5_000.0);
    let reply = old.resumed("killed_in_follow");
    assert!(completed(&reply).contains("Challenger Deep"), "{reply:#}");
    assert_eq!(old.micros("killed_in_follow"), old.lab.api.invoice().cost_micros());
    // A run that was started again would come to its end.
    old.lab.api.set_plan(Plan { speed: 12_000.0, ..Plan::default() });
    let reply = old.resumed("killed_in_create");
    assert_eq!(reply["error"]["code"], "PAID_RUN_UNCERTAIN", "{reply:#}");
    assert_eq!(old.lab.api.count(On::Create), 1, "nothing is started again");
}

/// PR-04: `doctor --repair` on a directory of an earlier version of which a page of the journal is damaged: every task and every report
/// is there, and what was saved is told.
#[test]
fn a_damaged_journal_costs_no_report() {
    let old = Old::open("rounds-gemini-cli", record::gemini_cli);
    let file = old.lab.path("data/hadal.db");
    let database = old.lab.database();
    database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    let leaf = "SELECT pageno FROM dbstat WHERE name = 'effects' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1";
    let page: u32 = database.query_row(leaf, [], |row| row.get(0)).unwrap();
    drop(database);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[(page as usize - 1) * 4_096..page as usize * 4_096].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let output = old.lab.command().args(["doctor", "--repair"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("rows of `research_results`") && told.contains("`effects` has 1 damaged places"), "{told}");
    let ended = old.tasks().filter(|(_, was)| was["status"]["status"] != "running_async");
    for (label, was) in ended {
        let reply = old.lab.run(&["results", was["task_id"].as_str().unwrap()]);
        let found = shown::differences(&was["results"], &reply);
        assert!(found.is_empty(), "{label}: {}", found.join("\n"));
    }
    assert_eq!(old.lab.run(&["list"])["tasks"].as_array().unwrap().len(), old.tasks().count());
}
