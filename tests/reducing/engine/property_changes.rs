//! The failure property changes during a run: the order of events, and the versions that remain reachable.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use crossbeam_channel::Receiver;
use lop::oracle::{
    FailureProperty, JobId, JobResult, PropertyCriterion, PropertyError, PropertyPart, Runner,
    ScriptedRunner, TestJob,
};
use lop::reduce::{self, EngineCommand, FinishReason, RunEvent, RunSetup, RunState};

use crate::common::{oracle, read, setup, verdict};
use crate::engine::{PROGRAM, assigns};

/// A runner that can look for something else, and counts how often it had to.
struct Looking {
    runner: ScriptedRunner,
    looked: Arc<AtomicU32>,
}

impl Runner for Looking {
    fn submit(&mut self, job: TestJob) {
        self.runner.submit(job);
    }

    fn cancel(&mut self, id: JobId) {
        self.runner.cancel(id);
    }

    fn set_property(&mut self, _: &FailureProperty) -> Result<(), PropertyError> {
        self.looked.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        self.runner.result_receiver()
    }
}

/// A run whose property is two words; `looked` counts how often its runner gets another property.
fn looking(runner: ScriptedRunner, looked: &Arc<AtomicU32>) -> RunSetup {
    let grep = |word: &str| PropertyPart {
        on: true,
        criterion: PropertyCriterion::Grep(word.into()),
    };
    RunSetup {
        property: Some(FailureProperty {
            parts: vec![grep("needed"), grep("x")],
        }),
        ..setup(
            read("a.c", PROGRAM),
            Looking {
                runner,
                looked: looked.clone(),
            },
        )
    }
}

/// What became of each command.
fn outcomes(events: &[RunEvent]) -> Vec<(&str, Result<Option<&str>, &str>)> {
    let obeyed = events.iter().filter_map(|event| match event {
        RunEvent::CommandApplied {
            command, outcome, ..
        } => Some((
            &command[..],
            outcome
                .as_ref()
                .map(Option::as_deref)
                .map_err(|why| &why[..]),
        )),
        _ => None,
    });
    obeyed.collect()
}

/// Says this, and waits until it was obeyed or refused.
fn say(run: &reduce::RunHandle, line: &str) -> Result<Option<String>, String> {
    let command = EngineCommand::parse_line(line).expect("a command");
    run.commands.send(command).expect("it listens");
    let mut events = run.events.iter();
    let outcome = events.find_map(|event| match event {
        RunEvent::CommandApplied { outcome, .. } => Some(outcome),
        _ => None,
    });
    outcome.expect("it is obeyed")
}

#[test]
fn a_version_is_not_asked_about_by_what_is_only_tried() {
    let runner = oracle(assigns);
    let script = runner.script_handle();
    script.hold_jobs();
    let looked = Arc::default();
    let run = reduce::start_run(RunSetup {
        paused: true,
        ..looking(runner, &looked)
    })
    .expect("a run");
    say(&run, "property not-grep other").expect("it is tried");
    let trial = script.wait_for_held(1);
    let refused = say(&run, "recheck").expect_err("the trial is not over");
    assert!(refused.contains("is being tested"), "{refused}");
    assert_eq!(script.submitted_jobs(), trial);
    script.release_job(trial[0]);
    let mut events = run.events.iter();
    let holds = |event: &RunEvent| matches!(event, RunEvent::CommandApplied { command, .. } if command.starts_with("property!"));
    assert!(events.any(|event| holds(&event)));

    // The other way round: what is tried waits for the check.
    say(&run, "recheck").expect("it is asked");
    let check = script.wait_for_held(1);
    let before = looked.load(Ordering::SeqCst);
    let put_off = say(&run, "property not-grep another").expect("its turn comes");
    assert!(put_off.is_some_and(|said| said.contains("it is tried when")));
    assert_eq!(
        looked.load(Ordering::SeqCst),
        before,
        "not while it is asked"
    );
    assert_eq!(script.submitted_jobs().len(), 2);
    script.release_job(check[0]);
    let second = script.wait_for_held(1);
    assert_eq!(looked.load(Ordering::SeqCst), before + 1);
    script.release_job(second[0]);
    assert!(events.any(|event| holds(&event)));
}

#[test]
fn a_redo_that_cannot_be_now_can_be_later() {
    let lines = [
        "undo",
        "property! grep 2 off",
        "redo",
        "property! grep 2 on",
        "redo",
        "stop",
    ];
    let script = lines.map(|line| format!("at commit 2: {line}")).join("\n");
    let run = reduce::start_run(RunSetup {
        script: reduce::parse_script(&script).expect("a script"),
        ..looking(oracle(assigns), &Arc::default())
    })
    .expect("a run");
    let events: Vec<RunEvent> = run.events.iter().collect();
    let outcomes = outcomes(&events);
    let refused = outcomes[2].1.expect_err("it was found by something else");
    assert!(refused.contains("under another property"), "{refused}");
    assert_eq!(outcomes[4], ("redo", Ok(Some("version 2"))));
}

#[test]
fn a_flaky_result_says_why_the_run_cannot_go_back() {
    let looked: Arc<AtomicU32> = Arc::default();
    let asked: Mutex<HashMap<String, u32>> = Mutex::default();
    let looks = looked.clone();
    // Interesting when it is first seen, and while the change is tried; and never again.
    let runner = oracle(move |text| {
        let mut asked = asked.lock().expect("unpoisoned");
        let times = asked.entry(text.to_owned()).or_default();
        *times += 1;
        verdict(text.contains("needed = x") && (*times == 1 || looks.load(Ordering::SeqCst) == 1))
    });
    let run = reduce::start_run(RunSetup {
        confirm: true,
        script: reduce::parse_script("at commit 2: property not-grep other").expect("a script"),
        ..looking(runner, &looked)
    })
    .expect("a run");
    let last = run.wait_for_end().expect("a snapshot");
    let RunState::Finished(FinishReason::Failed(reason)) = &last.state else {
        panic!("{:?}", last.state);
    };
    assert!(!reason.contains("no version holds"), "{reason}");
    assert!(reason.contains("under another property"), "{reason}");
}
