//! All states of a program that can be reached, breadth first.

use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use crate::assign::assign;
use crate::formula::{FALSE, Formula, Moment, Reads, TRUE};
use crate::program::{Place, Program, Step};
use crate::state::{Frame, State, Thread};

/// How many calls may be inside each other. A path with more ends there.
const DEEPEST_CALLS: usize = 100;

/// How far a check goes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// At most so many threads at a time: no other one starts.
    pub threads: usize,
    /// The check gives up after so many states.
    pub states: usize,
    /// Whether the checker aborts at a constraint with `x$` where there are two threads.
    pub crashes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No assertion can be false.
    Safe,
    /// One can.
    Fails,
    /// The checker with the defect aborted.
    Crashed,
    /// There are too many states.
    Unknown,
}

/// Why a search ends before its time.
enum Stop {
    Failed,
    Crashed,
}

/// Looks for a state in which an assertion is false.
pub fn check_program(program: &Program, bounds: Bounds) -> Outcome {
    let explorer = Explorer {
        program,
        bounds,
        targets: skip_jumps(&program.steps),
    };
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    let mut first = State::first(program);
    first.frame_mut(0).place = explorer.targets[first.frame(0).place];
    let mut found = explorer.enforce(first, 0);
    loop {
        for mut state in found.drain(..) {
            state.threads.sort_unstable();
            let state = Rc::new(state);
            if seen.insert(Rc::clone(&state)) {
                queue.push_back(state);
            }
        }
        if seen.len() > bounds.states {
            return Outcome::Unknown;
        }
        let Some(state) = queue.pop_front() else {
            return Outcome::Safe;
        };
        for thread in state.movable_threads() {
            match explorer.move_thread(&state, thread) {
                Ok(states) => found.extend(states),
                Err(Stop::Failed) => return Outcome::Fails,
                Err(Stop::Crashed) => return Outcome::Crashed,
            }
        }
    }
}

/// For each place the one where something happens: jumps to a single place are no moves.
fn skip_jumps(steps: &[Step]) -> Vec<Place> {
    let target = |start: Place| {
        let mut place = start;
        for _ in 0..steps.len() {
            match &steps[place] {
                Step::Jump(to) if to.len() == 1 => place = to[0],
                _ => return place,
            }
        }
        start
    };
    (0..steps.len()).map(target).collect()
}

struct Explorer<'a> {
    program: &'a Program,
    bounds: Bounds,
    targets: Vec<Place>,
}

impl Explorer<'_> {
    /// All states after the next step of a thread.
    fn move_thread(&self, state: &State, thread: usize) -> Result<Vec<State>, Stop> {
        let step = &self.program.steps[state.frame(thread).place];
        let mut found = Vec::new();
        for state in state
            .clone()
            .split_values(self.program, thread, &step.reads())
        {
            self.make_step(state, thread, step, &mut found)?;
        }
        Ok(found)
    }

    fn make_step(
        &self,
        mut state: State,
        thread: usize,
        step: &Step,
        found: &mut Vec<State>,
    ) -> Result<(), Stop> {
        let next = state.frame(thread).place + 1;
        let possible =
            |state: &State, formula: &Formula| state.evaluate(self.program, thread, formula);
        match step {
            Step::Jump(places) => {
                for place in places {
                    self.go(state.clone(), thread, *place, found);
                }
            }
            Step::Branch(condition, inside, otherwise) => {
                let value = possible(&state, condition);
                for (part, place) in [(TRUE, inside), (FALSE, otherwise)] {
                    if value & part != 0 {
                        self.go(state.clone(), thread, *place, found);
                    }
                }
            }
            Step::Assume(condition) if possible(&state, condition) & TRUE == 0 => {}
            Step::Assert(condition) if possible(&state, condition) & FALSE != 0 => {
                return Err(Stop::Failed);
            }
            Step::Assume(_) | Step::Assert(_) => self.go(state, thread, next, found),
            Step::Assign(to, values) => {
                let mentions_other = to.constraint.as_ref().is_some_and(Formula::mentions_other);
                if self.bounds.crashes && state.threads.len() > 1 && mentions_other {
                    return Err(Stop::Crashed);
                }
                for state in
                    assign(
                        self.program,
                        state,
                        thread,
                        to,
                        |state, other, value| match other {
                            Some(other) => values[value]
                                .evaluate(&Moment::now(state.sides(thread, Some(other)))),
                            None => possible(state, &values[value]),
                        },
                    )
                {
                    self.go(state, thread, next, found);
                }
            }
            Step::Call {
                function,
                arguments,
                ..
            } => {
                if state.threads[thread].frames.len() == DEEPEST_CALLS {
                    return Ok(());
                }
                let mut frame = Frame::call(self.program, *function);
                let read = self.program.functions[*function].read;
                for (index, argument) in arguments.iter().enumerate() {
                    if read >> index & 1 == 1 {
                        frame.locals.assign(index, possible(&state, argument));
                    }
                }
                let start = frame.place;
                state.threads[thread].frames.push(frame);
                self.go(state, thread, start, found);
            }
            Step::Return(values) => {
                let results: Vec<u8> = values.iter().map(|value| possible(&state, value)).collect();
                state.threads[thread].frames.pop();
                self.finish_call(state, thread, &results, found);
            }
            Step::StartThread(place) => {
                if state.threads.len() == self.bounds.threads {
                    self.go(state, thread, next, found);
                    return Ok(());
                }
                // Both threads have the same values: any value would not be the same one.
                let locals = Reads {
                    locals: u128::MAX,
                    ..Reads::default()
                };
                for mut state in state.split_values(self.program, thread, &locals) {
                    let frame = Frame {
                        place: self.targets[*place],
                        locals: state.frame(thread).locals,
                    };
                    state.threads.push(Thread {
                        frames: vec![frame],
                        atomic: false,
                    });
                    self.go(state, thread, next, found);
                }
            }
            Step::EndThread => {
                state.threads.remove(thread);
                found.push(state);
            }
            Step::SetAtomic(atomic) => {
                state.threads[thread].atomic = *atomic;
                self.go(state, thread, next, found);
            }
        }
        Ok(())
    }

    /// After the last step of a call: its results go where the call says, or the thread is gone.
    fn finish_call(&self, mut state: State, thread: usize, results: &[u8], found: &mut Vec<State>) {
        if state.threads[thread].frames.is_empty() {
            state.threads.remove(thread);
            found.push(state);
            return;
        }
        let place = state.frame(thread).place;
        let Step::Call { results: to, .. } = &self.program.steps[place] else {
            unreachable!("below a call there is a step that calls");
        };
        for state in state.split_values(self.program, thread, &Reads::of(&to.constraint)) {
            for state in assign(self.program, state, thread, to, |_, _, result| {
                results[result]
            }) {
                self.go(state, thread, place + 1, found);
            }
        }
    }

    /// A thread goes to a place, if what the function enforces can be true there.
    fn go(&self, mut state: State, thread: usize, place: Place, found: &mut Vec<State>) {
        state.frame_mut(thread).place = self.targets[place];
        found.extend(self.enforce(state, thread));
    }

    fn enforce(&self, state: State, thread: usize) -> Vec<State> {
        let enforced =
            &self.program.functions[self.program.owners[state.frame(thread).place]].enforced;
        if enforced.is_empty() {
            return vec![state];
        }
        let mut states = state.split_values(self.program, thread, &Reads::of(enforced));
        states.retain(|state| {
            enforced
                .iter()
                .all(|formula| state.evaluate(self.program, thread, formula) & TRUE != 0)
        });
        states
    }
}
