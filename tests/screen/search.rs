//! Search, bookmarks and the heat map.

use lop::oracle::Verdict;
use lop::tui::app::PaneKind;

use crate::stage::{PROGRAM, Stage};
use crate::{ask_for, cells, loop_is_tried};

fn look_for(stage: &mut Stage, what: &str) {
    stage.keys("/");
    stage.types(what);
    stage.keys("enter");
}

#[test]
fn a_kind_is_found_in_the_tree_and_a_text_in_the_program() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    look_for(&mut stage, "kind:if_");
    assert!(stage.selected().starts_with("if (s.a) {"));
    let frame = stage.frame(140, 40);
    let found = cells(&frame, "if_statement  ");
    let plain = cells(&frame, "return_statement");
    assert_ne!(found[0].bg, plain[0].bg, "the kind is marked");
    look_for(&mut stage, "text:g(s.a)");
    assert_eq!(stage.app.selection.line, 11, "of several tokens");
    look_for(&mut stage, "return");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("1 of 4 found") || screen.contains("of 4 found"),
        "{screen}"
    );
}

#[test]
fn what_was_found_while_nothing_happened_is_something_to_show() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("/");
    stage.types("return");
    stage.press_only("enter");
    assert!(stage.screen(140, 40).contains("searching"));
    assert!(stage.app.run_idle_work(), "there is another frame");
    assert!(stage.screen(140, 40).contains("of 4 found"));
    assert!(!stage.app.run_idle_work(), "and then none");
}

#[test]
fn a_key_of_another_pane_says_where_it_applies() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.app.arrangement.focus_pane(PaneKind::Log);
    stage.keys("/");
    assert!(stage.app.prompt.is_none());
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("search: in the tree and in the program; tab focuses"),
        "{screen}"
    );
}

#[test]
fn the_end_of_a_search_is_seen_though_nothing_else_happens() {
    let mut stage = Stage::new(PROGRAM);
    stage.keys("/");
    stage.types("nowhere");
    stage.press_only("enter");
    assert!(stage.screen(140, 40).contains("0 found, searching"));
    assert!(stage.app.run_idle_work(), "what it found is to be drawn");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("nothing was found") && !screen.contains("searching"),
        "{screen}"
    );
    assert!(!stage.app.run_idle_work(), "nothing is left to do");
}

#[test]
fn next_and_previous_go_around() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    look_for(&mut stage, "kind:return");
    assert_eq!(stage.selected(), "return x + 1;");
    stage.keys("n");
    assert_eq!(stage.selected(), "return s.a;");
    assert!(stage.screen(140, 40).contains("2 of 2 found"));
    stage.keys("n");
    assert_eq!(stage.selected(), "return x + 1;");
    stage.keys("N");
    assert_eq!(stage.selected(), "return s.a;");
    stage.keys("k N");
    assert_eq!(stage.selected(), "return x + 1;", "from where the user is");
    stage.keys("tab n");
    assert_eq!(stage.selected(), "return s.a;", "in the program too");
    assert_eq!(stage.app.selection.line, 14);
}

#[test]
fn what_is_gone_is_not_found_again() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    look_for(&mut stage, "kind:return");
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Interesting);
    stage.keys("n");
    assert_eq!(stage.selected(), "return x + 1;");
}

#[test]
fn what_is_not_there_is_told() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("n");
    assert!(
        stage
            .screen(140, 40)
            .contains("next: nothing was searched for")
    );
    look_for(&mut stage, "xyzzy");
    assert!(stage.screen(140, 40).contains("nothing was found"));
    stage.keys("j");
    assert!(
        !stage.screen(140, 40).contains("found"),
        "and the footer is free again"
    );
    stage.keys("n N");
    assert!(stage.screen(140, 40).contains("nothing was found"));
    look_for(&mut stage, "");
    stage.keys("n");
    assert!(
        stage
            .screen(140, 40)
            .contains("next: nothing was searched for"),
        "and the search is over"
    );
}

#[test]
fn places_are_remembered_by_letters() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("tab G k k k");
    let loop_ = stage.selected();
    stage.keys("m");
    assert!(
        stage
            .screen(140, 40)
            .contains("type the letter to mark this node with")
    );
    stage.keys("q g");
    assert!(!stage.left, "the letter was no command");
    assert_ne!(stage.selected(), loop_);
    stage.keys("' q");
    assert_eq!(stage.selected(), loop_);
    stage.keys("' z");
    assert!(stage.screen(140, 40).contains("there is no mark z"));
    ask_for(&mut stage, "while");
    stage.answer(Verdict::Interesting);
    stage.keys("' q");
    assert!(stage.screen(140, 40).contains("the node of q is gone"));
}

#[test]
fn the_heaviest_node_is_one_key_away() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("H");
    assert!(stage.selected().starts_with("int main(void)"));
    stage.keys("H H");
    assert!(stage.selected().starts_with("if (s.a) {"));
    assert!(!stage.app.selection.follow);
}

#[test]
fn heat_shows_where_the_run_spends_its_tests() {
    let mut stage = loop_is_tried();
    stage.answer(Verdict::Uninteresting);
    for _ in 0..3 {
        ask_for(&mut stage, "s.a = g(2);");
        stage.answer(Verdict::Uninteresting);
    }
    stage.frame(140, 40);
    stage.keys("t");
    let screen = stage.screen(140, 40);
    let row = |screen: &str, text: &str| {
        let line = screen.lines().find(|line| line.contains(text));
        line.unwrap_or_else(|| panic!("no {text}: {screen}"))
            .to_owned()
    };
    assert!(screen.contains("heat: tests"));
    assert!(row(&screen, "▾ struct S").contains("▇"));
    assert!(!row(&screen, "▸ g()").contains(['▁', '▃', '▅', '▇']));
    stage.keys("t");
    assert!(
        row(&stage.screen(140, 40), "s.a = g(2);   ").contains('▇'),
        "just now"
    );
    stage.keys("t t");
    assert!(!stage.screen(140, 40).contains("▇▾"), "off again");
}

#[test]
fn a_node_says_all_that_is_known_of_it() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    look_for(&mut stage, "kind:if_");
    stage.keys("i");
    insta::assert_snapshot!("inspection", stage.screen(140, 40));
}
