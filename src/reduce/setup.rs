//! What a run starts from.

use std::sync::Arc;

use super::audience::RunAudience;
use super::commands::{EngineCommand, ScriptTrigger};
use super::ports::{
    CandidateKeeper, Journal, NoJournal, OtherFailureKeeper, ProposalSource, ResumePlan,
    VerdictStore,
};
use crate::oracle::{FailureProperty, FarmMonitor, LimitPolicy, Runner};
use crate::pass;
use crate::program::Version;

/// What a run starts from.
pub struct RunSetup {
    /// The original, read and parsed; the test is known to find it interesting.
    pub version: Version,
    /// Runs the test.
    pub runner: Box<dyn Runner>,
    /// The limit of a test, which knows how long the original took.
    pub limit: LimitPolicy,
    /// Commands in their order, and when they hold.
    pub script: Vec<(ScriptTrigger, EngineCommand)>,
    /// The failure property of the runner's test; none if the test is a script.
    pub property: Option<FailureProperty>,
    /// Whether the run begins paused.
    pub paused: bool,
    /// Who could resume the run where it waits. Without anybody it ends there.
    pub audience: RunAudience,
    /// Whether the run stays at its end and takes commands there, because a user looks at the result.
    pub stays_at_end: bool,
    /// How many tests may run at a time. The result does not depend on it.
    pub jobs: usize,
    /// What is known of the farm that the runner asks, for snapshots; none without one.
    pub farm: Option<FarmMonitor>,
    /// Where everything is recorded.
    pub journal: Box<dyn Journal>,
    /// The options of the passes.
    pub options: pass::PassOptions,
    /// Verdicts of other runs with the same test. An answer of the store counts as a test of this run, so the result is the same without
    /// the store.
    pub store: Option<Arc<dyn VerdictStore>>,
    /// What the interrupted run did: it is replayed first.
    pub resume: Option<ResumePlan>,
    /// Whether the result is tested once more at the end, and the run goes back to a version that holds if it does not.
    pub confirm: bool,
    /// Keeps candidates that show another failure.
    pub other_failures: Option<Box<dyn OtherFailureKeeper>>,
    /// Keeps all candidates that are tested.
    pub candidates: Option<Box<dyn CandidateKeeper>>,
    /// Programs outside of lop that propose candidates.
    pub proposals: Option<Box<dyn ProposalSource>>,
    /// A program of this number of tokens and more is planned and reparsed on a thread of its own, so that the run receives commands
    /// meanwhile.
    pub background_threshold: u32,
}

/// Work of less than a few hundredths of a second does not need a thread: see [`RunSetup::background_threshold`].
pub const BACKGROUND_THRESHOLD: u32 = 10_000;

impl RunSetup {
    /// The simplest run: one test at a time with the default passes, no journal, and no observer.
    pub fn new(version: Version, runner: impl Runner + 'static, limit: LimitPolicy) -> RunSetup {
        RunSetup {
            version,
            runner: Box::new(runner),
            limit,
            script: Vec::new(),
            property: None,
            paused: false,
            audience: RunAudience::default(),
            stays_at_end: false,
            jobs: 1,
            farm: None,
            journal: Box::new(NoJournal),
            options: pass::PassOptions::default(),
            store: None,
            resume: None,
            confirm: false,
            other_failures: None,
            candidates: None,
            proposals: None,
            background_threshold: BACKGROUND_THRESHOLD,
        }
    }
}

/// Why a run cannot start.
#[derive(Debug, thiserror::Error)]
#[error("cannot start a thread: {0}; --jobs 1 needs the fewest")]
pub struct StartError(#[from] std::io::Error);
