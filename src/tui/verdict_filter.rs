//! Which verdicts are shown.

use crate::reduce::Ending;

/// What may be chosen: all, or one kind.
pub const ALL: [(Option<Ending>, &str); 5] = [
    (None, "all"),
    (Some(Ending::Interesting), "interesting"),
    (Some(Ending::Uninteresting), "boring"),
    (Some(Ending::Invalid), "invalid"),
    (Some(Ending::TimedOut), "timed-out"),
];

/// The word of a choice.
pub fn filter_name(filter: Option<Ending>) -> &'static str {
    let found = ALL.iter().find(|(known, _)| *known == filter);
    found.map_or("all", |(_, name)| name)
}
