//! The moments of a recorded run as data: its dialogue once more, without a test, and each moment kept as little as it differs from
//! others.
//!
//! Most decisions change nothing but counters. So a whole state is kept only where something else changed (a *scene*) and every few
//! hundred decisions; a moment is a scene, its counters and its decision, and a state is made of that when somebody looks. So a decision
//! takes about two kilobytes, whatever the size of the program.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never};

use crate::oracle::{Answer, Job, JobId, Property, PropertyError, Runner};
use crate::reduce::{
    self, Counts, Decided, Decision, PassLine, PassState, REMEMBERED, Setup, Snapshot, StartError,
    Trying,
};

/// After so many moments a scene is kept even where nothing changed: so little is to be counted when somebody looks.
const APART: usize = 256;

/// All moments of a run that are known.
#[derive(Debug, Default)]
pub struct Reel {
    scenes: Vec<Scene>,
    moments: Vec<Moment>,
}

/// A state that was kept whole, and the first moment that it is of.
#[derive(Debug)]
struct Scene {
    first: usize,
    state: Snapshot,
}

/// What a moment has of its own.
#[derive(Debug)]
struct Moment {
    scene: usize,
    counts: Counts,
    /// The decision that led to it; none at the beginning, and where only versions are known.
    decided: Option<Arc<Decided>>,
    /// The pass whose turn it is.
    pass: Option<PassLine>,
    at: Duration,
}

impl Reel {
    /// One moment more; or the last one again, if nothing was decided, moved or commanded since.
    pub fn push(&mut self, state: Snapshot) {
        let again = self.newest().is_some_and(|newest| {
            let counts = self.moments.last().map(|last| last.counts.decisions);
            counts == Some(state.counts.decisions)
                && newest.number == state.number
                && newest.obeyed.0 == state.obeyed.0
        });
        if again {
            self.moments.pop();
            if self.scenes.last().map(|scene| scene.first) == Some(self.moments.len()) {
                self.scenes.pop();
            }
        }
        let first = self.moments.len();
        let counted = self.scenes.last().map_or(0, |scene| first - scene.first);
        let same = self.newest().is_some_and(|newest| is_same(newest, &state));
        let running = |line: &&PassLine| matches!(line.state, PassState::Running(_));
        let newest = state.decided.last();
        let moment = Moment {
            scene: self.scenes.len() - usize::from(same && counted < APART),
            counts: state.counts,
            decided: newest
                .filter(|newest| newest.decision == state.counts.decisions)
                .cloned(),
            pass: state.passes.iter().find(running).cloned(),
            at: state.now.saturating_duration_since(state.started),
        };
        if moment.scene == self.scenes.len() {
            self.scenes.push(Scene { first, state });
        }
        self.moments.push(moment);
    }

    fn newest(&self) -> Option<&Snapshot> {
        self.scenes.last().map(|scene| &scene.state)
    }

    /// How many moments there are.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// How many decisions there were by a moment; by the last one, if there is no such moment.
    pub fn decisions(&self, moment: usize) -> Decision {
        let moment = self.moments.get(moment).or(self.moments.last());
        moment.map_or(0, |moment| moment.counts.decisions)
    }

    /// How long the run had lasted at a moment.
    pub fn time(&self, moment: usize) -> Duration {
        self.moments
            .get(moment)
            .map_or(Duration::ZERO, |moment| moment.at)
    }

    /// The decision that led to a moment.
    pub fn decided(&self, moment: usize) -> Option<&Arc<Decided>> {
        self.moments.get(moment)?.decided.as_ref()
    }

    /// The question at a moment: the one that was decided next.
    pub fn asked(&self, moment: usize) -> Option<&Arc<Decided>> {
        let next = self.decided(moment + 1)?;
        (next.decision > self.decisions(moment)).then_some(next)
    }

    /// The state at a moment but for what decisions change: version, history, constraints, notes, commands.
    pub fn scene(&self, moment: usize) -> Option<&Snapshot> {
        let scene = self.moments.get(moment)?.scene;
        Some(&self.scenes[scene].state)
    }

    /// The number of the version at a moment.
    pub fn number(&self, moment: usize) -> Option<u64> {
        self.scene(moment).map(|scene| scene.number)
    }

    /// The pass whose turn it is at a moment, and its round.
    pub fn pass(&self, moment: usize) -> Option<(&'static str, PassState)> {
        let line = self.moments.get(moment)?.pass.as_ref()?;
        Some((line.name, line.state))
    }

