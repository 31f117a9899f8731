//! The comparison of strategies on a pair: for people, as Markdown, and as JSON.

use std::time::Duration;

use serde_json::{Value, json};

use super::table;
use crate::display::{EscapeHidden, format_count, format_number};
use crate::plain::format_duration;
use crate::program::Version;

/// The sizes of a pair, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ComparedSizes {
    /// The seed; none where the variant was reduced alone.
    pub seed: Option<u32>,
    /// The variant.
    pub variant: u32,
    /// The tokens of one that the other has not.
    pub difference: Option<u32>,
}

impl ComparedSizes {
    /// Those of a version: of a pair, or of the variant alone.
    pub fn measure(version: &Version) -> ComparedSizes {
        let tokens = |at: usize| version.documents()[at].root.sums().tokens;
        match version.twins() {
            Some(_) => ComparedSizes {
                seed: Some(tokens(0)),
                variant: tokens(1),
                difference: Some(version.size().primary()),
            },
            None => ComparedSizes {
                seed: None,
                variant: tokens(0),
                difference: None,
            },
        }
    }
}

/// What a strategy made of a pair.
#[derive(Clone, Debug)]
pub(super) struct PairComparisonRow {
    /// The name of the strategy.
    pub name: String,
    /// What is left.
    pub left: ComparedSizes,
    /// How often the strategy ran through its passes, or through its last ones.
    pub rounds: u32,
    /// Tests that saw the seed, and tests that saw the variant.
    pub tests: [u64; 2],
    /// From the start to the end.
    pub time: Duration,
    /// Whether nothing is left to try; else it was stopped.
    pub is_complete: bool,
}

/// The result of a comparison.
pub(super) struct PairComparison {
    /// The names of both programs.
    pub names: [String; 2],
    /// Their sizes at the start.
    pub before: ComparedSizes,
    /// A row for each strategy.
    pub rows: Vec<PairComparisonRow>,
}

const HEAD: [&str; 9] = [
    "strategy",
    "seed",
    "variant",
    "difference",
    "left of it",
    "rounds",
    "tests of the seed",
    "of the variant",
    "time",
];

impl PairComparison {
    /// The table, for people.
    ///
    /// ```text
    /// seed.c and variant.c: 6,326 and 6,299 tokens, the difference 59
    ///
    /// strategy       seed  variant  difference  left of it  rounds  tests of the seed  of the variant         time
    /// pair             82       82           2       3.4 %       2                 29             168   2 min 15 s
    /// variant alone     -       82           -           -       1                  -             143       87.2 s
    /// ```
    pub fn to_page(&self) -> String {
        let mut page = format!("{}\n\n", self.describe_start());
        for line in table::align_columns(&self.cells()) {
            page.push_str(&format!("{line}\n"));
        }
        page.push_str("\nSizes are tokens. All tests count, also those of a version that is read or tested once more.\n");
        if self.rows.iter().any(|row| !row.is_complete) {
            page.push_str("> time: the strategy was stopped, and its sizes were still falling.\n");
        }
        page
    }

    /// The table in Markdown.
    pub fn to_markdown(&self) -> String {
        format!(
            "{}\n\n{}",
            self.describe_start(),
            table::format_markdown(&self.cells())
        )
    }

    /// One object for each strategy.
    pub fn to_json(&self) -> Vec<Value> {
        let sizes = |sizes: ComparedSizes| json!({"seed": sizes.seed, "variant": sizes.variant, "difference": sizes.difference});
        let rows = self.rows.iter().map(|row| {
            json!({
                "seed": self.names[0],
                "variant": self.names[1],
                "strategy": row.name,
                "before": sizes(self.before),
                "after": sizes(row.left),
                "rounds": row.rounds,
                "tests_of_seed": row.tests[0],
                "tests_of_variant": row.tests[1],
                "elapsed_s": row.time.as_secs_f64(),
                "complete": row.is_complete,
            })
        });
        rows.collect()
    }

    fn describe_start(&self) -> String {
        let [seed, variant] = self.names.each_ref().map(|name| name.escape_hidden());
        format!(
            "{seed} and {variant}: {} and {}, the difference {}",
            format_number(self.before.seed.unwrap_or_default().into()),
            format_count(self.before.variant.into(), "token"),
            format_number(self.before.difference.unwrap_or_default().into()),
        )
    }

    fn cells(&self) -> Vec<[String; 9]> {
        let number = |tokens: Option<u32>| match tokens {
            Some(tokens) => format_number(tokens.into()),
            None => "-".into(),
        };
        let rows = self.rows.iter().map(|row| {
            let share = row.left.difference.zip(self.before.difference);
            let share = share.map(|(left, all)| 100.0 * f64::from(left) / f64::from(all.max(1)));
            let seed_tests = row
                .left
                .seed
                .map_or("-".into(), |_| format_number(row.tests[0]));
            [
                row.name.clone(),
                number(row.left.seed),
                number(Some(row.left.variant)),
                number(row.left.difference),
                share.map_or("-".into(), |share| format!("{share:.1} %")),
                row.rounds.to_string(),
                seed_tests,
                format_number(row.tests[1]),
                match row.is_complete {
                    true => format_duration(row.time),
                    false => format!("> {}", format_duration(row.time)),
                },
            ]
        });
        [HEAD.map(str::to_owned)].into_iter().chain(rows).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_shows_what_each_strategy_left_and_what_it_asked() {
        let sizes = |seed, variant, difference| ComparedSizes {
            seed,
            variant,
            difference,
        };
        let row = |name: &str, left, tests, is_complete| PairComparisonRow {
            name: name.into(),
            left,
            rounds: 1,
            tests,
            time: Duration::from_secs(30),
            is_complete,
        };
        let comparison = PairComparison {
            names: ["seed.c".into(), "variant.c".into()],
            before: sizes(Some(6326), 6299, Some(59)),
            rows: vec![
                row("pair", sizes(Some(82), 82, Some(2)), [29, 168], true),
                row(
                    "isolate-tokens",
                    sizes(Some(6320), 6299, Some(30)),
                    [2, 3],
                    false,
                ),
                row("variant alone", sizes(None, 82, None), [0, 1430], true),
            ],
        };
        let page = comparison.to_page();
        let lines: Vec<Vec<&str>> = page
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(
            lines[0].join(" "),
            "seed.c and variant.c: 6,326 and 6,299 tokens, the difference 59"
        );
        assert_eq!(lines[3].join(" "), "pair 82 82 2 3.4 % 1 29 168 30.0 s");
        assert_eq!(
            lines[4].join(" "),
            "isolate-tokens 6,320 6,299 30 50.8 % 1 2 3 > 30.0 s"
        );
        assert_eq!(
            lines[5].join(" "),
            "variant alone - 82 - - 1 - 1,430 30.0 s"
        );
        assert!(page.contains("still falling"));
        assert!(
            comparison
                .to_markdown()
                .contains("| pair | 82 | 82 | 2 | 3.4 % |")
        );
        let objects = comparison.to_json();
        assert_eq!(objects[0]["after"]["difference"], 2);
        assert_eq!(objects[1]["complete"], false);
        assert_eq!(objects[2]["after"]["seed"], Value::Null);
    }
}
