//! The strategy `choices` on a sequence of bytes, of which a generator makes the program: (sequence, test, result, what was asked).

use std::path::Path;
use std::sync::Arc;

use crate::common::{oracle, run, setup, verdict};
use lop::oracle::Verdict;
use lop::pass::{self, PassOptions};
use lop::program::{self, Objective};
use lop::protocol::{list_choices, read_choices};
use lop::reduce::{RunEvent, RunSetup};

/// An expression out of choices, each taken modulo the number of alternatives; none if it wants more choices than there are.
fn expression(choices: &mut impl Iterator<Item = u8>) -> Option<String> {
    Some(match choices.next()? % 7 {
        0 => (choices.next()? % 10).to_string(),
        1 => format!("({})", expression(choices)?),
        2 => format!("{}+{}", expression(choices)?, expression(choices)?),
        3 => format!("{}*{}", expression(choices)?, expression(choices)?),
        4 => format!("-{}", expression(choices)?),
        5 => format!("f({})", expression(choices)?),
        _ => "x".to_owned(),
    })
}

/// What is left of a sequence, and each question with its answer.
fn story(bytes: &[u8], jobs: usize, wanted: fn(&str) -> bool) -> (Vec<u8>, Vec<String>) {
    let runner = oracle(move |listing| {
        let bytes = read_choices(listing.as_bytes()).expect("a listing");
        verdict(expression(&mut bytes.into_iter()).is_some_and(|program| wanted(&program)))
    });
    let source = (
        None,
        Arc::from(Path::new("c.bin")),
        list_choices(bytes).into(),
    );
    let version = program::read_documents(vec![source]).expect("it is read");
    let choices = pass::find_strategy("choices").expect("a strategy");
    let (last, events) = run(RunSetup {
        options: PassOptions::from_strategy(choices),
        jobs,
        ..setup(version.with_objective(Objective::Choices), runner)
    });
    let asked = events.into_iter().filter_map(|event| match event {
        RunEvent::Decided(decided) if decided.verdict == Verdict::Interesting => {
            Some(format!("yes: {}", decided.sentence))
        }
        RunEvent::Decided(decided) => Some(format!("no: {}", decided.sentence)),
        _ => None,
    });
    let asked = asked.collect();
    (read_choices(last.as_bytes()).expect("a listing"), asked)
}

/// Many bytes that look like no others.
fn noise(count: usize) -> Vec<u8> {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    let states = std::iter::successors(Some(1), next);
    states
        .skip(1)
        .map(|state| (state >> 24) as u8)
        .take(count)
        .collect()
}

#[test]
fn few_and_low_choices_are_left_of_many() {
    // `(3+f(9*x))`, then bytes that the generator does not read.
    let program = [8, 2 + 7, 7 * 20, 13, 12, 10, 0, 99, 6];
    let bytes = [&program[..], &noise(500)].concat();
    let (last, asked) = story(&bytes, 1, |program| program.contains("f("));
    // `f(x)`: each choice is as low as it can be, though 12 and 13 would make the same.
    assert_eq!(last, [5, 6]);
    let steps: Vec<&str> = asked
        .iter()
        .filter_map(|asked| asked.strip_prefix("yes: "))
        .collect();
    assert_eq!(steps[0], "Can 128 choices in a row go? 128 tokens fewer");
    for jobs in [2, 8] {
        let same = story(&bytes, jobs, |program| program.contains("f("));
        assert_eq!(same, (last.clone(), asked.clone()));
    }
}

#[test]
fn what_hangs_on_a_choice_goes_with_it() {
    // `x+(x)` for a program with a parenthesis: the sum and its first part go together.
    let (last, _) = story(&[2, 6, 1, 6], 1, |program| program.contains('('));
    assert_eq!(last, [1, 6]);
}

#[test]
fn a_sequence_may_become_empty() {
    let (last, asked) = story(&[], 1, |_| true);
    assert_eq!((last, asked.len()), (Vec::new(), 0));
}
