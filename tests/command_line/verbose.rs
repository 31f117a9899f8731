//! `--verbose`: a line for each decision.

use crate::shell::{End, Stage};

/// What follows the sentences in the lines of the decisions, with their numbers: `[2] √` for `[2] Can … go? (0.01 s): √`. Times are `time`.
fn decisions(end: &End) -> Vec<String> {
    let lines = end.out.lines().filter(|line| line.starts_with('['));
    let shorten = |line: &str| {
        let (number, rest) = line.split_once(' ').expect("a number");
        let (_, ending) = rest.rsplit_once('(').expect("a time");
        let (time, verdict) = ending.split_once("): ").expect("a verdict");
        let time = if time == "known" { "known" } else { "time" };
        format!("{number} {time} {verdict}")
    };
    lines.map(shorten).collect()
}

const LINE: [&str; 6] = ["bug.c", "test.sh", "--verbose", "--no-session", "-j", "1"];

#[test]
fn each_decision_has_a_line_with_its_number_its_sentence_and_its_verdict() {
    let stage = Stage::new();
    let end = stage.lop_with(&LINE, &[("LC_ALL", "C.UTF-8")]);
    assert_eq!(end.status, 0, "{end}");
    let expected = [
        "[1] time -",
        "[2] time √",
        "[3] time √",
        "[4] time √",
        "[5] time -",
        "[6] known -",
    ];
    assert_eq!(decisions(&end), expected, "{end}");
    let second = "[2] Can the declaration of `stay` go? 3 tokens fewer: one of 4 declarations";
    assert!(end.out.contains(second), "{end}");
}

#[test]
fn a_terminal_without_the_signs_has_the_verdicts_in_words() {
    let stage = Stage::new();
    stage.test(
        "test.sh",
        "grep -q stay bug.c || exit 125; grep -q bug bug.c",
    );
    let end = stage.lop_with(&LINE, &[("LC_ALL", "C")]);
    assert_eq!(end.status, 0, "{end}");
    let expected = [
        "[1] time uninteresting",
        "[2] time invalid",
        "[3] time interesting",
    ];
    assert_eq!(decisions(&end)[..3], expected, "{end}");
}

#[test]
fn a_resumed_run_continues_with_the_next_number() {
    let stage = Stage::new();
    stage.write("stop.txt", "at decision 3: stop\n");
    let line = [
        "bug.c",
        "test.sh",
        "--verbose",
        "--commands",
        "stop.txt",
        "-j",
        "1",
    ];
    let end = stage.lop_with(&line, &[("LC_ALL", "C")]);
    assert_eq!(end.status, 130, "{end}");
    let end = stage.lop_with(
        &["resume", "--verbose", "--trust", "-j", "1"],
        &[("LC_ALL", "C")],
    );
    assert_eq!(end.status, 0, "{end}");
    let expected = [
        "[3] time interesting",
        "[4] time interesting",
        "[5] time uninteresting",
        "[6] known uninteresting",
    ];
    assert_eq!(decisions(&end), expected, "{end}");
}
