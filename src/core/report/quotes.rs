//! A report made of passages: quoted word for word, ordered by relevance, with nothing added.
//!
//! What most likely answers stands on top, with the words of the question marked. It must not summarise, judge or join anything: no model
//! is behind it, and it says so. Foreign text goes through `core::text::quoting` and nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};
use std::ops::Range;

use crate::core::base::limits;
use crate::core::base::problems::{Problems, omitted};
use crate::core::base::sorting::sort_by_key;
use crate::core::evidence::claim::{Claim, Verdict};
use crate::core::evidence::passage::Passage;
use crate::core::evidence::place::{Place, is_web, location};
use crate::core::report::Source;
use crate::core::report::answer::AskedQuestion;
use crate::core::report::doubt::{Judged, judge};
use crate::core::report::extracts::{
    above, continued, excerpt, fitting, names, own_path, short, telling_heading, writing,
};
use crate::core::report::titles::is_only_headings;
use crate::core::text::quoting::{Writing, code, label, marked_quote, quote};
use crate::core::text::spans::{PlaceInFile, Span};

/// What a report is written from.
#[derive(Clone, Debug)]
pub(crate) struct QuoteInput<'a> {
    pub(crate) goal: &'a str,
    /// The part of it that is looked for.
    pub(crate) sought: &'a str,
    pub(crate) asked: &'a AskedQuestion,
    /// What there is to say of the search as a whole, in our own words; may be empty.
    pub(crate) lead: String,
    /// Best first; all are cited. Their pages are archived.
    pub(crate) quotes: Vec<Quote<'a>>,
    pub(crate) extent: Extent,
    /// The share of the question that the first quote must hold to be taken for its answer.
    pub(crate) clear_share: f32,
    /// Words that were asked for and stand in nothing that was found; told when nothing is quoted.
    pub(crate) missing: Vec<&'a str>,
    /// Words of the question that stand nowhere and for which others were searched that are perhaps not meant.
    pub(crate) other_words: Vec<&'a str>,
    pub(crate) problems: &'a Problems,
}

/// How much of the passages is quoted. What is not quoted is listed with the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The answer and what else fits into [`limits::BRIEF_WORDS`].
    Brief,
    /// The answering sentences of each document.
    Documents,
    /// Every passage.
    Full,
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
    /// How much of the question stands in what is quoted first, 0..1.
    pub(crate) answer_share: Option<f32>,
    /// What is said of that where it is little.
    pub(crate) doubt: Option<String>,
}

/// Writes the report. Every quote is a claim that stands in the archived text, because it is cut from it; whether it answers, nobody judged.
pub(crate) fn write(draft: &QuoteInput<'_>) -> Written {
    let mut written = Written { markdown: title(draft.goal), ..Written::default() };
    if !draft.lead.is_empty() {
        paragraph(&mut written.markdown, &draft.lead);
    }
    let mut by_rank = by_document(&draft.quotes);
    if let Some(judged) = clear_first(draft, &mut by_rank) {
        written.answer_share = Some(judged.share);
        written.doubt = judged.why.map(|why| format!("Not found as asked: {why}."));
        written.doubt.iter().for_each(|line| paragraph(&mut written.markdown, &format!("**{line}**")));
    }
    let extracts = extracts(draft, &by_rank);
    let whole = same_path_in_two_roots(&draft.quotes);
    let (mut list, mut has_more) = (String::new(), false);
    for (place, (quoted, extract)) in by_rank.iter().zip(&extracts).enumerate() {
        let number = u32::try_from(place + 1).unwrap_or(u32::MAX);
        if let Some(extract) = extract {
            if place > 0 && !has_more {
                has_more = true;
                paragraph(&mut written.markdown, "## More");
            }
            let form = Form { number, whole, is_answer: place == 0 };
            cite(&mut written, draft.asked, *quoted, extract, form);
        }
        if place == 0 {
            let listed = extracts.iter().filter(|extract| extract.is_none()).count();
            paragraph(&mut written.markdown, &about(&draft.quotes, listed));
        }
        let all = 0..quoted.passage.text.len();
        let lines = quoted.passage.lines_of(extract.as_ref().unwrap_or(&all));
        enter(&mut written.sources, quoted.passage, lines, number, whole, &mut list);
    }
    not_found(&mut written.markdown, draft, &by_rank, &extracts);
    if !list.is_empty() {
        paragraph(&mut written.markdown, &format!("## Sources\n\n{}", list.trim_end()));
    }
    problems(&mut written.markdown, draft.problems);
    written
}

