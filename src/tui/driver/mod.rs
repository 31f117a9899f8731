//! The driver: the only part of the screen that knows a terminal, a clock, or a file.
//!
//! ```text
//!   terminal, input, signals, watched files ─▶ screen_loop ─▶ App: a key, a snapshot, a frame
//!                                              screen_loop ◀─ KeyEffect: a command for the run, the editor, the shell
//! ```
//!
//! The terminal is behind a port ([`terminal_port`]): it is that of this process, or that of a process that is attached to the run ([`attach`]).
//! A race and the page of `lop FILE` alone have loops of their own (`race_loop`, `start_screen`). All three draw on a [`PacedScreen`], which keeps the
//! pace of a slow line.

mod attach;
mod attention;
mod candidate_thread;
mod editor;
mod highlight_thread;
mod input;
mod line_pace;
mod local_terminal;
mod paced_screen;
mod race_loop;
mod request_thread;
mod screen_loop;
mod screen_thread;
mod setup_files;
mod start_screen;
mod terminal;
mod terminal_port;

use std::io;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, never};

use self::paced_screen::PacedScreen;
pub use attach::{
    AttachEnd, AttachError, AttachRequest, AttachServer, AttachedRun, RunEnding,
    run_attached_terminal,
};
pub use input::{SignalListener, termination_signals};
pub use race_loop::{RaceSource, run_race_screen};
#[cfg(test)]
pub(in crate::tui) use setup_files::read_themes;
pub use start_screen::{StartExit, run_start_page};

use super::ScreenContext;
use super::app::App;
use super::contrast::ContrastStarter;
use super::setup::ScreenSetup;
use crate::reduce::{EngineCommand, SnapshotBoard};
use crate::session::file_watcher::{FileWatcher, WatchedFiles};
use crate::session::player::PlayerCommand;

/// The receiver of the screen's commands.
#[derive(Clone, Copy, Debug)]
pub enum CommandTarget<'a> {
    /// A run, which takes commands.
    Run(&'a Sender<EngineCommand>),
    /// The player of a recording.
    Replay(&'a Sender<PlayerCommand>),
}

/// Why the screen was left. The run has ended by then, or was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The user left it.
    User,
    /// This signal was received.
    Signal(i32),
    /// Another screen replaces it.
    Superseded,
}

/// How the screen was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenExit {
    /// Why.
    pub reason: ExitReason,
    /// Why the run was stalled at that time, if it was.
    pub stall_reason: Option<String>,
    /// How long the run was paused while it was shown.
    pub paused_time: Duration,
}

/// Why the screen failed.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}; --plain does without it")]
    Terminal(#[source] io::Error),
    /// A thread panicked; the terminal was restored so that the message can be read.
    #[error("lop has failed: please report what it said above")]
    Panicked,
}

/// Shows a run on the terminal until the user leaves, or `ends` hears a signal. Then the terminal is restored, and the run has ended or was told to
/// stop. `contrast` compares the result with its neighbours when the user asks for it.
///
/// # Errors
/// When the terminal cannot be used, or a thread panicked.
pub fn run_screen(
    target: CommandTarget,
    board: &SnapshotBoard,
    context: ScreenContext,
    setup: ScreenSetup,
    contrast: Option<&dyn ContrastStarter>,
    ends: &SignalListener,
) -> Result<ScreenExit, TuiError> {
    run_screen_until(target, board, context, setup, contrast, ends, never())
}

/// Like [`run_screen`], but also ends when `over` receives a message or is disconnected.
///
/// # Errors
/// As [`run_screen`].
pub fn run_screen_until(
    target: CommandTarget,
    board: &SnapshotBoard,
    context: ScreenContext,
    setup: ScreenSetup,
    contrast: Option<&dyn ContrastStarter>,
    ends: &SignalListener,
    over: Receiver<()>,
) -> Result<ScreenExit, TuiError> {
    let watch = FileWatcher::start(WatchedFiles {
        config: setup.sources.file.clone(),
        themes: setup.themes.directory.clone(),
        tests: context.test_files.clone(),
        inputs: context.inputs.clone(),
    });
    let mouse = setup.config.is_mouse_enabled();
    let notice = context.notice.clone();
    let context = ScreenContext {
        can_contrast: contrast.is_some(),
        ..context
    };
    let mut app = App::new(context, setup);
    notice.iter().for_each(|notice| app.add_notice(notice));
    let screen = PacedScreen::open(mouse)?;
    let mut screen_loop = screen_loop::ScreenLoop::new(app, screen, board, target);
    screen_loop.contrast = contrast;
    match screen_loop.run(&ends.signals, &watch, &over) {
        Err(error) if is_hangup(&error) => Ok(ScreenExit {
            reason: ExitReason::Signal(libc::SIGHUP),
            stall_reason: None,
            paused_time: Duration::ZERO,
        }),
        left => left,
    }
}

/// Whether the terminal was closed: the error of reading it may come before SIGHUP.
fn is_hangup(error: &TuiError) -> bool {
    matches!(error, TuiError::Terminal(error) if error.raw_os_error() == Some(libc::EIO))
}
