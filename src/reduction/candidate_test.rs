//! What decides whether a candidate is interesting: a function of the caller, or a command.

use crate::oracle::{InterestingnessTest, TestFile, TestFunction, Verdict};

/// A test in Rust. A closure `Fn(&[u8]) -> bool` is one: true for a candidate that is interesting.
///
/// It must answer the same each time that it is asked about the same bytes. It is called on several threads if the reduction has several jobs. A panic in it
/// ends the run with [`ReductionError::TestFailed`](super::ReductionError::TestFailed). A call that does not return is waited for.
pub trait CandidateTest: Send + Sync {
    /// Says what this candidate is.
    fn judge(&self, candidate: &[u8]) -> CandidateVerdict;
}

/// What a test says of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CandidateVerdict {
    /// It still shows what is looked for.
    Interesting,
    /// It does not.
    Uninteresting,
    /// It says nothing: a program that is not valid.
    Invalid,
}

impl<F: Fn(&[u8]) -> bool + Send + Sync> CandidateTest for F {
    fn judge(&self, candidate: &[u8]) -> CandidateVerdict {
        match self(candidate) {
            true => CandidateVerdict::Interesting,
            false => CandidateVerdict::Uninteresting,
        }
    }
}

/// A test as it was given.
pub(super) enum GivenTest {
    Function(Box<TestFunction>),
    Command(InterestingnessTest),
}

impl GivenTest {
    pub(super) fn from_candidate_test(test: impl CandidateTest + 'static) -> GivenTest {
        GivenTest::Function(Box::new(move |files: &[TestFile]| {
            let text = files.first().map_or(&[][..], |(_, text)| text);
            match test.judge(text) {
                CandidateVerdict::Interesting => Verdict::Interesting,
                CandidateVerdict::Uninteresting => Verdict::Uninteresting,
                CandidateVerdict::Invalid => Verdict::Invalid,
            }
        }))
    }
}
