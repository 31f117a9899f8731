//! lop on a real terminal: it restores the terminal however it ends.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use crate::shell::Stage;
use crossbeam_channel::{Receiver, Sender, bounded};
use lop::reduce::{EngineCommand, SnapshotBoard};
use lop::tui::palette::TerminalPalette;
use lop::tui::setup::ScreenSetup;
use lop::tui::{CommandTarget, ScreenContext, ScreenExit, SignalListener, TuiError, run_screen};
use portable_pty::{CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::process::{Pid, Signal, getpid, kill_process};

/// The timeout for anything, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a program on it.
pub struct Terminal {
    master: Box<dyn MasterPty + Send>,
    /// Kept: a terminal that nobody has open forgets its modes.
    _slave: Box<dyn SlavePty + Send>,
    process: Pid,
    /// Where lop keeps its sessions.
    _state: tempfile::TempDir,
    ended: Receiver<u32>,
    keyboard: Box<dyn Write + Send>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("a terminal has cells")
}

fn count_writes(bytes: &[u8], sequence: &str) -> usize {
    let windows = bytes.windows(sequence.len());
    windows.filter(|some| *some == sequence.as_bytes()).count()
}

struct Seen {
    screen: vt100::Parser,
    bytes: Vec<u8>,
}

impl Terminal {
    /// Runs a program in a directory, with more in its environment.
    pub fn run(
        program: &str,
        arguments: &[&str],
        directory: &Path,
        set: &[(&str, &str)],
    ) -> Terminal {
        let (rows, cols) = (40, 120);
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        let pty = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(directory);
        let state = tempfile::tempdir().expect("a directory");
        command.env("XDG_STATE_HOME", state.path());
        let others = [
            "NO_COLOR",
            "COLORTERM",
            "LC_ALL",
            "LC_CTYPE",
            "SSH_CONNECTION",
            "SSH_TTY",
            "TMUX",
            "STY",
        ];
        for name in others {
            command.env_remove(name);
        }
        // Nothing of what the one who runs this has settled.
        command.env("XDG_CONFIG_HOME", directory);
        for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8")]
            .iter()
            .chain(set)
        {
            command.env(name, value);
        }
        let mut child = pty.slave.spawn_command(command).expect("a program");
        let process = child.process_id().and_then(|id| Pid::from_raw(id as i32));
        let (ends, ended) = bounded(1);
        thread::spawn(move || ends.send(child.wait().expect("a child").exit_code()));
        let mut output = pty.master.try_clone_reader().expect("its output");
        let keyboard = pty.master.take_writer().expect("its keyboard");
        let seen = Arc::new((
            Mutex::new(Seen {
                screen: vt100::Parser::new(cells(rows), cells(cols), 0),
                bytes: Vec::new(),
            }),
            Condvar::new(),
        ));
        let sees = seen.clone();
        thread::spawn(move || {
            let mut some = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut some) {
                let mut seen = sees.0.lock().expect("a screen");
                seen.screen.process(&some[..read]);
                seen.bytes.extend_from_slice(&some[..read]);
                sees.1.notify_all();
            }
        });
        Terminal {
            master: pty.master,
            _slave: pty.slave,
            process: process.expect("it runs"),
            _state: state,
            ended,
            keyboard,
            seen,
        }
    }

    /// lop with a test that never answers, so that the run is there as long as it is wanted.
    pub fn lop(stage: &Stage, set: &[(&str, &str)]) -> Terminal {
        stage.hanging_test();
        let lop = env!("CARGO_BIN_EXE_lop");
        let line = ["bug.c", "hang.sh", "--timeout", "0"];
        Terminal::run(lop, &line, &stage.path(""), set)
    }

    /// Waits until the screen is so.
    #[track_caller]
    fn until(&self, what: &str, is: impl Fn(&vt100::Screen) -> bool) {
        let seen = self.seen.0.lock().expect("a screen");
        let not_yet = |seen: &mut Seen| !is(seen.screen.screen());
        let waited = self.seen.1.wait_timeout_while(seen, PATIENCE, not_yet);
        let (seen, late) = waited.expect("a screen");
        let screen = seen.screen.screen().contents();
        drop(seen);
        assert!(!late.timed_out(), "no {what} in\n{screen}");
    }

    #[track_caller]
    pub fn wait_for(&self, what: &str) {
        self.until(what, |screen| screen.contents().contains(what));
    }

    /// The colour of the last letter of a text on the screen, once it is so.
    pub fn colour_that(&self, what: &str, is: impl Fn(vt100::Color) -> bool) -> vt100::Color {
        let find = |screen: &vt100::Screen| {
            let (rows, columns) = screen.size();
            let (rows, columns) = (rows.get(), columns.get());
            let colour = |row: u16| {
                let line: Vec<_> = (0..columns)
                    .map(|column| screen.cell(row, column).map_or("", vt100::Cell::contents))
                    .map(|text| if text.is_empty() { " " } else { text })
                    .collect();
                let whole = line.concat();
                let before = whole.find(what)? + what.len();
                let column = whole[..before].chars().count() as u16 - 1;
                Some(screen.cell(row, column)?.fgcolor())
            };
            (0..rows).find_map(colour)
        };
        let is_coloured = |screen: &vt100::Screen| find(screen).is_some_and(&is);
        self.until(what, is_coloured);
        find(self.seen.0.lock().expect("a screen").screen.screen()).expect("it is there")
    }

    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("pressed");
        self.keyboard.flush().expect("pressed");
    }

    fn signal(&self, signal: Signal) {
        kill_process(self.process, signal).expect("it runs");
    }

    fn resize(&self, cols: u16, rows: u16) {
        let mut seen = self.seen.0.lock().expect("a screen");
        seen.screen.screen_mut().set_size(cells(rows), cells(cols));
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        self.master.resize(size).expect("another size");
    }

    /// Waits for the end: the exit status, with the terminal as it should be.
    #[track_caller]
    pub fn end(&mut self) -> u32 {
        let status = self.ended.recv_timeout(PATIENCE).expect("it ends");
        let name = self.master.tty_name().expect("a name");
        let modes = Command::new("stty")
            .arg("-a")
            .arg("-F")
            .arg(name)
            .output()
            .expect("stty");
        let modes = String::from_utf8_lossy(&modes.stdout).into_owned();
        for mode in ["icanon", "echo", "isig", "opost"] {
            let on = modes.split_whitespace().any(|word| word == mode);
            assert!(on, "{mode} is off: {modes}");
        }
        // The last of its output may still be on its way.
        self.until("normal screen", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        });
        status
    }

    /// Waits until this was written as often.
    #[track_caller]
    pub fn wait_for_writes(&self, sequence: &str, times: usize) {
        let seen = self.seen.0.lock().expect("a screen");
        let not_yet = |seen: &mut Seen| count_writes(&seen.bytes, sequence) < times;
        let waited = self.seen.1.wait_timeout_while(seen, PATIENCE, not_yet);
        let (seen, late) = waited.expect("a screen");
        drop(seen);
        assert!(
            !late.timed_out(),
            "{sequence:?} was not written {times} times"
        );
    }

    /// How often this was written so far.
    pub fn count_writes(&self, sequence: &str) -> usize {
        count_writes(&self.seen.0.lock().expect("a screen").bytes, sequence)
    }

    /// The parameters of every change of colours and letters so far.
    fn styles(&self) -> Vec<String> {
        let seen = self.seen.0.lock().expect("a screen");
        let text = String::from_utf8_lossy(&seen.bytes);
        let sequences = text.split("\u{1b}[").skip(1);
        sequences
            .filter_map(|rest| {
                let end = rest.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'))?;
                rest[end..].starts_with('m').then(|| rest[..end].to_owned())
            })
            .collect()
    }
}

