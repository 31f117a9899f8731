//! What lop refuses, and its messages.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::shell::Stage;

/// Refused before any test: with this status and this sentence, and nothing written.
#[track_caller]
fn refused(stage: &Stage, line: &[&str], status: i32, sentence: &str) {
    let before = stage.names();
    let end = stage.lop(line);
    assert_eq!(end.status, status, "{end}");
    assert!(end.err.contains(sentence), "{end}");
    assert_eq!(stage.names(), before, "nothing was written");
}

#[test]
fn a_file_that_cannot_be_reduced_is_refused() {
    let stage = Stage::new();
    fs::create_dir(stage.path("dir")).expect("a directory");
    stage.write("empty.c", "");
    stage.write("blank.c", " \n\n");
    File::create(stage.path("large.c"))
        .and_then(|file| file.set_len(100_000_001))
        .expect("a large file");
    assert!(
        Command::new("mkfifo")
            .arg(stage.path("pipe.c"))
            .status()
            .expect("mkfifo")
            .success()
    );
    refused(&stage, &["no.c", "test.sh"], 2, "there is no file no.c");
    refused(&stage, &["dir", "test.sh"], 2, "dir has no file to reduce");
    refused(&stage, &["pipe.c", "test.sh"], 2, "pipe.c is a pipe");
    refused(
        &stage,
        &["/dev/null", "test.sh"],
        2,
        "/dev/null is a device",
    );
    refused(
        &stage,
        &["large.c", "test.sh"],
        2,
        "lop reads at most 100 MB",
    );
    refused(
        &stage,
        &["empty.c", "test.sh"],
        1,
        "empty.c is empty: there is nothing to reduce",
    );
    refused(
        &stage,
        &["blank.c", "test.sh"],
        1,
        "blank.c has no tokens: there is nothing to reduce",
    );
}

#[test]
fn an_output_that_cannot_be_is_refused_before_any_test() {
    let stage = Stage::new();
    fs::create_dir(stage.path("dir")).expect("a directory");
    // Were it asked, the status would be 1.
    stage.test("never.sh", "exit 1");
    refused(
        &stage,
        &["bug.c", "never.sh", "--output", "no/small.c"],
        2,
        "there is no directory",
    );
    refused(
        &stage,
        &["bug.c", "never.sh", "--output", "dir"],
        2,
        "the result cannot go to dir: it is a directory",
    );
    refused(
        &stage,
        &["bug.c", "never.sh", "--output", "/dev/null"],
        2,
        "it is a device",
    );
    refused(
        &stage,
        &["bug.c", "never.sh", "--output", "./bug.c"],
        2,
        "is the input itself; to reduce it where it is, type --in-place",
    );
    refused(
        &stage,
        &["bug.c", "never.sh", "--output", "never.sh"],
        2,
        "is the test, which lop would overwrite",
    );
}

#[test]
fn what_the_system_refuses_is_said_once() {
    let stage = Stage::new();
    fs::create_dir(stage.path("shut")).expect("a directory");
    let mode = |mode| {
        fs::set_permissions(stage.path("shut"), fs::Permissions::from_mode(mode)).expect("a mode");
    };
    mode(0o555);
    // Root may write everywhere, but make no file in /proc.
    for directory in ["shut", "/proc"] {
        let [output, journal] = ["small.c", "journal"].map(|name| format!("{directory}/{name}"));
        for (option, value) in [
            ("--output", output.as_str()),
            ("--journal", journal.as_str()),
            ("--scratch", directory),
        ] {
            let end = stage.lop(&["bug.c", "test.sh", option, value]);
            if end.status == 0 && directory == "shut" {
                continue;
            }
            assert_eq!(end.err.matches("os error").count(), 1, "{end}");
            assert!(!end.err.contains(".tmp"), "{end}");
        }
    }
    mode(0o755);
}

#[test]
fn a_journal_overwrites_nothing_but_journals() {
    let stage = Stage::new();
    let said = "is a file that lop did not write, and lop uses only files of its own there; see to that, or name another";
    for path in ["bug.c", "test.sh"] {
        refused(&stage, &["bug.c", "test.sh", "--journal", path], 2, said);
    }
    assert_eq!(stage.read("bug.c"), crate::shell::PROGRAM);
}

