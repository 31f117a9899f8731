//! A run that stays at its end, and goes on from there.

use super::*;

impl Desk {
    /// A run that stays at its end. There it gets these commands, the next whenever it has come to an end again.
    fn go_on_from_the_end(&self, commands: &[&str]) -> Went {
        self.go_on_with_script("", commands)
    }

    /// The same with a script.
    fn go_on_with_script(&self, script: &str, commands: &[&str]) -> Went {
        let (setup, tested) = self.tester(self.begin());
        let run = reduce::start_run(RunSetup {
            stays_at_end: true,
            script: reduce::parse_script(script).expect("a script"),
            ..setup
        });
        let run = run.expect("a run");
        let mut commands = commands.iter();
        let mut events = Vec::new();
        for event in run.events.iter() {
            let is_refused = refusal(&event).is_some_and(|why| why.starts_with(NOTHING_RUNS));
            if is_refused || matches!(event, RunEvent::Finished(_)) {
                let next = commands.next().unwrap_or(&"stop");
                let next = EngineCommand::parse_line(next).expect("a command");
                // The engine is gone after a stop.
                let _ = run.commands.send(next);
            }
            events.push(event);
        }
        let last = run.wait_for_end().expect("a snapshot");
        Went {
            text: text(&last.version),
            tested: tested(),
            last,
            events,
        }
    }
}

/// How a command that has no meaning at the end is refused.
const NOTHING_RUNS: &str = "nothing is left to try";

/// What the user may command at the end.
const FROM_THE_END: [&[&str]; 4] = [
    &["undo ban"],
    &["goto 0"],
    &["strategy perses+ddmin"],
    &[
        "edit! \"int sum, handler, walk, kept, more;\\n\"",
        "strategy lop",
        "effort hard",
    ],
];

/// Why a command was refused, if this event says so.
fn refusal(event: &RunEvent) -> Option<&str> {
    match event {
        RunEvent::CommandApplied {
            outcome: Err(why), ..
        } => Some(why),
        _ => None,
    }
}

#[test]
fn a_run_that_has_come_to_its_end_goes_on_from_there_and_comes_to_one_again() {
    let perses = PassOptions::from_strategy(pass::find_strategy("perses").expect("known"));
    let once = Desk::with_options(perses).fresh("", None);
    for commands in FROM_THE_END {
        let desk = Desk::with_options(perses);
        let went = desk.go_on_from_the_end(commands);
        assert_eq!(
            went.last.state,
            RunState::Finished(FinishReason::Complete),
            "{commands:?}"
        );
        let ends = |event: &&RunEvent| matches!(event, RunEvent::Finished(_));
        assert_eq!(
            went.events.iter().filter(ends).count(),
            commands.len() + 1,
            "{commands:?}"
        );
        assert!(went.last.counts.decisions >= once.last.counts.decisions);
        let story = desk.story();
        assert_eq!(story.end.as_deref(), Some("complete"), "{commands:?}");
        let check = JournalRecording::read_from(&desk.journal()).expect("a journal");
        assert!(check.exactly);
    }
}

#[test]
#[ignore = "long"]
fn a_run_that_went_on_from_its_end_is_resumed_to_the_same_end() {
    for commands in FROM_THE_END {
        let perses = PassOptions::from_strategy(pass::find_strategy("perses").expect("known"));
        let desk = Desk::with_options(perses);
        let whole = desk.go_on_from_the_end(commands);
        let journal = fs::read_to_string(desk.journal()).expect("a journal");
        let lines: Vec<&str> = journal.split_inclusive('\n').collect();
        let last = lines
            .iter()
            .rposition(|line| line.starts_with("{\"command\""));
        let last = last.expect("a command after the end");
        for cut in (last + 1..lines.len()).step_by(5) {
            // It was killed there.
            fs::write(desk.journal(), lines[..cut].concat()).expect("a file");
            assert_ne!(desk.story().end.as_deref(), Some("complete"));
            let rest = desk.resume("", None);
            let rest = (
                rest.text,
                rest.last.counts.decisions,
                rest.last.state.clone(),
            );
            let whole = &whole;
            let whole = (
                whole.text.clone(),
                whole.last.counts.decisions,
                whole.last.state.clone(),
            );
            assert_eq!(rest, whole, "{commands:?} {cut}");
        }
    }
}

#[test]
fn what_has_no_meaning_at_the_end_is_refused_and_leaves_the_run_there() {
    for command in ["pause", "resume", "step", "skip pass", "until size 3"] {
        let went = Desk::new().go_on_from_the_end(&[command]);
        let refused: Vec<_> = went.events.iter().filter_map(refusal).collect();
        assert!(refused.len() == 1 && refused[0].starts_with(NOTHING_RUNS));
        assert_eq!(went.last.state, RunState::Finished(FinishReason::Complete));
    }
    // What changes nothing that is asked leaves it there too.
    for (command, refused) in [
        ("jobs 2", None),
        ("strategy bp", Some("bp is for a language")),
    ] {
        let desk = Desk::new();
        let went = desk.go_on_from_the_end(&[command]);
        let why = went.events.iter().find_map(refusal);
        assert_eq!(why.is_some(), refused.is_some(), "{command}: {why:?}");
        assert!(
            why.unwrap_or_default()
                .starts_with(refused.unwrap_or_default())
        );
        assert_eq!(desk.story().end.as_deref(), Some("complete"), "{command}");
    }
}

#[test]
fn what_the_user_has_switched_off_stays_off_under_another_strategy() {
    let went = Desk::new().go_on_from_the_end(&["disable bodies", "strategy lop"]);
    assert_eq!(&went.last.switched_off[..], ["bodies"]);
}

#[test]
fn an_undo_of_a_pass_that_the_strategy_does_not_have_changes_nothing() {
    let desk = Desk::new();
    let went = desk.go_on_from_the_end(&["strategy ddmin", "undo disable 1", "redo"]);
    let refused: Vec<_> = went.events.iter().filter_map(refusal).collect();
    assert!(refused[0].starts_with("there is no pass"), "{refused:?}");
    assert_eq!(refused[1], "nothing was undone since the last new version");
    let moved = |event: &RunEvent| matches!(event, RunEvent::VersionSwitched { .. });
    assert!(!went.events.iter().any(moved));
}

#[test]
fn a_command_whose_moment_has_not_come_at_the_end_has_it_where_the_run_goes_on() {
    let once = Desk::new().fresh("", None);
    let later = format!(
        "at decision {}: disable bodies",
        once.last.counts.decisions + 2
    );
    let desk = Desk::new();
    let went = desk.go_on_with_script(&later, &["undo ban"]);
    assert_eq!(&went.last.switched_off[..], ["bodies"]);
}

#[test]
fn what_was_proven_of_a_result_stays_proven_under_another_strategy() {
    let lop = PassOptions::from_strategy(pass::find_strategy("lop").expect("known"));
    let minimal = |commands: &[&str]| {
        let went = Desk::with_options(lop).go_on_from_the_end(commands);
        let claim = went.last.claim.clone();
        claim.expect("it has ended").minimal
    };
    assert!(minimal(&[]));
    assert!(
        minimal(&["strategy ddmin"]),
        "the same tokens, the same test"
    );
    // A resumed session says the same.
    let desk = Desk::with_options(lop);
    desk.go_on_from_the_end(&["strategy ddmin"]);
    let again = desk.resume("", None);
    assert!(again.last.claim.clone().expect("it has ended").minimal);
    // Nothing is proven of another version by that.
    assert!(!minimal(&["strategy ddmin", "goto 0"]));
}
