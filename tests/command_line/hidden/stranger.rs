//! A hostile journal of somebody else: every line has a valid checksum, and hostile text.

use std::fs;

use lop::program::ContentHash;

use super::{hidden, said};
use crate::shell::Stage;

/// A line that lop did not say, behind what is hidden; as JSON.
const HOSTILE: &str = r"\u001b[2J\u202e\nlop: forged ";
/// As it is shown.
const SHOWN: &str = "<U+001B>[2J<U+202E><U+000A>lop: forged ";
/// The strings that it begins.
const FIELDS: &[&str] = &[
    "lop",
    "why",
    "pass",
    "finished",
    "certificate",
    "input",
    "output",
    "test",
    "path",
];

/// The line with the sum that it has after a line with the sum `before`, and that sum.
fn sealed(line: &str, before: &str) -> (String, String) {
    let (object, _) = line.rsplit_once(",\"sum\":").expect("a sum");
    let hash = ContentHash::from_bytes(before.as_bytes()).followed_by(
        ContentHash::from_bytes(object.as_bytes()),
        object.len() as u64,
    );
    let sum = hash.to_string()[8..16].to_owned();
    (format!("{object},\"sum\":\"{sum}\"}}\n"), sum)
}

/// The journal with hostile strings in one of its fields, or in a name that lop looks for.
fn forged(journal: &str, field: &str) -> String {
    let mut sum = "0".repeat(8);
    let begins = format!("\"{field}\":\"");
    let line = |line: &str| {
        let (line, next) = sealed(&line.replace(&begins, &format!("{begins}{HOSTILE}")), &sum);
        sum = next;
        line
    };
    journal.lines().map(line).collect()
}

#[test]
#[ignore = "long"]
fn a_strangers_journal_says_nothing_as_it_is() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    let path = stage.sessions().join("bug.c-1/journal.jsonl");
    let journal = fs::read_to_string(&path).expect("a journal");
    assert_eq!(
        forged(&journal, "no such field"),
        journal,
        "the sums are right"
    );
    let mut shown = Vec::new();
    for field in FIELDS.iter().chain(&["strategy", "minimizer", "language"]) {
        fs::write(&path, forged(&journal, field)).expect("a journal");
        for line in [
            &["sessions"][..],
            &["history", "bug.c-1"],
            &["show", "1", "bug.c-1"],
            &["replay", "--plain", "bug.c-1"],
            &["replay", "--check", "bug.c-1"],
            &["export", "bug.c-1", "--html", "page.html"],
            &["export", "bug.c-1", "--jsonl"],
            &["resume", "bug.c-1"],
        ] {
            let output = stage.program(env!("CARGO_BIN_EXE_lop"), line).output();
            let said = said(&output.expect("lop"));
            assert_eq!(hidden(&said), [], "{field}: {line:?}: {said}");
            let forged = said.lines().any(|line| line.starts_with("lop: forged"));
            assert!(!forged, "{field}: {line:?}: {said}");
            if said.contains(SHOWN) {
                shown.push(*field);
            }
        }
        let page = fs::read_to_string(stage.path("page.html")).unwrap_or_default();
        assert_eq!(hidden(&page), [], "{field}");
    }
    shown.dedup();
    assert_eq!(
        shown,
        [
            "why",
            "finished",
            "certificate",
            "input",
            "output",
            "strategy",
            "minimizer",
            "language"
        ]
    );
}
