//! The headline: the file, what is looked for, the sizes, and the state of the run.
//!
//! ```text
//!   lop  input.c   ICE in expand_call, at calls.c      6,257 ▸ 2,251 tokens  −64 %     ● top level   0:07   ~0:20 left
//! ```

use std::borrow::Cow;

use ratatui::style::{Modifier, Style};

use crate::display::EscapeHidden;
use crate::reduce::{FinishReason, PassLine, PassState, ReplayStatus, RunSnapshot, RunState};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::{quoted_text, text};
use crate::tui::panes::progress::format_rate;
use crate::tui::pending_commands::CommandQueue;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The greatest width of the pending commands.
const MOST_PENDING_WIDTH: usize = 40;

/// Draws the header. On a small screen it is the only line about the run, so the most important parts come first.
pub fn draw_header(view: &RunView, pending: &CommandQueue, canvas: &mut ClippedCanvas) {
    let paused = view.run_state().is_some_and(RunState::is_suspended);
    let theme = canvas.theme;
    let base = theme.role_style(if paused { Role::Paused } else { Role::Header });
    let width = canvas.width();
    canvas.draw_styled(0, 0, &" ".repeat(width), base);
    let Some(snapshot) = &view.snapshot else {
        canvas.draw_styled(
            1,
            0,
            &text::truncate_end(
                &startup_text(view),
                width.saturating_sub(1),
                theme.glyphs.cut,
            ),
            base,
        );
        return;
    };
    let (left, whole) = snapshot.primary_sizes();
    let objective = snapshot.version.objective();
    let sizes = format!(
        "{}{} of {}",
        if view.is_pair() { "difference " } else { "" },
        text::format_number(left.into()),
        text::format_count(whole.into(), objective.unit())
    );
    if width < 60 {
        let state = match &snapshot.replay {
            Some(replay) => short_position_text(view, snapshot, replay),
            None => state_text(view, pending, snapshot).0,
        };
        let short = if width < 24 {
            text::format_number(left.into())
        } else {
            sizes
        };
        let speed = view
            .tests_per_second()
            .map(|speed| format!("{}/s", format_rate(speed)));
        let keys = &view.setup.keys;
        let keys = ["help", "quit"].map(|command| keys.first_key_name(command));
        let keys = (width >= 24).then(|| keys.join(" "));
        let mut x = usize::from(width > 20);
        for part in [Some(short), Some(state), speed, keys]
            .into_iter()
            .flatten()
        {
            // A part is drawn whole or not at all.
            if x + text::text_width(&part) <= width {
                x = canvas.draw_styled(x, 0, &part, base) + 2;
            }
        }
        return;
    }
    draw_headline(view, pending, snapshot, canvas, base);
}

/// The least width of the state and the time, so that the sizes before them stand still.
const STATE_WIDTH: usize = 30;
/// Less room than this for the words on the left shows nothing.
const LEAST_WORDS: usize = 8;

/// Draws the headline of a screen with room for it: from the left the file and what is looked for, from the right the time, the state, and
/// the sizes.
fn draw_headline(
    view: &RunView,
    pending: &CommandQueue,
    snapshot: &RunSnapshot,
    canvas: &mut ClippedCanvas,
    base: Style,
) {
    let theme = canvas.theme;
    let paused = snapshot.state.is_suspended();
    // On the background of a paused run other colours are unreadable.
    let in_role = |role: Role| match paused {
        true => base,
        false => base.patch(theme.role_style(role)),
    };
    let width = canvas.width().saturating_sub(1);
    let is_wide = width >= 100;
    let played = snapshot.replay.is_some();
    let (state, role) = match &snapshot.replay {
        // The name of the file comes before how the recording is played.
        Some(replay) if !is_wide => {
            let (_, role) = direction_mark(view, replay);
            (short_position_text(view, snapshot, replay), role)
        }
        _ => state_text(view, pending, snapshot),
    };
    let time = (!played).then(|| text::format_clock(view.working_time()));
    let left = view.time_left().filter(|_| is_wide && !paused);
    let left = left.map(|left| format!("~{} left", text::format_clock(left)));
    let mut end = width;
    let parts = [(left, Role::Dim), (time, Role::Text), (Some(state), role)];
    for (part, role) in parts {
        let Some(part) = part else {
            continue;
        };
        if let Some(x) = end.checked_sub(text::text_width(&part)) {
            canvas.draw_styled(x, 0, &part, in_role(role));
            end = x.saturating_sub(3);
        }
    }
    if is_wide {
        end = end.min(width.saturating_sub(STATE_WIDTH + 3));
    }
    let sizes = size_text(view, snapshot);
    if let Some(x) = end.checked_sub(text::text_width(&sizes)) {
        canvas.draw_styled(x, 0, &sizes, base.add_modifier(Modifier::BOLD));
        end = x.saturating_sub(2);
    }
    let who = match view.context.is_attached {
        true => "lop attached",
        false => "lop",
    };
    let mut x = canvas.draw_styled(1, 0, who, in_role(Role::Dim)) + 2;
    let title = title_text(view);
    let room = end.saturating_sub(x);
    let share = match is_wide {
        true => room / 2,
        false => room,
    };
    let title = text::truncate_middle(&title, share, theme.glyphs.cut);
    x = canvas.draw_styled(x, 0, &title, base.add_modifier(Modifier::BOLD)) + 3;
    let room = end.saturating_sub(x);
    if room >= LEAST_WORDS {
        let wanted = looked_for(view, snapshot, room);
        canvas.draw_styled(x, 0, &wanted, in_role(Role::Text));
    }
}

