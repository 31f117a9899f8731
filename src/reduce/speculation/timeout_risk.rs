//! Which tests may time out: those of a kind of which others did.
//!
//! A test that timed out beside others proves nothing, because they may have slowed it down. It is run again, alone, and all of its first run
//! was for nothing. So where tests of a kind time out, others of that kind are started ahead after what is likelier to be of use. One that has
//! run beside others for longer than is usual is stopped. It is not started ahead again: when its turn comes, it is tested alone at once.
//!
//! All of that rests on times, so it decides only what is tested ahead, and what alone; never what is asked or accepted.

use std::collections::VecDeque;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::ContentHash;
use crate::reduce::proposer::CandidateKind;

/// How many of the last tests count, of each kind and of all.
const WINDOW: u32 = 16;

/// A test that may time out is stopped when it has taken this many times as long as the longest of the last ones that ended by themselves.
const LONGEST_FACTOR: u32 = 2;

/// What tests so far say about those to come.
#[derive(Debug, Default)]
pub struct TimeoutRisk {
    kinds: FxHashMap<CandidateKind, RecentEnds>,
    /// How long the last tests took that ended by themselves.
    times: VecDeque<Duration>,
    /// Candidates whose test was stopped.
    stopped: FxHashSet<ContentHash>,
}

/// How the last tests of a kind ended; the newest is the lowest bit, 1 for a timeout.
#[derive(Clone, Copy, Debug, Default)]
struct RecentEnds(u16);

impl TimeoutRisk {
    /// A test of this kind has timed out.
    pub fn record_timeout(&mut self, kind: CandidateKind) {
        let ends = self.kinds.entry(kind).or_default();
        ends.0 = ends.0 << 1 | 1;
    }

    /// A test of this kind has ended by itself after this time.
    pub fn record_end(&mut self, kind: CandidateKind, time: Duration) {
        if let Some(ends) = self.kinds.get_mut(&kind) {
            ends.0 <<= 1;
        }
        self.times.push_back(time);
        if self.times.len() > WINDOW as usize {
            self.times.pop_front();
        }
    }

    /// The share of timeouts among the last tests of this kind.
    pub fn timeout_rate(&self, kind: CandidateKind) -> f64 {
        let ends = self.kinds.get(&kind).copied().unwrap_or_default();
        f64::from(ends.0.count_ones()) / f64::from(WINDOW)
    }

    /// After how long a test of this kind beside others is stopped; none where no other of its kind timed out, or none ended by itself.
    pub fn patience_for(&self, kind: CandidateKind) -> Option<Duration> {
        let is_safe = self.timeout_rate(kind) == 0.0;
        self.longest_time()
            .filter(|_| !is_safe)
            .map(|longest| longest.saturating_mul(LONGEST_FACTOR))
    }

    /// The longest of the last tests that ended by themselves.
    pub fn longest_time(&self) -> Option<Duration> {
        self.times.iter().max().copied()
    }

    /// The test of this candidate was stopped: it may time out.
    pub fn record_stop(&mut self, candidate: ContentHash) {
        self.stopped.insert(candidate);
    }

    /// Whether the test of this candidate was stopped, and the candidate not decided since.
    pub fn was_stopped(&self, candidate: ContentHash) -> bool {
        self.stopped.contains(&candidate)
    }

    /// The candidate is decided.
    pub fn forget_candidate(&mut self, candidate: ContentHash) {
        self.stopped.remove(&candidate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Edit, EditOp, NodeId};

    fn kind(pass: &'static str, op: EditOp) -> CandidateKind {
        CandidateKind::new(pass, &Edit::from(op))
    }

    #[test]
    fn where_none_of_a_kind_timed_out_no_test_of_it_is_stopped() {
        let mut risk = TimeoutRisk::default();
        let optional = kind("heaviest first", EditOp::Delete(NodeId(1)));
        let seconds = Duration::from_secs;
        for time in 1..=3 {
            risk.record_end(optional, seconds(time));
        }
        assert_eq!(
            (risk.timeout_rate(optional), risk.patience_for(optional)),
            (0.0, None)
        );
        risk.record_timeout(optional);
        assert_eq!(risk.timeout_rate(optional), 1.0 / 16.0);
        assert_eq!(risk.patience_for(optional), Some(seconds(6)));
        let others = [
            kind("certificate", EditOp::Delete(NodeId(1))),
            kind("heaviest first", EditOp::StripMarkers),
        ];
        assert_eq!(others.map(|other| risk.patience_for(other)), [None, None]);
        // The long ones are forgotten first, and then the timeout.
        for _ in 0..15 {
            risk.record_end(optional, seconds(1));
        }
        assert_eq!(risk.patience_for(optional), Some(seconds(6)));
        risk.record_end(optional, seconds(1));
        assert_eq!(
            (risk.patience_for(optional), risk.longest_time()),
            (None, Some(seconds(1)))
        );
    }

    #[test]
    fn without_a_usual_time_none_is_too_long() {
        let mut risk = TimeoutRisk::default();
        let optional = kind("heaviest first", EditOp::Delete(NodeId(1)));
        risk.record_timeout(optional);
        assert_eq!(risk.patience_for(optional), None);
    }
}
