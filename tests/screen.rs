//! Stories about the screen: (program, keys, what is seen).

mod stage;

use lop::program::{Action, Indices, NodeId, Op, Piece, Shape};
use lop::reduce::{Command, Ending, Finish, PassState, State, Stride};
use lop::tui::app::Layer;
use lop::tui::commands::{COMMANDS, hints};
use lop::tui::palette::{Depth, Palette};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use stage::{PROGRAM, Stage, find, read, run, text};
use std::time::Duration;

/// A run that asks whether the loop can go.
fn loop_is_tried() -> Stage {
    let mut stage = Stage::new(PROGRAM);
    ask_for(&mut stage, "while");
    stage
}

/// The run asks whether the statement that begins so can go.
fn ask_for(stage: &mut Stage, begins: &str) {
    let version = &stage.run.version;
    let statement = find(version, begins, |shape| shape == Shape::Regular);
    let trail = version.trail(statement).expect("it is there");
    let list = trail.parent().expect("it is in a list");
    let at = list
        .kids()
        .iter()
        .position(|kid| kid.id == statement)
        .expect("of it") as u32;
    let (list, of) = (list.id, list.len() as u32);
    stage.try_edit(
        Op::DeleteItems {
            list,
            items: Indices::range(at..at + 1),
        },
        Action::DropItems {
            go: 1,
            of,
            first: Some(statement),
        },
        list,
    );
}

/// A run with some history.
fn in_the_middle() -> Stage {
    let mut stage = loop_is_tried();
    stage.answer(Ending::Interesting);
    ask_for(&mut stage, "g(s.a);");
    stage.answer(Ending::Boring);
    ask_for(&mut stage, "s.a = g(2);");
    stage.answer(Ending::TimedOut);
    let version = &stage.run.version;
    let node = find(version, "if", |shape| shape == Shape::Regular);
    let body = find(version, "{ g(s.a)", |shape| shape == Shape::Regular);
    stage.try_edit(
        Op::Replace {
            node,
            piece: Piece::Node(body),
        },
        Action::ReplaceBy(body),
        node,
    );
    stage
}

/// The cells of a frame whose text is `needle`, on the first line that has it.
fn cells(frame: &Buffer, needle: &str) -> Vec<ratatui::buffer::Cell> {
    let width = frame.area.width as usize;
    for row in frame.content().chunks(width) {
        let line: Vec<&str> = row.iter().map(|cell| cell.symbol()).collect();
        let wanted: Vec<String> = needle.chars().map(String::from).collect();
        if let Some(at) = line.windows(wanted.len()).position(|part| part == wanted) {
            return row[at..at + wanted.len()].to_vec();
        }
    }
    panic!("no {needle} in\n{}", text(frame));
}

#[test]
fn a_glance_says_what_is_tried_why_how_far_and_how_fast() {
    insta::assert_snapshot!("wide", in_the_middle().screen(140, 40));
}

#[test]
fn below_100_columns_there_is_one_pane_at_a_time() {
    let mut stage = in_the_middle();
    insta::assert_snapshot!("narrow_tree", stage.screen(80, 24));
    stage.keys("tab");
    insta::assert_snapshot!("narrow_program", stage.screen(80, 24));
    stage.keys("tab");
    insta::assert_snapshot!("narrow_run", stage.screen(80, 24));
    stage.keys("tab");
    assert!(stage.screen(80, 24).contains("◆ Tree"));
}

#[test]
fn small_screens_show_the_program_and_smaller_ones_a_line() {
    let mut stage = in_the_middle();
    insta::assert_snapshot!("tiny", stage.screen(50, 12));
    assert_eq!(stage.screen(20, 5).trim_end(), "61  ● running  1.5/s");
}

