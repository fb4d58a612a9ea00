//! The claims of a block: its sentences that say something, each with the marks that stand in it or right behind it.

use std::borrow::Cow;
use std::ops::Range;

use super::blocks::{Block, Kind};
use super::marks::Mark;
use super::source_lines::{is_source_line, without_speakers};
use super::{Bound, Reading, ReportClaim};
use crate::core::base::limits;
use crate::core::base::rows::{is_listed, phrases};
use crate::core::language::sentences;

/// Words that each part of a sentence must have for the sentence to be split at its citations.
const PART_WORDS: usize = 4;

/// Adds the claims of a block. `first` is the number of the first of its marks among the report's citations. The answer is whether it has a
/// sentence that does more than name a source.
pub(super) fn add(reading: &mut Reading, report: &str, block: &Block, (marks, first): (&[Mark], usize)) -> bool {
    let offset = block.span.start;
    let masked = masked(report, &block.span, marks);
    // The marks of a sentence that only names sources belong to the one before it.
    let ranges: Vec<Range<usize>> = sentences(&masked)
        .into_iter()
        .filter(|range| says_anything(masked.get(range.clone()).unwrap_or_default()))
        .filter(|range| !is_source_line(&masked, range, marks, offset))
        .collect();
    let masked = without_speakers(masked, marks, offset);
    let begin = reading.claims.len();
    for (number, range) in ranges.iter().enumerate() {
        // A mark belongs to the sentence that it stands in or behind; one before all belongs to the first.
        let from = if number == 0 { 0 } else { range.start };
        let to = ranges.get(number + 1).map_or(masked.len() + 1, |next| next.start);
        let before = |end: usize| marks.partition_point(|mark| mark.span.start - block.span.start < end);
        let own: Vec<usize> = (before(from)..before(to)).collect();
        let blanks = masked.get(range.clone()).map_or(0, |text| text.len() - text.trim_start().len());
        let sentence = Sentence { masked: &masked, range: range.start + blanks..range.end, offset };
        for (part, own) in sentence.parts(marks, &own) {
            let text = told(&block.kind, &cleaned(masked.get(part.clone()).unwrap_or_default()));
            if is_claim(&text, &block.kind, !own.is_empty()) {
                if reading.claims.len() >= limits::EVIDENCE_CLAIMS {
                    reading.left_out += 1;
                    continue;
                }
                let span = part.start + block.span.start..part.end + block.span.start;
                let bound = if own.is_empty() { Bound::Uncited } else { Bound::Own };
                reading.claims.push(ReportClaim {
                    text,
                    span,
                    citations: own.iter().map(|at| at + first).collect(),
                    bound,
                });
            }
        }
    }
    cover(reading, begin, &masked, block.span.start);
    !ranges.is_empty()
}

struct Sentence<'a> {
    masked: &'a str,
    range: Range<usize>,
    offset: usize,
}

impl Sentence<'_> {
    /// The sentence, or its parts if each group of marks ends one that can stand alone.
    fn parts(&self, marks: &[Mark], own: &[usize]) -> Vec<(Range<usize>, Vec<usize>)> {
        let whole = vec![(self.range.clone(), own.to_vec())];
        if own.iter().any(|at| marks.get(*at).is_some_and(|mark| mark.words.is_some())) {
            return whole;
        }
        let mut parts: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
        let mut start = self.range.start;
        for at in own {
            let Some(mark) = marks.get(*at) else { continue };
            let end = (mark.span.start - self.offset).clamp(start, self.range.end.max(start));
            let text = self.masked.get(start..end).unwrap_or_default();
            match parts.last_mut() {
                Some((_, group)) if !says_anything(text) => group.push(*at),
                _ => parts.push((start..end, vec![*at])),
            }
            start = (mark.span.end - self.offset).clamp(start, self.range.end.max(start));
        }
        if let Some((last, _)) = parts.last_mut() {
            last.end = self.range.end.max(last.end);
        }
        let stands_alone = |(part, _): &(Range<usize>, Vec<usize>)| {
            count_words(self.masked.get(part.clone()).unwrap_or_default()) >= PART_WORDS
        };
        if parts.len() > 1 && parts.iter().all(stands_alone) { parts } else { whole }
    }
}

