//! Any size of terminal, any size of program.

use lop::reduce::{FinishReason, RunState};
use lop::tui::palette::TerminalPalette;

use crate::in_the_middle;
use crate::stage::{Stage, read, run};

#[test]
#[ignore = "long"]
fn no_size_is_too_small_or_too_large() {
    let mut paused = in_the_middle();
    paused.run.state = RunState::Stalled("the test cannot be started: no such file".into());
    paused.show();
    let mut finished = in_the_middle();
    finished.finish(FinishReason::Complete);
    let mut helped = in_the_middle();
    helped.keys("?");
    let mut plain = Stage::of(
        run(read("notes.txt", "some words\n\tand\r\nlines 日本語\n")),
        TerminalPalette::FULL,
    );
    let mut empty = Stage::of(run(read("empty.c", "")), TerminalPalette::FULL);
    let mut unseen = in_the_middle();
    unseen.app.view.snapshot = None;
    let mut opened = in_the_middle();
    opened.frame(140, 40);
    opened.keys("tab tab j i");
    let mut typed = in_the_middle();
    typed.frame(140, 40);
    typed.keys("t : h e");
    let mut searched = in_the_middle();
    searched.frame(140, 40);
    searched.keys("/ s enter m a d");
    searched
        .app
        .add_notice("something that must be told though there is no room for it");
    let mut zoomed = in_the_middle();
    zoomed.frame(140, 40);
    zoomed.keys("z L tab");
    let mut steps = in_the_middle();
    steps.frame(140, 40);
    steps.keys("L [ [ + + +");
    let mut versions = in_the_middle();
    versions.frame(140, 40);
    versions.keys("L L L L tab tab");
    let mut sideways = in_the_middle();
    sideways.frame(140, 40);
    sideways.keys("tab > >");
    for width in (0..=90).chain([100, 140, 300]) {
        for height in (0..=40).chain([100]) {
            // Every size in four of thirteen states.
            let turn = usize::from(width + height) % 4;
            let stages = [
                &mut paused,
                &mut finished,
                &mut helped,
                &mut plain,
                &mut empty,
                &mut unseen,
                &mut opened,
                &mut sideways,
                &mut typed,
                &mut searched,
                &mut zoomed,
                &mut steps,
                &mut versions,
            ];
            for at in [turn, turn + 4, turn + 8, 12] {
                stages[at].frame(width, height);
                stages[at].keys("tab j");
            }
        }
    }
    finished.frame(1, 2000);
    finished.frame(3000, 1);
}

#[test]
#[ignore = "long"]
fn a_frame_costs_what_is_visible_even_in_strange_programs() {
    let deep = format!("int x = {}1{};\n", "(".repeat(20_000), ")".repeat(20_000));
    let long = format!("int x[] = {{ {} }};\n", "1, ".repeat(200_000));
    for program in [deep, long] {
        let mut stage = Stage::new(&program);
        stage.frame(140, 40);
        stage.keys("E");
        stage.frame(140, 40);
        stage.keys("G k k tab");
        stage.frame(140, 40);
    }
}

#[test]
fn a_narrow_line_of_hints_has_those_that_are_needed_most() {
    let mut stage = in_the_middle();
    let hints = |stage: &mut Stage| {
        let screen = stage.screen(60, 20);
        screen.lines().last().unwrap_or_default().to_owned()
    };
    let line = hints(&mut stage);
    for hint in ["space pause", "tab pane", "? help", "q quit"] {
        assert!(line.contains(hint), "{hint}: {line}");
    }
    stage.run.state = RunState::Paused(None);
    stage.show();
    let line = hints(&mut stage);
    for hint in ["space resume", ". step", "tab pane", "? help", "q quit"] {
        assert!(line.contains(hint), "{hint}: {line}");
    }
    assert!(!line.contains("p pin"), "{line}");
}
