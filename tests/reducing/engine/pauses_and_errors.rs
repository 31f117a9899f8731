//! Pauses, stops and errors.

use std::sync::atomic::{AtomicU32, Ordering};

use lop::oracle::{JobId, NoVerdict, RunnerScript, TestOutcome};
use lop::reduce::{
    self, AudienceSeat, EngineCommand, FinishReason, RunAudience, RunEvent, RunState, StepUnit,
};

use crate::common::{failure, oracle, read, run, setup, text};
use crate::engine::{PROGRAM, assigns};

#[test]
fn a_pause_lets_the_test_that_runs_end_and_asks_no_more() {
    let runner = oracle(assigns);
    let script = runner.script_handle();
    script.hold_jobs();
    let run = reduce::start_run(setup(read("a.c", PROGRAM), runner)).expect("a run");
    let mut events = run.events.iter();
    let held = script.wait_for_held(1);
    run.commands.send(EngineCommand::Pause).expect("it listens");
    let paused = events.find_map(|event| {
        if let RunEvent::Paused { before, reason, .. } = event {
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
        RunEvent::CommandApplied { before, .. } => Some(before),
        _ => None,
    });
    assert_eq!(obeyed, Some(2), "and says so");
    script.release_job(held[0]);
    assert!(events.any(|event| matches!(event, RunEvent::Accepted { .. })));
    assert_eq!(
        run.board.newest_snapshot().expect("a snapshot").state,
        RunState::Paused(None)
    );
    run.commands
        .send(EngineCommand::Resume)
        .expect("it listens");
    assert!(events.any(|event| matches!(event, RunEvent::Resumed { before: 2 })));
    script.release_all_jobs();
    assert!(events.any(|event| matches!(event, RunEvent::Finished(FinishReason::Complete))));
}

#[test]
fn stopping_kills_the_test_that_runs_and_keeps_the_newest_version() {
    let runner = oracle(assigns);
    let script = runner.script_handle();
    script.hold_jobs();
    let run = reduce::start_run(setup(read("a.c", PROGRAM), runner)).expect("a run");
    let first = script.wait_for_held(1);
    script.release_job(first[0]);
    let second = script.wait_for_held(1);
    assert_eq!(second, [JobId(2)]);
    run.commands.send(EngineCommand::Stop).expect("it listens");
    let last = run.wait_for_end().expect("a snapshot");
    assert_eq!(last.state, RunState::Finished(FinishReason::Stopped));
    assert!(
        text(&last.version).starts_with("int needed"),
        "without the comment"
    );
    assert!(!script.release_job(second[0]), "the job was cancelled");
}

/// Fails the first `failures` times from the second test on, then does its work.
fn failing(failures: u32) -> impl Fn(&str) -> TestOutcome {
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
        .filter(|event| matches!(event, RunEvent::Note(note) if note.contains("127")))
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
    let told = |event: &RunEvent| matches!(event, RunEvent::Note(note) if note.contains("the runner's own fault"));
    assert_eq!(events.iter().filter(|event| told(event)).count(), 1);
}

#[test]
fn a_test_that_fails_three_times_in_a_row_pauses_the_run_until_it_is_mended() {
    let run = reduce::start_run(setup(read("a.c", PROGRAM), oracle(failing(3)))).expect("a run");
    let mut events = run.events.iter();
    let reason = events.find_map(|event| {
        if let RunEvent::Paused { reason, .. } = event {
            reason
        } else {
            None
        }
    });
    assert!(reason.expect("a pause with its reason").contains("127"));
    run.commands
        .send(EngineCommand::Resume)
        .expect("it listens");
    assert!(events.any(|event| matches!(event, RunEvent::Finished(FinishReason::Complete))));
}

#[test]
fn where_nobody_can_mend_it_a_test_that_fails_three_times_ends_the_run() {
    let (last, events) = run(reduce::RunSetup {
        audience: RunAudience::default(),
        ..setup(read("a.c", PROGRAM), oracle(failing(3)))
    });
    assert!(
        matches!(events.last(), Some(RunEvent::Finished(FinishReason::Failed(reason))) if reason.contains("127"))
    );
    assert!(last.starts_with("int needed"), "the version before stands");
}

/// A run without a resident, on which a screen has just come. Its first test is held.
fn visited_run() -> (reduce::RunHandle, AudienceSeat, RunnerScript) {
    let runner = oracle(assigns);
    let script = runner.script_handle();
    script.hold_jobs();
    let audience = RunAudience::default();
    let run = reduce::start_run(reduce::RunSetup {
        audience: audience.clone(),
        ..setup(read("a.c", PROGRAM), runner)
    });
    let run = run.expect("a run");
    script.wait_for_held(1);
    let seat = audience.enter(run.commands.clone(), run.board.clone());
    (run, seat, script)
}

/// Whether somebody was there when the run paused; then what else it said until its end.
fn pause_and_rest(run: &reduce::RunHandle) -> (bool, Vec<RunEvent>) {
    let mut events = run.events.iter();
    let paused = events.find_map(|event| match event {
        RunEvent::Paused { is_attended, .. } => Some(is_attended),
        _ => None,
    });
    (paused.expect("a pause"), events.collect())
}

fn ends(events: &[RunEvent], so: &FinishReason) -> bool {
    matches!(events.last(), Some(RunEvent::Finished(reason)) if reason == so)
}

#[test]
fn a_pause_holds_as_long_as_a_screen_is_there_and_the_run_goes_on_when_it_has_gone() {
    let (run, seat, script) = visited_run();
    run.commands.send(EngineCommand::Pause).expect("it listens");
    let mut events = run.events.iter();
    let attended = |event: &RunEvent| {
        matches!(
            event,
            RunEvent::Paused {
                is_attended: true,
                ..
            }
        )
    };
    assert!(events.any(|event| attended(&event)));
    script.release_all_jobs();
    drop(seat);
    let rest: Vec<RunEvent> = events.collect();
    let resumed = |event: &RunEvent| matches!(event, RunEvent::Resumed { .. });
    assert!(rest.iter().any(resumed));
    assert!(ends(&rest, &FinishReason::Complete));
}

#[test]
fn what_a_screen_that_has_gone_wanted_to_pause_at_holds_nobody() {
    let (run, seat, script) = visited_run();
    let until = EngineCommand::parse_line("until size 50").expect("a command");
    run.commands.send(until).expect("it listens");
    drop(seat);
    script.release_all_jobs();
    let (is_attended, rest) = pause_and_rest(&run);
    assert!(!is_attended);
    assert!(ends(&rest, &FinishReason::Complete));
}

#[test]
fn whoever_has_looked_before_a_script_pauses_the_run_with_nobody_there_it_ends() {
    for line in [
        "until size 50",
        "break size 50",
        "at size 49: pause",
        "step commit",
    ] {
        let runner = oracle(assigns);
        let script = runner.script_handle();
        script.hold_jobs();
        let audience = RunAudience::default();
        let run = reduce::start_run(reduce::RunSetup {
            audience: audience.clone(),
            script: reduce::parse_script(line).expect("a script"),
            ..setup(read("a.c", PROGRAM), runner)
        });
        let run = run.expect("a run");
        script.wait_for_held(1);
        drop(audience.enter(run.commands.clone(), run.board.clone()));
        script.release_all_jobs();
        let (is_attended, rest) = pause_and_rest(&run);
        assert!(!is_attended, "{line}");
        assert!(ends(&rest, &FinishReason::Stopped), "{line}");
    }
}

#[test]
fn a_pause_on_a_run_that_nobody_ever_looked_at_ends_it() {
    let run = reduce::start_run(reduce::RunSetup {
        audience: RunAudience::default(),
        script: reduce::parse_script("until size 50").expect("a script"),
        ..setup(read("a.c", PROGRAM), oracle(assigns))
    });
    let (is_attended, rest) = pause_and_rest(&run.expect("a run"));
    assert!(!is_attended);
    assert!(ends(&rest, &FinishReason::Stopped));
}

#[test]
fn a_failure_of_the_system_is_no_verdict_and_is_waited_out() {
    let asked = AtomicU32::new(0);
    let runner = oracle(move |text| match asked.fetch_add(1, Ordering::SeqCst) {
        1 => TestOutcome::NoVerdict(NoVerdict::System {
            doing: "writing the candidate",
            reason: "No space left on device".into(),
            errno: Some(28),
        }),
        _ => assigns(text),
    });
    let (clean, _) = run(setup(read("a.c", PROGRAM), oracle(assigns)));
    let (last, events) = run(reduce::RunSetup {
        audience: RunAudience::default(),
        ..setup(read("a.c", PROGRAM), runner)
    });
    assert_eq!(last, clean);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, RunEvent::Note(note) if note.contains("No space left")))
    );
}

#[test]
fn behind_a_step_the_reason_for_the_pause_before_it_is_over() {
    let run = reduce::start_run(reduce::RunSetup {
        script: reduce::parse_script("until size 50").expect("a script"),
        ..setup(read("a.c", PROGRAM), oracle(assigns))
    })
    .expect("a run");
    let mut events = run.events.iter();
    let reason = events.find_map(|event| match event {
        RunEvent::Paused { reason, .. } => reason,
        _ => None,
    });
    assert_eq!(reason.as_deref(), Some("size 50"));
    let step = EngineCommand::Step(StepUnit::Question);
    run.commands.send(step).expect("it listens");
    assert!(events.any(|event| matches!(event, RunEvent::Decided(_))));
    let state = run
        .board
        .newest_snapshot()
        .expect("a snapshot")
        .state
        .clone();
    assert_eq!(state, RunState::Paused(None));
    run.commands.send(EngineCommand::Stop).expect("it listens");
    run.wait_for_end().expect("a snapshot");
}
