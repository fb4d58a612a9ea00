//! The commands of hosted research: start it, estimate it.

use super::args::{Estimate, Start};
use super::{End, Session, input, progress, research};
use crate::core::base::error::Result;
use crate::core::base::limits;
use crate::engine::log;
use crate::surface::hosted::Started;
use crate::surface::wire::{EstimateArgs, StartArgs};

/// Starts a run and returns once it exists, or with its report when that is wanted.
pub(super) async fn start(session: &Session, args: Start) -> Result<u8, End> {
    let Session { app, output, task } = session;
    // The budget was a flag: it is part of the settings already.
    let asked = StartArgs {
        query: input::question(args.query)?,
        enable_notifications: Some(!args.no_notification),
        max_wait_hours: Some(args.max_wait_hours),
        model: args.model,
        follow_up_to: args.follow_up_to,
        plan_only: Some(args.plan_only),
        budget_usd: None,
        again: Some(args.again),
    };
    let events = app.engine.watch();
    let started = app.start_hosted(asked).await?;
    let id = *task.get_or_init(|| started.id);
    log::info(format_args!("Task {id} started"));
    let Started { warning, .. } = started;
    if args.wait {
        progress::follow(app, id, events, app.engine.wait(id, None)).await?;
    }
    // Whoever waits for the id gets it now. The command itself ends once the reply to its paid request is there.
    let window = app.settings.call_window.unwrap_or(limits::START_WINDOW).min(limits::START_WINDOW);
    let reply = app.start_reply(Started { id, warning }, window).await?;
    let failed = reply.error.as_ref().map(research::error);
    if let (Some(error), None, crate::surface::output::Output::Text) = (&failed, &reply.results, output) {
        return Err(End::Failed(error.clone()));
    }
    output.reply(&reply, || reply.markdown())?;
    failed.map_or(Ok(0), |error| Err(End::Told(error)))
}

pub(super) async fn estimate(session: &Session, args: Estimate) -> Result<(), End> {
    let asked = EstimateArgs { query: input::question(args.query)?, model: args.model };
    let reply = session.app.estimate(asked).await?;
    Ok(session.output.reply(&reply, || reply.markdown())?)
}
