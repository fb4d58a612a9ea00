//! A section of a report as it is written: its sentences, the notes they cite, and what becomes of those that do not hold.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::bank::Gist;
use super::blocks::is_fence;
use super::note::{Note, QuotePlace};
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::judge::{Check, Finding, Judgement, Page, Statement, judge as judge_page, judge_together};
use crate::core::language::sentences;
use crate::core::language::words::{informative, root, words};
use crate::core::model::said::said;
use crate::core::text::bracketed;

/// Behind a sentence that its notes bear out in part.
pub(super) const DOUBTFUL: char = '\u{26a0}';

/// A sentence, list item or row of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    /// Where it stands in the draft, with its citations.
    pub(super) range: Range<usize>,
    /// Its words, without citations.
    pub(super) text: String,
    /// The notes it cites, by their places in the bank.
    pub(super) notes: Vec<usize>,
}

/// What is thought of a sentence.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) sentence: Sentence,
    pub(super) verdict: Verdict,
    /// What is wrong with it, in words.
    pub(super) reason: Option<String>,
    /// Whether something in it may be turned: it is too often right to be mended, and is marked.
    pub(super) doubtful: bool,
}

/// A model's section as it is kept: on its own, without a heading of its own, with citations before the full stops and only those
/// of notes that exist.
pub(super) fn tidy(text: &str, notes: usize, heading: &str) -> String {
    let text = said(text);
    let mut kept: Vec<&str> = text.trim().lines().collect();
    let is_title = |line: &&str| line.starts_with('#') && (words(line).eq(words(heading)) || line.starts_with("# "));
    if kept.first().is_some_and(is_title) {
        kept.remove(0);
    }
    let is_list = |line: &&str| {
        let name = line.trim().trim_matches(['#', '*', ':', ' ']).to_lowercase();
        line.trim().starts_with(['#', '*']) && matches!(name.as_str(), "sources" | "references" | "citations" | "notes")
    };
    let end = kept.iter().position(is_list).unwrap_or(kept.len());
    let text = kept.get(..end).unwrap_or(&kept).join("\n");
    inside(&known(text.trim(), notes))
}

