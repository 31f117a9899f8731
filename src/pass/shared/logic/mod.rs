//! Expressions of two values: as values, their simplifier, and what an expression could become (bp-reduce's README).
//!
//! `read.rs` reads an expression off the tree, `edit.rs` makes the edit that turns one expression into another. The two families of checkers
//! bind operators differently. What they read differently without parentheses is [`Logic::Other`]: its variables can be replaced, and
//! nothing else is known of it.

pub mod edit;
pub mod read;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::language::StatementFacts;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// A constant.
    Constant(bool),
    /// Any value.
    Any,
    /// A variable, by its text.
    Variable(Arc<[u8]>),
    /// The other value.
    Not(Box<Logic>),
    /// A chain of operands.
    Chain(ChainKind, Vec<Logic>),
    /// Whether two operands are equal, or differ.
    Comparison {
        /// Whether they are equal.
        equal: bool,
        /// The operands.
        operands: Box<[Logic; 2]>,
    },
    /// Something else: its tokens and the expressions between them.
    Other(Vec<OtherPart>),
}

/// Which chain it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainKind {
    /// True if all operands are.
    And,
    /// True if one operand is.
    Or,
}

/// A part of what is not read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OtherPart {
    /// A token.
    Token(Arc<[u8]>),
    /// An expression.
    Inner(Logic),
}

impl ChainKind {
    /// The constant that an operand may be without changing the value of the chain.
    fn neutral(self) -> bool {
        self == ChainKind::And
    }

    fn other(self) -> ChainKind {
        match self {
            ChainKind::And => ChainKind::Or,
            ChainKind::Or => ChainKind::And,
        }
    }
}

impl Logic {
    /// Its text, with as few parentheses as both families of checkers need.
    pub fn describe(&self, facts: &StatementFacts) -> String {
        let mut tokens = Vec::new();
        edit::write_tokens(facts, self, &mut tokens);
        let words = tokens.iter().map(|token| String::from_utf8_lossy(token));
        words.collect::<Vec<_>>().join(" ")
    }

    fn is_literal(&self) -> bool {
        match self {
            Logic::Variable(_) => true,
            Logic::Not(inner) => matches!(**inner, Logic::Variable(_)),
            _ => false,
        }
    }

    /// The expressions directly inside.
    fn inner(&self) -> Vec<&Logic> {
        match self {
            Logic::Constant(_) | Logic::Any | Logic::Variable(_) => Vec::new(),
            Logic::Not(inner) => vec![inner],
            Logic::Chain(_, operands) => operands.iter().collect(),
            Logic::Comparison { operands, .. } => operands.iter().collect(),
            Logic::Other(parts) => {
                let inner = parts.iter().filter_map(|part| match part {
                    OtherPart::Token(_) => None,
                    OtherPart::Inner(inner) => Some(inner),
                });
                inner.collect()
            }
        }
    }

    fn inner_mut(&mut self) -> Vec<&mut Logic> {
        match self {
            Logic::Constant(_) | Logic::Any | Logic::Variable(_) => Vec::new(),
            Logic::Not(inner) => vec![inner],
            Logic::Chain(_, operands) => operands.iter_mut().collect(),
            Logic::Comparison { operands, .. } => operands.iter_mut().collect(),
            Logic::Other(parts) => {
                let inner = parts.iter_mut().filter_map(|part| match part {
                    OtherPart::Token(_) => None,
                    OtherPart::Inner(inner) => Some(inner),
                });
                inner.collect()
            }
        }
    }

    /// Its leaves of one sort, from left to right: how many there are.
    fn count_leaves(&self, wanted: &dyn Fn(&Logic) -> bool) -> usize {
        let inner = self.inner().into_iter();
        usize::from(wanted(self)) + inner.map(|inner| inner.count_leaves(wanted)).sum::<usize>()
    }

    /// Replaces the `number`-th leaf of one sort by a constant.
    fn replace_leaf(
        &mut self,
        wanted: &dyn Fn(&Logic) -> bool,
        number: &mut usize,
        constant: bool,
    ) {
        if wanted(self) {
            if *number == 0 {
                *self = Logic::Constant(constant);
            }
            // Past the one that is replaced, this goes on below zero.
            *number = number.wrapping_sub(1);
            return;
        }
        for inner in self.inner_mut() {
            inner.replace_leaf(wanted, number, constant);
        }
    }

