//! Waiting for a test: for its end, for what it prints, for its deadline and for whoever no longer wants to know, all at once.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions};

use smallvec::SmallVec;

use super::limit_tracker::LimitTracker;
use super::server_pipe::AnswerPipe;
use super::{LimitKind, TestOutput};

/// The polling interval where the system cannot report the end of a process.
const LOOK: Duration = Duration::from_millis(10);

/// The longest time without a look at the clock.
const DOZE: Duration = Duration::from_millis(250);

/// If our own sleep takes so much longer, we were stopped.
const SLACK: Duration = Duration::from_millis(250);

/// The size of one read, in bytes.
const CHUNK: usize = 16 * 1024;

/// The most that is read after the end of a test, in bytes. A pipe holds 64 KB; more comes only from a surviving process that writes faster
/// than we read.
const LAST_WORDS: usize = 1 << 20;

/// Cancels a test from another thread.
#[derive(Debug)]
pub(super) struct CancelSignal {
    receiver: PipeReader,
    sender: PipeWriter,
    /// Whether it was sent since signals were discarded.
    is_sent: AtomicBool,
}

impl CancelSignal {
    pub(super) fn new() -> io::Result<CancelSignal> {
        let (hear, pull) = io::pipe()?;
        rustix::io::ioctl_fionbio(&hear, true)?;
        rustix::io::ioctl_fionbio(&pull, true)?;
        Ok(CancelSignal {
            receiver: hear,
            sender: pull,
            is_sent: AtomicBool::new(false),
        })
    }

    /// Wakes the thread that waits, or will wait.
    pub(super) fn send_cancel(&self) {
        self.is_sent.store(true, Ordering::Release);
        // A full pipe means that the signal was sent already.
        let _ = (&self.sender).write(&[1]);
    }

    /// A descriptor that is readable while a signal is pending.
    pub(super) fn poll_descriptor(&self) -> BorrowedFd<'_> {
        self.receiver.as_fd()
    }

    /// Whether a signal is pending.
    pub(super) fn is_cancelled(&self) -> bool {
        let mut waiting = [PollFd::new(&self.receiver, PollFlags::IN)];
        let now = to_timespec(Duration::ZERO);
        rustix::event::poll(&mut waiting, Some(&now)).is_ok_and(|ready| ready > 0)
    }

    /// Discards pending signals. None may be sent meanwhile.
    pub(super) fn clear_pending(&self) {
        if !self.is_sent.swap(false, Ordering::Acquire) {
            return;
        }
        let mut rings = [0; 64];
        while (&self.receiver).read(&mut rings).is_ok_and(|read| read > 0) {}
    }
}

/// The read end of a test's output. All of it is read, so that a test never waits for us; little is kept.
#[derive(Debug)]
pub(super) struct OutputPipe {
    pipe: Option<PipeReader>,
    output: TestOutput,
}

impl OutputPipe {
    /// A pipe, and the output that keeps what is read from it.
    pub(super) fn new(pipe: PipeReader, output: TestOutput) -> io::Result<OutputPipe> {
        // Set for the read end only: each end has flags of its own, and the test's writes must block.
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(OutputPipe {
            pipe: Some(pipe),
            output,
        })
    }

    /// Reads once without waiting. Returns the number of bytes; 0 if there are none now, or the pipe is closed.
    fn read_available(&mut self) -> usize {
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

    /// Reads what is left in the pipe without waiting. Returns whether its end was reached: if not, a process still holds it open.
    pub(super) fn drain_pipe(&mut self) -> bool {
        let mut left = LAST_WORDS;
        while left > 0 {
            match self.read_available() {
                0 => break,
                read => left = left.saturating_sub(read),
            }
        }
        self.pipe.is_none()
    }

    /// All that was read.
    pub(super) fn into_output(self) -> TestOutput {
        self.output
    }

    /// All that was read since the last call.
    pub(super) fn take_output(&mut self) -> TestOutput {
        std::mem::take(&mut self.output)
    }
}

/// Why a wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WakeReason {
    /// The process has ended. It is not reaped yet, so its number and that of its group cannot be reused.
    Exited,
    /// It exceeded a limit.
    LimitExceeded(LimitKind),
    /// It was cancelled.
    Cancelled,
    /// A server has written a line.
    Answered,
}

/// Waits for a child. While this process is stopped, the test is stopped too (see [`super::suspend_tests()`]), and its clock with it.
/// `exit` becomes readable at the end of the child; without it, we look every 10 ms. `cancel_signal` becomes readable when it is sent.
pub(super) fn wait_for_test(
    pid: Pid,
    exit: Option<&OwnedFd>,
    tap: &mut OutputPipe,
    cancel_signal: Option<BorrowedFd<'_>>,
    tracker: &mut LimitTracker<'_>,
) -> io::Result<WakeReason> {
    wait_for_answer(
        pid,
        exit,
        tap,
        &mut AnswerPipe::default(),
        cancel_signal,
        tracker,
    )
}

