//! A lane in a frame: as a column with its program, as a few lines, or alone on the screen.
//!
//! ```text
//!  ╭ 1 ● perses ──────────────────╮
//!  │ 240 ▸ 31 tokens  −87 %       │
//!  │ 45 tests               asks  │
//!  │ ✗ 14 unused declarations     │
//!  │ ▶ Can 7 unused declarations  │
//!  │   go?  −36 tokens            │
//!  │                              │
//!  │⟳  8 static int f(int a)      │
//! ```

use std::time::{Duration, Instant};

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::lane_view::LaneView;
use crate::oracle::ClientState;
use crate::reduce::{DecisionDetails, FinishReason, RunSnapshot, RunState};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::{quoted_text, text};
use crate::tui::frame::size_text;
use crate::tui::panes::run_sentence::RunSentence;
use crate::tui::panes::sentences::{format_change, question_summary, show_words, verdict_mark};
use crate::tui::theme::{ResolvedTheme, Role};

/// A test that runs for less time shows no clock.
const TEST_WITHOUT_CLOCK: Duration = Duration::from_secs(1);
/// The lines above the program of a column: sizes, counters, the last answer, the sentence on two, a blank one.
const HEAD_LINES: u16 = 6;
/// How many lines the sentence has.
const SENTENCE_LINES: usize = 2;

/// The colours of lanes, in their order; then they come again.
const LANE_ROLES: [Role; 6] = [
    Role::Lane1,
    Role::Lane2,
    Role::Lane3,
    Role::Lane4,
    Role::Lane5,
    Role::Lane6,
];

/// The marks of lanes, and where only ASCII is shown; then they come again.
const LANE_MARKS: [(&str, &str); 9] = [
    ("●", "1"),
    ("▲", "2"),
    ("■", "3"),
    ("◆", "4"),
    ("○", "5"),
    ("△", "6"),
    ("□", "7"),
    ("◇", "8"),
    ("★", "9"),
];

/// How a lane is told apart from others: its mark and its colour.
pub fn lane_sign(lane: usize, theme: &ResolvedTheme) -> (&'static str, Role) {
    let (mark, plain) = LANE_MARKS[lane % LANE_MARKS.len()];
    let mark = match theme.glyphs.braille {
        true => mark,
        false => plain,
    };
    (mark, LANE_ROLES[lane % LANE_ROLES.len()])
}

/// The number of a lane, its mark and its name.
fn lane_title(number: usize, name: &str, theme: &ResolvedTheme) -> String {
    match theme.glyphs.braille {
        true => format!("{} {} {name}", number + 1, lane_sign(number, theme).0),
        false => format!("{} {name}", number + 1),
    }
}

/// Draws a lane as a column.
pub fn draw_lane_column(
    lane: &mut LaneView,
    number: usize,
    is_chosen: bool,
    now: Instant,
    canvas: &mut ClippedCanvas,
) {
    let theme = canvas.theme;
    let title = lane_title(number, &lane.name, theme);
    let area = canvas
        .draw_pane_frame(&title, "", is_chosen, PaneEdges::ALONE)
        .area;
    draw_title_colour(number, is_chosen, &title, canvas);
    let mut inside = canvas.sub_canvas(area);
    let Some(snapshot) = lane.view.snapshot.clone() else {
        inside.draw_text(1, 0, "reads the program", Role::Dim);
        return;
    };
    let width = inside.width();
    let bold = theme.role_style(Role::Text).add_modifier(Modifier::BOLD);
    inside.draw_styled(1, 0, &size_text(&lane.view, &snapshot), bold);
    let tests = text::format_count(snapshot.counts.tests, "test");
    let end = inside.draw_text(1, 1, &tests, Role::Text) + 2;
    let (state, role) = state_text(lane, &snapshot, theme, now);
    let state = text::truncate_end(&state, width.saturating_sub(end + 1), theme.glyphs.cut);
    inside.draw_text_before(width.saturating_sub(1), 1, &state, role);
    let answered = snapshot.decided.last().filter(|_| !lane.is_over());
    if let Some(last) = answered {
        draw_last_answer(last, 2, &mut inside);
    }
    let y = 2 + usize::from(answered.is_some());
    draw_question(lane, &snapshot, now, y, &mut inside);
    let area = inside.area;
    if area.height > HEAD_LINES {
        let program = Rect {
            y: area.y + HEAD_LINES,
            height: area.height - HEAD_LINES,
            ..area
        };
        lane.draw_program(now, &mut inside.sub_canvas(program));
    }
}

