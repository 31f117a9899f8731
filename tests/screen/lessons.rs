//! Lessons, guesses and the layout for an audience.

use std::sync::Arc;
use std::time::Duration;

use lop::lesson::Lesson;
use lop::oracle::Verdict;
use lop::reduce::{CommandOutcome, EngineCommand, ReplayStatus, RunState, StepUnit};
use lop::tui::ScreenContext;
use lop::tui::app::KeyEffect;
use lop::tui::keys::KeyPress;
use lop::tui::layout::{LayoutScope, PaneKind};
use lop::tui::palette::TerminalPalette;

use crate::stage::{PROGRAM, Stage, context, read, run};
use crate::{ask_for, in_the_middle};

const STEP: EngineCommand = EngineCommand::Step(StepUnit::Question);

/// A paused run that has decided a few times.
fn paused() -> Stage {
    let mut stage = in_the_middle();
    stage.answer(Verdict::Uninteresting);
    stage.run.state = RunState::Paused(None);
    stage.show();
    stage
}

#[test]
fn a_step_has_two_keys_while_one_guesses() {
    let mut stage = paused();
    stage.keys("Y");
    assert!(
        stage
            .screen(140, 40)
            .contains("guessing: . shows a candidate")
    );
    stage.keys(".");
    assert_eq!(stage.sent, [STEP]);
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Uninteresting);
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("? Will the test say yes to this candidate?"),
        "{screen}"
    );
    assert!(screen.contains("y or n? . shows it."), "{screen}");
    assert!(
        !screen.contains("question 5 · rejected"),
        "the verdict is hidden: {screen}"
    );
    stage.keys("n");
    assert!(stage.screen(140, 40).contains("You say no."));
    stage.keys(".");
    assert_eq!(stage.sent, [STEP], "the second key tests nothing");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("question 5 · rejected: uninteresting"),
        "{screen}"
    );
    assert!(
        screen.contains("You said no: right.   1 of 1 guesses right"),
        "{screen}"
    );
    stage.keys(". y");
    ask_for(&mut stage, "s.a = g(2);");
    stage.answer(Verdict::Uninteresting);
    stage.keys(".");
    assert!(stage.screen(140, 40).contains("1 of 2 guesses right"));
}

#[test]
fn who_goes_on_without_the_second_key_sees_everything() {
    let mut stage = paused();
    stage.keys("Y .");
    for begins in ["return s.a;", "s.a = g(2);"] {
        ask_for(&mut stage, begins);
        stage.answer(Verdict::Uninteresting);
    }
    assert!(stage.screen(140, 40).contains("question 6 · rejected"));
}

#[test]
fn a_replay_can_be_guessed_too() {
    let mut stage = paused();
    ask_for(&mut stage, "return s.a;");
    stage.run.replay = Some(ReplayStatus {
        decisions: 12,
        reading: false,
        last: false,
        playing: false,
        backwards: false,
        speed: 1.0,
        last_message: (0, "".into()),
    });
    stage.app.view.context.replay = true;
    stage.show();
    stage.keys("Y y");
    assert!(stage.screen(140, 40).contains("You say yes. . shows it."));
    let step = KeyPress::parse_name(".").expect("a key");
    assert!(matches!(stage.app.handle_key(step), KeyEffect::Play(_)));
    // The next moment has the verdict and the next candidate; the candidate comes with the second key.
    stage.answer(Verdict::Uninteresting);
    ask_for(&mut stage, "s.a = g(2);");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("question 5 · rejected: uninteresting"),
        "{screen}"
    );
    assert!(
        screen.contains("You said yes: wrong.   0 of 1 guesses right"),
        "{screen}"
    );
    assert!(matches!(stage.app.handle_key(step), KeyEffect::Redraw));
    assert!(stage.screen(140, 40).contains("question 6"));
}

const LESSON: &str = "title = 'A'\nteaches = 'b'\nminutes = 1\nstrategy = 'perses'\n\
    [program]\nfile = 'bug.c'\ntext = 'int x;'\n[[test]]\nhas = 'x'\n\
    [[steps]]\ntext = 'The first step tells something.'\n\
    [[steps]]\ntext = 'The second step pins.'\nrun = ['pin main', 'step']\nask = 'Will it say yes?'\nanswer = 'Of course not.'\n\
    [[steps]]\ntext = 'The third step.'\n";

/// A lesson on a paused run.
fn lesson() -> Stage {
    let lesson = Lesson::from_text("a", LESSON, None).expect("a lesson");
    let mut start = run(read("bug.c", PROGRAM));
    start.state = RunState::Paused(None);
    let context = ScreenContext {
        lesson: Some(Arc::new(lesson)),
        ..context()
    };
    Stage::with_context(start, TerminalPalette::FULL, context)
}

