//! The end of a task: into the store, and while that cannot take it, into memory and a file.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::{Inner, News, notice};
use crate::core::base::error::Result;
use crate::core::journal::End;
use crate::core::method::TaskSpec;
use crate::core::money::budget::Cap;
use crate::core::saved::file_name::{self, FileForm, Parts};
use crate::core::saved::template::Template;
use crate::core::task::Ending;
use crate::core::task::effect::Effect;
use crate::world::store::{Claim, Fenced, NotifyUser, Store};
use crate::world::{clock, files, log};

/// Time worked on the task, over all its owners.
#[derive(Clone, Copy)]
pub(super) struct Active {
    pub(super) before: u64,
    pub(super) started: Instant,
}

impl Active {
    pub(super) fn ms(self) -> u64 {
        self.before + u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// An event of a task that the journal does not have yet.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few, and most are of the large kind")]
pub(super) enum Unwritten {
    /// The end of an effect. Without the effect: the run does not know it any more; its row is there.
    End {
        no: u32,
        effect: Option<Effect>,
        end: End,
    },
    Cap {
        no: u32,
        order: u32,
        cap: Cap,
    },
    /// What the user said, by its number among what is not heard yet.
    Steer {
        no: u32,
        order: u32,
        said: i64,
        message: String,
    },
}

impl Unwritten {
    pub(super) async fn write(&self, store: &Store, claim: Claim, active: Active) -> Result<Fenced<()>> {
        match self {
            Self::End { no, effect, end } => store.end(claim, *no, effect.as_ref(), end.clone(), active.ms()).await,
            Self::Cap { no, order, cap } => store.cap(claim, *no, *order, *cap, active.ms()).await,
            Self::Steer { no, order, said, message } => {
                store.steer(claim, (*no, *order), (*said, message.clone()), active.ms()).await
            }
        }
    }
}

/// A task that is over.
pub(super) struct Finish<'a> {
    pub(super) claim: Claim,
    pub(super) spec: Option<&'a TaskSpec>,
    pub(super) ending: Ending,
    pub(super) unwritten: Vec<Unwritten>,
    pub(super) active: Active,
}

/// Writes the ending. A store that cannot take it now does not lose it: it stays in memory, where every reader of this
/// process finds it, and in a file, until the store can.
pub(super) async fn finish(inner: &Arc<Inner>, store: &Store, mut end: Finish<'_>) {
    let mut wait = Duration::from_millis(100);
    let mut told = false;
    loop {
        match write(store, &mut end).await {
            Ok(Fenced::Applied(NotifyUser::Yes)) => return notice::tell(inner, end.claim.id, end.spec, &end.ending),
            Ok(Fenced::Applied(NotifyUser::No) | Fenced::Lost) => return,
            Err(error) if told => log::warn(format!("the result of task {} is still in memory: {error}", end.claim.id)),
            Err(error) => {
                log::error(format!("the result of task {} is kept in memory: {error}", end.claim.id));
                inner.live.settle(end.claim.id, end.ending.clone());
                inner.tell(end.claim.id, News::Ended);
                back_up(inner, &end).await;
                told = true;
            }
        }
        tokio::select! {
            () = inner.shutdown.cancelled() => return,
            () = tokio::time::sleep(wait) => wait = (wait * 2).min(Duration::from_secs(10)),
        }
    }
}

async fn write(store: &Store, end: &mut Finish<'_>) -> Result<Fenced<NotifyUser>> {
    while let Some(first) = end.unwritten.first() {
        if first.write(store, end.claim, end.active).await? == Fenced::Lost {
            return Ok(Fenced::Lost);
        }
        end.unwritten.remove(0);
    }
    store.finish(end.claim, end.ending.clone(), end.active.ms()).await
}

/// HR-15: the report as a file, wherever there is room for it.
async fn back_up(inner: &Arc<Inner>, end: &Finish<'_>) {
    let (Some(spec), Some(report)) = (end.spec, end.ending.report()) else { return };
    let now = clock::now_ms();
    let Ok(name) = file_name::file_name("backup", end.claim.id, FileForm::Markdown, now) else { return };
    let task = spec.view_of_ended(end.claim.id, &end.ending, now);
    // The shipped template: a broken one of the user's must not stand in the way here.
    let Ok(text) = Template::shipped().render(&task, report, Parts { metadata: true, sources: true }) else { return };
    let (dir, fallback) = file_name::places(inner.settings.reports_dir.clone(), &inner.settings.data_dir);
    let written = tokio::task::spawn_blocking(move || {
        // Any trouble with the first is a reason to try the second: the report is nowhere else.
        files::write_new(&dir, &name, &text).ok().or_else(|| files::write_new(&fallback?, &name, &text).ok())
    });
    match written.await.ok().flatten() {
        Some(path) => log::warn(format!("the report of task {} is saved in {}", end.claim.id, path.display())),
        None => log::error(format!("the report of task {} could not be saved in a file either", end.claim.id)),
    }
}
