//! What the passes have in common whose edits change several places that belong together by the names.

use crate::pass::{PairScope, Pass, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::View;

/// Such a pass. The main loop follows its stratum, because what went together may free other parts.
pub(in crate::pass) const fn coupled_pass(
    name: &'static str,
    description: &'static str,
    start: fn(&View, &PassOptions) -> Box<dyn Pass>,
) -> PassKind {
    PassKind {
        name,
        description,
        repeat: RepeatPolicy::Never,
        syntax_check: SyntaxCheck::Enforce,
        pair_scope: PairScope::Seed,
        filters: &[],
        start,
    }
}
