//! The demo's test gives the verdicts in its comments, with the C compiler of this machine.

use std::fs;
use std::process::{Command, Stdio};

const PROGRAM: &str = include_str!("../../src/cli/commands/demo/program.c");
const TEST: &str = include_str!("../../src/cli/commands/demo/test.sh");

#[test]
fn the_program_is_interesting() {
    assert!(interesting(PROGRAM));
}

#[test]
fn what_should_remain_is_interesting() {
    assert!(interesting(
        "typedef enum { TIN } Kind;
         typedef struct { Kind kind; } Item;
         int days_good(Item *item) { switch (item->kind) ; }"
    ));
}

#[test]
fn the_program_without_the_fault_is_uninteresting() {
    let repaired = PROGRAM.replace("case TIN:\n", "case SPICE:\n    case TIN:\n");
    assert_ne!(repaired, PROGRAM);
    assert!(!interesting(&repaired));
}

#[test]
fn a_program_that_does_not_compile_is_uninteresting() {
    assert!(!interesting(&PROGRAM.replace(
        "static int last_day(const Item *item)",
        "static int last_day("
    )));
    assert!(!interesting(""));
}

/// The answer of the demo's test, run as lop runs it: in a scratch directory that holds the candidate.
fn interesting(candidate: &str) -> bool {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("program.c"), candidate).unwrap();
    let mut test = Command::new("sh");
    test.args(["-c", TEST])
        .current_dir(scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    test.status().unwrap().success()
}
