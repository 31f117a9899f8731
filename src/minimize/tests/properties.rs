//! Properties that hold for all minimisers, or for those whose kind says so.

use std::cell::RefCell;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use super::*;

const NONE: [u32; 0] = [];

/// The most candidates of an algorithm when `needed` of `length` elements are needed and the test is monotone.
fn max_questions(kind: &MinimizerKind, length: usize, needed: usize) -> usize {
    let (n, m, log) = (length, needed, length.max(1).ilog2() as usize + 1);
    match kind.name {
        // n² + 3n by the paper, and the empty list.
        "ddmin" => n * n + 3 * n + 1,
        // Each part is tried once, twice with the subset phase, at n, n/2, … parts.
        "opdd" => 6 * n + 4 * log + 4,
        // Parts with a needed element, and their halves, at each size; then the last round once more.
        "lithium" | "complements" => (2 * m + 3) * (log + 1) + m,
        "cdd" => 1 + n.div_ceil(4) + n.div_ceil(2) + n,
        // Single elements once; parts of at least two in four rounds.
        "wcdd" => 1 + n + 4 * n.div_ceil(2),
        // A failure raises |S| · p towards 1: 1/10 + 1/6 + 1/3 + 1/2 + 1 per element, and rounding.
        "probdd" => 3 * n + 5,
        "wprobdd" => 4 * n + 5,
        // All parts of the halving, and the last loop.
        "wdd" => 3 * n + 1,
        // Runs between needed elements, each grown and searched, and the needed ones tried a last time.
        "galloping" | "galloping-forwards" => (m + 1) * (2 * log + 6) + m,
        name => panic!("{name} has no bound"),
    }
}

fn contains_all(needed: &[u32], left: &[u32]) -> bool {
    needed.iter().all(|e| left.contains(e))
}

/// Whether the root and all dependencies of what is left are left; what is not in a list of this length does not count.
fn is_closed(root: u32, pairs: &[(u32, u32)], length: u32, left: &[u32]) -> bool {
    let has = |e: u32| e >= length || left.contains(&e);
    let mut pairs = pairs.iter().filter(|&&(a, _)| a < length);
    has(root) && pairs.all(|&(a, b)| !left.contains(&a) || has(b))
}

/// A filter that passes, shrinks or rejects candidates at random, but the same ones every time.
fn arbitrary_filter(seed: u64, gone: &[u32]) -> Vec<u32> {
    let folded = gone.iter().fold(seed, |sum, &e| {
        (sum ^ u64::from(e)).wrapping_mul(0x0100_0000_01B3)
    });
    let mut dice = TestRandom(folded);
    match dice.next_below(4) {
        0 => gone.to_vec(),
        1 => Vec::new(),
        _ => gone
            .iter()
            .copied()
            .filter(|_| dice.next_below(3) > 0)
            .collect(),
    }
}

