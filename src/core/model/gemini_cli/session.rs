//! The CLI's own session record: the only place where the addresses of search results stand.
//!
//! It is undocumented, so it is read with good will: what is not as expected is passed over, and a run is never
//! worse for it.

use serde_json::Value;

use super::addresses;

/// What a session record says about a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) sources: Vec<String>,
    pub(crate) queries: Vec<String>,
    pub(crate) model: Option<String>,
}

/// Reads a record, JSON lines.
pub(crate) fn read_session(text: &str) -> Record {
    let mut record = Record::default();
    for line in text.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        if message.get("type").and_then(Value::as_str) != Some("gemini") {
            continue;
        }
        if let Some(model) = message.get("model").and_then(Value::as_str) {
            record.model = Some(model.to_owned());
        }
        // The same message may stand there twice, first without its calls; both lists take each item once.
        for call in message.get("toolCalls").and_then(Value::as_array).into_iter().flatten() {
            record.call(call);
        }
    }
    record
}

impl Record {
    fn call(&mut self, call: &Value) {
        if let Some(query) = call.pointer("/args/query").and_then(Value::as_str) {
            add(&mut self.queries, query.to_owned());
        }
        let outputs = call.get("result").and_then(Value::as_array).into_iter().flatten();
        for output in outputs.filter_map(|part| part.pointer("/functionResponse/response/output")) {
            let Some((_, sources)) = output.as_str().and_then(|output| output.rsplit_once("Sources:")) else {
                continue;
            };
            for address in addresses(sources) {
                add(&mut self.sources, address);
            }
        }
    }
}

fn add(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}
