//! The log of questions and versions, and the candidates that it opens.

use lop::oracle::Verdict;
use lop::program::{Edit, EditAction, EditOp};
use lop::reduce::{EngineCommand, LoggedEdit};
use lop::tui::app::{PageKind, PaneKind};
use lop::tui::commands::PaneAction;

use crate::stage::{Stage, text};
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
        screen.contains("the output is kept for the last 200 questions only"),
        "{screen}"
    );
    stage.keys(":");
    stage.types("show 77");
    stage.keys("enter");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("show: there is no question 77: the run has asked 3 questions"),
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

/// The line `show NUMBER` is typed.
fn show(stage: &mut Stage, number: &str) {
    stage.keys(":");
    stage.types(&format!("show {number}"));
    stage.keys("enter");
}

/// A run whose question 1 was about a text without one line, and the number of lines of its program.
fn asked_about_a_text(lines: usize) -> Stage {
    let program: String = (0..lines).map(|at| format!("int a{at};\n")).collect();
    let mut stage = Stage::new(&program);
    let text = program.replace("int a2;\n", "");
    let root = stage.run.version.documents()[0].root.id;
    let edit = Edit::from(EditOp::Rewrite([Some(text.as_bytes().into())].into()));
    stage.try_edit(edit, EditAction::DropNode, root);
    stage.answer(Verdict::Uninteresting);
    stage
}

#[test]
fn a_candidate_that_is_a_whole_text_opens_after_it_left_the_memory() {
    let mut stage = asked_about_a_text(9);
    stage.run.decided.clear();
    stage.run.log.compact_decision(1);
    let kept = &stage.run.log.decisions()[0].edit;
    assert!(matches!(kept, LoggedEdit::Texts(_)), "{kept:?}");
    stage.show();
    stage.frame(120, 40);
    show(&mut stage, "1");
    let screen = stage.screen(120, 40);
    let gone = |line: &str| line.contains("- ") && line.contains("int a2;");
    assert!(screen.lines().any(gone), "{screen}");
    let unchanged = |line: &str| line.contains("│     4  int a3;");
    assert!(screen.lines().any(unchanged), "{screen}");
}

#[test]
fn a_large_candidate_is_read_while_the_screen_goes_on() {
    let mut stage = asked_about_a_text(3_000);
    stage.frame(120, 40);
    show(&mut stage, "1");
    let screen = text(&stage.frame_before_highlights(120, 40));
    assert!(screen.contains("reading question 1…"), "{screen}");
    let request = stage.app.take_candidate_request().expect("it is asked");
    assert!(stage.app.take_candidate_request().is_none(), "once");
    // The page of the same candidate says so too, and has the diff when it is there.
    stage.keys("enter");
    assert_eq!(stage.pages(), [PageKind::Verdict]);
    let screen = text(&stage.frame_before_highlights(120, 40));
    assert!(screen.contains("reading question 1…"), "{screen}");
    stage.app.apply_candidate(request.read_candidate());
    for _ in 0..2 {
        let screen = text(&stage.frame_before_highlights(120, 40));
        assert!(!screen.contains("reading question"), "{screen}");
        let gone = |line: &str| line.contains("- ") && line.contains("int a2;");
        assert!(screen.lines().any(gone), "{screen}");
        stage.keys("esc");
    }
}

#[test]
fn a_number_without_a_candidate_is_answered() {
    let mut stage = in_the_log();
    let mut answer = |number: &str| {
        show(&mut stage, number);
        let screen = stage.screen(160, 40);
        stage.keys("esc");
        screen
    };
    for (number, said) in [
        ("0", "show: questions are counted from 1"),
        ("x", "show: type the number of a question, such as 120"),
        (
            "4",
            "show: there is no question 4: the run has asked 3 questions",
        ),
    ] {
        let screen = answer(number);
        assert!(screen.contains(said), "{screen}");
    }
}

#[test]
fn a_candidate_of_a_branch_that_was_left_says_so() {
    let mut stage = in_the_log();
    stage.stand_at(0);
    show(&mut stage, "2");
    let screen = stage.screen(120, 40);
    let title = "╭ Candidate 2 ✗ of version 1, which was left";
    assert!(screen.contains(title), "{screen}");
    assert!(screen.contains("s.a = g(2);"), "its diff: {screen}");
}

