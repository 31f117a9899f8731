//! `lop attach`: a screen on a run of another process. The run asks for ever whether `stay` can go, so that it ends only once somebody has pinned
//! that: what was steered is in force when it ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::num::NonZero;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

use rustix::process::Signal;

use crate::shell::terminal::Session;
use crate::shell::{Running, Stage};

const LOP: &str = env!("CARGO_BIN_EXE_lop");

/// A screen on the run, once it shows that.
fn attach(stage: &Stage, words: &[&str]) -> Session {
    let mut screen = Session::start(stage, &[&["attach"], words].concat());
    screen.wait_for("lop attached  bug.c");
    screen.wait_for("12 ▸ 6 tokens");
    screen
}

/// Pins what the run would ask about for ever.
fn pin(screen: &mut Session) {
    screen.send(":pin stay\r");
}

/// The same; the run comes to its end then, and the screen says so.
fn pin_to_end(mut screen: Session) -> String {
    pin(&mut screen);
    let (status, text) = screen.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("from 12 tokens to 6 tokens"), "{text}");
    text
}

fn socket(stage: &Stage) -> PathBuf {
    stage.sessions().join("bug.c-1/screen")
}

/// The run has come to its end with the pin in force.
fn ends_with_pin(stage: &Stage, mut run: Running) {
    let said = run.rest();
    assert_eq!(run.wait(), 0, "{said}");
    assert!(stage.read("bug.lop.c").contains("stay"), "{said}");
    assert!(!socket(stage).exists(), "the socket goes with the run");
}

#[test]
fn a_run_without_a_screen_is_looked_at_steered_and_left() {
    let stage = Stage::new();
    let run = stage.hanging_run();
    let mode = fs::metadata(socket(&stage))
        .expect("a socket")
        .permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
    let mut screen = attach(&stage, &[]);
    screen.wait_for("attached: q leaves, and the run goes on; :stop ends the run");
    screen.wait_for("q leave it going");
    screen.send(" ");
    screen.wait_for("PAUSED");
    pin(&mut screen);
    screen.wait_for("pin stay: 1 token");
    screen.send("q");
    let (status, text) = screen.end();
    assert_eq!(status, 0, "{text}");
    // Nobody is there who could resume it.
    let said = "lop: the run goes on; `lop attach bug.c-1` opens the screen again";
    assert!(text.contains(said), "{text}");
    ends_with_pin(&stage, run);
    let end = stage.lop(&["replay", "--check", "bug.c-1"]);
    assert_eq!(end.status, 0, "{end}");
}

#[test]
fn two_screens_are_drawn_each_for_its_terminal_and_see_what_the_other_did() {
    let stage = Stage::new();
    let run = stage.hanging_run();
    let sized = |colour: &str, columns: u16, rows: u16| {
        let size = [columns, rows].map(|cells| NonZero::new(cells).expect("cells"));
        let line = ["attach", "bug.c-1", "--colour", colour];
        Session::run_sized(&stage, LOP, &line, (size[0], size[1]))
    };
    let mut large = sized("truecolor", 200, 60);
    let mut small = sized("16", 80, 24);
    for screen in [&mut large, &mut small] {
        screen.wait_for("12 ▸ 6 tokens");
    }
    large.send(" ");
    large.wait_for("PAUSED");
    small.wait_for("PAUSED");
    pin(&mut small);
    small.wait_for("pin stay: 1 token");
    large.wait_for("pin stay: 1 token");
    let has_true_colour = |screen: &Session| screen.all.windows(5).any(|part| part == b"38;2;");
    assert!(has_true_colour(&large) && !has_true_colour(&small));
    // One who leaves does not resume it while the other is there.
    small.send("q");
    let (status, text) = small.end();
    assert!(
        status == 0 && text.contains("the run stays paused"),
        "{text}"
    );
    large.send(" ");
    let (status, text) = large.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("from 12 tokens to 6 tokens"), "{text}");
    ends_with_pin(&stage, run);
}

#[test]
fn a_screen_that_is_killed_keeps_nobody_waiting() {
    let stage = Stage::new();
    let run = stage.hanging_run();
    let mut killed = attach(&stage, &[]);
    killed.send(" ");
    killed.wait_for("PAUSED");
    killed.signal(Signal::KILL);
    killed.close();
    // The run is not paused any more, so the pin alone brings it to its end.
    pin_to_end(attach(&stage, &[]));
    ends_with_pin(&stage, run);
}

#[test]
#[ignore = "long"]
fn a_terminal_that_stands_still_holds_no_paused_run() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    let mut frozen = attach(&stage, &[]);
    frozen.send(" ");
    frozen.wait_for("PAUSED");
    frozen.signal(Signal::STOP);
    while !run.line().contains("\"resumed\"") {}
    frozen.signal(Signal::CONT);
    pin_to_end(frozen);
    ends_with_pin(&stage, run);
}

