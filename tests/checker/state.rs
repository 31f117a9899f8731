//! States of a program with threads.

use crate::formula::{FALSE, Formula, Moment, Reads, Sides, TRUE, Values};
use crate::program::{Place, Program};

/// One call of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame {
    /// The next step; below another frame, the call.
    pub place: Place,
    pub locals: Values,
}

/// The calls of a thread, the first one first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thread {
    pub frames: Vec<Frame>,
    /// Whether nobody else moves.
    pub atomic: bool,
}

/// Threads are sorted between two moves: which of two equal ones moves is no difference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub globals: Values,
    pub threads: Vec<Thread>,
}

impl State {
    /// Before the first step: any values, but for what nothing reads.
    pub fn first(program: &Program) -> State {
        let frame = Frame::call(program, program.main);
        State {
            globals: Values {
                set: 0,
                any: program.read,
            },
            threads: vec![Thread {
                frames: vec![frame],
                atomic: false,
            }],
        }
    }

    /// The last call of a thread.
    pub fn frame(&self, thread: usize) -> &Frame {
        let frames = &self.threads[thread].frames;
        frames.last().expect("a thread has a call")
    }

    pub fn frame_mut(&mut self, thread: usize) -> &mut Frame {
        let frames = &mut self.threads[thread].frames;
        frames.last_mut().expect("a thread has a call")
    }

    /// The threads that may move.
    pub fn movable_threads(&self) -> Vec<usize> {
        let atomic = self.threads.iter().position(|thread| thread.atomic);
        match atomic {
            Some(thread) => vec![thread],
            // Equal threads stand side by side: one of them moves for all.
            None => (0..self.threads.len())
                .filter(|at| *at == 0 || self.threads[*at] != self.threads[at - 1])
                .collect(),
        }
    }

    /// The calls in other threads of the function that `thread` is in: thread and frame. These have its variables too.
    pub fn other_frames(&self, program: &Program, thread: usize) -> Vec<(usize, usize)> {
        let function = program.owners[self.frame(thread).place];
        let others = self
            .threads
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != thread);
        let frames = others.map(|(other, calls)| {
            let frame = calls
                .frames
                .iter()
                .rposition(|frame| program.owners[frame.place] == function);
            frame.map(|frame| (other, frame))
        });
        frames.flatten().collect()
    }

    /// What a thread sees, with the variables of another call.
    pub fn sides(&self, thread: usize, other: Option<(usize, usize)>) -> Sides {
        Sides {
            globals: self.globals,
            locals: self.frame(thread).locals,
            other: other.map(|(other, frame)| self.threads[other].frames[frame].locals),
        }
    }

    /// What a formula may be in a thread; `x$` is that of any other thread.
    pub fn evaluate(&self, program: &Program, thread: usize, formula: &Formula) -> u8 {
        let alone = formula.evaluate(&Moment::now(self.sides(thread, None)));
        if !formula.mentions_other() {
            return alone;
        }
        let others = self.other_frames(program, thread);
        let values = others
            .iter()
            .map(|other| formula.evaluate(&Moment::now(self.sides(thread, Some(*other)))));
        values
            .reduce(|first, second| first | second)
            .unwrap_or(alone)
    }

    /// The values of a call, or without one of the globals.
    fn values_mut(&mut self, call: Option<(usize, usize)>) -> &mut Values {
        match call {
            Some((thread, frame)) => &mut self.threads[thread].frames[frame].locals,
            None => &mut self.globals,
        }
    }

    /// A variable that is read and has no value yet: its call, and its index.
    fn find_open_variable(
        &self,
        program: &Program,
        thread: usize,
        reads: &Reads,
    ) -> Option<(Option<(usize, usize)>, usize)> {
        let own = (thread, self.threads[thread].frames.len() - 1);
        let others = match reads.others {
            0 => Vec::new(),
            _ => self.other_frames(program, thread),
        };
        let others = others.into_iter().map(|call| (Some(call), reads.others));
        let calls = [(None, reads.globals), (Some(own), reads.locals)]
            .into_iter()
            .chain(others);
        calls.into_iter().find_map(|(call, read)| {
            let values = match call {
                Some((thread, frame)) => self.threads[thread].frames[frame].locals,
                None => self.globals,
            };
            let open = values.any & read;
            (open != 0).then(|| (call, open.trailing_zeros() as usize))
        })
    }

    /// The same state, or many in its place: in each, all that is read has a value.
    pub fn split_values(self, program: &Program, thread: usize, reads: &Reads) -> Vec<State> {
        let mut states = vec![self];
        let mut split = Vec::new();
        while let Some(mut state) = states.pop() {
            let Some((call, index)) = state.find_open_variable(program, thread, reads) else {
                split.push(state);
                continue;
            };
            let mut second = state.clone();
            state.values_mut(call).assign(index, FALSE);
            second.values_mut(call).assign(index, TRUE);
            states.extend([state, second]);
        }
        split
    }
}

impl Frame {
    /// A call at its start: any values, but for what nothing reads.
    pub fn call(program: &Program, function: usize) -> Frame {
        let function = &program.functions[function];
        Frame {
            place: function.start,
            locals: Values {
                set: 0,
                any: function.read,
            },
        }
    }
}