/// The sizes: from the original to the version, and how much of it is gone.
pub fn size_text(view: &RunView, snapshot: &RunSnapshot) -> String {
    let glyphs = &view.theme.glyphs;
    let (left, whole) = snapshot.primary_sizes();
    let unit = snapshot.version.objective().unit();
    let gone = match text::percent_removed(left, whole) {
        0 => "0 %".to_owned(),
        percent => format!("{}{percent} %", glyphs.minus),
    };
    format!(
        "{}{} {} {}  {gone}",
        if view.is_pair() { "difference " } else { "" },
        text::format_number(whole.into()),
        glyphs.becomes,
        text::format_count(left.into(), unit)
    )
}

/// What is looked for, in at most so many cells: the property in words, what the test says of itself, or the test as the user wrote it. Where
/// there is little room, what names the failure stays: the message without the exit, and the name of the test without its directory.
fn looked_for(view: &RunView, snapshot: &RunSnapshot, room: usize) -> String {
    let glyphs = &view.theme.glyphs;
    let safe = |words: &str| text::displayable_line(words, glyphs.braille);
    let property = snapshot.property.as_deref();
    let property = property.map(|known| [known.to_string(), known.describe_message()]);
    let own = view.context.looked_for.clone();
    let forms = property
        .filter(|[whole, _]| !whole.is_empty())
        .map(Vec::from)
        .or(own.map(|own| vec![own]));
    let Some(mut forms) = forms else {
        let test = &view.context.test;
        let is_path = test.contains('/') && !test.contains(char::is_whitespace);
        let name = test.rsplit('/').next().filter(|_| is_path);
        return match (text::text_width(&safe(test)) <= room, name) {
            (false, Some(name)) => text::truncate_middle(&safe(name), room, glyphs.cut),
            _ if test.contains('`') => quoted_text::fit_sentence(&safe(test), room, glyphs.cut),
            _ => text::truncate_middle(&safe(test), room, glyphs.cut),
        };
    };
    let shortest = forms.last().map(|form| abbreviate_message(form));
    forms.extend(shortest);
    let mut forms: Vec<String> = forms.iter().map(|form| safe(form)).collect();
    let fitting = forms.iter().position(|form| text::text_width(form) <= room);
    match fitting {
        Some(at) => forms.swap_remove(at),
        None => text::truncate_end(&forms.pop().unwrap_or_default(), room, glyphs.cut),
    }
}

/// A message without the words that many have at their beginning: `ICE in expand_call` for `internal compiler error: in expand_call`.
fn abbreviate_message(message: &str) -> String {
    const ABBREVIATIONS: [(&str, &str); 4] = [
        ("internal compiler error: ", "ICE "),
        ("fatal error: ", ""),
        ("error: ", ""),
        ("warning: ", ""),
    ];
    let known = ABBREVIATIONS
        .iter()
        .find_map(|(long, short)| Some((message.strip_prefix(long)?, short)));
    known.map_or_else(
        || message.to_owned(),
        |(rest, short)| format!("{short}{rest}"),
    )
}

