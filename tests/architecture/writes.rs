//! The places that open files for writing, and those that read the clock: few, each with its reason.

use super::source::{Source, modules, sources};
use super::words::words;

/// Words that open a file for writing, name it, or replace another.
const OPENS: &[&[&str]] = &[
    &["OpenOptions"],
    &["File", "::", "options"],
    &["File", "::", "create"],
    &["File", "::", "create_new"],
    &["fs", "::", "write"],
    &["fs", "::", "copy"],
    &["fs", "::", "rename"],
    &["fs", "::", "hard_link"],
    &["renameat"],
    &["renameat_with"],
    &["linkat"],
    &["NamedTempFile"],
    &["tempfile_in"],
];

/// Where that may be, each with the reason: all other files beside the user's go through the first two.
const WRITERS: &[(&str, &str)] = &[
    (
        "src/session/own_files.rs",
        "opens what lop keeps beside the user's files",
    ),
    ("src/session/file_writer.rs", "replaces a file whole"),
    (
        "src/session/directory_layout.rs",
        "exchanges a directory whole",
    ),
    (
        "src/session/output.rs",
        "gives what is in the way another name, if that is free",
    ),
    ("src/oracle/cgroup.rs", "control groups"),
    (
        "src/oracle/cleanup.rs",
        "in the scratch directory, by descriptors",
    ),
    ("src/oracle/test_command.rs", "in the scratch directory"),
    ("src/oracle/helper/oom_score.rs", "in /proc"),
    ("src/oracle/output.rs", "opens to read"),
    (
        "src/oracle/scratch_root.rs",
        "locks of the scratch directory, which nobody else makes and no link leads to",
    ),
    ("src/oracle/sandbox/mod.rs", "in /proc"),
    (
        "src/oracle/sandbox/mount_view.rs",
        "in the file system that only a sandbox sees",
    ),
    ("src/oracle/scratch.rs", "in the scratch directory"),
    ("src/doctor/examination.rs", "in the scratch directory"),
    (
        "src/language/parser/loader.rs",
        "in the user's cache of parsers",
    ),
    ("src/tui/driver/editor.rs", "in a directory made for it"),
    ("src/cli/commands/demo/mod.rs", "in a directory made for it"),
    (
        "src/cli/commands/learn/lesson_run.rs",
        "in a directory made for it",
    ),
    (
        "src/cli/commands/report/mod.rs",
        "in a directory made for it",
    ),
    ("src/cli/launch/ub_guard.rs", "in a directory made for it"),
];

/// Words for the time of day, which may jump.
const CLOCKS: &[&[&str]] = &[
    &["SystemTime"],
    &["UNIX_EPOCH"],
    &["Realtime"],
    &["RealtimeCoarse"],
    &["UnixTime", "::", "now"],
];

/// Who may look at it: nobody who decides anything or keeps a limit.
const WATCHERS: &[(&str, &str)] = &[
    ("src/cli/launch/header.rs", "writes down when a run began"),
    (
        "src/cli/commands/versions.rs",
        "says how long ago that was, and what is old enough to go",
    ),
    (
        "src/oracle/scratch_root.rs",
        "a part of a name, which has a number too",
    ),
    ("src/display/wall_clock.rs", "has it for those named here"),
    (
        "src/plain/lines.rs",
        "says when a run began, paused and ended",
    ),
    (
        "src/reduce/reporting/run_publisher.rs",
        "tells when a decision was made",
    ),
    (
        "src/session/journal/write.rs",
        "writes down when a run was resumed",
    ),
    (
        "src/tui/driver/screen_loop.rs",
        "says whether a question was asked today",
    ),
    ("src/session/lock.rs", "says since when somebody has a lock"),
    (
        "src/session/session_directory.rs",
        "says when a session was written, and lists the newest first",
    ),
];

/// The lines of a source, outside of its tests, where these words stand.
fn places(source: &Source, sequences: &[&[&str]]) -> Vec<String> {
    let words = words(&source.text);
    let in_tests = |module: &[String]| module.iter().any(|part| part == "tests");
    let all = modules(source, &words).into_iter();
    let outside = all.filter(|(module, _)| !in_tests(module));
    let found = outside.filter(|(_, at)| {
        sequences.iter().any(|sequence| {
            let there = words[*at..].iter().map(|word| word.text.as_str());
            there.take(sequence.len()).eq(sequence.iter().copied())
        })
    });
    found
        .map(|(_, at)| format!("{}:{}", source.path, words[at].line))
        .collect()
}

#[track_caller]
fn only(sequences: &[&[&str]], allowed: &[(&str, &str)], advice: &str) {
    let mut used = Vec::new();
    for source in sources("src") {
        let found = places(&source, sequences);
        let excused = allowed.iter().any(|(path, _)| *path == source.path);
        assert!(
            found.is_empty() || excused,
            "{advice}:\n{}",
            found.join("\n")
        );
        if !found.is_empty() {
            used.push(source.path);
        }
    }
    for (path, _) in allowed {
        assert!(
            used.iter().any(|used| used == path),
            "{path} needs its exception no longer"
        );
    }
}

#[test]
fn files_beside_the_users_are_opened_in_one_place() {
    only(
        OPENS,
        WRITERS,
        "open it by src/session/own_files.rs, or replace it by src/session/file_writer.rs",
    );
}

#[test]
fn nobody_who_decides_asks_what_time_it_is() {
    only(
        CLOCKS,
        WATCHERS,
        "the time of day may jump; std::time::Instant does not",
    );
}

#[test]
fn the_check_sees_who_opens_and_lets_tests_do_it() {
    let count = |text| places(&Source::new("src/session/page.rs", text), OPENS).len();
    assert_eq!(
        count("fn f() { std::fs::write(path, text); File::create(path); }"),
        2
    );
    assert_eq!(count("fn f() { File::open(path); fs::read(path); }"), 0);
    assert_eq!(count("mod tests { fn f() { fs::write(path, text); } }"), 0);
    let clocks = |text| places(&Source::new("src/reduce/a.rs", text), CLOCKS).len();
    assert_eq!(clocks("use std::time::{Instant, SystemTime};"), 1);
}
