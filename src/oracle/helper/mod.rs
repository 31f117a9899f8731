//! A small process of ours around each test: `lop __run`.
//!
//! A process group does not hold a test together: `setsid` leaves it. So each thread of [`super::LocalRunner`] has a helper, which is a
//! child subreaper: whoever descends from it and loses its parent becomes its child. When a test is over, in whatever way, the helper
//! kills the group, then its own children until it has none. It has one thread and few pages, so that starting a test is cheap
//! however much memory the program holds that is being reduced.
//!
//! ```text
//!  thread of the runner               helper                           test
//!    directory, files
//!    Errand ─────────────stdin──────▶ starts it ─────────────────────▶ runs
//!    waits for answer or bell         waits for end, bounds, stdin      prints ──▶ helper keeps head and tail
//!    [Callback ──────────stdin──────▶ kills it]
//!    Report ◀────────────stdout────── kills what is left, reaps all
//!    directory goes
//! ```
//!
//! A helper is two processes. The second is a copy of the first, serves, and is the test's parent; the first waits for its end and is a
//! reaper as well. So when a test kills or stops its parent, whatever it has started descends from one of the two still, and is found.
//!
//! **If lop dies**, even by `kill -9`, the system closes its end of the helper's stdin. The helper sees that at once, whatever it waits
//! for, and kills the test, removes its directory and ends. (A parent death signal would be worse: `SIGKILL` leaves the helper no
//! moment to kill the test, and the signal comes when the *thread* that started the helper ends.) **If the helper dies**, its answer's
//! end tells, and the other of its processes has killed the test by then. **If it is stopped**, or says nothing though its test must be
//! over by far, the runner's thread kills what descends from it, and it. Nothing is concluded about the candidate then: it is asked about
//! again, in a new directory and by a new helper, a few times.

mod client;
mod frame;
mod lost_helper;
mod oom_score;
mod reap;
mod serve;
mod wire;

pub use client::helpers_cpu_time;
pub(super) use client::{HelperConfig, HelperFailure, SandboxConfig, TestHelper};
pub(super) use lost_helper::LostHelper;
pub use serve::run_helper;

/// The first argument of a helper.
pub const WORD: &str = "__run";

/// What a helper is told that shall make a sandbox; the directory that can be written in it follows.
const SANDBOX: &str = "--sandbox";

/// What follows that: a path that is seen where most is hidden.
const SEEN: &str = "--seen";

/// What a helper is told that finds itself in a sandbox, before the one directory of all that can be written.
const INSIDE: &str = "--inside";
