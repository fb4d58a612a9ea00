//! The words of a page with marks: those whose place lies in the frame of a link, and where words stand that stand together.

use pdf_extract::{
    ColorSpace, Dictionary, Document, MediaBox, Object, OutputDev, OutputError, Path, PlainTextOutput, Transform,
};

use super::rules;
use super::turned::{QUARTERS, Turn};
use crate::core::text::pdf_pages::tables::{MARK, Placed, Rule};

/// Links of one page that are looked at, and bytes of an address.
const LINKS: usize = 2_000;
const ADDRESS_BYTES: usize = 2_000;
/// How far a letter may stand out of its frame, in points.
const SLACK: f64 = 1.0;
/// Marks around the words of a link, of the characters that mean nothing; the number of the link stands behind the second.
const OPENS: char = '\u{e000}';
const CLOSES: char = '\u{e001}';

/// A frame on the page, and where it leads.
#[derive(Debug)]
pub(super) struct Link {
    frame: [f64; 4],
    address: String,
}

/// The links of a page that lead into the web.
pub(super) fn of_page(document: &Document, number: u32) -> Vec<Link> {
    let page = document.get_pages().get(&number).and_then(|id| document.get_dictionary(*id).ok());
    let notes = page.and_then(|page| resolved(document, page.get(b"Annots").ok()?)?.as_array().ok());
    let links = notes.into_iter().flatten().take(LINKS).filter_map(|note| {
        let note = resolved(document, note)?.as_dict().ok()?;
        let frame = resolved(document, note.get(b"Rect").ok()?)?.as_array().ok()?;
        let frame: Vec<f64> = frame.iter().filter_map(|side| side.as_float().ok().map(f64::from)).collect();
        let [a, b, c, d] = frame.as_slice() else { return None };
        let frame = [a.min(*c), b.min(*d), a.max(*c), b.max(*d)];
        Some(Link { frame, address: address(document, note)? })
    });
    links.collect()
}

fn resolved<'a>(document: &'a Document, object: &'a Object) -> Option<&'a Object> {
    document.dereference(object).ok().map(|(_, object)| object)
}

fn address(document: &Document, note: &Dictionary) -> Option<String> {
    let action = resolved(document, note.get(b"A").ok()?)?.as_dict().ok()?;
    let bytes = resolved(document, action.get(b"URI").ok()?)?.as_str().ok()?;
    let address = String::from_utf8(bytes.to_vec()).ok()?;
    let is_web = address.starts_with("https://") || address.starts_with("http://");
    let is_plain = address.len() <= ADDRESS_BYTES && !address.contains(['<', '>', ' ', '\n', OPENS, CLOSES]);
    (is_web && is_plain).then_some(address)
}

/// Writes a page and marks the words of its links.
pub(super) struct Marking<'t, 'l> {
    out: PlainTextOutput<&'t mut String>,
    links: &'l [Link],
    /// The link whose words are being written.
    open: Option<usize>,
    /// Letters of the text that is being shown, and the first of them until it is known how many there are.
    shown: usize,
    waiting: Vec<Letter>,
    /// Where the last letter stood, and where it ended.
    last: Option<(f64, f64)>,
    /// Where words stand that stand together, in the order of their marks in the text.
    places: Vec<Placed>,
    /// How the words of each place are turned, in quarters, and how many letters are turned so.
    turns: Vec<Option<usize>>,
    turn: Option<Turn>,
    letters_of: [usize; QUARTERS],
    /// Lines that are drawn.
    rules: Vec<Rule>,
}

/// A letter where it stands.
struct Letter {
    place: Transform,
    width: f64,
    spacing: f64,
    size: f64,
    /// With the marks before it.
    text: String,
}

/// The space behind a letter, in parts of its size, from which two letters that are shown alone stand in two words. Some programs (groff) set the
/// space between words so, also around a word of one letter; where other letters are shown together, all of them are spaced.
const WORD_SPACE: f64 = 0.15;
/// How far below, in parts of its size, a letter stands on the next line though it stands to the right of all before it; the parser sees that
/// only where it stands to the left, or farther below.
const NEXT_LINE: f64 = 0.8;
const FAR: f64 = 1.5;
const TOUCHING: f64 = 0.1;
/// Letters that are shown alone, at most, and those that are a word.
const ALONE: usize = 3;
const WORDS_OF_ONE_LETTER: &str = "aAI0123456789";

impl<'t, 'l> Marking<'t, 'l> {
    pub(super) fn new(text: &'t mut String, links: &'l [Link]) -> Self {
        Self {
            out: PlainTextOutput::new(text),
            links,
            open: None,
            shown: 0,
            waiting: Vec::new(),
            last: None,
            places: Vec::new(),
            turns: Vec::new(),
            turn: None,
            letters_of: [0; QUARTERS],
            rules: Vec::new(),
        }
    }

    /// Where words stand, and the lines that are drawn, as they are on the page when most of its letters are upright. Other letters are in no line of it.
    pub(super) fn into_places(self) -> (Vec<Placed>, Vec<Rule>) {
        let Self { mut places, turns, letters_of, rules, .. } = self;
        let most = (0..QUARTERS).rev().max_by_key(|quarter| letters_of.get(*quarter)).unwrap_or_default();
        for (place, turn) in places.iter_mut().zip(turns) {
            place.is_level = turn == Some(most);
        }
        let drawn = if rules.len() < rules::PIECES { rules } else { Vec::new() };
        (places, drawn.iter().map(|rule| Turn::quarters(most).line(rule)).collect())
    }

