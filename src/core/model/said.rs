//! What a model said, out of what it wrapped around it: thoughts, fences, markup of its own, JSON where lines were asked for.

use serde_json::Value;

use crate::core::base::limits;

/// How models open and close what they think aloud.
const THOUGHTS: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
];

/// A model's text without its thoughts, the marks of its channels and a fence around the whole.
pub(crate) fn said(text: &str) -> String {
    let text = final_channel(text);
    let mut kept = text.to_owned();
    for (open, close) in THOUGHTS {
        kept = without(&kept, open, close);
    }
    let text = unfenced(kept.trim());
    unwrapped(text).unwrap_or_else(|| text.to_owned())
}

/// Takes away what stands between marks. An end without a beginning ends a thought that was there from the start, a beginning without an
/// end begins one that never ended.
fn without(text: &str, open: &str, close: &str) -> String {
    let next = |mark: &str, from: usize| text.get(from..)?.find(mark).map(|at| from + at);
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let mut kept = String::with_capacity(text.len());
    let (mut from, mut opens) = (0, next(open, 0));
    loop {
        // An end that comes again and again does not have the text searched for a beginning each time.
        if opens.is_some_and(|start| start < from) {
            opens = next(open, from);
        }
        match (opens, next(close, from)) {
            (Some(start), Some(end)) if start < end => {
                kept.push_str(part(from, start));
                from = end + close.len();
            }
            (_, Some(end)) => {
                kept.clear();
                from = end + close.len();
            }
            (start, None) => {
                kept.push_str(part(from, start.unwrap_or(text.len())));
                return kept;
            }
        }
    }
}

/// The last channel of a model that writes in channels: what it says to others.
fn final_channel(text: &str) -> &str {
    const MESSAGE: &str = "<|message|>";
    let begun = match text.rfind("<|channel|>final") {
        Some(at) => text.get(at..).and_then(|rest| rest.split_once(MESSAGE)).map_or(text, |(_, rest)| rest),
        None if text.contains("<|channel|>") => text.rsplit_once(MESSAGE).map_or(text, |(_, rest)| rest),
        None => text,
    };
    let end = ["<|end|>", "<|return|>", "<|im_end|>"].iter().filter_map(|mark| begun.find(mark)).min();
    end.and_then(|end| begun.get(..end)).unwrap_or(begun)
}

/// Names under which models wrap the whole of what they say.
const WRAPPINGS: [&str; 10] =
    ["report", "text", "answer", "content", "output", "result", "response", "lines", "message", "section"];

/// The text of an object that is nothing but a wrapping around it.
fn unwrapped(text: &str) -> Option<String> {
    let Value::Object(fields) = text.starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()? else {
        return None;
    };
    let mut wrapped = fields.iter().filter(|(key, _)| WRAPPINGS.contains(&key.to_lowercase().as_str()));
    match (wrapped.next(), fields.len()) {
        (Some((_, Value::String(text))), 1) => Some(text.clone()),
        (Some((_, Value::Array(lines))), 1) if lines.iter().all(Value::is_string) => {
            Some(lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    }
}

/// A text without a fence around the whole of it.
fn unfenced(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```") else { return text };
    let Some((kind, inner)) = inner.split_once('\n') else { return text };
    match inner.trim_end().strip_suffix("```") {
        // A second fence inside: the first one does not go around the whole.
        Some(inner) if !inner.contains("```") && kind.trim().len() <= 12 => inner.trim(),
        _ => text,
    }
}

/// The lines of what a model said. JSON is opened: each string becomes a line, with its key before it.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let said = said(text);
    let opened = match serde_json::from_str::<Value>(&said) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => {
            let mut lines = Vec::new();
            open("", &value, &mut lines, limits::JSON_DEPTH);
            lines
        }
        _ => said.lines().map(str::to_owned).collect(),
    };
    opened.into_iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).take(MOST_LINES).collect()
}

/// Lines that are looked at; no form that is asked for has as many.
const MOST_LINES: usize = 400;

fn open(key: &str, value: &Value, lines: &mut Vec<String>, depth: usize) {
    if depth == 0 || lines.len() >= MOST_LINES {
        return;
    }
    match value {
        Value::String(text) if key.is_empty() => lines.extend(text.lines().map(str::to_owned)),
        Value::String(text) => lines.push(format!("{key}: {}", text.replace('\n', " "))),
        Value::Number(number) => lines.push(format!("{key}: {number}")),
        Value::Array(values) => values.iter().for_each(|value| open(key, value, lines, depth - 1)),
        Value::Object(fields) => {
            // What an object says of itself comes before its lists: a question before its queries.
            let (single, lists): (Vec<_>, Vec<_>) =
                fields.iter().partition(|(_, value)| !matches!(value, Value::Array(_) | Value::Object(_)));
            single.into_iter().chain(lists).for_each(|(key, value)| open(key, value, lines, depth - 1));
        }
        Value::Bool(_) | Value::Null => {}
    }
}

