//! The activity of the run and its end on the screen.

use std::time::Duration;

use lop::oracle::{
    FailureProperty, FarmState, FarmStatus, PropertyCriterion, PropertyPart, Verdict,
};
use lop::reduce::{EngineCommand, FinishReason, PassSweep, RunSnapshot, RunState, StepUnit};
use lop::tui::app::PageKind;
use lop::tui::palette::TerminalPalette;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use crate::stage::{Stage, text};
use crate::{ask_for, cells, in_the_middle, loop_is_tried};

#[test]
fn a_farm_is_shown_beside_the_question_with_what_it_costs() {
    let mut stage = loop_is_tried();
    let mut farm = FarmStatus {
        workers: 4,
        in_flight: 12,
        slots: 16,
        latency: Some(Duration::from_millis(520)),
        worker_time: Duration::from_secs(61),
        ..FarmStatus::default()
    };
    stage.run.farm = Some(farm);
    stage.show();
    let screen = stage.screen(160, 40);
    let said = "farm 12/16, 0.52 s each, 61 s of 4 workers";
    assert!(screen.contains(said), "{screen}");
    farm.state = FarmState::Away;
    stage.run.farm = Some(farm);
    stage.show();
    let screen = stage.screen(160, 40);
    assert!(screen.contains("farm away"), "{screen}");
}

#[test]
fn a_key_that_comes_before_the_run_counts_when_it_begins() {
    for (state, command) in [
        (RunState::Paused(None), EngineCommand::Resume),
        (RunState::Running, EngineCommand::Pause),
    ] {
        let mut stage = in_the_middle();
        stage.app.view.snapshot = None;
        stage.keys("space");
        assert_eq!(stage.sent, []);
        assert_eq!(stage.app.take_early_command(), None, "there is no run yet");
        stage.run.state = state;
        stage.show();
        assert_eq!(stage.app.take_early_command(), Some(command));
        assert_eq!(stage.app.take_early_command(), None, "once");
    }
}

#[test]
fn who_reads_the_help_at_the_end_finds_the_result_below_it() {
    let mut stage = in_the_middle();
    stage.keys("?");
    stage.finish(FinishReason::Complete);
    assert_eq!(stage.pages(), [PageKind::Result, PageKind::Help]);
    stage.keys("esc");
    assert_eq!(stage.pages(), [PageKind::Result]);
}

#[test]
fn pausing_is_told_and_unmistakable() {
    let mut stage = loop_is_tried();
    stage.keys("space");
    assert_eq!(stage.sent, [EngineCommand::Pause]);
    assert!(
        stage.screen(140, 40).contains("● pausing"),
        "until the run has obeyed"
    );
    stage.run.state = RunState::Paused(None);
    stage.run.current_test = None;
    stage.show();
    let frame = stage.frame(140, 40);
    let screen = text(&frame);
    assert!(
        screen.contains("▮▮ PAUSED")
            && screen.contains("Nothing is tested yet")
            && screen.contains("space resume")
    );
    assert_eq!(
        cells(&frame, "lop  bug.c")[0].bg,
        Color::Rgb(0xf0, 0xc6, 0x74),
        "the whole line at the top says it"
    );
    stage.keys("space");
    assert_eq!(stage.sent, [EngineCommand::Pause, EngineCommand::Resume]);
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
    stage.run.state = RunState::Paused(None);
    stage.show();
    stage.keys(".");
    assert_eq!(stage.sent, [EngineCommand::Step(StepUnit::Question)]);
    assert!(stage.screen(140, 40).contains("one step"));
    stage.answer(Verdict::Uninteresting);
    assert!(stage.screen(140, 40).contains("PAUSED"));
}

const BROKEN: &str = "the test failed: exit 127: a command in it was not found (/home/user/projects/the-compiler/bugs/\
                      2026-11/test.sh: line 3: /home/user/projects/the-compiler/build/bin/cc1: No such file or directory), again and again";

/// A run whose test has broken.
fn broken() -> Stage {
    let mut stage = loop_is_tried();
    stage.run.notes.push_back(BROKEN.into());
    stage.run.state = RunState::Stalled(BROKEN.into());
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
            "fix the test, or what it needs, then space resumes",
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
    assert!(screen.contains("fix the test, then space resumes"));
    stage.keys("w");
    assert_eq!(stage.pages(), [PageKind::Stall]);
    stage.keys("space");
    assert_eq!(stage.sent, [EngineCommand::Resume], "from the page too");
    stage.run.counts.started += 3;
    stage.show();
    assert!(
        stage
            .screen(140, 40)
            .contains("the test was run again and failed again"),
        "the test is still broken"
    );
    assert!(stage.app.pending.is_empty());
    stage.run.state = RunState::Running;
    stage.show();
    assert!(stage.pages().is_empty(), "it is resumed");
}

