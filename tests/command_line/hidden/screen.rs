//! Untrusted text on the screen of a real terminal.

use std::io::{Read, Write};
use std::num::NonZero;

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

use super::{NAME, PROGRAM, SHOWN, hidden};
use crate::shell::Stage;

const ROWS: NonZero<u16> = NonZero::new(50).expect("rows");
const COLUMNS: NonZero<u16> = NonZero::new(200).expect("columns");

/// lop at work on a terminal, wide enough for every line.
struct Session {
    child: Box<dyn Child + Send + Sync>,
    reader: Box<dyn Read + Send>,
    writer: Box<dyn Write + Send>,
    screen: vt100::Parser,
    all: Vec<u8>,
}

impl Session {
    fn start(stage: &Stage, line: &[&str]) -> Session {
        let size = PtySize {
            rows: ROWS.get(),
            cols: COLUMNS.get(),
            ..PtySize::default()
        };
        let pty = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_lop"));
        command.args(line);
        command.cwd(stage.path(""));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("XDG_STATE_HOME", stage.state());
        command.env("XDG_CONFIG_HOME", stage.path("settings"));
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

    /// Waits until this can be seen no more.
    fn wait_until_gone(&mut self, text: &str) {
        while self.screen.screen().contents().contains(text) {
            assert!(self.read(), "{text}: {}", self.screen.screen().contents());
        }
    }

    fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("typed");
    }

    /// All that reached the terminal, at the end.
    fn end(mut self) -> String {
        while self.read() {}
        self.child.wait().expect("an end");
        String::from_utf8(self.all).expect("text")
    }
}

/// What of the hostile text is in what reached a terminal. There the sequences of lop itself are, so only those are looked for that it never
/// writes.
fn hostile(all: &str) -> Vec<&'static str> {
    let never = [
        "\x1b]0;",
        "\x1b[2J\u{202e}",
        "\x07",
        "\u{9b}",
        "\u{202e}",
        "\u{200b}",
        "\u{2066}",
        "\u{feff}",
    ];
    never
        .into_iter()
        .filter(|text| all.contains(text))
        .collect()
}

#[test]
fn the_screen_shows_what_would_steer_it() {
    let stage = Stage::new();
    stage.write(NAME, PROGRAM);
    // Its answers come with the same as the program has.
    stage.test(
        "finds.sh",
        r#"printf 'seen \033]0;owned\007\342\200\256\n'; grep -q bug "$1" && grep -q owned "$1""#,
    );
    let mut lop = Session::start(&stage, &[NAME, "finds.sh", "--jobs", "1"]);
    lop.wait_for("othing is left to try");
    // The row reads from left to right, in the order of the program.
    lop.wait_for("<U+001B>]0;owned<U+0007><U+009B>31m<U+202E>\"");
    lop.wait_for(&format!("{} is done", &SHOWN[SHOWN.len() - 20..]));
    // What is pasted is shown in the same way.
    lop.send("\x1b");
    lop.wait_until_gone("is done");
    lop.send(":pin \u{202e}\u{9b}2J");
    lop.wait_for("pin <U+202E><U+009B>2J");
    lop.send("\r");
    lop.wait_for("nothing declares");
    lop.send("q");
    let all = lop.end();
    assert_eq!(hostile(&all), [""; 0], "{all:?}");
}

#[test]
fn a_version_on_a_terminal_is_shown_and_not_obeyed() {
    let stage = Stage::new();
    stage.write("text.txt", PROGRAM);
    stage.test("finds.sh", "grep -q bug \"$1\"");
    let end = stage.lop(&["text.txt", "finds.sh", "--jobs", "1"]);
    assert_eq!(end.status, 0, "{end}");
    for (line, shown) in [
        (&["show", "0"][..], "\u{feff}int a;"),
        (&["diff", "0", "1"], " \u{feff}int a;"),
    ] {
        let all = Session::start(&stage, line).end();
        let all = all.replace("\r\n", "\n");
        assert!(hidden(&all).is_empty(), "{all:?}");
        let shown = shown.replace('\u{feff}', "<U+FEFF>");
        assert!(all.contains(&shown), "{all}");
        assert!(
            all.contains("\"<U+001B>]0;owned<U+0007><U+009B>31m<U+202E>\";\n"),
            "{all}"
        );
    }
}