#[test]
fn q_stops_the_run_keeps_the_best_and_restores_the_terminal() {
    let stage = Stage::new();
    let mut terminal = Terminal::lop(&stage, &[]);
    terminal.wait_for("●");
    terminal.wait_for("question ");
    terminal.until("other screen", vt100::Screen::alternate_screen);
    terminal.press("q");
    terminal.end();
    assert!(stage.passes("bug.lop.c"));
}

#[test]
fn the_result_stays_until_q_and_the_summary_after_it() {
    let stage = Stage::new();
    let lop = env!("CARGO_BIN_EXE_lop");
    let mut terminal = Terminal::run(lop, &["bug.c", "test.sh"], &stage.path(""), &[]);
    terminal.wait_for("The result is in bug.lop.c");
    terminal.wait_for("What to do next");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.wait_for("bug.lop.c");
}

#[test]
fn signals_and_ctrl_c_restore_the_terminal() {
    for (signal, status) in [
        (Some(Signal::TERM), 143),
        (Some(Signal::HUP), 129),
        (None, 0),
    ] {
        let stage = Stage::new();
        let mut terminal = Terminal::lop(&stage, &[]);
        terminal.wait_for("question ");
        match signal {
            Some(signal) => terminal.signal(signal),
            None => terminal.press("\u{3}"),
        }
        let end = terminal.end();
        if signal.is_some() {
            assert_eq!(end, status, "{signal:?}");
        }
        assert!(stage.passes("bug.lop.c"));
    }
}

