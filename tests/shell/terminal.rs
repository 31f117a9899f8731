//! lop on a terminal of its own.

use std::io::{Read, Write};
use std::num::NonZero;

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal};

use super::Stage;
use super::process_limit::ProcessLimit;

pub const ROWS: NonZero<u16> = NonZero::new(40).expect("rows");
pub const COLUMNS: NonZero<u16> = NonZero::new(120).expect("columns");

/// lop at work on a terminal of its own.
pub struct Session {
    child: Box<dyn Child + Send + Sync>,
    reader: Box<dyn Read + Send>,
    writer: Box<dyn Write + Send>,
    pub screen: vt100::Parser,
    pub all: Vec<u8>,
    _limit: ProcessLimit,
}

impl Session {
    pub fn start(stage: &Stage, line: &[&str]) -> Session {
        Session::run(stage, env!("CARGO_BIN_EXE_lop"), &super::with_effort(line))
    }

    pub fn run(stage: &Stage, program: &str, line: &[&str]) -> Session {
        Session::run_sized(stage, program, line, (COLUMNS, ROWS))
    }

    /// On a terminal of so many columns and rows.
    pub fn run_sized(
        stage: &Stage,
        program: &str,
        line: &[&str],
        (columns, rows): (NonZero<u16>, NonZero<u16>),
    ) -> Session {
        let size = PtySize {
            rows: rows.get(),
            cols: columns.get(),
            ..PtySize::default()
        };
        let pty = native_pty_system().openpty(size).expect("a terminal");
        // On Ctrl-C a terminal throws away what waits to be shown, which may be the answer to it already.
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", "stty noflsh; exec \"$0\" \"$@\"", program]);
        command.args(line);
        command.cwd(stage.path(""));
        command.env("TERM", "xterm-256color");
        command.env("XDG_STATE_HOME", stage.state());
        command.env("LANG", "C.UTF-8");
        command.env_remove("LC_ALL");
        command.env_remove("COLORTERM");
        command.env("EDITOR", stage.path("editor.sh"));
        command.env_remove("VISUAL");
        // Nothing of what the one who runs this has settled.
        command.env("XDG_CONFIG_HOME", stage.path("settings"));
        match std::fs::read_to_string(stage.path("no-colour")) {
            Ok(value) => command.env("NO_COLOR", value),
            Err(_) => command.env_remove("NO_COLOR"),
        }
        let child = pty.slave.spawn_command(command).expect("lop");
        Session {
            _limit: ProcessLimit::watch(process_of(&*child)),
            child,
            reader: pty.master.try_clone_reader().expect("its output"),
            writer: pty.master.take_writer().expect("its keyboard"),
            screen: vt100::Parser::new(rows, columns, 0),
            all: Vec::new(),
        }
    }

    /// Reads a little more; false at the end, which is an error on Linux.
    pub fn read(&mut self) -> bool {
        let mut some = [0; 4096];
        let read = self.reader.read(&mut some).unwrap_or(0);
        self.screen.process(&some[..read]);
        self.all.extend(&some[..read]);
        read > 0
    }

    /// Waits until this can be seen.
    pub fn wait_for(&mut self, text: &str) {
        while !self.screen.screen().contents().contains(text) {
            assert!(self.read(), "{text}: {}", self.screen.screen().contents());
        }
    }

    pub fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("typed");
    }

    pub fn signal(&self, signal: Signal) {
        rustix::process::kill_process(process_of(&*self.child), signal).expect("a signal");
    }

    /// Closes the terminal; the exit status.
    pub fn close(self) -> u32 {
        let Session {
            mut child,
            reader,
            writer,
            ..
        } = self;
        drop((reader, writer));
        child.wait().expect("an end").exit_code()
    }

    /// Its exit status, and what the terminal shows at the end.
    pub fn end(mut self) -> (u32, String) {
        while self.read() {}
        let status = self.child.wait().expect("an end").exit_code();
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the terminal was given back");
        (status, screen.contents())
    }
}

fn process_of(child: &dyn Child) -> Pid {
    let number = child.process_id().expect("a process");
    Pid::from_raw(number.try_into().expect("a number")).expect("a process")
}
