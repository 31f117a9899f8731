//! What two sequences have in common, and where they differ.
//!
//! The difference is that of Myers ("An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986), which the crate `similar` has. It compares
//! numbers, whatever the elements are: so the algorithm is compiled once, and not for each type of element.

use std::convert::Infallible;
use std::hash::Hash;

use rustc_hash::FxHashMap;
use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

/// The operations that make `new` of `old`, from front to back, those of equal elements too. Few, but not always the fewest: where two sequences differ much,
/// heuristics save time.
pub fn diff_sequences<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let (old, new) = number_elements(old, new);
    let mut found = Compact::new(Replace::new(Capture::new()), &old[..], &new[..]);
    let done: Result<(), Infallible> =
        myers::diff(&mut found, &old[..], 0..old.len(), &new[..], 0..new.len());
    let Ok(()) = done;
    found.into_inner().into_inner().into_ops()
}

/// The elements that stay where `new` is made of `old`, by their indices in both.
pub fn match_elements<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    iter_equal_pairs(&diff_sequences(old, new)).collect()
}

/// The elements of a longest common subsequence, by their indices in both, without heuristics but for the shortcut of which `pair/token_difference.rs` tells.
pub fn match_most_elements<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let (old, new) = number_elements(old, new);
    let mut found = Capture::new();
    // It trims what both begin and end with.
    let (of_old, of_new) = (0..old.len(), 0..new.len());
    let done: Result<(), Infallible> =
        myers::diff_deadline_raw(&mut found, &old[..], of_old, &new[..], of_new, None);
    let Ok(()) = done;
    iter_equal_pairs(found.ops()).collect()
}

/// The equal elements that operations name, by their indices in both sequences.
fn iter_equal_pairs(ops: &[DiffOp]) -> impl Iterator<Item = (usize, usize)> {
    let equal = ops.iter().filter(|op| matches!(op, DiffOp::Equal { .. }));
    equal.flat_map(|op| op.old_range().zip(op.new_range()))
}

/// The elements as numbers: two are the same number where they are equal.
fn number_elements<T: Eq + Hash>(old: &[T], new: &[T]) -> (Vec<u32>, Vec<u32>) {
    let mut numbers: FxHashMap<&T, u32> = FxHashMap::default();
    let [old, new] = [old, new].map(|elements| {
        let numbered = elements.iter().map(|element| {
            let next = numbers.len() as u32;
            *numbers.entry(element).or_insert(next)
        });
        numbered.collect()
    });
    (old, new)
}

/// The elements of the shorter sequence and their first places in the longer one, in time O(N), by their indices in both. None unless all of them are there in
/// their order: the two programs between which dd isolates a difference are such sequences, and differ much at first.
pub fn match_subsequence<T: PartialEq>(old: &[T], new: &[T]) -> Option<Vec<(usize, usize)>> {
    let is_old_longer = old.len() > new.len();
    let (short, long) = if is_old_longer {
        (new, old)
    } else {
        (old, new)
    };
    let mut rest = long.iter().enumerate();
    let pairs = short.iter().enumerate().map(|(at, token)| {
        let (place, _) = rest.find(|(_, other)| *other == token)?;
        Some(if is_old_longer {
            (place, at)
        } else {
            (at, place)
        })
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_lies_between_what_is_equal() {
        let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let (old, new) = (words("int f ( int a ) ;"), words("long f ( ) ; g"));
        assert_eq!(match_elements(&old, &new), [(1, 1), (2, 2), (5, 3), (6, 4)]);
        assert!(diff_sequences::<&str>(&[], &[]).is_empty());
    }

    #[test]
    fn the_shorter_of_two_lies_in_the_longer_or_nothing_is_said() {
        assert_eq!(
            match_subsequence(&[1, 2, 3], &[1, 3]),
            Some(vec![(0, 0), (2, 1)])
        );
        assert_eq!(match_subsequence(&[3], &[1, 3, 3]), Some(vec![(0, 1)]));
        assert_eq!(match_subsequence(&[3, 1], &[1, 3]), None);
    }
}
