//! Plays a scenario: the steps, the answer, the end.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::call::{Call, Desk, Entry};
use super::super::scenario::{End, Fault, Scenario, Step, ToolCall, Usage};
use super::args::{Args, Format};
use super::fault::{self, Look};
use super::input::Workspace;
use super::output::{self, Event, Output, Problem, Stats, Tally, stamp};
use super::session::Session;
use super::{FOR_EVER, GRANDCHILD, OVER, exit, stall};
use crate::host::{env, now_ms};

/// What the real CLI takes for `auto` and the other short names, its router, and the model of its nested tools.
const MODELS: [(&str, &str); 4] = [
    ("auto", "gemini-3.8-flash"),
    ("flash", "gemini-3.8-flash"),
    ("pro", "gemini-3.1-pro-preview"),
    ("flash-lite", "gemini-3.5-flash-lite"),
];
const ROUTER: &str = "gemini-3.5-flash-lite";
const NESTED: &str = "gemini-3-flash-preview";
/// Attempts of the real CLI when the settings do not say.
const ATTEMPTS: u64 = 10;
/// Characters of one piece of [`Step::Huge`].
const PIECE: usize = 50_000;
const MB: usize = 1_000_000;
const HOLD_LOOK: Duration = Duration::from_millis(5);

/// The model that answers.
pub(super) fn model(scenario: &Scenario, args: &Args) -> String {
    let asked = asked(args);
    let known = MODELS.iter().find(|(short, _)| *short == asked);
    scenario.model.clone().unwrap_or_else(|| known.map_or(asked, |(_, name)| (*name).to_owned()))
}

/// The model that was asked for.
fn asked(args: &Args) -> String {
    args.model.clone().or_else(|| env("GEMINI_MODEL")).unwrap_or_else(|| "auto".to_owned())
}

#[derive(Debug)]
pub(super) struct Play<'a> {
    scenario: &'a Scenario,
    call: &'a Call,
    args: &'a Args,
    workspace: &'a Workspace,
    desk: &'a Desk,
    output: Output,
    session: Option<Session>,
    usage: BTreeMap<String, Usage>,
    tally: Tally,
    /// Text of the model since the last tool.
    said: String,
    since: Instant,
}

impl<'a> Play<'a> {
    pub(super) fn new(
        scenario: &'a Scenario,
        call: &'a Call,
        args: &'a Args,
        workspace: &'a Workspace,
        desk: &'a Desk,
    ) -> Self {
        let output = Output::new(args.format, scenario);
        let (usage, tally, said) = (BTreeMap::new(), Tally::default(), String::new());
        Self { scenario, call, args, workspace, desk, output, session: None, usage, tally, said, since: Instant::now() }
    }

