//! Going on from a task that is over: a plan that is approved or edited, or a further question.

use super::app::App;
use super::rounds::Call;
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::limits;
use crate::core::evidence::passage::PageHash;
use crate::core::method::Plan;
use crate::core::method::rounds::Kind;
use crate::core::method::study::{Course, Documents, Earlier, Known, StudyPlan};

impl App {
    pub(super) async fn earlier(&self, id: &str) -> Result<Earlier> {
        let id = TaskId::parse(id)?;
        let (task, ending) = self.engine.ending(id).await?;
        if !task.status.is_final() {
            let message =
                format!("`follow_up_to`: task `{id}` is still running, and only one that is over can be gone on with");
            return Err(task.not_over(message));
        }
        let Some(report) = ending.as_ref().and_then(|ending| ending.report()).cloned() else {
            let message = format!("`follow_up_to`: task `{id}` has no report to go on from");
            return Err(Error::new(Code::ResultNotFound, message).hint("ask the question anew"));
        };
        let inputs = match self.engine.inputs(id).await? {
            Some(Plan::Study(plan)) => Some(plan),
            _ => None,
        };
        Ok(Earlier { task, report, inputs })
    }
}

impl App {
    /// What a task left that may be shown, and whether something may not.
    pub(super) async fn known(&self, earlier: &Earlier, documents: &Documents<'_>) -> Result<(Known, bool)> {
        let pages: Vec<PageHash> = earlier.report.sources.iter().filter_map(|source| source.page.clone()).collect();
        let texts = self.engine.archived(pages.into_iter().take(limits::KNOWN_PAGES * 2)).await?;
        Ok(Known::of(&earlier.task.query, &earlier.report, &texts, |location| documents.may_be_shown(location)))
    }
}

/// What an approved plan was asked for counts, as far as its approval says nothing else. Says whether the web is searched besides documents.
pub(super) fn inherit(call: &mut Call, inputs: StudyPlan) -> bool {
    let both = inputs.web.is_some() && inputs.library.is_some();
    let local = &mut call.local;
    local.scope = local.scope.or(inputs.scope);
    local.hint = local.hint.or(inputs.hint);
    local.max_attempts = local.max_attempts.or(inputs.max_attempts);
    if local.web.as_ref().is_none_or(|web| web.within == Default::default()) {
        local.web = inputs.web.or(local.web.take());
    }
    if local.library.is_empty() {
        local.library = inputs.library.unwrap_or_default();
    }
    local.context = local.context.take().or(inputs.context.filter(|context| !context.is_empty()));
    let wishes = &mut call.wishes;
    wishes.length = wishes.length.or(inputs.wishes.length);
    wishes.language = wishes.language.take().or(inputs.wishes.language);
    wishes.audience = wishes.audience.take().or(inputs.wishes.audience);
    wishes.sources = wishes.sources.or(inputs.wishes.sources);
    if inputs.quick {
        call.kind = Kind::Search;
    }
    both
}

/// Plans and further questions are the work of studies alone.
pub(super) fn only_studies(engine: &EngineChoice, course: &Course) -> Result<()> {
    if !course.is_special() || engine.name == EngineName::Native {
        return Ok(());
    }
    let message = format!("the engine `{}` makes no plans and goes on from no task; `native` does", engine.name.name());
    Err(Error::new(Code::EngineUnavailable, message).hint("set a chat model up, as `hadal doctor` says, or ask anew"))
}
