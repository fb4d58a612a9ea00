//! A PDF whose table of objects is damaged, cut off or at another place than it says, with a table of hadal's own.
//!
//! What the table says can be seen: every object begins with its number, its generation and `obj`. The file is walked once; of an object that is
//! there several times the last one holds, as in a file that was changed by writing to its end.

use std::collections::BTreeMap;
use std::io::Write;

const OBJECT: &[u8] = b"obj";
const TRAILER: &[u8] = b"trailer";
const STREAM: &[u8] = b"stream";
const END_OF_STREAM: &[u8] = b"endstream";
/// Numbers of objects; a larger one is chance, and the table says which numbers there are up to the largest.
const NUMBERS: u32 = 8_388_607;
/// Digits of a number and of a generation.
const DIGITS: usize = 10;
/// How far what stands in a dictionary of the whole file is read, in bytes.
const TRAILER_BYTES: usize = 4_096;
/// Dictionaries of the whole file that are looked at, from the last one on.
const TRAILERS: usize = 64;
/// What a dictionary of the whole file names that matters here.
const KEPT: [&[u8]; 3] = [b"/Root", b"/Info", b"/Encrypt"];

/// The file with a new table behind its own bytes; nothing where no document is in it.
pub(super) fn with_new_table(bytes: &[u8]) -> Option<Vec<u8>> {
    let start = find(bytes, b"%PDF-", 0)?;
    let bytes = bytes.get(start..)?;
    let objects = Objects::of(bytes);
    let trailer = objects.trailer(bytes)?;
    let mut out = bytes.to_vec();
    out.extend(if objects.is_cut { b"\nendstream\nendobj\n".as_slice() } else { b"\n" });
    let table = out.len();
    out.extend(b"xref\n");
    let places: Vec<(u32, (usize, u16))> = objects.places.into_iter().collect();
    for run in places.chunk_by(|(before, _), (number, _)| before.checked_add(1) == Some(*number)) {
        let first = run.first().map_or(0, |(number, _)| *number);
        // Writing to memory does not fail.
        let _ = writeln!(out, "{first} {}", run.len());
        for (_, (place, generation)) in run {
            let _ = writeln!(out, "{place:010} {generation:05} n ");
        }
    }
    let size = places.last().map_or(0, |(number, _)| number + 1);
    let _ = writeln!(out, "trailer\n<< /Size {size}");
    out.extend(trailer);
    let _ = write!(out, " >>\nstartxref\n{table}\n%%EOF\n");
    Some(out)
}

/// Where objects stand, and what else tells of the whole file.
#[derive(Debug, Default)]
struct Objects {
    /// The place and the generation of each number.
    places: BTreeMap<u32, (usize, u16)>,
    /// The dictionaries that tell of the whole file.
    trailers: Vec<usize>,
    /// An object that is the root of a document.
    catalog: Option<(u32, u16)>,
    /// Whether the file ends inside of a stream.
    is_cut: bool,
}

impl Objects {
    fn of(bytes: &[u8]) -> Self {
        let mut objects = Self::default();
        let mut at = 0;
        while let Some((word, place)) = next_word(bytes, at) {
            at = place + word.len();
            match word {
                OBJECT => objects.put(bytes, place),
                TRAILER => objects.trailers.push(at),
                _ if !is_stream(bytes, place) => {}
                // What a stream holds may look like anything. One that is cut off is the last.
                _ => match find(bytes, END_OF_STREAM, at) {
                    Some(end) => at = end + END_OF_STREAM.len(),
                    None => {
                        objects.is_cut = true;
                        break;
                    }
                },
            }
        }
        objects
    }

    /// Takes the object whose word stands at a place.
    fn put(&mut self, bytes: &[u8], place: usize) {
        let Some((number, generation, begin)) = numbers_before(bytes, place) else { return };
        self.places.insert(number, (begin, generation));
        let behind = place + OBJECT.len();
        let head = dictionary(bytes, behind);
        if has_type(head, b"/Catalog") {
            self.catalog = Some((number, generation));
        } else if has_type(head, b"/XRef") {
            self.trailers.push(behind);
        }
    }

    /// The entries of a new dictionary of the whole file.
    fn trailer(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let texts = || self.trailers.iter().rev().take(TRAILERS).map(|at| dictionary(bytes, *at));
        let is_there = |(number, _): &(u32, u16)| self.places.contains_key(number);
        let told = |key: &[u8]| texts().filter_map(|text| reference(text, key)).find(is_there);
        let root = told(b"/Root").or(self.catalog)?;
        let mut entries = Vec::new();
        for key in KEPT {
            let named = if key == b"/Root" { Some(root) } else { told(key) };
            if let Some((number, generation)) = named {
                entries.extend(key);
                let _ = writeln!(entries, " {number} {generation} R");
            }
        }
        entries.extend(texts().find_map(file_id).unwrap_or_default());
        Some(entries)
    }
}

/// The next word that matters, and where it stands.
fn next_word(bytes: &[u8], from: usize) -> Option<(&'static [u8], usize)> {
    let rest = bytes.get(from..)?;
    rest.iter().enumerate().find_map(|(at, first)| {
        let word = [OBJECT, TRAILER, STREAM].into_iter().find(|word| word.first() == Some(first))?;
        // `endobj` is another word; a number may stand right before `obj`.
        let before = at.checked_sub(1).and_then(|before| rest.get(before));
        let is_whole = !before.is_some_and(u8::is_ascii_alphabetic)
            && !rest.get(at + word.len()).is_some_and(u8::is_ascii_alphabetic);
        (is_whole && rest.get(at..)?.starts_with(word)).then_some((word, from + at))
    })
}