/// The file that is reduced, or both files of a pair.
fn title_text(view: &RunView) -> Cow<'_, str> {
    let pair = view.snapshot.as_ref().filter(|_| view.is_pair());
    match pair.map(|snapshot| snapshot.version.documents()) {
        Some([seed, variant]) => {
            let names = [seed, variant].map(|document| document.path.escape_hidden());
            names.join(&format!(" {} ", view.theme.glyphs.arrow)).into()
        }
        _ => Cow::Borrowed(&view.context.title),
    }
}

/// The text before the first snapshot.
fn startup_text(view: &RunView) -> String {
    match view.resume_progress {
        _ if view.context.replay => "lop  reading the session".into(),
        None => "lop  reading the program".into(),
        Some((done, all)) => format!(
            "lop  {}  resuming: decision {} of {}   (q leaves it {})",
            view.context.title,
            text::format_number(done),
            text::format_number(all),
            match view.context.is_attached {
                true => "going",
                false => "unchanged",
            }
        ),
    }
}

/// The state of the run, or the pending commands; in a replay, the position.
fn state_text(view: &RunView, pending: &CommandQueue, snapshot: &RunSnapshot) -> (String, Role) {
    if let Some(replay) = &snapshot.replay {
        return position_text(view, snapshot, replay);
    }
    let glyphs = &view.theme.glyphs;
    let suspended = snapshot.state.is_suspended();
    let mark = if suspended {
        glyphs.paused
    } else {
        glyphs.running
    };
    let words = pending.status_texts();
    let pending_text = (!words.is_empty()).then(|| {
        let words = text::displayable_line(&words.join(", "), glyphs.braille);
        let words = text::truncate_end(&words, MOST_PENDING_WIDTH, glyphs.cut);
        format!("{mark} {words}")
    });
    match (&snapshot.state, pending_text) {
        (RunState::Finished(FinishReason::Complete), _) => {
            (format!("{} done", glyphs.interesting), Role::Interesting)
        }
        (RunState::Finished(FinishReason::Stopped), _) => ("stopped".into(), Role::Note),
        (RunState::Finished(FinishReason::Failed(_)), _) => {
            (format!("{} failed", glyphs.uninteresting), Role::Failed)
        }
        (RunState::Running, Some(pending_text)) => (pending_text, Role::Note),
        (RunState::Paused(_) | RunState::Stalled(_), Some(pending_text)) => {
            (pending_text, Role::Paused)
        }
        (RunState::Running, None) => {
            let runs = snapshot.running_pass();
            let name = runs.map_or("running".into(), running_pass_name);
            (format!("{} {name}", glyphs.running), Role::Running)
        }
        (RunState::Paused(_) | RunState::Stalled(_), None) => {
            (format!("{} PAUSED", glyphs.paused), Role::Paused)
        }
    }
}

fn direction_mark(view: &RunView, replay: &ReplayStatus) -> (&'static str, Role) {
    let glyphs = &view.theme.glyphs;
    match (replay.playing, replay.backwards) {
        (false, _) => (glyphs.paused, Role::Paused),
        (true, false) => (glyphs.forwards, Role::Running),
        (true, true) => (glyphs.backwards, Role::Running),
    }
}

/// The position in the recording, in short.
fn short_position_text(view: &RunView, snapshot: &RunSnapshot, replay: &ReplayStatus) -> String {
    let (mark, _) = direction_mark(view, replay);
    let (at, of) = (snapshot.counts.decisions, replay.decisions);
    format!(
        "{mark} {}/{}",
        text::format_number(at),
        text::format_number(of)
    )
}

/// The position in the recording, and how it is played.
fn position_text(view: &RunView, snapshot: &RunSnapshot, replay: &ReplayStatus) -> (String, Role) {
    let (mark, role) = direction_mark(view, replay);
    let more = if replay.reading { ", reading" } else { "" };
    let position = format!(
        "{mark} replay {}x  {} of {}{more}  version {}",
        replay.speed,
        text::format_number(snapshot.counts.decisions),
        text::format_count(replay.decisions, "decision"),
        snapshot.number
    );
    (position, role)
}

/// The name of the running pass, with its round where that is one of the smart schedule.
fn running_pass_name(pass: &PassLine) -> String {
    match (pass.state, &pass.scope) {
        (PassState::Running(round), Some(_)) => format!("{}, smart: round {round}", pass.name),
        _ => pass.name.to_owned(),
    }
}
