//! The log of questions and versions, and the candidates that it opens.

use lop::oracle::Verdict;
use lop::reduce::EngineCommand;
use lop::tui::app::{PageKind, PaneKind};

use crate::stage::Stage;
use crate::{ask_for, in_the_middle};

/// The keys are in the log.
fn in_the_log() -> Stage {
    let mut stage = in_the_middle();
    stage.frame(120, 40);
    while stage.app.focused_pane() != PaneKind::Log {
        stage.keys("tab");
    }
    stage
}

#[test]
fn a_row_says_what_was_asked_how_much_and_what_became_of_it() {
    let screen = in_the_log().screen(120, 40);
    let row = |begins: &str| {
        let found = screen.lines().find(|line| line.contains(begins));
        found.unwrap_or_else(|| panic!("{begins}: {screen}"))
    };
    assert!(row("▶   4      −6").contains("0.40 s"), "it is asked now");
    assert!(row("∞   3      −9").contains("timed out"), "{screen}");
    assert!(row("✗   2      −7").contains("exit 1"), "{screen}");
    assert!(row("✓   1     −11").contains("v1"), "{screen}");
}

#[test]
fn the_selected_row_shows_its_candidate_in_the_place_of_the_program() {
    let mut stage = in_the_log();
    stage.prints = "warning: nothing\nerror: undeclared\n".into();
    stage.answer(Verdict::Uninteresting);
    ask_for(&mut stage, "return s.a;");
    stage.frame(120, 40);
    stage.keys("j");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("╭ Candidate 3 ∞"), "{screen}");
    let gone = |line: &str| line.contains("- ") && line.contains("s.a = g(2);");
    assert!(screen.lines().any(gone), "{screen}");
    stage.keys("g :");
    stage.types("show 4");
    stage.keys("enter");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("╭ Candidate 4 ✗"), "{screen}");
    assert!(
        screen.contains("error: undeclared"),
        "what the test printed"
    );
    insta::assert_snapshot!("log_candidate", screen);
    // Who leaves the log sees the program again.
    stage.keys("tab");
    assert!(stage.screen(120, 40).contains("╭ Program"));
}

#[test]
fn any_candidate_of_the_run_opens_by_its_number() {
    let mut stage = in_the_log();
    stage.run.decided.clear();
    stage.show();
    stage.keys("#");
    stage.types("2");
    stage.keys("enter");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("╭ Candidate 2 ✗"), "{screen}");
    assert!(
        screen.contains("the output is kept for the last decisions only"),
        "{screen}"
    );
    stage.keys(":");
    stage.types("show 77");
    stage.keys("enter");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("show: there is no candidate `77`"),
        "{screen}"
    );
    // Where one pane is shown at a time, its page opens.
    stage.keys("esc");
    stage.frame(80, 24);
    stage.keys(":");
    stage.types("show 1");
    stage.keys("enter");
    assert_eq!(stage.pages(), [PageKind::Verdict]);
    let screen = stage.screen(80, 24);
    let gone = |line: &str| line.contains("- ") && line.contains("while (s.a) --s.a;");
    assert!(screen.lines().any(gone), "{screen}");
}

#[test]
fn the_run_goes_on_from_the_version_of_a_row() {
    let mut stage = in_the_log();
    stage.keys("v");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("continue: it made no version"), "{screen}");
    stage.keys("G v");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("it is the current version already"),
        "{screen}"
    );
    stage.stand_at(0);
    stage.keys("v");
    assert_eq!(stage.sent, [EngineCommand::Goto(1)]);
    stage.keys("c");
    assert_eq!(stage.pages(), [PageKind::Difference]);
}

#[test]
fn the_curve_stands_below_the_rows() {
    let mut stage = in_the_log();
    let screen = stage.screen(120, 40);
    let line = screen.lines().find(|line| line.contains("│ 72 █"));
    assert!(line.is_some_and(|line| line.contains(" 61 │")), "{screen}");
    assert!(screen.contains("3 tests  ✓ 1  ✗ 1"), "{screen}");
    stage.keys(":");
    stage.types("layout run");
    stage.keys("enter");
    let screen = stage.screen(120, 40);
    assert!(!screen.contains("│ 72 █"), "the curve has a pane: {screen}");
}
