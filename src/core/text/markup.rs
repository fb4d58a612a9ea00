//! Markup by lines: Org, AsciiDoc, TeX, settings and logs. The text stays the file's own; headings are found in it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::code::push_block;
use super::lines::{LineMap, lines_in};
use super::outline::{Block, CutAt, Item};
use super::passages::words;
use super::table_rows::is_table_rule;
use super::{
    Contents, adoc_attributes, cut, drawn_tables, one_line, records, settings_banners, settings_comments, tex_letters,
    tex_macros, unicode_escapes, yaml_documents,
};
use crate::core::base::limits::PASSAGE_MIN_WORDS;
use crate::core::language::days::begins_with_stamp;

/// Lines of settings that are read as one.
const SMALL_LINES: usize = 16;

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
enum Said<'t> {
    Heading(u8, &'t str),
    Title(&'t str),
    /// Lines up to the one that begins with this belong together.
    Fence(String),
    /// Lines up to the one that begins with this say nothing to a reader.
    Hidden(String),
    /// It says nothing to a reader.
    LeftOut,
    /// A row of a table.
    Row,
    Text,
}

pub(super) fn org(text: String) -> Contents {
    let lines = LineMap::of(&text);
    read(text, lines, org_line)
}

pub(super) fn asciidoc(text: String) -> Contents {
    let (text, lines) = drawn_tables::of_asciidoc(adoc_attributes::written_out(text));
    read(text, lines, asciidoc_line)
}

pub(super) fn tex(text: String) -> Contents {
    let text = tex_letters::letters(tex_macros::written_out(text));
    let lines = LineMap::of(&text);
    read(text, lines, tex_line)
}

/// Settings and data in sections or by keys that stand in the first column.
pub(super) fn settings(text: String) -> Contents {
    let mut contents = by_keys(unicode_escapes::letters(text), |line| {
        if let Some(section) = line.strip_prefix('[') {
            return section.trim_end().strip_suffix(']').map(|section| section.trim_matches(['[', ']']));
        }
        let (key, _) = line.split_once(": ").or_else(|| line.trim_end().strip_suffix(':').map(|key| (key, "")))?;
        let is_key = |c: char| c.is_alphanumeric() || "_-./\"' ".contains(c);
        (line.starts_with(|c: char| c.is_alphanumeric() || "\"'_".contains(c)) && key.chars().all(is_key))
            .then(|| key.trim_matches(['"', '\'']))
    });
    if is_small_unit(&contents) {
        contents.items.retain(|item| matches!(item, Item::Block(_)));
    }
    let apart = records::apart(&contents.text, contents.items).into_iter().map(|item| match item {
        Item::Block(block) => Item::Block(settings_comments::with_cuts_between(&contents.text, block)),
        heading @ Item::Heading { .. } => heading,
    });
    contents.items = apart.collect();
    let title = settings_comments::title(&contents.text).map(|title| one_line(&title));
    contents.title = title.filter(|title| is_of_all(&mut contents, title));
    contents
}

/// Whether the title of settings is said of all of them. A banner at the head is that where it is the only one of its kind or nothing is set below it, and is
/// no heading then; else it is the name of the first part.
fn is_of_all(contents: &mut Contents, title: &str) -> bool {
    let is_title = |item: &Item| matches!(item, Item::Heading { level, text, .. } if text == title && *level != settings_banners::SECTION);
    let Some(first) = contents.items.iter().position(is_title) else { return true };
    let level = |item: &Item| match item {
        Item::Heading { level, .. } => Some(*level),
        Item::Block(_) => None,
    };
    let own = contents.items.get(first).and_then(level);
    let below = contents.items.iter().skip(first + 1);
    let like_it = below.clone().filter(|item| level(item) == own).count();
    let mut part = below.take_while(|item| level(item).is_none_or(|level| Some(level) > own));
    let is_set = part.any(|item| match item {
        Item::Heading { .. } => true,
        Item::Block(block) => settings_comments::sets(cut(&contents.text, &block.span)),
    });
    let is_of_all = like_it == 0 || !is_set;
    if is_of_all {
        contents.items.remove(first);
    }
    is_of_all
}

/// Whether settings in sections are so few that each section says something only beside the others: what a timer starts, and when. Sections
/// that have the same keys are records of one kind.
fn is_small_unit(contents: &Contents) -> bool {
    let is_short = contents.text.lines().take(SMALL_LINES + 1).count() <= SMALL_LINES;
    if !is_short || words(&contents.text) > PASSAGE_MIN_WORDS || contents.text.contains("\n[[") {
        return false;
    }
    let (mut sections, mut keys) = (0, BTreeMap::new());
    for line in contents.text.lines() {
        sections += usize::from(line.starts_with('['));
        let key = line.split_once('=').map(|(key, _)| key.trim());
        if key.is_some_and(|key| *keys.entry(key).or_insert(sections) != sections) {
            return false;
        }
    }
    let headings = contents.items.iter().filter(|item| matches!(item, Item::Heading { .. })).count();
    sections > 1 && sections == headings
}

/// Lines, of which those that do not begin with a time belong to the entry above: the trace of an error, the rest of a message.
pub(super) fn log(text: String) -> Contents {
    let lines: Vec<Range<usize>> = lines_in(&text, 0..text.len()).collect();
    let entries = lines.iter().filter(|line| begins_with_stamp(cut(&text, line)));
    let cuts: Vec<usize> = entries.map(|line| line.start).collect();
    let mut items = Vec::new();
    push_block(&mut items, &text, &lines, 0, lines.len());
    if let Some(Item::Block(block)) = items.last_mut().filter(|_| cuts.len() > 1) {
        block.cuts = cuts;
    }
    let places = LineMap::of(&text).into();
    Contents { title: None, text, items, places, left_out: BTreeSet::new() }
}

/// Sections that begin with a line that has a key, or with the comment right above it. Banners are headings of what follows, and so is what a document of
/// several in the file is called.
fn by_keys(text: String, key: impl Fn(&str) -> Option<&str>) -> Contents {
    let lines: Vec<Range<usize>> = lines_in(&text, 0..text.len()).collect();
    let said: Vec<&str> = lines.iter().map(|span| cut(&text, span)).collect();
    let documents = yaml_documents::documents(&said);
    let mut banners = settings_banners::banners(&said, |line| key(line).is_some()).into_iter().peekable();
    let mut below = documents.iter().peekable();
    let (mut items, mut whole) = (Vec::new(), 0..0);
    let mut start = 0;
    for (at, span) in lines.iter().enumerate() {
        if let Some(document) = below.next_if(|document| document.lines.start == at) {
            push_block(&mut items, &text, &lines, start, at);
            start = at;
            whole = if document.is_small { document.lines.clone() } else { 0..0 };
            let (level, name) = (yaml_documents::DOCUMENT, document.name.clone());
            items.push(Item::Heading { level, text: name, span: span.start..span.start });
        }
        if said.get(at).is_some_and(|line| yaml_documents::is_mark(line)) {
            push_block(&mut items, &text, &lines, start, at);
            start = at + 1;
            continue;
        }
        if let Some(banner) = banners.next_if(|banner| banner.lines.start == at)
            && !whole.contains(&at)
        {
            push_block(&mut items, &text, &lines, start, at);
            start = banner.lines.end;
            let level =
                if documents.is_empty() { banner.level } else { banner.level.max(yaml_documents::DOCUMENT + 1) };
            items.push(Item::Heading { level, text: one_line(banner.name), span: span.start..span.start });
        }
        let Some(name) = key(cut(&text, span)).filter(|_| !whole.contains(&at)) else { continue };
        let above = lines.get(start..at).unwrap_or_default().iter().map(|span| cut(&text, span));
        let begin = start + settings_comments::begin_above(above);
        push_block(&mut items, &text, &lines, start, begin);
        start = begin;
        let place = lines.get(begin).unwrap_or(span).start;
        items.push(Item::Heading { level: settings_banners::SECTION, text: one_line(name), span: place..place });
    }
    push_block(&mut items, &text, &lines, start, lines.len());
    let places = LineMap::of(&text).into();
    Contents { title: None, text, items, places, left_out: BTreeSet::new() }
}

fn read(text: String, places: LineMap, said: impl Fn(&str) -> Said<'_>) -> Contents {
    let lines: Vec<Range<usize>> = lines_in(&text, 0..text.len()).collect();
    let mut items = Vec::new();
    let mut title = None;
    let mut open: Option<Block> = None;
    // Where it begins, what ends it, and whether it is shown.
    let mut fence: Option<(usize, String, bool)> = None;
    for (at, span) in lines.iter().enumerate() {
        let line = cut(&text, span).trim_end();
        if let Some((start, end, is_shown)) = &fence {
            if line.trim().to_ascii_lowercase().starts_with(end.as_str()) {
                if *is_shown {
                    push_block(&mut items, &text, &lines, *start, at + 1);
                }
                fence = None;
            }
            continue;
        }
        let said = said(line);
        let shape = match said {
            Said::Text if !line.trim().is_empty() => Some(CutAt::Prose),
            // A rule above a table says nothing.
            Said::Row if open.as_ref().is_some_and(|open| open.shape == CutAt::Lines) || !is_table_rule(line) => {
                Some(CutAt::Lines)
            }
            Said::Text | Said::Row | Said::Heading(..) | Said::Title(_) => None,
            Said::Fence(_) | Said::Hidden(_) | Said::LeftOut => None,
        };
        if let Some(shape) = shape {
            match open.as_mut().filter(|open| open.shape == shape) {
                Some(open) => open.span.end = span.end,
                None => {
                    items.extend(open.replace(Block { span: span.clone(), shape, cuts: Vec::new() }).map(Item::Block))
                }
            }
            continue;
        }
        items.extend(open.take().map(Item::Block));
        match said {
            Said::Heading(level, name) => {
                items.push(Item::Heading { level, text: one_line(name), span: span.clone() });
            }
            Said::Title(name) => title = title.or_else(|| Some(one_line(name))),
            Said::Fence(end) => fence = Some((at, end, true)),
            Said::Hidden(end) => fence = Some((at, end, false)),
            Said::LeftOut | Said::Text | Said::Row => {}
        }
    }
    items.extend(open.map(Item::Block));
    // One that is never closed.
    fence.into_iter().for_each(|(start, _, _)| push_block(&mut items, &text, &lines, start, lines.len()));
    Contents { title, text, items, places: places.into(), left_out: BTreeSet::new() }
}

/// How many of a character a line begins with, if a blank follows, and what stands behind.
fn marked(line: &str, mark: char) -> Option<(u8, &str)> {
    let rest = line.trim_start_matches(mark);
    let count = line.len() - rest.len();
    let name = rest.strip_prefix(' ').filter(|name| count > 0 && !name.trim().is_empty())?;
    Some((u8::try_from(count.min(6)).unwrap_or(6), name.trim()))
}

fn org_line(line: &str) -> Said<'_> {
    if let Some((level, name)) = marked(line, '*') {
        let name = ["TODO ", "DONE "].iter().find_map(|state| name.strip_prefix(state)).unwrap_or(name);
        // Tags stand at the end, between colons.
        let name = name.rsplit_once(" :").filter(|(_, tags)| tags.ends_with(':')).map_or(name, |(name, _)| name);
        return Said::Heading(level, name);
    }
    let lower = line.trim_start().to_ascii_lowercase();
    if lower.starts_with("#+title:") {
        return Said::Title(line.split_once(':').map(|(_, title)| title).unwrap_or_default());
    }
    if lower.starts_with("#+begin_") {
        return Said::Fence("#+end_".to_owned());
    }
    if lower.starts_with(":properties:") || lower.starts_with(":logbook:") {
        return Said::Hidden(":end:".to_owned());
    }
    if lower.starts_with('|') {
        return Said::Row;
    }
    if lower.starts_with("#+") || lower.starts_with("# ") { Said::LeftOut } else { Said::Text }
}

