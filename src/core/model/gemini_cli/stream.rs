//! The event stream (`--output-format stream-json`), line by line.

use serde_json::Value;

use super::addresses;
use crate::core::base::error::{Code, Error, Problem};
use crate::core::base::limits;
use crate::core::money::usage::Usage;

/// Models that the CLI uses beside the one that answers: its router and the one inside its web tools.
const AUXILIARY: [&str; 2] = ["gemini-3.5-flash-lite", "gemini-3-flash-preview"];

/// What the stream has said so far.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    pub(crate) session: Option<String>,
    /// What the model wrote since its last tool result: the answer, once the stream is over.
    pub(crate) answer: String,
    /// The answer was longer than is kept.
    pub(crate) cut: bool,
    pub(crate) queries: Vec<String>,
    /// Pages it asked to read.
    pub(crate) pages: Vec<String>,
    pub(crate) problems: Vec<Problem>,
    /// The text of the last `error` event.
    pub(crate) complaint: Option<String>,
    pub(crate) result: Option<Result<(), String>>,
    pub(crate) model: Option<String>,
    pub(crate) usage: Usage,
    tools: Vec<(String, String)>,
}

impl Stream {
    /// Takes one line. Returns what is going on, when it is news. A line that is no event is passed over: the CLI
    /// prints warnings, too.
    pub(crate) fn line(&mut self, line: &[u8]) -> Option<String> {
        let event: Value = serde_json::from_slice(line).ok()?;
        let text = |name: &str| event.get(name).and_then(Value::as_str);
        match text("type")? {
            "init" => {
                self.session = text("session_id").map(str::to_owned);
                None
            }
            "message" if text("role") == Some("assistant") => {
                self.said(text("content").unwrap_or_default());
                None
            }
            "tool_use" => {
                self.tool_use(text("tool_name")?, text("tool_id").unwrap_or_default(), event.get("parameters"))
            }
            "tool_result" => {
                self.tool_result(&event);
                None
            }
            "error" => {
                self.complaint = text("message").map(str::to_owned);
                None
            }
            "result" => {
                self.ended(&event);
                None
            }
            _ => None,
        }
    }

    fn said(&mut self, words: &str) {
        let room = limits::ANSWER_BYTES.saturating_sub(self.answer.len());
        if words.len() <= room {
            self.answer.push_str(words);
        } else {
            self.cut = true;
            let end = (0..=room).rev().find(|end| words.is_char_boundary(*end)).unwrap_or(0);
            self.answer.push_str(words.get(..end).unwrap_or_default());
        }
    }

    fn tool_use(&mut self, tool: &str, id: &str, parameters: Option<&Value>) -> Option<String> {
        let parameter = |name: &str| parameters.and_then(|all| all.get(name)).and_then(Value::as_str);
        match tool {
            "google_web_search" => {
                let query = parameter("query")?.to_owned();
                let news = format!("searching: {query}");
                self.tools.push((id.to_owned(), format!("search `{query}`")));
                add(&mut self.queries, query);
                Some(news)
            }
            "web_fetch" => {
                let wanted = parameter("url").or_else(|| parameter("prompt")).unwrap_or_default();
                let pages = addresses(wanted);
                let news = pages.first().map(|page| format!("reading: {page}"));
                self.tools.push((id.to_owned(), pages.first().cloned().unwrap_or_else(|| "a page".into())));
                for page in pages {
                    add(&mut self.pages, page);
                }
                news
            }
            _ => None,
        }
    }

    fn tool_result(&mut self, event: &Value) {
        // What was written before a tool ran is thinking aloud, not the answer.
        self.answer.clear();
        self.cut = false;
        let id = event.get("tool_id").and_then(Value::as_str).unwrap_or_default();
        if event.get("status").and_then(Value::as_str) != Some("error") {
            return;
        }
        let subject = self.tools.iter().find(|(known, _)| known == id).map_or("a tool", |(_, subject)| subject);
        let error = event.get("error");
        let said = |name: &str| error.and_then(|error| error.get(name)).and_then(Value::as_str).unwrap_or("unknown");
        let message: String = format!("{}: {}", said("type"), said("message")).chars().take(500).collect();
        if self.problems.len() < limits::PROBLEMS {
            let error = Error::new(Code::ExecutionError, message);
            self.problems.push(Problem { subject: subject.to_owned(), error });
        }
    }

    fn ended(&mut self, event: &Value) {
        let failed = event.get("status").and_then(Value::as_str) != Some("success");
        let message = event.pointer("/error/message").and_then(Value::as_str);
        let complaint = message.map(str::to_owned).or_else(|| self.complaint.clone());
        self.result = Some(if failed { Err(complaint.unwrap_or_else(|| "no reason given".into())) } else { Ok(()) });
        let count = |name: &str| event.pointer(&format!("/stats/{name}")).and_then(Value::as_u64).unwrap_or(0);
        self.usage = Usage {
            tokens_in: count("input_tokens"),
            tokens_out: count("total_tokens").saturating_sub(count("input_tokens")).max(count("output_tokens")),
            ..Usage::ZERO
        };
        self.model = event.pointer("/stats/models").and_then(main_model);
    }
}

/// The model that answered: of those that are not only helpers the one that read most.
fn main_model(models: &Value) -> Option<String> {
    let read = |stats: &Value| stats.get("input_tokens").and_then(Value::as_u64).unwrap_or(0);
    let models = models.as_object()?;
    let (helpers, others): (Vec<_>, Vec<_>) = models.iter().partition(|(name, _)| AUXILIARY.contains(&name.as_str()));
    let of = if others.is_empty() { helpers } else { others };
    of.into_iter().max_by_key(|(_, stats)| read(stats)).map(|(name, _)| name.clone())
}

fn add(list: &mut Vec<String>, item: String) {
    if list.len() < limits::LISTED && !list.contains(&item) {
        list.push(item);
    }
}
