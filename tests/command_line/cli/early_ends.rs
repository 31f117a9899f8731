//! Runs that end early, and the files that stay.

use std::fs;

use rustix::process::Signal;

use crate::shell::{FINDS_BUG, PROGRAM, Stage};

#[test]
fn a_reader_that_goes_away_ends_nothing() {
    let stage = Stage::new();
    for form in ["--plain", "--json"] {
        let mut run = stage.start(&["bug.c", "test.sh", form]);
        run.line();
        run.close_output();
        assert_eq!(run.wait(), 0, "{form}");
        assert!(stage.passes("bug.lop.c"));
        assert!(stage.read("bug.lop.c").len() < PROGRAM.len());
    }
}

#[test]
fn a_signal_leaves_the_best_version() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let stage = Stage::new();
        let mut run = stage.hanging_run();
        run.signal(signal);
        let rest = run.rest();
        let totals = rest.lines().last().expect("a last line");
        assert!(totals.contains("\"finish\":\"stopped\""), "{rest}");
        assert_eq!(run.wait(), status);
        assert!(stage.passes("bug.lop.c"));
        assert!(stage.read("bug.lop.c").len() < PROGRAM.len());
        assert_eq!(stage.names(), ["bug.c", "bug.lop.c", "hang.sh", "test.sh"]);
    }
}

#[test]
fn a_signal_to_the_process_and_to_its_group_is_one() {
    // So `timeout` ends what it has started.
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    run.signal(Signal::TERM);
    run.signal(Signal::INT);
    let rest = run.rest();
    let totals = rest.lines().last().expect("a last line");
    assert!(totals.contains("\"finish\":\"stopped\""), "{rest}");
    run.wait();
    assert_eq!(stage.names(), ["bug.c", "bug.lop.c", "hang.sh", "test.sh"]);
}

#[test]
fn who_changes_the_test_or_the_input_is_told_what_that_means() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    stage.replace_test("hang.sh", "exec tail -f /dev/null # another");
    while !run
        .line()
        .contains("the test has changed: the program as it is is tested with it")
    {}
    stage.write("bug.c", "int other;");
    while !run
        .line()
        .contains("the input has changed: the run continues with its copy")
    {}
    run.signal(Signal::TERM);
    run.rest();
    run.wait();
}

#[test]
fn stopped_lines_tell_where_and_how_small() {
    let stage = Stage::new();
    stage.hanging_test();
    let mut run = stage.start(&["bug.c", "hang.sh", "--timeout", "0", "--strategy", "perses"]);
    while !run.line().contains("perses") {}
    run.signal(Signal::INT);
    let rest = run.rest();
    assert_eq!(run.wait(), 130);
    for said in [
        "stopped by Ctrl-C (SIGINT); the best version is kept",
        "the result is in bug.lop.c",
        "from 12 tokens to ",
    ] {
        assert!(rest.contains(said), "{said}: {rest}");
    }
    assert!(stage.passes("bug.lop.c"));
}

#[test]
fn a_test_that_fails_in_the_middle_is_status_3_and_the_best_version_stays() {
    let stage = Stage::new();
    stage.test(
        "breaks.sh",
        &format!("{FINDS_BUG} || exit 1; grep -q stay bug.c || exit 127"),
    );
    let end = stage.lop(&["bug.c", "breaks.sh"]);
    assert_eq!(end.status, 3, "{end}");
    assert!(
        end.out.contains("failed: the test failed: exit 127"),
        "{end}"
    );
    assert!(stage.passes("bug.lop.c"));
}

#[test]
fn a_test_that_fails_is_asked_again_after_a_while() {
    let stage = Stage::new();
    stage.test(
        "breaks.sh",
        &format!("{FINDS_BUG} || exit 1; grep -q stay bug.c || exit 127"),
    );
    let end = stage.lop(&["bug.c", "breaks.sh", "--jobs", "1"]);
    for said in [
        "not found; waiting 0.1 s, then asking again",
        "not found; waiting 0.4 s, then asking again",
    ] {
        assert_eq!(end.out.matches(said).count(), 1, "{said}: {end}");
    }
}

