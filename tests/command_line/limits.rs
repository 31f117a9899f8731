//! The resource limits of a test, from the command line to the journal.

use crate::shell::{FINDS_BUG, Stage};

#[test]
fn a_test_that_takes_too_much_is_killed_and_lop_says_of_what() {
    let stage = Stage::new();
    stage.test(
        "greedy.sh",
        &format!(
            "{FINDS_BUG} || exit 1; grep -q stay bug.c || {{ head -c 3000000 /dev/zero >big; exec tail -f /dev/null; }}"
        ),
    );
    let line = ["bug.c", "greedy.sh", "--disk", "1M", "--journal", "journal"];
    let end = stage.lop(&line);
    assert_eq!(end.status, 0, "{end}");
    let note = "a test went beyond its limit of disk and was killed: it counts as timed out";
    assert_eq!(end.out.matches(note).count(), 1, "said once: {end}");
    assert!(stage.read("bug.lop.c").contains("stay"), "{end}");
    assert!(stage.read("journal").contains(r#""exceeded":"disk""#));
    let replayed = stage.lop(&["replay", "--check", "journal"]);
    assert_eq!(replayed.status, 0, "{replayed}");
}

#[test]
fn a_typed_limit_that_the_original_breaks_is_refused() {
    let stage = Stage::new();
    // It is slow enough to be measured.
    stage.test(
        "large.sh",
        &format!(
            "{FINDS_BUG} || exit 1; grep -q stay bug.c || exit 0\n\
             head -c 3000000 /dev/zero >big; i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done"
        ),
    );
    for line in [
        &["bug.c", "large.sh", "--disk", "1M"][..],
        &["doctor", "bug.c", "large.sh", "--disk", "1M"],
    ] {
        let end = stage.lop(line);
        assert_eq!(end.status, 2, "{end}");
        let refusal = "exceeds its limit of disk on the original (at most 1 MB of files); give more with --disk, 0 for no limit";
        assert!(end.err.contains(refusal), "{end}");
    }
    assert!(!stage.path("bug.lop.c").exists());
}

#[test]
#[ignore = "long"]
fn a_default_limit_that_the_original_breaks_is_switched_off() {
    let stage = Stage::new();
    // More processes than the default limit has, and slow enough to be measured.
    stage.test(
        "many.sh",
        &format!(
            "{FINDS_BUG} || exit 1; grep -q stay bug.c || exit 0\n\
             i=0; while [ $i -lt 1100 ]; do sleep 9 & i=$((i+1)); done; i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done"
        ),
    );
    let end = stage.lop(&["bug.c", "many.sh", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    let notice = "exceeds its limit of processes on the original (at most 1024 processes): this run has no such limit";
    let all = format!("{}{}", end.out, end.err);
    assert_eq!(all.matches(notice).count(), 1, "told once: {end}");
    assert!(!end.out.contains("was killed"), "{end}");
}