/// Draws a lane on so many lines of its own: name and figures, then the sentence.
pub fn draw_lane_lines(
    lane: &LaneView,
    number: usize,
    is_chosen: bool,
    now: Instant,
    canvas: &mut ClippedCanvas,
) {
    let theme = canvas.theme;
    if is_chosen {
        canvas.draw_text(0, 0, theme.glyphs.closed, Role::Focus);
    }
    let (_, role) = lane_sign(number, theme);
    let style = theme.role_style(role).add_modifier(Modifier::BOLD);
    let title = lane_title(number, &lane.name, theme);
    let x = canvas.draw_styled(2, 0, &title, style);
    let Some(snapshot) = lane.view.snapshot.clone() else {
        canvas.draw_text(x + 2, 0, "reads the program", Role::Dim);
        return;
    };
    draw_lane_figures(lane, &snapshot, now, x + 1, canvas);
    if canvas.height() > 1 {
        let area = canvas.area;
        let below = Rect {
            x: area.x + 3.min(area.width),
            y: area.y + 1,
            width: area.width.saturating_sub(3),
            height: area.height - 1,
        };
        draw_question(lane, &snapshot, now, 0, &mut canvas.sub_canvas(below));
    }
}

/// Draws the sizes, the number of tests and the state of a lane on its first line, right-aligned behind column `start`: the fullest form that
/// has room.
fn draw_lane_figures(
    lane: &LaneView,
    snapshot: &RunSnapshot,
    now: Instant,
    start: usize,
    canvas: &mut ClippedCanvas,
) {
    let theme = canvas.theme;
    let bold = theme.role_style(Role::Text).add_modifier(Modifier::BOLD);
    let (state, role) = state_text(lane, snapshot, theme, now);
    let state = (state, theme.role_style(role));
    let tests = text::format_count(snapshot.counts.tests, "test");
    let tests = (tests, theme.role_style(Role::Text));
    let whole = size_text(&lane.view, snapshot);
    let (left, _) = snapshot.primary_sizes();
    let left = text::format_number(left.into());
    let short = whole.rsplit_once("  ").map_or(&*whole, |(sizes, _)| sizes);
    let sizes = [&whole, short, &left].map(|sizes| (sizes.to_owned(), bold));
    let [whole, short, left] = sizes;
    // The figures of all lanes end in one column, also while the states have different lengths.
    let forms = [
        (
            vec![state.clone(), tests.clone(), whole],
            vec![STATE_WIDTH, TESTS_WIDTH, 0],
        ),
        (
            vec![state.clone(), tests, short.clone()],
            vec![STATE_WIDTH, TESTS_WIDTH, 0],
        ),
        (vec![state.clone(), short], vec![STATE_WIDTH, 0]),
        (vec![state, left.clone()], vec![0, 0]),
        (vec![left], vec![0]),
    ];
    let end = canvas.width().saturating_sub(1);
    let width_of =
        |(part, least): (&(String, Style), &usize)| (text::text_width(&part.0) + 2).max(*least);
    let fits = |(parts, least): &(Vec<(String, Style)>, Vec<usize>)| {
        parts.iter().zip(least).map(width_of).sum::<usize>() <= end.saturating_sub(start) + 1
    };
    let Some((parts, least)) = forms.iter().find(|form| fits(form)) else {
        return;
    };
    let mut end = end;
    for (part, least) in parts.iter().zip(least) {
        let x = end.saturating_sub(text::text_width(&part.0));
        canvas.draw_styled(x, 0, &part.0, part.1);
        end = end.saturating_sub(width_of((part, least)));
    }
}

/// The room for the state of a lane and for the number of its tests, where it is a few lines.
const STATE_WIDTH: usize = 14;
const TESTS_WIDTH: usize = 14;

