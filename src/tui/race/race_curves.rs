//! The common picture of a race: what each lane has left after how many tests. Both axes are those of all lanes.
//!
//! ```text
//!  ╭ Tokens left over tests, log scale ────────────────────╮
//!  │ 240 ●─▲──■─╮                                           │
//!  │            ╰──●────╮▲───                               │
//!  │  24                ╰────────■──── ■ ddmin              │
//!  │  10                                                    │
//!  │     0                  50                100 tests     │
//! ```

use super::lane_drawing::lane_sign;
use super::lane_view::LaneView;
use crate::reduce::RunSnapshot;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::panes::chart_axis::{ChartAxis, size_at};
use crate::tui::theme::Role;

/// Columns between two marks of a curve, for each lane.
const MARK_DISTANCE: usize = 4;
/// The first part of the ends of axes: a decade has so many.
const ROUND_NUMBERS: [u64; 8] = [10, 12, 15, 20, 30, 40, 60, 80];
/// The tests of the shortest axis.
const LEAST_TESTS: u64 = 10;

/// Where curves are drawn: in cells, and in sizes and tests.
struct CurveField {
    /// The first column and the width.
    left: usize,
    width: usize,
    height: usize,
    /// The greatest and the least size.
    most: u32,
    least: u32,
    /// The tests at the right end.
    tests: u64,
    /// Whether the axis of tests is logarithmic; it begins with no test all the same.
    is_logarithmic: bool,
}

impl CurveField {
    /// The line of a size, from the top.
    fn line_of(&self, size: u32) -> usize {
        let logarithm = |size: u32| f64::from(size.max(1)).ln();
        let span = (logarithm(self.most) - logarithm(self.least)).max(f64::MIN_POSITIVE);
        let share = (logarithm(self.most) - logarithm(size)) / span;
        let line = (share * (self.height - 1) as f64).round().max(0.0) as usize;
        line.min(self.height - 1)
    }

    /// The size on a line.
    fn size_on(&self, line: usize) -> u32 {
        let share = line as f64 / (self.height - 1).max(1) as f64;
        let (most, least) = (f64::from(self.most), f64::from(self.least));
        (most * (least / most).powf(share)).round() as u32
    }

    /// The column of a number of tests.
    fn column_of(&self, tests: u64) -> usize {
        let (tests, columns) = (tests.min(self.tests), self.width - 1);
        match self.is_logarithmic {
            true => {
                let logarithm = |tests: u64| (tests as f64 + 1.0).ln();
                (logarithm(tests) / logarithm(self.tests) * columns as f64) as usize
            }
            false => (tests * columns as u64 / self.tests) as usize,
        }
    }

    /// The most tests that a column stands for.
    fn tests_at(&self, column: usize) -> u64 {
        let columns = (self.width - 1).max(1);
        match self.is_logarithmic {
            true => {
                let share = (column + 1) as f64 / columns as f64;
                let tests = (self.tests as f64 + 1.0).powf(share) - 1.0;
                (tests.ceil() as u64).saturating_sub(1)
            }
            false => (column as u64 * self.tests).div_ceil(columns as u64),
        }
    }

    /// Which numbers of tests stand at the axis: the ends, and between them quarters or powers of ten.
    fn tick_tests(&self) -> Vec<u64> {
        let mut ticks = vec![0];
        match self.is_logarithmic {
            true => {
                let powers = (0..).map(|power| 10u64.pow(power));
                ticks.extend(powers.take_while(|power| *power < self.tests));
            }
            false => {
                let quarters = (1..4).map(|quarter| self.tests * quarter);
                let whole = quarters.filter(|sum| sum.is_multiple_of(4));
                ticks.extend(whole.map(|sum| sum / 4));
            }
        }
        ticks.push(self.tests);
        ticks
    }

    /// The lines of a curve, one for each column up to that of its last test.
    fn trace_curve(&self, snapshot: &RunSnapshot) -> Vec<usize> {
        let last = self.column_of(snapshot.counts.tests);
        let line = |column: usize| {
            let tests = match column == last {
                true => snapshot.counts.tests,
                false => self.tests_at(column),
            };
            let size = size_at(&snapshot.curve, ChartAxis::Tests, tests);
            self.line_of(size.primary())
        };
        (0..=last).map(line).collect()
    }
}

/// A curve on the field, with its lane.
struct TracedCurve<'a> {
    lane: usize,
    name: &'a str,
    lines: Vec<usize>,
}

