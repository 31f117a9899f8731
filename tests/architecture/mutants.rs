//! Each invariant has tests that fail when it is broken: `tests/MUTANTS.md` lists changes that break it.
//!
//! Here it is only checked that each change still applies. `benches/mutants` makes the changes in a copy of the sources, and checks that the
//! tests fail.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::invariants::invariants;

const PAGE: &str = include_str!("../MUTANTS.md");

/// What a copy for mutants consists of.
const PARTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "benches",
    "build.rs",
    "docs",
    "grammars",
    "proptest-regressions",
    "screenshots",
    "src",
    "tests",
    "themes",
    "xtask",
];

/// A change that breaks what must hold.
#[derive(Debug)]
struct Mutant<'a> {
    /// The number of what it breaks, a dot, and its own: `2.3`.
    number: &'a str,
    title: &'a str,
    file: &'a str,
    /// What stands in the file, and what stands there after the change, place by place.
    changes: Vec<(String, String)>,
    /// The words after `cargo test` that run the test, and what it says when it fails.
    test: &'a str,
    says: &'a str,
}

impl Mutant<'_> {
    /// The name of the test, or what all names have in common of those that fail.
    fn test_name(&self) -> &str {
        self.test.rsplit(' ').next().expect("a word")
    }

    fn breaks(&self) -> u32 {
        let number = self
            .number
            .split('.')
            .next()
            .and_then(|number| number.parse().ok());
        number.expect("a number")
    }
}

/// The mutants of a page: a heading `### 1.2 title`, a paragraph in which the file, the test and what it says are in backticks, in this order, and
/// the change as a diff, with `@@` between places.
fn mutants(page: &str) -> Vec<Mutant<'_>> {
    let parts = page.split("\n### ").skip(1);
    parts
        .map(|part| {
            let (heading, rest) = part.split_once('\n').expect("a heading");
            let (number, title) = heading.split_once(' ').expect("a number and a title");
            let (summary, diff) = rest
                .split_once("\n```diff\n")
                .unwrap_or_else(|| panic!("{heading}: a diff"));
            let (diff, _) = diff.split_once("\n```").expect("the end of a diff");
            let quoted: Vec<&str> = summary.split('`').skip(1).step_by(2).collect();
            let [file, test, says] = quoted[..] else {
                panic!("{heading}: a file, a test and its words, not {quoted:?}");
            };
            let side = |hunk: &str, other: char| {
                let lines = hunk.lines().filter(|line| !line.starts_with(other));
                lines
                    .map(|line| format!("{}\n", line.get(1..).unwrap_or("")))
                    .collect()
            };
            let changes = diff
                .split("\n@@\n")
                .map(|hunk| (side(hunk, '+'), side(hunk, '-')))
                .collect();
            Mutant {
                number,
                title,
                file,
                changes,
                test,
                says,
            }
        })
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn each_mutant_can_still_be_made() {
    let all = mutants(PAGE);
    let mut numbers = BTreeSet::new();
    for mutant in &all {
        let Mutant {
            number,
            title,
            file,
            changes,
            ..
        } = mutant;
        assert!(numbers.insert(number), "{number} is there twice");
        assert!(file.starts_with("src/"), "{number} {title}");
        let text = fs::read_to_string(root().join(file))
            .unwrap_or_else(|error| panic!("{number} {title}: {file}: {error}"));
        for (old, new) in changes {
            assert_ne!(old, new, "{number} {title}");
            let places = text.matches(old.as_str()).count();
            assert_eq!(
                places, 1,
                "{number} {title}: so many places in {file}; is the page still true?\n{old}"
            );
        }
    }
    let broken: BTreeSet<u32> = all.iter().map(Mutant::breaks).collect();
    assert_eq!(
        broken,
        invariants().into_keys().collect(),
        "each of what must hold is broken once"
    );
}

