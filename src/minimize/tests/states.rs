//! What list minimisers say of their state: (elements, what is needed, the states that a screen would show).

use crate::minimize::{Minimizer, WeightedList, find_minimizer};
use crate::protocol::{
    AlgorithmFact, AlgorithmPicture, AlgorithmState, ChunkFate, FactValue, Feedback, ProposerStep,
};

/// A state as a row: the list, a letter an element with a blank between two chunks, then the present line and the numbers.
fn row(state: &AlgorithmState<u32>) -> String {
    let [layer] = &state.layers[..] else {
        panic!("one algorithm");
    };
    let AlgorithmPicture::Chunks(picture) = &layer.picture else {
        panic!("a list");
    };
    assert_eq!((picture.before, picture.after), (0, 0));
    let chunks = picture.chunks.iter().map(|chunk| {
        assert_eq!(chunk.last + 1 - chunk.first, chunk.elements);
        let letter = match chunk.fate {
            ChunkFate::Going | ChunkFate::GoingInPart => "-",
            ChunkFate::KeptAlone => "K",
            ChunkFate::Tried => "t",
            ChunkFate::Open => "o",
        };
        letter.repeat(chunk.elements as usize)
    });
    let facts = layer
        .facts
        .iter()
        .map(|AlgorithmFact { label, value }| match value {
            FactValue::Equals(value) => format!("{label} = {value}"),
            FactValue::Place(at, of) => format!("{label} {at} of {of}"),
            FactValue::Count(count) => format!("{count} {label}"),
        });
    let line = layer.text.lines[layer.line].trim();
    let line = line.split('?').next().unwrap_or(line);
    let row = format!(
        "{:<12}{:<12}{}",
        chunks.collect::<Vec<_>>().join(" "),
        line.replace("is the empty list interesting", "empty list?"),
        facts.collect::<Vec<_>>().join(", ")
    );
    row.trim_end().to_owned()
}

/// The states of all questions about eight elements of which these are needed, and whether each state tells the truth about its candidate.
fn states(name: &str, needed: &[u32]) -> Vec<String> {
    let mut list = WeightedList::with_equal_weights(8, 0);
    let mut left: Vec<u32> = (0..8).collect();
    let mut minimizer = (find_minimizer(name).expect("the table has it").start)(&list);
    let mut rows = Vec::new();
    loop {
        match minimizer.propose(&list) {
            ProposerStep::Test(asked, ()) => {
                let state = minimizer.describe_algorithm(&list).expect("it has a state");
                check_candidate(&state, list.length, |at| asked.contains(at));
                rows.push(row(&state));
                let goes = |at: u32| asked.contains(at) && needed.contains(&left[at as usize]);
                let answer = match (0..list.length).any(goes) {
                    true => Feedback::Uninteresting,
                    false => Feedback::Interesting,
                };
                minimizer.on_verdict(&list, &asked, answer);
            }
            ProposerStep::Accept(gone) => {
                let mut at = 0..;
                left.retain(|_| !at.next().is_some_and(|at| gone.contains(at)));
                list = list.without_elements(&gone);
                minimizer.on_accept(&list, &gone);
            }
            ProposerStep::Reparse | ProposerStep::Done => return rows,
        }
    }
}

/// The chunks are the whole list, and those that go are the candidate.
fn check_candidate(state: &AlgorithmState<u32>, length: u32, goes: impl Fn(u32) -> bool) {
    for layer in &state.layers {
        assert!(layer.line < layer.text.lines.len(), "{}", layer.text.name);
        let AlgorithmPicture::Chunks(picture) = &layer.picture else {
            continue;
        };
        let mut next = 0;
        for chunk in &picture.chunks {
            assert_eq!(chunk.first, next, "{}", layer.text.name);
            next = chunk.last + 1;
            for at in chunk.first..next {
                let is_going = chunk.fate == ChunkFate::Going;
                assert_eq!(is_going, goes(at), "{}: element {at}", layer.text.name);
            }
        }
        assert_eq!(next, length, "{}", layer.text.name);
    }
}

