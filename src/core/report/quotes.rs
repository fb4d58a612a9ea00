//! A report made of passages: quoted word for word, ordered by relevance, with nothing added.
//!
//! It must not summarise, judge or join anything: no model is behind it, and it says so. Foreign text goes through
//! `core::text::quoting` and nowhere else.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::core::base::error::Problem;
use crate::core::base::limits;
use crate::core::evidence::claim::{Claim, Verdict};
use crate::core::evidence::passage::Passage;
use crate::core::evidence::place::{Place, is_web, location};
use crate::core::report::Source;
use crate::core::text::quoting::{code, label, quote};
use crate::core::text::spans::{Lines, Span};

/// What a report is written from.
#[derive(Clone, Debug)]
pub(crate) struct QuoteInput<'a> {
    pub(crate) goal: &'a str,
    /// What there is to say of the search as a whole, in our own words; may be empty.
    pub(crate) lead: String,
    /// Best first; at most [`limits::REPORT_PASSAGES`] are taken. Their pages are archived.
    pub(crate) quotes: Vec<Quote<'a>>,
    /// Words that were asked for and stand in nothing that was found.
    pub(crate) missing: Vec<&'a str>,
    pub(crate) problems: &'a [Problem],
}

/// A passage to be quoted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quote<'a> {
    pub(crate) passage: &'a Passage,
    /// The follow-up query, if it was not the goal itself that found it.
    pub(crate) found_by: Option<&'a str>,
    pub(crate) copies: &'a [Place],
}

/// The text of a report, what it cites, and the ledger of its quotes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Written {
    pub(crate) markdown: String,
    pub(crate) sources: Vec<Source>,
    pub(crate) claims: Vec<Claim>,
}

/// Writes the report. Every quote is a claim, supported by construction: it is cut from the archived text.
pub(crate) fn write(draft: &QuoteInput<'_>) -> Written {
    let mut written = Written { markdown: title(draft.goal), ..Written::default() };
    if !draft.quotes.is_empty() {
        let places = match draft.quotes.iter().filter(|quoted| is_web(&quoted.passage.root)).count() {
            0 => "local documents, the most relevant document first",
            web if web == draft.quotes.len() => "pages of the web, the most relevant page first",
            _ => "local documents and pages of the web, the most relevant first",
        };
        let lead = format!("_Passages quoted word for word from {places}. No model wrote or judged this report._");
        paragraph(&mut written.markdown, &lead);
    }
    if !draft.lead.is_empty() {
        paragraph(&mut written.markdown, &draft.lead);
    }
    let whole = same_path_in_two_roots(&draft.quotes);
    let mut list = String::new();
    for group in by_document(&draft.quotes) {
        let Some(first) = group.first() else { continue };
        let name = code(&name(&first.passage.root, &first.passage.path, whole), limits::LABEL_CHARS);
        paragraph(&mut written.markdown, &format!("## {name}{}", own_title(first.passage)));
        for quoted in group {
            cite(&mut written, quoted, whole, &mut list);
        }
    }
    if !draft.missing.is_empty() {
        paragraph(
            &mut written.markdown,
            &format!("## Not found\n\nAsked for, but in none of the passages found: {}.", words(&draft.missing)),
        );
    }
    if !list.is_empty() {
        paragraph(&mut written.markdown, &format!("## Sources\n\n{}", list.trim_end()));
    }
    problems(&mut written.markdown, draft.problems);
    written
}

/// The report of a goal that its own context answers.
pub(crate) fn from_context(goal: &str, sentences: &[&str]) -> String {
    let mut markdown = title(goal);
    paragraph(
        &mut markdown,
        "_Quoted from the context that came with the question. Nothing was searched and no model wrote this._",
    );
    let kept: String = sentences.join(" ").chars().take(limits::QUOTE_CHARS).collect();
    markdown.push_str(&quote(&kept));
    markdown
}

fn title(goal: &str) -> String {
    format!("# {}\n\n", label(goal, limits::LABEL_CHARS))
}

fn paragraph(out: &mut String, text: &str) {
    out.push_str(text);
    out.push_str("\n\n");
}

fn name(root: &str, path: &str, whole: bool) -> String {
    if whole || is_web(root) { location(root, path) } else { path.to_owned() }
}

/// The quotes of each document together, documents by their best quote, quotes by their place.
fn by_document<'a>(quotes: &[Quote<'a>]) -> Vec<Vec<Quote<'a>>> {
    let mut groups: Vec<Vec<Quote<'a>>> = Vec::new();
    for quoted in quotes.iter().take(limits::REPORT_PASSAGES) {
        let document = |other: &Quote<'_>| {
            (&other.passage.root, &other.passage.path) == (&quoted.passage.root, &quoted.passage.path)
        };
        match groups.iter_mut().find(|group| group.first().is_some_and(document)) {
            Some(group) => group.push(*quoted),
            None => groups.push(vec![*quoted]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|quoted| (quoted.passage.span.start, quoted.passage.span.end));
    }
    groups
}

