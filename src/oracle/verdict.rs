//! What a test said, and what it means when it said nothing.

use std::fmt;
use std::io;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::WaitStatus;
use serde::{Deserialize, Serialize};

use super::{TestFiles, TestOutput};
use crate::display::EscapeHidden;

/// What a test said about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Exit 0: the candidate still shows what we look for.
    Interesting,
    /// Any other exit, death by a signal included. Journals of format 2 called it boring.
    #[serde(alias = "boring")]
    Uninteresting,
    /// Exit 125: the candidate says nothing, as in `git bisect`.
    Invalid,
    /// The test went beyond a limit, of time or of something else: see [`LimitKind`].
    TimedOut,
}

impl Verdict {
    /// Whether the candidate still shows what we look for.
    pub fn is_interesting(self) -> bool {
        self == Verdict::Interesting
    }

    /// How a test ends that says so, where nothing says how it did.
    pub fn implied_exit(self) -> TestExit {
        match self {
            Verdict::Interesting => TestExit::Code(0),
            Verdict::Uninteresting => TestExit::Code(1),
            Verdict::Invalid => TestExit::Code(125),
            Verdict::TimedOut => TestExit::Killed(LimitKind::Wall),
        }
    }
}

/// A limit that a test went beyond.
///
/// A test beyond its processor time, or beyond what it may take of the machine, would be so again. Its wall time also tells of the
/// machine: while other tests run, such an end should be asked for again with nothing beside it ([`super::TestJob::alone`]) before it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LimitKind {
    /// From start to end.
    Wall,
    /// User and system time of all its processes.
    Cpu,
    /// See [`super::ResourceQuotas::memory`].
    Memory,
    /// See [`super::ResourceQuotas::processes`].
    Processes,
    /// See [`super::ResourceQuotas::disk`].
    Disk,
}

impl LimitKind {
    /// All of them.
    pub const ALL: [LimitKind; 5] = [
        LimitKind::Wall,
        LimitKind::Cpu,
        LimitKind::Memory,
        LimitKind::Processes,
        LimitKind::Disk,
    ];

    /// Its name in journals.
    pub fn name(self) -> &'static str {
        match self {
            LimitKind::Wall => "wall",
            LimitKind::Cpu => "cpu",
            LimitKind::Memory => "memory",
            LimitKind::Processes => "processes",
            LimitKind::Disk => "disk",
        }
    }

    /// The bound of this name.
    pub fn from_name(word: &str) -> Option<LimitKind> {
        LimitKind::ALL
            .into_iter()
            .find(|bound| bound.name() == word)
    }

    /// Whether it is one of time, which other tests can use up.
    pub fn is_time_limit(self) -> bool {
        matches!(self, LimitKind::Wall | LimitKind::Cpu)
    }
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TestExit {
    /// By itself, with this status.
    Code(i32),
    /// By this signal, which was not ours.
    Signal(i32),
    /// It went beyond this limit, and was killed unless it had just ended by itself.
    Killed(LimitKind),
}

impl TestExit {
    /// What this end says about the candidate; `None` if it only says that the test failed.
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            TestExit::Code(0) => Some(Verdict::Interesting),
            TestExit::Code(125) => Some(Verdict::Invalid),
            // The shell's words for "not executable" and "not found": the test never came to a question.
            TestExit::Code(126 | 127) => None,
            TestExit::Code(_) | TestExit::Signal(_) => Some(Verdict::Uninteresting),
            TestExit::Killed(_) => Some(Verdict::TimedOut),
        }
    }
}

impl TestExit {
    /// What the system says of a process that has ended.
    pub(super) fn from_status(status: WaitStatus) -> TestExit {
        match status.exit_status() {
            Some(code) => TestExit::Code(code),
            None => TestExit::Signal(status.terminating_signal().unwrap_or_default()),
        }
    }

    /// The limit that the test went beyond, if it did.
    pub fn exceeded_limit(self) -> Option<LimitKind> {
        match self {
            TestExit::Killed(bound) => Some(bound),
            TestExit::Code(_) | TestExit::Signal(_) => None,
        }
    }
}

impl fmt::Display for TestExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestExit::Code(code) => write!(f, "exit {code}"),
            TestExit::Signal(signal) => write!(f, "signal {signal}"),
            TestExit::Killed(LimitKind::Wall) => write!(f, "killed at its time limit"),
            TestExit::Killed(LimitKind::Cpu) => write!(f, "killed at its limit of processor time"),
            TestExit::Killed(bound) => write!(f, "killed at its limit of {}", bound.name()),
        }
    }
}

/// One run of a test that ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestRun {
    /// How it ended.
    pub exit: TestExit,
    /// From start to end.
    pub time: Duration,
    /// User and system time. In a helper ([`super::ContainmentKind::Helper`]) it is exact and that of all processes of the test. Without one it
    /// is that of the test and the children it waited for, in steps of 10 ms, and known on Linux for tests that took at least 20 ms;
    /// below that the step says nothing and the question costs too much.
    pub cpu: Option<Duration>,
    /// What it printed to stdout and stderr.
    pub output: TestOutput,
}