#[test]
fn a_lesson_begins_with_the_algorithm_at_work() {
    let mut stage = lesson();
    let screen = stage.screen(120, 40);
    for pane in ["Algorithm", "Program", "Log"] {
        assert!(screen.contains(pane), "{pane}: {screen}");
    }
    assert_eq!(
        stage.app.focused_pane(),
        PaneKind::Program,
        "keys for nodes work at once"
    );
    // Where one pane is shown at a time, it is the program, and from the first question on the algorithm.
    let mut stage = lesson();
    let screen = stage.screen(80, 24);
    assert!(screen.contains("◆ Program"), "{screen}");
    stage.keys("space");
    assert!(stage.app.take_lesson_command().is_some());
    let screen = stage.screen(80, 24);
    assert!(screen.contains("◆ Algorithm"), "{screen}");
    assert!(screen.contains("tab program"), "{screen}");
    stage.keys("tab");
    assert!(stage.screen(80, 24).contains("◆ Program"));
}

#[test]
fn a_lesson_sends_a_command_when_the_one_before_is_over() {
    let mut stage = lesson();
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("step 1 of 3   The first step tells something."),
        "{screen}"
    );
    for hint in ["space next", "b back"] {
        assert!(screen.contains(hint), "{hint}: {screen}");
    }
    assert!(
        !screen.contains("space resume") && !screen.contains(". step"),
        "{screen}"
    );
    assert_eq!(stage.app.take_lesson_command(), None);
    stage.keys("space");
    let pin = EngineCommand::parse_line("pin main").expect("a command");
    assert_eq!(stage.app.take_lesson_command(), Some(pin));
    assert_eq!(
        stage.app.take_lesson_command(),
        None,
        "the run has not obeyed yet"
    );
    assert!(stage.screen(140, 40).contains("step 2 of 3 …"));
    stage.keys(".");
    assert!(
        stage
            .screen(140, 40)
            .contains("the run still does what the step told it")
    );
    let obeyed = |number, command: &str| {
        let outcome = CommandOutcome {
            before: 1,
            command: command.into(),
            outcome: Ok(None),
        };
        (number, Some(Arc::new(outcome)))
    };
    stage.run.last_command = obeyed(1, "pin main");
    stage.show();
    assert_eq!(stage.app.take_lesson_command(), Some(STEP));
    stage.run.last_command = obeyed(2, "step");
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Uninteresting);
    assert_eq!(stage.app.take_lesson_command(), None);
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("step 2 of 3   The second step pins."),
        "{screen}"
    );
    assert!(screen.contains("? Will it say yes?"), "{screen}");
    assert!(
        !screen.contains("Of course not.") && !screen.contains("question 1 · rejected"),
        "{screen}"
    );
    stage.keys("enter");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("Of course not.") && screen.contains("question 1 · rejected"),
        "{screen}"
    );
    stage.keys("space b");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("step 2 of 3") && screen.contains("the run stays where it is"),
        "{screen}"
    );
    stage.keys("space space");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("the lesson is over, and the run is yours"),
        "{screen}"
    );
    assert!(!screen.contains("step 3 of 3"), "{screen}");
    stage.keys("space");
    assert_eq!(
        stage.sent,
        [EngineCommand::Resume],
        "keys mean what they mean in any run"
    );
}

/// A lesson of one step with these lines, on a run that has just been told what the step says.
fn lesson_with_step(lines: &str) -> Stage {
    let text = format!(
        "{}[[steps]]\n{lines}",
        &LESSON[..LESSON.find("[[steps]]").expect("steps")]
    );
    let text = text.replace("[[steps]]", "[[steps]]\ntext = 'One.'\n[[steps]]");
    let lesson = Lesson::from_text("a", &text, None).expect("a lesson");
    let mut start = run(read("bug.c", PROGRAM));
    start.state = RunState::Paused(None);
    let context = ScreenContext {
        lesson: Some(Arc::new(lesson)),
        ..context()
    };
    let mut stage = Stage::with_context(start, TerminalPalette::FULL, context);
    stage.keys("space");
    stage
}

/// The run has executed this command.
fn obey(stage: &mut Stage, command: &str) {
    let outcome = CommandOutcome {
        before: 1,
        command: command.into(),
        outcome: Ok(None),
    };
    stage.run.last_command = (stage.run.last_command.0 + 1, Some(Arc::new(outcome)));
    stage.show();
}

#[test]
fn an_edit_that_a_lesson_tries_is_over_when_its_verdict_is_there() {
    let mut stage = lesson_with_step(
        "text = 'Two.'\nrun = ['try delete 4', 'step']\nask = 'Will it say yes?'\nanswer = 'No.'",
    );
    let tried = stage.app.take_lesson_command().expect("a command");
    assert_eq!(tried.to_string(), "try delete 4");
    obey(&mut stage, "try delete 4");
    assert_eq!(stage.app.take_lesson_command(), None, "it is tested");
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Uninteresting);
    assert_eq!(stage.app.take_lesson_command(), Some(STEP));
    let mut stage = lesson_with_step(
        "text = 'Two.'\nrun = ['try delete 4']\nask = 'Will it say yes?'\nanswer = 'No.'",
    );
    assert!(stage.app.take_lesson_command().is_some());
    obey(&mut stage, "try delete 4");
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Uninteresting);
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("y or n?") && !screen.contains("rejected"),
        "{screen}"
    );
}

