//! The cost of a list minimiser on 60,000 elements: a clone of its state with the step after it, and a clone with a verdict.
//!
//! `cargo bench --bench minimize`

use divan::Bencher;
use lop::minimize::{MINIMIZERS, Minimizer, WeightedList, find_minimizer};
use lop::protocol::{Feedback, IndexRanges, ProposerStep};

fn main() {
    divan::main();
}

fn list() -> WeightedList {
    WeightedList::new((0..60_000).map(|at| 1 + at % 97).collect(), 0)
}

/// The state after a thousand questions that were answered with no, and the question at hand.
fn state(list: &WeightedList, name: &str) -> (Box<dyn Minimizer>, IndexRanges) {
    let kind = find_minimizer(name).expect("a name of the table");
    let mut state = (kind.start)(list);
    for _ in 0..1_000 {
        if let ProposerStep::Test(gone, ()) = state.propose(list) {
            state.on_verdict(list, &gone, Feedback::Uninteresting);
        }
    }
    match state.propose(list) {
        ProposerStep::Test(gone, ()) => (state, gone),
        step => panic!("{step:?} where a question was expected"),
    }
}

#[divan::bench(args = MINIMIZERS.iter().map(|kind| kind.name))]
fn clone_and_step(bencher: Bencher, name: &str) {
    let list = list();
    let (state, _) = state(&list, name);
    bencher.bench_local(|| {
        let mut state = state.clone();
        (state.propose(&list), state)
    });
}

#[divan::bench(args = MINIMIZERS.iter().map(|kind| kind.name))]
fn clone_and_no(bencher: Bencher, name: &str) {
    let list = list();
    let (state, gone) = state(&list, name);
    bencher.bench_local(|| {
        let mut state = state.clone();
        state.on_verdict(&list, &gone, Feedback::Uninteresting);
        state
    });
}
