//! An HTML page as a tree in one array, built from tokens.
//!
//! Not a browser's tree: there is no adoption agency and no foster parenting, only the rules by which end tags may be
//! missing. In return the work grows with the input and nothing else, nothing recurses, depth and number of nodes are bounded
//! while the tree is built, and what is beyond the bounds loses its structure but not its text.

use std::borrow::Cow;

use super::names::{self, Name};
use crate::core::base::limits;
use crate::core::text::lines::LineMap;
use crate::core::text::tags::{State, TagEvent, Tags, naive_next_state};

/// Nodes in document order; the root is the first.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The text of all text nodes, one after the other.
    pub(super) text: String,
    /// The lines of the file that the text stands in.
    pub(super) lines: LineMap,
    /// What `<title>` and `<script type="application/ld+json">` hold.
    pub(super) title: String,
    pub(super) linked_data: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) parent: usize,
    /// The first node that is not below this one.
    pub(super) end: usize,
}

#[derive(Debug)]
pub(super) enum Kind {
    Element(Element),
    /// A range of [`Tree::text`].
    Text(std::ops::Range<usize>),
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: Name,
    attributes: Vec<(&'static str, Box<str>)>,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }
}

impl Tree {
    pub(super) fn parse(html: &str) -> Self {
        // The tokenizer counts places without carriage returns.
        let html = if html.contains('\r') {
            Cow::Owned(html.replace("\r\n", "\n").replace('\r', " "))
        } else {
            Cow::Borrowed(html)
        };
        let tags = Tags::of(html);
        let lines = LineMap::of(tags.html());
        let mut builder = Builder::new();
        tags.read(&mut |event, span| match event {
            TagEvent::String { value } => {
                builder.text(&String::from_utf8_lossy(value), lines.line(span.start), lines.line(span.end));
                None
            }
            event => builder.event(event),
        });
        builder.finish()
    }

    pub(super) fn element(&self, at: usize) -> Option<&Element> {
        match &self.nodes.get(at)?.kind {
            Kind::Element(element) => Some(element),
            Kind::Text(_) => None,
        }
    }

    /// The elements above a node, nearest first, without the root.
    pub(super) fn above(&self, at: usize) -> impl Iterator<Item = (usize, &Element)> {
        let mut at = at;
        std::iter::from_fn(move || {
            at = self.nodes.get(at)?.parent;
            if at == 0 { None } else { Some((at, self.element(at)?)) }
        })
    }

    /// The elements below a node.
    pub(super) fn below(&self, at: usize) -> impl Iterator<Item = (usize, &Element)> {
        let end = self.nodes.get(at).map_or(at, |node| node.end);
        (at.saturating_add(1)..end).filter_map(|below| Some((below, self.element(below)?)))
    }

    pub(super) fn elements(&self) -> impl Iterator<Item = (usize, &Element)> {
        self.below(0)
    }