/// As [`wait_for_test`], also for a line that a server writes to `answers`.
pub(super) fn wait_for_answer(
    pid: Pid,
    exit: Option<&OwnedFd>,
    tap: &mut OutputPipe,
    answers: &mut AnswerPipe,
    cancel_signal: Option<BorrowedFd<'_>>,
    tracker: &mut LimitTracker<'_>,
) -> io::Result<WakeReason> {
    loop {
        let now = Instant::now();
        let left = tracker
            .next_check()
            .map(|next| next.saturating_duration_since(now));
        let most = if exit.is_some() { DOZE } else { LOOK };
        let pause = left.unwrap_or(most).min(most);
        let ready = poll_sources(exit, tap, answers, cancel_signal, pause)?;
        let overslept = now.elapsed().saturating_sub(pause);
        if overslept > SLACK {
            tracker.add_suspended_time(overslept);
        }
        if ready.printed {
            tap.read_available();
        }
        if ready.answered {
            answers.read_available();
            if answers.has_line() {
                return Ok(WakeReason::Answered);
            }
        }
        // The end counts before a limit: a busy machine may let us look too late.
        if if exit.is_some() {
            ready.exited
        } else {
            has_exited(pid)?
        } {
            return Ok(WakeReason::Exited);
        }
        if ready.cancelled {
            return Ok(WakeReason::Cancelled);
        }
        if let Some(limit) = tracker.exceeded_limit() {
            return Ok(WakeReason::LimitExceeded(limit));
        }
    }
}

/// What happened.
#[derive(Default)]
struct ReadySources {
    exited: bool,
    printed: bool,
    cancelled: bool,
    answered: bool,
}

/// Waits until one of the sources is ready, or for `pause`.
fn poll_sources(
    exit: Option<&OwnedFd>,
    tap: &OutputPipe,
    answers: &AnswerPipe,
    cancel_signal: Option<BorrowedFd<'_>>,
    pause: Duration,
) -> io::Result<ReadySources> {
    let pause = to_timespec(pause);
    let sources = [
        exit.map(|exit| PollFd::new(exit, PollFlags::IN)),
        tap.pipe
            .as_ref()
            .map(|pipe| PollFd::new(pipe, PollFlags::IN)),
        cancel_signal
            .as_ref()
            .map(|cancel_signal| PollFd::new(cancel_signal, PollFlags::IN)),
        answers
            .poll_descriptor()
            .map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)),
    ];
    let present = sources.each_ref().map(Option::is_some);
    let mut waiting: SmallVec<[PollFd<'_>; 4]> = sources.into_iter().flatten().collect();
    match rustix::event::poll(&mut waiting, Some(&pause)) {
        Ok(_) => {}
        Err(Errno::INTR) => return Ok(ReadySources::default()),
        Err(error) => return Err(error.into()),
    }
    let mut states = waiting.iter().map(|source| !source.revents().is_empty());
    let [exited, printed, cancelled, answered] =
        present.map(|present| present && states.next().unwrap_or(false));
    Ok(ReadySources {
        exited,
        printed,
        cancelled,
        answered,
    })
}

/// For the system.
pub(super) fn to_timespec(time: Duration) -> Timespec {
    Timespec {
        tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    }
}

/// Whether a child has ended. Does not reap it.
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
    use crate::oracle::TimeLimits;
    use std::process::{Child, Command, Stdio};

    fn sh(script: &str) -> (Child, Pid, OutputPipe) {
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
            OutputPipe::new(read, TestOutput::default()).expect("a tap"),
        )
    }

    fn until(wall: Option<Duration>) -> LimitTracker<'static> {
        let limits = TimeLimits { wall, cpu: None };
        LimitTracker::new(Instant::now(), limits, &|| None, None)
    }

    /// Systems that cannot tell of an end are watched too: everything that `watch` does, with and without a descriptor.
    #[test]
    fn an_end_is_seen_with_and_without_help() {
        for helped in [true, false] {
            let (mut child, pid, mut tap) = sh("echo words; exit 3");
            let exit = super::super::system::exit_descriptor(pid).filter(|_| helped);
            let woken = wait_for_test(pid, exit.as_ref(), &mut tap, None, &mut until(None))
                .expect("watched");
            assert_eq!(woken, WakeReason::Exited);
            assert_eq!(
                child.wait().expect("a status").code(),
                Some(3),
                "the child was left for us to wait for"
            );
            assert!(tap.drain_pipe(), "nobody holds the pipe");
            assert_eq!(tap.into_output().to_text(), "words\n");
        }
    }

    #[test]
    fn a_deadline_and_a_bell_end_the_wait() {
        for helped in [true, false] {
            let (mut child, pid, mut tap) = sh("exec sleep 1000");
            let exit = super::super::system::exit_descriptor(pid).filter(|_| helped);
            let cancel_signal = CancelSignal::new().expect("a cancel_signal");
            let soon = Some(Duration::from_millis(5));
            let mut watch = |wall| {
                let hear = Some(cancel_signal.poll_descriptor());
                wait_for_test(pid, exit.as_ref(), &mut tap, hear, &mut until(wall))
                    .expect("watched")
            };
            assert_eq!(watch(soon), WakeReason::LimitExceeded(LimitKind::Wall));
            cancel_signal.send_cancel();
            assert_eq!(watch(None), WakeReason::Cancelled);
            cancel_signal.clear_pending();
            assert_eq!(watch(soon), WakeReason::LimitExceeded(LimitKind::Wall));
            child.kill().expect("killed");
            child.wait().expect("a status");
        }
    }
}
