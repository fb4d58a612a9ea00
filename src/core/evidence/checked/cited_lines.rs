//! The lines of a file that a report cites: what stands elsewhere in the file is not where the report says.

use std::path::Path;

use super::CheckedSource;
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::judge::{Check, Finding, Judgement};
use crate::core::language::note_marks::has_written_note;
use crate::core::text::Format;
use crate::core::text::spans::{PlaceInFile, Span};

/// How many lines a citation may be off: files change, and writers count from the heading.
const OFF: u32 = 2;

/// The lines that a source names, where the lines of its archived text are those of its file.
pub(super) fn of(source: &CheckedSource) -> Option<(u32, PlaceInFile)> {
    let place = source.local()?;
    let extension = Path::new(&place.path).extension()?.to_str()?;
    let is_itself = Format::of_extension(extension)?.is_its_text();
    Some((source.number, place.lines.filter(|_| is_itself)?))
}

/// The lines of a text that a part of it stands in.
fn lines_around(text: &str, span: Span) -> &str {
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    let start = text.get(..place(span.start)).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let end = text.get(place(span.end)..).and_then(|behind| behind.find('\n')).map(|at| place(span.end) + at);
    text.get(start..end.unwrap_or(text.len())).unwrap_or_default()
}

/// Lowers a judgement whose sentences stand in other lines than those that are cited.
pub(super) fn compare(judgement: &mut Judgement, text: &str, cited: &PlaceInFile) {
    // Of what is only partly borne out, nobody can say where it stands.
    let Some(span) = judgement.span.filter(|_| judgement.verdict == Verdict::Supported) else { return };
    // A note is written where the text refers to it, and may be cited by either place.
    if has_written_note(lines_around(text, span)) {
        return;
    }
    let line = |at: u64| {
        let before = usize::try_from(at).ok().and_then(|at| text.as_bytes().get(..at)).unwrap_or_default();
        u32::try_from(before.iter().filter(|byte| **byte == b'\n').count() + 1).unwrap_or(u32::MAX)
    };
    let (first, last) = (line(span.start), line(span.end));
    let near = first <= cited.last.saturating_add(OFF) && last.saturating_add(OFF) >= cited.first;
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    // The lines of notes that were written elsewhere are not in the text.
    let is_there = cited.first <= lines || has_written_note(text);
    if near && is_there {
        return;
    }
    let place = if first == last { format!("line {first}") } else { format!("lines {first}–{last}") };
    let reason = if is_there {
        format!("it stands in {place} of this file, not where it is cited")
    } else {
        format!("it stands in {place} of this file, which has no line {}", cited.first)
    };
    judgement.findings.insert(0, Finding::partial(Check::Lines, reason));
    judgement.verdict = Verdict::Partial;
}
