//! A project on the screen: (files, keys, what it shows).

use std::time::Duration;

use lop::oracle::Verdict;
use lop::program::{
    Constraint, ConstraintRule, ConstraintSet, Edit, EditAction, EditOp, IndexRanges, NodeShape,
    text_excerpt, tokens_of, walk,
};
use lop::reduce::EngineCommand;
use lop::tui::ScreenContext;
use lop::tui::palette::TerminalPalette;
use ratatui::style::Modifier;

use crate::cells;
use crate::stage::{Stage, context, project_run};

/// The files of most stories.
const FILES: [(&str, &str); 5] = [
    (
        "app/main.c",
        "#include \"../lib/port.h\"\n#include \"../lib/store.h\"\nint main(void) { return get(1) + put(2); }\n",
    ),
    ("lib/port.h", "int get(int at);\n"),
    (
        "lib/store.c",
        "#include \"port.h\"\nint get(int at) { return at; }\nint put(int at) { return at + 1; }\n",
    ),
    ("lib/store.h", "#include \"port.h\"\nint put(int at);\n"),
    ("util/log.c", "int log_level;\n"),
];

fn project() -> Stage {
    Stage::of_project(&FILES)
}

/// The lines of the tree pane, between its frame, without the blanks at their ends.
fn rows(stage: &mut Stage) -> Vec<String> {
    let screen = stage.screen(120, 40);
    let split = usize::from(stage.app.arrangement.areas.split);
    let tree = |line: &str| line.chars().skip(split).collect::<String>();
    let is_top = |line: &String| line.starts_with('╭');
    let lines = screen.lines().map(tree).skip_while(|line| !is_top(line));
    let lines = lines.skip(1).take_while(|line| line.starts_with('│'));
    let inside = lines.map(|line| {
        let inside = line.trim_start_matches('│').split('│').next();
        inside.unwrap_or_default().to_owned()
    });
    let rows = inside.map(|row| row.trim_end().to_owned());
    rows.filter(|row| !row.is_empty()).collect()
}

/// The names in the rows, with their folds.
fn names(stage: &mut Stage) -> Vec<String> {
    let name = |row: &String| {
        // Before it stand a mark and the heat.
        let row: String = row.chars().skip(2).collect();
        let words: Vec<&str> = row.trim_start().split("  ").collect();
        words[0].to_owned()
    };
    rows(stage).iter().map(name).collect()
}

/// The path of the file in the program pane.
fn shown(stage: &Stage) -> String {
    let version = &stage.run.version;
    let document = stage.app.selection.shown_document(version);
    version.documents()[document].path.display().to_string()
}

/// The failure is in this file.
fn place(stage: &mut Stage, path: &str) {
    constrain(stage, ConstraintRule::Place, path);
}

/// This rule is about this file.
fn constrain(stage: &mut Stage, rule: ConstraintRule, path: &str) {
    let documents = stage.run.version.documents().iter();
    let mut found = documents.filter(|document| document.path.ends_with(path));
    let root = &found.next().expect("the file").root;
    let mut constraints = ConstraintSet::default();
    constraints.add_constraint(Constraint {
        rule,
        tokens: tokens_of(root, true).into(),
        name: path.into(),
        line: Some(1),
    });
    stage.run.constraints = constraints.into();
    stage.show();
}

#[test]
fn directories_stand_above_files_and_have_the_sums_of_them() {
    let mut stage = project();
    insta::assert_snapshot!("project_all", stage.screen(140, 40));
    insta::assert_snapshot!("project_narrow", stage.screen(80, 24));
    assert_eq!(
        names(&mut stage),
        [
            "▾ app",
            "▸ main.c",
            "▾ lib",
            "▸ port.h",
            "▸ store.c",
            "▸ store.h",
            "▾ util",
            "▸ log.c"
        ]
    );
}

#[test]
fn directories_and_files_fold() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("left");
    assert_eq!(names(&mut stage)[..2], ["▸ app", "▾ lib"]);
    stage.keys("down down right");
    assert_eq!(shown(&stage), "lib/port.h");
    assert!(
        names(&mut stage)[3].starts_with("▸ get"),
        "a file unfolds into its tree"
    );
    stage.keys("right left");
    assert_eq!(
        stage.selected(),
        "int get(int at);",
        "the row of the file again"
    );
    stage.keys("left");
    assert_eq!(names(&mut stage)[2..4], ["▸ port.h", "▸ store.c"]);
    stage.keys("left left");
    assert_eq!(names(&mut stage), ["▸ app", "▸ lib", "▾ util", "▸ log.c"]);
    stage.keys("C");
    assert_eq!(names(&mut stage), ["▸ app", "▸ lib", "▸ util"]);
    stage.keys("E");
    assert!(names(&mut stage).len() > 10, "all trees are unfolded");
}