    /// Takes down where a letter stands; says whether other words begin with it.
    fn begins_words(&mut self, place: &Transform, width: f64, size: f64, turn: Option<usize>) -> bool {
        turn.and_then(|turn| self.letters_of.get_mut(turn)).into_iter().for_each(|letters| *letters += 1);
        let letter = Placed {
            left: place.m31,
            right: place.m31 + width * size,
            base: place.m32,
            size,
            is_level: turn.is_some(),
        };
        let is_turned_so = self.turns.last() == Some(&turn);
        let is_beside = is_turned_so && self.places.last_mut().is_some_and(|words| words.takes(&letter));
        if !is_beside {
            self.places.push(letter);
            self.turns.push(turn);
        }
        !is_beside
    }

    fn write_waiting(&mut self) -> Result<(), OutputError> {
        for Letter { place, width, spacing, size, text } in self.waiting.drain(..) {
            self.out.output_character(&place, width, spacing, size, &text)?;
        }
        Ok(())
    }

    /// The link that a place belongs to; of frames with one address the first, so that a link over two lines is one.
    fn link_at(&self, x: f64, y: f64) -> Option<usize> {
        let holds = |link: &&Link| {
            let [left, bottom, right, top] = link.frame;
            x >= left - SLACK && x < right - SLACK / 2.0 && y >= bottom - SLACK && y <= top + SLACK
        };
        let address = &self.links.iter().find(holds)?.address;
        self.links.iter().position(|link| link.address == *address)
    }
}

impl OutputDev for Marking<'_, '_> {
    fn begin_page(
        &mut self,
        number: u32,
        frame: &MediaBox,
        art: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.out.begin_page(number, frame, art)
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.out.end_page()
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        spacing: f64,
        size: f64,
        letter: &str,
    ) -> Result<(), OutputError> {
        let letter: String = letter.chars().filter(|c| !matches!(*c, OPENS | CLOSES | MARK)).collect();
        // A space belongs to whatever is open.
        let link = if letter.trim().is_empty() { self.open } else { self.link_at(place.m31, place.m32) };
        let mut marked = String::new();
        let (turn, quarter) = Turn::of(place);
        let place = &turn.upright(place);
        let shown_size = place.m11.abs().max(place.m12.abs()) * size;
        let (x, y) = (place.m31, place.m32);
        // Where the direction of letters changes, no line goes on.
        let is_turned_anew = !letter.trim().is_empty() && self.turn.replace(turn).is_some_and(|last| last != turn);
        let is_below = self.last.is_some_and(|(last_y, end)| {
            (NEXT_LINE..=FAR).contains(&((last_y - y) / shown_size)) && x >= end - shown_size * TOUCHING
        });
        if (self.shown == 0 && is_below) || is_turned_anew {
            marked.push('\n');
        }
        self.last = Some((y, x + width * shown_size));
        if link != self.open {
            marked.extend(self.open.map(|open| format!("{CLOSES}{open};")));
            marked.extend(link.map(|_| OPENS));
            self.open = link;
        }
        if !letter.trim().is_empty() && self.begins_words(place, width, shown_size, quarter) {
            marked.push(MARK);
        }
        marked.push_str(&letter);
        self.waiting.push(Letter { place: *place, width, spacing, size, text: marked });
        self.shown += 1;
        if self.shown > ALONE { self.write_waiting() } else { Ok(()) }
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.shown = 0;
        self.out.begin_word()
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        let are_words = match self.waiting.as_slice() {
            [_, _] => true,
            [_, middle, _] => WORDS_OF_ONE_LETTER.contains(middle.text.as_str()),
            _ => false,
        };
        let is_blank = |letter: &Letter| letter.text.trim().is_empty();
        if are_words && !self.waiting.iter().any(is_blank) {
            let spaced = self.waiting.iter_mut().rev().skip(1);
            spaced
                .filter(|letter| letter.spacing > letter.size.abs() * WORD_SPACE)
                .for_each(|letter| letter.text.push(' '));
        }
        self.write_waiting()?;
        self.out.end_word()
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        self.out.end_line()
    }

    fn stroke(&mut self, ctm: &Transform, _: &ColorSpace, _: &[f64], path: &Path) -> Result<(), OutputError> {
        if self.rules.len() < rules::PIECES {
            rules::of_stroke(ctm, path, &mut self.rules);
        }
        Ok(())
    }

    fn fill(&mut self, ctm: &Transform, _: &ColorSpace, _: &[f64], path: &Path) -> Result<(), OutputError> {
        if self.rules.len() < rules::PIECES {
            rules::of_fill(ctm, path, &mut self.rules);
        }
        Ok(())
    }
}

/// A marked text without its marks, and with its links as Markdown has them where there are any.
pub(super) fn unmarked(marked: &str, links: &[Link]) -> (String, Option<String>) {
    let (mut plain, mut linked) = (String::new(), String::new());
    let mut pieces = marked.split(OPENS);
    for text in pieces.next().into_iter() {
        plain.push_str(text);
        linked.push_str(text);
    }
    let mut any = false;
    for piece in pieces {
        // A link at the end of a page is not closed; it is the only one that may be none.
        let (words, rest) = piece.split_once(CLOSES).unwrap_or((piece, ""));
        let (number, rest) = rest.split_once(';').unwrap_or(("", rest));
        let address = number.parse().ok().and_then(|number: usize| links.get(number)).map(|link| &link.address);
        plain.push_str(words);
        plain.push_str(rest);
        match address.filter(|_| !words.trim().is_empty()) {
            Some(address) => {
                any = true;
                let bare = words.trim_end();
                let space = words.get(bare.len()..).unwrap_or_default();
                linked.push_str(&format!(
                    "[{}](<{address}>){space}{rest}",
                    bare.split_whitespace().collect::<Vec<_>>().join(" ")
                ));
            }
            None => {
                linked.push_str(words);
                linked.push_str(rest);
            }
        }
    }
    (plain, any.then_some(linked))
}