#[test]
fn no_size_is_too_small_or_too_large() {
    let mut paused = in_the_middle();
    paused.run.state = State::Paused(Some("the test cannot be started: no such file".into()));
    paused.show();
    let mut finished = in_the_middle();
    finished.finish(Finish::Complete);
    let mut helped = in_the_middle();
    helped.keys("?");
    let mut plain = Stage::of(
        run(read("notes.txt", "some words\n\tand\r\nlines 日本語\n")),
        Palette::FULL,
    );
    let mut empty = Stage::of(run(read("empty.c", "")), Palette::FULL);
    let mut unseen = in_the_middle();
    unseen.app.snapshot = None;
    let mut opened = in_the_middle();
    opened.frame(140, 40);
    opened.keys("tab tab j i");
    let mut sideways = in_the_middle();
    sideways.frame(140, 40);
    sideways.keys("tab > >");
    for width in (0..=90).chain([100, 140, 300]) {
        for height in (0..=40).chain([100]) {
            // Every size in two of eight states.
            let turn = usize::from(width + height) % 4;
            let stages = [
                &mut paused,
                &mut finished,
                &mut helped,
                &mut plain,
                &mut empty,
                &mut unseen,
                &mut opened,
                &mut sideways,
            ];
            for at in [turn, turn + 4] {
                stages[at].frame(width, height);
                stages[at].keys("tab j");
            }
        }
    }
    finished.frame(1, 2000);
    finished.frame(3000, 1);
}

