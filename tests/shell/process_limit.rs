//! No story waits for ever for what `Stage` and `Session` start: it is killed after a time that nothing here needs, and the story fails with what it was told
//! until then.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// The longest that a process of a story may live, on a machine that is busy with other tests.
const LONGEST: Duration = Duration::from_secs(300);

/// Kills a process that lives too long. Without effect once this is dropped.
pub struct ProcessLimit {
    _alive: Sender<()>,
}

impl ProcessLimit {
    pub fn watch(process: Pid) -> ProcessLimit {
        let (_alive, end) = channel();
        thread::spawn(move || {
            if end.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
                eprintln!("process {process:?} of a story is killed after {LONGEST:?}");
                let _ = kill_process(process, Signal::KILL);
            }
        });
        ProcessLimit { _alive }
    }
}
