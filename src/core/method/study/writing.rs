//! The writing of a study: outline, sections, the mending of what does not hold, the summary.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{self, KnownText};
use super::draft::{self, Judged, Quotes, Repairs};
use super::outline::{self, Section};
use super::wording::wording;
use super::{Phase, Study};
use crate::core::base::limits;
use crate::core::evidence::claim::Verdict;
use crate::core::evidence::place::is_web;
use crate::core::model::chat::{ChatReply, StudyStep};
use crate::core::model::numbered::unescaped;
use crate::core::model::prompt;
use crate::core::model::said::lines;
use crate::core::task::effect::Effect;
use crate::core::text::neutral::{KnownAddresses, neutral};

/// Times a report is mended.
const PASSES: u32 = 2;

impl Study {
    /// Research is over: outlines what there is.
    pub(super) fn begin_writing(&mut self) -> Vec<Effect> {
        self.collect_or_quote();
        if self.bank.notes().is_empty() {
            return self.finish(self.reason());
        }
        let size = self.size(StudyStep::Outline);
        let few = self.bank.notes().len() <= limits::NOTES_PER_SECTION.min(size.whole_notes);
        // A model with a small window writes in parts what another writes in one piece.
        let whole = !self.scale.sections && self.bank.notes().len().min(limits::WHOLE_NOTES) <= size.whole_notes;
        if whole || few {
            self.sections = outline::whole(&self.bank);
            return self.write_sections();
        }
        self.phase = Phase::Outline;
        self.ask_outline()
    }

    pub(super) fn ask_outline(&mut self) -> Vec<Effect> {
        let values = [
            ("brief", self.asked()),
            ("wishes", self.plan.wishes.shown()),
            ("notes", self.claims((0..self.bank.notes().len()).collect())),
            ("sections", limits::STUDY_SECTIONS.to_string()),
            ("language", self.language()),
        ];
        let chat = self.chat(StudyStep::Outline, prompt::STUDY_OUTLINE, &values, limits::OUTLINE_TOKENS);
        match chat.filter(|_| self.stop.is_none()) {
            Some(chat) => vec![self.progress("making the outline".to_owned()), chat],
            None => self.outlined(None),
        }
    }

    /// Takes in what was noted. Where nothing was and pages were read, their best sentences are better than silence.
    pub(super) fn collect_or_quote(&mut self) {
        self.collect();
        if !self.bank.notes().is_empty() {
            return;
        }
        for (at, sub) in self.subs.iter().enumerate() {
            for round in &sub.rounds {
                super::note::by_rule(&sub.question, &round.pages, at).into_iter().for_each(|note| self.bank.add(note));
            }
        }
    }

    pub(super) fn outlined(&mut self, reply: Option<ChatReply>) -> Vec<Effect> {
        let most = self.size(StudyStep::Outline).section_notes;
        let mut read = reply.map(|reply| outline::read(&reply.text, &self.bank, most)).unwrap_or_default();
        let known = self.known_text();
        for section in read.iter_mut().filter(|section| known.is_strange(&section.heading)) {
            // A heading that says what no note does gives way to the sub-question of its notes.
            let sub = section.notes.first().and_then(|at| self.bank.notes().get(*at)).map(|note| note.sub);
            section.heading = sub.and_then(|at| self.subs.get(at)).map(|sub| sub.question.clone()).unwrap_or_default();
        }
        self.sections = if read.is_empty() { self.sections_by_rule() } else { read };
        self.write_sections()
    }

    pub(super) fn sections_by_rule(&self) -> Vec<Section> {
        let subs: Vec<String> = self.subs.iter().map(|sub| sub.question.clone()).collect();
        outline::by_rule(&subs, &self.bank, self.size(StudyStep::Outline).section_notes)
    }

    fn write_sections(&mut self) -> Vec<Effect> {
        self.phase = Phase::Write;
        let asked: Vec<Option<Effect>> = (0..self.sections.len()).map(|at| self.ask_section(at)).collect();
        self.open_sections = asked.iter().flatten().count();
        let mut effects = vec![self.progress(format!("writing {} sections", self.sections.len()))];
        for (at, chat) in asked.into_iter().enumerate() {
            match chat {
                Some(chat) => effects.push(chat),
                None => self.take_section(at, None),
            }
        }
        if self.open_sections == 0 {
            effects.extend(self.mend());
        }
        effects
    }

