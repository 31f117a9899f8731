//! The candidate of a decision that the user opens again: its diff. That of a small program is made at once. That of a large one is made by a thread of the driver: the frame leaves a request.

use std::sync::Arc;

use super::diff;
use super::diff_line::DiffLine;
use crate::reduce::{Decision, LoggedDecision};

/// The diff of a candidate that was decided; the error says why there is none.
pub type LoggedDiff = Result<Arc<[DiffLine]>, &'static str>;

/// So many bytes of a program are diffed at once.
const QUICK_BYTES: u32 = 1 << 18;
/// And so many if the candidate is new texts as a whole.
const QUICK_TEXT_BYTES: u32 = 1 << 14;

/// A candidate to open.
#[derive(Clone, Debug)]
pub struct CandidateRequest(Arc<LoggedDecision>);

impl CandidateRequest {
    /// Makes the diff, which may take long.
    pub fn read_candidate(&self) -> OpenedCandidate {
        let logged = &self.0;
        let edit = logged.rebuild_edit();
        let lines = edit.and_then(|edit| diff::diff_edit(&logged.base, &edit));
        OpenedCandidate {
            decision: logged.decision,
            diff: lines.map(Arc::from).ok_or("it has no diff"),
        }
    }

    /// Whether that takes no longer than a frame may.
    fn is_quick(&self) -> bool {
        let most = match self.0.edit.is_rewrite() {
            true => QUICK_TEXT_BYTES,
            false => QUICK_BYTES,
        };
        self.0.base.byte_count() <= most
    }
}

/// A candidate that was opened.
#[derive(Clone, Debug)]
pub struct OpenedCandidate {
    /// The decision about it.
    pub decision: Decision,
    /// Its diff.
    pub diff: LoggedDiff,
}

/// The candidate that the screen shows, and the one that is being read.
#[derive(Debug, Default)]
pub struct CandidateReader {
    opened: Option<OpenedCandidate>,
    reading: Option<Decision>,
    request: Option<CandidateRequest>,
}

impl CandidateReader {
    /// Opens the candidate of a decision, unless it is open or being read.
    pub fn open_candidate(&mut self, logged: &Arc<LoggedDecision>) {
        let number = logged.decision;
        if self.find_diff(number).is_some() || self.reading == Some(number) {
            return;
        }
        let request = CandidateRequest(logged.clone());
        match request.is_quick() {
            true => {
                self.opened = Some(request.read_candidate());
                (self.reading, self.request) = (None, None);
            }
            false => (self.reading, self.request) = (Some(number), Some(request)),
        }
    }

    /// What a thread is to read; none if it was asked already.
    pub fn take_request(&mut self) -> Option<CandidateRequest> {
        self.request.take()
    }

    /// Takes what was read, unless another candidate is wanted by now.
    pub fn finish_reading(&mut self, opened: OpenedCandidate) {
        if self.reading == Some(opened.decision) {
            self.reading = None;
            self.opened = Some(opened);
        }
    }

    /// The diff of the candidate of a decision; none while it is being read.
    pub fn find_diff(&self, number: Decision) -> Option<&LoggedDiff> {
        let opened = self.opened.as_ref();
        let opened = opened.filter(|opened| opened.decision == number)?;
        Some(&opened.diff)
    }
}
