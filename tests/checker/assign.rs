//! Parallel assignments: all values are those of before, `x$` gets its value in each other thread, and states that the constraint
//! excludes do not exist.

use crate::formula::{EITHER, FALSE, Formula, Moment, Possible, Scope, TRUE, Values, Variable};
use crate::program::{Assignment, Program};
use crate::state::State;

/// A call in another thread: thread and frame.
type OtherCall = (usize, usize);

/// A variable that gets a value, and which ones it may be.
type Change = (Variable, Possible);

/// All states after an assignment by `thread`. All that it reads has a value. `value` says what the value of an index may be; for a
/// variable of another thread, with its call.
pub fn assign(
    program: &Program,
    state: State,
    thread: usize,
    to: &Assignment,
    value: impl Fn(&State, Option<OtherCall>, usize) -> Possible,
) -> Vec<State> {
    let changes = |other: Option<OtherCall>| -> Vec<Change> {
        let targets = to.targets.iter().enumerate();
        let targets = targets.filter_map(|(index, target)| Some((index, (*target)?)));
        let targets = targets.filter(|(_, target)| {
            target.other == other.is_some() && is_read(program, &state, thread, *target)
        });
        targets
            .map(|(index, target)| (target, value(&state, other, index)))
            .collect()
    };
    let constraint = to.constraint.as_ref();
    let concerns_others = to.targets.iter().flatten().any(|target| target.other)
        || constraint.is_some_and(Formula::mentions_other);
    let others = if concerns_others {
        state.other_frames(program, thread)
    } else {
        Vec::new()
    };
    let mut after = Vec::new();
    for own in list_choices(&changes(None), constraint) {
        let mut next = state.clone();
        for (variable, value) in own {
            match variable.scope {
                Scope::Global => next.globals.assign(variable.index, value),
                Scope::Local => next.frame_mut(thread).locals.assign(variable.index, value),
            }
        }
        let holds = |state_after: &State, other: Option<OtherCall>, locals: Option<Values>| {
            let before = state.sides(thread, other);
            let mut sides = state_after.sides(thread, None);
            sides.other = locals;
            constraint.is_none_or(|constraint| {
                constraint.evaluate(&Moment {
                    before,
                    after: sides,
                }) & TRUE
                    != 0
            })
        };
        if others.is_empty() {
            if holds(&next, None, None) {
                after.push(next);
            }
            continue;
        }
        let mut states = vec![next];
        for (other, frame) in &others {
            let call = Some((*other, *frame));
            let before = state.threads[*other].frames[*frame].locals;
            let choices = list_choices(&changes(call), constraint);
            let choices = choices.into_iter().map(|choice| {
                let mut locals = before;
                choice
                    .into_iter()
                    .for_each(|(variable, value)| locals.assign(variable.index, value));
                locals
            });
            let choices: Vec<Values> = choices
                .filter(|locals| holds(&states[0], call, Some(*locals)))
                .collect();
            let pairs = states
                .iter()
                .flat_map(|state| choices.iter().map(move |locals| (state, locals)));
            states = pairs
                .map(|(state, locals)| {
                    let mut state = state.clone();
                    state.threads[*other].frames[*frame].locals = *locals;
                    state
                })
                .collect();
            if states.is_empty() {
                break;
            }
        }
        after.append(&mut states);
    }
    after
}

/// Whether anything reads the variable. What nothing reads stays as it is, so that states do not differ by it.
fn is_read(program: &Program, state: &State, thread: usize, variable: Variable) -> bool {
    let read = match variable.scope {
        Scope::Global => program.read,
        Scope::Local => program.functions[program.owners[state.frame(thread).place]].read,
    };
    read >> variable.index & 1 == 1
}

/// All ways to choose the values. A variable that the constraint does not mention may keep any value.
fn list_choices(changes: &[Change], constraint: Option<&Formula>) -> Vec<Vec<Change>> {
    let mut choices = vec![Vec::new()];
    for (variable, value) in changes {
        let values: &[Possible] = match *value {
            EITHER if constraint.is_some_and(|constraint| mentions(constraint, *variable)) => {
                &[FALSE, TRUE]
            }
            EITHER => &[EITHER],
            TRUE => &[TRUE],
            _ => &[FALSE],
        };
        let longer = choices.iter().flat_map(|choice| {
            values.iter().map(|value| {
                let mut choice = choice.clone();
                choice.push((*variable, *value));
                choice
            })
        });
        choices = longer.collect();
    }
    choices
}

/// Whether a constraint is about the value that a variable gets.
fn mentions(constraint: &Formula, wanted: Variable) -> bool {
    let mut mentions = false;
    constraint.visit_variables(&mut |variable| {
        mentions |= variable
            == Variable {
                next: true,
                ..wanted
            }
    });
    mentions
}
