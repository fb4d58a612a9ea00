//! What a run of the fake `gemini` does, as data, and the builders that tests write it with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::api::Source;

/// All runs of one fake. A script file may also be a plain list of scenarios.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// Looked at first: the first rule that fits the prompt and is not used up.
    pub by_prompt: Vec<ByPrompt>,
    /// One per run, in the order in which the runs start.
    pub runs: Vec<Scenario>,
    /// The last of `runs` is used for all further ones. Otherwise a run too many ends with exit code 99.
    pub repeat_last: bool,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ByPrompt {
    /// All of these stand in the prompt.
    pub contains: Vec<String>,
    /// For so many runs; for ever when absent.
    pub times: Option<u32>,
    pub scenario: Scenario,
}

/// One run: the steps, then the answer, then the end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// Shows up in the call log.
    pub name: String,
    /// The model that answers; otherwise the one of `--model`, or what the real CLI takes for `auto`.
    pub model: Option<String>,
    /// Replaces the figures in `stats.models`, which otherwise follow from the lengths of prompt and answer.
    pub usage: Option<BTreeMap<String, Usage>>,
    pub start_ms: u64,
    pub steps: Vec<Step>,
    pub answer: Option<String>,
    /// Characters per piece of the answer; the whole at once when absent.
    pub chunk: Option<usize>,
    /// Wait before each line of stdout.
    pub event_ms: u64,
    /// Stops for ever after so many lines of stdout.
    pub stall_after: Option<u32>,
    /// Takes the place of the answer.
    pub fault: Option<Fault>,
    /// Wait between the attempts of a fault that the CLI retries; it is long in the real one.
    pub retry_ms: u64,
    /// Ignores SIGTERM, SIGINT and SIGHUP.
    pub deaf: bool,
    pub end: End,
    /// Leaves no session file.
    pub no_session: bool,
}

/// Tokens of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    pub cached: u64,
}

/// Something a run does before it answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Text of the model.
    Say(String),
    /// Tools that the model calls in one turn; they run in parallel, so their results come after all of the calls.
    Tools(Vec<ToolCall>),
    Wait {
        ms: u64,
    },
    /// Waits until the test calls [`super::FakeGemini::release`] with this name.
    Hold(String),
    /// A raw line on stdout.
    Stdout(String),
    /// Raw bytes on stdout, without a line feed.
    Bytes(Vec<u8>),
    Stderr(String),
    /// So many MB of model text.
    Huge {
        mb: usize,
    },
    /// Does nothing any more.
    Stall,
    /// Burns processor time and says nothing: what the real CLI does when the nested search model is out of quota.
    HotLoop,
    /// Leaves a process behind that holds stdout and stderr open.
    Grandchild {
        /// In a session of its own, out of reach for signals to the group.
        setsid: bool,
    },
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolCall {
    pub name: String,
    pub args: Value,
    /// What the tool says, without the list of sources.
    pub text: String,
    pub sources: Vec<Source>,
    /// The message of a failed call.
    pub error: Option<String>,
    pub ms: u64,
}

/// How a run ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum End {
    /// With a `result` and the exit code that belongs to it.
    #[default]
    Result,
    /// With a `result`, but this exit code.
    Code(u8),
    /// Without a `result`.
    Exit(u8),
    /// In the middle of the line of the `result`, with exit code 0.
    HalfLine,
    /// By a signal, without a `result`.
    Signal(i32),
    /// Not at all.
    Stall,
    HotLoop,
}

/// A failure of the real CLI, with its exit code and its words on stdout and stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// 41, before the start: no key and no login.
    AuthMissing,
    /// 41, before the start: a login that would need a browser.
    LoginNeeded,
    /// 144.
    BadKey,
    /// 145.
    Unauthenticated,
    /// 147.
    Forbidden,
    /// 173 after retries: the quota per minute.
    Quota,
    /// 173 at once.
    DailyQuota,
    /// 1.
    ModelNotFound,
    /// 55, before the start.
    Untrusted,
    /// 42, before the start.
    NoInput,
    /// 42: the prompt began with a command of the CLI.
    SlashCommand,
    /// 53.
    TurnLimit,
    /// 1 after retries.
    Network,
    /// 244 after retries.
    #[serde(rename = "500")]
    Internal,
    /// 247 after retries.
    #[serde(rename = "503")]
    Overloaded,
    /// 0, without an answer.
    Empty,
    /// 0, without an answer.
    Safety,
    /// 0, with half of the answer and no sign of it.
    MaxTokens,
    /// 127, before the start.
    NodeMissing,
    /// 1, before the start: the help text.
    BadFlag,
}