#[test]
fn what_the_candidate_lacks_is_struck_through_and_marked_in_both_panes() {
    let frame = loop_is_tried().frame(140, 40);
    assert!(
        cells(&frame, "--s.a;")
            .iter()
            .all(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
    );
    assert!(
        !cells(&frame, "13          while")[0]
            .modifier
            .contains(Modifier::CROSSED_OUT)
    );
    let marked = text(&frame)
        .lines()
        .filter(|line| line.contains('⟳'))
        .count();
    assert_eq!(marked, 2, "one row of the tree, one line of the program");
}

#[test]
fn a_piece_that_stays_is_not_struck_through() {
    let frame = in_the_middle().frame(140, 40);
    let crossed = |needle| {
        cells(&frame, needle)
            .iter()
            .all(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
    };
    assert!(crossed("if (s.a)"));
    assert!(!crossed("    g(s.a);"));
}

#[test]
fn the_program_has_the_colours_of_its_language() {
    let frame = Stage::new(PROGRAM).frame(140, 40);
    let program = cells(&frame, "  9      struct S s;");
    assert_ne!(
        program[9].fg, program[16].fg,
        "a keyword and a type look different"
    );
    let comment = cells(&frame, "  7  // the bug")[5].fg;
    assert_ne!(comment, program[16].fg);
}

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
    assert_eq!(stage.app.line, 2);
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
    assert!(row.contains("while (s.a)"));
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
    let before = stage.app.selected;
    ask_for(&mut stage, "while");
    stage.answer(Ending::Interesting);
    assert_eq!(stage.app.selected, before);
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
    stage.answer(Ending::Interesting);
    assert_eq!(stage.selected(), "g(s.a);");
    ask_for(&mut stage, "if");
    stage.answer(Ending::Interesting);
    assert_eq!(
        stage.selected(),
        "return s.a;",
        "what it lay in is gone too, and has a neighbour"
    );
}

#[test]
fn pausing_is_told_and_unmistakable() {
    let mut stage = loop_is_tried();
    stage.keys("space");
    assert_eq!(stage.sent, [Command::Pause]);
    assert!(
        stage.screen(140, 40).contains("● pausing"),
        "until the run has obeyed"
    );
    stage.run.state = State::Paused(None);
    stage.run.trying = None;
    stage.show();
    let frame = stage.frame(140, 40);
    let screen = text(&frame);
    assert!(
        screen.contains("▮▮ PAUSED")
            && screen.contains("├ Paused ─")
            && screen.contains("space go on")
    );
    assert_eq!(
        cells(&frame, "lop  bug.c")[0].bg,
        Color::Rgb(0xf0, 0xc6, 0x74),
        "the whole line at the top says it"
    );
    stage.keys("space");
    assert_eq!(stage.sent, [Command::Pause, Command::Resume]);
}

#[test]
fn a_step_needs_a_pause() {
    let mut stage = loop_is_tried();
    stage.keys(".");
    assert!(stage.sent.is_empty());
    assert!(
        stage
            .screen(140, 40)
            .contains("step: the run is not paused")
    );
    stage.run.state = State::Paused(None);
    stage.show();
    stage.keys(".");
    assert_eq!(stage.sent, [Command::Step(Stride::Question)]);
    assert!(stage.screen(140, 40).contains("one question"));
    stage.answer(Ending::Boring);
    assert!(stage.screen(140, 40).contains("PAUSED"));
}

const BROKEN: &str = "the test failed: exit 127: a command in it was not found (/home/user/projects/the-compiler/bugs/\
                      2026-11/test.sh: line 3: /home/user/projects/the-compiler/build/bin/cc1: No such file or directory), again and again";

/// A run whose test has broken.
fn broken() -> Stage {
    let mut stage = loop_is_tried();
    stage.run.notes.push_back(BROKEN.into());
    stage.run.state = State::Paused(Some(BROKEN.into()));
    stage.show();
    stage
}

#[test]
fn trouble_is_a_page_with_the_whole_reason_and_what_to_do() {
    let mut stage = broken();
    for (width, height) in [(140, 40), (80, 24)] {
        let screen = stage.screen(width, height);
        let words: String = screen
            .split_whitespace()
            .filter(|word| *word != "│")
            .collect::<Vec<_>>()
            .join(" ");
        for said in [
            "line 3:",
            "build/bin/cc1: No such file",
            "mend the test, or what it needs, then space goes on",
            "is in bug.lop.c",
        ] {
            assert!(words.contains(said), "{said}: {screen}");
        }
        assert!(!screen.contains("waiting for the test"), "{screen}");
    }
    insta::assert_snapshot!("trouble", stage.screen(140, 40));
    stage.keys("esc");
    let screen = stage.screen(140, 40);
    assert!(!screen.contains("waiting for the test"));
    assert_eq!(screen.matches("the test failed").count(), 1, "{screen}");
    assert!(screen.contains("mend the test, then space goes on"));
    stage.keys("w");
    assert_eq!(stage.app.layers, [Layer::Trouble(0)]);
    stage.keys("space");
    assert_eq!(stage.sent, [Command::Resume], "from the page too");
    stage.run.counts.started += 3;
    stage.show();
    assert!(
        stage
            .screen(140, 40)
            .contains("it was tried again and failed again"),
        "the test is still broken"
    );
    assert_eq!(stage.app.pending, None);
    stage.run.state = State::Running;
    stage.show();
    assert!(stage.app.layers.is_empty(), "it goes on");
}

#[test]
fn after_a_step_what_was_tried_stays_with_its_verdict() {
    let mut stage = loop_is_tried();
    stage.run.state = State::Paused(None);
    stage.answer(Ending::Boring);
    let frame = stage.frame(140, 40);
    let crossed = |frame: &Buffer| {
        cells(frame, "--s.a;")
            .iter()
            .all(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
    };
    assert!(crossed(&frame), "it was not taken, and is still marked");
    let screen = text(&frame);
    assert!(screen.contains("perses  can while_statement"), "{screen}");
    assert!(screen.contains("✗ 1  not taken: boring   exit 1   0.41 s"));
    ask_for(&mut stage, "s.a = g(2);");
    assert!(!crossed(&stage.frame(140, 40)), "the next question");
    stage.answer(Ending::Interesting);
    let screen = stage.screen(140, 40);
    assert!(screen.contains("✓ 2  taken: 9 tokens gone"), "{screen}");
    assert!(!screen.contains('⟳'), "nothing is left to mark");
}

#[test]
fn a_verdict_can_be_opened() {
    let mut stage = in_the_middle();
    stage.frame(140, 40);
    stage.keys("tab tab j");
    assert!(stage.screen(140, 40).contains("◆ Verdicts"));
    assert!(stage.app.follow, "nothing of the program was selected");
    stage.keys("enter");
    insta::assert_snapshot!("verdict", stage.screen(140, 40));
    stage.keys("esc");
    stage.answer(Ending::Boring);
    let (at, chosen) = stage.app.verdict().expect("a verdict");
    assert_eq!((at, chosen.decision), (2, 2), "it stays on its verdict");
    stage.keys("g");
    ask_for(&mut stage, "return s.a;");
    stage.answer(Ending::Boring);
    assert_eq!(stage.app.verdict().expect("a verdict").1.decision, 5);
    stage.keys("i");
    assert_eq!(stage.app.layers, [Layer::Verdict(0)]);
}

#[test]
fn the_output_of_a_test_scrolls() {
    let mut stage = loop_is_tried();
    stage.answer(Ending::Boring);
    let mut decided = (*stage.run.decided[0]).clone();
    let lines: String = (0..2000).map(|line| format!("line {line}\n")).collect();
    decided.output = lop::oracle::Output::new(lines);
    stage.run.decided[0] = std::sync::Arc::new(decided);
    stage.show();
    stage.frame(80, 24);
    stage.keys("tab tab i");
    assert!(stage.screen(80, 24).contains("line 3"));
    stage.keys("G");
    assert!(stage.screen(80, 24).contains("line 1999"));
    stage.keys("k");
    assert!(!stage.screen(80, 24).contains("line 1999"));
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
    stage.keys("> tab tab j");
    assert!(!stage.screen(140, 40).contains('‹'), "a new selection");
}

#[test]
fn the_end_of_the_program_is_a_place() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    stage.keys("tab G");
    assert_eq!(stage.app.line, 15);
    let screen = stage.screen(140, 40);
    assert!(screen.contains("╭ Tree  translation_u"), "{screen}");
    let mut empty = Stage::of(run(read("empty.c", "")), Palette::FULL);
    empty.frame(140, 40);
    empty.keys("tab G");
    assert_eq!(empty.app.line, 0);
}

#[test]
fn what_happens_before_the_first_question_is_told() {
    let mut stage = Stage::new(PROGRAM);
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("perses  is planning its first question"),
        "{screen}"
    );
    let mut passes = stage.run.passes.to_vec();
    passes
        .iter_mut()
        .for_each(|pass| pass.state = PassState::Waiting);
    stage.run.passes = passes.into();
    stage.show();
    stage.run.now += Duration::from_secs(3);
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("the first pass is planning what to ask"),
        "{screen}"
    );
    assert!(screen.contains("for 3.00 s"), "{screen}");
}

