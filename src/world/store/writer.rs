//! The one writer: a thread that takes whatever jobs are waiting, runs them in one `BEGIN IMMEDIATE`
//! transaction, commits once, and only then answers them all.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::disk_reserve::DiskReserve;
use super::fault;
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;

/// A job on its way to the writer.
trait Job: Send {
    /// Runs inside the transaction and keeps its answer; tells the code of a failure.
    fn run(&mut self, connection: &Connection) -> std::result::Result<(), Code>;
    /// Sends the answer, once the transaction is committed or lost.
    fn answer(self: Box<Self>, committed: Result<()>);
}

struct Typed<T, F> {
    work: Option<F>,
    value: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
}

impl<T, F> Job for Typed<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T> + Send,
{
    fn run(&mut self, connection: &Connection) -> std::result::Result<(), Code> {
        let value = self.work.take().map(|work| work(connection));
        let failed = value.as_ref().and_then(|value| value.as_ref().err()).map(|error| error.code);
        self.value = value;
        failed.map_or(Ok(()), Err)
    }

    fn answer(self: Box<Self>, committed: Result<()>) {
        let answer = match (self.value, committed) {
            (Some(Ok(value)), Ok(())) => Ok(value),
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (None, Ok(())) => Err(Error::new(Code::Internal, "a database write was not run")),
        };
        // Whoever asked may be gone; the write stands all the same.
        drop(self.reply.send(answer));
    }
}

/// The way to the writer thread. The thread ends when the last handle is dropped.
pub(super) struct Writer {
    jobs: SyncSender<Box<dyn Job>>,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writer")
    }
}

impl Writer {
    pub(super) fn start(connection: Connection, path: PathBuf, disk_reserve: DiskReserve) -> Result<Self> {
        let (jobs, waiting) = sync_channel(limits::STORE_QUEUE);
        std::thread::Builder::new()
            .name("store".into())
            .spawn(move || serve(&connection, &path, &waiting, &disk_reserve))
            .map_err(|error| {
                Error::new(Code::StoreUnavailable, format!("cannot start the database thread: {error}"))
            })?;
        Ok(Self { jobs })
    }

    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let mut job: Box<dyn Job> = Box::new(Typed { work: Some(work), value: None, reply });
        let gone = || Error::new(Code::StoreUnavailable, "the database thread has ended");
        loop {
            match self.jobs.try_send(job) {
                Ok(()) => break,
                // The queue is bounded; a full one is waited for without blocking the async thread.
                Err(TrySendError::Full(back)) => {
                    job = back;
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                Err(TrySendError::Disconnected(_)) => return Err(gone()),
            }
        }
        answer.await.map_err(|_thread_ended| gone())?
    }
}

fn serve(connection: &Connection, path: &Path, waiting: &Receiver<Box<dyn Job>>, disk_reserve: &DiskReserve) {
    while let Ok(first) = waiting.recv() {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(limits::STORE_BATCH - 1));
        let mut full = false;
        let committed = commit(connection, &mut batch, &mut full).map_err(|error| fault::at(path, error));
        if full || committed.as_ref().is_err_and(|error| error.code == Code::StoreFull) {
            disk_reserve.drop_it();
        }
        for job in batch {
            job.answer(committed.clone());
        }
    }
}

/// Runs the batch in one transaction. A job that fails is undone by its savepoint and the others stand; an
/// error of the transaction itself fails them all.
fn commit(connection: &Connection, batch: &mut [Box<dyn Job>], full: &mut bool) -> rusqlite::Result<()> {
    fault::retry_busy(|| connection.execute_batch("BEGIN IMMEDIATE"))?;
    let ran = run_all(connection, batch, full);
    let committed = ran.and_then(|()| connection.execute_batch("COMMIT"));
    if committed.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    committed
}

fn run_all(connection: &Connection, batch: &mut [Box<dyn Job>], full: &mut bool) -> rusqlite::Result<()> {
    for job in batch {
        connection.execute_batch("SAVEPOINT job")?;
        match job.run(connection) {
            Ok(()) => connection.execute_batch("RELEASE job")?,
            Err(code) => {
                *full |= code == Code::StoreFull;
                // On a full disk SQLite may have rolled the whole transaction back; this then fails, as it must.
                connection.execute_batch("ROLLBACK TO job; RELEASE job")?;
            }
        }
    }
    Ok(())
}
