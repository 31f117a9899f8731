//! The data that all panes and pages read: the newest snapshot, values derived from it, and the theme.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::contrast::ContrastState;
use super::panes::layout::LayoutScope;
use super::program_view::edit_marks::EditMarks;
use super::program_view::file_graph::GraphState;
use super::program_view::hunk_trials::HunkTrials;
use super::program_view::opened_candidate::CandidateReader;
use super::program_view::pair_view::PairView;
use super::program_view::selection;
use super::setup::ScreenSetup;
use super::theme::ResolvedTheme;
use super::throughput::ThroughputMeter;
use crate::display::WallClock;
use crate::lesson::Lesson;
use crate::oracle::{ProgramMemory, Verdict};
use crate::program::{Edit, EditReason, NodeId, Version};
use crate::protocol::AlgorithmState;
use crate::reduce::{
    Decision, DecisionDetails, FinishReason, RemainingEstimate, ReplayStatus, RunSnapshot,
    RunState, estimate_run,
};

/// Facts about the run that are not in its snapshots.
#[derive(Clone, Debug, Default)]
pub struct ScreenContext {
    /// The name of the reduced file.
    pub title: String,
    /// The numbers of the files that are symbolic links; the text of such a file is the path that it holds.
    pub links: Vec<usize>,
    /// The test, as the user wrote it.
    pub test: String,
    /// What the test looks for by its own words, if it has any.
    pub looked_for: Option<String>,
    /// Where the result is.
    pub output: PathBuf,
    /// Where the program is that a generator makes of the result; none if the result is the program.
    pub program: Option<PathBuf>,
    /// The programs that the generator made lately.
    pub programs: Option<Arc<ProgramMemory>>,
    /// What to do after the run, one line each.
    pub next_steps: Vec<String>,
    /// A message at the start of the screen.
    pub notice: Option<String>,
    /// The files of the test, which are watched.
    pub test_files: Vec<PathBuf>,
    /// The files that are reduced, which are watched too.
    pub inputs: Vec<PathBuf>,
    /// How long the run was paused before it was resumed.
    pub paused_time: Duration,
    /// Whether this is the recording of a run.
    pub replay: bool,
    /// The lesson that the run is played for.
    pub lesson: Option<Arc<Lesson>>,
    /// Whether single steps have two keys, with a guess between them.
    pub guess: bool,
    /// Whether it is the screen of an attached terminal: who leaves it leaves the run going.
    pub is_attached: bool,
    /// Whether somebody can compare the result with its neighbours.
    pub can_contrast: bool,
    /// Whether the run stays at its end, and goes on from there when the user commands something.
    pub can_go_on: bool,
}

/// A question of the run, as far as its algorithm is concerned.
pub struct AskedQuestion<'a> {
    /// Why it is asked.
    pub why: &'a EditReason,
    /// What the algorithm does that asks it, if that is known.
    pub algorithm: Option<&'a AlgorithmState<NodeId>>,
    /// The version that it is about.
    pub version: &'a Version,
    /// Whether its candidate is a newer version.
    pub is_accepted: bool,
}

/// How long a note of the run is shown while the run goes on.
const NOTE_DURATION: Duration = Duration::from_secs(10);
/// How long a change is highlighted.
const FLASH_DURATION: Duration = Duration::from_secs(1);

