//! Which method an engine does a call with.

use crate::core::base::dates;
use crate::core::base::engine::EngineName;
use crate::core::base::error::Result;
use crate::core::method::rounds::{self, Kind};
use crate::core::method::strategy::Scope;
use crate::core::method::{Plan, adaptive, study};
use crate::core::model::ask::Native;
use crate::core::model::chat::{Host, Model};
use crate::core::money::usage::Usd;
use crate::core::money::{budget, price};
use crate::core::report::explain::Level;
use crate::core::setup::ladder::{EngineSetting, Facts};
use crate::core::web::search::Provider;
use crate::engine;
use crate::surface::app::App;

/// A call that some engine is to do.
pub(super) struct Call {
    pub(super) kind: Kind,
    pub(super) max_rounds: u32,
    /// The engine that was asked for, not yet the one that does it.
    pub(super) asked: EngineSetting,
    /// What the call may cost.
    pub(super) cost_cap: Option<Usd>,
    /// What the engine that reads local documents would do.
    pub(super) local: adaptive::AdaptivePlan,
    /// What the reader of the report wants.
    pub(super) wishes: study::Wishes,
    /// Where a study of it begins and ends.
    pub(super) course: study::Course,
    /// Something that is known already is not shown to the models.
    pub(super) left_out: bool,
}

impl App {
    /// The method and its inputs, by the engine that was chosen.
    pub(super) async fn plan(&self, engine: EngineName, mut call: Call, facts: &Facts) -> Result<Plan> {
        let marks = self.engine.marks();
        call.local.marks = marks.clone();
        // A plan says with its web that the web is searched; so far it only says how.
        let sought = call.local.web.take();
        let web = self.web(&call.local.goal, sought);
        // AS-03: what the context answers costs nothing, whoever would have been asked.
        if call.local.strategy().level == Level::None {
            return Ok(Plan::Adaptive(call.local));
        }
        // A pinned engine never gives way. Registered documents are the last rung, for the case that nobody can search the web.
        let documents = (call.asked == EngineSetting::Auto && facts.library_roots > 0).then(|| call.local.clone());
        call.local.next = documents.map(Box::new);
        let api = engine == EngineName::GeminiApi;
        let api_model = Some(self.settings.hosted.model.clone());
        // Where Google refuses, its chat models do too.
        let google = |model: &&String| Model::parse(model, false).host == Host::Gemini;
        // A rung that the cap cannot hold for is left out; the engine that does the call is refused.
        let in_reach = |model: &&String| call.cost_cap.is_none() || Model::parse(model, false).has_price();
        let others: Vec<String> =
            facts.models.iter().filter(|model| !google(model) && in_reach(model)).cloned().collect();
        self.admit_models(engine, call.cost_cap, facts)?;
        match engine {
            EngineName::GeminiCli | EngineName::GeminiApi => Ok(Plan::Rounds(rounds::RoundsPlan {
                evidence: self.settings.evidence,
                engine,
                kind: call.kind,
                query: rounds::RoundsPlan::question(&call.local.goal, call.local.context.as_deref(), &marks),
                marks,
                max_rounds: call.max_rounds,
                model: if api { api_model.clone() } else { self.settings.gemini_model.clone() },
                correction_model: if api { api_model.clone() } else { self.settings.gemini_correction_model.clone() },
                // A pinned engine never gives way.
                api_model: api_model
                    .filter(|_| !api && call.asked == EngineSetting::Auto && facts.gemini_api_key)
                    .filter(|model| call.cost_cap.is_none() || price::is_known(model)),
                native: None,
                given: call.local.given.clone(),
                prompts: self.engine.prompts(call.kind).await?,
                fallback: match call.asked {
                    EngineSetting::Auto if facts.search && !others.is_empty() => {
                        Some(self.native(call.local, web, others).await?)
                    }
                    EngineSetting::Auto => call.local.next.map(|documents| *documents),
                    EngineSetting::Pinned(_) => None,
                },
            })),
            EngineName::Native if call.kind == Kind::DeepSearch => self.native_rounds(call, web, facts).await,
            EngineName::Native => Ok(Plan::Study(self.study(call, web, facts).await?)),
            // Nothing goes to the network unless the call says so, or there is nothing else that could be searched.
            EngineName::Extractive if facts.searches_web() => {
                let web = adaptive::Web { unasked: !facts.web, ..web };
                Ok(Plan::Adaptive(adaptive::AdaptivePlan { web: Some(web), ..call.local }))
            }
            EngineName::Extractive => Ok(Plan::Adaptive(adaptive::AdaptivePlan { next: None, ..call.local })),
        }
    }

