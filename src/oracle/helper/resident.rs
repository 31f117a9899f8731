//! The helper's side of a server: a test that stays alive between two candidates.
//!
//! All that the helper has started belongs to the server, so whatever ends the server ends all of that. A question that was withdrawn is
//! answered all the same: that answer is awaited for a while and dropped, because another start would cost more. The limits of memory, processes and
//! disk hold between two questions too.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::reap::ReapResult;
use super::tools::{FinishedCommand, HelperTools, total_cpu_time};
use crate::oracle::cleanup::OwnDir;
use crate::oracle::limit_tracker::LimitTracker;
use crate::oracle::server_pipe::ServerAnswer;
use crate::oracle::server_process::{ServerProcess, ServerQuestion};
use crate::oracle::test_command::{self, RunStep, RunStepError, TestCommand};
use crate::oracle::wait::WakeReason;
use crate::oracle::{LimitKind, TestExit, TestRun, TimeLimits};

/// How long after its withdrawal the answer to a question is awaited. The server is ended then.
const OWED_PATIENCE: Duration = Duration::from_secs(5);

/// The place of the server; empty if none runs.
#[derive(Default)]
pub(super) struct ResidentSlot(Option<ResidentServer>);

/// A server between two questions.
struct ResidentServer {
    process: ServerProcess,
    /// Its directory, opened before it could change the path to it.
    dir: io::Result<OwnDir>,
    /// How it was started.
    command: TestCommand,
    /// When its memory, processes and files are checked next.
    next_check: Option<Instant>,
    /// When its last question was withdrawn, if it has not been answered since.
    withdrawn: Option<Instant>,
    /// Whether all that it had started is gone, if it was ended between two questions.
    ended: Option<io::Result<ReapResult>>,
}

/// What a question came to, while its server still runs.
struct AskedServer {
    woken: WakeReason,
    answer: ServerAnswer,
    time: Duration,
    /// See [`LimitTracker::exceeded_at_exit`].
    beyond: Option<LimitKind>,
}

impl ResidentSlot {
    /// Waits until the client sends something or is gone, if there is a server. One that exceeds a limit meanwhile, ends or speaks unasked is ended.
    pub(super) fn await_request(&mut self, tools: &HelperTools) {
        while let Some(server) = self.0.as_mut().filter(|server| server.ended.is_none()) {
            match server.wait_unasked(tools) {
                Ok(WakeReason::Cancelled) => return,
                Ok(WakeReason::Answered) => {}
                _ => server.ended = Some(tools.end(server.process.pid())),
            }
        }
    }

    /// Asks the server about a candidate: the one that runs, or else a new one.
    pub(super) fn ask_server(
        &mut self,
        tools: &mut HelperTools,
        question: &ServerQuestion,
    ) -> FinishedCommand {
        let kept = match self.settle(tools, question) {
            Ok(kept) => kept,
            Err(finished) => return *finished,
        };
        let before = total_cpu_time().unwrap_or_default();
        if kept.is_none() {
            tools.cgroups.reset_counters();
        }
        let begin = Instant::now();
        let mut server = match kept.map_or_else(|| start_server(tools, question), Ok) {
            Ok(server) => server,
            Err(error) => return FinishedCommand::failed(error),
        };
        let asked = await_answer(tools, &mut server, question, begin, before);
        let asked = match asked {
            Ok(asked) if asked.woken == WakeReason::Cancelled => {
                return self.withdraw(tools, server, question.once);
            }
            Ok(asked) => asked,
            Err(error) => {
                // Whether that was clean does not matter: this helper is replaced.
                let _ = tools.end(server.process.pid());
                return FinishedCommand::failed(wait_error(error));
            }
        };
        let stays = !question.once && matches!(asked.answer, ServerAnswer::Status(_));
        let reaped = match stays {
            true => None,
            false => match tools.end(server.process.pid()) {
                Ok(reaped) => Some(reaped),
                Err(error) => return FinishedCommand::failed(wait_error(error)),
            },
        };
        let output = server.process.take_output();
        if stays {
            self.0 = Some(server);
        }
        let cpu = total_cpu_time().map(|cpu| cpu.saturating_sub(before));
        let status = match (&asked.answer, &reaped) {
            (ServerAnswer::Status(status), _) => TestExit::Code(i32::from(*status)),
            (_, Some(reaped)) => reaped.status.unwrap_or(TestExit::Signal(0)),
            (_, None) => TestExit::Signal(0),
        };
        let limits = question.command.limits;
        let exit = test_command::final_exit(asked.woken, status, cpu, limits, asked.beyond);
        let run = TestRun {
            exit,
            time: asked.time,
            cpu,
            output,
        };
        FinishedCommand {
            result: tools.check_oom_kill(exit).map(|()| Some(run)),
            answer: asked.answer,
            is_unusable: reaped.is_some_and(|reaped| !reaped.clean),
            is_orphaned: false,
        }
    }

    /// Ends the server, if there is one, and removes its directory: the client is gone.
    pub(super) fn abandon(&mut self, tools: &HelperTools) {
        if let Some(server) = self.0.take() {
            if server.ended.is_none() {
                let _ = tools.end(server.process.pid());
            }
            // What cannot be removed is removed by the next run.
            let _ = server.dir.and_then(|dir| dir.remove());
        }
    }

