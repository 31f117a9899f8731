//! List minimisers: which elements of a list are needed? One file each, each a pure [`Dialogue`] over indices.
//!
//! A minimiser sees how long the list is and how many elements must stay. It asks whether the list is still interesting without some
//! elements, and takes them out at once when it is. After a take it speaks of the shorter list.

mod complements;
mod ddmin;
mod singles;

pub use complements::Complements;
pub use ddmin::Ddmin;
pub use singles::Singles;

use crate::dialogue::{Dialogue, Indices};

/// The list as a minimiser sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// How many elements it has now.
    pub length: u32,
    /// How many elements must stay.
    pub keep: u32,
}

/// A list minimiser of any kind. The state clones cheaply.
pub trait Minimizer:
    Dialogue<View = List, Edit = Indices, Why = (), Change = Indices> + Send
{
    /// A clone in a box.
    fn boxed(&self) -> Box<dyn Minimizer>;
}

impl<T> Minimizer for T
where
    T: Dialogue<View = List, Edit = Indices, Why = (), Change = Indices> + Clone + Send + 'static,
{
    fn boxed(&self) -> Box<dyn Minimizer> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Minimizer> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// A kind of list minimiser, as the table lists it.
#[derive(Debug)]
pub struct Kind {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does and where it comes from.
    pub what: &'static str,
    /// Begins on a list.
    pub start: fn(&List) -> Box<dyn Minimizer>,
}

/// All list minimisers; the first is the default.
pub static KINDS: &[Kind] = &[
    Kind {
        name: "complements",
        what: "ddmin without its subset phase, from the back to the front (Hodován and Kiss, 2016)",
        start: |list| Box::new(Complements::new(list)),
    },
    Kind {
        name: "ddmin",
        what: "minimising delta debugging (Zeller and Hildebrandt, 2002)",
        start: |list| Box::new(Ddmin::new(list)),
    },
];

/// The kind of that name.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// The elements of part `part` when `length` elements are cut into `parts` parts of nearly one size.
fn part(length: u32, parts: u32, part: u32) -> std::ops::Range<u32> {
    let cut = |at: u32| (u64::from(length) * u64::from(at) / u64::from(parts)) as u32;
    cut(part)..cut(part + 1)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::dialogue::{Answer, Step};
    use proptest::prelude::*;

    /// Runs a minimiser on elements `0..length` against a predicate over what is left; the elements left and the questions asked.
    pub fn run(
        kind: &Kind,
        length: u32,
        keep: u32,
        interesting: impl Fn(&[u32]) -> bool,
    ) -> (Vec<u32>, usize) {
        let mut left: Vec<u32> = (0..length).collect();
        let mut state = (kind.start)(&List { length, keep });
        let mut asked = 0;
        loop {
            let list = List {
                length: left.len() as u32,
                keep,
            };
            let without = |gone: &Indices| -> Vec<u32> {
                left.iter()
                    .enumerate()
                    .filter(|&(i, _)| !gone.contains(i as u32))
                    .map(|(_, &e)| e)
                    .collect()
            };
            match state.clone().step(&list) {
                Step::Done => return (left, asked),
                Step::Settle => unreachable!("a list minimiser has nothing to settle"),
                Step::Ask(gone, ()) => {
                    asked += 1;
                    assert!(asked < 100_000, "{} does not end", kind.name);
                    assert_eq!(
                        state.step(&list),
                        Step::Ask(gone.clone(), ()),
                        "the same step twice"
                    );
                    let rest = without(&gone);
                    let answer = match rest.len() < keep as usize {
                        true => Answer::Refused,
                        false if interesting(&rest) => Answer::Yes,
                        false => Answer::No,
                    };
                    state.told(&list, &gone, answer);
                }
                Step::Take(gone) => {
                    left = without(&gone);
                    assert!(
                        interesting(&left),
                        "{} takes only what was found interesting",
                        kind.name
                    );
                    state.step(&list);
                    state.taken(
                        &List {
                            length: left.len() as u32,
                            keep,
                        },
                        &gone,
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_left_is_one_minimal(length in 0u32..60, needed in proptest::collection::btree_set(0u32..60, 0..6), keep in 0u32..2) {
            for kind in KINDS {
                let interesting = |left: &[u32]| needed.iter().filter(|&&e| e < length).all(|e| left.contains(e));
                let (left, _) = run(kind, length, keep, interesting);
                for at in 0..left.len() {
                    let mut fewer = left.clone();
                    fewer.remove(at);
                    prop_assert!(fewer.len() < keep as usize || !interesting(&fewer), "{}: {left:?} can lose {}", kind.name, left[at]);
                }
            }
        }

        /// Also where deletions depend on each other: `a` needs `b`.
        #[test]
        fn what_is_left_is_one_minimal_without_monotony(length in 1u32..40, pairs in proptest::collection::vec((0u32..40, 0u32..40), 0..12), root in 0u32..40) {
            for kind in KINDS {
                let interesting = |left: &[u32]| {
                    let has = |e: u32| left.contains(&e);
                    (root >= length || has(root)) && pairs.iter().all(|&(a, b)| a >= length || b >= length || !has(a) || has(b))
                };
                let (left, _) = run(kind, length, 0, interesting);
                for at in 0..left.len() {
                    let mut fewer = left.clone();
                    fewer.remove(at);
                    prop_assert!(!interesting(&fewer), "{}: {left:?} can lose {}", kind.name, left[at]);
                }
            }
        }
    }

    #[test]
    fn one_needed_element_among_many_is_found_in_few_questions() {
        for kind in KINDS {
            let (left, asked) = run(kind, 1024, 0, |left| left.contains(&700));
            assert_eq!(left, [700], "{}", kind.name);
            assert!(asked <= 4 * 10 + 4, "{} asked {asked} questions", kind.name);
        }
    }
}