#[test]
fn lines_count_tests_that_timed_out() {
    let stage = Stage::new();
    stage.hanging_test();
    let end = stage.lop(&["bug.c", "hang.sh", "--timeout", "0.2"]);
    assert_eq!(end.status, 0, "{end}");
    let progress = |line: &str| line.contains(" % ") && line.contains(" timed out");
    assert!(end.out.lines().any(progress), "{end}");
    let end = stage.lop(&["bug.c", "test.sh"]);
    assert!(!end.out.lines().any(progress), "{end}");
}

#[test]
fn when_lop_is_stopped_so_are_its_tests_and_their_clocks() {
    let stage = Stage::new();
    stage.write("first", "");
    stage.pipe("pid");
    stage.pipe("go");
    let path = |name: &str| stage.path(name).display().to_string();
    stage.test(
        "slow.sh",
        &format!(
            "if rm {} 2>/dev/null; then echo $$ >{}; read word <{}; fi; {FINDS_BUG}",
            path("first"),
            path("pid"),
            path("go")
        ),
    );
    let mut running = stage.start(&["bug.c", "./slow.sh", "--plain"]);
    let pid = stage.read("pid");
    running.signal(Signal::TSTP);
    running.until_stopped();
    // The system needs a moment to stop a process after the signal.
    let stat = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).expect("it lives");
    while !stat().contains(") T ") {
        std::thread::yield_now();
    }
    running.signal(Signal::CONT);
    stage.write("go", "on\n");
    assert!(running.rest().contains("the result is in bug.lop.c"));
    assert_eq!(running.wait(), 0);
}

#[test]
fn a_run_that_nobody_can_let_go_on_ends_and_its_replay_does_too() {
    let stage = Stage::new();
    stage.write("s.txt", "at commit 1: undo stop\n");
    let line = [
        "bug.c",
        "./test.sh",
        "--plain",
        "--commands",
        "s.txt",
        "--journal",
        "j.jsonl",
    ];
    let end = stage.lop(&line);
    assert_eq!(end.status, 130, "{end}");
    let end = stage.lop(&["replay", "--check", "j.jsonl"]);
    assert_eq!(end.status, 0, "{end}");
}

#[test]
fn each_exit_status_is_in_the_guide_and_in_the_manual() {
    let stage = Stage::new();
    stage.test("no.sh", "exit 1");
    stage.test("fails.sh", "exit 127");
    let lines: [(&[&str], &str); 5] = [
        (&["bug.c", "test.sh"], "0"),
        (&["bug.c", "no.sh"], "1"),
        (&["bug.c", "test.sh", "--no-such-option"], "2"),
        (&["bug.c", "fails.sh"], "3"),
        (&["bug.c", "test.sh", "--command", "stop"], "130"),
    ];
    let guide = include_str!("../../../docs/GUIDE.md");
    let (_, table) = guide
        .split_once("| exit status of a run | |\n")
        .expect("a table");
    let (table, _) = table.split_once("\n\n").expect("its end");
    let statuses: Vec<&str> = table
        .lines()
        .skip(1)
        .flat_map(|row| row.split('|').nth(1).unwrap_or_default().split(','))
        .map(str::trim)
        .collect();
    // The signals of the other two are in a story above.
    assert_eq!(statuses, ["0", "1", "2", "3", "129", "130", "143"]);
    let manual = include_str!("../../../man/lop.1");
    let (_, manual) = manual.split_once("Exit status: ").expect("they are there");
    for (line, status) in lines {
        let end = stage.lop(line);
        assert_eq!(end.status.to_string(), status, "{end}");
        assert!(manual.contains(status), "{status}");
    }
}
