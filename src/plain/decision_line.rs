//! A decision in one line.

use super::format::format_duration;
use crate::display::{format_number, is_utf8_locale, sanitize_line};
use crate::oracle::Verdict;
use crate::reduce::{DecisionDetails, ResultOrigin};

/// How a verdict is written at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictSigns {
    /// `√` or `-`; what is invalid or timed out says so in words.
    Signs,
    /// In words, for terminals without the signs.
    Words,
}

impl VerdictSigns {
    /// Signs, if the terminal's characters are UTF-8; `variable` looks a variable of the environment up.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> VerdictSigns {
        match is_utf8_locale(variable) {
            true => VerdictSigns::Signs,
            false => VerdictSigns::Words,
        }
    }

    fn describe_verdict(self, verdict: Verdict) -> &'static str {
        match (self, verdict) {
            (VerdictSigns::Signs, Verdict::Interesting) => "√",
            (VerdictSigns::Signs, Verdict::Uninteresting) => "-",
            (VerdictSigns::Words, Verdict::Interesting) => "interesting",
            (VerdictSigns::Words, Verdict::Uninteresting) => "uninteresting",
            (_, Verdict::Invalid) => "invalid",
            (_, Verdict::TimedOut) => "timed out",
        }
    }

    /// The line of a decision: `[12] delete 3 of 8 statements (0.04 s): √`. Where no test ran for it, `known` stands in place of the
    /// time.
    pub fn format_decision(self, decided: &DecisionDetails) -> String {
        let ran = matches!(decided.origin, ResultOrigin::Ran | ResultOrigin::Journal);
        let known = || "known".to_owned();
        let time = decided
            .time
            .filter(|_| ran)
            .map_or_else(known, format_duration);
        format!(
            "[{}] {} ({time}): {}",
            format_number(decided.decision),
            sanitize_line(&decided.sentence.to_string()),
            self.describe_verdict(decided.verdict)
        )
    }
}
