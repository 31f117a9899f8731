//! The processes of a run, and signals to them.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::kinds::Victim;

/// A process of a run.
pub struct Process {
    pub pid: Pid,
    parent: i32,
    /// Its command line.
    line: String,
    /// Whether it is a helper.
    pub helps: bool,
}

/// All living processes that know this directory of sessions: a run's own, its helpers, its tests, and what those have started.
pub fn all(state: &Path) -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter_map(Pid::from_raw)
        .filter(|pid| knows(*pid, state))
        .filter_map(about)
        .collect()
}

fn directory(pid: Pid) -> PathBuf {
    format!("/proc/{}", pid.as_raw_nonzero()).into()
}

/// Whether its environment names the directory. One that has died has none.
fn knows(pid: Pid, state: &Path) -> bool {
    let environment = fs::read(directory(pid).join("environ")).unwrap_or_default();
    let mut variables = environment.split(|&byte| byte == 0);
    variables.any(|variable| {
        let value = variable.strip_prefix(b"XDG_STATE_HOME=");
        value.is_some_and(|value| OsStr::from_bytes(value) == state)
    })
}

fn about(pid: Pid) -> Option<Process> {
    let stat = fs::read_to_string(directory(pid).join("stat")).ok()?;
    let parent = stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()?;
    let line = fs::read(directory(pid).join("cmdline")).ok()?;
    let line = String::from_utf8_lossy(&line).replace('\0', " ");
    Some(Process {
        pid,
        parent,
        helps: line.contains(" __run "),
        line,
    })
}

/// One of lop's processes who is such a victim; none at this moment if there is none.
pub fn find(
    victim: Victim,
    lop: Pid,
    state: &Path,
    pick: impl FnOnce(usize) -> usize,
) -> Option<Pid> {
    if matches!(victim, Victim::Lop | Victim::Group) {
        return Some(lop);
    }
    let all = all(state);
    let number = |process: &Process| process.pid.as_raw_nonzero().get();
    let helper = |process: &&Process| process.helps && process.parent == number_of(lop);
    let helpers: Vec<i32> = all.iter().filter(helper).map(number).collect();
    let found: Vec<Pid> = all
        .iter()
        .filter(|process| match victim {
            Victim::Helper => helpers.contains(&number(process)),
            _ => !process.helps && helpers.contains(&process.parent),
        })
        .map(|process| process.pid)
        .collect();
    (!found.is_empty()).then(|| found[pick(found.len()) % found.len()])
}

fn number_of(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

/// Sends a signal, if there is still somebody of this run who gets it. Says whether there was.
pub fn hit(victim: Victim, pid: Pid, signal: Signal, state: &Path) -> bool {
    // Its number may be another's by now.
    if !knows(pid, state) {
        return false;
    }
    let sent = match victim {
        Victim::Group => kill_process_group(pid, signal),
        _ => kill_process(pid, signal),
    };
    sent.is_ok()
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {}: {}",
            self.pid,
            self.parent,
            self.line.trim_end()
        )
    }
}
