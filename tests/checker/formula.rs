//! Formulas over variables, and what they may be in a state.

use crate::syntax::Operator;

/// Which variables of a kind something concerns: one bit each.
pub type Mask = u128;

/// The values of the globals, or of the variables of one call. A bit is in at most one of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Values {
    /// The variables that are true.
    pub set: Mask,
    /// The variables that nothing has looked at since they got any value.
    pub any: Mask,
}

impl Values {
    /// What the variable may be.
    pub fn possible(self, index: usize) -> Possible {
        match (self.any >> index & 1, self.set >> index & 1) {
            (1, _) => EITHER,
            (_, 1) => TRUE,
            _ => FALSE,
        }
    }

    pub fn assign(&mut self, index: usize, value: Possible) {
        let bit = 1 << index;
        self.set &= !bit;
        self.any &= !bit;
        match value {
            EITHER => self.any |= bit,
            TRUE => self.set |= bit,
            _ => {}
        }
    }
}

/// What a formula may be: the bits [`FALSE`] and [`TRUE`].
pub type Possible = u8;

pub const FALSE: Possible = 1;
pub const TRUE: Possible = 2;
pub const EITHER: Possible = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Global,
    Local,
}

/// A variable as it is named: `x`, `'x`, `x$`, `'x$`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    pub scope: Scope,
    pub index: usize,
    /// `'x`: after the assignment.
    pub next: bool,
    /// `x$`: in another thread.
    pub other: bool,
}

#[derive(Clone, Debug)]
pub enum Formula {
    Constant(Possible),
    Variable(Variable),
    Not(Box<Formula>),
    Binary(Operator, Box<Formula>, Box<Formula>),
    Choose(Box<Formula>, Box<Formula>),
    Conditional(Box<Formula>, Box<Formula>, Box<Formula>),
}

/// What a formula is about: the globals, the variables of the thread, and those of the other thread.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    pub globals: Values,
    pub locals: Values,
    /// `None` where there is no other thread: its variables may have any value.
    pub other: Option<Values>,
}

/// A state before and after an assignment. Outside of a constraint the two are one.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub before: Sides,
    pub after: Sides,
}

impl Moment {
    pub fn now(sides: Sides) -> Moment {
        Moment {
            before: sides,
            after: sides,
        }
    }

    fn possible(&self, variable: Variable) -> Possible {
        let sides = if variable.next {
            &self.after
        } else {
            &self.before
        };
        match variable {
            Variable {
                scope: Scope::Global,
                index,
                ..
            } => sides.globals.possible(index),
            Variable {
                other: false,
                index,
                ..
            } => sides.locals.possible(index),
            Variable { index, .. } => sides.other.map_or(EITHER, |other| other.possible(index)),
        }
    }
}

fn negate(value: Possible) -> Possible {
    (value & TRUE) >> 1 | (value & FALSE) << 1
}

/// All that `first` and `second` make by `operate`.
fn combine(first: Possible, second: Possible, operate: impl Fn(bool, bool) -> bool) -> Possible {
    let mut result = 0;
    for (a, of_a) in [(false, FALSE), (true, TRUE)] {
        for (b, of_b) in [(false, FALSE), (true, TRUE)] {
            if first & of_a != 0 && second & of_b != 0 {
                result |= if operate(a, b) { TRUE } else { FALSE };
            }
        }
    }
    result
}

impl Operator {
    fn apply(self, first: Possible, second: Possible) -> Possible {
        combine(first, second, |a, b| match self {
            Operator::And => a && b,
            Operator::Or => a || b,
            Operator::Equal => a == b,
            Operator::Different => a != b,
            Operator::Implies => !a || b,
        })
    }
}

impl Formula {
    /// What it may be. Each `*` has its own value; so has each variable that has any value.
    pub fn evaluate(&self, moment: &Moment) -> Possible {
        match self {
            Formula::Constant(value) => *value,
            Formula::Variable(variable) => moment.possible(*variable),
            Formula::Not(inside) => negate(inside.evaluate(moment)),
            Formula::Binary(operator, first, second) => {
                operator.apply(first.evaluate(moment), second.evaluate(moment))
            }
            Formula::Choose(positive, negative) => {
                let (positive, negative) = (positive.evaluate(moment), negative.evaluate(moment));
                let free = if negative & FALSE != 0 { EITHER } else { FALSE };
                (positive & TRUE) | if positive & FALSE != 0 { free } else { 0 }
            }
            Formula::Conditional(condition, first, second) => {
                let condition = condition.evaluate(moment);
                let first = if condition & TRUE != 0 {
                    first.evaluate(moment)
                } else {
                    0
                };
                let second = if condition & FALSE != 0 {
                    second.evaluate(moment)
                } else {
                    0
                };
                first | second
            }
        }
    }

    /// Calls `visit` for each variable in it.
    pub fn visit_variables(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Formula::Constant(_) => {}
            Formula::Variable(variable) => visit(*variable),
            Formula::Not(inside) => inside.visit_variables(visit),
            Formula::Binary(_, first, second) | Formula::Choose(first, second) => {
                first.visit_variables(visit);
                second.visit_variables(visit);
            }
            Formula::Conditional(condition, first, second) => {
                condition.visit_variables(visit);
                first.visit_variables(visit);
                second.visit_variables(visit);
            }
        }
    }

    pub fn mentions_other(&self) -> bool {
        let mut mentions = false;
        self.visit_variables(&mut |variable| mentions |= variable.other);
        mentions
    }
}

/// The variables that formulas mention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    pub globals: Mask,
    pub locals: Mask,
    pub others: Mask,
}

impl Reads {
    pub fn of<'a>(formulas: impl IntoIterator<Item = &'a Formula>) -> Reads {
        let mut reads = Reads::default();
        for formula in formulas {
            formula.visit_variables(&mut |variable| {
                let mask = match variable {
                    Variable {
                        scope: Scope::Global,
                        ..
                    } => &mut reads.globals,
                    Variable { other: true, .. } => &mut reads.others,
                    _ => &mut reads.locals,
                };
                *mask |= 1 << variable.index;
            });
        }
        reads
    }
}