#[test]
fn each_mutant_names_a_test_that_is_there() {
    for Mutant { number, test, .. } in mutants(PAGE) {
        let words: Vec<&str> = test.split(' ').collect();
        let (place, name) = match words[..] {
            ["--test", place, name] => (["tests", place].iter().collect::<PathBuf>(), name),
            ["--lib", name] => (PathBuf::from("src"), name),
            _ => panic!("{number}: {test}"),
        };
        let name = name.rsplit("::").next().expect("a name");
        let head = format!("fn {name}(");
        let single = place.with_extension("rs");
        let there = match single.exists() {
            true => fs::read_to_string(&single).expect("a file").contains(&head),
            false => super::source::sources(place.to_str().expect("UTF-8"))
                .iter()
                .any(|source| source.text.contains(&head)),
        };
        assert!(
            there,
            "{number}: there is no test {name} in {}",
            place.display()
        );
    }
}

/// Copies what has changed. A file that is as it was keeps its time, so that cargo does not build it again.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a directory");
        for entry in fs::read_dir(from).expect("a directory") {
            let name = entry.expect("an entry").file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        let bytes = fs::read(from).expect("a file");
        if fs::read(to).ok().as_ref() != Some(&bytes) {
            fs::write(to, bytes).expect("a copy");
            let rights = from.metadata().expect("a file").permissions();
            fs::set_permissions(to, rights).expect("its rights");
        }
    }
}

/// Runs a test in the copy: what it printed, if it failed.
fn failure(copy: &Path, target: &Path, test: &str) -> Result<String, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(copy)
        .arg("test")
        .args(test.split(' '))
        .env("CARGO_TARGET_DIR", target);
    let end = cargo.output().expect("cargo");
    let printed = [end.stdout, end.stderr]
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .concat();
    match () {
        () if printed.contains("could not compile") => {
            Err(format!("it does not compile\n{printed}"))
        }
        () if end.status.success() => Err("it survives".to_owned()),
        () => Ok(printed),
    }
}

/// Makes every mutant, or those that `LOP_MUTANTS` names by their numbers, and sees whether the test fails as it is said.
#[test]
#[ignore = "takes a minute for each; run it by benches/mutants"]
fn each_mutant_is_found() {
    let chosen = std::env::var("LOP_MUTANTS").unwrap_or_default();
    let chosen: Vec<&str> = chosen.split_whitespace().collect();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (sources, target) = (
        scratch.join("mutants"),
        scratch.parent().expect("the target directory"),
    );
    fs::create_dir_all(&sources).expect("a directory");
    for part in PARTS {
        copy(&root().join(part), &sources.join(part));
    }
    let mut survived = Vec::new();
    for mutant in mutants(PAGE) {
        let Mutant {
            number,
            title,
            file,
            ..
        } = mutant;
        if !chosen.is_empty() && !chosen.contains(&number) {
            continue;
        }
        let (path, began) = (sources.join(file), Instant::now());
        let whole = fs::read_to_string(&path).expect("a file");
        let changed = mutant
            .changes
            .iter()
            .fold(whole.clone(), |text, (old, new)| text.replacen(old, new, 1));
        fs::write(&path, changed).expect("written");
        let end = failure(&sources, target, mutant.test);
        fs::write(&path, whole).expect("written");
        let problem = match end {
            Ok(printed)
                if printed.contains(mutant.says) && printed.contains(mutant.test_name()) =>
            {
                None
            }
            Ok(printed) => Some(format!(
                "it fails with other words than `{}`:\n{printed}",
                mutant.says
            )),
            Err(problem) => Some(problem),
        };
        let seconds = Duration::as_secs(&began.elapsed());
        let word = if problem.is_some() {
            "SURVIVED"
        } else {
            "found"
        };
        println!(
            "{word:8} {number:4} {title} ({seconds} s, cargo test {})",
            mutant.test
        );
        if let Some(problem) = problem {
            println!("{problem}");
            survived.push(number);
        }
    }
    assert!(survived.is_empty(), "not found as it is said: {survived:?}");
}
