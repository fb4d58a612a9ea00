//! Pages that another program took out of a file.

use super::super::left_out::LostPages;
use super::super::outline::CutAt;
use super::super::passages::{leads, words};
use super::super::pdf_pages::tables::is_table;
use super::super::pdf_pages::{NumberedText, goes_on};
use super::super::spans::{PlaceInFile, Unit};
use super::{Builder, Contents};
use crate::core::base::limits::{PASSAGE_MAX_WORDS, PASSAGE_MIN_WORDS};
use crate::core::language::sentences;

/// Pages by their numbers. A passage reaches over the end of a page only with a paragraph that does: all of it where it is no longer than a passage, else
/// to the end of the sentence, so that what follows is cited by its own page.
pub(in super::super) fn pages(title: Option<String>, pages: &[NumberedText<'_>], lost: &LostPages) -> Contents {
    let mut out = Builder::titled(title);
    let mut open = Open::default();
    for (at, page) in pages.iter().enumerate() {
        if out.is_full() {
            break;
        }
        let (number, text) = *page;
        let runs_on = pages.get(at + 1).is_some_and(|next| goes_on(*page, *next));
        let mut paragraphs: Vec<&str> = text.split("\n\n").collect();
        if let Some(first) = paragraphs.first_mut().filter(|_| !open.text.is_empty()) {
            // A paragraph that fills its page is not handed on as a whole, or a book would be one.
            let may_be_whole = !(runs_on && first.len() == text.len());
            *first = open.take_from(number, first, may_be_whole);
        }
        // A page that is all inside of one sentence.
        if runs_on && paragraphs.iter().all(|paragraph| paragraph.trim().is_empty()) {
            continue;
        }
        std::mem::take(&mut open).write(&mut out);
        out.place(place(number));
        out.section();
        if let Some(last) = paragraphs.pop_if(|_| runs_on) {
            open.push(number, last);
            open.has_lead = paragraphs.last().is_some_and(|above| leads(above, words(above)));
        }
        for paragraph in paragraphs {
            out.paragraph_over(paragraph, shape(paragraph), Vec::new());
        }
    }
    open.write(&mut out);
    out.left_out.extend(lost.left_out());
    out.finish()
}

fn place(page: u32) -> PlaceInFile {
    PlaceInFile::of(Unit::Page, page, page)
}

/// A table is cut between its rows.
fn shape(paragraph: &str) -> CutAt {
    if is_table(paragraph) { CutAt::Lines } else { CutAt::Prose }
}

/// A paragraph that goes on with the next page.
#[derive(Debug, Default)]
struct Open {
    text: String,
    /// Where its pages begin in the text.
    places: Vec<(usize, PlaceInFile)>,
    words: usize,
    /// What stands above it names it.
    has_lead: bool,
}

impl Open {
    fn push(&mut self, page: u32, part: &str) {
        self.words += words(part);
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.places.push((self.text.len(), place(page)));
        self.text.push_str(part.trim());
    }

    /// Takes what belongs to it from the first paragraph of the next page, and gives back the rest.
    fn take_from<'t>(&mut self, page: u32, first: &'t str, may_be_whole: bool) -> &'t str {
        // Rows need the head above them; passages are cut between rows.
        let fits = is_table(first) || (may_be_whole && self.words + words(first) <= PASSAGE_MAX_WORDS);
        let end = if fits { None } else { sentences(first).first().map(|sentence| sentence.end) };
        let (taken, rest) = first.split_at_checked(end.unwrap_or(first.len())).unwrap_or((first, ""));
        self.push(page, taken);
        rest.trim_start()
    }

    /// Where it is long enough to be understood by itself, what stands above it keeps its own page.
    fn write(self, out: &mut Builder) {
        if self.words >= PASSAGE_MIN_WORDS && !self.has_lead {
            out.section();
        }
        let mut places = self.places.into_iter();
        places.next().into_iter().for_each(|(_, place)| out.place(place));
        out.paragraph_over(&self.text, shape(&self.text), places.collect());
    }
}
