//! What a finished task leaves to the study that goes on from it: its notes with their quotes, and its pages, which are read first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::note::{Note, QuotePlace};
use super::sub::Sub;
use super::{Phase, Study};
use crate::core::base::limits;
use crate::core::evidence::claim::{Claim, Verdict};
use crate::core::evidence::excerpt::{PageFacts, WantedPage};
use crate::core::evidence::passage::PageHash;
use crate::core::evidence::place::is_web;
use crate::core::report::{Report, Source};
use crate::core::task::effect::Effect;
use crate::core::text::format::text_lines_of;
use crate::core::text::spans::{PlaceInFile, Span, TextLines, Unit};

/// What is known from a task that is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known {
    /// What it was asked.
    pub(crate) question: String,
    pub(crate) notes: Vec<KnownNote>,
    /// Its pages: from the archive, or of the web where it kept none.
    pub(crate) pages: Vec<WantedPage>,
}

/// A statement of its report, with the words of an archived page that bear it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KnownNote {
    claim: String,
    quote: String,
    /// The quote with what stands around it.
    around: String,
    facts: PageFacts,
    span: Span,
    lines: PlaceInFile,
}

/// Bytes on each side of a quote that are looked at with it.
const AROUND_BYTES: usize = 500;

impl Known {
    /// What a report rests on, as far as `may_show` lets its place be shown, and whether something was left out for that.
    pub(crate) fn of(
        question: &str,
        report: &Report,
        texts: &BTreeMap<PageHash, String>,
        may_show: impl Fn(&str) -> bool,
    ) -> (Self, bool) {
        let (shown, hidden): (Vec<&Source>, Vec<&Source>) =
            report.sources.iter().filter(|source| !source.claimed).partition(|source| may_show(&source.location));
        let note = |claim: &Claim| {
            let source = shown.iter().find(|source| source.number == claim.source)?;
            KnownNote::of(claim, source, texts.get(source.page.as_ref()?)?)
        };
        let notes = report.claims.iter().filter_map(note).take(limits::KNOWN_NOTES).collect();
        let wanted = |source: &&Source| match &source.page {
            Some(page) if texts.contains_key(page) => Some(WantedPage::Archived(facts(source, page))),
            _ => is_web(&source.location).then(|| WantedPage::Web { url: source.location.clone() }),
        };
        let pages = shown.iter().filter_map(wanted).take(limits::KNOWN_PAGES).collect();
        (Self { question: question.to_owned(), notes, pages }, !hidden.is_empty())
    }

    /// The archived pages that it rests on.
    pub(crate) fn archived(&self) -> impl Iterator<Item = &PageHash> {
        let pages = self.pages.iter().filter_map(|page| match page {
            WantedPage::Archived(facts) => Some(&facts.hash),
            WantedPage::Web { .. } | WantedPage::Library(_) => None,
        });
        pages.chain(self.notes.iter().map(|note| &note.facts.hash))
    }
}

/// Whether each line of a document's text is one of its file.
fn counts_lines(location: &str) -> bool {
    text_lines_of(location) == TextLines::Own
}

fn facts(source: &Source, page: &PageHash) -> PageFacts {
    PageFacts {
        location: source.location.clone(),
        asked: None,
        title: source.title.clone(),
        hash: page.clone(),
        date: None,
        author: None,
    }
}

impl KnownNote {
    fn of(claim: &Claim, source: &Source, text: &str) -> Option<Self> {
        let span = claim.span.filter(|_| matches!(claim.verdict, Verdict::Supported | Verdict::Partial))?;
        let (start, end) = (usize::try_from(span.start).ok()?, usize::try_from(span.end).ok()?);
        let quote = text.get(start..end).filter(|quote| quote.len() <= limits::KNOWN_QUOTE_BYTES)?;
        let from = text.floor_char_boundary(start.saturating_sub(AROUND_BYTES));
        let to = text.ceil_char_boundary((end + AROUND_BYTES).min(text.len()));
        let line = |at: usize| u32::try_from(text.get(..at).unwrap_or_default().matches('\n').count() + 1).ok();
        Some(Self {
            claim: claim.text.chars().take(limits::NOTE_CHARS).collect(),
            quote: quote.to_owned(),
            around: format!("{}.\n\n{}", source.title, text.get(from..to)?),
            facts: facts(source, source.page.as_ref()?),
            span,
            // Where lines of the text are none of the file's, all that is known is where its source was quoted from.
            lines: match &source.lines {
                Some(counted) if counted.unit != Unit::Line || !counts_lines(&source.location) => counted.clone(),
                Some(_) | None => PlaceInFile::lines(line(start)?, line(end)?),
            },
        })
    }

    fn note(&self) -> Note {
        let Self { claim, quote, around, facts, span, lines } = self.clone();
        Note { claim, places: vec![QuotePlace { quote, facts, span, lines, around }], sub: 0 }
    }
}

impl Study {
    /// Takes in what an earlier task noted.
    pub(super) fn know(&mut self) {
        let Some(known) = &self.plan.course.known else { return };
        // The pages of the earlier task are a round of their own.
        self.scale.subs += 1;
        self.scale.all_rounds += 1;
        let notes: Vec<Note> = known.notes.iter().map(KnownNote::note).collect();
        notes.into_iter().for_each(|note| self.bank.add(note));
    }

