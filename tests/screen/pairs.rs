//! The pair view: (seed, variant, keys, what it shows).

use std::sync::Arc;

use lop::oracle::Verdict;
use lop::program::pair::{DifferencePatch, PatchSide};
use lop::program::{Edit, EditAction, EditOp, IndexRanges, NodeId, NodeShape, walk};
use lop::reduce::FinishReason;
use lop::tui::app::{PageKind, PaneKind};
use lop::tui::layout::LAYOUTS;
use lop::tui::palette::TerminalPalette;
use lop::tui::theme::{ResolvedTheme, Role};
use ratatui::buffer::Cell;
use ratatui::style::Modifier;

use crate::cells;
use crate::stage::{SEED, Stage, VARIANT, find};

fn pair() -> Stage {
    Stage::of_pair(SEED, VARIANT)
}

/// The run asks whether the variant can be this text.
fn ask_for_variant(stage: &mut Stage, variant: &str) {
    let texts = [SEED, variant].map(|text| Some(Arc::from(text.as_bytes())));
    let root = stage.run.version.documents()[1].root.id;
    stage.try_edit(
        EditOp::Rewrite(texts.into()),
        EditAction::Question("can hunks of the difference go?".into()),
        root,
    );
}

/// The list that holds what begins so in a document, and its number there.
fn place_in_list(stage: &Stage, document: usize, begins: &str) -> (NodeId, u32) {
    let version = &stage.run.version;
    let root = &version.documents()[document].root;
    let is_it = |node: &&Arc<lop::program::ProgramNode>| {
        node.shape == NodeShape::Regular
            && lop::program::text_excerpt(node, 1000).starts_with(begins)
    };
    let node = walk::preorder(root)
        .skip(2)
        .find(is_it)
        .expect("it is there");
    let path = version.path_to(node.id).expect("a path");
    let list = path.parent().expect("a list");
    let at = list.children().iter().position(|child| child.id == node.id);
    (list.id, at.expect("an element") as u32)
}

/// The run asks whether what begins so can go from both programs.
fn ask_without(stage: &mut Stage, begins: &str) {
    let ops = [0, 1].map(|document| {
        let (list, at) = place_in_list(stage, document, begins);
        EditOp::DeleteItems {
            list,
            items: IndexRanges::from_range(at..at + 1),
        }
    });
    let (list, at) = place_in_list(stage, 0, begins);
    let edit: Edit = ops.into_iter().collect();
    let action = EditAction::DropItems {
        go: 1,
        of: at + 1,
        first: None,
    };
    stage.try_edit(edit, action, list);
}

/// Where the selection is: the document, and the line counted from 1.
fn place(stage: &Stage) -> (usize, u32) {
    let selection = &stage.app.selection;
    (
        selection.shown_document(&stage.run.version),
        selection.line + 1,
    )
}

fn are_crossed(cells: &[Cell]) -> bool {
    let is_crossed = |cell: &Cell| cell.modifier.contains(Modifier::CROSSED_OUT);
    cells
        .iter()
        .filter(|cell| cell.symbol() != " ")
        .all(is_crossed)
}

#[test]
fn both_programs_stand_beside_each_other() {
    let mut stage = pair();
    insta::assert_snapshot!("pair_tree", stage.screen(140, 40));
    stage.keys("L");
    insta::assert_snapshot!("pair", stage.screen(120, 30));
    stage.keys("L");
    insta::assert_snapshot!("pair_unified", stage.screen(120, 30));
}

#[test]
fn a_small_screen_has_one_program_above_the_other_or_the_one_with_the_selection() {
    let mut stage = pair();
    stage.keys("2");
    insta::assert_snapshot!("pair_narrow", stage.screen(80, 24));
    insta::assert_snapshot!("pair_tiny", stage.screen(40, 12));
    stage.keys("1");
    let screen = stage.screen(40, 12);
    assert!(screen.contains("7 -     return a;"), "{screen}");
}

