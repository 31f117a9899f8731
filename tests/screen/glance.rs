//! What the screen shows at a glance.

use lop::oracle::Verdict;
use lop::program::{
    ConstraintRule, ConstraintSet, EditAction, EditOp, EditSentence, IndexRanges, NodeShape,
    NodeTarget, walk,
};
use lop::reduce::{FinishReason, PassState, RunState};
use lop::tui::palette::{TerminalColourDepth, TerminalPalette};
use lop::tui::theme::Role;
use ratatui::style::{Color, Modifier};
use std::time::Duration;

use crate::stage::{PROGRAM, Stage, read, run, text};
use crate::{ask_for, cells, in_the_middle, loop_is_tried};

#[test]
fn a_glance_says_what_is_tried_why_how_far_and_how_fast() {
    insta::assert_snapshot!("wide", in_the_middle().screen(140, 40));
}

#[test]
fn the_plan_of_the_screen_holds_at_each_size() {
    let mut stage = in_the_middle();
    insta::assert_snapshot!("plan_120x40", stage.screen(120, 40));
    insta::assert_snapshot!("plan_200x60", stage.screen(200, 60));
    insta::assert_snapshot!("plan_80x24", stage.screen(80, 24));
}

#[test]
fn the_object_of_a_question_is_never_cut() {
    let long = "int a_variable_with_a_long_name = some_function_with_a_long_name(1, 2);";
    let mut stage = Stage::new(&format!("{long}\nint b;\n"));
    ask_for(&mut stage, "int b;");
    for (action, words) in [
        (
            "Can 49 of the 112 elements of the list `typedef signed char int8_t; typ…` of translation_unit go? 7 stay, `main` still uses `strcmp`",
            "of translation_unit go?",
        ),
        (
            "Does the list `int a, int b, int c, int d, int e…` of parameter_list need its only element, parameter_declaration `int a_long_name…`?",
            "`int a_long_name…`?",
        ),
    ] {
        if let Some(trying) = &mut stage.run.current_test {
            trying.sentence = EditSentence::from_line(action);
        }
        stage.show();
        for width in [100, 120, 200] {
            let screen = stage.screen(width, 40);
            let lines = screen.lines().skip(1).take(2).map(str::trim);
            // The number and the time of the question stand at the end of the first line.
            let said = lines.map(|line| line.split("     ").next().unwrap_or_default());
            let said = said.collect::<Vec<_>>().join(" ");
            assert!(said.contains(words), "{width}: {said}");
        }
    }
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
    assert!(stage.screen(80, 24).contains("◆ Passes"));
    stage.keys("tab");
    assert!(stage.screen(80, 24).contains("◆ Tree"));
    // The layout of steps begins with what it is for.
    stage.keys("L g");
    insta::assert_snapshot!("narrow_candidate", stage.screen(80, 24));
}

#[test]
fn small_screens_show_the_program_and_smaller_ones_a_line() {
    let mut stage = in_the_middle();
    insta::assert_snapshot!("tiny", stage.screen(50, 12));
    assert_eq!(stage.screen(20, 5).trim_end(), "61  ● perses  1.5/s");
}

