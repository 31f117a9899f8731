//! Cursor movement, folding, following.

use lop::oracle::Verdict;
use lop::program::{EditAction, EditOp, IndexRanges, NodeId, NodeShape, walk};
use lop::tui::palette::TerminalPalette;

use crate::stage::{PROGRAM, Stage, find, read, run};
use crate::{ask_for, cells, loop_is_tried};

#[test]
fn moving_in_the_tree_shows_the_place_in_the_program() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("j j");
    assert_eq!(stage.selected(), "int g(int x) { return x + 1; }");
    let frame = stage.frame(140, 40);
    let plain = cells(&frame, "  1  struct")[5].bg;
    assert_ne!(
        cells(&frame, "  4      return x")[12].bg,
        plain,
        "the selected node is underlaid"
    );
    assert_eq!(stage.app.selection.line, 2);
}

#[test]
fn moving_in_the_program_shows_the_place_in_the_tree() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("tab G k k k");
    assert_eq!(stage.selected(), "while (s.a) --s.a;");
    let screen = stage.screen(140, 40);
    let row = screen
        .lines()
        .find(|line| line.contains("while_statement  "))
        .expect("the row is unfolded");
    assert!(row.contains("while ("), "{row}");
    stage.keys("h");
    assert_eq!(stage.selected(), "{ g(s.a); while (s.a) --s.a; }");
    stage.keys("l");
    assert_eq!(stage.selected(), "g(s.a);");
}

#[test]
fn nodes_fold_and_unfold() {
    let mut stage = Stage::new(PROGRAM);
    let rows = |stage: &mut Stage| {
        let screen = stage.screen(140, 40);
        screen
            .lines()
            .skip(2)
            .take_while(|line| !line.starts_with('├'))
            .filter(|line| line.contains("  ▸ ") || line.contains("  ▾ "))
            .count()
    };
    assert_eq!(rows(&mut stage), 4, "the top level is open");
    stage.keys("j j l");
    assert_eq!(rows(&mut stage), 6);
    stage.keys("h");
    assert_eq!(rows(&mut stage), 4);
    stage.keys("enter l");
    assert_eq!(
        stage.selected(),
        "int",
        "unfolding what is open goes into it"
    );
    stage.keys("h h h h");
    assert_eq!(
        rows(&mut stage),
        1,
        "folding what is folded goes out of it, up to the top"
    );
    stage.keys("E");
    assert!(stage.screen(140, 90).contains("argument_list"));
    stage.keys("C");
    assert_eq!(rows(&mut stage), 4);
}

#[test]
fn following_stops_when_the_user_moves_says_so_and_starts_with_one_key() {
    let mut stage = loop_is_tried();
    assert!(stage.screen(140, 40).contains("─ following ─"));
    assert_eq!(stage.selected(), "while (s.a) --s.a;");
    stage.keys("k");
    assert!(
        stage
            .screen(140, 40)
            .contains("following: off, F starts it")
    );
    ask_for(&mut stage, "s.a = g(2);");
    assert_eq!(stage.selected(), "g(s.a);", "the selection is the user's");
    stage.keys("F");
    assert_eq!(stage.selected(), "s.a = g(2);");
    assert!(stage.screen(140, 40).contains("─ following ─"));
}

#[test]
fn what_is_followed_is_in_the_middle_with_what_stands_around_it() {
    let lines = (0..200).map(|at| format!("int v{at};\n"));
    let mut stage = Stage::new(&lines.collect::<String>());
    stage.screen(140, 40);
    let version = stage.run.version.clone();
    let mut nodes = walk::preorder(&version.documents()[0].root);
    let list = nodes.find(|node| node.shape == NodeShape::Star && node.len() == 200);
    let list = list.expect("the declarations").id;
    for place in [120, 60, 150] {
        let first = find(&version, &format!("int v{place};"), |shape| {
            shape == NodeShape::Regular
        });
        let items = IndexRanges::from_range(place..place + 1);
        let action = EditAction::DropItems {
            go: 1,
            of: 200,
            first: Some(first),
        };
        stage.try_edit(EditOp::DeleteItems { list, items }, action, list);
        let screen = stage.screen(140, 40);
        // Each line stands in the tree and in the program.
        for near in place - 4..place + 5 {
            for said in [format!("▸ v{near} "), format!("int v{near};")] {
                assert!(screen.contains(&said), "{said}: {screen}");
            }
        }
    }
}

#[test]
fn following_closes_behind_it_what_it_opened() {
    let mut stage = loop_is_tried();
    assert!(stage.screen(140, 40).contains("while_statement  "));
    ask_for(&mut stage, "return x");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("return_statement"));
    assert!(!screen.contains("while_statement  "));
}

