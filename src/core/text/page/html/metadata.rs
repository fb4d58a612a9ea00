//! What a page says about itself: title, author, date, language and canonical address.

use serde_json::Value;

use super::tree::{Element, Tree};
use crate::core::base::limits;
use crate::core::text::one_line;

#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) date: Option<String>,
    pub(super) language: Option<String>,
    pub(super) canonical: Option<String>,
    /// The text of an article as structured data has it; pages that are drawn by a script often have no other.
    pub(super) body: Option<String>,
}

/// The structured data of a page.
pub(super) fn data(tree: &Tree) -> Vec<Value> {
    tree.linked_data.iter().filter_map(|text| serde_json::from_str(text.trim()).ok()).collect()
}

pub(super) fn read(tree: &Tree, data: &[Value]) -> Metadata {
    let things: Vec<&Value> = data.iter().flat_map(things).take(limits::EXTRACT_LINKED_DATA).collect();
    let said = |names: &[&str]| names.iter().find_map(|name| things.iter().find_map(|thing| word(thing.get(*name)?)));
    let page = Page { tree };
    let first = |name: &str| tree.elements().find(|(_, element)| element.name.text() == name);
    let heading = || first("h1").map(|(at, _)| tree.text_of(at, limits::EXTRACT_FIELD_BYTES));
    let own_title = || Some(tree.title.clone());
    let html_language = first("html").and_then(|(_, element)| element.attribute("lang")).map(str::to_owned);
    Metadata {
        title: one_of([page.meta(&["og:title", "twitter:title"]), said(&["headline"]), own_title(), heading()]),
        author: one_of([
            page.meta(&["author", "article:author", "dc.creator", "parsely-author"]),
            said(&["author"]),
            page.byline(),
        ])
        .filter(|author| !author.contains("://")),
        date: [
            page.meta(&[
                "article:published_time",
                "datepublished",
                "date",
                "dc.date",
                "dc.date.issued",
                "pubdate",
                "parsely-pub-date",
            ]),
            said(&["datePublished", "uploadDate", "dateCreated"]),
            page.time(),
        ]
        .into_iter()
        .flatten()
        .find_map(|date| day(&date)),
        language: [html_language, page.meta(&["og:locale", "content-language", "language"]), said(&["inLanguage"])]
            .into_iter()
            .flatten()
            .find_map(|tag| primary_language(&tag)),
        canonical: one_of([page.canonical(), page.meta(&["og:url"])]),
        body: said(&["articleBody"]).filter(|body| body.len() > limits::EXTRACT_FIELD_BYTES),
    }
}

struct Page<'t> {
    tree: &'t Tree,
}

impl Page<'_> {
    fn meta(&self, names: &[&str]) -> Option<String> {
        let is = |element: &Element, wanted: &str| {
            ["property", "name", "itemprop", "http-equiv"]
                .iter()
                .any(|attribute| element.attribute(attribute).is_some_and(|name| name.eq_ignore_ascii_case(wanted)))
        };
        let content = |wanted: &&str| {
            let metas = self.tree.elements().filter(|(_, element)| element.name.text() == "meta");
            metas
                .filter(|(_, element)| is(element, wanted))
                .find_map(|(_, element)| element.attribute("content").map(str::trim).filter(|text| !text.is_empty()))
                .map(str::to_owned)
        };
        names.iter().find_map(content)
    }

    fn canonical(&self) -> Option<String> {
        let links = self.tree.elements().filter(|(_, element)| element.name.text() == "link");
        let canonical =
            |element: &Element| element.attribute("rel").is_some_and(|rel| rel.eq_ignore_ascii_case("canonical"));
        links
            .filter(|(_, element)| canonical(element))
            .find_map(|(_, element)| element.attribute("href").map(str::to_owned))
    }

    fn byline(&self) -> Option<String> {
        let is = |element: &Element| {
            element.attribute("rel") == Some("author") || element.attribute("itemprop") == Some("author")
        };
        let at = self.tree.elements().find(|(_, element)| is(element)).map(|(at, _)| at)?;
        Some(self.tree.text_of(at, limits::EXTRACT_FIELD_BYTES)).filter(|text| text.split_whitespace().count() < 8)
    }

    fn time(&self) -> Option<String> {
        let times = || self.tree.elements().filter(|(_, element)| element.name.text() == "time");
        let published = times().find(|(_, element)| element.attribute("itemprop") == Some("datePublished"));
        published.or_else(|| times().next()).and_then(|(_, element)| element.attribute("datetime").map(str::to_owned))
    }
}

/// The objects of a piece of structured data: itself, the members of its graph, and its main entity.
fn things(data: &Value) -> Vec<&Value> {
    let mut found = Vec::new();
    let roots = data.as_array().map_or_else(|| vec![data], |list| list.iter().collect());
    for root in roots {
        found.push(root);
        found.extend(root.get("@graph").and_then(Value::as_array).into_iter().flatten());
        found.extend(root.get("mainEntity"));
    }
    found
}

/// A value that is a text, a list of them, or something with a name.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => {
            let names: Vec<String> = list.iter().take(8).filter_map(named).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        Value::Object(_) => named(value),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn named(value: &Value) -> Option<String> {
    value.as_str().or_else(|| value.get("name")?.as_str()).map(str::to_owned)
}

/// The first that is there and has text, on one line and not too long.
fn one_of<const N: usize>(candidates: [Option<String>; N]) -> Option<String> {
    candidates.into_iter().flatten().map(|text| one_line(&text)).find(|text| !text.is_empty())
}

/// `2026-11-15` from the beginning of a date; other forms are not guessed at, because 03/04 has two meanings.
pub(in super::super) fn day(date: &str) -> Option<String> {
    let day: String = date.trim().chars().take(10).collect();
    let parts: Vec<&str> = day.split(['-', '/']).collect();
    let [year, month, date] = parts.as_slice() else { return None };
    let number = |text: &str, length: usize| text.parse::<u16>().ok().filter(|_| text.len() == length);
    let (year, month, date) = (number(year, 4)?, number(month, 2)?, number(date, 2)?);
    let is_day = (1900..2200).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&date);
    is_day.then(|| format!("{year}-{month:02}-{date:02}"))
}

/// `en` from `en-US`.
fn primary_language(tag: &str) -> Option<String> {
    let primary = tag.trim().split(['-', '_', ',']).next()?.to_ascii_lowercase();
    ((2..=3).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_lowercase())).then_some(primary)
}
