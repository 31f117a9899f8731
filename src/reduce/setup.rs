//! What a run starts from.

use std::sync::Arc;

use super::commands::{EngineCommand, ScriptTrigger};
use super::ports::{Journal, NoJournal, OtherFailureKeeper, ResumePlan, VerdictStore};
use crate::oracle::{FailureProperty, LimitPolicy, Runner};
use crate::pass;
use crate::program::Version;

/// What a run starts from.
pub struct RunSetup {
    /// The original, read and parsed; the test is known to find it interesting.
    pub version: Version,
    /// Who runs the test.
    pub runner: Box<dyn Runner>,
    /// The limit of a test, which has heard of the original's.
    pub limit: LimitPolicy,
    /// Commands, and when they hold: in their order, each when its moment has come.
    pub script: Vec<(ScriptTrigger, EngineCommand)>,
    /// What the runner's test looks for; none if the test is a script.
    pub property: Option<FailureProperty>,
    /// Begin paused.
    pub paused: bool,
    /// End the run instead of pausing it when the test fails again and again: there is nobody who could mend it.
    pub stop_on_failure: bool,
    /// How many tests may run at a time. The result does not depend on it.
    pub jobs: usize,
    /// Where everything is written down.
    pub journal: Box<dyn Journal>,
    /// The options of the passes.
    pub options: pass::PassOptions,
    /// Verdicts that other runs with the same test have found or will want. What it knows counts as a test of this run, as if the run
    /// were alone.
    pub store: Option<Arc<dyn VerdictStore>>,
    /// What the run did before it was cut off: it is done again first.
    pub resume: Option<ResumePlan>,
    /// Ask the test about the result once more when nothing is left to try, and go back to what holds if it does not.
    pub confirm: bool,
    /// Who keeps candidates that show another failure.
    pub other_failures: Option<Box<dyn OtherFailureKeeper>>,
    /// A program of this number of tokens and more is planned and read anew on a thread of its own, so that the run obeys meanwhile.
    pub background_threshold: u32,
}

/// What takes less than a few hundredths of a second is not worth a thread: see [`RunSetup::background_threshold`].
pub const BACKGROUND_THRESHOLD: u32 = 10_000;

impl RunSetup {
    /// The simplest run: one test at a time with the default passes, nothing written down, and nobody who watches.
    pub fn new(version: Version, runner: impl Runner + 'static, limit: LimitPolicy) -> RunSetup {
        RunSetup {
            version,
            runner: Box::new(runner),
            limit,
            script: Vec::new(),
            property: None,
            paused: false,
            stop_on_failure: true,
            jobs: 1,
            journal: Box::new(NoJournal),
            options: pass::PassOptions::default(),
            store: None,
            resume: None,
            confirm: false,
            other_failures: None,
            background_threshold: BACKGROUND_THRESHOLD,
        }
    }
}

/// Why a run cannot start.
#[derive(Debug, thiserror::Error)]
#[error("cannot start a thread: {0}; --jobs 1 needs the fewest")]
pub struct StartError(#[from] std::io::Error);
