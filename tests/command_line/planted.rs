//! Foreign files in the places of lop's own: lop does not read, follow, wait for, overwrite or remove them.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::shell::{End, PROGRAM, Stage};

const PRECIOUS: &str = "export PRECIOUS=1\n";
/// In seconds: whoever waits for a pipe waits for ever.
const PATIENCE: &str = "60";

/// What lies somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Link,
    LinkToNothing,
    SecondName,
    Text,
    Pipe,
    Directory,
    Socket,
    Device,
}

const ALL: &[Thing] = &[
    Thing::Link,
    Thing::LinkToNothing,
    Thing::SecondName,
    Thing::Text,
    Thing::Pipe,
    Thing::Directory,
    Thing::Socket,
    Thing::Device,
];

impl Thing {
    /// What lop calls it.
    fn word(self) -> &'static str {
        match self {
            Thing::Link | Thing::LinkToNothing => "a link",
            Thing::SecondName => "a file with a second name (a hard link)",
            Thing::Text => "a file that lop did not write",
            Thing::Pipe => "a pipe",
            Thing::Directory => "a directory",
            Thing::Socket => "a socket",
            Thing::Device => "a device",
        }
    }

    /// Puts it there; whether it could be.
    fn put(self, stage: &Stage, name: &str) -> bool {
        let path = stage.path(name);
        let theirs = stage.path("theirs");
        fs::write(&theirs, PRECIOUS).expect("a file");
        match self {
            Thing::Link => symlink(theirs, path).expect("a link"),
            Thing::LinkToNothing => symlink(stage.path("nothing"), path).expect("a link"),
            Thing::SecondName => fs::hard_link(theirs, path).expect("a hard link"),
            Thing::Text => fs::write(path, PRECIOUS).expect("a file"),
            Thing::Pipe => stage.pipe(name),
            Thing::Directory => fs::create_dir(path).expect("a directory"),
            Thing::Socket => drop(UnixListener::bind(path).expect("a socket")),
            Thing::Device => {
                let mut mknod = Command::new("mknod");
                let made = mknod.arg(path).args(["c", "1", "3"]).stderr(Stdio::null());
                let made = made.status().is_ok_and(|status| status.success());
                if !made {
                    println!("SKIPPED: nobody but root can make a device");
                }
                return made;
            }
        }
        true
    }

    /// It is as it was put there.
    #[track_caller]
    fn stays(self, stage: &Stage, name: &str) {
        let about = fs::symlink_metadata(stage.path(name));
        let about = about.unwrap_or_else(|error| panic!("{self:?} in {name}: {error}"));
        if matches!(self, Thing::SecondName | Thing::Text) {
            assert_eq!(stage.read(name), PRECIOUS, "{self:?} in {name}");
        } else {
            assert!(!about.is_file(), "{self:?} in {name}");
        }
        assert_eq!(stage.read("theirs"), PRECIOUS, "{self:?} in {name}");
        assert!(!stage.path("nothing").exists(), "{self:?} in {name}");
    }
}

/// Runs lop, which is killed if it waits for ever.
fn lop(stage: &Stage, line: &[&str]) -> End {
    let before = ["-s", "KILL", PATIENCE, env!("CARGO_BIN_EXE_lop")];
    let mut command = stage.program("timeout", &[&before[..], line].concat());
    command.output().expect("lop").into()
}

/// Whatever lies there, this command line is refused with this status, and it stays; `words` is what is said of each.
#[track_caller]
fn refuses_all(name: &str, line: &[&str], status: i32, words: impl Fn(Thing) -> String) {
    for &thing in ALL {
        let stage = Stage::new();
        if !thing.put(&stage, name) {
            continue;
        }
        let end = lop(&stage, line);
        assert_eq!(end.status, status, "{thing:?} in {name}: {end}");
        assert!(
            end.err.contains(&words(thing)),
            "{thing:?} in {name}: {end}"
        );
        thing.stays(&stage, name);
        assert_eq!(stage.read("bug.c"), PROGRAM);
    }
}

/// A session in `kept` that was stopped in the middle, and its journal.
fn stopped(stage: &Stage) -> PathBuf {
    stage.write("script", "at decision 3: stop\n");
    let line = [
        "bug.c",
        "test.sh",
        "--session",
        "kept",
        "--commands",
        "script",
    ];
    let end = stage.lop(&line);
    assert_eq!(end.status, 130, "{end}");
    stage.path("kept/journal.jsonl")
}

#[test]
fn in_the_place_of_the_lock() {
    let (name, line) = (".bug.lop.c.lock", ["bug.c", "test.sh"]);
    refuses_all(name, &line, 2, |thing| {
        let word = thing.word();
        format!(
            "the result cannot go to bug.lop.c: {name} is {word}, and lop uses only files of its own there; name another place"
        )
    });
    // What a killed run left is nobody's.
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    run.kill();
    assert!(stage.read(name).starts_with("lop-lock "));
    assert_eq!(stage.lop(&line).status, 0);
    assert!(!stage.path(name).exists());
}