#[test]
fn a_click_selects_a_directory_or_a_file() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.app.on_click(80, 6);
    assert_eq!(shown(&stage), "lib/port.h", "the first file of lib");
    stage.keys("p");
    stage.app.on_click(80, 8);
    assert_eq!(shown(&stage), "lib/store.c");
    stage.keys("p x");
    let sent: Vec<String> = stage.sent.iter().map(EngineCommand::to_string).collect();
    assert_eq!(
        sent,
        ["pin lib", "pin lib/store.c", "try delete lib/store.c"]
    );
}

#[test]
fn the_keys_of_nodes_are_about_the_whole_directory() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("down down x U A");
    let sent: Vec<String> = stage.sent.iter().map(EngineCommand::to_string).collect();
    assert_eq!(sent, ["try delete lib", "unpin lib", "place lib"]);
    stage.keys("H");
    assert_eq!(shown(&stage), "lib/store.c", "the heaviest file");
    stage.keys("H");
    assert!(
        stage.selected().starts_with("int put"),
        "{}",
        stage.selected()
    );
}

#[test]
fn in_the_program_keys_are_about_what_it_shows_though_the_tree_is_on_a_directory() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("down down");
    assert_eq!(names(&mut stage)[2], "▾ lib");
    stage.keys("tab");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("◆ Program › lib/port.h"), "{screen}");
    stage.keys("p x m a");
    let sent: Vec<String> = stage.sent.iter().map(EngineCommand::to_string).collect();
    assert_eq!(sent, ["pin lib/port.h", "try delete lib/port.h"]);
    assert!(stage.screen(120, 40).contains("this node is marked a"));
    stage.keys("i");
    assert!(stage.screen(120, 40).contains("◆ lib/port.h"));
}

#[test]
fn files_that_went_are_struck_through_and_folded_away() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("down down down");
    stage.try_without_files(&["lib/port.h", "util/log.c"]);
    let frame = stage.frame(120, 40);
    let row = rows(&mut stage);
    assert!(
        row[3].starts_with("⟳") && row[6].starts_with("⟳") && !row[2].starts_with("⟳"),
        "{row:?}"
    );
    let tried = cells(&frame, "▸ port.h");
    assert!(
        tried[2].fg != cells(&frame, "▸ store.c")[2].fg,
        "what is tried has its colour"
    );
    stage.answer(Verdict::Interesting);
    assert_eq!(
        names(&mut stage),
        [
            "▾ app",
            "▸ main.c",
            "▾ lib",
            "▸ store.c",
            "▸ store.h",
            "▸ 1 file gone",
            "▸ 1 file gone"
        ]
    );
    assert_eq!(
        shown(&stage),
        "lib/store.c",
        "the next file of the directory"
    );
    stage.keys("down down right");
    assert_eq!(names(&mut stage)[5..7], ["▾ 1 file gone", "port.h"]);
    let frame = stage.frame(120, 40);
    let crossed = cells(&frame, "      port.h").split_off(6);
    assert!(
        crossed
            .iter()
            .all(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
    );
    stage.keys("down p");
    assert!(stage.screen(120, 40).contains("pin: it is gone already"));
    stage.keys("left");
    stage.keys("left");
    assert_eq!(names(&mut stage)[5], "▸ 1 file gone");
    stage.keys("G right");
    assert_eq!(names(&mut stage)[6..], ["▾ 1 file gone", "util"]);
    stage.stand_at(0);
    assert_eq!(names(&mut stage).len(), 8, "an undo brings them back");
}

#[test]
fn the_place_of_the_failure_is_marked_on_the_folded_directory_too() {
    let mut stage = project();
    place(&mut stage, "store.c");
    stage.frame(120, 40);
    let marked = |stage: &mut Stage| -> Vec<bool> {
        rows(stage).iter().map(|row| row.contains('◎')).collect()
    };
    assert_eq!(
        marked(&mut stage),
        [false, false, false, false, true, false, false, false]
    );
    stage.keys("down down left");
    assert_eq!(marked(&mut stage), [false, false, true, false, false]);
}

#[test]
fn the_run_is_followed_into_folded_directories() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("C F");
    stage.try_without_files(&["lib/store.h"]);
    assert_eq!(
        names(&mut stage),
        [
            "▸ app",
            "▾ lib",
            "▸ port.h",
            "▸ store.c",
            "▸ store.h",
            "▸ util"
        ]
    );
    assert_eq!(shown(&stage), "lib/store.h");
    stage.answer(Verdict::Uninteresting);
    stage.run.now += Duration::from_secs(1);
    stage.try_without_files(&["util/log.c"]);
    assert_eq!(names(&mut stage), ["▸ app", "▸ lib", "▾ util", "▸ log.c"]);
}

