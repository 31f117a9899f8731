//! What is in force is seen, and can be changed.

use std::sync::Arc;

use lop::program::{ConstraintRule, ConstraintSet, NodeTarget};
use lop::reduce::{EngineCommand, resolve_constraints};
use lop::tui::app::PageKind;

use crate::in_the_middle;
use crate::stage::Stage;

/// The user keeps, points at, stops at and switches off something.
fn steered() -> Stage {
    let mut stage = in_the_middle();
    let mut constraints = ConstraintSet::default();
    for (rule, place) in [(ConstraintRule::Pin, "g"), (ConstraintRule::Focus, "main")] {
        let target: NodeTarget = place.parse().expect("a place");
        let found = resolve_constraints(&stage.run.version, rule, &target).expect("it is there");
        found
            .into_iter()
            .for_each(|constraint| constraints.add_constraint(constraint));
    }
    stage.run.constraints = Arc::new(constraints);
    stage.run.breakpoints = Arc::new(["invalid".into()]);
    stage.run.switched_off = Arc::new(["bodies"]);
    stage.show();
    stage
}

#[test]
fn one_line_says_what_is_in_force_and_only_then() {
    let mut stage = in_the_middle();
    assert!(!stage.screen(120, 40).contains("changes these"));
    stage.frame(120, 40);
    stage.keys("I");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("in-force: nothing is: no pin"), "{screen}");
    let mut stage = steered();
    for (width, height) in [(120, 40), (200, 60), (80, 24)] {
        let screen = stage.screen(width, height);
        for said in [
            "◆ focus main",
            "P pin g (13)",
            "■ break invalid",
            "I changes these",
        ] {
            assert!(screen.contains(said), "{said}: {screen}");
        }
    }
    // Without room for all, the others are counted.
    let screen = stage.screen(66, 24);
    assert!(screen.contains("2 more"), "{screen}");
    insta::assert_snapshot!("steered", stage.screen(120, 40));
}

#[test]
fn what_is_in_force_is_marked_in_the_tree_and_in_the_program() {
    let mut stage = steered();
    let screen = stage.screen(120, 40);
    let has = |begins: &str| screen.lines().any(|line| line.contains(begins));
    assert!(has("│◆   ▾ main()"), "{screen}");
    assert!(has("│◆  9      struct S s;"), "{screen}");
    assert!(!has("│◆  3  int g(int x) {"), "{screen}");
}

#[test]
fn each_item_can_be_removed_or_typed_again() {
    let mut stage = steered();
    stage.frame(120, 40);
    stage.keys("I");
    assert_eq!(stage.pages(), [PageKind::Steering]);
    insta::assert_snapshot!("in_force", stage.screen(120, 40));
    stage.keys("enter j x j x j x");
    let sent: Vec<String> = stage.sent.iter().map(EngineCommand::to_string).collect();
    assert!(sent[0].starts_with("unfocus #"), "{sent:?}");
    assert!(sent[1].starts_with("unpin #"), "{sent:?}");
    assert_eq!(sent[2..], ["unbreak invalid", "enable bodies"]);
    stage.keys("g e");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("focus main"), "{screen}");
    stage.keys("enter");
    let again = stage.sent.last().expect("a command").to_string();
    assert_eq!(again, "focus main");
    stage.keys("I");
    assert!(stage.pages().is_empty(), "its key closes it");
}