#[test]
fn a_scratch_directory_that_is_missing_is_not_made() {
    let stage = Stage::new();
    let line = ["bug.c", "test.sh", "--scratch", "no/such"];
    refused(&stage, &line, 2, "--scratch no/such: No such file");
    let line = ["bug.c", "test.sh", "--scratch", "bug.c"];
    refused(&stage, &line, 2, "--scratch bug.c: not a directory");
    let end = stage.lop(&["bug.c", "test.sh", "--scratch", "no/such"]);
    assert_eq!(end.err.matches("No such file").count(), 1, "{end}");
}

#[test]
fn a_test_that_is_none_is_refused_with_what_to_type() {
    let stage = Stage::new();
    stage.write("plain.sh", "#!/bin/sh\nexit 0\n");
    refused(
        &stage,
        &["bug.c", "plain.sh"],
        2,
        "the test plain.sh is not executable; type\n    chmod +x plain.sh",
    );
    refused(
        &stage,
        &["bug.c", "no.sh"],
        2,
        "the test no.sh does not exist",
    );
    refused(&stage, &["bug.c", "."], 2, "the test . is a directory");
}

#[test]
fn the_other_order_is_recognised() {
    let stage = Stage::new();
    refused(
        &stage,
        &["test.sh", "bug.c"],
        2,
        "the file comes first, and then the test; type\n    lop bug.c test.sh",
    );
}

#[test]
fn a_test_is_no_command() {
    let stage = Stage::new();
    let said =
        "the test true does not exist (a test is the path of a file: it is not searched in PATH)";
    refused(&stage, &["bug.c", "true"], 2, said);
}

#[test]
fn a_slip_with_a_command_is_understood() {
    let stage = Stage::new();
    let meant = |line: &[&str], said: &str| refused(&stage, line, 2, said);
    meant(
        &["grammer"],
        "there is no file grammer; did you mean\n    lop grammar",
    );
    meant(&["grammer", "c"], "did you mean\n    lop grammar c");
    meant(&["--jobs", "2", "demo"], "type\n    lop demo --jobs 2");
    meant(
        &["demo", "--output", "x"],
        "in a new directory; its options are --jobs",
    );
    stage.write("grammer", "int bug;\n");
    meant(&["grammer"], "<TEST>");
}

#[test]
fn options_of_other_reducers_are_understood() {
    let stage = Stage::new();
    for (line, said) in [
        (&["bug.c", "test.sh", "--threads", "4"][..], "-j 4"),
        (&["resume", "-n", "4"], "-j 4"),
        (&["bug.c", "--test", "test.sh"], "lop FILE TEST"),
        (
            &["bug.c", "test.sh", "--time-limit", "60"],
            "timeout 60 lop",
        ),
        (&["bug.c", "test.sh", "--max-time=60"], "until time 60"),
    ] {
        refused(&stage, line, 2, said);
        let end = stage.lop(line);
        assert!(!end.err.contains("tip:"), "{end}");
    }
    let end = stage.lop(&["history", "--threads", "4"]);
    assert!(!end.err.contains("-j"), "it has no such option: {end}");
}

