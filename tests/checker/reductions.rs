//! Reductions by lop's binary of programs that are published or generated, with the checker as the test: a property of the program, a wrong
//! answer, and a crash of the checker.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::command::Check;
use crate::explore::Outcome::{self, Crashed, Fails, Safe};
use crate::generate::{Size, generate_program};
use crate::program::Defect;
use crate::published::read_published;
use crate::shell::Stage;

/// The checker as a command, optimised: a reduction runs it some hundred times.
fn checker() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checker/bp_check.rs");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let built = folder.join(format!("bp-check.{}", std::process::id()));
        let mut rustc = Command::new("rustc");
        rustc.args(["-C", "opt-level=1", "--edition", "2024", "-o"]);
        let status = rustc.arg(&built).arg(source).status();
        assert!(status.expect("rustc").success());
        let place = folder.join("bp-check");
        std::fs::rename(built, &place).expect("a new name");
        place
    })
}

/// What a reduction looks for.
struct Property {
    name: &'static str,
    /// The test, where `check` is the checker with the candidate.
    script: &'static str,
    /// What the checker says of a result, by this function and not by the script.
    holds: fn(&str) -> bool,
}

const RACE: Property = Property {
    name: "fails with two threads and is safe with one",
    script: "check --threads 2 || exit $?\ncheck --threads 1\n[ $? = 1 ]",
    holds: |text| answer(text, 2, None) == Some(Fails) && answer(text, 1, None) == Some(Safe),
};

const WRONG: Property = Property {
    name: "has another answer where the checker ignores what is of other threads",
    script: "check --threads 2 || exit $?\ncheck --threads 2 --defect mixed\n[ $? = 1 ]",
    holds: |text| {
        answer(text, 2, None) == Some(Fails) && answer(text, 2, Some(Defect::Mixed)) == Some(Safe)
    },
};

const CRASH: Property = Property {
    name: "crashes the checker",
    script: "check --threads 2 --defect crash 2>&1 | grep -q 'Assertion failed'",
    holds: |text| answer(text, 2, Some(Defect::Crash)) == Some(Crashed),
};

fn answer(text: &str, threads: usize, defect: Option<Defect>) -> Option<Outcome> {
    let check = Check {
        defect,
        ..Check::with_threads(threads)
    };
    check.run(text).ok()
}

/// Reduces a program; the tokens that are left.
fn reduce(text: &str, property: &Property, strategy: &str) -> u32 {
    let stage = Stage::new();
    stage.write("program.bp", text);
    let function = format!("check() {{ '{}' program.bp \"$@\"; }}", checker().display());
    stage.test("check.sh", &format!("{function}\n{}", property.script));
    let line = [
        "program.bp",
        "./check.sh",
        "--json",
        "--no-session",
        "--jobs",
        "1",
        "--strategy",
        strategy,
    ];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let result = stage.read("program.lop.bp");
    assert!(
        (property.holds)(&result),
        "no longer {}:\n{result}",
        property.name
    );
    let last = end.out.lines().last().unwrap_or_default();
    let tokens = last.split("\"tokens_after\":").nth(1).unwrap_or_default();
    let digits: String = tokens.chars().take_while(char::is_ascii_digit).collect();
    let tokens = digits
        .parse()
        .unwrap_or_else(|_| panic!("no tokens in {last}"));
    println!("{}: {tokens} tokens by {strategy}", property.name);
    tokens
}

#[test]
#[ignore = "long"]
fn a_race_shrinks_to_what_two_threads_need() {
    let text = generate_program(1, Size::default());
    for (strategy, most) in [("lop", 38), ("perses", 52)] {
        let tokens = reduce(&text, &RACE, strategy);
        assert!(tokens <= most, "{strategy}: {tokens} tokens");
    }
}

#[test]
#[ignore = "long"]
fn a_wrong_answer_shrinks_to_what_the_checker_misreads() {
    let text = generate_program(2, Size::default());
    let tokens = reduce(&text, &WRONG, "lop");
    assert!(tokens <= 38, "{tokens} tokens");
}

#[test]
#[ignore = "long"]
fn a_crash_of_the_checker_shrinks_to_one_constraint() {
    let text = generate_program(3, Size::default());
    let tokens = reduce(&text, &CRASH, "lop");
    assert!(tokens <= 23, "{tokens} tokens");
}

#[test]
#[ignore = "long"]
fn the_published_programs_shrink() {
    // The file, what is looked for, and how many tokens may be left of it.
    let rows = [
        ("trace_WP_bug2/main.bp", RACE, 43),
        ("trace_WP_bug2/main.bp", CRASH, 25),
        ("missing-in-action.bp", RACE, 43),
        ("missing-in-action.bp", CRASH, 25),
    ];
    for (name, property, most) in rows {
        let Some(text) = read_published(name) else {
            continue;
        };
        let tokens = reduce(&text, &property, "lop");
        assert!(tokens <= most, "{name} {}: {tokens} tokens", property.name);
    }
}
