//! What must always hold has tests: `ARCHITECTURE.md` names them, and they are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../ARCHITECTURE.md");

/// The items of the list of what must always hold, by their numbers.
pub fn invariants() -> BTreeMap<u32, String> {
    let section = PAGE
        .split("\n## ")
        .find_map(|part| part.strip_prefix("What must always hold\n"));
    let mut items = BTreeMap::new();
    let mut last = None;
    for line in section.expect("the list").lines() {
        let number = line
            .split_once(". ")
            .and_then(|(number, _)| number.parse().ok());
        last = number.or(last);
        if let Some(last) = last {
            *items.entry(last).or_insert_with(String::new) += &format!("{line}\n");
        }
    }
    items
}

/// The tests that an item names, each with its file: `` `tests/file.rs`: `a_test`, `another` ``.
fn named(item: &str) -> Vec<(&str, &str)> {
    let mut file = None;
    let mut tests = Vec::new();
    for quoted in item.split('`').skip(1).step_by(2) {
        match file {
            _ if quoted.ends_with(".rs") => file = Some(quoted),
            Some(file) => tests.push((file, quoted)),
            None => {}
        }
    }
    tests
}

/// Whether the file has a test of this name.
pub fn is_test(file: &str, name: &str) -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let head = format!("fn {name}(");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let place = lines.iter().position(|line| line.starts_with(&head));
    place.is_some_and(|place| {
        lines[..place]
            .iter()
            .rev()
            .take(3)
            .any(|line| *line == "#[test]")
    })
}

#[test]
fn what_must_always_hold_has_tests_that_are_there() {
    let all = invariants();
    assert_eq!(
        all.keys().copied().collect::<Vec<_>>(),
        (1..=15).collect::<Vec<_>>()
    );
    for (number, item) in &all {
        let tests = named(item);
        assert!(!tests.is_empty(), "{number} names no test");
        for (file, name) in tests {
            assert!(is_test(file, name), "{number}: {file} has no test {name}");
        }
    }
}

#[test]
fn the_check_sees_a_test_that_is_not_there() {
    let item = "1. **It holds.** In `src/a.rs` as well.\n   `tests/reducing/engine/takes.rs`: `nobody`, `no_candidate_with_more_errors_than_the_program_is_tested`";
    let tests = named(item);
    assert_eq!(tests.len(), 2);
    let there: Vec<bool> = tests
        .iter()
        .map(|(file, name)| is_test(file, name))
        .collect();
    assert_eq!(there, [false, true]);
}
