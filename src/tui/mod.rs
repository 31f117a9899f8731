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

pub mod app;
pub mod commands;
mod drawing;
mod driver;
mod frame;
mod handlers;
mod pages;
mod panes;
mod pending_commands;
mod program_view;
pub mod prompt;
mod run_view;
pub mod setup;
pub mod theme;
mod throughput;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use commands::keys;
pub use drawing::{render_animation, render_svg};
pub use driver::{
    CommandTarget, ExitReason, ScreenExit, TuiError, run_screen, run_screen_until,
    termination_signals,
};
pub use handlers::parse_speed;
pub use panes::layout;
pub use program_view::{diff, heat};
pub use run_view::ScreenContext;
pub use theme::palette;

use crate::reduce::RunSnapshot;
use app::App;
use palette::TerminalPalette;
use setup::ScreenSetup;

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