    /// Refuses a cap in dollars for models of which nobody knows what they cost.
    fn admit_models(&self, engine: EngineName, cap: Option<Usd>, facts: &Facts) -> Result<()> {
        let readers = self.readers();
        let without_price: Vec<&str> = match engine {
            EngineName::Native => facts
                .models
                .iter()
                .chain(&readers)
                .filter(|model| !Model::parse(model, false).has_price())
                .map(String::as_str)
                .collect(),
            EngineName::GeminiApi => {
                Some(&*self.settings.hosted.model).filter(|model| !price::is_known(model)).into_iter().collect()
            }
            // The program tells no prices, and its report says that the cap did nothing; extracts ask no model.
            EngineName::GeminiCli | EngineName::Extractive => Vec::new(),
        };
        budget::admit_models(cap, &without_price)
    }

    /// A draft and its verification, each from pages that were searched and read for it. What a weak model makes of it may be nothing; then
    /// the adaptive search goes on.
    async fn native_rounds(&self, call: Call, web: adaptive::Web, facts: &Facts) -> Result<Plan> {
        let query = call.local.goal.clone();
        let native = Native { query: query.clone(), models: facts.models.clone(), providers: web.providers.clone() };
        Ok(Plan::Rounds(rounds::RoundsPlan {
            evidence: self.settings.evidence,
            engine: EngineName::Native,
            kind: call.kind,
            query,
            max_rounds: call.max_rounds,
            model: None,
            correction_model: None,
            api_model: None,
            native: Some(native),
            marks: call.local.marks.clone(),
            given: call.local.given.clone(),
            prompts: self.engine.prompts(call.kind).await?,
            fallback: Some(self.native(call.local, web, facts.models.clone()).await?),
        }))
    }

    /// Who takes the notes of a study, where that is somebody else than who writes.
    fn readers(&self) -> Vec<String> {
        self.settings.models.noting().iter().map(ToString::to_string).collect()
    }

    /// What the documents of a call may be used for.
    pub(super) fn documents<'a>(&self, named: &'a [String], kind: Kind, facts: &Facts) -> study::Documents<'a> {
        // A quick search is one of the web.
        let registered = named.is_empty() && facts.library_roots > 0 && kind != Kind::Search;
        study::Documents { named, registered, to_model: self.settings.library_to_model, near: facts.near }
    }

    /// A study by chat models. Documents that the call names are read and shown to them; then the web is asked only if the call says so. Those that
    /// are only registered are read beside the web, if they may be shown.
    async fn study(&self, call: Call, web: adaptive::Web, facts: &Facts) -> Result<study::StudyPlan> {
        let local = call.local;
        let named = !local.library.is_empty();
        let documents = self.documents(&local.library, call.kind, facts);
        let library_left_out = call.left_out || documents.are_left_out();
        let keep_private = documents.stay_private(call.course.known.is_some());
        let library = documents.are_read().then(|| local.library.clone());
        // SE-01: one search and a few pages.
        let quick = call.kind == Kind::Search;
        let today = dates::day(engine::now_ms());
        let readers = self.readers();
        let thinking = facts.models.iter().chain(&readers).map(|name| Model::parse(name, false).thinking_tokens());
        Ok(study::StudyPlan {
            question: local.goal,
            scope: if quick { Some(Scope::Normal) } else { local.scope },
            hint: local.hint,
            context: local.context,
            max_attempts: local.max_attempts,
            web: (!named || (facts.web && facts.search)).then_some(web),
            library,
            next: local.next,
            window: self.engine.window(&facts.models).await,
            reader_window: self.engine.window(&readers).await,
            thinking_tokens: thinking.max().unwrap_or(0),
            models: facts.models.clone(),
            readers,
            prompts: self.engine.study_prompts().await?,
            marks: local.marks,
            given: local.given,
            quick,
            today,
            wishes: call.wishes,
            course: call.course,
            library_left_out,
            keep_private,
            goes_further: true,
        })
    }

    /// The same research on the web, written by a chat model.
    async fn native(
        &self,
        local: adaptive::AdaptivePlan,
        web: adaptive::Web,
        models: Vec<String>,
    ) -> Result<adaptive::AdaptivePlan> {
        let writer = self.engine.writer(models).await?;
        Ok(adaptive::AdaptivePlan { web: Some(web), writer: Some(writer), ..local })
    }

    /// How the web is searched for a question. Providers that the user named are all asked; of the others, those of its kind.
    fn web(&self, question: &str, sought: Option<adaptive::Web>) -> adaptive::Web {
        let active = self.settings.search.active();
        let named = self.settings.search.providers.is_some();
        let providers = if named { active } else { Provider::for_question(question, &active) };
        adaptive::Web { providers, ..sought.unwrap_or_default() }
    }
}
