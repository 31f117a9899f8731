//! The stretches of a long text on their way through all processors: each is parsed, joined to those before it, worked on, and taken in the order of the text.
//!
//! A processor that is free takes the next step that is there, so none waits until others are done with a round of work. Few parser's trees are there at once:
//! work on a stretch comes before the parse of another.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::stretches::{ParsedStretch, StretchLengths, StretchParser, TriedStretch};
use crate::language::Language;

/// Parses a text by stretches, does `work` on each, and gives `take` the results on this thread, in the order of the text. None if the text must be parsed as a
/// whole; then `take` may have had some.
pub fn visit_stretches<T: Send>(
    language: &'static Language,
    masked: &[u8],
    lengths: StretchLengths,
    work: impl Fn(ParsedStretch) -> T + Sync,
    mut take: impl FnMut(T),
) -> Option<()> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let parser = StretchParser::new(language, masked, lengths)?;
    let pipeline = StretchPipeline {
        state: Mutex::new(PipelineState {
            parser,
            parsing: 0,
            ready: VecDeque::new(),
            joined: 0,
            worked: BTreeMap::new(),
            taken: 0,
            most_untaken: 2 * processors,
            end: None,
        }),
        changed: Condvar::new(),
    };
    let do_step = |step| match step {
        PipelineStep::Parse(number, range) => {
            let tried = TriedStretch::parse(language, masked, range);
            pipeline.add_parsed(number, tried);
        }
        PipelineStep::Work(number, stretch) => pipeline.add_worked(number, work(stretch)),
    };
    thread::scope(|scope| {
        let _end = EndAtDrop(&pipeline);
        for _ in 1..processors {
            // If the system has no thread left, there are fewer.
            let _ = thread::Builder::new().spawn_scoped(scope, || {
                let _end = EndAtDrop(&pipeline);
                while let Some(step) = pipeline.wait_for_step() {
                    do_step(step);
                }
            });
        }
        loop {
            match pipeline.wait_for_turn() {
                PipelineTurn::Take(result) => take(result),
                PipelineTurn::Step(step) => do_step(step),
                PipelineTurn::End(end) => return (end == PipelineEnd::Done).then_some(()),
            }
        }
    })
}

/// What any thread may do next.
enum PipelineStep {
    Parse(usize, Range<usize>),
    Work(usize, ParsedStretch),
}

/// What the thread does next that takes the results.
enum PipelineTurn<T> {
    Take(T),
    Step(PipelineStep),
    End(PipelineEnd),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PipelineEnd {
    /// All results were taken.
    Done,
    /// The text must be parsed as a whole, or a thread has panicked.
    GivenUp,
}

struct StretchPipeline<'a, T> {
    state: Mutex<PipelineState<'a, T>>,
    /// There may be another step.
    changed: Condvar,
}

struct PipelineState<'a, T> {
    parser: StretchParser<'a>,
    /// How many stretches are being parsed.
    parsing: usize,
    /// The stretches that were joined, with their numbers, and were not worked on.
    ready: VecDeque<(usize, ParsedStretch)>,
    /// How many were joined so far.
    joined: usize,
    /// The results that were not taken, by number.
    worked: BTreeMap<usize, T>,
    /// How many were taken so far.
    taken: usize,
    /// With more results than these no further stretch is parsed.
    most_untaken: usize,
    end: Option<PipelineEnd>,
}

impl<T> PipelineState<'_, T> {
    fn next_step(&mut self) -> Option<PipelineStep> {
        if let Some((number, stretch)) = self.ready.pop_front() {
            return Some(PipelineStep::Work(number, stretch));
        }
        if self.worked.len() > self.most_untaken {
            return None;
        }
        let (number, range) = self.parser.next_range()?;
        self.parsing += 1;
        Some(PipelineStep::Parse(number, range))
    }

    /// Whether each stretch was parsed and joined.
    fn is_joined(&self) -> bool {
        self.parsing == 0 && self.parser.is_handed_out()
    }
}

