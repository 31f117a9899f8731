//! Viewing somebody else's session: nothing is built, loaded, run, written or waited for.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use lop::program::ContentHash;

use crate::shell::{End, Stage};

/// Where the sources of the JSON grammar are.
const JSON: &str = include_str!(concat!(env!("OUT_DIR"), "/json.home"));

/// Runs lop with a cache of its own.
fn lop(stage: &Stage, line: &[&str]) -> End {
    let cache = stage.path("cache");
    stage.lop_with(line, &[("XDG_CACHE_HOME", cache.to_str().expect("a path"))])
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").args([from, to]).status();
    assert!(copied.expect("cp").success());
}

/// A session that names a grammar, whose parser leaves the file LOADED when it is loaded; sent by somebody, so that nothing of it was
/// ever built here.
fn hostile() -> Stage {
    let stage = Stage::new();
    stage.write("a.json", "{\"x\": [1, {\"a\": null}], \"y\": [true, 2]}\n");
    stage.test("null.sh", "grep -q '\"a\": null' a.json");
    stage.write("stop.txt", "at commit 1: stop\n");
    copy(Path::new(JSON), &stage.path("grammar"));
    let parser = stage.path("grammar/src/parser.c");
    let text = fs::read_to_string(&parser).expect("a parser");
    let trap = format!(
        "#include <stdio.h>\n{text}\n__attribute__((constructor)) static void trap(void) {{ fclose(fopen(\"{}\", \"w\")); }}\n",
        stage.path("LOADED").display()
    );
    fs::write(&parser, trap).expect("a parser");
    let line = [
        "a.json",
        "null.sh",
        "--grammar",
        "grammar",
        "--commands",
        "stop.txt",
    ];
    let end = lop(&stage, &line);
    assert!(
        end.out.contains("`lop resume a.json-1` resumes it"),
        "{end}"
    );
    copy(&stage.sessions().join("a.json-1"), &stage.path("sent"));
    unload(&stage);
    stage
}

/// As if it had never been built here.
fn unload(stage: &Stage) {
    fs::remove_file(stage.path("LOADED")).expect("it was loaded");
    fs::remove_dir_all(stage.path("cache")).expect("a cache");
}

#[test]
fn looking_at_a_session_builds_and_loads_nothing() {
    let stage = hostile();
    for (line, status, shown) in [
        (&["replay", "sent", "--plain"][..], 0, "at version 1 now"),
        (&["replay", "sent/journal.jsonl"], 0, "at version 1 now"),
        (&["replay", "sent", "--check"], 2, "nothing can be compared"),
        (&["history", "sent"], 0, "<- kept"),
        (&["show", "1", "sent"], 0, "\"a\": null"),
        (&["diff", "0", "1", "sent"], 1, "+++ version 1"),
        (&["export", "sent", "--jsonl"], 0, "\"step\":1"),
        (
            &["export", "sent", "--html", "page.html"],
            0,
            "plays the session",
        ),
        (&["resume", "sent"], 2, "C code, which lop builds and loads"),
    ] {
        let end = lop(&stage, line);
        assert!(end.status == status, "{line:?}: {end}");
        assert!(end.to_string().contains(shown), "{line:?}: {end}");
        assert!(!stage.path("LOADED").exists(), "{line:?}: {end}");
        assert!(!stage.path("cache").exists(), "{line:?}: {end}");
    }
    let end = lop(&stage, &["replay", "sent", "--plain"]);
    let said = format!(
        "its grammar in {} is not loaded",
        stage.path("grammar").display()
    );
    assert!(end.err.contains(&said), "{end}");
    // It is a trap: who trusts it walks into it, and one's own session needs no question.
    assert_eq!(lop(&stage, &["resume", "sent", "--trust"]).status, 0);
    unload(&stage);
    let end = lop(&stage, &["replay", "a.json-1", "--plain"]);
    assert!(end.status == 0 && stage.path("LOADED").exists(), "{end}");
}

#[test]
fn a_pipe_in_the_place_of_a_journal_keeps_nobody_waiting() {
    let stage = Stage::new();
    fs::create_dir(stage.path("sent")).expect("a directory");
    stage.pipe("sent/journal.jsonl");
    for line in [
        &["replay", "sent"][..],
        &["replay", "--check", "sent"],
        &["resume", "sent"],
    ] {
        let end = stage.lop(line);
        let said = end.err.contains("it is no regular file");
        assert!(end.status == 2 && said, "{line:?}: {end}");
    }
}

/// The sum at the end of a line of a journal (docs/JOURNAL.md).
fn sum(before: &str, object: &str) -> String {
    let bytes = object.as_bytes();
    let hash = ContentHash::from_bytes(before.as_bytes())
        .followed_by(ContentHash::from_bytes(bytes), bytes.len() as u64);
    hash.to_string()[8..16].to_owned()
}

/// The journal with one more line after the header.
fn with_line(journal: &str, more: &str) -> String {
    let mut lines = journal.lines();
    let header = lines.next().expect("a header");
    let mut before = header[header.len() - 10..header.len() - 2].to_owned();
    let mut text = format!("{header}\n");
    for line in [more].into_iter().chain(lines) {
        let object = line.split(",\"sum\":").next().unwrap_or(line);
        before = sum(&before, object);
        text += &format!("{object},\"sum\":\"{before}\"}}\n");
    }
    text
}

#[test]
fn a_file_that_a_journal_names_is_not_read() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let journal = stage.sessions().join("bug.c-1/journal.jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    stage.pipe("pipe");
    let path = stage.path("pipe").display().to_string();
    let edit = format!("{{\"command\":\"edit {path}\",\"before\":1,\"rejected\":0,\"ms\":0");
    let hostile = with_line(&text, &edit);
    fs::create_dir(stage.path("sent")).expect("a directory");
    stage.write("sent/journal.jsonl", &hostile);
    for line in [
        &["replay", "sent", "--plain"][..],
        &["replay", "sent", "--check"],
        &["history", "sent"],
        &["export", "sent", "--jsonl"],
    ] {
        let end = stage.lop(line);
        assert!(
            end.status <= 1 && !end.err.contains("damaged"),
            "{line:?}: {end}"
        );
    }
}

/// The names in a directory.
fn all(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    names
}

#[test]
fn what_a_link_leads_to_is_not_removed() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    let (sessions, sent) = (stage.sessions(), stage.path("sent"));
    copy(&sessions.join("bug.c-1"), &sent);
    stage.write("sent/mine", "precious");
    symlink(&sent, sessions.join("linked")).expect("a link");
    fs::create_dir(sessions.join("bug.c-1/inside")).expect("a directory");
    symlink(&sent, sessions.join("bug.c-1/inside/linked")).expect("a link");
    let before = all(&sent);
    assert!(before.len() > 2);
    let end = stage.lop(&["sessions", "prune", "--yes", "--all"]);
    assert!(end.out.contains("linked is a link"), "{end}");
    assert!(end.out.contains("1 session removed"), "{end}");
    assert!(!sessions.join("bug.c-1").exists());
    assert!(sessions.join("linked").is_symlink());
    assert_eq!(all(&sent), before);
}
