//! What is in force is seen, and can be changed.

use std::sync::Arc;

use lop::oracle::Verdict;
use lop::program::{ConstraintRule, ConstraintSet, NodeTarget, QueryRequirement, walk};
use lop::reduce::{EngineCommand, ReorderedPasses, resolve_constraints};
use lop::tui::app::{PageKind, PaneKind};

use crate::stage::{PROGRAM, Stage};
use crate::{in_the_middle, loop_is_tried};

/// These constraints, on the program as it is.
fn constrain(stage: &Stage, places: &[(ConstraintRule, &str)]) -> ConstraintSet {
    let mut constraints = ConstraintSet::default();
    for (rule, place) in places {
        let target: NodeTarget = place.parse().expect("a place");
        let found = resolve_constraints(&stage.run.version, *rule, &target).expect("it is there");
        found
            .into_iter()
            .for_each(|constraint| constraints.add_constraint(constraint));
    }
    constraints
}

/// A query must have a match.
fn require(stage: &Stage, constraints: &mut ConstraintSet, query: &str) {
    let required = QueryRequirement::new(&query.into(), &stage.run.version);
    constraints.add_requirement(required.expect("it has a match"));
}

/// The user keeps, points at, stops at and switches off something.
fn steered() -> Stage {
    let mut stage = in_the_middle();
    let places = [(ConstraintRule::Pin, "g"), (ConstraintRule::Focus, "main")];
    stage.run.constraints = Arc::new(constrain(&stage, &places));
    stage.run.breakpoints = Arc::new(["invalid".into()]);
    stage.run.switched_off = Arc::new(["bodies"]);
    stage.show();
    stage
}

/// One item of each kind is in force.
fn steered_in_every_way() -> Stage {
    let mut stage = steered();
    let mut constraints = constrain(
        &stage,
        &[
            (ConstraintRule::Focus, "main"),
            (ConstraintRule::Suspect, "10"),
            (ConstraintRule::Pin, "g"),
        ],
    );
    require(&stage, &mut constraints, "(if_statement)");
    constraints.skip_candidate(stage.run.version.content_hash(), "sum".into());
    stage.run.constraints = Arc::new(constraints);
    stage.run.switched_off = Arc::new(["comments"]);
    stage.run.reordered = Some(Arc::new(ReorderedPasses {
        moved: vec!["perses", "comments"],
        now: vec!["perses", "comments"],
        before: vec!["comments", "perses"],
    }));
    stage.show();
    stage
}

/// The user changes the item of a row: the prompt opens with one line, and another one is typed.
fn change_item(stage: &mut Stage, row: usize, present: &str, typed: &str) {
    stage.frame(120, 40);
    stage.keys(&format!("I {} e", "j ".repeat(row)));
    let line = stage.app.prompt.as_ref().map(|prompt| prompt.line.clone());
    assert_eq!(line.as_deref(), Some(present));
    stage.keys("ctrl-u");
    stage.types(typed);
}

/// What the run was told.
fn sent_lines(stage: &Stage) -> Vec<String> {
    stage.sent.iter().map(EngineCommand::to_string).collect()
}

#[test]
fn one_line_says_what_is_in_force_and_only_then() {
    let mut stage = in_the_middle();
    assert!(!stage.screen(120, 40).contains("changes these"));
    stage.frame(120, 40);
    stage.keys("I");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("in-force: no pin, focus"), "{screen}");
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
fn each_item_can_be_removed() {
    let mut stage = steered();
    stage.frame(120, 40);
    stage.keys("I");
    assert_eq!(stage.pages(), [PageKind::Steering]);
    insta::assert_snapshot!("in_force", stage.screen(120, 40));
    stage.keys("enter j x j x j x");
    let sent = sent_lines(&stage);
    assert!(sent[0].starts_with("unfocus #"), "{sent:?}");
    assert!(sent[1].starts_with("unpin #"), "{sent:?}");
    assert_eq!(sent[2..], ["unbreak invalid", "enable bodies"]);
    stage.keys("I");
    assert!(stage.pages().is_empty(), "its key closes it");
}

