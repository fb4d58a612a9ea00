//! RSS and Atom: each entry a section with its link, date and text.
//!
//! Feeds are XML in name. Read as tags and text they are understood also where they are not well-formed, which is often.

use super::address::Address;
use super::{Extracted, Kind, Link, html};
use crate::core::base::limits;
use crate::core::text::one_line;
use crate::core::text::tags::{TagEvent, Tags};

/// One entry.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) link: String,
    /// When it was published, else when it was changed.
    pub(crate) date: String,
    pub(crate) author: String,
    /// HTML or plain.
    pub(crate) content: String,
}

pub(super) fn read(xml: &str, address: &Address) -> Extracted {
    let (title, entries) = entries(xml);
    write(&title, entries.into_iter(), address)
}

/// The title of a feed and its entries.
pub(crate) fn entries(xml: &str) -> (String, Vec<Entry>) {
    let xml = without_cdata(xml);
    let mut reader = Reader::default();
    Tags::of(xml).read(&mut |event, _place| {
        reader.event(event);
        None
    });
    reader.finish();
    (reader.title, reader.entries)
}

/// Writes a feed of any form.
pub(super) fn write(title: &str, entries: impl Iterator<Item = Entry>, address: &Address) -> Extracted {
    let mut page = Extracted::empty(Kind::Feed);
    let title = one_line(title);
    if !title.is_empty() {
        page.markdown = format!("# {title}\n\n");
        page.text = format!("{title}\n\n");
        page.title = Some(title);
    }
    for entry in entries.take(limits::EXTRACT_ENTRIES) {
        let title = one_line(&html::words(&entry.title));
        let link = address.resolve(&entry.link);
        let date = html::day(&entry.date).unwrap_or_else(|| one_line(&entry.date));
        let content = html::words(&entry.content);
        match &link {
            Some(url) => page.markdown.push_str(&format!("## [{}]({url})\n\n", title.replace(['[', ']'], " "))),
            None => page.markdown.push_str(&format!("## {title}\n\n")),
        }
        let about: Vec<&str> =
            [date.as_str(), entry.author.trim()].into_iter().filter(|part| !part.is_empty()).collect();
        for part in [about.join(", ").as_str(), &content] {
            if !part.is_empty() {
                page.markdown.push_str(part);
                page.markdown.push_str("\n\n");
            }
        }
        page.text.push_str(&format!("{title}\n{date}\n{content}\n\n"));
        if let Some(url) = link {
            page.links.push(Link { text: title, url });
        }
    }
    page
}

/// Character data as escaped text, so that tags inside it are not taken for tags of the feed.
fn without_cdata(xml: &str) -> String {
    let mut out = String::with_capacity(xml.len());
    let mut rest = xml;
    while let Some((before, after)) = rest.split_once("<![CDATA[") {
        out.push_str(before);
        let (inside, after) = after.split_once("]]>").unwrap_or((after, ""));
        out.push_str(&inside.replace('&', "&amp;").replace('<', "&lt;"));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[derive(Debug, Default)]
struct Reader {
    title: String,
    entries: Vec<Entry>,
    entry: Option<Entry>,
    /// When the open entry was changed.
    updated: String,
    field: String,
    /// The tag that is being read.
    tag: Tag,
}

/// What of a tag says where an entry leads.
#[derive(Debug, Default)]
struct Tag {
    name: String,
    attribute: String,
    href: Option<String>,
    rel: Option<String>,
}

impl Tag {
    /// Takes the value of the attribute whose name was read last; the first of a name counts.
    fn value(&mut self, value: &[u8]) {
        let place = match std::mem::take(&mut self.attribute).as_str() {
            "href" => &mut self.href,
            "rel" => &mut self.rel,
            _ => return,
        };
        place.get_or_insert_with(|| String::from_utf8_lossy(value).into_owned());
    }
}

impl Reader {
    fn event(&mut self, event: TagEvent<'_>) {
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match event {
            TagEvent::OpenStartTag { name } => self.tag = Tag { name: said(name), ..Tag::default() },
            TagEvent::AttributeName { name } => self.tag.attribute = said(name),
            TagEvent::AttributeValue { value } => self.tag.value(value),
            TagEvent::CloseStartTag { .. } => {
                let Tag { name, href, rel, .. } = std::mem::take(&mut self.tag);
                self.start(&name, href, rel);
            }
            TagEvent::EndTag { name } => self.end(&said(name)),
            TagEvent::String { value } => self.text(&said(value)),
            TagEvent::Comment { .. } | TagEvent::Doctype { .. } | TagEvent::Error(_) => {}
        }
    }

    fn start(&mut self, name: &str, href: Option<String>, rel: Option<String>) {
        match name {
            "item" | "entry" => {
                self.finish();
                self.entry = Some(Entry::default());
            }
            "link" => {
                let is_page = rel.is_none_or(|rel| rel == "alternate");
                if let (Some(entry), Some(href)) = (&mut self.entry, href)
                    && is_page
                    && entry.link.is_empty()
                {
                    entry.link = href;
                }
            }
            _ => {}
        }
        self.field = name.to_owned();
    }

    fn end(&mut self, name: &str) {
        if matches!(name, "item" | "entry") {
            self.finish();
        }
        self.field.clear();
    }

    fn finish(&mut self) {
        let updated = std::mem::take(&mut self.updated);
        if let Some(mut entry) = self.entry.take()
            && self.entries.len() < limits::EXTRACT_ENTRIES
        {
            if entry.date.is_empty() {
                entry.date = updated;
            }
            self.entries.push(entry);
        }
    }

    fn text(&mut self, text: &str) {
        let Some(entry) = &mut self.entry else {
            if self.field == "title" && self.title.is_empty() {
                text.trim().clone_into(&mut self.title);
            }
            return;
        };
        let place = match self.field.as_str() {
            "id" => &mut entry.id,
            "title" => &mut entry.title,
            "link" => &mut entry.link,
            "pubdate" | "published" | "dc:date" => &mut entry.date,
            "updated" => &mut self.updated,
            "name" | "dc:creator" => &mut entry.author,
            // The longest of the texts an entry offers: a summary is part of the whole.
            "description" | "summary" | "content" | "content:encoded" if text.len() > entry.content.len() => {
                entry.content.clear();
                &mut entry.content
            }
            _ => return,
        };
        place.push_str(text);
    }
}
