//! The progress of the run: the curve of sizes over tests or time, and the counters.
//!
//! ```text
//!  ├ Progress  tokens, log scale ─────── 97 % gone ┤
//!  │ 6,291 ⠉⠑⠒⢄                                    │   from the original down to one token, on a logarithmic scale
//!  │    79     ⠈⠢⡀       ▲ pause                   │   when the user sent a command
//!  │     1       ⠑⠤⣀⣀⣀⣀⣀⣀⣀⣀⣀                       │   over tests, or over time
//!  │ about 52 questions left in 3 passes, 2 % ye… │   by what each pass asked before and the share of yes, at the current rate
//!  │ 1,204 tests  ✓ 61  ✗ 1,100  ⊘ 40  ∞ 3  29.1 s │
//! ```

use super::chart_axis::{ChartAxis, ChartMarker, size_at};
use super::pair_curves::draw_pair_curves;
use super::pane_context::PaneContext;
use super::sentences::verdict_mark;
use crate::oracle::Verdict;
use crate::reduce::{Quorum, RunSnapshot};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The state of the pane.
#[derive(Debug, Default)]
pub struct ProgressPane {
    pub(super) axis: ChartAxis,
    /// The user's commands in the curve.
    pub(super) markers: Vec<ChartMarker>,
}

impl ProgressPane {
    /// Draws the curve over the other axis.
    pub fn toggle_axis(&mut self) {
        self.axis = match self.axis {
            ChartAxis::Tests => ChartAxis::Time,
            ChartAxis::Time => ChartAxis::Tests,
        }
    }

    /// Marks a command of the user's in the curve, with the number of commands that the run will have received with it.
    pub fn add_marker(&mut self, snapshot: &RunSnapshot, name: &str, command: u64) {
        const MOST_MARKERS: usize = 200;
        let marker = ChartMarker {
            tests: snapshot.counts.tests,
            time: snapshot.now.saturating_duration_since(snapshot.started),
            name: name.to_owned(),
            command,
        };
        // Repeated steps have one marker, and so have the lines of one command.
        let is_repeated = |last: &ChartMarker| {
            last.name == name && (name.starts_with("step") || last.tests == marker.tests)
        };
        if !self.markers.last().is_some_and(is_repeated) && self.markers.len() < MOST_MARKERS {
            self.markers.push(marker);
        }
    }

    /// Removes the mark of a command that the run has refused.
    pub fn remove_marker(&mut self, command: u64) {
        self.markers.retain(|marker| marker.command != command);
    }

    /// Draws the pane.
    pub fn draw_pane(&self, context: &PaneContext, canvas: &mut ClippedCanvas, edges: PaneEdges) {
        let view = context.view;
        let Some(snapshot) = &view.snapshot else {
            return;
        };
        let (left, whole) = snapshot.primary_sizes();
        let right = format!("{} % gone", text::percent_removed(left, whole));
        let units = match view.is_pair() {
            true => "difference, variant, seed",
            false => snapshot.version.objective().units(),
        };
        let title = match self.axis {
            ChartAxis::Tests => format!("Progress  {units}, log scale"),
            ChartAxis::Time => format!("Progress  {units}, log scale, over time"),
        };
        let mut inside = canvas.draw_pane_frame(&title, &right, false, edges);
        let height = inside.height();
        draw_counters(view, snapshot, &mut inside, height.saturating_sub(1));
        if view.is_pair() {
            let lines = height.saturating_sub(1);
            draw_pair_curves(snapshot, self.axis, &self.markers, &mut inside, lines);
            return;
        }
        let left = remaining_text(view).filter(|_| height >= 4);
        let lines = 1 + usize::from(left.is_some());
        if let Some(left) = left {
            let cut = inside.theme.glyphs.cut;
            let room = inside.width().saturating_sub(2);
            inside.draw_text(
                1,
                height - 2,
                &text::truncate_end(&left, room, cut),
                Role::Dim,
            );
        }
        match height.saturating_sub(lines) {
            0 => {}
            1 => self.draw_curve_line(snapshot, &mut inside, 0),
            rows => self.draw_chart(snapshot, &mut inside, rows),
        }
    }