#[test]
fn common_text_is_pale_and_what_one_program_has_alone_is_in_the_colours_of_a_diff() {
    let mut stage = pair();
    let frame = stage.frame(140, 40);
    let theme = ResolvedTheme::built_in(TerminalPalette::FULL);
    let colour = |role| theme.role_style(role).fg.expect("a colour");
    for (text, role) in [
        ("static", Role::Common),
        ("return a", Role::Common),
        ("-     return", Role::Removed),
        ("+     int unused", Role::Added),
    ] {
        assert_eq!(cells(&frame, text)[0].fg, colour(role), "{text}");
    }
    assert_eq!(cells(&frame, "int unused = 7;")[4].fg, colour(Role::Added));
    assert_eq!(
        cells(&frame, "return a;")[7].fg,
        colour(Role::Removed),
        "the name"
    );
}

#[test]
fn what_the_candidate_takes_away_is_struck_through_in_both() {
    let mut stage = pair();
    ask_without(&mut stage, "s.len = 3;");
    let frame = stage.frame(140, 40);
    let rows = frame.content().chunks(140);
    let struck = |row: &[Cell]| {
        row.iter()
            .filter(|cell| are_crossed(std::slice::from_ref(*cell)) && cell.symbol() != " ")
            .count()
    };
    let counts: Vec<usize> = rows.map(struck).filter(|count| *count > 6).collect();
    assert_eq!(counts, [2 * "s.len=3;".len()], "one row, in both");
    let screen = stage.screen(140, 40);
    assert_eq!(screen.matches("⟳ 1").count(), 2, "{screen}");
}

#[test]
fn a_hunk_that_is_undone_is_marked_in_both() {
    let mut stage = pair();
    ask_for_variant(&mut stage, &VARIANT.replace("    int unused = 7;\n", ""));
    let frame = stage.frame(140, 40);
    assert!(are_crossed(&cells(&frame, "int unused = 7;")));
    assert!(!are_crossed(&cells(&frame, "s.len = 3;")));
    assert_eq!(place(&stage), (1, 12), "the selection follows it");
    stage.answer(Verdict::Uninteresting);
    // What the seed has alone comes back.
    ask_for_variant(&mut stage, &VARIANT.replace("return x;", "return a;"));
    let frame = stage.frame(140, 40);
    assert!(are_crossed(&cells(&frame, "return x;")[7..8]));
    assert!(!are_crossed(&cells(&frame, "return a;")));
    let theme = ResolvedTheme::built_in(TerminalPalette::FULL);
    let comes = cells(&frame, "return a;")[7].fg;
    assert_eq!(Some(comes), theme.role_style(Role::Trying).fg);
}

#[test]
fn the_keys_go_from_hunk_to_hunk_and_from_program_to_program() {
    let mut stage = pair();
    stage.frame(140, 40);
    assert_eq!(stage.app.focused_pane(), PaneKind::Pair);
    let mut places = Vec::new();
    for key in ["}", "}", "}", "}", "{", "1", "2", "2"] {
        stage.keys(key);
        places.push(place(&stage));
    }
    let hunks = [(1, 6), (1, 6), (1, 7), (1, 12)];
    assert_eq!(places[..4], hunks, "two hunks are on one line");
    assert_eq!(places[4], (1, 7), "in the program that the user is in");
    assert_eq!((places[5].0, places[6].0), (0, 1));
    stage.keys("G }");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("there is no hunk after this line"),
        "{screen}"
    );
}

#[test]
fn going_down_passes_lines_that_only_the_other_program_has() {
    let mut stage = pair();
    stage.frame(140, 40);
    stage.keys("1 g");
    let lines: Vec<(usize, u32)> = (0..14)
        .map(|_| {
            stage.keys("j");
            place(&stage)
        })
        .collect();
    let seed = (2..=11).map(|line| (0, line));
    let rest = [(1, 12), (0, 12), (0, 13), (0, 14)];
    assert_eq!(lines, seed.chain(rest).collect::<Vec<_>>());
}

