//! The versions of a run: the tree, navigation in it, and differences.

use lop::oracle::Verdict;
use lop::reduce::{EngineCommand, RunState, UndoMode};
use lop::tui::app::{PageKind, PaneKind};
use lop::tui::diff::{self, DiffLineKind};
use lop::tui::palette::{TerminalColourDepth, TerminalPalette};

use crate::stage::{PROGRAM, Stage, read, run};
use crate::{ask_for, loop_is_tried};

/// A run that has accepted two edits, was undone, and has accepted another one: version 3 was made of version 1.
fn a_branch() -> Stage {
    let mut stage = loop_is_tried();
    stage.answer(Verdict::Interesting);
    ask_for(&mut stage, "g(s.a);");
    stage.answer(Verdict::Interesting);
    stage.stand_at(1);
    ask_for(&mut stage, "s.a = g(2);");
    stage.answer(Verdict::Interesting);
    stage
}

/// The same with the history in the middle of the screen, and the keys in it.
fn in_the_history() -> Stage {
    let mut stage = a_branch();
    stage.frame(140, 40);
    stage.keys(":");
    stage.types("layout versions");
    stage.keys("enter");
    stage.frame(140, 40);
    stage.keys("tab");
    assert_eq!(stage.app.focused_pane(), PaneKind::History);
    stage
}

#[test]
fn versions_are_a_tree() {
    let mut stage = in_the_history();
    insta::assert_snapshot!("history", stage.screen(140, 40));
    let mut plain = Stage::of(
        run(read("bug.c", PROGRAM)),
        TerminalPalette {
            depth: TerminalColourDepth::Monochrome,
            unicode: false,
        },
    );
    plain.run = a_branch().run;
    plain.show();
    plain.keys(":");
    plain.types("layout versions");
    plain.keys("enter");
    let screen = plain.screen(140, 40);
    assert!(screen.is_ascii(), "{screen}");
    assert!(
        screen.contains("| | o  2") && screen.contains("*-'"),
        "{screen}"
    );
}

#[test]
fn the_run_goes_on_from_the_version_that_is_chosen() {
    let mut stage = in_the_history();
    stage.keys("enter");
    assert!(stage.sent.is_empty());
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("goto: it is the current version already"),
        "{screen}"
    );
    stage.keys("j enter");
    assert_eq!(stage.sent, [EngineCommand::Goto(2)]);
    stage.stand_at(2);
    let screen = stage.screen(140, 40);
    let row = |tokens: &str| {
        let row = screen.lines().find(|line| line.contains(tokens));
        row.unwrap_or_else(|| panic!("{tokens}: {screen}"))
    };
    assert!(row("3  52  perses").contains("undone"), "{screen}");
    assert!(row("2  54  perses").contains("here"), "{screen}");
    assert!(!row("1  61  perses").contains("undone"), "{screen}");
}

#[test]
fn an_undo_asks_what_becomes_of_the_edit() {
    let mut stage = a_branch();
    stage.frame(140, 40);
    stage.keys("u");
    let screen = stage.screen(140, 40);
    for said in ["keep", "ban", "disable", "pause the run"] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    stage.keys("enter");
    stage.keys("u down enter");
    stage.keys("u d i enter");
    let undone = [UndoMode::Keep, UndoMode::Ban, UndoMode::Disable];
    assert_eq!(
        undos(&stage.sent),
        undone.map(|mode| EngineCommand::Undo(mode, Some(3)))
    );
}

/// The undos among these commands.
fn undos(sent: &[EngineCommand]) -> Vec<EngineCommand> {
    let undo = |command: &&EngineCommand| matches!(command, EngineCommand::Undo(..));
    sent.iter().filter(undo).cloned().collect()
}

#[test]
fn the_run_holds_while_an_undo_is_chosen_and_the_menu_acts_on_the_edit_that_it_names() {
    let mut stage = a_branch();
    stage.frame(140, 40);
    ask_for(&mut stage, "return s.a;");
    stage.keys("u");
    assert_eq!(stage.sent, [EngineCommand::Pause]);
    let title = "undo 3: `s.a = g(2);` −9";
    let screen = stage.screen(140, 40);
    assert!(screen.contains(title), "{screen}");
    // The test that was running when the menu opened may end, and counts.
    stage.answer(Verdict::Interesting);
    assert_eq!(stage.run.number, 4);
    let screen = stage.screen(140, 40);
    assert!(screen.contains(title), "{screen}");
    stage.keys("down enter");
    let ban = EngineCommand::Undo(UndoMode::Ban, Some(3));
    assert_eq!(
        stage.sent,
        [EngineCommand::Pause, ban, EngineCommand::Resume]
    );
}

