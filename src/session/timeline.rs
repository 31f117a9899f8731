//! The moments of a recorded run as data: its dialogue again, without a test.
//!
//! Most decisions change nothing but counters. So a whole state (a *keyframe*) is kept only where something else changed and every few
//! hundred decisions. A moment (a *frame*) is a keyframe, its own counters and its decision, and a state is made of that on demand. So a
//! decision takes two to four kilobytes, whatever the size of the program.
//!
//! Where the dialogue differs from the recording, only the versions are known, and moments are versions.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never};

use crate::oracle::{FailureProperty, JobId, JobResult, PropertyError, Runner, TestJob};
use crate::reduce::{
    self, CurrentTest, Decision, DecisionDetails, PassLine, PassState, RECENT_DECISIONS, RunCounts,
    RunSetup, RunSnapshot, StartError,
};

/// A whole state is kept after this number of moments even where nothing changed, so that few are counted on demand.
const APART: usize = 256;

/// All moments of a run that are known.
#[derive(Debug, Default)]
pub struct ReplayTimeline {
    keyframes: Vec<TimelineKeyframe>,
    frames: Vec<TimelineFrame>,
}

/// A state that was kept whole, and the first moment that it is of.
#[derive(Debug)]
struct TimelineKeyframe {
    first: usize,
    state: RunSnapshot,
}

/// What a moment has of its own.
#[derive(Debug)]
struct TimelineFrame {
    keyframe: usize,
    counts: RunCounts,
    /// The decision that led to it; none at the beginning, and where only versions are known.
    decided: Option<Arc<DecisionDetails>>,
    /// The pass whose turn it is.
    pass: Option<PassLine>,
    elapsed: Duration,
}

impl ReplayTimeline {
    /// Adds a moment; or replaces the last one, if nothing was decided, moved or commanded since.
    pub fn push(&mut self, state: RunSnapshot) {
        let again = self.newest_state().is_some_and(|newest| {
            let counts = self.frames.last().map(|last| last.counts.decisions);
            counts == Some(state.counts.decisions)
                && newest.number == state.number
                && newest.last_command.0 == state.last_command.0
        });
        if again {
            self.frames.pop();
            if self.keyframes.last().map(|scene| scene.first) == Some(self.frames.len()) {
                self.keyframes.pop();
            }
        }
        let first = self.frames.len();
        let counted = self.keyframes.last().map_or(0, |scene| first - scene.first);
        let same = self
            .newest_state()
            .is_some_and(|newest| is_same_keyframe(newest, &state));
        let newest = state.decided.last();
        let moment = TimelineFrame {
            keyframe: self.keyframes.len() - usize::from(same && counted < APART),
            counts: state.counts,
            decided: newest
                .filter(|newest| newest.decision == state.counts.decisions)
                .cloned(),
            pass: state.running_pass().cloned(),
            elapsed: state.now.saturating_duration_since(state.started),
        };
        if moment.keyframe == self.keyframes.len() {
            self.keyframes.push(TimelineKeyframe { first, state });
        }
        self.frames.push(moment);
    }

    fn newest_state(&self) -> Option<&RunSnapshot> {
        self.keyframes.last().map(|scene| &scene.state)
    }

    /// How many moments there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// How many decisions there were by a moment; by the last one, if there is no such moment.
    pub fn decision_count(&self, moment: usize) -> Decision {
        let moment = self.frames.get(moment).or(self.frames.last());
        moment.map_or(0, |moment| moment.counts.decisions)
    }

    /// How long the run had lasted at a moment.
    pub fn elapsed_at(&self, moment: usize) -> Duration {
        self.frames
            .get(moment)
            .map_or(Duration::ZERO, |moment| moment.elapsed)
    }

    /// The decision that led to a moment.
    pub fn decision_at(&self, moment: usize) -> Option<&Arc<DecisionDetails>> {
        self.frames.get(moment)?.decided.as_ref()
    }

    /// The candidate at a moment: the one that was decided next.
    pub fn pending_decision(&self, moment: usize) -> Option<&Arc<DecisionDetails>> {
        let next = self.decision_at(moment + 1)?;
        (next.decision > self.decision_count(moment)).then_some(next)
    }

    /// The state at a moment except what decisions change: version, history, constraints, notes, commands.
    pub fn keyframe_state(&self, moment: usize) -> Option<&RunSnapshot> {
        let scene = self.frames.get(moment)?.keyframe;
        Some(&self.keyframes[scene].state)
    }

    /// The number of the version at a moment.
    pub fn version_number(&self, moment: usize) -> Option<u64> {
        self.keyframe_state(moment).map(|scene| scene.number)
    }

    /// The pass whose turn it is at a moment, and its round.
    pub fn running_pass(&self, moment: usize) -> Option<(&'static str, PassState)> {
        let line = self.frames.get(moment)?.pass.as_ref()?;
        Some((line.name, line.state))
    }

