//! Where the result is written, and which files are kept.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Stdio;

use lop::session::{InputFile, OutputChoice, OutputFile, ResultPlace, RunInput};
use rustix::process::Signal;

use crate::shell::{FINDS_BUG, PROGRAM, Stage};

/// A program with something for every pass.
const SMALL: &str = include_str!("../../samples/small.c");

#[test]
fn lines_of_a_run_say_what_is_new_and_when_it_began_and_ended() {
    let stage = Stage::new();
    stage.write("bug.c", SMALL);
    stage.test("test.sh", "grep -q sum bug.c && grep -q handler bug.c");
    let end = stage.lop(&["bug.c", "test.sh", "--effort", "normal"]);
    assert_eq!(end.status, 0, "{end}");
    let lines = end.out.lines().filter(|line| line.starts_with(' '));
    let size_and_pass = |line: &str| {
        let (_, rest) = line.split_once(" s  ").expect("a time");
        let (size, rest) = rest.split_once('%').expect("a share");
        let (_, pass) = rest.split_once("test").expect("a number of tests");
        let pass = pass.trim_start_matches('s').trim();
        let pass = pass.split(", round").next().unwrap_or_default();
        (size.trim().to_owned(), pass.to_owned())
    };
    let mut told: Vec<_> = lines.map(size_and_pass).collect();
    // The last line has the exact number of tests.
    told.pop();
    let mut known = Vec::new();
    for line in told {
        assert!(!known.contains(&line), "{line:?} is told twice: {end}");
        known.push(line);
    }
    for word in ["begun", "ended"] {
        let sign = format!("lop: {word} at ");
        let time = end.out.lines().find_map(|line| line.strip_prefix(&sign));
        let time = time.unwrap_or_else(|| panic!("{word}: {end}"));
        assert!(time.len() == 5 && time.as_bytes()[2] == b':', "{time}");
    }
}

#[test]
fn a_pause_is_told_once() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--command", "pause"]);
    let told = end.out.lines().filter(|line| line.contains("pause"));
    assert_eq!(told.count(), 1, "{end}");
}

#[test]
fn who_writes_to_a_full_device_is_told_once() {
    let stage = Stage::new();
    let full = fs::File::options().write(true).open("/dev/full");
    let mut command = stage.program(env!("CARGO_BIN_EXE_lop"), &["bug.c", "test.sh", "--json"]);
    let command = command
        .stdout(full.expect("a device"))
        .stderr(Stdio::piped());
    let output = command.output().expect("lop");
    let said = String::from_utf8(output.stderr).expect("text");
    let sign = "lop: standard output cannot be written: ";
    assert_eq!(said.matches(sign).count(), 1, "{said}");
    assert!(
        output.status.success() && stage.passes("bug.lop.c"),
        "{said}"
    );
}

#[test]
fn the_result_is_beside_the_file_and_passes_the_test() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.passes("bug.lop.c"));
    assert!(stage.read("bug.lop.c").len() < PROGRAM.len());
    assert_eq!(stage.read("bug.c"), PROGRAM, "the input is never touched");
    assert_eq!(
        stage.names(),
        ["bug.c", "bug.lop.c", "test.sh"],
        "no lock and no temporary file stays"
    );
    for said in [
        "bug.c: 12 tokens",
        "tests run in /",
        "each test runs in a helper process, and all that it starts ends with it",
        "the result is in bug.lop.c",
        "from 12 tokens to ",
        "known from this run",
        "lop itself used",
        "nothing is left to try for these passes",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
    assert!(
        end.out.lines().any(|line| line.contains(" tokens")
            && line.contains(" % ")
            && line.contains(" tests")
            && line.contains("heaviest first")),
        "{end}"
    );
    assert!(!end.out.contains('\x1b'), "no control codes: {end}");
}

#[test]
fn an_output_that_exists_is_kept_under_the_next_number() {
    let stage = Stage::new();
    stage.write("bug.lop.c", "first");
    stage.write("bug.lop.1.c", "older");
    let end = stage.lop(&["bug.c", "test.sh"]);
    assert!(
        end.out
            .contains("bug.lop.c was there already; it is kept as bug.lop.2.c"),
        "{end}"
    );
    assert_eq!(stage.read("bug.lop.2.c"), "first");
    assert_eq!(stage.read("bug.lop.1.c"), "older");
    assert!(stage.passes("bug.lop.c"));
}