/// Stands for a byte that is left out of a claim without a gap.
const NOTHING: u8 = 1;

/// The text of a block with its marks and its markup blanked out, byte for byte in the same places.
pub(super) fn masked(report: &str, span: &Range<usize>, marks: &[Mark]) -> String {
    let text = report.get(span.clone()).unwrap_or_default();
    let mut bytes = text.as_bytes().to_vec();
    for mark in marks {
        let words = mark.words.clone().unwrap_or(mark.span.start..mark.span.start);
        for at in mark.span.clone().filter(|at| !words.contains(at)) {
            if let Some(byte) = at.checked_sub(span.start).and_then(|at| bytes.get_mut(at)) {
                *byte = b' ';
            }
        }
    }
    let mut line_begins = false;
    let mut tag: Option<u8> = None;
    for at in 0..bytes.len() {
        let next = bytes.get(at + 1..at + 5).unwrap_or_default();
        let is_name = |name: &[u8]| next.strip_prefix(b"/").unwrap_or(next).starts_with(name);
        let begins_tag = next.first().is_some_and(|next| next.is_ascii_alphabetic() || *next == b'/');
        let is_escaped = at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\\');
        // Raised and lowered digits belong to their word.
        let blank = if is_name(b"sup") || is_name(b"sub") { NOTHING } else { b' ' };
        let Some(byte) = bytes.get_mut(at) else { continue };
        // The marks of a quote, at the beginning of its lines.
        if line_begins && *byte == b'>' {
            *byte = b' ';
        }
        line_begins = *byte == b'\n' || (line_begins && *byte == b' ');
        if *byte == b'<' && begins_tag && !is_escaped && tag.is_none() {
            tag = Some(blank);
        }
        if let Some(blank) = tag {
            tag = tag.filter(|_| *byte != b'>' && *byte != b'\n');
            *byte = blank;
        } else if *byte == b'\r' {
            *byte = b' ';
        }
    }
    // Whole characters were blanked, so that what is left is text.
    String::from_utf8(bytes).unwrap_or_default()
}

/// A sentence as it is judged and shown: without markup, with single spaces, without brackets that only held marks.
pub(super) fn cleaned(text: &str) -> String {
    // Each replacement is a search of its own, and most sentences need none.
    let has = |bytes: &[u8]| text.bytes().any(|byte| bytes.contains(&byte));
    let joined = has(&[NOTHING]).then(|| text.replace(char::from(NOTHING), ""));
    let text = joined.as_deref().unwrap_or(text);
    let plain = if has(b"*_`<[\\") { without_marks(text) } else { Cow::Borrowed(text) };
    let mut text = String::with_capacity(plain.len());
    for word in plain.split_whitespace().filter(|word| *word != "*") {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    // The last stands for the ideographic full stop.
    if text.bytes().any(|byte| b"()[].,;:\xe3".contains(&byte)) {
        for (from, to) in GAPS {
            if text.contains(from) {
                text = text.replace(from, to);
            }
        }
    }
    // A part of a sentence that was split at its citations begins with what joined it.
    text.trim().trim_matches(['*', '_', '|']).trim_start_matches([',', ';', ':', ' ']).trim().to_owned()
}

fn without_marks(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for mark in ["**", "__", "`", "</s>", "[cite_start]", "[cite_end]"] {
        if text.contains(mark) {
            text = Cow::Owned(text.replace(mark, ""));
        }
    }
    if text.contains('\\') { Cow::Owned(unescaped(&text)) } else { text }
}

/// A text without the signs that keep a character from being markup.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escapes = c == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation);
        plain.extend(if escapes { chars.next() } else { Some(c) });
    }
    plain
}

/// What is left where marks were taken out, and what it becomes.
const GAPS: [(&str, &str); 15] = [
    ("( )", ""),
    ("()", ""),
    ("[ ]", ""),
    ("[]", ""),
    ("( ,", "("),
    ("( ", "("),
    (" )", ")"),
    (" .", "."),
    (" ,", ","),
    (" ;", ";"),
    (" :", ":"),
    (" 。", "。"),
    ("  ", " "),
    (" .", "."),
    (",.", "."),
];

