//! The panes, their sizes, and their changes.

use lop::oracle::Verdict;
use lop::program::{Edit, EditOp, IndexRanges, NodeShape, Version, apply_edit, walk};
use lop::reduce::{EngineCommand, PassState, RunState};
use lop::tui::app::{PageKind, PaneKind};
use lop::tui::diff::{self, DiffLineKind};
use lop::tui::layout::{LAYOUTS, LayoutScope};
use lop::tui::theme::Role;
use std::time::Duration;

use crate::stage::{Stage, text};
use crate::{ask_for, cells, in_the_middle, loop_is_tried};

#[test]
fn the_candidate_is_a_diff() {
    let mut stage = loop_is_tried();
    stage.keys("d");
    insta::assert_snapshot!("candidate", stage.screen(100, 30));
    stage.keys("esc");
    stage.answer(Verdict::Interesting);
    stage.keys("d");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("candidate: no candidate is being tested"),
        "{screen}"
    );
    assert_ne!(stage.pages(), [PageKind::Candidate]);
    // In a paused run it is the last candidate, though it was accepted.
    stage.run.state = RunState::Paused(None);
    stage.show();
    stage.keys("d");
    assert_eq!(stage.pages(), [PageKind::Candidate]);
    let screen = stage.screen(100, 30);
    let gone = |line: &str| line.contains("- ") && line.contains("while (s.a) --s.a;");
    assert!(screen.lines().any(gone), "{screen}");
}

#[test]
fn a_diff_tells_how_the_version_becomes_the_candidate() {
    let version = Stage::new(include_str!("../samples/small.c")).run.version;
    let lines = |version: &Version| {
        let text = walk::render_text(&version.documents()[0].root);
        let text = String::from_utf8(text).expect("UTF-8");
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| line.trim_end().into())
            .collect();
        lines
    };
    let lists: Vec<_> = walk::preorder(&version.documents()[0].root)
        .filter(|node| node.shape == NodeShape::Star && node.len() > 1)
        .collect();
    let mut several = 0;
    for list in &lists {
        let of = list.len() as u32;
        // Every second one, from the first and from the second; and all but the last.
        for items in [
            every_second(0, of),
            every_second(1, of),
            IndexRanges::from_range(0..of - 1),
        ] {
            let edit: Edit = EditOp::DeleteItems {
                list: list.id,
                items,
            }
            .into();
            let Ok((candidate, _)) = apply_edit(&version, &edit) else {
                continue;
            };
            let diff = diff::diff_edit(&version, &edit).expect("a diff");
            let (old, new) = (lines(&version), lines(&candidate));
            let mut made = Vec::new();
            let mut at = 0;
            for line in diff
                .iter()
                .filter(|line| line.kind != DiffLineKind::Omitted)
            {
                let number = line.number as usize - 1;
                if line.kind == DiffLineKind::Added {
                    made.push(line.text.clone());
                    continue;
                }
                made.extend_from_slice(&old[at..number]);
                assert_eq!(line.text, old[number]);
                at = number + 1;
                if line.kind == DiffLineKind::Unchanged {
                    made.push(line.text.clone());
                }
            }
            made.extend_from_slice(&old[at..]);
            assert_eq!(made, new);
            several += usize::from(diff.iter().any(|line| line.kind == DiffLineKind::Omitted));
        }
    }
    assert!(lists.len() > 5 && several > 0);
}

