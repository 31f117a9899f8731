//! What list minimisers promise, for all in the table.

mod examples;
mod model;
mod properties;
mod states;

use super::*;
use crate::protocol::{Feedback, ProposerStep};

/// What a filter makes of a candidate: less of it, or nothing.
type CandidateShrinker<'a> = &'a dyn Fn(&[u32]) -> Vec<u32>;

/// A list and the rules of its reduction. Elements are named by their index in the whole list.
struct MinimizerCase<'a> {
    weights: Vec<u32>,
    keep: u32,
    fixed: Vec<u32>,
    interesting: &'a dyn Fn(&[u32]) -> bool,
    filter: CandidateShrinker<'a>,
}

impl<'a> MinimizerCase<'a> {
    /// Elements of weight 1, all of which may be removed.
    fn new(length: u32, interesting: &'a dyn Fn(&[u32]) -> bool) -> MinimizerCase<'a> {
        MinimizerCase {
            weights: vec![1; length as usize],
            keep: 0,
            fixed: Vec::new(),
            interesting,
            filter: &|gone| gone.to_vec(),
        }
    }

    fn remaining_list(&self, left: &[u32]) -> WeightedList {
        let weights = left.iter().map(|&e| self.weights[e as usize]).collect();
        let fixed = (0..left.len()).filter(|&at| self.fixed.contains(&left[at]));
        WeightedList {
            fixed: IndexRanges::from_sorted(fixed.map(|at| at as u32)),
            ..WeightedList::new(weights, self.keep)
        }
    }

    /// The elements of these that may be removed by the rules, each alone, and leave an interesting list.
    fn removable_alone(&self, left: &[u32]) -> Vec<u32> {
        let alone = |e: u32| -> Vec<u32> { left.iter().copied().filter(|&f| f != e).collect() };
        let may = |e: &u32| {
            left.len() > self.keep as usize
                && !self.fixed.contains(e)
                && !(self.filter)(&[*e]).is_empty()
        };
        let goes = left.iter().copied().filter(may);
        goes.filter(|&e| (self.interesting)(&alone(e))).collect()
    }

    /// Runs the minimiser, and checks with every step what all of them promise.
    fn run_minimizer(&self, kind: &MinimizerKind) -> MinimizerRun {
        let name = kind.name;
        let mut left: Vec<u32> = (0..self.weights.len() as u32).collect();
        let mut state = (kind.start)(&self.remaining_list(&left));
        let mut asked = Vec::new();
        let mut found = None;
        let elements = |left: &[u32], gone: &IndexRanges| -> (Vec<u32>, Vec<u32>) {
            let (gone, rest): (Vec<_>, Vec<_>) =
                (0..left.len()).partition(|&at| gone.contains(at as u32));
            let named = |places: Vec<usize>| places.into_iter().map(|at| left[at]).collect();
            (named(gone), named(rest))
        };
        for steps in 0.. {
            assert!(steps < 100_000, "{name} does not end");
            let list = self.remaining_list(&left);
            let step = state.propose(&list);
            assert_eq!(step, state.clone().propose(&list), "{name}: the same step");
            match step {
                ProposerStep::Reparse => panic!("{name}: a list minimiser has nothing to settle"),
                ProposerStep::Done => break,
                ProposerStep::Test(proposed, ()) => {
                    let (gone, rest) = elements(&left, &proposed);
                    assert!(!gone.is_empty(), "{name} asks for nothing");
                    assert!(rest.len() >= self.keep as usize, "{name} keeps too few");
                    assert!(
                        gone.iter().all(|e| !self.fixed.contains(e)),
                        "{name} asks for fixed elements: {gone:?}"
                    );
                    let gone = (self.filter)(&gone);
                    if gone.is_empty() {
                        state.on_verdict(&list, &proposed, Feedback::Rejected);
                        continue;
                    }
                    let places = (0..left.len()).filter(|&at| gone.contains(&left[at]));
                    let really = IndexRanges::from_sorted(places.map(|at| at as u32));
                    let (_, rest) = elements(&left, &really);
                    let yes = (self.interesting)(&rest);
                    asked.push((rest, yes));
                    found = yes.then(|| really.clone());
                    let answer = if yes {
                        Feedback::Interesting
                    } else {
                        Feedback::Uninteresting
                    };
                    state.on_verdict(&list, &really, answer);
                }
                ProposerStep::Accept(gone) => {
                    assert_eq!(Some(&gone), found.as_ref(), "{name} takes what was found");
                    (_, left) = elements(&left, &gone);
                    found = None;
                    let less = list.without_elements(&gone);
                    assert_eq!(less, self.remaining_list(&left));
                    state.on_accept(&less, &gone);
                }
            }
        }
        MinimizerRun { left, asked }
    }
}

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
struct MinimizerRun {
    left: Vec<u32>,
    /// The lists that were tested, and whether they were interesting.
    asked: Vec<(Vec<u32>, bool)>,
}

/// A small generator of numbers: the same ones on every platform.
struct TestRandom(u64);

impl TestRandom {
    /// A number below `below`.
    fn next_below(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(mixed ^ (mixed >> 31)) * u128::from(below)) >> 64) as u32
    }
}
