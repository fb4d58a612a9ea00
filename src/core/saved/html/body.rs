//! A report's Markdown as HTML in which every claim can be clicked and every citation leads to its source.
//!
//! What a model wrote stays text: raw HTML is escaped, pictures become their descriptions, and only http(s) addresses and places of this page
//! are links.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::Tint;
use crate::core::saved::citations::CitedAt;
use crate::core::saved::source;

/// A heading of the report, for the list of contents.
#[derive(Debug, PartialEq, Eq, serde::Serialize)]
pub(super) struct Heading {
    pub(super) id: String,
    pub(super) text: String,
}

/// The report as HTML.
pub(super) struct Body {
    pub(super) html: String,
    pub(super) contents: Vec<Heading>,
}

/// Writes a report, but for a part that is left out. Claims and citations are given in the order of their places, neither overlapping its own
/// kind.
pub(super) fn body(markdown: &str, claims: &[Tint], citations: &[CitedAt], left_out: &Range<usize>) -> Body {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut writer = Writer { markdown, claims, citations, ..Writer::default() };
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        if !left_out.contains(&range.start) {
            writer.event(event, &range);
        }
    }
    writer.close();
    let mut html = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut html, writer.events.into_iter());
    Body { html, contents: writer.contents }
}

#[derive(Default)]
struct Writer<'m> {
    markdown: &'m str,
    /// The claims and citations that are not behind yet.
    claims: &'m [Tint],
    citations: &'m [CitedAt],
    events: Vec<Event<'m>>,
    contents: Vec<Heading>,
    /// The heading that is being read, and where its events begin.
    heading: Option<(HeadingLevel, String)>,
    /// The claim that is open.
    open: Option<usize>,
    /// The last claim that was begun: a claim has one anchor, at its beginning.
    begun: Option<usize>,
    /// The depth of links and of pictures.
    links: u32,
    pictures: u32,
    /// Whether each open link was kept.
    kept: Vec<bool>,
}

impl<'m> Writer<'m> {
    fn event(&mut self, event: Event<'m>, range: &Range<usize>) {
        match event {
            Event::Text(text) => self.text(text, range),
            Event::Code(code) => {
                self.turn_to(range.start);
                self.push_heading(&code);
                self.events.push(Event::Code(code));
            }
            // What looks like HTML is text of the report.
            Event::Html(text) | Event::InlineHtml(text) => self.text(text, range),
            Event::SoftBreak | Event::HardBreak => self.events.push(event),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Rule | Event::FootnoteReference(_) | Event::TaskListMarker(_) => {
                self.close();
                self.events.push(event);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(text, range),
        }
    }

    fn start(&mut self, tag: Tag<'m>) {
        self.close();
        match tag {
            Tag::Image { .. } => self.pictures += 1,
            Tag::Link { ref dest_url, .. } => {
                let kept = source::address(dest_url).is_some();
                self.kept.push(kept);
                if kept {
                    self.links += 1;
                    self.events.push(Event::Start(tag));
                }
            }
            Tag::HtmlBlock => self.events.push(Event::Start(Tag::Paragraph)),
            // The id is set when the text is known.
            Tag::Heading { level, .. } => self.heading = Some((level, String::new())),
            other => self.events.push(Event::Start(other)),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        self.close();
        match tag {
            TagEnd::Image => self.pictures = self.pictures.saturating_sub(1),
            TagEnd::Link => {
                if self.kept.pop() == Some(true) {
                    self.links = self.links.saturating_sub(1);
                    self.events.push(Event::End(tag));
                }
            }
            TagEnd::HtmlBlock => self.events.push(Event::End(TagEnd::Paragraph)),
            TagEnd::Heading(level) => self.end_heading(level),
            other => self.events.push(Event::End(other)),
        }
    }

    /// A heading is written when it is whole: its events are its text, whatever markup it has.
    fn end_heading(&mut self, level: HeadingLevel) {
        let Some((_, text)) = self.heading.take() else { return };
        let text = text.trim().to_owned();
        let id = format!("h{}", self.contents.len() + 1);
        self.raw(format!("<{level} id=\"{id}\">"));
        self.events.push(Event::Text(text.clone().into()));
        self.raw(format!("</{level}>\n"));
        self.contents.push(Heading { id, text });
    }

    fn push_heading(&mut self, text: &str) {
        if let Some((_, heading)) = &mut self.heading {
            heading.push_str(text);
        }
    }

    /// Text, cut where a claim or a citation begins or ends.
    fn text(&mut self, text: CowStr<'m>, range: &Range<usize>) {
        if self.heading.is_some() {
            return self.push_heading(&text);
        }
        // Escapes and entities are shorter than their source: such a text is one piece.
        if self.markdown.get(range.clone()) != Some(&*text) {
            self.turn_to(range.start);
            self.events.push(Event::Text(text));
            return;
        }
        let mut at = range.start;
        while at < range.end {
            self.pass(at);
            if let Some(cited) = self.citations.first().filter(|cited| cited.range.start <= at) {
                let end = cited.range.end;
                if cited.range.start == at {
                    let numbers = cited.numbers.clone();
                    self.cite(&numbers);
                }
                // The parser may cut a citation into several texts; all of them are it.
                at = end.min(range.end);
                continue;
            }
            let mut end = range.end;
            end = self.citations.first().map_or(end, |cited| end.min(cited.range.start));
            let claim = self.claims.first();
            end = claim
                .map_or(end, |claim| end.min(if claim.span.start > at { claim.span.start } else { claim.span.end }));
            let end = end.max(at + 1);
            let Some(piece) = self.markdown.get(at..end) else { return };
            self.turn_to(at);
            self.events.push(Event::Text(piece.into()));
            at = end;
        }
    }

    /// Leaves what ends at or before a place.
    fn pass(&mut self, at: usize) {
        while let Some(rest) = self.claims.split_first().filter(|(claim, _)| claim.span.end <= at) {
            self.claims = rest.1;
        }
        while let Some(rest) = self.citations.split_first().filter(|(cited, _)| cited.range.end <= at) {
            self.citations = rest.1;
        }
    }

    /// Opens and closes claims so that what comes next belongs to the claim that it stands in.
    fn turn_to(&mut self, at: usize) {
        self.pass(at);
        let wanted = self.claims.first().filter(|claim| claim.span.start <= at).cloned();
        if self.open == wanted.as_ref().map(|claim| claim.number) {
            return;
        }
        self.close();
        let Some(claim) = wanted else { return };
        let number = claim.number;
        let anchor = if self.begun == Some(number) { String::new() } else { format!(" id=\"r{number}\"") };
        self.begun = Some(number);
        self.open = Some(number);
        let verdict = claim.verdict.name();
        // A link cannot stand in a link: there the words are only tinted.
        if self.links > 0 {
            self.raw(format!("<span class=\"claim {verdict}\"{anchor}>"));
        } else {
            self.raw(format!("<a class=\"claim {verdict}\"{anchor} href=\"#c{number}\">"));
        }
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.raw(if self.links > 0 { "</span>" } else { "</a>" });
        }
    }

    /// The numbers of a citation, each a link to its source.
    fn cite(&mut self, numbers: &[u32]) {
        self.close();
        let links: Vec<String> = numbers.iter().map(|number| format!("<a href=\"#s{number}\">{number}</a>")).collect();
        self.raw(format!("<sup class=\"cite\">[{}]</sup>", links.join(", ")));
    }

    fn raw(&mut self, html: impl Into<CowStr<'m>>) {
        self.events.push(Event::InlineHtml(html.into()));
    }
}
