//! Each invariant has tests that fail when it is broken: `tests/MUTANTS.md` lists changes that break it.
//!
//! Here it is only checked that each change still applies. `benches/mutants` makes the changes in a copy of the sources, and checks that the
//! tests fail (`mutant_run.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

use regex::Regex;

use super::invariants::invariants;
use super::mutant_run::{self, TestEnd};
use super::mutant_switches::{self, FileChange, SwitchedFile};
use super::source::{Source, sources};

const PAGE: &str = include_str!("../MUTANTS.md");

/// The most runs of a test that passes. One about which process dies first may pass by chance.
const MOST_RUNS: usize = 5;

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
    "examples",
    "grammars",
    "lessons",
    "man",
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
    /// The words after `cargo test` that run the test, and what it says when it fails; none if it hangs.
    test: &'a str,
    says: Option<&'a str>,
}

impl Mutant<'_> {
    /// The name of the test, or what all names have in common of those that fail.
    fn test_name(&self) -> &str {
        self.test.rsplit(' ').next().expect("a word")
    }

    /// The file with the change.
    fn apply(&self, text: String) -> String {
        let changes = self.changes.iter();
        changes.fold(text, |text, (old, new)| text.replacen(old, new, 1))
    }

    fn breaks(&self) -> u32 {
        let number = self
            .number
            .split('.')
            .next()
            .and_then(|number| number.parse().ok());
        number.expect("a number")
    }

    /// Why the mutant is not found by a test that ended like this; none if it is found.
    fn find_problem(&self, end: TestEnd) -> Option<String> {
        match (end, self.says) {
            (TestEnd::Unbuilt(printed), _) => Some(format!("it does not compile\n{printed}")),
            (TestEnd::Passed, _) => Some("it survives".to_owned()),
            (TestEnd::Hanging, None) => None,
            (TestEnd::Hanging, Some(_)) => Some(format!(
                "its test was ended after {} minutes, and the page does not say that it hangs",
                mutant_run::TIME_LIMIT.as_secs() / 60
            )),
            (TestEnd::Failed(printed), None) => Some(format!("it does not hang:\n{printed}")),
            (TestEnd::Failed(printed), Some(says)) => {
                let is_found = printed.contains(says) && printed.contains(self.test_name());
                (!is_found).then(|| format!("it fails with other words than `{says}`:\n{printed}"))
            }
        }
    }
}

