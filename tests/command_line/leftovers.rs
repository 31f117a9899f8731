//! The files that a killed run leaves, and a run whose session was removed.

use std::fs;
use std::path::PathBuf;

use crate::shell::Stage;

/// Kills the process that waits for a file to be on the disk, at the call of the number in `AT`: the file has no name of its own then.
const KILLS: &str = r#"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int fsync(int file) {
  static int calls;
  const char *at = getenv("AT");
  if (__atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == (at ? atoi(at) : 0)) kill(getpid(), SIGKILL);
  return fdatasync(file);
}
"#;

fn temporary(stage: &Stage) -> Vec<String> {
    let mut names = stage.names();
    names.retain(|name| name.starts_with(".lop-"));
    names
}

#[test]
fn what_a_kill_leaves_beside_the_file_goes_with_the_next_run() {
    let stage = Stage::new();
    let Some(library) = stage.preload("fsync", KILLS) else {
        return;
    };
    let killed = |line: &[&str], at: &str| {
        let end = stage.lop_with(line, &[("LD_PRELOAD", &library), ("AT", at)]);
        assert_eq!(end.status, -1, "{end}");
    };
    let (one, other) = (
        ["bug.c", "test.sh"],
        ["bug.c", "test.sh", "--output", "other.c"],
    );
    // Each file is waited for, and its directory: so the first version is written at the third call.
    killed(&one, "1");
    killed(&other, "1");
    assert_eq!(temporary(&stage).len(), 2, "{:?}", stage.names());
    killed(&one, "3");
    let left = temporary(&stage);
    assert_eq!(left.len(), 2, "the one before has gone: {left:?}");
    assert!(stage.passes("bug.lop.c"));
    stage.write(".lop-mine.tmp", "mine");
    let end = stage.lop(&one);
    assert_eq!(end.status, 0, "{end}");
    let left = temporary(&stage);
    assert_eq!(left.len(), 2, "what is another's stays: {left:?}");
    assert_eq!(stage.read(".lop-mine.tmp"), "mine");
    assert_eq!(stage.lop(&other).status, 0);
    assert_eq!(temporary(&stage), [".lop-mine.tmp"]);
    assert!(!stage.names().iter().any(|name| name.ends_with(".lock")));
}

#[test]
fn a_page_and_other_failures_leave_nothing_either() {
    let stage = Stage::new();
    stage.test(
        "test.sh",
        "grep -q bug bug.c || exit 1\ngrep -q stay bug.c || exit 101",
    );
    let Some(library) = stage.preload("fsync", KILLS) else {
        return;
    };
    let also = [
        "bug.c",
        "test.sh",
        "--also-interesting",
        "101",
        "--jobs",
        "1",
    ];
    assert_eq!(stage.lop(&also).status, 0);
    let inside = || {
        let entries = fs::read_dir(stage.path("bug.lop.also")).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names
            .filter(|name| name.to_string_lossy().starts_with(".lop-"))
            .count()
    };
    let kept = fs::read_dir(stage.path("bug.lop.also")).expect("a directory");
    kept.for_each(|entry| fs::remove_file(entry.expect("an entry").path()).expect("removed"));
    // At some moment it is this file that is waited for.
    let caught = (3..20).any(|at| {
        let at = at.to_string();
        stage.lop_with(&also, &[("LD_PRELOAD", &library), ("AT", &at)]);
        inside() > 0
    });
    assert!(caught, "no kill met it");
    assert_eq!(stage.lop(&also).status, 0);
    assert_eq!(inside(), 0);

    let page = ["export", "--html", "run.html"];
    let end = stage.lop_with(&page, &[("LD_PRELOAD", &library), ("AT", "1")]);
    assert_eq!(end.status, -1, "{end}");
    assert_eq!(temporary(&stage).len(), 1);
    assert_eq!(stage.lop(&page).status, 0);
    assert!(temporary(&stage).is_empty());
}

/// A test at whose call of this number something is done.
fn doing(stage: &Stage, call: u32, what: &str) {
    let calls = stage.path("calls");
    let calls = calls.display();
    let finds = crate::shell::FINDS_BUG;
    stage.test(
        "test.sh",
        &format!("echo >> '{calls}'\ncase $(wc -l < '{calls}') in {call}) {what};; esac\n{finds}"),
    );
}

#[test]
fn a_session_that_is_removed_while_it_runs_is_told_of_and_the_result_is_kept() {
    let line = ["bug.c", "test.sh", "--jobs", "1"];
    let journal = |stage: &Stage| -> PathBuf { stage.sessions().join("bug.c-1/journal.jsonl") };
    let whole = Stage::new();
    assert_eq!(whole.lop(&line).status, 0);
    for (what, script) in [
        ("rm -rf 'STATE/lop'", ""),
        ("rm -rf 'STATE/lop'", "at decision 5: stop\n"),
        (
            "rm 'STATE/lop/sessions/bug.c-1/journal.jsonl'",
            "at decision 5: stop\n",
        ),
        ("mv 'STATE/lop' 'STATE/away'", ""),
        ("mv 'STATE/lop' 'STATE/away'", "at decision 5: stop\n"),
    ] {
        let stage = Stage::new();
        doing(
            &stage,
            5,
            &what.replace("STATE", &stage.state().display().to_string()),
        );
        stage.write("script", script);
        let end = stage.lop(&[&line[..], &["--commands", "script"]].concat());
        let status = if script.is_empty() { 0 } else { 130 };
        assert_eq!(end.status, status, "{what}: {end}");
        let told = format!(
            "the journal {} was removed during the run",
            journal(&stage).display()
        );
        assert_eq!(end.out.matches(&told).count(), 1, "{what}: {end}");
        assert!(!end.out.contains("resumes it"), "{what}: {end}");
        let last = end.out.lines().last().unwrap_or_default();
        assert!(last.contains("no longer exists"), "{what}: {end}");
        assert!(stage.passes("bug.lop.c"));
        if script.is_empty() {
            assert_eq!(stage.read("bug.lop.c"), whole.read("bug.lop.c"));
        }
        assert_eq!(stage.lop(&["sessions"]).out, "no sessions\n", "{what}");
    }
}

#[test]
fn a_session_that_takes_the_name_of_one_that_was_removed_is_not_touched_by_that_one() {
    let stage = Stage::new();
    let other = Stage::new();
    assert_eq!(other.lop(&["bug.c", "test.sh"]).status, 0);
    let (state, theirs) = (stage.state().display(), other.state().display());
    doing(
        &stage,
        5,
        &format!(
            "rm -rf '{state}/lop'; cp -r '{theirs}/lop' '{state}/lop'; rm '{state}/lop/sessions/bug.c-1/done'"
        ),
    );
    let end = stage.lop(&["bug.c", "test.sh", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("no longer exists"), "{end}");
    let journal = |stage: &Stage| fs::read(stage.sessions().join("bug.c-1/journal.jsonl"));
    assert_eq!(
        journal(&stage).expect("a journal"),
        journal(&other).expect("a journal")
    );
    let done = stage.sessions().join("bug.c-1/done");
    assert!(!done.exists(), "nobody says that the other is done");
}
