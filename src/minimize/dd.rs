//! dd, which isolates a minimal failing difference: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002,
//! §5.
//!
//! Of two sets of elements P ⊂ F, P passes and F fails. What they differ by is Δ = F ∖ P, cut into n parts Δi, at first n = 2.
//!
//! ```text
//! 1  P ∪ Δi fails:    F ← P ∪ Δi, n ← 2
//! 2  F ∖ Δi passes:   P ← F ∖ Δi, n ← 2
//! 3  P ∪ Δi passes:   P ← P ∪ Δi, n ← max(n - 1, 2)
//! 4  F ∖ Δi fails:    F ← F ∖ Δi, n ← max(n - 1, 2)
//! 5  n < |Δ|:         n ← min(2n, |Δ|)
//! 6  else the end:    P and F differ by Δ, and no Δi can be moved
//! ```
//! A rule is tried with all i before the next one. Rules 1 and 3 ask about the same texts, as do 2 and 4, but for another property. A text may
//! have neither property: then it is unresolved, and both answers are no.

use super::part_range;
use crate::protocol::IndexRanges;

/// What is asked of a set of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DdProperty {
    /// The program of these elements passes.
    Passes,
    /// The program of these elements fails.
    Fails,
}

/// A question of dd: has the program of these elements the property?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DdQuestion {
    /// The property.
    pub property: DdProperty,
    /// The elements.
    pub elements: IndexRanges,
}

/// Where a rule makes its set of elements from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DdOrigin {
    /// P ∪ Δi.
    Grown,
    /// F ∖ Δi.
    Shrunk,
}

/// Rules 1 to 4. If the answer is yes, the set of that property becomes the set that was asked about.
const RULES: [(DdOrigin, DdProperty); 4] = [
    (DdOrigin::Grown, DdProperty::Fails),
    (DdOrigin::Shrunk, DdProperty::Passes),
    (DdOrigin::Grown, DdProperty::Passes),
    (DdOrigin::Shrunk, DdProperty::Fails),
];

/// The state of dd on elements with the numbers 0, 1, 2, …
#[derive(Clone, Debug)]
pub struct DdIsolator {
    /// P, sorted.
    passing: Vec<u32>,
    /// Δ, sorted. F is both.
    difference: Vec<u32>,
    /// n, at most |Δ|.
    parts: u32,
    /// The index of the rule in `RULES` that is tried.
    rule: usize,
    /// i, counted from 0.
    part: u32,
}

impl DdIsolator {
    /// Begins with the elements of P, and with those that F has more. The sets must be disjoint. Whoever calls this knows that P passes and
    /// F fails.
    pub fn new(passing: &IndexRanges, difference: &IndexRanges) -> DdIsolator {
        let elements = |set: &IndexRanges| set.ranges().iter().cloned().flatten().collect();
        let mut state = DdIsolator {
            passing: elements(passing),
            difference: elements(difference),
            parts: 2,
            rule: 0,
            part: 0,
        };
        state.cut(2);
        state
    }

    /// The next question, the same one until it is answered. None at the end: rule 6.
    pub fn next_question(&self) -> Option<DdQuestion> {
        // An element alone cannot be moved: P ∪ Δ is F, and F ∖ Δ is P.
        let &(origin, property) = RULES.get(self.rule).filter(|_| self.difference.len() > 1)?;
        Some(DdQuestion {
            property,
            elements: IndexRanges::from_sorted(self.asked_set(origin)),
        })
    }

    /// The answer to [`Self::next_question`].
    pub fn on_answer(&mut self, yes: bool) {
        let Some(&(origin, property)) = RULES.get(self.rule) else {
            return;
        };
        if !yes {
            return self.advance();
        }
        let asked = self.asked_set(origin);
        let failing = match property {
            DdProperty::Passes => self.failing_set(),
            DdProperty::Fails => asked.clone(),
        };
        if property == DdProperty::Passes {
            self.passing = asked;
        }
        self.difference = subtract(&failing, &self.passing);
        self.cut(if self.rule < 2 {
            2
        } else {
            self.parts.max(3) - 1
        });
    }

    /// P, the elements of a program that passes.
    pub fn passing(&self) -> IndexRanges {
        IndexRanges::from_sorted(self.passing.iter().copied())
    }