    /// The first moment with this number of decisions; none if it is not known.
    pub fn frame_of_decision(&self, decision: Decision) -> Option<usize> {
        let at = self
            .frames
            .partition_point(|moment| moment.counts.decisions < decision);
        (at < self.frames.len()).then_some(at)
    }

    /// The first moment at this version; none if it is not known.
    pub fn frame_of_version(&self, number: u64) -> Option<usize> {
        let scene = self
            .keyframes
            .iter()
            .find(|scene| scene.state.number == number);
        scene.map(|scene| scene.first)
    }

    /// The whole state at a moment, as if it were now.
    pub fn snapshot_at(&self, place: usize) -> Option<RunSnapshot> {
        let moment = self.frames.get(place)?;
        let TimelineKeyframe { first, state } = &self.keyframes[moment.keyframe];
        let mut made = state.clone();
        for at in first + 1..=place {
            if let Some(decided) = self.decision_at(at) {
                made.log.add_decision(decided, made.number, &made.version);
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
        let mut decided: Vec<Arc<DecisionDetails>> = Vec::new();
        for known in (0..=place).rev().filter_map(|at| self.decision_at(at)) {
            if decided.len() == RECENT_DECISIONS {
                break;
            }
            if decided.last().map(|last| last.decision) != Some(known.decision) {
                decided.push(known.clone());
            }
        }
        made.decided = decided.into_iter().rev().collect();
        made.now = Instant::now();
        made.started = made.now.checked_sub(moment.elapsed).unwrap_or(made.now);
        made.current_test = self.pending_decision(place).map(|next| CurrentTest {
            decision: next.decision,
            edit: next.edit.clone(),
            why: next.why.clone(),
            sentence: next.sentence.clone(),
            change: next.change,
            algorithm: next.algorithm.clone(),
            since: made.now,
        });
        made.workers = (0, 0);
        Some(made)
    }
}

/// Whether two states differ in nothing but what moments have of their own.
fn is_same_keyframe(one: &RunSnapshot, other: &RunSnapshot) -> bool {
    let passes = |state: &RunSnapshot| state.passes.len();
    let mut pairs = one.passes.iter().zip(other.passes.iter());
    one.number == other.number
        && one.history.len() == other.history.len()
        && one.detour_base == other.detour_base
        && one.last_command.0 == other.last_command.0
        && one.state == other.state
        && one.limit == other.limit
        && one.notes == other.notes
        && Arc::ptr_eq(&one.constraints, &other.constraints)
        && passes(one) == passes(other)
        && pairs.all(|(one, other)| {
            let is_running = matches!(one.state, PassState::Running(_));
            one.name == other.name
                && one.state == other.state
                && (is_running || one.tried == other.tried)
        })
}

/// A timeline that grows while the recording is read.
#[derive(Clone, Debug)]
pub struct TimelineReader {
    timeline: Arc<Mutex<ReplayTimeline>>,
    /// Rings when there are more moments, and is disconnected when there will be no more.
    pub grown: Receiver<()>,
}

impl TimelineReader {
    /// Begins to read a recording, on a thread of its own: that of a run which begins as the recorded one did, resumes all of it, and has
    /// [`NoTestRunner`] to test.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start_reading(mut run: RunSetup) -> Result<TimelineReader, StartError> {
        let (ring, grown) = bounded(1);
        let timeline = Arc::new(Mutex::new(ReplayTimeline::default()));
        let growing = timeline.clone();
        if let Some(resume) = &mut run.resume {
            resume.observer = Some(Box::new(move |state| {
                lock_unpoisoned(&growing).push(state);
                // It rings already.
                let _ = ring.try_send(());
            }));
        }
        // The thread is not joined: it is over when no more moments come.
        reduce::start_run(run)?;
        Ok(TimelineReader { timeline, grown })
    }

    /// The moments that are known now.
    pub fn lock_timeline(&self) -> MutexGuard<'_, ReplayTimeline> {
        lock_unpoisoned(&self.timeline)
    }
}

fn lock_unpoisoned(timeline: &Mutex<ReplayTimeline>) -> MutexGuard<'_, ReplayTimeline> {
    timeline.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs no test: a replay for display tests nothing.
#[derive(Debug)]
pub struct NoTestRunner(Receiver<JobResult>);

impl Default for NoTestRunner {
    fn default() -> NoTestRunner {
        NoTestRunner(never())
    }
}

impl Runner for NoTestRunner {
    fn submit(&mut self, _: TestJob) {}

    fn cancel(&mut self, _: JobId) {}

    /// A change of the property holds, as it did then; no test looks for it.
    fn set_property(&mut self, _: &FailureProperty) -> Result<(), PropertyError> {
        Ok(())
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.0
    }
}
