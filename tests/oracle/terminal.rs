//! Tests have no terminal.

use std::fs;
use std::io::Read;
use std::path::Path;

use lop::oracle::Verdict;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::suite_directory::Place;

/// Draws on the terminal of its parent, if it has one; otherwise it continues. `TERMINAL` is the name of ours, which anyone may open who
/// has our rights, but not for a controlling terminal.
const DRAWS: &str = "[ ! -e \"$TERMINAL\" ] || exec 3<>\"$TERMINAL\"
    if (printf '\\033]0;stolen\\007\\033[2J' >/dev/tty) 2>/dev/null; then exit 3; fi
    leads='exec 3<>\"$TERMINAL\"; (printf \"\\033]0;stolen\\007\" >/dev/tty) 2>/dev/null'
    if [ -e \"$TERMINAL\" ] && setsid -w sh -c \"$leads\"; then exit 5; fi";

/// The output of a command on its own terminal, whose name it gets; and whether it succeeded.
fn on_a_terminal(program: &str, line: &[&str], dir: &Path) -> (String, bool) {
    let size = PtySize {
        rows: 40,
        cols: 200,
        ..PtySize::default()
    };
    let terminal = native_pty_system().openpty(size).expect("a terminal");
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", "TERMINAL=$(tty) exec \"$0\" \"$@\"", program]);
    command.args(line);
    command.cwd(dir);
    command.env("TERM", "xterm-256color");
    command.env("XDG_STATE_HOME", dir.join("state"));
    let mut child = terminal.slave.spawn_command(command).expect("started");
    let mut reader = terminal.master.try_clone_reader().expect("its output");
    drop(terminal.slave);
    let mut said = Vec::new();
    // The end of a terminal is an error on Linux.
    let _ = reader.read_to_end(&mut said);
    let ended = child.wait().expect("its end").success();
    (String::from_utf8_lossy(&said).into_owned(), ended)
}

/// For `no_test_gets_the_terminal`, which runs it on one.
#[test]
#[ignore = "needs a terminal of its own"]
fn tests_ask_for_the_terminal() {
    fs::File::open("/dev/tty").expect("we have a terminal");
    for (level, place) in Place::levels() {
        let leads = format!(
            "read -r _ _ _ _ group _ terminal _ </proc/$$/stat
            [ $group = $$ ] && [ $terminal = 0 ] || exit 4
            {DRAWS}"
        );
        let (verdict, run) = place.ran(&leads);
        let said = run.output.to_text();
        assert_eq!(
            verdict,
            Verdict::Interesting,
            "{level}: {}: {said}",
            run.exit
        );
        println!("{level} has no terminal");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_test_gets_the_terminal() {
    let own = std::env::current_exe().expect("our own name");
    let words = ["--exact", "terminal::tests_ask_for_the_terminal"];
    let line = [&words[..], &["--ignored", "--nocapture"]].concat();
    let dir = tempfile::tempdir().expect("a directory");
    let (said, ended) = on_a_terminal(&own.display().to_string(), &line, dir.path());
    assert!(!said.contains("stolen") && ended, "{said}");
    for level in ["group", "helper"] {
        assert!(said.contains(&format!("{level} has no terminal")), "{said}");
    }
}

#[test]
#[ignore = "long"]
#[cfg(target_os = "linux")]
fn nothing_that_lop_runs_draws_on_its_terminal() {
    let place = Place::helped();
    let dir = place.dir.path();
    fs::write(dir.join("bug.c"), "int a;\nint bug;\n").expect("a program");
    let asked = dir.join("asked");
    let draws = format!("{DRAWS}; echo asked >>'{}'", asked.display());
    place.file(&format!("#!/bin/sh\n{draws}\ngrep -q bug bug.c\n"));
    let (command, check) = (
        format!("{draws}; grep bug {{}}; exit 1"),
        format!("{draws}; : {{}}"),
    );
    for line in [
        &["bug.c", "./test.sh", "--plain"][..],
        &["bug.c", "--plain", "--", "sh", "-c", &command, "{}"],
        &["bug.c", "./test.sh", "--plain", "--check", &check],
        &["doctor", "bug.c", "./test.sh"],
        &["verify", "bug.c", "./test.sh"],
    ] {
        let (said, _) = on_a_terminal(env!("CARGO_BIN_EXE_lop"), line, dir);
        // The command line gets it too.
        assert!(!said.contains("\x1b]0;stolen"), "{line:?}: {said:?}");
        let runs = fs::read_to_string(&asked).unwrap_or_else(|_| panic!("{line:?}: {said}"));
        assert!(runs.lines().count() > 1, "{line:?}: {said}");
        fs::remove_file(&asked).expect("removed");
    }
}
