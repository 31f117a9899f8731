//! What the engine records for the world: counters, the curve, the last decisions.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Sender;
use rustc_hash::FxHashMap;

use super::claim::{MinimalityClaim, is_switched_off};
use super::counters::RunCounts;
use super::decision_log::DecisionLog;
use super::event::{FinishReason, RunEvent};
use super::pass_progress::PassProgress;
use super::run_publisher::RunPublisher;
use super::snapshot::{
    CommandOutcome, CurrentTest, CurvePoint, PlanningStatus, RECENT_DECISIONS, RunSnapshot,
    RunState,
};
use super::snapshot_board::SnapshotBoard;
use crate::oracle::{FailureProperty, FarmMonitor, LimitKind, TestFiles, Verdict};
use crate::pass;
use crate::program::{ConstraintSet, ContentHash, Edit, ObjectiveSize, Version, View};
use crate::reduce::decision::{AcceptedVersion, Decision, DecisionDetails};
use crate::reduce::history::{ActiveProperty, VersionHistory, VersionRecord};
use crate::reduce::ports::OtherFailure;
use crate::reduce::proposer::PassTurn;
use crate::reduce::results::{Quorum, RunTally};

/// How many notes a snapshot remembers.
const MAX_NOTES: usize = 20;

pub struct RunRecord {
    pub publisher: RunPublisher,
    pub passes: PassProgress,
    pub counts: RunCounts,
    pub state: RunState,
    pub current_test: Option<CurrentTest>,
    pub planning: Option<PlanningStatus>,
    pub limit: Option<Duration>,
    /// The failure property; none if the test is a script.
    pub property: Option<Arc<FailureProperty>>,
    /// The time that tests would have taken which a store answered.
    pub time_saved: Duration,
    /// Tests that run or wait for a worker.
    pub busy: usize,
    pub jobs: usize,
    /// The farm that runs tests too.
    pub farm: Option<FarmMonitor>,
    number: u64,
    last_command: (u64, Option<Arc<CommandOutcome>>),
    original: (u32, u32),
    tokens: u32,
    curve: imbl::Vector<CurvePoint>,
    decided: imbl::Vector<Arc<DecisionDetails>>,
    notes: imbl::Vector<String>,
    /// The note about where a resumed session continues. It is of no use when the run has ended.
    resume_note: Option<String>,
    /// The limits other than time that tests exceeded.
    exceeded_limits: Vec<LimitKind>,
    last_view: Option<View>,
    options: pass::PassOptions,
    claim: Option<MinimalityClaim>,
    /// The last result that was proven minimal.
    proven: Option<ProvenResult>,
    history: imbl::Vector<Arc<VersionRecord>>,
    active_property: Option<Arc<ActiveProperty>>,
    smallest: Option<u64>,
    detour_base: Option<u64>,
    log: DecisionLog,
    pub quorum: Quorum,
    /// The breakpoints, as they are typed after `break`.
    pub breakpoints: Arc<[Arc<str>]>,
    /// How often the test found each version interesting, in all its runs.
    pub tallies: FxHashMap<ContentHash, RunTally>,
    /// Candidates that show another failure.
    pub other_failures: Arc<[OtherFailure]>,
    /// The files of the candidate of which no verdict is known, if that ended the run.
    pub unrecorded: Option<TestFiles>,
}

/// A result that was proven minimal, and under what: the proof holds whatever strategy runs on it later.
#[derive(Clone, Debug)]
struct ProvenResult {
    hash: ContentHash,
    constraints: Arc<ConstraintSet>,
    property: Option<Arc<ActiveProperty>>,
    claim: MinimalityClaim,
}

impl RunRecord {
    pub fn new(
        version: &Version,
        options: pass::PassOptions,
        limit: Option<Duration>,
        paused: bool,
        jobs: usize,
        events: Sender<RunEvent>,
        board: Arc<SnapshotBoard>,
    ) -> RunRecord {
        RunRecord {
            counts: RunCounts::default(),
            state: if paused {
                RunState::Paused(None)
            } else {
                RunState::Running
            },
            current_test: None,
            planning: None,
            limit,
            property: None,
            number: 0,
            last_command: (0, None),
            original: (version.token_count(), version.byte_count()),
            tokens: version.token_count(),
            passes: PassProgress::new(options.scheduled_passes()),
            time_saved: Duration::ZERO,
            busy: 0,
            jobs,
            farm: None,
            curve: imbl::vector![CurvePoint {
                tests: 0,
                time: Duration::ZERO,
                size: version.size()
            }],
            decided: imbl::Vector::new(),
            notes: imbl::Vector::new(),
            resume_note: None,
            exceeded_limits: Vec::new(),
            publisher: RunPublisher::new(events, board),
            last_view: None,
            options,
            claim: None,
            proven: None,
            history: imbl::Vector::new(),
            active_property: None,
            smallest: None,
            detour_base: None,
            log: DecisionLog::default(),
            breakpoints: Arc::default(),
            quorum: Quorum::ONCE,
            tallies: FxHashMap::default(),
            other_failures: Arc::default(),
            unrecorded: None,
        }
    }