#[test]
fn who_looks_back_does_not_see_a_hidden_verdict() {
    let mut stage = lesson_with_step(
        "text = 'Two.'\nrun = ['step']\nask = 'Will it say yes?'\nanswer = 'Of course not.'",
    );
    assert_eq!(stage.app.take_lesson_command(), Some(STEP));
    obey(&mut stage, "step");
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Uninteresting);
    assert_eq!(stage.app.take_lesson_command(), None, "the step is over");
    stage.keys("b");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("step 1 of 2"), "{screen}");
    assert!(
        !screen.contains("y yes") && !screen.contains("rejected"),
        "{screen}"
    );
    stage.keys("space");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("y or n? space shows it."), "{screen}");
    assert!(
        !screen.contains("rejected") && !screen.contains("Of course"),
        "{screen}"
    );
    stage.keys("n space");
    let screen = stage.screen(140, 40);
    let lines: Vec<&str> = screen.lines().map(str::trim).collect();
    let at = lines
        .iter()
        .position(|line| line.starts_with("You said no: right."));
    assert_eq!(
        at.map(|at| lines[at + 1]),
        Some("Of course not."),
        "{screen}"
    );
}

#[test]
fn a_question_with_another_answer_than_yes_or_no_is_not_guessed() {
    let mut stage = lesson_with_step(
        "text = 'Two.'\nrun = ['step']\nask = 'What goes?'\nguess = false\nanswer = 'A return.'",
    );
    assert_eq!(stage.app.take_lesson_command(), Some(STEP));
    obey(&mut stage, "step");
    ask_for(&mut stage, "return s.a;");
    stage.answer(Verdict::Uninteresting);
    assert_eq!(stage.app.take_lesson_command(), None, "the step is over");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("space shows the answer"), "{screen}");
    for hidden in ["y or n", "y yes", "rejected", "A return."] {
        assert!(!screen.contains(hidden), "{hidden}: {screen}");
    }
    stage.keys("y space");
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("A return.") && !screen.contains("You said"),
        "{screen}"
    );
}

#[test]
fn a_refused_command_of_a_lesson_is_told() {
    let mut stage = lesson();
    stage.keys("space");
    assert!(stage.app.take_lesson_command().is_some());
    let outcome = CommandOutcome {
        before: 1,
        command: "pin main".into(),
        outcome: Err("there is no `main`".into()),
    };
    stage.run.last_command = (1, Some(Arc::new(outcome)));
    stage.show();
    assert_eq!(
        stage.app.take_lesson_command(),
        None,
        "the rest of the step is left out"
    );
    let screen = stage.screen(140, 40);
    let told = "a mistake of the lesson: step 2, line 14: pin main:";
    assert!(screen.contains(told), "{screen}");
    stage.keys("esc");
    let screen = stage.screen(140, 40);
    assert!(!screen.contains(told), "a key closes it: {screen}");
    let player = stage.app.lesson.as_ref().expect("a lesson");
    let refused = player.refused_command();
    assert_eq!(
        refused,
        Some("step 2, line 14: pin main: there is no `main`")
    );
}

#[test]
fn an_audience_sees_one_program_one_picture_and_the_sentence() {
    let mut stage = in_the_middle();
    let arrangement = &mut stage.app.arrangement;
    let switched = arrangement.switch_layout(Some("beamer"), LayoutScope::Program);
    assert!(switched.is_ok());
    insta::assert_snapshot!(stage.screen(120, 40));
}

/// (program, key, screen): what a step pins is on the screen, also where the program is longer.
#[test]
fn what_a_lesson_pins_is_shown() {
    let filler: String = (0..60).map(|at| format!("int v{at};\n")).collect();
    let text = LESSON.replace("pin main", "pin last");
    let lesson = Lesson::from_text("a", &text, None).expect("a lesson");
    let mut start = run(read("bug.c", &format!("{filler}int last;\n")));
    start.state = RunState::Paused(None);
    let context = ScreenContext {
        lesson: Some(Arc::new(lesson)),
        ..context()
    };
    let mut stage = Stage::with_context(start, TerminalPalette::FULL, context);
    assert!(!stage.screen(120, 40).contains("int last;"));
    stage.keys("space");
    assert!(stage.app.take_lesson_command().is_some());
    let screen = stage.screen(120, 40);
    assert!(screen.contains("int last;"), "{screen}");
}

#[test]
fn the_clock_stands_while_a_verdict_is_hidden() {
    let mut stage = paused();
    stage.keys("Y .");
    let (before, started, now) = (
        stage.app.view.working_time(),
        stage.run.started,
        stage.run.now,
    );
    // The audience thinks for a while, then the step is tested so fast that no state before its verdict was seen.
    let mut later = paused();
    ask_for(&mut later, "return s.a;");
    later.answer(Verdict::Uninteresting);
    stage.run = later.run;
    (stage.run.started, stage.run.now) = (started, now + Duration::from_secs(60));
    stage.show();
    assert!(stage.screen(140, 40).contains("y or n?"));
    stage.keys(".");
    let after = stage.app.view.working_time();
    assert!(
        after - before < Duration::from_secs(5),
        "{before:?}, {after:?}"
    );
}
