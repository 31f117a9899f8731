//! The prompt: commands, their completion and their arguments.

use lop::oracle::Verdict;
use lop::reduce::{CommandOutcome, EngineCommand};
use lop::tui::heat::HeatMeasure;
use lop::tui::theme::Role;
use ratatui::style::Color;

use crate::stage::{PROGRAM, Stage};
use crate::{in_the_middle, loop_is_tried};

#[test]
fn a_command_can_be_typed_by_a_few_of_its_letters() {
    let mut stage = loop_is_tried();
    stage.keys(":");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("╭◆ Command ─"), "{screen}");
    assert!(screen.contains("pause or resume the run"));
    stage.types("pse");
    insta::assert_snapshot!("proposals", stage.screen(140, 40));
    stage.keys("enter");
    assert_eq!(stage.sent, [EngineCommand::Pause]);
    assert!(stage.app.prompt.is_none());
}

#[test]
fn keys_are_letters_while_something_is_typed() {
    let mut stage = loop_is_tried();
    stage.keys(": q q");
    assert!(!stage.left);
    stage.keys("ctrl-c");
    assert!(
        !stage.left && stage.app.prompt.is_none(),
        "it closes the prompt"
    );
    stage.keys("ctrl-c");
    assert!(stage.left);
}

#[test]
fn what_cannot_be_done_now_says_why() {
    let mut stage = loop_is_tried();
    stage.keys(":");
    stage.types("step");
    assert!(stage.screen(140, 40).contains("(the run is not paused)"));
    stage.keys("enter");
    assert!(
        stage
            .screen(140, 40)
            .contains("step: the run is not paused")
    );
    stage.keys(":");
    stage.types("details");
    stage.keys("enter");
    assert!(
        stage
            .screen(140, 40)
            .contains("details: it belongs to another pane")
    );
    for (line, said) in [
        (
            "xyzzy",
            "there is no command `xyzzy`: ? lists those with keys",
        ),
        ("at decision 5: stop", "is a line of a script"),
        (
            "theme a b",
            "there is no theme `a b`; there are auto, dark,",
        ),
        ("zoom in", "type: zoom"),
        (
            "layout none",
            "there is no layout `none`; there are all, steps, code, run",
        ),
        ("heat sun", "heat: off, tests, recent or survival"),
    ] {
        stage.keys(":");
        stage.types(line);
        stage.keys("enter");
        let screen = stage.screen(140, 40);
        assert!(screen.contains(said), "{line}: {screen}");
        assert!(
            screen.contains(&format!(":{line}")),
            "it can be corrected: {screen}"
        );
        stage.keys("esc");
    }
    assert!(stage.sent.is_empty());
}

#[test]
fn tab_completes_the_name_and_then_the_word() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    let line = |stage: &Stage| stage.app.prompt.as_ref().map(|prompt| prompt.line.clone());
    stage.keys(":");
    stage.types("hea");
    stage.keys("down up tab");
    assert_eq!(line(&stage).as_deref(), Some("heat "));
    stage.types("rec");
    stage.keys("tab");
    assert_eq!(line(&stage).as_deref(), Some("heat recent"));
    stage.keys("enter");
    assert_eq!(stage.app.panes.tree.heat.measure, HeatMeasure::Recent);
}

#[test]
fn after_a_verb_that_takes_an_argument_comes_a_blank() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    for (typed, line) in [
        ("lock", "lock "),
        ("disab", "disable "),
        ("goto", "goto "),
        // Alone it means all places.
        ("unpin", "unpin"),
        ("redo", "redo"),
    ] {
        stage.keys(":");
        stage.types(typed);
        stage.keys("tab");
        let prompt = stage.app.prompt.as_ref().map(|prompt| &prompt.line[..]);
        assert_eq!(prompt, Some(line));
        stage.keys("esc");
    }
}

#[test]
fn a_theme_is_seen_before_it_is_chosen() {
    let mut stage = loop_is_tried();
    let paper = |stage: &mut Stage| stage.frame(140, 40)[(30, 30)].bg;
    let dark = paper(&mut stage);
    assert_eq!(Some(dark), stage.app.view.theme.role_style(Role::Text).bg);
    stage.keys("T");
    assert!(stage.screen(140, 40).contains("high-contrast"));
    stage.types("light");
    let light = paper(&mut stage);
    assert_ne!(light, dark, "a preview");
    stage.keys("esc");
    assert_eq!(paper(&mut stage), dark, "nothing was chosen");
    stage.keys("T down enter");
    assert_eq!(paper(&mut stage), light);
    assert_eq!(stage.app.view.theme.name(), "light");
    stage.keys("T");
    stage.types("mono");
    stage.keys("enter");
    assert_eq!(paper(&mut stage), Color::Reset);
    assert_eq!(stage.app.view.theme.name(), "monochrome");
}

