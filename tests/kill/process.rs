//! One process of lop, from its start to its end or its kill.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use crossbeam_channel::after;
use rustix::process::Pid;

use crate::shell::Stage;

/// Between two looks.
const MOMENT: Duration = Duration::from_millis(1);

/// A run of lop, in a process group of its own. What it says is in a file, so that it never waits for a reader.
pub struct Life<'a> {
    stage: &'a Stage,
    child: Child,
    said: PathBuf,
    ended: Option<ExitStatus>,
}

/// Looks until it holds, or for so long. Says whether it holds.
pub fn comes_true(patience: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + patience;
    loop {
        if holds() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        let _ = after(MOMENT).recv();
    }
}

impl<'a> Life<'a> {
    pub fn begin(stage: &'a Stage, line: &[&str]) -> Life<'a> {
        let said = stage.path("said");
        let out = File::create(&said).expect("a file");
        let err = out.try_clone().expect("a descriptor");
        let mut command = stage.program(env!("CARGO_BIN_EXE_lop"), line);
        command.stdout(out).stderr(err).process_group(0);
        Life {
            stage,
            child: command.spawn().expect("lop"),
            said,
            ended: None,
        }
    }

    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// How it ended, if it has.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().expect("a word of it");
        }
        self.ended
    }

    /// How it ended, if it does so in this time.
    pub fn ends_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        comes_true(patience, || self.end().is_some());
        self.ended
    }

    /// All that it said.
    fn said(&self) -> String {
        let bytes = fs::read(&self.said).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether it came to its first line: all is there for the first test.
    pub fn said_hello(&self) -> bool {
        self.said().contains("{\"event\":\"begin\"")
    }

    /// Whether it came to its last line: it had begun, and heard that it shall end.
    pub fn said_goodbye(&self) -> bool {
        self.said().contains("{\"event\":\"totals\"")
    }

    /// The beginnings of the last lines of that.
    pub fn last_words(&self) -> String {
        let said = self.said();
        let lines: Vec<&str> = said.lines().collect();
        let last = lines[lines.len().saturating_sub(8)..].iter();
        let beginnings = last.map(|line| line.chars().take(160).collect::<String>());
        beginnings.collect::<Vec<_>>().join("\n")
    }

    /// The highest version that it reported as accepted.
    pub fn told(&self) -> u64 {
        let said = self.said();
        let lines = said
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let taken = lines.filter(|line| line["event"] == "taken");
        let versions = taken.filter_map(|line| line["version"].as_u64());
        versions.max().unwrap_or(0)
    }

    pub fn stage(&self) -> &'a Stage {
        self.stage
    }
}

/// The exit status as a shell has it: 128 and the signal of whom one has ended.
pub fn status(end: ExitStatus) -> i32 {
    end.code()
        .unwrap_or_else(|| 128 + end.signal().unwrap_or_default())
}

impl Drop for Life<'_> {
    fn drop(&mut self) {
        if self.end().is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