    /// The server that runs; none if there was none. One that is of no use any more is ended, and nobody is asked then.
    fn settle(
        &mut self,
        tools: &mut HelperTools,
        question: &ServerQuestion,
    ) -> Result<Option<ResidentServer>, Box<FinishedCommand>> {
        let Some(mut server) = self.0.take() else {
            return Ok(None);
        };
        if server.ended.is_none() && server.withdrawn.is_some() {
            let owed = server.wait_unasked(tools);
            if matches!(owed, Ok(WakeReason::Cancelled)) {
                return Err(Box::new(self.withdraw(tools, server, false)));
            }
        }
        let ended = match server.ended.take() {
            Some(ended) => ended,
            None if !question.once && server.is_idle() => return Ok(Some(server)),
            None => tools.end(server.process.pid()),
        };
        match ended {
            Ok(reaped) if question.once && reaped.clean => Ok(None),
            Ok(reaped) => Err(Box::new(FinishedCommand {
                result: Ok(None),
                answer: ServerAnswer::Ended,
                is_unusable: !reaped.clean,
                is_orphaned: false,
            })),
            Err(error) => Err(Box::new(FinishedCommand::failed(wait_error(error)))),
        }
    }

    /// The client wants no answer any more, or is gone.
    fn withdraw(
        &mut self,
        tools: &mut HelperTools,
        server: ResidentServer,
        once: bool,
    ) -> FinishedCommand {
        let is_orphaned = !tools.was_cancelled();
        let mut is_unusable = false;
        if is_orphaned || once {
            let ended = tools.end(server.process.pid());
            is_unusable = !ended.is_ok_and(|ended| ended.clean);
        } else {
            self.0 = Some(ResidentServer {
                withdrawn: server.withdrawn.or_else(|| Some(Instant::now())),
                ..server
            });
        }
        FinishedCommand {
            result: Ok(None),
            answer: ServerAnswer::Nothing,
            is_unusable,
            is_orphaned,
        }
    }
}

impl ResidentServer {
    /// Waits while no question is open, or only one that was withdrawn. [`WakeReason::Answered`] if that was answered, [`WakeReason::Cancelled`] if the
    /// client has sent something or is gone. At anything else the server is of no use any more.
    fn wait_unasked(&mut self, tools: &HelperTools) -> io::Result<WakeReason> {
        let dirs = tools.writable_dirs(&self.command);
        let monitor = tools.monitor(self.command.quotas, &dirs);
        let (begin, limits) = match self.withdrawn {
            Some(withdrawn) => (withdrawn, TimeLimits::wall_only(OWED_PATIENCE)),
            None => (Instant::now(), TimeLimits::default()),
        };
        let tracker = LimitTracker::new(begin, limits, &|| None, Some(&monitor));
        let mut tracker = tracker.with_resource_check(self.next_check);
        let requests = Some(tools.requests.as_fd());
        let (woken, answer) = self.process.wait_for_answer(requests, &mut tracker)?;
        self.next_check = tracker.next_resource_check();
        match (woken, answer) {
            (WakeReason::Answered, ServerAnswer::Status(_)) if self.withdrawn.is_some() => {
                self.withdrawn = None;
                // That was about the other candidate.
                drop(self.process.take_output());
                Ok(woken)
            }
            (WakeReason::Answered, _) => Ok(WakeReason::Exited),
            _ => Ok(woken),
        }
    }

    /// Whether it can be asked.
    fn is_idle(&mut self) -> bool {
        self.withdrawn.is_none() && self.process.is_idle()
    }
}

fn start_server(
    tools: &HelperTools,
    question: &ServerQuestion,
) -> Result<ResidentServer, RunStepError> {
    let dir = OwnDir::at(&question.command.dir);
    let start = || ServerProcess::start(&question.command, true);
    let process = tools.start(start)?;
    Ok(ResidentServer {
        process,
        dir,
        command: question.command.clone(),
        next_check: None,
        withdrawn: None,
        ended: None,
    })
}

/// Asks, and waits for the answer; of a server that is asked once, for its end too. `before` is the processor time until now.
fn await_answer(
    tools: &HelperTools,
    server: &mut ResidentServer,
    question: &ServerQuestion,
    begin: Instant,
    before: Duration,
) -> io::Result<AskedServer> {
    let used = || Some(total_cpu_time()?.saturating_sub(before));
    let mut dirs = tools.writable_dirs(&question.command);
    dirs.push(question.candidate_dir());
    let monitor = tools.monitor(question.command.quotas, &dirs);
    let limits = question.command.limits;
    let tracker = LimitTracker::new(begin, limits, &used, Some(&monitor));
    let mut tracker = tracker.with_resource_check(server.next_check);
    let requests = Some(tools.requests.as_fd());
    let process = &mut server.process;
    let (woken, answer) = match question.once {
        true => process.ask_once(&question.candidate, requests, &mut tracker)?,
        false => process.ask(&question.candidate, requests, &mut tracker)?,
    };
    server.next_check = tracker.next_resource_check();
    let time = begin.elapsed().saturating_sub(tracker.suspended_time());
    Ok(AskedServer {
        woken,
        answer,
        time,
        beyond: tracker.exceeded_at_exit(),
    })
}

fn wait_error(error: io::Error) -> RunStepError {
    RunStepError {
        step: RunStep::Wait,
        error,
    }
}
