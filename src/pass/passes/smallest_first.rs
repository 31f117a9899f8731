//! Perses with another order of its queue: Gopinath, "Simplifying Inputs with a Grammar: Perses" (the fuzzing blog, rahul.gopinath.org).
//!
//! His queue holds whole trees and a path in each: smallest tree first, then fewest leaves below the path, then order of arrival. Here
//! there is one program, which gets smaller with each accepted edit, so the size of a tree is that of the program when a node joined the
//! queue. It is the opposite of the paper's order, and nearly bottom-up.

use std::sync::Arc;

use super::perses::{PersesPass, QueueOrder};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::ProgramNode;
use crate::protocol::AlgorithmText;

/// Perses in Gopinath's order.
pub static SMALLEST_FIRST: PassKind = PassKind {
    name: "smallest-first",
    description: "Perses with the queue of Gopinath's blog: smallest program first, then fewest leaves, then order of arrival",
    repeat: RepeatPolicy::Fixpoint,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |view, options| {
        Box::new(PersesPass::with_order(
            SMALLEST_FIRST.name,
            &ORDER,
            view,
            options,
        ))
    },
};

/// The order, and the algorithm that it makes.
static ORDER: QueueOrder = QueueOrder {
    rank: smallest_first,
    text: AlgorithmText {
        name: "Perses, smallest first",
        source: "Gopinath, Simplifying Inputs with a Grammar: Perses",
        lines: &[
            "Q ← {root}",
            "while Q is not empty:",
            "  node ← the one with the fewest leaves",
            "  a list?       minimise its elements",
            "  optional?     try without it",
            "  else a smaller one from inside of it",
            "  push what is left below it",
        ],
        ends_at: 1,
    },
};

/// Smallest program first, then fewest leaves, then order of arrival.
fn smallest_first(node: &Arc<ProgramNode>, program: u32, arrival: u64) -> [u64; 3] {
    [u64::from(program), u64::from(node.sums().leaves), arrival]
}