/// Of so many passages one may stand on top that is not doubted.
const FIRST_FEW: usize = 3;
/// The share of the question from which a passage has all of it.
const HAS_ALL: f32 = 0.99;

/// Of the first few passages moves the first one to the top that has what is asked for, where what ranks before it has not; what is to be thought
/// of the one that stands there then.
fn clear_first(draft: &QuoteInput<'_>, by_rank: &mut [Quote<'_>]) -> Option<Judged> {
    let first = judge(draft, by_rank.first()?.passage);
    if first.why.is_none() {
        return Some(first);
    }
    let judged = by_rank.iter().take(FIRST_FEW).enumerate().skip(1);
    let mut judged = judged.map(|(at, quoted)| (at, judge(draft, quoted.passage)));
    let clear = judged.find(|(_, judged)| judged.why.is_none() && judged.share >= HAS_ALL);
    let Some((at, judged)) = clear else { return Some(first) };
    by_rank.get_mut(..=at)?.rotate_right(1);
    Some(judged)
}

/// What is to be known of the quotes.
fn about(quotes: &[Quote<'_>], listed: usize) -> String {
    let places = match quotes.iter().filter(|quoted| is_web(&quoted.passage.root)).count() {
        0 => "local documents, the most relevant document first",
        web if web == quotes.len() => "pages of the web, the most relevant page first",
        _ => "local documents and pages of the web, the most relevant first",
    };
    let more = match listed {
        0 => String::new(),
        1 => " One more passage is listed as a source; `--full` quotes it.".to_owned(),
        _ => format!(" {listed} more passages are listed as sources; `--full` quotes them."),
    };
    format!("_Passages quoted word for word from {places}. No model wrote or judged this report.{more}_")
}

/// What is quoted of each passage, as a place in it; nothing of those that are only listed.
fn extracts(draft: &QuoteInput<'_>, quotes: &[Quote<'_>]) -> Vec<Option<Range<usize>>> {
    let mut left = limits::BRIEF_WORDS;
    let mut documents = BTreeSet::new();
    // The words that were asked for and stand in what is quoted.
    let mut told: BTreeSet<usize> = BTreeSet::new();
    let mut extracts = Vec::with_capacity(quotes.len());
    for (place, quoted) in quotes.iter().enumerate() {
        let text = &quoted.passage.text;
        let is_first = documents.insert((&quoted.passage.root, &quoted.passage.path));
        let most = if place == 0 { limits::ANSWER_WORDS } else { limits::EXTRACT_WORDS };
        extracts.push(match draft.extent {
            Extent::Full => Some(excerpt(text, 0..text.len())),
            Extent::Documents if !is_first => None,
            Extent::Documents => Some(or_beginning(text, excerpt(text, short(draft.asked, quoted.passage, most)))),
            Extent::Brief => {
                let answer = match place {
                    0 => continued(draft.asked, quoted.passage),
                    _ => short(draft.asked, quoted.passage, most),
                };
                let found = fitting(text, excerpt(text, answer), limits::BRIEF_WORDS);
                let found = if place == 0 { or_beginning(text, found) } else { found };
                let quote = text.get(found.clone()).unwrap_or_default();
                let held: BTreeSet<usize> =
                    names(quoted.passage).into_iter().chain([quote]).flat_map(|text| draft.asked.held(text)).collect();
                // Another passage of a document is quoted for what the first one does not say.
                let adds = held.difference(&told).any(|at| draft.asked.weighs(*at));
                let words = quote.split_whitespace().count();
                let says = !quote.trim().is_empty();
                match (says && (is_first || adds), place == 0 || words <= left) {
                    (false, _) => None,
                    (true, false) => {
                        left = 0;
                        None
                    }
                    (true, true) => {
                        left = left.saturating_sub(words);
                        told.extend(held);
                        Some(found)
                    }
                }
            }
        });
    }
    extracts
}

/// A part of a text, or its first words where nothing in it was chosen.
fn or_beginning(text: &str, place: Range<usize>) -> Range<usize> {
    let is_empty = text.get(place.clone()).unwrap_or_default().trim().is_empty();
    if is_empty { fitting(text, excerpt(text, 0..text.len()), limits::EXTRACT_WORDS) } else { place }
}

