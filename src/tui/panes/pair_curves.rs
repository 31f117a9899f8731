//! The curves of a pair: the difference, the variant and the seed, over tests or time, each on a logarithmic scale of its own.
//!
//! ```text
//!  difference       4 of    465  █▆▅▃▂▂▁▁
//!  variant     26,130 of 47,812  ███▇▇▆▆▆
//!  seed        26,128 of 48,081  ███▇▇▆▆▆
//! ```

use super::chart_axis::{ChartAxis, ChartMarker, size_at};
use crate::reduce::RunSnapshot;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::theme::Role;

/// The numbers of a size that have curves, with their places in it.
const MEASURES: [(&str, usize); 3] = [("difference", 0), ("variant", 1), ("seed", 2)];

/// The width of the longest name.
const NAME_WIDTH: usize = 10;

/// The least number of columns of a curve beside both of its numbers.
const LEAST_CURVE: usize = 8;

/// Draws the curves on the first `height` lines; what has no room is left out, the difference last.
pub fn draw_pair_curves(
    snapshot: &RunSnapshot,
    axis: ChartAxis,
    markers: &[ChartMarker],
    inside: &mut ClippedCanvas,
    height: usize,
) {
    let lines = (height / MEASURES.len()).max(1);
    let sizes = |place: usize| {
        let first = snapshot.curve.front().map(|point| point.size);
        let first = first.unwrap_or_default().0[place];
        (snapshot.version.size().0[place], first)
    };
    let digits = |number: u32| text::format_number(number.into()).len();
    let widths = MEASURES.map(|(_, place)| {
        let (left, whole) = sizes(place);
        (digits(left), digits(whole))
    });
    let left_width = widths.iter().map(|width| width.0).max().unwrap_or(0);
    let whole_width = widths.iter().map(|width| width.1).max().unwrap_or(0);
    let room = inside.width().saturating_sub(NAME_WIDTH + left_width + 5);
    let both = room >= whole_width + " of ".len() + LEAST_CURVE;
    for (at, (name, place)) in MEASURES.into_iter().enumerate() {
        let y = at * lines;
        if y + lines > height {
            return;
        }
        let (left, whole) = sizes(place);
        inside.draw_text(1, y, name, Role::Text);
        let number = format!("{:>left_width$}", text::format_number(left.into()));
        let mut x = inside.draw_text(NAME_WIDTH + 2, y, &number, Role::Number);
        if both {
            let whole = text::format_number(whole.into());
            x = inside.draw_text(x, y, &format!(" of {whole:>whole_width$}"), Role::Dim);
        }
        draw_curve(snapshot, axis, place, inside, (x + 2, y, lines));
        let markers = markers.iter().filter(|_| place == 0);
        for marker in markers {
            let width = inside.width().saturating_sub(x + 3).max(1) as u64;
            let whole = axis.length_of(snapshot);
            let column = marker.place_on(axis).min(whole) * (width - 1) / whole;
            let mark = inside.theme.glyphs.marker;
            inside.draw_text(x + 2 + column as usize, y + lines - 1, mark, Role::Note);
        }
    }
}

/// Draws one curve as bars, from column `x` and line `y` on, on this number of lines.
fn draw_curve(
    snapshot: &RunSnapshot,
    axis: ChartAxis,
    place: usize,
    inside: &mut ClippedCanvas,
    (x, y, lines): (usize, usize, usize),
) {
    let levels = inside.theme.glyphs.levels;
    let width = inside.width().saturating_sub(x + 1);
    let sizes = snapshot.curve.iter().map(|point| point.size.0[place]);
    let most = sizes.max().unwrap_or(0).max(2);
    let whole = axis.length_of(snapshot);
    let steps = levels.len() * lines;
    let level = |column: usize| {
        let at = column as u64 * whole / (width - 1).max(1) as u64;
        let size = size_at(&snapshot.curve, axis, at).0[place].max(1);
        let share = f64::from(size).ln() / f64::from(most).ln();
        ((share * (steps - 1) as f64).round() as usize).min(steps - 1)
    };
    let heights: Vec<usize> = (0..width).map(level).collect();
    for line in 0..lines {
        let below = (lines - 1 - line) * levels.len();
        let bars = heights
            .iter()
            .map(|height| match height.checked_sub(below) {
                Some(height) => levels[height.min(levels.len() - 1)],
                None => " ",
            });
        inside.draw_text(x, y + line, &bars.collect::<String>(), Role::Chart);
    }
}
