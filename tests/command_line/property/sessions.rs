//! The failure property in sessions: resumed, moved, or with another property.

use crate::property::{left, stage};
use crate::shell::{PROGRAM, Stage};

#[test]
fn a_session_goes_on_without_being_told_again() {
    let stage = stage();
    assert!(PROGRAM.contains("stay"));
    let end = stage.lop(&[
        "bug.c",
        "--plain",
        "--session",
        "s",
        "--jobs",
        "1",
        "--command",
        "property line 1 off",
        "--command",
        "until size 8",
        "--commands",
        "stop.txt",
        "--",
        "./tool",
        "{}",
    ]);
    assert_eq!(end.status, 2, "there is no such script: {end}");
    stage.write("stop.txt", "property line 1 off\nat commit 1: stop\n");
    let end = stage.lop(&[
        "bug.c",
        "--plain",
        "--session",
        "s",
        "--commands",
        "stop.txt",
        "--",
        "./tool",
        "{}",
    ]);
    assert!(end.out.contains("lop resume"), "{end}");
    let end = stage.lop(&["resume", "s", "--trust", "--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(left(&stage).concat(), "intbug;", "{end}");
    assert!(!end.out.contains("differs"), "{end}");
}

/// Runs `tool` with these options until it accepts a candidate, as the session `s`.
fn until_a_take(stage: &Stage, options: &[&str], commands: &str) {
    stage.write("commands", &format!("{commands}at commit 1: stop\n"));
    let line = [
        "bug.c",
        "--plain",
        "--session",
        "s",
        "--commands",
        "commands",
    ];
    let end = stage.lop(&[&line, options, &["--", "./tool", "{}"]].concat());
    assert!(end.out.contains("lop resume"), "{end}");
}

#[test]
fn a_cache_is_about_what_is_looked_for_when_a_session_goes_on() {
    let stage = stage();
    until_a_take(&stage, &["--cache", "c"], "property line 1 off\n");
    let files = || std::fs::read_dir(stage.path("c")).expect("it").count();
    assert_eq!(files(), 1);
    let end = stage.lop(&["resume", "s", "--trust", "--plain", "--cache", "c"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(files(), 2, "what is looked for now is another test: {end}");
}

#[test]
fn a_session_goes_on_with_what_a_test_might_take_unless_the_user_says_otherwise() {
    let stage = stage();
    until_a_take(&stage, &["--memory", "900M", "--processes", "0"], "");
    let copied = std::process::Command::new("cp")
        .args(["-r", "s", "t"])
        .current_dir(stage.path(""))
        .status();
    assert!(copied.expect("cp").success());
    let end = stage.lop(&["resume", "s", "--trust", "--plain", "--jobs", "3"]);
    assert!(
        end.status == 0 && !end.out.contains("the limits of a test are"),
        "{end}"
    );
    assert_eq!(left(&stage).concat(), "intstay;intbug;", "{end}");
    let end = stage.lop(&["resume", "t", "--trust", "--plain", "--memory", "800M"]);
    let says = "the limits of a test are at most 800 MB of memory and 1.0 GB of files now and were at most 900 MB of memory";
    assert!(end.out.contains(says), "{end}");
}

#[test]
fn a_version_that_was_found_by_something_else_is_not_put_on_the_disk() {
    let stage = stage();
    stage.write(
        "commands",
        "at commit 1: property line 1 off\nat commit 2: goto 0\n",
    );
    let line = [
        "bug.c",
        "--plain",
        "--session",
        "s",
        "--commands",
        "commands",
    ];
    let end = stage.lop(&[&line[..], &["--", "./tool", "{}"]].concat());
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out
            .contains("version 0 was found under another property"),
        "{end}"
    );
    assert_eq!(left(&stage).concat(), "intbug;", "{end}");
}

#[test]
fn inside_a_detour_what_is_looked_for_stays() {
    let stage = stage();
    stage.write(
        "commands",
        "edit! \"int a; int b; int stay; int bug; int more;\"\nat commit 1: property line 1 off\n",
    );
    let line = ["bug.c", "--plain", "--no-session", "--commands", "commands"];
    let end = stage.lop(&[&line[..], &["--", "./tool", "{}"]].concat());
    assert!(end.out.contains("inside a detour"), "{end}");
    assert_eq!(left(&stage).concat(), "intstay;intbug;", "{end}");
}

#[test]
#[ignore = "long"]
fn another_limit_of_a_hang_is_something_else_to_look_for() {
    let stage = stage();
    stage.test("tool", "grep -q bug \"$1\" || exit 0; while :; do :; done");
    until_a_take(
        &stage,
        &["--timeout", "0.2"],
        "at decision 2: timeout 0.1\n",
    );
    let end = stage.lop(&["resume", "s", "--trust", "--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(left(&stage).concat(), "intbug;", "{end}");
    let journal = stage.read("s/journal.jsonl");
    assert!(
        journal.contains("\"limit\":{\"hang\":200000000}"),
        "{journal}"
    );
    let (before, after) = journal
        .split_once("{\"command\":\"timeout 0.1\"")
        .expect("it");
    assert!(before.contains("\"limit_ns\":2000000000"), "{journal}");
    let limits = after.matches("\"limit_ns\":").count();
    assert_eq!(
        after.matches("\"limit_ns\":1000000000").count(),
        limits,
        "ten times by the clock, after going on too: {journal}"
    );
    let decisions = |text: &str| -> Vec<(String, bool)> {
        let lines = text
            .lines()
            .filter(|line| line.starts_with("{\"decision\""));
        let hash = |line: &str| {
            line.split("\"hash\":\"")
                .nth(1)
                .map(|rest| rest[..32].into())
        };
        let known = |line: &str| line.contains("\"by\":");
        lines
            .filter_map(|line| Some((hash(line)?, known(line))))
            .collect()
    };
    let (earlier, later) = (decisions(before), decisions(after));
    let again = |(old, _): &(String, bool)| later.iter().find(|(hash, _)| hash == old);
    let again: Vec<_> = earlier.iter().filter_map(again).collect();
    assert!(
        !again.is_empty(),
        "the passes have their turn again: {journal}"
    );
    assert!(
        again.iter().all(|(_, known)| !known),
        "asked anew: {journal}"
    );
}
