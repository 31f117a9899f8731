//! The runner's side of a helper.

use std::fmt;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use super::frame::{self, Frame};
use super::wire::{self, Report};
use super::{SANDBOX, WORD};
use crate::oracle::cgroup::Slot;
use crate::oracle::errand::Errand;
use crate::oracle::watch::{Bell, timespec};
use crate::oracle::{Held, NoVerdict, Quotas, Run, system};

/// How long a helper may take to greet, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(10);

/// Processes of its own that may be in a helper's control group: it, and where it has a sandbox, who waits outside.
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
    /// The one directory that can be written in its sandbox, if it shall be in one.
    pub sandbox: Option<PathBuf>,
}

/// A helper, and how to get another if it dies.
#[derive(Debug)]
pub(in crate::oracle) struct Helper {
    start: Start,
    process: Option<Process>,
    held: Held,
}

/// A helper's process, as long as it does what it should.
struct Process {
    child: Child,
    /// None once it is told to end.
    requests: Option<ChildStdin>,
    answers: ChildStdout,
    /// Whether it ends when it is told to: it has greeted, and never failed since.
    trusted: bool,
    used: Duration,
    /// Dropped last: it must be empty by then.
    _slot: Slot,
}

impl Start {
    /// A helper that starts when there is something for it to do.
    pub(in crate::oracle) fn helper(&self) -> Helper {
        Helper {
            start: self.clone(),
            process: None,
            held: Held::default(),
        }
    }

    /// So many helpers, which start at the same time. Fails if one does not, or says that it is no help here.
    pub(in crate::oracle) fn helpers(&self, count: usize) -> io::Result<Vec<Helper>> {
        let processes = (0..count)
            .map(|_| Process::spawn(self))
            .collect::<io::Result<Vec<_>>>()?;
        processes
            .into_iter()
            .map(|mut process| {
                Ok(Helper {
                    held: process.greet()?,
                    start: self.clone(),
                    process: Some(process),
                })
            })
            .collect()
    }
}

impl Helper {
    /// Which limits its control groups keep.
    pub(in crate::oracle) fn held(&self) -> Held {
        self.held
    }

    /// Has a test run, until the bell rings. None if it rang first.
    pub(in crate::oracle) fn run(
        &mut self,
        errand: &Errand,
        bell: Option<&Bell>,
    ) -> Result<Option<Run>, NoVerdict> {
        // Ours alone until it has answered: if we panic meanwhile, it is ended.
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                let lost = |error| NoVerdict::system("starting a helper", &error);
                let mut process = Process::spawn(&self.start).map_err(lost)?;
                process.greet().map_err(lost)?;
                process
            }
        };
        match process.ask(errand, bell) {
            Ok(report) => {
                process.account(report.own_cpu);
                self.process = (!report.spent).then_some(process);
                Ok(report.done?)
            }
            Err(error) => {
                process.trusted = false;
                drop(process);
                system::kill_escaped(&errand.dir);
                Err(NoVerdict::system("running the test in a helper", &error))
            }
        }
    }
}

impl Process {
    fn spawn(start: &Start) -> io::Result<Process> {
        let slot = Slot::new(start.grouped, OWN);
        let mut command = Command::new(&start.program);
        command.arg(WORD);
        if let Some(root) = &start.sandbox {
            command.arg(SANDBOX).arg(root);
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
            child,
            _slot: slot,
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
        Ok(held)
    }

    /// Sends the errand, and waits for the report. When the bell rings, the errand is called back.
    fn ask(&mut self, errand: &Errand, bell: Option<&Bell>) -> io::Result<Report> {
        self.send(Frame::errand(errand))?;
        if let Some(bell) = bell
            && self.rings_first(bell)?
        {
            self.send(Frame::callback())?;
        }
        wire::report(&self.answer()?)
    }

    /// Waits until there is an answer or the bell rings. Says whether it rings and there is none.
    fn rings_first(&self, bell: &Bell) -> io::Result<bool> {
        let (answers, hear) = (self.answers.as_fd(), bell.hear());
        let mut waiting =
            [answers, hear].map(|source| PollFd::from_borrowed_fd(source, PollFlags::IN));
        loop {
            match rustix::event::poll(&mut waiting, None) {
                Ok(_) => return Ok(waiting[0].revents().is_empty()),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn send(&mut self, said: Frame) -> io::Result<()> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        frame::send(requests, said)
    }

    fn answer(&mut self) -> io::Result<Vec<u8>> {
        frame::receive(&mut self.answers)?.ok_or_else(|| io::Error::other("it has died"))
    }

    fn account(&mut self, used: Duration) {
        let more = used.saturating_sub(self.used);
        self.used = used;
        let more = u64::try_from(more.as_nanos()).unwrap_or_default();
        OWN_CPU.fetch_add(more, Ordering::Relaxed);
    }
}

impl Drop for Process {
    /// A helper that hears that nothing will be asked any more ends.
    fn drop(&mut self) {
        self.requests = None;
        if !self.trusted {
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
