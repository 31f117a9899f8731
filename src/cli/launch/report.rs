//! Report: the screen, lines or JSON follow the run to its end; then its session is released.

use std::io;
use std::path::PathBuf;

use crossbeam_channel::never;

use super::contrast::ResultContrast;
use super::front_end::FrontEnd;
use super::known_verdicts::describe_missing;
use super::launched_run::{LaunchedRun, ShownRun};
use super::script_words::read_looked_for;
use super::signals::TerminationSignals;
use super::told_lesson::{ToldLesson, tell_lesson};
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::cli::messages::report_message;
use crate::cli::session_lookup::session_argument;
use crate::oracle;
use crate::plain::{
    ConsoleWriter, LineReporter, RunReporter, RunSummary, follow_run, quote_path_for_display,
};
use crate::reduce::{EngineCommand, FinishReason, RunState};
use crate::session::AttachListener;
use crate::session::file_watcher::{FileWatcher, WatchedFiles};
use crate::session::session_directory::ClaimedSession;
use crate::tui::{
    self, AttachServer, AttachedRun, CommandTarget, ExitReason, RunEnding, ScreenContext,
    ScreenExit, SignalListener,
};

/// How a run ended.
pub struct RunEnd {
    /// The exit status.
    pub status: u8,
    /// How the lesson went that was played without a screen.
    pub lesson: Option<ToldLesson>,
}

impl LaunchedRun {
    /// Reports on the run until its end.
    pub fn report(self) -> Result<RunEnd, CommandFailure> {
        let LaunchedRun {
            front_end,
            signals,
            session,
            synced,
            mut shown,
            contrast,
            in_place,
        } = self;
        let board = shown.run.board.clone();
        // Its last owner looks for what tests have left, which takes a while. Who ends a run early has the last words before that.
        let _scratch = shown.scratch.clone();
        let mut told = None;
        let mut attached = None;
        // Who looks at a run without tests could be waited for, and has no verdict for it.
        let is_open = shown.lesson.is_none() && !shown.header.offline;
        if let Some(session) = session.as_ref().filter(|_| is_open) {
            match shown.let_attach(session) {
                Ok(server) => attached = Some(server),
                Err(error) => {
                    let note = format!("no screen can be attached to this run: {error}");
                    shown.header.notes.push(note);
                }
            }
        }
        let ended = match (front_end.line_reporter(), shown.lesson.clone()) {
            (Some(_), Some(lesson)) => {
                let (status, end) = tell_lesson(shown, &lesson, &signals)?;
                told = Some(end);
                RunEnding {
                    status,
                    lines: Vec::new(),
                }
            }
            (Some(mut reporter), None) => shown.follow_run(&signals, reporter.as_mut())?,
            (None, _) => shown.show_screen(signals, contrast)?,
        };
        let RunEnding {
            mut status,
            mut lines,
        } = ended;
        // The directory of a session that is not kept must be empty.
        attached.iter_mut().for_each(AttachServer::stop_listening);
        let has_decided = board
            .newest_snapshot()
            .is_none_or(|last| last.counts.decisions > 0);
        // Before the session counts as delivered: a run that is killed here is resumed, and does it again.
        let installed = in_place.filter(|_| status != FAILED);
        let installed = installed.map(|project| project.install_result());
        match installed.transpose() {
            Ok(None) => {}
            Ok(Some(said)) if front_end == FrontEnd::Json => drop(said),
            Ok(Some(said)) => ConsoleWriter::stdout().write_line(&format!("lop: {said}")),
            Err(error) => {
                report_message(&error.to_string());
                status = FAILED;
            }
        }
        // The process ends soon, and the system frees the memory of a large program faster.
        std::mem::forget(board);
        let Some(session) = session else {
            return Ok(RunEnd {
                status,
                lesson: told,
            });
        };
        let is_in_place = synced.is_none_or(|journal| journal.is_in_place());
        let message = match is_in_place {
            true => release_session(session, status, has_decided),
            false => Some(format!(
                "lop: the session {} no longer exists; unless it was moved, it cannot be resumed",
                quote_path_for_display(session.session.path())
            )),
        };
        let is_said = front_end != FrontEnd::Json && told.is_none();
        if let (Some(message), true) = (&message, is_said) {
            ConsoleWriter::stdout().write_line(message);
        }
        if let Some(server) = attached {
            lines.extend(message);
            server.finish(&RunEnding { status, lines });
        }
        Ok(RunEnd {
            status,
            lesson: told,
        })
    }
}

