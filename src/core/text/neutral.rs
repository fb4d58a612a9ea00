//! What a model wrote, as text that only shows. A page can talk a model into an image whose address carries a secret away, or into HTML
//! that acts where the report is read.
//!
//! Links stay when they lead to a known source, images become links to it; all other addresses are shown as code, and HTML is escaped. Code stays as it is. A
//! text that has been through is not changed by another time, so claims are read from it and fit what is shown.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use url::Url;

use super::bare_addresses::{self, FlatText};
use super::quoting::code;
use crate::core::base::sorting::sort_by_key;
use crate::core::base::{limits, plain};

/// Taking something out can make something else active, once or twice; a text that goes on like that is hostile.
const PASSES: usize = 5;

/// The addresses that a text may lead to.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownAddresses {
    pages: BTreeSet<String>,
    paths: BTreeSet<String>,
}

impl KnownAddresses {
    pub(crate) fn new<'a>(locations: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known = Self::default();
        for location in locations {
            match page(location) {
                Some(page) => known.pages.insert(page),
                None => known.paths.insert(location.to_owned()),
            };
        }
        known
    }

    /// Whether a link may lead there: a known page, whatever the place in it, a known file, or a place in the text itself.
    pub(super) fn has(&self, address: &str) -> bool {
        match page(address) {
            Some(page) => self.pages.contains(&page),
            None if address.starts_with('#') => true,
            None => !address.contains(':') && !address.starts_with(['/', '\\']) && self.paths.contains(address),
        }
    }
}

/// What two addresses of one page have in common; `None` for what is no address of the web.
fn page(address: &str) -> Option<String> {
    let mut url = Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.set_fragment(None);
    Some(url.as_str().trim_end_matches('/').to_owned())
}

/// A model's Markdown that only shows.
pub(crate) fn neutral(markdown: &str, known: &KnownAddresses) -> String {
    let mut text = plain::visible(markdown);
    if text.len() > limits::REPORT_MARKUP_BYTES {
        return if may_act(&text) { literal(&text) } else { text };
    }
    for _ in 0..PASSES {
        match pass(&text, known) {
            // What takes more room than markup is read for now would be read another way the next time.
            Some(calmer) if calmer.len() > limits::REPORT_MARKUP_BYTES => return literal(&calmer),
            Some(calmer) => text = calmer,
            None => return text,
        }
    }
    match pass(&text, known) {
        Some(_) => literal(&text),
        None => text,
    }
}

/// Whether a text has anything of which links, pictures or HTML are made.
fn may_act(text: &str) -> bool {
    text.contains(['<', '[', '&', '@']) || text.contains("://") || text.contains("www.")
}

/// A text in which nothing means anything: every line is code.
fn literal(text: &str) -> String {
    let mut code = String::with_capacity(text.len() + text.len() / 4);
    for line in text.lines() {
        // What has been through is not changed by another time.
        code.push_str(if line.starts_with("    ") { "" } else { "    " });
        code.push_str(line);
        code.push('\n');
    }
    code.truncate(code.trim_end().len());
    code
}

/// One reading of the text; `None` when nothing in it acts.
fn pass(text: &str, known: &KnownAddresses) -> Option<String> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES;
    let events = Parser::new_ext(text, options).into_offset_iter();
    let mut pass = Pass { text, known, edits: Vec::new(), open: Vec::new(), flat: FlatText::default(), code: false };
    for (_, definition) in events.reference_definitions().iter() {
        if !known.has(&definition.dest) {
            pass.escape(definition.span.clone(), |_| true, 1);
        }
    }
    for (event, range) in events {
        pass.event(event, range);
    }
    pass.block_ends();
    edited(text, pass.edits)
}

/// A link or an image that is open.
struct OpenLink<'t> {
    range: Range<usize>,
    address: CowStr<'t>,
    image: bool,
    /// Whether its address is taken out. One that stays is left to itself.
    goes: bool,
    form: LinkType,
    /// Where what it shows begins and ends.
    inner: Range<usize>,
}

struct Pass<'t, 'k> {
    text: &'t str,
    known: &'k KnownAddresses,
    edits: Vec<(Range<usize>, String)>,
    open: Vec<OpenLink<'t>>,
    /// The text of the block so far, as a reader sees it.
    flat: FlatText,
    /// Inside a block of code.
    code: bool,
}