/// Whether a stream begins at its word: behind a dictionary, at the end of a line.
fn is_stream(bytes: &[u8], place: usize) -> bool {
    let before = bytes.get(place.saturating_sub(DIGITS)..place).unwrap_or_default();
    let behind = bytes.get(place + STREAM.len());
    before.trim_ascii_end().ends_with(b">>") && behind.is_none_or(|byte| matches!(byte, b'\r' | b'\n' | b' '))
}

/// The number and the generation that stand before a place, and where they begin.
fn numbers_before(bytes: &[u8], at: usize) -> Option<(u32, u16, usize)> {
    let (generation, begin) = number_before(bytes, at)?;
    let (number, begin) = number_before(bytes, begin)?;
    let number = u32::try_from(number).ok().filter(|number| (1..=NUMBERS).contains(number))?;
    Some((number, u16::try_from(generation).ok()?, begin))
}

fn number_before(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let before = bytes.get(at.saturating_sub(2 * DIGITS)..at)?;
    let blanks = before.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    let digits = before.iter().rev().skip(blanks).take_while(|byte| byte.is_ascii_digit()).count();
    let (begin, end) = (at - blanks - digits, at - blanks);
    let number = str::from_utf8(bytes.get(begin..end)?).ok()?.parse().ok()?;
    (digits <= DIGITS).then_some((number, begin))
}

/// The beginning of what stands behind a place, as far as a dictionary may be and no other object begins.
fn dictionary(bytes: &[u8], at: usize) -> &[u8] {
    let text = bytes.get(at..bytes.len().min(at + TRAILER_BYTES)).unwrap_or_default();
    // Each is looked for only before the ones that were found.
    [OBJECT, STREAM, b"startxref", TRAILER].into_iter().fold(text, |text, word| {
        let end = find(text, word, 0).unwrap_or(text.len());
        text.get(..end).unwrap_or(text)
    })
}

fn has_type(dictionary: &[u8], kind: &[u8]) -> bool {
    const TYPE: &[u8] = b"/Type";
    let mut at = 0;
    while let Some(found) = find(dictionary, TYPE, at) {
        at = found + TYPE.len();
        if dictionary.get(at..).unwrap_or_default().trim_ascii_start().starts_with(kind) {
            return true;
        }
    }
    false
}

/// The object that a key of a dictionary names.
fn reference(dictionary: &[u8], key: &[u8]) -> Option<(u32, u16)> {
    let at = find(dictionary, key, 0)?;
    let text = dictionary.get(at + key.len()..)?.trim_ascii_start();
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let number = str::from_utf8(words.next()?).ok()?.parse().ok()?;
    let generation = str::from_utf8(words.next()?).ok()?.parse().ok()?;
    words.next()?.starts_with(b"R").then_some((number, generation))
}

/// What a file that is encrypted is called, with its key.
fn file_id(dictionary: &[u8]) -> Option<&[u8]> {
    let at = find(dictionary, b"/ID", 0)?;
    let end = find(dictionary, b"]", at)?;
    let id = dictionary.get(at..=end)?;
    id.get(3..)?.trim_ascii_start().starts_with(b"[").then_some(id)
}

fn find(bytes: &[u8], word: &[u8], from: usize) -> Option<usize> {
    bytes.get(from..)?.windows(word.len()).position(|here| here == word).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use pdf_extract::Document;

    use super::*;

    const PAGES: &str = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n";
    const PAGE: &str = "3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n";

    /// How many pages are found in a file, and which object its title is in.
    fn found(text: &str) -> Option<(usize, Option<u32>)> {
        let document = Document::load_mem(&with_new_table(text.as_bytes())?).ok()?;
        let title = document.trailer.get(b"Info").ok().and_then(|info| info.as_reference().ok());
        Some((document.get_pages().len(), title.map(|(number, _)| number)))
    }

    #[test]
    fn lb_01_objects_are_found_without_a_table() {
        let info = "4 0 obj << /Title (A stream of endobj) >> endobj\n";
        let trailer = "trailer\n<< /Size 9 /Root 1 0 R /Info 4 0 R >>\nstartxref\n99999\n%%EOF";
        let stream = "5 0 obj\n<< /Length 30 >>\nstream\n3 0 obj << /Type /Font >> endobj\nendstream\nendobj\n";
        for (text, expected) in [
            (format!("{PAGES}{PAGE}{info}{trailer}"), Some((1, Some(4)))),
            // Bytes before it and behind it, and no table at all.
            (format!("junk\n{PAGES}{PAGE}{info}{trailer}{}", "\n".repeat(3_000)), Some((1, Some(4)))),
            (format!("{PAGES}{PAGE}"), Some((1, None))),
            // The later of two holds; what a stream holds is none.
            (format!("{PAGES}3 0 obj << /Type /Font >> endobj {PAGE}{trailer}"), Some((1, None))),
            (format!("{PAGES}{PAGE}{stream}"), Some((1, None))),
            (format!("{PAGES}{PAGE}5 0 obj\n<< /Length 30 >>\nstream\ncut o"), Some((1, None))),
            (format!("{PAGES}{PAGE}trailer << /Root 77 0 R >>"), Some((1, None))),
            (PAGE.to_owned(), None),
            (format!("%PDF-1.4\n{PAGE}"), None),
            (String::new(), None),
        ] {
            assert_eq!(found(&text), expected, "{text}");
        }
    }

    /// LB-01: files that are made to take long are walked in one go.
    #[test]
    fn lb_01_hostile_files_are_walked_in_one_go() {
        for part in ["1 0 obj ", "1 0\nobj", ">>stream\n", "trailer ", "obj", "/Type ", "99999999 0 obj\n", "0 0 0 0 "]
        {
            let file = format!("{PAGES}{PAGE}{}", part.repeat(50_000));
            assert!(with_new_table(file.as_bytes()).is_some(), "{part}");
        }
    }
}
