//! A disk that becomes full while lop runs, and later has room again: nothing is lost, and no verdict is wrong.
//!
//! The disk is a small file system in memory that only lop and its tests see. Where mounting is forbidden, these tests are skipped, and
//! say so.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{Running, Stage};
use lop::session::history::SessionHistory;

const PROGRAM: &str = include_str!("../samples/small.c");
const TEST: &str = "grep -q sum \"$1\" && grep -q handler \"$1\" && grep -q return \"$1\"";

/// How to get a name space of one's own for mounts.
fn apart() -> Option<&'static str> {
    let works = |flag: &&str| {
        let mut command = Command::new("unshare");
        command.args([flag, "sh", "-c", "mount -t tmpfs tmpfs /mnt"]);
        command.output().is_ok_and(|output| output.status.success())
    };
    let found = ["-Urm", "-m"].into_iter().find(works);
    if found.is_none() {
        println!("SKIPPED: no file system can be mounted here, so none can be full");
    }
    found
}

/// A stage whose test does `then` besides, at its call of this number.
fn stage(call: u32, then: &str) -> Stage {
    let stage = Stage::new();
    stage.write("bug.c", PROGRAM);
    fs::create_dir(stage.path("disk")).expect("a directory");
    let calls = stage.path("calls");
    let calls = calls.display();
    stage.test(
        "test.sh",
        &format!("echo >> '{calls}'\ncase $(wc -l < '{calls}') in {call}) {then};; esac\n{TEST}"),
    );
    stage
}

/// The result of the same run with a disk that has room.
fn expected() -> String {
    let stage = stage(0, ":");
    let end = stage.lop(&["bug.c", "test.sh", "--no-session"]);
    assert_eq!(end.status, 0, "{end}");
    stage.read("bug.lop.c")
}

fn is_interesting(text: &str) -> bool {
    ["sum", "handler", "return"]
        .iter()
        .all(|word| text.contains(word))
}

/// lop, with a small file system at `disk`; at its end all that is on it is copied to `kept`.
fn start(stage: &Stage, disk: &Path, size: &str, line: &[&str]) -> Option<Running> {
    let script = format!(
        "mount -t tmpfs -o size={size} tmpfs '{0}' || exit 99; '{1}' \"$@\"; status=$?; cp -r '{0}' '{2}'; exit $status",
        disk.display(),
        env!("CARGO_BIN_EXE_lop"),
        stage.path("kept").display()
    );
    let before = [
        apart()?,
        "sh",
        "-c",
        &script,
        "sh",
        "bug.c",
        "test.sh",
        "--effort",
        "quick",
        "--jobs",
        "1",
        "--plain",
    ];
    let line: Vec<&str> = before.iter().chain(line).copied().collect();
    Some(Stage::follow(stage.program("unshare", &line)))
}

/// A command that fills a disk.
fn fill(disk: &Path) -> String {
    format!("cat /dev/zero > '{}/fill' 2> /dev/null", disk.display())
}

/// Makes room again.
fn empty(lop: &Running, disk: &Path) {
    let seen = lop
        .root()
        .join(disk.strip_prefix("/").expect("an absolute path"));
    fs::remove_file(seen.join("fill")).expect("room");
}

/// Follows it until it says this.
fn until(lop: &mut Running, word: &str) {
    while !lop.line().contains(word) {}
}

#[test]
#[ignore = "long"]
fn a_full_state_directory_makes_the_run_wait_and_nothing_is_missing_after_it() {
    let plain = Stage::new();
    let state = plain.state().to_path_buf();
    let stage = stage(4, &fill(&state));
    let Some(mut lop) = start(
        &stage,
        &state,
        "64k",
        &["--session", &state.join("it").display().to_string()],
    ) else {
        return;
    };
    until(&mut lop, "No space left on device");
    assert!(is_interesting(&stage.read("bug.lop.c")));
    empty(&lop, &state);
    let said = lop.rest();
    assert!(
        said.contains("could be written again; the run continues"),
        "{said}"
    );
    assert_eq!(lop.wait(), 0, "{said}");
    assert_eq!(stage.read("bug.lop.c"), expected());
    let journal = stage.path("kept/it/journal.jsonl");
    let story = SessionHistory::read_from(&journal).expect("a story");
    assert!(story.journal.damage_note().is_none() && story.end.as_deref() == Some("complete"));
    assert_eq!(
        story.versions.document_texts(story.versions.kept),
        Some(vec![Some(expected().into_bytes().into())])
    );
    let check = stage.lop(&["replay", "--check", &journal.display().to_string()]);
    assert_eq!(check.status, 0, "{check}");
}

#[test]
fn a_full_scratch_directory_makes_no_candidate_uninteresting() {
    let probe = stage(0, ":");
    let disk = probe.path("disk");
    // The test itself needs room, and says no when it has none.
    let stage = stage(5, &format!("{}; echo > own || exit 1", fill(&disk)));
    let line = ["--scratch", &disk.display().to_string(), "--no-session"];
    let Some(mut lop) = start(&stage, &disk, "1m", &line) else {
        return;
    };
    until(&mut lop, "then asking again");
    empty(&lop, &disk);
    let said = lop.rest();
    assert!(
        said.contains("the test could be run again; the run continues"),
        "{said}"
    );
    assert_eq!(lop.wait(), 0, "{said}");
    assert_eq!(stage.read("bug.lop.c"), expected());
}

#[test]
fn a_full_disk_for_the_result_is_told_and_tried_again() {
    let probe = stage(0, ":");
    let disk = probe.path("disk");
    // After some versions that cannot be written the run stands still until there is room.
    let stage = stage(5, &fill(&disk));
    let (calls, pipe) = (stage.path("calls"), stage.path("go"));
    stage.pipe("go");
    let test = stage.read("test.sh");
    let waits = format!(
        "[ $(wc -l < '{}') = 30 ] && cat '{}'\n{TEST}",
        calls.display(),
        pipe.display()
    );
    stage.write("test.sh", &test.replace(TEST, &waits));
    let output = disk.join("small.c").display().to_string();
    let line = ["--no-session", "--output", &output, "--timeout", "0"];
    let Some(mut lop) = start(&stage, &disk, "64k", &line) else {
        return;
    };
    until(&mut lop, "cannot be written");
    empty(&lop, &disk);
    fs::write(&pipe, "").expect("it waits");
    let said = lop.rest();
    assert_eq!(lop.wait(), 0, "{said}");
    assert_eq!(stage.read("kept/small.c"), expected());
}

#[test]
fn a_journal_for_which_there_is_no_room_at_all_is_refused() {
    let Some(apart) = apart() else {
        return;
    };
    let stage = Stage::new();
    let disk = stage.path("disk");
    fs::create_dir(&disk).expect("a directory");
    let script = format!(
        "mount -t tmpfs -o size=64k tmpfs '{0}' || exit 99; {1}; '{2}' bug.c test.sh --no-session --journal '{0}/log'",
        disk.display(),
        fill(&disk),
        env!("CARGO_BIN_EXE_lop")
    );
    let mut lop = stage.program("unshare", &[apart, "sh", "-c", &script]);
    let output = lop.output().expect("lop");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("No space left") && said.contains("name another"),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(!stage.path("bug.lop.c").exists());
}
