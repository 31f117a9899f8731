//! What lop asks on a terminal.

mod shell;

use std::io::{Read, Write};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use shell::Stage;

/// Runs lop on a terminal, types this when it asks, and gives its exit status and all that it wrote.
fn typed(stage: &Stage, keys: &str) -> (u32, String) {
    let pty = native_pty_system()
        .openpty(PtySize {
            rows: 40,
            cols: 100,
            ..PtySize::default()
        })
        .expect("a terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_lop"));
    command.args(["bug.c", "absent.sh", "--plain"]);
    command.cwd(stage.path(""));
    let mut child = pty.slave.spawn_command(command).expect("lop");
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().expect("its output");
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"[y/N] ") {
        reader.read_exact(&mut byte).expect("a question");
        text.push(byte[0]);
    }
    let mut writer = pty.master.take_writer().expect("its keyboard");
    writer.write_all(keys.as_bytes()).expect("typed");
    // The end of a terminal is an error on Linux.
    while let Ok(1) = reader.read(&mut byte) {
        text.push(byte[0]);
    }
    let status = child.wait().expect("an end").exit_code();
    (status, String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn an_interesting_empty_file_is_asked_about() {
    for (keys, status, said) in [
        ("n\n", 1, "nothing was done"),
        ("\n", 1, "nothing was done"),
        ("\x03", 130, "nothing was written"),
        ("y\n", 0, "complete"),
    ] {
        let stage = Stage::new();
        stage.test("absent.sh", "! grep -q absent bug.c");
        let (end, text) = typed(&stage, keys);
        assert!(
            text.contains("the test finds an empty file interesting"),
            "{text}"
        );
        assert_eq!(end, status, "{keys:?}: {text}");
        assert!(text.contains(said), "{keys:?}: {text}");
        assert_eq!(stage.path("bug.lop.c").exists(), status == 0, "{keys:?}");
    }
}
