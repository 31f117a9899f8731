//! The transformations of Reduktor: what the default strategy makes of a small program in one run, as a table (`tests/samples/transformations.toml`).

use lop::pass::PassOptions;
use lop::reduce::RunSetup;
use serde::Deserialize;

use crate::common::{oracle, read, run, setup, verdict};

/// The file explains the entries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TransformationTable {
    rows: Vec<Transformation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Transformation {
    name: String,
    file: String,
    before: String,
    needs: Vec<Vec<String>>,
    after: String,
    limit: Option<String>,
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Whether every bracket is closed.
fn balances(text: &str) -> bool {
    let mut open = Vec::new();
    let mut signs = text.chars();
    let fits = signs.all(|sign| match sign {
        '(' | '{' => {
            open.push(sign);
            true
        }
        ')' => open.pop() == Some('('),
        '}' => open.pop() == Some('{'),
        _ => true,
    });
    fits && open.is_empty()
}

fn is_interesting(needs: &[Vec<String>], text: &str) -> bool {
    let text = without_space(text);
    let stands = |part: &String| text.contains(&without_space(part));
    balances(&text) && needs.iter().all(|group| group.iter().any(stands))
}

impl Transformation {
    /// What is left.
    fn reduce(&self) -> String {
        for text in [&self.before, &self.after] {
            let is_right = is_interesting(&self.needs, text);
            assert!(is_right, "{} ({}): {text}", self.name, self.file);
        }
        let needs = self.needs.clone();
        let runner = oracle(move |text| verdict(is_interesting(&needs, text)));
        let (left, _) = run(RunSetup {
            options: PassOptions::default(),
            ..setup(read(&self.file, &self.before), runner)
        });
        left
    }
}

#[test]
#[ignore = "long"]
fn each_transformation_has_its_effect_or_a_reason_why_not() {
    let table = include_str!("../../samples/transformations.toml");
    let table: TransformationTable = toml::from_str(table).expect("a table");
    let wrong = table.rows.iter().filter_map(|row| {
        let left = row.reduce();
        let is_reached = without_space(&left) == without_space(&row.after);
        (is_reached == row.limit.is_some())
            .then(|| format!("{} ({}): {left:?}", row.name, row.file))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