/// Releases a session whose run has ended with this status. The result is a message about it. `has_decided` says whether this run made a
/// decision.
fn release_session(session: ClaimedSession, status: u8, has_decided: bool) -> Option<String> {
    let place = &session.session;
    let delivered = match status {
        FAILED => Ok(()),
        _ => place.mark_delivered(),
    };
    if place.is_done() {
        return None;
    }
    if has_decided || !place.has_no_progress() {
        // A finished run that is not recorded as finished ends at once when it is resumed.
        let why = delivered
            .err()
            .map(|error| format!(": its end cannot be recorded: {error}"));
        return Some(format!(
            "lop: `lop resume {}` resumes it{}",
            session_argument(place),
            why.unwrap_or_default()
        ));
    }
    session.abandon();
    Some(
        "lop: nothing was decided yet, so no session is kept; the same command begins again"
            .to_owned(),
    )
}

/// How the run ended, with these last lines.
fn describe_end(totals: &RunSummary, status: u8) -> RunEnding {
    let lines = totals.format_lines().into_iter();
    RunEnding {
        status,
        lines: lines.map(|line| format!("lop: {line}")).collect(),
    }
}

impl ShownRun {
    /// The files of the test; the watcher reports their changes.
    fn test_files(&self) -> Vec<PathBuf> {
        let test = &self.header.test;
        let mut programs = test.program_files();
        programs.retain(|program| program.is_file());
        programs
    }

    /// The inputs, unless the run itself writes them.
    fn input_files(&self) -> Vec<PathBuf> {
        let seed = self.header.pair.as_ref().map(|pair| &pair.seed);
        let files = seed.into_iter().chain([&self.header.file]);
        let files = files.filter(|file| **file != self.header.output);
        files
            .filter_map(|file| std::path::absolute(file).ok())
            .collect()
    }

    /// Lets screens of other processes attach to the run.
    fn let_attach(&self, session: &ClaimedSession) -> io::Result<AttachServer> {
        let listener = AttachListener::bind(session.session.path())?;
        let run = AttachedRun {
            commands: self.run.commands.clone(),
            board: self.run.board.clone(),
            audience: self.audience.clone(),
            context: self.screen_context(),
        };
        AttachServer::start(listener, run)
    }

    /// What all screens of the run have in common.
    fn screen_context(&self) -> ScreenContext {
        let generator = self.header.generator.as_ref();
        ScreenContext {
            title: self.title.clone(),
            links: self.links.clone(),
            test: match &self.lesson {
                Some(plan) => plan.lesson.describe_property(),
                None => self.header.test.to_string(),
            },
            looked_for: self
                .test_files()
                .first()
                .and_then(|script| read_looked_for(script)),
            output: self.header.output.clone(),
            program: generator.map(|generator| generator.program.clone()),
            programs: Some(self.header.test.programs().clone()),
            next_steps: self.next_steps.clone(),
            paused_time: self.paused_time,
            can_go_on: self.can_go_on,
            ..ScreenContext::default()
        }
    }

    /// Follows the run without a screen.
    fn follow_run(
        self,
        signals: &TerminationSignals,
        reporter: &mut dyn RunReporter,
    ) -> Result<RunEnding, CommandFailure> {
        reporter.report_start(&self.header);
        let files = FileWatcher::start(WatchedFiles {
            tests: self.test_files(),
            inputs: self.input_files(),
            ..WatchedFiles::default()
        });
        let messages = self.writer.status_messages();
        let signal = follow_run(&self.run, reporter, &signals.received, messages, &files);
        let paused_time = self.paused_time;
        let mut totals = self.finish_run(signal, reporter)?;
        totals.paused_time = paused_time;
        reporter.report_end(&totals);
        Ok(describe_end(&totals, totals.exit_status()))
    }

