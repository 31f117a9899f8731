//! The footer: the commands that are enabled now, or a message about the last key.
//!
//! ```text
//!   space pause  F follow  tab pane  ? help  q quit                                   3 of 12 found
//! ```

use crate::reduce::RunState;
use crate::tui::app::App;
use crate::tui::commands::command::ScreenCommand;
use crate::tui::commands::keymap;
use crate::tui::commands::table::hinted_commands;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::program_view::bookmarks::BookmarkAction;
use crate::tui::program_view::search::NodeSearch;
use crate::tui::theme::Role;

/// The number of hits of a search, and the number of the selected one; none after a search that found nothing.
fn search_status(app: &App) -> Option<String> {
    let is_useful = |search: &&NodeSearch| search.hit_count() > 0 || !search.is_done();
    let search = app.search.as_ref().filter(is_useful)?;
    let all = text::format_number(search.hit_count() as u64);
    let number = search.hit_number(app.selection.target());
    let found = match number {
        Some(number) => format!("{} of {all} found", text::format_number(number as u64)),
        None => format!("{all} found"),
    };
    Some(match search.is_done() {
        true => found,
        false => format!("{found}, searching"),
    })
}

/// The most important hints, the most important first.
const IMPORTANT_HINTS: &[&str] = &[
    "lesson-next",
    "lesson-back",
    "guess-yes",
    "guess-no",
    "close",
    "help",
    "quit",
    "pause",
    "next-pane",
    "step",
    "step-back",
    "prompt",
    "inspect",
];

/// The rank of a hint by importance.
fn hint_rank(entry: &ScreenCommand) -> usize {
    let at = IMPORTANT_HINTS.iter().position(|name| *name == entry.name);
    at.unwrap_or(IMPORTANT_HINTS.len())
}

/// Draws the footer. A status message that does not fit becomes a toast, where it can be read whole.
pub fn draw_footer(app: &mut App, canvas: &mut ClippedCanvas) {
    let mut end = canvas.width().saturating_sub(1);
    if let Some(found) = search_status(app) {
        let x = canvas.draw_text_before(end, 0, &found, Role::Note);
        end = x.saturating_sub(2);
    }
    let room = end.saturating_sub(1);
    let fits = |message: &mut String| app.prompt.is_some() || text::text_width(message) <= room;
    if let Some(message) = app.status_message.take_if(|message| !fits(message)) {
        app.toasts.push_answer(message);
    }
    let request = app.bookmarks.pending.map(|action| match action {
        BookmarkAction::Set => "type the letter to mark this node with".to_owned(),
        BookmarkAction::Jump => "type the letter of the node to go to".to_owned(),
    });
    if let Some(message) = request.as_ref().or(app.status_message.as_ref()) {
        let message = text::truncate_end(message, room, canvas.theme.glyphs.cut);
        canvas.draw_text(1, 0, &message, Role::Note);
        return;
    }
    let paused = match app.view.replay_state() {
        Some(replay) => !replay.playing,
        None => app.view.run_state().is_some_and(RunState::is_suspended),
    };
    let leads_to_program = app.leads_to_program();
    let facts = app.facts();
    let keys = &app.view.setup.keys;
    let hint = |entry: &'static ScreenCommand| {
        let key = *keys.command_keys(entry.name).first()?;
        // In a lesson some keys mean something else.
        let meant = keymap::command_of_key(keys, &facts, key)?;
        let key = Some(key.name()).filter(|_| meant.name == entry.name)?;
        let word = match entry.hint? {
            // What the user has paused needs no explanation.
            "why" if app.view.stall_reason().is_none() => return None,
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
            "pane" if leads_to_program => "program",
            "quit" if app.view.context.is_attached => "leave it going",
            "quit" if app.view.is_finished() || app.view.context.replay => "leave",
            word => word,
        };
        let width = text::text_width(&key) + text::text_width(word) + 3;
        Some((hint_rank(entry), key, word, width))
    };
    let hints: Vec<_> = hinted_commands(&facts).filter_map(hint).collect();
    // If not all hints fit, the most important ones are shown, in their usual order.
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