/// The run as the screen knows it.
#[derive(Debug)]
pub struct RunView {
    /// Facts about the run that are not in its snapshots.
    pub context: ScreenContext,
    /// The user's configuration.
    pub setup: ScreenSetup,
    /// The theme in use; while the user chooses a theme, the proposed one.
    pub theme: ResolvedTheme,
    /// The newest snapshot.
    pub snapshot: Option<Arc<RunSnapshot>>,
    /// Before the first snapshot of a resumed run: the number of repeated decisions, and of all.
    pub resume_progress: Option<(Decision, Decision)>,
    /// What the current candidate would remove; in a paused run without one, what the last rejected candidate would have removed.
    pub edit_marks: EditMarks,
    /// By which times of the day are told, as of the last frame.
    pub clock: WallClock,
    /// The candidate that the user opened again.
    pub candidates: CandidateReader,
    /// The comparison of the result with its neighbours.
    pub contrast: ContrastState,
    /// What is known of the version that was shown last, if it is a pair.
    pub pair: Option<PairView>,
    /// The last candidate without each token of the difference of a pair.
    pub trials: HunkTrials,
    /// Which files of a project need which.
    pub files: GraphState,
    /// Whether the verdict of the shown candidate is held back, to be guessed.
    pub hides_verdict: bool,
    /// Messages of the screen that the user should still see at the end.
    pub notes: Vec<String>,
    /// The node that the last accepted edit changed, and the time.
    changed_node: Option<(NodeId, Instant)>,
    throughput: ThroughputMeter,
    /// The newest note of the run, and when it was new.
    newest_note: Option<(String, Instant)>,
    /// The numbers of decisions and of started tests when the run last stalled.
    last_stall: Option<(u64, u64)>,
    /// The version and the decision whose edit is marked; none while the marks are those of no edit.
    marked_edit: Option<(u64, Decision)>,
}

impl RunView {
    /// Whether the run is at its end, and goes on from there when the user commands something.
    pub fn can_go_on(&self) -> bool {
        let ended = RunState::Finished(FinishReason::Complete);
        self.context.can_go_on && self.run_state() == Some(&ended)
    }