#[test]
fn what_is_kept_already_is_not_kept_again() {
    let stage = Stage::new();
    for _ in 0..4 {
        assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    }
    let names = ["bug.c", "bug.lop.1.c", "bug.lop.c", "test.sh"];
    assert_eq!(stage.names(), names, "the same result is kept once");
    let end = stage.lop(&["bug.c", "test.sh"]);
    let said = "bug.lop.c was there already; it is kept as bug.lop.1.c, which holds the same";
    assert!(end.out.contains(said), "{end}");
    stage.write("bug.lop.c", PROGRAM);
    stage.lop(&["bug.c", "test.sh"]);
    assert_eq!(stage.names(), names, "the original is kept as itself");
    stage.write("bug.lop.c", "edited");
    stage.lop(&["bug.c", "test.sh"]);
    assert_eq!(stage.read("bug.lop.2.c"), "edited");
}

#[test]
fn a_link_to_the_output_keeps_nothing() {
    let stage = Stage::new();
    stage.write("bug.lop.c", "first");
    symlink("bug.lop.c", stage.path("bug.lop.1.c")).expect("a link");
    stage.lop(&["bug.c", "test.sh"]);
    assert_eq!(stage.read("bug.lop.2.c"), "first");
}

#[test]
fn the_output_can_be_named_and_a_link_there_is_followed() {
    let stage = Stage::new();
    stage.write("real.c", "before");
    symlink("real.c", stage.path("link.c")).expect("a link");
    let end = stage.lop(&["bug.c", "test.sh", "--output", "link.c"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.path("link.c").is_symlink());
    assert!(stage.passes("real.c"));
    assert_eq!(stage.read("real.1.c"), "before");
    assert!(
        end.out
            .contains("link.c was there already; it is kept as real.1.c"),
        "{end}"
    );
}

#[test]
fn in_place_keeps_the_original_and_the_mode_bits_and_follows_a_link() {
    let stage = Stage::new();
    fs::set_permissions(stage.path("bug.c"), fs::Permissions::from_mode(0o640)).expect("mode bits");
    symlink("bug.c", stage.path("link.c")).expect("a link");
    // The candidate has the name that the user gave.
    stage.test("link.sh", "grep -q bug link.c");
    let end = stage.lop(&["link.c", "link.sh", "--in-place"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.path("link.c").is_symlink());
    assert!(stage.passes("bug.c"));
    assert_eq!(stage.read("bug.c.orig"), PROGRAM);
    assert!(
        end.out.contains("the original is kept as bug.c.orig"),
        "{end}"
    );
    for name in ["bug.c", "bug.c.orig"] {
        let mode = stage
            .path(name)
            .metadata()
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o640, "{name}");
    }
}

#[test]
fn a_second_run_in_place_loses_neither_the_first_original_nor_its_own() {
    let stage = Stage::new();
    stage.lop(&["bug.c", "test.sh", "--in-place"]);
    stage.write("bug.c", "int edited; int bug;\n");
    let end = stage.lop(&["bug.c", "test.sh", "--in-place"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(
        end.out
            .contains("bug.c.orig is there already, from an earlier run; it stays as it is"),
        "{end}"
    );
    assert_eq!(stage.read("bug.c.orig"), PROGRAM);
    assert_eq!(stage.read("bug.c.orig.1"), "int edited; int bug;\n");
    assert!(stage.passes("bug.c"));
}

#[test]
fn the_mode_bits_go_with_the_result() {
    let stage = Stage::new();
    fs::set_permissions(stage.path("bug.c"), fs::Permissions::from_mode(0o604)).expect("mode bits");
    stage.lop(&["bug.c", "test.sh"]);
    let mode = stage
        .path("bug.lop.c")
        .metadata()
        .expect("a result")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o604);
}

#[test]
fn two_runs_never_share_an_output() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    let end = stage.lop(&["bug.c", "test.sh"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(
        end.err.contains("another lop is writing to bug.lop.c"),
        "{end}"
    );
    run.signal(Signal::TERM);
    run.rest();
    assert_eq!(run.wait(), 143);
    assert_eq!(
        stage.lop(&["bug.c", "test.sh"]).status,
        0,
        "the lock goes with the run"
    );
}

#[test]
fn a_result_that_cannot_be_written_is_status_3_and_saved_elsewhere() {
    let stage = Stage::new();
    let out = stage.path("out");
    fs::create_dir(&out).expect("a directory");
    stage.test(
        "rude.sh",
        &format!(
            "{FINDS_BUG} || exit 1; grep -q a bug.c || rm -rf '{}'",
            out.display()
        ),
    );
    let end = stage.lop(&["bug.c", "rude.sh", "--output", "out/small.c"]);
    assert_eq!(end.status, 3, "{end}");
    assert!(
        end.out
            .contains("the result cannot be written to out/small.c"),
        "{end}"
    );
    let elsewhere = end
        .out
        .split("It is in ")
        .nth(1)
        .and_then(|rest| rest.split(" instead").next())
        .expect("a path");
    assert!(
        fs::read_to_string(elsewhere)
            .expect("the result")
            .contains("bug")
    );
    fs::remove_dir_all(
        std::path::Path::new(elsewhere)
            .parent()
            .expect("a directory"),
    )
    .expect("tidy");
}

#[test]
fn the_smallest_version_of_all_branches_is_never_lost() {
    let stage = Stage::new();
    let end = stage.lop(&[
        "bug.c",
        "./test.sh",
        "--plain",
        "--command",
        "until size 1",
        "--commands",
        "s.txt",
    ]);
    assert_eq!(end.status, 2, "there is no such script: {}", end.err);
    stage.write("s.txt", "at commit 2: undo stop\nat commit 2: stop\n");
    let end = stage.lop(&["bug.c", "./test.sh", "--plain", "--commands", "s.txt"]);
    assert_eq!(end.status, 130, "{}", end.err);
    let (kept, smallest) = (stage.read("bug.lop.c"), stage.read("bug.lop.smallest.c"));
    assert!(
        smallest.len() < kept.len() && stage.passes("bug.lop.smallest.c"),
        "{}",
        end.out
    );
    let told = "it is in bug.lop.smallest.c";
    assert_eq!(end.out.matches(told).count(), 1, "{}", end.out);
    // Who undoes and then gets further has the smallest version in the result.
    stage.write("s.txt", "at commit 2: undo ban\n");
    let end = stage.lop(&["bug.c", "./test.sh", "--plain", "--commands", "s.txt"]);
    assert_eq!(end.status, 0, "{}", end.err);
    assert!(!end.out.contains("on another branch"), "{}", end.out);
}

#[test]
fn a_smallest_version_that_the_result_has_passed_goes_also_after_a_resume() {
    let stage = Stage::new();
    stage.write("s.txt", "at commit 2: undo ban\nat commit 2: stop\n");
    let end = stage.lop(&["bug.c", "./test.sh", "--plain", "--commands", "s.txt"]);
    assert_eq!(end.status, 130, "{}", end.err);
    assert!(stage.path("bug.lop.smallest.c").exists(), "{}", end.out);
    let end = stage.lop(&["resume", "--plain"]);
    assert_eq!(end.status, 0, "{}", end.err);
    let names = stage.names();
    let left: Vec<_> = names
        .iter()
        .filter(|name| name.contains("smallest"))
        .collect();
    assert!(left.is_empty(), "{left:?}: {}", end.out);
}

#[test]
fn who_reads_the_output_sees_the_old_bytes_or_the_new_ones() {
    let stage = Stage::new();
    let input = InputFile::read_from(&stage.path("bug.c")).expect("an input");
    let output = OutputFile::claim_path(&OutputChoice::Beside, &input, None).expect("an output");
    let program = RunInput::Program(input);
    output.write_original(&program).expect("written");
    let mut reader = fs::File::open(stage.path("bug.lop.c")).expect("the output");
    let smaller = [Some(b"int bug;\n".as_slice().into())];
    output.replace_texts(&smaller).expect("written");
    let mut seen = String::new();
    reader.read_to_string(&mut seen).expect("text");
    assert_eq!(seen, PROGRAM, "who had it open sees all of the old one");
    assert_eq!(stage.read("bug.lop.c"), "int bug;\n");
}
