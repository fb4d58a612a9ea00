//! The steps of a run and when they happen.

use serde_json::{Value, json};

use super::clock::reached;
use super::plan::{End, Run, Source};

/// Everything a run does, decided when it is created. Times are simulated seconds since then.
#[derive(Debug)]
pub(super) struct Timeline {
    pub(super) moments: Vec<Moment>,
    /// When it leaves the queue.
    pub(super) begins: f64,
    /// Infinite for a run that never ends.
    pub(super) ends: f64,
}

#[derive(Debug)]
pub(super) struct Moment {
    pub(super) at: f64,
    /// A step of the resource. The data of an image is put in only when it is sent.
    pub(super) step: Value,
}

/// What a run works with besides its plan.
#[derive(Debug)]
pub(super) struct Work<'a> {
    pub(super) run: &'a Run,
    pub(super) queries: Vec<String>,
    /// Whether thoughts say what they are.
    pub(super) summaries: bool,
}

impl Timeline {
    pub(super) fn of(work: &Work<'_>) -> Self {
        let run = work.run;
        if run.end == End::Zombie {
            return Self { moments: Vec::new(), begins: 0.0, ends: f64::INFINITY };
        }
        let (begins, ends) = if run.sync { (0.0, 0.0) } else { (run.queued_seconds, run.queued_seconds + run.seconds) };
        let steps = work.steps();
        let count = steps.len() as f64;
        let moment = |(n, step)| {
            let at = begins + (ends - begins) * ((n + 1) as f64 / count);
            let stalls = run.stall_after.is_some_and(|stall| !reached(at, stall));
            Moment { at: if stalls { ends } else { at.min(ends) }, step }
        };
        Self { moments: steps.into_iter().enumerate().map(moment).collect(), begins, ends }
    }

    /// The steps up to a moment.
    pub(super) fn until(&self, limit: f64) -> impl Iterator<Item = &Value> {
        self.moments.iter().filter(move |moment| reached(moment.at, limit)).map(|moment| &moment.step)
    }
}

impl Work<'_> {
    /// All steps in order; the outputs are the last ones.
    fn steps(&self) -> Vec<Value> {
        let run = self.run;
        let outputs = outputs(run);
        // A search between two outputs is what makes a reader of the last ones lose the others.
        let between = (outputs.len().saturating_sub(1) as u32).min(run.searches.saturating_sub(1));
        let before = run.searches - between;
        let mut steps = Vec::new();
        for n in 0..run.thoughts.max(run.pages).max(before) {
            if n < run.thoughts {
                steps.push(self.thought(n));
            }
            if n < before {
                steps.extend(self.search(n));
            }
            if n < run.pages {
                steps.extend(self.page(n));
            }
        }
        let mut searches = before..run.searches;
        for (n, output) in outputs.into_iter().enumerate() {
            if n > 0 {
                steps.extend(searches.next().into_iter().flat_map(|search| self.search(search)));
            }
            steps.push(output);
        }
        steps
    }

    fn thought(&self, n: u32) -> Value {
        let mut step = json!({"type": "thought", "signature": "c2ln"});
        if self.summaries {
            let text =
                format!("**Thought {}**\n\nWhat is known is compared with what is missing – Ergebnis offen.", n + 1);
            step["summary"] = json!([{"type": "text", "text": text}]);
        }
        step
    }

    fn search(&self, n: u32) -> [Value; 2] {
        let query = self.queries.get(n as usize % self.queries.len().max(1)).map_or("the sea", String::as_str);
        let id = format!("gs_{}", n + 1);
        [
            json!({"type": "google_search_call", "id": id, "arguments": {"queries": [query]}, "search_type": "web_search"}),
            json!({"type": "google_search_result", "call_id": id, "result": [{"search_suggestions": "<div/>"}]}),
        ]
    }

    fn page(&self, n: u32) -> [Value; 2] {
        let id = format!("uc_{}", n + 1);
        let url = format!("https://page{}.example/tiefsee", n + 1);
        // The real tool does not get at every page.
        let status = if n % 4 == 3 { "paywall" } else { "success" };
        [
            json!({"type": "url_context_call", "id": id, "arguments": {"urls": [url]}}),
            json!({"type": "url_context_result", "call_id": id, "result": [{"url": url, "status": status}]}),
        ]
    }
}

fn outputs(run: &Run) -> Vec<Value> {
    let parts = || cut(&run.report, &run.sources, run.spread.max(1) as usize);
    let half = || cut(&run.report, &run.sources, 2).into_iter().take(1).collect();
    let texts: Vec<Value> = match &run.end {
        End::Completed => parts(),
        End::Incomplete | End::BudgetExceeded => half(),
        End::FailedInStep => {
            return vec![json!({"type": "model_output", "error": {"code": 13, "message": "internal"}})];
        }
        End::RequiresAction => {
            return vec![json!({"type": "function_call", "id": "fc_1", "name": "ask_user", "arguments": {}})];
        }
        End::FailedWithErrors | End::Unknown(_) | End::Zombie | End::RequiresContinuation => return Vec::new(),
    };
    let last = texts.len().saturating_sub(1);
    let output = |(n, text)| {
        let mut content = vec![text];
        if n == last && run.image_bytes > 0 {
            content.push(json!({"type": "image", "mime_type": "image/png", "data": ""}));
        }
        json!({"type": "model_output", "content": content})
    };
    texts.into_iter().enumerate().map(output).collect()
}

/// The text contents of a report in so many parts, none of them within a character. A citation over a cut is in both parts.
fn cut(report: &str, sources: &[Source], parts: usize) -> Vec<Value> {
    let bound = |n: usize| report.floor_char_boundary(report.len() * n / parts);
    let part = |n: usize| {
        let (start, end) = (bound(n), bound(n + 1));
        let annotations: Vec<_> = sources.iter().filter_map(|source| annotation(source, start, end)).collect();
        let mut content = json!({"type": "text", "text": report.get(start..end).unwrap_or_default()});
        if !annotations.is_empty() {
            content["annotations"] = Value::Array(annotations);
        }
        content
    };
    (0..parts).map(part).collect()
}

fn annotation(source: &Source, start: usize, end: usize) -> Option<Value> {
    let (from, to) = (source.start.max(start), source.end.min(end));
    if from >= to {
        return None;
    }
    let mut annotation =
        json!({"type": "url_citation", "url": source.url, "start_index": from - start, "end_index": to - start});
    if !source.title.is_empty() {
        annotation["title"] = json!(source.title);
    }
    Some(annotation)
}

/// Puts the data of the image into whatever holds one.
pub(super) fn fill_image(value: &mut Value, bytes: usize) {
    match value {
        Value::Object(fields) if fields.get("type").is_some_and(|kind| kind == "image") => {
            fields.insert("data".to_owned(), Value::String(super::encoding::image(bytes)));
        }
        Value::Object(fields) => fields.values_mut().for_each(|field| fill_image(field, bytes)),
        Value::Array(items) => items.iter_mut().for_each(|item| fill_image(item, bytes)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
