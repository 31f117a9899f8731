//! A program that proposes candidates: its process, and the threads that read and write its lines.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use rustix::process::{Pid, Signal, kill_process_group};

use super::messages::{PROTOCOL_VERSION, ReducerLine};

/// The variable that tells a program the version of the protocol.
const VARIABLE: &str = "LOP_PROPOSE";
/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 64 << 20;
/// How many lines are read ahead of their turn.
const READ_AHEAD: usize = 2;
/// How much of what it writes to standard error is kept, in bytes: the end.
const KEPT_ERRORS: usize = 1_024;
/// How long a program has to end by itself once its input is closed.
const PATIENCE_AT_END: Duration = Duration::from_millis(500);
/// How often it is looked at meanwhile.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A program that runs. Dropping it ends it.
pub struct ProposerProcess {
    child: Child,
    /// What it says, line by line. Disconnected when it closes its output.
    pub lines: Receiver<String>,
    outbox: Arc<LineOutbox>,
    /// The end of what it wrote to standard error.
    errors: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when all of that was read.
    errors_read: Receiver<()>,
}

impl ProposerProcess {
    /// Starts a command line of the shell.
    ///
    /// # Errors
    /// When it cannot be started, or the system gives no thread.
    pub fn start(command: &str) -> io::Result<ProposerProcess> {
        let mut child = Command::new("/bin/sh")
            .arg("-c")
            .arg(command)
            .env(VARIABLE, PROTOCOL_VERSION.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let (lines_out, lines) = bounded(READ_AHEAD);
        let outbox = Arc::new(LineOutbox::default());
        let errors_kept: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (to_tell, kept) = (outbox.clone(), errors_kept.clone());
        let (reads_errors, errors_read) = bounded(0);
        let pipes = child
            .stdin
            .take()
            .zip(child.stdout.take())
            .zip(child.stderr.take());
        let process = ProposerProcess {
            child,
            lines,
            outbox,
            errors: errors_kept,
            errors_read,
        };
        let Some(((input, output), errors)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let name = |what: &str| thread::Builder::new().name(format!("lop-propose-{what}"));
        name("in").spawn(move || write_lines(input, &to_tell))?;
        name("out").spawn(move || read_lines(output, &lines_out))?;
        name("err").spawn(move || {
            keep_end(errors, &kept);
            drop(reads_errors);
        })?;
        Ok(process)
    }

    /// Tells it a line. Returns at once.
    pub fn tell(&self, line: ReducerLine) {
        self.outbox.push(line);
    }

    /// How many lines it was told and has not read.
    pub fn unread_lines(&self) -> usize {
        self.outbox.lock().lines.len()
    }

    /// Its exit status, if it ends soon.
    fn await_end(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + PATIENCE_AT_END;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(POLL_INTERVAL),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// How it ended, as the end of a sentence; none if it ended well, or runs.
    pub fn describe_failure(&mut self) -> Option<String> {
        let status = self.await_end()?;
        if status.success() {
            return None;
        }
        // What it has started may hold its standard error open.
        let _ = self.errors_read.recv_timeout(PATIENCE_AT_END);
        let said = self.errors.lock();
        let said = said.unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&said);
        let last = said.trim().lines().next_back().unwrap_or_default();
        Some(match last {
            "" => status.to_string(),
            said => format!("{status}, and said: {said}"),
        })
    }
}

impl Drop for ProposerProcess {
    fn drop(&mut self) {
        self.tell(ReducerLine::End);
        // Its input is closed behind the last line.
        self.outbox.close();
        self.await_end();
        // What it has started may outlive it. Its process group is its own.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

/// Lines that wait until the program reads them. Of versions only the newest waits.
#[derive(Default)]
struct LineOutbox {
    state: Mutex<OutboxState>,
    changed: Condvar,
}

#[derive(Default)]
struct OutboxState {
    lines: VecDeque<ReducerLine>,
    is_closed: bool,
}

impl LineOutbox {
    fn lock(&self) -> MutexGuard<'_, OutboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, line: ReducerLine) {
        let is_version = |line: &ReducerLine| matches!(line, ReducerLine::Version { .. });
        let mut state = self.lock();
        if is_version(&line) {
            state.lines.retain(|older| !is_version(older));
        }
        state.lines.push_back(line);
        self.changed.notify_one();
    }

    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// Waits for the next line; none when all are taken and no more come.
    fn take(&self) -> Option<ReducerLine> {
        let mut state = self.lock();
        loop {
            match state.lines.pop_front() {
                Some(line) => return Some(line),
                None if state.is_closed => return None,
                None => {
                    let woken = self.changed.wait(state);
                    state = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// Writes lines until no more come, or nobody reads them.
fn write_lines(mut input: ChildStdin, lines: &LineOutbox) {
    while let Some(line) = lines.take() {
        let Ok(mut text) = serde_json::to_string(&line) else {
            continue;
        };
        text.push('\n');
        if input.write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}

/// Reads to the end, and keeps the last bytes.
fn keep_end(mut output: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut piece = [0; KEPT_ERRORS];
    while let Ok(read @ 1..) = output.read(&mut piece) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&piece[..read]);
        let over = kept.len().saturating_sub(KEPT_ERRORS);
        kept.drain(..over);
    }
}

/// Hands on each line, until nobody wants more. Of a line that is too long nothing is read any more.
fn read_lines(output: impl Read, lines: &Sender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = (&mut output)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        match read {
            Ok(1..) if line.ends_with(b"\n") => {}
            _ => return,
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if !text.is_empty() && lines.send(text.to_owned()).is_err() {
            return;
        }
    }
}