    pub(super) fn ask_section(&self, at: usize) -> Option<Effect> {
        let section = self.sections.get(at)?;
        let step = StudyStep::Section(u32::try_from(at).ok()?);
        let (notes, language, wishes) = (self.quoted(&section.notes), self.language(), self.plan.wishes.shown());
        if section.heading.is_empty() {
            let values = [
                ("brief", self.asked()),
                ("today", self.plan.today.clone()),
                ("wishes", wishes),
                ("notes", notes),
                ("language", language),
            ];
            return self.chat(step, prompt::STUDY_REPORT, &values, limits::WHOLE_TOKENS);
        }
        let outline: Vec<String> = self.sections.iter().map(|section| format!("- {}", section.heading)).collect();
        let values = [
            ("query", self.with_words(self.brief.question.clone())),
            ("wishes", wishes),
            ("outline", outline.join("\n")),
            ("section", section.heading.clone()),
            ("notes", notes),
            ("language", language),
        ];
        self.chat(step, prompt::STUDY_SECTION, &values, limits::SECTION_TOKENS)
    }

    /// The pages that were noted from: a link may lead there and nowhere else.
    fn known_addresses(&self) -> KnownAddresses {
        let places = self.bank.notes().iter().flat_map(|note| &note.places);
        KnownAddresses::new(places.map(|place| place.facts.location.as_str()))
    }

    /// The language of the report, for a prompt.
    pub(super) fn language(&self) -> String {
        let wanted = self.plan.wishes.language.as_ref().or(self.brief.language.as_ref());
        wanted.cloned().unwrap_or_else(|| "the language of the question".to_owned())
    }

    /// Notes as claims, for an outline.
    fn claims(&self, notes: Vec<usize>) -> String {
        let line = |at: usize| Some(format!("n{}: {}", at + 1, self.bank.notes().get(at)?.claim));
        let claims: Vec<String> = notes.into_iter().filter_map(line).collect();
        self.plan.marks.fence("NOTES", &claims.join("\n"), self.size(StudyStep::Outline).known_chars)
    }

    /// Notes with their quotes, for a writer.
    fn quoted(&self, notes: &[usize]) -> String {
        let size = self.size(StudyStep::Outline);
        let mut shown = String::new();
        for at in notes {
            let Some(note) = self.bank.notes().get(*at) else { continue };
            shown.push_str(&format!("n{}: {}\n", at + 1, note.claim));
            for place in note.places.iter().take(size.quotes) {
                let quote = cut(&unescaped(&place.quote), size.quote_chars);
                let title = cut(&place.facts.title, limits::TITLE_SHOWN_CHARS);
                let location = &place.facts.location;
                let site = if is_web(location) { super::pages::site(location) } else { location.as_str() };
                let date = place.facts.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
                shown.push_str(&format!("    \"{quote}\" ({title}, {site}{date})\n"));
            }
        }
        self.plan.marks.fence("NOTES", shown.trim_end(), size.known_chars)
    }

    pub(super) fn section_written(&mut self, at: u32, reply: Option<ChatReply>) -> Vec<Effect> {
        if self.phase != Phase::Write {
            return Vec::new();
        }
        self.take_section(at as usize, reply);
        self.open_sections = self.open_sections.saturating_sub(1);
        if self.open_sections == 0 { self.mend() } else { Vec::new() }
    }

    fn take_section(&mut self, at: usize, reply: Option<ChatReply>) {
        self.cut |= reply.as_ref().is_some_and(|reply| reply.cut);
        let Some(section) = self.sections.get(at) else { return };
        let text = reply.map(|reply| self.tidied(&reply, &section.heading)).filter(|text| text.contains("[n"));
        if let Some(section) = self.sections.get_mut(at) {
            section.text = text;
        }
    }

    /// A model's words as they may be shown, without a heading that stands above them already.
    fn tidied(&self, reply: &ChatReply, heading: &str) -> String {
        neutral(&draft::tidy(&reply.text, self.bank.notes().len(), heading), &self.known_addresses())
    }

    /// Asks for the sentences that do not hold and for the notes that no sentence uses, section by section.
    fn mend(&mut self) -> Vec<Effect> {
        self.phase = Phase::Mend;
        self.passes += 1;
        if self.passes > PASSES || self.stop.is_some() {
            return self.summarise();
        }
        let asked: Vec<Effect> = (0..self.sections.len()).filter_map(|at| self.ask_patch(at)).collect();
        if asked.is_empty() {
            return self.summarise();
        }
        self.open_sections = asked.len();
        let progress = self.progress(format!("checking the report, pass {}", self.passes));
        std::iter::once(progress).chain(asked).collect()
    }