/// Heads of columns that say nothing of what stands below them, lower case.
const EMPTY_HEADS: &str = "value values detail details data figure figures number amount result results description \
     answer info information fact facts finding wert angabe";

/// A cell with the head of its column and the name of its row, which are part of what it says.
fn told(kind: &Kind, text: &str) -> String {
    match kind {
        Kind::Cell { head, label, .. } if !label.is_empty() && says_anything(text) => {
            let (label, head) = (cleaned(&super::bare(label)), cleaned(&super::bare(head)));
            let says = !head.is_empty() && !is_listed(EMPTY_HEADS, &head.to_lowercase());
            if says { format!("{label}: {head}: {text}") } else { format!("{label}: {text}") }
        }
        Kind::Cell { .. } | Kind::Paragraph | Kind::Item | Kind::Heading(_) | Kind::Entry => text.to_owned(),
    }
}

fn says_anything(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

fn count_words(text: &str) -> usize {
    let spaced = text.split_whitespace().filter(|word| says_anything(word)).count();
    let wide = text
        .chars()
        .filter(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'))
        .count();
    spaced + wide / 2
}

/// How sentences begin that speak of the report and not of the world, lower case; between two stands `|`, for a blank behind a word is part of it.
const SCOPE: &str = "this report |this section |this document |this paper |this analysis |this review |this summary |\
     this overview |this article |this answer |this table |in this report|in this section|in this overview|\
     in this article|the following |the table below|the list below|below is |below are |below you |here is |here are |\
     here's |the purpose of this |the aim of this |the goal of this |the scope of |we will |we now |i will |i'll |\
     i have |i've |i searched |i found |i could |i was unable|let me |let us |let's |as an ai |sure,|sure!|certainly|\
     of course,|dieser bericht |im folgenden |ce rapport |este informe ";

/// How the sentences begin that hadal's own reports have beside what they quote, lower case.
const OWN_WORDS: &[&str] = &[
    "passages quoted word for word from ",
    "no model wrote or judged this report",
    "one more passage is listed as a source",
    "quoted from the context that came with the question",
    "nothing was searched and no model wrote this",
    "asked for, but in ",
    "nothing relevant was found in ",
    "nothing citable had been found by then",
    "stopped early: the ",
    "no passage holds much of the question",
    "the web could not be searched: ",
    "the question has no word that could be looked up",
    "the library has no word ",
    "\u{26a0}",
];

/// The word before what a report takes for granted because the question does not say it, in the languages that reports are written in.
pub(crate) const ASSUMED: &str = "Assumed, Angenommen, Hypothèse, Se supone, Si presuppone, Pressupõe-se, Aangenomen, \
     Предполагается, 假设, 前提";

/// Whether a line says how far a quote goes on, or where else it stands. These are hadal's own lines that cite.
fn is_about_quote(lower: &str) -> bool {
    let goes_on = |rest: &str| rest.trim_start().starts_with("goes on to ");
    lower.strip_prefix("cut here; ").is_some_and(goes_on) || lower.starts_with("nearly the same text:")
}

/// Whether a line is hadal's own about what went wrong or was left out: `x.md: LIBRARY_UNREADABLE (…)`.
fn is_own_words(lower: &str, text: &str) -> bool {
    let code = || text.split_once(": ").and_then(|(_, rest)| rest.split_once(" (")).map(|(code, _)| code);
    let is_code = |code: &str| code.contains('_') && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let listed = lower.contains(" more passages are listed as sources;");
    let assumed = || text.split_once(':').is_some_and(|(word, _)| phrases(ASSUMED).any(|known| known == word));
    OWN_WORDS.iter().any(|start| lower.starts_with(start)) || listed || code().is_some_and(is_code) || assumed()
}

/// Words of a line that may be a heading without markup, and what a sentence ends with.
const HEADING_WORDS: usize = 8;
const ENDS: [char; 14] = ['.', '!', '?', '…', '。', '！', '？', ':', ';', '"', '”', '’', ')', '»'];

/// Whether a text says something that a source could bear out.
fn is_claim(text: &str, kind: &Kind, cited: bool) -> bool {
    let words = count_words(text);
    let figure = text.chars().any(|c| c.is_ascii_digit());
    let least = match kind {
        Kind::Cell { label, .. } if label.is_empty() => return false,
        Kind::Cell { .. } => 2,
        Kind::Item => {
            if figure || cited {
                2
            } else {
                3
            }
        }
        Kind::Paragraph | Kind::Heading(_) | Kind::Entry => 3,
    };
    let end = text.trim_end_matches(['"', '”', ')', '*', ' ']);
    let question = end.ends_with(['?', '？']);
    let lead_in = end.ends_with([':', '：']) && !cited;
    let lower = text.to_lowercase();
    let scope = SCOPE.split('|').any(|start| lower.starts_with(start)) && !cited;
    // A short line of a text without markup that nothing ends is a heading of it.
    let heading = *kind == Kind::Paragraph && !cited && !figure && words <= HEADING_WORDS && !text.ends_with(ENDS);
    words >= least
        && !heading
        && !question
        && !lead_in
        && !scope
        && !is_about_quote(&lower)
        && (cited || !is_own_words(&lower, text))
}

/// Sentences before a citation at the end of their paragraph are covered by it, back to the last one that has its own.
fn cover(reading: &mut Reading, begin: usize, masked: &str, offset: usize) {
    let Some(last) = reading.claims.get(begin..).and_then(|claims| claims.last()) else { return };
    let said = masked.rfind(char::is_alphanumeric).unwrap_or_default();
    let ends = |at: &&usize| {
        let end = reading.citations.get(**at).map_or(0, |citation| citation.span.end.saturating_sub(offset));
        end > said
    };
    let closing: Vec<usize> = last.citations.iter().filter(ends).copied().take(limits::EVIDENCE_PER_CLAIM).collect();
    if closing.is_empty() {
        return;
    }
    for claim in reading.claims.iter_mut().skip(begin).rev().skip(1).take_while(|claim| claim.bound == Bound::Uncited) {
        claim.citations.clone_from(&closing);
        claim.bound = Bound::Covered;
    }
}

/// A cell that holds nothing but citations covers the other cells of its row.
pub(super) fn cover_rows(reading: &mut Reading, blocks: &[Block]) {
    let row = |kind: &Kind| match kind {
        Kind::Cell { row, .. } => Some(*row),
        Kind::Paragraph | Kind::Item | Kind::Heading(_) | Kind::Entry => None,
    };
    let mut next = 0;
    let cells: Vec<&Block> = blocks.iter().filter(|block| row(&block.kind).is_some()).collect();
    for cells in cells.chunk_by(|a, b| row(&a.kind) == row(&b.kind)) {
        let (Some(start), Some(end)) =
            (cells.first().map(|cell| cell.span.start), cells.last().map(|cell| cell.span.end))
        else {
            continue;
        };
        while reading.claims.get(next).is_some_and(|claim| claim.span.end < start) {
            next += 1;
        }
        let inside = reading.claims.iter().skip(next).take_while(|claim| claim.span.start < end).count();
        let mut bound: Vec<usize> =
            reading.claims.iter().skip(next).take(inside).flat_map(|claim| claim.citations.iter().copied()).collect();
        bound.sort_unstable();
        let from = reading.citations.partition_point(|citation| citation.span.start < start);
        let free: Vec<usize> = (from..reading.citations.len())
            .take_while(|at| reading.citations.get(*at).is_some_and(|citation| citation.span.start < end))
            .filter(|at| bound.binary_search(at).is_err())
            .take(limits::EVIDENCE_PER_CLAIM)
            .collect();
        for claim in reading
            .claims
            .iter_mut()
            .skip(next)
            .take(inside)
            .filter(|claim| claim.bound == Bound::Uncited && !free.is_empty())
        {
            claim.citations.clone_from(&free);
            claim.bound = Bound::Covered;
        }
    }
}