/// Names the words that were asked for and stand in no passage that is quoted from; of a report without quotes, in nothing that was found.
fn not_found(out: &mut String, draft: &QuoteInput<'_>, quotes: &[Quote<'_>], extracts: &[Option<Range<usize>>]) {
    let quoted =
        || quotes.iter().zip(extracts).filter_map(|(quoted, extract)| Some((quoted.passage, extract.as_ref()?)));
    let above: Vec<String> = quoted().map(|(passage, extract)| above(passage, extract.start)).collect();
    let mut shown: Vec<&str> = above.iter().map(String::as_str).collect();
    for (passage, _) in quoted() {
        // Whoever reads on where the quote is from finds it.
        shown.push(passage.text.as_str());
        shown.extend(names(passage));
        shown.extend(own_path(draft.asked, passage));
    }
    let (where_to, absent) = match shown.is_empty() {
        true => ("none of the passages found", draft.missing.clone()),
        false => ("nothing that is quoted here", draft.asked.absent(&shown)),
    };
    if !absent.is_empty() {
        paragraph(out, &format!("## Not found\n\nAsked for, but in {where_to}: {}.", words(&absent)));
    }
}

/// The report of a goal that its own context answers.
pub(crate) fn from_context(goal: &str, sentences: &[&str]) -> String {
    let mut markdown = title(goal);
    paragraph(
        &mut markdown,
        "_Quoted from the context that came with the question. Nothing was searched and no model wrote this._",
    );
    let kept: String = sentences.join(" ").chars().take(limits::QUOTE_CHARS).collect();
    markdown.push_str(&quote(&kept, Writing::Plain));
    markdown
}

pub(super) fn title(goal: &str) -> String {
    format!("# {}\n\n", label(goal, limits::LABEL_CHARS))
}

pub(super) fn paragraph(out: &mut String, text: &str) {
    out.push_str(text);
    out.push_str("\n\n");
}

pub(super) fn name(root: &str, path: &str, whole: bool) -> String {
    if whole || is_web(root) { location(root, path) } else { path.to_owned() }
}

/// The quotes of each document together, documents by their best quote, quotes of a document by their rank.
fn by_document<'a>(quotes: &[Quote<'a>]) -> Vec<Quote<'a>> {
    let mut place_of = BTreeMap::new();
    let mut ordered: Vec<(usize, Quote<'a>)> = Vec::with_capacity(quotes.len());
    for quoted in quotes {
        let next = place_of.len();
        let place = *place_of.entry((&quoted.passage.root, &quoted.passage.path)).or_insert(next);
        ordered.push((place, *quoted));
    }
    // A heading says nothing that stands below it.
    sort_by_key(&mut ordered, |(place, quoted)| (*place, is_only_headings(&quoted.passage.text)));
    ordered.into_iter().map(|(_, quoted)| quoted).collect()
}

