//! What all panes and pages read: the newest snapshot, what follows from it, and how the screen looks.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::program_view::edit_marks::EditMarks;
use super::program_view::selection;
use super::setup::ScreenSetup;
use super::theme::ResolvedTheme;
use super::throughput::ThroughputMeter;
use crate::oracle::Verdict;
use crate::program::{Edit, NodeId, Version};
use crate::reduce::{Decision, DecisionDetails, ReplayStatus, RunSnapshot, RunState};

/// What the screen says besides the run.
#[derive(Clone, Debug, Default)]
pub struct ScreenContext {
    /// What is reduced: the file's name.
    pub title: String,
    /// The test, as the user wrote it.
    pub test: String,
    /// Where the result is.
    pub output: PathBuf,
    /// What to do when it is done, a line each.
    pub next_steps: Vec<String>,
    /// What is told when the screen appears.
    pub notice: Option<String>,
    /// The test's file, which is watched.
    pub test_file: Option<PathBuf>,
    /// The file that is reduced, which is watched too.
    pub input: Option<PathBuf>,
    /// How long the run stood still before it was gone on with.
    pub paused_time: Duration,
    /// Whether this is no run but the recording of one.
    pub replay: bool,
}

/// How long a change is shown.
const FLASH: Duration = Duration::from_secs(1);

/// The run as the screen knows it.
#[derive(Debug)]
pub struct RunView {
    /// What the screen says besides the run.
    pub context: ScreenContext,
    /// The user's configuration.
    pub setup: ScreenSetup,
    /// The theme in use; while the user chooses a theme, the proposed one.
    pub theme: ResolvedTheme,
    /// The newest snapshot.
    pub snapshot: Option<Arc<RunSnapshot>>,
    /// Before there is a snapshot of a resumed run: how many decisions were repeated, of how many.
    pub resume_progress: Option<(Decision, Decision)>,
    /// What the current candidate would remove; while the run stands still and nothing is asked, what the last rejected one would have.
    pub edit_marks: EditMarks,
    /// What the screen itself noticed and the user should still know at the end.
    pub notes: Vec<String>,
    /// What the last accepted edit changed, and when.
    changed_node: Option<(NodeId, Instant)>,
    throughput: ThroughputMeter,
    /// How many decisions and started tests there were when the run last stalled.
    last_stall: Option<(u64, u64)>,
}

impl RunView {
    /// A view that has not seen a snapshot.
    pub fn new(context: ScreenContext, setup: ScreenSetup) -> RunView {
        RunView {
            throughput: ThroughputMeter::new(context.paused_time),
            context,
            theme: setup.theme.clone(),
            setup,
            snapshot: None,
            resume_progress: None,
            edit_marks: EditMarks::default(),
            notes: Vec::new(),
            changed_node: None,
            last_stall: None,
        }
    }

    /// Takes over a snapshot. Returns the node that the marked edit is about.
    pub fn apply_snapshot(&mut self, new: Arc<RunSnapshot>) -> Option<NodeId> {
        let old = self.snapshot.as_deref();
        self.throughput.on_snapshot(old, &new);
        if old.is_some_and(|old| old.number != new.number) {
            self.changed_node = last_accepted_node(&new).map(|node| (node, new.now));
        }
        let edit = edit_to_mark(&new);
        self.edit_marks = edit.map(EditMarks::from_edit).unwrap_or_default();
        let node = edit.and_then(|edit| edit.first_removed_node(&new.version));
        self.snapshot = Some(new);
        node
    }

    /// The state of the run, as far as the screen knows.
    pub fn run_state(&self) -> Option<&RunState> {
        self.snapshot.as_deref().map(|snapshot| &snapshot.state)
    }

    /// Whether the run has ended.
    pub fn is_finished(&self) -> bool {
        matches!(self.run_state(), Some(RunState::Finished(_)))
    }

    /// Why the run stands still, when that was not the user.
    pub fn stall_reason(&self) -> Option<&str> {
        match self.run_state() {
            Some(RunState::Stalled(reason)) => Some(reason),
            _ => None,
        }
    }

    /// Remembers where a run stalled; whether it was only tried again since it last did.
    pub fn has_stalled_again(&mut self, new: &RunSnapshot) -> bool {
        let (decisions, started) = (new.counts.decisions, new.counts.started);
        let last = self.last_stall.replace((decisions, started));
        last.is_some_and(|(before, tests)| before == decisions && tests < started)
    }

    /// How the recording is played, if it is one.
    pub fn replay_state(&self) -> Option<&ReplayStatus> {
        self.snapshot.as_deref()?.replay.as_ref()
    }

    /// The node that was changed a moment ago.
    pub fn flashing_node(&self, now: Instant) -> Option<NodeId> {
        let (node, _) = self
            .changed_node
            .filter(|(_, since)| now < *since + FLASH)?;
        Some(node)
    }

    /// Tests a second: of the last seconds while the run is on, of the whole run at its end, nothing while it stands still. In a
    /// recording, of the run until then.
    pub fn tests_per_second(&self) -> Option<f64> {
        self.throughput.tests_per_second(self.snapshot.as_deref()?)
    }

    /// How long the run has been at work: the time since it began, without the time in which it stood still.
    pub fn working_time(&self) -> Duration {
        let snapshot = self.snapshot.as_deref();
        snapshot.map_or(Duration::ZERO, |snapshot| {
            self.throughput.working_time(snapshot)
        })
    }

    /// How long the run stood still, up to the newest snapshot.
    pub fn paused_time(&self) -> Duration {
        self.throughput.paused_time()
    }

    /// The edit that is shown and the version that it is of: the current one or, while the run stands still, the last one.
    pub fn shown_edit(&self) -> Option<(Decision, &Edit, &Version)> {
        let snapshot = self.snapshot.as_deref()?;
        if let Some(trying) = &snapshot.current_test {
            return Some((trying.decision, &trying.edit, &snapshot.version));
        }
        let last = last_tried(snapshot)?;
        let history = &snapshot.history;
        let made = history
            .iter()
            .rev()
            .find(|past| last.verdict == Verdict::Interesting && past.decision == last.decision);
        let before = made.and_then(|made| history.get(made.parent? as usize));
        let version = before.map_or(&snapshot.version, |before| &before.version);
        Some((last.decision, &last.edit, version))
    }
}

/// The edit to mark: the current one; where the run stands still and nothing is asked, the last one unless it was accepted.
fn edit_to_mark(snapshot: &RunSnapshot) -> Option<&Edit> {
    let rejected = || last_tried(snapshot).filter(|last| last.verdict != Verdict::Interesting);
    let trying = snapshot.current_test.as_ref().map(|trying| &trying.edit);
    trying.or_else(|| Some(&rejected()?.edit))
}

/// What was tried last, while the run stands still.
fn last_tried(snapshot: &RunSnapshot) -> Option<&Arc<DecisionDetails>> {
    snapshot
        .decided
        .last()
        .filter(|_| snapshot.state.is_suspended())
}

/// Where the last accepted edit was, of what is left.
fn last_accepted_node(snapshot: &RunSnapshot) -> Option<NodeId> {
    let accepted = |decided: &&Arc<DecisionDetails>| decided.verdict == Verdict::Interesting;
    let last = snapshot.decided.iter().rev().find(accepted)?;
    let version = &snapshot.version;
    let path = version.path_to(last.why.node?)?;
    Some(selection::enclosing_row(version, &path).node().id)
}