#[test]
fn verdicts_can_be_filtered() {
    let mut stage = in_the_middle();
    stage.frame(140, 40);
    stage.keys("tab tab f");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("only interesting: 1"), "{screen}");
    assert!(screen.contains("✓   1 ") && !screen.contains("✗   2 "));
    stage.keys(":");
    stage.types("filter timed-out");
    stage.keys("enter");
    let (at, verdict) = stage.selected_verdict().expect("one");
    assert_eq!((at, verdict.verdict), (0, Verdict::TimedOut));
    stage.keys("f");
    assert!(stage.app.panes.log.filter.is_none(), "around to all");
}

#[test]
fn a_small_screen_has_a_prompt_too() {
    let mut stage = Stage::new(PROGRAM);
    for (width, height) in [(40, 10), (61, 16), (22, 7)] {
        stage.keys(":");
        stage.types("a line that is longer than the screen, and then some 日本語");
        let screen = stage.screen(width, height);
        assert!(screen.contains("some 日本語"), "{screen}");
        stage.keys("esc");
    }
}

#[test]
fn what_steers_the_run_can_be_typed_and_the_most_of_it_has_keys() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    let selected = stage.app.selection.node.expect("a node").0;
    stage.keys("p x s u");
    for line in [
        "freeze main",
        "jobs 3",
        "order perses, comments",
        "pin",
        "try delete",
    ] {
        stage.keys(":");
        stage.types(line);
        stage.keys("enter");
    }
    let sent: Vec<String> = stage.sent.iter().map(EngineCommand::to_string).collect();
    let pin = format!("pin #{selected}");
    let delete = format!("try delete #{selected}");
    assert_eq!(
        sent,
        [
            pin.as_str(),
            &delete,
            "skip candidate",
            "freeze main",
            "jobs 3",
            "order perses, comments",
            &pin,
            &delete
        ],
        "and no candidate was accepted yet that could be undone"
    );
    stage.keys(":");
    stage.types("jobs many");
    stage.keys("enter");
    assert!(
        stage
            .screen(140, 40)
            .contains("jobs N: `many` is no number that can stand here")
    );
}

#[test]
fn what_became_of_a_command_is_told() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    stage.keys("p");
    assert!(
        stage.screen(140, 40).contains("● pin `"),
        "until the run has heard"
    );
    let mut hear = |outcome| {
        stage.run.last_command.0 += 1;
        stage.run.last_command.1 = Some(std::sync::Arc::new(CommandOutcome {
            before: 7,
            command: "pin main".into(),
            outcome,
        }));
        stage.show();
        let screen = stage.screen(140, 40);
        stage.keys("p");
        screen
    };
    assert!(hear(Ok(None)).contains(": applied before question 7"));
    assert!(hear(Ok(Some("9 tokens stay".into()))).contains(": 9 tokens stay"));
    assert!(hear(Err("nothing declares it".into())).contains(": nothing declares it"));
}

#[test]
fn what_another_screen_did_is_told_in_its_own_words() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    // The run has not heard this one yet, whatever it reports.
    stage.keys("p");
    for (command, outcome, said) in [
        (
            "lock main",
            Ok(None),
            "lock main: applied before question 7",
        ),
        (
            "order a, b",
            Err("no such pass".into()),
            "order a, b: no such pass",
        ),
        ("jobs 2", Ok(Some("two".into())), "jobs 2: two"),
    ] {
        stage.run.last_command.0 += 1;
        stage.run.last_command.1 = Some(std::sync::Arc::new(CommandOutcome {
            before: 7,
            command: command.into(),
            outcome,
        }));
        stage.show();
        let screen = stage.screen(140, 40);
        assert!(screen.contains(said), "{said}: {screen}");
    }
}

#[test]
fn a_command_that_is_tried_and_then_refused_is_told_twice() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    stage.keys("p");
    let mut hear = |outcome| {
        stage.run.last_command.0 += 1;
        stage.run.last_command.1 = Some(std::sync::Arc::new(CommandOutcome {
            before: 7,
            command: "property grep /no/".into(),
            outcome,
        }));
        stage.show();
        stage.screen(140, 40)
    };
    let tried = hear(Ok(Some("the program is tested with it".into())));
    assert!(tried.contains("the program is tested with it"), "{tried}");
    let refused = hear(Err("no line of it".into()));
    assert!(
        refused.contains("│ property grep /no/: no line of it"),
        "{refused}"
    );
    assert!(
        !refused.contains("the program is tested with it"),
        "{refused}"
    );
}

#[test]
fn words_of_verbs_are_completed() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    for (typed, line) in [
        ("unsk", "unskip"),
        ("disable per", "disable perses"),
        ("step com", "step commit"),
        ("undo b", "undo ban"),
    ] {
        let proposals = lop::tui::prompt::list_completions(&stage.app, typed);
        assert_eq!(
            proposals.first().map(|first| first.line.as_str()),
            Some(line)
        );
    }
    let places = lop::tui::prompt::list_completions(&stage.app, "lock ");
    assert!(places[0].line.starts_with("lock #"));
}

