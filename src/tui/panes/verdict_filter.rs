//! The filter of the log.

use crate::oracle::Verdict;

/// All filters with their names; none shows all verdicts.
pub const ALL: [(Option<Verdict>, &str); 5] = [
    (None, "all"),
    (Some(Verdict::Interesting), "interesting"),
    (Some(Verdict::Uninteresting), "uninteresting"),
    (Some(Verdict::Invalid), "invalid"),
    (Some(Verdict::TimedOut), "timed-out"),
];

/// The name of a filter.
pub fn filter_name(filter: Option<Verdict>) -> &'static str {
    let found = ALL.iter().find(|(known, _)| *known == filter);
    found.map_or("all", |(_, name)| name)
}