    /// F, the elements of a program that fails.
    pub fn failing(&self) -> IndexRanges {
        IndexRanges::from_sorted(self.failing_set())
    }

    /// Δ, what F has more than P.
    pub fn difference(&self) -> IndexRanges {
        IndexRanges::from_sorted(self.difference.iter().copied())
    }

    /// The next i; after the last one the next rule; after rule 4 rule 5.
    fn advance(&mut self) {
        self.part += 1;
        if self.part < self.parts {
            return;
        }
        (self.rule, self.part) = (self.rule + 1, 0);
        // With two parts P ∪ Δ1 is F ∖ Δ2, and rules 3 and 4 ask what 2 and 1 have asked.
        if self.parts == 2 && self.rule == 2 {
            self.rule = RULES.len();
        }
        if self.rule == RULES.len() && (self.parts as usize) < self.difference.len() {
            self.cut(2 * self.parts);
        }
    }

    /// Begins with rule 1 on n parts.
    fn cut(&mut self, parts: u32) {
        self.parts = parts.min(self.difference.len() as u32);
        (self.rule, self.part) = (0, 0);
    }

    /// P ∪ Δi or F ∖ Δi.
    fn asked_set(&self, origin: DdOrigin) -> Vec<u32> {
        let part = part_range(self.difference.len() as u32, self.parts, self.part);
        let part = &self.difference[part.start as usize..part.end as usize];
        match origin {
            DdOrigin::Grown => unite(&self.passing, part),
            DdOrigin::Shrunk => subtract(&self.failing_set(), part),
        }
    }

    fn failing_set(&self) -> Vec<u32> {
        unite(&self.passing, &self.difference)
    }
}

/// The elements of both sets, sorted.
fn unite(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut both = [a, b].concat();
    both.sort_unstable();
    both
}

