//! The command line as a user meets it: the real binary, real tests, what it says and what it leaves behind.

mod shell;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::process::Signal;
use shell::{FINDS_BUG, PROGRAM, Stage};

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
        "known from this run itself",
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
fn a_file_of_no_known_language_is_reduced_too() {
    let stage = Stage::new();
    stage.write("notes.txt", "one line\nanother with a bug in it\na third\n");
    stage.test("t.sh", "grep -q bug notes.txt");
    let end = stage.lop(&["notes.txt", "t.sh"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("as lines and tokens"), "{end}");
    assert_eq!(stage.read("notes.lop.txt").trim(), "bug");
}

#[test]
fn the_language_can_be_chosen() {
    let stage = Stage::new();
    stage.write("bug.x", PROGRAM);
    stage.test("t.sh", "grep -q bug bug.x");
    let as_c = stage.lop(&["bug.x", "t.sh", "--language", "c"]);
    assert!(as_c.out.contains("12 tokens, 33 bytes, as c"), "{as_c}");
    let as_text = stage.lop(&["bug.c", "test.sh", "--language", "text"]);
    assert!(as_text.out.contains("as lines and tokens"), "{as_text}");
    assert_eq!(stage.read("bug.lop.c").trim(), "bug");
}

#[test]
fn places_that_do_not_parse_are_counted() {
    let stage = Stage::new();
    stage.write("bug.c", "int bug;\nint f( { ] ; int\n");
    let end = stage.lop(&["bug.c", "test.sh"]);
    let said = "1 place that does not parse and is reduced as a list";
    let more = "places that do not parse and are reduced as lists";
    assert!(end.out.contains(said) || end.out.contains(more), "{end}");
    stage.write("bug.c", PROGRAM);
    let end = stage.lop(&["bug.c", "test.sh"]);
    assert!(!end.out.contains("parse"), "{end}");
    stage.write("bug.txt", PROGRAM);
    stage.test("any.sh", "grep -q bug \"$1\"");
    let end = stage.lop(&["bug.txt", "any.sh"]);
    assert!(end.out.contains("as lines and tokens"), "{end}");
}

#[test]
fn both_list_minimisers_can_be_had() {
    for name in ["complements", "ddmin"] {
        let stage = Stage::new();
        let end = stage.lop(&["bug.c", "test.sh", "--minimizer", name]);
        assert_eq!(end.status, 0, "{end}");
        assert!(stage.passes("bug.lop.c"));
    }
}

#[test]
fn any_number_of_workers_gives_the_same_result() {
    let results = ["1", "2", "7"].map(|jobs| {
        let stage = Stage::new();
        let end = stage.lop(&["bug.c", "test.sh", "--jobs", jobs]);
        assert_eq!(end.status, 0, "{end}");
        stage.read("bug.lop.c")
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[test]
fn a_journal_can_be_replayed_and_a_changed_one_is_found_out() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--journal", "j"]);
    assert_eq!(end.status, 0, "{end}");
    let end = stage.lop(&["replay", "--check", "j"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("decisions, to its end"), "{end}");
    let journal = stage.read("j");
    let documented = include_str!("../docs/JOURNAL.md");
    for line in journal.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect(line);
        for field in line.as_object().expect("an object").keys() {
            assert!(documented.contains(&format!("\"{field}\":")), "{field}");
        }
    }
    let end = stage.lop(&["bug.c", "test.sh", "--journal", "j"]);
    assert_eq!(end.status, 0, "an old journal is replaced: {end}");
    let changed = journal.replacen("\"ending\":\"boring\"", "\"ending\":\"interesting\"", 1);
    assert_ne!(journal, changed);
    stage.write("j", &changed);
    let end = stage.lop(&["replay", "--check", "j"]);
    assert_eq!(end.status, 1, "{end}");
    assert!(end.err.contains("the journal is damaged"), "{end}");
    stage.write("j", "no journal at all\n");
    let end = stage.lop(&["replay", "--check", "j"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("no journal of lop"), "{end}");
}

#[test]
fn json_lines_parse_and_end_with_the_totals() {
    let stage = Stage::new();
    let end = stage.lop(&["bug.c", "test.sh", "--json"]);
    assert_eq!(end.status, 0, "{end}");
    let lines: Vec<serde_json::Value> = end
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let kinds: Vec<&str> = lines
        .iter()
        .map(|line| line["event"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds[..3], ["begin", "started", "pass"]);
    let totals = &lines[lines.len() - 1];
    assert_eq!(totals["event"], "totals");
    assert_eq!(totals["finish"], "complete");
    assert_eq!(totals["tokens_before"], 12);
    assert_eq!(totals["bytes_after"], stage.read("bug.lop.c").len());
    assert!(
        totals["own_cpu_s"].as_f64().is_some_and(|time| time > 0.0),
        "{totals}"
    );
    let decided = |what: &str| {
        kinds
            .iter()
            .zip(&lines)
            .filter(|(kind, line)| {
                **kind == "decided" && line["ending"] == what && line["cached"] == false
            })
            .count()
    };
    assert_eq!(totals["interesting"], decided("interesting"));
    assert_eq!(totals["boring"], decided("boring"));
    let documented = include_str!("../docs/JSON.md");
    for line in &lines {
        for field in line.as_object().expect("an object").keys() {
            assert!(
                documented.contains(&format!("`{field}`")),
                "docs/JSON.md does not tell of {field}"
            );
        }
    }
}

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
        stage.hanging_test();
        let mut run = stage.start(&[
            "bug.c",
            "hang.sh",
            "--json",
            "--timeout",
            "0",
            "--strategy",
            "perses",
        ]);
        while !run.line().contains("\"taken\"") {}
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
fn two_runs_never_share_an_output() {
    let stage = Stage::new();
    stage.hanging_test();
    let mut run = stage.start(&[
        "bug.c",
        "hang.sh",
        "--json",
        "--timeout",
        "0",
        "--strategy",
        "perses",
    ]);
    while !run.line().contains("\"taken\"") {}
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
fn the_demo_shows_how_it_goes() {
    let stage = Stage::new();
    let end = stage.lop(&["demo"]);
    assert_eq!(end.status, 0, "{end}");
    for said in [
        "the demo is in /",
        "stands in for a bug",
        "nothing is left to try",
        "switch (",
        "lop replay /",
        "stay in /",
        "    rm -r /",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
    let directory = end
        .out
        .split("the demo is in ")
        .nth(1)
        .and_then(|rest| rest.split(':').next())
        .expect("a path");
    fs::remove_dir_all(directory).expect("tidy");
}

#[test]
fn grammars_can_be_looked_at() {
    let stage = Stage::new();
    let end = stage.lop(&["grammar", "c", "if_statement"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("if_statement ::= \"if\""), "{end}");
    let end = stage.lop(&["grammar", "klingon"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("lop knows no language `klingon`"), "{end}");
}

#[test]
fn the_pictures_are_of_a_real_run() {
    let stage = Stage::new();
    let end = stage.lop(&["screenshot", "pictures"]);
    assert_eq!(end.status, 0, "{end}");
    for (name, shows) in [
        ("run.svg", ">3,801</text>"),
        ("result.svg", ">done:</text>"),
        ("steered.svg", ">PAUSED</text>"),
    ] {
        let picture = stage.read(&format!("pictures/{name}"));
        assert!(picture.contains(shows), "{name}: {picture}");
    }
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
    // The system takes its time to stop a process that was told to.
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
fn a_pass_that_is_not_there_is_told_before_the_run() {
    let stage = Stage::new();
    let end = stage.lop(&[
        "bug.c",
        "./test.sh",
        "--plain",
        "--command",
        "disable boodies",
    ]);
    assert_eq!(end.status, 2, "{end}");
    assert!(
        end.err
            .contains("there is no pass `boodies`; near it: bodies"),
        "{end}"
    );
}
