//! lop on a terminal: what it asks before a run, and what the screen leaves behind.

mod shell;

use std::io::{Read, Write};
use std::num::NonZero;

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal};
use shell::{PROGRAM, Stage};

const ROWS: NonZero<u16> = NonZero::new(40).expect("rows");
const COLUMNS: NonZero<u16> = NonZero::new(120).expect("columns");

/// lop at work on a terminal of its own.
struct Session {
    child: Box<dyn Child + Send + Sync>,
    reader: Box<dyn Read + Send>,
    writer: Box<dyn Write + Send>,
    screen: vt100::Parser,
    all: Vec<u8>,
}

impl Session {
    fn start(stage: &Stage, line: &[&str]) -> Session {
        Session::run(stage, env!("CARGO_BIN_EXE_lop"), line)
    }

    fn run(stage: &Stage, program: &str, line: &[&str]) -> Session {
        let size = PtySize {
            rows: ROWS.get(),
            cols: COLUMNS.get(),
            ..PtySize::default()
        };
        let pty = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(program);
        command.args(line);
        command.cwd(stage.path(""));
        command.env("TERM", "xterm-256color");
        command.env("XDG_STATE_HOME", stage.state());
        Session {
            child: pty.slave.spawn_command(command).expect("lop"),
            reader: pty.master.try_clone_reader().expect("its output"),
            writer: pty.master.take_writer().expect("its keyboard"),
            screen: vt100::Parser::new(ROWS, COLUMNS, 0),
            all: Vec::new(),
        }
    }

    /// Reads a little more; false at the end, which is an error on Linux.
    fn read(&mut self) -> bool {
        let mut some = [0; 4096];
        let read = self.reader.read(&mut some).unwrap_or(0);
        self.screen.process(&some[..read]);
        self.all.extend(&some[..read]);
        read > 0
    }

    /// Waits until this can be seen.
    fn wait_for(&mut self, text: &str) {
        while !self.screen.screen().contents().contains(text) {
            assert!(self.read(), "{text}: {}", self.screen.screen().contents());
        }
    }

    fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("typed");
    }

    fn signal(&self, signal: Signal) {
        let pid = self.child.process_id().expect("a process");
        let pid = Pid::from_raw(pid.try_into().expect("a number")).expect("a process");
        rustix::process::kill_process(pid, signal).expect("a signal");
    }

    /// Its exit status, and what the terminal shows at the end.
    fn end(mut self) -> (u32, String) {
        while self.read() {}
        let status = self.child.wait().expect("an end").exit_code();
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the terminal was given back");
        (status, screen.contents())
    }
}

#[test]
fn an_interesting_empty_file_is_asked_about() {
    for (keys, status, said) in [
        ("n\n", 1, "nothing was done"),
        ("\n", 1, "nothing was done"),
        ("\x03", 130, "nothing was written"),
        ("y\n", 0, "nothing is left to try"),
    ] {
        let stage = Stage::new();
        stage.test("absent.sh", "! grep -q absent bug.c");
        let mut lop = Session::start(&stage, &["bug.c", "absent.sh", "--plain"]);
        lop.wait_for("the test finds an empty file interesting");
        lop.wait_for("[y/N]");
        lop.send(keys);
        let (end, text) = lop.end();
        assert_eq!(end, status, "{keys:?}: {text}");
        assert!(text.contains(said), "{keys:?}: {text}");
        assert_eq!(stage.path("bug.lop.c").exists(), status == 0, "{keys:?}");
    }
}

#[test]
fn the_screen_leaves_the_result_and_the_totals() {
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["bug.c", "test.sh"]);
    lop.wait_for("nothing is left to try");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    for said in [
        "tests run in /",
        "complete: nothing is left to try for these passes",
        "the result is in bug.lop.c",
        "from 12 tokens to ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(stage.passes("bug.lop.c"));
}

#[test]
fn who_leaves_the_screen_early_keeps_the_best_version() {
    for (signal, status) in [(None, 130), (Some(Signal::TERM), 143)] {
        let stage = Stage::new();
        stage.hanging_test();
        let mut lop = Session::start(
            &stage,
            &["bug.c", "hang.sh", "--timeout", "0", "--strategy", "perses"],
        );
        // The second version of the program; the question about `stay` has no answer.
        lop.wait_for("6 of 12 tokens");
        match signal {
            None => lop.send("q"),
            Some(signal) => lop.signal(signal),
        }
        let (end, text) = lop.end();
        assert_eq!(end, status, "{text}");
        assert!(text.contains("the best version is kept"), "{text}");
        assert!(stage.passes("bug.lop.c"));
        assert!(stage.read("bug.lop.c").len() < PROGRAM.len());
    }
}

#[test]
fn a_terminal_can_have_lines_too() {
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["bug.c", "test.sh", "--plain"]);
    while lop.read() {}
    assert!(!lop.all.contains(&0x1b), "no control codes");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("certificate"), "{text}");
}

#[test]
fn a_test_that_breaks_stops_the_run_and_is_still_told_after_it() {
    let stage = Stage::new();
    stage.test(
        "breaks.sh",
        "test $(wc -l < bug.c) = 4 || no-such-compiler bug.c",
    );
    let mut lop = Session::start(&stage, &["bug.c", "breaks.sh"]);
    lop.wait_for("What to do");
    lop.wait_for("no-such-compiler: not found");
    lop.send(" ");
    lop.wait_for("it was tried again and failed again");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 130, "{text}");
    // The terminal breaks lines where it likes.
    let words = text.replace('\n', "");
    assert!(
        words.contains("the run stood still when it was left: the test failed"),
        "{text}"
    );
}

#[test]
fn a_shell_gets_the_terminal_for_a_while() {
    let stage = Stage::new();
    stage.hanging_test();
    let mut shell = Session::run(&stage, "bash", &["--norc", "--noprofile", "-i"]);
    let line = concat!(
        env!("CARGO_BIN_EXE_lop"),
        " bug.c hang.sh --timeout 0 --strategy perses\n"
    );
    shell.send(line);
    shell.wait_for("6 of 12 tokens");
    shell.send("\x1a");
    shell.wait_for("Stopped");
    assert!(!shell.screen.screen().alternate_screen());
    shell.send("fg; exit\n");
    shell.wait_for("6 of 12 tokens");
    assert!(shell.screen.screen().alternate_screen());
    shell.send("q");
    let (_, text) = shell.end();
    assert!(text.contains("from 12 tokens to 6 tokens"), "{text}");
}

#[test]
fn a_hangup_that_was_ignored_at_the_start_ends_nothing() {
    let stage = Stage::new();
    stage.hanging_test();
    let line = concat!(
        "trap '' HUP; exec ",
        env!("CARGO_BIN_EXE_lop"),
        " bug.c hang.sh --timeout 0 --strategy perses"
    );
    let mut lop = Session::run(&stage, "sh", &["-c", line]);
    lop.wait_for("6 of 12 tokens");
    lop.signal(Signal::HUP);
    lop.send("?");
    lop.wait_for("let it go on");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 130, "{text}");
}
