//! Work that holds a thread up, kept off the async ones.

use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;

/// Does the work on a thread of its own. A panic in it is an error that names the work.
pub(crate) fn blocking<T: Send + 'static>(
    what: &'static str,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> impl Future<Output = Result<T>> + Send {
    on_a_thread(what, Box::new(work))
}

/// Boxed, because the runtime's part would else be compiled for each of a hundred works.
async fn on_a_thread<T: Send + 'static>(what: &'static str, work: Box<dyn FnOnce() -> Result<T> + Send>) -> Result<T> {
    let done = Arc::new(Mutex::new(None));
    let place = Arc::clone(&done);
    let work: Box<dyn FnOnce() + Send> = Box::new(move || {
        let ended = work();
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
    });
    // What panicked left nothing.
    let _ = tokio::task::spawn_blocking(work).await;
    let ended = done.lock().unwrap_or_else(PoisonError::into_inner).take();
    ended.unwrap_or_else(|| Err(Error::new(Code::Internal, format!("{what} did not end in good order"))))
}

/// Work on pages and files, which may hold a thread for as long as its bounds allow: once it is to stop it has a moment to end by itself, then it is left
/// behind. What it holds (locks, children) it gives back when it ends.
pub(crate) async fn stoppable<T>(cancel: &CancellationToken, work: impl Future<Output = Result<T>>) -> Result<T> {
    let late = async {
        cancel.cancelled().await;
        tokio::time::sleep(limits::PAGE_STOP).await;
    };
    tokio::select! {
        biased;
        done = work => done,
        () = late => Err(Error::new(Code::Cancelled, "stopped while a page was worked on")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// PR-02: work that goes on whatever is asked of it does not hold up a cancel. It is still at work when the cancel is answered.
    #[tokio::test]
    async fn a_cancel_does_not_wait_for_a_thread() {
        let (release, released) = mpsc::channel::<()>();
        let cancel = CancellationToken::new();
        let (tell, told) = tokio::sync::oneshot::channel();
        let work = blocking("a page", move || {
            tell.send(()).unwrap();
            // Ends when the test lets go of it.
            Ok(released.recv().is_ok())
        });
        let stops = cancel.clone();
        let stop = async move {
            told.await.unwrap();
            stops.cancel();
        };
        let (done, ()) = tokio::join!(stoppable(&cancel, work), stop);
        assert_eq!(done.unwrap_err().code, Code::Cancelled);
        release.send(()).unwrap();
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_that_names_it() {
        let (release, released) = mpsc::channel::<u8>();
        drop(release);
        let ended = blocking("a page", move || Ok(released.recv().unwrap())).await.unwrap_err();
        assert_eq!((ended.code, &*ended.message), (Code::Internal, "a page did not end in good order"));
    }

    #[tokio::test]
    async fn work_that_ends_in_time_is_taken() {
        let cancel = CancellationToken::new();
        cancel.cancel();
        assert_eq!(stoppable(&cancel, blocking("a page", || Ok(7))).await.unwrap(), 7);
    }
}
