//! Waiting for a test: for its end, for what it prints, for its deadline and for whoever no longer wants to know, all at once.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions};

use smallvec::SmallVec;

use super::bounds::Bounds;
use super::{Bound, Output};

/// The longest time between two looks where the system cannot tell us of a process's end.
const LOOK: Duration = Duration::from_millis(10);

/// The longest time between two looks at the clock.
const DOZE: Duration = Duration::from_millis(250);

/// Who sleeps so much longer than that was stopped.
const SLACK: Duration = Duration::from_millis(250);

/// How much is read at a time, in bytes.
const CHUNK: usize = 16 * 1024;

/// How much is read after a test's end, in bytes. A pipe holds 64 KB; more comes only from a survivor that writes faster than we read.
const LAST_WORDS: usize = 1 << 20;

/// Wakes a watcher from another thread.
#[derive(Debug)]
pub(super) struct Bell {
    hear: PipeReader,
    pull: PipeWriter,
}

impl Bell {
    pub(super) fn new() -> io::Result<Bell> {
        let (hear, pull) = io::pipe()?;
        rustix::io::ioctl_fionbio(&hear, true)?;
        rustix::io::ioctl_fionbio(&pull, true)?;
        Ok(Bell { hear, pull })
    }

    /// Wakes whoever watches, or will.
    pub(super) fn ring(&self) {
        // A full pipe is a bell that rings already.
        let _ = (&self.pull).write(&[1]);
    }

    /// What is readable while it rings.
    pub(super) fn hear(&self) -> BorrowedFd<'_> {
        self.hear.as_fd()
    }

    /// Whether it rings.
    pub(super) fn rings(&self) -> bool {
        let mut waiting = [PollFd::new(&self.hear, PollFlags::IN)];
        let now = timespec(Duration::ZERO);
        rustix::event::poll(&mut waiting, Some(&now)).is_ok_and(|ready| ready > 0)
    }

    /// Forgets earlier rings.
    pub(super) fn silence(&self) {
        let mut rings = [0; 64];
        while (&self.hear).read(&mut rings).is_ok_and(|read| read > 0) {}
    }
}

/// The reading end of what a test prints. All is read, so that a test never waits for us; little is kept.
#[derive(Debug)]
pub(super) struct Tap {
    pipe: Option<PipeReader>,
    output: Output,
}

impl Tap {
    /// The pipe, and what has been read of it and how much is to be kept.
    pub(super) fn new(pipe: PipeReader, output: Output) -> io::Result<Tap> {
        // Of the reading end only: the two ends have their flags for themselves, and a test's writes must block.
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Tap {
            pipe: Some(pipe),
            output,
        })
    }

    /// Reads what is there, once. Says how much; 0 when nothing is there now or ever.
    fn read(&mut self) -> usize {
        let Some(pipe) = &mut self.pipe else { return 0 };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(read) if read > 0 => {
                self.output.push(&chunk[..read]);
                read
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) =>
            {
                0
            }
            Ok(_) | Err(_) => {
                self.pipe = None;
                0
            }
        }
    }

    /// Reads what is left in the pipe. Does not wait for its end, but says whether it came: if not, some process still holds it open.
    pub(super) fn drain(&mut self) -> bool {
        let mut left = LAST_WORDS;
        while left > 0 {
            match self.read() {
                0 => break,
                read => left = left.saturating_sub(read),
            }
        }
        self.pipe.is_none()
    }

    /// All that was read.
    pub(super) fn output(self) -> Output {
        self.output
    }
}

/// Why a watch is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    /// The process has ended. It was not waited for: until then, its number and that of its group are nobody else's.
    Exited,
    /// It passed a bound first.
    Passed(Bound),
    /// The bell rang first.
    Cancelled,
}

/// Waits for a child. While this process is stopped, so is the test (see [`super::freeze()`]), and its clock with it. `exit` becomes readable at its end; without it, we look every 10 ms. `bell` becomes readable when it rings.
pub(super) fn watch(
    pid: Pid,
    exit: Option<&OwnedFd>,
    tap: &mut Tap,
    bell: Option<BorrowedFd<'_>>,
    bounds: &mut Bounds<'_>,
) -> io::Result<Woken> {
    loop {
        let now = Instant::now();
        let left = bounds
            .next()
            .map(|next| next.saturating_duration_since(now));
        let most = if exit.is_some() { DOZE } else { LOOK };
        let pause = left.unwrap_or(most).min(most);
        let ready = poll(exit, tap, bell, pause)?;
        let overslept = now.elapsed().saturating_sub(pause);
        if overslept > SLACK {
            bounds.stood_still(overslept);
        }
        if ready.printed {
            tap.read();
        }
        // The end counts before the bounds: a test that was in time but on a busy machine is in time.
        if if exit.is_some() {
            ready.exited
        } else {
            has_exited(pid)?
        } {
            return Ok(Woken::Exited);
        }
        if ready.cancelled {
            return Ok(Woken::Cancelled);
        }
        if let Some(bound) = bounds.passed() {
            return Ok(Woken::Passed(bound));
        }
    }
}

