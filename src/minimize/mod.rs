//! List minimisers: which elements of a list are needed? One file each, each a pure [`Proposer`] over indices.
//!
//! A minimiser sees how long the list is, what each element weighs and how many elements must stay. It proposes to remove some elements.
//! When the list is interesting without them, it has them removed at once and continues with the shorter list. Where an algorithm leaves
//! the order open, it is from the back to the front, because uses stand after what they use.
//!
//! The candidates of an algorithm are in its own file ([`MinimizingAlgorithm`]). All algorithms share `driver.rs`, which implements the
//! protocol for them, and `fixed_elements.rs`, which hides elements that must stay. `complements` and `lithium` share `part_sweep.rs`.
//! `whole_first.rs` runs before any algorithm.
//!
//! A filter may shrink a candidate before its test. So a minimiser never assumes that its whole candidate was removed: what was tested and
//! interesting is removed, and the rest of the candidate is still open. An uninteresting verdict counts for the whole candidate. A rejected
//! candidate cannot be tested and enters no statistics. What a filter kept is tried again at once; in `complements`, in the next round.
//!
//! `dd.rs` stands apart from the others: it does not minimise a list, but isolates what makes a passing list fail. It moves two lists towards
//! each other, and asks for two properties. So does `choice_search.rs`, which makes a sequence of choices small, numbers included.

mod cdd;
mod choice_search;
mod complements;
mod dd;
mod ddmin;
mod driver;
mod fixed_elements;
mod galloping;
mod index_shift;
mod lithium;
mod opdd;
mod part_sweep;
mod probability;
mod probdd;
mod singles;
#[cfg(test)]
mod tests;
mod wcdd;
mod wdd;
mod whole_first;

use std::sync::Arc;

pub use self::choice_search::{
    ChoiceQuestion, ChoiceSearch, ChoiceSequence, ChoiceStretch, StretchRemoval, is_smaller,
};
pub use self::complements::{COMPLEMENTS, start_complements};
pub use self::dd::{DdIsolator, DdProperty, DdQuestion};
pub use self::driver::{MinimizerDriver, MinimizingAlgorithm};
use self::fixed_elements::FixedElementsAdapter;
use self::index_shift::IndexShift;
pub use self::singles::start_singles;
pub use self::whole_first::WholeFirstMinimizer;
use crate::protocol::{IndexRanges, Proposer, ProposerView};

/// The list as a minimiser sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedList {
    /// How many elements it has now.
    pub length: u32,
    /// How many elements must stay.
    pub keep: u32,
    /// What each element weighs: its tokens.
    pub weights: Arc<[u32]>,
    /// Elements that must stay.
    pub fixed: IndexRanges,
}

impl ProposerView for WeightedList {
    /// The index of an element.
    type Part = u32;
}

impl WeightedList {
    /// A list of elements of these weights, none of them fixed.
    pub fn new(weights: Arc<[u32]>, keep: u32) -> WeightedList {
        WeightedList {
            length: weights.len() as u32,
            keep,
            weights,
            fixed: IndexRanges::default(),
        }
    }

    /// A list of this number of elements of equal weight, none of them fixed.
    pub fn with_equal_weights(length: u32, keep: u32) -> WeightedList {
        WeightedList::new(vec![1; length as usize].into(), keep)
    }

    /// The list without these elements.
    pub fn without_elements(&self, removed: &IndexRanges) -> WeightedList {
        let mut weights = Vec::with_capacity((self.length - removed.len()) as usize);
        let mut at = 0;
        for range in removed.ranges() {
            weights.extend_from_slice(&self.weights[at..range.start as usize]);
            at = range.end as usize;
        }
        weights.extend_from_slice(&self.weights[at..]);
        let shift = IndexShift::new(removed);
        let fixed = self.fixed.ranges().iter().cloned().flatten();
        WeightedList {
            fixed: IndexRanges::from_sorted(fixed.filter_map(|at| shift.shifted_index(at))),
            ..WeightedList::new(weights.into(), self.keep)
        }
    }

    /// The weight of the element, at least 1: an element without tokens is worth a test too.
    fn element_weight(&self, at: u32) -> u32 {
        self.weights[at as usize].max(1)
    }
}

/// A list minimiser of any kind, as passes drive it. The state clones cheaply.
pub trait Minimizer:
    Proposer<View = WeightedList, Edit = IndexRanges, Why = (), Change = IndexRanges> + Send + Sync
{
    /// A clone in a box.
    fn clone_box(&self) -> Box<dyn Minimizer>;
}

impl<T> Minimizer for T
where
    T: Proposer<View = WeightedList, Edit = IndexRanges, Why = (), Change = IndexRanges>
        + Clone
        + Send
        + Sync
        + 'static,
{
    fn clone_box(&self) -> Box<dyn Minimizer> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Minimizer> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

/// How a list minimiser begins on a list.
pub type MinimizerStart = fn(&WeightedList) -> Box<dyn Minimizer>;

/// A kind of list minimiser, as the table lists it.
#[derive(Debug)]
pub struct MinimizerKind {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub description: &'static str,
    /// Whether its result is 1-minimal for every deterministic test; the others promise it for monotone tests.
    pub one_minimal: bool,
    /// Begins on a list.
    pub start: MinimizerStart,
}

/// An algorithm on this list, as the table starts it: with the driver, and with the list's fixed elements hidden.
fn start_boxed<A: MinimizingAlgorithm>(
    list: &WeightedList,
    start: fn(&WeightedList) -> A,
) -> Box<dyn Minimizer> {
    Box::new(FixedElementsAdapter::new(list, start))
}

/// All list minimisers; the first is the default.
pub static MINIMIZERS: &[&MinimizerKind] = &[
    &COMPLEMENTS,
    &ddmin::DDMIN,
    &opdd::OPDD,
    &lithium::LITHIUM,
    &probdd::PROBDD,
    &probdd::WPROBDD,
    &cdd::CDD,
    &wcdd::WCDD,
    &wdd::WDD,
    &galloping::GALLOPING,
    &galloping::GALLOPING_FORWARDS,
];

/// The kind of that name.
pub fn find_minimizer(name: &str) -> Option<&'static MinimizerKind> {
    MINIMIZERS.iter().copied().find(|kind| kind.name == name)
}

/// The elements of part `part` when `length` elements are cut into `parts` parts of nearly one size.
fn part_range(length: u32, parts: u32, part: u32) -> std::ops::Range<u32> {
    let cut = |at: u32| (u64::from(length) * u64::from(at) / u64::from(parts)) as u32;
    cut(part)..cut(part + 1)
}