fn asciidoc_line(line: &str) -> Said<'_> {
    if let Some((level, name)) = marked(line, '=') {
        return Said::Heading(level, name);
    }
    let fence = ["----", "....", "|===", "```"].into_iter().find(|fence| line.starts_with(fence) && line.len() < 40);
    if let Some(fence) = fence {
        return Said::Fence(fence.to_owned());
    }
    if line.starts_with('|') {
        return Said::Row;
    }
    if line.starts_with("////") {
        return Said::Hidden("////".to_owned());
    }
    let is_attribute =
        line.starts_with(':') && line.get(1..).is_some_and(|rest| rest.contains(": ") || rest.ends_with(':'));
    let is_block_style = line.starts_with('[') && line.ends_with(']');
    if line.starts_with("//") || is_attribute || is_block_style { Said::LeftOut } else { Said::Text }
}

/// The commands of TeX that begin a part of the text, and how deep.
const SECTIONS: [(&str, u8); 7] = [
    ("\\part", 1),
    ("\\chapter", 1),
    ("\\section", 2),
    ("\\subsection", 3),
    ("\\subsubsection", 4),
    ("\\paragraph", 5),
    ("\\frametitle", 2),
];

fn tex_line(line: &str) -> Said<'_> {
    let line = line.trim_start();
    let section = SECTIONS.iter().find_map(|(command, level)| {
        let rest = line.strip_prefix(command)?;
        let rest = rest.strip_prefix('*').unwrap_or(rest);
        let rest = match rest.strip_prefix('[') {
            Some(short) => short.split_once(']')?.1,
            None => rest,
        };
        Some(Said::Heading(*level, braced(rest)?))
    });
    if let Some(section) = section {
        return section;
    }
    if let Some(title) = line.strip_prefix("\\title").and_then(braced) {
        return Said::Title(title);
    }
    for environment in ["verbatim", "lstlisting", "minted", "tabular", "equation", "align"] {
        let begins = line.strip_prefix("\\begin{").is_some_and(|rest| rest.starts_with(environment));
        if begins && !line.contains("\\end{") {
            return Said::Fence(format!("\\end{{{environment}"));
        }
    }
    let set_up = [
        "\\usepackage",
        "\\documentclass",
        "\\newcommand",
        "\\renewcommand",
        "\\label",
        "\\begin{document}",
        "\\end{document}",
        "\\maketitle",
    ];
    // Text may stand behind a command: `\begin{document}It begins.`
    let is_set_up = |command: &str| line.strip_prefix(command).is_some_and(|rest| !has_text(rest));
    if line.starts_with('%') || set_up.iter().any(|command| is_set_up(command)) { Said::LeftOut } else { Said::Text }
}

/// Whether something stands behind what a command is given in brackets and braces.
fn has_text(given: &str) -> bool {
    let mut rest = given.trim_start_matches('*').trim_start();
    while rest.starts_with(['[', '{']) {
        let inside = rest.get(1..).unwrap_or_default();
        let end = if rest.starts_with('{') { braced(rest).map(str::len) } else { inside.find(']') };
        // What goes on in the next line is no text.
        let Some(end) = end else { return false };
        rest = inside.get(end + 1..).unwrap_or_default().trim_start();
    }
    !rest.starts_with(['%', '\\']) && rest.contains(char::is_alphanumeric)
}

/// What stands between braces, in which braces may stand.
pub(super) fn braced(text: &str) -> Option<&str> {
    let inside = text.trim_start().strip_prefix('{')?;
    let mut depth = 1_usize;
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return inside.get(..at);
        }
    }
    None
}
