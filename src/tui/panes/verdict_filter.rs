//! Which verdicts are shown.

use crate::oracle::Verdict;

/// What may be chosen: all, or one kind.
pub const ALL: [(Option<Verdict>, &str); 5] = [
    (None, "all"),
    (Some(Verdict::Interesting), "interesting"),
    (Some(Verdict::Uninteresting), "uninteresting"),
    (Some(Verdict::Invalid), "invalid"),
    (Some(Verdict::TimedOut), "timed-out"),
];

/// The word of a choice.
pub fn filter_name(filter: Option<Verdict>) -> &'static str {
    let found = ALL.iter().find(|(known, _)| *known == filter);
    found.map_or("all", |(_, name)| name)
}
