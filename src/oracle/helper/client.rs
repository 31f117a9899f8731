//! The runner's side of a helper.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};
use smallvec::SmallVec;

use super::frame::{self, Arrival, Frame};
use super::lost::{HelperWait, LostHelper};
use super::wire::{self, Report};
use super::{SANDBOX, SEEN, WORD};
use crate::oracle::cgroup::Slot;
use crate::oracle::clean::OwnDir;
use crate::oracle::errand::Errand;
use crate::oracle::scratch::Room;
use crate::oracle::watch::{Bell, has_exited, timespec};
use crate::oracle::{Held, NoVerdict, Quotas, Run, Scratch, system};

/// How long a helper may take to greet, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long one may take to end, with all that it has started.
const PATIENCE_AT_END: Duration = Duration::from_secs(5);

/// Processes of its own that may be in a helper's control group: the one that serves, and the one that waits for it.
const OWN: u64 = 2;

/// What all helpers of this process have used, in nanoseconds.
static OWN_CPU: AtomicU64 = AtomicU64::new(0);

/// User and system time of the helpers that this process has started, as of each one's last test; that of the tests is not in it.
pub fn own_cpu() -> Duration {
    Duration::from_nanos(OWN_CPU.load(Ordering::Relaxed))
}

/// How helpers are started.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct Start {
    pub program: PathBuf,
    /// What its control groups shall keep.
    pub grouped: Quotas,
    /// Of its sandbox, if it shall be in one.
    pub fence: Option<Fence>,
}

/// What a sandbox is made of.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct Fence {
    /// Where the one directory is made in which its tests can write.
    pub scratch: Scratch,
    /// What is seen where most is hidden.
    pub seen: Vec<PathBuf>,
}

/// A helper, and how to get another if it dies.
#[derive(Debug)]
pub(in crate::oracle) struct Helper {
    start: Start,
    process: Option<Process>,
    held: Held,
    /// Where its tests have their directories, if they can write nowhere else. Gone after its process.
    room: Option<Room>,
}

/// A helper's processes, as long as they do what they should.
struct Process {
    /// Who waits for the one that serves.
    child: Child,
    /// The one that serves, and a descriptor of it; known once it has greeted.
    server: Option<(Pid, Option<OwnedFd>)>,
    /// None once it is told to end.
    requests: Option<ChildStdin>,
    answers: ChildStdout,
    /// Whether it ends when it is told to: it has greeted, and never failed since.
    trusted: bool,
    used: Duration,
    /// Dropped last: it must be empty by then.
    slot: Slot,
}

impl Start {
    /// A helper that starts when there is something for it to do.
    pub(in crate::oracle) fn helper(&self) -> Helper {
        Helper {
            start: self.clone(),
            process: None,
            held: Held::default(),
            room: None,
        }
    }

    /// So many helpers, which start at the same time. Fails if one does not, or says that it is no help here.
    pub(in crate::oracle) fn helpers(&self, count: usize) -> io::Result<Vec<Helper>> {
        let mut helpers: Vec<Helper> = (0..count).map(|_| self.helper()).collect();
        for helper in &mut helpers {
            helper.process = Some(helper.spawn()?);
        }
        for helper in &mut helpers {
            let process = helper.process.as_mut();
            helper.held = process.map(Process::greet).transpose()?.unwrap_or_default();
        }
        Ok(helpers)
    }
}

impl Helper {
    /// Which limits its control groups keep.
    pub(in crate::oracle) fn held(&self) -> Held {
        self.held
    }

    /// Where its tests must have their directories, if it is in a sandbox.
    pub(in crate::oracle) fn room(&mut self) -> io::Result<Option<&OwnDir>> {
        if let (None, Some(fence)) = (&self.room, &self.start.fence) {
            self.room = Some(fence.scratch.new_room()?);
        }
        Ok(self.room.as_ref().map(Room::own))
    }

    fn spawn(&mut self) -> io::Result<Process> {
        self.room()?;
        Process::spawn(&self.start, self.room.as_ref())
    }

    /// Has a test run, until the bell rings. None if it rang first.
    pub(in crate::oracle) fn run(
        &mut self,
        errand: &Errand,
        bell: Option<&Bell>,
    ) -> Result<Option<Run>, HelperFailure> {
        // One of which nobody would clean up after the next test is as good as lost. Else it is ours alone until it has answered: if we
        // panic meanwhile, it is ended.
        let mut process = match self.process.take().filter(Process::is_guarded) {
            Some(process) => process,
            None => {
                let lost = |error| NoVerdict::system("starting a helper", &error);
                let mut process = self.spawn().map_err(lost)?;
                process.greet().map_err(lost)?;
                process
            }
        };
        match process.ask(errand, bell) {
            Ok(report) => {
                process.account(report.own_cpu);
                self.process = (!report.spent).then_some(process);
                Ok(report.done.map_err(NoVerdict::from)?)
            }
            Err(lost) => {
                process.trusted = false;
                drop(process);
                system::kill_escaped(&errand.dir);
                Err(HelperFailure::Lost(lost))
            }
        }
    }
}

/// Why a helper has no answer.
#[derive(Debug)]
pub(in crate::oracle) enum HelperFailure {
    /// Another may have one.
    Lost(LostHelper),
    /// The system refused something.
    Refused(NoVerdict),
}

impl From<NoVerdict> for HelperFailure {
    fn from(reason: NoVerdict) -> HelperFailure {
        HelperFailure::Refused(reason)
    }
}

