//! The engine: what it asks, takes and tells, against a scripted oracle.

mod common;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use common::rows::batch;
use common::{failure, oracle, read, run, setup, text, verdict};
use lop::language;
use lop::language::parser::ParseLimit;
use lop::oracle::{JobId, NoVerdict, Outcome};
use lop::reduce::{self, Command, Ending, Event, Finish, State, Stride};

const PROGRAM: &str = "// a comment\nint needed = 1;\nint f(int a, int b) { return a + b; }\nint main(void) {\n  int x = f(1, 2);\n  if (x > 2) {\n    needed = x;\n  }\n  return needed;\n}\n";

/// Interesting while it assigns to `needed`.
fn assigns(text: &str) -> Outcome {
    verdict(text.contains("needed = x"))
}

#[test]
fn only_tested_bytes_are_taken_each_smaller_than_the_last_and_none_is_tested_twice() {
    let tested: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = tested.clone();
    let runner = oracle(move |text| {
        log.lock().expect("unpoisoned").push(text.to_string());
        assigns(text)
    });
    let (last, events) = run(setup(read("a.c", PROGRAM), runner));
    let tested = tested.lock().expect("unpoisoned").clone();
    assert_eq!(
        tested.iter().collect::<HashSet<_>>().len(),
        tested.len(),
        "no text is tested twice"
    );
    assert!(tested.contains(&last));
    assert_eq!(
        last.split_whitespace().collect::<String>(),
        "{needed=x;}",
        "{last}"
    );
    let sizes: Vec<_> = events
        .iter()
        .filter_map(|event| {
            if let Event::Taken { tokens, bytes, .. } = event {
                Some((*tokens, *bytes))
            } else {
                None
            }
        })
        .collect();
    assert!(sizes.windows(2).all(|pair| pair[1] < pair[0]), "{sizes:?}");
    assert!(matches!(
        events.last(),
        Some(Event::Finished(Finish::Complete))
    ));
}

#[test]
fn no_candidate_with_more_errors_than_the_program_is_tested() {
    let runner = oracle(|text| {
        let language = language::by_name("c").expect("C");
        let tree = language
            .parser()
            .parse(text.as_bytes(), None, ParseLimit::for_length(text.len()))
            .expect("the parse ends");
        assert_eq!(tree.faults(), 0, "{text}");
        assigns(text)
    });
    run(setup(read("a.c", PROGRAM), runner));
}

