//! What works here and what does not: the facts for the ladder of engines, and the checks of `hadal doctor`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Engine;
use crate::core::base::error::Result;
use crate::core::method::adaptive::Writer;
use crate::core::method::rounds::{Kind, Prompts};
use crate::core::model::chat::Model;
use crate::core::model::prompt::{self, Marks};
use crate::core::setup::ladder::Facts;
use crate::core::setup::settings::Settings;
use crate::world::gemini_cli::sweep;
use crate::world::notify::Desktop;
use crate::world::{blocking, files, machine, prompts, random, store};

/// What was found out about this installation.
#[derive(Clone, Debug)]
pub(crate) struct Examination {
    pub(crate) facts: Facts,
    /// The Gemini CLI, if it is on the search path.
    pub(crate) gemini_cli: Option<PathBuf>,
    /// Whether files can be made in the data directory.
    pub(crate) data_dir: Result<()>,
    /// The kind of file system the data directory is on, when SQLite should not be there.
    pub(crate) shared_file_system: Option<&'static str>,
    /// Whether the database can be opened and is sound.
    pub(crate) store: Result<()>,
    /// The registered library roots.
    pub(crate) library: Result<usize>,
    pub(crate) sqlite: &'static str,
    /// Whether a desktop can be told anything, as far as can be seen without trying.
    pub(crate) session_bus: bool,
}

/// Whether chat models are looked for, which asks the machine for those that run on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelLookup {
    Wanted,
    LeftOut,
}

impl Engine {
    /// The facts by which the engine of a task is chosen. `named_roots` are those the call itself names; without
    /// any, the registered ones count.
    pub(crate) async fn facts(&self, settings: &Settings, named_roots: usize, models: ModelLookup) -> Result<Facts> {
        let library_roots = if named_roots > 0 { named_roots } else { self.count_library().await? };
        let gemini_cli = self.find_gemini().await?.is_some();
        let models = match models {
            ModelLookup::Wanted => self.chat_models().await,
            ModelLookup::LeftOut => Vec::new(),
        };
        Ok(self.facts_of(settings, gemini_cli, library_roots, &models))
    }

    fn facts_of(&self, settings: &Settings, gemini_cli: bool, library_roots: usize, models: &[Model]) -> Facts {
        Facts {
            gemini_cli,
            gemini_api_key: settings.gemini_api_key.is_some(),
            library_roots,
            near: models.iter().chain(&settings.models.noting()).all(|model| self.inner.models.is_near(model)),
            models: models.iter().map(ToString::to_string).collect(),
            search: !settings.search.active().is_empty(),
            web: false,
            web_allowed: settings.web,
            documents: false,
            deep: false,
            study: false,
        }
    }

    /// Looking at the disk is kept off the async threads.
    async fn find_gemini(&self) -> Result<Option<PathBuf>> {
        let gemini = self.inner.gemini.clone();
        blocking("looking for Gemini CLI", move || Ok(gemini.find())).await
    }

    /// The prompt templates of a kind of call.
    pub(crate) async fn prompts(&self, kind: Kind) -> Result<Prompts> {
        let config_dir = self.inner.settings.config_dir.clone();
        let load = move || {
            let first = match kind {
                Kind::Search => prompt::SEARCH,
                Kind::DeepSearch | Kind::Research => prompt::DEEP_SEARCH,
            };
            let load = |name| prompts::load(&config_dir, name);
            Ok(Prompts { first: load(first)?, verify: load(prompt::VERIFY)?, correction: load(prompt::CORRECTION)? })
        };
        blocking("loading prompts", load).await
    }

    /// Marks for the prompts of one task.
    pub(crate) fn marks(&self) -> Marks {
        Marks::drawn(random::bits64())
    }

    /// Who writes what the engine `native` finds, with the templates of today.
    pub(crate) async fn writer(&self, models: Vec<String>) -> Result<Writer> {
        let config_dir = self.inner.settings.config_dir.clone();
        blocking("loading prompts", move || {
            let load = |name| prompts::load(&config_dir, name);
            Ok(Writer { models, answer: load(prompt::ANSWER)?, queries: load(prompt::QUERIES)? })
        })
        .await
    }

    /// The user's own templates for a study; what hadal ships is not written into tasks.
    pub(crate) async fn study_prompts(&self) -> Result<BTreeMap<String, String>> {
        let config_dir = self.inner.settings.config_dir.clone();
        blocking("loading prompts", move || {
            let mut own = BTreeMap::new();
            for name in prompt::STUDY {
                let text = prompts::load(&config_dir, name)?;
                if text != prompt::shipped(name) {
                    own.insert(name.to_owned(), text);
                }
            }
            Ok(own)
        })
        .await
    }

    /// Sweeps up the temporary files of processes that crashed, and says how many.
    pub(crate) async fn sweep(&self) {
        let config_dir = self.inner.settings.config_dir.clone();
        // A fault in it is no reason to stop.
        let _ = tokio::task::spawn_blocking(move || sweep(&config_dir)).await;
    }

    /// Looks at everything a task will need. What is broken is part of the answer, not an error.
    pub(crate) async fn examine(&self, settings: &Settings) -> Examination {
        let dir = settings.data_dir.clone();
        let look = move || Ok((files::probe(&dir), machine::shared_file_system(&dir)));
        let looked = blocking("looking at this machine", look).await;
        let (data_dir, shared_file_system) = looked.unwrap_or_else(|error| (Err(error), None));
        let store = self.check_store().await;
        let counted = self.count_library().await;
        let unreadable = self.library_unreadable().await.unwrap_or_default().into_iter().next();
        let library_roots = *counted.as_ref().unwrap_or(&0);
        let library = unreadable.map_or(counted, |problem| Err(problem.error));
        let gemini_cli = self.find_gemini().await.unwrap_or_default();
        let models = self.chat_models().await;
        let facts = self.facts_of(settings, gemini_cli.is_some(), library_roots, &models);
        let sqlite = store::sqlite_version();
        let session_bus = Desktop::new(&settings.gemini_env, &self.inner.gate).is_there();
        Examination { facts, gemini_cli, data_dir, shared_file_system, store, library, sqlite, session_bus }
    }
}