#[test]
fn keys_reach_the_run() {
    let stage = Stage::new();
    let mut terminal = Terminal::lop(&stage, &[]);
    terminal.wait_for("question ");
    terminal.press("?");
    terminal.wait_for("test exactly one candidate, in a paused run");
    terminal.press("?");
    terminal.wait_for("Log");
    terminal.press(" ");
    terminal.wait_for("PAUSED");
    terminal.press(" ");
    terminal.wait_for("●");
    terminal.press("q");
    terminal.end();
}

#[test]
fn no_color_means_no_colours_and_no_bare_resets() {
    let stage = Stage::new();
    let mut terminal = Terminal::lop(&stage, &[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]);
    terminal.wait_for("question ");
    terminal.press("jj?");
    terminal.wait_for("In the tree");
    terminal.press("q");
    terminal.end();
    let styles = terminal.styles();
    assert!(
        styles.iter().any(|style| style == "7"),
        "the selection is reversed: {styles:?}"
    );
    for style in styles {
        assert!(
            !style.is_empty(),
            "a bare reset takes reversed and bold away"
        );
        let colour = |part: &str| matches!(part.parse(), Ok(30..=38 | 40..=48 | 58 | 90..=107));
        assert!(!style.split([';', ':']).any(colour), "{style} is a colour");
    }
}

#[test]
fn colours_are_as_many_as_the_terminal_has() {
    let stage = Stage::new();
    for (set, start) in [("truecolor", "38;2;"), ("", "38;5;")] {
        let mut terminal = Terminal::lop(&stage, &[("COLORTERM", set)]);
        terminal.wait_for("question ");
        terminal.press("q");
        terminal.end();
        assert!(
            terminal
                .styles()
                .iter()
                .any(|style| style.starts_with(start)),
            "{:?}",
            terminal.styles()
        );
    }
}

#[test]
fn every_size_is_drawn_anew() {
    let stage = Stage::new();
    let mut terminal = Terminal::lop(&stage, &[]);
    terminal.wait_for("Passes");
    terminal.resize(80, 24);
    terminal.wait_for("Trying");
    terminal.press("\t\t");
    terminal.wait_for("Log");
    terminal.resize(40, 10);
    terminal.wait_for("int stay;");
    terminal.resize(20, 5);
    terminal.wait_for("●");
    terminal.resize(300, 100);
    terminal.wait_for("Passes");
    terminal.press("q");
    terminal.end();
}

/// A screen of a run of which nothing is known yet.
fn run_bare_screen(
    commands: &Sender<EngineCommand>,
    ends: &SignalListener,
) -> Result<ScreenExit, TuiError> {
    run_screen(
        CommandTarget::Run(commands),
        &SnapshotBoard::default(),
        ScreenContext::default(),
        ScreenSetup::with_defaults(TerminalPalette::FULL),
        None,
        ends,
    )
}

/// Not a test of its own: what the next one runs on a terminal.
#[test]
#[ignore = "it panics, on a terminal"]
fn a_screen_on_which_something_panics() {
    let (commands, told) = crossbeam_channel::unbounded();
    thread::spawn(move || panic!("something broke when told to {:?}", told.recv()));
    let ends = SignalListener::start_listening().expect("a listener");
    let end = run_bare_screen(&commands, &ends);
    println!("the screen said: {}", end.expect_err("it cannot go on"));
}

/// Not a test of its own: what the next one runs on a terminal.
#[test]
#[ignore = "it takes a signal, on a terminal"]
fn a_screen_that_begins_after_a_signal() {
    let ends = SignalListener::start_listening().expect("a listener");
    kill_process(getpid(), Signal::TERM).expect("a signal");
    let (commands, _told) = crossbeam_channel::unbounded();
    let end = run_bare_screen(&commands, &ends);
    println!("the screen said: {:?}", end.expect("an end").reason);
}

#[test]
#[ignore = "long"]
fn a_signal_before_the_first_frame_is_not_lost() {
    let this = std::env::current_exe().expect("a path");
    let name = "restore::a_screen_that_begins_after_a_signal";
    let arguments = ["--ignored", "--exact", name, "--nocapture"];
    let this = this.to_str().expect("UTF-8");
    let mut terminal = Terminal::run(this, &arguments, &std::env::temp_dir(), &[]);
    terminal.wait_for("the screen said: Signal(15)");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_panic_restores_the_terminal_and_can_be_read() {
    let this = std::env::current_exe().expect("a path");
    let name = "restore::a_screen_on_which_something_panics";
    let arguments = ["--ignored", "--exact", name, "--nocapture"];
    let directory = std::env::temp_dir();
    let this = this.to_str().expect("UTF-8");
    let mut terminal = Terminal::run(this, &arguments, &directory, &[("RUST_BACKTRACE", "0")]);
    terminal.wait_for("reading the program");
    terminal.press("q");
    terminal.wait_for("something broke when told to Ok(Stop)");
    terminal.end();
    terminal.wait_for("the screen said: lop has failed");
}
