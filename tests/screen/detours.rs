//! The history of a run whose pass began a detour.

use lop::pass::PassOptions;
use lop::reduce::{self, EngineCommand, RunEvent, RunSetup, RunState};

use crate::common::detours::{SUM, takes_sums, unfolding};
use crate::common::{oracle, read, setup, verdict};
use crate::stage::{PROGRAM, Stage};

/// The screen of such a run with the history in its middle: at its end, or where this script pauses it.
fn history_of(script: &str) -> String {
    let strategy = unfolding(400);
    let runner = oracle(|text| verdict(takes_sums(text)));
    let run = reduce::start_run(RunSetup {
        script: reduce::parse_script(script).expect("a script"),
        options: PassOptions::from_strategy(strategy),
        ..setup(read("a.c", SUM), runner)
    });
    let run = run.expect("a run");
    for event in run.events.iter() {
        if matches!(event, RunEvent::Paused { .. }) {
            run.commands.send(EngineCommand::Stop).expect("it listens");
        }
    }
    let last = run.wait_for_end().expect("a snapshot");
    let mut stage = Stage::new(PROGRAM);
    stage.run = (*last).clone();
    // The page of the result would cover the history.
    stage.run.state = RunState::Running;
    stage.show();
    stage.frame(140, 40);
    stage.keys(":");
    stage.types("layout versions");
    stage.keys("enter");
    stage.screen(140, 40)
}

fn row_with<'a>(screen: &'a str, word: &str) -> &'a str {
    let mut rows = screen.lines().filter(|row| row.contains(word));
    rows.next()
        .unwrap_or_else(|| panic!("no {word} in:\n{screen}"))
}

#[test]
fn the_version_with_which_a_pass_began_a_detour_is_marked() {
    let unfolded = "2  13  unfold  unfold x";
    let inside = history_of("at commit 2: pause");
    assert!(inside.contains("inside a detour from 1"), "{inside}");
    let row = row_with(&inside, unfolded);
    assert!(row.contains("detour +1 here"), "{inside}");
    let verdict = row_with(&inside, "unfold  unfold x");
    assert!(verdict.contains(" +1 "), "{inside}");
    let dropped = history_of("");
    assert!(!dropped.contains("inside a detour"), "{dropped}");
    let row = row_with(&dropped, unfolded);
    assert!(
        row.contains("◇") && row.contains("detour dropped +1"),
        "{dropped}"
    );
}
