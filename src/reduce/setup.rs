//! How a run starts, and what is left in the hands of who starts it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::commands::EngineCommand;
use super::engine::{
    BreakpointSet, ReductionEngine, ResumeReplay, RootState, ScriptTrigger, SubmissionGate,
    TestingState, start_workers,
};
use super::history::{ActiveProperty, VersionHistory};
use super::ports::{Journal, NoJournal, OtherFailureKeeper, ResumePlan};
use super::proposer::{PassSchedule, ProposerState};
use super::reporting::{RunEvent, RunRecord, RunSnapshot, SnapshotBoard};
use super::results::VerdictStore;
use super::speculation::{BackgroundPlanner, SpeculationTree};
use crate::oracle::{FailureProperty, LimitPolicy, Runner};
use crate::pass;
use crate::program::{Version, View};

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
    /// What the passes are told.
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
    /// A program of so many tokens and more is planned and read anew on a thread of its own, so that the run obeys meanwhile.
    pub background_threshold: u32,
}

/// What takes less than a few hundredths of a second is not worth a thread: see [`RunSetup::background_threshold`].
pub const ASIDE: u32 = 10_000;

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
            background_threshold: ASIDE,
        }
    }
}

/// A run on its own thread, from outside.
pub struct RunHandle {
    /// Takes commands.
    pub commands: Sender<EngineCommand>,
    /// Tells what happens, in order, ending with `Finished`. May be dropped by who only wants snapshots.
    pub events: Receiver<RunEvent>,
    /// Holds the newest snapshot.
    pub board: Arc<SnapshotBoard>,
    thread: JoinHandle<()>,
}

/// Why a run cannot start.
#[derive(Debug, thiserror::Error)]
#[error("cannot start a thread: {0}; --jobs 1 needs the fewest")]
pub struct StartError(#[from] std::io::Error);

/// Starts a run on a thread of its own.
///
/// # Errors
/// When the system gives no thread.
pub fn start_run(setup: RunSetup) -> Result<RunHandle, StartError> {
    let (commands, commands_in) = unbounded();
    let (events_out, events) = unbounded();
    let board = Arc::new(SnapshotBoard::default());
    let answers = setup.runner.result_receiver().clone();
    let runner = SubmissionGate::new_shared(setup.runner);
    let workers = start_workers(runner.clone(), setup.jobs)?;
    let mut record = RunRecord::new(
        &setup.version,
        setup.options,
        setup.limit.current_limits().wall,
        setup.paused,
        setup.jobs.max(1),
        events_out,
        board.clone(),
    );
    let mut resume = setup.resume;
    record.silent = resume.is_some();
    record.replay_observer = resume.as_mut().and_then(|resume| resume.observer.take());
    // The first moment of a recording is its beginning.
    record.clock = record.replay_observer.as_ref().map(|_| Duration::ZERO);
    let again = resume.map(ResumeReplay::new);
    if let (Some(again), None) = (&again, &record.replay_observer) {
        again.report_progress(&record, 0);
    }
    record.property = setup.property.map(Arc::new);
    let run = move || {
        let view = View::new(setup.version);
        let mut history = VersionHistory::new(view.version.clone());
        let mut record = record;
        if let Some(property) = &record.property {
            history.set_property(ActiveProperty::new(property, setup.limit), None);
        }
        // There is something to see before there is something to ask.
        record.publish_snapshot(&view, &history, None);
        let asking = ProposerState::new(PassSchedule::new(setup.options), view);
        let engine = ReductionEngine {
            tree: SpeculationTree::new(asking),
            limit: setup.limit,
            runner,
            answers,
            workers,
            planner: BackgroundPlanner::new(),
            background_threshold: setup.background_threshold,
            deferred_commands: VecDeque::new(),
            stop_requested: false,
            commands: commands_in,
            record,
            journal: setup.journal,
            jobs: setup.jobs.max(1),
            stop_on_failure: setup.stop_on_failure,
            paused: setup.paused,
            script: setup.script,
            rejected_before: 0,
            history,
            breakpoints: BreakpointSet::default(),
            detour_base: None,
            root_state: RootState::default(),
            testing: TestingState::default(),
            store: setup.store,
            journal_blocked: false,
            replay: again,
            quorum: None,
            confirm: setup.confirm,
            other_failures: setup.other_failures,
        };
        engine.run();
    };
    let thread = std::thread::Builder::new()
        .name("lop-engine".into())
        .spawn(run)?;
    Ok(RunHandle {
        commands,
        events,
        board,
        thread,
    })
}

/// A board that shows a version of which there is no run yet.
pub fn static_board(version: &Version, options: pass::PassOptions) -> Arc<SnapshotBoard> {
    let (events, _) = unbounded();
    let board = Arc::new(SnapshotBoard::default());
    let mut record = RunRecord::new(version, options, None, false, 0, events, board.clone());
    let view = View::new(version.clone());
    record.publish_snapshot(&view, &VersionHistory::new(version.clone()), None);
    board
}

impl RunHandle {
    /// Waits until the run has ended, and gives its last snapshot; none if the engine died before its first.
    pub fn wait_for_end(self) -> Option<Arc<RunSnapshot>> {
        // A panic has been reported by the hook; what the board holds is still the last word.
        let _ = self.thread.join();
        self.board.newest_snapshot()
    }
}