#[test]
fn after_a_step_what_was_tried_stays_with_its_verdict() {
    let mut stage = loop_is_tried();
    stage.run.state = RunState::Paused(None);
    stage.answer(Verdict::Uninteresting);
    let frame = stage.frame(140, 40);
    let crossed = |frame: &Buffer| {
        cells(frame, "--s.a;  ")
            .iter()
            .take(6)
            .all(|cell| cell.modifier.contains(Modifier::CROSSED_OUT))
    };
    assert!(crossed(&frame), "it was rejected, and is still marked");
    let screen = text(&frame);
    assert!(
        screen.contains("✗ Can `while (s.a) --s.a;` go?"),
        "{screen}"
    );
    assert!(screen.contains("question 1 · rejected: uninteresting · exit 1 · 0.41 s"));
    ask_for(&mut stage, "s.a = g(2);");
    assert!(!crossed(&stage.frame(140, 40)), "the next candidate");
    stage.answer(Verdict::Interesting);
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("−9 tokens") && screen.contains("question 2 · accepted"),
        "{screen}"
    );
    assert!(!screen.contains('⟳'), "nothing is left to mark");
}

#[test]
fn a_verdict_can_be_opened() {
    let mut stage = in_the_middle();
    stage.frame(140, 40);
    stage.keys("tab tab j");
    assert!(stage.screen(140, 40).contains("◆ Log"));
    assert!(
        stage.app.selection.follow,
        "nothing of the program was selected"
    );
    stage.keys("enter");
    insta::assert_snapshot!("verdict", stage.screen(140, 40));
    stage.keys("esc");
    stage.answer(Verdict::Uninteresting);
    let (at, chosen) = stage.selected_verdict().expect("a verdict");
    assert_eq!((at, chosen.decision), (2, 2), "it stays on its verdict");
    stage.keys("g");
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Uninteresting);
    assert_eq!(stage.selected_verdict().expect("a verdict").1.decision, 5);
    stage.keys("i");
    assert_eq!(stage.pages(), [PageKind::Verdict]);
}

#[test]
fn the_output_of_a_test_scrolls() {
    let mut stage = loop_is_tried();
    stage.answer(Verdict::Uninteresting);
    let mut decided = (*stage.run.decided[0]).clone();
    let lines: String = (0..2000).map(|line| format!("line {line}\n")).collect();
    decided.output = lop::oracle::TestOutput::from_text(lines);
    stage.run.decided[0] = std::sync::Arc::new(decided);
    stage.show();
    stage.frame(80, 24);
    stage.keys("tab tab i");
    assert!(stage.screen(80, 24).contains("line 3"));
    stage.keys("G");
    assert!(stage.screen(80, 24).contains("line 1999"));
    stage.keys("g");
    assert!(!stage.screen(80, 24).contains("line 1999"));
}

#[test]
fn the_result_is_a_page_that_stays_until_the_user_leaves() {
    let mut stage = in_the_middle();
    stage.finish(FinishReason::Complete);
    insta::assert_snapshot!("result", stage.screen(140, 40));
    stage.show();
    stage.keys("esc");
    assert!(
        !stage.screen(140, 40).contains("What to do next"),
        "one can look around"
    );
    stage.keys("j r");
    assert_eq!(stage.pages(), [PageKind::Result]);
    assert!(stage.screen(20, 5).contains("done"));
    stage.keys("q");
    assert!(stage.left);
}

#[test]
fn a_failed_run_says_why() {
    let mut stage = in_the_middle();
    stage.finish(FinishReason::Failed(
        "the test cannot be started: no such file".into(),
    ));
    assert!(
        stage
            .screen(80, 24)
            .contains("✗ the test cannot be started: no such file")
    );
}

#[test]
fn every_command_is_shown_until_it_is_obeyed() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    stage.keys("p s space");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("● pin `while (s.a) --s.a;`, skip cand"),
        "{screen}"
    );
    for left in ["● skip candidate, pausing", "● pausing"] {
        stage.run.last_command.0 += 1;
        stage.show();
        let screen = stage.screen(140, 40);
        assert!(screen.contains(left), "{left}: {screen}");
    }
    stage.run.last_command.0 += 1;
    stage.run.state = RunState::Paused(None);
    stage.show();
    assert!(stage.screen(140, 40).contains("PAUSED"));
    assert!(stage.app.pending.is_empty());
}