    /// The first moment with so many decisions; none if it is not known.
    pub fn of_decision(&self, decision: Decision) -> Option<usize> {
        let at = self
            .moments
            .partition_point(|moment| moment.counts.decisions < decision);
        (at < self.moments.len()).then_some(at)
    }

    /// The first moment at this version; none if it is not known.
    pub fn of_version(&self, number: u64) -> Option<usize> {
        let scene = self
            .scenes
            .iter()
            .find(|scene| scene.state.number == number);
        scene.map(|scene| scene.first)
    }

    /// The whole state at a moment, as if it were now.
    pub fn at(&self, place: usize) -> Option<Snapshot> {
        let moment = self.moments.get(place)?;
        let Scene { first, state } = &self.scenes[moment.scene];
        let mut made = state.clone();
        for at in first + 1..=place {
            if let Some(decided) = self.decided(at) {
                made.log.add(decided, made.number, &made.version);
            }
        }
        made.counts = moment.counts;
        if let Some(running) = &moment.pass {
            let lines = made.passes.iter().map(|line| match line.name {
                name if name == running.name => running.clone(),
                _ => line.clone(),
            });
            made.passes = lines.collect();
        }
        let mut decided: Vec<Arc<Decided>> = Vec::new();
        for known in (0..=place).rev().filter_map(|at| self.decided(at)) {
            if decided.len() == REMEMBERED {
                break;
            }
            if decided.last().map(|last| last.decision) != Some(known.decision) {
                decided.push(known.clone());
            }
        }
        made.decided = decided.into_iter().rev().collect();
        made.now = Instant::now();
        made.started = made.now.checked_sub(moment.at).unwrap_or(made.now);
        made.trying = self.asked(place).map(|next| Trying {
            decision: next.decision,
            edit: next.edit.clone(),
            why: next.why.clone(),
            sentence: next.sentence.clone(),
            saved: next.saved,
            since: made.now,
        });
        made.workers = (0, 0);
        Some(made)
    }
}

/// Whether two states differ in nothing but what moments have of their own.
fn is_same(one: &Snapshot, other: &Snapshot) -> bool {
    let passes = |state: &Snapshot| state.passes.len();
    let mut pairs = one.passes.iter().zip(other.passes.iter());
    one.number == other.number
        && one.history.len() == other.history.len()
        && one.home == other.home
        && one.obeyed.0 == other.obeyed.0
        && one.state == other.state
        && one.limit == other.limit
        && one.notes == other.notes
        && Arc::ptr_eq(&one.constraints, &other.constraints)
        && passes(one) == passes(other)
        && pairs.all(|(one, other)| one.name == other.name && one.state == other.state)
}

/// A reel that grows while the recording is read.
#[derive(Clone, Debug)]
pub struct Reading {
    reel: Arc<Mutex<Reel>>,
    /// Rings when there are more moments, and is disconnected when there will be no more.
    pub grown: Receiver<()>,
}

impl Reading {
    /// Begins to read a recording, on a thread of its own: that of a run which begins as the recorded one did, resumes all of it, and has
    /// [`Nobody`] to test.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(mut run: Setup) -> Result<Reading, StartError> {
        let (ring, grown) = bounded(1);
        let reel = Arc::new(Mutex::new(Reel::default()));
        let growing = reel.clone();
        if let Some(resume) = &mut run.resume {
            resume.seen = Some(Box::new(move |state| {
                lock(&growing).push(state);
                // It rings already.
                let _ = ring.try_send(());
            }));
        }
        // Nobody waits for its end: it is over when no more moments come.
        reduce::start(run)?;
        Ok(Reading { reel, grown })
    }

    /// The moments that are known now.
    pub fn reel(&self) -> MutexGuard<'_, Reel> {
        lock(&self.reel)
    }
}

fn lock(reel: &Mutex<Reel>) -> MutexGuard<'_, Reel> {
    reel.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs no test: what is done again for the eye asks nothing.
#[derive(Debug)]
pub struct Nobody(Receiver<Answer>);

impl Default for Nobody {
    fn default() -> Nobody {
        Nobody(never())
    }
}

impl Runner for Nobody {
    fn submit(&mut self, _: Job) {}

    fn cancel(&mut self, _: JobId) {}

    /// A change of what is looked for holds, as it did then; there is nobody who would look.
    fn look_for(&mut self, _: &Property) -> Result<(), PropertyError> {
        Ok(())
    }

    fn answers(&self) -> &Receiver<Answer> {
        &self.0
    }
}