#[test]
fn in_the_place_of_the_result() {
    let line = ["bug.c", "test.sh"];
    for (thing, word) in [
        (
            Thing::Link,
            "theirs, which nobody named as the output; move it away, or name it with --output",
        ),
        (
            Thing::LinkToNothing,
            "nothing, which nobody named as the output",
        ),
        (
            Thing::Pipe,
            "the result cannot go to bug.lop.c: it is a pipe",
        ),
        (Thing::Directory, "it is a directory"),
        (Thing::Socket, "it is a socket"),
        (Thing::Device, "it is a device"),
    ] {
        let stage = Stage::new();
        if !thing.put(&stage, "bug.lop.c") {
            continue;
        }
        let end = lop(&stage, &line);
        assert!(
            end.status == 2 && end.err.contains(word),
            "{thing:?}: {end}"
        );
        thing.stays(&stage, "bug.lop.c");
    }
    // A second name loses nothing: it is the name that is put aside.
    let stage = Stage::new();
    Thing::SecondName.put(&stage, "bug.lop.c");
    assert_eq!(lop(&stage, &line).status, 0);
    assert_eq!(stage.read("theirs"), PRECIOUS);
    assert_eq!(stage.read("bug.lop.1.c"), PRECIOUS);
    assert!(stage.passes("bug.lop.c"));
}

#[test]
#[ignore = "long"]
fn in_the_place_of_the_original_that_is_kept() {
    for &thing in ALL {
        let stage = Stage::new();
        if !thing.put(&stage, "bug.c.orig") {
            continue;
        }
        let end = lop(&stage, &["bug.c", "test.sh", "--in-place"]);
        assert_eq!(end.status, 0, "{thing:?}: {end}");
        assert!(
            end.out.contains("bug.c.orig is there already"),
            "{thing:?}: {end}"
        );
        thing.stays(&stage, "bug.c.orig");
        assert_eq!(stage.read("bug.c.orig.1"), PROGRAM, "{thing:?}");
    }
    // What a link to the input holds is gone with the input.
    let stage = Stage::new();
    symlink("bug.c", stage.path("bug.c.orig")).expect("a link");
    let end = lop(&stage, &["bug.c", "test.sh", "--in-place"]);
    assert_eq!(end.status, 0, "{end}");
    assert_eq!(stage.read("bug.c.orig.1"), PROGRAM);
}

#[test]
fn in_the_place_of_a_journal() {
    let line = ["bug.c", "test.sh", "--no-session", "--journal", "log"];
    refuses_all("log", &line, 2, |thing| {
        let word = thing.word();
        format!(
            "the journal log cannot be used: log is {word}, and lop uses only files of its own there"
        )
    });
    // Another run's is lop's, and yet not this one's.
    let stage = Stage::new();
    let other = stopped(&stage);
    let text = fs::read_to_string(&other).expect("a journal");
    symlink(&other, stage.path("log")).expect("a link");
    assert_eq!(lop(&stage, &line).status, 2);
    assert_eq!(fs::read_to_string(&other).expect("a journal"), text);
}

#[test]
fn in_the_place_of_a_test_that_is_written() {
    let line = ["init", "bug.c", "--output", "made.sh", "--", "false", "{}"];
    refuses_all("made.sh", &line, 2, |_| "made.sh exists".into());
}

#[test]
#[ignore = "long"]
fn in_the_place_of_a_page() {
    for &thing in ALL {
        let stage = Stage::new();
        stopped(&stage);
        if !thing.put(&stage, "run.html") {
            continue;
        }
        let end = lop(&stage, &["export", "kept", "--html", "run.html"]);
        let (status, word) = match thing {
            Thing::SecondName | Thing::Text => (2, "run.html exists and is not a page of lop"),
            _ => (3, thing.word()),
        };
        assert!(
            end.status == status && end.err.contains(word),
            "{thing:?}: {end}"
        );
        thing.stays(&stage, "run.html");
    }
}