#[test]
fn a_line_that_is_changed_stands_in_the_place_of_the_item() {
    // (the row, the line that the prompt opens with, the line that is accepted, what the run is told)
    let rows: [(usize, &str, &str, &[&str]); 6] = [
        (0, "focus main", "focus g", &["unfocus #", "focus g"]),
        (1, "suspect 10", "doubt 10", &["unhint #", "doubt 10"]),
        (2, "pin g", "pin-head g", &["unpin #", "pin-head g"]),
        (
            4,
            "break invalid",
            "break size 20",
            &["unbreak invalid", "break size 20"],
        ),
        (
            5,
            "disable comments",
            "disable perses",
            &["enable comments", "disable perses"],
        ),
        (
            6,
            "order perses, comments",
            "later comments",
            &["order comments, perses", "later comments"],
        ),
    ];
    for (row, present, accepted, told) in rows {
        let mut stage = steered_in_every_way();
        change_item(&mut stage, row, present, accepted);
        stage.keys("enter");
        let sent = sent_lines(&stage);
        assert_eq!(sent.len(), told.len(), "{sent:?}");
        for (sent, told) in sent.iter().zip(told) {
            assert!(sent.starts_with(told), "{sent} {told}");
        }
        assert!(stage.app.prompt.is_none());
        assert_eq!(stage.pages(), [PageKind::Steering], "the page stays");
    }
}

#[test]
fn of_two_queries_the_other_one_stays() {
    let mut stage = steered_in_every_way();
    let mut constraints = (*stage.run.constraints).clone();
    require(&stage, &mut constraints, "(struct_specifier)");
    stage.run.constraints = Arc::new(constraints);
    stage.show();
    let line = "require (if_statement)";
    change_item(&mut stage, 3, line, "require (return_statement)");
    stage.keys("enter");
    let told = [
        "unrequire",
        "require (struct_specifier)",
        "require (return_statement)",
    ];
    assert_eq!(sent_lines(&stage), told);
    stage.sent.clear();
    stage.keys("x");
    assert_eq!(sent_lines(&stage), told[..2]);
}

#[test]
fn a_line_that_makes_nothing_leaves_the_item_and_the_prompt() {
    for (accepted, said) in [
        ("focus nobody", "nothing declares `nobody`"),
        ("disable magic", "there is no pass `magic`"),
        ("break gone nobody", "nothing declares `nobody`"),
        ("require (no_such_kind)", "no_such_kind"),
        ("undo", "this makes nothing that is in force"),
    ] {
        let mut stage = steered_in_every_way();
        change_item(&mut stage, 0, "focus main", accepted);
        stage.keys("enter");
        assert!(stage.sent.is_empty(), "{accepted}");
        let screen = stage.screen(120, 40);
        assert!(screen.contains(said), "{said}: {screen}");
        assert!(screen.contains("Change: focus main"), "{screen}");
        stage.keys("esc");
        assert_eq!(stage.pages(), [PageKind::Steering]);
    }
    // The line as it was changes nothing, and for what was skipped there is no line.
    let mut stage = steered_in_every_way();
    change_item(&mut stage, 0, "focus main", "focus main");
    stage.keys("enter");
    assert!(stage.sent.is_empty() && stage.app.prompt.is_none());
    stage.keys("G e");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("what is skipped can only be removed"),
        "{screen}"
    );
}

#[test]
fn the_lines_of_a_pin_are_those_of_the_program_as_it_is() {
    let mut stage = loop_is_tried();
    let constraints = constrain(&stage, &[(ConstraintRule::Pin, "15")]);
    stage.run.constraints = Arc::new(constraints);
    // A line above goes.
    stage.answer(Verdict::Interesting);
    stage.frame(120, 40);
    let lines_before = PROGRAM.lines().count();
    let lines_after = walk::render_text(&stage.run.version.documents()[0].root)
        .iter()
        .filter(|byte| **byte == b'\n')
        .count();
    assert_eq!(lines_after + 1, lines_before);
    change_item(&mut stage, 0, "pin 14", "pin 14-15");
    stage.keys("enter");
    assert_eq!(sent_lines(&stage)[1], "pin 14-15");
}