/// What happened.
#[derive(Default)]
struct Ready {
    exited: bool,
    printed: bool,
    cancelled: bool,
}

/// Waits until one of the three happens, or for `pause`.
fn poll(
    exit: Option<&OwnedFd>,
    tap: &Tap,
    bell: Option<BorrowedFd<'_>>,
    pause: Duration,
) -> io::Result<Ready> {
    let pause = timespec(pause);
    let sources = [
        exit.map(|exit| PollFd::new(exit, PollFlags::IN)),
        tap.pipe
            .as_ref()
            .map(|pipe| PollFd::new(pipe, PollFlags::IN)),
        bell.as_ref().map(|bell| PollFd::new(bell, PollFlags::IN)),
    ];
    let present = sources.each_ref().map(Option::is_some);
    let mut waiting: SmallVec<[PollFd<'_>; 3]> = sources.into_iter().flatten().collect();
    match rustix::event::poll(&mut waiting, Some(&pause)) {
        Ok(_) => {}
        Err(Errno::INTR) => return Ok(Ready::default()),
        Err(error) => return Err(error.into()),
    }
    let mut states = waiting.iter().map(|source| !source.revents().is_empty());
    let [exited, printed, cancelled] =
        present.map(|present| present && states.next().unwrap_or(false));
    Ok(Ready {
        exited,
        printed,
        cancelled,
    })
}

/// For the system.
pub(super) fn timespec(time: Duration) -> Timespec {
    Timespec {
        tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    }
}

/// Whether a child has ended; leaves it unwaited for.
pub(super) fn has_exited(pid: Pid) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    match rustix::process::waitid(WaitId::Pid(pid), options) {
        Ok(status) => Ok(status.is_some()),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Limits;
    use std::process::{Child, Command, Stdio};

    fn sh(script: &str) -> (Child, Pid, Tap) {
        let (read, write) = io::pipe().expect("a pipe");
        let child = Command::new("/bin/sh")
            .args(["-c", script])
            .stdin(Stdio::null())
            .stdout(write)
            .spawn()
            .expect("a child");
        let pid = Pid::from_child(&child);
        (
            child,
            pid,
            Tap::new(read, Output::default()).expect("a tap"),
        )
    }

    fn until(wall: Option<Duration>) -> Bounds<'static> {
        let limits = Limits { wall, cpu: None };
        Bounds::new(Instant::now(), limits, &|| None, None)
    }

    /// Systems that cannot tell of an end are watched too: everything that `watch` does, with and without a descriptor.
    #[test]
    fn an_end_is_seen_with_and_without_help() {
        for helped in [true, false] {
            let (mut child, pid, mut tap) = sh("echo words; exit 3");
            let exit = super::super::system::exit_descriptor(pid).filter(|_| helped);
            let woken =
                watch(pid, exit.as_ref(), &mut tap, None, &mut until(None)).expect("watched");
            assert_eq!(woken, Woken::Exited);
            assert_eq!(
                child.wait().expect("a status").code(),
                Some(3),
                "the child was left for us to wait for"
            );
            assert!(tap.drain(), "nobody holds the pipe");
            assert_eq!(tap.output().text(), "words\n");
        }
    }

    #[test]
    fn a_deadline_and_a_bell_end_the_wait() {
        for helped in [true, false] {
            let (mut child, pid, mut tap) = sh("exec sleep 1000");
            let exit = super::super::system::exit_descriptor(pid).filter(|_| helped);
            let bell = Bell::new().expect("a bell");
            let soon = Some(Duration::from_millis(5));
            let mut watch = |wall| {
                let hear = Some(bell.hear());
                watch(pid, exit.as_ref(), &mut tap, hear, &mut until(wall)).expect("watched")
            };
            assert_eq!(watch(soon), Woken::Passed(Bound::Wall));
            bell.ring();
            assert_eq!(watch(None), Woken::Cancelled);
            bell.silence();
            assert_eq!(watch(soon), Woken::Passed(Bound::Wall));
            child.kill().expect("killed");
            child.wait().expect("a status");
        }
    }
}
