//! Running the interestingness test.
//!
//! The test is the user's executable. It runs in a fresh directory in which the candidate lies under its own name, and says with its
//! exit status whether the candidate is interesting. Everything here sees paths and bytes, never a tree.
//!
//! ```text
//!  SCRATCH/lop-PID-START-N/        one root a run, locked by a file beside it ([`ScratchSpace`])
//!      17/w/bug.c                  the candidate; w/ is the working directory of test 17
//!      17/t/                       its TMPDIR
//!      17/h/                       its HOME, in a sandbox
//! ```
//!
//! In a sandbox the directories of one helper's tests lie in one of its own, the only one that they can write in.
//!
//! A test that misbehaves harms nothing: it has a process group, directories and limits of its own, what it prints is read and
//! mostly dropped, and all of it is gone when the test is over. On Linux a small process of ours around it, the *helper*
//! (`helper/`), makes sure that this includes processes that leave the group. Without a helper such a process is killed at once if
//! it holds the test's output open, else at the end of the run (on Linux; elsewhere it lives on).
//!
//! The client sees a [`Runner`]: it submits jobs and receives one [`JobResult`] for each. [`LocalRunner`] runs them as processes here,
//! [`FunctionRunner`] calls a function of a program that uses the library, [`ScriptedRunner`] answers in tests of lop, and the runners of `remote/` ask a
//! farm. A job can ask to run *alone*, with nothing beside it; jobs behind it wait. A test that met its wall
//! limit may have met it because of the machine, so the client repeats it that way ([`TestExit`] says which limit it was). Several clients can share
//! one runner: a [`MultiRunner`] tests no files twice, and lets their jobs pass in rounds.
//!
//! An [`InterestingnessTest`] is a row of commands, *stages*, which run one after the other in the same directory and within the limits of one
//! test; a stage that decides saves the rest. Of a pair of programs, some stages see the seed alone and others the variant alone, as a
//! [`StageView`] says: then each of the two *parts* has a directory of its own, and the runner remembers what each said about which bytes
//! (`test_parts.rs`). Where the candidate is a sequence of choices, the first stage is a *generator*, whose stdout is the program that the
//! others see (`generator.rs`; `program_memory.rs` has what it made lately). A stage can be a *server*, a process that stays alive and answers for many
//! candidates (`server.rs`). Mostly a test is one stage: the user's script, whose exit status is the verdict. Where the user gave commands in its place, a [`FailureProperty`] says what their end and their output must be; `property/` finds that out and looks for it, and
//! `signatures/` knows what failures look like.
//!
//! The process that holds the data may be large, so tests and helpers are started by `posix_spawn` only: nothing here may use
//! `CommandExt::pre_exec` or anything else that makes the standard library fork, which copies the page tables (55 ms a test at
//! 1 GiB).

mod cgroup;
mod child;
mod cleanup;
mod common_directory;
mod containment;
mod error_limit;
mod executable;
mod farm_status;
mod function_runner;
mod generator;
mod helper;
mod isolation;
mod limit_policy;
mod limit_tracker;
mod local;
mod message_places;
mod multi_runner;
mod os_path;
mod output;
mod panics;
mod part_memory;
mod private_dirs;
mod process;
mod process_usage;
mod program_memory;
mod property;
mod quota;
#[cfg(feature = "remote")]
pub mod remote;
mod resource_monitor;
#[cfg(target_os = "linux")]
mod sandbox;
mod scratch;
mod scratch_root;
mod scripted;
mod server;
mod server_pipe;
mod server_process;
mod server_seat;
mod server_trust;
mod setting;
pub mod shell;
mod signatures;
mod suspend;
mod syscalls;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "portable.rs")]
mod system;
mod test;
mod test_command;
mod test_dir;
mod test_parts;
mod trial_run;
mod verdict;
mod wait;

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Receiver;