/// Whether a path alone would name two documents.
pub(super) fn same_path_in_two_roots(quotes: &[Quote<'_>]) -> bool {
    let mut root_of = BTreeMap::new();
    quotes.iter().any(|quoted| {
        let root = root_of.entry(&quoted.passage.path).or_insert(&quoted.passage.root);
        *root != &quoted.passage.root
    })
}

/// How a quote is written.
#[derive(Clone, Copy, Debug)]
struct Form {
    number: u32,
    /// The path alone would name two documents.
    whole: bool,
    /// It stands on top, and its place below it.
    is_answer: bool,
}

/// Writes one quote and enters it into the ledger.
fn cite(written: &mut Written, asked: &AskedQuestion, quoted: Quote<'_>, extract: &Range<usize>, form: Form) {
    let Form { number, whole, is_answer } = form;
    let passage = quoted.passage;
    let text = passage.text.get(extract.clone()).unwrap_or_default();
    let web = is_web(&passage.root);
    let mut place =
        format!("**[{number}]** {}", code(&name(&passage.root, &passage.path, whole), 2 * limits::LABEL_CHARS));
    // Lines of a page's text are nothing that a reader could count.
    if !web {
        let _never_fails = write!(place, ", {}", passage.lines_of(extract));
    }
    place.push_str(&trail(passage));
    if let Some(query) = quoted.found_by {
        let _never_fails = write!(place, " (found by the follow-up query {})", code(query, limits::LABEL_CHARS));
    }
    let out = &mut written.markdown;
    let above = above(passage, extract.start);
    let heading = telling_heading(asked, passage, extract).map(|heading| format!("{heading}\n\n")).unwrap_or_default();
    let full = format!("{heading}{above}{text}");
    let shown = marked_quote(&full, writing(passage), &asked.marks(&full));
    let (first, second) =
        if is_answer { (shown.trim_end(), place.as_str()) } else { (place.as_str(), shown.trim_end()) };
    paragraph(out, first);
    paragraph(out, second);
    let cut_off = passage.text.get(extract.end..).is_some_and(|rest| !rest.trim().is_empty());
    if cut_off && extract.len() >= limits::QUOTE_CHARS / 2 {
        let on = if web { String::new() } else { passage.lines.end_in_words() };
        paragraph(out, &format!("Cut here; [{number}] goes on{on}."));
    }
    copies(out, quoted.copies);
    let offset = |bytes: usize| passage.span.start.saturating_add(bytes as u64);
    written.claims.push(Claim {
        text: text.to_owned(),
        source: number,
        verdict: Verdict::Quoted,
        span: Some(Span { start: offset(extract.start), end: offset(extract.end).min(passage.span.end) }),
    });
}

/// Enters a passage into the sources, with the lines that are cited.
pub(super) fn enter(
    sources: &mut Vec<Source>,
    passage: &Passage,
    lines: PlaceInFile,
    number: u32,
    whole: bool,
    list: &mut String,
) {
    let web = is_web(&passage.root);
    let place = match web {
        true => location(&passage.root, &passage.path),
        false => lines.behind(&name(&passage.root, &passage.path, whole)),
    };
    let _never_fails = writeln!(list, "- [{number}] {}{}", code(&place, 2 * limits::LABEL_CHARS), trail(passage));
    sources.push(Source {
        number,
        title: passage.title.clone(),
        location: location(&passage.root, &passage.path),
        lines: (!web).then_some(lines),
        page: Some(passage.page.clone()),
        claimed: false,
    });
}

/// The title of a passage's document and the headings above it, to follow its place.
fn trail(passage: &Passage) -> String {
    let headings = headings(passage);
    let above = if headings.is_empty() { String::new() } else { format!(" › {headings}") };
    format!("{}{above}", own_title(passage))
}

/// The document's title, to follow its path. One that was made of the file's name says nothing new.
pub(super) fn own_title(passage: &Passage) -> String {
    let file = passage.path.rsplit('/').next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if passage.title.is_empty() || passage.title == stem {
        return String::new();
    }
    format!(" — {}", label(&passage.title, limits::LABEL_CHARS))
}

/// The headings above a passage. The outermost is often the document's title, which stands there already.
pub(super) fn headings(passage: &Passage) -> String {
    let own = passage.headings.iter().enumerate().filter(|(at, heading)| *at > 0 || **heading != passage.title);
    label(&own.map(|(_, heading)| heading.as_str()).collect::<Vec<_>>().join(" › "), limits::LABEL_CHARS)
}

pub(super) fn copies(out: &mut String, copies: &[Place]) {
    if copies.is_empty() {
        return;
    }
    let shown: Vec<String> = copies
        .iter()
        .take(limits::COPIES_SHOWN)
        .map(|place| match is_web(&place.root) {
            true => code(&location(&place.root, &place.path), limits::LABEL_CHARS),
            false => code(&place.lines.behind(&place.path), limits::LABEL_CHARS),
        })
        .collect();
    paragraph(out, &format!("Nearly the same text: {}{}.", shown.join(", "), more(copies.len(), limits::COPIES_SHOWN)));
}

pub(super) fn words(missing: &[&str]) -> String {
    let shown: Vec<String> =
        missing.iter().take(limits::PROBLEMS_SHOWN).map(|word| code(word, limits::LABEL_CHARS)).collect();
    format!("{}{}", shown.join(", "), more(missing.len(), limits::PROBLEMS_SHOWN))
}

pub(super) fn problems(out: &mut String, problems: &Problems) {
    if problems.listed.is_empty() {
        return;
    }
    out.push_str("## Problems\n\n");
    for problem in problems.listed.iter().take(limits::PROBLEMS_SHOWN) {
        let message = label(&problem.error.message, limits::LABEL_CHARS);
        let _never_fails = writeln!(out, "{} ({message})", listed(&problem.subject, &problem.error.code));
    }
    let more = omitted(problems.listed.len(), problems.beyond, limits::PROBLEMS_SHOWN);
    if more > 0 {
        let _never_fails = writeln!(out, "- and {more} more");
    }
}

/// How a report lists a problem.
pub(crate) fn listed(subject: &str, problem: &impl Display) -> String {
    format!("- {}: {problem}", code(subject, limits::LABEL_CHARS))
}

fn more(all: usize, shown: usize) -> String {
    if all > shown { format!(" and {} more", all - shown) } else { String::new() }
}

#[cfg(test)]
#[path = "quotes_tests.rs"]
mod tests;
