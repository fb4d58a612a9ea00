//! How a call goes on from a task that is over: its plan as it is or edited, or a further question.

use super::{Course, StudyPlan, plan_text};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::core::question;
use crate::core::report::Report;
use crate::core::task::TaskView;

/// A task that is over, as another one goes on from it.
pub(crate) struct Earlier {
    pub(crate) task: TaskView,
    pub(crate) report: Report,
    /// What it was asked for, if it was a study.
    pub(crate) inputs: Option<StudyPlan>,
}

/// How a call goes on.
pub(crate) struct GoingOn {
    pub(crate) query: String,
    pub(crate) course: Course,
    /// What the earlier call asked for and this one still wants.
    pub(crate) inputs: Option<StudyPlan>,
}

impl Earlier {
    pub(crate) fn is_plan(&self) -> bool {
        self.inputs.as_ref().is_some_and(|plan| plan.course.plan_only)
    }

    /// What becomes of the words of a call that goes on from this task.
    pub(crate) fn go_on(&self, said: Option<&str>, course: Course) -> Result<GoingOn> {
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
