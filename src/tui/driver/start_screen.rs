//! The loop of the page of `lop FILE` alone, on the same terminal as the screen of a run.

use std::io;
use std::time::Instant;

use crossbeam_channel::{after, never, select};
use crossterm::event::{Event, MouseButton, MouseEventKind};

use super::input::SignalListener;
use super::line_pace::FrameCause;
use super::paced_screen::PacedScreen;
use super::{TuiError, is_hangup};
use crate::tui::commands::keys::KeyPress;
use crate::tui::panes::program_highlights::ProgramHighlights;
use crate::tui::setup::ScreenSetup;
use crate::tui::start_page::draw::draw_start_page;
use crate::tui::start_page::helper::{CommandTrial, StartHelper, TrialUpdate};
use crate::tui::start_page::{StartEffect, StartPage};

/// How the page was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartExit {
    /// The user has left it.
    Left,
    /// This signal was received.
    Signal(i32),
    /// The user takes this offer.
    Offer(usize),
    /// The file is reduced with the test at this path.
    Test(String),
}

/// Shows the page until the user has chosen something, or `ends` hears a signal. Then the terminal is restored, and no command runs.
///
/// # Errors
/// When the terminal cannot be used, or a thread panicked.
pub fn run_start_page(
    page: StartPage,
    setup: &ScreenSetup,
    helper: &mut dyn StartHelper,
    ends: &SignalListener,
) -> Result<StartExit, TuiError> {
    let mut start = StartLoop {
        screen: PacedScreen::open(setup.config.is_mouse_enabled())?,
        page,
        setup,
        helper,
        highlights: ProgramHighlights::default(),
        trial: None,
    };
    let left = match start.run(ends) {
        Err(error) if is_hangup(&error) => Ok(StartExit::Signal(libc::SIGHUP)),
        left => left,
    };
    if !matches!(left, Ok(StartExit::Signal(_))) {
        // What is typed next is for the screen of the run.
        start.screen.stop_reading();
    }
    left
}

struct StartLoop<'a> {
    screen: PacedScreen,
    page: StartPage,
    setup: &'a ScreenSetup,
    helper: &'a mut dyn StartHelper,
    highlights: ProgramHighlights,
    /// The command that runs.
    trial: Option<CommandTrial>,
}

impl StartLoop<'_> {
    fn run(&mut self, ends: &SignalListener) -> Result<StartExit, TuiError> {
        let (events, replies) = (self.screen.events(), self.screen.replies());
        loop {
            self.screen.ensure_owned()?;
            if self.screen.is_frame_due() {
                self.draw_frame()?;
            }
            let trial = self.trial.as_ref();
            let updates = trial.map_or_else(never, |trial| trial.updates.clone());
            select! {
                recv(events) -> event => {
                    let event = event.map_err(|_| TuiError::Panicked)?;
                    if let Some(exit) = self.on_event(event)? {
                        return Ok(exit);
                    }
                }
                recv(updates) -> update => {
                    self.on_update(update.ok());
                    self.screen.request_frame(FrameCause::Run);
                }
                recv(replies) -> reply => if let Ok(reply) = reply {
                    self.screen.on_reply(reply);
                },
                recv(ends.signals) -> signal => {
                    return Ok(StartExit::Signal(signal.unwrap_or_default()));
                }
                recv(after(self.screen.wait_for(&[]))) -> _ => if self.trial.is_some() {
                    self.screen.request_clock_frame();
                },
            }
        }
    }

    fn draw_frame(&mut self) -> Result<(), TuiError> {
        let (page, highlights, setup) = (&mut self.page, &mut self.highlights, self.setup);
        self.screen.draw_frame(|buffer| {
            draw_start_page(page, highlights, buffer, setup, Instant::now());
        })
    }

    fn on_event(&mut self, event: io::Result<Event>) -> Result<Option<StartExit>, TuiError> {
        let effect = match event.map_err(TuiError::Terminal)? {
            Event::Key(event) => match KeyPress::from_event(&event) {
                Some(key) => self.page.handle_key(&self.setup.keys, key, Instant::now()),
                None => StartEffect::Nothing,
            },
            Event::Mouse(event) => match event.kind {
                MouseEventKind::Down(MouseButton::Left) => self.page.handle_click(event.row),
                MouseEventKind::ScrollUp => self.page.handle_wheel(true),
                MouseEventKind::ScrollDown => self.page.handle_wheel(false),
                _ => StartEffect::Nothing,
            },
            _ => StartEffect::Redraw,
        };
        match effect {
            StartEffect::Nothing => return Ok(None),
            StartEffect::Redraw => {}
            StartEffect::TryCommand(line) => match self.helper.try_command(&line) {
                Ok(trial) => self.trial = Some(trial),
                Err(reason) => self.page.stop_trial(&reason),
            },
            StartEffect::StopCommand => self.trial = None,
            StartEffect::TakeOffer(at) => return Ok(Some(StartExit::Offer(at))),
            StartEffect::UseTest(path) => match self.helper.check_test(&path) {
                Ok(()) => return Ok(Some(StartExit::Test(path))),
                Err(reason) => drop(self.page.say(reason)),
            },
            StartEffect::WriteTest(request) => match self.helper.write_test(&request) {
                Ok(()) => return Ok(Some(StartExit::Test(request.place))),
                Err(error) => self.page.on_write_error(error),
            },
            StartEffect::Suspend => self.screen.suspend_process()?,
            StartEffect::Leave => return Ok(Some(StartExit::Left)),
        }
        self.screen.request_frame(FrameCause::Key);
        Ok(None)
    }

    /// Applies news of the command. Without any its thread has died.
    fn on_update(&mut self, update: Option<TrialUpdate>) {
        let died = || TrialUpdate::Failed("the command's thread has died, a fault of lop".into());
        let update = update.unwrap_or_else(died);
        if !matches!(update, TrialUpdate::Ran(_)) {
            self.trial = None;
        }
        self.page.apply_update(update);
    }
}