#[test]
fn what_the_candidate_lacks_is_struck_through_and_marked_in_both_panes() {
    let frame = loop_is_tried().frame(140, 40);
    assert!(
        cells(&frame, "--s.a;  ")
            .iter()
            .take(6)
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
            .take(8)
            .all(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
    };
    assert!(crossed("if (s.a) {  "));
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
fn the_screen_shows_that_the_first_candidate_is_planned() {
    let mut stage = Stage::new(PROGRAM);
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("perses is planning its first candidate"),
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
        screen.contains("the first pass is planning its candidates"),
        "{screen}"
    );
    assert!(screen.contains("for 3.00 s"), "{screen}");
}

#[test]
fn a_pause_does_not_make_the_run_slow() {
    let mut stage = Stage::new(PROGRAM);
    let mut second = |state: RunState, seconds, tests| {
        stage.run.state = state;
        stage.run.now += Duration::from_secs(seconds);
        stage.run.counts.tests += tests;
        stage.show();
        stage.screen(140, 40)
    };
    let screen = second(RunState::Running, 2, 20);
    assert!(screen.contains("10 tests/s"), "{screen}");
    assert!(!second(RunState::Paused(None), 0, 0).contains("tests/s"));
    second(RunState::Running, 100, 0);
    let screen = second(RunState::Running, 1, 10);
    assert!(screen.contains("10 tests/s"), "{screen}");
    let screen = second(RunState::Finished(FinishReason::Complete), 1, 10);
    assert!(screen.contains("40 in 6.00 s"), "{screen}");
}

#[test]
fn the_clock_goes_on_while_a_step_is_tested() {
    let mut stage = loop_is_tried();
    let time = |stage: &Stage| stage.app.view.working_time();
    stage.run.state = RunState::Paused(None);
    stage.run.current_test = None;
    stage.show();
    let before = time(&stage);
    stage.run.now += Duration::from_secs(60);
    stage.show();
    assert_eq!(time(&stage), before, "the user thinks");
    // A step whose test is seen while it runs.
    ask_for(&mut stage, "while");
    stage.run.now += Duration::from_secs(3);
    stage.answer(Verdict::Uninteresting);
    assert_eq!(time(&stage), before + Duration::from_secs(3));
    // And one that is over before the screen looks.
    let mut passes = stage.run.passes.to_vec();
    passes[1].time += Duration::from_millis(20);
    stage.run.passes = passes.into();
    stage.run.now += Duration::from_secs(1);
    stage.show();
    assert_eq!(time(&stage), before + Duration::from_millis(3020));
}

#[test]
fn an_error_goes_with_the_next_key_once_it_was_seen() {
    let mut stage = loop_is_tried();
    let said = "the disk is full";
    stage.app.toasts.push_toast(said, Role::Failed);
    stage.keys("j");
    assert!(stage.screen(140, 40).contains(said), "nobody has seen it");
    stage.run.now += Duration::from_secs(1);
    stage.keys("j");
    assert!(stage.screen(140, 40).contains(said), "for a moment");
    stage.run.now += Duration::from_secs(2);
    assert!(!stage.screen(140, 40).contains(said));
    stage.app.toasts.push_toast(said, Role::Failed);
    stage.screen(140, 40);
    stage.run.now += Duration::from_secs(19);
    assert!(stage.screen(140, 40).contains(said), "no key was pressed");
}

#[test]
fn a_small_step_looks_small() {
    let mut stage = loop_is_tried();
    stage.answer(Verdict::Interesting);
    stage.keys(":");
    stage.types("layout run");
    stage.keys("enter");
    let screen = stage.screen(140, 40);
    let chart: Vec<&str> = screen
        .lines()
        .skip_while(|line| !line.contains("Progress  tokens, log scale ─"))
        .skip(1)
        .collect();
    assert!(chart[0].starts_with("│ 72 ⠉"), "{screen}");
    let lowest = chart.iter().find(|line| line.starts_with("│  1 "));
    let lowest = lowest.and_then(|line| line.split("││").next());
    let lowest = lowest.unwrap_or_else(|| panic!("{screen}"));
    assert!(lowest.is_ascii() || !lowest.contains('⣀'), "{screen}");
}

#[test]
fn without_colours_nothing_is_coloured_and_everything_is_told() {
    let palette = TerminalPalette {
        depth: TerminalColourDepth::Monochrome,
        unicode: true,
    };
    let mut stage = Stage::of(in_the_middle().run, palette);
    for state in [
        RunState::Running,
        RunState::Paused(None),
        RunState::Finished(FinishReason::Complete),
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
        cells(&frame, "if (s.a) {  ")
            .iter()
            .take(8)
            .all(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
    );
}

#[test]
fn where_there_is_only_ascii_there_is_only_ascii() {
    let palette = TerminalPalette {
        depth: TerminalColourDepth::TrueColour,
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
    stage.finish(FinishReason::Stopped);
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
        TerminalPalette::FULL,
    );
    stage.keys("E");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("one line") && screen.contains("and another"),
        "{screen}"
    );
}

#[test]
fn what_is_pinned_is_marked_in_both_panes() {
    let mut stage = loop_is_tried();
    let version = stage.run.version.clone();
    let target: NodeTarget = "15".parse().expect("a place");
    let pin =
        lop::reduce::resolve_constraints(&version, ConstraintRule::Pin, &target).expect("a pin");
    let mut constraints = ConstraintSet::default();
    pin.into_iter()
        .for_each(|pin| constraints.add_constraint(pin));
    stage.run.version = lop::program::mark_pinned(&version, &constraints);
    stage.run.number += 1;
    stage.show();
    let screen = stage.screen(140, 40);
    let row = |begins: &str| screen.lines().any(|line| line.contains(begins));
    assert!(row("│p   ▾ main()"), "{screen}");
    assert!(row("│P 15      return s.a;"), "{screen}");
}

#[test]
fn the_edge_of_a_long_program_shows_where_the_candidate_is() {
    let lines: String = (0..2000).map(|at| format!("int v{at};\n")).collect();
    let mut stage = Stage::new(&lines);
    let version = stage.run.version.clone();
    let mut nodes = walk::preorder(&version.documents()[0].root);
    let list = nodes.find(|node| node.shape == NodeShape::Star && node.len() == 2000);
    let list = list.expect("the declarations").id;
    let items = IndexRanges::from_range(1000..1001);
    let action = EditAction::DropNode;
    stage.try_edit(EditOp::DeleteItems { list, items }, action, list);
    let screen = stage.screen(120, 40);
    let rows: Vec<&str> = screen
        .lines()
        .skip_while(|line| !line.starts_with("╭ Program"))
        .skip(1)
        .take_while(|line| line.starts_with('│'))
        .collect();
    let edge = |row: &&str| row.chars().nth(70) == Some('█');
    let marked: Vec<usize> = (0..rows.len()).filter(|at| edge(&rows[*at])).collect();
    assert_eq!(
        marked,
        [(rows.len() - 1) / 2],
        "one row in the middle: {screen}"
    );
}

/// (question, screen): at 120 columns the verb and the object of a question are there, and what does not fit of the details is counted.
#[test]
fn code_is_what_a_sentence_shortens() {
    let mut stage = Stage::new(PROGRAM);
    ask_for(&mut stage, "return s.a;");
    let named: Vec<String> = (0..12).map(|at| format!("`declared_name_{at}`")).collect();
    let many = format!(
        "Can 12 unused declarations go? {}; 2 stay, `main` still uses `sum`",
        named.join(", ")
    );
    let just =
        "Can the only element of the list that was read from a file of its own go? it is not used";
    for (line, at, shown) in [
        (just, 2, "   −5 tokens   it is not used"),
        (
            "Can `{ int sum = 0; fill(argc); for (int i =…` become its return statement? `return sum & 127;` stays",
            1,
            "…` become its return statement?   −5 tokens",
        ),
        (
            "Can `{ int sum = 0; fill(argc); for (int i =…` become its return statement? `return sum & 127;` stays",
            2,
            "   `return sum & 127;` stays",
        ),
        (&*many, 2, " more; 2 stay, `main` still uses `sum`"),
    ] {
        if let Some(trying) = &mut stage.run.current_test {
            trying.sentence = EditSentence::from_line(line);
        }
        stage.show();
        let screen = stage.screen(120, 40);
        let line = screen.lines().nth(at).expect("a line");
        assert!(line.contains(shown), "{shown}: {line}");
    }
}

#[test]
fn what_is_looked_for_keeps_what_names_the_failure() {
    use lop::oracle::{FailureProperty, PropertyCriterion, PropertyPart};
    let part = |criterion| PropertyPart {
        on: true,
        criterion,
    };
    let message = "internal compiler error: in expand_call";
    let mut stage = in_the_middle();
    stage.run.property = Some(std::sync::Arc::new(FailureProperty {
        parts: vec![
            part(PropertyCriterion::Like {
                text: message.into(),
                percent: 25,
            }),
            part(PropertyCriterion::Exit(1)),
        ],
    }));
    stage.show();
    let first = |stage: &mut Stage, width| {
        let screen = stage.screen(width, 24);
        screen.lines().next().unwrap_or_default().to_owned()
    };
    assert!(first(&mut stage, 200).contains("in expand_call\"; exit 1"));
    assert!(!first(&mut stage, 80).contains("exit 1"));
    // A script says it in its own words; else its name says more than its directory.
    stage.run.property = None;
    stage.app.view.context.test = "/tmp/some/long/directory/of/tests/test.sh".into();
    stage.show();
    let narrow = first(&mut stage, 80);
    assert!(narrow.contains("   test.sh"), "{narrow}");
    stage.app.view.context.looked_for = Some("the warning [-Wswitch]".into());
    let wide = first(&mut stage, 120);
    assert!(wide.contains("the warning [-Wswitch]"), "{wide}");
}

#[test]
fn a_pause_names_the_pass_of_the_question_that_is_shown() {
    let mut stage = in_the_middle();
    stage.answer(lop::oracle::Verdict::Uninteresting);
    let mut passes = stage.run.passes.to_vec();
    passes[1].name = "heaviest first";
    stage.run.passes = passes.into();
    stage.run.state = lop::reduce::RunState::Paused(Some("size 45".into()));
    stage.show();
    let screen = stage.screen(80, 24);
    let title = screen.lines().find(|line| line.contains("Paused ─"));
    let title = title.unwrap_or_else(|| panic!("{screen}"));
    assert!(title.contains("perses ─"), "{screen}");
    assert!(screen.contains("Paused: size 45"), "{screen}");
}