#[test]
fn decisions_are_numbered_from_one_and_are_the_same_every_time() {
    let decisions = || {
        let (last, events) = run(setup(read("a.c", PROGRAM), oracle(assigns)));
        let decided = events.into_iter().filter_map(|event| match event {
            Event::Decided(decided) => Some((
                decided.decision,
                decided.ending,
                decided.sentence.clone(),
                decided.saved,
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
    let script = runner.script();
    let run = reduce::start(reduce::Setup {
        paused: true,
        ..setup(read("a.c", PROGRAM), runner)
    })
    .expect("a run");
    let events = run.events.clone();
    let mut wait = events.iter();
    let until_decided = |mut events: &mut dyn Iterator<Item = Event>| {
        (&mut events).find_map(|event| {
            if let Event::Decided(decided) = event {
                Some(decided)
            } else {
                None
            }
        })
    };
    run.commands
        .send(Command::Step(Stride::Question))
        .expect("it listens");
    let first = until_decided(&mut wait).expect("a decision");
    assert_eq!(
        (first.decision, first.ending),
        (1, Ending::Interesting),
        "the comment goes: {}",
        first.sentence
    );
    assert!(matches!(wait.next(), Some(Event::Taken { version: 1, .. })));
    run.commands
        .send(Command::Step(Stride::Question))
        .expect("it listens");
    assert_eq!(until_decided(&mut wait).expect("a decision").decision, 2);
    assert_eq!(script.submitted().len(), 2, "nothing is tested ahead");
    run.commands.send(Command::Stop).expect("it listens");
    assert!(wait.any(|event| matches!(event, Event::Finished(Finish::Stopped))));
    assert_eq!(run.finish().expect("a snapshot").counts.tests, 2);
}

#[test]
fn a_pause_lets_the_test_that_runs_end_and_asks_no_more() {
    let runner = oracle(assigns);
    let script = runner.script();
    script.hold();
    let run = reduce::start(setup(read("a.c", PROGRAM), runner)).expect("a run");
    let mut events = run.events.iter();
    let held = script.wait_for_held(1);
    run.commands.send(Command::Pause).expect("it listens");
    let paused = events.find_map(|event| {
        if let Event::Paused { before, reason } = event {
            Some((before, reason))
        } else {
            None
        }
    });
    assert_eq!(
        paused,
        Some((2, None)),
        "it holds before the decision after the one in the air"
    );
    script.release(held[0]);
    assert!(events.any(|event| matches!(event, Event::Taken { .. })));
    assert_eq!(
        run.board.newest().expect("a snapshot").state,
        State::Paused(None)
    );
    run.commands.send(Command::Resume).expect("it listens");
    assert!(events.any(|event| matches!(event, Event::Resumed { before: 2 })));
    script.release_all();
    assert!(events.any(|event| matches!(event, Event::Finished(Finish::Complete))));
}

#[test]
fn stopping_kills_the_test_that_runs_and_keeps_the_newest_version() {
    let runner = oracle(assigns);
    let script = runner.script();
    script.hold();
    let run = reduce::start(setup(read("a.c", PROGRAM), runner)).expect("a run");
    let first = script.wait_for_held(1);
    script.release(first[0]);
    let second = script.wait_for_held(1);
    assert_eq!(second, [JobId(2)]);
    run.commands.send(Command::Stop).expect("it listens");
    let last = run.finish().expect("a snapshot");
    assert_eq!(last.state, State::Finished(Finish::Stopped));
    assert!(
        text(&last.version).starts_with("int needed"),
        "without the comment"
    );
    assert!(!script.release(second[0]), "the job was cancelled");
}

/// Fails the first `failures` times from the second test on, then does its work.
fn failing(failures: u32) -> impl Fn(&str) -> Outcome {
    let asked = AtomicU32::new(0);
    move |text| match asked.fetch_add(1, Ordering::SeqCst) {
        n if n >= 1 && n <= failures => failure(),
        _ => assigns(text),
    }
}

#[test]
fn a_test_that_fails_now_and_then_is_asked_again() {
    let (clean, _) = run(setup(read("a.c", PROGRAM), oracle(assigns)));
    let (last, events) = run(setup(read("a.c", PROGRAM), oracle(failing(2))));
    assert_eq!(last, clean);
    let notes = events
        .iter()
        .filter(|event| matches!(event, Event::Note(note) if note.contains("127")))
        .count();
    assert_eq!(notes, 2);
}

#[test]
fn a_test_that_fails_three_times_in_a_row_pauses_the_run_until_it_is_mended() {
    let run = reduce::start(setup(read("a.c", PROGRAM), oracle(failing(3)))).expect("a run");
    let mut events = run.events.iter();
    let reason = events.find_map(|event| {
        if let Event::Paused { reason, .. } = event {
            reason
        } else {
            None
        }
    });
    assert!(reason.expect("a pause with its reason").contains("127"));
    run.commands.send(Command::Resume).expect("it listens");
    assert!(events.any(|event| matches!(event, Event::Finished(Finish::Complete))));
}

#[test]
fn where_nobody_can_mend_it_a_test_that_fails_three_times_ends_the_run() {
    let (last, events) = run(reduce::Setup {
        fail: true,
        ..setup(read("a.c", PROGRAM), oracle(failing(3)))
    });
    assert!(
        matches!(events.last(), Some(Event::Finished(Finish::Failed(reason))) if reason.contains("127"))
    );
    assert!(last.starts_with("int needed"), "the version before stands");
}

#[test]
fn a_failure_of_the_system_is_no_verdict_and_is_waited_out() {
    let asked = AtomicU32::new(0);
    let runner = oracle(move |text| match asked.fetch_add(1, Ordering::SeqCst) {
        1 => Outcome::NoVerdict(NoVerdict::System {
            doing: "writing the candidate",
            reason: "No space left on device".into(),
            errno: Some(28),
        }),
        _ => assigns(text),
    });
    let (clean, _) = run(setup(read("a.c", PROGRAM), oracle(assigns)));
    let (last, events) = run(reduce::Setup {
        fail: true,
        ..setup(read("a.c", PROGRAM), runner)
    });
    assert_eq!(last, clean);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Note(note) if note.contains("No space left")))
    );
}

#[test]
fn the_engine_does_not_wait_for_a_screen_that_looks_all_the_time() {
    let run = reduce::start(setup(read("a.c", PROGRAM), oracle(assigns))).expect("a run");
    let (board, bell) = (run.board.clone(), run.board.bell());
    let screen = std::thread::spawn(move || {
        let mut seen = 0;
        while !board
            .newest()
            .is_some_and(|snapshot| matches!(snapshot.state, State::Finished(_)))
        {
            let _ = bell.recv();
            seen += 1;
        }
        (seen, board.waited())
    });
    assert!(
        run.events
            .iter()
            .any(|event| matches!(event, Event::Finished(Finish::Complete)))
    );
    let (seen, waited) = screen.join().expect("the screen");
    assert!(seen > 0);
    assert!(
        waited < std::time::Duration::from_millis(100),
        "the engine waited {waited:?} for the screen"
    );
}

#[test]
fn a_batch_is_tested_ahead_as_a_whole_and_decided_in_its_order() {
    let program: String = (0..60).map(|i| format!("int v{i};\n")).collect();
    // Every third one must stay.
    let runner = oracle(|text| {
        let needed = |i: &u32| text.contains(&format!("v{i};"));
        verdict((0..60).step_by(3).all(|i| needed(&i)))
    });
    let script = runner.script();
    script.hold();
    let run = reduce::start(reduce::Setup {
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
            .filter(|event| matches!(event, Event::Decided(_)))
            .count()
    };
    for &job in held.iter().skip(1).rev() {
        assert!(script.release(job), "no test of the batch is cancelled");
    }
    assert_eq!(decided(), 0, "nothing counts before its turn");
    script.release(held[0]);
    script.release_all();
    let last = run.finish().expect("a snapshot");
    assert_eq!((last.counts.decisions, last.counts.taken), (61, 1));
    assert_eq!(last.counts.tests, 61);
    assert_eq!(text(&last.version).lines().count(), 20);
}

/// What became of the questions about each element of a list: tests, answers of the cache, and those of them that differ in white
/// space.
fn asked(program: &str, says: impl Fn(&str) -> bool + Send + Sync + 'static) -> (u64, u64, u64) {
    let run = reduce::start(reduce::Setup {
        options: batch(),
        ..setup(
            read("a.c", program),
            oracle(move |text| verdict(says(text))),
        )
    });
    let counts = run.expect("a run").finish().expect("a snapshot").counts;
    (counts.tests, counts.cached, counts.respaced)
}

#[test]
fn what_differs_from_a_boring_candidate_in_white_space_only_is_not_tested() {
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
    assert_eq!(one.unused(), 0);
    let (submitted, many) = counted(8);
    assert!(many.unused() > 0);
    assert_eq!(many.started, submitted);
    assert_eq!(many.tests + many.unused(), many.started);
    assert_eq!((one.tests, one.cached), (many.tests, many.cached));
}

/// A run with so many workers: tests submitted, and what was counted.
fn counted(jobs: usize) -> (u64, reduce::Counts) {
    let runner = oracle(assigns);
    let script = runner.script();
    let run = reduce::start(reduce::Setup {
        jobs,
        ..setup(read("a.c", PROGRAM), runner)
    });
    let last = run.expect("a run").finish().expect("a snapshot");
    (script.submitted().len() as u64, last.counts)
}
