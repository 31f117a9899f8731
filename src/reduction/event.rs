//! What happens in a reduction, for its caller.

use super::{CandidateVerdict, ProgramSize};
use crate::oracle::Verdict;
use crate::reduce::RunEvent;

/// Something that happened. The order of events is that of a run with one job, whatever the number of jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReductionEvent {
    /// The original is interesting, and the run begins.
    Began {
        /// The size of the original.
        size: ProgramSize,
    },
    /// A pass begins.
    PassBegan {
        /// Its name.
        pass: &'static str,
    },
    /// A candidate was decided.
    Decided {
        /// What the test said; `None` if it went beyond its limit.
        verdict: Option<CandidateVerdict>,
        /// What was asked, as a sentence for people. Its words may change in any release.
        question: String,
    },
    /// The program became smaller.
    Reduced {
        /// Its size now.
        size: ProgramSize,
    },
    /// A command led to another version, which may be larger.
    Switched {
        /// Its size.
        size: ProgramSize,
    },
    /// Something to know, as a sentence for people: a refused command, a test that failed and is tried again.
    Noted {
        /// The sentence.
        text: String,
    },
}

impl ReductionEvent {
    /// None of what callers need not know.
    pub(super) fn from_run_event(event: &RunEvent) -> Option<ReductionEvent> {
        let size = |tokens, bytes| ProgramSize { tokens, bytes };
        Some(match event {
            RunEvent::Started { tokens, bytes, .. } => ReductionEvent::Began {
                size: size(*tokens, *bytes),
            },
            RunEvent::PassStarted { pass, .. } => ReductionEvent::PassBegan { pass },
            RunEvent::Decided(decided) => ReductionEvent::Decided {
                verdict: match decided.verdict {
                    Verdict::Interesting => Some(CandidateVerdict::Interesting),
                    Verdict::Uninteresting => Some(CandidateVerdict::Uninteresting),
                    Verdict::Invalid => Some(CandidateVerdict::Invalid),
                    Verdict::TimedOut => None,
                },
                question: decided.sentence.question.to_string(),
            },
            RunEvent::Accepted { tokens, bytes, .. } => ReductionEvent::Reduced {
                size: size(*tokens, *bytes),
            },
            RunEvent::VersionSwitched { tokens, bytes, .. } => ReductionEvent::Switched {
                size: size(*tokens, *bytes),
            },
            RunEvent::CommandApplied {
                command,
                outcome: Err(why),
                ..
            } => ReductionEvent::Noted {
                text: format!("{command}: {why}"),
            },
            RunEvent::Note(text) => ReductionEvent::Noted { text: text.clone() },
            RunEvent::CommandApplied { .. }
            | RunEvent::Proposed { .. }
            | RunEvent::Replayed { .. }
            | RunEvent::Paused { .. }
            | RunEvent::Resumed { .. }
            | RunEvent::Finished(_) => return None,
        })
    }
}
