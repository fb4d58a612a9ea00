//! An interaction as the provider shows it, read loosely: every field but the status may be missing, every word may
//! be new, today's `steps` and the older `outputs` both count.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::error::{Code, Error};
use super::super::limits;
use super::super::price::Tokens;
use super::super::report::Problem;
use super::cite::{self, Block, Cited};

/// Where a run stands. The provider's own word is kept wherever it says more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RunStatus {
    Running(String),
    Completed,
    /// Over, with less than a whole report.
    Partial(String),
    Failed,
    Cancelled,
    /// It waits for something that a research agent should not need.
    NeedsAction(String),
    Unknown(String),
}

impl RunStatus {
    fn parse(word: &str) -> Self {
        let own = || word.chars().take(limits::LABEL_CHARS).collect::<String>();
        match word {
            "in_progress" | "queued" => Self::Running(own()),
            "completed" => Self::Completed,
            "incomplete" | "budget_exceeded" => Self::Partial(own()),
            "failed" => Self::Failed,
            "cancelled" => Self::Cancelled,
            "requires_action" | "requires_continuation" => Self::NeedsAction(own()),
            _ => Self::Unknown(own()),
        }
    }

    /// Whether nothing more will come. An unknown word is given some time first, by whoever follows.
    pub(crate) fn is_over(&self) -> bool {
        match self {
            Self::Running(_) | Self::Unknown(_) => false,
            Self::Completed | Self::Partial(_) | Self::Failed | Self::Cancelled | Self::NeedsAction(_) => true,
        }
    }
}

impl Default for RunStatus {
    fn default() -> Self {
        Self::Running("in_progress".to_owned())
    }
}

/// What was seen of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) id: Option<String>,
    pub(crate) status: RunStatus,
    /// The report so far, with `[n]` for its sources.
    pub(crate) text: String,
    pub(crate) sources: Vec<Cited>,
    /// What it searched for and which pages it read, in order.
    pub(crate) queries: Vec<String>,
    pub(crate) pages: Vec<String>,
    /// Pages it could not read, and why.
    pub(crate) unread: Vec<(String, String)>,
    /// Its own summaries of what it thought, oldest first.
    pub(crate) thoughts: Vec<String>,
    /// How many steps of each kind there are in all; the lists above are bounded.
    pub(crate) searches: u32,
    pub(crate) read: u32,
    pub(crate) thought: u32,
    /// Pictures in the report, which are left out.
    pub(crate) images: u32,
    /// What it used; missing while it runs, and for some seconds after.
    pub(crate) tokens: Option<Tokens>,
    pub(crate) failure: Option<String>,
}

impl Snapshot {
    /// Reads an interaction. Only the status must be there.
    pub(crate) fn read(body: &Value) -> Result<Self, Error> {
        let Some(word) = body.get("status").and_then(Value::as_str) else {
            return Err(Error::new(Code::ExecutionError, "the provider's reply is no interaction: it has no status"));
        };
        let mut snapshot = Self {
            id: body.get("id").and_then(Value::as_str).filter(|id| is_id(id)).map(str::to_owned),
            status: RunStatus::parse(word),
            tokens: body.get("usage").and_then(tokens),
            ..Self::default()
        };
        let mut blocks = Vec::new();
        for step in list(body, "steps").chain(list(body, "outputs")) {
            snapshot.step(step, &mut blocks);
        }
        (snapshot.text, snapshot.sources) = cite::join(&blocks);
        snapshot.failure = snapshot.failure.take().or_else(|| failure(body));
        Ok(snapshot)
    }

    fn step(&mut self, step: &Value, blocks: &mut Vec<Block>) {
        match kind(step) {
            "model_output" => {
                for content in list(step, "content") {
                    self.content(content, blocks);
                }
                if let Some(message) = message(step.get("error")) {
                    self.failure = Some(message);
                }
            }
            // The older form: what a model put out stood in a flat list.
            "text" | "image" => self.content(step, blocks),
            "thought" => {
                self.thought = self.thought.saturating_add(1);
                let summary = joined(step.get("summary"));
                if !summary.is_empty() {
                    push(&mut self.thoughts, clip(&summary, limits::THOUGHT_CHARS), limits::HOSTED_LISTED);
                }
            }
            "google_search_call" => {
                self.searches = self.searches.saturating_add(1);
                let arguments = step.get("arguments");
                let queries = arguments.map(|arguments| list(arguments, "queries")).into_iter().flatten();
                let one = arguments.and_then(|arguments| arguments.get("query"));
                for query in queries.chain(one).filter_map(Value::as_str) {
                    push(&mut self.queries, clip(query, limits::LABEL_CHARS), limits::HOSTED_LISTED);
                }
            }
            "url_context_result" => {
                let result = step.get("result");
                let one = result.filter(|result| result.is_object());
                let many = result.and_then(Value::as_array).into_iter().flatten();
                for page in many.chain(one) {
                    self.page(page);
                }
            }
            _ => {}
        }
    }