/// Draws the title of a column again, in the colour of its lane.
fn draw_title_colour(number: usize, is_chosen: bool, title: &str, canvas: &mut ClippedCanvas) {
    let theme = canvas.theme;
    let (_, role) = lane_sign(number, theme);
    let style = theme.role_style(role).add_modifier(Modifier::BOLD);
    let mark = match is_chosen {
        true => text::text_width(theme.glyphs.focus),
        false => 0,
    };
    let room = canvas.width().saturating_sub(mark + 4);
    if text::text_width(title) <= room {
        canvas.draw_styled(2 + mark, 0, title, style);
    }
}

/// What the lane is doing, in a word or two.
fn state_text(
    lane: &LaneView,
    snapshot: &RunSnapshot,
    theme: &ResolvedTheme,
    now: Instant,
) -> (String, Role) {
    let glyphs = theme.glyphs;
    match &snapshot.state {
        RunState::Finished(FinishReason::Complete) => {
            (format!("{} done", glyphs.interesting), Role::Interesting)
        }
        RunState::Finished(FinishReason::Stopped) => ("stopped".into(), Role::Note),
        RunState::Finished(FinishReason::Failed(_)) => {
            (format!("{} failed", glyphs.uninteresting), Role::Failed)
        }
        _ => match lane.client {
            ClientState::Held => ("asks".into(), Role::Dim),
            ClientState::Testing(since) => {
                let time = now.saturating_duration_since(since);
                match time >= TEST_WITHOUT_CLOCK {
                    true => {
                        let time = text::format_clock(time);
                        (format!("{} tests {time}", glyphs.running), Role::Running)
                    }
                    false => (format!("{} tests", glyphs.running), Role::Running),
                }
            }
            ClientState::Idle | ClientState::Gone => ("plans".into(), Role::Dim),
        },
    }
}

/// Draws what the lane asks, or how it ended, from line `y` on: the fullest form that fits.
fn draw_question(
    lane: &LaneView,
    snapshot: &RunSnapshot,
    now: Instant,
    y: usize,
    canvas: &mut ClippedCanvas,
) {
    let glyphs = canvas.theme.glyphs;
    let sentence = RunSentence::new(&lane.view, snapshot, &glyphs, now);
    let room = canvas.width().saturating_sub(4);
    let lines = canvas.height().saturating_sub(y).min(SENTENCE_LINES);
    let mut forms = vec![join_parts([
        &sentence.headline,
        &sentence.change,
        &sentence.detail,
    ])];
    forms.push(join_parts([&sentence.headline, &sentence.change, ""]));
    if let Some(trying) = &snapshot.current_test {
        let short = question_summary(&trying.sentence, &glyphs);
        let change = format_change(trying.change, &glyphs);
        forms.push(join_parts([&short, &change, ""]));
    }
    let fits = |form: &&String| text::wrap_text(form, room, usize::MAX, "").len() <= lines;
    let form = forms.iter().find(fits).or(forms.last());
    let form = form.map_or("", String::as_str);
    canvas.draw_text(1, y, sentence.mark, sentence.role.unwrap_or(Role::Dim));
    let wrapped = text::wrap_text(form, room, lines, glyphs.cut);
    for (line, words) in wrapped.iter().enumerate() {
        canvas.draw_text(3, y + line, words, Role::Text);
    }
}

/// Parts of a sentence that are not empty, with blanks between them.
fn join_parts(parts: [&str; 3]) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("  ")
}

/// Draws the last decision, on one line.
fn draw_last_answer(last: &DecisionDetails, y: usize, canvas: &mut ClippedCanvas) {
    let glyphs = canvas.theme.glyphs;
    let (mark, role) = verdict_mark(last.verdict, &glyphs);
    canvas.draw_text(1, y, mark, role);
    let words = show_words(&last.sentence.short, &glyphs);
    let room = canvas.width().saturating_sub(4);
    let words = quoted_text::fit_summary(&words, room, glyphs.cut);
    canvas.draw_text(3, y, &words, Role::Dim);
}
