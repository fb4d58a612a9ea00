//! Edits of JSON with comments that touch nothing but what they are about: order, comments, blank space and line ends stay.
//!
//! The whole text is read first; one that is no JSON, beyond comments and a comma too many, is not edited at all.

use serde_json::Value;

use super::Refused as Fault;

/// Objects in objects; configuration of people has a handful.
const MAX_DEPTH: usize = 100;

/// The value at a path of names, without its comments; `None` if it is not there.
pub(crate) fn get(text: &str, path: &[&str]) -> Result<Option<Value>, Fault> {
    let root = Reader::new(text).root()?;
    let Some(root) = root else { return Ok(None) };
    let Some((_, member)) = found(text, &root, path)? else { return Ok(None) };
    Ok(Some(member.value.plain()))
}

/// The text with `value` at a path of names; objects on the way that are not there are made.
pub(crate) fn set(text: &str, path: &[&str], value: &Value) -> Result<String, Fault> {
    let style = Style::of(text);
    let Some(root) = Reader::new(text).root()? else {
        let made = style.value(&wrapped(path, value), 0);
        let comments = text.trim_end();
        // A comment may end with its line only.
        let gap = if comments.trim_start_matches('\u{feff}').is_empty() { "" } else { style.line_end };
        return Ok(format!("{comments}{gap}{made}{}", style.line_end));
    };
    let mut object = &root;
    for (depth, name) in path.iter().enumerate() {
        let rest = path.get(depth + 1..).unwrap_or_default();
        let member = object.member(text, name)?;
        match (member.map(|member| (&member.value, member)), rest.is_empty()) {
            (Some((_, member)), true) => {
                let indent = style.indent_at(text, member.start);
                return Ok(splice(text, member.value_start, member.value_end, &style.value(value, indent)));
            }
            (Some((Node::Object(inner), _)), false) => object = inner,
            (Some((_, member)), false) => return Err(fault(text, member.start, "is no object")),
            (None, _) => return Ok(inserted(text, object, name, &wrapped(rest, value), &style)),
        }
    }
    Err(Fault { line: 1, what: "has no name to set" })
}

/// The text without what stands at a path of names; the same text if it is not there.
pub(crate) fn remove(text: &str, path: &[&str]) -> Result<String, Fault> {
    let Some(root) = Reader::new(text).root()? else { return Ok(text.to_owned()) };
    let Some((object, member)) = found(text, &root, path)? else { return Ok(text.to_owned()) };
    let place = object.members.iter().position(|other| other.start == member.start).unwrap_or(0);
    let is_last = place + 1 == object.members.len();
    // The line of the member goes as a whole if nothing else stands on it.
    let before = text.get(..member.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let alone = before.get(line_start..).is_some_and(|blank| blank.trim().is_empty()) && line_start > object.start;
    let start = if alone { line_start } else { member.start };
    let mut end = member.comma.map_or(member.value_end, |comma| comma + 1);
    let rest = text.get(end..).unwrap_or_default();
    if alone {
        let blank = rest.find(|c: char| c != ' ' && c != '\t' && c != '\r').unwrap_or(0);
        if rest.get(blank..).is_some_and(|rest| rest.starts_with('\n')) {
            end += blank + 1;
        }
    } else if !is_last {
        end += rest.find(|c: char| c != ' ').unwrap_or(0);
    }
    let mut edited = splice(text, start, end, "");
    let previous = place.checked_sub(1).and_then(|place| object.members.get(place));
    if is_last
        && member.comma.is_none()
        && let Some(comma) = previous.and_then(|previous| previous.comma)
    {
        edited = splice(&edited, comma, comma + 1, "");
    }
    Ok(edited)
}

fn found<'a>(text: &str, root: &'a Object, path: &[&str]) -> Result<Option<(&'a Object, &'a Member)>, Fault> {
    let Some((last, way)) = path.split_last() else { return Ok(None) };
    let mut object = root;
    for name in way {
        match object.member(text, name)?.map(|member| &member.value) {
            Some(Node::Object(inner)) => object = inner,
            Some(Node::Other(_)) | None => return Ok(None),
        }
    }
    Ok(object.member(text, last)?.map(|member| (object, member)))
}

