//! The report of a study: its parts put together, its notes turned into numbered sources, its ledger.

use std::collections::BTreeMap;

use super::bank::Gist;
use super::brief::SubPlan;
use super::draft;
use super::note::{Note, QuotePlace};
use super::outline::Section;
use super::wording::{self, wording};
use super::{Phase, Study, plan_text};
use crate::core::base::limits;
use crate::core::evidence::claim::Claim;
use crate::core::evidence::judge::{Page, Statement, judge};
use crate::core::evidence::place::is_web;
use crate::core::method::arguments::{self, Way};
use crate::core::method::strategy;
use crate::core::report::explain::{Explain, ScoredAttempt};
use crate::core::report::quotes::{self, Written};
use crate::core::report::{Report, Round, Source, StopReason};
use crate::core::task::Ending;
use crate::core::task::effect::Effect;
use crate::core::text::bracketed;
use crate::core::text::quoting::label;

/// Sources that one statement cites.
pub(super) const CITED_TOGETHER: usize = 3;
/// Bytes of a note's number.
const NOTE_BYTES: usize = 8;
/// Of a hundred words of what is open, and of a point of the brief, so many in the notes make it told.
const OPEN_TOLD: usize = 85;
const ITEM_TOLD: usize = 60;
/// Telling words from which a point can be looked for in the notes.
const ITEM_WORDS: usize = 3;
/// Disagreements that are told.
const DISAGREEMENTS: usize = 8;

impl Study {
    pub(super) fn answered_by_context(&self) -> Effect {
        let context = self.plan.context.as_deref().unwrap_or_default();
        let sentences = strategy::answers(context, &self.plan.question).unwrap_or_default();
        let markdown = quotes::from_context(&self.plan.question, &sentences);
        let mut report = self.fill(Written { markdown, ..Written::default() }, StopReason::AnsweredByContext);
        report.note = Some("the context given with the question answers it; nothing was searched".into());
        Effect::Finish(Box::new(Ending::Completed { report }))
    }

    /// The plan as the report of its task.
    pub(super) fn plan_report(&self, subs: &[SubPlan], reason: StopReason) -> Report {
        let markdown = plan_text::shown(&self.brief, subs);
        let mut report = self.fill(Written { markdown, ..Written::default() }, reason);
        report.model = self.model.clone();
        report.note = Some(plan_text::PLAN_NOTE.to_owned());
        report
    }

    /// The report on what there is now.
    pub(super) fn report(&self, reason: StopReason) -> Report {
        if self.phase < Phase::Write {
            let mut ahead = self.clone();
            ahead.collect_or_quote();
            ahead.sections = ahead.sections_by_rule();
            ahead.phase = Phase::Write;
            return ahead.report(reason);
        }
        if !self.settled {
            // It ends before its sentences were checked for the last time.
            let mut ahead = self.clone();
            ahead.settle();
            return ahead.report(reason);
        }
        let by_model = self.sections.iter().any(|section| section.text.is_some());
        let markdown = self.assembled(reason);
        let mut numbers = Numbers { notes: self.bank.notes(), sources: Vec::new() };
        let text = numbers.put_into(&markdown);
        let claims = self.ledger(&markdown, &numbers);
        let sources = numbers.list();
        let nothing = self.bank.notes().is_empty();
        let mut report = self.fill(Written { markdown: text, sources, claims, ..Written::default() }, reason);
        report.model = self.model.clone().filter(|_| by_model);
        report.partial |= self.cut;
        let mut notes: Vec<String> = Vec::new();
        // That nothing was found stands in the report itself.
        if !nothing && !by_model {
            notes.push(
                "No model wrote this report: it is made of the sentences that were noted, word for word.".to_owned(),
            );
        }
        if let Some(refused) = self.refused.filter(|_| !by_model && !nothing) {
            notes.push(format!("No model could be asked within the budget: {}.", refused.in_words()));
        }
        if self.cut {
            notes.push("A part of the model's answer broke off; the report ends there.".to_owned());
        }
        notes.extend(self.too_few_sources(report.sources.len()).filter(|_| !nothing));
        report.note = (!notes.is_empty()).then(|| notes.join(" "));
        report
    }

    /// Why there is nothing to tell. Work that was stopped says nothing about what could have been found.
    fn nothing(&self, reason: StopReason) -> String {
        let pages = self.pages_read();
        let (read, none) = match pages {
            0 if reason.is_stop() => return format!("Nothing was read yet: {}.", reason.in_words()),
            0 => return "Nothing was found that could be read.".to_owned(),
            1 => ("One page was read".to_owned(), "it does not answer"),
            pages => (format!("{pages} pages were read"), "none of them answers"),
        };
        if reason.is_stop() {
            return format!("{read}, and nothing there answers the question yet: {}.", reason.in_words());
        }
        format!("{read}; {none} the question.")
    }