    /// All text below a node, white space collapsed, at most `most` bytes or a little more.
    pub(super) fn text_of(&self, at: usize, most: usize) -> String {
        let end = self.nodes.get(at).map_or(at, |node| node.end);
        let mut out = String::new();
        for node in self.nodes.get(at..end).unwrap_or_default() {
            let Kind::Text(range) = &node.kind else { continue };
            let text = self.text.get(range.clone()).unwrap_or_default();
            if text.starts_with(char::is_whitespace) && !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            for (no, word) in text.split_whitespace().enumerate() {
                if no > 0 {
                    out.push(' ');
                }
                out.push_str(word);
                if out.len() >= most {
                    return out;
                }
            }
            if text.ends_with(char::is_whitespace) && !out.ends_with(' ') {
                out.push(' ');
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// Where text that the tokenizer hands over goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextTarget {
    Page,
    Title,
    LinkedData,
    Nowhere,
}

struct Builder {
    tree: Tree,
    /// The open elements with their names, outermost first; the root is always there.
    open: Vec<(usize, Name)>,
    /// The names of the open elements that the table does not have, as hashes, outermost first.
    custom: Vec<u64>,
    /// Elements that the table does not have, which were not opened because enough of them are open.
    custom_unopened: usize,
    /// How many of each name are open, so that an end tag without a start tag costs nothing.
    counts: [u32; names::COUNT],
    /// Elements that were not opened because the tree is deep or large enough, and are not closed yet.
    unopened: usize,
    tag: Option<Tag>,
    attribute: Option<&'static str>,
    sink: TextTarget,
}

/// A start tag whose attributes are being read.
struct Tag {
    name: Name,
    /// The hash of its name.
    custom: u64,
    raw: Option<State>,
    attributes: Vec<(&'static str, Box<str>)>,
}

impl Builder {
    /// Takes one event that is no text; the answer is the state that the tokenizer must go on in.
    fn event(&mut self, event: TagEvent<'_>) -> Option<State> {
        match event {
            TagEvent::OpenStartTag { name } => {
                let raw = naive_next_state(name).filter(|_| name != b"plaintext" && name != b"noscript");
                self.tag = Some(Tag { name: names::of(name), custom: hash(name), raw, attributes: Vec::new() });
                self.attribute = None;
            }
            TagEvent::AttributeName { name } => {
                self.attribute = names::attribute(name);
                if let (Some(known), Some(tag)) = (self.attribute, &mut self.tag)
                    && tag.attributes.iter().all(|(there, _)| *there != known)
                {
                    tag.attributes.push((known, Box::default()));
                } else {
                    self.attribute = None;
                }
            }
            TagEvent::AttributeValue { value } => {
                if let (Some(_), Some(tag)) = (self.attribute.take(), &mut self.tag)
                    && let Some((_, place)) = tag.attributes.last_mut()
                {
                    let value = value.get(..limits::EXTRACT_ATTRIBUTE_BYTES).unwrap_or(value);
                    *place = String::from_utf8_lossy(value).into();
                }
            }
            TagEvent::CloseStartTag { self_closing } => {
                let tag = self.tag.take()?;
                return self.start(tag, self_closing);
            }
            TagEvent::EndTag { name } => {
                self.sink = TextTarget::Page;
                match names::of(name) {
                    names::OTHER => self.end_custom(hash(name)),
                    name => self.end(name),
                }
            }
            TagEvent::String { .. } | TagEvent::Comment { .. } | TagEvent::Doctype { .. } | TagEvent::Error(_) => {}
        }
        None
    }

    fn new() -> Self {
        let mut tree = Tree::default();
        let root = Element { name: names::OTHER, attributes: Vec::new() };
        tree.nodes.push(Node { kind: Kind::Element(root), parent: 0, end: 0 });
        let counts = [0; names::COUNT];
        Self {
            tree,
            open: vec![(0, names::OTHER)],
            custom: Vec::new(),
            custom_unopened: 0,
            counts,
            unopened: 0,
            tag: None,
            attribute: None,
            sink: TextTarget::Page,
        }
    }

    fn finish(mut self) -> Tree {
        while self.open.len() > 1 {
            self.pop();
        }
        let all = self.tree.nodes.len();
        if let Some(root) = self.tree.nodes.first_mut() {
            root.end = all;
        }
        self.tree
    }

    fn start(&mut self, tag: Tag, self_closing: bool) -> Option<State> {
        let Tag { name, custom, raw, attributes } = tag;
        // `<script/>` of XHTML is empty, so it switches nothing.
        if let Some(state) = raw.filter(|_| !self_closing) {
            let is_data = attributes.iter().any(|(known, value)| *known == "type" && value.contains("ld+json"));
            self.sink = match name.text() {
                "title" if self.tree.title.is_empty() && self.counts[names::of(b"svg").index()] == 0 => {
                    TextTarget::Title
                }
                "script" if is_data && self.tree.linked_data.len() < limits::EXTRACT_LINKED_DATA => {
                    TextTarget::LinkedData
                }
                _ => TextTarget::Nowhere,
            };
            return Some(state);
        }
        self.close_implied(name);
        let full = self.open.len() >= limits::EXTRACT_DEPTH || self.tree.nodes.len() >= limits::EXTRACT_NODES;
        // What is left out is believed to be empty when it says so: else the rest of an XHTML page would be left out with it.
        let is_empty = name.is_void() || (self_closing && (name.is_dropped() || !name.is_html_container()));
        if full && !is_empty {
            self.unopened += 1;
            return None;
        }
        if self.tree.nodes.len() >= limits::EXTRACT_NODES {
            return None;
        }
        let at = self.tree.nodes.len();
        self.push_node(Kind::Element(Element { name, attributes }));
        if name == names::OTHER && !is_empty {
            // Those that are never closed would pile up until the tree is deep enough and the rest of the page has no structure.
            if self.custom.len() >= CUSTOM_OPEN {
                self.custom_unopened += 1;
                return None;
            }
            self.custom.push(custom);
        }
        if !is_empty {
            self.open.push((at, name));
            self.counts[name.index()] += 1;
        }
        None
    }

    /// Ends what the start of `name` ends without an end tag.
    fn close_implied(&mut self, name: Name) {
        let ended: &[&str] = match name.text() {
            "li" => &["li"],
            "dt" | "dd" => &["dt", "dd"],
            "tr" => &["tr", "td", "th"],
            "td" | "th" => &["td", "th"],
            "tbody" | "thead" | "tfoot" => &["tbody", "thead", "tfoot", "tr", "td", "th"],
            "option" | "optgroup" => &["option"],
            "a" => &["a"],
            _ if self.counts[names::of(b"head").index()] > 0 && !name.is_of_head() => &["head"],
            _ if name.is_block() => &["p"],
            _ => return,
        };
        if ended.iter().all(|name| self.counts[names::of(name.as_bytes()).index()] == 0) {
            return;
        }
        let mut keep = self.open.len();
        for (place, (_, open)) in self.open.iter().enumerate().skip(1).rev() {
            let open = open.text();
            if ended.contains(&open) {
                keep = place;
            } else if is_wall(open) {
                break;
            }
        }
        while self.open.len() > keep.max(1) {
            self.pop();
        }
    }

    fn end(&mut self, name: Name) {
        if self.unopened > 0 {
            self.unopened -= 1;
            return;
        }
        if self.counts[name.index()] == 0 || name == names::OTHER {
            return;
        }
        let mut found = None;
        for (place, (_, open)) in self.open.iter().enumerate().skip(1).rev() {
            if *open == name {
                found = Some(place);
                break;
            }
            // A stray end tag inside a cell does not end the table around it.
            if matches!(open.text(), "td" | "th") && !matches!(name.text(), "table" | "tr" | "tbody" | "body" | "html")
            {
                break;
            }
        }
        let Some(found) = found else { return };
        while self.open.len() > found {
            self.pop();
        }
    }

    /// Ends an element that the table does not have. It ends no part of the page that stands between.
    fn end_custom(&mut self, custom: u64) {
        if self.unopened > 0 {
            self.unopened -= 1;
            return;
        }
        if self.custom_unopened > 0 {
            self.custom_unopened -= 1;
            return;
        }
        let mut names = self.custom.iter().rev();
        let mut found = None;
        for (place, (_, open)) in self.open.iter().enumerate().skip(1).rev() {
            if *open == names::OTHER {
                if names.next() == Some(&custom) {
                    found = Some(place);
                    break;
                }
            } else if open.is_block() && !matches!(open.text(), "p" | "li" | "dt" | "dd") {
                break;
            }
        }
        let Some(found) = found else { return };
        while self.open.len() > found {
            self.pop();
        }
    }

    fn pop(&mut self) {
        let all = self.tree.nodes.len();
        if let Some((at, name)) = self.open.pop() {
            self.counts[name.index()] = self.counts[name.index()].saturating_sub(1);
            if name == names::OTHER {
                self.custom.pop();
            }
            if let Some(node) = self.tree.nodes.get_mut(at) {
                node.end = all;
            }
        }
    }

    /// Text of the file's lines `first` to `last`.
    fn text(&mut self, text: &str, first: u32, last: u32) {
        match self.sink {
            TextTarget::Page => {}
            TextTarget::Title => {
                let room = limits::EXTRACT_FIELD_BYTES.saturating_sub(self.tree.title.len());
                let fits = text.get(..text.floor_char_boundary(room.min(text.len()))).unwrap_or_default();
                return self.tree.title.push_str(fits);
            }
            TextTarget::LinkedData => return self.tree.linked_data.push(text.to_owned()),
            TextTarget::Nowhere => return,
        }
        let start = self.tree.text.len();
        self.tree.text.push_str(text);
        self.tree.lines.mark_text(start, text, first, last);
        let end = self.tree.text.len();
        let last = self.tree.nodes.len().saturating_sub(1);
        // Text after text, as where a comment or an unopened element stood between: one node.
        let parent = self.open.last().map_or(0, |(at, _)| *at);
        if let Some(Node { kind: Kind::Text(range), parent: its, .. }) = self.tree.nodes.get_mut(last)
            && *its == parent
            && range.end == start
        {
            range.end = end;
        } else {
            self.push_node(Kind::Text(start..end));
        }
    }

    fn push_node(&mut self, kind: Kind) {
        let parent = self.open.last().map_or(0, |(at, _)| *at);
        let end = self.tree.nodes.len() + 1;
        self.tree.nodes.push(Node { kind, parent, end });
    }
}

/// Elements that the table does not have and that may be open at once; pages of such elements nest them a few deep.
const CUSTOM_OPEN: usize = 64;

/// The name of an element as a number (FNV-1a).
fn hash(name: &[u8]) -> u64 {
    name.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Elements that an implied end does not reach beyond.
fn is_wall(name: &str) -> bool {
    matches!(name, "table" | "ul" | "ol" | "dl" | "select" | "article" | "section" | "main" | "body" | "html" | "svg")
}
