//! The starter: the one thread that starts children and buries them.
//!
//! It is one thread because Linux kills a child when the *thread* that started it ends; and children are buried here because a child must
//! be reaped last: while its pid is still taken, nothing else can get the number of its group.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::sync::oneshot;

use super::marked::{Family, kill_marked};
use super::warden::{Warden, WardenProgram};
use super::{Command, Status, birth};
use crate::core::base::error::{Code, Error, Result};
use crate::core::base::limits;
use crate::world::log;

/// The handle to the children of this process. Clones share one starter and one warden, both started with the first child.
#[derive(Clone, Debug)]
pub(crate) struct Gate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    warden: WardenProgram,
    starter: Mutex<Option<(Sender<Order>, JoinHandle<()>)>>,
}

/// What the starter is told. The channel has no bound of its own: a run has at most one order in it.
enum Order {
    Start { command: Command, gate: Gate, reply: oneshot::Sender<Result<(Living, Command)>> },
    Bury { born: Born, reply: Option<oneshot::Sender<Status>> },
}

/// A child that is not reaped yet.
#[derive(Debug)]
struct Born {
    process: std::process::Child,
    run: u64,
}

impl Born {
    fn leader(&self) -> Pid {
        Pid::from_child(&self.process)
    }
}

impl Gate {
    pub(crate) fn new(warden: WardenProgram) -> Self {
        Self(Arc::new(Inner { warden, starter: Mutex::new(None) }))
    }

    /// Starts a child; the command comes back with it for what is still in it.
    pub(super) async fn start(&self, command: Command) -> Result<(Living, Command)> {
        let gone = || Error::new(Code::Internal, "the thread that starts children is gone");
        let (reply, answer) = oneshot::channel();
        self.order(Order::Start { command, gate: self.clone(), reply })?.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Hands an order to the starter; gives it back when the starter is gone.
    fn order(&self, order: Order) -> Result<Result<(), Box<Order>>> {
        let mut starter = self.0.starter.lock().unwrap_or_else(PoisonError::into_inner);
        let (orders, _) = match &mut *starter {
            Some(running) => running,
            none => {
                let (sender, receiver) = channel();
                let warden = self.0.warden.clone();
                let thread = std::thread::Builder::new()
                    .name("starter".to_owned())
                    .spawn(move || Starter::new(warden).keep(&receiver))
                    .map_err(|problem| {
                        Error::new(Code::ExecutionError, format!("no thread for children: {problem}"))
                    })?;
                none.insert((sender, thread))
            }
        };
        Ok(orders.send(order).map_err(|refused| Box::new(refused.0)))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let starter = self.starter.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((orders, thread)) = starter {
            drop(orders);
            // The last handle can be one that the starter itself held; it then ends by itself.
            if thread.thread().id() != std::thread::current().id() {
                let _panicked = thread.join();
            }
        }
    }
}

/// A running child. Dropping it kills it and everything it started.
#[derive(Debug)]
pub(super) struct Living {
    gate: Gate,
    born: Option<Born>,
}

impl Living {
    pub(super) fn process(&mut self) -> Option<&mut std::process::Child> {
        self.born.as_mut().map(|born| &mut born.process)
    }

    /// Whether the child has ended. It stays a zombie, its pid taken, until it is buried.
    pub(super) fn ended(&self) -> bool {
        self.born.as_ref().is_none_or(|born| ended(born.leader()))
    }

    /// Asks the whole group to end.
    pub(super) fn ask_to_end(&self) {
        if let Some(born) = &self.born {
            let _already_gone = kill_process_group(born.leader(), Signal::TERM);
        }
    }

    /// Kills what is left of the child and its descendants, and reaps it.
    pub(super) async fn bury(mut self) -> Status {
        let Some(born) = self.born.take() else { return Status::Unknown };
        let (reply, answer) = oneshot::channel();
        self.send_off(born, Some(reply));
        answer.await.unwrap_or(Status::Unknown)
    }

    fn send_off(&self, born: Born, reply: Option<oneshot::Sender<Status>>) {
        let _already_gone = kill_process_group(born.leader(), Signal::KILL);
        // Without a starter nothing more can be done here; the warden does the rest when hadal ends.
        let _no_keeper = self.gate.order(Order::Bury { born, reply });
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        if let Some(born) = self.born.take() {
            self.send_off(born, None);
        }
    }
}

fn ended(leader: Pid) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(leader), look) {
        Ok(status) => status.is_some(),
        Err(problem) => problem != rustix::io::Errno::INTR,
    }
}

struct Burial {
    born: Born,
    reply: Option<oneshot::Sender<Status>>,
    since: Instant,
    /// Looks in a row that found nothing of it alive.
    clean: u32,
}

struct Starter {
    program: WardenProgram,
    warden: Option<Warden>,
    family: Family,
    next_run: u64,
    /// Every child that is not buried.
    open: BTreeMap<u64, Pid>,
    burials: Vec<Burial>,
}

