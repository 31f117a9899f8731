//! Running the interestingness test.
//!
//! The test is the user's executable. It runs in a fresh directory in which the candidate lies under its own name, and says with its
//! exit status whether the candidate still shows what we look for. Everything here sees paths and bytes, never a tree.
//!
//! ```text
//!  SCRATCH/lop-PID-START-N/        one root a run, locked by a file beside it ([`Scratch`])
//!      17/w/bug.c                  the candidate; w/ is the working directory of test 17
//!      17/t/                       its TMPDIR
//!      17/h/                       its HOME, in a sandbox
//! ```
//!
//! In a sandbox the directories of one helper's tests lie in one of its own, the only one that they can write in.
//!
//! A test that misbehaves harms nothing: it has a process group, directories and limits of its own, what it prints is read and
//! mostly dropped, and all of it is gone when the test is over. On Linux a small process of ours around it, the *helper*
//! (`helper/`), sees to it that this includes processes that leave the group. Without a helper such a process is killed at once if
//! it holds the test's output open, else at the end of the run (on Linux; elsewhere it lives on). Who asks sees a [`Runner`]: it
//! submits jobs and hears one [`Answer`] to each. [`LocalRunner`] runs them as processes here, [`ScriptedRunner`] answers from a
//! closure.
//!
//! A [`Test`] is a row of commands, *stages*, which run one after the other in the same directory and within the limits of one test.
//! Mostly it is one: the user's executable. Where the user gave a command in its place, a [`Property`] says what its end and its
//! output must be; `property/` finds that out and looks for it, and `signatures/` knows what failures look like.
//!
//! The process that holds the data may be large, so tests and helpers are started by `posix_spawn` only: nothing here may use
//! `CommandExt::pre_exec` or anything else that makes the standard library fork, which copies the page tables (55 ms a test at
//! 1 GiB).

mod bounds;
mod care;
mod cgroup;
mod clean;
mod contain;
mod dir;
mod errand;
mod executable;
mod fault;
mod freeze;
mod gauge;
mod helper;
mod limit;
mod local;
mod look;
mod output;
mod private;
mod process;
mod property;
mod quota;
mod raw;
mod root;
#[cfg(target_os = "linux")]
mod sandbox;
mod scratch;
mod scripted;
pub mod shell;
mod signatures;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "portable.rs")]
mod system;
mod test;
mod verdict;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Receiver;

pub use care::Care;
pub use contain::{Containment, Held, Holder};
pub use executable::{Executable, Interpreter, TestError};
pub use fault::caught;
pub use freeze::{freeze, thaw};
pub use helper::{WORD as HELPER, own_cpu as helpers_cpu, serve};
pub use limit::{Limit, Limits};
pub use local::LocalRunner;
pub use look::{Look, Seen};
pub use output::Output;
pub use process::{forbid_core_dumps, run_once};
pub use property::{
    Change, Clue, MISSING, Part, Pattern, Property, PropertyError, StageRun, Unfit, Wanted,
    differing, identify, is_like, likened,
};
pub use quota::Quotas;
pub use root::left_behind;
pub use scratch::{Scratch, ScratchError};
pub use scripted::{Script, ScriptedRunner};
pub use shell::{Quotes, quoted};
pub use signatures::other_crash;
pub use test::{CANDIDATE, Line, Role, Stage, Test};
pub use verdict::{Bound, Exit, NoVerdict, Outcome, Run, Verdict};

/// What a test sees: paths relative to its working directory, and their bytes. The first is its argument.
pub type Files = Vec<(PathBuf, Arc<[u8]>)>;

/// The name that the asker gives to a job; never used twice with one runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// A candidate to be tested.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its name in the answer.
    pub id: JobId,
    /// What the test sees.
    pub files: Files,
    /// How long the test may take.
    pub limits: Limits,
    /// Wait until no other job runs, and let none begin before this one has ended. Later jobs do not overtake it.
    pub alone: bool,
}

/// What became of a job.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The job's name.
    pub id: JobId,
    /// What became of it.
    pub outcome: Outcome,
}

/// Someone who runs tests: processes here, a journal, a script, a farm.
///
/// Every job submitted is answered exactly once, in any order.
pub trait Runner: Send {
    /// Has the candidate tested. Returns at once; jobs beyond what the runner does at a time wait in the order of their submission.
    fn submit(&mut self, job: Job);

    /// The answer no longer matters: a test that runs is killed. Returns at once. The answer is then [`Outcome::Cancelled`], or the
    /// verdict if that was faster.
    fn cancel(&mut self, id: JobId);

    /// From now on so many jobs may run at a time. A runner that has no such bound ignores it.
    ///
    /// # Errors
    /// When the system gives no more threads.
    fn resize(&mut self, _jobs: usize) -> std::io::Result<()> {
        Ok(())
    }

    /// From now on jobs are looked at for another property: those too that wait, not those that run.
    ///
    /// # Errors
    /// When the test has none, or this one cannot be looked for.
    fn look_for(&mut self, _property: &Property) -> Result<(), PropertyError> {
        Err(PropertyError::Script)
    }

    /// Where the answers arrive.
    fn answers(&self) -> &Receiver<Answer>;
}