impl Process {
    fn spawn(start: &Start, room: Option<&Room>) -> io::Result<Process> {
        let slot = Slot::new(start.grouped, OWN);
        let mut command = Command::new(&start.program);
        command.arg(WORD);
        if let Some((room, fence)) = room.zip(start.fence.as_ref()) {
            command.arg(SANDBOX).arg(room.path());
            for path in &fence.seen {
                command.arg(SEEN).arg(path);
            }
        }
        let mut child = command
            .args(slot.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A word of it would stand in the middle of the screen.
            .stderr(Stdio::null())
            // What is typed at the terminal is for lop alone, which ends its helpers itself.
            .process_group(0)
            .spawn()?;
        let missing = || io::Error::other("it has no pipes");
        Ok(Process {
            requests: Some(child.stdin.take().ok_or_else(missing)?),
            answers: child.stdout.take().ok_or_else(missing)?,
            trusted: false,
            used: Duration::ZERO,
            server: None,
            child,
            slot,
        })
    }

    /// Hears its greeting: which limits its control groups keep.
    fn greet(&mut self) -> io::Result<Held> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let mut waiting = [PollFd::new(&self.answers, PollFlags::IN)];
            match rustix::event::poll(&mut waiting, Some(&timespec(left))) {
                Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let held = wire::greeting(&self.answer()?)?.map_err(io::Error::other)?;
        self.trusted = true;
        let servers = system::children(self.pid()).unwrap_or_default();
        let server = servers.first().copied();
        self.server = server.map(|server| (server, system::exit_descriptor(server)));
        Ok(held)
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Whether somebody waits for the one that serves, and for all that it has started.
    fn is_guarded(&self) -> bool {
        has_exited(self.pid()).is_ok_and(|ended| !ended)
    }

    /// Sends the errand, and waits for the report. When the bell rings, the errand is called back.
    fn ask(&mut self, errand: &Errand, bell: Option<&Bell>) -> Result<Report, LostHelper> {
        self.send(Frame::errand(errand))?;
        let server = self.server.iter().map(|(server, _)| *server);
        let processes = server.chain([self.pid()]).collect();
        let mut wait = HelperWait::new(processes, errand.limits.wall);
        let (mut bell, mut answer) = (bell, Arrival::default());
        loop {
            if self.can_be_heard(&mut wait, bell)? {
                if let Some(answer) = answer.read(&mut self.answers)? {
                    return Ok(wire::report(&answer)?);
                }
                // It is in the middle of its answer.
                wait.be_brief();
            }
            if bell.take_if(|bell| bell.rings()).is_some() {
                self.send(Frame::callback())?;
                wait.be_brief();
            }
        }
    }

    /// Waits for something to hear of it, for the bell, and not for ever. Says whether there is something to hear.
    fn can_be_heard(&self, wait: &mut HelperWait, bell: Option<&Bell>) -> Result<bool, LostHelper> {
        let sources = [Some(self.answers.as_fd()), bell.map(Bell::hear)];
        let sources = sources.into_iter().flatten();
        let mut waiting: SmallVec<[PollFd<'_>; 2]> = sources
            .map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN))
            .collect();
        let mut heard = false;
        wait.pass(|most| {
            let ready = match rustix::event::poll(&mut waiting, Some(&timespec(most))) {
                Ok(ready) => ready > 0,
                Err(Errno::INTR) => true,
                Err(error) => return Err(error.into()),
            };
            heard = ready && !waiting[0].revents().is_empty();
            Ok(ready)
        })?;
        Ok(heard)
    }

    fn send(&mut self, said: Frame) -> io::Result<()> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        frame::send(requests, said)
    }

    fn answer(&mut self) -> io::Result<Vec<u8>> {
        let died = || io::Error::new(io::ErrorKind::UnexpectedEof, "it has died");
        frame::receive(&mut self.answers)?.ok_or_else(died)
    }

    /// Whether it ends, and soon.
    fn ends(&self) -> bool {
        let Some(exit) = system::exit_descriptor(self.pid()) else {
            // Nothing here tells; and it is ours, so that its number is nobody else's.
            return true;
        };
        has_ended_after(&exit, PATIENCE_AT_END)
    }

    fn account(&mut self, used: Duration) {
        let more = used.saturating_sub(self.used);
        self.used = used;
        let more = u64::try_from(more.as_nanos()).unwrap_or_default();
        OWN_CPU.fetch_add(more, Ordering::Relaxed);
    }
}

/// Whether a process ends within this time, by its descriptor.
fn has_ended_after(exit: &OwnedFd, most: Duration) -> bool {
    let mut waiting = [PollFd::new(exit, PollFlags::IN)];
    let until = Instant::now() + most;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match rustix::event::poll(&mut waiting, Some(&timespec(left))) {
            Err(Errno::INTR) => {}
            ended => return ended.is_ok_and(|ended| ended > 0),
        }
    }
}

impl Drop for Process {
    /// A helper that hears that nothing will be asked any more ends. One that does not is killed, after all that it has started: whoever
    /// of those loses its parent is found below one of the two that are left.
    fn drop(&mut self) {
        self.trusted &= self.is_guarded();
        self.requests = None;
        if !self.trusted || !self.ends() {
            self.slot.stop_births();
            system::kill_below(self.pid(), PATIENCE_AT_END);
            // If it has ended, its number may be another's.
            if let Some((server, Some(descriptor))) = &self.server
                && !has_ended_after(descriptor, Duration::ZERO)
            {
                system::kill_below(*server, PATIENCE_AT_END);
                // It may have ended.
                let _ = rustix::process::pidfd_send_signal(descriptor, Signal::KILL);
            }
            // Fails only if it is dead.
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Process").field(&self.child.id()).finish()
    }
}
