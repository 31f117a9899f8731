//! The passes of a run in the schedule's order, with what each of them did.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use super::counters::{PassLine, PassState, PassSweep, ReorderedPasses, UntestedCandidates};
use super::event::RunEvent;
use crate::oracle::Verdict;
use crate::pass::{self, RoundScope};
use crate::program::TokenId;
use crate::reduce::proposer::PassTurn;

/// The name of the user as a proposer.
pub const USER: &str = "you";

/// The name of programs outside of lop as proposers.
pub const EXTERNAL: &str = "external";

/// Who proposes besides the passes, and what.
const OTHER_PROPOSERS: &[(&str, &str)] = &[
    (
        pass::GC_NAME,
        "what an accepted edit left without a use goes",
    ),
    (USER, "your own edits"),
    (EXTERNAL, "what programs outside proposed (--propose)"),
];

/// The passes that run next by themselves where the user names a place that is important, or is not.
static PLACED_PASSES: [&pass::PassKind; 4] =
    [&pass::FILES, &pass::PLACE, &pass::SLICES, &pass::HINTS];

/// The passes, and which of them is running.
pub struct PassProgress {
    lines: Vec<PassLine>,
    /// Their names in the order of the strategy.
    scheduled: Vec<&'static str>,
    running: Option<usize>,
    turn: Option<PassTurn>,
    ended: Option<PassLine>,
    /// Who proposes besides the passes, with what came of it.
    others: Vec<PassLine>,
    /// How many edits were accepted, and how many of them before the running pass began.
    accepted: u64,
    accepted_before: u64,
    /// Of each pass, what it did not test of the version that a pass's detour left, and where it was settled.
    held: Option<Vec<(&'static str, UntestedCandidates, Option<u32>)>>,
}

impl PassProgress {
    /// Passes that have not begun.
    pub fn new(passes: impl Iterator<Item = &'static pass::PassKind>) -> PassProgress {
        let line = |name, what, state| PassLine {
            name,
            what,
            state,
            scope: None,
            tried: 0,
            asked: 0,
            last_sweep: None,
            accepted: 0,
            untested: UntestedCandidates::default(),
            tokens: 0,
            time: Duration::ZERO,
            settled: None,
        };
        let others = OTHER_PROPOSERS.iter();
        let lines: Vec<PassLine> = passes
            .map(|kind| line(kind.name, kind.description, PassState::Waiting))
            .collect();
        PassProgress {
            scheduled: lines.iter().map(|line| line.name).collect(),
            lines,
            others: others
                .map(|(name, what)| line(name, what, PassState::Done))
                .collect(),
            running: None,
            turn: None,
            ended: None,
            accepted: 0,
            accepted_before: 0,
            held: None,
        }
    }

    /// A pass's detour begins: what is known of the version that it leaves is held until it ends.
    pub fn hold_proof(&mut self) {
        let lines = self.lines.iter();
        let held = lines.map(|line| (line.name, line.untested.clone(), line.settled));
        self.held = Some(held.collect());
    }

    /// The version that the detour left is current again, and with it what is known of it.
    pub fn restore_proof(&mut self) {
        for (name, untested, settled) in self.held.take().into_iter().flatten() {
            let mut lines = self.lines.iter_mut();
            if let Some(line) = lines.find(|line| line.name == name) {
                (line.untested, line.settled) = (untested, settled);
            }
        }
    }

    /// Another version is current: nothing is known of it.
    pub fn forget_settled(&mut self) {
        self.lines.iter_mut().for_each(|line| line.settled = None);
    }

    /// The detour counts.
    pub fn release_proof(&mut self) {
        self.held = None;
    }

    /// All passes, in their order.
    pub fn lines(&self) -> &[PassLine] {
        &self.lines
    }

    /// The passes, and behind them who else has proposed anything.
    pub fn shown_lines(&self) -> impl Iterator<Item = &PassLine> {
        let others = self.others.iter().filter(|line| line.tried > 0);
        self.lines.iter().chain(others)
    }

    /// The passes to which the user gave another order than the strategy does. Those that commands about places put in front by
    /// themselves do not count.
    pub fn find_reordered(&self) -> Option<ReorderedPasses> {
        let now: Vec<&'static str> = self.lines.iter().map(|line| line.name).collect();
        if now == self.scheduled {
            return None;
        }
        let is_ordered = |name: &&str| !PLACED_PASSES.iter().any(|kind| kind.name == *name);
        let ordered = now.iter().copied().filter(is_ordered);
        let pairs = ordered.zip(self.scheduled.iter().copied().filter(is_ordered));
        let moved = pairs.filter(|(now, before)| now != before);
        let moved: Vec<&'static str> = moved.map(|(now, _)| now).collect();
        let place = |name: &&str| now.iter().position(|pass| pass == name);
        let (first, last) = (place(moved.first()?)?, place(moved.last()?)?);
        // Passes that are named run next, before those that are left.
        let at = self.running.unwrap_or(now.len());
        let named = &now[first.min(at)..at.max(last + 1)];
        Some(ReorderedPasses {
            moved: now[first..=last]
                .iter()
                .copied()
                .filter(is_ordered)
                .collect(),
            now: named.to_vec(),
            before: self
                .scheduled
                .iter()
                .copied()
                .filter(|pass| named.contains(pass))
                .collect(),
        })
    }

    /// The running pass, with what it did.
    pub fn running_pass(&self) -> Option<&PassLine> {
        self.lines.get(self.running?)
    }

    fn running_pass_mut(&mut self) -> Option<&mut PassLine> {
        self.lines.get_mut(self.running?)
    }