impl Script {
    /// One scenario per run.
    #[must_use]
    pub fn runs(runs: impl IntoIterator<Item = Scenario>) -> Self {
        Self { runs: runs.into_iter().collect(), ..Self::default() }
    }

    /// The same for every run.
    #[must_use]
    pub fn always(scenario: Scenario) -> Self {
        Self { runs: vec![scenario], repeat_last: true, ..Self::default() }
    }

    #[must_use]
    pub fn repeat_last(mut self) -> Self {
        self.repeat_last = true;
        self
    }

    /// For every prompt that holds all of these words.
    #[must_use]
    pub fn when(mut self, contains: &[&str], scenario: Scenario) -> Self {
        self.by_prompt.push(ByPrompt { contains: words(contains), times: None, scenario });
        self
    }

    /// For the first such prompt only; several of these make a sequence.
    #[must_use]
    pub fn once(mut self, contains: &[&str], scenario: Scenario) -> Self {
        self.by_prompt.push(ByPrompt { contains: words(contains), times: Some(1), scenario });
        self
    }
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

impl Scenario {
    /// Answers with this text.
    #[must_use]
    pub fn answer(text: impl Into<String>) -> Self {
        Self { answer: Some(text.into()), ..Self::default() }
    }

    /// Answers with this object in a fenced block, as the model usually does.
    #[must_use]
    pub fn json(object: &Value) -> Self {
        Self::answer(format!("Here is the result:\n\n```json\n{object:#}\n```\n"))
    }

    #[must_use]
    pub fn fault(fault: Fault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// A search that finds these addresses. They are in the session file, not on stdout.
    #[must_use]
    pub fn search(self, query: &str, urls: &[&str]) -> Self {
        self.step(Step::Tools(vec![ToolCall::search(query, urls)]))
    }

    /// Reads a page.
    #[must_use]
    pub fn fetch(self, url: &str) -> Self {
        self.step(Step::Tools(vec![ToolCall::fetch(url)]))
    }

    /// Several tools in one turn.
    #[must_use]
    pub fn tools(self, calls: Vec<ToolCall>) -> Self {
        self.step(Step::Tools(calls))
    }

    #[must_use]
    pub fn model(mut self, model: &str) -> Self {
        self.model = Some(model.to_owned());
        self
    }

    /// Books tokens for a model; the first call of it drops the figures that would be made up otherwise.
    #[must_use]
    pub fn tokens(mut self, model: &str, input: u64, output: u64) -> Self {
        let usage = Usage { input, output, cached: 0 };
        self.usage.get_or_insert_default().insert(model.to_owned(), usage);
        self
    }

    /// Sends the answer in pieces.
    #[must_use]
    pub fn drip(mut self, characters: usize, ms: u64) -> Self {
        (self.chunk, self.event_ms) = (Some(characters), ms);
        self
    }

    #[must_use]
    pub fn stall_after(mut self, events: u32) -> Self {
        self.stall_after = Some(events);
        self
    }

    /// Waits here until the test releases it.
    #[must_use]
    pub fn hold(self, name: &str) -> Self {
        self.step(Step::Hold(name.to_owned()))
    }

    #[must_use]
    pub fn deaf(mut self) -> Self {
        self.deaf = true;
        self
    }

    #[must_use]
    pub fn end(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    #[must_use]
    pub fn without_session(mut self) -> Self {
        self.no_session = true;
        self
    }
}

impl ToolCall {
    #[must_use]
    pub fn search(query: &str, urls: &[&str]) -> Self {
        Self {
            name: "google_web_search".into(),
            args: json!({"query": query}),
            text: format!("This is known about {query}."),
            sources: urls.iter().map(|url| Source { title: host(url), uri: (*url).to_owned() }).collect(),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn fetch(url: &str) -> Self {
        Self {
            name: "web_fetch".into(),
            args: json!({"prompt": format!("Summarise {url}")}),
            text: "The page says what was asked.".into(),
            sources: vec![Source { title: host(url), uri: url.to_owned() }],
            ..Self::default()
        }
    }

    #[must_use]
    pub fn read_file(path: &str) -> Self {
        Self { name: "read_file".into(), args: json!({"file_path": path}), ..Self::default() }
    }

    /// The call fails with this message.
    #[must_use]
    pub fn failing(mut self, message: &str) -> Self {
        self.error = Some(message.to_owned());
        self
    }

    /// The call takes a while.
    #[must_use]
    pub fn taking(mut self, ms: u64) -> Self {
        self.ms = ms;
        self
    }
}

fn host(url: &str) -> String {
    url.split('/').nth(2).unwrap_or(url).to_owned()
}