#[test]
fn help_is_a_command_too() {
    let stage = Stage::new();
    let twice = stage.lop(&["help", "--help"]);
    assert_eq!((twice.status, twice.out), (0, stage.lop(&["help"]).out));
    let twice = stage.lop(&["help", "demo", "-h"]);
    assert_eq!(
        (twice.status, twice.out),
        (0, stage.lop(&["help", "demo"]).out)
    );
    let end = stage.lop(&["help"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out.contains("Usage: lop [OPTIONS] FILE TEST\n"),
        "{end}"
    );
    assert!(!end.out.contains("screenshot"), "for maintainers: {end}");
    let end = stage.lop(&["help", "demo"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("Usage: lop demo"), "{end}");
}

#[test]
fn an_incomplete_line_is_usage() {
    let stage = Stage::new();
    refused(&stage, &["bug.c"], 2, "<TEST>");
    refused(&stage, &[], 2, "lop --help");
    refused(
        &stage,
        &["bug.c", "test.sh", "--timeout", "soon"],
        2,
        "a number of seconds",
    );
}

#[test]
fn an_original_that_is_not_interesting_is_told_with_all_that_helps() {
    let stage = Stage::new();
    stage.test("no.sh", "echo looking; seq 1 40; echo gone >&2; exit 3");
    let before = stage.names();
    let end = stage.lop(&["bug.c", "no.sh"]);
    assert_eq!(end.status, 1, "{end}");
    let test = stage
        .path("no.sh")
        .canonicalize()
        .expect("a test")
        .display()
        .to_string();
    for said in [
        "does not find bug.c interesting",
        &test,
        "in an empty directory under /",
        "exit 3 after",
        "| looking\n",
        "| 9\n",
        "more lines",
        "| 40\n",
        "| gone\n",
        "What to try",
        "cd \"$(mktemp -d)\" && cp",
    ] {
        assert!(end.err.contains(said), "{said}: {end}");
    }
    assert!(!end.err.contains("| 20\n"), "only head and tail: {end}");
    assert_eq!(stage.names(), before, "nothing was written");
}

#[test]
fn a_test_that_calls_the_candidate_by_another_name_is_told_so() {
    let stage = Stage::new();
    stage.write("bug2.c", "int bug;\n");
    let end = stage.lop(&["bug2.c", "test.sh"]);
    assert_eq!(end.status, 1, "{end}");
    assert!(
        end.err.contains(
            "the test sees the candidate as bug2.c, but names bug.c; \"$1\" in its place"
        ),
        "{end}"
    );
    stage.test("any.sh", "grep -q bug \"$1\"");
    let end = stage.lop(&["bug2.c", "any.sh"]);
    assert_eq!(end.status, 0, "{end}");
    stage.test("no.sh", "grep -q other \"$1\"");
    let end = stage.lop(&["bug2.c", "no.sh"]);
    assert!(
        end.err
            .contains("sees the candidate as bug2.c; if it says another name, \"$1\""),
        "{end}"
    );
}

#[test]
fn an_original_whose_test_hangs_says_how_to_give_it_more_time() {
    let stage = Stage::new();
    stage.test("hang.sh", "exec tail -f /dev/null");
    let end = stage.lop(&["bug.c", "hang.sh", "--timeout", "0.2"]);
    assert_eq!(end.status, 1, "{end}");
    assert!(
        end.err.contains("had not ended after 0.2") && end.err.contains("--timeout S"),
        "{end}"
    );
}

#[test]
fn a_test_that_fails_is_status_3() {
    let stage = Stage::new();
    stage.test("calls.sh", "no-such-command-anywhere bug.c");
    refused(
        &stage,
        &["bug.c", "calls.sh"],
        3,
        "the test failed: exit 127: a command in it was not found",
    );
    stage.test("denied.sh", "./bug.c");
    refused(
        &stage,
        &["bug.c", "denied.sh"],
        3,
        "the test failed: exit 126: a command in it is not executable",
    );
}

#[test]
fn an_interesting_empty_file_stops_where_nobody_can_be_asked() {
    let stage = Stage::new();
    stage.test("absent.sh", "! grep -q absent bug.c");
    refused(
        &stage,
        &["bug.c", "absent.sh"],
        1,
        "the test finds an empty file interesting",
    );
    refused(&stage, &["bug.c", "absent.sh"], 1, "add --allow-empty");
    let original = stage.path("bug.c").display().to_string();
    stage.test("elsewhere.sh", &format!("grep -q bug {original}"));
    let line = format!("its line 2 names {original}, which is the original");
    refused(&stage, &["bug.c", "elsewhere.sh"], 1, &line);
    let end = stage.lop(&["bug.c", "absent.sh", "--allow-empty"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c").trim(), "");
}

#[test]
fn a_file_that_is_edited_meanwhile_is_not_replaced_in_place() {
    let stage = Stage::new();
    // The editor is the test itself.
    let edited = stage.path("bug.c").display().to_string();
    stage.test(
        "edit.sh",
        &format!("echo 'int edited;' >>'{edited}'; grep -q bug bug.c"),
    );
    let end = stage.lop(&["bug.c", "edit.sh", "--in-place"]);
    assert_eq!(end.status, 3, "{end}");
    assert!(
        end.err.contains("bug.c was changed while lop looked at it"),
        "{end}"
    );
    assert!(stage.read("bug.c").contains("edited"));
    assert_eq!(stage.names(), ["bug.c", "edit.sh", "test.sh"]);
}

#[test]
fn a_program_hears_of_a_refusal_too() {
    let stage = Stage::new();
    let end = stage.lop(&["no.c", "test.sh", "--json"]);
    assert_eq!(end.status, 2, "{end}");
    assert_eq!(
        end.out,
        "{\"event\":\"error\",\"format\":1,\"message\":\"there is no file no.c; look how it is spelt, and where it lies\",\"status\":2}\n"
    );
}
