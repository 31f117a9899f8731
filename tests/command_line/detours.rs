//! Detours in the lines of a run and of its recording: (program, the pass `unfold` alone of its stratum, where the run stops, what is said).

use crate::shell::Stage;

/// `x` stands for a sum of which each place needs one operand.
const PROGRAM: &str = "int x = a + b;\nreturn x - x;\n";
/// The whole program, or what becomes of it where the sum stands in both places.
const LEADS_NOWHERE: &str = "text=$(tr -d '[:space:]' < bug.c)\n\
    case $text in 'intx=a+b;returnx-x;'|'return(a+b)-(a+b);') ;; *) exit 1 ;; esac";
/// The same, and what is left of it where one operand is enough.
const LEADS_ON: &str = "text=$(tr -d '[:space:]' < bug.c)\n\
    case $text in 'intx=a+b;returnx-x;'|'return(a+b)-(a+b);'|'return(a)-(a+b);'|'return(a+b)-(a);') ;; *) exit 1 ;; esac";
const LINE: [&str; 6] = [
    "bug.c",
    "test.sh",
    "--plain",
    "--without",
    "alias,merge,parameters,type,substitute,text,bytes",
    "--verbose",
];

fn stage(test: &str) -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    stage.test("test.sh", test);
    stage
}

#[test]
fn a_dropped_detour_is_told_where_it_begins_and_where_it_ends() {
    let stage = stage(LEADS_NOWHERE);
    let end = stage.lop(&LINE);
    assert_eq!(end.status, 0, "{end}");
    for said in [
        "Can `x` be unfolded? 1 token more: `(a + b)` stands in its 2 places. ",
        "lop: a detour begins: version 1 has +1 tokens against version 0, and counts only if",
        "lop: the detour did not end smaller than it began: back to version 0",
    ] {
        assert!(end.out.contains(said), "{said}: {end}");
    }
    let history = stage.lop(&["history"]).out;
    let row = history
        .lines()
        .find(|line| line.contains("Can `x` be unfolded?"));
    let row = row.expect("the version of the detour");
    assert!(
        row.contains("(detour)  Can `x` be") && row.ends_with("its 2 places"),
        "{row}"
    );
}

#[test]
fn a_detour_that_counts_is_told_with_what_it_gained() {
    let stage = stage(LEADS_ON);
    let end = stage.lop(&LINE);
    assert_eq!(end.status, 0, "{end}");
    let said = "lop: the detour ended smaller than it began: version 2 counts, -1 tokens against version 0";
    assert!(end.out.contains(said), "{end}");
    let history = stage.lop(&["history"]).out;
    let row = history
        .lines()
        .find(|line| line.contains("(a detour ended here)"));
    assert!(row.is_some_and(|row| row.contains("<- kept")), "{history}");
}

#[test]
fn a_check_of_a_run_that_was_stopped_inside_a_detour_names_the_version_that_it_left() {
    let stage = stage(LEADS_NOWHERE);
    stage.write("script", "at commit 1: stop\n");
    let end = stage.lop(&[&LINE[..], &["--commands", "script"]].concat());
    assert_eq!(end.status, 130, "{end}");
    assert!(end.out.contains("a detour begins"), "{end}");
    assert!(end.out.contains("12 tokens"), "{end}");
    let check = stage.lop(&["replay", "--check"]);
    assert_eq!(check.status, 0, "{check}");
    assert!(
        check.out.contains("up to where it was stopped: 12 tokens"),
        "{check}"
    );
}
