//! Lists of literature as BibTeX has them: every entry is a section of its own, with the comment above it and its title as the heading, so that no passage has the
//! end of one and the beginning of another.

use std::collections::BTreeSet;
use std::ops::Range;

use super::code::push_block;
use super::lines::{LineMap, lines_in};
use super::markup::braced;
use super::outline::Item;
use super::{Contents, cut, one_line, tex_letters};
use crate::core::base::rows::is_listed;

/// Kinds of entries by which a list is known; other kinds are entries in it all the same.
const KINDS: &str = "article book booklet collection comment conference dataset electronic inbook incollection \
     inproceedings manual mastersthesis misc online patent periodical phdthesis preamble proceedings report software \
     string techreport thesis unpublished";
/// What is no entry but serves the others.
const HELPERS: [&str; 3] = ["comment", "preamble", "string"];

/// A list of literature, with accents as they are read; nothing for another text.
pub(super) fn contents(text: &str) -> Option<Contents> {
    begins_list(text).then(|| {
        let text = tex_letters::letters(text.to_owned());
        let (items, places) = (items(&text), LineMap::of(&text).into());
        Contents { title: None, text, items, places, left_out: BTreeSet::new() }
    })
}

/// Whether the first line that is no comment begins an entry of a known kind.
fn begins_list(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('%'));
    first.and_then(kind).is_some_and(|kind| is_listed(KINDS, &kind))
}

/// The sections of a list.
fn items(text: &str) -> Vec<Item> {
    let lines: Vec<Range<usize>> = lines_in(text, 0..text.len()).collect();
    let line = |at: usize| lines.get(at).map_or("", |span| cut(text, span)).trim_end();
    let mut items = Vec::new();
    let mut start = 0;
    let mut was_helper = false;
    for (at, span) in lines.iter().enumerate() {
        let Some(kind) = kind(line(at)) else { continue };
        let is_helper = HELPERS.contains(&kind.as_str());
        if is_helper && was_helper {
            continue;
        }
        was_helper = is_helper;
        let above = (start..at).rev().take_while(|above| line(*above).starts_with('%')).last().unwrap_or(at);
        let begin = lines.get(above).map_or(span.start, |span| span.start);
        push_block(&mut items, text, &lines, start, above);
        let end = (at + 1..lines.len()).find(|at| self::kind(line(*at)).is_some()).unwrap_or(lines.len());
        let entry = cut(text, &(span.start..lines.get(end).map_or(text.len(), |next| next.start)));
        let name = if is_helper { String::new() } else { title(entry).unwrap_or_else(|| key(entry)) };
        items.push(Item::Heading { level: 1, text: name, span: begin..begin });
        start = above;
    }
    push_block(&mut items, text, &lines, start, lines.len());
    items
}

/// The kind of the entry that a line begins, in lower case: `article` of `@Article{key,`.
fn kind(line: &str) -> Option<String> {
    let said = line.strip_prefix('@')?;
    let end = said.find(|c: char| !c.is_ascii_alphabetic()).filter(|end| *end > 0)?;
    let (kind, behind) = said.split_at_checked(end)?;
    behind.trim_start().starts_with(['{', '(']).then(|| kind.to_ascii_lowercase())
}

/// By what an entry is cited.
fn key(entry: &str) -> String {
    let behind = entry.split_once(['{', '(']).map(|(_, behind)| behind).unwrap_or_default();
    one_line(behind.split([',', '\n', '}', ')']).next().unwrap_or_default())
}

/// The title of an entry, without the braces that keep its capitals.
fn title(entry: &str) -> Option<String> {
    let lower = entry.to_ascii_lowercase();
    let value = lower.match_indices("title").find_map(|(at, name)| {
        let is_field = entry.get(..at)?.ends_with(|c: char| c.is_whitespace() || c == ',');
        let value = entry.get(at + name.len()..)?.trim_start().strip_prefix('=')?;
        is_field.then(|| value.trim_start())
    })?;
    let inside = match value.chars().next()? {
        '{' => braced(value)?,
        '"' => value.split('"').nth(1)?,
        _ => return None,
    };
    Some(one_line(&inside.replace(['{', '}'], ""))).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::text::{Format, extract};

    const LIST: &str = "% Our papers\n@string{gpr = {Global Peatland Research}}\n@STRING{rl = \"Restoration Letters\"}\n\n\
        % the main one\n@article{halloran2024,\n  author = {Halloran, Ines},\n  booktitle = {Not this},\n  title = {{Ebullition} dominates\n    in bogs},\n  doi = {10.5555/1}\n}\n\
        @Book{rydin2013, Title=\"The Biology of Peatlands\", author = {Rydin, H{\\aa}kan}}\n\
        @misc{bare,\n  note = {title in words only}\n}\n";

    #[test]
    fn lb_01_every_entry_of_a_list_of_literature_is_a_passage() {
        let document = extract(Format::Code, LIST.as_bytes().to_vec()).unwrap();
        let passages: Vec<(&str, String)> = document
            .passages
            .iter()
            .map(|piece| {
                let text = document.passage_text(piece);
                let first = text.lines().find(|line| line.starts_with('@')).unwrap_or_default();
                assert_eq!(
                    text.matches("\n@").count() + usize::from(text.starts_with('@')),
                    if first.contains("string") { 2 } else { 1 },
                    "{text}"
                );
                (first, piece.headings.join("/"))
            })
            .collect();
        assert_eq!(
            passages,
            [
                ("@string{gpr = {Global Peatland Research}}", String::new()),
                ("@article{halloran2024,", "Ebullition dominates in bogs".to_owned()),
                (
                    "@Book{rydin2013, Title=\"The Biology of Peatlands\", author = {Rydin, Håkan}}",
                    "The Biology of Peatlands".to_owned()
                ),
                ("@misc{bare,", "bare".to_owned()),
            ]
        );
        assert!(document.passage_text(&document.passages[1]).starts_with("% the main one\n@article"));
        assert_eq!(document.passages[1].lines.to_string(), "lines 5–12");
    }

    #[test]
    fn lb_01_an_entry_that_is_longer_than_a_passage_is_cut_by_lines() {
        let long = format!(
            "@article{{a,\n  title = {{A}},\n{}}}\n@article{{b,\n  title = {{B}}\n}}\n",
            "  note = {some words of a long note},\n".repeat(60)
        );
        let document = extract(Format::Code, long.into_bytes()).unwrap();
        let headings: Vec<String> = document.passages.iter().map(|piece| piece.headings.join("/")).collect();
        assert!(headings.len() > 2 && headings.last().is_some_and(|last| last == "B"), "{headings:?}");
        assert!(headings.iter().rev().skip(1).all(|heading| heading == "A"), "{headings:?}");
    }

    #[test]
    fn lb_01_other_texts_are_no_lists_of_literature() {
        for text in [
            "@media{a}\n",
            "@Override\nvoid f() {\n}\n",
            "@font-face {\n}\n",
            "",
            "text\n@article{a,\n}\n",
            "@article\n",
        ] {
            assert!(!begins_list(text), "{text}");
        }
    }
}
