//! The curves of a comparison in plain characters: tokens left over tests, both axes logarithmic.
//!
//! ```text
//!  6,291 |*aa
//!        |   a
//!        |    abbb
//!     97 |      aaab
//!        +-----------
//!         1    10   100 tests
//! ```

use super::ComparisonRow;
use crate::display::format_number;
use crate::reduce::CurvePoint;

/// Columns and lines of the field.
const WIDTH: usize = 64;
const HEIGHT: usize = 16;

/// The letter of a curve.
pub(super) fn curve_letter(row: usize) -> char {
    char::from(b'a' + (row % 26) as u8)
}

/// The chart; empty without a curve. A `*` marks where curves meet.
pub(super) fn draw_chart(rows: &[ComparisonRow], most: u32) -> String {
    let tests = rows.iter().map(|row| row.tests).max().unwrap_or(0);
    let least = rows.iter().map(|row| row.tokens).min().unwrap_or(0).max(1);
    if tests < 2 || most <= least {
        return String::new();
    }
    let mut field = vec![[' '; WIDTH]; HEIGHT];
    for (at, row) in rows.iter().enumerate() {
        for (column, line) in curve_points(row, tests, least, most) {
            let place = &mut field[line][column];
            *place = if *place == ' ' { curve_letter(at) } else { '*' };
        }
    }
    let labels = [
        format_number(u64::from(most)),
        format_number(u64::from(least)),
    ];
    let width = labels.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::from("\n");
    for (line, cells) in field.iter().enumerate() {
        let label = match line {
            0 => &labels[0],
            _ if line == HEIGHT - 1 => &labels[1],
            _ => "",
        };
        let cells: String = cells.iter().collect();
        text.push_str(&format!("{label:>width$} |{}\n", cells.trim_end()));
    }
    text.push_str(&format!("{:width$} +{}\n", "", "-".repeat(WIDTH)));
    text.push_str(&format!("{:width$}  {}\n", "", axis_labels(tests)));
    text
}

/// The column and the line of each point of a row's curve, up to the column of its last test.
fn curve_points(
    row: &ComparisonRow,
    tests: u64,
    least: u32,
    most: u32,
) -> impl Iterator<Item = (usize, usize)> {
    let inside =
        move |&column: &usize| column == 0 || tests_at_column(column - 1, tests) < row.tests as f64;
    (0..WIDTH).take_while(inside).map(move |column| {
        let tokens = tokens_after(&row.curve, tests_at_column(column, tests));
        (column, line_for_tokens(tokens, least, most))
    })
}

/// The number of tests at a column.
fn tests_at_column(column: usize, tests: u64) -> f64 {
    (tests as f64).powf(column as f64 / (WIDTH - 1) as f64)
}

/// The line for a number of tokens; 0 is the top.
fn line_for_tokens(tokens: u32, least: u32, most: u32) -> usize {
    let (least, most) = (f64::from(least).ln(), f64::from(most).ln());
    let share = (most - f64::from(tokens.max(1)).ln()) / (most - least);
    ((share * (HEIGHT - 1) as f64).round() as usize).min(HEIGHT - 1)
}

/// The size after a number of tests.
fn tokens_after(curve: &[CurvePoint], test: f64) -> u32 {
    let after = curve.partition_point(|point| point.tests as f64 <= test);
    curve[after.saturating_sub(1)].size.primary()
}

/// The powers of ten below their columns, and their unit.
fn axis_labels(tests: u64) -> String {
    let mut axis = String::new();
    let mut power = 1u64;
    while power <= tests {
        let column = (WIDTH - 1) as f64 * (power as f64).ln() / (tests as f64).ln();
        let (column, label) = (column.round() as usize, format_number(power));
        if column + label.len() <= WIDTH {
            axis.push_str(&" ".repeat(column.saturating_sub(axis.len())));
            axis.push_str(&label);
        }
        power *= 10;
    }
    axis + " tests"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::ObjectiveSize;
    use std::time::Duration;

    fn row(name: &str, curve: &[(u64, u32)]) -> ComparisonRow {
        let curve: Vec<_> = curve
            .iter()
            .map(|&(tests, tokens)| CurvePoint {
                tests,
                time: Duration::ZERO,
                size: ObjectiveSize([tokens, 0, 0, 0, 0]),
            })
            .collect();
        let (tests, tokens) = curve
            .last()
            .map_or((0, 0), |end| (end.tests, end.size.primary()));
        ComparisonRow {
            name: name.into(),
            tokens,
            bytes: tokens,
            tests,
            tests_run: tests,
            rejected: 0,
            time: Duration::ZERO,
            is_complete: true,
            curve,
        }
    }

    #[test]
    fn each_curve_falls_from_the_original_to_its_end_and_stops_there() {
        let rows = [
            row("fast", &[(0, 1000), (1, 500), (10, 10), (20, 10)]),
            row("slow", &[(0, 1000), (100, 100), (1000, 10)]),
        ];
        let chart = draw_chart(&rows, 1000);
        let lines: Vec<&str> = chart.lines().skip(1).collect();
        assert_eq!(lines.len(), HEIGHT + 2);
        assert!(lines[0].starts_with("1,000 |b"), "{chart}");
        assert!(lines[HEIGHT - 1].starts_with("   10 |"), "{chart}");
        let last = |letter| lines.iter().filter_map(|line| line.rfind(letter)).max();
        assert!(last('a') < last('b'), "{chart}");
        assert!(
            lines[HEIGHT - 1].contains('a') && lines[HEIGHT - 1].ends_with('b'),
            "{chart}"
        );
        assert!(
            lines[HEIGHT + 1].ends_with("tests") && lines[HEIGHT + 1].contains("100"),
            "{chart}"
        );
    }

    #[test]
    fn nothing_to_draw_is_drawn_as_nothing() {
        assert_eq!(draw_chart(&[], 100), "");
        assert_eq!(draw_chart(&[row("idle", &[(0, 100), (5, 100)])], 100), "");
    }
}