fn wrapped(path: &[&str], value: &Value) -> Value {
    path.iter()
        .rev()
        .fold(value.clone(), |inner, name| Value::Object([((*name).to_owned(), inner)].into_iter().collect()))
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> String {
    format!("{}{new}{}", text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default())
}

fn inserted(text: &str, object: &Object, name: &str, value: &Value, style: &Style) -> String {
    let name = Value::String(name.to_owned());
    let gap_start =
        object.members.last().map_or(object.start + 1, |last| last.comma.map_or(last.value_end, |at| at + 1));
    let gap = text.get(gap_start..object.end).unwrap_or_default();
    // Behind the comments that follow the last member, which are about it.
    let place = gap_start + gap.trim_end().len();
    let one_line = !text.get(object.start..object.end).unwrap_or_default().contains('\n');
    let last = object.members.last();
    let new = if one_line && last.is_some() {
        format!(" {name}: {value}")
    } else {
        let base = style.indent_at(text, object.start);
        let indent = object.members.first().map_or(base + style.unit.len(), |first| style.indent_at(text, first.start));
        let closing = if one_line { format!("{}{}", style.line_end, style.blank(base)) } else { String::new() };
        format!("{}{}{name}: {}{closing}", style.line_end, style.blank(indent), style.value(value, indent))
    };
    let trailing = if last.is_some_and(|last| last.comma.is_some()) { "," } else { "" };
    let mut edited = splice(text, place, if one_line { object.end } else { place }, &format!("{new}{trailing}"));
    if let Some(last) = last
        && last.comma.is_none()
    {
        edited = splice(&edited, last.value_end, last.value_end, ",");
    }
    edited
}

/// How a text is laid out.
struct Style {
    line_end: &'static str,
    unit: String,
}

impl Style {
    fn of(text: &str) -> Self {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let blank = |line: &str| line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect::<String>();
        let indented = text
            .lines()
            .map(|line| (blank(line), line.trim()))
            .find(|(blank, line)| !blank.is_empty() && line.starts_with('"'));
        Self { line_end, unit: indented.map_or("  ".to_owned(), |(blank, _)| blank) }
    }

    /// How far the line of a place is indented, in characters of [`Self::unit`].
    fn indent_at(&self, text: &str, place: usize) -> usize {
        let before = text.get(..place).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.chars().take_while(|c| matches!(c, ' ' | '\t')).count()
    }

    fn blank(&self, indent: usize) -> String {
        let c = if self.unit.starts_with('\t') { "\t" } else { " " };
        c.repeat(indent)
    }

    /// A value over several lines, of which the first is not indented.
    fn value(&self, value: &Value, indent: usize) -> String {
        match value {
            Value::Object(members) if !members.is_empty() => {
                let inner = indent + self.unit.len();
                let rows = members.iter().map(|(name, value)| {
                    let name = Value::String(name.clone());
                    format!("{}{}{name}: {}", self.line_end, self.blank(inner), self.value(value, inner))
                });
                let rows: Vec<String> = rows.collect();
                format!("{{{}{}{}}}", rows.join(","), self.line_end, self.blank(indent))
            }
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(Value::to_string).collect();
                format!("[{}]", items.join(", "))
            }
            other => other.to_string(),
        }
    }
}

struct Object {
    /// Where its braces are.
    start: usize,
    end: usize,
    members: Vec<Member>,
}

impl Object {
    /// The member of this name. Clients differ in which of two they take, so two are not edited.
    fn member(&self, text: &str, name: &str) -> Result<Option<&Member>, Fault> {
        let mut named = self.members.iter().filter(|member| member.name == name);
        let first = named.next();
        match named.next() {
            Some(second) => Err(fault(text, second.start, "has the same name a second time")),
            None => Ok(first),
        }
    }
}

