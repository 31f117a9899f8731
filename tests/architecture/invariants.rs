//! The invariants have tests: `tests/INVARIANTS.md` names them, and they exist. Its list is that of `ARCHITECTURE.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const MAP: &str = include_str!("../../ARCHITECTURE.md");
const PAGE: &str = include_str!("../INVARIANTS.md");

/// An invariant on the page of their tests.
pub struct Invariant<'a> {
    title: &'a str,
    /// Its tests, each with its file.
    tests: Vec<(&'a str, &'a str)>,
}

/// The invariants by their numbers.
pub fn invariants() -> BTreeMap<u32, Invariant<'static>> {
    read_page(PAGE)
}

/// Reads a page: a heading `## 1. title` for each invariant, and a line for each of its tests, `` - `tests/file.rs`: `a_test` ``.
fn read_page(page: &str) -> BTreeMap<u32, Invariant<'_>> {
    page.split("\n## ")
        .skip(1)
        .map(|section| {
            let (heading, body) = section.split_once('\n').expect("a heading");
            let (number, title) = heading.split_once(". ").expect("a number and a title");
            let lines = body.lines().filter_map(|line| line.strip_prefix("- "));
            let tests = lines.map(|line| {
                let quoted: Vec<&str> = line.split('`').collect();
                let ["", file, ": ", name, ""] = quoted[..] else {
                    panic!("{number}: a file and a test, not {line}");
                };
                (file, name)
            });
            let tests = tests.collect();
            (
                number.parse().expect("a number"),
                Invariant { title, tests },
            )
        })
        .collect()
}

/// The numbers and titles of the list on the map: lines that begin with `1. **title.**`, or `1. **title**` within a sentence.
fn listed_titles(map: &str) -> BTreeMap<u32, &str> {
    let section = map
        .split("\n## ")
        .find_map(|part| part.strip_prefix("What must always hold\n"))
        .expect("the list");
    let items = section.lines().filter_map(|line| {
        let (number, item) = line.split_once(". **")?;
        let (title, _) = item.split_once("**").expect("the end of a title");
        Some((
            number.parse().expect("a number"),
            title.trim_end_matches('.'),
        ))
    });
    items.collect()
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
    let numbers: Vec<u32> = all.keys().copied().collect();
    let headings = PAGE.matches("\n## ").count() as u32;
    assert_eq!(numbers, (1..=headings).collect::<Vec<_>>());
    for (number, invariant) in &all {
        assert!(!invariant.tests.is_empty(), "{number} names no test");
        for (file, name) in &invariant.tests {
            assert!(is_test(file, name), "{number}: {file} has no test {name}");
        }
    }
}

#[test]
fn the_map_lists_the_same_invariants() {
    let all = invariants();
    let titles = all
        .iter()
        .map(|(number, invariant)| (*number, invariant.title));
    assert_eq!(listed_titles(MAP), titles.collect::<BTreeMap<_, _>>());
}

#[test]
fn the_check_sees_a_test_that_is_not_there() {
    let page = "# A page\n\n## 1. It holds\n\nIn `src/a.rs` as well.\n\n- `tests/reducing/engine/accepts.rs`: `nobody`\n\
                - `tests/reducing/engine/accepts.rs`: `no_candidate_with_more_errors_than_the_program_is_tested`\n";
    let there: Vec<bool> = read_page(page)[&1]
        .tests
        .iter()
        .map(|(file, name)| is_test(file, name))
        .collect();
    assert_eq!(there, [false, true]);
}