    /// Reads the pages of the earlier task, if there are any that were not read: the first sub-question is the question itself.
    pub(super) fn recall(&mut self) -> Option<Vec<Effect>> {
        let known = self.plan.course.known.as_ref().filter(|known| !known.pages.is_empty() && self.subs.is_empty())?;
        let sub = Sub::of_known(self.brief.question.clone(), known.pages.clone());
        self.subs.push(sub);
        self.phase = Phase::Research;
        let progress = self.progress(format!("reading {} pages of the earlier research", known.pages.len()));
        Some(std::iter::once(progress).chain(self.advance()).collect())
    }

    /// Whether only what an earlier task left was looked at so far.
    pub(super) fn is_recalling(&self) -> bool {
        self.plan.course.known.is_some() && self.subs.len() == 1 && self.wave == 0 && !self.looked_further
    }

    /// The pages of the earlier task were read: writes the answer if they have it, and researches what is missing if not.
    pub(super) fn recalled(&mut self) -> Vec<Effect> {
        self.looked_further = true;
        self.collect();
        let answered = self.subs.first().is_some_and(|sub| sub.answered) && !self.bank.notes().is_empty();
        if answered && !self.plan.course.plan_only {
            return self.begin_writing();
        }
        self.phase = Phase::Scout;
        self.scouted()
    }

    /// What the earlier task found and what it leaves open, for the one who plans.
    pub(super) fn known_before(&self) -> Vec<String> {
        if self.plan.course.known.is_none() {
            return Vec::new();
        }
        let claims = self.bank.notes().iter().map(|note| format!("- {}", note.claim));
        let known: Vec<String> = claims.take(limits::KNOWN_NOTES).collect();
        let open = self.subs.first().and_then(|sub| sub.open.as_ref()).map(|open| format!("Still open: {open}"));
        let known = (!known.is_empty()).then(|| format!("Known from an earlier research:\n{}", known.join("\n")));
        known.into_iter().chain(open).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::report::StopReason;

    /// ST-03: notes are what the archive bears out; pages that were not kept are read anew; what may not be shown is left out.
    #[test]
    fn st_03_what_a_report_leaves() {
        let text = "# Lark\n\nThe Lark engine was built in 1931.\n";
        let hash = PageHash("h".into());
        let source = |number, location: &str, page: Option<&PageHash>| Source {
            page: page.cloned(),
            ..Source::link(number, "Lark".into(), location.into())
        };
        let claim = |source, verdict| Claim {
            text: "The engine is of 1931.".into(),
            source,
            verdict,
            span: Some(Span { start: 8, end: 42 }),
        };
        let mut report = Report::new(String::new(), StopReason::GoodEnough);
        report.sources = vec![
            source(1, "https://a.test/lark", Some(&hash)),
            source(2, "https://b.test/", None),
            source(3, "/home/me/diary.md", Some(&hash)),
            Source { claimed: true, ..source(4, "https://made.up/", None) },
        ];
        report.claims =
            vec![claim(1, Verdict::Supported), claim(1, Verdict::Unsupported), claim(3, Verdict::Supported)];
        let texts = BTreeMap::from([(hash.clone(), text.to_owned())]);
        let (known, hidden) = Known::of("q", &report, &texts, is_web);
        assert!(hidden);
        assert_eq!(known.notes.len(), 1);
        assert_eq!(
            (known.notes[0].quote.as_str(), known.notes[0].lines.clone()),
            (text.get(8..42).unwrap(), PlaceInFile::lines(3, 3))
        );
        assert!(
            matches!(&known.pages[..], [WantedPage::Archived(a), WantedPage::Web { url }] if a.hash == hash && url == "https://b.test/")
        );
        let (all, hidden) = Known::of("q", &report, &texts, |_| true);
        assert_eq!((all.notes.len(), all.pages.len(), hidden), (2, 3, false));
    }

    /// ST-03: lines of a text are counted only where they are those of its file.
    #[test]
    fn st_03_what_is_known_stands_in_lines_of_its_file() {
        let text = "# Lark\n\nThe Lark engine was built in 1931.\n";
        for (location, cited, want) in [
            ("/home/me/lark.md", PlaceInFile::lines(1, 9), PlaceInFile::lines(3, 3)),
            ("/home/me/lark.unknown", PlaceInFile::lines(1, 9), PlaceInFile::lines(3, 3)),
            ("/home/me/lark.html", PlaceInFile::lines(12, 14), PlaceInFile::lines(12, 14)),
            ("/home/me/old.zip!in/lark.html", PlaceInFile::lines(12, 14), PlaceInFile::lines(12, 14)),
            ("/home/me/lark.csv", PlaceInFile::lines(12, 12), PlaceInFile::lines(12, 12)),
            ("/home/me/lark.ics", PlaceInFile::lines(12, 19), PlaceInFile::lines(12, 19)),
            ("/home/me/lark.pdf", PlaceInFile::of(Unit::Page, 2, 2), PlaceInFile::of(Unit::Page, 2, 2)),
        ] {
            let source = Source {
                page: Some(PageHash("h".into())),
                lines: Some(cited),
                ..Source::link(1, "Lark".into(), location.into())
            };
            let span = Some(Span { start: 8, end: 42 });
            let claim = Claim { text: "It is of 1931.".into(), source: 1, verdict: Verdict::Supported, span };
            assert_eq!(KnownNote::of(&claim, &source, text).unwrap().lines, want, "{location}");
        }
    }
}
