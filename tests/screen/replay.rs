//! The screen of a recording.

use lop::reduce::{EngineCommand, ReplayStatus, RunState, StepUnit};
use lop::session::player::{PlayPosition, PlayerCommand};
use lop::session::seek::PlayDirection;
use lop::tui::app::KeyEffect;
use lop::tui::heat::HeatMeasure;
use lop::tui::keys::KeyPress;

use crate::in_the_middle;
use crate::stage::Stage;

/// A recording of the run in the middle of which one is.
fn recording() -> Stage {
    let mut stage = in_the_middle();
    stage.run.replay = Some(ReplayStatus {
        decisions: 1204,
        reading: false,
        last: false,
        playing: true,
        backwards: false,
        speed: 10.0,
        last_message: (0, "".into()),
    });
    stage.app.view.context.replay = true;
    stage.show();
    stage
}

fn played(stage: &mut Stage) -> &mut ReplayStatus {
    stage.run.replay.as_mut().expect("a replay")
}

fn effect(stage: &mut Stage, name: &str) -> KeyEffect {
    stage
        .app
        .handle_key(KeyPress::parse_name(name).expect("a key"))
}

#[test]
fn the_header_says_where_one_is_and_how_it_is_played() {
    let mut stage = recording();
    let header = |stage: &mut Stage, width| {
        stage.show();
        let screen = stage.screen(width, 40);
        screen.lines().next().unwrap_or_default().to_owned()
    };
    let line = header(&mut stage, 140);
    assert!(
        line.contains("▶ replay 10x  3 of 1,204 decisions  version 1"),
        "{line}"
    );
    assert!(
        !line.contains("worker") && !line.contains("tests/s"),
        "{line}"
    );
    played(&mut stage).backwards = true;
    assert!(header(&mut stage, 140).contains("◀ replay 10x"));
    played(&mut stage).playing = false;
    played(&mut stage).reading = true;
    stage.run.state = RunState::Paused(None);
    let line = header(&mut stage, 140);
    assert!(
        line.contains("▮▮ replay 10x  3 of 1,204 decisions, reading"),
        "{line}"
    );
    let small = stage.screen(40, 12);
    assert!(small.contains("▮▮ 3/1,204"), "{small}");
    let screen = stage.screen(140, 40);
    for hint in ["space play", "b step back", "B forwards", "q leave"] {
        assert!(screen.contains(hint), "{hint}: {screen}");
    }
    assert!(!screen.contains("waiting for the test"), "{screen}");
}

#[test]
fn keys_are_moves_in_the_recording() {
    let mut stage = recording();
    let step = |way, stride| KeyEffect::Play(PlayerCommand::Step(way, stride));
    for (key, wanted) in [
        ("space", KeyEffect::Play(PlayerCommand::Play(false))),
        (".", step(PlayDirection::Forwards, StepUnit::Question)),
        ("b", step(PlayDirection::Backwards, StepUnit::Question)),
        (",", step(PlayDirection::Forwards, StepUnit::Commit)),
        ("u", step(PlayDirection::Backwards, StepUnit::Commit)),
        ("B", KeyEffect::Play(PlayerCommand::Reverse)),
        ("}", KeyEffect::Play(PlayerCommand::Faster)),
        ("{", KeyEffect::Play(PlayerCommand::Slower)),
        ("=", KeyEffect::Play(PlayerCommand::Speed(1.0))),
        (
            "0",
            KeyEffect::Play(PlayerCommand::JumpTo(PlayPosition::Start)),
        ),
        (
            "$",
            KeyEffect::Play(PlayerCommand::JumpTo(PlayPosition::End)),
        ),
    ] {
        assert_eq!(effect(&mut stage, key), wanted, "{key}");
    }
    let mut typed = |line: &str| stage.app.run_line(line);
    let goes = |spot| KeyEffect::Play(PlayerCommand::JumpTo(spot));
    assert_eq!(typed("at 1200"), goes(PlayPosition::Decision(1200)));
    assert_eq!(typed("at v12"), goes(PlayPosition::Version(12)));
    assert_eq!(typed("at 50%"), goes(PlayPosition::Percent(50)));
    assert_eq!(typed("goto 3"), goes(PlayPosition::Version(3)));
    assert_eq!(
        typed("speed 0.5"),
        KeyEffect::Play(PlayerCommand::Speed(0.5))
    );
    let EngineCommand::Until(halt) =
        EngineCommand::parse_line("until gone main").expect("a command")
    else {
        panic!("another command");
    };
    let seek = |way| KeyEffect::Play(PlayerCommand::Seek(way, halt.clone()));
    assert_eq!(typed("seek gone main"), seek(PlayDirection::Forwards));
    assert_eq!(typed("until gone main"), seek(PlayDirection::Forwards));
    assert_eq!(typed("seek-back gone main"), seek(PlayDirection::Backwards));
}