    /// The name of the running pass.
    pub fn running_name(&self) -> &'static str {
        self.running_pass().map_or("", |line| line.name)
    }

    /// Under which name a proposal of this proposer is booked: the running pass stands for all that belongs to it.
    pub fn booked_name(&self, proposer: &str) -> &'static str {
        let other = OTHER_PROPOSERS.iter().find(|(name, _)| *name == proposer);
        other.map_or_else(|| self.running_name(), |(name, _)| name)
    }

    /// The line on which a proposal of this proposer is booked.
    fn booked_line_mut(&mut self, proposer: &str) -> Option<&mut PassLine> {
        match self.others.iter().position(|line| line.name == proposer) {
            Some(other) => self.others.get_mut(other),
            None => self.running_pass_mut(),
        }
    }

    /// The event that the running pass begins.
    pub fn start_event(&self) -> Option<RunEvent> {
        let line = self.running_pass()?;
        Some(RunEvent::PassStarted {
            pass: line.name,
            round: self.turn.as_ref()?.round,
            scope: line.scope.clone(),
        })
    }

    /// The pass that has just ended. It is returned once.
    pub fn take_ended(&mut self) -> Option<PassLine> {
        self.ended.take()
    }

    /// The running pass, or a round of it, has come to its end at a program of so many tokens, and so have those before `next` that had nothing
    /// to propose.
    fn settle_passes(&mut self, next: usize, tokens: u32) {
        let (is_settled, at) = (self.accepted == self.accepted_before, self.running);
        if let Some(line) = self.running_pass_mut() {
            line.settled = is_settled.then_some(tokens);
            let questions = line.asked;
            line.last_sweep = Some(PassSweep { questions, tokens });
        }
        let between = at.map_or(next, |at| at + 1)..next.min(self.lines.len());
        for line in self.lines.get_mut(between).into_iter().flatten() {
            line.settled = Some(tokens);
            line.last_sweep = Some(PassSweep {
                questions: 0,
                tokens,
            });
        }
    }

    /// Sets the schedule's order and the running pass; the program has so many tokens. Returns whether a pass, or a round of one, begins with
    /// that.
    pub fn set_turn(&mut self, turn: PassTurn, tokens: u32) -> bool {
        if self.turn.as_ref() == Some(&turn) {
            return false;
        }
        let now = |turn: &PassTurn| Some((turn.order.get(turn.at)?.kind.name, turn.round));
        let begins =
            now(&turn).filter(|new| self.turn.as_ref().and_then(now).as_ref() != Some(new));
        let begins = begins.is_some();
        let jumps = self.turn.as_ref().map(|turn| turn.jumps);
        if self.turn.as_ref().and_then(now) != now(&turn) && jumps == Some(turn.jumps) {
            self.settle_passes(turn.at, tokens);
        }
        if begins {
            self.ended = self.running_pass().cloned();
        }
        let place = |line: &PassLine| {
            turn.order
                .iter()
                .position(|slot| slot.kind.name == line.name)
        };
        self.lines.sort_by_key(place);
        for (at, (line, slot)) in self.lines.iter_mut().zip(turn.order.iter()).enumerate() {
            line.state = match at.cmp(&turn.at) {
                _ if !slot.enabled => PassState::Disabled,
                Ordering::Less if slot.skipped => PassState::Skipped,
                Ordering::Less => PassState::Done,
                Ordering::Equal => PassState::Running(turn.round),
                Ordering::Greater => PassState::Waiting,
            };
            line.scope = None;
        }
        self.running = (turn.at < turn.order.len()).then_some(turn.at);
        let scope = Some(&turn.scope).filter(|scope| **scope != RoundScope::Everything);
        let (scope, is_rest) = (
            scope.map(|scope| scope.to_string().into()),
            matches!(turn.scope, RoundScope::NotSharing(_)),
        );
        self.turn = Some(turn);
        if begins {
            self.accepted_before = self.accepted;
            if let Some(line) = self.running_pass_mut() {
                line.asked = 0;
            }
        }
        if let Some(line) = self.running_pass_mut() {
            line.scope = scope;
            // A round about the rest continues the one before, which was about the same version.
            if begins && !is_rest {
                line.untested = UntestedCandidates::default();
            }
        }
        begins
    }

    /// Counts a decision about a candidate of this proposer. A test that was cut short is a gap in what the running pass proves.
    pub fn count_decision(&mut self, proposer: &str, verdict: Verdict, time: Option<Duration>) {
        if let Some(line) = self.running_pass_mut() {
            line.untested.timed_out += u64::from(verdict == Verdict::TimedOut);
        }
        if let Some(line) = self.booked_line_mut(proposer) {
            line.tried += 1;
            line.asked += 1;
            line.time += time.unwrap_or_default();
        }
    }

    /// Counts a candidate that was rejected before its test.
    pub fn count_rejection(&mut self) {
        if let Some(line) = self.running_pass_mut() {
            line.untested.rejected += 1;
        }
    }

    /// Records that the user skipped the node with these tokens.
    pub fn record_skipped_node(&mut self, tokens: Arc<[TokenId]>) {
        if let Some(line) = self.running_pass_mut() {
            line.untested.skipped_nodes.push(tokens);
        }
    }

    /// Counts an accepted edit of this proposer that removed this number of tokens.
    pub fn count_accept(&mut self, proposer: &str, removed: u32) {
        self.accepted += 1;
        if let Some(line) = self.booked_line_mut(proposer) {
            line.accepted += 1;
            line.tokens += u64::from(removed);
        }
    }
}