    /// The name of the next effort, if the run is at its end and can go on with more.
    pub fn more_effort(&self) -> Option<&'static str> {
        let snapshot = self.snapshot.as_ref().filter(|_| self.can_go_on());
        snapshot?.more_effort
    }

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
            clock: WallClock::default(),
            candidates: CandidateReader::default(),
            contrast: ContrastState::default(),
            pair: None,
            trials: HunkTrials::default(),
            files: GraphState::default(),
            hides_verdict: false,
            notes: Vec::new(),
            changed_node: None,
            newest_note: None,
            last_stall: None,
            marked_edit: None,
        }
    }

    /// Applies a snapshot. Returns the node that the marked edit changes.
    pub fn apply_snapshot(&mut self, new: Arc<RunSnapshot>) -> Option<NodeId> {
        let old = self.snapshot.as_deref();
        self.throughput.on_snapshot(old, &new);
        if old.is_some_and(|old| old.number != new.number) {
            self.changed_node = last_accepted_node(&new).map(|node| (node, new.now));
        }
        let known = self.newest_note.as_ref().map(|(note, _)| note);
        if new.notes.last() != known {
            self.newest_note = new.notes.last().map(|note| (note.clone(), new.now));
        }
        let edit = edit_to_mark(&new).map(|(_, edit)| edit);
        let node = edit.and_then(|edit| edit.first_removed_node(&new.version));
        self.snapshot = Some(new);
        node
    }

    /// Makes what a frame needs of the version and of its candidate: the alignment of a pair, and the marks. What is known already stays.
    /// Returns the first marked token of a new candidate that is given as whole texts.
    pub fn update_derived(&mut self) -> Option<NodeId> {
        let snapshot = self.snapshot.clone()?;
        let (number, version) = (snapshot.number, &snapshot.version);
        let is_known = |pair: &PairView| pair.is_of(number, version);
        if version.twins().is_some() && !self.pair.as_ref().is_some_and(is_known) {
            self.pair = PairView::from_version(number, version);
            self.marked_edit = None;
        }
        if let Some(pair) = &self.pair {
            self.trials.add_new_decisions(&snapshot, pair);
        }
        let marked = edit_to_mark(&snapshot);
        let key = marked.map(|(decision, _)| (number, decision));
        if key.is_some() && key == self.marked_edit {
            return None;
        }
        let pair = self.pair.as_ref();
        let marks = marked.map(|(_, edit)| EditMarks::from_edit_of(version, pair, edit));
        (self.edit_marks, self.marked_edit) = (marks.unwrap_or_default(), key);
        self.edit_marks.first_token()
    }

    /// The state of the run, as far as the screen knows.
    pub fn run_state(&self) -> Option<&RunState> {
        self.snapshot.as_deref().map(|snapshot| &snapshot.state)
    }

    /// Whether the run is on a pair.
    pub fn is_pair(&self) -> bool {
        let snapshot = self.snapshot.as_deref();
        snapshot.is_some_and(|snapshot| snapshot.version.twins().is_some())
    }

    /// Whether the run reduces several files of a program.
    pub fn is_project(&self) -> bool {
        let snapshot = self.snapshot.as_deref();
        snapshot.is_some_and(|snapshot| snapshot.version.is_project())
    }

    /// What the run reduces, as far as layouts differ by it.
    pub fn layout_scope(&self) -> LayoutScope {
        let snapshot = self.snapshot.as_deref();
        snapshot.map_or(LayoutScope::Program, |snapshot| {
            layout_scope_of(&snapshot.version)
        })
    }

    /// Whether the run has ended.
    pub fn is_finished(&self) -> bool {
        matches!(self.run_state(), Some(RunState::Finished(_)))
    }

    /// Why the run is stalled, if it is.
    pub fn stall_reason(&self) -> Option<&str> {
        match self.run_state() {
            Some(RunState::Stalled(reason)) => Some(reason),
            _ => None,
        }
    }

    /// Records where the run stalled. Returns whether it has stalled at the same candidate again.
    pub fn has_stalled_again(&mut self, new: &RunSnapshot) -> bool {
        let (decisions, started) = (new.counts.decisions, new.counts.started);
        let last = self.last_stall.replace((decisions, started));
        last.is_some_and(|(before, tests)| before == decisions && tests < started)
    }

    /// The state of the replay, if this is one.
    pub fn replay_state(&self) -> Option<&ReplayStatus> {
        self.snapshot.as_deref()?.replay.as_ref()
    }

    /// The node that was changed a moment ago.
    pub fn flashing_node(&self, now: Instant) -> Option<NodeId> {
        let (node, _) = self
            .changed_node
            .filter(|(_, since)| now < *since + FLASH_DURATION)?;
        Some(node)
    }

    /// Tests per second: over the last seconds of a running run, over the whole run at its end, none while it is paused. In a recording,
    /// over the run up to the current position.
    pub fn tests_per_second(&self) -> Option<f64> {
        self.throughput.tests_per_second(self.snapshot.as_deref()?)
    }

    /// Questions per second, those that needed no test too: over the last seconds of a running run.
    pub fn questions_per_second(&self) -> Option<f64> {
        self.throughput
            .questions_per_second(self.snapshot.as_deref()?)
    }

    /// The working time of the run: the time since its start without its pauses.
    pub fn working_time(&self) -> Duration {
        let snapshot = self.snapshot.as_deref();
        snapshot.map_or(Duration::ZERO, |snapshot| {
            self.throughput.working_time(snapshot)
        })
    }

    /// About how many questions are left; none at the end, in a recording, and while nothing is known that an estimate could rest on.
    /// With them goes the share of yes that they rest on, in per cent.
    pub fn remaining_questions(&self) -> Option<(RemainingEstimate, u64)> {
        let snapshot = self.snapshot.as_deref()?;
        if self.is_finished() || snapshot.replay.is_some() {
            return None;
        }
        estimate_run(snapshot)
    }

    /// How long the run will probably go on; none in a pause, and where there is no estimate of the questions.
    pub fn time_left(&self) -> Option<Duration> {
        let snapshot = self.snapshot.as_deref()?;
        if snapshot.state != RunState::Running {
            return None;
        }
        let (left, _) = self.remaining_questions()?;
        let rate = self.questions_per_second().filter(|rate| *rate > 0.0)?;
        Some(Duration::from_secs_f64(left.questions as f64 / rate))
    }

    /// The newest note. A stalled run says its reason already.
    pub fn shown_note(&self) -> Option<&str> {
        let snapshot = self.snapshot.as_deref();
        let of_run = snapshot.and_then(|snapshot| snapshot.notes.last());
        let is_new = || {
            let (_, since) = self.newest_note.as_ref()?;
            Some(snapshot?.now.saturating_duration_since(*since) < NOTE_DURATION)
        };
        let of_run = of_run.filter(|_| is_new() != Some(false));
        let note = self.notes.last().or(of_run);
        note.map(String::as_str)
            .filter(|_| self.stall_reason().is_none())
    }

    /// How long the run was paused, up to the newest snapshot.
    pub fn paused_time(&self) -> Duration {
        self.throughput.paused_time()
    }

    /// The question that is asked, or the last one.
    pub fn asked_question(&self) -> Option<AskedQuestion<'_>> {
        let snapshot = self.snapshot.as_deref()?;
        if let Some(trying) = &snapshot.current_test {
            return Some(AskedQuestion {
                why: &trying.why,
                algorithm: trying.algorithm.as_deref(),
                version: &snapshot.version,
                is_accepted: false,
            });
        }
        let last = snapshot.decided.last()?;
        Some(AskedQuestion {
            why: &last.why,
            algorithm: last.algorithm.as_deref(),
            version: version_before(snapshot, last),
            is_accepted: last.verdict == Verdict::Interesting,
        })
    }

    /// The edit to show and the version that it applies to: the current one or, in a run that stands still, the last one.
    pub fn shown_edit(&self) -> Option<(Decision, &Edit, &Version)> {
        let snapshot = self.snapshot.as_deref()?;
        if let Some(trying) = &snapshot.current_test {
            return Some((trying.decision, &trying.edit, &snapshot.version));
        }
        let last = last_tried(snapshot)?;
        Some((last.decision, &last.edit, version_before(snapshot, last)))
    }
}