/// Why there is no verdict.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoVerdict {
    /// The test could not be started. Asking again will not help before the user has repaired it.
    #[error("the test failed: it cannot be started: {reason}")]
    CannotStart {
        /// The system's words.
        reason: String,
    },
    /// The test says that it failed (126 or 127). Asking again will not help before the user has repaired it.
    #[error("the test failed: {}", describe_failure(run))]
    TestFailed {
        /// What it did and printed.
        run: Box<TestRun>,
    },
    /// The test is a function, and it panicked.
    #[error("the test failed: it panicked: {message}")]
    FunctionPanicked {
        /// What the panic said.
        message: String,
    },
    /// A fresh process of a server did not keep to the protocol. Asking again will not help before the user has repaired it.
    #[error("the test failed: the server does not keep to the protocol: {fault}")]
    ServerFault {
        /// What it did, as "it wrote `x`, which is no status".
        fault: String,
        /// How it ended, and what it printed.
        run: Box<TestRun>,
    },
    /// No test runs, and no verdict is known of these files. Asking again does not help.
    #[error("no test runs, and no verdict is known of this candidate")]
    NotRecorded {
        /// The files that the test would see.
        files: TestFiles,
    },
    /// The process that looks after the test did not live to its end, each time that the test was begun. The test itself may have killed
    /// it, or stopped it; or the system was short of memory.
    #[error(
        "the process that looks after the test (lop __run, its parent) {reason}, {times} times in a row"
    )]
    HelperLost {
        /// What became of it, as "was killed".
        reason: String,
        /// How often.
        times: u32,
    },
    /// A farm has not answered, or refuses to. This machine may be asked.
    #[error("the farm gives no verdict: {reason}")]
    FarmFailed {
        /// Its words.
        reason: String,
        /// Whether it would say so of every candidate.
        refuses: bool,
    },
    /// lop itself failed with this candidate, before there was a test. Asking again is of little use.
    #[error("lop failed, not the test: {reason}; this is a fault of lop")]
    InternalError {
        /// What went wrong.
        reason: String,
    },
    /// The system would not let us run the test (disk full, too many files or processes, no memory). Waiting may help.
    #[error("the system failed, not the test: {doing}: {reason}")]
    System {
        /// What we were about to do, as "writing the candidate".
        doing: &'static str,
        /// The system's words.
        reason: String,
        /// Its error number, where it gave one.
        errno: Option<i32>,
    },
}

impl NoVerdict {
    /// The system refused us something.
    pub fn from_system_error(doing: &'static str, error: &io::Error) -> NoVerdict {
        NoVerdict::System {
            doing,
            reason: error.to_string(),
            errno: error.raw_os_error(),
        }
    }

    /// The test's process could not be made: the system's fault if it lacks something just now, else the test's.
    pub(super) fn from_spawn_error(error: &io::Error) -> NoVerdict {
        const LACKING: [Errno; 8] = [
            Errno::NOSPC,
            Errno::DQUOT,
            Errno::MFILE,
            Errno::NFILE,
            Errno::AGAIN,
            Errno::NOMEM,
            Errno::IO,
            // Someone is writing the test at this moment.
            Errno::TXTBSY,
        ];
        if error
            .raw_os_error()
            .is_some_and(|code| LACKING.iter().any(|errno| errno.raw_os_error() == code))
        {
            NoVerdict::from_system_error("starting the test", error)
        } else {
            NoVerdict::CannotStart {
                reason: error.to_string(),
            }
        }
    }

    /// Whether a disk is full: it stays so until somebody makes room.
    pub fn is_disk_full(&self) -> bool {
        const ROOM: [Errno; 2] = [Errno::NOSPC, Errno::DQUOT];
        let is_one = |number: i32| ROOM.iter().any(|errno| errno.raw_os_error() == number);
        matches!(self, NoVerdict::System { errno: Some(number), .. } if is_one(*number))
    }

    /// Whether the same question may get a verdict later without anyone doing anything about the test.
    pub fn is_transient(&self) -> bool {
        matches!(self, NoVerdict::System { .. })
    }
}

/// The sentence for 126 and 127, with the last thing that the test printed: usually the shell's own complaint.
fn describe_failure(run: &TestRun) -> String {
    let meaning = match run.exit {
        TestExit::Code(126) => "exit 126: a command in it is not executable",
        TestExit::Code(127) => "exit 127: a command in it was not found",
        exit => return exit.to_string(),
    };
    let printed = run.output.to_bytes();
    let lines = printed.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    match lines.rev().find(|line| !line.is_empty()) {
        Some(line) => format!("{meaning} ({})", line.escape_hidden()),
        None => meaning.to_owned(),
    }
}

/// What became of a question.
#[derive(Clone, Debug)]
pub enum TestOutcome {
    /// The test said something.
    Verdict(Verdict, TestRun),
    /// The question was withdrawn.
    Cancelled,
    /// The test or the system failed.
    NoVerdict(NoVerdict),
}

impl TestOutcome {
    /// The outcome of a test that ended.
    pub fn from_run(run: TestRun) -> TestOutcome {
        match run.exit.verdict() {
            Some(verdict) => TestOutcome::Verdict(verdict, run),
            None => TestOutcome::NoVerdict(NoVerdict::TestFailed { run: Box::new(run) }),
        }
    }

    /// The verdict, if there is one.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            TestOutcome::Verdict(verdict, _) => Some(*verdict),
            TestOutcome::Cancelled | TestOutcome::NoVerdict(_) => None,
        }
    }
}

/// What a runner without processes answers: the verdict, from a test that took no time and printed nothing.
impl From<Verdict> for TestOutcome {
    fn from(verdict: Verdict) -> TestOutcome {
        TestOutcome::Verdict(
            verdict,
            TestRun {
                exit: verdict.implied_exit(),
                time: Duration::ZERO,
                cpu: None,
                output: TestOutput::default(),
            },
        )
    }
}