/// A line as a label and what stands behind its colon; the label in lower case, without list marks and emphasis.
pub(crate) fn labelled(line: &str) -> Option<(String, &str)> {
    let (label, rest) = line.split_once([':', '：'])?;
    let label: String = label.chars().map(|c| if c == '_' || c == '-' { ' ' } else { c }).collect();
    let label = bare(&label).trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ').to_lowercase();
    let short =
        !label.is_empty() && label.chars().count() <= 24 && label.chars().all(|c| c.is_alphabetic() || c == ' ');
    short.then(|| (label, bare(rest)))
}

/// A line without list marks, numbering, emphasis and quotation marks around the whole.
pub(crate) fn bare(line: &str) -> &str {
    let mut text = line.trim();
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if numbered.len() < text.len()
        && let Some(rest) = numbered.strip_prefix(['.', ')'])
        && rest.starts_with(' ')
    {
        text = rest.trim();
    }
    // A mark of a list has a space behind it; `--force` is a word.
    while let Some(rest) = ["- ", "* ", "• ", "# ", "## ", "### ", "> "].iter().find_map(|mark| text.strip_prefix(mark))
    {
        text = rest.trim_start();
    }
    if let Some(inner) = text.strip_prefix("**") {
        text = inner.strip_suffix("**").unwrap_or(inner);
    }
    text = text.trim_end_matches('*').trim();
    let inner = |open: char, close: char| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let quoted = inner('"', '"').or_else(|| inner('`', '`')).or_else(|| inner('\u{201c}', '\u{201d}'));
    quoted.filter(|inner| !inner.contains('"')).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model that repeats itself holds nobody up. A quadratic reading of these would take minutes.
    #[test]
    fn repeated_marks_are_read_in_one_go() {
        for (piece, rest) in [("</think>", "Varga."), ("</think>", "Varga.<think>"), ("<think></think>", "Varga.")] {
            assert_eq!(said(&format!("{}{rest}", piece.repeat(300_000))), "Varga.", "{piece}");
        }
    }

    /// ST-01: whatever a model wraps around its words is taken off.
    #[test]
    fn words_come_out_of_their_wrappings() {
        for (text, want) in [
            ("plain", "plain"),
            ("<think>hm</think>\n\nVarga.", "Varga."),
            ("so I think\n</think>\nVarga.", "Varga."),
            ("Varga.\n<think>and now it breaks off", "Varga."),
            ("<thinking>a</thinking>Varga<thinking>b</thinking>.", "Varga."),
            ("a</think>b</think>Var<think>c</think>ga.<think>d", "Varga."),
            ("```markdown\nVarga.\n```", "Varga."),
            ("```\na\n```\nand\n```\nb\n```", "```\na\n```\nand\n```\nb\n```"),
            (
                "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Varga.<|return|>",
                "Varga.",
            ),
            ("{\"report\": \"Varga.\\n\\nShe.\"}", "Varga.\n\nShe."),
            ("{\"lines\": [\"SUB: a\", \"QUERY: b\"]}", "SUB: a\nQUERY: b"),
            ("{\"a\": 1, \"text\": \"x\"}", "{\"a\": 1, \"text\": \"x\"}"),
            ("", ""),
        ] {
            assert_eq!(said(text), want, "{text}");
        }
    }

    #[test]
    fn json_is_opened_into_lines() {
        let plan = r#"{"sub_questions":[{"question":"Why?","queries":["a b","c"]}],"n":3,"x":null}"#;
        assert_eq!(lines(plan), ["n: 3", "question: Why?", "queries: a b", "queries: c"].map(str::to_owned));
        assert_eq!(lines("[\"one\",\"two\"]"), ["one", "two"]);
        assert_eq!(lines("one\n\n two "), ["one", "two"]);
    }

    #[test]
    fn labels_are_read_leniently() {
        for (line, label, rest) in [
            ("QUERY: sea depth", "query", "sea depth"),
            ("- **Query 2:** \"sea depth\"", "query", "sea depth"),
            ("1. Sub-question: How deep?", "sub question", "How deep?"),
            ("sub_question: How deep?", "sub question", "How deep?"),
            ("STATUS：ANSWERED", "status", "ANSWERED"),
            ("NOTE: --force runs it | P1.2", "note", "--force runs it | P1.2"),
            ("* **NOTE:** --force", "note", "--force"),
        ] {
            assert_eq!(labelled(line), Some((label.to_owned(), rest)), "{line}");
        }
        for line in ["no label", "https://x.test/y", "At 10:30 it left", ": x"] {
            assert!(labelled(line).is_none_or(|(label, _)| label != "query"), "{line}");
        }
    }
}
