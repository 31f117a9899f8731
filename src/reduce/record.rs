//! What the engine writes down for the world: counters, the curve, the last decisions; and how it tells.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::claim::Claim;
use super::event::{Decided, Ending, Event, Finish};
use super::journal::Taken;
use super::snapshot::{
    Board, Counts, PassLine, PassState, Point, REMEMBERED, Snapshot, State, Trying,
};
use crate::pass;
use crate::program::Version;

/// How many notes a snapshot remembers.
const NOTES: usize = 20;

pub(super) struct Record {
    pub counts: Counts,
    pub state: State,
    pub trying: Option<Trying>,
    pub limit: Option<Duration>,
    /// What tests would have taken that a store answered.
    pub spared: Duration,
    /// Tests that run or wait for a worker.
    pub busy: usize,
    jobs: usize,
    number: u64,
    original: (u32, u32),
    tokens: u32,
    passes: Vec<PassLine>,
    running: Option<usize>,
    turn: Option<(usize, u32)>,
    curve: imbl::Vector<Point>,
    decided: imbl::Vector<Arc<Decided>>,
    notes: imbl::Vector<String>,
    started: Instant,
    events: Sender<Event>,
    board: Arc<Board>,
    last: Option<Version>,
    options: pass::Options,
    claim: Option<Claim>,
}

impl Record {
    pub fn new(
        version: &Version,
        options: pass::Options,
        limit: Option<Duration>,
        paused: bool,
        jobs: usize,
        events: Sender<Event>,
        board: Arc<Board>,
    ) -> Record {
        let line = |kind: &pass::Kind| PassLine {
            name: kind.name,
            what: kind.what,
            state: PassState::Waiting,
            tried: 0,
            taken: 0,
            refused: 0,
            timed_out: 0,
            tokens: 0,
            time: Duration::ZERO,
        };
        Record {
            counts: Counts::default(),
            state: if paused {
                State::Paused(None)
            } else {
                State::Running
            },
            trying: None,
            limit,
            number: 0,
            original: (version.tokens(), version.bytes()),
            tokens: version.tokens(),
            passes: options.strategy.passes.iter().copied().map(line).collect(),
            running: None,
            turn: None,
            spared: Duration::ZERO,
            busy: 0,
            jobs,
            curve: imbl::vector![Point {
                tests: 0,
                time: Duration::ZERO,
                tokens: version.tokens()
            }],
            decided: imbl::Vector::new(),
            notes: imbl::Vector::new(),
            started: Instant::now(),
            events,
            board,
            last: None,
            options,
            claim: None,
        }
    }

    /// Tells whoever listens. Nobody may.
    pub fn event(&self, event: Event) {
        let _ = self.events.send(event);
    }

    /// The schedule is at this pass and round now.
    pub fn turn(&mut self, turn: (usize, u32)) {
        if self.turn == Some(turn) {
            return;
        }
        self.turn = Some(turn);
        let (at, round) = turn;
        let len = self.passes.len();
        for line in &mut self.passes[..at.min(len)] {
            line.state = PassState::Done;
        }
        self.running = self.passes.get(at).map(|_| at);
        if let Some(line) = self.passes.get_mut(at) {
            line.state = PassState::Running(round);
            (line.refused, line.timed_out) = (0, 0);
            let pass = line.name;
            self.event(Event::PassStarted { pass, round });
        }
        // The schedule may have gone back.
        for line in self.passes.iter_mut().skip(at + 1) {
            line.state = PassState::Waiting;
        }
    }

    /// A question was answered yes or no.
    pub fn decided(&mut self, decided: Decided) {
        let counts = &mut self.counts;
        counts.decisions += 1;
        let counter = match (decided.time, decided.ending) {
            (None, _) => &mut counts.cached,
            (_, Ending::Interesting) => &mut counts.interesting,
            (_, Ending::Boring) => &mut counts.boring,
            (_, Ending::Invalid) => &mut counts.invalid,
            (_, Ending::TimedOut) => &mut counts.timed_out,
        };
        *counter += 1;
        counts.tests += u64::from(decided.time.is_some());
        if let Some(line) = self.running.and_then(|at| self.passes.get_mut(at)) {
            line.tried += 1;
            line.timed_out += u64::from(decided.ending == Ending::TimedOut);
            line.time += decided.time.unwrap_or_default();
        }
        let decided = Arc::new(decided);
        self.event(Event::Decided(decided.clone()));
        self.decided.push_back(decided);
        if self.decided.len() > REMEMBERED {
            self.decided.pop_front();
        }
    }

    /// A gate refused a question.
    pub fn refused(&mut self) {
        self.counts.refused += 1;
        if let Some(line) = self.running.and_then(|at| self.passes.get_mut(at)) {
            line.refused += 1;
        }
    }

    /// What the journal says of a take that makes this version the newest.
    pub fn next_taken(&self, version: &Version) -> Taken {
        Taken {
            decision: self.counts.decisions,
            version: self.number + 1,
            hash: version.hash(),
            tokens: version.tokens(),
            bytes: version.bytes(),
        }
    }

    /// There is a new version.
    pub fn taken(&mut self, taken: Taken) {
        let Taken {
            decision,
            version,
            tokens,
            bytes,
            ..
        } = taken;
        self.number = version;
        self.counts.taken += 1;
        if let Some(line) = self.running.and_then(|at| self.passes.get_mut(at)) {
            line.taken += 1;
            line.tokens += u64::from(self.tokens.saturating_sub(tokens));
        }
        self.tokens = tokens;
        self.curve.push_back(Point {
            tests: self.counts.tests,
            time: self.started.elapsed() + self.spared,
            tokens,
        });
        self.event(Event::Taken {
            decision,
            version,
            tokens,
            bytes,
        });
    }

    /// Something a user should know.
    pub fn note(&mut self, note: String) {
        self.event(Event::Note(note.clone()));
        self.notes.push_back(note);
        if self.notes.len() > NOTES {
            self.notes.pop_front();
        }
    }

    /// The newest snapshot for whoever looks.
    pub fn publish(&mut self, version: &Version) {
        self.last = Some(version.clone());
        self.board.publish(Snapshot {
            number: self.number,
            version: version.clone(),
            original: self.original,
            state: self.state.clone(),
            trying: self.trying.clone(),
            counts: self.counts,
            passes: self.passes.clone().into(),
            curve: self.curve.clone(),
            decided: self.decided.clone(),
            notes: self.notes.clone(),
            claim: self.claim.clone(),
            limit: self.limit,
            spared: self.spared,
            workers: (self.busy.min(self.jobs), self.jobs),
            started: self.started,
            now: Instant::now(),
        });
    }

    /// The run has ended.
    pub fn finish(&mut self, finish: Finish) {
        self.claim = Some(Claim::new(&self.options, &finish, &self.passes));
        self.state = State::Finished(finish.clone());
        self.trying = None;
        if let Some(version) = self.last.take() {
            self.publish(&version);
        }
        self.event(Event::Finished(finish));
    }
}
