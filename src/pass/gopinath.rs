//! Perses with another order of its queue: Gopinath, "Simplifying Inputs with a Grammar: Perses" (the fuzzing blog, rahul.gopinath.org).
//!
//! His queue holds whole trees and a path in each: smallest tree first, then fewest leaves below the path, then order of arrival. Here
//! there is one program, which gets smaller with each take, so the trees are the sizes of the program when a node joined the queue. It
//! is the opposite of the paper's order, and nearly bottom-up.

use std::sync::Arc;

use super::perses::Perses;
use super::{Again, Heed, Kind};
use crate::program::Node;

/// Perses in Gopinath's order.
pub static SMALLEST_FIRST: Kind = Kind {
    name: "smallest-first",
    what: "Perses with the queue of Gopinath's blog: smallest program first, then fewest leaves, then order of arrival",
    again: Again::Fixpoint,
    parser: Heed::Obeyed,
    start: |view, options| {
        Box::new(Perses::in_order(
            SMALLEST_FIRST.name,
            smallest,
            view,
            options,
        ))
    },
};

/// Smallest program first, then fewest leaves, then order of arrival.
fn smallest(node: &Arc<Node>, program: u32, arrival: u64) -> [u64; 3] {
    [u64::from(program), u64::from(node.sums.leaves), arrival]
}
