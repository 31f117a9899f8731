//! The table of a comparison, and the curves as data.

use super::{ComparisonRow, chart, table};
use crate::display::{format_count, format_number};
use crate::plain::format_duration;
use crate::program::Version;

/// The table, and the chart below it.
///
/// ```text
/// from 6,291 tokens, 20,115 bytes
///
///   strategy  tokens  bytes  tests  really run  refused     time
/// a perses       163    702    402         402        3   40.1 s
/// b pardis       210    903    310          88        0   31.0 s
/// ```
pub(super) fn comparison_page(rows: &[ComparisonRow], original: &Version) -> String {
    let head = [
        "strategy",
        "tokens",
        "bytes",
        "tests",
        "really run",
        "refused",
        "time",
    ]
    .map(str::to_owned);
    let cells: Vec<[String; 7]> = std::iter::once(head)
        .chain(rows.iter().map(|row| {
            [
                match row.is_complete {
                    true => row.name.clone(),
                    false => format!("{}, stopped", row.name),
                },
                format_number(u64::from(row.tokens)),
                format_number(u64::from(row.bytes)),
                format_number(row.tests),
                format_number(row.tests_run),
                format_number(row.rejected),
                format_duration(row.time),
            ]
        }))
        .collect();
    let mut page = format!(
        "from {}, {}\n\n",
        format_count(u64::from(original.token_count()), "token"),
        format_count(u64::from(original.byte_count()), "byte")
    );
    for (at, line) in table::align_columns(&cells).iter().enumerate() {
        let mark = at.checked_sub(1).map_or(' ', chart::curve_letter);
        page.push_str(&format!("{mark} {line}\n"));
    }
    let ran: u64 = rows.iter().map(|row| row.tests_run).sum();
    page.push_str(&format!(
        "\nTests and time are those of each strategy alone; {} really ran, because no candidate is tested twice.\n",
        format_count(ran, "test")
    ));
    let chart = chart::draw_chart(rows, original.token_count());
    let meet = match chart.is_empty() {
        true => "",
        false => "*: where curves meet\n",
    };
    page.push_str(&chart);
    page.push_str(&format!(
        "\nrefused: candidates that were no valid programs, and so were not tested\n{meet}"
    ));
    page
}

/// One line for each accepted candidate, and one for the end of each strategy.
pub(super) fn curves_csv(rows: &[ComparisonRow]) -> String {
    let mut text = "strategy,tests,seconds,tokens\n".to_owned();
    for row in rows {
        for point in &row.curve {
            let time = point.time.as_secs_f64();
            text.push_str(&format!(
                "{},{},{time:.3},{}\n",
                row.name,
                point.tests,
                point.size.primary()
            ));
        }
    }
    text
}