/// A text with citations of the form `[n3]` and no others that look like it; `[n3, n5]` is taken apart, unknown numbers go. A bare `[3]` is
/// meant as one: left alone it would become the number of some source.
fn known(text: &str, notes: usize) -> String {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once('[') {
        kept.push_str(before);
        // `a[3]` is code, `[3](address)` a link.
        let stands_alone = !kept.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '`');
        let bare = || bare_citation(after).filter(|(_, behind)| stands_alone && !behind.starts_with(['(', ':']));
        match citation(after).or_else(bare) {
            Some((numbers, behind)) => {
                let exists = |number: &&usize| (1..=notes).contains(*number);
                numbers.iter().filter(exists).for_each(|number| kept.push_str(&format!("[n{number}]")));
                rest = behind;
            }
            None => {
                kept.push('[');
                rest = after;
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// The numbers of `n3]`, `n3, n5]` or `n3; 5]` behind an opening bracket, and what follows.
fn citation(after: &str) -> Option<(Vec<usize>, &str)> {
    let (inner, behind) = bracketed(after, CITATION_BYTES)?;
    inner.trim_start().starts_with(['n', 'N']).then(|| numbers(inner)).flatten().map(|numbers| (numbers, behind))
}

/// The same for `3]` and `3, 5]`.
fn bare_citation(after: &str) -> Option<(Vec<usize>, &str)> {
    let (inner, behind) = bracketed(after, CITATION_BYTES)?;
    inner.starts_with(|c: char| c.is_ascii_digit()).then(|| numbers(inner)).flatten().map(|numbers| (numbers, behind))
}

/// Bytes of a citation.
const CITATION_BYTES: usize = 80;

fn numbers(inner: &str) -> Option<Vec<usize>> {
    let number = |part: &str| part.trim().trim_start_matches(['n', 'N']).parse::<usize>().ok();
    let range = |part: &str| match part.split_once(['-', '\u{2013}']) {
        Some((first, last)) => Some((number(first)?, number(last)?)).filter(|(a, b)| a <= b && b - a < CITATION_BYTES),
        None => number(part).map(|one| (one, one)),
    };
    let ranges: Option<Vec<(usize, usize)>> =
        inner.split([',', ';', ' ']).filter(|part| !part.trim().is_empty()).map(range).collect();
    let numbers: Vec<usize> = ranges?.into_iter().flat_map(|(first, last)| first..=last).collect();
    (!numbers.is_empty()).then_some(numbers)
}

/// Citations behind a full stop go before it: then each stands inside its sentence.
fn inside(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("[n") {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let mut marks = String::new();
        let mut behind = from;
        while let Some((numbers, after)) = behind.trim_start_matches(' ').strip_prefix('[').and_then(citation) {
            numbers.iter().for_each(|number| marks.push_str(&format!("[n{number}]")));
            behind = after;
        }
        if marks.is_empty() {
            kept.push_str("[n");
            rest = from.get(2..).unwrap_or_default();
            continue;
        }
        let bare = kept.trim_end().len();
        // Behind `etc.` the sentence goes on.
        let goes_on = behind.trim_start_matches(' ').starts_with(char::is_lowercase);
        let last = kept.get(..bare).and_then(|kept| kept.chars().last());
        let stop = last.filter(|c| !goes_on && ".!?。".contains(*c));
        if let Some(stop) = stop {
            kept.truncate(bare - stop.len_utf8());
            kept.push_str(&format!(" {marks}{stop}"));
        } else {
            kept.push_str(&marks);
        }
        rest = behind;
    }
    kept.push_str(rest);
    kept
}

/// The sentences of a draft: of its paragraphs, items and rows. Headings and code are none.
pub(super) fn split(draft: &str) -> Vec<Sentence> {
    let (mut found, mut at, mut fenced) = (Vec::new(), 0, false);
    let mut lines = draft.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let bare = line.trim();
        let fence = is_fence(bare);
        fenced ^= fence;
        // The head of a table names its columns.
        let is_head = bare.starts_with('|') && lines.peek().is_some_and(|next| is_rule(next));
        if fenced || fence || bare.is_empty() || bare.starts_with('#') || is_rule(bare) || is_head {
            continue;
        }
        let lead = line.len() - without_marker(line).len();
        let body = line.get(lead..).unwrap_or_default().trim_end();
        // A row of a table is one claim: its cells belong together.
        let ranges = if body.starts_with('|') { std::iter::once(0..body.len()).collect() } else { with_words(body) };
        for range in ranges {
            let text = body.get(range.clone()).unwrap_or_default();
            found.push(sentence(text, start + lead + range.start..start + lead + range.end));
        }
    }
    found
}

/// The sentences of a line; what has no word of its own, as the stop behind dots in quotes, belongs to the one before it.
fn with_words(line: &str) -> Vec<Range<usize>> {
    let mut kept: Vec<Range<usize>> = Vec::new();
    for range in sentences(line) {
        let text = sentence(line.get(range.clone()).unwrap_or_default(), range.clone()).text;
        match kept.last_mut().filter(|_| !text.contains(char::is_alphanumeric)) {
            Some(last) => last.end = range.end,
            None => kept.push(range),
        }
    }
    kept
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(['-', '|', '=', '*']) && line.chars().all(|c| matches!(c, '-' | '|' | ':' | ' ' | '=' | '*'))
}

/// A line without what makes it an item or a quote: `-`, `3.`, `>`.
fn without_marker(line: &str) -> &str {
    let text = line.trim_start_matches([' ', '-', '*', '>', '+', '\t']);
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let marked = numbered.strip_prefix(['.', ')']).filter(|rest| numbered.len() < text.len() && rest.starts_with(' '));
    marked.map_or(text, str::trim_start)
}

fn sentence(text: &str, range: Range<usize>) -> Sentence {
    let (mut bare, mut notes, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, after)) = rest.split_once('[') {
        bare.push_str(before);
        match citation(after) {
            Some((numbers, behind)) => {
                notes.extend(numbers.into_iter().filter_map(|number| number.checked_sub(1)));
                rest = behind;
            }
            None => {
                bare.push('[');
                rest = after;
            }
        }
    }
    bare.push_str(rest);
    let said: Vec<&str> = bare.split([' ', '\n', '\t', DOUBTFUL]).filter(|word| !word.is_empty()).collect();
    let text = said.join(" ").replace(" .", ".").replace(" ,", ",");
    notes.sort_unstable();
    notes.dedup();
    Sentence { range, text, notes }
}

/// What notes rest on, as pages to judge by; made once for a section.
#[derive(Debug)]
pub(super) struct Quotes {
    of_note: BTreeMap<usize, Vec<Page>>,
    /// All of them as one text.
    whole: Page,
    /// The roots of all their words.
    vocabulary: BTreeSet<String>,
}

impl Quotes {
    pub(super) fn of(notes: &[Note], wanted: &BTreeSet<usize>) -> Self {
        let texts = |at: &usize| {
            let note = notes.get(*at)?;
            // The claim was borne out by its quote when it was noted.
            let text = |place: &QuotePlace| format!("{}\n\n{}", place.around, note.claim);
            Some((*at, note.places.iter().map(text).collect()))
        };
        let texts: BTreeMap<usize, Vec<String>> = wanted.iter().filter_map(texts).collect();
        let whole: Vec<&str> = texts.values().flatten().map(String::as_str).collect();
        let whole = whole.join("\n\n");
        let vocabulary = words(&whole).map(|word| root(&word).to_owned()).collect();
        let whole = Page::new(&whole);
        let pages = |texts: Vec<String>| texts.iter().map(|text| Page::new(text)).collect();
        Self { of_note: texts.into_iter().map(|(at, texts)| (at, pages(texts))).collect(), whole, vocabulary }
    }

    /// Whether the telling words of a lead-in stand in the notes, most of them; a few words say nothing by themselves.
    fn speak_of(&self, text: &str) -> bool {
        let said = informative(text);
        let held = said.iter().filter(|word| self.vocabulary.contains(root(word))).count();
        said.len() <= CONNECTIVE_WORDS || held * 2 >= said.len()
    }

    /// Why a sentence names something that stands in none of the notes, if it does.
    fn strange_name(&self, text: &str) -> Option<String> {
        let judged = judge_page(&Statement::new(text), &self.whole);
        judged.findings.into_iter().find(|finding| finding.check == Check::Name).map(|finding| finding.reason)
    }

    /// Judges by each quote and by all of them read as one text: what two notes say between them is said.
    fn judge(&self, text: &str, notes: &[usize]) -> Option<Judgement> {
        let statement = Statement::new(text);
        let pages: Vec<&Page> = notes.iter().filter_map(|at| self.of_note.get(at)).flatten().collect();
        let best = judge_together(&statement, &pages)?;
        if best.verdict == Verdict::Supported || pages.len() < 2 {
            return Some(best);
        }
        let joined: Vec<&str> = pages.iter().map(|page| page.text()).collect();
        let all = judge_page(&statement, &Page::new(&joined.join("\n\n")));
        let better = rank(all.verdict) >= rank(best.verdict);
        Some(if better { all } else { Judgement { findings: all.findings, ..best } })
    }
}

/// Words up to which a text without a citation claims nothing.
const CONNECTIVE_WORDS: usize = 3;
/// The same for a line in bold, which is a heading.
const HEADING_WORDS: usize = 8;

/// Judges every sentence by the quotes of the notes it cites. One that cites none is judged by all notes of the section.
pub(super) fn judge(draft: &str, quotes: &Quotes, of_section: &[usize]) -> Vec<Judged> {
    let judged = |sentence: Sentence| {
        let cites = !sentence.notes.is_empty();
        if !cites && is_connective(&sentence.text) && quotes.speak_of(&sentence.text) {
            return Judged { sentence, verdict: Verdict::Supported, reason: None, doubtful: false };
        }
        let rest = if cites { sentence.notes.as_slice() } else { of_section };
        let Some(judged) = quotes.judge(&sentence.text, rest) else {
            let reason = Some("it cites no note".to_owned());
            return Judged { sentence, verdict: Verdict::Unsupported, reason, doubtful: false };
        };
        let strange = quotes.strange_name(&sentence.text);
        let verdict = match judged.verdict {
            Verdict::Partial if !cites => Verdict::Unsupported,
            // Half of it stands there, and it names somebody who stands nowhere.
            Verdict::Partial if strange.is_some() => Verdict::Unsupported,
            other => other,
        };
        let found =
            judged.findings.iter().find(|finding| is_plain_fault(finding)).map(|finding| finding.reason.clone());
        let found = found.or(strange);
        let verdict = if verdict == Verdict::Supported && found.is_some() { Verdict::Partial } else { verdict };
        let reason = match (verdict, cites) {
            (Verdict::Unsupported, false) => Some("it cites no note".to_owned()),
            (Verdict::Unsupported, true) => found.or_else(|| Some("its notes do not say this".to_owned())),
            _ => found,
        };
        let doubtful = verdict == Verdict::Partial && judged.findings.iter().any(is_doubt);
        Judged { sentence, verdict, reason, doubtful }
    };
    split(draft).into_iter().map(judged).collect()
}

/// The note that bears out a sentence which cites none, if one does.
pub(super) fn cited_by(text: &str, notes: &[Note], of_section: &[usize]) -> Option<usize> {
    if is_connective(text) {
        return None;
    }
    let statement = Statement::new(text);
    let judged = of_section.iter().filter_map(|at| {
        let place = notes.get(*at)?.places.first()?;
        let judged = judge_page(&statement, &Page::new(&place.around));
        (judged.verdict == Verdict::Supported).then_some((judged.score, *at))
    });
    judged.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
}

/// A sentence with the citation of a note before its full stop.
pub(super) fn with_citation(sentence: &str, at: usize) -> String {
    let bare = sentence.trim_end_matches(['.', '!', '。']);
    format!("{bare} [n{}]{}", at + 1, sentence.get(bare.len()..).unwrap_or_default())
}

/// A sentence with the mark of what is borne out in part before its full stop; a row of a table has it in its last cell.
pub(super) fn doubted(sentence: &str) -> String {
    let bare = sentence.trim_end_matches(['.', '!', '。', '|', ' ']);
    let rest = sentence.get(bare.len()..).unwrap_or_default();
    format!("{bare} {DOUBTFUL}{rest}")
}

/// How good a verdict is.
pub(super) fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Supported => 2,
        Verdict::Partial => 1,
        Verdict::Unsupported | Verdict::Unreachable | Verdict::NotVisited | Verdict::Uncited | Verdict::Quoted => 0,
    }
}

