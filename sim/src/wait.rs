//! Waiting for evidence. What was waited for ends the wait, and never a clock: a slow machine makes a test slow, not red.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::task::Poll;
use std::time::{Duration, Instant};

/// Ends a test that would never end. Far beyond what anything takes on any machine, so that it decides no test that could pass.
pub const SAFETY_NET: Duration = Duration::from_secs(15 * 60);

/// Between two looks at something that tells nobody when it changes.
const LOOK: Duration = Duration::from_millis(5);

/// Waits until something is so.
///
/// # Panics
/// When it never is.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    until_some(what, || is_so().then_some(()));
}

/// Waits until there is something.
///
/// # Panics
/// When there never is.
pub fn until_some<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < SAFETY_NET, "never: {what}");
        std::thread::sleep(LOOK);
    }
}

/// Waits until something is so, beside other futures of the same task.
///
/// # Panics
/// When it never is.
pub async fn until_beside(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    let next_look = Arc::new(AtomicBool::new(false));
    std::future::poll_fn(|context| {
        if is_so() {
            return Poll::Ready(());
        }
        assert!(begun.elapsed() < SAFETY_NET, "never: {what}");
        // One thread at a time: other futures of the task may wake it as often as they like.
        if !next_look.swap(true, Ordering::SeqCst) {
            let (waker, next_look) = (context.waker().clone(), Arc::clone(&next_look));
            std::thread::spawn(move || {
                std::thread::sleep(LOOK);
                next_look.store(false, Ordering::SeqCst);
                waker.wake();
            });
        }
        Poll::Pending
    })
    .await;
}

/// The next message, for as long as there is anybody who may send one.
///
/// # Panics
/// When none comes although the sender is still there.
#[expect(clippy::panic, reason = "it is part of a test, which fails with it")]
pub fn message<T>(what: &str, messages: &Receiver<T>) -> Option<T> {
    match messages.recv_timeout(SAFETY_NET) {
        Ok(message) => Some(message),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => panic!("never: {what}"),
    }
}
