//! The end of a run that stays there: what goes on from the result, and what cannot.

use crate::stage::Stage;
use lop::reduce::{EngineCommand, FinishReason, RunState};
use lop::tui::app::PageKind;

use crate::in_the_middle;

/// A run that has come to its end and stays there.
fn at_its_end() -> Stage {
    let mut stage = in_the_middle();
    stage.app.view.context.can_go_on = true;
    stage.finish(FinishReason::Complete);
    stage
}

fn command(line: &str) -> EngineCommand {
    EngineCommand::parse_line(line).expect("a command")
}

#[test]
fn the_page_of_the_result_names_what_goes_on_from_it() {
    let mut stage = at_its_end();
    let screen = stage.screen(120, 40);
    let words: Vec<&str> = screen.split_whitespace().collect();
    let words = words.join(" ");
    for said in [
        "go on: u undoes, e edits, + asks more (effort hard)",
        ":strategy NAME",
        ":enable PASS",
    ] {
        assert!(words.contains(said), "{said}: {screen}");
    }
}

#[test]
fn from_the_result_every_way_on_is_sent_to_the_run() {
    for (keys, typed, sent) in [
        ("+", "", "effort hard"),
        ("ctrl-r", "", "redo"),
        (":", "strategy perses", "strategy perses"),
        (":", "enable bytes", "enable bytes"),
        (":", "unpin", "unpin"),
        (":", "goto 0", "goto 0"),
        (":", "recheck", "recheck"),
    ] {
        let mut stage = at_its_end();
        stage.keys(keys);
        stage.types(typed);
        if !typed.is_empty() {
            stage.keys("enter");
        }
        assert_eq!(stage.sent, [command(sent)], "{keys} {typed}");
    }
    // The menu of an undo is about the version, and nothing has to be held for it.
    let mut stage = at_its_end();
    stage.keys("u");
    stage.types("ban");
    stage.keys("enter");
    assert_eq!(
        stage.sent,
        [command(&format!("undo ban {}", stage.run.number))]
    );
}

#[test]
fn what_needs_a_run_at_work_says_that_nothing_is_left_and_what_goes_on() {
    for (keys, name) in [("space", "pause"), (".", "step"), ("s", "skip candidate")] {
        let mut stage = at_its_end();
        stage.keys(keys);
        let screen = stage.screen(120, 40);
        let said = format!("{name}: nothing is left to try: undo, edit");
        assert!(screen.contains(&said), "{screen}");
        assert!(stage.sent.is_empty());
    }
    let mut stage = at_its_end();
    stage.keys(":");
    stage.types("stop");
    stage.keys("enter");
    assert!(
        stage
            .screen(120, 40)
            .contains("stop: nothing runs any more")
    );
}

#[test]
fn when_the_run_goes_on_the_result_is_no_longer_shown_and_comes_again_at_its_next_end() {
    let mut stage = at_its_end();
    assert_eq!(stage.pages(), [PageKind::Result]);
    stage.run.state = RunState::Running;
    stage.show();
    assert_eq!(stage.pages(), []);
    assert!(stage.app.selection.follow);
    stage.finish(FinishReason::Complete);
    assert_eq!(stage.pages(), [PageKind::Result]);
}

#[test]
fn the_names_of_strategies_are_completed_while_the_run_works_and_at_its_end() {
    for mut stage in [in_the_middle(), at_its_end()] {
        stage.keys(":");
        stage.types("strategy ");
        let screen = stage.screen(120, 40);
        let line = |name: &str| screen.lines().find(|line| line.contains(name));
        for name in ["perses", "hdd"] {
            let line = line(&format!("│  {name} ")).unwrap_or_else(|| panic!("{name}: {screen}"));
            assert!(!line.contains("finished"), "{line}");
        }
        // This program has no grammar in BNF.
        assert!(line("│  gopinath ").is_none(), "{screen}");
        stage.types("pers");
        stage.keys("enter");
        assert_eq!(stage.sent, [command("strategy perses")]);
    }
    // A list minimiser of a strategy, and a name that is none.
    let mut stage = at_its_end();
    stage.keys(":");
    stage.types("strategy perses+prob");
    stage.keys("tab enter");
    assert_eq!(stage.sent, [command("strategy perses+probdd")]);
    stage.keys(":");
    stage.types("strategy bezt");
    stage.keys("enter");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("bezt is not a strategy"), "{screen}");
}

#[test]
fn on_a_small_screen_the_result_comes_first_and_the_page_scrolls_to_the_rest() {
    let mut stage = at_its_end();
    let screen = stage.screen(80, 24);
    for said in ["struct S { int a; };", "int g(int x) {", "more lines"] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    assert!(!screen.contains("╭╭"), "one frame: {screen}");
    stage.keys("pgdn");
    let below = stage.screen(80, 24);
    assert!(below.contains("∞ 1 timed out"), "{below}");
    stage.keys("G");
    let end = stage.screen(80, 24);
    assert!(end.contains("look at it: less bug.lop.c"), "{end}");
    assert!(!end.contains("must be closed first"), "{end}");
    stage.keys("g");
    assert_eq!(stage.screen(80, 24), screen);
}

#[test]
fn the_last_candidate_is_a_diff_at_the_end_too() {
    let mut stage = in_the_middle();
    stage.finish(FinishReason::Complete);
    stage.frame(120, 40);
    stage.keys("esc d");
    assert_eq!(stage.pages(), [PageKind::Candidate]);
    let screen = stage.screen(120, 40);
    assert!(screen.contains("- "), "{screen}");
    assert!(!screen.contains("no candidate is being tested"), "{screen}");
}

#[test]
fn a_page_down_of_the_help_is_a_page() {
    let mut stage = in_the_middle();
    stage.frame(80, 24);
    stage.keys("?");
    let before = stage.screen(80, 24);
    stage.keys("pgdn");
    let after = stage.screen(80, 24);
    let is_new = |line: &&str| !before.contains(*line);
    let new = after.lines().filter(is_new).count();
    assert!(new > 15, "{new} rows are new: {after}");
}
