//! The state of a run as the world sees it: immutable, cheap to make, only the newest is kept.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use super::claim::Claim;
use super::event::{Decided, Decision, Finish};
use super::history::{Past, Sought};
use super::log::Log;
use super::others::Other;
use super::quorum::{Quorum, Tally};
use crate::oracle::Property;
use crate::program::{Constraints, Edit, Version, Why};

/// How often each thing happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Questions that were answered yes or no: by a test or by the cache.
    pub decisions: u64,
    /// Tests that decided something, the first one on the original not counted.
    pub tests: u64,
    /// Tests started: those too whose answer was not needed after all.
    pub started: u64,
    /// Those of them that a store of verdicts answered, so that none was really run.
    pub recalled: u64,
    /// Tests that said interesting.
    pub interesting: u64,
    /// Tests that said boring.
    pub boring: u64,
    /// Tests that said 125.
    pub invalid: u64,
    /// Tests that were killed at their limit.
    pub timed_out: u64,
    /// Decisions that the cache answered.
    pub cached: u64,
    /// Those of them that were about a candidate which differs from an earlier one in white space only.
    pub respaced: u64,
    /// Questions that a gate refused before any test.
    pub refused: u64,
    /// Edits taken.
    pub taken: u64,
    /// Runs of the test on bytes that it had been run on before, to see whether it says the same.
    pub repeated: u64,
    /// Times that it did not.
    pub changed: u64,
}

impl Counts {
    /// Tests started that have decided nothing: they run, were killed, or their answer was not needed.
    pub fn unused(&self) -> u64 {
        self.started.saturating_sub(self.tests - self.recalled)
    }
}

/// A pass, as the list of passes shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassLine {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub what: &'static str,
    /// Where it stands.
    pub state: PassState,
    /// Decisions it asked for.
    pub tried: u64,
    /// Edits taken of it.
    pub taken: u64,
    /// Questions that a gate refused, since it began the last time.
    pub refused: u64,
    /// Tests that were cut short at their limit, since it began the last time.
    pub timed_out: u64,
    /// Tokens that those took away.
    pub tokens: u64,
    /// Time its tests took.
    pub time: Duration,
}

/// Where a pass stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassState {
    /// Its turn has not come.
    Waiting,
    /// It is asking; in this round.
    Running(u32),
    /// It has nothing left to ask.
    Done,
    /// The user cut it short.
    Skipped,
    /// The user disabled it.
    Off,
}

/// The question that is being answered.
#[derive(Clone, Debug)]
pub struct Trying {
    /// The number it will have.
    pub decision: Decision,
    /// The edit.
    pub edit: Edit,
    /// Why.
    pub why: Why,
    /// `why` as a sentence.
    pub sentence: String,
    /// Tokens that would go.
    pub saved: u32,
    /// Since when the test runs.
    pub since: Instant,
}

/// A question that is being planned, or a text that is read anew before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The pass that plans it; none where none does.
    pub pass: Option<&'static str>,
    /// Since when.
    pub since: Instant,
}

/// Whether the run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It asks.
    Running,
    /// It stands still because the user wants it to; what it came to, if it was to stop there.
    Paused(Option<String>),
    /// It stands still because there is no verdict, for this reason, until the user says that it can go on.
    Stuck(String),
    /// It has ended.
    Finished(Finish),
}

impl State {
    /// Whether it stands still, and could go on.
    pub fn stands(&self) -> bool {
        matches!(self, State::Paused(_) | State::Stuck(_))
    }
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obeyed {
    /// It holds before this decision.
    pub before: Decision,
    /// The command, as it is written.
    pub command: String,
    /// What more there is to say, or why it cannot be.
    pub outcome: Result<Option<String>, String>,
}

/// A point of the curve of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Tests started by then.
    pub tests: u64,
    /// Time since the start, with the time that tests would have taken which a store of verdicts answered.
    pub time: Duration,
    /// Tokens left.
    pub tokens: u32,
}

/// Which moment of a recorded run a snapshot is, and how the recording is played.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// How many decisions the recording has, as far as it was read.
    pub decisions: Decision,
    /// Whether there is more to read.
    pub reading: bool,
    /// Whether this is its last moment.
    pub last: bool,
    /// Whether it goes from moment to moment by itself.
    pub playing: bool,
    /// Whether that way is back to the beginning.
    pub backwards: bool,
    /// How many times as fast as it was.
    pub speed: f64,
    /// What the player has said last, and how many things it has said.
    pub said: (u64, Arc<str>),
}

/// How many decisions a snapshot remembers.
pub const REMEMBERED: usize = 200;

