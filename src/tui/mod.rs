//! The screen: the tree, the program, the current candidate and the reason for it, and the progress of the run.
//!
//! The screen reads immutable snapshots and sends commands; it keeps no state of the run. It draws when something changed, and only
//! what is visible, so it costs the run next to nothing. [`app::App`] is the whole state, and `App::draw_frame` draws it on a buffer of
//! cells. So a frame is a function of snapshots and keys, for the terminal ([`run_screen`]), for pictures ([`render_frame`], [`render_svg()`]) and for
//! tests alike.
//!
//! | part | subject |
//! | --- | --- |
//! | `driver/` | the loop, the terminal, keys and signals, the user's editor: the only part that uses the terminal and the clock; it also reads the files, except TextMate themes and the file of `edit FILE` |
//! | `app.rs`, `run_view.rs` | the state of the screen, and the view of the run that all parts read |
//! | `commands/` | the table of commands, their contexts, and their keys |
//! | `handlers/` | what keys, typed lines, clicks and snapshots do |
//! | `guess.rs`, `narration.rs` | steps in two keys with a guess between them, and what is told: the steps of a lesson |
//! | `contrast.rs` | the port to whoever compares the result with its neighbours |
//! | `start_page/` | the page of `lop FILE` alone: a state of its own, with a loop of its own in `driver/` |
//! | `prompt/` | the line that is typed, and its completions |
//! | `setup.rs`, `theme/` | the user's configuration as keys, colours and layout; `session/file_watcher.rs` reports when its files change |
//! | `pending_commands.rs`, `throughput.rs` | commands whose effect is still to come; tests a second |
//! | `program_view/` | the visible rows and lines, found through the sums of the tree; search hits, diffs, heat |
//! | `panes/`, `pages/`, `frame/` | the panes and their areas, the pages over them, and both as one frame |
//! | `race/` | the screen of several runs side by side, which shares the driver's terminal and the panes' drawing |
//! | `highlighting/` | colours that no tree says: line by line, by syntax definitions |
//! | `drawing/` | the canvas, texts that fit in a number of cells, pictures of frames |
//!
//! No key waits for the size of the program. Lines and bytes are found through the sums of the nodes, rows through counts of large nodes that
//! versions share, and colours by a query over the visible bytes, or by a thread that highlights them. Work that must read the whole program, such as a search or unfolding
//! everything, is done in slices between frames (`App::run_idle_work`). A diff reads the lines around the edit, up to the next token that both
//! sides have. A theme gives each role a paint, for true colour, 256 colours, 16 or none.

pub mod app;
pub mod commands;
pub mod contrast;
mod drawing;
mod driver;
mod frame;
pub mod guess;
mod handlers;
pub mod highlighting;
pub mod narration;
mod pages;
mod panes;
mod pending_commands;
mod program_view;
pub mod prompt;
pub mod race;
mod run_view;
pub mod setup;
pub mod start_page;
pub mod theme;
mod throughput;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use commands::{bindings, keys};
pub use drawing::{render_animation, render_svg};
pub use driver::{
    AttachEnd, AttachError, AttachRequest, AttachServer, AttachedRun, CommandTarget, ExitReason,
    RaceSource, RunEnding, ScreenExit, SignalListener, StartExit, TuiError, run_attached_terminal,
    run_race_screen, run_screen, run_screen_until, run_start_page, termination_signals,
};
pub use handlers::parse_speed;
pub use panes::layout;
pub use program_view::{diff, file_graph, heat};
pub use run_view::ScreenContext;
pub use theme::palette;

use crate::reduce::RunSnapshot;
use app::App;
use highlighting::TextHighlighter;
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
    // For a finished run the frame shows the result page over the panes.
    let mut buffer = Buffer::empty(Rect {
        x: 0,
        y: 0,
        width,
        height,
    });
    app.draw_frame(&mut buffer, snapshot.now);
    let request = app.take_highlight_request();
    let update = request.and_then(|request| TextHighlighter::default().highlight_now(request));
    if let Some(update) = update {
        app.apply_highlights(update);
        buffer.reset();
        app.draw_frame(&mut buffer, snapshot.now);
    }
    buffer
}