    /// Every sentence of a section with what is thought of it.
    pub(super) fn judged(&self, section: &Section, text: &str) -> Vec<Judged> {
        let mut wanted: BTreeSet<usize> = section.notes.iter().copied().collect();
        wanted.extend(draft::split(text).iter().flat_map(|sentence| sentence.notes.iter().copied()));
        let quotes = Quotes::of(self.bank.notes(), &wanted);
        draft::judge(text, &quotes, &section.notes)
    }

    pub(super) fn ask_patch(&self, at: usize) -> Option<Effect> {
        let section = self.sections.get(at)?;
        let text = section.text.as_ref()?;
        let judged = self.judged(section, text);
        let mut sentences = Vec::new();
        let mut rest: BTreeSet<usize> = BTreeSet::new();
        for (number, judged) in judged.iter().enumerate().filter(|(_, judged)| is_faulty(judged)) {
            let cited: Vec<String> = judged.sentence.notes.iter().map(|at| format!("[n{}]", at + 1)).collect();
            rest.extend(&judged.sentence.notes);
            let why = judged.reason.as_deref().unwrap_or("its notes do not say this");
            let tried = section.tried.get(&judged.sentence.text);
            let tried = tried.map(|tried| format!("\n    not better: {tried}")).unwrap_or_default();
            sentences.push(format!("S{}: {} {}\n    {why}{tried}", number + 1, judged.sentence.text, cited.concat()));
        }
        let used: BTreeSet<usize> = judged.iter().flat_map(|judged| judged.sentence.notes.iter().copied()).collect();
        let told = |at: &usize| used.iter().any(|known| self.bank.tells_much_of(*known, *at));
        let unused: Vec<usize> = section.notes.iter().filter(|at| !used.contains(at) && !told(at)).copied().collect();
        let offered = if self.passes == 1 { unused } else { Vec::new() };
        if sentences.is_empty() && offered.is_empty() {
            return None;
        }
        // A sentence without a citation may rest on any note of its section.
        if judged.iter().any(|judged| is_faulty(judged) && judged.sentence.notes.is_empty()) {
            rest.extend(&section.notes);
        }
        rest.extend(&offered);
        let none = || "None.".to_owned();
        let unused: Vec<String> = offered.iter().map(|at| format!("n{}", at + 1)).collect();
        let values = [
            ("query", self.with_words(self.brief.question.clone())),
            (
                "sentences",
                if sentences.is_empty() {
                    none()
                } else {
                    self.plan.marks.fence(
                        "SENTENCES",
                        &sentences.join("\n"),
                        self.size(StudyStep::Outline).known_chars / 2,
                    )
                },
            ),
            ("unused", if unused.is_empty() { none() } else { unused.join(" ") }),
            ("notes", self.quoted(&rest.into_iter().collect::<Vec<_>>())),
            ("language", self.language()),
        ];
        let step = StudyStep::Patch { section: u32::try_from(at).ok()?, pass: self.passes };
        self.chat(step, prompt::STUDY_PATCH, &values, limits::PATCH_TOKENS)
    }

    pub(super) fn mended(&mut self, at: u32, reply: Option<ChatReply>) -> Vec<Effect> {
        if self.phase != Phase::Mend {
            return Vec::new();
        }
        let at = at as usize;
        let notes = self.bank.notes().len();
        if let Some(repairs) = reply.map(|reply| draft::read_repairs(&lines(&reply.text), notes))
            && let Some((section, text)) =
                self.sections.get(at).and_then(|section| Some((section, section.text.as_ref()?)))
        {
            let (mended, tried) = self.repaired(section, text, &repairs);
            // What a model writes only shows, also in a repair.
            let mended = neutral(&mended, &self.known_addresses());
            if let Some(section) = self.sections.get_mut(at) {
                section.text = Some(mended);
                section.tried = tried;
            }
        }
        self.open_sections = self.open_sections.saturating_sub(1);
        if self.open_sections == 0 { self.mend() } else { Vec::new() }
    }

    /// The section with those repairs that are better than what they replace, and the others by the sentence they were for.
    fn repaired(&self, section: &Section, text: &str, repairs: &Repairs) -> (String, BTreeMap<String, String>) {
        let mut tried = BTreeMap::new();
        let judged = self.judged(section, text);
        let rank = |new: &str| self.judged(section, new).iter().map(|judged| draft::rank(judged.verdict)).min();
        let mut changes = BTreeMap::new();
        for (number, old) in judged.iter().enumerate().filter(|(_, judged)| is_faulty(judged)) {
            let Some(new) = repairs.sentences.get(&number) else { continue };
            let better = new.is_empty() || rank(new).is_some_and(|new| new > draft::rank(old.verdict));
            if better {
                changes.insert(number, new.clone());
            } else {
                tried.insert(old.sentence.text.clone(), new.clone());
            }
        }
        let sentences: Vec<_> = judged.into_iter().map(|judged| judged.sentence).collect();
        let mut mended = draft::replace(text, &changes, &sentences);
        let holds = |new: &&String| rank(new).is_some_and(|rank| rank > 0);
        for new in repairs.added.iter().filter(holds).take(limits::NOTES_PER_ROUND) {
            mended = draft::insert(&mended, new);
        }
        (mended, tried)
    }

