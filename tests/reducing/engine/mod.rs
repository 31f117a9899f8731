//! The engine with a scripted oracle: what it proposes, accepts and reports.

mod accepts;
mod document_tests;
mod new_test;
mod objectives;
mod pauses_and_errors;
mod planning;
mod property_changes;
mod timeouts;
mod waits;

use crate::common::rows::batch;
use crate::common::{oracle, read, run, setup, text, verdict};
use lop::oracle::{TestOutcome, Verdict};
use lop::reduce::{self, EngineCommand, FinishReason, RunEvent, StepUnit};

const PROGRAM: &str = "// a comment\nint needed = 1;\nint f(int a, int b) { return a + b; }\nint main(void) {\n  int x = f(1, 2);\n  if (x > 2) {\n    needed = x;\n  }\n  return needed;\n}\n";

/// Interesting while it assigns to `needed`.
fn assigns(text: &str) -> TestOutcome {
    verdict(text.contains("needed = x"))
}

#[test]
fn decisions_are_numbered_from_one_and_are_the_same_every_time() {
    let decisions = || {
        let (last, events) = run(setup(read("a.c", PROGRAM), oracle(assigns)));
        let decided = events.into_iter().filter_map(|event| match event {
            RunEvent::Decided(decided) => Some((
                decided.decision,
                decided.verdict,
                decided.sentence.clone(),
                decided.change,
            )),
            _ => None,
        });
        (last, decided.collect::<Vec<_>>())
    };
    let (first, second) = (decisions(), decisions());
    assert_eq!(first, second);
    assert!(
        first
            .1
            .iter()
            .enumerate()
            .all(|(at, (decision, ..))| *decision == at as u64 + 1)
    );
}

#[test]
fn a_step_asks_one_question_and_takes_what_follows_from_it() {
    let runner = oracle(assigns);
    let script = runner.script_handle();
    let run = reduce::start_run(reduce::RunSetup {
        paused: true,
        ..setup(read("a.c", PROGRAM), runner)
    })
    .expect("a run");
    let events = run.events.clone();
    let mut wait = events.iter();
    let until_decided = |mut events: &mut dyn Iterator<Item = RunEvent>| {
        (&mut events).find_map(|event| {
            if let RunEvent::Decided(decided) = event {
                Some(decided)
            } else {
                None
            }
        })
    };
    run.commands
        .send(EngineCommand::Step(StepUnit::Question))
        .expect("it listens");
    let first = until_decided(&mut wait).expect("a decision");
    assert_eq!(
        (first.decision, first.verdict),
        (1, Verdict::Interesting),
        "the comment goes: {}",
        first.sentence
    );
    assert!(matches!(
        wait.next(),
        Some(RunEvent::Accepted { version: 1, .. })
    ));
    run.commands
        .send(EngineCommand::Step(StepUnit::Question))
        .expect("it listens");
    assert_eq!(until_decided(&mut wait).expect("a decision").decision, 2);
    assert_eq!(script.submitted_jobs().len(), 2, "nothing is tested ahead");
    run.commands.send(EngineCommand::Stop).expect("it listens");
    assert!(wait.any(|event| matches!(event, RunEvent::Finished(FinishReason::Stopped))));
    assert_eq!(run.wait_for_end().expect("a snapshot").counts.tests, 2);
}

#[test]
fn a_batch_is_tested_ahead_as_a_whole_and_decided_in_its_order() {
    let program: String = (0..60).map(|i| format!("int v{i};\n")).collect();
    // Every third one must stay.
    let runner = oracle(|text| {
        let needed = |i: &u32| text.contains(&format!("v{i};"));
        verdict((0..60).step_by(3).all(|i| needed(&i)))
    });
    let script = runner.script_handle();
    script.hold_jobs();
    let run = reduce::start_run(reduce::RunSetup {
        jobs: 64,
        options: batch(),
        ..setup(read("a.c", &program), runner)
    })
    .expect("a run");
    let mut held = script.wait_for_held(60);
    held.sort_unstable();
    let decided = || {
        let events = run.events.try_iter();
        events
            .filter(|event| matches!(event, RunEvent::Decided(_)))
            .count()
    };
    for &job in held.iter().skip(1).rev() {
        assert!(script.release_job(job), "no test of the batch is cancelled");
    }
    assert_eq!(decided(), 0, "nothing counts before its turn");
    script.release_job(held[0]);
    script.release_all_jobs();
    let last = run.wait_for_end().expect("a snapshot");
    assert_eq!((last.counts.decisions, last.counts.accepted), (61, 1));
    assert_eq!(last.counts.tests, 61);
    assert_eq!(text(&last.version).lines().count(), 20);
}

/// What became of the questions about each element of a list: tests, answers of the cache, and those of them that differ in white
/// space.
fn asked(program: &str, says: impl Fn(&str) -> bool + Send + Sync + 'static) -> (u64, u64, u64) {
    let run = reduce::start_run(reduce::RunSetup {
        options: batch(),
        ..setup(
            read("a.c", program),
            oracle(move |text| verdict(says(text))),
        )
    });
    let counts = run
        .expect("a run")
        .wait_for_end()
        .expect("a snapshot")
        .counts;
    (counts.tests, counts.cached, counts.respaced)
}

#[test]
fn what_differs_from_an_uninteresting_candidate_in_white_space_only_is_not_tested() {
    // Without the first: `int a; int a;`, without another: one a line.
    let program = "int a;\nint a; int a;\n";
    assert_eq!(asked(program, |_| false), (1, 2, 2));
    assert_eq!(
        asked(program, |text| text.lines().count() == 1),
        (2, 2, 0),
        "interesting says nothing of other white space; the third is the second, the merge the first"
    );
    let directive = "#pragma once\nint a;\nint a; int a;\n";
    let (_, _, respaced) = asked(directive, |_| false);
    assert_eq!(respaced, 0, "newlines mean something to a directive");
}

#[test]
fn tests_that_were_started_for_nothing_are_counted() {
    let (_, one) = counted(1);
    assert_eq!(one.unused_tests(), 0);
    let (submitted, many) = counted(8);
    assert!(many.unused_tests() > 0);
    assert_eq!(many.started, submitted);
    assert_eq!(many.tests + many.unused_tests(), many.started);
    assert_eq!((one.tests, one.cached), (many.tests, many.cached));
}

/// A run with this number of workers: the tests submitted, and the counts.
fn counted(jobs: usize) -> (u64, reduce::RunCounts) {
    let runner = oracle(assigns);
    let script = runner.script_handle();
    let run = reduce::start_run(reduce::RunSetup {
        jobs,
        ..setup(read("a.c", PROGRAM), runner)
    });
    let last = run.expect("a run").wait_for_end().expect("a snapshot");
    (script.submitted_jobs().len() as u64, last.counts)
}
