//! How many files and connections this process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::core::base::limits;

/// Lets this process have as many open as a busy server needs, if the system allows it. Shells often allow a thousand.
pub(crate) fn raise_file_limit() {
    let wanted = 2 * limits::HTTP_CONNECTIONS as u64;
    let now = getrlimit(Resource::Nofile);
    let most = now.maximum.map_or(wanted, |most| most.min(wanted));
    if now.current.is_some_and(|current| current < most) {
        // Without it the server takes fewer connections at once, and says so when it has to.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum: now.maximum });
    }
}
