//! The engine: it drives the dialogue, and owns all state of a run that changes.

mod ahead;
mod asking;
mod bets;
mod cache;
mod claim;
mod command;
mod dispatch;
mod engine;
mod event;
mod facts;
mod halts;
mod hear;
mod history;
mod inspect;
mod journal;
mod log;
mod moves;
mod obey;
mod odds;
mod others;
mod planner;
mod planning;
mod present;
mod property;
mod quorum;
mod recheck;
mod record;
mod repeat;
mod resume;
mod returns;
mod schedule;
mod script;
mod snapshot;
mod speculate;
mod store;
mod sweep;
mod verbs;
mod was;
mod wishes;
mod worker;

pub use claim::{Claim, LeftOut};
pub use command::{Command, Halt, PassVerb, Release, Skip, Stride, Try, Undo};
pub use event::{Decided, Decision, Ending, Event, Finish};
pub use halts::When;
pub use history::{History, Past, Sought};
pub use inspect::{Inspection, inspect};
pub use log::{Log, Tried};
pub use script::{ScriptError, line as script_line, recorded_script, script};
pub use snapshot::{
    Board, Counts, Obeyed, PassLine, PassState, Planned, Point, REMEMBERED, Replay, Snapshot,
    State, Trying,
};
pub use verbs::{PLACES, VERBS, Verb};

pub use journal::{By, CommandPlace, Decided as JournalDecided, Fact, Journal, NoJournal, Taken};
pub use obey::{closed, constraint};
pub use others::{Found as FoundOther, Other, Others};
pub use quorum::{Quorum, Tally};
pub use schedule::{Schedule, Slot, Turn};
pub use store::{Hints, Layers, Memory, Recalled, VerdictStore};
pub use sweep::sweep;
pub use was::{Restored, Resume, Seen, Texts, Was};

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::oracle::{Limit, Property, Runner};
use crate::pass;
use crate::program::{Version, View};

use engine::Engine;
use halts::Halts;
use planner::Planner;
use present::{Known, Present};
use record::Record;
use resume::Again;
use speculate::{Asking, Tree};
use worker::Gate;

/// What a run starts from.
pub struct Setup {
    /// The original, read and parsed; the test is known to find it interesting.
    pub version: Version,
    /// Who runs the test.
    pub runner: Box<dyn Runner>,
    /// The limit of a test, which has heard of the original's.
    pub limit: Limit,
    /// Commands, and when they hold: in their order, each when its moment has come.
    pub script: Vec<(When, Command)>,
    /// What the runner's test looks for; none if the test is a script.
    pub property: Option<Property>,
    /// Begin paused.
    pub paused: bool,
    /// End the run instead of pausing it when the test fails again and again: there is nobody who could mend it.
    pub fail: bool,
    /// How many tests may run at a time. The result does not depend on it.
    pub jobs: usize,
    /// Where everything is written down.
    pub journal: Box<dyn Journal>,
    /// What the passes are told.
    pub options: pass::Options,
    /// Verdicts that other runs with the same test have found or will want. What it knows counts as a test of this run, as if the run
    /// were alone.
    pub store: Option<Arc<dyn VerdictStore>>,
    /// What the run did before it was cut off: it is done again first.
    pub resume: Option<Resume>,
    /// Ask the test about the result once more when nothing is left to try, and go back to what holds if it does not.
    pub confirm: bool,
    /// Who keeps candidates that show another failure.
    pub others: Option<Box<dyn Others>>,
    /// A program of so many tokens and more is planned and read anew on a thread of its own, so that the run obeys meanwhile.
    pub aside: u32,
}

/// What takes less than a few hundredths of a second is not worth a thread: see [`Setup::aside`].
pub const ASIDE: u32 = 10_000;

impl Setup {
    /// The simplest run: one test at a time with the default passes, nothing written down, and nobody who watches.
    pub fn new(version: Version, runner: impl Runner + 'static, limit: Limit) -> Setup {
        Setup {
            version,
            runner: Box::new(runner),
            limit,
            script: Vec::new(),
            property: None,
            paused: false,
            fail: true,
            jobs: 1,
            journal: Box::new(NoJournal),
            options: pass::Options::default(),
            store: None,
            resume: None,
            confirm: false,
            others: None,
            aside: ASIDE,
        }
    }
}

/// A run on its own thread, from outside.
pub struct Run {
    /// Takes commands.
    pub commands: Sender<Command>,
    /// Tells what happens, in order, ending with `Finished`. May be dropped by who only wants snapshots.
    pub events: Receiver<Event>,
    /// Holds the newest snapshot.
    pub board: Arc<Board>,
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
pub fn start(setup: Setup) -> Result<Run, StartError> {
    let (commands, commands_in) = unbounded();
    let (events_out, events) = unbounded();
    let board = Arc::new(Board::default());
    let answers = setup.runner.answers().clone();
    let runner = Gate::shared(setup.runner);
    let workers = worker::start(runner.clone(), setup.jobs)?;
    let mut record = Record::new(
        &setup.version,
        setup.options,
        setup.limit.current().wall,
        setup.paused,
        setup.jobs.max(1),
        events_out,
        board.clone(),
    );
    let mut resume = setup.resume;
    record.silent = resume.is_some();
    record.seen = resume.as_mut().and_then(|resume| resume.seen.take());
    // The first moment of a recording is its beginning.
    record.clock = record.seen.as_ref().map(|_| Duration::ZERO);
    let again = resume.map(Again::new);
    if let (Some(again), None) = (&again, &record.seen) {
        again.say(&record, 0);
    }
    record.property = setup.property.map(Arc::new);
    let run = move || {
        let view = View::new(setup.version);
        let mut history = History::new(view.version.clone());
        let mut record = record;
        if let Some(property) = &record.property {
            history.seek(Sought::new(property, setup.limit), None);
        }
        // There is something to see before there is something to ask.
        record.publish(&view, &history, None);
        let asking = Asking::new(Schedule::new(setup.options), view);
        let engine = Engine {
            tree: Tree::new(asking),
            limit: setup.limit,
            runner,
            answers,
            workers,
            planner: Planner::new(),
            aside: setup.aside,
            held: VecDeque::new(),
            stops: false,
            commands: commands_in,
            record,
            journal: setup.journal,
            jobs: setup.jobs.max(1),
            fail: setup.fail,
            paused: setup.paused,
            script: setup.script,
            refused_before: 0,
            history,
            halts: Halts::default(),
            excursion: None,
            at: Present::default(),
            known: Known::default(),
            store: setup.store,
            unwritten: false,
            again,
            quorum: None,
            confirm: setup.confirm,
            others: setup.others,
        };
        engine.run();
    };
    let thread = std::thread::Builder::new()
        .name("lop-engine".into())
        .spawn(run)?;
    Ok(Run {
        commands,
        events,
        board,
        thread,
    })
}

/// A board that shows a version of which there is no run yet.
pub fn still(version: &Version, options: pass::Options) -> Arc<Board> {
    let (events, _) = unbounded();
    let board = Arc::new(Board::default());
    let mut record = Record::new(version, options, None, false, 0, events, board.clone());
    let view = View::new(version.clone());
    record.publish(&view, &History::new(version.clone()), None);
    board
}

impl Run {
    /// Waits until the run has ended, and gives its last snapshot; none if the engine died before its first.
    pub fn finish(self) -> Option<Arc<Snapshot>> {
        // A panic has been reported by the hook; what the board holds is still the last word.
        let _ = self.thread.join();
        self.board.newest()
    }
}
