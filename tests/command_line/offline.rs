//! `--verdicts`, `--offline` and `--save-candidates`: verdicts of programs that were tested before.

use std::fs;

use crate::shell::{End, Stage};

const LINES: [&str; 4] = ["int a;\n", "int b;\n", "int stay;\n", "int bug;\n"];

/// All programs of some of the lines, with the logs of their tests: `r.5.c` and `r.5.log`. The bits of the number are the lines.
fn record_all(stage: &Stage) {
    fs::create_dir_all(stage.path("kept/day")).expect("a directory");
    for number in 0..16usize {
        let lines = LINES.iter().enumerate();
        let lines = lines.filter(|(at, _)| number & (1 << at) != 0);
        let program: String = lines.map(|(_, line)| *line).collect();
        let log = match program.contains("bug") {
            true => "checking\nAssertion failed\n",
            false => "checking\n",
        };
        stage.write(&format!("kept/day/r.{number}.c"), &program);
        stage.write(&format!("kept/day/r.{number}.log"), log);
    }
}

const RECORDED: [&str; 6] = [
    "bug.c",
    "--verdicts",
    "kept",
    "--offline",
    "--grep",
    "Assertion failed",
];

fn run(stage: &Stage, more: &[&str]) -> End {
    stage.lop(&[&RECORDED[..], more].concat())
}

/// A test that notes each of its runs.
fn counted_test(stage: &Stage) {
    let count = stage.path("count");
    let line = format!("echo >> {}; grep -q bug bug.c", count.display());
    stage.test("test.sh", &line);
    stage.write("count", "");
}

fn runs(stage: &Stage) -> usize {
    stage.read("count").lines().count()
}