    /// The exit code; an error is one of stdout.
    pub(super) fn run(mut self) -> io::Result<u8> {
        std::thread::sleep(Duration::from_millis(self.scenario.start_ms));
        let home = env("GEMINI_CLI_HOME").or_else(|| env("HOME")).unwrap_or_default();
        let look = self.scenario.fault.map(|fault| fault::look(fault, &self.call.model, &home));
        if let Some(look) = look.as_ref().filter(|look| look.early) {
            return self.fail_early(look);
        }
        self.begin()?;
        for step in &self.scenario.steps {
            self.step(step)?;
        }
        match look {
            Some(look) if self.scenario.fault != Some(Fault::MaxTokens) => self.fail(&look),
            _ => {
                self.answer()?;
                self.end()
            }
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !env("TERM").is_some_and(|term| term.contains("256color")) {
            writeln!(io::stderr(), "Warning: 256-color support not detected.")?;
        }
        writeln!(io::stderr(), "Ripgrep is not available. Falling back to GrepTool.")?;
        let asked = asked(self.args);
        if asked == "auto" {
            self.book(ROUTER, self.call.prompt.len(), 80);
        }
        self.output.event(&Event::Init { timestamp: stamp(), session_id: &self.call.session_id, model: &asked })?;
        if self.scenario.fault == Some(Fault::SlashCommand) {
            return Ok(());
        }
        let prompt = &self.call.prompt;
        self.output.event(&Event::Message { timestamp: stamp(), role: "user", content: prompt, delta: false })?;
        if !self.scenario.no_session {
            self.session = Session::begin(&self.call.session_id, &self.call.model, prompt);
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        match step {
            Step::Say(text) => self.say(text),
            Step::Tools(calls) => self.tools(calls),
            Step::Wait { ms } => {
                std::thread::sleep(Duration::from_millis(*ms));
                Ok(())
            }
            Step::Hold(name) => {
                self.hold(name);
                Ok(())
            }
            Step::Stdout(line) => self.output.line(line.as_bytes()),
            Step::Bytes(bytes) => output::raw(bytes),
            Step::Stderr(line) => writeln!(io::stderr(), "{line}"),
            Step::Huge { mb } => self.huge(*mb),
            Step::Stall => stall(),
            Step::HotLoop => hot_loop(),
            Step::Grandchild { setsid } => self.grandchild(*setsid),
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.said += text;
        self.output.say(text)
    }

    fn huge(&mut self, mb: usize) -> io::Result<()> {
        let piece = "deep water ".repeat(PIECE / 11);
        for _ in 0..mb * MB / piece.len() {
            self.say(&piece)?;
        }
        Ok(())
    }

    fn hold(&self, name: &str) {
        let file = self.desk.beside(&format!("release-{name}"));
        let since = Instant::now();
        while !file.exists() && since.elapsed() < FOR_EVER {
            std::thread::sleep(HOLD_LOOK);
        }
    }

    #[expect(clippy::disallowed_methods, reason = "leaving processes behind is what it is for")]
    fn grandchild(&self, setsid: bool) -> io::Result<()> {
        let mut command = Command::new(std::env::current_exe()?);
        let child = command.arg(GRANDCHILD).arg(if setsid { "setsid" } else { "" }).spawn()?;
        self.desk.log(&Entry::Grandchild { run: self.call.run, pid: child.id() })
    }

    fn tools(&mut self, calls: &[ToolCall]) -> io::Result<()> {
        let calls: Vec<(String, ToolCall)> = calls.iter().enumerate().map(|(n, call)| self.meet(n, call)).collect();
        for (id, call) in &calls {
            self.output.event(&Event::ToolUse {
                timestamp: stamp(),
                tool_name: &call.name,
                tool_id: id,
                parameters: &call.args,
            })?;
        }
        std::thread::sleep(Duration::from_millis(calls.iter().map(|(_, call)| call.ms).max().unwrap_or(0)));
        for (id, call) in &calls {
            self.tally.calls += 1;
            self.tally.failed += u32::from(call.error.is_some());
            let (output, kind) = call.result();
            let error = call.error.as_deref().map(|message| Problem { kind, message });
            let status = if error.is_some() { "error" } else { "success" };
            self.output.event(&Event::ToolResult {
                timestamp: stamp(),
                tool_id: id,
                status,
                output: &output,
                error,
            })?;
            if ["google_web_search", "web_fetch"].contains(&call.name.as_str()) {
                self.book(&self.nested(&call.name), call.args.to_string().len(), call.text.len());
            }
        }
        let usage = Usage { input: tokens(self.call.prompt.len()), output: 40, cached: 0 };
        self.book(&self.call.model, self.call.prompt.len(), 160);
        let pairs: Vec<(String, &ToolCall)> = calls.iter().map(|(id, call)| (id.clone(), call)).collect();
        if let Some(session) = &mut self.session {
            let _ = session.turn(&self.said, usage, &pairs);
        }
        self.said.clear();
        self.output.next_turn();
        Ok(())
    }

    /// A call as the CLI meets it: one that the policy or the workspace does not allow fails.
    fn meet(&self, n: usize, call: &ToolCall) -> (String, ToolCall) {
        let id = format!("{0}__{0}_{1}_{n}", call.name, now_ms());
        let mut call = call.clone();
        if !self.offered(&call.name) {
            call.error = Some(format!("Tool \"{}\" not found.", call.name));
        } else if let Some(path) = call.args["file_path"].as_str() {
            let file = self.workspace.file(std::path::Path::new(path));
            match file.contents {
                Some(contents) if file.in_workspace => call.text = contents,
                _ => call.error = Some(format!("Path not in workspace: {path}")),
            }
        }
        (id, call)
    }

    /// Whether the model is offered a tool: one that a policy names, or without a policy one that does not ask first.
    fn offered(&self, tool: &str) -> bool {
        let policies: Vec<_> = self.call.policies.iter().filter_map(|file| file.contents.as_ref()).collect();
        if policies.is_empty() {
            return self.args.yolo || ["google_web_search", "read_file"].contains(&tool);
        }
        let name = format!("\"{tool}\"");
        policies.iter().any(|policy| policy.contains(&name))
    }

    /// The model of a nested tool, which settings can change.
    fn nested(&self, tool: &str) -> String {
        let alias = if tool == "web_fetch" { "web-fetch" } else { "web-search" };
        let path = format!("/modelConfigs/customAliases/{alias}/modelConfig/model");
        let set = self.call.settings.as_ref().and_then(|settings| settings.pointer(&path));
        set.and_then(Value::as_str).unwrap_or(NESTED).to_owned()
    }

    fn book(&mut self, model: &str, input: usize, output: usize) {
        let usage = self.usage.entry(model.to_owned()).or_default();
        usage.input += tokens(input);
        usage.output += tokens(output);
    }

    fn answer(&mut self) -> io::Result<()> {
        let scenario = self.scenario;
        let answer = scenario.answer.as_deref().unwrap_or_default();
        let letters: Vec<char> = answer.chars().collect();
        let all = letters.len();
        let sent = if scenario.fault == Some(Fault::MaxTokens) { all / 2 } else { all };
        let size = scenario.chunk.unwrap_or(all).max(1);
        for piece in letters.get(..sent).unwrap_or_default().chunks(size) {
            self.say(&piece.iter().collect::<String>())?;
        }
        self.book(&self.call.model, self.call.prompt.len(), self.said.len());
        if let Some(session) = &mut self.session {
            let usage = Usage { input: tokens(self.call.prompt.len()), output: tokens(self.said.len()), cached: 0 };
            let _ = session.turn(&self.said, usage, &[]);
        }
        Ok(())
    }

    fn usage(&self) -> &BTreeMap<String, Usage> {
        self.scenario.usage.as_ref().unwrap_or(&self.usage)
    }

    /// The line of the `result`, or the object of the json format; nothing in text.
    fn result(&self, status: &str, error: Option<Problem<'_>>) -> io::Result<Vec<u8>> {
        let took = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let stats = Stats::new(self.usage(), took, self.tally.calls);
        Ok(match self.args.format {
            Format::StreamJson => serde_json::to_vec(&Event::Result { timestamp: stamp(), status, error, stats })?,
            Format::Json => {
                let object = self.output.object(&self.call.session_id, self.usage(), self.tally, error.as_ref());
                serde_json::to_vec_pretty(&object)?
            }
            Format::Text => Vec::new(),
        })
    }

    fn end(&mut self) -> io::Result<u8> {
        let line = self.result("success", None)?;
        match &self.scenario.end {
            End::Result => self.output.line(&line).map(|()| 0),
            End::Code(code) => self.output.line(&line).map(|()| *code),
            End::Exit(code) => Ok(*code),
            End::HalfLine => output::raw(line.get(..line.len() / 2).unwrap_or_default()).map(|()| 0),
            End::Signal(signal) => die(*signal),
            End::Stall => stall(),
            End::HotLoop => hot_loop(),
        }
    }

    /// A failure before the start: stdout stays empty.
    fn fail_early(&self, look: &Look) -> io::Result<u8> {
        let message = look.bare();
        if look.code == 41 && self.args.format == Format::Json {
            self.error_object("Error", message, "")?;
        } else {
            writeln!(io::stderr(), "{message}")?;
        }
        Ok(look.code)
    }

    fn fail(&mut self, look: &Look) -> io::Result<u8> {
        if let Some(attempt) = &look.attempt {
            for n in 1..=self.attempts() {
                writeln!(io::stderr(), "Attempt {n} {attempt}")?;
                std::thread::sleep(Duration::from_millis(self.scenario.retry_ms));
            }
        }
        if !look.exception.is_empty() {
            let report = self.report();
            let (exception, message) = (look.exception, look.bare());
            let head = "Error when talking to Gemini API Full report available at:";
            writeln!(io::stderr(), "{head} {report} {exception}: {message}\n    at Turn.run (file:///gemini.js:1:1)")?;
        }
        if let Some(message) = look.event {
            self.book(&self.call.model, self.call.prompt.len(), 0);
            self.output.event(&Event::Error { timestamp: stamp(), severity: "error", message })?;
            let json = self.args.format == Format::Json;
            let line = self.result("error", json.then_some(Problem { kind: "INVALID_STREAM", message }))?;
            return self.output.line(&line).map(|()| 0);
        }
        match self.args.format {
            Format::StreamJson => {
                let line = self.result("error", Some(Problem { kind: look.kind, message: &look.message }))?;
                self.output.line(&line)?;
            }
            Format::Json => {
                let kind = if look.kind == "unknown" { "Error" } else { look.kind };
                self.error_object(kind, look.bare(), "")?;
                if look.code == 53 {
                    self.error_object(kind, look.bare(), "[ERROR] ")?;
                }
            }
            Format::Text => {
                writeln!(io::stderr(), "An unexpected critical error occurred:[object Object]")?;
                return Ok(if look.code > 130 { 1 } else { look.code });
            }
        }
        Ok(look.code)
    }

    /// The error of the json format, which is on stderr.
    fn error_object(&self, kind: &str, message: &str, prefix: &str) -> io::Result<()> {
        let code = self.scenario.fault.map_or(1, Fault::number);
        let error = json!({"type": kind, "message": message, "code": code});
        writeln!(io::stderr(), "{prefix}{:#}", json!({"session_id": self.call.session_id, "error": error}))
    }

    fn attempts(&self) -> u64 {
        let set = self.call.settings.as_ref().and_then(|settings| settings["general"]["maxAttempts"].as_u64());
        set.unwrap_or(ATTEMPTS)
    }

    /// The report that the CLI leaves in the temp directory; it holds the prompt.
    fn report(&self) -> String {
        let dir = env("TMPDIR").unwrap_or_else(|| "/tmp".to_owned());
        let time = stamp().replace([':', '.'], "-");
        let path = format!("{dir}/gemini-client-error-Turn.run-sendMessageStream-{time}-{}.json", self.call.pid);
        let context = json!({"context": [{"role": "user", "parts": [{"text": self.call.prompt}]}]});
        let _ = std::fs::write(&path, context.to_string());
        path
    }
}

impl ToolCall {
    /// What stdout says of a call, and the type of its error.
    fn result(&self) -> (String, &'static str) {
        let Some(message) = &self.error else { return (self.shown(), "") };
        match self.name.as_str() {
            _ if message.ends_with("not found.") => (message.clone(), "tool_not_registered"),
            "google_web_search" => ("Error performing web search.".to_owned(), "web_search_failed"),
            "web_fetch" => (format!("Error: {message}"), "web_fetch_processing_error"),
            _ => (message.clone(), "invalid_tool_params"),
        }
    }
}

/// Bytes of text to tokens, about.
fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes / 4).unwrap_or(u64::MAX)
}

fn hot_loop() -> ! {
    let since = Instant::now();
    let mut spun = 0_u64;
    while since.elapsed() < FOR_EVER {
        spun = std::hint::black_box(spun.wrapping_add(1));
    }
    exit(OVER)
}

fn die(signal: i32) -> ! {
    if let Some(signal) = rustix::process::Signal::from_named_raw(signal) {
        let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
    }
    stall()
}
