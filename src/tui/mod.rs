//! The screen: the tree, the program, what is tried and why, and how far it has come.
//!
//! The screen reads immutable snapshots and sends commands; it keeps no state of the run. It draws when something changed, and only
//! what is visible, so it costs the run next to nothing. Everything it shows is drawn on a buffer of cells by [`app::App`], for the
//! terminal ([`run`]), for a picture ([`frame`], [`picture()`]) and for tests alike.
//!
//! ```text
//!   driver    the loop; terminal, input, watch: what it talks to
//!   app       the state; commands: the table of what can be done; acts, typing, moves, drag: doing it; selection, folds, search: where one is
//!   draw      a frame: layout ▸ panes ▸ layers, on a canvas, in the roles of a theme
//!   setup     what the user has settled
//! ```

mod acts;
pub mod app;
mod canvas;
pub mod commands;
mod counted;
pub mod diff;
pub mod drag;
mod draw;
mod driver;
mod editor;
mod film;
pub mod filter;
pub mod folds;
mod fuzzy;
mod graph;
pub mod heat;
mod input;
pub mod keys;
mod layers;
pub mod layout;
mod lines;
pub mod marks;
mod moves;
mod pace;
pub mod palette;
mod panes;
mod pending;
mod picture;
mod playing;
pub mod prompt;
mod scroll;
pub mod search;
mod selection;
pub mod setup;
mod terminal;
mod text;
pub mod theme;
pub mod toast;
mod typing;
mod versions;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, never};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use film::film;
pub use input::endings;
pub use picture::picture;
pub use playing::speed;

use crate::reduce::{Board, Command, Snapshot};
use crate::session::player::Move;
use crate::session::watch::{Files, Watch};
use app::App;
use palette::Palette;
use setup::Setup;

/// What the screen says besides the run.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// What is reduced: the file's name.
    pub title: String,
    /// The test, as the user wrote it.
    pub test: String,
    /// Where the result is.
    pub output: PathBuf,
    /// What to do when it is done, a line each.
    pub next: Vec<String>,
    /// What is told when the screen appears.
    pub notice: Option<String>,
    /// The test's file, which is watched.
    pub test_file: Option<PathBuf>,
    /// The file that is reduced, which is watched too.
    pub input: Option<PathBuf>,
    /// How long the run stood still before it was gone on with.
    pub rested: Duration,
    /// Whether this is no run but the recording of one.
    pub replay: bool,
}

/// Who is behind the screen.
#[derive(Clone, Copy, Debug)]
pub enum Behind<'a> {
    /// A run, which takes commands.
    Run(&'a Sender<Command>),
    /// The recording of one, in which one moves.
    Replay(&'a Sender<Move>),
}

/// Why the screen was left. The run has ended, or was told to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// The user wanted to.
    User,
    /// This signal came.
    Signal(i32),
    /// There is something else to show.
    Over,
}

/// How the screen was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Why.
    pub leave: Leave,
    /// Why the run stood still just then, when that was not the user.
    pub trouble: Option<String>,
    /// How long the run stood still while it was shown.
    pub rested: Duration,
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
pub fn run(
    behind: Behind,
    board: &Board,
    context: Context,
    setup: Setup,
) -> Result<Left, TuiError> {
    show(behind, board, context, setup, never())
}

/// As [`run`], until `over` is heard or disconnected.
///
/// # Errors
/// As [`run`].
pub fn show(
    behind: Behind,
    board: &Board,
    context: Context,
    setup: Setup,
    over: Receiver<()>,
) -> Result<Left, TuiError> {
    let watch = Watch::open(Files {
        config: setup.sources.file.clone(),
        themes: setup.themes.directory.clone(),
        test: context.test_file.clone(),
        input: context.input.clone(),
    });
    let mouse = setup.config.mouse();
    let notice = context.notice.clone();
    let mut app = App::new(context, setup);
    notice.iter().for_each(|notice| app.notice(notice));
    let ends = input::Ends::open().map_err(TuiError::Terminal)?;
    let screen = terminal::Screen::open(mouse).map_err(TuiError::Terminal)?;
    let input = input::Input::open().map_err(TuiError::Terminal)?;
    match driver::Driver::new(app, screen, board, behind).run(&input, &ends, &watch, &over) {
        // A terminal that was closed says so before the signal of that comes, or after it.
        Err(TuiError::Terminal(error)) if error.raw_os_error() == Some(libc::EIO) => Ok(Left {
            leave: Leave::Signal(libc::SIGHUP),
            trouble: None,
            rested: Duration::ZERO,
        }),
        left => left,
    }
}

/// The frame that shows `snapshot` on a terminal of `width` × `height` cells, without a terminal.
pub fn frame(
    snapshot: &Arc<Snapshot>,
    (width, height): (u16, u16),
    context: Context,
    palette: Palette,
) -> Buffer {
    let mut app = App::new(context, Setup::usual(palette));
    app.take(snapshot.clone());
    // A picture of a run that has ended is one of its result; what lies under the page is drawn first.
    let mut buffer = Buffer::empty(Rect {
        x: 0,
        y: 0,
        width,
        height,
    });
    app.draw(&mut buffer, snapshot.now);
    buffer
}
