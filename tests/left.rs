//! What is left of a run that was killed.

mod shell;

use std::fs;

use shell::Stage;

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