    fn with_leaf(&self, wanted: &dyn Fn(&Logic) -> bool, number: usize, constant: bool) -> Logic {
        let (mut new, mut left) = (self.clone(), number);
        new.replace_leaf(wanted, &mut left, constant);
        new.simplify()
    }

    /// The variables, each once, in the order of their first occurrences.
    fn variables(&self) -> Vec<Arc<[u8]>> {
        let (mut found, mut open) = (Vec::new(), vec![self]);
        while let Some(logic) = open.pop() {
            if let Logic::Variable(name) = logic
                && !found.contains(name)
            {
                found.push(name.clone());
            }
            open.extend(logic.inner().into_iter().rev());
        }
        found
    }

    /// What this could become, in the order in which bp-reduce tries it: for each variable, its first occurrence as a constant; each of
    /// those with one open value as a constant; without variables, the open values alone. All are simplified and different.
    pub fn candidates(&self) -> Vec<Logic> {
        let simple = self.clone().simplify();
        let is_open = |logic: &Logic| *logic == Logic::Any;
        let closed = |logic: &Logic| -> Vec<Logic> {
            let all = 0..logic.count_leaves(&is_open);
            all.flat_map(|number| {
                [true, false].map(|value| logic.with_leaf(&is_open, number, value))
            })
            .collect()
        };
        let mut all = Vec::new();
        for name in simple.variables() {
            let is_name = |logic: &Logic| matches!(logic, Logic::Variable(own) if *own == name);
            for value in [true, false] {
                let new = simple.with_leaf(&is_name, 0, value);
                let further = closed(&new);
                all.push(new);
                all.extend(further);
            }
        }
        if all.is_empty() {
            all = closed(&simple);
        }
        let mut different = Vec::new();
        for new in all {
            if new != simple && new != *self && !different.contains(&new) {
                different.push(new);
            }
        }
        different
    }

    /// The same value in fewer words, from the inside to the outside.
    pub fn simplify(self) -> Logic {
        let mut simple = self;
        for inner in simple.inner_mut() {
            *inner = std::mem::replace(inner, Logic::Any).simplify();
        }
        match simple {
            Logic::Not(inner) => negate(*inner),
            Logic::Chain(kind, operands) => join_operands(kind, operands),
            Logic::Comparison { equal, operands } => compare(equal, *operands),
            other => other,
        }
    }
}

/// The negation of what is simple.
fn negate(inner: Logic) -> Logic {
    match inner {
        Logic::Constant(value) => Logic::Constant(!value),
        Logic::Not(inner) => *inner,
        Logic::Chain(kind, operands) if operands.iter().all(Logic::is_literal) => {
            let operands = operands.into_iter().map(negate).collect();
            join_operands(kind.other(), operands)
        }
        inner => Logic::Not(Box::new(inner)),
    }
}

/// A chain of simple operands.
fn join_operands(kind: ChainKind, operands: Vec<Logic>) -> Logic {
    let mut joined: Vec<Logic> = Vec::new();
    for operand in operands {
        match operand {
            Logic::Chain(inner, operands) if inner == kind => joined.extend(operands),
            operand => joined.push(operand),
        }
    }
    let mut different: Vec<Logic> = Vec::new();
    for operand in joined {
        if operand == Logic::Constant(!kind.neutral()) {
            return operand;
        }
        if operand != Logic::Constant(kind.neutral()) && !different.contains(&operand) {
            different.push(operand);
        }
    }
    let opposed = |operand: &Logic| match operand {
        Logic::Not(inner) => different.contains(inner),
        _ => false,
    };
    if different.iter().any(opposed) {
        return Logic::Constant(!kind.neutral());
    }
    match different.len() {
        0 => Logic::Constant(kind.neutral()),
        1 => different.remove(0),
        _ => Logic::Chain(kind, different),
    }
}

/// A comparison of simple operands.
fn compare(equal: bool, [left, right]: [Logic; 2]) -> Logic {
    let is_any = |logic: &Logic| *logic == Logic::Any;
    match (left, right) {
        (left, right) if is_any(&left) || is_any(&right) => Logic::Any,
        (Logic::Constant(value), other) | (other, Logic::Constant(value)) => match value == equal {
            true => other,
            false => negate(other),
        },
        // Two open values may differ.
        (left, right) if left == right && left.count_leaves(&is_any) == 0 => Logic::Constant(equal),
        (left, right) => Logic::Comparison {
            equal,
            operands: Box::new([left, right]),
        },
    }
}
