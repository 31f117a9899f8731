//! What a list minimiser costs on a list of 60,000 elements: a clone of its state with the step after it, and a clone that is told
//! something.
//!
//! `cargo bench --bench minimize`

use divan::Bencher;
use lop::dialogue::{Answer, Indices, Step};
use lop::minimize::{KINDS, List, Minimizer, kind};

fn main() {
    divan::main();
}

fn list() -> List {
    List::new((0..60_000).map(|at| 1 + at % 97).collect(), 0)
}

/// The state after a thousand questions that were answered with no, and the question at hand.
fn state(list: &List, name: &str) -> (Box<dyn Minimizer>, Indices) {
    let kind = kind(name).expect("a name of the table");
    let mut state = (kind.start)(list);
    for _ in 0..1_000 {
        if let Step::Ask(gone, ()) = state.step(list) {
            state.told(list, &gone, Answer::No);
        }
    }
    match state.step(list) {
        Step::Ask(gone, ()) => (state, gone),
        step => panic!("{step:?} where a question was expected"),
    }
}

#[divan::bench(args = KINDS.iter().map(|kind| kind.name))]
fn clone_and_step(bencher: Bencher, name: &str) {
    let list = list();
    let (state, _) = state(&list, name);
    bencher.bench_local(|| {
        let mut state = state.clone();
        (state.step(&list), state)
    });
}

#[divan::bench(args = KINDS.iter().map(|kind| kind.name))]
fn clone_and_no(bencher: Bencher, name: &str) {
    let list = list();
    let (state, gone) = state(&list, name);
    bencher.bench_local(|| {
        let mut state = state.clone();
        state.told(&list, &gone, Answer::No);
        state
    });
}
