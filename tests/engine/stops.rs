//! Pauses, stops and trouble.

use std::sync::atomic::{AtomicU32, Ordering};

use lop::oracle::{JobId, NoVerdict, Outcome};
use lop::reduce::{self, Command, Event, Finish, State};

use crate::common::{failure, oracle, read, run, setup, text};
use crate::{PROGRAM, assigns};

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
    let obeyed = events.find_map(|event| match event {
        Event::Obeyed { before, .. } => Some(before),
        _ => None,
    });
    assert_eq!(obeyed, Some(2), "and says so");
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
fn a_runner_that_panics_is_asked_again() {
    let asked = AtomicU32::new(0);
    // The first candidate comes to it by a worker, which has confirmed it by then.
    let runner = oracle(move |text| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => panic!("the runner's own fault"),
        _ => assigns(text),
    });
    let (clean, _) = run(setup(read("a.c", PROGRAM), oracle(assigns)));
    let (last, events) = run(setup(read("a.c", PROGRAM), runner));
    assert_eq!(last, clean);
    let told = |event: &Event| matches!(event, Event::Note(note) if note.contains("the runner's own fault"));
    assert_eq!(events.iter().filter(|event| told(event)).count(), 1);
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