#[test]
fn a_text_that_is_refused_is_called_by_its_file() {
    let mut stage = crate::loop_is_tried();
    stage.keys(":");
    stage.types("edit tests/samples/small.c");
    stage.keys("enter");
    let last = lop::reduce::CommandOutcome {
        before: 1,
        command: stage.sent[0].to_string(),
        outcome: Err("it would not make the program smaller (+4 tokens)".into()),
    };
    stage.run.last_command = (1, Some(std::sync::Arc::new(last)));
    stage.show();
    let screen = stage.screen(140, 40);
    assert!(
        screen.contains("edit tests/samples/small.c: it would not"),
        "{screen}"
    );
}

#[test]
fn a_word_that_is_no_choice_stays_to_be_mended() {
    let mut stage = in_the_middle();
    stage.keys("u j enter");
    let screen = stage.screen(80, 24);
    for said in [
        "undo [keep|",
        "`j` is none of",
        "│ :undo j",
        "up/down choose",
    ] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    stage.keys("backspace");
    let screen = stage.screen(80, 24);
    assert!(
        !screen.contains("is none of") && screen.contains("fails"),
        "{screen}"
    );
    stage.keys("down enter");
    let ban = EngineCommand::parse_line("undo ban 1").expect("a command");
    assert!(stage.sent.contains(&ban), "{:?}", stage.sent);
    assert!(stage.app.prompt.is_none());
}

#[test]
fn a_rule_shows_where_it_would_apply_before_it_is_sent() {
    let mut stage = loop_is_tried();
    stage.keys(":");
    stage.types("rule '$s.a' '$s'");
    let screen = stage.screen(140, 40);
    assert!(screen.contains("6 places have this form"), "{screen}");
    assert!(
        screen.contains("line 10: Can `s.a` become `s`?"),
        "{screen}"
    );
    stage.types(" where");
    assert!(
        stage.screen(140, 40).contains("6 places"),
        "no condition yet"
    );
    stage.keys("ctrl-u");
    stage.types("rule 'if $c then' '$c'");
    assert!(stage.screen(140, 40).contains("c has nothing like that"));
    stage.keys("ctrl-u");
    stage.types("rule '$s.b' '$s'");
    assert!(stage.screen(140, 40).contains("no place has this form"));
    assert!(stage.sent.is_empty());
    stage.keys("enter");
    let sent: Vec<String> = stage.sent.iter().map(EngineCommand::to_string).collect();
    assert_eq!(sent, ["rule '$s.b' '$s'"]);
}

#[test]
fn a_place_that_is_typed_whole_is_meant_as_it_stands() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    for (typed, sent) in [
        // The selected node has a number with these digits.
        ("pin 1", "pin 1"),
        ("pin 12-14", "pin 12-14"),
        ("lock 3:5", "lock 3:5"),
        ("pin main", "pin main"),
        ("pin g", "pin g"),
        // No name of the program: the run says so. The list has `main`, which was not chosen.
        ("pin ma", "pin ma"),
        ("pin mn", "pin mn"),
    ] {
        stage.keys(":");
        stage.types(typed);
        stage.keys("enter");
        let sent = EngineCommand::parse_line(sent).expect("a command");
        assert_eq!(stage.sent.last(), Some(&sent), "{typed}");
    }
    for chosen in ["tab enter", "down enter"] {
        stage.keys(":");
        stage.types("lock mn");
        stage.keys(chosen);
        let sent = EngineCommand::parse_line("lock main").expect("a command");
        assert_eq!(stage.sent.last(), Some(&sent), "{chosen}");
    }
}

#[test]
fn the_names_of_the_program_are_proposed_as_places_and_a_number_says_what_it_is() {
    let mut stage = loop_is_tried();
    stage.frame(140, 40);
    stage.keys(":");
    stage.types("pin ");
    let screen = stage.screen(140, 40);
    for said in ["#", "while (s.a) --s.a;", "S", "g", "main"] {
        let has = |line: &str| line.trim_matches(['│', ' ']).starts_with(said);
        let has = screen
            .lines()
            .any(|line| has(line) || line.contains("while (s.a) --s.a;"));
        assert!(has, "{said}: {screen}");
    }
}

#[test]
fn what_the_ways_to_undo_do_is_whole_on_a_small_screen_too() {
    let mut stage = in_the_middle();
    stage.frame(80, 24);
    stage.keys("u");
    let screen = stage.screen(80, 24);
    for said in [
        "undo it, and pin what its edit removed",
        "undo it, and never test the same program again",
        "undo it, for the test is flaky: it counts as rejected",
        "undo it, and disable the pass that made it",
        "undo it, and pause the run",
    ] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    stage.keys("esc :");
    stage.types("compare-from");
    let screen = stage.screen(60, 24);
    let words: Vec<&str> = screen
        .split_whitespace()
        .filter(|word| *word != "│")
        .collect();
    let said = "(it belongs to another pane)";
    assert!(
        words.join(" ").contains(said),
        "the chosen one is whole: {screen}"
    );
}