#[test]
fn a_typed_undo_opens_the_same_menu_and_holds_the_run_too() {
    let title = "undo 3: `s.a = g(2);` −9";
    // With its enter, by tab, and as soon as the blank behind it is typed.
    for keys in [": u n d o enter", ": u n d o tab", ": u n d o space"] {
        let mut stage = a_branch();
        stage.frame(140, 40);
        ask_for(&mut stage, "return s.a;");
        stage.keys(keys);
        assert_eq!(stage.sent, [EngineCommand::Pause], "{keys}");
        let screen = stage.screen(140, 40);
        assert!(screen.contains(title), "{keys}: {screen}");
        stage.answer(Verdict::Interesting);
        stage.keys("down enter");
        let ban = EngineCommand::Undo(UndoMode::Ban, Some(3));
        assert_eq!(
            stage.sent,
            [EngineCommand::Pause, ban, EngineCommand::Resume],
            "{keys}"
        );
    }
    // Where there is nothing to undo, the run goes on.
    let mut stage = a_branch();
    stage.stand_at(0);
    stage.keys(": u n d o enter");
    assert_eq!(stage.sent, []);
    let screen = stage.screen(140, 40);
    assert!(screen.contains("no candidate was accepted yet"), "{screen}");
}

#[test]
fn the_run_is_after_the_undo_menu_what_it_was_before() {
    let mut stage = a_branch();
    stage.frame(140, 40);
    stage.keys("u esc");
    assert_eq!(stage.sent, [EngineCommand::Pause, EngineCommand::Resume]);
    stage.sent.clear();
    stage.keys("u s t o p enter");
    assert_eq!(
        stage.sent,
        [
            EngineCommand::Pause,
            EngineCommand::Undo(UndoMode::Stop, Some(3))
        ]
    );
    stage.sent.clear();
    stage.run.state = RunState::Paused(None);
    stage.show();
    stage.keys("u esc u enter");
    assert_eq!(
        stage.sent,
        [EngineCommand::Undo(UndoMode::Keep, Some(3))],
        "a paused run stays paused"
    );
}

#[test]
fn two_versions_can_be_compared() {
    let mut stage = in_the_history();
    stage.keys("c");
    assert_eq!(stage.pages(), [PageKind::Difference]);
    let screen = stage.screen(140, 40);
    assert!(screen.contains("Version 1 → 3"), "{screen}");
    assert!(
        screen.contains("-  10") && screen.contains("s.a = g(2);"),
        "{screen}"
    );
    stage.keys("esc j m g c");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("Version 2 → 3"), "{screen}");
    assert!(
        screen.contains("+") && screen.contains("g(s.a);"),
        "what only the other branch has: {screen}"
    );
    stage.keys("esc j c");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("it is the marked version itself"),
        "{screen}"
    );
    stage.keys("m G c");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("it is the original"), "{screen}");
}

#[test]
fn what_led_to_a_version_can_be_read_however_long_ago_it_was() {
    let mut stage = in_the_history();
    stage.run.decided.clear();
    stage.show();
    stage.keys("j j i");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("◆ Candidate 1 ─")
            && screen.contains("interesting: the candidate was accepted"),
        "{screen}"
    );
    stage.keys("esc G i");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("origin: it is the original"), "{screen}");
}

#[test]
fn any_two_versions_become_each_other_by_their_difference() {
    let run = a_branch().run;
    let lines = |number: usize| {
        let text =
            lop::program::walk::render_text(&run.history[number].version.documents()[0].root);
        let text = String::from_utf8(text).expect("UTF-8");
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| line.trim_end().into())
            .collect();
        lines
    };
    for old in 0..run.history.len() {
        for new in 0..run.history.len() {
            let diff = diff::diff_versions(&run.history[old].version, &run.history[new].version);
            let (before, mut made, mut at) = (lines(old), Vec::new(), 0);
            for line in diff
                .iter()
                .filter(|line| line.kind != DiffLineKind::Omitted)
            {
                if line.kind != DiffLineKind::Added {
                    let number = line.number as usize - 1;
                    made.extend_from_slice(&before[at..number]);
                    assert_eq!(line.text, before[number]);
                    at = number + 1;
                }
                if line.kind != DiffLineKind::Removed {
                    made.push(line.text.clone());
                }
            }
            made.extend_from_slice(&before[at..]);
            assert_eq!(made, lines(new), "from {old} to {new}");
            assert_eq!(diff.is_empty(), old == new);
        }
    }
}

#[test]
fn a_detour_is_marked() {
    let mut stage = in_the_history();
    let mut past = (*stage.run.history[3]).clone();
    past.in_detour = true;
    stage.run.history.set(3, past.into());
    stage.run.detour_base = Some(1);
    stage.show();
    let screen = stage.screen(140, 40);
    assert!(screen.contains("inside a detour from 1"), "{screen}");
    let row = screen
        .lines()
        .find(|line| line.contains("detour") && line.contains("here"));
    assert!(row.is_some(), "{screen}");
}
