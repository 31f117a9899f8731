//! Two processes of lop at once: on one session, and on one cache.

use std::collections::BTreeMap;
use std::fs;

use crate::shell::{Running, Stage};

/// A test that waits for a word at its call of this number, in the pipe `go`.
fn waiting(stage: &Stage, name: &str, call: u32) {
    stage.pipe("go");
    let [calls, go] = ["calls", "go"].map(|name| stage.path(name));
    let (calls, go, finds) = (calls.display(), go.display(), crate::shell::FINDS_BUG);
    let wait = format!("case $(wc -l < '{calls}') in {call}) cat '{go}';; esac");
    stage.test(name, &format!("echo >> '{calls}'\n{wait}\n{finds}"));
}

/// Follows it until it has accepted something.
fn until_taken(run: &mut Running) {
    run.until_taken();
}

#[test]
fn a_session_that_runs_is_not_gone_on_with_by_another_and_comes_to_its_end() {
    let line = [
        "bug.c",
        "wait.sh",
        "--json",
        "--jobs",
        "1",
        "--timeout",
        "0",
        "--session",
        "kept",
    ];
    let whole = Stage::new();
    whole.test("wait.sh", crate::shell::FINDS_BUG);
    assert_eq!(whole.lop(&line).status, 0);

    let stage = Stage::new();
    waiting(&stage, "wait.sh", 6);
    let mut run = stage.start(&line);
    until_taken(&mut run);
    let journal = stage.path("kept/journal.jsonl");
    let before = fs::read_to_string(&journal).expect("a journal");
    for _ in 0..3 {
        let end = stage.lop(&["resume", "kept", "--trust"]);
        assert_eq!(end.status, 2, "{end}");
        for said in [
            "another lop runs the session kept (process ",
            "; wait for its end, or stop it",
        ] {
            assert!(end.err.contains(said), "{end}");
        }
        let end = stage.lop(&line);
        assert!(
            end.status == 2 && end.err.contains("another lop is writing to bug.lop.c"),
            "{end}"
        );
        let end = stage.lop(&[&line[..], &["--output", "other.c"]].concat());
        assert!(
            end.status == 2 && end.err.contains("there is a session in kept already"),
            "{end}"
        );
    }
    let now = fs::read_to_string(&journal).expect("a journal");
    assert!(now.starts_with(&before), "what was written stays");
    assert!(stage.passes("bug.lop.c"));
    fs::write(stage.path("go"), "").expect("it waits");
    let said = run.rest();
    assert_eq!(run.wait(), 0, "{said}");
    assert_eq!(stage.read("bug.lop.c"), whole.read("bug.lop.c"));
    let check = stage.lop(&["replay", "--check", "kept"]);
    assert_eq!(check.status, 0, "{check}");
    assert!(!stage.path("kept/lock").exists() && stage.path("kept/done").exists());
}

/// A reduction by this strategy, into this file.
fn line<'a>(strategy: &'a str, output: &'a str) -> [&'a str; 10] {
    [
        "bug.c",
        "test.sh",
        "--no-session",
        "--jobs",
        "2",
        "--plain",
        "--strategy",
        strategy,
        "--output",
        output,
    ]
}

/// They ask about other candidates, so that two runs ask about much that is not the same.
const STRATEGIES: [&str; 2] = ["lop", "hdd"];

#[test]
#[ignore = "long"]
fn two_runs_with_one_cache_at_once_are_right_and_leave_it_whole() {
    let stage = Stage::new();
    stage.write("bug.c", include_str!("../samples/small.c"));
    stage.test(
        "test.sh",
        "grep -q sum bug.c && grep -q handler bug.c && grep -q return bug.c",
    );
    let alone = STRATEGIES.map(|strategy| {
        let end = stage.lop(&line(strategy, "alone.c"));
        assert_eq!(end.status, 0, "{end}");
        stage.read("alone.c")
    });
    let together = || {
        // The second pair is of the same strategy, which asks about the very same.
        let runs = [0, 1, 0, 1].iter().enumerate().map(|(at, which)| {
            let output = format!("{at}.c");
            let words = [
                &line(STRATEGIES[*which], &output)[..],
                &["--cache", "known"],
            ]
            .concat();
            (stage.start(&words), output, &alone[*which])
        });
        for (mut run, output, expected) in runs.collect::<Vec<_>>() {
            let said = run.rest();
            assert_eq!(run.wait(), 0, "{said}");
            assert!(!said.contains("cannot be"), "{said}");
            assert_eq!(stage.read(&output), *expected, "{output}");
        }
    };
    together();
    let known = verdicts(&stage);
    assert!(known > 20, "{known} verdicts");
    // What one has found out all know, and what they say of the same is the same.
    together();
    let known = known.max(verdicts(&stage));
    let words = [&line("lop", "last.c")[..], &["--cache", "known"]].concat();
    let end = stage.lop(&words);
    let said = format!("the cache knows {known} verdicts of this test");
    assert!(end.status == 0 && end.out.contains(&said), "{said}: {end}");
}

/// How many candidates the one file of the cache is about. Each line is whole, and those about the same say the same.
fn verdicts(stage: &Stage) -> usize {
    let entries = fs::read_dir(stage.path("known")).expect("a cache");
    let files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let text = fs::read_to_string(&files[0]).expect("verdicts");
    let mut said = BTreeMap::new();
    for line in text.lines() {
        let result: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let old = said.insert(result["result"].to_string(), result["verdict"].clone());
        assert!(old.is_none_or(|old| old == result["verdict"]), "{line}");
    }
    said.len()
}
