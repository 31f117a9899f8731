//! What the outcomes of its changes say about a token: pure data.
//!
//! | role | the outcomes of the changes of the token that were tried |
//! | --- | --- |
//! | *free in its kind* | at least two fillings of its kind keep the bug, and none that is valid loses it (the abstraction of DDSET: Gopinath et al., *Abstracting Failure-Inducing Inputs*, ISSTA 2020) |
//! | *essential* | none keeps the bug, and a valid one loses it; where validity is unknown, each loses it |
//! | *only needed to compile* | each that loses the bug is invalid, and none is left to try |
//! | *unknown* | the rest, with the reason |
//!
//! [`ROLE_RULES`] has the table in full; the first rule whose conditions hold decides.

/// What a change of the program leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeOutcome {
    /// It keeps the bug: the neighbour is interesting.
    Fails,
    /// It loses the bug and is valid.
    Works,
    /// It loses the bug and is invalid: for the parser, the check or the test.
    Invalid,
    /// It loses the bug, and nobody says whether it is valid.
    Lost,
    /// The test or the check gave no verdict.
    NoVerdict,
    /// It was not tried: it is beyond the limit of tests.
    Untried,
}

/// How a change bears on the role of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// The token goes.
    Deletion,
    /// Another filling of its kind takes its place. A name that occurs more than once is filled everywhere at once.
    Filling,
    /// Something else takes its place.
    Other,
}

const OUTCOMES: usize = 6;
const KINDS: usize = 3;

/// How many changes of a token had which outcome, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts([[u32; OUTCOMES]; KINDS]);

impl OutcomeCounts {
    /// Counts a change.
    pub fn record_change(&mut self, kind: ChangeKind, outcome: ChangeOutcome) {
        self.0[kind as usize][outcome as usize] += 1;
    }

    /// The changes with this outcome: of one kind, or of all.
    pub fn count(&self, kind: Option<ChangeKind>, outcome: ChangeOutcome) -> u32 {
        let of = |kind: usize| self.0[kind][outcome as usize];
        match kind {
            Some(kind) => of(kind as usize),
            None => (0..KINDS).map(of).sum(),
        }
    }
}

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenRole {
    /// Any change of it loses the bug.
    Essential,
    /// Other fillings of its kind keep the bug.
    Free,
    /// Without it, the program is invalid, and that is all.
    CompileOnly,
    /// It could not be decided.
    Unknown(UnknownReason),
}

/// Why the role of a token could not be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnknownReason {
    /// It can be deleted: the program is not minimal here.
    Removable,
    /// Some changes keep the bug, and others lose it.
    Mixed,
    /// No change loses the bug, and fewer than two fillings were tried.
    FewFillings,
    /// The test or the check gave no verdict.
    NoVerdict,
    /// Changes of it are beyond the limit of tests, or there are none.
    NotTried,
}

impl UnknownReason {
    /// The reason, for the report.
    pub fn describe(self) -> &'static str {
        match self {
            UnknownReason::Removable => "it can go: the program is not minimal here",
            UnknownReason::Mixed => "some changes of it keep the bug, others lose it",
            UnknownReason::FewFillings => "too few other fillings are known",
            UnknownReason::NoVerdict => "the test or the check gave no verdict",
            UnknownReason::NotTried => "not enough changes of it were tried",
        }
    }
}

/// A bound on how many changes there are, of a kind or (`None`) of all, with an outcome.
type RoleCondition = (Option<ChangeKind>, ChangeOutcome, CountBound);

/// A bound on a count.
#[derive(Clone, Copy, Debug)]
enum CountBound {
    Zero,
    AtLeast(u32),
}

impl CountBound {
    fn admits(self, count: u32) -> bool {
        match self {
            CountBound::Zero => count == 0,
            CountBound::AtLeast(least) => count >= least,
        }
    }
}

/// A role, and the conditions that all hold for it.
struct RoleRule {
    role: TokenRole,
    conditions: &'static [RoleCondition],
}

use ChangeKind::{Deletion, Filling};
use ChangeOutcome::{Fails, Invalid, Lost, NoVerdict, Untried, Works};
use CountBound::{AtLeast, Zero};