struct Member {
    name: String,
    start: usize,
    value: Node,
    value_start: usize,
    value_end: usize,
    /// Where the comma behind it is.
    comma: Option<usize>,
}

enum Node {
    Object(Object),
    Other(Value),
}

impl Node {
    fn plain(&self) -> Value {
        match self {
            Self::Object(object) => {
                object.members.iter().map(|member| (member.name.clone(), member.value.plain())).collect()
            }
            Self::Other(value) => value.clone(),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

fn fault(text: &str, at: usize, what: &'static str) -> Fault {
    Fault { line: 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count(), what }
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        // Some editors begin a file with a mark that is no character of it.
        Self { text, at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 } }
    }

    /// The object that the text is; `None` for a text of nothing but blanks and comments.
    fn root(mut self) -> Result<Option<Object>, Fault> {
        self.blank()?;
        if self.rest().is_empty() {
            return Ok(None);
        }
        let Node::Object(root) = self.value(0)? else { return Err(fault(self.text, 0, "is no object")) };
        self.blank()?;
        if !self.rest().is_empty() {
            return Err(self.fault("has something after its end"));
        }
        Ok(Some(root))
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn fault(&self, what: &'static str) -> Fault {
        fault(self.text, self.at, what)
    }

    fn takes(&mut self, token: &str) -> bool {
        let there = self.rest().starts_with(token);
        if there {
            self.at += token.len();
        }
        there
    }

    /// Passes over blanks and comments.
    fn blank(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
            if self.takes("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                let end = self.rest().find("*/").ok_or_else(|| self.fault("has a comment without an end"))?;
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        if depth > MAX_DEPTH {
            return Err(self.fault("is too deep"));
        }
        match self.rest().chars().next() {
            Some('{') => self.object(depth).map(Node::Object),
            Some('[') => self.array(depth).map(Node::Other),
            Some('"') => self.string().map(|text| Node::Other(Value::String(text))),
            _ => self.scalar().map(Node::Other),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Object, Fault> {
        let start = self.at;
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        loop {
            self.blank()?;
            if self.takes("}") {
                return Ok(Object { start, end: self.at - 1, members });
            }
            if members.last().is_some_and(|last| last.comma.is_none()) {
                return Err(self.fault("lacks a comma"));
            }
            let start = self.at;
            if !self.rest().starts_with('"') {
                return Err(self.fault("lacks a name in quotes"));
            }
            let name = self.string()?;
            self.blank()?;
            if !self.takes(":") {
                return Err(self.fault("lacks a colon"));
            }
            self.blank()?;
            let value_start = self.at;
            let value = self.value(depth + 1)?;
            let value_end = self.at;
            self.blank()?;
            let comma = self.takes(",").then(|| self.at - 1);
            members.push(Member { name, start, value, value_start, value_end, comma });
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        let mut may_follow = true;
        loop {
            self.blank()?;
            if self.takes("]") {
                return Ok(Value::Array(items));
            }
            if !may_follow {
                return Err(self.fault("lacks a comma"));
            }
            items.push(self.value(depth + 1)?.plain());
            self.blank()?;
            may_follow = self.takes(",");
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        let mut escaped = false;
        let end = self.rest().char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        let Some((end, _)) = end else { return Err(self.fault("has a text without an end")) };
        let quoted = self.rest().get(..=end).unwrap_or_default();
        let text = serde_json::from_str(quoted).map_err(|_| self.fault("has a text that is not valid"))?;
        self.at += end + 1;
        Ok(text)
    }

    fn scalar(&mut self) -> Result<Value, Fault> {
        let end = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.'));
        let word = self.rest().get(..end.unwrap_or(self.rest().len())).unwrap_or_default();
        let value = serde_json::from_str(word).map_err(|_| self.fault("has a value that is not valid"))?;
        self.at += word.len();
        Ok(value)
    }
}

#[cfg(test)]
#[path = "jsonc_tests.rs"]
mod tests;