/// The version that the last decision was about: if its candidate was accepted, the one before.
fn version_before<'a>(snapshot: &'a RunSnapshot, last: &DecisionDetails) -> &'a Version {
    let history = &snapshot.history;
    let made = history
        .iter()
        .rev()
        .find(|past| last.verdict == Verdict::Interesting && past.decision == last.decision);
    let before = made.and_then(|made| history.get(made.parent? as usize));
    before.map_or(&snapshot.version, |before| &before.version)
}

/// What a run reduces whose version this is.
pub fn layout_scope_of(version: &Version) -> LayoutScope {
    match (version.twins(), version.is_project()) {
        (Some(_), _) => LayoutScope::Pair,
        (None, true) => LayoutScope::Project,
        (None, false) => LayoutScope::Program,
    }
}

/// The edit to mark: the current one; in a paused run without one, the last one if it was rejected.
fn edit_to_mark(snapshot: &RunSnapshot) -> Option<(Decision, &Edit)> {
    let is_paused = snapshot.state.is_suspended();
    let rejected = || {
        let last = last_tried(snapshot).filter(|_| is_paused);
        last.filter(|last| last.verdict != Verdict::Interesting)
    };
    let trying = snapshot.current_test.as_ref();
    let trying = trying.map(|trying| (trying.decision, &trying.edit));
    trying.or_else(|| rejected().map(|last| (last.decision, &last.edit)))
}

/// The last decision, in a run that stands still.
fn last_tried(snapshot: &RunSnapshot) -> Option<&Arc<DecisionDetails>> {
    let stands = snapshot.state != RunState::Running;
    snapshot.decided.last().filter(|_| stands)
}

/// The row in the current version where the last accepted edit was.
fn last_accepted_node(snapshot: &RunSnapshot) -> Option<NodeId> {
    let accepted = |decided: &&Arc<DecisionDetails>| decided.verdict == Verdict::Interesting;
    let last = snapshot.decided.iter().rev().find(accepted)?;
    let version = &snapshot.version;
    let path = version.path_to(last.why.node?)?;
    Some(selection::enclosing_row(version, &path).node().id)
}