/// The roles. The first rule whose conditions hold decides; the last has none.
const ROLE_RULES: &[RoleRule] = &[
    RoleRule {
        role: TokenRole::Unknown(UnknownReason::Removable),
        conditions: &[(Some(Deletion), Fails, AtLeast(1))],
    },
    RoleRule {
        role: TokenRole::Free,
        conditions: &[
            (Some(Filling), Fails, AtLeast(2)),
            (Some(Filling), Works, Zero),
            (Some(Filling), Lost, Zero),
        ],
    },
    RoleRule {
        role: TokenRole::Essential,
        conditions: &[(None, Fails, Zero), (None, Works, AtLeast(1))],
    },
    RoleRule {
        role: TokenRole::Essential,
        conditions: &[(None, Fails, Zero), (None, Lost, AtLeast(1))],
    },
    RoleRule {
        role: TokenRole::CompileOnly,
        conditions: &[
            (None, Works, Zero),
            (None, Lost, Zero),
            (None, Untried, Zero),
            (None, Invalid, AtLeast(1)),
        ],
    },
    RoleRule {
        role: TokenRole::Unknown(UnknownReason::FewFillings),
        conditions: &[
            (None, Fails, AtLeast(1)),
            (None, Works, Zero),
            (None, Lost, Zero),
        ],
    },
    RoleRule {
        role: TokenRole::Unknown(UnknownReason::Mixed),
        conditions: &[(None, Fails, AtLeast(1))],
    },
    RoleRule {
        role: TokenRole::Unknown(UnknownReason::NoVerdict),
        conditions: &[(None, NoVerdict, AtLeast(1))],
    },
    RoleRule {
        role: TokenRole::Unknown(UnknownReason::NotTried),
        conditions: &[],
    },
];

/// The role of a token whose changes had these outcomes.
pub fn decide_role(counts: &OutcomeCounts) -> TokenRole {
    let holds =
        |(kind, outcome, bound): &RoleCondition| bound.admits(counts.count(*kind, *outcome));
    let mut rules = ROLE_RULES.iter();
    rules
        .find(|rule| rule.conditions.iter().all(holds))
        .map_or(TokenRole::Unknown(UnknownReason::NotTried), |rule| {
            rule.role
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ChangeKind::Other;

    fn role(changes: &[(ChangeKind, ChangeOutcome)]) -> TokenRole {
        let mut counts = OutcomeCounts::default();
        for &(kind, outcome) in changes {
            counts.record_change(kind, outcome);
        }
        decide_role(&counts)
    }

    #[test]
    fn a_token_is_essential_if_each_valid_change_works() {
        let all = [(Deletion, Works), (Filling, Works), (Filling, Invalid)];
        assert_eq!(role(&all), TokenRole::Essential);
        // Without a check, each change must lose the bug.
        let lost = [(Deletion, Lost), (Filling, Lost), (Filling, Invalid)];
        assert_eq!(role(&lost), TokenRole::Essential);
    }

    #[test]
    fn a_token_is_free_if_two_fillings_fail_and_no_valid_one_works() {
        let two = [(Filling, Fails), (Filling, Fails)];
        assert_eq!(role(&two), TokenRole::Free);
        // What is no filling of its kind does not count against it.
        let others = [(Deletion, Works), (Other, Works), (Filling, Invalid)];
        assert_eq!(role(&[&two[..], &others].concat()), TokenRole::Free);
        for valid in [Works, Lost] {
            let one = [&two[..], &[(Filling, valid)]].concat();
            assert_eq!(role(&one), TokenRole::Unknown(UnknownReason::Mixed));
        }
    }

    #[test]
    fn a_token_is_only_needed_to_compile_if_what_loses_the_bug_is_invalid() {
        assert_eq!(role(&[(Deletion, Invalid)]), TokenRole::CompileOnly);
        let one = [(Deletion, Invalid), (Filling, Fails)];
        assert_eq!(role(&one), TokenRole::CompileOnly);
        let untold = [(Deletion, Invalid), (Filling, NoVerdict)];
        assert_eq!(role(&untold), TokenRole::CompileOnly);
    }

    #[test]
    fn the_rest_is_unknown_with_a_reason() {
        let rows: [(&[_], _); 6] = [
            (
                &[(Deletion, Fails), (Filling, Works)],
                UnknownReason::Removable,
            ),
            (&[(Filling, Fails), (Filling, Works)], UnknownReason::Mixed),
            (&[(Filling, Fails)], UnknownReason::FewFillings),
            (&[(Filling, NoVerdict)], UnknownReason::NoVerdict),
            (
                &[(Deletion, Invalid), (Filling, Untried)],
                UnknownReason::NotTried,
            ),
            (&[], UnknownReason::NotTried),
        ];
        for (changes, reason) in rows {
            assert_eq!(role(changes), TokenRole::Unknown(reason), "{changes:?}");
        }
    }
}
