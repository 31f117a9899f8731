//! Keys, help, hints: the table of commands.

use lop::reduce::{FinishReason, RunState, VERBS};
use lop::tui::commands::{COMMANDS, hinted_commands};
use lop::tui::theme::Role;

use crate::loop_is_tried;

#[test]
fn help_has_every_command_and_says_what_cannot_be_done_now() {
    let mut stage = loop_is_tried();
    stage.keys("?");
    let screen = stage.screen(140, 150);
    for entry in COMMANDS
        .iter()
        .filter(|entry| entry.context.is_available(&stage.app.facts()))
    {
        assert!(
            screen.contains(entry.description),
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
    assert!(stage.pages().is_empty());
    stage.keys("? ?");
    assert!(stage.pages().is_empty(), "the same key closes it");
    insta::assert_snapshot!("help", screen);
}

#[test]
fn help_scrolls_where_it_does_not_fit() {
    let mut stage = loop_is_tried();
    stage.keys("?");
    let first = stage.screen(80, 20);
    stage.keys("G");
    let last = stage.screen(80, 20);
    assert!(
        first.contains("keep every token of the selected node") && !first.contains("timed out:")
    );
    assert!(last.contains("timed out:"));
    stage.keys("k");
    assert_ne!(
        stage.screen(80, 20),
        last,
        "up works at once after going to the end"
    );
}

#[test]
fn help_goes_on_below_where_a_line_does_not_fit() {
    let mut stage = loop_is_tried();
    stage.keys("?");
    let screen = stage.screen(60, 150);
    let edge = |c: char| !c.is_ascii() || c.is_whitespace();
    let words: Vec<&str> = screen.split(edge).filter(|word| !word.is_empty()).collect();
    let said = words.join(" ");
    let what = "search for a kind, text or file; kind:WORD, text:WORD, file:WORD for one";
    assert!(said.contains(what), "{screen}");
    assert!(said.contains("(nothing was searched for)"), "{screen}");
}

#[test]
fn messages_cover_neither_a_prompt_nor_the_help_and_a_new_answer_takes_the_place_of_the_last() {
    let mut stage = loop_is_tried();
    let toasts = &mut stage.app.toasts;
    toasts.push_toast("the disk is full", Role::Note);
    toasts.push_answer("layout one".into());
    toasts.push_answer("layout two".into());
    for keys in [":", "esc ?"] {
        stage.keys(keys);
        let screen = stage.screen(140, 40);
        assert!(!screen.contains("the disk is full"), "{screen}");
    }
    stage.keys("esc");
    let screen = stage.screen(140, 40);
    for told in ["the disk is full", "layout two"] {
        assert!(screen.contains(told), "{told}: {screen}");
    }
    assert!(!screen.contains("layout one"), "{screen}");
}

#[test]
fn a_popup_has_a_whole_edge() {
    let mut stage = loop_is_tried();
    stage.app.toasts.push_toast("the disk is full", Role::Note);
    let screen = stage.screen(140, 40);
    let lines: Vec<&str> = screen.lines().collect();
    let said = lines
        .iter()
        .position(|line| line.contains("the disk is full"));
    let above = lines[said.expect("it is told") - 1];
    let edge = format!("╭{}╮", "─".repeat(62));
    assert!(above.contains(&edge), "{screen}");
}

#[test]
fn hints_are_commands_that_work_now() {
    let mut stage = loop_is_tried();
    let screen = stage.screen(140, 40);
    let line = screen.lines().last().expect("a line");
    for entry in hinted_commands(&stage.app.facts()) {
        let hint = format!(
            "{} {}",
            entry.keys[0].name(),
            entry.hint.expect("it is a hint")
        );
        assert!(line.contains(&hint), "{hint} is not in {line}");
        assert!((entry.disabled)(&stage.app.facts()).is_none());
    }
    assert!(!line.contains(". step"), "the run is not paused");
}

#[test]
fn the_palette_has_every_command_and_every_verb() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    let lines: Vec<String> = lop::tui::prompt::list_completions(&stage.app, "")
        .into_iter()
        .map(|proposal| proposal.line)
        .collect();
    let is_there = |name: &str| lines.iter().filter(|line| *line == name).count() == 1;
    let known = |entry: &&lop::tui::commands::ScreenCommand| {
        entry.is_typeable() && entry.context.is_available(&stage.app.facts())
    };
    for entry in COMMANDS.iter().filter(known) {
        assert!(is_there(entry.name), "{}", entry.name);
        let values = entry
            .argument
            .map_or(Vec::new(), |arg| (arg.values)(&stage.app));
        if !values.is_empty() {
            let proposed =
                lop::tui::prompt::list_completions(&stage.app, &format!("{} ", entry.name));
            assert_eq!(proposed.len(), values.len(), "{}", entry.name);
        }
    }
    for verb in VERBS {
        assert!(is_there(verb.name), "{}", verb.name);
    }
}

#[test]
fn help_begins_with_the_pane_that_has_the_keys() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    stage.keys("tab tab ?");
    let screen = stage.screen(140, 40);
    let at = |heading: &str| screen.find(heading).unwrap_or(usize::MAX);
    assert!(at("In the log") < at("The run"), "{screen}");
}

#[test]
fn a_narrow_screen_names_the_key_that_says_why_a_node_is_still_there() {
    let finished = || {
        let mut stage = loop_is_tried();
        stage.finish(FinishReason::Complete);
        stage.keys("esc");
        stage
    };
    let paused = || {
        let mut stage = loop_is_tried();
        stage.run.state = RunState::Paused(None);
        stage.show();
        stage
    };
    for mut stage in [loop_is_tried(), paused(), finished()] {
        for pane in ["tree", "program"] {
            let screen = stage.screen(80, 24);
            let hints = screen.lines().last().unwrap_or_default().to_owned();
            assert!(hints.contains("i why here?"), "{pane}: {hints}");
            assert!(hints.contains("? help  q "), "{pane}: {hints}");
            stage.keys("tab");
        }
    }
}