#[test]
fn between_lines_that_go_a_line_that_stays_is_neither_taken_nor_added() {
    // As ddmin over lines asks: the second and the last of near lines go, and those between them stay.
    let lines = ["one", "two", "three", "four", "five", "six", "seven"];
    let program = lines.map(|line| format!("int {line};\n")).concat();
    let version = Stage::new(&program).run.version;
    let list = &version.documents()[0].root;
    let list = walk::preorder(list).find(|node| node.shape == NodeShape::Star && node.len() == 7);
    let items = IndexRanges::from_sorted([0, 1, 5, 6]);
    let edit: Edit = EditOp::DeleteItems {
        list: list.expect("the declarations").id,
        items,
    }
    .into();
    let diff = diff::diff_edit(&version, &edit).expect("a diff");
    let shown: Vec<String> = diff
        .iter()
        .map(|line| {
            let sign = match line.kind {
                DiffLineKind::Removed => '-',
                DiffLineKind::Added => '+',
                _ => ' ',
            };
            format!("{sign}{} {}", line.number, line.text)
        })
        .collect();
    assert_eq!(
        shown[..7],
        [
            "-1 int one;",
            "-2 int two;",
            " 3 int three;",
            " 4 int four;",
            " 5 int five;",
            "-6 int six;",
            "-7 int seven;",
        ]
    );
}

fn every_second(from: u32, of: u32) -> IndexRanges {
    IndexRanges::from_sorted((from..of).step_by(2))
}

#[test]
fn layouts_change_by_key_and_by_name() {
    let mut stage = in_the_middle();
    for layout in LAYOUTS
        .iter()
        .filter(|layout| layout.suits(LayoutScope::Program))
    {
        let frame = stage.frame(140, 40);
        for pane in layout.panes() {
            assert!(
                !stage.app.arrangement.areas.pane_area(pane).is_empty(),
                "{pane:?}: {}",
                text(&frame)
            );
        }
        assert_eq!(stage.app.arrangement.layout.name, layout.name);
        stage.keys("L");
    }
    assert_eq!(stage.app.arrangement.layout.name, LAYOUTS[0].name, "around");
    stage.keys(":");
    stage.types("layout steps");
    stage.keys("enter");
    insta::assert_snapshot!("steps", stage.screen(140, 40));
}

#[test]
fn a_key_of_another_pane_says_so_and_how_to_get_there() {
    let mut stage = in_the_middle();
    stage.keys(":");
    stage.types("layout run");
    stage.keys("enter t");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("heat: in the tree; this layout has no such pane"),
        "{screen}"
    );
    for (layout, how) in [
        ("all", "tab focuses the next pane"),
        ("code", "this layout has no such pane, L shows others"),
    ] {
        stage.keys(":");
        stage.types(&format!("layout {layout}"));
        stage.keys("enter");
        stage.frame(140, 40);
        stage.keys("esc J");
        let screen = stage.screen(140, 40);
        let said = format!("later: in the passes; {how}");
        assert!(screen.contains(&said), "{layout}: {screen}");
    }
}

#[test]
fn the_pane_with_the_keys_can_stand_alone() {
    let mut stage = in_the_middle();
    stage.frame(140, 40);
    stage.keys("tab z");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("◆ Program") && !screen.contains("Tree"),
        "{screen}"
    );
    assert_eq!(
        stage
            .app
            .arrangement
            .areas
            .pane_area(PaneKind::Program)
            .height,
        36
    );
    stage.keys("tab");
    assert!(stage.screen(140, 40).contains("◆ Log"));
    stage.keys("z");
    assert!(stage.screen(140, 40).contains("Tree"));
}

#[test]
fn lines_between_panes_move_by_key_and_by_mouse() {
    let mut stage = in_the_middle();
    stage.frame(140, 40);
    let sizes = |stage: &mut Stage| {
        stage.frame(140, 40);
        let regions = stage.app.arrangement.areas;
        (regions.split, regions.pane_area(PaneKind::Log).height)
    };
    let (split, high) = sizes(&mut stage);
    stage.keys("]");
    assert!(sizes(&mut stage).0 > split);
    stage.keys("[ [");
    assert!(sizes(&mut stage).0 < split);
    stage.keys("tab tab + +");
    assert_eq!(sizes(&mut stage).1, high + 2);
    stage.keys("-");
    assert_eq!(sizes(&mut stage).1, high + 1);
    let at = stage.app.arrangement.areas.split;
    assert!(stage.app.on_mouse_down(at, 5));
    assert!(stage.app.on_mouse_drag(90, 6));
    assert_eq!(sizes(&mut stage).0, 90);
    stage.app.on_mouse_up();
    assert!(!stage.app.on_mouse_drag(50, 6), "it was let go");
    let top = stage.app.arrangement.areas.pane_area(PaneKind::Log).y;
    assert!(stage.app.on_mouse_down(10, top));
    assert!(stage.app.on_mouse_drag(10, top - 3));
    assert_eq!(sizes(&mut stage).1, high + 4);
    stage.app.on_mouse_up();
    assert!(
        stage.app.on_mouse_down(10, 5),
        "elsewhere a click is a click"
    );
    assert_eq!(stage.app.focused_pane(), PaneKind::Program);
}

