//! Messages about command lines, commands and directories that cannot be used.

use std::fs;

use crate::shell::{End, Stage};

/// It ends with this status and says these words, and none of the others.
#[track_caller]
fn says(end: &End, status: i32, words: &[&str], not: &[&str]) {
    assert_eq!(end.status, status, "{end}");
    for word in words {
        assert!(end.err.contains(word), "{word}: {end}");
    }
    for word in not {
        assert!(!end.err.contains(word), "{word}: {end}");
    }
}

#[test]
fn a_command_of_which_only_its_status_is_known_is_refused_in_its_own_words() {
    let end = Stage::new().lop(&["bug.c", "--", "false"]);
    let words = ["The property of the failure is: exit 1", "--grep RE"];
    says(&end, 1, &words, &["doctor"]);
}

#[test]
fn a_command_that_is_nowhere_is_named() {
    let end = Stage::new().lop(&["bug.c", "--", "gccc", "-c", "{}"]);
    says(
        &end,
        3,
        &["gccc is not in PATH"],
        &["#!/bin/sh", "os error"],
    );
}

#[test]
fn a_check_that_fails_on_the_original_is_named_and_not_the_test() {
    let end = Stage::new().lop(&["bug.c", "test.sh", "--check", "grep -q absent {}"]);
    let words = [
        "the check fails on the original bug.c",
        "ran:     grep -q absent bug.c",
    ];
    says(&end, 1, &words, &["test.sh", "does not find"]);
}

#[test]
fn an_unknown_option_gets_no_advice_that_means_something_else_here() {
    let stage = Stage::new();
    let end = stage.lop(&["--frob", "bug.c", "test.sh"]);
    says(&end, 2, &["--frob"], &["tip:"]);
    stage.write("-dash.c", "int bug;\n");
    let end = stage.lop(&["-dash.c", "test.sh"]);
    says(&end, 2, &["./-dash.c"], &["tip:"]);
}

#[test]
fn a_page_that_cannot_be_written_is_named() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let end = stage.lop(&["export", "--html", "/nonexist/r.html"]);
    says(&end, 3, &["/nonexist/r.html cannot be written"], &[]);
    let end = stage.lop(&["export"]);
    says(&end, 2, &["lop export [SESSION] --jsonl"], &[]);
}

#[test]
fn a_page_replaces_a_page_and_nothing_else() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let end = stage.lop(&["export", "--html", "bug.c"]);
    says(&end, 2, &["bug.c exists", "--html"], &[]);
    assert_eq!(stage.read("bug.c"), crate::shell::PROGRAM);
    stage.write("run.html", "");
    assert_eq!(stage.lop(&["export", "--html", "run.html"]).status, 0);
    fs::remove_file(stage.path("run.html")).expect("a page");
    let first = stage.lop(&["export", "--html", "run.html"]);
    assert!(!first.out.contains("in place of"), "{first}");
    assert!(first.out.contains("session bug.c-1, about "), "{first}");
    let again = stage.lop(&["export", "--html", "run.html"]);
    assert!(again.out.contains("replacing the old page"), "{again}");
    assert!(stage.read("run.html").contains("<title>lop: bug.c</title>"));
}

#[test]
fn a_run_that_could_not_begin_leaves_no_session() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--journal", "/nonexist/j"]);
    says(&end, 2, &["/nonexist/j"], &[]);
    assert_eq!(stage.lop(&["sessions"]).out, "no sessions\n");
    let end = stage.lop(&["bug.c", "test.sh"]);
    says(&end, 0, &[], &["unfinished"]);
}

#[test]
fn only_the_sessions_of_this_directory_go_if_they_are_meant() {
    let stage = Stage::new();
    fs::create_dir(stage.path("sub")).expect("a directory");
    stage.write("sub/bug.c", "int bug;\nint other;\n");
    assert_eq!(stage.lop(&["sub/bug.c", "test.sh"]).status, 0);
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let end = stage.lop(&["sessions", "prune", "--here", "--yes"]);
    let here = stage.path("").canonicalize().expect("a directory");
    let lines: Vec<&str> = end.out.lines().collect();
    assert_eq!(lines.len(), 3, "{end}");
    assert!(
        lines[0].starts_with("bug.c-2 "),
        "what would go is shown: {end}"
    );
    let first = format!("1 session about files in {} to remove", here.display());
    assert_eq!(lines[1].trim_end_matches('/'), first, "{end}");
    assert!(lines[2].starts_with("1 session removed"), "{end}");
    let left = stage.lop(&["sessions"]);
    assert!(left.out.contains("sub/bug.c"), "{left}");
    let end = stage.lop(&["sessions", "prune", "--here", "--yes"]);
    assert_eq!(end.out, "no session matches\n", "{end}");
}

#[test]
fn what_a_cache_knew_is_counted() {
    let stage = Stage::new();
    let line = ["bug.c", "test.sh", "--cache", "known", "--no-session"];
    let first = stage.lop(&line);
    assert!(!first.out.contains("recalled"), "{first}");
    let second = stage.lop(&line);
    assert!(
        second.out.contains("of them recalled from known"),
        "{second}"
    );
}

#[test]
fn moments_of_a_script_that_never_came_are_told_at_the_end() {
    let stage = Stage::new();
    stage.write(
        "script",
        "at decision 2: pin bug\nat size 1: pause\nat decision 9999: stop\n",
    );
    let end = stage.lop(&["bug.c", "test.sh", "--commands", "script", "--no-session"]);
    assert_eq!(end.status, 0, "{end}");
    for never in ["at size 1: pause", "at decision 9999: stop"] {
        let told = format!("the moment of `{never}` never came");
        assert!(end.out.contains(&told), "{end}");
    }
    assert!(!end.out.contains("`at decision 2: pin bug` never"), "{end}");
}

#[test]
fn a_pause_without_a_screen_is_told_for_what_it_is() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--plain", "--command", "pause"]);
    assert_eq!(end.status, 130, "{end}");
    assert!(
        end.out
            .contains("lop: paused; without a screen nobody can resume"),
        "{end}"
    );
}