#[test]
fn what_is_folded_away_is_marked_on_the_row_that_it_is_in() {
    let mut stage = in_the_middle();
    let mut constraints = ConstraintSet::default();
    for (rule, place) in [(ConstraintRule::Lock, "4"), (ConstraintRule::Suspect, "14")] {
        let target: NodeTarget = place.parse().expect("a place");
        let found = resolve_constraints(&stage.run.version, rule, &target).expect("it is there");
        found
            .into_iter()
            .for_each(|constraint| constraints.add_constraint(constraint));
    }
    stage.run.constraints = Arc::new(constraints);
    stage.run.current_test = None;
    stage.show();
    stage.frame(120, 40);
    while stage.app.focused_pane() != PaneKind::Tree {
        stage.keys("tab");
    }
    stage.keys("C");
    let screen = stage.screen(120, 40);
    let has = |begins: &str| screen.lines().any(|line| line.contains(begins));
    assert!(has("│▪   ▸ g()"), "{screen}");
    assert!(has("│?   ▸ main()"), "{screen}");
    stage.keys("?");
    stage.keys("G");
    let help = stage.screen(120, 40);
    for mark in ["◆ ", "▪ ", "? ", "■ "] {
        let has = |line: &str| line.trim_matches(['│', ' ']).starts_with(mark);
        assert!(
            help.lines().any(|line| line.split('│').any(has)),
            "{mark}: {help}"
        );
    }
}

#[test]
fn a_key_on_a_use_of_a_pinned_name_removes_its_pin() {
    let mut stage = in_the_middle();
    let target: NodeTarget = "g".parse().expect("a name");
    let found = resolve_constraints(&stage.run.version, ConstraintRule::Pin, &target);
    let mut constraints = ConstraintSet::default();
    found
        .expect("it is there")
        .into_iter()
        .for_each(|constraint| constraints.add_constraint(constraint));
    stage.run.constraints = Arc::new(constraints);
    stage.show();
    stage.frame(120, 40);
    let version = &stage.run.version;
    let is_use = |node: &&Arc<lop::program::ProgramNode>| {
        let kind = version.kind_name(0, node);
        kind == "identifier" && lop::program::node_excerpt(version, node.id, 10) == "g"
    };
    let root = &version.documents()[0].root;
    let uses: Vec<_> = lop::program::walk::preorder(root).filter(is_use).collect();
    let used = uses.last().expect("a use").id;
    stage.app.selection.node = Some(used);
    stage.keys("U");
    let sent = stage.sent.last().expect("a command").to_string();
    assert_eq!(sent, "unpin g");
}

#[test]
fn what_is_skipped_is_named_and_a_hint_on_what_is_gone_is_not_in_force() {
    let mut stage = in_the_middle();
    let before = stage.run.history[0].version.clone();
    let gone: NodeTarget = "13".parse().expect("a line");
    let gone = resolve_constraints(&before, ConstraintRule::Suspect, &gone);
    let mut constraints = ConstraintSet::default();
    for constraint in gone.expect("the loop was there") {
        constraints.add_constraint(constraint);
    }
    let hash = stage.run.version.content_hash();
    constraints.skip_candidate(hash, "del g(s.a);".into());
    stage.run.constraints = Arc::new(constraints);
    stage.show();
    let screen = stage.screen(120, 40);
    assert!(screen.contains("skip del g(s.a);"), "{screen}");
    assert!(!screen.contains("suspect 13"), "{screen}");
}

#[test]
fn on_one_line_too_a_page_is_seen_that_was_opened() {
    let mut stage = steered();
    stage.frame(20, 5);
    stage.keys("I");
    let screen = stage.screen(20, 5);
    assert!(screen.starts_with("61"), "the headline stays: {screen}");
    assert!(screen.contains("focus main"), "{screen}");
    stage.keys("esc");
    assert!(!stage.screen(20, 5).contains("focus main"));
}

#[test]
fn what_one_line_pins_is_one_item_and_goes_as_one() {
    let mut stage = in_the_middle();
    let text = "8";
    let constraints = constrain(&stage, &[(ConstraintRule::Pin, text)]);
    let parts = constraints.iter().count();
    assert!(parts > 1, "the line holds several nodes: {parts}");
    stage.run.constraints = Arc::new(constraints);
    stage.show();
    stage.keys("I enter");
    let sent = sent_lines(&stage);
    assert_eq!(sent.len(), parts, "{sent:?}");
    assert!(sent.iter().all(|line| line.starts_with("unpin #")));
}
