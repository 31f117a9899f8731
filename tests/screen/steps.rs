//! What was tried stays in view: sideways, behind an accepted step, and when the run is followed again; and what was undone says so.

use lop::oracle::Verdict;
use lop::reduce::{PassState, RunState};
use lop::tui::app::PaneKind;
use ratatui::style::Modifier;

use crate::stage::{PROGRAM, Stage};
use crate::{ask_for, in_the_middle, loop_is_tried};

/// A paused run whose last question was accepted.
fn after_an_accepted_step() -> Stage {
    let mut stage = loop_is_tried();
    stage.run.state = RunState::Paused(None);
    stage.answer(Verdict::Interesting);
    stage
}

#[test]
fn what_is_tried_behind_the_right_edge_is_scrolled_into_view() {
    let filler: String = (0..30).map(|at| format!("f({at}); ")).collect();
    let mut stage = Stage::new(&format!(
        "int main(void) {{\n{filler}last(1);\nnext(2);\n}}\n"
    ));
    ask_for(&mut stage, "last(1);");
    let frame = stage.frame(120, 40);
    let struck = &crate::cells(&frame, "f(29); last(1);")[7..];
    let is_struck = |cell: &ratatui::buffer::Cell| cell.modifier.contains(Modifier::CROSSED_OUT);
    assert!(struck.iter().all(is_struck), "{}", stage.screen(120, 40));
    // The next candidate is at the left again.
    stage.answer(Verdict::Uninteresting);
    ask_for(&mut stage, "next(2);");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("int main(void)"), "{screen}");
    // Who does not follow scrolls as before.
    stage.answer(Verdict::Uninteresting);
    ask_for(&mut stage, "last(1);");
    while stage.app.focused_pane() != PaneKind::Program {
        stage.keys("tab");
    }
    stage.keys("g");
    stage.frame(120, 40);
    for _ in 0..20 {
        stage.keys("left");
    }
    let screen = stage.screen(120, 40);
    assert!(screen.contains("int main(void)"), "{screen}");
}

#[test]
fn a_diff_shows_the_part_of_a_long_line_that_differs() {
    let filler: String = (0..30).map(|at| format!("f({at}); ")).collect();
    let mut stage = Stage::new(&format!("int main(void) {{\n{filler}last(1);\n}}\n"));
    ask_for(&mut stage, "last(1);");
    stage.answer(Verdict::Uninteresting);
    ask_for(&mut stage, "f(0);");
    stage.frame(120, 40);
    stage.keys(":");
    stage.types("show 1");
    stage.keys("enter");
    let screen = stage.screen(120, 40);
    let gone = |line: &str| line.contains("- ") && line.contains("last(1);");
    assert!(screen.lines().any(gone), "{screen}");
}

#[test]
fn what_an_accepted_step_took_stays_in_view_until_the_next_one() {
    let mut stage = after_an_accepted_step();
    let screen = stage.screen(120, 40);
    assert!(screen.contains("╭ Candidate 1 ✓"), "{screen}");
    let gone = |line: &str| line.contains("- ") && line.contains("while (s.a) --s.a;");
    assert!(screen.lines().any(gone), "{screen}");
    ask_for(&mut stage, "return s.a;");
    assert!(
        stage.screen(120, 40).contains("╭ Program"),
        "the next question"
    );
    // Who goes to a place of the program sees the program.
    let mut stage = after_an_accepted_step();
    stage.frame(120, 40);
    stage.keys("j");
    assert!(stage.screen(120, 40).contains("╭ Program"));
}

#[test]
fn following_again_shows_what_is_tried_in_the_place_of_a_row_of_the_log() {
    let mut stage = in_the_middle();
    stage.frame(120, 40);
    stage.keys(":");
    stage.types("show 2");
    stage.keys("enter");
    assert!(stage.screen(120, 40).contains("╭ Candidate 2"));
    stage.keys("F");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("╭ Program") && !screen.contains("already"),
        "{screen}"
    );
    stage.answer(Verdict::Uninteresting);
    assert!(stage.screen(120, 40).contains("╭ Program"), "and stays");
}

#[test]
fn a_version_that_was_undone_says_so() {
    let mut stage = after_an_accepted_step();
    assert!(
        stage
            .screen(120, 40)
            .contains("question 1 · accepted · exit 0")
    );
    stage.run.state = RunState::Paused(Some("undone".into()));
    stage.stand_at(0);
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("Paused: undone · question 1 · accepted, then undone"),
        "{screen}"
    );
    let row = screen.lines().find(|line| line.contains("✓   1"));
    assert!(row.is_some_and(|row| row.contains("v1 undone")), "{screen}");
    assert!(
        screen.contains("╭ Program"),
        "nothing of it is in force: {screen}"
    );
}

#[test]
fn the_reason_for_a_pause_is_no_part_of_what_goes() {
    let mut stage = loop_is_tried();
    stage.answer(Verdict::Uninteresting);
    stage.run.state = RunState::Paused(Some("size 3000".into()));
    stage.show();
    let lines: Vec<String> = stage.screen(120, 40).lines().map(str::to_owned).collect();
    assert!(
        lines[1].contains("Paused: size 3000 · question 1"),
        "{}",
        lines[1]
    );
    assert!(!lines[2].contains("size 3000"), "{}", lines[2]);
    // Behind a step it goes without saying.
    stage.run.state = RunState::Paused(Some("step".into()));
    stage.show();
    assert!(!stage.screen(120, 40).contains("Paused: step"));
    // The pane of a narrow screen names the pass of the question, whichever is next.
    let mut passes = stage.run.passes.to_vec();
    (passes[0].state, passes[1].state) = (PassState::Running(1), PassState::Waiting);
    stage.run.passes = passes.into();
    stage.show();
    let screen = stage.screen(80, 24);
    let title = screen.lines().find(|line| line.contains(" Paused "));
    assert!(
        title.is_some_and(|line| line.contains("perses")),
        "{screen}"
    );
}

#[test]
fn the_end_is_not_planned_by_the_first_pass() {
    let mut stage = Stage::new(PROGRAM);
    let mut passes = stage.run.passes.to_vec();
    passes
        .iter_mut()
        .for_each(|pass| pass.state = PassState::Done);
    stage.run.passes = passes.clone().into();
    stage.run.counts.decisions = 40;
    stage.show();
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("Every pass has ended: the result is tested once more"),
        "{screen}"
    );
    passes[1].state = PassState::Waiting;
    stage.run.passes = passes.into();
    stage.show();
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("The next pass is planning its candidates"),
        "{screen}"
    );
}

#[test]
fn a_note_goes_once_it_could_be_read() {
    let mut stage = loop_is_tried();
    let said = "the session continues after decision 37";
    stage.run.notes.push_back(said.into());
    stage.show();
    assert!(stage.screen(160, 40).contains(said));
    stage.run.now += std::time::Duration::from_secs(11);
    stage.show();
    assert!(!stage.screen(160, 40).contains(said));
    stage.run.notes.push_back("another one".into());
    stage.show();
    assert!(stage.screen(160, 40).contains("another one"));
}

#[test]
fn the_headline_says_what_the_test_says_of_itself() {
    let mut stage = loop_is_tried();
    stage.app.view.context.looked_for = Some("ICE in byte_reg".into());
    let screen = stage.screen(140, 40);
    assert!(
        screen
            .lines()
            .next()
            .is_some_and(|line| line.contains("ICE in byte_reg")),
        "{screen}"
    );
}