#[test]
#[ignore = "long"]
fn in_the_directory_of_a_session_that_is_gone_on_with() {
    for &thing in ALL {
        let stage = Stage::new();
        stopped(&stage);
        if !thing.put(&stage, "kept/done") {
            continue;
        }
        let end = lop(&stage, &["resume", "kept", "--trust"]);
        let said = format!("kept/done is {}, and lop uses only", thing.word());
        assert!(
            end.status == 0 && end.out.contains(&said),
            "{thing:?}: {end}"
        );
        thing.stays(&stage, "kept/done");

        let stage = Stage::new();
        let text = fs::read_to_string(stopped(&stage)).expect("a journal");
        assert!(text.matches("\"result\"").count() > 1, "{text}");
        fs::write(
            stage.path("kept/journal.jsonl"),
            text.replacen("\"result\"", "\"resolt\"", 1),
        )
        .expect("damage");
        thing.put(&stage, "kept/journal.damaged");
        let end = lop(&stage, &["resume", "kept", "--trust"]);
        assert!(
            end.status == 2 && end.err.contains(thing.word()),
            "{thing:?}: {end}"
        );
        thing.stays(&stage, "kept/journal.damaged");

        let stage = Stage::new();
        stopped(&stage);
        thing.put(&stage, "kept/lock");
        let end = lop(&stage, &["resume", "kept", "--trust"]);
        assert!(
            end.status == 2 && end.err.contains(thing.word()),
            "{thing:?}: {end}"
        );
        thing.stays(&stage, "kept/lock");
    }
}

#[test]
fn in_the_place_of_the_journal_of_a_session() {
    for &thing in ALL {
        let stage = Stage::new();
        fs::create_dir(stage.path("kept")).expect("a directory");
        if !thing.put(&stage, "kept/journal.jsonl") {
            continue;
        }
        for line in [
            &["history", "kept"][..],
            &["resume", "kept", "--trust"],
            &["export", "kept", "--jsonl"],
        ] {
            let end = lop(&stage, line);
            assert_eq!(end.status, 2, "{thing:?}: {line:?}: {end}");
            thing.stays(&stage, "kept/journal.jsonl");
        }
    }
    // A link to a journal can be looked at, and not be written to.
    let stage = Stage::new();
    let journal = stopped(&stage);
    fs::create_dir(stage.path("other")).expect("a directory");
    symlink(&journal, stage.path("other/journal.jsonl")).expect("a link");
    let text = fs::read_to_string(&journal).expect("a journal");
    assert_eq!(lop(&stage, &["history", "other"]).status, 0);
    let end = lop(&stage, &["resume", "other", "--trust"]);
    assert!(end.status == 2 && end.err.contains("is a link"), "{end}");
    assert_eq!(fs::read_to_string(&journal).expect("a journal"), text);
}

#[test]
#[ignore = "long"]
fn in_the_place_of_a_file_of_the_cache() {
    let line = ["bug.c", "test.sh", "--no-session", "--cache", "known"];
    for &thing in ALL {
        let stage = Stage::new();
        assert_eq!(stage.lop(&line).status, 0);
        let mut entries = fs::read_dir(stage.path("known")).expect("a cache");
        let file = entries.next().expect("a file").expect("a file").file_name();
        let name = format!("known/{}", file.to_string_lossy());
        fs::remove_file(stage.path(&name)).expect("removed");
        if !thing.put(&stage, &name) {
            continue;
        }
        let end = lop(&stage, &line);
        assert_eq!(end.status, 0, "{thing:?}: {end}");
        let said = format!(
            "is {}, and lop uses only files of its own there; the run continues without it",
            thing.word()
        );
        assert!(end.out.contains(&said), "{thing:?}: {end}");
        thing.stays(&stage, &name);
    }
}

#[test]
#[ignore = "long"]
fn in_the_place_of_other_failures() {
    let fails = "grep -q bug bug.c || exit 1\ngrep -q stay bug.c || exit 101";
    for &thing in ALL.iter().filter(|thing| **thing != Thing::Directory) {
        let stage = Stage::new();
        stage.test("test.sh", fails);
        if !thing.put(&stage, "bug.lop.also") {
            continue;
        }
        let end = lop(&stage, &["bug.c", "test.sh", "--also-interesting", "101"]);
        assert_eq!(end.status, 0, "{thing:?}: {end}");
        assert!(
            end.out
                .contains("another failure cannot be kept in bug.lop.also/"),
            "{thing:?}: {end}"
        );
        thing.stays(&stage, "bug.lop.also");
    }
    // A directory of others behind a link gets no file either.
    let stage = Stage::new();
    stage.test("test.sh", fails);
    fs::create_dir(stage.path("others")).expect("a directory");
    symlink("others", stage.path("bug.lop.also")).expect("a link");
    let end = lop(&stage, &["bug.c", "test.sh", "--also-interesting", "101"]);
    assert!(end.status == 0 && end.out.contains("is a link"), "{end}");
    let inside = |path: &Path| fs::read_dir(path).expect("a directory").count();
    assert_eq!(inside(&stage.path("others")), 0);
}

