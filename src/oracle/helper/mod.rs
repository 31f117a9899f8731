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
//! **If lop dies**, even by `kill -9`, the system closes its end of the helper's stdin. The helper sees that at once, whatever it waits
//! for, and kills the test, removes its directory and ends. (A parent death signal would be worse: `SIGKILL` leaves the helper no
//! moment to kill the test, and the signal comes when the *thread* that started the helper ends.) **If the helper dies**, its answer's
//! end tells, the test is looked for by its TMPDIR, nothing is concluded about the candidate, and the next test gets a new helper.

mod client;
mod frame;
mod readiness;
mod reap;
mod serve;
mod wire;

pub use client::own_cpu;
pub(super) use client::{Helper, Start};
pub use serve::serve;

/// The first argument of a helper.
pub const WORD: &str = "__run";

/// What a helper is told that shall make a sandbox; the directory that can be written in it follows.
const SANDBOX: &str = "--sandbox";

/// What a helper is told that finds itself in a sandbox.
const INSIDE: &str = "--inside";
