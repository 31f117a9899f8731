//! Text that the parser has skipped in the middle of a list.
//!
//! A parser that does not understand a piece of a list skips it, and the node is complete without it. Where all such pieces of a node stand beside
//! elements of its lists, the node is derived as if they were not there: what is before and behind them stays a list by the rules of the grammar, and only the
//! pieces are opaque. Elsewhere, as between a type and a name, the parser has most often misread what stands around it too, and all of the node is opaque.

use std::collections::BTreeSet;

use crate::grammar::{Derivation, DerivationPart, QuantifierKind};

/// Whether at each of these places an element of a list begins or ends. A place is the number of the children before it.
pub fn is_beside_elements(derivation: &Derivation, places: &[u32]) -> bool {
    let mut left: BTreeSet<u32> = places.iter().copied().collect();
    let mut stack: Vec<&DerivationPart> = derivation.parts.iter().collect();
    while let Some(part) = stack.pop() {
        if left.is_empty() {
            break;
        }
        if let DerivationPart::Group { shape, parts, .. } = part
            && matches!(shape, QuantifierKind::Star | QuantifierKind::Plus)
        {
            for element in parts {
                let first = end_child(element, |parts| parts.first());
                let last = end_child(element, |parts| parts.last());
                for place in first.into_iter().chain(last.map(|last| last + 1)) {
                    left.remove(&place);
                }
            }
        }
        stack.extend(part.parts());
    }
    left.is_empty()
}

/// The child at an end of a part.
fn end_child(
    mut part: &DerivationPart,
    end: impl Fn(&[DerivationPart]) -> Option<&DerivationPart>,
) -> Option<u32> {
    loop {
        match part {
            DerivationPart::Child { index, .. } => return Some(*index),
            part_of => part = end(part_of.parts())?,
        }
    }
}
