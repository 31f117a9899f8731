//! lop in tmux: a terminal that can be resized, and whose contents can be read.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::shell::Stage;

/// The timeout for anything to be seen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A tmux server with one pane, which ends when this does.
struct Pane {
    server: String,
}

impl Pane {
    /// The pane runs a line of the shell.
    fn open(stage: &Stage, line: &str) -> Pane {
        let pane = Pane {
            server: stage.path("tmux").display().to_string(),
        };
        let directory = stage.path("").display().to_string();
        let began = pane.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            "140",
            "-y",
            "40",
            "-c",
            &directory,
            line,
        ]);
        assert!(began.status.success(), "{began:?}");
        pane.tmux(&["set-option", "-g", "remain-on-exit", "on"]);
        pane
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let mut tmux = Command::new("tmux");
        tmux.args(["-u", "-S", &self.server]).args(arguments);
        // Not the tmux in which somebody runs this.
        tmux.env_remove("TMUX").env("LANG", "C.UTF-8");
        tmux.output().expect("tmux")
    }

    fn screen(&self) -> String {
        let captured = self.tmux(&["capture-pane", "-p"]).stdout;
        String::from_utf8_lossy(&captured).into_owned()
    }

    /// Waits until the screen is so.
    fn wait_until(&self, what: &str, so: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let screen = self.screen();
            if so(&screen) {
                return screen;
            }
            assert!(began.elapsed() < PATIENCE, "{what}:\n{screen}");
        }
    }

    fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contains(text))
    }

    /// Keys by their names, or letters as they stand.
    fn keys(&self, keys: &[&str]) {
        let mut line = vec!["send-keys"];
        line.extend(keys);
        assert!(self.tmux(&line).status.success());
    }

    fn resize(&self, width: u16, height: u16) {
        let (width, height) = (width.to_string(), height.to_string());
        let size = ["resize-window", "-x", &width, "-y", &height];
        assert!(self.tmux(&size).status.success());
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn there_is_no_tmux() -> bool {
    let lacks = Command::new("tmux").arg("-V").output().is_err();
    if lacks {
        eprintln!("SKIPPED: no tmux");
    }
    lacks
}

#[test]
fn who_is_asked_about_an_unfinished_session_is_told_of_it_and_can_leave() {
    if there_is_no_tmux() {
        return;
    }
    let stage = Stage::new();
    stage.write("stop", "at commit 1: stop\n");
    for _ in 0..2 {
        let end = stage.lop(&["bug.c", "test.sh", "--commands", "stop"]);
        assert!(end.out.contains("lop resume"), "{end}");
    }
    let state = stage.sessions();
    let state = state.ancestors().nth(2).expect("its root").display();
    let line = format!(
        "env XDG_STATE_HOME={state} {} bug.c test.sh; echo it ended with $?",
        env!("CARGO_BIN_EXE_lop")
    );
    let pane = Pane::open(&stage, &line);
    let asked = pane.wait_for("[Y/n/q]");
    for word in ["session bug.c-2", "tokens so far", "bug.lop.c", "1 more"] {
        assert!(asked.contains(word), "{word}: {asked}");
    }
    pane.keys(&["q", "Enter"]);
    pane.wait_for("nothing was done");
    pane.wait_for("it ended with 1");
}

#[test]
fn a_run_of_plain_is_attached_to_steered_and_left_in_tmux() {
    if there_is_no_tmux() {
        return;
    }
    let stage = Stage::new();
    stage.hanging_test();
    let line = ["bug.c", "hang.sh", "--plain", "--timeout", "0"];
    let mut run = stage.start(&[&line[..], &["--strategy", "perses"]].concat());
    while !run.line().contains("the best version is always in") {}
    let line = format!(
        "env -u COLORTERM XDG_CONFIG_HOME={} XDG_STATE_HOME={} {} attach; echo it ended with $?; read stay",
        stage.path("settings").display(),
        stage.state().display(),
        env!("CARGO_BIN_EXE_lop")
    );
    let pane = Pane::open(&stage, &line);
    pane.wait_for("12 ▸ 6 tokens");
    let is_whole = |screen: &str, rows: usize, columns: usize| {
        let lines: Vec<&str> = screen.lines().collect();
        let widest = lines.iter().map(|line| line.chars().count()).max();
        lines.len() == rows
            && widest.is_some_and(|widest| widest + 5 > columns && widest <= columns)
            && lines[0].contains("lop attached  bug.c")
            && lines[rows - 1].contains("q leave it going")
    };
    for (columns, rows) in [(80, 24), (200, 50), (90, 30)] {
        pane.resize(columns, rows);
        let (columns, rows) = (columns.into(), rows.into());
        pane.wait_until("drawn for its size", |screen| {
            is_whole(screen, rows, columns)
        });
    }
    pane.keys(&["Space"]);
    pane.wait_for("PAUSED");
    pane.keys(&["-l", ":pin stay"]);
    pane.keys(&["Enter"]);
    pane.wait_for("pin stay: 1 token");
    pane.keys(&["q"]);
    pane.wait_for("the run goes on; `lop attach bug.c-1` opens the screen again");
    pane.wait_for("it ended with 0");
    let said = run.rest();
    assert_eq!(run.wait(), 0, "{said}");
    for told in [
        "lop: pin stay (1 token), before decision",
        "lop: resumed",
        "to 6 tokens",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
}

#[test]
fn a_run_is_steered_in_tmux() {
    if there_is_no_tmux() {
        return;
    }
    let stage = Stage::new();
    stage.hanging_test();
    let line = format!(
        "env -u COLORTERM XDG_CONFIG_HOME={} {} bug.c hang.sh --timeout 0 --strategy perses; echo it ended with $?",
        stage.path("settings").display(),
        env!("CARGO_BIN_EXE_lop")
    );
    let pane = Pane::open(&stage, &line);
    // Nothing but `stay` and `bug` is left, and whether `stay` can go is never answered.
    pane.wait_for("12 ▸ 6 tokens");
    pane.keys(&[":"]);
    pane.wait_for("Command");
    pane.keys(&["-l", "undo stop"]);
    pane.keys(&["Enter"]);
    let undone = ["Paused: undone", "PAUSED", "12 ▸ 12 tokens"];
    pane.wait_until("paused at the version before", |screen| {
        undone.iter().all(|text| screen.contains(text))
    });
    pane.keys(&["C-r"]);
    pane.wait_for("12 ▸ 6 tokens");
    // The node that the run would ask about for ever stays.
    pane.keys(&["/"]);
    pane.wait_for("Search");
    pane.keys(&["-l", "stay"]);
    pane.keys(&["Enter"]);
    pane.wait_for("1 of 1 found");
    pane.keys(&["p"]);
    pane.wait_for("pin `stay`");
    pane.wait_for("│p ▾ int stay;");
    pane.resize(20, 5);
    pane.wait_until("one line", |screen| screen.starts_with("6  ▮▮ PAUSED"));
    pane.resize(140, 40);
    pane.wait_for("Log");
    pane.keys(&["Space"]);
    let ended = ["othing is left to try", "closed by pins", "12 → 6"];
    pane.wait_until("the result", |screen| {
        ended.iter().all(|text| screen.contains(text))
    });
    pane.keys(&["q"]);
    pane.wait_for("it ended with 0");
    assert!(stage.passes("bug.lop.c"));
    assert!(stage.read("bug.lop.c").contains("stay"));
}