#[test]
fn a_search_finds_directories_and_files() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("C /");
    stage.types("file:store");
    stage.keys("enter");
    assert_eq!(shown(&stage), "lib/store.c");
    assert_eq!(
        names(&mut stage)[1..5],
        ["▾ lib", "▸ port.h", "▸ store.c", "▸ store.h"]
    );
    assert!(stage.screen(120, 40).contains("1 of 2 found"));
    stage.keys("n");
    assert_eq!(shown(&stage), "lib/store.h");
    stage.keys("C /");
    stage.types("util");
    stage.keys("enter x");
    assert_eq!(
        stage.sent.last().expect("a command").to_string(),
        "try delete util"
    );
    stage.keys("/");
    stage.types("text:store");
    stage.keys("enter");
    assert_eq!(shown(&stage), "app/main.c", "in the text");
}

#[test]
fn a_project_of_thousands_of_files_begins_with_its_outermost_directories() {
    let files: Vec<(String, String)> = (0..2000)
        .map(|at| {
            (
                format!("dir{:03}/file{at:04}.c", at / 10),
                format!("int v{at};\n"),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let mut stage = Stage::of_project(&files);
    assert_eq!(names(&mut stage)[..2], ["▸ dir000", "▸ dir001"]);
    stage.keys("G");
    assert_eq!(shown(&stage), "dir199/file1990.c");
    stage.keys("right right");
    assert_eq!(names(&mut stage).last().expect("a row"), "▸ file1999.c");
}

#[test]
fn following_the_run_changes_files_at_most_twice_a_second() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("F");
    stage.try_without_files(&["lib/store.h"]);
    stage.frame(120, 40);
    assert_eq!(shown(&stage), "lib/store.h");
    stage.answer(Verdict::Uninteresting);
    stage.run.now += Duration::from_millis(100);
    stage.try_without_files(&["util/log.c"]);
    stage.frame(120, 40);
    assert_eq!(shown(&stage), "lib/store.h", "it is too early");
    stage.run.now += Duration::from_millis(400);
    stage.frame(120, 40);
    assert_eq!(shown(&stage), "util/log.c", "the frame alone brings it");
}

#[test]
fn a_file_says_which_files_need_it() {
    let mut stage = project();
    let screen = stage.screen(120, 40);
    let port = screen
        .lines()
        .find(|line| line.contains("▸ port.h"))
        .expect("a row");
    assert!(port.contains("⇄ 3"), "{screen}");
    stage.keys("down down down i");
    insta::assert_snapshot!("file_page", stage.screen(100, 30));
    stage.keys("i up i");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("42 tokens in 3 files") && screen.contains("1 file needs it"),
        "{screen}"
    );
    assert!(screen.contains("  app/main.c"), "{screen}");
}

#[test]
fn the_page_of_a_file_says_that_it_is_closed_as_soon_as_it_is() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("down down down i");
    assert!(stage.screen(120, 40).contains("It may go"));
    constrain(&mut stage, ConstraintRule::Focus, "util/log.c");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("closed by") && !screen.contains("It may go"),
        "{screen}"
    );
}

#[test]
fn files_that_are_gone_need_none_though_the_graph_is_older() {
    let mut stage = project();
    let needed = |stage: &mut Stage| {
        let rows = rows(stage);
        let row = rows.iter().find(|row| row.contains("▸ port.h"));
        let count = row.and_then(|row| row.split_once('⇄'));
        count.map(|(_, count)| count.trim().chars().next())
    };
    assert_eq!(needed(&mut stage), Some(Some('3')));
    stage.try_without_files(&["lib/store.c"]);
    stage.answer(Verdict::Interesting);
    stage.frame(120, 40);
    let again = stage.app.begin_file_graph(stage.run.now);
    let due = again.expect_err("it is too early").expect("a time");
    assert_eq!(needed(&mut stage), Some(Some('2')));
    assert!(stage.app.begin_file_graph(due).is_ok());
}

#[test]
fn the_layouts_of_a_project_are_for_projects() {
    let mut stage = project();
    place(&mut stage, "store.c");
    stage.keys(":");
    stage.types("layout project");
    stage.keys("enter");
    insta::assert_snapshot!("project_layout", stage.screen(120, 30));
    stage.keys("L");
    insta::assert_snapshot!("graph_layout", stage.screen(120, 30));
    let mut one = Stage::new("int a;\n");
    one.keys(":");
    one.types("layout graph");
    one.keys("enter");
    let screen = one.screen(140, 40);
    assert!(
        screen.contains("shows the files of a project, and this run has none"),
        "{screen}"
    );
}