impl<'a, T> StretchPipeline<'a, T> {
    fn lock(&self) -> MutexGuard<'_, PipelineState<'a, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'b>(
        &self,
        state: MutexGuard<'b, PipelineState<'a, T>>,
    ) -> MutexGuard<'b, PipelineState<'a, T>> {
        let state = self.changed.wait(state);
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// The next step of a thread that takes no results; none if there will be no more.
    fn wait_for_step(&self) -> Option<PipelineStep> {
        let mut state = self.lock();
        while state.end.is_none() {
            if let Some(step) = state.next_step() {
                return Some(step);
            }
            state = self.wait(state);
        }
        None
    }

    /// What the thread does next that takes the results.
    fn wait_for_turn(&self) -> PipelineTurn<T> {
        let mut state = self.lock();
        loop {
            if let Some(end) = state.end {
                return PipelineTurn::End(end);
            }
            let next = state.taken;
            if let Some(result) = state.worked.remove(&next) {
                state.taken += 1;
                self.changed.notify_all();
                return PipelineTurn::Take(result);
            }
            if let Some(step) = state.next_step() {
                return PipelineTurn::Step(step);
            }
            if state.is_joined() && state.taken == state.joined {
                return PipelineTurn::End(PipelineEnd::Done);
            }
            state = self.wait(state);
        }
    }

    fn add_parsed(&self, number: usize, tried: TriedStretch) {
        let mut state = self.lock();
        state.parsing -= 1;
        match state.parser.join_parsed(number, tried) {
            Ok(joined) => {
                let from = state.joined;
                state.joined += joined.len();
                state.ready.extend((from..).zip(joined));
            }
            Err(_) => state.end = Some(PipelineEnd::GivenUp),
        }
        self.changed.notify_all();
    }

    fn add_worked(&self, number: usize, result: T) {
        self.lock().worked.insert(number, result);
        self.changed.notify_all();
    }
}

/// Nothing is begun any more once this is dropped: when all is done, or when a thread unwinds, for which the others would wait.
struct EndAtDrop<'a, 'b, T>(&'b StretchPipeline<'a, T>);

impl<T> Drop for EndAtDrop<'_, '_, T> {
    fn drop(&mut self) {
        self.0.lock().end.get_or_insert(PipelineEnd::GivenUp);
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::language;

    /// A text of a thousand functions, and lengths that cut it into dozens of stretches.
    fn visit_functions<T: Send>(
        work: impl Fn(ParsedStretch) -> T + Sync,
        take: impl FnMut(T),
    ) -> Option<()> {
        let functions = (0..1000).map(|at| format!("int f{at}(int a) {{ return a; }}\n"));
        let lengths = StretchLengths {
            text: 1,
            stretch: 1000,
            shared: 300,
            agreement: 60,
        };
        let c = language::by_name("c").expect("it is known");
        visit_stretches(
            c,
            functions.collect::<String>().as_bytes(),
            lengths,
            work,
            take,
        )
    }

    #[test]
    fn results_come_in_the_order_of_the_text() {
        let mut taken = Vec::new();
        visit_functions(|stretch| stretch.items, |items| taken.push(items)).expect("stretches fit");
        assert!(taken.len() > 10, "{taken:?}");
        assert!(taken.windows(2).all(|pair| pair[0].end == pair[1].start));
        let ends = (
            taken.first().map(|items| items.start),
            taken.last().map(|items| items.end),
        );
        assert_eq!(ends, (Some(0), Some(usize::MAX)));
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let unwinds = |work: fn(ParsedStretch) -> usize, take: fn(usize)| {
            catch_unwind(AssertUnwindSafe(|| visit_functions(work, take))).is_err()
        };
        assert!(unwinds(
            |stretch| match stretch.items.start {
                0..5000 => stretch.items.start,
                _ => panic!("work"),
            },
            |_| {}
        ));
        assert!(unwinds(
            |stretch| stretch.items.start,
            |start| assert!(start < 5000, "take")
        ));
    }
}
