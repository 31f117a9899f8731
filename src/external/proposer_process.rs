//! A program that proposes candidates: its process, and the threads that read and write its lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use rustix::process::{Pid, Signal, kill_process_group};

use super::messages::{PROTOCOL_VERSION, ReducerLine};

/// The variable that tells a program the version of the protocol.
const VARIABLE: &str = "LOP_PROPOSE";
/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 64 << 20;
/// How many lines are read ahead of their turn.
const READ_AHEAD: usize = 64;
/// How long a program has to end by itself once its input is closed.
const PATIENCE_AT_END: Duration = Duration::from_millis(500);
/// How often it is looked at meanwhile.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A program that runs. Dropping it ends it.
pub struct ProposerProcess {
    child: Child,
    /// What it says, line by line. Disconnected when it closes its output.
    pub lines: Receiver<String>,
    /// What it is told.
    told: Option<Sender<ReducerLine>>,
    /// The last line that it wrote to standard error.
    last_error: Arc<Mutex<String>>,
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
        let (told, to_tell) = unbounded();
        let last_error = Arc::new(Mutex::new(String::new()));
        let kept = last_error.clone();
        let pipes = child
            .stdin
            .take()
            .zip(child.stdout.take())
            .zip(child.stderr.take());
        let process = ProposerProcess {
            child,
            lines,
            told: Some(told),
            last_error,
        };
        let Some(((input, output), errors)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let name = |what: &str| thread::Builder::new().name(format!("lop-propose-{what}"));
        name("in").spawn(move || write_lines(input, &to_tell))?;
        name("out").spawn(move || read_lines(output, |line| lines_out.send(line).is_ok()))?;
        name("err").spawn(move || {
            read_lines(errors, |line| {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = line;
                true
            });
        })?;
        Ok(process)
    }

    /// Tells it a line. Returns at once.
    pub fn tell(&self, line: ReducerLine) {
        if let Some(told) = &self.told {
            // A program that is gone hears nothing.
            let _ = told.send(line);
        }
    }

    /// How many lines it was told and has not read.
    pub fn unread_lines(&self) -> usize {
        self.told.as_ref().map_or(0, Sender::len)
    }

    /// How it ended, as the end of a sentence; none if it ended well, or runs.
    pub fn describe_failure(&mut self) -> Option<String> {
        let until = Instant::now() + PATIENCE_AT_END;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if Instant::now() < until => thread::sleep(POLL_INTERVAL),
                Ok(None) | Err(_) => return None,
            }
        };
        let said = self.last_error.lock();
        let said = said.unwrap_or_else(PoisonError::into_inner);
        match (status.success(), said.trim()) {
            (true, _) => None,
            (false, "") => Some(status.to_string()),
            (false, said) => Some(format!("{status}, and said: {said}")),
        }
    }
}

impl Drop for ProposerProcess {
    fn drop(&mut self) {
        self.tell(ReducerLine::End);
        // Its input is closed behind the last line.
        self.told = None;
        let until = Instant::now() + PATIENCE_AT_END;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(POLL_INTERVAL);
        }
        // What it has started may outlive it. Its process group is its own.
        if let Some(group) = Pid::from_raw(self.child.id() as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// Writes lines until nobody has more. Of versions that wait, only the newest is written.
fn write_lines(mut input: ChildStdin, lines: &Receiver<ReducerLine>) {
    while let Ok(first) = lines.recv() {
        let mut waiting: Vec<ReducerLine> = [first].into_iter().chain(lines.try_iter()).collect();
        let is_version = |line: &ReducerLine| matches!(line, ReducerLine::Version { .. });
        let newest = waiting.iter().rposition(is_version);
        let mut at = 0;
        waiting.retain(|line| {
            at += 1;
            !is_version(line) || Some(at - 1) == newest
        });
        for line in waiting {
            let Ok(mut text) = serde_json::to_string(&line) else {
                continue;
            };
            text.push('\n');
            if input.write_all(text.as_bytes()).is_err() {
                return;
            }
        }
    }
}

/// Hands on each line, until nobody wants more. Of a line that is too long nothing is read any more.
fn read_lines(output: impl Read, mut hand_on: impl FnMut(String) -> bool) {
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
        if !text.is_empty() && !hand_on(text.to_owned()) {
            return;
        }
    }
}
