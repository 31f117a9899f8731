//! What is done when a farm does not answer a question: a table from the code of the error. None of these is a verdict.

use std::time::Duration;

use tonic::Code;

/// What is done after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryRule {
    /// The question is asked again, at most so often, the first time after this pause and then each time after twice the one before.
    Again(u32, Duration),
    /// The farm will say the same again: the test runs on this machine.
    Never,
}

/// The longest pause before a question is asked again.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_millis(500);

/// One row for each code that may become an answer. What is not in it is not asked again.
const RULES: &[(Code, RetryRule)] = &[
    // The server is away, or a stream was cut.
    (Code::Unavailable, RetryRule::Again(3, SHORT)),
    // Too much at a time.
    (Code::ResourceExhausted, RetryRule::Again(3, LONG)),
    // The action went beyond its time, or the farm did. This machine measures the limit of the test itself.
    (Code::DeadlineExceeded, RetryRule::Again(1, SHORT)),
    // The farm has lost what was uploaded: it is uploaded again.
    (Code::FailedPrecondition, RetryRule::Again(2, SHORT)),
    (Code::NotFound, RetryRule::Again(2, SHORT)),
    // A worker went away in the middle.
    (Code::Aborted, RetryRule::Again(2, SHORT)),
    (Code::Cancelled, RetryRule::Again(1, SHORT)),
    (Code::Internal, RetryRule::Again(1, SHORT)),
    (Code::Unknown, RetryRule::Again(1, SHORT)),
    // What it printed is not what the script of an action prints.
    (Code::DataLoss, RetryRule::Again(1, SHORT)),
];

impl RetryRule {
    /// The rule for this code.
    pub fn for_code(code: Code) -> RetryRule {
        let row = RULES.iter().find(|(known, _)| *known == code);
        row.map_or(RetryRule::Never, |(_, rule)| *rule)
    }

    /// The pause before the next attempt, after so many that failed; none if there is no next one.
    pub fn pause_after(self, failed: u32) -> Option<Duration> {
        match self {
            RetryRule::Again(most, first) if failed <= most => {
                let factor = 2_u32.saturating_pow(failed.saturating_sub(1));
                Some(first.saturating_mul(factor).min(LONGEST_PAUSE))
            }
            RetryRule::Again(..) | RetryRule::Never => None,
        }
    }
}

/// Whether the farm refuses all questions and not this one: the user has to change something.
pub(super) fn is_refusal(code: Code) -> bool {
    matches!(
        code,
        Code::Unauthenticated
            | Code::PermissionDenied
            | Code::Unimplemented
            | Code::InvalidArgument
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_away_is_asked_three_times_again_with_longer_pauses() {
        let rule = RetryRule::for_code(Code::Unavailable);
        let pauses: Vec<_> = (1..=4).map(|failed| rule.pause_after(failed)).collect();
        let millis = |millis| Some(Duration::from_millis(millis));
        assert_eq!(pauses, [millis(100), millis(200), millis(400), None]);
    }

    #[test]
    fn who_is_refused_does_not_ask_again() {
        for code in [
            Code::Unauthenticated,
            Code::PermissionDenied,
            Code::Unimplemented,
        ] {
            assert_eq!(RetryRule::for_code(code), RetryRule::Never);
            assert!(is_refusal(code));
        }
    }

    #[test]
    fn every_code_that_is_asked_again_ends() {
        for (code, rule) in RULES {
            assert_eq!(rule.pause_after(100), None, "{code:?}");
            assert!(!is_refusal(*code), "{code:?}");
        }
    }
}