impl<'t> Pass<'t, '_> {
    fn event(&mut self, event: Event<'t>, range: Range<usize>) {
        let ends_link = matches!(event, Event::End(TagEnd::Link | TagEnd::Image));
        if !ends_link && let Some(open) = self.open.last_mut() {
            open.inner.end = open.inner.end.max(range.end);
        }
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => self.link(link_type, dest_url, range, false),
            Event::Start(Tag::Image { link_type, dest_url, .. }) => self.link(link_type, dest_url, range, true),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some(link) = self.open.pop() {
                    self.link_ends(link);
                }
            }
            Event::Start(Tag::CodeBlock(_)) => self.code = true,
            Event::End(TagEnd::CodeBlock) => self.code = false,
            Event::Html(_) | Event::InlineHtml(_) => {
                self.block_ends();
                self.escape(range, is_tag, usize::MAX);
            }
            Event::Text(shown) if !self.code => self.shown(&shown, range),
            Event::Text(_) => {}
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {}
            // A code span, a line end, a mark, or another block.
            Event::Code(_) | Event::SoftBreak | Event::HardBreak | Event::Rule | Event::TaskListMarker(_) => {
                self.block_ends();
            }
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => self.block_ends(),
            Event::Start(_) | Event::End(_) => self.block_ends(),
        }
    }

    fn link(&mut self, form: LinkType, address: CowStr<'t>, range: Range<usize>, image: bool) {
        self.block_ends();
        let inner = range.start + if image { 2 } else { 1 };
        let goes = !self.known.has(&address);
        self.open.push(OpenLink { range, address, image, goes, form, inner: inner..inner });
    }

    fn link_ends(&mut self, link: OpenLink<'t>) {
        let OpenLink { range, address, image, goes, form, inner } = link;
        // What a link that stays shows is part of it; nobody makes another link of it.
        if !goes {
            self.flat = FlatText::default();
        }
        self.block_ends();
        if let Some(outer) = self.open.last_mut() {
            outer.inner.end = outer.inner.end.max(range.end);
        }
        match form {
            LinkType::Autolink | LinkType::Email if goes => {
                self.edits.push((range, code(&address, limits::ADDRESS_BYTES)));
            }
            LinkType::Inline if goes => {
                let label = self.text.get(inner.clone()).unwrap_or_default();
                let behind = if address.is_empty() || *plain_code(label) == *address {
                    String::new()
                } else {
                    let gap = if label.is_empty() { "" } else { " " };
                    format!("{gap}({})", code(&address, limits::ADDRESS_BYTES))
                };
                self.edits.push((range.start..inner.start, String::new()));
                self.edits.push((inner.end.min(range.end)..range.end, behind));
            }
            // An image that is fetched tells of its reader; a link waits until it is wanted.
            _ if image && !goes => self.edits.push((range.start..range.start + 1, String::new())),
            // The others live by a definition, which is escaped where its address is unknown.
            _ => {}
        }
    }

    fn shown(&mut self, shown: &str, range: Range<usize>) {
        self.escape(range.clone(), is_tag, usize::MAX);
        self.flat.push(self.text, shown, range);
    }

    /// A run of text is over: addresses in it that a reader's program would make links of become code.
    fn block_ends(&mut self) {
        let flat = std::mem::take(&mut self.flat);
        for (range, address) in bare_addresses::find(&flat) {
            if !self.known.has(&address) {
                self.edits.push((range, code(&address, limits::ADDRESS_BYTES)));
            }
        }
    }

    /// Puts a backslash before the brackets in a range that open something, up to `most` of them.
    fn escape(&mut self, range: Range<usize>, opens: impl Fn(&str) -> bool, most: usize) {
        let part = self.text.get(range.clone()).unwrap_or_default();
        let brackets = part.match_indices(['<', '[']).filter(|(at, bracket)| {
            let wanted = if most == 1 { *bracket == "[" } else { *bracket == "<" };
            wanted
                && !is_escaped(self.text, range.start + at)
                && self.text.get(range.start + at + 1..).is_some_and(&opens)
        });
        let places: Vec<usize> = brackets.map(|(at, _)| range.start + at).take(most).collect();
        self.edits.extend(places.into_iter().map(|at| (at..at, "\\".to_owned())));
    }
}

/// Whether an odd number of backslashes stands before a place.
fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Whether what follows a `<` makes it a tag.
fn is_tag(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// The text of a label that is code and nothing else, else the label.
fn plain_code(label: &str) -> &str {
    label.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).unwrap_or(label)
}

/// The text with its edits; `None` when there is none.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> Option<String> {
    sort_by_key(&mut edits, |(range, _)| (range.start, range.end));
    let (mut out, mut at) = (String::with_capacity(text.len() + 16), 0);
    for (range, instead) in &edits {
        // One inside another is found again by the next pass.
        let Some(before) = text.get(at..range.start) else { continue };
        out.push_str(before);
        out.push_str(instead);
        at = range.end;
    }
    out.push_str(text.get(at..)?);
    (out != text).then_some(out)
}

#[cfg(test)]
#[path = "neutral_tests.rs"]
mod tests;
