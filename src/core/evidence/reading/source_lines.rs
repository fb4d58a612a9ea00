//! What of a report only says where the rest of it comes from: "Source: …", "According to …", the place under a quote. It is no claim, and its
//! citations belong to what stands beside it.

use std::ops::Range;

use super::blocks::{Block, Kind};
use super::marks::Mark;
use super::{Bound, Reading};
use crate::core::base::limits;
use crate::core::base::plain::is_digits;
use crate::core::base::rows::phrases;

/// Words that lead to a source and claim nothing, lower case.
const LEADS: &str = "sources:, source:, references:, reference:, citations:, citation:, quellen:, quelle:, fuente:, \
     fuentes:, fonte:, read more:, learn more:, more:, link:, links:, see also:, see:, see also, see, via, from";

/// How a sentence names whom it repeats, lower case.
const ACCORDING: &str = "according to, as reported by, as stated by, as noted by, as described by, as explained by, \
     reported by, per, laut, nach angaben von, selon, d'après, según, secondo";

/// How it goes on when it begins with the one whom it repeats, lower case.
const SAYS: &str = "reports that, reported that, says that, said that, states that, stated that, notes that, \
     noted that, writes that, wrote that, explains that, shows that, found that, finds that, estimates that, \
     claims that, confirms that, confirmed that, adds that, argues that";

/// Words of the one who is repeated, at most.
const NAME_WORDS: usize = 8;

/// Whether a sentence only says where something comes from. `masked` has its marks blanked out and the words of its links left.
pub(super) fn is_source_line(masked: &str, range: &Range<usize>, marks: &[Mark], offset: usize) -> bool {
    let first = marks.partition_point(|mark| mark.span.end <= range.start + offset);
    let inside = || marks.iter().skip(first).take_while(|mark| mark.span.start < range.end + offset);
    let mut bytes = masked.as_bytes().get(range.clone()).unwrap_or_default().to_vec();
    let mut is_cited = false;
    for mark in inside() {
        is_cited = true;
        for at in mark.words.clone().into_iter().flatten() {
            if let Some(byte) = at.checked_sub(offset + range.start).and_then(|at| bytes.get_mut(at)) {
                *byte = b' ';
            }
        }
    }
    // Whole words were blanked, so that what is left is text.
    let rest = String::from_utf8(bytes).unwrap_or_default();
    let rest = rest.trim().trim_start_matches(['*', '_', '(', '-', '—', '–', '>', ' ']).to_lowercase();
    let rest = phrases(LEADS).find_map(|lead| rest.strip_prefix(lead)).unwrap_or(&rest);
    // `+1` is what is left of links that were folded away.
    let says = rest.split(|c: char| !c.is_alphanumeric() && c != '+').filter(|word| !word.is_empty());
    is_cited && says.filter(|word| !is_joining(word)).count() == 0
}

fn is_joining(word: &str) -> bool {
    matches!(word, "and" | "und" | "et" | "y" | "also") || word.starts_with('+')
}

/// Blanks out whom the sentences of a block repeat, where a mark says who that is: a page seldom names itself.
pub(super) fn without_speakers(masked: String, marks: &[Mark], offset: usize) -> String {
    if marks.is_empty() {
        return masked;
    }
    let mut blanks: Vec<Range<usize>> = Vec::new();
    for mark in marks {
        let (start, end) = (mark.span.start.saturating_sub(offset), mark.span.end.saturating_sub(offset));
        if let Some(blank) = before_it(&masked, start, end).or_else(|| behind_it(&masked, mark, start, end)) {
            blanks.push(blank);
        }
    }
    if blanks.is_empty() {
        return masked;
    }
    let mut bytes = masked.into_bytes();
    for at in blanks.into_iter().flatten() {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = b' ';
        }
    }
    // Whole words were blanked, so that what is left is text.
    String::from_utf8(bytes).unwrap_or_default()
}

/// How far the sentence before a mark is looked at, in bytes.
const REACH: usize = 200;

/// `According to [Site](url), ` and `according to Site [1], `: from the lead to behind the comma.
fn before_it(masked: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let from = masked.floor_char_boundary(start.saturating_sub(REACH));
    let before = masked.get(from..start)?;
    let begin = before.rfind(['.', '!', '?', ';', '\n']).map_or(0, |at| at + 1);
    let sentence = before.get(begin..)?;
    let bare = sentence.trim_start();
    let lead = phrases(ACCORDING).find(|lead| {
        let head = bare.get(..lead.len()).map(str::to_lowercase);
        head.as_deref() == Some(*lead)
            && bare.get(lead.len()..).is_none_or(|rest| rest.is_empty() || rest.starts_with(' '))
    })?;
    let name = bare.get(lead.len()..)?;
    let after = masked.get(end..)?;
    let comma = after.trim_start().starts_with(',');
    let length = after.len() - after.trim_start().len() + usize::from(comma);
    let is_short = name.split_whitespace().count() <= NAME_WORDS && !name.contains(',');
    (is_short && comma).then(|| from + begin + (sentence.len() - bare.len())..end + length)
}