impl Starter {
    fn new(program: WardenProgram) -> Self {
        let family = Family::new();
        Self { program, warden: None, family, next_run: 0, open: BTreeMap::new(), burials: Vec::new() }
    }

    fn keep(mut self, orders: &Receiver<Order>) {
        loop {
            let order = match self.next_look() {
                Some(pause) => orders.recv_timeout(pause),
                None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match order {
                Ok(Order::Start { command, gate, reply }) => {
                    let born = self.start(&command);
                    // A caller that has gone drops the child, which sends it straight back here to be buried.
                    let _ = reply.send(born.map(|born| (Living { gate, born: Some(born) }, command)));
                }
                Ok(Order::Bury { born, reply }) => {
                    self.burials.push(Burial { born, reply, since: Instant::now(), clean: 0 });
                    self.check_children();
                }
                Err(RecvTimeoutError::Timeout) => self.check_children(),
                Err(RecvTimeoutError::Disconnected) if self.burials.is_empty() => break,
                Err(RecvTimeoutError::Disconnected) => {
                    std::thread::sleep(limits::BURIAL_LOOK);
                    self.check_children();
                }
            }
        }
        if let Some(warden) = self.warden {
            warden.dismiss();
        }
    }

    fn next_look(&self) -> Option<Duration> {
        match (self.burials.is_empty(), self.open.is_empty()) {
            (false, _) => Some(limits::BURIAL_LOOK),
            (true, false) => Some(limits::WARDEN_LOOK),
            (true, true) => None,
        }
    }

    fn start(&mut self, command: &Command) -> Result<Born> {
        let pipe = self.warden().and_then(|warden| warden.pipe()).map_err(|problem| {
            Error::new(Code::ExecutionError, format!("the warden of child processes could not be started: {problem}"))
        })?;
        let run = self.next_run;
        self.next_run += 1;
        match birth::child(command, &self.family.mark(run), run, pipe) {
            Ok(process) => {
                let born = Born { process, run };
                self.open.insert(run, born.leader());
                Ok(born)
            }
            Err(error) => {
                // It may have announced itself before its program turned out not to be there.
                self.close(run);
                Err(error)
            }
        }
    }

    /// The warden, a new one if the last has died; it is told of every child there is.
    fn warden(&mut self) -> std::io::Result<&mut Warden> {
        let living = match self.warden.take().map(|mut warden| (warden.alive(), warden)) {
            Some((true, warden)) => warden,
            Some((false, _)) | None => {
                let open = self.open.iter().map(|(run, leader)| (*run, *leader));
                Warden::start(&self.program, &self.family, open)?
            }
        };
        Ok(self.warden.insert(living))
    }

    fn check_children(&mut self) {
        if self.burials.is_empty() {
            if let Err(problem) = self.warden() {
                log::warn(format_args!("the warden of child processes could not be replaced: {problem}"));
            }
            return;
        }
        for burial in &self.burials {
            let _already_gone = kill_process_group(burial.born.leader(), Signal::KILL);
        }
        let doomed: Vec<u64> = self.burials.iter().map(|burial| burial.born.run).collect();
        let alive = kill_marked(&self.family, |run| doomed.contains(&run));
        for mut burial in std::mem::take(&mut self.burials) {
            let clean = ended(burial.born.leader()) && !alive.contains(&burial.born.run);
            burial.clean = if clean { burial.clean + 1 } else { 0 };
            if burial.clean >= limits::BURIAL_CLEAN_LOOKS {
                let status = self.reap(burial.born);
                let _nobody_waits = burial.reply.map(|reply| reply.send(status));
            } else if burial.since.elapsed() > limits::BURIAL {
                // Still open with the warden, which tries again when hadal ends.
                log::warn(format_args!("process {} was killed but does not end", burial.born.leader()));
                let _nobody_waits = burial.reply.map(|reply| reply.send(Status::Unknown));
            } else {
                self.burials.push(burial);
            }
        }
    }

    /// The last step: from here on the system may give the pid to somebody else, so the warden forgets it first.
    fn reap(&mut self, mut born: Born) -> Status {
        use std::os::unix::process::ExitStatusExt;

        self.close(born.run);
        let Ok(status) = born.process.wait() else { return Status::Unknown };
        match (status.code(), status.signal()) {
            (Some(code), _) => Status::Code(code),
            (None, Some(signal)) => Status::Signal(signal),
            (None, None) => Status::Unknown,
        }
    }

    fn close(&mut self, run: u64) {
        self.open.remove(&run);
        let told = self.warden.as_mut().map(|warden| warden.closed(run));
        if let Some(Err(_does_not_read)) = told
            && let Some(warden) = self.warden.take()
        {
            warden.end();
        }
    }
}