#[test]
fn passes_say_what_a_test_of_theirs_is_worth() {
    let mut stage = in_the_middle();
    let mut passes = stage.run.passes.to_vec();
    (passes[0].time, passes[1].time) = (Duration::from_secs(1), Duration::from_secs(3));
    passes[1].tokens = 10;
    stage.run.passes = passes.into();
    stage.show();
    let screen = stage.screen(140, 40);
    let row = screen
        .lines()
        .find(|line| line.contains("● perses  ") && !line.contains(" lop "))
        .expect("a row");
    assert!(
        row.contains("1/3") && row.contains("3.3") && row.contains("75 %"),
        "{row}"
    );
    stage.keys("tab tab tab k");
    assert_eq!(
        (
            stage.app.focused_pane(),
            stage.app.panes.passes.selected_pass(&stage.run)
        ),
        (PaneKind::Passes, 0)
    );
}

#[test]
fn the_cursor_moves_with_the_pass_that_moves() {
    let mut stage = in_the_middle();
    stage.frame(140, 40);
    stage.keys("tab tab tab");
    assert_eq!(stage.app.focused_pane(), PaneKind::Passes);
    // The running pass is selected before anything is chosen.
    stage.keys("K");
    let earlier = |pass: &str| EngineCommand::parse_line(&format!("earlier {pass}"));
    assert_eq!(stage.sent.last(), earlier("perses").ok().as_ref());
    let mut passes = stage.run.passes.to_vec();
    passes.swap(0, 1);
    (passes[0].state, passes[1].state) = (PassState::Waiting, PassState::Running(1));
    stage.run.passes = passes.into();
    stage.show();
    stage.keys("K");
    assert_eq!(stage.sent.last(), earlier("perses").ok().as_ref());
    assert_eq!(stage.app.panes.passes.selected_pass(&stage.run), 0);
}

#[test]
fn a_pass_that_does_not_run_says_so() {
    let mut stage = in_the_middle();
    let mut passes = stage.run.passes.to_vec();
    (passes[0].state, passes[0].tried) = (PassState::Disabled, 0);
    passes[1].state = PassState::Skipped;
    stage.run.passes = passes.into();
    stage.show();
    let screen = stage.screen(140, 40);
    let row = |name: &str| {
        let row = screen.lines().find(|line| line.contains(name));
        let row = row.unwrap_or_else(|| panic!("{name}: {screen}"));
        row.trim_end_matches(['│', ' ']).to_owned()
    };
    let (off, skipped) = (row("⊘ comments"), row("⊘ perses"));
    assert!(off.ends_with(" off") && !off.contains("0/0"), "{off}");
    assert!(
        skipped.contains("1/3") && skipped.ends_with(" skipped"),
        "{skipped}"
    );
}

#[test]
fn a_name_on_the_curve_covers_no_other() {
    let mut stage = in_the_middle();
    stage.run.counts.tests = 100;
    stage.app.run_line("layout run");
    for (tests, line) in [(2, "pin main"), (6, "lock main"), (30, "doubt main")] {
        stage.run.counts.tests = tests;
        stage.show();
        stage.app.run_line(line);
    }
    stage.run.counts.tests = 100;
    stage.show();
    let screen = stage.screen(140, 40);
    assert_eq!(screen.matches('▲').count(), 3, "{screen}");
    let names = ["pin", "lock", "doubt"].map(|name| screen.contains(&format!("▲ {name} ")));
    assert_eq!(names, [false, true, true], "{screen}");
}