/// Whether what a check found is worth a repair. Turned words are too often turned in both places to trouble a writer with.
fn is_plain_fault(finding: &Finding) -> bool {
    match finding.check {
        Check::Figure | Check::Unit | Check::Date | Check::Quote => true,
        Check::FigurePlace
        | Check::Name
        | Check::NamePlace
        | Check::Negation
        | Check::Antonym
        | Check::Language
        | Check::Lines => false,
    }
}

/// Whether what a check found makes a sentence doubtful.
fn is_doubt(finding: &Finding) -> bool {
    match finding.check {
        Check::Figure | Check::Unit | Check::Date | Check::Quote => true,
        Check::FigurePlace | Check::Name | Check::Negation | Check::Antonym => true,
        Check::NamePlace | Check::Language | Check::Lines => false,
    }
}

/// Whether a sentence only leads over to the next: without a figure, and very short, a heading in bold, or ending in a colon.
fn is_connective(text: &str) -> bool {
    let is_figure = text.chars().any(|c| c.is_ascii_digit());
    let most = if text.ends_with("**") { HEADING_WORDS } else { CONNECTIVE_WORDS };
    !is_figure && (words(text).nth(most).is_none() || text.trim_end_matches('*').ends_with(':'))
}

/// The draft with some sentences replaced; an empty text takes a sentence out, and with it an item or row that then says nothing.
pub(super) fn replace(draft: &str, changes: &BTreeMap<usize, String>, sentences: &[Sentence]) -> String {
    let (mut kept, mut at) = (String::with_capacity(draft.len()), 0);
    for (number, sentence) in sentences.iter().enumerate() {
        let Some(new) = changes.get(&number) else { continue };
        kept.push_str(draft.get(at..sentence.range.start).unwrap_or_default());
        kept.push_str(new);
        at = sentence.range.end;
        // Where nothing comes in its place, one of the spaces around it goes too.
        let spaces = draft.get(at..).map_or(0, |rest| rest.len() - rest.trim_start_matches(' ').len());
        if new.is_empty() && kept.ends_with([' ', '\n']) {
            at += spaces;
        }
    }
    kept.push_str(draft.get(at..).unwrap_or_default());
    let says = |line: &&str| {
        let bare = without_marker(line.trim()).trim();
        let numbered = bare.trim_start_matches(|c: char| c.is_ascii_digit());
        line.trim().is_empty()
            || !(matches!(bare, "" | ".") || (numbered.len() < bare.len() && matches!(numbered, "." | ")")))
    };
    let lines: Vec<&str> = kept.lines().filter(says).map(str::trim_end).collect();
    headed(&lines)
}

