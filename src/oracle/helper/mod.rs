//! A small process of ours around each test: `lop __run`.
//!
//! A process group does not hold a test together: `setsid` leaves it. So each thread of [`super::LocalRunner`] has a helper, which is a
//! child subreaper: any descendant of it that loses its parent becomes its child. When a test is over, in whatever way (verdict, limit, cancel),
//! the helper kills the group, then its own children until it has none. If something resists for two seconds (a process of another user, a
//! broken disk), the helper says so and is replaced. The helper has one thread and few pages, so starting a test is cheap however much memory
//! the program holds that is being reduced. The processor time of all that the test started is in the helper's `getrusage`, exact.
//!
//! ```text
//!  thread of the runner               helper                           test
//!    directory, files
//!    request ────────────stdin──────▶ starts it ─────────────────────▶ runs
//!    waits for answer or waker        waits for end, limits, stdin     prints ──▶ helper keeps head and tail
//!    [cancel ────────────stdin──────▶ kills it]
//!    report ◀────────────stdout────── kills what is left, reaps all
//!    removes the directory
//! ```
//!
//! A helper is two processes. The second is a copy of the first, serves, and is the test's parent; the first waits for its end and is a
//! reaper as well. So when a test kills or stops its parent, whatever it has started is still a descendant of one of the two, and is found.
//!
//! **If lop dies**, even by `kill -9`, the system closes its end of the helper's stdin. The helper sees that at once, whatever it waits
//! for, kills the test, removes its directory and ends. A parent death signal that kills would be worse: it leaves the helper no
//! moment to kill the test, and it comes when the *thread* that started the helper ends. The helper asks for a signal that wakes it instead, in
//! case it was stopped.
//!
//! **If the helper dies**, its answer's end tells, and the other of its processes has killed the test by then. **If it is stopped**
//! (`kill -STOP $PPID`), or says nothing for 30 s more than its test may take, the runner's thread kills it and all its descendants. It counts
//! as stopped only after two seconds: Ctrl-Z stops all helpers, and us. Nothing is concluded about the candidate then: it is tested again, in a
//! new directory and by a new helper. After three times there is *no verdict*.
//!
//! **A server** (`resident.rs`) is a test that stays alive. Its worker has a helper for it alone, beside the one that runs tests which end: so still all
//! that a helper has started belongs to one test.
//!
//! A helper gives up the terminal when it begins, and so do its tests. (Without a helper each test has a session of its own, which has no
//! terminal either; but the kernel makes a scheduling group for each session, and tests of a millisecond took half as long again.)
//!
//! **Where no helper can be** (not Linux, a kernel without subreapers or `/proc/*/children`, a program that cannot be started again), tests
//! are children of lop, held together by their process group; a run says at its start which of the two it is. The helper's program is a
//! parameter: a client of the library names one whose `main` calls `oracle::run_helper` when its first argument is `oracle::HELPER`.

mod client;
mod frame;
mod lost_helper;
mod oom_score;
mod reap;
mod resident;
mod serve;
mod spare_helper;
mod tools;
mod wire;

pub use client::helpers_cpu_time;
pub(super) use client::{HelperConfig, HelperFailure, SandboxConfig, TestHelper};
pub use frame::{decode_message, write_message};
pub(super) use lost_helper::LostHelper;
pub use serve::run_helper;
pub use spare_helper::SpareHelper;

/// The first argument of a helper.
pub const WORD: &str = "__run";

/// The argument of a helper that makes a sandbox. The sandbox's writable directory follows it.
const SANDBOX: &str = "--sandbox";

/// The argument before a path that stays visible in the sandbox.
const SEEN: &str = "--seen";

/// The argument of a helper inside a sandbox. The sandbox's writable directory follows it.
const INSIDE: &str = "--inside";
