//! The passes of a run in the schedule's order, with what each of them did.

use std::cmp::Ordering;
use std::time::Duration;

use super::counters::{PassLine, PassState};
use crate::oracle::Verdict;
use crate::pass;
use crate::reduce::proposer::PassTurn;

/// The passes, and which of them is running.
pub struct PassProgress {
    lines: Vec<PassLine>,
    running: Option<usize>,
    turn: Option<PassTurn>,
    ended: Option<PassLine>,
}

impl PassProgress {
    /// Passes that have not begun.
    pub fn new(passes: impl Iterator<Item = &'static pass::PassKind>) -> PassProgress {
        let line = |kind: &'static pass::PassKind| PassLine {
            name: kind.name,
            what: kind.description,
            state: PassState::Waiting,
            tried: 0,
            accepted: 0,
            rejected: 0,
            timed_out: 0,
            tokens: 0,
            time: Duration::ZERO,
        };
        PassProgress {
            lines: passes.map(line).collect(),
            running: None,
            turn: None,
            ended: None,
        }
    }

    /// All passes, in their order.
    pub fn lines(&self) -> &[PassLine] {
        &self.lines
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

    /// The running pass and its round.
    pub fn running_round(&self) -> Option<(&'static str, u32)> {
        Some((self.running_pass()?.name, self.turn.as_ref()?.round))
    }

    /// The pass that has just ended. It is returned once.
    pub fn take_ended(&mut self) -> Option<PassLine> {
        self.ended.take()
    }

    /// Sets the schedule's order and the running pass. Returns the pass and its round if they begin with that.
    pub fn set_turn(&mut self, turn: PassTurn) -> Option<(&'static str, u32)> {
        if self.turn.as_ref() == Some(&turn) {
            return None;
        }
        let now = |turn: &PassTurn| Some((turn.order.get(turn.at)?.kind.name, turn.round));
        let begins =
            now(&turn).filter(|new| self.turn.as_ref().and_then(now).as_ref() != Some(new));
        if begins.is_some() {
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
        }
        self.running = (turn.at < turn.order.len()).then_some(turn.at);
        self.turn = Some(turn);
        if begins.is_some()
            && let Some(line) = self.running_pass_mut()
        {
            (line.rejected, line.timed_out) = (0, 0);
        }
        begins
    }

    /// Counts a decision about a candidate of the running pass.
    pub fn count_decision(&mut self, verdict: Verdict, time: Option<Duration>) {
        if let Some(line) = self.running_pass_mut() {
            line.tried += 1;
            line.timed_out += u64::from(verdict == Verdict::TimedOut);
            line.time += time.unwrap_or_default();
        }
    }

    /// Counts a candidate that was rejected before its test.
    pub fn count_rejection(&mut self) {
        if let Some(line) = self.running_pass_mut() {
            line.rejected += 1;
        }
    }

    /// Counts an accepted edit that removed this number of tokens.
    pub fn count_accept(&mut self, removed: u32) {
        if let Some(line) = self.running_pass_mut() {
            line.accepted += 1;
            line.tokens += u64::from(removed);
        }
    }
}
