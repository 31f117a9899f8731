//! The page of `lop FILE` alone: it asks for a command that shows the bug, or for a test, and has the test written down.
//!
//! ```text
//!  asking ──enter on a command──▶ running ──all runs have ended──▶ choosing ──enter──▶ the test is written
//!    │ ▲                            │                                 │
//!    │ └───────────── esc ──────────┴──────────────── esc ────────────┘
//!    └──enter on an offer or a test──▶ left
//! ```
//!
//! [`StartPage`] is the whole state. It is a function of keys, of clicks, and of what is known of the command ([`TrialUpdate`]); the driver and a
//! [`helper::StartHelper`] do the rest. Nothing runs or is written before the user presses enter on it: a click selects.

pub mod choice;
pub mod draw;
pub mod helper;
pub mod start_keys;
pub mod subject;

use std::time::Instant;

use crate::tui::commands::bindings::KeyBindings;
use crate::tui::commands::keys::KeyPress;
use crate::tui::prompt::line::{PromptKind, PromptLine};
use choice::FailureChoice;
use helper::{CommandRun, TestRequest, TestWriteError, TrialUpdate};
use start_keys::{StartAction, find_start_action};
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
    /// On which lines of the screen rows stood in the last frame.
    pub shown_rows: Vec<(u16, usize)>,
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
            shown_rows: Vec::new(),
            default_place,
        }
    }

    /// Handles a key that is pressed at this time.
    pub fn handle_key(&mut self, keys: &KeyBindings, key: KeyPress, now: Instant) -> StartEffect {
        let action = find_start_action(keys, key, self.is_typing());
        match action {
            Some(StartAction::Leave) => return StartEffect::Leave,
            Some(StartAction::Suspend) => return StartEffect::Suspend,
            _ => {}
        }
        match &mut self.stage {
            StartStage::Asking => self.answer(key, action, now),
            StartStage::Running(_) if action == Some(StartAction::Back) => {
                self.stop_trial("the command was stopped");
                StartEffect::StopCommand
            }
            StartStage::Running(_) => StartEffect::Nothing,
            StartStage::Choosing(_) if action == Some(StartAction::Back) => {
                self.stage = StartStage::Asking;
                self.message = None;
                StartEffect::Redraw
            }
            StartStage::Choosing(choice) => {
                self.message = None;
                match choice.handle_key(key, action) {
                    Ok(effect) => effect,
                    Err(mistake) => self.say(mistake),
                }
            }
        }
    }

    /// Whether letters are typed into the selected row.
    fn is_typing(&self) -> bool {
        match &self.stage {
            StartStage::Asking => self.row >= self.offers.len(),
            StartStage::Running(_) => false,
            StartStage::Choosing(choice) => choice.is_typing(),
        }
    }

    /// Handles a click on a line of the screen: selects the row there, and switches it if it is a part.
    pub fn handle_click(&mut self, y: u16) -> StartEffect {
        let Some((_, row)) = self.shown_rows.iter().find(|(line, _)| *line == y) else {
            return StartEffect::Nothing;
        };
        match &mut self.stage {
            StartStage::Asking => self.row = *row,
            StartStage::Running(_) => return StartEffect::Nothing,
            StartStage::Choosing(choice) => choice.click_row(*row),
        }
        self.message = None;
        StartEffect::Redraw
    }

    /// Handles the wheel: selects the row above or below.
    pub fn handle_wheel(&mut self, is_up: bool) -> StartEffect {
        match &mut self.stage {
            StartStage::Asking => self.row = step_row(self.row, self.offers.len() + 2, is_up),
            StartStage::Running(_) => return StartEffect::Nothing,
            StartStage::Choosing(choice) => choice.step(is_up),
        }
        StartEffect::Redraw
    }

    /// Handles a key while the page asks.
    fn answer(&mut self, key: KeyPress, action: Option<StartAction>, now: Instant) -> StartEffect {
        match action {
            Some(StartAction::Back) => return StartEffect::Leave,
            Some(StartAction::Accept) => return self.take_row(now),
            Some(step @ (StartAction::Up | StartAction::Down)) => {
                let is_up = step == StartAction::Up;
                self.row = step_row(self.row, self.offers.len() + 2, is_up);
            }
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
            TrialUpdate::Found(findings) => {
                let line = std::mem::take(&mut running.line);
                let run = running.first.take().unwrap_or_default();
                let place = self.default_place.clone();
                self.stage =
                    StartStage::Choosing(Box::new(FailureChoice::new(line, run, findings, place)));
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

/// The next row of so many, or the one before.
fn step_row(row: usize, rows: usize, is_up: bool) -> usize {
    let by = if is_up { rows - 1 } else { 1 };
    (row + by) % rows
}
