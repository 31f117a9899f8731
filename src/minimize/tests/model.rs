//! All minimisers on one synthetic model of definitions and uses. `cargo test --lib minimize -- --nocapture table` prints it.

use std::collections::HashSet;

use super::*;

struct DependencyModel {
    weights: Vec<u32>,
    needed: Vec<u32>,
    /// What each element refers to: up to two earlier ones.
    uses: Vec<Vec<u32>>,
}

impl DependencyModel {
    fn new(length: u32, percent: u32, depend: bool, seed: u64) -> DependencyModel {
        let mut dice = TestRandom(seed);
        // Heavy tails: twice the weight half as often.
        let mut weight = || {
            let most = 4 << dice.next_below(1 << 8).leading_zeros().saturating_sub(24);
            1 + dice.next_below(most)
        };
        let weights: Vec<u32> = (0..length).map(|_| weight()).collect();
        let total = weights.iter().sum();
        let mut needed = HashSet::new();
        while needed.len() < (length * percent / 100) as usize {
            let mut at = dice.next_below(total);
            let heavy = weights.iter().position(|&weight| {
                let here = at < weight;
                at = at.saturating_sub(weight);
                here
            });
            needed.extend(heavy.map(|e| e as u32));
        }
        let uses = (0..length).map(|e| {
            let count = if depend && e > 0 {
                dice.next_below(3)
            } else {
                0
            };
            (0..count).map(|_| dice.next_below(e)).collect()
        });
        DependencyModel {
            uses: uses.collect(),
            weights,
            needed: needed.into_iter().collect(),
        }
    }

    fn is_interesting(&self, left: &[u32]) -> bool {
        let mut has = vec![false; self.weights.len()];
        left.iter().for_each(|&e| has[e as usize] = true);
        let mut used = left.iter().flat_map(|&e| &self.uses[e as usize]);
        self.needed.iter().all(|&e| has[e as usize]) && used.all(|&e| has[e as usize])
    }

    /// Reduces to a fixpoint: how many lists were tested that had not been tested before, and how many elements are left.
    fn reduce_to_fixpoint(&self, kind: &MinimizerKind) -> (usize, usize) {
        let mut left: Vec<u32> = (0..self.weights.len() as u32).collect();
        let mut known = HashSet::new();
        loop {
            let before = left.clone();
            let named = |places: &[u32]| -> Vec<u32> {
                places.iter().map(|&at| before[at as usize]).collect()
            };
            let interesting = |places: &[u32]| self.is_interesting(&named(places));
            let mut case = MinimizerCase::new(before.len() as u32, &interesting);
            case.weights = before.iter().map(|&e| self.weights[e as usize]).collect();
            let run = case.run_minimizer(kind);
            known.extend(run.asked.iter().map(|(places, _)| named(places)));
            left = named(&run.left);
            if left == before {
                return (known.len(), left.len());
            }
        }
    }
}

const MODELS: u64 = 10;

/// The means over the models: tests and elements left.
fn mean_results(kind: &MinimizerKind, length: u32, percent: u32, depend: bool) -> (f64, f64) {
    let (mut tests, mut left) = (0, 0);
    for seed in 0..MODELS {
        let (tested, stays) =
            DependencyModel::new(length, percent, depend, seed).reduce_to_fixpoint(kind);
        (tests, left) = (tests + tested, left + stays);
    }
    let mean = |sum: usize| sum as f64 / MODELS as f64;
    (mean(tests), mean(left))
}

#[test]
#[ignore = "long"]
fn table_of_mean_tests() {
    println!("n=200, 3 % needed, {MODELS} models       no uses        uses before definitions");
    println!("                              tests   left          tests   left");
    for kind in MINIMIZERS {
        let (plain, dependent) = (
            mean_results(kind, 200, 3, false),
            mean_results(kind, 200, 3, true),
        );
        println!(
            "{:<28} {:>6.0} {:>6.1}         {:>6.0} {:>6.1}",
            kind.name, plain.0, plain.1, dependent.0, dependent.1
        );
    }
}

#[test]
fn back_to_front_needs_fewer_tests_where_uses_follow_definitions() {
    let tests = |name| mean_results(find_minimizer(name).unwrap(), 60, 15, true).0;
    assert!(tests("galloping") < tests("galloping-forwards"));
}