#[test]
fn a_run_needs_no_test_where_the_verdict_on_each_candidate_is_recorded() {
    let stage = Stage::new();
    record_all(&stage);
    let end = run(&stage, &[]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.lop.c"), "int bug;\n");
    for said in [
        "no test runs: all verdicts are those that are known",
        "have verdicts on 16 programs, 8 of them interesting",
        "5 of them recalled from",
        "the result is 1-tree-minimal",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
}

#[test]
fn a_candidate_without_a_verdict_ends_the_run_and_is_kept() {
    for jobs in ["1", "4"] {
        let stage = Stage::new();
        record_all(&stage);
        // The third candidate is `int a; int bug;`.
        fs::remove_file(stage.path("kept/day/r.9.log")).expect("a log");
        let end = run(&stage, &["--jobs", jobs]);
        assert_eq!(end.status, 3, "{end}");
        let missing = stage.read("missing-in-action.c");
        assert_eq!(missing, "int a;\nint bug;\n", "{end}");
        for said in [
            "failed: no test runs, and no verdict is known of this candidate",
            "the candidate without a verdict is in missing-in-action.c",
            "0 tests started speculatively",
        ] {
            assert!(end.out.contains(said), "{said}: {end}");
        }
        assert_eq!(stage.read("bug.lop.c"), "int a;\nint b;\nint bug;\n");
        // With the verdict the run goes on where it was.
        stage.write("kept/day/r.9.log", "Assertion failed\n");
        let end = stage.lop(&["resume", "--plain"]);
        assert_eq!(end.status, 0, "{end}");
        assert!(
            end.out.contains("2 decisions and 1 version are replayed"),
            "{end}"
        );
        assert_eq!(stage.read("bug.lop.c"), "int bug;\n");
    }
}

#[test]
fn an_original_without_a_verdict_is_not_reduced() {
    let stage = Stage::new();
    record_all(&stage);
    stage.write("bug.c", "int other;\nint bug;\n");
    let end = run(&stage, &[]);
    assert_eq!(end.status, 3, "{end}");
    assert!(
        end.err
            .contains("no verdict is known of the original bug.c"),
        "{end}"
    );
    stage.write("bug.c", "int a;\n");
    let end = run(&stage, &[]);
    assert_eq!(end.status, 1, "{end}");
    assert!(
        end.err
            .contains("the recorded verdict on the original bug.c"),
        "{end}"
    );
}

#[test]
fn a_resumed_run_has_the_recorded_verdicts_of_its_session() {
    let stage = Stage::new();
    record_all(&stage);
    stage.write("stop.txt", "at decision 2: stop\n");
    let end = run(&stage, &["--commands", "stop.txt"]);
    assert_eq!(end.status, 130, "{end}");
    fs::rename(stage.path("kept"), stage.path("gone")).expect("moved");
    let end = stage.lop(&["resume", "--plain"]);
    assert_eq!(end.status, 2, "{end}");
    assert!(end.err.contains("kept cannot be read"), "{end}");
    fs::rename(stage.path("gone"), stage.path("kept")).expect("moved");
    let end = stage.lop(&["resume", "--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("no test runs"), "{end}");
    assert_eq!(stage.read("bug.lop.c"), "int bug;\n");
}

#[test]
fn a_test_runs_only_on_programs_without_a_recorded_verdict() {
    let stage = Stage::new();
    record_all(&stage);
    counted_test(&stage);
    let line = [
        "bug.c",
        "test.sh",
        "--verdicts",
        "kept",
        "--grep",
        "Assertion",
    ];
    let with = |more: &[&str]| {
        let before = runs(&stage);
        let end = stage.lop(&[&line[..], &["--allow-empty", "--jobs", "1"], more].concat());
        assert_eq!(end.status, 0, "{end}");
        assert_eq!(stage.read("bug.lop.c"), "int bug;\n");
        runs(&stage) - before
    };
    assert_eq!(with(&[]), 2, "the original and the result are tested");
    assert_eq!(with(&["--offline"]), 0);
    fs::remove_file(stage.path("kept/day/r.9.c")).expect("a program");
    assert_eq!(with(&[]), 3);
}

#[test]
fn a_command_is_run_only_on_programs_without_a_recorded_verdict() {
    let stage = Stage::new();
    record_all(&stage);
    let line = [
        "bug.c",
        "--verdicts",
        "kept",
        "--grep",
        "Assertion",
        "--allow-empty",
    ];
    let command = ["--", "sh", "-c", "grep -q bug {} && echo Assertion"];
    let end = stage.lop(&[&line[..], &command].concat());
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("5 of them recalled from"), "{end}");
    assert_eq!(stage.read("bug.lop.c"), "int bug;\n");
}

#[test]
fn a_cache_that_knows_a_run_is_enough_for_it() {
    let stage = Stage::new();
    counted_test(&stage);
    let line = ["bug.c", "test.sh", "--cache", "c", "--jobs", "1"];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let before = runs(&stage);
    let end = stage.lop(&[&line[..], &["--offline"]].concat());
    assert_eq!((end.status, runs(&stage)), (0, before), "{end}");
    assert!(end.out.contains("5 tests in"), "{end}");
    stage.write("bug.c", "int other;\nint bug;\n");
    let end = stage.lop(&[&line[..], &["--offline"]].concat());
    assert_eq!((end.status, runs(&stage)), (3, before), "{end}");
}

/// The directory that the only run below `kept` made, and the names in it.
fn saved(stage: &Stage) -> (String, Vec<String>) {
    let mut runs = fs::read_dir(stage.path("kept"))
        .expect("a directory")
        .flatten();
    let run = runs.next().expect("a run").file_name();
    assert!(runs.next().is_none());
    let run = format!("kept/{}", run.to_string_lossy());
    let files = fs::read_dir(stage.path(&run))
        .expect("a directory")
        .flatten();
    let mut names: Vec<_> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    (run, names)
}

const SAVING: [&str; 4] = ["bug.c", "test.sh", "--save-candidates", "kept"];

#[test]
fn saved_candidates_repeat_their_run_without_a_test() {
    for jobs in ["1", "4"] {
        let stage = Stage::new();
        stage.test(
            "test.sh",
            "echo looking; grep -q bug bug.c && echo Assertion",
        );
        let end = stage.lop(&[&SAVING[..], &["--jobs", jobs]].concat());
        assert_eq!(end.status, 0, "{end}");
        let (run, names) = saved(&stage);
        let expected: Vec<_> = (0..6)
            .flat_map(|number| ["c", "log"].map(|end| format!("reduced.{number}.{end}")))
            .collect();
        assert_eq!(
            names, expected,
            "the original and five tests, and nothing twice"
        );
        let read = |name: &str| stage.read(&format!("{run}/{name}"));
        assert_eq!(read("reduced.1.c"), "int a;\nint b;\nint stay;\n");
        assert_eq!(read("reduced.1.log"), "looking\n[lop: uninteresting]\n");
        let found = "looking\nAssertion\n[lop: interesting]\n";
        assert_eq!(read("reduced.2.log"), found);
        let result = stage.read("bug.lop.c");
        let offline = ["bug.c", "--offline", "--verdicts", "kept"];
        for more in [&[][..], &["--grep", "Assertion"]] {
            let end = stage.lop(&[&offline[..], more].concat());
            assert_eq!(end.status, 0, "{end}");
            assert_eq!(stage.read("bug.lop.c"), result);
        }
    }
}

#[test]
fn what_a_command_did_not_print_is_not_found_in_its_log() {
    let stage = Stage::new();
    let line = [
        "bug.c",
        "--save-candidates",
        "kept",
        "--grep",
        "int bug",
        "--",
        "cat",
        "{}",
    ];
    let end = stage.lop(&[&["--allow-empty"][..], &line].concat());
    assert_eq!(end.status, 0, "{end}");
    let (run, _) = saved(&stage);
    let log = stage.read(&format!("{run}/reduced.1.log"));
    assert_eq!(log, "int a;\nint b;\nint stay;\n[lop: uninteresting]\n");
}

#[test]
fn a_resumed_run_keeps_its_candidates_where_it_did() {
    let stage = Stage::new();
    stage.write("stop.txt", "at decision 2: stop\n");
    let end = stage.lop(&[&SAVING[..], &["--commands", "stop.txt", "--jobs", "1"]].concat());
    assert_eq!(end.status, 130, "{end}");
    assert_eq!(saved(&stage).1.len(), 4, "the original and one test");
    let end = stage.lop(&["resume", "--plain", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(saved(&stage).1.len(), 12);
}
