//! Keys, help, hints: the table of commands.

use lop::tui::commands::{COMMANDS, hints};

use crate::loop_is_tried;

#[test]
fn help_has_every_command_and_says_what_cannot_be_done_now() {
    let mut stage = loop_is_tried();
    stage.keys("?");
    let screen = stage.screen(140, 110);
    for entry in COMMANDS {
        assert!(
            screen.contains(entry.what),
            "{} is not explained",
            entry.name
        );
        assert!(
            screen.contains(&entry.keys[0].name()),
            "{} has no key there",
            entry.name
        );
    }
    assert!(screen.contains("(the run is not paused)"));
    stage.keys("esc");
    assert!(stage.app.layers.is_empty());
    stage.keys("? ?");
    assert!(stage.app.layers.is_empty(), "the same key closes it");
    insta::assert_snapshot!("help", screen);
}

#[test]
fn help_scrolls_where_it_does_not_fit() {
    let mut stage = loop_is_tried();
    stage.keys("?");
    let first = stage.screen(80, 20);
    stage.keys("G");
    let last = stage.screen(80, 20);
    assert!(first.contains("pause the run") && !first.contains("timed out:"));
    assert!(last.contains("timed out:"));
    stage.keys("k");
    assert_ne!(
        stage.screen(80, 20),
        last,
        "up works at once after going to the end"
    );
}

#[test]
fn hints_are_commands_that_work_now() {
    let mut stage = loop_is_tried();
    let screen = stage.screen(140, 40);
    let line = screen.lines().last().expect("a line");
    for entry in hints(&stage.app) {
        let hint = format!(
            "{} {}",
            entry.keys[0].name(),
            entry.hint.expect("it is a hint")
        );
        assert!(line.contains(&hint), "{hint} is not in {line}");
        assert!((entry.disabled)(&stage.app).is_none());
    }
    assert!(!line.contains(". step"), "the run is not paused");
}