#[test]
fn a_pause_does_not_make_the_run_slow() {
    let mut stage = Stage::new(PROGRAM);
    let mut second = |state: State, seconds, tests| {
        stage.run.state = state;
        stage.run.now += Duration::from_secs(seconds);
        stage.run.counts.tests += tests;
        stage.show();
        stage.screen(140, 40)
    };
    let screen = second(State::Running, 2, 20);
    assert!(screen.contains("10 tests/s"), "{screen}");
    assert!(!second(State::Paused(None), 0, 0).contains("tests/s"));
    second(State::Running, 100, 0);
    let screen = second(State::Running, 1, 10);
    assert!(screen.contains("10 tests/s"), "{screen}");
    let screen = second(State::Finished(Finish::Complete), 1, 10);
    assert!(screen.contains("40 in 6.00 s"), "{screen}");
}

#[test]
fn a_small_step_looks_small() {
    let mut stage = loop_is_tried();
    stage.answer(Ending::Interesting);
    let screen = stage.screen(140, 40);
    let chart: Vec<&str> = screen
        .lines()
        .skip_while(|line| !line.contains("├ Progress  tokens, log scale ─"))
        .skip(1)
        .collect();
    assert!(chart[0].starts_with("│ 72 ⠉"), "{screen}");
    let lowest = chart[4].split("││").next().expect("a pane");
    assert!(lowest.starts_with("│  1 "), "{screen}");
    assert!(lowest.is_ascii() || !lowest.contains('⣀'), "{screen}");
}

