//! The line at the bottom: what can be done now, or what the last key did.
//!
//! ```text
//!   space pause  F follow  tab pane  ? help  q quit                                  95 % gone
//! ```

use crate::reduce::RunState;
use crate::tui::app::App;
use crate::tui::commands::command::ScreenCommand;
use crate::tui::commands::table::hinted_commands;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::program_view::bookmarks::BookmarkAction;
use crate::tui::theme::Role;

/// How many hits a search has, and on which of them one is.
fn search_status(app: &App) -> Option<String> {
    let search = app.search.as_ref()?;
    let all = text::format_number(search.hit_count() as u64);
    let number = search.hit_number(app.selection.node);
    let found = match number {
        Some(number) => format!("{} of {all} found", text::format_number(number as u64)),
        None => format!("{all} found"),
    };
    Some(match search.is_done() {
        true => found,
        false => format!("{found}, searching"),
    })
}

/// The hints without which one is lost, the first the most needed.
const NEEDED: &[&str] = &[
    "close",
    "help",
    "quit",
    "pause",
    "next-pane",
    "step",
    "step-back",
    "prompt",
];

/// Which place a hint has among those that are needed.
fn hint_rank(entry: &ScreenCommand) -> usize {
    let at = NEEDED.iter().position(|name| *name == entry.name);
    at.unwrap_or(NEEDED.len())
}

/// Draws the line at the bottom: what can be done now, or why the last key did nothing. What has no room there is told above, where it
/// can be read whole.
pub fn draw_footer(app: &mut App, canvas: &mut ClippedCanvas) {
    let mut end = canvas.width().saturating_sub(1);
    if let Some(snapshot) = &app.view.snapshot {
        let gone = format!(
            "{:>3} % gone",
            text::percent_removed(snapshot.version.token_count(), snapshot.original.0)
        );
        end = canvas
            .draw_text_before(end, 0, &gone, Role::Number)
            .saturating_sub(2);
    }
    if let Some(found) = search_status(app) {
        let x = canvas.draw_text_before(end, 0, &found, Role::Note);
        end = x.saturating_sub(2);
    }
    let room = end.saturating_sub(1);
    let fits = |said: &mut String| app.prompt.is_some() || text::text_width(said) <= room;
    if let Some(said) = app.status_message.take_if(|said| !fits(said)) {
        app.toasts.push_toast(said, Role::Note);
    }
    let awaited = app.bookmarks.pending.map(|awaited| match awaited {
        BookmarkAction::Set => "type the letter to mark this node with".to_owned(),
        BookmarkAction::Jump => "type the letter of the node to go to".to_owned(),
    });
    if let Some(said) = awaited.as_ref().or(app.status_message.as_ref()) {
        let said = text::truncate_end(said, room, canvas.theme.glyphs.cut);
        canvas.draw_text(1, 0, &said, Role::Note);
        return;
    }
    let paused = match app.view.replay_state() {
        Some(replay) => !replay.playing,
        None => app.view.run_state().is_some_and(RunState::is_suspended),
    };
    let hint = |entry: &'static ScreenCommand| {
        let key = app.view.setup.keys.command_keys(entry.name).first()?.name();
        let word = match entry.hint? {
            "pause" if paused && app.view.context.replay => "play",
            "pause" if paused => "resume",
            "undo" if app.view.context.replay => "previous version",
            "continue from it" if app.view.context.replay => "go to it",
            "backwards"
                if app
                    .view
                    .replay_state()
                    .is_some_and(|replay| replay.backwards) =>
            {
                "forwards"
            }
            "quit" if app.view.is_finished() || app.view.context.replay => "leave",
            word => word,
        };
        let width = text::text_width(&key) + text::text_width(word) + 3;
        Some((hint_rank(entry), key, word, width))
    };
    let hints: Vec<_> = hinted_commands(&app.facts()).filter_map(hint).collect();
    // Where not all have room, those have it that are needed most; each stays at its place.
    let mut ranked: Vec<usize> = (0..hints.len()).collect();
    ranked.sort_by_key(|at| hints[*at].0);
    let mut room = end + 1;
    ranked.retain(|at| {
        let width = hints[*at].3;
        let fits = width <= room;
        room -= if fits { width } else { 0 };
        fits
    });
    ranked.sort_unstable();
    let mut x = 1;
    for (_, key, word, _) in ranked.iter().map(|at| &hints[*at]) {
        x = canvas.draw_text(x, 0, key, Role::Key) + 1;
        x = canvas.draw_text(x, 0, word, Role::Dim) + 2;
    }
}