#[test]
fn what_is_left_is_told_with_what_it_rests_on() {
    let mut stage = loop_is_tried();
    stage.answer(Verdict::Uninteresting);
    stage.keys(":");
    stage.types("layout run");
    stage.keys("enter");
    assert!(
        !stage.screen(140, 40).contains("questions left"),
        "no pass has come to its end yet"
    );
    // Of the two passes, one asked 122 questions about 61 tokens the last time, and has asked none since.
    let (questions, tokens) = (122, 61);
    let mut passes = stage.run.passes.to_vec();
    passes[1].last_sweep = Some(PassSweep { questions, tokens });
    stage.run.passes = passes.into();
    stage.show();
    let screen = stage.screen(140, 40);
    assert!(
        !screen.contains("left"),
        "fewer questions were asked than would be left: {screen}"
    );
    stage.run.counts.decisions = 500;
    stage.show();
    let screen = stage.screen(140, 40);
    let tokens = stage.run.version.token_count();
    let expected = format!("about {} questions left in 1 pass, 0 % yes: ", 2 * tokens);
    assert!(screen.contains(&expected), "{expected}: {screen}");
    assert!(screen.contains(" at 250/s"), "{screen}");
    stage.run.state = RunState::Paused(None);
    stage.show();
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("left in 1 pass, 0 % yes ") && !screen.contains("/s"),
        "there is no rate while it is paused: {screen}"
    );
}

#[test]
fn a_run_that_stops_where_it_was_told_to_is_not_in_trouble() {
    let mut stage = loop_is_tried();
    stage.run.state = RunState::Paused(Some("until size 60".into()));
    stage.answer(Verdict::Interesting);
    assert!(stage.pages().is_empty());
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("Paused: until size 60") && screen.contains("question 1 · accepted"),
        "{screen}"
    );
    assert!(!screen.contains("fix the test"), "{screen}");
}

#[test]
fn what_is_looked_for_is_shown_before_the_start_and_each_part_can_be_switched() {
    let part = |on, criterion| PropertyPart { on, criterion };
    let property = FailureProperty {
        parts: vec![
            part(true, PropertyCriterion::Grep("internal error".into())),
            part(false, PropertyCriterion::Exit(3)),
        ],
    };
    let mut stage = Stage::new("int a;\n");
    stage.run.property = Some(property.into());
    let mut fresh = Stage::of(
        RunSnapshot {
            state: RunState::Paused(None),
            ..stage.run
        },
        TerminalPalette::FULL,
    );
    assert_eq!(fresh.pages(), [PageKind::Property]);
    let screen = fresh.screen(140, 40);
    for said in [
        "[x] grep 1",
        "/internal error/",
        "[ ] exit",
        "space starts the run",
    ] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    fresh.keys("down enter space");
    let switched = EngineCommand::parse_line("property exit on").expect("a command");
    assert_eq!(fresh.sent, [switched, EngineCommand::Resume]);
    fresh.run.state = RunState::Running;
    fresh.show();
    assert!(fresh.pages().is_empty(), "the run has begun");
    fresh.keys("W");
    assert_eq!(fresh.pages(), [PageKind::Property]);
    fresh.keys("?");
    let screen = fresh.screen(140, 40);
    let at = |text: &str| {
        screen
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {screen}"))
    };
    assert!(
        at("On the property's page") < at("The run"),
        "the help is about the page: {screen}"
    );
}

/// A run that looks for a message and an exit status.
fn with_message_and_status() -> Stage {
    let part = |on, criterion| PropertyPart { on, criterion };
    let property = FailureProperty {
        parts: vec![
            part(true, PropertyCriterion::Grep("internal error".into())),
            part(true, PropertyCriterion::Exit(1)),
        ],
    };
    let mut stage = Stage::new("int a;\n");
    stage.run.property = Some(property.into());
    stage.show();
    stage
}

#[test]
fn a_typed_line_after_which_any_error_would_do_is_asked_a_second_time_too() {
    let mut stage = with_message_and_status();
    stage.keys("esc :");
    stage.types("property grep 1 off");
    stage.keys("enter");
    let warning = "any error would do then, a text of nonsense too";
    let screen = stage.screen(140, 40);
    assert!(screen.contains(warning), "{screen}");
    assert!(stage.sent.is_empty(), "{:?}", stage.sent);
    // Another line is not the one that the warning was about.
    stage.keys("backspace f enter");
    assert!(stage.sent.is_empty(), "{:?}", stage.sent);
    stage.keys("enter");
    let command = |line| EngineCommand::parse_line(line).expect("a command");
    assert_eq!(stage.sent, [command("property grep 1 off")]);
    // What is left is specific enough: it is done at once.
    stage.keys(":");
    stage.types("property exit off");
    stage.keys("enter");
    assert_eq!(stage.sent[1..], [command("property exit off")]);
}

