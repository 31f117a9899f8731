//! Rules for each file: its length, no unsafe code, no sleep in tests.

use std::path::Path;

use super::source::{Source, modules, sources};
use super::words::words;

/// The longest file, in lines.
const LONGEST: usize = 800;

/// Files that may be longer, each with the reason: `("src/room/file.rs", "why it is one subject that cannot be split")`.
const LONGER: &[(&str, &str)] = &[];
#[test]
fn unsafe_code_is_allowed_in_one_place_at_most() {
    let places: Vec<String> = sources("src").iter().flat_map(unsafe_permits).collect();
    assert!(
        places.len() <= 1,
        "unsafe code is allowed in more than one place:\n{}",
        places.join("\n")
    );
}

#[test]
fn files_are_short() {
    let folders = ["src", "tests", "benches"];
    for source in folders.into_iter().flat_map(sources) {
        let lines = source.text.lines().count();
        let excused = LONGER.iter().any(|(path, _)| *path == source.path);
        assert!(
            lines <= LONGEST || excused,
            "{} has {lines} lines, more than {LONGEST}",
            source.path
        );
        assert!(
            lines > LONGEST || !excused,
            "{} needs its exception no longer",
            source.path
        );
    }
    for (path, _) in LONGER {
        assert!(
            Path::new(path).exists(),
            "{path} has an exception and does not exist"
        );
    }
}

#[test]
fn no_test_sleeps() {
    let faults: Vec<String> = sources("tests")
        .iter()
        .chain(&sources("src"))
        .flat_map(sleeps)
        .collect();
    assert!(
        faults.is_empty(),
        "wait for what happens, or script it:\n{}",
        faults.join("\n")
    );
}

#[test]
fn the_check_sees_permits_and_sleeps() {
    let permits = |text| unsafe_permits(&Source::new("src/oracle/local.rs", text)).len();
    assert_eq!(
        permits("#![deny(unsafe_code)] #[forbid(unsafe_code)] mod a {}"),
        0
    );
    assert_eq!(
        permits("#[allow(unsafe_code)] mod a {}\n#[expect(missing_docs, unsafe_code)] mod b {}"),
        2
    );

    let slept = |path, text| sleeps(&Source::new(path, text)).len();
    assert_eq!(slept("tests/story.rs", "std::thread::sleep(LONG);"), 1);
    assert_eq!(slept("tests/story.rs", "let script = \"sleep 10\";"), 0);
    assert_eq!(
        slept("src/oracle/local.rs", "fn wait() { thread::sleep(SHORT); }"),
        0
    );
    assert_eq!(
        slept(
            "src/oracle/local.rs",
            "mod tests { fn wait() { thread::sleep(SHORT); } } "
        ),
        1
    );
    assert_eq!(
        slept("src/oracle/tests.rs", "use std::thread::{self, sleep};"),
        1
    );
}

/// The places in a file that allow unsafe code.
fn unsafe_permits(source: &Source) -> Vec<String> {
    if !source.text.contains("unsafe_code") {
        return Vec::new();
    }
    let words = words(&source.text);
    let mut attribute = "";
    let mut permits = Vec::new();
    for word in &words {
        match word.text.as_str() {
            name @ ("allow" | "expect" | "deny" | "forbid") => attribute = name,
            "unsafe_code" if matches!(attribute, "allow" | "expect") => {
                permits.push(format!("{}:{}", source.path, word.line));
            }
            _ => {}
        }
    }
    permits
}

/// The places where a test sleeps.
fn sleeps(source: &Source) -> Vec<String> {
    if !source.text.contains("sleep") {
        return Vec::new();
    }
    let words = words(&source.text);
    let in_test = |module: &[String]| {
        source.path.starts_with("tests/") || module.iter().any(|part| part == "tests")
    };
    let places = modules(source, &words)
        .into_iter()
        .filter(|(module, at)| in_test(module) && words[*at].text == "sleep");
    places
        .map(|(_, at)| format!("{}:{}", source.path, words[at].line))
        .collect()
}
