//! The verb `steer_research`: a word to a study that runs.

use super::app::{App, invalid};
use super::wire::{SteerArgs, SteerReply};
use crate::core::base::error::Result;
use crate::core::base::id::TaskId;
use crate::core::base::limits;

impl App {
    /// ST-03: leaves a word for the study. Its next steps are told.
    pub(crate) async fn steer(&self, args: SteerArgs) -> Result<SteerReply> {
        let id = TaskId::parse(&args.task_id)?;
        let message = args.message.trim();
        if message.is_empty() || message.chars().nth(limits::STEER_CHARS).is_some() {
            let rule = format!("must have 1 to {} characters", limits::STEER_CHARS);
            return Err(invalid("message", &rule, message));
        }
        if message.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return Err(invalid("message", "must hold no control characters", message.escape_debug()));
        }
        let task = self.engine.steer(id, message.to_owned()).await?;
        Ok(SteerReply::new(&task))
    }
}