#[test]
fn before_any_error_would_do_the_page_warns_and_asks_a_second_time() {
    let mut stage = with_message_and_status();
    stage.keys("W enter");
    assert!(stage.sent.is_empty(), "{:?}", stage.sent);
    let warning = "Without this part only exit 1 is left";
    let screen = stage.screen(140, 40);
    assert!(screen.contains(warning), "{screen}");
    // A move takes the question back; the other part leaves what is specific, and needs none.
    stage.keys("down");
    assert!(!stage.screen(140, 40).contains(warning));
    let command = |line| EngineCommand::parse_line(line).expect("a command");
    stage.keys("enter up enter");
    assert_eq!(stage.sent, [command("property exit off")]);
    stage.keys("enter");
    assert_eq!(stage.sent[1..], [command("property grep 1 off")]);
}

#[test]
fn after_the_end_every_command_to_the_run_says_that_it_has_ended_and_what_to_do() {
    let mut stage = in_the_middle();
    stage.finish(FinishReason::Complete);
    let how = "start it again: lop FILE TEST --command pause";
    for close in ["", "esc"] {
        stage.keys(close);
        for verb in ["recheck", "pause", "jobs 2", "pin main", "goto 0", "stop"] {
            stage.keys(":");
            stage.types(verb);
            stage.keys("enter");
            let name = verb.split(' ').next().unwrap_or(verb);
            let screen = stage.screen(140, 40);
            let said = format!("{name}: the run has ended;");
            assert!(screen.contains(&said), "{screen}");
            assert!(screen.contains(how), "{screen}");
        }
    }
    assert!(stage.sent.is_empty() && stage.app.pending.is_empty());
    stage.keys("u");
    let small = stage.screen(60, 20);
    let words: Vec<&str> = small.split_whitespace().collect();
    assert!(words.join(" ").contains("--command pause │"), "{small}");
    stage.keys("?");
    let help = stage.screen(140, 110);
    assert!(
        help.matches("grey: the run has ended").count() >= 3,
        "once a place: {help}"
    );
    assert!(!help.contains("(the run has ended"), "{help}");
}

#[test]
fn what_cannot_be_shown_is_told_in_plain_words() {
    let mut stage = loop_is_tried();
    let mut said = |key: &str, state: RunState| {
        stage.run.state = state;
        stage.show();
        stage.keys(key);
        stage.screen(140, 40)
    };
    for (key, state, why) in [
        (
            "W",
            RunState::Running,
            "the test is a script: read the property there",
        ),
        (
            "w",
            RunState::Running,
            "why: the run is not paused; nothing is wrong",
        ),
    ] {
        let screen = said(key, state);
        assert!(screen.contains(why), "{why}: {screen}");
    }
}

#[test]
fn a_property_of_nothing_is_refused_without_a_question() {
    let part = |on, criterion| PropertyPart { on, criterion };
    let property = FailureProperty {
        parts: vec![
            part(true, PropertyCriterion::Grep("internal error".into())),
            part(false, PropertyCriterion::Exit(1)),
        ],
    };
    let mut stage = Stage::new("int a;\n");
    stage.run.property = Some(property.into());
    stage.show();
    stage.keys("W enter enter");
    assert!(stage.sent.is_empty(), "{:?}", stage.sent);
    let screen = stage.screen(140, 40);
    assert!(!screen.contains("Without this part only"), "{screen}");
    assert!(
        screen.contains("the failure property would be empty"),
        "{screen}"
    );
}

#[test]
fn a_paused_run_says_why_it_is_paused() {
    for (reason, why) in [
        (Some("size 45"), "Why: size 45"),
        (None, "Why: you paused it"),
    ] {
        let mut stage = loop_is_tried();
        stage.answer(Verdict::Uninteresting);
        stage.run.state = RunState::Paused(reason.map(str::to_owned));
        stage.show();
        stage.keys("w");
        let screen = stage.screen(80, 24);
        assert!(screen.contains(why), "{screen}");
        assert!(screen.contains("paused before question 2"), "{screen}");
        stage.run.state = RunState::Running;
        stage.show();
        assert!(stage.pages().is_empty(), "it goes on");
    }
}
