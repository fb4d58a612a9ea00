//! Hostile pages, and everything that hadal does with a page, one pass after the other: for the tests and for `hadal-eval hostile`, which measure that the
//! work grows with the page and not faster. Never shipped.

mod pages;
#[cfg(test)]
mod tests;

use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::base::masks::Masks;
use crate::core::base::problems::Problems;
use crate::core::evidence::passage::{PageHash, Term};
use crate::core::evidence::rank::{self, ReadPage, WebPage};
use crate::core::evidence::{ledger, reading};
use crate::core::model::prompt::Marks;
use crate::core::model::shown::{fenced, shown};
use crate::core::money::usage::Usage;
use crate::core::report::answer::{AskedQuestion, AskedWord};
use crate::core::report::quotes::{self, Extent, Quote, QuoteInput};
use crate::core::report::{Report, Source, StopReason};
use crate::core::saved::file_name::Parts;
use crate::core::saved::template::Template;
use crate::core::task::{Hands, Progress, Status, TaskView};
use crate::core::text::page::{self, Raw};
use crate::core::text::{Document, Format, extract, paging};
pub use pages::{HostilePage, pages};

/// A question that finds something in every page of the suite.
const QUESTION: &str = "What is the depth of the word in a link?";
const ADDRESS: &str = "https://page.invalid/dir/page";

/// What a page is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Journey {
    /// A page of the web: read, archived, ranked, shown to a model, quoted, and claims looked up in it.
    WebPage,
    /// A file of the library.
    File,
    /// A report: a model may write what it read.
    Report,
    /// A report whose claims and citations are measured; only `hadal-eval` does that.
    MeasuredReport,
}

/// Takes a page through all passes; `over` hears the name of each when it is over. The answer is how many bytes of text were left of the page.
pub fn run(hostile: &HostilePage, over: &mut dyn FnMut(Journey, &'static str)) -> usize {
    let raw = Raw { url: ADDRESS, content_type: Some(hostile.content_type), bytes: &hostile.bytes };
    let read = page::extract(raw).ok();
    over(Journey::WebPage, "read");
    let markdown = read.map(|page| page.markdown).unwrap_or_default();
    let masked = Masks::new(["sk-0123456789abcdef"]).text(&markdown).into_owned();
    over(Journey::WebPage, "masked");
    let text = rank::without_links(&masked);
    over(Journey::WebPage, "without links");
    let document = extract(Format::Markdown, text.into_bytes()).ok();
    over(Journey::WebPage, "outline and passages");
    let file = extract(hostile.format(), hostile.bytes.clone()).ok();
    over(Journey::File, "as a file");
    drop(file);
    let Some(document) = document else { return 0 };
    let left = document.text.len();
    evidence(&document, over);
    written(&document, over);
    // A model may write what it read. The longest text whose markup is read is the hardest one.
    let mut copied = String::from_utf8_lossy(&hostile.bytes).into_owned();
    copied.truncate(copied.floor_char_boundary(limits::REPORT_MARKUP_BYTES));
    reported(copied, over);
    left
}

fn evidence(document: &Document, over: &mut dyn FnMut(Journey, &'static str)) {
    let lookup = ledger::Lookup::new(&document.text);
    over(Journey::WebPage, "ledger: the page");
    let claim = document.text.chars().take(limits::QUOTE_CHARS).collect::<String>();
    lookup.check(&claim);
    over(Journey::WebPage, "ledger: a claim");
}

/// What becomes of the passages of a page: they are ranked, shown to a model and quoted.
fn written(document: &Document, over: &mut dyn FnMut(Journey, &'static str)) {
    let about = WebPage { url: ADDRESS.into(), title: "A page".into(), page: PageHash("hash".into()), age_days: None };
    let read = ReadPage { about, document: document.clone() };
    let found = rank::rank(QUESTION, &[read], u32::try_from(limits::REPORT_PASSAGES).unwrap_or(u32::MAX));
    over(Journey::WebPage, "rank");
    fenced(&shown(found.passages.iter()), &Marks::drawn(1));
    over(Journey::WebPage, "shown");
    let quotes = found.passages.iter().map(|passage| Quote { passage, found_by: None, copies: &[] }).collect();
    let problems = Problems::default();
    let word = |Term { text, weight, forms }: &Term| AskedWord {
        stem: text.clone(),
        word: text.clone(),
        weight: *weight,
        forms: forms.clone(),
    };
    let asked = AskedQuestion::new(QUESTION, found.terms.iter().map(word).collect());
    let mut draft = QuoteInput {
        goal: QUESTION,
        sought: QUESTION,
        asked: &asked,
        lead: String::new(),
        quotes,
        extent: Extent::Full,
        clear_share: 1.0,
        missing: Vec::new(),
        other_words: Vec::new(),
        problems: &problems,
    };
    quotes::write(&draft);
    over(Journey::WebPage, "quoted");
    draft.extent = Extent::Documents;
    quotes::write(&draft);
    over(Journey::WebPage, "extracts");
}

/// What becomes of a text that a model wrote.
fn reported(markdown: String, over: &mut dyn FnMut(Journey, &'static str)) {
    let sources = vec![Source::link(1, "A page".into(), ADDRESS.into())];
    let report = Report { sources, ..Report::new(markdown, StopReason::Answered) }.neutral();
    over(Journey::Report, "neutral");
    ledger::cited(&report.markdown);
    over(Journey::Report, "cited claims");
    reading::own_list(&report.markdown);
    reading::without_own_list(&report.markdown);
    over(Journey::Report, "own list of sources");
    paging::sections(&report.markdown);
    paging::pages(&report.markdown, limits::QUOTE_CHARS);
    over(Journey::Report, "paging");
    // A file has a limit, and one beyond it is refused.
    let _saved_or_refused = Template::shipped().render(&task(), &report, Parts { metadata: true, sources: true });
    over(Journey::Report, "saved");
    reading::read(&report.markdown, &[]);
    over(Journey::MeasuredReport, "reading");
}

fn task() -> TaskView {
    TaskView {
        id: TaskId::from_random(1),
        tool: "deep_research".into(),
        query: QUESTION.into(),
        engine: "native".into(),
        engine_reason: String::new(),
        status: Status::Completed,
        progress: Progress::default(),
        usage: Usage::ZERO,
        error: None,
        created_ms: 0,
        updated_ms: 0,
        completed_ms: None,
        cancel_requested: false,
        hands: Hands::default(),
        hosted: None,
    }
}
