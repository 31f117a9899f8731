//! The screen: the tree, the program, what is tried and why, and how far it has come.
//!
//! The screen reads immutable snapshots and sends commands; it keeps no state of the run. It draws when something changed, and only
//! what is visible, so it costs the run next to nothing. Everything it shows is drawn on a buffer of cells by [`app::App`], for the
//! terminal ([`run`]), for a picture ([`frame`], [`picture`]) and for tests alike.
//!
//! ```text
//!   driver    the loop; terminal, input: what it talks to
//!   app       the state; commands: what keys do; moves, selection, folds: where one is
//!   draw      a frame: layout ▸ panes ▸ layers, on a canvas, in the roles of a theme
//! ```

pub mod app;
mod canvas;
pub mod commands;
mod draw;
mod driver;
pub mod folds;
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
mod picture;
mod selection;
mod syntax;
mod terminal;
mod text;
pub mod theme;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, never};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use input::endings;
pub use picture::picture;

use crate::reduce::{Board, Command, Snapshot};
use app::App;
use palette::Palette;
use theme::Look;

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
}

/// Why there is no screen any more.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[source] io::Error),
    /// Something panicked; the terminal was given back so that the message can be read.
    #[error("lop has failed: please report what it said above")]
    Panicked,
}

/// Shows a run on the terminal until the user leaves; then the terminal is as it was, and the run has ended or was told to stop.
///
/// # Errors
/// When the terminal cannot be used, or a thread panicked.
pub fn run(commands: &Sender<Command>, board: &Board, context: Context) -> Result<Left, TuiError> {
    show(commands, board, context, never())
}

/// As [`run`], until `over` is heard or disconnected.
///
/// # Errors
/// As [`run`].
pub fn show(
    commands: &Sender<Command>,
    board: &Board,
    context: Context,
    over: Receiver<()>,
) -> Result<Left, TuiError> {
    let palette = Palette::detect(|name| std::env::var(name).ok());
    let app = App::new(context, Look::built_in(palette));
    let ends = input::Ends::open().map_err(TuiError::Terminal)?;
    let screen = terminal::Screen::open().map_err(TuiError::Terminal)?;
    let input = input::Input::open().map_err(TuiError::Terminal)?;
    driver::Driver::new(app, screen, board, commands).run(&input, &ends, &over)
}

/// The frame that shows `snapshot` on a terminal of `width` × `height` cells, without a terminal.
pub fn frame(
    snapshot: &Arc<Snapshot>,
    (width, height): (u16, u16),
    context: Context,
    palette: Palette,
) -> Buffer {
    let mut app = App::new(context, Look::built_in(palette));
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