    fn page(&mut self, page: &Value) {
        let Some(url) = page.get("url").and_then(Value::as_str).filter(|url| url.len() <= limits::ADDRESS_BYTES) else {
            return;
        };
        match page.get("status").and_then(Value::as_str).unwrap_or("success") {
            "success" => {
                self.read = self.read.saturating_add(1);
                push(&mut self.pages, url.to_owned(), limits::HOSTED_LISTED);
            }
            other if self.unread.len() < limits::PROBLEMS => {
                self.unread.push((url.to_owned(), clip(other, limits::LABEL_CHARS)));
            }
            _ => {}
        }
    }

    fn content(&mut self, content: &Value, blocks: &mut Vec<Block>) {
        match kind(content) {
            "text" => {
                let Some(text) = content.get("text").and_then(Value::as_str) else { return };
                let annotations = list(content, "annotations").filter_map(cite::Annotation::read);
                blocks.push(Block { text: text.to_owned(), annotations: annotations.collect() });
            }
            "image" => self.images = self.images.saturating_add(1),
            _ => {}
        }
    }

    /// Takes what another look shows, but nothing away: a cancelled run may answer without its steps.
    pub(crate) fn take_newer(&mut self, newer: Self) {
        let older = std::mem::replace(self, newer);
        self.id = self.id.take().or(older.id);
        let counted = self.searches > 0 || self.read > 0 || self.thought > 0;
        if !self.has_anything() && !counted {
            *self = Self { id: self.id.take(), status: self.status.clone(), tokens: self.tokens, ..older };
        }
        self.tokens = self.tokens.or(older.tokens);
    }

    /// Whether there is anything to show of it.
    pub(crate) fn has_anything(&self) -> bool {
        !(self.text.trim().is_empty() && self.thoughts.is_empty() && self.queries.is_empty() && self.pages.is_empty())
    }

    /// What a report tells of this run besides its text.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let unread = self.unread.iter().map(|(url, why)| Problem {
            subject: url.clone(),
            error: Error::new(Code::ExecutionError, format!("the agent could not read the page: {why}")),
        });
        let images = (self.images > 0).then(|| Problem {
            subject: "images".to_owned(),
            error: Error::new(Code::OutputTooLarge, format!("{} pictures of the report are left out", self.images)),
        });
        let usage = (self.status.is_over() && self.tokens.is_none()).then(|| Problem {
            subject: "cost".to_owned(),
            error: Error::new(Code::ExecutionError, "the provider did not say what the run used; its cost is unknown"),
        });
        unread.chain(images).chain(usage).collect()
    }
}

/// An id goes into an address: only what ids are made of.
fn is_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '=' | '~');
    (1..=limits::INTERACTION_ID_BYTES).contains(&id.len()) && id.chars().all(plain)
}

fn tokens(usage: &Value) -> Option<Tokens> {
    let of = |name: &str| usage.get(name).and_then(Value::as_u64);
    let searches = list(usage, "grounding_tool_count")
        .filter(|count| kind(count) == "google_search")
        .filter_map(|count| count.get("count").and_then(Value::as_u64))
        .fold(0, u64::saturating_add);
    let input = of("total_input_tokens")?;
    Some(Tokens {
        input,
        cached: of("total_cached_tokens").unwrap_or(0),
        output: of("total_output_tokens").unwrap_or(0),
        thought: of("total_thought_tokens").or_else(|| of("total_reasoning_tokens")).unwrap_or(0),
        tool_use: of("total_tool_use_tokens").unwrap_or(0),
        searches,
    })
}

/// The reason of a failure stands in one of three places.
fn failure(body: &Value) -> Option<String> {
    list(body, "errors").find_map(|error| message(Some(error))).or_else(|| message(body.get("error")))
}

fn message(error: Option<&Value>) -> Option<String> {
    let error = error?;
    let text = error.get("message").and_then(Value::as_str).or_else(|| error.as_str())?;
    let code = match error.get("code") {
        Some(Value::String(code)) => format!(" ({})", clip(code, limits::LABEL_CHARS)),
        Some(Value::Number(code)) => format!(" ({code})"),
        _ => String::new(),
    };
    Some(format!("{}{code}", clip(text, limits::PROVIDER_MESSAGE_CHARS)))
}

fn kind(value: &Value) -> &str {
    value.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// The text of a list of text contents, or a bare string.
fn joined(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

fn push(items: &mut Vec<String>, item: String, most: usize) {
    if items.len() < most && !items.contains(&item) {
        items.push(item);
    }
}

pub(super) fn clip(text: &str, chars: usize) -> String {
    let mut clipped: String = text.trim().chars().filter(|c| !c.is_control() || *c == '\n').take(chars).collect();
    if clipped.len() < text.trim().len() && text.chars().nth(chars).is_some() {
        clipped.push('…');
    }
    clipped
}
