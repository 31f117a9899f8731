//! A clock that jumps: no decision, limit or record depends on the time of day.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use crate::shell::Stage;
use lop::program::ContentHash;
use serde_json::Value;

/// The time of day jumps by years, forward and back, each time that anybody asks for it. Time that only passes stays as it is.
const JUMPS: &str = r#"
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long jump(void) {
  static long calls;
  return __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) % 2 ? 400000000 : -400000000;
}
int clock_gettime(clockid_t clock, struct timespec *at) {
  int failed = syscall(SYS_clock_gettime, clock, at);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += jump();
  return failed;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
"#;

/// One candidate makes it hang.
const TEST: &str = "grep -q bug bug.c || exit 1\n\
    grep -q stay bug.c || { grep -q 'int a' bug.c && grep -q 'int b' bug.c && exec tail -f /dev/null; exit 1; }";

/// All that a journal has decided, without the moments; and the second in which it began.
fn decisions(text: &str) -> (Vec<String>, i64) {
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line"));
    let lines: Vec<Value> = lines.collect();
    let began = lines[0]["run"]["began"].as_i64().expect("a second");
    let decided = lines
        .iter()
        .filter(|line| line["decision"].is_u64() || line["accept"].is_u64());
    let timeless = decided.map(|line| {
        let mut line = line.clone();
        line.as_object_mut()
            .expect("a line")
            .retain(|name, _| !["ms", "sum", "text"].contains(&&name[..]));
        line.to_string()
    });
    (timeless.collect(), began)
}

fn journal(stage: &Stage) -> String {
    let path = stage.sessions().join("bug.c-1/journal.jsonl");
    fs::read_to_string(path).expect("a journal")
}

#[test]
#[ignore = "long"]
fn a_run_decides_the_same_and_keeps_its_limits_while_the_clock_jumps() {
    let stages = [Stage::new(), Stage::new()];
    stages.iter().for_each(|stage| stage.test("test.sh", TEST));
    let Some(library) = stages[0].preload("clock", JUMPS) else {
        return;
    };
    let line = ["bug.c", "test.sh", "--timeout", "3", "--cache", "known"];
    let jumps = [("LD_PRELOAD", &library[..])];
    let ends = [stages[0].lop_with(&line, &jumps), stages[1].lop(&line)];
    for end in &ends {
        assert_eq!(end.status, 0, "{end}");
        assert!(end.out.contains(" 1 timed out"), "only what hangs: {end}");
    }
    assert_eq!(stages[0].read("bug.lop.c"), stages[1].read("bug.lop.c"));
    let [(jumped, began), (usual, now)] = [0, 1].map(|at| decisions(&journal(&stages[at])));
    assert!(
        (began - now).abs() > 100_000_000,
        "the clock jumped: {began}, {now}"
    );
    assert_eq!(jumped, usual);
    // All that looks at the time of day.
    for line in [
        &["sessions"][..],
        &["history"],
        &["replay", "--check"],
        &["sessions", "prune", "--yes"],
    ] {
        let end = stages[0].lop_with(line, &jumps);
        assert_eq!(end.status, 0, "{line:?}: {end}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_at_another_time() {
    let whole = Stage::new();
    assert_eq!(whole.lop(&["bug.c", "test.sh"]).status, 0);
    let year = Duration::from_secs(365 * 86_400);
    for then in [
        SystemTime::now() + year,
        SystemTime::UNIX_EPOCH,
        SystemTime::now() - year,
    ] {
        let stage = Stage::new();
        stage.write("script", "at decision 3: stop\n");
        let line = [
            "bug.c",
            "test.sh",
            "--commands",
            "script",
            "--cache",
            "known",
        ];
        assert_eq!(stage.lop(&line).status, 130);
        for path in [
            stage.sessions().join("bug.c-1/journal.jsonl"),
            stage.path("bug.lop.c"),
            stage.path("test.sh"),
        ] {
            let file = File::options().append(true).open(path).expect("a file");
            file.set_modified(then).expect("another time");
        }
        let end = stage.lop(&["sessions"]);
        assert!(
            end.out.contains("stopped") && end.out.contains(" ago"),
            "{end}"
        );
        let end = stage.lop(&["resume", "--cache", "known"]);
        assert!(
            end.status == 0 && end.out.contains("are replayed, without a test"),
            "{end}"
        );
        assert_eq!(stage.read("bug.lop.c"), whole.read("bug.lop.c"));
        assert_eq!(decisions(&journal(&stage)).0, decisions(&journal(&whole)).0);
    }
}

/// The sum of a line, as `docs/JOURNAL.md` says.
fn sum(before: &str, object: &[u8]) -> String {
    ContentHash::from_bytes(&[before.as_bytes(), object].concat()).to_string()[8..16].to_owned()
}

/// The lines of a journal with other moments, and right sums.
fn at_moments(text: &str, moment: impl Fn(usize) -> u64) -> String {
    let (mut made, mut before) = (String::new(), "00000000".to_owned());
    for (at, line) in text.lines().enumerate() {
        let mut object = line.rsplit_once(",\"sum\"").expect("a sum").0.to_owned();
        if let Some(place) = object.rfind(",\"ms\":") {
            object.truncate(place);
            object += &format!(",\"ms\":{}", moment(at));
        }
        if let Some((start, _)) = object.clone().split_once(",\"began\":") {
            object = format!("{start},\"began\":{}}}", u64::MAX);
        }
        before = sum(&before, object.as_bytes());
        made += &format!("{object},\"sum\":\"{before}\"}}\n");
    }
    made
}

#[test]
#[ignore = "long"]
fn a_journal_whose_times_go_backward_or_leap_is_read_gone_on_with_and_shown() {
    let whole = Stage::new();
    assert_eq!(whole.lop(&["bug.c", "test.sh", "--jobs", "1"]).status, 0);
    let text = journal(&whole);
    let moments: [fn(usize) -> u64; 4] = [
        |at| 1_000_000 - at as u64,
        |at| (at as u64 % 2) * u64::MAX,
        |_| u64::MAX,
        |_| 0,
    ];
    for (at, moment) in moments.into_iter().enumerate() {
        let stage = Stage::new();
        let written = at_moments(&text, moment);
        assert_eq!(
            decisions(&text).0,
            decisions(&written.replace(&u64::MAX.to_string(), "0")).0
        );
        fs::create_dir(stage.path("kept")).expect("a directory");
        stage.write("kept/journal.jsonl", &written);
        for line in [
            &["history", "kept"][..],
            &["replay", "kept", "--check"],
            &["replay", "kept", "--plain"],
            &["export", "kept", "--jsonl"],
            &["export", "kept", "--html", "run.html"],
        ] {
            let end = stage.lop(line);
            assert!(
                end.status == 0 && !end.out.contains("damaged"),
                "{at}: {line:?}: {end}"
            );
        }
        // Cut off in the middle, with the paths of this stage.
        let (old, new) = (whole.path(""), stage.path(""));
        let moved = text.replace(&old.display().to_string(), &new.display().to_string());
        let cut: Vec<&str> = moved.lines().take(6).collect();
        stage.write(
            "kept/journal.jsonl",
            &at_moments(&(cut.join("\n") + "\n"), moment),
        );
        let end = stage.lop(&["resume", "kept", "--trust", "--jobs", "1"]);
        assert!(
            end.status == 0 && end.out.contains("are replayed, without a test"),
            "{at}: {end}"
        );
        assert_eq!(stage.read("bug.lop.c"), whole.read("bug.lop.c"), "{at}");
        let end = stage.lop(&["replay", "kept", "--check"]);
        assert_eq!(end.status, 0, "{at}: {end}");
    }
}
