//! The inputs of a study.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::known::Known;
use crate::core::method::adaptive::{AdaptivePlan, Web};
use crate::core::method::arguments::{Argument, Way};
use crate::core::method::strategy::{self, Hint, Length, Scope};
use crate::core::model::prompt::Marks;
use crate::core::report::explain::Strategy;

/// The inputs of a study, fixed when its task starts, so that a resumed task asks what it would have asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StudyPlan {
    pub(crate) question: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scope: Option<Scope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<Hint>,
    /// What the caller knows already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) max_attempts: Option<u32>,
    /// How the web is searched, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) web: Option<Web>,
    /// Library roots to look in, if any may be shown to the models; an empty list is every registered one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) library: Option<Vec<String>>,
    /// What is done instead where nobody could be asked to search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<Box<AdaptivePlan>>,
    /// Who writes, the best first.
    pub(crate) models: Vec<String>,
    /// Who takes notes and proposes searches, where that is somebody else; those who write stand in for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) readers: Vec<String>,
    /// The tokens that the smallest of those who write takes with its answer, and the smallest of those who take notes; where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reader_window: Option<u32>,
    /// Tokens that an answer gets on top because a model thinks first.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) thinking_tokens: u32,
    /// The user's own templates, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) prompts: BTreeMap<String, String>,
    /// The marks around what strangers wrote.
    #[serde(default)]
    pub(crate) marks: Marks,
    /// The arguments that were given with the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) given: Vec<Argument>,
    /// One round and one answer, whatever the level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) quick: bool,
    /// The day of the start, `2026-11-15`.
    pub(crate) today: String,
    #[serde(default)]
    pub(crate) wishes: Wishes,
    #[serde(flatten)]
    pub(crate) course: Course,
    /// Registered documents are not shown to the models, which are beyond this machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) library_left_out: bool,
    /// Documents may be shown to the models, which are on this machine, but what is made of them goes to no search provider.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) keep_private: bool,
    /// Pages that bring nothing are replaced, and rounds that nobody needs are passed on. A study that was begun before goes on as it was begun: its
    /// journal has no such steps.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) goes_further: bool,
}

/// Where a study begins and where it ends, if not with a question and a report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Course {
    /// The task ends with the plan as its report.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) plan_only: bool,
    /// A plan that its user has seen, as text; it is run as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) approved: Option<String>,
    /// What its user said besides the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) words: Vec<String>,
    /// What a finished task left that it goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) known: Option<Known>,
}

impl Course {
    /// Whether only a study can take it.
    pub(crate) fn is_special(&self) -> bool {
        *self != Self::default()
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What the reader of the report wants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Wishes {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) length: Option<Length>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    /// Who it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) audience: Option<String>,
    /// Sources that it cites at least, if so many are found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sources: Option<u32>,
    /// Somebody waits at a terminal, who can be asked once what was meant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) asks_back: bool,
}

impl StudyPlan {
    /// How hard this call will look.
    pub(crate) fn strategy(&self) -> Strategy {
        strategy::compute(&strategy::StrategyInputs {
            goal: &self.question,
            scope: self.scope,
            hint: self.hint,
            context: self.context.as_deref(),
            max_attempts: self.max_attempts,
        })
    }
}

impl StudyPlan {
    /// Where a report of this study comes from.
    pub(super) fn way(&self) -> Way {
        Way::Study { web: self.web.is_some(), library: self.library.is_some() }
    }
}

impl Wishes {
    /// As a prompt shows them; empty where there are none.
    pub(super) fn shown(&self) -> String {
        let mut wishes = Vec::new();
        if let Some(language) = &self.language {
            wishes.push(format!("The report is wanted in this language: {language}."));
        }
        if let Some(audience) = &self.audience {
            wishes.push(format!("It is for: {audience}."));
        }
        match self.length {
            Some(Length::Brief) => wishes.push("It is wanted short: what matters most, in few words.".to_owned()),
            Some(Length::Long) => wishes.push("It is wanted long and complete, without padding.".to_owned()),
            Some(Length::Normal) | None => {}
        }
        wishes.join(" ")
    }
}