#[test]
fn a_terminal_that_is_closed_or_stands_still_does_not_hold_the_end_of_the_run() {
    let stage = Stage::new();
    let run = stage.hanging_run();
    let closed = attach(&stage, &[]);
    assert_eq!(closed.close(), 129);
    let frozen = attach(&stage, &[]);
    frozen.signal(Signal::STOP);
    pin_to_end(attach(&stage, &[]));
    ends_with_pin(&stage, run);
    frozen.signal(Signal::CONT);
    let (status, text) = frozen.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("from 12 tokens to 6 tokens"), "{text}");
}

#[test]
fn the_run_can_be_ended_from_there_and_says_how_it_ended() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    let mut screen = attach(&stage, &[]);
    screen.send(":stop\r");
    let (status, text) = screen.end();
    assert_eq!(status, 130, "{text}");
    let words = text.replace('\n', " ");
    for said in [
        "lop: stopped; the best version is kept",
        "`lop resume bug.c-1` resumes it",
    ] {
        assert!(words.contains(said), "{said}: {text}");
    }
    run.rest();
    assert_eq!(run.wait(), 130);
}

#[test]
fn a_run_that_is_killed_is_told_and_a_resumed_one_listens_again() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    let screen = attach(&stage, &[]);
    run.kill();
    let (status, text) = screen.end();
    assert_eq!(status, 3, "{text}");
    let said = "the process that ran the session bug.c-1 is gone; `lop resume bug.c-1` resumes it";
    assert!(text.replace('\n', " ").contains(said), "{text}");
    assert!(socket(&stage).exists(), "nobody was there to remove it");
    let left = Session::start(&stage, &["attach", "bug.c-1"]);
    let (status, text) = left.end();
    assert_eq!(status, 1, "{text}");
    let said = "nobody runs the session bug.c-1 any more; `lop resume bug.c-1` resumes it";
    assert!(text.contains(said), "{text}");
    let mut run = stage.start(&["resume", "bug.c-1", "--json", "--trust"]);
    run.line();
    pin_to_end(attach(&stage, &[]));
    ends_with_pin(&stage, run);
    let ended = Session::start(&stage, &["attach", "bug.c-1"]);
    let (status, text) = ended.end();
    assert_eq!(status, 1, "{text}");
    let said = "the session bug.c-1 has ended; `lop resume bug.c-1` opens it on the screen";
    assert!(text.contains(said), "{text}");
    let none = Session::start(&stage, &["attach"]);
    let (status, text) = none.end();
    assert!(
        status == 1 && text.contains("no run with a session goes on"),
        "{text}"
    );
}

/// What the run's process says first, and the connection.
fn connect(stage: &Stage) -> (String, UnixStream) {
    let stream = UnixStream::connect(socket(stage)).expect("a connection");
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(1, &stream);
    reader.read_line(&mut line).expect("a greeting");
    (line, stream)
}

#[test]
fn garbage_ends_the_connection_that_it_came_on_and_nothing_else() {
    let stage = Stage::new();
    let run = stage.hanging_run();
    let screen = attach(&stage, &[]);
    let greeting = connect(&stage).0;
    let greeted = |rest: &[u8]| [greeting.as_bytes(), rest].concat();
    for garbage in [
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        b"lop-attach 1 9.9.9\n".to_vec(),
        vec![b'x'; 100_000],
        // A length that nothing has, a message that is none, and a terminal of sixty thousand columns and rows that then says nonsense.
        greeted(&u32::MAX.to_le_bytes()),
        greeted(b"\x04\0\0\0\xff\xff\xff\xff"),
        greeted(b"\x0a\0\0\0\xe0\xd4\x03\xe0\xd4\x03\0\0\0\0\x01\0\0\0\xee"),
    ] {
        let (_, mut stream) = connect(&stage);
        // It may be closed before all is written.
        let _ = stream.write_all(&garbage);
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    pin_to_end(screen);
    ends_with_pin(&stage, run);
}

#[test]
fn no_more_than_eight_are_let_in() {
    let stage = Stage::new();
    let _run = stage.hanging_run();
    let held: Vec<_> = (0..8).map(|_| connect(&stage)).collect();
    let refused = Session::start(&stage, &["attach"]);
    let (status, text) = refused.end();
    assert_eq!(status, 3, "{text}");
    let said = "the session bug.c-1 cannot be attached to: 8 screens are attached already";
    assert!(text.contains(said), "{text}");
    drop(held);
}

#[test]
fn another_version_of_lop_is_refused_and_named() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    run.kill();
    fs::remove_file(socket(&stage)).expect("it was left");
    let listener = UnixListener::bind(socket(&stage)).expect("a socket");
    for (greeting, said) in [
        ("lop-attach 1 9.9.9\n", "it is lop 9.9.9, and this is lop "),
        ("HTTP/1.1 400 Bad Request\n", "what answers there is no lop"),
    ] {
        let refused = Session::start(&stage, &["attach", "bug.c-1"]);
        let (mut stream, _) = listener.accept().expect("a connection");
        stream.write_all(greeting.as_bytes()).expect("written");
        let (status, text) = refused.end();
        assert!(
            status == 3 && text.replace('\n', " ").contains(said),
            "{text}"
        );
    }
}