    /// All parts, with notes cited as `[n3]`.
    fn assembled(&self, reason: StopReason) -> String {
        let words = wording(&self.language());
        let mut parts: Vec<String> = Vec::new();
        if self.bank.notes().is_empty() {
            parts.push(self.nothing(reason));
        }
        for assumed in &self.brief.assumptions {
            parts.push(format!("_{}: {}_", words.assumed, label(assumed, limits::LABEL_CHARS)));
        }
        if let Some(summary) = &self.summary {
            parts.push(format!("## {}\n\n{summary}", words.summary));
        }
        for section in &self.sections {
            let text = section.text.clone().unwrap_or_else(|| self.listed(section));
            if section.heading.is_empty() {
                parts.push(text);
            } else {
                parts.push(format!("## {}\n\n{text}", label(&section.heading, limits::HEADING_CHARS)));
            }
        }
        if parts.iter().any(|part| part.contains(draft::DOUBTFUL)) {
            parts.push(format!("_{}: {}_", draft::DOUBTFUL, words.doubtful));
        }
        parts.extend(self.disagreements().map(|list| format!("## {}\n\n{list}", words.disagree)));
        parts.extend(self.not_found().map(|list| format!("## {}\n\n{list}", words.not_found)));
        parts.join("\n\n")
    }

    /// A section without a writer: its notes, one by one.
    fn listed(&self, section: &Section) -> String {
        let line = |at: &usize| {
            let claim = label(&self.bank.notes().get(*at)?.claim, limits::NOTE_CHARS);
            Some(format!("- {}", draft::with_citation(&claim, *at)))
        };
        section.notes.iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }

    fn disagreements(&self) -> Option<String> {
        let shown = |at: usize| {
            let note = self.bank.notes().get(at)?;
            let claim = label(&note.claim, limits::NOTE_CHARS);
            Some(format!("{} [n{}]", claim.trim_end_matches('.'), at + 1))
        };
        let pairs = self.bank.disagreements.iter().take(DISAGREEMENTS);
        let lines: Vec<String> =
            pairs.filter_map(|(a, b)| Some(format!("- {}; {}.", shown(*a)?, shown(*b)?))).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn not_found(&self) -> Option<String> {
        let has_notes = |at: usize| self.bank.notes().iter().any(|note| note.sub == at);
        let without = self.subs.iter().enumerate().filter(|(at, _)| !has_notes(*at)).map(|(_, sub)| &sub.question);
        let open = self.subs.iter().filter_map(|sub| sub.open.as_ref());
        // What its reader said is open after the last round is so, unless another part found nearly all of it.
        let missing = open.filter(|text| !self.bank.speaks_of(text, OPEN_TOLD));
        // Of one or two words nobody can tell by words whether they were told.
        let is_long = |text: &&String| Gist::of(text).size() >= ITEM_WORDS;
        let untold = self.brief.items.iter().filter(is_long).filter(|text| !self.bank.speaks_of(text, ITEM_TOLD));
        let mut lines: Vec<String> = Vec::new();
        let mut said = Gist::default();
        for text in without.chain(missing).chain(untold) {
            // What an item misses was mostly said of a sub-question already, in other words.
            let gist = Gist::of(text);
            if !gist.is_mostly_within(&said) {
                lines.push(format!("- {}", label(&capitalised(text), limits::NOTE_CHARS)));
                said.join(gist);
            }
        }
        (!lines.is_empty() && !self.bank.notes().is_empty()).then(|| lines.join("\n"))
    }

    /// The verdict on each sentence, for each source that it cites.
    fn ledger(&self, markdown: &str, numbers: &Numbers<'_>) -> Vec<Claim> {
        let mut claims = Vec::new();
        let mut pages: BTreeMap<(usize, usize), Page> = BTreeMap::new();
        for sentence in draft::split(markdown) {
            let statement = Statement::new(&sentence.text);
            let mut cited: BTreeMap<u32, Claim> = BTreeMap::new();
            for at in &sentence.notes {
                let Some(note) = self.bank.notes().get(*at) else { continue };
                for (place_at, place) in note.places.iter().take(CITED_TOGETHER).enumerate() {
                    let Some(source) = numbers.of(place) else { continue };
                    let page = pages.entry((*at, place_at)).or_insert_with(|| Page::new(&place.around));
                    let verdict = judge(&statement, page).verdict;
                    let claim = Claim { text: sentence.text.clone(), source, verdict, span: Some(place.span) };
                    let known = cited.entry(source).or_insert_with(|| claim.clone());
                    if draft::rank(verdict) > draft::rank(known.verdict) {
                        *known = claim;
                    }
                }
            }
            claims.extend(cited.into_values());
            if claims.len() >= limits::STUDY_CLAIMS {
                break;
            }
        }
        claims
    }

    fn fill(&self, written: Written, reason: StopReason) -> Report {
        let rounds = self.subs.iter().flat_map(|sub| &sub.rounds).zip(1..).map(|(round, number)| Round {
            round_number: number,
            sources_visited: round.pages.iter().map(|page| page.facts.location.clone()).collect(),
            search_queries: round.queries.clone(),
            intermediate_result_summary: wording::round(round.results, round.pages.len(), round.notes.len()),
            error: round.error.clone(),
        });
        let rounds_made = self.subs.iter().flat_map(|sub| sub.rounds.iter().map(move |round| (sub, round)));
        let attempts = rounds_made.map(|(sub, round)| {
            // A round that reads on searches for nothing.
            let what = if round.queries.is_empty() { sub.question.clone() } else { round.queries.join("; ") };
            ScoredAttempt { query: what.chars().take(limits::LABEL_CHARS).collect(), score: None }
        });
        let explain = Explain {
            strategy: self.strategy,
            attempts: attempts.collect(),
            answer_share: None,
            stopped: self.stopped_because(reason).to_owned(),
        };
        let way = if reason == StopReason::AnsweredByContext { Way::Context } else { self.plan.way() };
        Report {
            sources: written.sources,
            claims: written.claims,
            rounds: rounds.collect(),
            problems: self.problems.listed.clone(),
            problems_beyond: self.problems.beyond,
            strategy: Some(self.strategy.level.name().to_owned()),
            explain: Some(explain),
            evidence: None,
            ignored_arguments: arguments::ignored(&self.plan.given, way),
            ..Report::new(written.markdown, reason)
        }
    }

    fn stopped_because(&self, reason: StopReason) -> &'static str {
        match reason {
            StopReason::GoodEnough => "every sub-question was answered",
            StopReason::MaxAttempts => "all rounds of the study were used",
            StopReason::NothingFound => "nothing was found that answers the question",
            StopReason::DiminishingReturns => "the last rounds brought nothing new",
            StopReason::AnsweredByContext => "the context that came with the question answers it",
            other => other.in_words(),
        }
    }
}