    /// Draws the curve on the first `height` lines.
    fn draw_chart(&self, snapshot: &RunSnapshot, inside: &mut ClippedCanvas, height: usize) {
        // Versions only get smaller, so the first point is the highest.
        let Some(most) = snapshot.curve.front().map(|point| point.size.primary()) else {
            return;
        };
        let label = text::format_number(most.into()).len();
        let Some(width) = inside
            .width()
            .checked_sub(label + 3)
            .filter(|width| *width > 3)
        else {
            return;
        };
        // The axis always reaches from the original to a single token, so curves of different runs can be compared.
        let span = f64::from(most.max(2)).ln();
        for y in 0..height {
            let share = y as f64 / (height - 1).max(1) as f64;
            let value = (span * (1.0 - share)).exp();
            if y == 0 || y + 1 == height || y == height / 2 {
                inside.draw_text(
                    1,
                    y,
                    &format!("{:>label$}", text::format_number(value.round() as u64)),
                    Role::Dim,
                );
            }
        }
        let braille = inside.theme.glyphs.braille;
        let (across, down) = if braille { (2, 4) } else { (1, 1) };
        let axis = self.axis;
        let whole = axis.length_of(snapshot);
        let levels = (height * down - 1).max(1) as f64;
        let level = |column: usize| {
            let at = column as u64 * whole / (width * across - 1).max(1) as u64;
            let tokens = f64::from(size_at(&snapshot.curve, axis, at).primary().max(1));
            (((span - tokens.ln()) / span * levels).round().max(0.0) as usize)
                .min(height * down - 1)
        };
        let mut cells = vec![0u8; width * height];
        let mut before = level(0);
        for column in 0..width * across {
            let now = level(column);
            // A drop is drawn as a vertical line, so that the curve is connected.
            for y in before.min(now)..=now.max(before) {
                cells[y / down * width + column / across] |= braille_dot(column % across, y % down);
            }
            before = now;
        }
        for (y, row) in cells.chunks(width).enumerate() {
            let line: String = row
                .iter()
                .map(|&dots| {
                    if braille {
                        char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
                    } else {
                        [' ', '*'][usize::from(dots > 0)]
                    }
                })
                .collect();
            inside.draw_text(label + 2, y, &line.replace('\u{2800}', " "), Role::Chart);
        }
        let mut taken: Vec<bool> = cells.iter().map(|dots| *dots > 0).collect();
        let mut signs: Vec<(usize, usize, &str)> = Vec::new();
        for marker in &self.markers {
            let at = marker.place_on(axis);
            let column = (at.min(whole) * (width as u64 - 1) / whole) as usize;
            if signs.last().is_some_and(|(last, ..)| *last == column) {
                continue;
            }
            // It stands in the lowest cell that the curve and other markers leave free.
            let is_free = |y: &usize| !taken[y * width + column];
            let y = (0..height).rev().find(is_free).unwrap_or(0);
            taken[y * width + column] = true;
            inside.draw_text(
                label + 2 + column,
                y,
                inside.theme.glyphs.marker,
                Role::Note,
            );
            signs.push((column, y, &marker.name));
        }
        // A name stands beside its marker where it covers nothing; else it is left out.
        for (column, y, name) in signs {
            let place = column + 2..column + 2 + text::text_width(name);
            let row = &mut taken[y * width..(y + 1) * width];
            let is_free = place.end < width && !row[column + 1..=place.end].contains(&true);
            if is_free && 2 * column < width {
                row[place].fill(true);
                inside.draw_text(label + 4 + column, y, name, Role::Dim);
            }
        }
    }
}

/// About how many questions are left, in how many passes, and how long they take at the current rate.
fn remaining_text(view: &RunView) -> Option<String> {
    let (left, yes) = view.remaining_questions()?;
    let questions = text::format_count(left.questions, "question");
    let passes = text::format_count(left.passes as u64, "pass");
    let time = view.time_left().zip(view.questions_per_second());
    let time = time.map(|(time, rate)| {
        format!(
            ": {} at {}/s",
            text::format_duration(time),
            format_rate(rate)
        )
    });
    let time = time.unwrap_or_default();
    Some(format!(
        "about {questions} left in {passes}, {yes} % yes{time}"
    ))
}

/// Draws the counters on one line, the most important first. A counter without room is left out.
pub(super) fn draw_counters(
    view: &RunView,
    snapshot: &RunSnapshot,
    inside: &mut ClippedCanvas,
    y: usize,
) {
    let counts = &snapshot.counts;
    let glyphs = inside.theme.glyphs;
    let mark = |ending, number: u64| {
        let (mark, role) = verdict_mark(ending, &glyphs);
        (format!("{mark} {}", text::format_number(number)), role)
    };
    let rate = view
        .tests_per_second()
        .filter(|rate| *rate > 0.0 && snapshot.replay.is_none());
    let rate = rate.map(|rate| format!("{} tests/s", format_rate(rate)));
    let items = [
        (text::format_count(counts.tests, "test"), Role::Text),
        mark(Verdict::Interesting, counts.interesting),
        mark(Verdict::Uninteresting, counts.uninteresting),
        mark(Verdict::Invalid, counts.invalid),
        mark(Verdict::TimedOut, counts.timed_out),
        (
            format!("{} known", text::format_number(counts.cached)),
            Role::Dim,
        ),
        (text::format_duration(view.working_time()), Role::Dim),
        (rate.unwrap_or_default(), Role::Dim),
    ];
    // Facts about a flaky test come before mere counts.
    let flaky = flakiness_text(snapshot).map(|holds| (holds, Role::Note));
    let others = other_failures_text(snapshot).map(|others| (others, Role::Note));
    let (first, rest) = items.split_at(1);
    let first = first.iter().cloned();
    let items = first.chain(flaky).chain(others).chain(rest.iter().cloned());
    let mut x = 1;
    for (item, role) in items {
        if !item.is_empty() && x + text::text_width(&item) < inside.width() {
            x = inside.draw_text(x, y, &item, role) + 2;
        }
    }
}

/// How often the current version passed its test, if a verdict has changed or the quorum is more than one run.
pub fn flakiness_text(snapshot: &RunSnapshot) -> Option<String> {
    let flaky = snapshot.counts.changed > 0 || snapshot.quorum != Quorum::ONCE;
    flaky.then(|| {
        let changed = snapshot.counts.changed;
        format!(
            "holds in {}, {} wanted, {changed} changed",
            snapshot.version_tally, snapshot.quorum
        )
    })
}

/// The number of other failures that are kept, if there are any.
fn other_failures_text(snapshot: &RunSnapshot) -> Option<String> {
    let others = snapshot.other_failures.len() as u64;
    (others > 0).then(|| text::format_count(others, "other failure"))
}

/// Tests per second, with one decimal below ten.
pub fn format_rate(rate: f64) -> String {
    if rate < 10.0 {
        format!("{rate:.1}")
    } else {
        text::format_number(rate.round() as u64)
    }
}

/// The bit of a dot in a braille character of two by four.
fn braille_dot(x: usize, y: usize) -> u8 {
    [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]][x][y]
}