pub use common_directory::common_directory;
pub use containment::{CgroupLimits, ContainmentKind, TestContainment};
pub use error_limit::{ERROR_LINE, FATAL_ERRORS, find_unlimited_compiler, has_error_line};
pub use executable::{ScriptInterpreter, TestError, TestExecutable};
pub use farm_status::{FarmMonitor, FarmState, FarmStatus};
pub use function_runner::{FunctionRunner, TestFunction};
pub use generator::ProgramMaker;
pub use helper::{
    SpareHelper, WORD as HELPER, decode_message, helpers_cpu_time as helpers_cpu, run_helper,
    write_message,
};
pub use isolation::TestIsolation;
pub use limit_policy::{LimitPolicy, TimeLimits};
pub use local::LocalRunner;
pub use message_places::{FilePlace, MessageMentions, find_mentions};
pub use multi_runner::{ClientRunner, ClientState, ClientTally, MultiRunner, RunnerPace};
pub use output::TestOutput;
pub use panics::catch_panic;
pub use process::{DetailedOutcome, forbid_core_dumps};
pub use program_memory::ProgramMemory;
pub use property::{
    FailureProperty, IdentifyError, LogMatcher, MISSING_TOOL_ENDINGS, MessagePattern,
    PropertyChange, PropertyCriterion, PropertyError, PropertyPart, RequestedCriteria, StageRun,
    identify_difference, identify_failure, is_similar, normalize_message, reports_missing_tool,
};
pub use quota::ResourceQuotas;
pub use scratch::{ScratchError, ScratchSpace, SpecialFile};
pub use scratch_root::take_leftover_notices;
pub use scripted::{RunnerScript, ScriptedRunner};
pub use shell::{CANDIDATE, QuoteContext, quote_path_for_display};
pub use signatures::describe_other_crash;
pub use suspend::{resume_tests, suspend_tests};
pub use syscalls::{peer_user_id, read_zone_offset};
pub use test::{InterestingnessTest, StageCommand, StageRole, StageView, TestStage};
pub use trial_run::{TrialRun, run_once};
pub use verdict::{LimitKind, NoVerdict, TestExit, TestOutcome, TestRun, Verdict};

/// A file that a test sees: its path relative to the working directory, and its bytes.
pub type TestFile = (PathBuf, Arc<[u8]>);

/// The documents of a candidate, in their order. Which of them a stage sees, [`StageView`] says.
pub type TestFiles = Vec<TestFile>;

/// The number that the client gives to a job. It is never used twice with one runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// A candidate to be tested.
#[derive(Clone, Debug)]
pub struct TestJob {
    /// Its number in the result.
    pub id: JobId,
    /// The files that the test sees.
    pub files: TestFiles,
    /// The time limits of the test.
    pub limits: TimeLimits,
    /// Whether it runs alone: it waits until no other job runs, and no other begins before its end. Later jobs do not overtake it.
    pub alone: bool,
    /// Whether all of the test runs, also what the runner remembers of it: the client wants to know whether it says the same again.
    pub fresh: bool,
}

/// The result of a job.
#[derive(Clone, Debug)]
pub struct JobResult {
    /// The number of the job.
    pub id: JobId,
    /// Its outcome.
    pub outcome: TestOutcome,
    /// How often a test ran that sees the seed alone, and one that sees the variant alone.
    pub tests_by_document: [u64; 2],
    /// A sentence for the user: what was found out about the test.
    pub notice: Option<String>,
    /// Whether no fresh process of this machine said the same: the verdict is that of a process which has answered before, or of a farm. It is good
    /// for this run alone.
    pub is_unconfirmed: bool,
}

impl JobResult {
    /// The result of a job for which no test of a single document ran.
    pub fn new(id: JobId, outcome: TestOutcome) -> JobResult {
        JobResult {
            id,
            outcome,
            tests_by_document: [0; 2],
            notice: None,
            is_unconfirmed: false,
        }
    }
}

/// Runs tests: as local processes, from a journal, by a script, or on other machines.
///
/// Every submitted job has exactly one result, in any order.
pub trait Runner: Send {
    /// Submits a job. Returns at once. Jobs beyond the most that run at a time wait in the order of their submission.
    fn submit(&mut self, job: TestJob);

    /// Cancels a job: a running test is killed. Returns at once. The result is [`TestOutcome::Cancelled`], or the verdict if that was
    /// faster.
    fn cancel(&mut self, id: JobId);

    /// Sets how many jobs may run at a time. A runner without such a limit ignores it.
    ///
    /// # Errors
    /// When the system gives no more threads.
    fn set_max_jobs(&mut self, _jobs: usize) -> std::io::Result<()> {
        Ok(())
    }

    /// Sets another property for all jobs that have not started yet.
    ///
    /// # Errors
    /// When the test has none, or this one cannot be looked for.
    fn set_property(&mut self, _property: &FailureProperty) -> Result<(), PropertyError> {
        Err(PropertyError::Script)
    }

    /// The test has changed, and what the runner knows of the old one says nothing about it. A runner that knows nothing ignores it.
    fn renew_test(&mut self) {}

    /// Whether a job that is submitted may wait for its turn, so that nobody but the runner knows when its test begins.
    fn may_hold_jobs(&self) -> bool {
        false
    }

    /// The channel of the results.
    fn result_receiver(&self) -> &Receiver<JobResult>;
}
