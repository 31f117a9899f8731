//! A control experiment: whether a grammar refuses nodes that the parser would not make.
//!
//! A grammar that derives every node of a text may still derive too much. So children of nodes are dropped and swapped, and most of these
//! mutants must have no derivation.

use std::fmt;

use super::source::CheckedFile;
use super::tree;
use crate::grammar::GrammarChild;

/// How many mutants have no derivation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MutationControl {
    /// Mutants in which a node lost a child.
    pub drops: MutantCounts,
    /// Mutants in which two children of different kinds were swapped.
    pub swaps: MutantCounts,
}

/// Mutants of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MutantCounts {
    /// How many there are.
    pub all: u32,
    /// Those without a derivation.
    pub refused: u32,
}

impl MutantCounts {
    fn record_mutant(&mut self, refused: bool) {
        self.all += 1;
        self.refused += u32::from(refused);
    }

    /// Whether at least this percentage is refused.
    pub fn are_refused(self, percent: u32) -> bool {
        self.refused * 100 >= self.all * percent
    }
}

impl fmt::Display for MutantCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} % of {}",
            100 * self.refused / self.all.max(1),
            self.all
        )
    }
}

/// Mutates every node with two children or more, deterministically. A text without a language has no mutants.
pub fn run_control(source: &CheckedFile) -> MutationControl {
    let mut control = MutationControl::default();
    let (Some(language), Some(parsed)) = (source.language, &source.tree) else {
        return control;
    };
    let grammar = language.grammar();
    let nodes = tree::collect_nodes(source, language, parsed);
    let mut random = random_sequence();
    for node in &nodes {
        let children = node.children.iter().map(|&child| GrammarChild {
            class: nodes[child].class,
            gap: nodes[child].gap,
        });
        let children: Vec<GrammarChild> = children.collect();
        let Some(rule) = node.class.and_then(|class| grammar.rule_of_class(class)) else {
            continue;
        };
        if children.len() < 2 {
            continue;
        }
        let refused =
            |mutant: &[GrammarChild]| !grammar.has_derivation(rule, mutant, node.trailing_gap);
        let mut mutant = children.clone();
        mutant.remove(random(mutant.len()));
        control.drops.record_mutant(refused(&mutant));
        let (a, b) = (random(children.len()), random(children.len()));
        if children[a].class != children[b].class {
            let mut mutant = children;
            mutant.swap(a, b);
            control.swaps.record_mutant(refused(&mutant));
        }
    }
    control
}

/// A fixed sequence of pseudorandom numbers below a limit (Knuth's MMIX generator).
fn random_sequence() -> impl FnMut(usize) -> usize {
    let mut state = 7u64;
    move |below| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    }
}