/// ddmin's questions, where the second and the seventh of eight elements are needed.
#[rustfmt::skip]
const DDMIN: [&str; 23] = [
    "--------    empty list?",
    "KKKK ----   one alone   n = 2, subset 1 of 2",
    "---- KKKK   one alone   n = 2, subset 2 of 2",
    "KK -- -- -- one alone   n = 4, subset 1 of 4",
    "-- KK -- -- one alone   n = 4, subset 2 of 4",
    "-- -- KK -- one alone   n = 4, subset 3 of 4",
    "-- -- -- KK one alone   n = 4, subset 4 of 4",
    "-- oo oo oo all but one n = 4, complement 1 of 4",
    "tt -- oo oo all but one n = 4, complement 2 of 4",
    "-- oo oo    all but one n = 3, complement 1 of 3",
    "tt -- oo    all but one n = 3, complement 2 of 3",
    "KK --       one alone   n = 2, subset 1 of 2",
    "-- KK       one alone   n = 2, subset 2 of 2",
    "K - - -     one alone   n = 4, subset 1 of 4",
    "- K - -     one alone   n = 4, subset 2 of 4",
    "- - K -     one alone   n = 4, subset 3 of 4",
    "- - - K     one alone   n = 4, subset 4 of 4",
    "- o o o     all but one n = 4, complement 1 of 4",
    "- o o       all but one n = 3, complement 1 of 3",
    "t - o       all but one n = 3, complement 2 of 3",
    "t t -       all but one n = 3, complement 3 of 3",
    "K -         one alone   n = 2, subset 1 of 2",
    "- K         one alone   n = 2, subset 2 of 2",
];

/// The same for `complements`.
#[rustfmt::skip]
const COMPLEMENTS: [&str; 13] = [
    "--------    all but it  size = 8, part 1 of 1",
    "oooo ----   all but it  size = 4, part 2 of 2",
    "---- tttt   all but it  size = 4, part 1 of 2",
    "oo oo oo -- all but it  size = 2, part 4 of 4",
    "oo oo -- tt all but it  size = 2, part 3 of 4",
    "oo -- tt    all but it  size = 2, part 2 of 3",
    "-- tt       all but it  size = 2, part 1 of 2",
    "o o o -     all but it  size = 1, part 4 of 4",
    "o o -       all but it  size = 1, part 3 of 3",
    "o - t       all but it  size = 1, part 2 of 3",
    "- t t       all but it  size = 1, part 1 of 3",
    "o -         all but it  size = 1, part 2 of 2",
    "- t         all but it  size = 1, part 1 of 2",
];

#[test]
fn ddmin_tells_its_chunks_and_its_line() {
    assert_eq!(states("ddmin", &[1, 6]), DDMIN);
}

#[test]
fn a_sweep_tells_the_size_of_its_parts() {
    assert_eq!(states("complements", &[1, 6]), COMPLEMENTS);
}

#[test]
fn every_list_minimiser_tells_the_candidate_that_it_proposes() {
    for kind in crate::minimize::MINIMIZERS {
        for needed in [&[][..], &[0], &[7], &[2, 3], &[0, 3, 5, 7]] {
            states(kind.name, needed);
        }
    }
}

#[test]
fn elements_that_must_stay_have_their_places_in_the_list() {
    let mut list = WeightedList::with_equal_weights(8, 0);
    list.fixed = crate::protocol::IndexRanges::from_sorted([2, 3]);
    let mut ddmin: Box<dyn Minimizer> =
        (find_minimizer("ddmin").expect("the table has it").start)(&list);
    assert!(matches!(ddmin.propose(&list), ProposerStep::Test(..)));
    let state = ddmin.describe_algorithm(&list).expect("it has a state");
    let AlgorithmPicture::Chunks(picture) = &state.layers[0].picture else {
        panic!("a list");
    };
    let [whole] = &picture.chunks[..] else {
        panic!("one chunk");
    };
    assert_eq!((whole.first, whole.last, whole.elements), (0, 7, 6));
}
