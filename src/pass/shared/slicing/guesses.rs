//! Slices of all lines of the heaviest functions of a file, for a failure whose place is not known (ReduKtor, §III-E: "redundant slicing", which takes
//! the shortest file of all that fail).

use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use super::statement_slice::StatementSlice;
use super::statements::{FunctionBodies, read_statements};
use super::target::SliceTarget;
use super::{Slice, SliceLevel, SlicePart};
use crate::program::{ConstraintRule, NodeId, View, walk};

/// The most functions whose lines are guessed.
const MOST_FUNCTIONS: usize = 4;
/// The most lines of a function that are guessed.
const MOST_LINES: usize = 256;
/// The most slices that are asked about.
const MOST_GUESSES: usize = 16;

/// A slice that may be the one of the failure.
#[derive(Clone, Debug)]
pub struct GuessedSlice {
    /// Its line, by the first leaf.
    pub target: SliceTarget,
    /// What lies outside.
    pub slice: Slice,
}

/// Slices that leave the least of the program, the smallest program first: of the file that the test mentions, else of the largest one.
pub fn guess_slices(view: &View) -> Vec<GuessedSlice> {
    let version = &view.version;
    let files = view.documents().iter().enumerate();
    let heaviest = files
        .filter(|(_, document)| !document.is_gone)
        .max_by_key(|(at, document)| {
            let is_mentioned = view
                .constraints
                .rule_overlaps(ConstraintRule::Mention, &document.root);
            (is_mentioned, document.root.sums().tokens, Reverse(*at))
        });
    let Some((document, _)) = heaviest else {
        return Vec::new();
    };
    let bodies = FunctionBodies::of_document(version, document);
    let mut functions = bodies.outermost.clone();
    functions.sort_by_key(|body| Reverse(body.sums().tokens));
    let (mut seen, mut guesses) = (FxHashSet::default(), Vec::new());
    for body in functions.into_iter().take(MOST_FUNCTIONS) {
        let mut tree = read_statements(version, document, &bodies, body, &[]);
        for at in 0..tree.statements.len().min(MOST_LINES) {
            tree.statements[at].has_target = true;
            let slice = StatementSlice::find(version, &tree);
            let outside = slice.map_or_else(Vec::new, StatementSlice::into_outside);
            tree.statements[at].has_target = false;
            let gone: u32 = outside.iter().map(|part| part.tokens).sum();
            let key: Vec<NodeId> = outside
                .iter()
                .flat_map(|part| part.nodes.to_vec())
                .collect();
            if let Some(leaf) = walk::leaf_at(tree.statements[at].node, 0)
                && !outside.is_empty()
                && seen.insert(key)
            {
                guesses.push((gone, leaf.id, outside));
            }
        }
    }
    guesses.sort_by_key(|(gone, ..)| Reverse(*gone));
    guesses.truncate(MOST_GUESSES);
    let guesses = guesses.into_iter();
    let slices = guesses.filter_map(|(_, leaf, outside): (u32, NodeId, Vec<SlicePart>)| {
        let target = SliceTarget::of_leaf(version, leaf)?;
        let slice = Slice::of_parts(view, &target, SliceLevel::Statements, outside);
        (!slice.outside.is_empty()).then_some(GuessedSlice { target, slice })
    });
    slices.collect()
}