#[test]
fn what_makes_no_sense_says_so() {
    let mut stage = recording();
    for (line, said) in [
        ("pin 3", "pin: this is a replay"),
        ("jobs 2", "jobs: this is a replay"),
        ("break timeout", "`seek` and `seek-back` look for it"),
        ("at nowhere", "`nowhere` is not a position"),
        ("at 101%", "`101%` is not a position"),
        ("speed 0", "`0` is not a speed"),
        ("seek moon", "`moon` is nothing to stop at"),
    ] {
        assert_eq!(stage.app.run_line(line), KeyEffect::Redraw, "{line}");
        let told = stage.app.status_message.clone().unwrap_or_default();
        assert!(told.contains(said), "{line}: {told}");
    }
    assert_eq!(effect(&mut stage, "p"), KeyEffect::Redraw);
    assert!(
        stage
            .app
            .status_message
            .as_ref()
            .is_some_and(|said| said.contains("a replay"))
    );
    stage.keys("?");
    let help = stage.screen(140, 110);
    for said in [
        "forward by one decision",
        "back by one decision",
        "to the previous version",
        "play or pause the recording",
    ] {
        assert!(help.contains(said), "{said}: {help}");
    }
    for of_a_run in [
        "choose what becomes of its edit",
        "test exactly one candidate",
        "(this is a replay)",
    ] {
        assert!(!help.contains(of_a_run), "{of_a_run}: {help}");
    }
    assert!(help.contains("grey: this is a replay"), "{help}");
}

#[test]
fn a_run_knows_nothing_of_replays() {
    let mut stage = in_the_middle();
    stage.keys("?");
    assert!(!stage.screen(140, 90).contains("back by one decision"));
    stage.keys("?");
    assert_eq!(effect(&mut stage, "b"), KeyEffect::Nothing);
}

#[test]
fn heat_is_counted_anew_when_a_recording_goes_back() {
    let mut stage = recording();
    stage.app.panes.tree.heat.measure = HeatMeasure::Tests;
    let hot = |stage: &Stage| {
        let root = &stage.run.version.documents()[0].root;
        let nodes = lop::program::walk::preorder(root);
        nodes
            .filter(|node| stage.app.panes.tree.heat.heat_level(node.id).is_some())
            .count()
    };
    let all = hot(&stage);
    assert!(all > 0);
    let later = stage.run.log.clone();
    stage.run.log = Default::default();
    stage.show();
    assert_eq!(hot(&stage), 0, "what has not happened is not hot");
    stage.run.log = later;
    stage.show();
    assert_eq!(hot(&stage), all);
}

#[test]
fn on_a_narrow_screen_a_step_back_goes_before_the_version_before() {
    let mut stage = recording();
    let screen = stage.screen(80, 24);
    let line = screen.lines().last().unwrap_or_default();
    for hint in ["space pause", ". step", "b step back", "tab pane"] {
        assert!(line.contains(hint), "{hint}: {line}");
    }
    assert!(!line.contains("version before"), "{line}");
}