#[test]
fn in_the_place_of_other_failures_after_the_first_of_them() {
    let stage = Stage::new();
    fs::create_dir(stage.path("others")).expect("a directory");
    let here = stage.path("").display().to_string();
    // The second failure comes when the first is kept, and somebody has put a link there since.
    let swap = format!(
        "grep -q bug bug.c || exit 1\ngrep -q stay bug.c || exit 101\ngrep -q 'int b;' bug.c && exit 0\ncd {here} && \
         [ -d bug.lop.also ] && mv bug.lop.also before && ln -s others bug.lop.also\necho another >&2\nexit 101"
    );
    stage.test("test.sh", &swap);
    let end = lop(
        &stage,
        &[
            "bug.c",
            "test.sh",
            "--jobs",
            "1",
            "--also-interesting",
            "101",
        ],
    );
    assert!(end.status == 0 && end.out.contains("is a link"), "{end}");
    assert!(stage.path("before").is_dir(), "{end}");
    let inside = |path: &Path| fs::read_dir(path).expect("a directory").count();
    assert_eq!(inside(&stage.path("others")), 0);
}

#[test]
#[ignore = "long"]
fn a_result_that_became_a_link_while_the_session_rested_is_not_gone_on_with() {
    for name in ["bug.lop.c", "named.c", "link.c", "bug.c"] {
        let stage = Stage::new();
        stage.write("script", "at decision 3: stop\n");
        symlink("real.c", stage.path("link.c")).expect("a link");
        let output: &[&str] = match name {
            "bug.lop.c" => &[],
            "bug.c" => &["--in-place"],
            name => &["--output", name],
        };
        let line = [&["bug.c", "test.sh", "--commands", "script"], output].concat();
        assert_eq!(stage.lop(&line).status, 130, "{name}");
        fs::remove_file(stage.path(name)).expect("removed");
        Thing::Link.put(&stage, name);
        let end = lop(&stage, &["resume", "bug.c-1"]);
        assert!(
            end.status == 2
                && end
                    .err
                    .contains("which it was not when the session began; move it away"),
            "{name}: {end}"
        );
        Thing::Link.stays(&stage, name);
        // As it was, all is well.
        fs::remove_file(stage.path(name)).expect("removed");
        if name == "link.c" {
            symlink("real.c", stage.path(name)).expect("a link");
        }
        let end = lop(&stage, &["resume", "bug.c-1"]);
        assert_eq!(end.status, 0, "{name}: {end}");
        assert!(stage.passes(name));
    }
}

#[test]
#[ignore = "long"]
fn a_directory_that_is_no_session_is_none_and_stays_as_it_is() {
    for (names, found) in [
        (&["lock", "done"][..], "lock|done"),
        (&["lock"], "lock"),
        (&["done"], "done"),
        (&["notes"], "notes"),
        (&["journal.jsonl"], "journal.jsonl"),
    ] {
        for text in ["mine\n", ""] {
            let stage = Stage::new();
            fs::create_dir(stage.path("mine")).expect("a directory");
            let files: Vec<String> = names.iter().map(|name| format!("mine/{name}")).collect();
            files.iter().for_each(|name| stage.write(name, text));
            let end = lop(&stage, &["bug.c", "test.sh", "--session", "mine"]);
            assert_eq!(end.status, 2, "{names:?}: {end}");
            let said = |name: &str| {
                end.err
                    .contains(&format!("there is {name} in it, and no session"))
            };
            assert!(found.split('|').any(said), "{names:?}: {end}");
            files
                .iter()
                .for_each(|name| assert_eq!(stage.read(name), text));
            assert!(!stage.path("bug.lop.c").exists());
        }
    }
    let stage = Stage::new();
    fs::create_dir(stage.path("mine")).expect("a directory");
    for status in [0, 2] {
        let end = lop(&stage, &["bug.c", "test.sh", "--session", "mine"]);
        assert_eq!(
            end.status, status,
            "one that is empty, and then one that is a session: {end}"
        );
    }
}

#[test]
fn looking_for_sessions_touches_no_file_of_others() {
    let stage = Stage::new();
    assert_eq!(stage.lop(&["bug.c", "test.sh"]).status, 0);
    fs::create_dir(stage.path("mine")).expect("a directory");
    for name in ["mine/lock", "mine/done", "mine/notes"] {
        stage.write(name, PRECIOUS);
    }
    let inside = stage.sessions().join("strange");
    fs::create_dir(&inside).expect("a directory");
    fs::write(inside.join("lock"), PRECIOUS).expect("a file");
    symlink(stage.path("mine"), stage.sessions().join("mine")).expect("a link");
    let end = lop(&stage, &["sessions", "prune", "--yes"]);
    assert!(end.out.contains("1 session removed"), "{end}");
    for path in [
        stage.path("mine/lock"),
        stage.path("mine/notes"),
        inside.join("lock"),
    ] {
        assert_eq!(fs::read_to_string(path).expect("text"), PRECIOUS);
    }
}