#[test]
fn of_what_was_asked_before_a_new_beginning_the_versions_are_known() {
    let mut stage = in_the_log();
    // The session was resumed by its versions alone.
    stage.run.log = Default::default();
    stage.run.decided.clear();
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Uninteresting);
    stage.frame(120, 40);
    show(&mut stage, "1");
    assert_eq!(stage.pages(), [PageKind::Difference]);
    let screen = stage.screen(120, 40);
    assert!(screen.contains("Version 0 → 1"), "{screen}");
    stage.keys("esc");
    show(&mut stage, "2");
    let screen = stage.screen(200, 40);
    let said = "show: question 2 was asked before the run went on from its versions alone";
    assert!(screen.contains(said), "{screen}");
}

#[test]
fn a_question_that_comes_later_in_a_recording_is_not_missing() {
    let mut stage = in_the_log();
    stage.app.view.context.replay = true;
    stage.run.replay = Some(lop::reduce::ReplayStatus {
        decisions: 12,
        reading: false,
        last: false,
        playing: false,
        backwards: false,
        speed: 1.0,
        last_message: (0, "".into()),
    });
    stage.show();
    show(&mut stage, "9");
    let screen = stage.screen(160, 40);
    let said = "show: question 9 comes later in this recording: `at 9` goes there";
    assert!(screen.contains(said), "{screen}");
    show(&mut stage, "13");
    let screen = stage.screen(160, 40);
    let said = "show: there is no question 13: the recording has 12 questions";
    assert!(screen.contains(said), "{screen}");
}

/// A run that asked twice about a program of 80 lines without every fourth of them, and the first of the two is shown.
fn a_long_candidate() -> Stage {
    let line = |at: usize| format!("int a{at}{} = 0;\n", "_long".repeat(30));
    let program: String = (0..80).map(line).collect();
    let kept: String = (0..80).filter(|at| at % 4 != 1).map(line).collect();
    let mut stage = Stage::new(&program);
    let root = stage.run.version.documents()[0].root.id;
    let edit = Edit::from(EditOp::Rewrite([Some(kept.as_bytes().into())].into()));
    for _ in 0..2 {
        stage.try_edit(edit.clone(), EditAction::DropNode, root);
        stage.answer(Verdict::Uninteresting);
    }
    stage.frame(120, 40);
    show(&mut stage, "1");
    stage
}

#[test]
fn a_shown_candidate_scrolls_by_the_keys_of_the_program() {
    let mut stage = a_long_candidate();
    let screen = stage.screen(120, 40);
    assert!(screen.contains("1–24 of 80  enter shows more"), "{screen}");
    // Down and up select rows, until the keys are given to the candidate.
    stage.keys("down");
    assert!(stage.screen(120, 40).contains("1–24 of 80"));
    stage.keys("l");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("╭◆ Candidate 1 ✗"), "{screen}");
    for (keys, shown) in [
        ("j j down", "4–27 of 80"),
        ("k", "3–26 of 80"),
        ("pgdn", "26–49 of 80"),
        ("G", "57–80 of 80"),
        ("j", "57–80 of 80"),
        ("g", "1–24 of 80"),
        ("n", "3–26 of 80"),
        ("n", "7–30 of 80"),
        ("N", "3–26 of 80"),
    ] {
        stage.keys(keys);
        let screen = stage.screen(120, 40);
        assert!(
            screen.contains(&format!("{shown}  left leads back")),
            "{keys}: {screen}"
        );
    }
    // Sideways, and back.
    let left = |stage: &mut Stage| stage.screen(120, 40).contains("int a4_long");
    assert!(left(&mut stage));
    stage.keys("> >");
    assert!(!left(&mut stage));
    stage.keys("< <");
    assert!(left(&mut stage));
    stage.keys("h");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("3–26 of 80  enter shows more"), "{screen}");
}

#[test]
fn the_wheel_over_a_shown_candidate_scrolls_it() {
    let mut stage = a_long_candidate();
    stage.frame(120, 40);
    stage.app.on_mouse_wheel(20, 10, PaneAction::Down);
    let screen = stage.screen(120, 40);
    assert!(screen.contains("4–27 of 80"), "it stays: {screen}");
    stage.app.on_click(20, 31);
    let screen = stage.screen(120, 40);
    assert!(screen.contains("◆ Log"), "the rows have the keys: {screen}");
}

#[test]
fn where_one_pane_is_shown_the_candidate_scrolls_on_its_page() {
    let mut stage = in_the_log();
    stage.frame(80, 24);
    stage.keys("l");
    assert_eq!(stage.pages(), [PageKind::Verdict]);
}
