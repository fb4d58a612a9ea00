//! Whether the figure that is asked for stands in what is quoted, or is that of another thing.

use super::{AskedQuestion, NAME, NUMBER, OF_KIND, Wants, part};
use crate::core::base::rows::is_listed;
use crate::core::language::fold::folded;
use crate::core::language::identifiers::with_parts;
use crate::core::language::words::{places, words};
use crate::core::question::figures::{FigureFound, is_number};

/// Words that a paragraph begins with which goes on about what was named before, in lower case.
const POINTING: &str = "ce ces cette dies diese dieser dieses elle elles er es he his il ils it its she sie that their these they this those";

impl AskedQuestion {
    /// Whether a figure is asked for that does not stand in what is quoted of a passage. What a paragraph says that has no word of the question is of
    /// something else, unless it names such a figure. `around` is what is shown with the quote.
    pub(in crate::core::report) fn lacks_figure(&self, around: &[&str], quote: &str, passage: &str) -> bool {
        let Some(figure) = &self.figure else { return false };
        let is_own = |paragraph: &&str| self.has_words_in(paragraph) || figure.is_named_in(paragraph);
        let mut shown: Vec<&str> = quote.split("\n\n").filter(is_own).collect();
        if shown.is_empty() {
            shown.push(quote);
        }
        shown.extend(around);
        let mut all = shown.clone();
        // How heavy KB-12 is, is not told by what another paragraph says of the loader.
        let is_of_one = figure.is_measure()
            && self.designated().any(|(one, _)| one.is_in(quote) && !around.iter().any(|text| one.is_in(text)));
        if is_of_one {
            let goes_on = |paragraph: &str| words(paragraph).next().is_some_and(|first| is_listed(POINTING, &first));
            all.extend(passage.split("\n\n").filter(|paragraph| is_own(paragraph) || goes_on(paragraph)));
        } else {
            all.push(passage);
        }
        figure.is_lacking(&shown, &all)
    }

    /// Whether a heading tells the time or the version that is asked for, and what is quoted from below it does not.
    pub(in crate::core::report) fn is_told_by_heading(&self, heading: &str, quote: &str) -> bool {
        let tells = |text: &str| {
            let has_number = || self.new_words(text).any(|word| word.contains(|c: char| c.is_ascii_digit()));
            self.saying.is_time_told(text) || (self.saying.asks_version() && has_number())
        };
        tells(heading) && !tells(quote)
    }

    /// The words of a text that the question does not have.
    fn new_words<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let is_new = |word: &&str| !with_parts(word).any(|part| self.stems.of_word(&part).next().is_some());
        places(text).map(move |place| part(text, &place)).filter(is_new)
    }

    /// What a sentence has of the kind of thing that is asked for, beside the words of the question.
    pub(super) fn fitting(&self, sentence: &str) -> f32 {
        let new = || self.new_words(sentence);
        let saying = if self.saying.is_in(sentence) { NUMBER } else { 0.0 };
        saying
            + match self.wants {
                Wants::Number if new().any(|word| is_number(&word.to_lowercase())) => {
                    NUMBER + self.asked_figure(sentence)
                }
                Wants::Name if new().filter(|word| word.starts_with(char::is_uppercase)).count() > 1 => NAME,
                Wants::Number | Wants::Name | Wants::Anything => 0.0,
            }
    }

    /// What it adds that the number of a sentence is of the kind that is asked for; the word that asks for it counts beside it as one of the
    /// others does: `87 metres high`.
    fn asked_figure(&self, sentence: &str) -> f32 {
        let said: Vec<String> = words(sentence).collect();
        let is_measure = |word: &String| self.measures.contains(&folded(word));
        match self.figure.as_ref().map(|figure| figure.found_in(&said)) {
            Some(FigureFound::Asked) if said.iter().any(is_measure) => OF_KIND + self.usual_weight(),
            Some(FigureFound::Asked) => OF_KIND,
            None if said.iter().any(is_measure) => self.usual_weight(),
            Some(_) | None => 0.0,
        }
    }

    /// What a word of the question weighs in the mean, but for those that weigh nothing.
    fn usual_weight(&self) -> f32 {
        let count = self.words.iter().filter(|asked| asked.weight > 0.0).count();
        self.weight(0..self.words.len()) / f32::from(u16::try_from(count.max(1)).unwrap_or(u16::MAX))
    }
}