    /// Reports the pass that runs at the end of a replay.
    pub fn report_running_pass(&self) {
        if let Some(started) = self.passes.start_event() {
            self.publisher.emit_event(started);
        }
    }

    /// Sets the schedule's order and the running pass. Returns the name of the pass if it begins with that.
    pub fn set_turn(&mut self, turn: PassTurn) -> Option<&'static str> {
        if !self.passes.set_turn(turn, self.tokens) {
            return None;
        }
        self.report_running_pass();
        let name = self.passes.running_name();
        if name == pass::LAST_FIRST.name && self.is_large_and_whole() {
            self.add_note(pass::LARGE_PROGRAM_NOTE.into());
        }
        Some(name)
    }

    /// Whether the program is a large one, of which nearly all is left.
    fn is_large_and_whole(&self) -> bool {
        let (original, _) = self.original;
        self.tokens >= pass::LARGE_PROGRAM && self.tokens >= original / 10 * 9
    }

    /// The last decision that found this edit interesting.
    pub fn find_interesting(&self, edit: &Edit) -> Option<Arc<DecisionDetails>> {
        let mut newest = self.decided.iter().rev();
        let found =
            newest.find(|decided| decided.verdict == Verdict::Interesting && decided.edit == *edit);
        found.cloned()
    }

    /// Reports what a program outside proposed: it is no command of the user's, who waits for the outcome of his own.
    pub fn report_proposal(&self, before: Decision, command: String) {
        self.publisher
            .emit_event(RunEvent::Proposed { before, command });
    }

    /// Records a command that was executed or refused.
    pub fn record_command(
        &mut self,
        before: Decision,
        command: String,
        outcome: Result<Option<String>, String>,
    ) {
        self.publisher.emit_event(RunEvent::CommandApplied {
            before,
            command: command.clone(),
            outcome: outcome.clone(),
        });
        let last = CommandOutcome {
            before,
            command,
            outcome,
        };
        self.last_command = (self.last_command.0 + 1, Some(Arc::new(last)));
    }

    /// Why the last command was refused; none if it was executed.
    pub fn last_command_error(&self) -> Option<&str> {
        let last = self.last_command.1.as_deref()?;
        last.outcome.as_ref().err().map(String::as_str)
    }

    /// Records that another version is current.
    pub fn record_switch(&mut self, version: &Version) {
        self.tokens = version.token_count();
        self.push_curve_point(version.size());
    }

    fn push_curve_point(&mut self, size: ObjectiveSize) {
        self.curve.push_back(CurvePoint {
            tests: self.counts.tests,
            time: self.publisher.elapsed() + self.time_saved,
            size,
        });
    }

    /// Records a decision about this version.
    pub fn record_decision(&mut self, decided: DecisionDetails, number: u64, version: &Version) {
        self.log.add_decision(&decided, number, version);
        self.count_decision(decided.verdict, decided.time.is_some());
        self.passes
            .count_decision(decided.why.pass, decided.verdict, decided.time);
        let beyond = decided.bound.filter(|bound| !bound.is_time_limit());
        if let Some(bound) = beyond.filter(|bound| !self.exceeded_limits.contains(bound)) {
            self.exceeded_limits.push(bound);
            let word = bound.name();
            self.add_note(format!(
                "a test went beyond its limit of {word} and was killed: it counts as timed out"
            ));
        }
        let decided = Arc::new(decided);
        self.publisher
            .emit_event(RunEvent::Decided(decided.clone()));
        self.decided.push_back(decided);
        if self.decided.len() > RECENT_DECISIONS
            && let Some(old) = self.decided.pop_front()
        {
            self.log.compact_decision(old.decision);
        }
    }

    /// Counts a decision; `tested` says whether a test made it.
    pub fn count_decision(&mut self, verdict: Verdict, tested: bool) {
        let counts = &mut self.counts;
        counts.decisions += 1;
        let counter = match (tested, verdict) {
            (false, _) => &mut counts.cached,
            (_, Verdict::Interesting) => &mut counts.interesting,
            (_, Verdict::Uninteresting) => &mut counts.uninteresting,
            (_, Verdict::Invalid) => &mut counts.invalid,
            (_, Verdict::TimedOut) => &mut counts.timed_out,
        };
        *counter += 1;
        counts.tests += u64::from(tested);
    }

    /// Counts the runs of one verdict.
    pub fn count_repeats(&mut self, tally: RunTally) {
        self.counts.repeated += u64::from(tally.runs.saturating_sub(1));
        self.counts.changed += u64::from(tally.is_mixed());
    }

    /// Adds runs of the test on a version, or on a candidate that may become one.
    pub fn add_tally(&mut self, version: ContentHash, tally: RunTally) {
        self.tallies.entry(version).or_default().add_tally(tally);
    }

    /// Counts a rejected candidate.
    pub fn count_rejection(&mut self) {
        self.counts.rejected += 1;
        self.passes.count_rejection();
    }

    /// The journal's entry of an accepted edit that makes this version the newest.
    pub fn next_accepted(&self, number: u64, version: &Version) -> AcceptedVersion {
        AcceptedVersion {
            decision: self.counts.decisions,
            version: number,
            hash: version.content_hash(),
            tokens: version.token_count(),
            bytes: version.byte_count(),
            size: version.size(),
        }
    }

    /// Records a new version, by an edit of this proposer.
    pub fn record_accept(&mut self, accepted: AcceptedVersion, proposer: &str) {
        let AcceptedVersion {
            decision,
            version,
            tokens,
            bytes,
            size,
            ..
        } = accepted;
        self.counts.accepted += 1;
        self.passes
            .count_accept(proposer, self.tokens.saturating_sub(tokens));
        self.tokens = tokens;
        self.push_curve_point(size);
        self.publisher.emit_event(RunEvent::Accepted {
            decision,
            version,
            tokens,
            bytes,
            size,
        });
    }

    /// Adds a note that the user should read.
    pub fn add_note(&mut self, note: String) {
        self.publisher.emit_event(RunEvent::Note(note.clone()));
        self.notes.push_back(note);
        if self.notes.len() > MAX_NOTES {
            self.notes.pop_front();
        }
    }

    /// Adds the note about where a resumed session continues. It is among the notes until the run ends.
    pub fn add_resume_note(&mut self, note: String) {
        self.resume_note = Some(note.clone());
        self.add_note(note);
    }

    /// Publishes a new snapshot. Returns the one that it replaces, which may be the last to have a version.
    pub fn publish_snapshot(
        &mut self,
        view: &View,
        history: &VersionHistory,
        base: Option<u64>,
    ) -> Option<Arc<RunSnapshot>> {
        (self.number, self.detour_base) = (history.current_version().number, base);
        self.history = history.versions().clone();
        self.active_property = history.active_property().cloned();
        self.smallest = history.smallest_number();
        self.last_view = Some(view.clone());
        self.send_snapshot(view)
    }

    fn send_snapshot(&mut self, view: &View) -> Option<Arc<RunSnapshot>> {
        if !self.publisher.wants_snapshot() {
            return None;
        }
        let snapshot = self.build_snapshot(view);
        self.publisher.publish_snapshot(snapshot)
    }

    fn build_snapshot(
        &self,
        View {
            version,
            constraints,
            ..
        }: &View,
    ) -> RunSnapshot {
        RunSnapshot {
            number: self.number,
            history: self.history.clone(),
            active_property: self.active_property.clone(),
            smallest: self.smallest,
            detour_base: self.detour_base,
            log: self.log.clone(),
            constraints: constraints.clone(),
            breakpoints: self.breakpoints.clone(),
            switched_off: self.switched_off_passes(),
            reordered: self.passes.find_reordered().map(Arc::new),
            last_command: self.last_command.clone(),
            version: version.clone(),
            original: self.original,
            state: self.state.clone(),
            current_test: self.current_test.clone(),
            planning: self.planning,
            counts: self.counts,
            passes: self.passes.shown_lines().cloned().collect(),
            curve: self.curve.clone(),
            decided: self.decided.clone(),
            notes: self.notes.clone(),
            claim: self.claim.clone(),
            limit: self.limit,
            property: self.property.clone(),
            quorum: self.quorum,
            version_tally: self
                .tallies
                .get(&version.content_hash())
                .copied()
                .unwrap_or_default(),
            other_failures: self.other_failures.clone(),
            unrecorded: self.unrecorded.clone(),
            time_saved: self.time_saved,
            farm: self.farm.as_ref().map(FarmMonitor::current_status),
            more_effort: self.options.more_effort().map(pass::Effort::name),
            workers: (self.busy.min(self.jobs), self.jobs),
            started: self.publisher.started(),
            now: self.publisher.now(),
            replay: None,
        }
    }

    /// The passes that the user switched off.
    fn switched_off_passes(&self) -> Arc<[&'static str]> {
        let lines = self.passes.lines().iter();
        let off = lines.filter(|line| is_switched_off(&self.options, line));
        off.map(|line| line.name).collect()
    }

    /// The options of the passes.
    pub fn options(&self) -> &pass::PassOptions {
        &self.options
    }

    /// The passes of these options run from here on, and none of them has begun.
    pub fn set_options(&mut self, options: pass::PassOptions) {
        self.options = options;
        self.passes = PassProgress::new(options.scheduled_passes());
    }

    /// The run asks so much from here on.
    pub fn set_effort(&mut self, effort: pass::Effort) {
        self.options.effort = effort;
    }

    /// What the run proves if it ends now.
    pub fn build_claim(&self, finish: &FinishReason) -> MinimalityClaim {
        let constraints = self.last_constraints();
        let result = self.result();
        let claim = MinimalityClaim::new(
            &self.options,
            finish,
            self.passes.lines(),
            &constraints,
            result,
        );
        let holds = |proven: &&ProvenResult| {
            result.is_some_and(|result| result.content_hash() == proven.hash)
                && Arc::ptr_eq(&proven.constraints, &constraints)
                && match (&proven.property, &self.active_property) {
                    (Some(then), Some(now)) => Arc::ptr_eq(then, now),
                    (then, now) => then.is_none() && now.is_none(),
                }
        };
        let proven = self.proven.as_ref().filter(holds);
        match proven.filter(|_| !claim.minimal) {
            Some(proven) => proven.claim.clone(),
            None => claim,
        }
    }

    /// What the run would leave now.
    fn result(&self) -> Option<&Version> {
        let base = self
            .detour_base
            .and_then(|base| self.history.get(base as usize));
        let base = base.map(|base| &base.version);
        base.or(self.last_view.as_ref().map(|view| &view.version))
    }

    fn last_constraints(&self) -> Arc<ConstraintSet> {
        let last = self.last_view.as_ref();
        last.map(|view| view.constraints.clone())
            .unwrap_or_default()
    }

    /// Remembers what would be proven of the result if the run ended with this view: it holds whatever strategy runs later.
    pub fn remember_proof(&mut self, view: &View) {
        self.last_view = Some(view.clone());
        let claim = self.build_claim(&FinishReason::Complete);
        self.keep_proof(&claim);
    }

    fn keep_proof(&mut self, claim: &MinimalityClaim) {
        if let Some(result) = self.result().filter(|_| claim.minimal) {
            self.proven = Some(ProvenResult {
                hash: result.content_hash(),
                constraints: self.last_constraints(),
                property: self.active_property.clone(),
                claim: claim.clone(),
            });
        }
    }

    /// Records the end of the run.
    pub fn record_finish(&mut self, finish: FinishReason) {
        let claim = self.build_claim(&finish);
        self.keep_proof(&claim);
        self.claim = Some(claim);
        if let Some(stale) = self.resume_note.take() {
            self.notes.retain(|note| *note != stale);
        }
        self.state = RunState::Finished(finish.clone());
        (self.current_test, self.planning) = (None, None);
        let view = self.last_view.take();
        // The last event does not wait until what was shown before is dropped.
        let _replaced = view.as_ref().and_then(|view| self.send_snapshot(view));
        self.publisher.emit_always(RunEvent::Finished(finish));
    }

    /// The run goes on from its end.
    pub fn leave_end(&mut self, paused: bool) {
        self.claim = None;
        if matches!(self.state, RunState::Finished(_)) {
            self.state = match paused {
                true => RunState::Paused(None),
                false => RunState::Running,
            };
        }
    }
}
