//! Going on from a task that is over: a plan that is approved or edited, or a further question.

use std::path::Path;

use super::app::App;
use super::rounds::Call;
use crate::core::base::engine::{EngineChoice, EngineName};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::id::TaskId;
use crate::core::base::{limits, question};
use crate::core::evidence::passage::PageHash;
use crate::core::evidence::place::is_web;
use crate::core::method::Plan;
use crate::core::method::rounds::Kind;
use crate::core::method::study::{Course, Known, StudyPlan, plan_text};
use crate::core::report::Report;
use crate::core::task::TaskView;

/// A task that is over, as another one goes on from it.
pub(super) struct Earlier {
    task: TaskView,
    report: Report,
    /// What it was asked for, if it was a study.
    inputs: Option<StudyPlan>,
}

/// How a call goes on.
pub(super) struct GoingOn {
    pub(super) query: String,
    pub(super) course: Course,
    /// What the earlier call asked for and this one still wants.
    pub(super) inputs: Option<StudyPlan>,
}

impl App {
    pub(super) async fn earlier(&self, id: &str) -> Result<Earlier> {
        let id = TaskId::parse(id)?;
        let (task, ending) = self.engine.ending(id).await?;
        if !task.status.is_final() {
            let message =
                format!("`follow_up_to`: task `{id}` is still running, and only one that is over can be gone on with");
            return Err(Error::new(Code::ResearchNotCompleted, message)
                .hint(format!("wait for it with `hadal results --wait {id}`")));
        }
        let Some(report) = ending.as_ref().and_then(|ending| ending.report()).cloned() else {
            let message = format!("`follow_up_to`: task `{id}` has no report to go on from");
            return Err(Error::new(Code::ResearchNotCompleted, message).hint("ask the question anew"));
        };
        let inputs = match self.engine.inputs(id).await? {
            Some(Plan::Study(plan)) => Some(plan),
            _ => None,
        };
        Ok(Earlier { task, report, inputs })
    }
}

/// Which places may be shown to the models of a call: those of the web, and documents that it allows.
pub(super) struct MayShow<'a> {
    pub(super) all: bool,
    pub(super) named: &'a [String],
}

impl MayShow<'_> {
    fn place(&self, location: &str) -> bool {
        self.all || is_web(location) || self.named.iter().any(|root| Path::new(location).starts_with(root))
    }
}

impl App {
    /// What a task left that may be shown, and whether something may not.
    pub(super) async fn known(&self, earlier: &Earlier, may_show: &MayShow<'_>) -> Result<(Known, bool)> {
        let pages: Vec<PageHash> = earlier.report.sources.iter().filter_map(|source| source.page.clone()).collect();
        let texts = self.engine.archived(pages.into_iter().take(limits::KNOWN_PAGES * 2)).await?;
        Ok(Known::of(&earlier.task.query, &earlier.report, &texts, |location| may_show.place(location)))
    }
}

impl Earlier {
    pub(super) fn is_plan(&self) -> bool {
        self.inputs.as_ref().is_some_and(|plan| plan.course.plan_only)
    }

    /// What becomes of the words of a call that goes on from this task.
    pub(super) fn go_on(&self, said: Option<&str>, course: Course) -> Result<GoingOn> {
        match (&self.inputs, said) {
            (Some(plan), said) if plan.course.plan_only => self.run_plan(plan, said, course),
            (_, Some(said)) => Ok(GoingOn { query: question::check(said)?, course, inputs: None }),
            (_, None) => Err(Error::new(
                Code::InvalidArgument,
                format!("`follow_up_to`: task `{}` has a report and no plan to run; ask it something", self.task.id),
            )),
        }
    }

    /// Nothing said: the plan as it is. A plan: that one. Anything else is said of the plan.
    fn run_plan(&self, plan: &StudyPlan, said: Option<&str>, course: Course) -> Result<GoingOn> {
        let said = said.map(question::check).transpose()?;
        let edited = said.as_deref().is_some_and(|said| plan_text::read(said).is_some());
        let mut course = Course { words: plan.course.words.clone(), ..course };
        match said {
            Some(said) if edited => course.approved = Some(said),
            said => {
                if said.as_ref().is_some_and(|said| said.chars().nth(limits::STEER_CHARS).is_some()) {
                    let most = limits::STEER_CHARS;
                    let message = format!("what is said of a plan may have {most} characters, and this is no plan");
                    return Err(Error::new(Code::InvalidQuery, message)
                        .hint("a sub-question of a plan begins with `###`, as in the plan itself"));
                }
                course.words.extend(said);
                // A plan that is asked for again is made anew, with what was said of the first one.
                course.approved = (!course.plan_only).then(|| self.report.markdown.clone());
            }
        }
        Ok(GoingOn { query: self.task.query.clone(), course, inputs: Some(plan.clone()) })
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
