//! The screen: the tree, the program, what is tried and why, and how far it has come.
//!
//! The screen reads immutable snapshots and sends commands; it keeps no state of the run. It draws when something changed, and only
//! what is visible, so it costs the run next to nothing. Everything it shows is drawn on a buffer of cells by [`app::App`], for the
//! terminal ([`run_screen`]), for a picture ([`render_frame`], [`render_svg()`]) and for tests alike.
//!
//! ```text
//!   driver    the loop; terminal, input, watch: what it talks to
//!   app       the state; commands: the table of what can be done; acts, typing, moves, drag: doing it; selection, folds, search: where one is
//!   draw      a frame: layout ▸ panes ▸ layers, on a canvas, in the roles of a theme
//!   setup     what the user has settled
//! ```

mod animated_svg;
pub mod app;
mod canvas;
mod command_handlers;
mod command_line;
pub mod commands;
pub mod diff;
pub mod drag;
mod draw;
pub mod edit_marks;
mod editor;
pub mod folds;
mod frame_svg;
mod fuzzy;
pub mod heat;
mod history_graph;
mod input;
pub mod keys;
mod layers;
pub mod layout;
mod lines;
mod navigation;
pub mod palette;
mod panes;
mod pending_commands;
pub mod prompt;
mod replay_controls;
mod row_counts;
mod screen_loop;
mod scroll;
pub mod search;
mod selection;
pub mod setup;
mod terminal;
mod text;
pub mod theme;
mod throughput;
pub mod toast;
pub mod verdict_filter;
mod versions;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, never};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use animated_svg::render_animation;
pub use frame_svg::render_svg;
pub use input::termination_signals;
pub use replay_controls::parse_speed;

use crate::reduce::{EngineCommand, RunSnapshot, SnapshotBoard};
use crate::session::file_watcher::{FileWatcher, WatchedFiles};
use crate::session::player::PlayerCommand;
use app::App;
use palette::TerminalPalette;
use setup::ScreenSetup;

/// What the screen says besides the run.
#[derive(Clone, Debug, Default)]
pub struct ScreenContext {
    /// What is reduced: the file's name.
    pub title: String,
    /// The test, as the user wrote it.
    pub test: String,
    /// Where the result is.
    pub output: PathBuf,
    /// What to do when it is done, a line each.
    pub next_steps: Vec<String>,
    /// What is told when the screen appears.
    pub notice: Option<String>,
    /// The test's file, which is watched.
    pub test_file: Option<PathBuf>,
    /// The file that is reduced, which is watched too.
    pub input: Option<PathBuf>,
    /// How long the run stood still before it was gone on with.
    pub paused_time: Duration,
    /// Whether this is no run but the recording of one.
    pub replay: bool,
}

/// Who is behind the screen.
#[derive(Clone, Copy, Debug)]
pub enum CommandTarget<'a> {
    /// A run, which takes commands.
    Run(&'a Sender<EngineCommand>),
    /// The recording of one, in which one moves.
    Replay(&'a Sender<PlayerCommand>),
}

/// Why the screen was left. The run has ended, or was told to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The user wanted to.
    User,
    /// This signal came.
    Signal(i32),
    /// There is something else to show.
    Superseded,
}

/// How the screen was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenExit {
    /// Why.
    pub reason: ExitReason,
    /// Why the run stood still just then, when that was not the user.
    pub stall_reason: Option<String>,
    /// How long the run stood still while it was shown.
    pub paused_time: Duration,
}

/// Why there is no screen any more.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}; --plain does without it")]
    Terminal(#[source] io::Error),
    /// Something panicked; the terminal was given back so that the message can be read.
    #[error("lop has failed: please report what it said above")]
    Panicked,
}

/// Shows a run on the terminal until the user leaves; then the terminal is as it was, and the run has ended or was told to stop.
///
/// # Errors
/// When the terminal cannot be used, or a thread panicked.
pub fn run_screen(
    behind: CommandTarget,
    board: &SnapshotBoard,
    context: ScreenContext,
    setup: ScreenSetup,
) -> Result<ScreenExit, TuiError> {
    run_screen_until(behind, board, context, setup, never())
}

/// As [`run_screen`], until `over` is heard or disconnected.
///
/// # Errors
/// As [`run_screen`].
pub fn run_screen_until(
    behind: CommandTarget,
    board: &SnapshotBoard,
    context: ScreenContext,
    setup: ScreenSetup,
    over: Receiver<()>,
) -> Result<ScreenExit, TuiError> {
    let watch = FileWatcher::start(WatchedFiles {
        config: setup.sources.file.clone(),
        themes: setup.themes.directory.clone(),
        test: context.test_file.clone(),
        input: context.input.clone(),
    });
    let mouse = setup.config.is_mouse_enabled();
    let notice = context.notice.clone();
    let mut app = App::new(context, setup);
    notice.iter().for_each(|notice| app.add_notice(notice));
    let ends = input::SignalListener::start_listening().map_err(TuiError::Terminal)?;
    let screen = terminal::TerminalScreen::open(mouse).map_err(TuiError::Terminal)?;
    let input = input::InputReader::start_reading().map_err(TuiError::Terminal)?;
    match screen_loop::ScreenLoop::new(app, screen, board, behind).run(&input, &ends, &watch, &over)
    {
        // A terminal that was closed says so before the signal of that comes, or after it.
        Err(TuiError::Terminal(error)) if error.raw_os_error() == Some(libc::EIO) => {
            Ok(ScreenExit {
                reason: ExitReason::Signal(libc::SIGHUP),
                stall_reason: None,
                paused_time: Duration::ZERO,
            })
        }
        left => left,
    }
}

/// The frame that shows `snapshot` on a terminal of `width` × `height` cells, without a terminal.
pub fn render_frame(
    snapshot: &Arc<RunSnapshot>,
    (width, height): (u16, u16),
    context: ScreenContext,
    palette: TerminalPalette,
) -> Buffer {
    let mut app = App::new(context, ScreenSetup::with_defaults(palette));
    app.apply_snapshot(snapshot.clone());
    // A picture of a run that has ended is one of its result; what lies under the page is drawn first.
    let mut buffer = Buffer::empty(Rect {
        x: 0,
        y: 0,
        width,
        height,
    });
    app.draw_frame(&mut buffer, snapshot.now);
    buffer
}