/// Whether a path alone would name two documents.
fn same_path_in_two_roots(quotes: &[Quote<'_>]) -> bool {
    let mut root_of = BTreeMap::new();
    quotes.iter().any(|quoted| {
        let root = root_of.entry(&quoted.passage.path).or_insert(&quoted.passage.root);
        *root != &quoted.passage.root
    })
}

/// Writes one quote and enters it into sources and ledger.
fn cite(written: &mut Written, quoted: Quote<'_>, whole: bool, list: &mut String) {
    let passage = quoted.passage;
    let number = u32::try_from(written.sources.len() + 1).unwrap_or(u32::MAX);
    let headings = headings(passage);
    let (text, cut) = excerpt(&passage.text);
    let above = if headings.is_empty() { String::new() } else { format!("{headings}, ") };
    let web = is_web(&passage.root);
    // Lines of a page's text are nothing that a reader could count.
    let mut lead = match web {
        true => format!("**[{number}]** {headings}").trim_end().to_owned(),
        false => format!("**[{number}]** {above}{}", lines_in_words(passage.lines)),
    };
    if let Some(query) = quoted.found_by {
        let _never_fails = write!(lead, " (found by the follow-up query {})", code(query, limits::LABEL_CHARS));
    }
    let out = &mut written.markdown;
    paragraph(out, &lead);
    paragraph(out, quote(text.trim_matches(['\n', '\r'])).trim_end());
    if cut {
        let on = if web { String::new() } else { format!(" to line {}", passage.lines.last) };
        paragraph(out, &format!("Cut here; [{number}] goes on{on}."));
    }
    copies(out, quoted.copies);
    let place = match web {
        true => location(&passage.root, &passage.path),
        false => {
            format!("{}:{}-{}", name(&passage.root, &passage.path, whole), passage.lines.first, passage.lines.last)
        }
    };
    let trail = if headings.is_empty() { String::new() } else { format!(" › {headings}") };
    let title = own_title(passage);
    let _never_fails = writeln!(list, "- [{number}] {}{title}{trail}", code(&place, 2 * limits::LABEL_CHARS));
    let end = if cut { passage.span.start.saturating_add(text.len() as u64) } else { passage.span.end };
    written.sources.push(Source {
        number,
        title: passage.title.clone(),
        location: location(&passage.root, &passage.path),
        lines: (!web).then_some(passage.lines),
        page: Some(passage.page.clone()),
        claimed: false,
    });
    written.claims.push(Claim {
        text: text.to_owned(),
        source: number,
        verdict: Verdict::Supported,
        span: Some(Span { start: passage.span.start, end }),
    });
}

/// As much of a text as is quoted, ending with a whole line where there is one, and whether it was cut.
fn excerpt(text: &str) -> (&str, bool) {
    let Some((end, _)) = text.char_indices().nth(limits::QUOTE_CHARS) else { return (text, false) };
    let whole = text.get(..end).unwrap_or(text);
    let line_end = whole.rfind('\n').filter(|at| *at > end / 2);
    (line_end.and_then(|at| whole.get(..at)).unwrap_or(whole), true)
}

/// The document's title, to follow its path. One that was made of the file's name says nothing new.
fn own_title(passage: &Passage) -> String {
    let file = passage.path.rsplit('/').next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if passage.title.is_empty() || passage.title == stem {
        return String::new();
    }
    format!(" — {}", label(&passage.title, limits::LABEL_CHARS))
}

/// The headings above a passage. The outermost is often the document's title, which stands there already.
fn headings(passage: &Passage) -> String {
    let own = passage.headings.iter().enumerate().filter(|(at, heading)| *at > 0 || **heading != passage.title);
    label(&own.map(|(_, heading)| heading.as_str()).collect::<Vec<_>>().join(" › "), limits::LABEL_CHARS)
}

fn lines_in_words(lines: Lines) -> String {
    if lines.first == lines.last {
        format!("line {}", lines.first)
    } else {
        format!("lines {}–{}", lines.first, lines.last)
    }
}

fn copies(out: &mut String, copies: &[Place]) {
    if copies.is_empty() {
        return;
    }
    let shown: Vec<String> = copies
        .iter()
        .take(limits::COPIES_SHOWN)
        .map(|place| match is_web(&place.root) {
            true => code(&location(&place.root, &place.path), limits::LABEL_CHARS),
            false => code(&format!("{}:{}-{}", place.path, place.lines.first, place.lines.last), limits::LABEL_CHARS),
        })
        .collect();
    paragraph(out, &format!("Nearly the same text: {}{}.", shown.join(", "), more(copies.len(), limits::COPIES_SHOWN)));
}

fn words(missing: &[&str]) -> String {
    let shown: Vec<String> =
        missing.iter().take(limits::PROBLEMS_SHOWN).map(|word| code(word, limits::LABEL_CHARS)).collect();
    format!("{}{}", shown.join(", "), more(missing.len(), limits::PROBLEMS_SHOWN))
}

fn problems(out: &mut String, problems: &[Problem]) {
    if problems.is_empty() {
        return;
    }
    out.push_str("## Problems\n\n");
    for problem in problems.iter().take(limits::PROBLEMS_SHOWN) {
        let subject = code(&problem.subject, limits::LABEL_CHARS);
        let message = label(&problem.error.message, limits::LABEL_CHARS);
        let _never_fails = writeln!(out, "- {subject}: {} ({message})", problem.error.code);
    }
    if problems.len() > limits::PROBLEMS_SHOWN {
        let _never_fails = writeln!(out, "- and {} more", problems.len() - limits::PROBLEMS_SHOWN);
    }
}

fn more(all: usize, shown: usize) -> String {
    if all > shown { format!(" and {} more", all - shown) } else { String::new() }
}

#[cfg(test)]
#[path = "quotes_tests.rs"]
mod tests;
