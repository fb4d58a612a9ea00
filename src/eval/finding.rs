//! What the library finds: by its index alone, and by the method that answers questions with it.

use std::collections::BTreeMap;
use std::path::Path;

use crate::core::base::error::Result;
use crate::core::evidence::passage::{PageHash, Reach};
use crate::core::method::adaptive::{Adaptive, AdaptivePlan};
use crate::core::method::strategy::Scope;
use crate::core::question::asking::asking_sentence;
use crate::core::report::Report;
use crate::core::task::Ending;
use crate::core::task::effect::Effect;
use crate::core::task::outcome::{Event, Outcome};
use crate::world::library::Library;

/// Files larger than this are not measured with, in bytes.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// How much is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Normal,
    Large,
}

/// The report on a question, as far as it is measured.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The file of each source, best first.
    pub files: Vec<String>,
    /// The whole passage behind the first source.
    pub first_passage: String,
    /// What is quoted of it.
    pub first_quote: String,
    /// How much of the question the answer holds; nothing if nothing is quoted.
    pub answer_share: Option<f32>,
}

/// A library of one folder.
#[derive(Debug)]
pub struct Index {
    library: Library,
    /// The same without vectors: the index for itself.
    bare: Library,
}

impl Index {
    /// Indexes a folder; everything in it must be readable. With static vectors passages are also ranked by meaning.
    pub fn new(data: &Path, folder: &Path, vectors: Option<&Path>) -> std::result::Result<Self, String> {
        let library = Library::new(data, MAX_FILE_BYTES).with_vectors(vectors.map(Path::to_owned));
        let bare = Library::new(data, MAX_FILE_BYTES);
        let (_, refreshed) = library.add(folder, None, &|| false).map_err(|error| error.to_string())?;
        match refreshed.problems.first() {
            Some(problem) => Err(problem.error.to_string()),
            None => Ok(Self { library, bare }),
        }
    }

    /// The file of each passage that the index finds, best first.
    pub fn search(&self, question: &str, limit: u32) -> std::result::Result<Vec<String>, String> {
        self.files(question, limit, Reach::Words)
    }

    /// The passages that the index finds, best first, as JSON: what orders of them are tried on.
    pub fn passages(&self, question: &str, limit: u32) -> std::result::Result<serde_json::Value, String> {
        let found = self.bare.search_within(question, &[], limit, Reach::Words).map_err(|error| error.to_string())?;
        serde_json::to_value(found).map_err(|error| error.to_string())
    }

    /// The same of its wider search.
    pub fn search_wider(&self, question: &str, limit: u32) -> std::result::Result<Vec<String>, String> {
        self.files(question, limit, Reach::Wide)
    }

    fn files(&self, question: &str, limit: u32, reach: Reach) -> std::result::Result<Vec<String>, String> {
        let found = self.bare.search_within(question, &[], limit, reach).map_err(|error| error.to_string())?;
        match found.problems.first() {
            Some(problem) => Err(problem.error.to_string()),
            None => Ok(found.passages.into_iter().map(|passage| passage.path).collect()),
        }
    }

    /// What `hadal deep-research` without a model answers. The files are indexed already and are not looked at again.
    pub fn report(&self, question: &str, size: Size) -> std::result::Result<Found, String> {
        let scope = match size {
            Size::Normal => Scope::Normal,
            Size::Large => Scope::Large,
        };
        let plan = AdaptivePlan {
            goal: question.to_owned(),
            asking: asking_sentence(question).map(str::to_owned),
            scope: Some(scope),
            answer_first: true,
            ..AdaptivePlan::default()
        };
        let mut method = Adaptive::new(plan);
        let mut passages: BTreeMap<(PageHash, u64), String> = BTreeMap::new();
        let mut event = Event::Begin;
        loop {
            let effects = method.step(event);
            let Some(effect) = effects.into_iter().next_back() else {
                return Err("the method waits for nothing".into());
            };
            let outcome = match &effect {
                Effect::Finish(ending) => return found(ending, &passages),
                other => self.perform(other),
            };
            let outcome = outcome.map_err(|error| error.to_string())?;
            if let Outcome::Found(found) = &outcome {
                let texts = found.passages.iter();
                passages.extend(texts.map(|found| ((found.page.clone(), found.span.start), found.text.clone())));
            }
            event = Event::Done(effect, outcome);
        }
    }

    fn perform(&self, effect: &Effect) -> Result<Outcome> {
        match effect {
            Effect::SearchLibrary { query, roots, limit, reach } => {
                Ok(Outcome::Found(self.library.search_within(query, roots, *limit, *reach)?))
            }
            Effect::ArchivePages { pages } => {
                let pages = pages.iter().map(|page| page.page.clone()).collect();
                Ok(Outcome::Archived { pages, problems: Vec::new() })
            }
            _ => Ok(Outcome::Refreshed(crate::core::task::outcome::Refreshed { unchanged: 1, ..Default::default() })),
        }
    }
}

fn found(ending: &Ending, passages: &BTreeMap<(PageHash, u64), String>) -> std::result::Result<Found, String> {
    let Ending::Completed { report } = ending else { return Err(format!("not completed: {ending:?}")) };
    let Report { sources, claims, .. } = report;
    let file = |location: &String| location.rsplit('/').next().unwrap_or_default().to_owned();
    // The passage that what is quoted of it stands in.
    let first = sources.first().zip(claims.first()).and_then(|(source, claim)| {
        let (page, start) = (source.page.clone()?, claim.span?.start);
        passages.range((page.clone(), 0)..=(page, start)).next_back().map(|(_, text)| text)
    });
    Ok(Found {
        files: sources.iter().map(|source| file(&source.location)).collect(),
        first_passage: first.cloned().unwrap_or_default(),
        answer_share: report.explain.as_ref().and_then(|explain| explain.answer_share),
        first_quote: claims.first().map(|claim| claim.text.clone()).unwrap_or_default(),
    })
}
