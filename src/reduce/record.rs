//! What the engine writes down for the world: counters, the curve, the last decisions; and how it tells.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use rustc_hash::FxHashMap;

use super::claim::Claim;
use super::event::{Decided, Decision, Ending, Event, Finish};
use super::history::{History, Past, Sought};
use super::journal::Taken;
use super::log::Log;
use super::others::Other;
use super::quorum::{Quorum, Tally};
use super::schedule::Turn;
use super::snapshot::{
    Board, Counts, Obeyed, PassLine, PassState, Planned, Point, REMEMBERED, Snapshot, State, Trying,
};
use super::was::Seen;
use crate::oracle::{Bound, Property, Run};
use crate::pass;
use crate::program::{Edit, Hash, Version, View};

/// How many notes a snapshot remembers.
const NOTES: usize = 20;

/// Who answered a question.
pub(super) enum Source {
    /// The test, in so many runs; the last of them.
    Test(Run, Tally),
    /// The cache; whether by the candidate's tokens alone.
    Cache { respaced: bool },
}

pub(super) struct Record {
    pub counts: Counts,
    pub state: State,
    pub trying: Option<Trying>,
    pub planned: Option<Planned>,
    pub limit: Option<Duration>,
    /// What the test looks for, if it is not for a script to say.
    pub property: Option<Arc<Property>>,
    /// What tests would have taken that a store answered.
    pub spared: Duration,
    /// Tests that run or wait for a worker.
    pub busy: usize,
    pub jobs: usize,
    number: u64,
    obeyed: (u64, Option<Arc<Obeyed>>),
    original: (u32, u32),
    tokens: u32,
    passes: Vec<PassLine>,
    running: Option<usize>,
    turn: Option<Turn>,
    curve: imbl::Vector<Point>,
    decided: imbl::Vector<Arc<Decided>>,
    notes: imbl::Vector<String>,
    /// The limits of what is no time that tests went beyond.
    beyond: Vec<Bound>,
    started: Instant,
    events: Sender<Event>,
    board: Arc<Board>,
    last: Option<View>,
    without: pass::Parts,
    claim: Option<Claim>,
    history: imbl::Vector<Arc<Past>>,
    sought: Option<Arc<Sought>>,
    home: Option<u64>,
    log: Log,
    pub quorum: Quorum,
    /// What the test has said of versions, in all its runs.
    pub tallies: FxHashMap<Hash, Tally>,
    /// Candidates that show another failure.
    pub others: Arc<[Other]>,
    /// Nothing is told or shown: what happens has happened before.
    pub silent: bool,
    /// Who sees all that happens again, if anyone does.
    pub seen: Option<Seen>,
    /// So long after the start it happened, while it happens again.
    pub clock: Option<Duration>,
    /// A pass that has just come to its end.
    pub ended: Option<PassLine>,
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
            planned: None,
            limit,
            property: None,
            number: 0,
            obeyed: (0, None),
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
            beyond: Vec::new(),
            started: Instant::now(),
            events,
            board,
            last: None,
            without: options.without,
            claim: None,
            history: imbl::Vector::new(),
            sought: None,
            home: None,
            log: Log::default(),
            quorum: Quorum::ONCE,
            tallies: FxHashMap::default(),
            others: Arc::default(),
            silent: false,
            seen: None,
            clock: None,
            ended: None,
        }
    }

    /// Tells whoever listens. Nobody may.
    pub fn event(&self, event: Event) {
        if !self.silent {
            self.tell(event);
        }
    }

    /// The same, also while what happens has happened before.
    pub fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }

    /// From now on things happen for the first time; until now the run has lasted so long.
    pub fn goes_on(&mut self, lasted: Duration) {
        (self.silent, self.clock) = (false, None);
        let now = Instant::now();
        self.started = now.checked_sub(lasted).unwrap_or(now);
        if let (Some(line), Some(turn)) = (self.running(), &self.turn) {
            let (pass, round) = (line.name, turn.round);
            self.event(Event::PassStarted { pass, round });
        }
    }

    /// The pass whose turn it is, with what it did.
    pub fn running(&self) -> Option<&PassLine> {
        self.passes.get(self.running?)
    }

    /// This is the schedule's order now, and the pass whose turn it is; the name of the pass if it begins with that.
    pub fn turn(&mut self, turn: Turn) -> Option<&'static str> {
        if self.turn.as_ref() == Some(&turn) {
            return None;
        }
        let now = |turn: &Turn| Some((turn.order.get(turn.at)?.kind.name, turn.round));
        let begins =
            now(&turn).filter(|new| self.turn.as_ref().and_then(now).as_ref() != Some(new));
        if begins.is_some() {
            self.ended = self.running().cloned();
        }
        let place = |line: &PassLine| {
            turn.order
                .iter()
                .position(|slot| slot.kind.name == line.name)
        };
        self.passes.sort_by_key(place);
        for (at, (line, slot)) in self.passes.iter_mut().zip(turn.order.iter()).enumerate() {
            line.state = match at.cmp(&turn.at) {
                _ if !slot.on => PassState::Off,
                Ordering::Less if slot.skipped => PassState::Skipped,
                Ordering::Less => PassState::Done,
                Ordering::Equal => PassState::Running(turn.round),
                Ordering::Greater => PassState::Waiting,
            };
        }
        self.running = (turn.at < turn.order.len()).then_some(turn.at);
        self.turn = Some(turn);
        let (pass, round) = begins?;
        if let Some(line) = self.running.and_then(|at| self.passes.get_mut(at)) {
            (line.refused, line.timed_out) = (0, 0);
        }
        self.event(Event::PassStarted { pass, round });
        Some(pass)
    }

    /// The pass whose turn it is.
    pub fn pass(&self) -> &'static str {
        self.running().map_or("", |line| line.name)
    }

    /// The last decision that found this edit interesting.
    pub fn found(&self, edit: &Edit) -> Option<Arc<Decided>> {
        let mut newest = self.decided.iter().rev();
        let found =
            newest.find(|decided| decided.ending == Ending::Interesting && decided.edit == *edit);
        found.cloned()
    }

    /// A command was obeyed, or could not be.
    pub fn obeyed(
        &mut self,
        before: Decision,
        command: String,
        outcome: Result<Option<String>, String>,
    ) {
        self.event(Event::Obeyed {
            before,
            command: command.clone(),
            outcome: outcome.clone(),
        });
        let last = Obeyed {
            before,
            command,
            outcome,
        };
        self.obeyed = (self.obeyed.0 + 1, Some(Arc::new(last)));
    }

    /// Why the last command could not be obeyed; none if it was.
    pub fn refusal(&self) -> Option<&str> {
        let last = self.obeyed.1.as_deref()?;
        last.outcome.as_ref().err().map(String::as_str)
    }

    /// Another version of this size is the present.
    pub fn moved(&mut self, tokens: u32) {
        self.tokens = tokens;
        self.point(tokens);
    }

    fn point(&mut self, tokens: u32) {
        self.curve.push_back(Point {
            tests: self.counts.tests,
            time: self.clock.unwrap_or_else(|| self.started.elapsed()) + self.spared,
            tokens,
        });
    }

    /// A question about this version was answered yes or no.
    pub fn decided(&mut self, decided: Decided, number: u64, version: &Version) {
        self.log.add(&decided, number, version);
        self.count(decided.ending, decided.time.is_some());
        if let Some(line) = self.running.and_then(|at| self.passes.get_mut(at)) {
            line.tried += 1;
            line.timed_out += u64::from(decided.ending == Ending::TimedOut);
            line.time += decided.time.unwrap_or_default();
        }
        let beyond = decided.bound.filter(|bound| !bound.is_time());
        if let Some(bound) = beyond.filter(|bound| !self.beyond.contains(bound)) {
            self.beyond.push(bound);
            let word = bound.word();
            self.note(format!(
                "a test went beyond its limit of {word} and was killed: it counts as timed out"
            ));
        }
        let decided = Arc::new(decided);
        self.event(Event::Decided(decided.clone()));
        self.decided.push_back(decided);
        if self.decided.len() > REMEMBERED {
            self.decided.pop_front();
        }
    }

    /// There is one decision more; whether a test made it.
    pub fn count(&mut self, ending: Ending, tested: bool) {
        let counts = &mut self.counts;
        counts.decisions += 1;
        let counter = match (tested, ending) {
            (false, _) => &mut counts.cached,
            (_, Ending::Interesting) => &mut counts.interesting,
            (_, Ending::Boring) => &mut counts.boring,
            (_, Ending::Invalid) => &mut counts.invalid,
            (_, Ending::TimedOut) => &mut counts.timed_out,
        };
        *counter += 1;
        counts.tests += u64::from(tested);
    }

    /// An answer came of these runs.
    pub fn repeated(&mut self, tally: Tally) {
        self.counts.repeated += u64::from(tally.runs.saturating_sub(1));
        self.counts.changed += u64::from(tally.is_mixed());
    }

    /// The test has said this of what is or may become a version.
    pub fn holds(&mut self, version: Hash, tally: Tally) {
        self.tallies.entry(version).or_default().join(tally);
    }

    /// A gate refused a question.
    pub fn refused(&mut self) {
        self.counts.refused += 1;
        if let Some(line) = self.running.and_then(|at| self.passes.get_mut(at)) {
            line.refused += 1;
        }
    }

    /// What the journal says of a take that makes this version the newest.
    pub fn next_taken(&self, number: u64, version: &Version) -> Taken {
        Taken {
            decision: self.counts.decisions,
            version: number,
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
        self.counts.taken += 1;
        if let Some(line) = self.running.and_then(|at| self.passes.get_mut(at)) {
            line.taken += 1;
            line.tokens += u64::from(self.tokens.saturating_sub(tokens));
        }
        self.tokens = tokens;
        self.point(tokens);
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
    pub fn publish(&mut self, view: &View, history: &History, home: Option<u64>) {
        (self.number, self.home) = (history.now().number, home);
        self.history = history.all().clone();
        self.sought = history.sought().cloned();
        self.last = Some(view.clone());
        self.show(view);
    }

    fn show(&mut self, view: &View) {
        let snapshot = (!self.silent || self.seen.is_some()).then(|| self.snapshot(view));
        match (&mut self.seen, snapshot) {
            (Some(seen), Some(snapshot)) => seen(snapshot),
            (None, Some(snapshot)) => self.board.publish(snapshot),
            (_, None) => {}
        }
    }

    fn snapshot(
        &self,
        View {
            version,
            constraints,
        }: &View,
    ) -> Snapshot {
        Snapshot {
            number: self.number,
            history: self.history.clone(),
            sought: self.sought.clone(),
            home: self.home,
            log: self.log.clone(),
            constraints: constraints.clone(),
            obeyed: self.obeyed.clone(),
            version: version.clone(),
            original: self.original,
            state: self.state.clone(),
            trying: self.trying.clone(),
            planned: self.planned,
            counts: self.counts,
            passes: self.passes.clone().into(),
            curve: self.curve.clone(),
            decided: self.decided.clone(),
            notes: self.notes.clone(),
            claim: self.claim.clone(),
            limit: self.limit,
            property: self.property.clone(),
            quorum: self.quorum,
            holds: self
                .tallies
                .get(&version.hash())
                .copied()
                .unwrap_or_default(),
            others: self.others.clone(),
            spared: self.spared,
            workers: (self.busy.min(self.jobs), self.jobs),
            started: self.started,
            now: match self.clock {
                Some(at) => self.started + at,
                None => Instant::now(),
            },
            replay: None,
        }
    }

    /// How far it has come with what is done again.
    pub fn again(&self, again: Option<(Decision, Decision)>) {
        self.board.go_on(again);
    }

    /// What the run proves if it ends so now.
    pub fn claim(&self, finish: &Finish) -> Claim {
        let home = self.home.and_then(|home| self.history.get(home as usize));
        let last = self.last.as_ref();
        let constraints = last
            .map(|view| view.constraints.clone())
            .unwrap_or_default();
        Claim::new(
            self.without,
            finish,
            &self.passes,
            &constraints,
            home.map(|home| &home.version)
                .or(last.map(|view| &view.version)),
        )
    }

    /// The run has ended.
    pub fn finish(&mut self, finish: Finish) {
        self.claim = Some(self.claim(&finish));
        self.state = State::Finished(finish.clone());
        (self.trying, self.planned) = (None, None);
        if let Some(view) = self.last.take() {
            self.show(&view);
        }
        self.tell(Event::Finished(finish));
    }
}
