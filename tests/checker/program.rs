//! A checked program: each name stands for something, and each function is a row of steps.

use crate::formula::{Formula, Mask, Reads, Variable};

/// The index of a step, over all functions.
pub type Place = usize;

/// A fault that a checker could have, and that a run can look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// `x$` is read as `x`, and what is assigned to it is lost.
    Mixed,
    /// `'x` is read as `x`.
    Constrain,
    /// It aborts at a constraint with `x$` where there are two threads.
    Crash,
}

#[derive(Clone, Debug)]
pub enum Step {
    Jump(Vec<Place>),
    Branch(Formula, Place, Place),
    Assume(Formula),
    Assert(Formula),
    Assign(Assignment, Vec<Formula>),
    Call {
        function: usize,
        arguments: Vec<Formula>,
        results: Assignment,
    },
    Return(Vec<Formula>),
    StartThread(Place),
    EndThread,
    SetAtomic(bool),
}

/// Where values go. `None` is `_`.
#[derive(Clone, Debug)]
pub struct Assignment {
    pub targets: Vec<Option<Variable>>,
    pub constraint: Option<Formula>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub start: Place,
    pub enforced: Vec<Formula>,
    /// The local variables that something reads.
    pub read: Mask,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub functions: Vec<Function>,
    pub main: usize,
    pub steps: Vec<Step>,
    /// The function of each step.
    pub owners: Vec<usize>,
    /// The global variables that something reads.
    pub read: Mask,
}

impl Step {
    /// What it reads when it is made.
    pub fn reads(&self) -> Reads {
        match self {
            Step::Branch(formula, ..) | Step::Assume(formula) | Step::Assert(formula) => {
                Reads::of([formula])
            }
            Step::Assign(to, values) => Reads::of(values.iter().chain(&to.constraint)),
            Step::Call {
                arguments, results, ..
            } => Reads::of(arguments.iter().chain(&results.constraint)),
            Step::Return(values) => Reads::of(values),
            _ => Reads::default(),
        }
    }
}