#[test]
fn a_selection_is_linked_with_its_twin() {
    let mut stage = pair();
    stage.frame(140, 40);
    let version = &stage.run.version;
    let main = find(version, "int main", |shape| shape == NodeShape::Regular);
    let version = version.clone();
    stage.app.selection.go_to_node(&version, main);
    let frame = stage.frame(140, 40);
    let theme = ResolvedTheme::built_in(TerminalPalette::FULL);
    let linked = theme.role_style(Role::Linked).bg.expect("a background");
    let linked_cells = |text: &str| {
        let rows = frame.content().chunks(140);
        let width = text.chars().count();
        let mut found = Vec::new();
        for row in rows {
            let symbols: Vec<&str> = row.iter().map(Cell::symbol).collect();
            for at in 41..=140 - width {
                if symbols[at..at + width].concat() == text {
                    found.push(row[at].bg == linked);
                }
            }
        }
        found
    };
    assert_eq!(linked_cells("int main(void)"), [true, true], "in both");
    assert_eq!(linked_cells("len_bar(struct Len x)"), [false, false]);
    assert_eq!(linked_cells("int unused"), [false], "it has no twin");
}

#[test]
fn a_click_selects_in_the_program_under_it() {
    let mut stage = pair();
    stage.frame(140, 40);
    assert!(stage.app.on_click(100, 15), "line 12 of the variant");
    assert_eq!(place(&stage), (1, 12));
    assert!(stage.app.on_click(60, 16));
    assert_eq!(place(&stage), (0, 12));
}

#[test]
fn the_layouts_of_a_pair_are_for_pairs() {
    let mut stage = pair();
    let names: Vec<&str> = LAYOUTS
        .iter()
        .map(|_| {
            stage.keys("L");
            stage.app.arrangement.layout.name
        })
        .collect();
    assert_eq!(names.len(), LAYOUTS.len());
    assert!(
        names.contains(&"pair") && names.contains(&"all"),
        "a pair has all"
    );
    let mut one = Stage::new(VARIANT);
    for _ in LAYOUTS {
        one.keys("L");
        assert!(!one.app.arrangement.layout.of_pair());
    }
    one.keys(":");
    one.types("layout pair");
    one.keys("enter");
    let screen = one.screen(140, 40);
    assert!(
        screen.contains("the layout pair shows the two programs of a pair"),
        "{screen}"
    );
    one.keys("esc :");
    one.types("layout ");
    let screen = one.screen(140, 40);
    assert!(
        screen.contains("versions") && !screen.contains("difference"),
        "{screen}"
    );
}

#[test]
#[ignore = "long"]
fn no_size_is_too_small_for_a_pair() {
    let mut long = pair();
    long.keys("L L");
    let mut tried = pair();
    ask_without(&mut tried, "s.len = 3;");
    let mut empty = Stage::of_pair("int a;", "");
    for width in (0..=90).step_by(3).chain([99, 100, 140, 300]) {
        for height in (0..=40).step_by(2).chain([100]) {
            for stage in [&mut long, &mut tried, &mut empty] {
                stage.frame(width, height);
                stage.keys("j } 2 > tab");
            }
        }
    }
}

#[test]
fn the_result_says_what_is_left_of_the_difference_and_shows_both_programs_as_one_text() {
    let mut stage = Stage::of_pair(
        "int main(void) {\n  return 0;\n}\n",
        "int main(void) {\n  return nothing;\n}\n",
    );
    stage.finish(FinishReason::Complete);
    let screen = stage.screen(140, 44);
    insta::assert_snapshot!("pair_result", screen);
    stage.keys("c");
    assert_eq!(stage.pages(), [PageKind::Result], "a pair explains itself");
}

#[test]
fn the_tree_shows_one_program_and_where_its_tokens_have_no_twins() {
    let mut stage = pair();
    let tree = |stage: &mut Stage| -> Vec<String> {
        let screen = stage.screen(140, 40);
        let rows = screen.lines().skip(3).take(12);
        rows.map(|row| row.chars().take(39).collect()).collect()
    };
    let rows = tree(&mut stage).join("\n");
    assert!(rows.contains("Tree  seed"), "{rows}");
    assert!(rows.contains("▾ Δ1 struct"), "{rows}");
    assert_eq!(rows.matches(" transl").count(), 1, "{rows}");
    stage.keys("2");
    let rows = tree(&mut stage).join("\n");
    assert!(rows.contains("Tree  variant"), "{rows}");
    assert!(rows.contains("▾ Δ13 struc"), "{rows}");
    assert!(rows.contains("▸ Δ5 main()"), "main: {rows}");
    // In the tree the same keys go from program to program, and all else stays in the one that is shown.
    stage.keys("shift-tab");
    while stage.app.focused_pane() != PaneKind::Tree {
        stage.keys("tab");
    }
    stage.keys("G E");
    assert_eq!(place(&stage).0, 1);
    stage.keys("1 G");
    assert_eq!(place(&stage).0, 0, "the last row of the seed");
    stage.keys("g k");
    assert_eq!(place(&stage), (0, 1), "the first row of the seed");
}

