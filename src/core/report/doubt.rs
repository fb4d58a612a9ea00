//! Why what is quoted first is perhaps no answer: it holds too little of the question, or says it of something else.

use super::conditions::{never_in_one_row, nothing_in_column, only_head_asked};
use super::extracts::{above, best, heading, names, own_path};
use super::fields::{never_in_one_record, nothing_in_field};
use super::quotes::{QuoteInput, words};
use super::replies::only_asks;
use super::siblings::{entry_of_another, told_of_another};
use crate::core::evidence::passage::Passage;
use crate::core::text::attributes::asked_attribute;
use crate::core::text::doers::lacks_doer;
use crate::core::text::weekdays;

/// What is to be thought of the quote that stands first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    /// How much of the question stands in it, 0..1.
    pub(super) share: f32,
    /// Why it is doubted.
    pub(super) why: Option<String>,
}

/// Whether what is quoted first holds too little of the question to be its answer, and what of it is missing there.
pub(super) fn judge(draft: &QuoteInput<'_>, first: &Passage) -> Judged {
    let asked = draft.asked;
    let found = best(asked, first);
    let quote = first.text.get(found.clone()).unwrap_or_default();
    let above = above(first, found.start);
    let around: Vec<&str> = std::iter::once(above.as_str()).chain(names(first)).chain(own_path(asked, first)).collect();
    let told: Vec<&str> = around.iter().copied().chain([quote]).collect();
    let titles: Vec<&str> = names(first).into_iter().chain([first.path.as_str()]).collect();
    let share = asked.share(&told);
    let other = !draft.other_words.is_empty() || asked.is_of_another(&told, &titles, &first.text);
    let scattered = asked.scattered_names(&first.text, &names(first));
    let passage: Vec<&str> = told.iter().copied().chain([first.text.as_str()]).collect();
    let no_figure = asked.lacks_figure(&around, quote, &first.text);
    let weekday = weekdays::asked(draft.goal).filter(|(_, day)| !passage.iter().any(|text| day.is_told_by(text)));
    let missing = || {
        let absent = [&draft.other_words[..], &scattered, &asked.absent_below(&told, &titles)].concat();
        match (absent.is_empty(), no_figure) {
            (false, false) => format!("the nearest passage does not have {}", words(&absent)),
            (false, true) => format!("the nearest passage does not have {}, and no such figure", words(&absent)),
            (true, _) => "the nearest passage has no such figure".to_owned(),
        }
    };
    let not_about = |designation: &str| format!("the nearest sentence is not about {}", words(&[designation]));
    let apart = |apart: [&str; 2]| format!("no row of the nearest table has all of {}", words(&apart));
    let is_little = share < draft.clear_share || other || no_figure || !scattered.is_empty();
    let why = is_little.then(missing);
    let why = why.or_else(|| only_asks(quote).then(|| "the nearest passage asks it, too".to_owned()));
    let why = why.or_else(|| lacks_doer(draft.goal, quote).then(|| "the nearest sentence does not say who".to_owned()));
    let why = why.or_else(|| never_in_one_row(asked, &around, &first.text, found.clone()).map(apart));
    let why = why.or_else(|| {
        let empty = nothing_in_column(asked, &above, quote)?;
        Some(format!("the nearest row has nothing under {}", words(&[empty.as_str()])))
    });
    let why = why.or_else(|| {
        let absent = only_head_asked(asked, &above, &around, quote);
        (!absent.is_empty()).then(|| format!("no row of the nearest table has {}", words(&absent)))
    });
    let why = why.or_else(|| {
        let things = asked.missing_things(&passage)?;
        Some(format!("the nearest passage has no {}", words(&[things])))
    });
    let why = why.or_else(|| {
        let empty = nothing_in_field(asked, &first.path, &first.text)?;
        Some(format!("the nearest entry has nothing under {}", words(&[empty.as_str()])))
    });
    let attribute = asked_attribute(draft.goal);
    let why = why.or_else(|| {
        let missing = asked.missing_all(&attribute, &passage)?;
        Some(format!("the nearest passage does not have {}", words(&[missing])))
    });
    let why = why.or_else(|| {
        let apart = never_in_one_record(asked, &titles, &first.path, &first.text)?;
        Some(format!("no entry of the nearest passage has all of {}", words(&apart)))
    });
    let why = why.or_else(|| weekday.map(|(word, _)| format!("the nearest passage does not have {}", words(&[word]))));
    let why = why.or_else(|| told_of_another(asked, &titles, &first.text, &found).map(not_about));
    let why = why.or_else(|| entry_of_another(asked, heading(first), &first.text).map(not_about));
    Judged { share, why }
}
