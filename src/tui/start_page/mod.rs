//! The page of `lop FILE` alone: it asks for a command that shows the bug, or for a test, and has the test written down.
//!
//! ```text
//!  asking ──enter on a command──▶ running ──all runs have ended──▶ choosing ──enter──▶ the test is written
//!    │ ▲                            │                                 │
//!    │ └───────────── esc ──────────┴──────────────── esc ────────────┘
//!    └──enter on an offer or a test──▶ left
//! ```
//!
//! [`StartPage`] is the whole state. It is a function of keys and of what is known of the command ([`TrialUpdate`]); the driver and a
//! [`helper::StartHelper`] do the rest. Nothing runs or is written before the user presses enter on it.

pub mod choice;
pub mod draw;
pub mod helper;
pub mod subject;

use std::time::Instant;

use crossterm::event::KeyCode;

use crate::tui::commands::keys::KeyPress;
use crate::tui::prompt::line::{PromptKind, PromptLine};
use choice::FailureChoice;
use helper::{CommandRun, TestRequest, TestWriteError, TrialUpdate};
use subject::StartSubject;

/// What the driver must do after a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartEffect {
    /// Nothing; the frame is still valid.
    Nothing,
    /// Draw a new frame.
    Redraw,
    /// Run this command on the file.
    TryCommand(String),
    /// Stop the command that runs.
    StopCommand,
    /// Do what is offered, by its number.
    TakeOffer(usize),
    /// Reduce with the test at this path.
    UseTest(String),
    /// Write this test, and reduce with it.
    WriteTest(TestRequest),
    /// Suspend the process, as Ctrl-Z does.
    Suspend,
    /// Leave; nothing was written.
    Leave,
}

/// What the page is at.
#[derive(Clone, Debug)]
pub enum StartStage {
    /// It asks what shows the bug.
    Asking,
    /// The command runs.
    Running(RunningCommand),
    /// The user chooses what must stay.
    Choosing(Box<FailureChoice>),
}

/// A command that runs.
#[derive(Clone, Debug)]
pub struct RunningCommand {
    /// The command, as it was typed.
    pub line: String,
    /// Since when.
    pub since: Instant,
    /// How its first run ended; it runs again, to find out what stays the same.
    pub first: Option<CommandRun>,
}

/// The page.
#[derive(Debug)]
pub struct StartPage {
    /// The file.
    pub subject: StartSubject,
    /// What can be done at once, a sentence each: the rows before the two lines that are typed.
    pub offers: Vec<String>,
    /// The selected row.
    pub row: usize,
    /// The command that is typed.
    pub command: PromptLine,
    /// The path of a test that is typed.
    pub test: PromptLine,
    /// What it is at.
    pub stage: StartStage,
    /// What is wrong, or what was done.
    pub message: Option<String>,
    /// Where a new test goes, unless the user says otherwise.
    default_place: String,
}

impl StartPage {
    /// A page that asks about this file. A new test would go to `default_place`.
    pub fn new(subject: StartSubject, offers: Vec<String>, default_place: String) -> StartPage {
        StartPage {
            subject,
            offers,
            row: 0,
            command: PromptLine::new(PromptKind::Command, ""),
            test: PromptLine::new(PromptKind::Command, ""),
            stage: StartStage::Asking,
            message: None,
            default_place,
        }
    }

    /// Handles a key that is pressed at this time.
    pub fn handle_key(&mut self, key: KeyPress, now: Instant) -> StartEffect {
        match (key.code, key.ctrl) {
            (KeyCode::Char('c'), true) => return StartEffect::Leave,
            (KeyCode::Char('z'), true) => return StartEffect::Suspend,
            _ => {}
        }
        match &mut self.stage {
            StartStage::Asking => self.answer(key, now),
            StartStage::Running(_) if key.code == KeyCode::Esc => {
                self.stop_trial("the command was stopped");
                StartEffect::StopCommand
            }
            StartStage::Running(_) => StartEffect::Nothing,
            StartStage::Choosing(_) if key.code == KeyCode::Esc => {
                self.stage = StartStage::Asking;
                self.message = None;
                StartEffect::Redraw
            }
            StartStage::Choosing(choice) => {
                self.message = None;
                match choice.handle_key(key) {
                    Ok(effect) => effect,
                    Err(mistake) => self.say(mistake),
                }
            }
        }
    }

    /// Handles a key while the page asks.
    fn answer(&mut self, key: KeyPress, now: Instant) -> StartEffect {
        let rows = self.offers.len() + 2;
        let in_text = self.row >= self.offers.len();
        match key.code {
            KeyCode::Esc => return StartEffect::Leave,
            KeyCode::Char('q') if !in_text => return StartEffect::Leave,
            KeyCode::Up | KeyCode::BackTab => self.row = (self.row + rows - 1) % rows,
            KeyCode::Down | KeyCode::Tab => self.row = (self.row + 1) % rows,
            KeyCode::Enter => return self.take_row(now),
            _ => {
                let edits = match self.row.checked_sub(self.offers.len()) {
                    None => false,
                    Some(0) => self.command.edit_line(key),
                    Some(_) => self.test.edit_line(key),
                };
                if !edits {
                    return StartEffect::Nothing;
                }
            }
        }
        self.message = None;
        StartEffect::Redraw
    }

    /// Enter on the selected row.
    fn take_row(&mut self, now: Instant) -> StartEffect {
        self.message = None;
        match self.row.checked_sub(self.offers.len()) {
            None => StartEffect::TakeOffer(self.row),
            Some(0) => match self.command.line.trim() {
                "" => self.say("type a command that shows the bug, such as gcc -O2 -c {}".into()),
                line => {
                    let line = line.to_owned();
                    self.stage = StartStage::Running(RunningCommand {
                        line: line.clone(),
                        since: now,
                        first: None,
                    });
                    StartEffect::TryCommand(line)
                }
            },
            Some(_) => match self.test.line.trim() {
                "" => self.say(
                    "type the path of a test: an executable that exits with 0 if the file shows the bug"
                        .into(),
                ),
                path => StartEffect::UseTest(path.to_owned()),
            },
        }
    }

    /// Applies news of the command that runs.
    pub fn apply_update(&mut self, update: TrialUpdate) {
        let StartStage::Running(running) = &mut self.stage else {
            return;
        };
        match update {
            TrialUpdate::Ran(run) => running.first = running.first.take().or(Some(run)),
            TrialUpdate::Found(property) => {
                let line = std::mem::take(&mut running.line);
                let run = running.first.take().unwrap_or_default();
                let place = self.default_place.clone();
                self.stage =
                    StartStage::Choosing(Box::new(FailureChoice::new(line, run, property, place)));
            }
            TrialUpdate::Failed(reason) => self.stop_trial(&reason),
        }
    }

    /// The test was not written.
    pub fn on_write_error(&mut self, error: TestWriteError) {
        let StartStage::Choosing(choice) = &mut self.stage else {
            return;
        };
        self.message = Some(match error {
            TestWriteError::Exists => choice.ask_to_overwrite(),
            TestWriteError::Other(reason) => reason,
        });
    }

    /// The page asks again, and says why.
    pub fn stop_trial(&mut self, reason: &str) {
        self.stage = StartStage::Asking;
        self.message = Some(reason.to_owned());
    }

    /// Shows what is wrong.
    pub fn say(&mut self, message: String) -> StartEffect {
        self.message = Some(message);
        StartEffect::Redraw
    }
}
