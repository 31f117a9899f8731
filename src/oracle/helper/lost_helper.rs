//! When a helper is of no use any more: it was killed, or stopped, or says nothing.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::oracle::system;

/// The interval of checks on a helper that has not answered yet.
const LOOK: Duration = Duration::from_millis(250);

/// If our own sleep takes so much longer, we were stopped, and so was the helper. That check does not count.
const SLACK: Duration = Duration::from_millis(250);

/// The number of consecutive checks after which a stopped helper counts as lost.
const LOOKS: u32 = 8;

/// The time that a helper has after the limit of its test: it kills and reaps, and the machine may be busy.
const GRACE: Duration = Duration::from_secs(30);

/// Why a helper gave no answer.
#[derive(Clone, Debug)]
pub(in crate::oracle) enum LostHelper {
    Killed,
    Stopped,
    Silent(Duration),
    Broken(String),
}

/// For the end of a sentence.
impl fmt::Display for LostHelper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LostHelper::Killed => f.write_str("was killed"),
            LostHelper::Stopped => f.write_str("was stopped"),
            LostHelper::Silent(time) => write!(f, "said nothing for {} s", time.as_secs()),
            LostHelper::Broken(error) => write!(f, "could not be heard ({error})"),
        }
    }
}

impl From<io::Error> for LostHelper {
    fn from(error: io::Error) -> LostHelper {
        match error.kind() {
            io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof => LostHelper::Killed,
            _ => LostHelper::Broken(error.to_string()),
        }
    }
}

/// The state of waiting for the answer of a helper.
///
/// A test can stop its helper (`kill -STOP $PPID`), which then neither enforces limits nor answers. So the processes of the helper are
/// checked. lop stops them on purpose too ([`suspend_tests`](crate::oracle::suspend_tests())), but only while it is stopped itself. A
/// helper that has just been resumed is checked again.
pub(super) struct HelperWait {
    /// The serving process, and the one that waits for it.
    processes: Vec<Pid>,
    /// The longest silence.
    max_silence: Option<Duration>,
    /// The silence so far, without the time in which we were stopped.
    silent: Duration,
    /// The number of consecutive checks that found it stopped.
    stopped: u32,
}

impl HelperWait {
    /// For a helper whose test has this limit.
    pub(super) fn new(processes: Vec<Pid>, limit: Option<Duration>) -> HelperWait {
        HelperWait {
            processes,
            max_silence: limit.map(|limit| limit.saturating_add(GRACE)),
            silent: Duration::ZERO,
            stopped: 0,
        }
    }

    /// From now on the limit of the test does not count: it was cancelled, or the helper has begun to answer.
    pub(super) fn shorten_wait(&mut self) {
        (self.max_silence, self.silent) = (Some(GRACE), Duration::ZERO);
    }

    /// Calls `poll` with an interval. If nothing happened in it, the helper is checked. Returns whether something happened.
    pub(super) fn poll_once(
        &mut self,
        poll: impl FnOnce(Duration) -> io::Result<bool>,
    ) -> Result<bool, LostHelper> {
        let begin = Instant::now();
        if poll(LOOK)? {
            return Ok(true);
        }
        if begin.elapsed() > LOOK + SLACK {
            return Ok(false);
        }
        self.silent += LOOK;
        if let Some(most) = self.max_silence.filter(|most| self.silent > *most) {
            return Err(LostHelper::Silent(most));
        }
        self.stopped = match self.processes.iter().any(|pid| system::is_stopped(*pid)) {
            true => self.stopped + 1,
            false => 0,
        };
        match self.stopped >= LOOKS {
            true => Err(LostHelper::Stopped),
            false => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of the last of so many checks without an event.
    fn looks(wait: &mut HelperWait, count: u32) -> Result<bool, String> {
        let looks = (0..count).map(|_| wait.poll_once(|_| Ok(false)));
        let said = looks.last().expect("a look");
        said.map_err(|lost| lost.to_string())
    }

    #[test]
    fn who_is_silent_for_longer_than_its_test_may_take_is_lost() {
        let mut wait = HelperWait::new(Vec::new(), Some(Duration::from_secs(1)));
        assert_eq!(looks(&mut wait, 31 * 4), Ok(false));
        assert_eq!(looks(&mut wait, 1), Err("said nothing for 31 s".into()));
        let mut wait = HelperWait::new(Vec::new(), None);
        assert_eq!(looks(&mut wait, 100_000), Ok(false), "as long as it likes");
        wait.shorten_wait();
        assert_eq!(looks(&mut wait, 30 * 4), Ok(false));
        assert_eq!(looks(&mut wait, 1), Err("said nothing for 30 s".into()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn who_is_stopped_for_some_looks_is_lost() {
        use rustix::process::{Signal, WaitId, WaitIdOptions};
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .spawn()
            .expect("a child");
        let pid = Pid::from_child(&child);
        let signal = |signal, until| {
            rustix::process::kill_process(pid, signal).expect("a signal");
            rustix::process::waitid(WaitId::Pid(pid), until).expect("it obeys");
        };
        let mut wait = HelperWait::new(vec![pid], None);
        assert_eq!(looks(&mut wait, 100), Ok(false));
        signal(Signal::STOP, WaitIdOptions::STOPPED);
        assert_eq!(looks(&mut wait, LOOKS - 1), Ok(false));
        signal(Signal::CONT, WaitIdOptions::CONTINUED);
        assert_eq!(looks(&mut wait, 1), Ok(false), "it goes on");
        signal(Signal::STOP, WaitIdOptions::STOPPED);
        assert_eq!(looks(&mut wait, LOOKS - 1), Ok(false));
        assert_eq!(looks(&mut wait, 1), Err("was stopped".into()));
        child.kill().expect("killed");
        child.wait().expect("its end");
    }
}