    /// What still does not hold is taken out, what holds in part is marked; what a note bears out and nobody cited is cited.
    pub(super) fn settle(&mut self) {
        self.settled = true;
        let known = self.known_text();
        let settled: Vec<Option<String>> = self.sections.iter().map(|section| self.settled(section, &known)).collect();
        for (section, text) in self.sections.iter_mut().zip(settled) {
            section.text = text.filter(|text| text.contains("[n"));
        }
        self.cite_more();
    }

    /// What headings and code may say.
    fn known_text(&self) -> KnownText {
        KnownText::new(self.bank.notes(), &self.brief.shown(&self.plan.question))
    }

    fn settled(&self, section: &Section, known: &KnownText) -> Option<String> {
        let text = section.text.as_ref()?;
        let judged = self.judged(section, text);
        let mut changes = BTreeMap::new();
        for (number, judged) in judged.iter().enumerate() {
            let sentence = &judged.sentence;
            let raw = text.get(sentence.range.clone()).unwrap_or_default();
            if judged.verdict == Verdict::Unsupported {
                changes.insert(number, String::new());
            } else if is_faulty(judged) || judged.doubtful {
                // A check still finds something wrong after it was to be mended.
                changes.insert(number, draft::doubted(raw));
            } else if sentence.notes.is_empty() {
                let cited = draft::cited_by(&sentence.text, self.bank.notes(), &section.notes);
                changes.extend(cited.map(|at| (number, draft::with_citation(raw, at))));
            }
        }
        let sentences: Vec<_> = judged.into_iter().map(|judged| judged.sentence).collect();
        let text = draft::replace(text, &changes, &sentences);
        Some(blocks::settle(&text, known, wording(&self.language()).unchecked))
    }

    fn summarise(&mut self) -> Vec<Effect> {
        self.settle();
        let wanted = self.scale.sections && self.sections.len() > 1 && self.stop.is_none();
        if !wanted || self.sections.iter().all(|section| section.text.is_none()) {
            return self.finish(self.reason());
        }
        self.phase = Phase::Summary;
        self.ask_summary()
    }

    pub(super) fn ask_summary(&mut self) -> Vec<Effect> {
        let text: Vec<String> = self
            .sections
            .iter()
            .filter_map(|section| Some(format!("## {}\n\n{}", section.heading, section.text.as_ref()?)))
            .collect();
        let values = [
            ("query", self.with_words(self.plan.question.clone())),
            ("wishes", self.plan.wishes.shown()),
            ("report", self.plan.marks.fence("REPORT", &text.join("\n\n"), self.size(StudyStep::Summary).known_chars)),
            ("language", self.language()),
        ];
        match self.chat(StudyStep::Summary, prompt::STUDY_SUMMARY, &values, limits::SUMMARY_TOKENS) {
            Some(chat) => vec![self.progress("summing up".to_owned()), chat],
            None => self.finish(self.reason()),
        }
    }

    pub(super) fn summarised(&mut self, reply: Option<ChatReply>) -> Vec<Effect> {
        if let Some(reply) = reply {
            let all = Section { text: Some(self.tidied(&reply, "Summary")), ..Section::default() };
            self.summary = self.settled(&all, &self.known_text()).filter(|text| text.contains("[n"));
        }
        self.finish(self.reason())
    }
}

/// Whether a sentence is to be mended: it does not hold, or something in it is plainly another way.
fn is_faulty(judged: &Judged) -> bool {
    match judged.verdict {
        Verdict::Unsupported => true,
        Verdict::Partial => judged.reason.is_some(),
        Verdict::Supported | Verdict::Unreachable | Verdict::NotVisited | Verdict::Uncited | Verdict::Quoted => false,
    }
}

/// A text on one line, cut at a word.
fn cut(text: &str, most: usize) -> String {
    let mut kept = String::new();
    for word in text.split_whitespace() {
        if kept.len() + word.len() >= most && !kept.is_empty() {
            kept.push_str(" …");
            break;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    kept
}