/// Draws the curves of all lanes; that of the chosen lane lies on top.
pub fn draw_race_curves(
    lanes: &[LaneView],
    chosen: usize,
    is_logarithmic: bool,
    canvas: &mut ClippedCanvas,
) {
    let known = lanes.iter().enumerate();
    let known = known.filter_map(|(at, lane)| Some((at, lane, lane.view.snapshot.as_deref()?)));
    let known: Vec<_> = known.collect();
    let unit = known
        .first()
        .map_or("tokens", |(.., run)| run.version.objective().units());
    let axis = match is_logarithmic {
        true => "both axes log scale",
        false => "log scale",
    };
    let title = format!("{} left over tests, {axis}", capitalize(unit));
    let mut inside = canvas.draw_pane_frame(&title, "", false, PaneEdges::ALONE);
    let names = known
        .iter()
        .map(|(_, lane, _)| text::text_width(&lane.name));
    let names = names.max().unwrap_or(0) + 4;
    let most = known.iter().map(|(.., run)| run.primary_sizes().1).max();
    let sizes = known.iter().map(|(.., run)| run.primary_sizes().0);
    let (Some(most), Some(least)) = (most, sizes.min()) else {
        return;
    };
    let label = text::format_number(most.into()).len();
    let left = label + 2;
    let width = inside.width().saturating_sub(left + names);
    let height = inside.height().saturating_sub(1);
    if width < 10 || height < 2 {
        return;
    }
    let tests = known.iter().map(|(.., run)| run.counts.tests);
    let field = CurveField {
        left,
        width,
        height,
        most,
        least: round_down(least).min(most.saturating_sub(1).max(1)),
        tests: round_up(tests.max().unwrap_or(0).max(LEAST_TESTS)),
        is_logarithmic,
    };
    draw_axes(&field, label, &mut inside);
    let mut curves: Vec<TracedCurve> = known
        .iter()
        .map(|(lane, view, run)| TracedCurve {
            lane: *lane,
            name: &view.name,
            lines: field.trace_curve(run),
        })
        .collect();
    curves.sort_by_key(|curve| curve.lane == chosen);
    for curve in &curves {
        draw_line(&field, curve, &mut inside);
    }
    // Where curves lie on each other the marks of all can be seen.
    for curve in &curves {
        draw_marks(&field, curve, lanes.len(), &mut inside);
    }
    draw_names(&field, curves, &mut inside);
}

fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The numbers at the axes, and the unit of the lower one.
fn draw_axes(field: &CurveField, label: usize, canvas: &mut ClippedCanvas) {
    for line in [0, field.height / 2, field.height - 1] {
        let size = text::format_number(field.size_on(line).into());
        canvas.draw_text(0, line, &format!(" {size:>label$}"), Role::Dim);
    }
    let y = field.height;
    let mut free = 0;
    for tests in field.tick_tests() {
        let words = match tests == field.tests {
            true => text::format_count(tests, "test"),
            false => text::format_number(tests),
        };
        let x = field.left + field.column_of(tests);
        if x >= free {
            free = canvas.draw_text(x, y, &words, Role::Dim) + 2;
        }
    }
}

/// Draws the line of a curve.
fn draw_line(field: &CurveField, curve: &TracedCurve, canvas: &mut ClippedCanvas) {
    let [across, down, _, east, _, south] = canvas.theme.glyphs.frame;
    let (_, role) = lane_sign(curve.lane, canvas.theme);
    let mut before = curve.lines[0];
    for (column, line) in curve.lines.iter().enumerate() {
        let x = field.left + column;
        if *line <= before {
            canvas.draw_text(x, *line, across, role);
        } else {
            canvas.draw_text(x, before, east, role);
            for between in before + 1..*line {
                canvas.draw_text(x, between, down, role);
            }
            canvas.draw_text(x, *line, south, role);
        }
        before = *line;
    }
}

/// Draws the marks of a curve, at columns of its own and at its end.
fn draw_marks(field: &CurveField, curve: &TracedCurve, lanes: usize, canvas: &mut ClippedCanvas) {
    let (mark, role) = lane_sign(curve.lane, canvas.theme);
    let distance = MARK_DISTANCE * lanes;
    let last = curve.lines.len() - 1;
    for (column, line) in curve.lines.iter().enumerate() {
        let is_own = column % distance == MARK_DISTANCE * curve.lane;
        if is_own || column == last {
            canvas.draw_text(field.left + column, *line, mark, role);
        }
    }
}

/// Draws the name of each curve behind its end, on the nearest line that is free there.
fn draw_names(field: &CurveField, mut curves: Vec<TracedCurve>, canvas: &mut ClippedCanvas) {
    curves.sort_by_key(|curve| curve.lane);
    let mut taken: Vec<Vec<bool>> =
        vec![vec![false; field.left + field.width + canvas.width()]; field.height];
    for curve in &curves {
        for (column, line) in curve.lines.iter().enumerate() {
            taken[*line][field.left + column] = true;
        }
    }
    for curve in &curves {
        let (mark, role) = lane_sign(curve.lane, canvas.theme);
        let words = format!("{mark} {}", curve.name);
        let x = field.left + curve.lines.len() + 1;
        let place = x..x + text::text_width(&words);
        let end = curve.lines[curve.lines.len() - 1];
        let mut lines: Vec<usize> = (0..field.height).collect();
        lines.sort_by_key(|line| line.abs_diff(end));
        let is_free = |line: &usize| !taken[*line][place.clone()].contains(&true);
        let Some(line) = lines.into_iter().find(is_free) else {
            continue;
        };
        taken[line][place.start - 1..place.end + 1].fill(true);
        canvas.draw_text(x, line, &words, role);
    }
}

/// The least round number that is not below `number`.
fn round_up(number: u64) -> u64 {
    let mut decade = 1;
    loop {
        let found = ROUND_NUMBERS.iter().map(|first| first * decade);
        if let Some(found) = found.into_iter().find(|round| *round >= number) {
            return found;
        }
        decade *= 10;
    }
}

/// The greatest of 1, 2, 5, 10, 20, 50, … that is not above `number`, which is at least 1.
fn round_down(number: u32) -> u32 {
    let mut decade = 1;
    while number / decade >= 10 {
        decade *= 10;
    }
    let first = match number / decade {
        0 | 1 => 1,
        2..5 => 2,
        _ => 5,
    };
    first * decade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_in_round_numbers() {
        let ends = [10, 11, 13, 21, 81, 100, 101, 1_234].map(round_up);
        assert_eq!(ends, [10, 12, 15, 30, 100, 100, 120, 1_500]);
        let ends = [0, 1, 4, 9, 10, 26, 51, 3_000].map(round_down);
        assert_eq!(ends, [1, 1, 2, 5, 10, 20, 50, 2_000]);
    }
}