/// The elements of `all` that are not in `gone`. Both are sorted.
fn subtract(all: &[u32], gone: &[u32]) -> Vec<u32> {
    let left = all.iter().copied();
    left.filter(|element| gone.binary_search(element).is_err())
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    /// What a program of some elements does: it may be unresolved.
    type Outcome = Option<DdProperty>;

    /// The elements of a set.
    fn elements(set: &IndexRanges) -> Vec<u32> {
        set.ranges().iter().cloned().flatten().collect()
    }

    /// Runs dd from the empty program to its end. Returns its last state and each question with its answer.
    fn isolate(
        length: u32,
        outcome: impl Fn(&[u32]) -> Outcome,
    ) -> (DdIsolator, Vec<(DdQuestion, bool)>) {
        let all = IndexRanges::from_range(0..length);
        let mut state = DdIsolator::new(&IndexRanges::default(), &all);
        let mut asked = Vec::new();
        while let Some(question) = state.next_question() {
            assert!(asked.len() < 100_000, "dd does not end");
            let yes = outcome(&elements(&question.elements)) == Some(question.property);
            state.on_answer(yes);
            asked.push((question, yes));
        }
        (state, asked)
    }

    /// `fails(abcd)? no`, with the letter `a` for element 0.
    fn sentence((question, yes): &(DdQuestion, bool)) -> String {
        let property = match question.property {
            DdProperty::Passes => "passes",
            DdProperty::Fails => "fails",
        };
        let answer = if *yes { "yes" } else { "no" };
        format!("{property}({})? {answer}", letters(&question.elements))
    }

    fn letters(set: &IndexRanges) -> String {
        let letter = |element: u32| char::from(b'a' + element as u8);
        elements(set).into_iter().map(letter).collect()
    }

    #[test]
    fn two_elements_that_fail_together_are_told_apart_in_six_questions() {
        let (state, asked) = isolate(8, |set| {
            let both = set.contains(&2) && set.contains(&6);
            Some(if both {
                DdProperty::Fails
            } else {
                DdProperty::Passes
            })
        });
        let expected = [
            "fails(abcd)? no",
            "fails(efgh)? no",
            "passes(efgh)? yes",
            "fails(abefgh)? no",
            "fails(cdefgh)? yes",
            "fails(cefgh)? yes",
        ];
        assert_eq!(asked.iter().map(sentence).collect::<Vec<_>>(), expected);
        assert_eq!(letters(&state.passing()), "efgh");
        assert_eq!(letters(&state.failing()), "cefgh");
        assert_eq!(letters(&state.difference()), "c");
    }

    #[test]
    fn where_most_is_unresolved_the_parts_become_smaller_and_all_rules_are_tried() {
        // A program needs `a` and `b` together, and fails with all four.
        let (state, asked) = isolate(4, |set| match set {
            [] | [0, 1] => Some(DdProperty::Passes),
            [0, 1, 2, 3] => Some(DdProperty::Fails),
            _ => None,
        });
        let expected = [
            "fails(ab)? no",
            "fails(cd)? no",
            "passes(cd)? no",
            "passes(ab)? yes",
            "fails(abc)? no",
            "fails(abd)? no",
            "passes(abd)? no",
            "passes(abc)? no",
        ];
        assert_eq!(asked.iter().map(sentence).collect::<Vec<_>>(), expected);
        assert_eq!(letters(&state.difference()), "cd");

        // Here P grows by a single element, by rule 3, and F shrinks by one, by rule 4.
        let (state, asked) = isolate(4, |set| match set {
            [] | [3] => Some(DdProperty::Passes),
            [0, 1, 2, 3] | [0, 1, 3] => Some(DdProperty::Fails),
            _ => None,
        });
        let told: Vec<String> = asked.iter().map(sentence).collect();
        assert!(told.contains(&"passes(d)? yes".to_owned()), "{told:?}");
        assert!(told.contains(&"fails(abd)? yes".to_owned()), "{told:?}");
        assert_eq!(letters(&state.passing()), "d");
        assert_eq!(letters(&state.failing()), "abd");
    }

    #[test]
    fn a_difference_of_one_element_or_none_is_the_end() {
        for length in [0, 1] {
            let (state, asked) = isolate(length, |_| panic!("nothing to ask"));
            assert_eq!((state.difference().len(), asked.len()), (length, 0));
        }
    }

    /// Checks what dd promises of its end.
    fn check_end(
        state: &DdIsolator,
        outcome: impl Fn(&[u32]) -> Outcome,
    ) -> Result<(), TestCaseError> {
        let (passing, failing) = (elements(&state.passing()), elements(&state.failing()));
        let difference = elements(&state.difference());
        prop_assert_eq!(outcome(&passing), Some(DdProperty::Passes));
        prop_assert_eq!(outcome(&failing), Some(DdProperty::Fails));
        prop_assert_eq!(subtract(&failing, &passing), difference.clone());
        prop_assert!(!difference.is_empty());
        for one in difference.iter().filter(|_| difference.len() > 1) {
            prop_assert_eq!(
                outcome(&unite(&passing, &[*one])),
                None,
                "{} moves to P or F",
                one
            );
            prop_assert_eq!(
                outcome(&subtract(&failing, &[*one])),
                None,
                "{} leaves F or P",
                one
            );
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn a_monotone_failure_is_isolated_to_one_element(length in 1u32..60, needed in btree_set(0u32..60, 1..6)) {
            let needed: Vec<u32> = needed.into_iter().map(|element| element % length).collect();
            let outcome = |set: &[u32]| {
                let fails = needed.iter().all(|element| set.contains(element));
                Some(if fails { DdProperty::Fails } else { DdProperty::Passes })
            };
            let (state, asked) = isolate(length, outcome);
            check_end(&state, outcome)?;
            prop_assert_eq!(state.difference().len(), 1);
            // Each halving of Δ takes at most four questions.
            prop_assert!(asked.len() <= 4 * (length.ilog2() as usize + 1), "{} questions", asked.len());
        }

        /// Any set may pass, fail or be unresolved, but the empty one passes and the whole one fails.
        #[test]
        fn whatever_the_outcomes_are_no_element_can_be_moved_at_the_end(length in 1u32..14, outcomes in vec(0u8..8, 97)) {
            let outcome = |set: &[u32]| match set.len() as u32 {
                0 => Some(DdProperty::Passes),
                full if full == length => Some(DdProperty::Fails),
                _ => {
                    let mixed = set.iter().fold(1u32, |sum, element| (sum * 31 + element) % 9973);
                    match outcomes[mixed as usize % outcomes.len()] {
                        0 => Some(DdProperty::Passes),
                        1 => Some(DdProperty::Fails),
                        _ => None,
                    }
                }
            };
            let (state, _) = isolate(length, outcome);
            check_end(&state, outcome)?;
        }
    }
}
