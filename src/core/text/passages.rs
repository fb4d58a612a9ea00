//! Blocks to passages: whole blocks of one section together, long blocks cut where it reads best.

use std::ops::Range;
use std::sync::Arc;

use super::lines::{Places, TermEntry, lines_in};
use super::outline::{Block, CutAt, Item};
use super::quoting::OpenCode;
use super::spans::{PartPlace, PlaceInFile, TextLines};
use super::table_rows::is_table_rule;
use super::{Piece, cut, one_line};
use crate::core::base::limits::{
    PARTS_PER_PASSAGE, PASSAGE_GAP_BYTES, PASSAGE_MAX_WORDS, PASSAGE_MIN_WORDS, PASSAGE_TARGET_WORDS,
    PASSAGES_PER_FILE, WORD_BYTES,
};
use crate::core::base::rows::is_listed;
use crate::core::language::is_question;
use crate::core::language::note_marks::without_note;
use crate::core::language::sentences;

/// A term, the name of an option, a label; and a question or what leads to a list or an example.
const LEAD_WORDS: usize = 12;
const LEAD_SENTENCE_WORDS: usize = 40;
/// A head of more is not repeated.
pub(super) const TABLE_HEAD_BYTES: usize = 2_000;

/// Packs a document; says also whether the limit of passages cut it short.
pub(super) fn pack(text: &str, items: Vec<Item>, places: &Places, lines: TextLines) -> (Vec<Piece>, bool) {
    let mut packer =
        Packer { text, places, text_lines: lines, headings: Arc::new([]), section: Vec::new(), pieces: Vec::new() };
    let mut path: Vec<(u8, String)> = Vec::new();
    let mut last: Option<(u8, Range<usize>)> = None;
    let is_titled = begins_with_title(&items);
    for (at, item) in items.into_iter().enumerate() {
        if packer.pieces.len() > PASSAGES_PER_FILE {
            break;
        }
        match item {
            Item::Heading { level, text, span } => {
                let level = if is_titled && at == 0 { 0 } else { level.max(1) };
                packer.close_section(last.take(), level);
                path.retain(|(above, _)| *above < level);
                path.push((level, text));
                packer.headings = path.iter().map(|(_, text)| text).filter(|text| !text.is_empty()).cloned().collect();
                last = Some((level, span));
            }
            Item::Block(block) => packer.section.extend(units(text, block)),
        }
    }
    packer.close_section(last, 0);
    let truncated = packer.pieces.len() > PASSAGES_PER_FILE;
    packer.pieces.truncate(PASSAGES_PER_FILE);
    (packer.pieces, truncated)
}

/// Whether a document begins with a title that is written as a heading of the level of its sections: it stands above all of them, and nothing
/// stands below it by itself.
fn begins_with_title(items: &[Item]) -> bool {
    let has_text = items.iter().any(|item| matches!(item, Item::Block(_)));
    match items {
        [Item::Heading { level: title, .. }, Item::Heading { level, .. }, ..] => has_text && title == level,
        _ => false,
    }
}

/// A piece of text that is not cut any more.
#[derive(Clone, Debug)]
struct Unit {
    span: Range<usize>,
    words: usize,
    /// It begins inside a block of code.
    fenced: bool,
    /// The head of the table that it is cut out of the middle of.
    table_head: Option<Arc<str>>,
    /// It goes on with a block that was cut.
    goes_on: bool,
    /// What names the block that it goes on with, where that stands in another passage.
    under: Option<Range<usize>>,
    /// It names what stands below it: the term of an entry, a question and its answer, a line before an example.
    leads: bool,
}

impl Unit {
    /// Whether little lies between: a passage is cut from the text as one span, and what was left out of the
    /// outline (a comment, link targets) must not come back in bulk.
    fn adjoins(&self, next: &Self) -> bool {
        next.span.start.saturating_sub(self.span.end) <= PASSAGE_GAP_BYTES
    }

    fn take_in(&mut self, next: &Self) {
        self.span.end = next.span.end;
        self.words += next.words;
    }
}

struct Packer<'t> {
    text: &'t str,
    places: &'t Places,
    text_lines: TextLines,
    headings: Arc<[String]>,
    /// What stands below the last heading.
    section: Vec<Unit>,
    pieces: Vec<Piece>,
}