/// The mutants of a page: a heading `### 1.2 title`, a paragraph in which the file, the test and what it says are in backticks, in this order, and
/// the change as a diff, with `@@` between places. A test that hangs says nothing: the paragraph then ends with the word.
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
            let (file, test, says) = match quoted[..] {
                [file, test, says] => (file, test, Some(says)),
                [file, test] if summary.trim_end().ends_with("` hangs.") => (file, test, None),
                _ => panic!("{heading}: a file, a test and its words, not {quoted:?}"),
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

/// The paths that a source includes, from the crate's folder, where a path is written as it is.
fn included_paths(source: &Source) -> Vec<PathBuf> {
    let include = Regex::new(r#"include_(?:str|bytes)!\(\s*"([^"]+)""#).expect("a pattern");
    let folder = Path::new(&source.path).parent().expect("a folder");
    let named = include.captures_iter(&source.text);
    let named = named.map(|found| folder.join(found.get(1).expect("a path").as_str()));
    named.map(|path| without_steps_up(&path)).collect()
}

/// The same path without `..`.
fn without_steps_up(path: &Path) -> PathBuf {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.into_iter().collect()
}

#[test]
fn a_copy_for_mutants_has_all_that_is_included() {
    let mut included: Vec<(PathBuf, String)> = Vec::new();
    for source in ["src", "tests"].into_iter().flat_map(sources) {
        let paths = included_paths(&source).into_iter();
        included.extend(paths.map(|path| (path, source.path.clone())));
    }
    for known in ["examples/reduce.rs", "man/lop.1", "src/session/page.css"] {
        let is_known = included.iter().any(|(path, _)| path == Path::new(known));
        assert!(is_known, "{known} is included");
    }
    for (path, by) in included {
        assert!(
            root().join(&path).is_file(),
            "{by} includes {}",
            path.display()
        );
        let is_copied = PARTS.iter().any(|part| path.starts_with(part));
        assert!(
            is_copied,
            "{by} includes {}, which no part has",
            path.display()
        );
    }
}

/// Makes every mutant, or those that `LOP_MUTANTS` names by their numbers, and sees whether the test fails as it is said: first those that go into one
/// build, then the others one by one.
#[test]
#[ignore = "takes 20 minutes; run it by benches/mutants"]
fn each_mutant_is_found() {
    let chosen = std::env::var("LOP_MUTANTS").unwrap_or_default();
    let chosen: Vec<&str> = chosen.split_whitespace().collect();
    let is_chosen = |mutant: &Mutant<'_>| chosen.is_empty() || chosen.contains(&mutant.number);
    let all: Vec<_> = mutants(PAGE).into_iter().filter(is_chosen).collect();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let bench = MutantBench {
        sources: scratch.join("mutants"),
        target: scratch.parent().expect("the target directory").to_owned(),
    };
    bench.copy_sources();
    for number in &chosen {
        let is_there = all.iter().any(|mutant| mutant.number == *number);
        assert!(is_there, "there is no mutant {number}");
    }
    let switched = bench.build_switched(&all);
    println!("{} of {} mutants in one build", switched.len(), all.len());
    let (together, alone): (Vec<_>, Vec<_>) = all
        .iter()
        .partition(|mutant| switched.contains(mutant.number));
    bench.check_unswitched(&together);
    let mut survived: Vec<&str> = together
        .into_iter()
        .filter(|mutant| !bench.is_found(mutant, Some(mutant.number)))
        .map(|mutant| mutant.number)
        .collect();
    bench.copy_sources();
    for mutant in alone {
        bench.change_file(mutant.file, |text| mutant.apply(text));
        if !bench.is_found(mutant, None) {
            survived.push(mutant.number);
        }
        bench.copy_sources();
    }
    assert!(survived.is_empty(), "not found as it is said: {survived:?}");
}

/// A copy of the sources, and where it is built.
struct MutantBench {
    sources: PathBuf,
    target: PathBuf,
}

impl MutantBench {
    /// Makes the copy what the sources are.
    fn copy_sources(&self) {
        fs::create_dir_all(&self.sources).expect("a directory");
        for part in PARTS {
            mutant_run::copy(&root().join(part), &self.sources.join(part));
        }
    }

    fn change_file(&self, file: &str, change: impl FnOnce(String) -> String) {
        let path = self.sources.join(file);
        let whole = fs::read_to_string(&path).expect("a file");
        fs::write(&path, change(whole)).expect("written");
    }

    /// Builds all that can have a switch. Returns the numbers of these.
    fn build_switched(&self, all: &[Mutant<'_>]) -> BTreeSet<String> {
        // The line of an error says whose it is: that one gets a build of its own.
        let place = Regex::new(r"(?m)^(src/\S+?):(\d+):\d+: error").expect("a pattern");
        let mut refused = BTreeSet::new();
        loop {
            let files = self.write_switched(all, &refused);
            let built: BTreeSet<String> = files
                .values()
                .flat_map(|file| file.numbers.clone())
                .collect();
            let tests = all.iter().map(|mutant| mutant.test);
            let Err(printed) = mutant_run::build_tests(&self.sources, &self.target, tests) else {
                return built;
            };
            let before = refused.len();
            for error in place.captures_iter(&printed) {
                let line = error[2].parse().expect("a line");
                let file = files.get(&error[1]);
                let number =
                    file.and_then(|file| mutant_switches::mutant_of_line(&file.text, line));
                refused.extend(number.map(str::to_owned));
            }
            assert!(refused.len() > before, "{printed}");
        }
    }

    /// Writes the sources with switches for all but some.
    fn write_switched<'m>(
        &self,
        all: &'m [Mutant<'_>],
        but: &BTreeSet<String>,
    ) -> BTreeMap<&'m str, SwitchedFile> {
        self.copy_sources();
        self.change_file("src/lib.rs", |text| text + "\nmod mutant_switch;\n");
        fs::write(
            self.sources.join("src/mutant_switch.rs"),
            mutant_switches::switch_module(),
        )
        .expect("written");
        let in_library = |file: &str| file.ends_with(".rs") && file != "src/main.rs";
        let names: BTreeSet<&str> = all.iter().map(|mutant| mutant.file).collect();
        let mut files = BTreeMap::new();
        for name in names.into_iter().filter(|name| in_library(name)) {
            let of_file = all
                .iter()
                .filter(|mutant| mutant.file == name && !but.contains(mutant.number));
            let of_file = of_file.map(|mutant| FileChange {
                number: mutant.number,
                changes: &mutant.changes,
            });
            let of_file: Vec<_> = of_file.collect();
            let text = fs::read_to_string(root().join(name)).expect("a file");
            let switched = mutant_switches::add_switches(&text, &of_file);
            fs::write(self.sources.join(name), &switched.text).expect("written");
            files.insert(name, switched);
        }
        files
    }

    /// With no switch on every test passes: what fails with one fails because of it.
    fn check_unswitched(&self, together: &[&Mutant<'_>]) {
        let tests: BTreeSet<&str> = together.iter().map(|mutant| mutant.test).collect();
        for test in tests {
            let end = mutant_run::run_test(&self.sources, &self.target, test, None);
            assert!(matches!(end, TestEnd::Passed), "cargo test {test}: {end:?}");
        }
    }

    /// Runs the test of a mutant, with its switch on if it has one, again while it passes, and says whether it fails as it should.
    fn is_found(&self, mutant: &Mutant<'_>, switch: Option<&str>) -> bool {
        let began = Instant::now();
        let run_test = || mutant_run::run_test(&self.sources, &self.target, mutant.test, switch);
        let mut end = run_test();
        for _ in 1..MOST_RUNS {
            if matches!(end, TestEnd::Passed) {
                end = run_test();
            }
        }
        let seconds = began.elapsed().as_secs();
        let problem = mutant.find_problem(end);
        let word = match problem {
            Some(_) => "SURVIVED",
            None => "found",
        };
        let Mutant {
            number,
            title,
            test,
            ..
        } = mutant;
        println!("{word:8} {number:4} {title} ({seconds} s, cargo test {test})");
        if let Some(problem) = &problem {
            println!("{problem}");
        }
        problem.is_none()
    }
}
