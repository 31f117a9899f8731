//! How many candidates of a check are interesting, in words.

use crate::display::format_count;
use crate::verify::CandidateCounts;

/// "3 of 10 candidates are interesting".
pub fn describe_candidates(counts: CandidateCounts) -> String {
    let verb = if counts.tried == 1 { "is" } else { "are" };
    format!(
        "{} of {} {verb} interesting",
        counts.interesting,
        format_count(counts.tried, "candidate")
    )
}