impl Packer<'_> {
    /// Ends the section below a heading of this level and place; behind it stands a heading of the level `next`.
    fn close_section(&mut self, heading: Option<(u8, Range<usize>)>, next: u8) {
        let mut section = std::mem::take(&mut self.section);
        // A heading with nothing below it is a passage itself, else an outline could not be found; one that says something is not only a name of what
        // stands below it.
        let is_read = |(level, span): &(u8, Range<usize>)| match section.is_empty() {
            true => *level >= next,
            false => states(cut(self.text, span)),
        };
        if let Some(heading) = heading.filter(is_read).and_then(|(_, span)| unit(self.text, span)) {
            section.insert(0, Unit { leads: !section.is_empty(), ..heading });
        }
        let whole = whole_entries(self.text, with_leads(section), self.places.entries());
        for Unit { span, fenced, table_head, under, .. } in join(whole) {
            let lines = self.places.of(&span);
            let parts = self.parts(&span, &lines);
            let headings = match under.map(|name| one_line(cut(self.text, &name).trim_matches(['*', '_', ':', ' ']))) {
                Some(name) => self.headings.iter().cloned().chain([name]).collect(),
                None => Arc::clone(&self.headings),
            };
            self.pieces.push(Piece { headings, span, lines, parts, fenced, table_head });
        }
    }

    /// Where the parts of a passage stand, as far as its text does not tell that.
    fn parts(&self, span: &Range<usize>, lines: &PlaceInFile) -> Vec<PartPlace> {
        let parts = self.places.within(span, lines);
        match lines.tells(cut(self.text, span), &parts, self.text_lines) {
            true => Vec::new(),
            false => PartPlace::coarser(parts, PARTS_PER_PASSAGE),
        }
    }
}

/// Words of a heading that may be a sentence, and verbs that such a sentence has: `The fare to the isle is 47 crowns`.
const STATEMENT_WORDS: usize = 6;
const STATING: &str = "are bleibt cost costs coûte est gilt had has have ist is kostet must remains sind sont stays \
     war was were will wird wurde";
/// Words that begin a heading which asks, or only says what is told below it: `How the list is used`.
const ASKING: &str = "how if que quand qui was wann warum wer what when where whether which who why wie wo";

/// Whether a heading is a sentence that says something.
fn states(heading: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // It may have a number.
    let is_mark = |word: &&str| !word.contains(char::is_alphabetic);
    let said: Vec<String> = heading.split_whitespace().skip_while(is_mark).map(bare).collect();
    let begins = said.first().map(String::as_str).unwrap_or_default();
    let is_asking = heading.trim_end().ends_with('?') || is_listed(ASKING, begins);
    let states = said.iter().skip(1).any(|word| is_listed(STATING, word));
    said.len() >= STATEMENT_WORDS && !is_asking && states
}

/// Puts what names something with what it names: a passage without its term is about nothing that can be found.
fn with_leads(units: Vec<Unit>) -> Vec<Unit> {
    let mut whole: Vec<Unit> = Vec::new();
    let mut open = false;
    let mut name: Option<Range<usize>> = None;
    for mut unit in units {
        let leads = unit.leads;
        let is_short = unit.words <= LEAD_WORDS;
        match whole.last_mut() {
            Some(lead) if open && lead.adjoins(&unit) && lead.words + unit.words <= PASSAGE_MAX_WORDS => {
                name = if leads { is_short.then(|| unit.span.clone()) } else { name };
                lead.take_in(&unit);
            }
            _ => {
                // Of a long block only the first part has its name.
                name = match leads {
                    true => is_short.then(|| unit.span.clone()),
                    false => name.filter(|_| unit.goes_on),
                };
                unit.under = name.clone().filter(|_| unit.goes_on);
                whole.push(unit);
            }
        }
        open = leads;
    }
    whole
}