/// Sources in the order in which the report cites them first, one for each page.
struct Numbers<'n> {
    notes: &'n [Note],
    sources: Vec<&'n QuotePlace>,
}

impl<'n> Numbers<'n> {
    /// Turns the notes of a text into numbers of sources.
    fn put_into(&mut self, text: &str) -> String {
        let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
        while let Some((before, after)) = rest.split_once("[n") {
            kept.push_str(before);
            let number =
                bracketed(after, NOTE_BYTES).and_then(|(number, behind)| Some((number.parse::<usize>().ok()?, behind)));
            match number {
                Some((number, behind)) => {
                    let already = last_citations(&kept);
                    for source in self.cite(number).into_iter().filter(|source| !already.contains(source)) {
                        kept.push_str(&format!("[{source}]"));
                    }
                    rest = behind;
                }
                None => {
                    kept.push_str("[n");
                    rest = after;
                }
            }
        }
        kept.push_str(rest);
        kept
    }

    /// The numbers of a note's sources.
    fn cite(&mut self, number: usize) -> Vec<u32> {
        let Some(note) = number.checked_sub(1).and_then(|at| self.notes.get(at)) else { return Vec::new() };
        for place in note.places.iter().take(CITED_TOGETHER) {
            if self.of(place).is_none() {
                self.sources.push(place);
            }
        }
        let mut numbers: Vec<u32> =
            note.places.iter().take(CITED_TOGETHER).filter_map(|place| self.of(place)).collect();
        numbers.dedup();
        numbers
    }

    fn of(&self, place: &QuotePlace) -> Option<u32> {
        let at = self
            .sources
            .iter()
            .position(|known| known.facts.hash == place.facts.hash || known.facts.location == place.facts.location)?;
        u32::try_from(at + 1).ok()
    }

    fn list(&self) -> Vec<Source> {
        let source = |(number, place): (u32, &&QuotePlace)| Source {
            number,
            title: place.facts.title.clone(),
            location: place.facts.location.clone(),
            lines: (!is_web(&place.facts.location)).then(|| place.lines.clone()),
            page: Some(place.facts.hash.clone()),
            claimed: false,
        };
        (1..).zip(&self.sources).map(source).collect()
    }
}

/// The numbers of the citations that a text ends with.
fn last_citations(text: &str) -> Vec<u32> {
    let (mut numbers, mut rest) = (Vec::new(), text);
    while let Some((before, number)) = rest.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        let Ok(number) = number.parse() else { break };
        numbers.push(number);
        rest = before;
    }
    numbers
}

fn capitalised(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default().trim_end_matches([',', ':', ';']);
    if !first.chars().all(char::is_alphabetic) {
        // `shlex.quote` is a name.
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