#[test]
fn the_progress_of_a_pair_has_three_numbers_and_three_curves() {
    let mut stage = pair();
    ask_for_variant(&mut stage, &VARIANT.replace("    int unused = 7;\n", ""));
    stage.answer(Verdict::Interesting);
    ask_without(&mut stage, "s.len = 3;");
    stage.answer(Verdict::Interesting);
    stage.keys("L");
    let screen = stage.screen(120, 30);
    for line in [
        "difference  9 of 14  ",
        "variant    55 of 66  ",
        "seed       48 of 54  ",
        "seed.c → variant.c",
    ] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    let curve = screen
        .lines()
        .find(|line| line.contains("difference  9 of"));
    let levels = curve.map(|line| line.chars().filter(|c| ('▁'..='█').contains(c)).collect());
    let levels: String = levels.expect("a curve");
    let (first, last) = (levels.chars().next(), levels.chars().last());
    assert_eq!(first, Some('█'));
    assert!(last < first, "it falls: {levels}");
    let narrow = stage.screen(40, 12);
    assert!(narrow.contains("difference 9 of 14"), "{narrow}");
}

#[test]
fn the_page_of_a_hunk_has_the_last_candidate_without_it() {
    let mut stage = pair();
    stage.frame(140, 40);
    stage.keys("} } } } i");
    let screen = stage.screen(100, 30);
    assert!(screen.contains("+ int unused = 7 ;"), "{screen}");
    assert!(
        screen.contains("No candidate was without it yet."),
        "{screen}"
    );
    stage.keys("i");
    assert!(stage.pages().is_empty(), "the key closes it");
    // Both hunks of `return`, then another one, which says nothing of the first.
    ask_for_variant(&mut stage, &VARIANT.replace("return x;", "return a;"));
    stage.prints = "bar.c: no failure".into();
    stage.answer(Verdict::Uninteresting);
    ask_for_variant(&mut stage, &VARIANT.replace("    int unused = 7;\n", ""));
    stage.prints = "unused: no failure".into();
    stage.answer(Verdict::Uninteresting);
    stage.frame(140, 40);
    stage.keys("g } } } i");
    insta::assert_snapshot!("hunk", stage.screen(100, 30));
    let screen = stage.screen(100, 30);
    assert!(screen.contains("bar.c: no failure"), "{screen}");
    assert!(!screen.contains("unused: no failure"), "{screen}");
}