/// Puts an entry of a list of terms together where it is no longer than a passage. What is said of the term of a longer one stands under it.
fn whole_entries(text: &str, units: Vec<Unit>, entries: &[TermEntry]) -> Vec<Unit> {
    let begin = units.first().map_or(0, |unit| unit.span.start);
    let first = entries.partition_point(|entry| entry.term.start < begin);
    let mut entries = entries.iter().skip(first).peekable();
    let mut whole: Vec<Unit> = Vec::with_capacity(units.len());
    let mut open: Vec<&TermEntry> = Vec::new();
    let mut to = 0;
    for (at, unit) in units.iter().enumerate() {
        // Entries stand within each other, so that the last one ends first.
        while open.pop_if(|entry| entry.end <= unit.span.start).is_some() {}
        let name = open.last().map(|entry| entry.term.clone());
        let is_part = unit.span.start < to;
        // Of the entries that begin here the outermost that fits; those around it are too long.
        while let Some(entry) = entries.next_if(|entry| entry.term.start < unit.span.end) {
            match entry.end <= to.max(unit.span.end) || fits_to(units.get(at..).unwrap_or_default(), entry.end) {
                true => to = to.max(entry.end),
                false => open.push(entry),
            }
        }
        match whole.last_mut().filter(|_| is_part) {
            Some(entry) => entry.take_in(unit),
            None => {
                let name = name.filter(|name| is_name(cut(text, name)));
                whole.push(Unit { under: unit.under.clone().or(name), ..unit.clone() });
            }
        }
    }
    whole
}

/// A question of a list may be longer than the name of an option.
fn is_name(term: &str) -> bool {
    words(term) <= if is_question(without_note(term)) { LEAD_SENTENCE_WORDS } else { LEAD_WORDS }
}

/// Whether these units up to an end are no longer than a passage.
fn fits_to(units: &[Unit], end: usize) -> bool {
    let mut sum = 0;
    let mut before: Option<&Unit> = None;
    for unit in units.iter().take_while(|unit| unit.span.start < end) {
        sum += unit.words;
        if sum > PASSAGE_MAX_WORDS || before.is_some_and(|before| !before.adjoins(unit)) {
            return false;
        }
        before = Some(unit);
    }
    true
}

/// Joins neighbours until a passage is long enough; a short rest goes to the passage before it.
fn join(units: Vec<Unit>) -> Vec<Unit> {
    let mut joined: Vec<Unit> = Vec::new();
    for unit in units {
        match joined.last_mut() {
            Some(last) if last.adjoins(&unit) && fits(last.words, unit.words) => last.take_in(&unit),
            _ => joined.push(unit),
        }
    }
    joined
}

/// Whether a passage of so many words goes on with so many more.
pub(super) fn fits(words: usize, more: usize) -> bool {
    let sum = words + more;
    sum <= PASSAGE_TARGET_WORDS || (words.min(more) < PASSAGE_MIN_WORDS && sum <= PASSAGE_MAX_WORDS)
}

/// The block as one unit, or cut into several of about equal length.
fn units(text: &str, block: Block) -> Vec<Unit> {
    let Some(whole) = unit(text, block.span) else { return Vec::new() };
    if whole.words <= PASSAGE_MAX_WORDS {
        let leads = block.shape == CutAt::Prose && leads(cut(text, &whole.span), whole.words);
        return vec![Unit { leads, ..whole }];
    }
    let (start, total) = (whole.span.start, whole.words);
    let table_head: Option<Arc<str>> = table_head(cut(text, &whole.span)).map(Arc::from);
    let mut parts = cut_all(vec![whole], |span| at_offsets(span, &block.cuts), text);
    let by_line = |span: &Range<usize>| lines_in(text, span.clone()).collect();
    let by_sentence = |span: &Range<usize>| inner(span, sentences(cut(text, span)));
    parts = match block.shape {
        CutAt::Prose => cut_all(cut_all(parts, by_sentence, text), by_line, text),
        CutAt::Lines => cut_all(cut_all(parts, by_line, text), by_sentence, text),
    };
    parts = cut_all(parts, |span| inner(span, word_runs(cut(text, span))), text);
    let mut parts = even(parts, total);
    let (mut at, mut code) = (start, OpenCode::default());
    for part in &mut parts {
        cut(text, &(at..part.span.start)).split_inclusive('\n').for_each(|line| code.read(line));
        (at, part.fenced) = (part.span.start, code.is_open());
    }
    for part in parts.iter_mut().skip(1) {
        part.table_head.clone_from(&table_head);
        part.goes_on = true;
    }
    parts
}

/// Cuts every part that is still too long.
fn cut_all(parts: Vec<Unit>, cutter: impl Fn(&Range<usize>) -> Vec<Range<usize>>, text: &str) -> Vec<Unit> {
    let mut cut = Vec::with_capacity(parts.len());
    for part in parts {
        if part.words <= PASSAGE_MAX_WORDS {
            cut.push(part);
        } else {
            cut.extend(cutter(&part.span).into_iter().filter_map(|span| unit(text, span)));
        }
    }
    cut
}

