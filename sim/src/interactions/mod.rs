//! The Gemini Interactions API on a port of this machine, good enough for Google's own SDK.
//!
//! It does what its [`Plan`] says on a clock of its own, keeps every request, and keeps an invoice of what the real service would
//! have billed. It serves a thousand clients at once: every connection has a thread with a small stack, and a stream that waits
//! for its next event costs nothing. It must not know anything of hadal: what it refuses, answers and bills is written down
//! from the reference alone.
//!
//! | request (under `/v1` and `/v1beta`) | answer |
//! |---|---|
//! | `POST /interactions` | an agent in the background or a model in the foreground; a stream with `"stream": true` |
//! | `GET /interactions/{id}` | the resource; a stream with `?stream=true`, from `last_event_id` on |
//! | `POST /interactions/{id}/cancel`, `DELETE /interactions/{id}` | |
//! | `GET /_sim/requests`, `/_sim/invoice`, `/_sim/now` | the request log, the invoice, simulated seconds |
//! | `POST /_sim/advance?seconds=`, `/_sim/plan` | moves the clock, replaces the plan |

mod clock;
mod create;
mod encoding;
mod fault;
mod follow;
mod frames;
mod invoice;
mod plan;
mod record;
mod serve;
mod state;
#[cfg(test)]
mod tests;
mod timeline;

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rustix::io::FdFlags;
use rustix::net::{AddressFamily, SocketType};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use create::PLAN_TEXT;
pub use fault::{Fault, FaultRule, HUGE, On};
pub use invoice::{BilledRun, Invoice};
pub use plan::{End, ModelAnswer, Plan, Run, Shape, Source, Usage};

use serve::Shared;

/// Connections that may wait to be accepted: clients that come all at once are not to be turned away.
const BACKLOG: i32 = 4096;

/// A running service. It ends when it is dropped.
#[derive(Debug)]
pub struct Service {
    url: String,
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: Mutex<Option<JoinHandle<()>>>,
    /// Keeps the port as long as the service is there: while it is down, nobody else is given it.
    _port: Option<OwnedFd>,
}

/// A request as the log keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Received {
    /// Real milliseconds since 1970.
    pub at_ms: u64,
    /// Simulated seconds since the start.
    pub at: f64,
    pub method: String,
    /// With the query.
    pub path: String,
    pub verb: On,
    pub key: Option<String>,
    pub body: Value,
    pub fault: Option<Fault>,
}

impl Service {
    /// Starts it on a free port.
    ///
    /// # Errors
    /// When there is no port to be had.
    pub fn start(plan: Plan) -> io::Result<Self> {
        Self::start_on(SocketAddr::from(([127, 0, 0, 1], 0)), plan)
    }

    /// Starts it on an address, for example that of one which is down. It knows nothing of what that one did;
    /// see [`Service::go_down`].
    ///
    /// # Errors
    /// When the address is in use, or is none of this machine's own.
    pub fn start_on(address: impl ToSocketAddrs, plan: Plan) -> io::Result<Self> {
        let address = address.to_socket_addrs()?.find(|address| address.ip().is_loopback());
        let address = address.ok_or_else(|| io::Error::other("the address is not one of the loopback interface"))?;
        crate::host::raise_file_limit();
        let port = if cfg!(target_os = "linux") { Some(bound(address)?) } else { None };
        let address = match &port {
            Some(port) => SocketAddr::try_from(rustix::net::getsockname(port)?)?,
            None => address,
        };
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let (url, shared) = (format!("http://{address}"), Arc::new(Shared::new(plan)));
        let service = Self { url, address, shared, listener: Mutex::new(None), _port: port };
        service.listen(listener)?;
        Ok(service)
    }

    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    #[must_use]
    pub fn requests(&self) -> Vec<Received> {
        self.shared.state().requests.clone()
    }

    /// How many requests of a kind there were.
    #[must_use]
    pub fn count(&self, verb: On) -> usize {
        self.shared.state().requests.iter().filter(|request| verb == On::Any || request.verb == verb).count()
    }

    #[must_use]
    pub fn invoice(&self) -> Invoice {
        self.shared.state().invoice()
    }

    /// Does what another plan says from here on. Runs that were created go on as they were planned.
    pub fn set_plan(&self, plan: Plan) {
        self.shared.state().set_plan(plan);
    }

    /// Moves the simulated clock.
    pub fn advance(&self, seconds: f64) {
        self.shared.state().advance(seconds);
    }

    /// Simulated seconds since the start.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.shared.state().clock.now()
    }

    /// Closes the port and every connection. The runs go on, as those of a service do that cannot be reached.
    pub fn go_down(&self) {
        self.shared.down.store(true, Ordering::SeqCst);
        // Wakes the listener, which then sees that it is to stop.
        let _woken = TcpStream::connect(self.address);
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(listener) = listener {
            let _panicked = listener.join();
        }
        self.shared.disconnect();
    }

    /// Can be reached again, at the same address, after [`Service::go_down`].
    ///
    /// # Errors
    /// When the port is in use.
    pub fn come_back(&self) -> io::Result<()> {
        if !self.shared.down.load(Ordering::SeqCst) {
            return Ok(());
        }
        let listener = TcpListener::bind(self.address)?;
        self.shared.down.store(false, Ordering::SeqCst);
        self.listen(listener)
    }

    fn listen(&self, listener: TcpListener) -> io::Result<()> {
        rustix::net::listen(&listener, BACKLOG)?;
        let shared = Arc::clone(&self.shared);
        let thread = std::thread::Builder::new().spawn(move || serve::listen(&listener, &shared))?;
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(())
    }
}

/// A socket at an address at which others may listen as long as it does not, which Linux allows.
fn bound(address: SocketAddr) -> io::Result<OwnedFd> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = rustix::net::socket(family, SocketType::STREAM, None)?;
    rustix::io::fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    rustix::net::sockopt::set_socket_reuseaddr(&socket, true)?;
    rustix::net::bind(&socket, &address)?;
    Ok(socket)
}

impl Drop for Service {
    fn drop(&mut self) {
        self.go_down();
    }
}
