//! The last declarations of a large program: the author's own code stands behind all that it includes.

use rustc_hash::FxHashSet;

use super::declaration_units::DeclarationUnits;
use crate::program::View;

/// The fewest tokens of a large program: a question about it costs more, and most of it is not the author's own code.
pub const LARGE_PROGRAM: u32 = 20_000;

/// The most tokens of the last declarations together.
const LAST_TOKENS: u32 = 200;

/// Whether the program is a large one.
pub fn is_large_program(view: &View) -> bool {
    view.version.token_count() >= LARGE_PROGRAM
}

/// The last units of the program that have at most [`LAST_TOKENS`] together.
pub fn last_units(units: &DeclarationUnits) -> FxHashSet<usize> {
    let mut tokens = 0;
    let plain = (0..units.units.len()).rev();
    let plain = plain.filter(|&at| !units.units[at].is_group());
    plain
        .take_while(|&at| {
            tokens += units.units[at].node.sums().tokens;
            tokens <= LAST_TOKENS
        })
        .collect()
}
