//! `--verbose`: a line for each decision, in words.

use crate::shell::{End, Stage};

/// The number and the answer of the lines of the decisions: `2 Yes, time` for `2: Can … go? …. Yes, 0.01 s.`
fn decisions(end: &End) -> Vec<String> {
    let is_decision = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit());
    let lines = end.out.lines().filter(is_decision);
    let shorten = |line: &str| {
        let (number, rest) = line.split_once(": ").expect("a number");
        let (_, answer) = rest.rsplit_once("tokens fewer").expect("a question");
        let (answer, time) = answer
            .trim_end_matches('.')
            .rsplit_once(", ")
            .expect("a time");
        let (_, answer) = answer.rsplit_once(". ").expect("an answer");
        let time = if time == "known" { "known" } else { "time" };
        format!("{number} {answer}, {time}")
    };
    lines.map(shorten).collect()
}

const LINE: [&str; 6] = ["bug.c", "test.sh", "--verbose", "--no-session", "-j", "1"];

#[test]
fn each_decision_has_a_line_with_its_number_its_sentence_and_its_answer() {
    let stage = Stage::new();
    let end = stage.lop_with(&LINE, &[]);
    assert_eq!(end.status, 0, "{end}");
    let expected = [
        "1 No, exit 1, time",
        "2 Yes, time",
        "3 Yes, time",
        "4 Yes, time",
        "5 No, exit 1, time",
        "6 No, known",
    ];
    assert_eq!(decisions(&end), expected, "{end}");
    let second = "2: Can the declaration of `stay` go? 3 tokens fewer: one of 4 declarations; nothing else uses `stay`. Yes, ";
    assert!(end.out.contains(second), "{end}");
}

#[test]
fn nothing_is_told_in_signs_or_columns() {
    let stage = Stage::new();
    let end = stage.lop_with(&LINE, &[]);
    let passes = end
        .out
        .lines()
        .filter(|line| line.starts_with("top level: "));
    let passes: Vec<&str> = passes.collect();
    assert!(
        passes[0].starts_with("top level: 12 tokens, 100.0 %, "),
        "{end}"
    );
    assert!(!end.out.contains(['√', '✓', '✗']), "{end}");
    assert!(!end.out.contains("   "), "{end}");
}

#[test]
fn an_invalid_candidate_is_told_as_such() {
    let stage = Stage::new();
    stage.test(
        "test.sh",
        "grep -q stay bug.c || exit 125; grep -q bug bug.c",
    );
    let end = stage.lop_with(&LINE, &[]);
    assert_eq!(end.status, 0, "{end}");
    let expected = [
        "1 No, exit 1, time",
        "2 Invalid, exit 125, time",
        "3 Yes, time",
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
    let end = stage.lop(&line);
    assert_eq!(end.status, 130, "{end}");
    let end = stage.lop(&["resume", "--verbose", "--trust", "-j", "1"]);
    assert_eq!(end.status, 0, "{end}");
    let expected = [
        "3 Yes, time",
        "4 Yes, time",
        "5 No, exit 1, time",
        "6 No, known",
    ];
    assert_eq!(decisions(&end), expected, "{end}");
}

#[test]
fn of_two_commands_that_do_the_same_no_status_is_told() {
    let stage = Stage::new();
    let wrong = "cat {}; grep -q bug {} && echo wrong; true";
    let line = ["bug.c", "--verbose", "--no-session", "-j", "1"];
    let end = stage.lop_with(&[&line[..], &["--differs", "cat {}", wrong]].concat(), &[]);
    assert_eq!(end.status, 0, "{end}");
    let no: Vec<String> = decisions(&end);
    let no: Vec<&String> = no.iter().filter(|line| line.contains("No,")).collect();
    let is_told = |line: &&&String| line.contains("No, both agree, ") || line.ends_with("known");
    assert!(
        !no.is_empty() && no.iter().all(|line| is_told(&line)),
        "{end}"
    );
}