/// The state of a run. Every part that can be large is shared.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The number of the version; the original is 0.
    pub number: u64,
    /// The version, with the parser's trees.
    pub version: Version,
    /// Tokens and bytes of the original.
    pub original: (u32, u32),
    /// Running, paused, finished.
    pub state: State,
    /// The question in the air.
    pub trying: Option<Trying>,
    /// What is being planned, while no question is in the air.
    pub planned: Option<Planned>,
    /// Counters.
    pub counts: Counts,
    /// The passes in their order.
    pub passes: Arc<[PassLine]>,
    /// Sizes after each take, the original first.
    pub curve: imbl::Vector<Point>,
    /// The last decisions, oldest first.
    pub decided: imbl::Vector<Arc<Decided>>,
    /// All versions, by their numbers: a tree.
    pub history: imbl::Vector<Arc<Past>>,
    /// What versions must have been found by to count; none if the test is a script.
    pub sought: Option<Arc<Sought>>,
    /// The version that an excursion left, if the present is inside of one.
    pub home: Option<u64>,
    /// All decisions, and which nodes they were about.
    pub log: Log,
    /// What the user wants kept, left alone or tried first.
    pub constraints: Arc<Constraints>,
    /// Commands that were obeyed or refused: how many, and what became of the last.
    pub obeyed: (u64, Option<Arc<Obeyed>>),
    /// Notes, oldest first: the last few.
    pub notes: imbl::Vector<String>,
    /// What the end proves of the result; none before the end.
    pub claim: Option<Claim>,
    /// What the test looks for; none if it is a script, which alone knows.
    pub property: Option<Arc<Property>>,
    /// The limit of a test now.
    pub limit: Option<Duration>,
    /// How many runs of the test must say yes now.
    pub quorum: Quorum,
    /// What the test has said of the version, in all its runs.
    pub holds: Tally,
    /// Candidates that show another failure.
    pub others: Arc<[Other]>,
    /// Workers that are busy, and how many there are.
    pub workers: (usize, usize),
    /// The time that tests would have taken which a store of verdicts answered.
    pub spared: Duration,
    /// When the run began.
    pub started: Instant,
    /// When this snapshot was taken.
    pub now: Instant,
    /// How this is played, where it is not a run but the recording of one.
    pub replay: Option<Replay>,
}

impl Snapshot {
    /// The version that belongs on the disk and its number: where one stands, or where an excursion left.
    pub fn kept(&self) -> (u64, &Version) {
        let home = self.home.and_then(|home| self.history.get(home as usize));
        home.map_or((self.number, &self.version), |home| {
            (home.number, &home.version)
        })
    }

    /// The smallest version of all branches, if it is smaller than the one that is kept.
    pub fn smaller(&self) -> Option<&Arc<Past>> {
        let (_, kept) = self.kept();
        let kept = (kept.tokens(), kept.bytes());
        self.smallest().filter(|past| past.size() < kept)
    }

    /// The smallest version of all branches that has what is looked for now.
    pub fn smallest(&self) -> Option<&Arc<Past>> {
        let sought = self.sought.as_ref();
        let all = self.history.iter();
        let all = all.filter(|past| !past.away && !past.fails && past.is_still(sought));
        all.min_by_key(|past| past.size())
    }
}

/// A place for the newest snapshot, and a bell for each who waits for one. Whoever looks holds the place only to copy a pointer; how
/// long the one who publishes waited for that is counted.
#[derive(Debug, Default)]
pub struct Board {
    newest: Mutex<Option<Arc<Snapshot>>>,
    /// Decisions that were made again, and how many there are to be.
    again: Mutex<Option<(Decision, Decision)>>,
    bells: Mutex<Vec<Sender<()>>>,
    waited: AtomicU64,
}

impl Board {
    /// The newest snapshot; none before the run has begun.
    pub fn newest(&self) -> Option<Arc<Snapshot>> {
        self.newest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// A bell that rings after each new snapshot. Rings that nobody heard are one.
    pub fn bell(&self) -> Receiver<()> {
        let (sender, receiver) = bounded(1);
        self.bells
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(sender);
        receiver
    }

    /// How long publishing has waited for those who look, in all.
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.waited.load(Ordering::Relaxed))
    }

    /// Puts a snapshot in the place of the last.
    pub fn publish(&self, snapshot: Snapshot) {
        let snapshot = Some(Arc::new(snapshot));
        let mut place = match self.newest.try_lock() {
            Ok(place) => place,
            Err(_) => {
                let since = Instant::now();
                let place = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
                self.waited
                    .fetch_add(since.elapsed().as_nanos() as u64, Ordering::Relaxed);
                place
            }
        };
        let last = std::mem::replace(&mut *place, snapshot);
        drop(place);
        drop(last);
        self.ring();
    }

    /// Before the first snapshot of a run that goes on: how many decisions of before are made again, and of how many.
    pub fn again(&self) -> Option<(Decision, Decision)> {
        *self.again.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So far a run has come that goes on.
    pub fn go_on(&self, again: Option<(Decision, Decision)>) {
        *self.again.lock().unwrap_or_else(PoisonError::into_inner) = again;
        self.ring();
    }

    fn ring(&self) {
        let mut bells = self.bells.lock().unwrap_or_else(PoisonError::into_inner);
        bells.retain(|bell| !matches!(bell.try_send(()), Err(TrySendError::Disconnected(()))));
    }
}
