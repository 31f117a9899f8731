//! Who tells of a run: the screen, lines, or JSON.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use crossbeam_channel::never;

use super::signals::TerminationSignals;
use crate::cli::args::CommonArgs;
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::cli::report_message;
use crate::display::{EscapeHidden, OutputStream, is_terminal};
use crate::oracle::{self, ScratchSpace};
use crate::plain::{
    ConsoleWriter, JsonReporter, LineReporter, RunHeader, RunReporter, RunSummary, follow_run,
};
use crate::reduce::{EngineCommand, RunHandle};
use crate::session::OutputWriter;
use crate::session::file_watcher::{FileWatcher, WatchedFiles};
use crate::tui::setup::ScreenSetup;
use crate::tui::{self, CommandTarget, ExitReason, ScreenContext, ScreenExit};

/// Who tells of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    Screen,
    Lines,
    Json,
}

impl FrontEnd {
    /// What the user wants, or what there is.
    pub fn from_args(common: &CommonArgs) -> FrontEnd {
        match common.json {
            true => FrontEnd::Json,
            false => FrontEnd::from_plain_flag(common.plain),
        }
    }

    /// The screen, if there is a terminal and nobody wants lines.
    pub fn from_plain_flag(plain: bool) -> FrontEnd {
        let terminal = || {
            is_terminal(OutputStream::Output)
                && io::stdin().is_terminal()
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        };
        match !plain && terminal() {
            true => FrontEnd::Screen,
            false => FrontEnd::Lines,
        }
    }
}

/// A run that has just begun.
pub struct StartedRun {
    pub run: RunHandle,
    pub writer: OutputWriter,
    /// Where its tests run.
    pub scratch: ScratchSpace,
    pub header: RunHeader,
    /// What to do with the result, for the screen's last page.
    pub next_steps: Vec<String>,
    /// What the screen tells at its start.
    pub notice: Option<String>,
    /// How long it stood still before it was gone on with.
    pub paused_time: Duration,
    /// What the screen begins with.
    pub setup: ScreenSetup,
}

/// Tells of a run until its end; the exit status.
pub fn report_run(
    front: FrontEnd,
    show: StartedRun,
    signals: TerminationSignals,
) -> Result<u8, CommandFailure> {
    match front {
        FrontEnd::Json => {
            show.follow_run(&signals, &mut JsonReporter::new(ConsoleWriter::stdout()))
        }
        FrontEnd::Lines => {
            show.follow_run(&signals, &mut LineReporter::new(ConsoleWriter::stdout()))
        }
        FrontEnd::Screen => show.show_screen(signals),
    }
}

impl StartedRun {
    /// The test, if it is a file: it may change meanwhile.
    fn test_file(&self) -> Option<PathBuf> {
        let script = self.header.test.script();
        script.map(|script| script.path().to_path_buf())
    }

    /// The input, unless the run itself writes it, which is no news.
    fn input_file(&self) -> Option<PathBuf> {
        let input = std::path::absolute(&self.header.file).ok();
        input.filter(|_| self.header.output != self.header.file)
    }

    /// Without a screen.
    fn follow_run(
        self,
        signals: &TerminationSignals,
        voice: &mut dyn RunReporter,
    ) -> Result<u8, CommandFailure> {
        voice.report_start(&self.header);
        let files = FileWatcher::start(WatchedFiles {
            test: self.test_file(),
            input: self.input_file(),
            ..WatchedFiles::default()
        });
        let troubles = self.writer.status_messages();
        let signal = follow_run(&self.run, voice, &signals.received, troubles, &files);
        let rested = self.paused_time;
        let mut totals = self.finish_run(signal, voice)?;
        totals.paused_time = rested;
        voice.report_end(&totals);
        Ok(totals.exit_status())
    }

    /// On the screen. What is to be kept of it stands before and after it on the normal terminal.
    fn show_screen(mut self, signals: TerminationSignals) -> Result<u8, CommandFailure> {
        let mut voice = LineReporter::new(ConsoleWriter::stdout());
        voice.report_start(&self.header);
        // The screen shows snapshots; events that nobody takes would pile up.
        self.run.events = never();
        let context = ScreenContext {
            title: self
                .header
                .file
                .file_name()
                .unwrap_or_default()
                .escape_hidden()
                .into_owned(),
            test: self.header.test.to_string(),
            output: self.header.output.clone(),
            next_steps: std::mem::take(&mut self.next_steps),
            notice: self.notice.take(),
            test_file: self.test_file(),
            input: self.input_file(),
            paused_time: self.paused_time,
            replay: false,
        };
        let setup = self.setup.clone();
        // From here on the screen hears signals itself: it must give the terminal back first.
        let early = signals.received.try_recv().ok();
        drop(signals);
        let left = match early {
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
            ),
        };
        let _signals = TerminationSignals::listen().or_fail(FAILED)?;
        // Nothing to stop if it has ended.
        let _ = self.run.commands.send(EngineCommand::Stop);
        let signal = match &left {
            Ok(ScreenExit {
                reason: leave,
                stall_reason: trouble,
                ..
            }) => {
                if let Some(trouble) = trouble {
                    report_message(&format!("the run stood still when it was left: {trouble}"));
                }
                match leave {
                    ExitReason::Signal(signal) => Some(*signal),
                    ExitReason::User | ExitReason::Superseded => None,
                }
            }
            Err(error) => {
                report_message(&error.to_string());
                None
            }
        };
        for trouble in self.writer.status_messages().try_iter() {
            report_message(&trouble);
        }
        let rested = self.paused_time;
        let mut totals = self.finish_run(signal, &mut voice)?;
        totals.paused_time = left.as_ref().map_or(rested, |left| left.paused_time);
        voice.report_end(&totals);
        Ok(if left.is_err() {
            FAILED
        } else {
            totals.exit_status()
        })
    }

    /// Ends the run and its output, and tells what there is to say of that.
    fn finish_run(
        self,
        signal: Option<i32>,
        voice: &mut dyn RunReporter,
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
        let (written, said) = self.writer.finish(last.clone());
        // No test runs any more.
        self.scratch.remove_leftovers();
        for said in said.into_iter().chain(oracle::take_leftover_notices()) {
            voice.report_note(&said, last.now.saturating_duration_since(last.started));
        }
        let lost = written.err().map(|lost| lost.to_string());
        Ok(RunSummary::new(&last, &self.header, signal, lost))
    }
}