    /// Shows the run on the screen; the exit status. The normal terminal keeps the first and the last lines.
    fn show_screen(
        mut self,
        signals: TerminationSignals,
        contrast: ResultContrast,
    ) -> Result<RunEnding, CommandFailure> {
        let mut reporter = LineReporter::new(ConsoleWriter::stdout());
        reporter.report_start(&self.header);
        // The screen shows snapshots. Unread events would pile up.
        self.run.events = never();
        let common = self.screen_context();
        let context = ScreenContext {
            notice: self.notice.take(),
            lesson: self.lesson.take().map(|plan| plan.lesson),
            guess: self.guess,
            can_contrast: !self.header.offline,
            test_files: self.test_files(),
            inputs: self.input_files(),
            ..common
        };
        let setup = self.setup.clone();
        // From here on the screen handles signals itself, because it must restore the terminal first. One listener begins before the other ends: a
        // signal that nobody hears is lost.
        let ends = SignalListener::start_listening().or_fail(FAILED)?;
        let early = signals.received.try_recv().ok();
        drop(signals);
        let exit = match early {
            Some(signal) => Ok(ScreenExit {
                reason: ExitReason::Signal(signal),
                stall_reason: None,
                paused_time: self.paused_time,
            }),
            None => tui::run_screen(
                CommandTarget::Run(&self.run.commands),
                &self.run.board,
                context,
                setup,
                Some(&contrast),
                &ends,
            ),
        };
        contrast.wait_for_threads();
        let _signals = TerminationSignals::listen().or_fail(FAILED)?;
        // The run may have ended.
        let _ = self.run.commands.send(EngineCommand::Stop);
        let signal = match &exit {
            Ok(ScreenExit {
                reason,
                stall_reason: trouble,
                ..
            }) => {
                if let Some(trouble) = trouble {
                    report_message(&format!(
                        "the run was stalled when the screen closed: {trouble}"
                    ));
                }
                match reason {
                    ExitReason::Signal(signal) => Some(*signal),
                    ExitReason::User | ExitReason::Superseded => ends.signals.try_recv().ok(),
                }
            }
            Err(error) => {
                report_message(&error.to_string());
                None
            }
        };
        for message in self.writer.status_messages().try_iter() {
            report_message(&message);
        }
        let paused_time = self.paused_time;
        let mut totals = self.finish_run(signal, &mut reporter)?;
        totals.paused_time = exit.as_ref().map_or(paused_time, |exit| exit.paused_time);
        reporter.report_end(&totals);
        let status = match exit {
            Ok(_) => totals.exit_status(),
            Err(_) => FAILED,
        };
        Ok(describe_end(&totals, status))
    }

    /// Ends the run and its output, and reports the last messages.
    pub(super) fn finish_run(
        self,
        signal: Option<i32>,
        reporter: &mut dyn RunReporter,
    ) -> Result<RunSummary, CommandFailure> {
        let board = self.run.board.clone();
        let last = self
            .run
            .wait_for_end()
            .ok_or_else(|| match board.replay_progress() {
                Some(_) => CommandFailure::session_unchanged(signal),
                None => CommandFailure::new(
                    FAILED,
                    "lop's engine died before it began, which is a fault of lop",
                ),
            })?;
        let (written, messages) = self.writer.finish(last.clone());
        if last.state == RunState::Finished(FinishReason::Complete) {
            // No test runs any more, and nobody waits for the end of this one.
            self.scratch.remove_leftovers();
        }
        let missing = last.unrecorded.as_ref();
        let missing = missing.map(|files| describe_missing(&self.header.output, files));
        let messages = messages.into_iter().chain(missing);
        for message in messages.chain(oracle::take_leftover_notices()) {
            reporter.report_note(&message, last.now.saturating_duration_since(last.started));
        }
        let lost = written.err().map(|lost| lost.to_string());
        Ok(RunSummary::new(&last, &self.header, signal, lost))
    }
}
