//! How far, how fast: the curve of sizes over tests, and the counters.
//!
//! ```text
//!  ├ Progress  tokens, log scale ─────── 97 % gone ┤
//!  │ 6,291 ⠉⠑⠒⢄                                    │   from the original to one token: each step down is the same factor
//!  │    79     ⠈⠢⡀                                 │
//!  │     1       ⠑⠤⣀⣀⣀⣀⣀⣀⣀⣀⣀                       │   over tests
//!  │ 1,204 tests  ✓ 61  ✗ 1,100  ⊘ 40  ⧖ 3  29.1 s │
//! ```

use super::super::app::App;
use super::super::canvas::{Canvas, Edges};
use super::super::text;
use super::super::theme::Role;
use super::verdict;
use crate::reduce::{Ending, Point, Snapshot};

/// Draws the pane.
pub fn draw(app: &App, canvas: &mut Canvas, edges: Edges) {
    let Some(snapshot) = &app.snapshot else {
        return;
    };
    let right = format!(
        "{} % gone",
        text::gone(snapshot.version.tokens(), snapshot.original.0)
    );
    let mut inside = canvas.pane("Progress  tokens, log scale", &right, false, edges);
    let height = inside.height();
    counters(app, snapshot, &mut inside, height.saturating_sub(1));
    if height >= 3 {
        chart(snapshot, &mut inside, height - 1);
    }
}

/// The counters on one line, the most telling first; one that has no room is left out whole.
fn counters(app: &App, snapshot: &Snapshot, inside: &mut Canvas, y: usize) {
    let counts = &snapshot.counts;
    let glyphs = inside.look.glyphs;
    let mark = |ending, number: u64| {
        let (mark, role) = verdict(ending, &glyphs);
        (format!("{mark} {}", text::number(number)), role)
    };
    let items = [
        (text::count(counts.tests, "test"), Role::Text),
        mark(Ending::Interesting, counts.interesting),
        mark(Ending::Boring, counts.boring),
        mark(Ending::Invalid, counts.invalid),
        mark(Ending::TimedOut, counts.timed_out),
        (format!("{} known", text::number(counts.cached)), Role::Dim),
        (text::time(app.worked()), Role::Dim),
    ];
    let mut x = 1;
    for (item, role) in items {
        if x + text::width(&item) < inside.width() {
            x = inside.say(x, y, &item, role) + 2;
        }
    }
}

/// Tests a second, with a digit more where they are few.
pub fn rate(rate: f64) -> String {
    if rate < 10.0 {
        format!("{rate:.1}")
    } else {
        text::number(rate.round() as u64)
    }
}

/// Draws the curve on the first `height` lines.
fn chart(snapshot: &Snapshot, inside: &mut Canvas, height: usize) {
    let Some(most) = snapshot.curve.iter().map(|point| point.tokens).max() else {
        return;
    };
    let label = text::number(most.into()).len();
    let Some(width) = inside
        .width()
        .checked_sub(label + 3)
        .filter(|width| *width > 3)
    else {
        return;
    };
    // The axis is the whole way, from the original to a single token: so a curve looks as steep as it is.
    let span = f64::from(most.max(2)).ln();
    for y in 0..height {
        let share = y as f64 / (height - 1).max(1) as f64;
        let value = (span * (1.0 - share)).exp();
        if y == 0 || y + 1 == height || y == height / 2 {
            inside.say(
                1,
                y,
                &format!("{:>label$}", text::number(value.round() as u64)),
                Role::Dim,
            );
        }
    }
    let braille = inside.look.glyphs.braille;
    let (across, down) = if braille { (2, 4) } else { (1, 1) };
    let tests = snapshot.counts.tests.max(1);
    let levels = (height * down - 1).max(1) as f64;
    let level = |column: usize| {
        let at = column as u64 * tests / (width * across - 1).max(1) as u64;
        let tokens = f64::from(size_at(&snapshot.curve, at).max(1));
        (((span - tokens.ln()) / span * levels).round().max(0.0) as usize).min(height * down - 1)
    };
    let mut cells = vec![0u8; width * height];
    let mut before = level(0);
    for column in 0..width * across {
        let now = level(column);
        // A fall is drawn as a line down, so that the curve is one.
        for y in before.min(now)..=now.max(before) {
            cells[y / down * width + column / across] |= dot(column % across, y % down);
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
        inside.say(label + 2, y, &line.replace('\u{2800}', " "), Role::Chart);
    }
}

/// The bit of a dot in a braille character of two by four.
fn dot(x: usize, y: usize) -> u8 {
    [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]][x][y]
}

/// The size when `tests` tests had been started.
fn size_at(curve: &imbl::Vector<Point>, tests: u64) -> u32 {
    let (mut low, mut high) = (0, curve.len());
    while low < high {
        let middle = (low + high) / 2;
        if curve[middle].tests <= tests {
            low = middle + 1
        } else {
            high = middle
        }
    }
    curve
        .get(low.saturating_sub(1))
        .map_or(0, |point| point.tokens)
}