proptest! {
    /// All of them promise this, with fixed elements, within the list's least length and the bound of the paper.
    #[test]
    fn what_is_left_is_one_minimal_if_the_test_is_monotone(
        weights in vec(0u32..200, 0..60),
        needed in btree_set(0u32..60, 0..6),
        fixed in btree_set(0u32..60, 0..4),
        keep in 0u32..5,
    ) {
        let length = weights.len() as u32;
        let needed: Vec<u32> = needed.into_iter().filter(|&e| e < length).collect();
        let fixed: Vec<u32> = fixed.into_iter().filter(|&e| e < length).collect();
        let interesting = |left: &[u32]| contains_all(&needed, left);
        let case = MinimizerCase { weights, keep, fixed, ..MinimizerCase::new(length, &interesting) };
        for kind in MINIMIZERS {
            let run = case.run_minimizer(kind);
            prop_assert_eq!(case.removable_alone(&run.left), NONE, "{}: {:?}", kind.name, run.left);
            prop_assert!(contains_all(&case.fixed, &run.left), "{}: {:?}", kind.name, run.left);
            // At most this number of elements stays without being searched for.
            let stay = needed.len() + keep as usize;
            let most = max_questions(kind, length as usize, stay);
            prop_assert!(run.asked.len() <= most, "{} asked {} > {most}", kind.name, run.asked.len());
        }
    }

    /// Also where deletions depend on each other: `a` needs `b`.
    #[test]
    fn what_is_left_is_one_minimal_without_monotony_where_promised(
        weights in vec(0u32..200, 1..40),
        pairs in vec((0u32..40, 0u32..40), 0..12),
        root in 0u32..40,
        keep in 0u32..3,
    ) {
        let length = weights.len() as u32;
        let interesting = |left: &[u32]| is_closed(root, &pairs, length, left);
        let case = MinimizerCase { weights, keep, ..MinimizerCase::new(length, &interesting) };
        for kind in MINIMIZERS {
            let run = case.run_minimizer(kind);
            prop_assert!(interesting(&run.left), "{}", kind.name);
            if kind.one_minimal {
                prop_assert_eq!(case.removable_alone(&run.left), NONE, "{}: {:?}", kind.name, run.left);
            }
        }
    }

    /// A filter that keeps some elements does not affect what is promised for the others.
    #[test]
    fn what_is_left_is_one_minimal_but_for_what_a_filter_holds_back(
        weights in vec(0u32..200, 1..40),
        pairs in vec((0u32..40, 0u32..40), 0..12),
        held in btree_set(0u32..40, 0..6),
    ) {
        let length = weights.len() as u32;
        let interesting = |left: &[u32]| is_closed(0, &pairs, length, left);
        let filter = |gone: &[u32]| gone.iter().copied().filter(|e| !held.contains(e)).collect();
        let case = MinimizerCase { weights, filter: &filter, ..MinimizerCase::new(length, &interesting) };
        for kind in MINIMIZERS.iter().filter(|kind| kind.one_minimal) {
            let run = case.run_minimizer(kind);
            prop_assert_eq!(case.removable_alone(&run.left), NONE, "{}: {:?}", kind.name, run.left);
        }
    }

    /// What a filter keeps of a candidate with several elements may be removed later: each element alone passes.
    #[test]
    fn what_a_filter_spares_of_many_has_its_turn_alone(
        length in 1u32..40,
        needed in btree_set(0u32..40, 0..3),
        seed: u64,
    ) {
        let needed: Vec<u32> = needed.into_iter().filter(|&e| e < length).collect();
        let interesting = |left: &[u32]| contains_all(&needed, left);
        let filter = |gone: &[u32]| match gone {
            [one] => vec![*one],
            many => arbitrary_filter(seed, many),
        };
        let case = MinimizerCase { filter: &filter, ..MinimizerCase::new(length, &interesting) };
        for kind in MINIMIZERS.iter().filter(|kind| kind.one_minimal) {
            let run = case.run_minimizer(kind);
            prop_assert_eq!(&run.left, &needed, "{}", kind.name);
        }
    }

    /// Whatever a filter makes of the candidates: the run checks that nothing else is removed, and that it ends.
    #[test]
    #[ignore = "long"]
    fn a_run_ends_under_any_filter_and_is_the_same_every_time(
        weights in vec(0u32..200, 0..60),
        needed in btree_set(0u32..60, 0..6),
        fixed in btree_set(0u32..60, 0..4),
        keep in 0u32..3,
        seed: u64,
    ) {
        let length = weights.len() as u32;
        let needed: Vec<u32> = needed.into_iter().filter(|&e| e < length).collect();
        let fixed: Vec<u32> = fixed.into_iter().filter(|&e| e < length).collect();
        let interesting = |left: &[u32]| contains_all(&needed, left);
        let filter = |gone: &[u32]| arbitrary_filter(seed, gone);
        let case = MinimizerCase { weights, keep, fixed, filter: &filter, ..MinimizerCase::new(length, &interesting) };
        for kind in MINIMIZERS {
            let run = case.run_minimizer(kind);
            prop_assert!(interesting(&run.left) && contains_all(&case.fixed, &run.left), "{}", kind.name);
            prop_assert_eq!(&run, &case.run_minimizer(kind));
        }
    }
}

#[test]
fn one_needed_element_among_many_is_found_in_few_questions() {
    let interesting = |left: &[u32]| left.contains(&700);
    let case = MinimizerCase::new(1024, &interesting);
    for kind in MINIMIZERS {
        let run = case.run_minimizer(kind);
        assert_eq!(run.left, [700], "{}", kind.name);
        let most = match kind.name {
            // Their first parts have a size that does not grow with the list.
            "cdd" | "wcdd" => 1024 / 4 + 8,
            "probdd" | "wprobdd" => 1024 / 10 + 20,
            _ => 4 * 10 + 4,
        };
        let asked = run.asked.len();
        assert!(asked <= most, "{} asked {asked} questions", kind.name);
    }
}

#[test]
fn a_list_that_may_go_whole_goes_in_few_questions() {
    let interesting = |_: &[u32]| true;
    for kind in MINIMIZERS {
        let asked = MinimizerCase::new(1000, &interesting)
            .run_minimizer(kind)
            .asked
            .len();
        assert!(asked <= 13, "{} asked {asked} questions", kind.name);
    }
}

/// If a rejection counted as a failure, ProbDD would continue with six.
#[test]
fn a_refusal_enters_no_probability() {
    let proposed = RefCell::new(Vec::new());
    let interesting = |_: &[u32]| true;
    let filter = |gone: &[u32]| {
        proposed.borrow_mut().push(gone.len());
        match gone.len() {
            0..=2 => gone.to_vec(),
            _ => Vec::new(),
        }
    };
    let case = MinimizerCase {
        filter: &filter,
        ..MinimizerCase::new(40, &interesting)
    };
    let run = case.run_minimizer(find_minimizer("probdd").unwrap());
    assert_eq!(run.left, NONE);
    assert_eq!(proposed.borrow()[..7], [40, 10, 5, 2, 10, 5, 2]);
}

#[test]
fn the_names_of_the_table_are_distinct() {
    for (at, one) in MINIMIZERS.iter().enumerate() {
        assert!(std::ptr::eq(
            find_minimizer(one.name).unwrap(),
            MINIMIZERS[at]
        ));
    }
}