/// Groups parts so that a block of two and a half passages becomes three equal ones, not two and a rest.
fn even(parts: Vec<Unit>, total: usize) -> Vec<Unit> {
    let share = total.div_ceil(total.div_ceil(PASSAGE_TARGET_WORDS).max(1));
    let mut groups: Vec<Unit> = Vec::new();
    for part in parts {
        match groups.last_mut() {
            Some(last) if last.adjoins(&part) && last.words < share && last.words + part.words <= PASSAGE_MAX_WORDS => {
                last.take_in(&part);
            }
            _ => groups.push(part),
        }
    }
    groups
}

/// The head of a table and the line below it, where a block is one; nothing of a head that is longer than a passage.
fn table_head(block: &str) -> Option<&str> {
    let mut lines = block.split_inclusive('\n');
    let (head, rule) = (lines.next()?, lines.next()?);
    let is_short = words(head) <= PASSAGE_TARGET_WORDS;
    let is_head = head.starts_with('|') && is_table_rule(rule) && is_short && head.len() <= TABLE_HEAD_BYTES;
    block.get(..head.len() + rule.len()).filter(|_| is_head)
}

/// A span without the white space around it, if a letter or digit is in it. The indent of a first line stays.
fn unit(text: &str, span: Range<usize>) -> Option<Unit> {
    let part = cut(text, &span);
    if !part.contains(char::is_alphanumeric) {
        return None;
    }
    let ended = part.trim_end();
    let blank = ended.len() - ended.trim_start().len();
    let first_line = ended.get(..blank).and_then(|blank| blank.rfind('\n')).map_or(0, |newline| newline + 1);
    let span = span.start + first_line..span.start + ended.len();
    let words = words(cut(text, &span));
    Some(Unit { span, words, fenced: false, table_head: None, goes_on: false, under: None, leads: false })
}

/// Whether a paragraph only leads to what stands below it. It is short and no sentence of its own, or it is one that asks for or announces more.
pub(crate) fn leads(paragraph: &str, words: usize) -> bool {
    let bare = without_note(paragraph).trim_end_matches(['*', '_', '`', '"', '”', '’', '»', ')', ' ']);
    let announces = bare.ends_with([':', '：', '?', '？']);
    let is_sentence = bare.ends_with(['.', '!', ';', ',', '。', '！', '…']);
    (announces && words <= LEAD_SENTENCE_WORDS) || (!is_sentence && words <= LEAD_WORDS)
}

/// Words, where every [`WORD_BYTES`] of an unbroken run, blank or not, count as one more.
pub(super) fn words(text: &str) -> usize {
    let mut words = 0;
    let mut run = 0;
    let mut blank = true;
    for byte in text.bytes() {
        let now_blank = byte.is_ascii_whitespace();
        if now_blank == blank {
            run += 1;
        } else {
            words += usize::from(!now_blank);
            blank = now_blank;
            run = 1;
        }
        if run > WORD_BYTES {
            words += 1;
            run = 1;
        }
    }
    words
}

fn at_offsets(span: &Range<usize>, offsets: &[usize]) -> Vec<Range<usize>> {
    let inside = offsets.iter().copied().filter(|at| span.start < *at && *at < span.end);
    let mut start = span.start;
    let mut parts: Vec<_> = inside.map(|at| std::mem::replace(&mut start, at)..at).collect();
    parts.push(start..span.end);
    parts
}

/// Ranges of a part as ranges of the whole.
fn inner(span: &Range<usize>, parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    parts.into_iter().map(|part| span.start + part.start..span.start + part.end).collect()
}

/// The last resort: runs of [`PASSAGE_TARGET_WORDS`], cut between words or, where there are none, between characters.
fn word_runs(text: &str) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut count = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let mut rest = word;
        loop {
            let size = rest.floor_char_boundary(PASSAGE_TARGET_WORDS * WORD_BYTES / 2);
            let (head, tail) = rest.split_at_checked(size).unwrap_or((rest, ""));
            let size = words(head).max(1);
            if count + size > PASSAGE_TARGET_WORDS && at > start {
                runs.push(start..at);
                start = at;
                count = 0;
            }
            at += head.len();
            count += size;
            rest = tail;
            if rest.is_empty() {
                break;
            }
        }
    }
    runs.push(start..at);
    runs
}
