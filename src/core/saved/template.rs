//! The Markdown text of a saved report, through a template that users can replace. Pure; `world::templates` reads the
//! user's template and `world::files` writes the result.
//!
//! A template only sees the values of [`Values`]: it reads no file, includes no other template and ends, because its steps
//! and what it writes are counted. What stands in the values is text and never read as a template.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};
use serde::Serialize;

use crate::core::base::dates::rfc3339;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::{limits, plain};
use crate::core::evidence::reading::own_list;
use crate::core::money::usage::Usd;
use crate::core::report::Report;
use crate::core::saved::file_name::Parts;
use crate::core::saved::{citations, marks, source};
use crate::core::task::TaskView;

/// The name of the file that takes the place of the built-in template.
pub(crate) const NAME: &str = "report.md.j2";

/// A template whose syntax is right.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    /// Its path, for messages.
    shown: String,
    text: String,
}

impl Template {
    /// The built-in template.
    pub(crate) fn shipped() -> Self {
        Self { shown: format!("{NAME} (built in)"), text: include_str!("template/report.md.j2").to_owned() }
    }

    /// A template of the user. `shown` is its path.
    pub(crate) fn new(shown: String, text: String) -> Result<Self> {
        let template = Self { shown, text };
        environment().template_from_named_str(NAME, &template.text).map_err(|fault| template.refused(&fault))?;
        Ok(template)
    }

    /// The text of the file. It ends with a newline.
    pub(crate) fn render(&self, task: &TaskView, report: &Report, parts: Parts) -> Result<String> {
        self.rendered(&Values::new(task, report, parts)).map(|(text, _)| text)
    }

    /// The text, and how many steps it took.
    fn rendered(&self, values: &Values<'_>) -> Result<(String, u64)> {
        let environment = environment();
        let mut output = Bounded::default();
        let rendered = environment
            .template_from_named_str(NAME, &self.text)
            .and_then(|template| template.render_captured_to(Value::from(Serde(values)), &mut output))
            .map_err(|fault| self.refused(&fault))?;
        let steps = rendered.state().fuel_levels().map_or(0, |(used, _)| used);
        let mut text = String::from_utf8_lossy(&output.0).into_owned();
        text.truncate(text.trim_end().len());
        text.push('\n');
        Ok((text, steps))
    }

    fn refused(&self, fault: &minijinja::Error) -> Error {
        let line = fault.line().map_or_else(String::new, |line| format!(" in line {line}"));
        let what = match fault.kind() {
            ErrorKind::OutOfFuel => format!("it takes more than {} steps", limits::TEMPLATE_STEPS),
            ErrorKind::WriteFailure => format!("it writes more than {} bytes", limits::REPORT_FILE_BYTES),
            kind => fault.detail().map_or_else(|| kind.to_string(), |detail| format!("{kind}: {detail}")),
        };
        let what = plain::line(&what, limits::ECHO_CHARS);
        Error::new(Code::InvalidConfig, format!("template `{}` cannot be used{line}: {what}", self.shown))
            .hint("mend the file, or take it away to use the template that hadal ships")
    }
}

/// Everything that a template can name.
#[derive(Serialize)]
struct Values<'a> {
    include_metadata: bool,
    include_sources: bool,
    /// The report's heading, else the question.
    title: String,
    task_id: String,
    query: &'a str,
    tool: &'a str,
    engine: &'a str,
    model: Option<&'a str>,
    strategy: Option<&'a str>,
    status: &'static str,
    stop_reason: &'static str,
    partial: bool,
    created: String,
    completed: Option<String>,
    duration_minutes: Option<f64>,
    tokens_input: u64,
    tokens_output: u64,
    /// Null: unknown.
    cost_usd: Option<f64>,
    /// The text; its citations are footnotes when sources are wanted.
    report: String,
    /// A report that ends with its own list of sources does not get a second one.
    lists_its_sources: bool,
    /// Whether the report cites any source.
    footnotes: bool,
    sources: Vec<Entry<'a>>,
}

/// A source.
#[derive(Serialize)]
struct Entry<'a> {
    number: u32,
    title: &'a str,
    location: String,
    /// The location, if it is an http(s) address.
    url: Option<&'a str>,
    cited: bool,
    /// Title and place as one line of Markdown, escaped.
    entry: String,
}