#[test]
fn a_run_with_a_screen_has_another_one_and_stays_paused_when_that_is_left() {
    let stage = Stage::new();
    stage.hanging_test();
    let line = ["bug.c", "hang.sh", "--timeout", "0", "--strategy", "perses"];
    let mut own = Session::start(&stage, &line);
    own.wait_for("12 ▸ 6 tokens");
    let mut screen = attach(&stage, &[]);
    screen.send(" ");
    // In this order: nobody reads the other terminal meanwhile, and a process that waits to write passes no key on.
    screen.wait_for("PAUSED");
    own.wait_for("PAUSED");
    screen.send("\x03");
    let (status, text) = screen.end();
    assert!(
        status == 0 && text.contains("the run stays paused"),
        "{text}"
    );
    own.send(":pin stay\r");
    own.wait_for("pin stay: 1 token");
    let again = attach(&stage, &[]);
    own.send("q");
    assert_eq!(own.end().0, 130);
    let (status, text) = again.end();
    assert_eq!(status, 130, "{text}");
}

#[test]
fn the_editor_is_that_of_the_attached_terminal() {
    let stage = Stage::new();
    stage.test(
        "editor.sh",
        "echo 'int bug; int stay;' > \"$1\"; echo edited here",
    );
    let run = stage.hanging_run();
    let mut screen = attach(&stage, &[]);
    screen.send("e");
    screen.wait_for("edit ");
    screen.wait_for("12 ▸ 6 tokens");
    let text = pin_to_end(screen);
    assert!(text.contains("edited here"), "{text}");
    ends_with_pin(&stage, run);
}

#[test]
fn a_session_with_a_long_path_is_attached_to_as_well() {
    let stage = Stage::new();
    stage.hanging_test();
    let long = format!("{}/{}", "long".repeat(30), "path".repeat(30));
    let mut run = stage.start_hanging(&["--session", &long]);
    // It is the one that runs about a file in this directory, and has that place as its name.
    pin_to_end(attach(&stage, &[&long]));
    let said = run.rest();
    assert_eq!(run.wait(), 0, "{said}");
}

#[test]
fn several_runs_are_listed_and_what_is_no_terminal_gets_no_screen() {
    let stage = Stage::new();
    let _first = stage.hanging_run();
    let end = stage.lop(&["attach"]);
    assert_eq!(end.status, 2, "{end}");
    let said = "a screen needs a terminal; `lop history bug.c-1` says what the run has done";
    assert!(end.err.contains(said), "{end}");
    let _second = stage.start_hanging(&["--output", "b.c"]);
    let end = stage.lop(&["attach"]);
    assert_eq!(end.status, 2, "{end}");
    for said in [
        "2 sessions run:",
        "\n  lop attach bug.c-1",
        "\n  lop attach bug.c-2",
    ] {
        assert!(end.err.contains(said), "{end}");
    }
    let end = stage.lop(&["sessions"]);
    assert!(
        end.out
            .contains("`lop attach NAME` opens the screen on a running one"),
        "{end}"
    );
}

#[test]
fn what_lies_in_the_place_of_the_socket_stays_and_the_run_goes_on() {
    let stage = Stage::new();
    let mut run = stage.hanging_run();
    run.kill();
    fs::remove_file(socket(&stage)).expect("it was left");
    fs::write(socket(&stage), "mine").expect("a file");
    stage.test("hang.sh", crate::shell::FINDS_BUG);
    let end = stage.lop(&["resume", "bug.c-1", "--plain", "--trust"]);
    assert_eq!(end.status, 0, "{end}");
    let said = "no screen can be attached to this run: ";
    assert!(
        end.out.contains(said) && end.out.contains("/screen is no socket"),
        "{end}"
    );
    assert_eq!(fs::read_to_string(socket(&stage)).expect("text"), "mine");
}

#[test]
fn only_the_attached_process_is_suspended() {
    let stage = Stage::new();
    let run = stage.hanging_run();
    let mut shell = Session::run(&stage, "bash", &["--norc", "--noprofile", "-i"]);
    shell.send(&format!("{LOP} attach\n"));
    shell.wait_for("12 ▸ 6 tokens");
    shell.send("\x1a");
    shell.wait_for("Stopped");
    assert!(!shell.screen.screen().alternate_screen());
    let mut other = attach(&stage, &[]);
    other.send(" ");
    other.wait_for("PAUSED");
    shell.send("fg; exit\n");
    shell.wait_for("PAUSED");
    shell.send("q");
    let (_, text) = shell.end();
    assert!(text.contains("the run stays paused"), "{text}");
    other.send(" ");
    pin_to_end(other);
    ends_with_pin(&stage, run);
}
