//! The commands that delete.

use super::args::{Delete, Prune};
use super::{End, Session};
use crate::core::base::error::Error;
use crate::engine::AtProvider;
use crate::surface::wire::DeleteArgs;

pub(super) async fn delete(session: &Session, args: Delete) -> Result<u8, End> {
    let at_provider = if args.at_provider { AtProvider::Delete } else { AtProvider::Leave };
    let reply = session.app.delete(DeleteArgs { task_ids: args.task_ids }, at_provider).await?;
    session.output.reply(&reply, || reply.markdown())?;
    reply.problems.first().map_or(Ok(0), |problem| Err(End::Told(Error::new(problem.code, problem.message.clone()))))
}

pub(super) async fn prune(session: &Session, args: Prune) -> Result<u8, End> {
    let reply = session.app.prune(args.older_than.as_deref(), args.dry_run).await?;
    session.output.reply(&reply, || reply.markdown())?;
    Ok(0)
}