#[test]
fn the_curve_is_over_tests_or_time_and_has_the_users_commands() {
    let mut stage = in_the_middle();
    stage.keys("space");
    assert!(stage.screen(140, 40).contains("▲ pause") || stage.screen(140, 40).contains('▲'));
    assert!(!stage.screen(140, 40).contains("over time"));
    stage.keys("o");
    assert!(stage.screen(140, 40).contains("61 over time"));
    stage.keys(":");
    stage.types("layout run");
    stage.keys("enter");
    assert!(
        stage
            .screen(140, 40)
            .contains("tokens, log scale, over time")
    );
}

#[test]
fn a_change_flashes_and_then_it_is_calm() {
    let mut stage = loop_is_tried();
    stage.answer(Verdict::Interesting);
    ask_for(&mut stage, "return s.a;");
    let flash = stage.app.view.theme.role_style(Role::Changed).bg;
    let flashes = |stage: &mut Stage| {
        let frame = stage.frame(140, 40);
        frame.content().iter().any(|cell| Some(cell.bg) == flash)
    };
    assert!(flashes(&mut stage));
    stage.run.now += Duration::from_secs(2);
    assert!(!flashes(&mut stage));
}

#[test]
fn what_changes_on_disk_is_told_and_remembered() {
    let mut stage = loop_is_tried();
    stage
        .app
        .add_notice("the test has changed: from now on it is run as it is on disk");
    let frame = stage.frame(140, 40);
    assert!(text(&frame).contains("│ the test has changed: from now on"));
    assert!(cells(&frame, "the test has changed").len() > 3);
    stage.run.now += Duration::from_secs(7);
    assert!(
        !stage
            .screen(140, 40)
            .contains("│ the test has changed: from now on it is run as it is on disk │")
    );
    stage.finish(lop::reduce::FinishReason::Complete);
    assert!(
        stage.screen(140, 40).contains("the test has changed"),
        "on the last page too"
    );
}

#[test]
fn a_long_note_is_whole_on_the_last_page() {
    let mut stage = loop_is_tried();
    let note = "the test has changed: from now on it is run as it is on disk, what the old one said still counts";
    stage.app.add_notice(note);
    let whole = |screen: String| {
        let words: Vec<&str> = screen
            .split_whitespace()
            .filter(|word| !word.starts_with('│'))
            .collect();
        words.join(" ")
    };
    stage.run.now += Duration::from_secs(7);
    stage.finish(lop::reduce::FinishReason::Complete);
    for (width, height) in [(140, 40), (60, 30)] {
        let page = whole(stage.screen(width, height));
        assert!(page.contains(note), "{page}");
    }
}

#[test]
fn the_key_that_opens_a_page_closes_it_and_on_the_candidate_the_run_is_steered() {
    let mut stage = in_the_middle();
    stage.frame(80, 24);
    for key in ["d", "i"] {
        stage.keys(key);
        assert_eq!(stage.pages().len(), 1, "{key} opens");
        stage.keys(key);
        assert!(stage.pages().is_empty(), "{key} closes");
    }
    stage.keys("d space");
    let screen = stage.screen(80, 24);
    assert!(
        screen.contains("tokens fewer   d or esc closes"),
        "{screen}"
    );
    assert_eq!(stage.sent, [EngineCommand::Pause]);
    for (key, said) in [
        ("L", "layout: the open page must be closed first"),
        ("w", "why: "),
        ("t", "heat: the open page must be closed first"),
    ] {
        stage.keys(key);
        let screen = stage.screen(80, 24);
        assert!(screen.contains(said), "{screen}");
    }
}

