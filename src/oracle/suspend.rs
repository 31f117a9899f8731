//! Standing still: all tests stop, and their clocks with them.
//!
//! Everything that descends from this process is stopped, helpers before what they watch. A watcher that oversleeps by far was stopped
//! itself, and does not count that time (see [`super::wait`]); so nothing needs to be told to anyone.

use rustc_hash::FxHashSet;
use rustix::process::{Pid, Signal};

use super::system;

/// How often new processes are looked for that were started while others were being stopped.
const SWEEPS: u32 = 5;

/// Stops all descendants of this process. To be called before this process stops itself.
pub fn suspend_tests() {
    let mut stopped = FxHashSet::default();
    for _ in 0..SWEEPS {
        if !signal_descendants(&mut stopped, Signal::STOP) {
            return;
        }
    }
}

/// Resumes all descendants of this process.
pub fn resume_tests() {
    signal_descendants(&mut FxHashSet::default(), Signal::CONT);
}

/// Sends a signal to all descendants that are not in `known`, parents first. Returns whether there was one.
fn signal_descendants(known: &mut FxHashSet<Pid>, signal: Signal) -> bool {
    let (mut left, mut seen, mut new) =
        (vec![rustix::process::getpid()], FxHashSet::default(), false);
    while let Some(pid) = left.pop() {
        if !seen.insert(pid) {
            continue;
        }
        let children = system::child_processes(pid).unwrap_or_default();
        for &child in &children {
            if known.insert(child) {
                new = true;
                // It may have ended.
                let _ = rustix::process::kill_process(child, signal);
            }
        }
        left.extend(children);
    }
    new
}