impl<'a> Values<'a> {
    fn new(task: &'a TaskView, report: &'a Report, parts: Parts) -> Self {
        let own_list = own_list(&report.markdown).is_some();
        let known: BTreeSet<u32> = report.sources.iter().map(|source| source.number).collect();
        let wanted = if parts.sources && !own_list { &known } else { &BTreeSet::new() };
        // A check is a table of verdicts itself, and its places belong to the text that was checked.
        let evidence = report.evidence.as_ref().filter(|evidence| evidence.text.is_none());
        let markdown = match evidence {
            Some(evidence) => Cow::Owned(marks::marked(&report.markdown, evidence)),
            None => Cow::Borrowed(&report.markdown),
        };
        let cited = citations::footnotes(markdown.trim(), wanted);
        let entry = |source: &'a crate::core::report::Source| Entry {
            number: source.number,
            title: &source.title,
            location: plain::location(&source.location),
            url: source::address(&source.location),
            cited: cited.numbers.contains(&source.number),
            entry: source::entry(source),
        };
        Self {
            include_metadata: parts.metadata,
            include_sources: parts.sources,
            title: title(&report.markdown)
                .unwrap_or(source::question(task, report))
                .chars()
                .take(limits::TITLE_CHARS)
                .collect(),
            task_id: task.id.to_string(),
            query: source::question(task, report),
            tool: &task.tool,
            engine: report.engine.as_ref().map_or(&task.engine, |choice| choice.name.name()),
            model: report.model.as_deref(),
            strategy: report.strategy.as_deref(),
            status: task.status.name(),
            stop_reason: report.stop_reason.name(),
            partial: report.partial,
            created: rfc3339(task.created_ms),
            completed: task.completed_ms.map(rfc3339),
            duration_minutes: task.completed_ms.map(|end| minutes(end.saturating_sub(task.created_ms))),
            tokens_input: task.usage.tokens_in,
            tokens_output: task.usage.tokens_out,
            cost_usd: task.usage.known_cost().map(Usd::dollars),
            sources: report.sources.iter().map(entry).collect(),
            lists_its_sources: own_list,
            footnotes: !cited.numbers.is_empty(),
            report: cited.text,
        }
    }
}

/// The heading that the report begins with.
pub(super) fn title(markdown: &str) -> Option<&str> {
    let first = markdown.trim_start().lines().next()?;
    first
        .strip_prefix("# ")
        .map(|title| title.trim().trim_end_matches('#').trim_end())
        .filter(|title| !title.is_empty())
}

/// Minutes with one decimal.
pub(super) fn minutes(ms: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "for display")]
    let tenths = (ms.max(0) as f64 / 6_000.0).round();
    tenths / 10.0
}

/// Templates in which a name that does not exist is an error, and a line that only steers leaves no trace.
pub(super) fn strict(escape: fn(&str) -> AutoEscape) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(escape);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    if let Ok(syntax) = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build() {
        environment.set_syntax(syntax);
    }
    environment
}

fn environment() -> Environment<'static> {
    let mut environment = strict(|_| AutoEscape::None);
    environment.set_fuel(Some(limits::TEMPLATE_STEPS));
    environment.set_recursion_limit(limits::TEMPLATE_DEPTH);
    environment.add_filter("yaml", yaml);
    environment.add_filter("markdown", |text: String| source::escaped(&text));
    environment
}

/// A value as YAML on one line: JSON is YAML, but for the line separators that YAML breaks lines at and for exponents.
fn yaml(value: Value) -> Result<String, minijinja::Error> {
    if value.is_undefined() {
        return Err(ErrorKind::UndefinedError.into());
    }
    let json = serde_json::to_value(&value)
        .map_err(|fault| minijinja::Error::new(ErrorKind::InvalidOperation, fault.to_string()))?;
    if let Some(number) = json.as_f64().filter(|_| json.is_f64()) {
        return Ok(number.to_string());
    }
    let mut text = String::new();
    for c in json.to_string().chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                text.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            other => text.push(other),
        }
    }
    Ok(text)
}

/// What a template has written, up to the limit of a file.
#[derive(Default)]
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > limits::REPORT_FILE_BYTES {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
