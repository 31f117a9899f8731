//! Tables of a comparison: for people, and as Markdown.

/// The columns, one below the other. The first one begins at the left, the others end at the right.
pub(super) fn align_columns<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..COLUMNS).map(width).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    lines.collect()
}

/// A table of Markdown; the first row is its head.
pub(super) fn format_markdown<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        text.push_str(&line(row));
        if at == 0 {
            text.push_str(&format!("| --- |{}\n", " ---: |".repeat(COLUMNS - 1)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_its_names_at_the_left_and_its_numbers_at_the_right() {
        let rows = [
            ["strategy", "tokens"],
            ["pair", "1,234"],
            ["pair-once", "7"],
        ];
        let rows = rows.map(|row| row.map(str::to_owned));
        let expected = [
            "strategy   tokens",
            "pair        1,234",
            "pair-once       7",
        ];
        assert_eq!(align_columns(&rows), expected);
        let expected =
            "| strategy | tokens |\n| --- | ---: |\n| pair | 1,234 |\n| pair-once | 7 |\n";
        assert_eq!(format_markdown(&rows), expected);
    }
}