/// "[Site](url) reports that ": from the link to behind the verb.
fn behind_it(masked: &str, mark: &Mark, start: usize, end: usize) -> Option<Range<usize>> {
    mark.words.as_ref()?;
    let from = masked.floor_char_boundary(start.saturating_sub(REACH));
    let before = masked.get(from..start)?;
    let begin = before.rfind(['.', '!', '?', '\n']).map_or(0, |at| at + 1);
    let opens = before
        .get(begin..)?
        .split_whitespace()
        .all(|word| matches!(word.to_lowercase().as_str(), "the" | "a" | "**" | "*"));
    let after = masked.get(end..)?;
    let gap = after.len() - after.trim_start_matches([' ', '*']).len();
    let verb = phrases(SAYS).find(|verb| {
        let head = after.get(gap..gap + verb.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(verb))
            && after.get(gap + verb.len()..).is_some_and(|rest| rest.starts_with(' '))
    })?;
    opens.then(|| from + begin..end + gap + verb.len())
}

/// Whether a line is the place of a quote as reports made of quotes have it: `**[1]** ` and a path or an address.
pub(super) fn is_place_of_quote(text: &str) -> bool {
    let rest = text.strip_prefix("**[").and_then(|rest| rest.split_once("]** `"));
    rest.is_some_and(|(number, _)| is_digits(number))
}

/// Binds lines that only name sources to the quote, paragraph, list or table beside them.
#[derive(Debug, Default)]
pub(super) struct SourceLines {
    above: Option<Above>,
    /// The citations of a place whose quote comes behind it.
    pending: Option<Range<usize>>,
}

#[derive(Debug)]
struct Above {
    claims: Range<usize>,
    kind: Run,
    /// The citations of the place that it belongs to.
    place: Option<Range<usize>>,
}

/// What goes on as one thing over several blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    Quote,
    List,
    Table,
    Paragraph,
}

impl SourceLines {
    /// Whether a line below a quote says whose it is: `— Ilse Kranz, [Lake Registry](…)`.
    pub(super) fn is_dashed(&self, text: &str) -> bool {
        let below_quote = self.above.as_ref().is_some_and(|above| above.kind == Run::Quote && above.place.is_none());
        below_quote && text.len() <= REACH && text.starts_with(['—', '–', '―'])
    }

    /// A heading ends whatever could be bound.
    pub(super) fn end(&mut self) {
        self.above = None;
        self.pending = None;
    }

    /// A block that made these claims.
    pub(super) fn text(&mut self, reading: &mut Reading, block: &Block, claims: Range<usize>) {
        let kind = match &block.kind {
            _ if block.quoted => Run::Quote,
            Kind::Item => Run::List,
            Kind::Cell { .. } => Run::Table,
            Kind::Paragraph | Kind::Heading(_) | Kind::Entry => Run::Paragraph,
        };
        let goes_on = |above: &&mut Above| above.kind == kind && kind != Run::Paragraph;
        match self.above.as_mut().filter(goes_on) {
            Some(above) => above.claims.end = claims.end,
            None => self.above = Some(Above { claims: claims.clone(), kind, place: None }),
        }
        let pending = self.pending.take().filter(|_| kind == Run::Quote);
        let Some(above) = self.above.as_mut() else { return };
        above.place = pending.or(above.place.take());
        if let Some(place) = above.place.clone().filter(|_| kind == Run::Quote) {
            bind(reading, &claims, &place, true);
        }
    }

    /// A line that only names sources, with its citations. `of_quote`: it is the place of a quote above or below.
    pub(super) fn names(&mut self, reading: &mut Reading, citations: Range<usize>, of_quote: bool) {
        match self.above.take() {
            Some(above) if above.place.is_none() && (above.kind == Run::Quote || !of_quote) => {
                bind(reading, &above.claims, &citations, of_quote);
            }
            Some(_) | None => self.pending = of_quote.then_some(citations),
        }
    }
}

/// What is quoted from a place cites that place, whatever marks the quoted text has; of other claims those that cite nothing.
fn bind(reading: &mut Reading, claims: &Range<usize>, citations: &Range<usize>, all: bool) {
    for claim in reading.claims.get_mut(claims.clone()).unwrap_or_default() {
        if all || claim.bound == Bound::Uncited {
            claim.citations = citations.clone().take(limits::EVIDENCE_PER_CLAIM).collect();
            claim.bound = Bound::Covered;
        }
    }
}
