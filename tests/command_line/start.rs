//! `lop FILE` alone: at a terminal a page asks what shows the bug, and the test that it writes is run.

use std::path::Path;

use crate::shell::Stage;
use crate::shell::terminal::Session;

/// A compiler that crashes on what has `bug` in it.
const CRASHES: &str = "if grep -q bug \"$1\"; then echo internal error: in fold; exit 3; fi";
const DOWN: &str = "\x1b[B";
const UP: &str = "\x1b[A";
const ESC: &str = "\x1b";

/// A stage without a test, and the page about its file.
fn asked() -> (Stage, Session) {
    let stage = Stage::new();
    std::fs::remove_file(stage.path("test.sh")).expect("removed");
    stage.test("cc.sh", CRASHES);
    let mut lop = Session::start(&stage, &["bug.c"]);
    lop.wait_for("What shows the bug?");
    (stage, lop)
}

#[test]
fn a_command_becomes_a_test_that_is_written_and_run_and_offered_again() {
    let (stage, mut lop) = asked();
    lop.wait_for("c, 4 lines, 33 bytes");
    lop.send("./cc.sh {}\r");
    lop.wait_for("internal error: in fold");
    lop.wait_for("Write the test, and reduce the file");
    assert!(!stage.names().contains(&"test.sh".into()));
    lop.send("\r");
    lop.wait_for("othing is left to try");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(
        stage
            .read("test.sh")
            .contains("# Written by lop. The property is:")
    );
    assert!(stage.passes("bug.lop.c"));
    // It is offered with what it looks for, and runs when it is taken.
    std::fs::remove_file(stage.path("bug.lop.c")).expect("removed");
    let mut lop = Session::start(&stage, &["bug.c"]);
    lop.wait_for("Use the test test.sh, which looks for: internal error: in fold");
    assert!(!stage.names().contains(&"bug.lop.c".into()));
    lop.send("\r");
    lop.wait_for("othing is left to try");
    lop.send("q");
    assert_eq!(lop.end().0, 0);
}

#[test]
fn who_leaves_the_page_leaves_nothing_behind() {
    let (stage, mut lop) = asked();
    let names = stage.names();
    lop.send("./cc.sh {}\r");
    lop.wait_for("Write the test, and reduce the file");
    lop.send(ESC);
    lop.wait_for("What shows the bug?");
    lop.send(ESC);
    let (status, text) = lop.end();
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("nothing was done"), "{text}");
    assert_eq!(stage.names(), names);
}

#[test]
fn what_cannot_be_looked_for_is_told_and_can_be_typed_again() {
    let (stage, mut lop) = asked();
    stage.test("ok.sh", "echo warning: odd");
    lop.send("no-such-compiler {}\r");
    lop.wait_for("no-such-compiler is not in PATH");
    // Ctrl-U empties the line.
    lop.send("\x15cat other.c | head\r");
    lop.wait_for("it does not name the file");
    lop.send("\x15./ok.sh {}\r");
    lop.wait_for("The command succeeds");
    lop.send("strange");
    lop.send(&format!("{DOWN}{DOWN}\r"));
    lop.wait_for("the output does not contain `strange`");
    lop.send(&format!("{DOWN}\x15odd{DOWN}{DOWN}\r"));
    // It is written, and the reduction begins.
    lop.wait_for("finds an empty file interesting");
    lop.wait_for("[y/N]");
    lop.send("n\n");
    assert_eq!(lop.end().0, 1);
    assert!(stage.read("test.sh").contains("/odd/"));
}

#[test]
fn the_page_ends_with_its_terminal() {
    let (_stage, lop) = asked();
    assert_eq!(lop.close(), 129);
}

#[test]
fn a_long_file_says_first_that_its_sessions_are_looked_for() {
    let stage = Stage::new();
    stage.write("long.c", &"int a;\n".repeat(160_000));
    let mut lop = Session::start(&stage, &["long.c"]);
    lop.wait_for("lop: looking for sessions of long.c");
    lop.wait_for("c, 160,000 lines, 1,120,000 bytes");
    lop.send(ESC);
    assert_eq!(lop.end().0, 1);
}

#[test]
fn the_test_does_not_take_the_place_of_the_file() {
    let (stage, mut lop) = asked();
    let before = stage.read("bug.c");
    lop.send("./cc.sh {}\r");
    lop.wait_for("Write the test, and reduce the file");
    // One row up is the place of the test.
    lop.send(&format!("{UP}\x15bug.c{DOWN}\r"));
    lop.wait_for("bug.c is the file to reduce: type another name");
    lop.send(ESC);
    lop.wait_for("What shows the bug?");
    lop.send(ESC);
    assert_eq!(lop.end().0, 1);
    assert_eq!(stage.read("bug.c"), before);
}

#[test]
fn a_command_that_takes_long_is_stopped_with_all_that_it_started() {
    let (stage, mut lop) = asked();
    let pid = stage.path("pid").display().to_string();
    stage.pipe("began");
    let began = stage.path("began").display().to_string();
    let slow = format!("tail -f /dev/null & echo $! > '{pid}'; echo go > '{began}'; wait");
    stage.test("slow.sh", &slow);
    lop.send("./slow.sh {}\r");
    lop.wait_for("Running ./slow.sh {}");
    stage.read("began");
    lop.send(ESC);
    lop.wait_for("the command was stopped");
    lop.send(ESC);
    assert_eq!(lop.end().0, 1);
    let pid = stage.read("pid");
    assert!(!Path::new("/proc").join(pid.trim()).exists());
}

#[test]
fn a_test_that_is_none_and_a_file_that_is_none_are_told() {
    let (stage, mut lop) = asked();
    lop.send(&format!("{DOWN}bug.c\r"));
    lop.wait_for("not executable");
    lop.send("\x03");
    assert_eq!(lop.end().0, 1);
    stage.write("empty.c", "");
    for (file, status, said) in [
        ("none.c", 2, "none.c"),
        ("empty.c", 1, "empty"),
        (".", 2, "type lop DIRECTORY TEST"),
    ] {
        let (end, text) = Session::start(&stage, &[file]).end();
        assert_eq!(end, status, "{file}: {text}");
        assert!(text.contains(said), "{file}: {text}");
    }
    // Any bytes can be asked about.
    std::fs::write(stage.path("bytes"), [0, 255, 27, 10, 7]).expect("a file");
    let mut lop = Session::start(&stage, &["bytes"]);
    lop.wait_for("<U+001B>");
    lop.send(ESC);
    lop.end();
}