#[test]
fn the_candidate_of_a_pair_is_two_diffs_of_the_programs_and_of_the_difference() {
    let mut stage = pair();
    let patch = DifferencePatch::from_version(&stage.run.version, PatchSide::Variant);
    let patch = patch.expect("a difference");
    let hunks = patch.hunks();
    let edit = patch.undo_edit(&stage.run.version, hunks.last().expect("a hunk"));
    let root = stage.run.version.documents()[1].root.id;
    stage.try_edit(edit, EditAction::Question("can it go?".into()), root);
    stage.keys("d");
    insta::assert_snapshot!("candidate_of_a_pair", stage.screen(100, 30));
    stage.keys("d");
    stage.answer(Verdict::Uninteresting);
    ask_without(&mut stage, "s.len = 3;");
    stage.keys("d");
    let screen = stage.screen(100, 30);
    for part in [
        "seed.c",
        "variant.c",
        "the difference stays as it is",
        "-  12      s.len = 3;",
        "-  13      s.len = 3;",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
}

#[test]
fn the_candidate_of_an_isolation_shows_the_lines_that_come_to_an_empty_seed() {
    let mut stage = Stage::of_pair("", "int a;\nint b = 1;\nint c;\n");
    let texts = ["int a;\nint c;\n", "int a;\nint b = 1;\nint c;\n"];
    let texts = texts.map(|text| Some(Arc::from(text.as_bytes())));
    let root = stage.run.version.documents()[0].root.id;
    let question = EditAction::Question("does the program pass as the seed?".into());
    stage.try_edit(EditOp::Rewrite(texts.into()), question, root);
    stage.keys("d");
    let screen = stage.screen(100, 30);
    for part in [
        "seed.c",
        "+   1  int a;",
        "+   2  int c;",
        "without hunk 1 of 1, 6 of its 11 tokens",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
}

#[test]
fn the_words_of_a_line_say_what_is_in_one_program_alone() {
    let mut stage = pair();
    stage.frame(140, 40);
    stage.keys("} c");
    let screen = stage.screen(100, 30);
    for part in [
        "seed, line 6",
        "every word is in both programs",
        "[({] struct Len a = x; [a; });]",
        "+ ({  a; });",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    stage.keys("c");
    assert!(stage.pages().is_empty());
}

#[test]
fn a_hunk_at_the_end_of_a_long_line_is_scrolled_to() {
    let sum = " + 1".repeat(60);
    let [seed, variant] = ["old", "new"].map(|name| format!("int a = 1{sum} + {name};\n"));
    let mut stage = Stage::of_pair(&seed, &variant);
    let screen = stage.screen(140, 40);
    assert!(!screen.contains("new;"), "{screen}");
    stage.keys("g }");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("old;") && screen.contains("new;"),
        "{screen}"
    );
}

#[test]
fn tabs_and_wide_characters_count_as_the_cells_that_they_take() {
    // 40 characters of two cells and three bytes, and 20 tabs of four cells.
    for (before, shown) in [("漢".repeat(40), false), ("\t".repeat(20), true)] {
        let text = |name: &str| format!("int a = f(\"{before}\") + {name};\n");
        let blanks = |name: &str| format!("int a ={before}{name};\n");
        let pair = ["old", "new"].map(|name| match shown {
            true => blanks(name),
            false => text(name),
        });
        let mut stage = Stage::of_pair(&pair[0], &pair[1]);
        stage.keys("g }");
        let screen = stage.screen(140, 40);
        assert!(
            screen.contains("old;") && screen.contains("new;"),
            "{screen}"
        );
    }
    // Bytes that take no cells of their own need no scrolling.
    let umlauts = "ä".repeat(24);
    let [seed, variant] = ["old", "new"].map(|name| format!("{name}(\"{umlauts}\", {name});\n"));
    let mut stage = Stage::of_pair(&seed, &variant);
    stage.keys("g } }");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("hunk 2 of 2"), "{screen}");
    assert!(
        screen.contains("old(\"ä") && screen.contains("new(\"ä"),
        "{screen}"
    );
}

#[test]
fn a_message_about_a_node_says_how_it_begins() {
    let mut stage = pair();
    stage.keys("g j p");
    let said = stage.screen(140, 40);
    assert!(!said.contains("pin #"), "{said}");
    assert!(said.contains("pin `"), "{said}");
}

#[test]
fn a_candidate_that_was_accepted_is_not_the_last_without_a_hunk_that_is_there() {
    let mut stage = pair();
    stage.frame(140, 40);
    stage.run.state = lop::reduce::RunState::Paused(None);
    ask_without(&mut stage, "struct Len s;");
    stage.answer(Verdict::Interesting);
    stage.frame(140, 40);
    stage.keys("d");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("the difference stays as it is"), "{screen}");
    stage.keys("d g } } } } i");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("+ int unused = 7 ;"), "{screen}");
    assert!(
        screen.contains("No candidate was without it yet."),
        "{screen}"
    );
}

#[test]
fn a_hunk_that_begins_on_another_row_in_the_other_program_is_left_behind_in_both_directions() {
    let program = |first: &str, second: &str| {
        format!("int main(void) {{\n  {first}\n  a;\n  {second};\n}}\n")
    };
    let mut stage = Stage::of_pair(&program("goto", "b"), &program("sizeof", "c"));
    stage.keys("2 v");
    assert!(stage.screen(140, 40).contains("hunk 1 of 2"));
    stage.keys("v");
    assert!(stage.screen(140, 40).contains("hunk 2 of 2"));
    stage.keys("V");
    assert!(stage.screen(140, 40).contains("hunk 1 of 2"));
    stage.keys("V");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("there is no hunk before"), "{screen}");
}