/// Without headings that have nothing below them, and without more than one empty line.
fn headed(lines: &[&str]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for line in lines {
        let empty = line.trim().is_empty();
        let last_is = |kept: &[&str], test: fn(&str) -> bool| {
            kept.iter().rev().find(|line| !line.is_empty()).is_some_and(|line| test(line))
        };
        if line.starts_with('#') {
            while last_is(&kept, |line| line.starts_with('#'))
                && level(kept.iter().rev().find(|line| !line.is_empty())) >= level(Some(line))
            {
                while kept.pop().is_some_and(str::is_empty) {}
            }
        }
        if !empty || kept.last().is_some_and(|line| !line.is_empty()) {
            kept.push(line);
        }
    }
    while kept.last().is_some_and(|line| line.is_empty() || line.starts_with('#')) {
        kept.pop();
    }
    kept.join("\n")
}

fn level(line: Option<&&str>) -> usize {
    line.map_or(0, |line| line.chars().take_while(|c| *c == '#').count())
}

/// The draft with a sentence added behind the one that shares the most words with it; at the end, if none does.
pub(super) fn insert(draft: &str, new: &str) -> String {
    let gist = Gist::of(&sentence(new, 0..new.len()).text);
    let shared = |known: &Sentence| Gist::of(&known.text).shared(&gist);
    let best = split(draft)
        .into_iter()
        .filter(|known| !known.text.starts_with('|'))
        .max_by_key(|known| (shared(known), known.range.end));
    match best.filter(|known| shared(known) > 0).and_then(|known| draft.split_at_checked(known.range.end)) {
        Some((before, after)) => format!("{before} {new}{after}"),
        None => format!("{draft}\n\n{new}"),
    }
}

/// A model's repairs: `S4: new sentence`, `S4: -` for taking it out, and `ADD: sentence`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Repairs {
    /// By the number of the sentence, from 0.
    pub(super) sentences: BTreeMap<usize, String>,
    pub(super) added: Vec<String>,
}

/// Reads repairs; a line that is neither is left out.
pub(super) fn read_repairs(lines: &[String], notes: usize) -> Repairs {
    let mut repairs = Repairs::default();
    for line in lines {
        let Some((label, text)) = line.split_once(':') else { continue };
        let label = label.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches('*').to_ascii_lowercase();
        let text = inside(&known(text.trim().trim_start_matches("**").trim(), notes));
        let number = label.strip_prefix('s').and_then(|number| number.trim().parse::<usize>().ok());
        match number.and_then(|number| number.checked_sub(1)) {
            Some(number) if matches!(text.as_str(), "-" | "\u{2013}" | "\u{2014}" | "") => {
                repairs.sentences.insert(number, String::new());
            }
            Some(number) => {
                repairs.sentences.insert(number, text);
            }
            None if label.starts_with("add") && text.contains("[n") => repairs.added.push(text),
            None => {}
        }
    }
    repairs
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
