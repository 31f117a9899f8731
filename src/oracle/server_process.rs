//! A test that stays alive: a *server*. It reads the directory of a candidate in a line, and answers with a status in a line.
//!
//! Here is the conversation with one process, whoever its parent is. A helper keeps the process between two candidates
//! (`helper/resident.rs`); when it is started, how long it lives and whom it is asked beside is decided in `server.rs`. Its standard error is what
//! the test prints.

use std::io::{self, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;
use serde::{Deserialize, Serialize};

use super::limit_tracker::LimitTracker;
use super::server_pipe::{AnswerPipe, ServerAnswer, malformed};
use super::test_command::{RunStep, RunStepError, RunningTest, TestCommand};
use super::wait::{self, WakeReason};
use super::{LimitKind, TestOutput, TestRun};

/// How long a server may take to end after the end of its input.
const PATIENCE: Duration = Duration::from_secs(10);

/// A candidate for a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ServerQuestion {
    /// How the server is started, and the limits of this question. Its directory is the server's own: another directory is another server.
    pub command: TestCommand,
    /// The directory of the candidate.
    #[serde(with = "super::os_path")]
    pub candidate: PathBuf,
    /// Whether a new server is asked, and nothing else of it: its input ends, and so must it.
    pub once: bool,
}

/// What a helper reports of a question.
pub(super) enum ServerReply {
    /// The run, and what the server said.
    Answered(TestRun, ServerAnswer),
    /// The server had ended before it was asked. Another one needs a directory of its own.
    Ended,
    /// The question was cancelled.
    Cancelled,
}

/// A server that runs.
pub(super) struct ServerProcess {
    test: RunningTest,
    /// None when its input has ended.
    input: Option<PipeWriter>,
    answers: AnswerPipe,
}

impl ServerQuestion {
    /// The directory of all that belongs to the candidate.
    pub(super) fn candidate_dir(&self) -> &Path {
        self.candidate.parent().unwrap_or(&self.candidate)
    }
}

impl ServerProcess {
    /// Starts the server in a process group of its own.
    pub(super) fn start(
        command: &TestCommand,
        in_helper: bool,
    ) -> Result<ServerProcess, RunStepError> {
        let pipe_error = |error| RunStepError {
            step: RunStep::Pipe,
            error,
        };
        let (read, input) = io::pipe().map_err(pipe_error)?;
        // A server that reads nothing must not stop us.
        rustix::io::ioctl_fionbio(&input, true).map_err(|error| pipe_error(error.into()))?;
        let (answers, write) = io::pipe().map_err(pipe_error)?;
        Ok(ServerProcess {
            answers: AnswerPipe::new(answers).map_err(pipe_error)?,
            test: command.spawn_server(read.as_fd(), write.as_fd(), in_helper)?,
            input: Some(input),
        })
    }

    pub(super) fn pid(&self) -> Pid {
        self.test.pid
    }

    /// Whether it can be asked: it has not ended, and has written nothing that nobody has asked for.
    pub(super) fn is_idle(&mut self) -> bool {
        let has_exited = wait::has_exited(self.test.pid);
        has_exited.is_ok_and(|exited| !exited) && self.answers.is_quiet()
    }

    /// What it has printed to its standard error since the last call.
    pub(super) fn take_output(&mut self) -> TestOutput {
        self.test.output.drain_pipe();
        self.test.output.take_output()
    }

    /// Asks about a candidate, and waits for the answer.
    pub(super) fn ask(
        &mut self,
        candidate: &Path,
        cancel_signal: Option<BorrowedFd<'_>>,
        tracker: &mut LimitTracker<'_>,
    ) -> io::Result<(WakeReason, ServerAnswer)> {
        // If it has closed its input it will not answer either.
        let _ = self.write_line(candidate);
        self.wait_for_answer(cancel_signal, tracker)
    }

    /// Asks a new server about one candidate, and waits for its end, before which it must say nothing more.
    pub(super) fn ask_once(
        &mut self,
        candidate: &Path,
        cancel_signal: Option<BorrowedFd<'_>>,
        tracker: &mut LimitTracker<'_>,
    ) -> io::Result<(WakeReason, ServerAnswer)> {
        let (woken, answer) = self.ask(candidate, cancel_signal, tracker)?;
        if !matches!(answer, ServerAnswer::Status(_)) {
            return Ok((woken, answer));
        }
        match self.close(cancel_signal, tracker)? {
            (WakeReason::Cancelled, _) => Ok((WakeReason::Cancelled, ServerAnswer::Nothing)),
            (beyond @ WakeReason::LimitExceeded(_), None) => Ok((beyond, answer)),
            (_, fault) => Ok((woken, fault.unwrap_or(answer))),
        }
    }

    /// Waits for the answer to a question. One that ends after its answer has answered.
    pub(super) fn wait_for_answer(
        &mut self,
        cancel_signal: Option<BorrowedFd<'_>>,
        tracker: &mut LimitTracker<'_>,
    ) -> io::Result<(WakeReason, ServerAnswer)> {
        let woken = wait::wait_for_answer(
            self.test.pid,
            self.test.exit.as_ref(),
            &mut self.test.output,
            &mut self.answers,
            cancel_signal,
            tracker,
        )?;
        let answer = match woken {
            WakeReason::Answered | WakeReason::Exited => self.answers.take_answer(),
            WakeReason::Cancelled | WakeReason::LimitExceeded(_) => ServerAnswer::Nothing,
        };
        Ok((woken, answer))
    }

    /// Ends its input and waits for its end. Returns what is wrong with that; none if it ends without another word, or by a limit other than that of
    /// wall time.
    fn close(
        &mut self,
        cancel_signal: Option<BorrowedFd<'_>>,
        tracker: &mut LimitTracker<'_>,
    ) -> io::Result<(WakeReason, Option<ServerAnswer>)> {
        self.input = None;
        tracker.restart_deadline(PATIENCE);
        let woken = wait::wait_for_test(
            self.test.pid,
            self.test.exit.as_ref(),
            &mut self.test.output,
            cancel_signal,
            tracker,
        )?;
        let fault = match woken {
            WakeReason::LimitExceeded(LimitKind::Wall) => Some(ServerAnswer::Malformed(format!(
                "it had not ended {} s after the end of its input",
                PATIENCE.as_secs()
            ))),
            WakeReason::LimitExceeded(_) => None,
            _ => match self.answers.take_answer() {
                ServerAnswer::Nothing | ServerAnswer::Ended => None,
                ServerAnswer::Status(status) => Some(malformed(
                    status.to_string().as_bytes(),
                    "after its answer, and nobody had asked",
                )),
                fault @ ServerAnswer::Malformed(_) => Some(fault),
            },
        };
        Ok((woken, fault))
    }

    fn write_line(&mut self, candidate: &Path) -> io::Result<()> {
        let line = [candidate.as_os_str().as_bytes(), b"\n"].concat();
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(&line)
    }
}