#[test]
fn help_has_every_command_and_says_what_cannot_be_done_now() {
    let mut stage = loop_is_tried();
    stage.keys("?");
    let screen = stage.screen(140, 60);
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

#[test]
fn the_result_is_a_page_that_stays_until_the_user_leaves() {
    let mut stage = in_the_middle();
    stage.finish(Finish::Complete);
    insta::assert_snapshot!("result", stage.screen(140, 40));
    stage.show();
    stage.keys("esc");
    assert!(
        !stage.screen(140, 40).contains("What to do next"),
        "one can look around"
    );
    stage.keys("j r");
    assert_eq!(stage.app.layers, [Layer::Result]);
    assert!(stage.screen(20, 5).contains("done"));
    stage.keys("q");
    assert!(stage.left);
}

#[test]
fn a_failed_run_says_why() {
    let mut stage = in_the_middle();
    stage.finish(Finish::Failed(
        "the test cannot be started: no such file".into(),
    ));
    assert!(
        stage
            .screen(80, 24)
            .contains("✗ the test cannot be started: no such file")
    );
}

#[test]
fn without_colours_nothing_is_coloured_and_everything_is_told() {
    let palette = Palette {
        depth: Depth::None,
        unicode: true,
    };
    let mut stage = Stage::of(in_the_middle().run, palette);
    for state in [
        State::Running,
        State::Paused(None),
        State::Finished(Finish::Complete),
    ] {
        stage.run.state = state;
        stage.show();
        let frame = stage.frame(140, 40);
        assert!(
            frame
                .content()
                .iter()
                .all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
        );
    }
    let frame = Stage::of(in_the_middle().run, palette).frame(140, 40);
    assert!(
        cells(&frame, "if (s.a)")
            .iter()
            .all(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
    );
}

#[test]
fn where_there_is_only_ascii_there_is_only_ascii() {
    let palette = Palette {
        depth: Depth::True,
        unicode: false,
    };
    let mut stage = Stage::of(run(read("a.c", "char *s = \"日本語\"; // für\n")), palette);
    stage.keys("E");
    for keys in ["j", "?", "esc"] {
        stage.keys(keys);
        let frame = stage.frame(140, 60);
        assert!(
            frame.content().iter().all(|cell| cell.symbol().is_ascii()),
            "{}",
            text(&frame)
        );
    }
    let mut stage = Stage::of(in_the_middle().run, palette);
    stage.frame(140, 40);
    stage.keys("tab tab i");
    assert!(stage.screen(140, 40).is_ascii());
    stage.keys("esc tab");
    assert!(stage.screen(140, 40).is_ascii());
    stage.finish(Finish::Stopped);
    assert!(
        stage
            .frame(140, 40)
            .content()
            .iter()
            .all(|cell| cell.symbol().is_ascii())
    );
}

#[test]
fn a_program_without_a_grammar_is_a_list_of_lines() {
    let mut stage = Stage::of(
        run(read("notes.txt", "one line\nand another\n")),
        Palette::FULL,
    );
    stage.keys("E");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("one line") && screen.contains("and another"),
        "{screen}"
    );
}

#[test]
fn a_frame_costs_what_is_visible_even_in_strange_programs() {
    let deep = format!("int x = {}1{};\n", "(".repeat(20_000), ")".repeat(20_000));
    let long = format!("int x[] = {{ {} }};\n", "1, ".repeat(200_000));
    for program in [deep, long] {
        let mut stage = Stage::new(&program);
        stage.frame(140, 40);
        stage.keys("E");
        stage.frame(140, 40);
        stage.keys("G k k tab");
        stage.frame(140, 40);
    }
}

#[test]
fn clicks_select_and_the_wheel_moves_where_it_is() {
    let mut stage = Stage::new(PROGRAM);
    stage.frame(140, 40);
    assert!(stage.app.click(20, 4));
    assert_eq!(stage.selected(), "int g(int x) { return x + 1; }");
    assert!(stage.app.click(100, 10));
    assert_eq!(stage.selected(), "struct S s;");
    assert!(stage.app.wheel(100, 10, lop::tui::commands::Action::Down));
    assert_eq!(stage.app.line, 11);
    assert!(!stage.app.click(0, 0), "nothing is there");
}

#[test]
fn rows_numbers_and_counts_agree_through_edits() {
    let mut stage = Stage::new(include_str!("samples/small.c"));
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
        let folds = &mut stage.app.folds;
        let len = folds.len(&version);
        let rows = folds.rows(&version, &marks, 0, usize::MAX);
        assert_eq!(rows.len(), len);
        for (at, row) in rows.iter().enumerate().step_by(1 + round % 5) {
            let trail = version.trail(row.node.id).expect("it is there");
            assert_eq!(folds.number(&version, &trail), at);
            let from: Vec<NodeId> = folds
                .rows(&version, &marks, at, 3)
                .iter()
                .map(|row| row.node.id)
                .collect();
            let expected: Vec<NodeId> = rows[at..].iter().take(3).map(|row| row.node.id).collect();
            assert_eq!(from, expected);
        }
        let row = rows[random(len)];
        let trail = version.trail(row.node.id).expect("it is there");
        let open = folds.is_open(row.node.id);
        match round % 7 {
            5 => folds.follow(&version, Some(&trail)),
            6 => folds.keep_followed(&version),
            _ => folds.set(&trail, !open),
        }
        if round % 10 == 9 {
            let lists: Vec<NodeId> = lop::program::walk::preorder(&version.documents()[0].root)
                .filter(|node| node.shape == Shape::Star && node.len() > 1)
                .map(|node| node.id)
                .collect();
            let list = lists[random(lists.len())];
            let items = Indices::range(0..1);
            let edit = Op::DeleteItems { list, items }.into();
            if let Ok((next, _)) = lop::program::apply(&version, &edit) {
                stage.run.version = next;
                stage.run.number += 1;
                stage.show();
            }
        }
    }
}
