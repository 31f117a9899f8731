//! A terminal behind a network: lop asks it when it has shown what was written.

use std::time::{Duration, Instant};

use crate::restore::Terminal;
use crate::shell::Stage;

/// What asks a terminal where its cursor is, and an answer.
const QUESTION: &str = "\x1b[6n";
const ANSWER: &str = "\x1b[40;1R";
/// The beginning of a frame.
const FRAME: &str = "\x1b[?2026h";

const BY_SSH: [(&str, &str); 1] = [("SSH_TTY", "/dev/pts/9")];

#[test]
fn behind_a_network_the_terminal_is_asked_and_what_it_answers_is_no_key() {
    let stage = Stage::new();
    let mut terminal = Terminal::lop(&stage, &BY_SSH);
    terminal.wait_for_writes(QUESTION, 1);
    terminal.press(ANSWER);
    terminal.wait_for("question ");
    // The clock of the running test makes frames, and one of them asks again.
    terminal.wait_for_writes(QUESTION, 2);
    terminal.press(ANSWER);
    terminal.press("?");
    terminal.wait_for("test exactly one candidate, in a paused run");
    terminal.press("?");
    terminal.press("q");
    // The terminal may owe an answer to the last question; it is not waited for longer than that takes.
    terminal.press(ANSWER);
    terminal.end();
    assert!(stage.passes("bug.lop.c"));
}

#[test]
#[ignore = "long"]
fn a_terminal_that_never_answers_is_asked_three_times() {
    let stage = Stage::new();
    let mut terminal = Terminal::lop(&stage, &BY_SSH);
    terminal.wait_for_writes(QUESTION, 1);
    // Who presses this before the answer is given up is heard after it.
    terminal.press("?");
    terminal.wait_for("test exactly one candidate, in a paused run");
    // The clock of the running test makes the frames after which it is asked.
    terminal.wait_for_writes(QUESTION, 3);
    let frames = terminal.count_writes(FRAME);
    terminal.wait_for_writes(FRAME, frames + 8);
    assert_eq!(terminal.count_writes(QUESTION), 3);
    terminal.press("?");
    terminal.press("q");
    terminal.end();
    assert!(stage.passes("bug.lop.c"));
}

#[test]
#[ignore = "long"]
fn tmux_behind_a_network_is_not_asked_and_has_two_frames_a_second() {
    let stage = Stage::new();
    let mut terminal = Terminal::lop(&stage, &[BY_SSH[0], ("TMUX", "/tmp/tmux-0/default,1,0")]);
    terminal.wait_for("question ");
    let (frames, began) = (terminal.count_writes(FRAME), Instant::now());
    terminal.wait_for_writes(FRAME, frames + 5);
    let least = Duration::from_millis(4 * 500);
    assert!(began.elapsed() >= least, "{:?}", began.elapsed());
    assert_eq!(terminal.count_writes(QUESTION), 0);
    terminal.press("q");
    terminal.end();
}

#[test]
fn a_terminal_of_this_machine_is_not_asked() {
    let stage = Stage::new();
    let lop = env!("CARGO_BIN_EXE_lop");
    let mut terminal = Terminal::run(lop, &["bug.c", "test.sh"], &stage.path(""), &[]);
    terminal.wait_for("The result is in bug.lop.c");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    assert_eq!(terminal.count_writes(QUESTION), 0);
}

#[test]
fn the_page_of_a_file_alone_and_a_race_keep_the_pace_of_a_slow_line_too() {
    let stage = Stage::new();
    let lop = env!("CARGO_BIN_EXE_lop");
    let strategies = ["race", "bug.c", "test.sh", "--strategies", "perses,hdd"];
    for (line, shown, keys) in [
        (&["bug.c"][..], "A command that fails", "\x1b[A"),
        (&strategies, "perses", "?"),
    ] {
        let mut terminal = Terminal::run(lop, line, &stage.path(""), &BY_SSH);
        terminal.wait_for_writes(QUESTION, 1);
        terminal.press(ANSWER);
        terminal.wait_for(shown);
        // The answer was no key: the next one means what it does.
        let frames = terminal.count_writes(FRAME);
        terminal.press(keys);
        terminal.wait_for_writes(FRAME, frames + 1);
        // It may owe an answer to a second question.
        terminal.press("\x03");
        terminal.press(ANSWER);
        terminal.end();
    }
}