#[test]
fn where_one_pane_is_seen_the_keys_go_to_that_of_the_new_layout() {
    let mut stage = in_the_middle();
    for (width, height) in [(60, 20), (80, 24)] {
        stage.frame(width, height);
        for _ in LAYOUTS {
            stage.keys("tab L");
            let screen = stage.screen(width, height);
            let layout = stage.app.arrangement.layout;
            assert_eq!(stage.app.focused_pane(), layout.main, "{screen}");
            assert!(
                !stage
                    .app
                    .arrangement
                    .areas
                    .pane_area(layout.main)
                    .is_empty(),
                "{screen}"
            );
            for _ in LAYOUTS {
                stage.keys("tab");
                let focus = stage.app.focused_pane();
                let of_layout = layout.left.contains(&focus) || layout.right.contains(&focus);
                assert!(of_layout, "{focus:?} in {}", layout.name);
            }
        }
    }
}

#[test]
fn a_page_has_the_whole_sentence_on_a_pass_and_its_numbers() {
    let mut stage = in_the_middle();
    for (width, height) in [(140, 40), (60, 20)] {
        stage.frame(width, height);
        while stage.app.focused_pane() != PaneKind::Passes {
            stage.keys("tab");
        }
        stage.keys("i");
        let screen = stage.screen(width, height);
        let edge = |c: char| !c.is_ascii() || c.is_whitespace();
        let words: Vec<&str> = screen.split(edge).filter(|word| !word.is_empty()).collect();
        let said = words.join(" ");
        for part in [
            "lists and optional parts go, nodes become pieces of theirs",
            "it is running",
            "tried 3 candidates",
            "accepted 1 candidate",
            "i or esc closes",
        ] {
            assert!(said.contains(part), "{part}: {screen}");
        }
        stage.keys("i");
        assert!(stage.pages().is_empty());
    }
}

#[test]
fn the_curve_has_one_line_where_there_is_no_room_for_more() {
    let mut stage = in_the_middle();
    stage.run.switched_off = std::sync::Arc::new(["bodies"]);
    let mut passes = stage.run.passes.to_vec();
    let more = vec![passes[0].clone(); 6];
    passes.extend(more);
    stage.run.passes = passes.into();
    stage.finish(lop::reduce::FinishReason::Complete);
    stage.frame(80, 24);
    stage.keys("esc tab tab");
    let screen = stage.screen(80, 24);
    let lines: Vec<&str> = screen.lines().collect();
    let title = lines.iter().position(|line| line.contains("log scale"));
    let title = title.unwrap_or_else(|| panic!("{screen}"));
    assert!(lines[title + 1].contains('█'), "{screen}");
}

#[test]
fn a_refused_command_is_not_marked_on_the_curve() {
    let mut stage = in_the_middle();
    stage.frame(140, 40);
    stage.keys(":");
    stage.types("pin 2");
    stage.keys("enter");
    assert!(stage.screen(140, 40).contains('▲'));
    stage.run.last_command = (
        1,
        Some(std::sync::Arc::new(lop::reduce::CommandOutcome {
            before: 4,
            command: "pin 2".into(),
            outcome: Err("nothing stands there".into()),
        })),
    );
    stage.show();
    assert!(!stage.screen(140, 40).contains('▲'));
}

#[test]
fn the_names_of_passes_are_whole_and_no_word_about_them_is_cut() {
    let mut stage = in_the_middle();
    let mut passes = stage.run.passes.to_vec();
    passes[0].name = "external references";
    passes[0].what =
        "gone at once, and with it what a sentence that is far too long for this pane says";
    passes[1].tried = 1_402;
    passes[1].time = Duration::from_secs(3);
    stage.run.passes = passes.into();
    stage.show();
    for (width, height) in [(100, 30), (120, 40), (140, 40), (200, 60)] {
        let screen = stage.screen(width, height);
        let line = screen
            .lines()
            .find(|line| line.contains("external references"));
        let line = line.unwrap_or_else(|| panic!("{screen}"));
        assert!(!line.contains('…'), "{line}");
        assert!(screen.contains("1/1,402"), "{screen}");
    }
    let screen = stage.screen(200, 60);
    assert!(screen.contains("gone at once  "), "{screen}");
}