#[test]
fn the_graph_has_the_root_on_top_and_its_own_keys() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys(":");
    stage.types("layout graph");
    stage.keys("enter");
    stage.app.status_message = None;
    for (width, height) in [(120, 40), (80, 24)] {
        let screen = stage.screen(width, height);
        assert!(screen.contains("Graph  5 files"), "{screen}");
        let line = |name: &str| screen.lines().position(|line| line.contains(name));
        assert_eq!(
            line("lib/port.h"),
            line("app/main.c").map(|at| at + 1),
            "{screen}"
        );
    }
    stage.keys("enter");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("22 tokens") && !screen.contains("in 1 file"),
        "not its directory: {screen}"
    );
    stage.keys("esc g");
    assert_eq!(shown(&stage), "app/main.c");
    stage.keys("right x");
    assert_eq!(shown(&stage), "lib/port.h");
    assert_eq!(
        stage.sent.last().expect("a command").to_string(),
        "try delete lib/port.h"
    );
    stage.keys("left enter");
    assert!(stage.screen(120, 40).contains("2 files are needed by it"));
}

#[test]
fn a_candidate_over_several_files_lists_them_and_its_changes_are_a_key_apart() {
    let mut stage = project();
    stage.frame(100, 16);
    let version = stage.run.version.clone();
    let put = walk::preorder(&version.documents()[3].root)
        .find(|node| {
            text_excerpt(node, 100) == "int put(int at);" && node.shape == NodeShape::Regular
        })
        .expect("a declaration");
    let parent = version.path_to(put.id).expect("a path");
    let list = parent.parent().expect("a list");
    let at = list
        .children()
        .iter()
        .position(|child| child.id == put.id)
        .expect("of it") as u32;
    let edit = [
        EditOp::Delete(version.documents()[2].root.id),
        EditOp::DeleteItems {
            list: list.id,
            items: IndexRanges::from_range(at..at + 1),
        },
    ];
    let edit: Edit = edit.into_iter().collect();
    stage.try_edit(edit, EditAction::Question("can this go?".into()), list.id);
    stage.keys("d");
    insta::assert_snapshot!("candidate_of_files", stage.screen(100, 30));
    stage.screen(100, 8);
    stage.keys("n");
    let screen = stage.screen(100, 8);
    assert!(
        screen.contains("- int get(int at)") || screen.contains("int get(int at) { return at; }"),
        "{screen}"
    );
    assert!(!screen.contains("the file goes"), "{screen}");
    stage.keys("n");
    assert!(stage.screen(100, 8).contains("lib/store.h"));
    stage.keys("N N N");
    stage.keys("g");
    assert!(stage.screen(100, 8).contains("the file goes"));
}

#[test]
fn the_history_and_the_undo_name_the_files() {
    let mut stage = project();
    stage.try_without_files(&["lib/port.h", "lib/store.c", "util/log.c"]);
    stage.answer(Verdict::Interesting);
    let screen = stage.screen(160, 50);
    assert!(
        screen.contains("3 files: lib/port.h, lib/store.c, …"),
        "{screen}"
    );
    stage.keys("u");
    let screen = stage.screen(160, 50);
    assert!(
        screen.contains("pause the run (3 files: lib/port.h, lib/store.c, …)"),
        "{screen}"
    );
}

#[test]
fn paths_are_completed_and_a_directory_can_be_opened() {
    let mut stage = project();
    stage.frame(120, 40);
    stage.keys("C :");
    stage.types("open lib");
    stage.keys("enter m a");
    assert!(stage.screen(120, 40).contains("directories have none"));
    stage.keys("right down");
    assert_eq!(shown(&stage), "lib/port.h");
    stage.keys(":");
    stage.types("pin stor");
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("lib/store.c") && screen.contains("lib/store.h"),
        "{screen}"
    );
    stage.keys("tab enter");
    assert_eq!(
        stage.sent.last().expect("a command").to_string(),
        "pin lib/store.c"
    );
}

#[test]
fn a_link_is_shown_with_its_target() {
    let files = [
        ("a.c", "int a;\n"),
        ("link.c", "a.c"),
        ("other.c", "int b;\n"),
    ];
    let run = project_run(&files);
    let context = ScreenContext {
        links: vec![1],
        ..context()
    };
    let mut stage = Stage::with_context(run, TerminalPalette::FULL, context);
    let rows = rows(&mut stage);
    assert!(rows[1].contains("link.c → a.c"), "{rows:?}");
    assert!(!rows[0].contains('→') && !rows[2].contains('→'), "{rows:?}");
}
