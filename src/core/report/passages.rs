//! The report made of whole passages, as tasks have it that were begun before the answer stood first: a task that goes on ends with the report
//! that it would have ended with then.

use std::fmt::Write;

use super::extracts::writing;
use super::quotes::{
    Quote, QuoteInput, Written, copies, enter, headings, name, own_title, paragraph, problems, same_path_in_two_roots,
    title, words,
};
use crate::core::base::limits;
use crate::core::base::sorting::sort_by_key;
use crate::core::evidence::claim::{Claim, Verdict};
use crate::core::evidence::place::is_web;
use crate::core::text::quoting::{code, quote};
use crate::core::text::spans::Span;

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
        sort_by_key(group, |quoted| (quoted.passage.span.start, quoted.passage.span.end));
    }
    groups
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
        false => format!("**[{number}]** {above}{}", passage.lines),
    };
    if let Some(query) = quoted.found_by {
        let _never_fails = write!(lead, " (found by the follow-up query {})", code(query, limits::LABEL_CHARS));
    }
    let out = &mut written.markdown;
    paragraph(out, &lead);
    paragraph(out, quote(text.trim_matches(['\n', '\r']), writing(passage)).trim_end());
    if cut {
        let on = if web { String::new() } else { passage.lines.end_in_words() };
        paragraph(out, &format!("Cut here; [{number}] goes on{on}."));
    }
    copies(out, quoted.copies);
    let end = if cut { passage.span.start.saturating_add(text.len() as u64) } else { passage.span.end };
    enter(&mut written.sources, passage, passage.lines.clone(), number, whole, list);
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