#[test]
fn selection_and_folds_hold_to_nodes_while_the_program_shrinks() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("E tab G k tab tab");
    assert_eq!(stage.selected(), "return s.a;");
    let before = stage.app.selection.node;
    ask_for(&mut stage, "while");
    stage.answer(Verdict::Interesting);
    assert_eq!(stage.app.selection.node, before);
    assert_eq!(stage.selected(), "return s.a;");
    assert!(
        stage.screen(140, 90).contains("argument_list"),
        "what was unfolded still is"
    );
}

#[test]
fn when_the_selected_node_goes_its_neighbour_is_selected() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("tab G k k k");
    assert_eq!(stage.selected(), "while (s.a) --s.a;");
    ask_for(&mut stage, "while");
    stage.answer(Verdict::Interesting);
    assert_eq!(stage.selected(), "g(s.a);");
    ask_for(&mut stage, "if");
    stage.answer(Verdict::Interesting);
    assert_eq!(
        stage.selected(),
        "return s.a;",
        "what it lay in is gone too, and has a neighbour"
    );
}

#[test]
fn text_that_is_scrolled_sideways_says_so_and_comes_back() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    stage.keys("tab >");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("‹= g(2);"), "{screen}");
    stage.keys("F");
    assert!(!stage.screen(140, 40).contains('‹'));
    stage.keys("> tab tab tab j");
    assert!(!stage.screen(140, 40).contains('‹'), "a new selection");
}

#[test]
fn the_end_of_the_program_is_a_place() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("tab G");
    assert_eq!(stage.app.selection.line, 15);
    let screen = stage.screen(140, 40);
    assert!(screen.contains("╭ Tree "), "{screen}");
    let mut empty = Stage::of(run(read("empty.c", "")), TerminalPalette::FULL);
    empty.frame(140, 40);
    empty.keys("tab G");
    assert_eq!(empty.app.selection.line, 0);
}

#[test]
fn clicks_select_and_the_wheel_moves_where_it_is() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    assert!(stage.app.on_click(100, 6));
    assert_eq!(stage.selected(), "int g(int x) { return x + 1; }");
    assert!(stage.app.on_click(20, 12));
    assert_eq!(stage.selected(), "struct S s;");
    assert!(
        stage
            .app
            .on_mouse_wheel(20, 12, lop::tui::commands::PaneAction::Down)
    );
    assert_eq!(stage.app.selection.line, 11);
    assert!(!stage.app.on_click(0, 0), "nothing is there");
}

#[test]
fn rows_numbers_and_counts_agree_through_edits() {
    rows_agree(Stage::new(include_str!("../samples/small.c")));
}

#[test]
fn rows_numbers_and_counts_of_a_project_agree_through_edits() {
    let small = include_str!("../samples/small.c");
    rows_agree(Stage::of_project(&[
        ("lib/a.c", small),
        ("lib/in/b.c", "int a;\nint b;\n"),
        ("lib/in/c.txt", "one two\n\nthree\nfour\n"),
        ("main.c", "int c;\n"),
        ("z.h", ""),
    ]));
}

fn rows_agree(mut stage: Stage) {
    let mut seed = 7u64;
    let mut random = |below: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let marks = Default::default();
    for round in 0..200 {
        let version = stage.run.version.clone();
        let folds = &mut stage.app.selection.folds;
        let len = folds.row_count(&version);
        let rows = folds.visible_rows(&version, &marks, 0, usize::MAX);
        assert_eq!(rows.len(), len);
        for (at, row) in rows.iter().enumerate().step_by(1 + round % 5) {
            let trail = row
                .node_id()
                .map(|node| version.path_to(node).expect("it is there"));
            if let Some(trail) = trail {
                assert_eq!(folds.row_number(&version, &trail), at);
            }
            let from = folds.visible_rows(&version, &marks, at, 3);
            let nodes = from.iter().map(|row| row.node_id());
            assert!(nodes.eq(rows[at..].iter().take(3).map(|row| row.node_id())));
        }
        let Some(node) = rows[random(len)].node_id() else {
            continue;
        };
        let trail = version.path_to(node).expect("it is there");
        let open = folds.is_open(node);
        match round % 7 {
            5 => folds.follow_path(&version, Some(&trail)),
            6 => folds.keep_followed_path(&version),
            _ => folds.set_open(&trail, !open),
        }
        if round % 10 == 9 {
            let lists: Vec<NodeId> = lop::program::walk::preorder(&version.documents()[0].root)
                .filter(|node| node.shape == NodeShape::Star && node.len() > 1)
                .map(|node| node.id)
                .collect();
            let list = lists[random(lists.len())];
            let items = IndexRanges::from_range(0..1);
            let edit = EditOp::DeleteItems { list, items }.into();
            if let Ok((next, _)) = lop::program::apply_edit(&version, &edit) {
                stage.run.version = next;
                stage.run.number += 1;
                stage.show();
            }
        }
    }
}
