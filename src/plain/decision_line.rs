//! A decision in one line of words, which a screen reader reads well.

use super::format::format_duration;
use crate::display::{format_number, sanitize_line};
use crate::oracle::Verdict;
use crate::reduce::{DecisionDetails, ResultOrigin};

/// The line of a decision: `7: Can the function `f` go? 41 tokens fewer: one of 12 declarations. No, exit 1, 0.02 s.` Where no test ran for
/// it, `known` stands in place of the time.
pub fn format_decision(decided: &DecisionDetails) -> String {
    let ran = matches!(decided.origin, ResultOrigin::Ran | ResultOrigin::Journal);
    let time = decided.time.filter(|_| ran);
    let time = time.map_or_else(|| "known".to_owned(), format_duration);
    let (answer, tells_exit) = match decided.verdict {
        Verdict::Interesting => ("Yes", false),
        Verdict::Uninteresting => ("No", true),
        Verdict::Invalid => ("Invalid", true),
        Verdict::TimedOut => ("Timed out", false),
    };
    let exit = match tells_exit && !decided.exit.is_empty() {
        true => format!("{}, ", decided.exit),
        false => String::new(),
    };
    let sentence = decided.sentence.to_string();
    let end = if sentence.ends_with('?') { "" } else { "." };
    let line = format!(
        "{}: {sentence}{end} {answer}, {exit}{time}.",
        format_number(decided.decision),
    );
    sanitize_line(&line).into_owned()
}
