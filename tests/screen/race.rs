//! A race: strategies side by side, on real engines with a scripted runner.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use lop::config::{ColourDepth, GlyphSet};
use lop::oracle::{ClientState, LimitPolicy, MultiRunner, RunnerPace, ScriptedRunner, Verdict};
use lop::pass::{self, PassOptions};
use lop::reduce::{RunHandle, RunSetup, RunSnapshot, RunState, start_run};
use lop::tui::keys::KeyPress;
use lop::tui::palette::TerminalPalette;
use lop::tui::race::{RaceContext, RaceDrive, RaceEffect, RaceScreen};
use lop::tui::setup::ScreenSetup;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::stage::{PROGRAM, read, text};

/// A race on the program of most stories. The test wants one statement and the main function.
struct RaceStage {
    screen: RaceScreen,
    runs: Vec<RunHandle>,
    runner: MultiRunner,
    bell: Receiver<()>,
    rounds: u64,
}

fn race_of(strategies: &[&'static str], palette: TerminalPalette) -> RaceStage {
    let (ring, bell) = bounded(1);
    let scripted = ScriptedRunner::new(|files| {
        let text = String::from_utf8_lossy(&files[0].1);
        match text.contains("s.a = g(2)") && text.contains("main") {
            true => Verdict::Interesting.into(),
            false => Verdict::Uninteresting.into(),
        }
    });
    let started = MultiRunner::start(scripted, strategies.len(), ring.clone());
    let (runner, clients) = started.expect("a thread");
    let version = read("bug.c", PROGRAM);
    let runs = strategies.iter().zip(clients).map(|(name, client)| {
        let strategy = pass::find_strategy(name).expect("a strategy");
        let setup = RunSetup::new(version.clone(), client, LimitPolicy::adaptive());
        let run = start_run(RunSetup {
            options: PassOptions::from_strategy(strategy),
            ..setup
        });
        let run = run.expect("a thread");
        run.board.add_subscriber(ring.clone());
        run
    });
    let context = RaceContext {
        title: "bug.c".into(),
        test: "./test.sh".into(),
        strategies: strategies.iter().map(|name| (*name).to_owned()).collect(),
        pace: RunnerPace::Rounds,
        is_running: false,
        lesson: None,
    };
    let mut stage = RaceStage {
        runs: runs.collect(),
        screen: RaceScreen::new(context, ScreenSetup::with_defaults(palette)),
        runner,
        bell,
        rounds: 0,
    };
    stage.settle();
    stage
}

impl RaceStage {
    /// Waits until each lane has been told the answers of all rounds and shows its next question, or has ended.
    fn settle(&mut self) {
        loop {
            let states = self.runner.client_states();
            let mut lanes = self.runs.iter().zip(&states);
            let is_settled = lanes.all(|(run, state)| {
                let newest = run.board.newest_snapshot();
                newest.is_some_and(|newest| stands(&newest, *state, self.rounds))
            });
            if is_settled {
                self.screen.apply_client_states(&states);
                for (lane, run) in self.runs.iter().enumerate() {
                    self.screen
                        .apply_snapshot(lane, run.board.newest_snapshot());
                }
                return;
            }
            self.bell.recv().expect("the race lives");
        }
    }

    fn key(&mut self, name: &str) -> RaceEffect {
        self.screen
            .handle_key(KeyPress::parse_name(name).expect("a key"))
    }

    /// One test in each lane, by its key.
    fn step(&mut self) {
        assert_eq!(self.key("."), RaceEffect::Step);
        self.rounds += 1;
        self.runner.permit_round();
        self.settle();
    }

    fn frame(&mut self, width: u16, height: u16) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        self.screen.draw_frame(&mut buffer, Instant::now());
        buffer
    }

    fn text(&mut self, width: u16, height: u16) -> String {
        text(&self.frame(width, height))
    }
}

/// Whether a lane waits for the round after so many, and its snapshot says so.
fn stands(newest: &RunSnapshot, state: ClientState, rounds: u64) -> bool {
    let asked = newest.current_test.as_ref();
    match state {
        ClientState::Gone => matches!(newest.state, RunState::Finished(_)),
        ClientState::Held => {
            newest.counts.tests == rounds
                && asked.is_some_and(|asked| asked.decision == newest.counts.decisions + 1)
        }
        ClientState::Idle | ClientState::Testing(_) => false,
    }
}

const STRATEGIES: [&str; 3] = ["perses", "lines", "lop"];

#[test]
fn a_race_begins_with_the_first_question_of_each_lane_and_a_step_is_one_test_in_each() {
    let mut stage = race_of(&STRATEGIES, TerminalPalette::FULL);
    let begin = stage.text(120, 40);
    assert!(begin.contains("by tests, 10/s   ▮▮ PAUSED"), "{begin}");
    assert!(begin.contains("Can all 14 lines go?"), "{begin}");
    assert_eq!(begin.matches("│ 0 tests").count(), 3, "{begin}");
    for _ in 0..12 {
        stage.step();
    }
    let after = stage.text(120, 40);
    assert_eq!(after.matches("│ 12 tests").count(), 3, "{after}");
    insta::assert_snapshot!("race_120x40", after);
    insta::assert_snapshot!("race_80x24", stage.text(80, 24));
    insta::assert_snapshot!("race_200x60", stage.text(200, 60));
}

#[test]
fn lanes_share_the_tests_that_they_have_in_common() {
    let mut stage = race_of(&["perses", "perses", "lop"], TerminalPalette::FULL);
    for _ in 0..5 {
        stage.step();
    }
    let ran = stage.runner.client_tallies();
    let ran: Vec<u64> = ran.iter().map(|tally| tally.ran).collect();
    assert_eq!(ran[..2], [5, 0], "the second asks what the first asks");
    let screen = stage.text(120, 40);
    assert_eq!(screen.matches("│ 5 tests").count(), 3, "{screen}");
}

#[test]
fn the_end_says_who_is_smallest_and_each_lane_keeps_its_result() {
    let mut stage = race_of(&STRATEGIES, TerminalPalette::FULL);
    while !stage.screen.is_over() {
        stage.step();
    }
    let screen = stage.text(120, 40);
    assert!(screen.contains("✓ all done"), "{screen}");
    assert_eq!(screen.matches("✓ done").count(), 3, "{screen}");
    assert!(screen.contains(" ended smallest"), "{screen}");
    assert!(
        !screen.contains("space"),
        "nothing is left to pause: {screen}"
    );
}

#[test]
fn a_lane_is_chosen_and_shown_large() {
    let mut stage = race_of(&STRATEGIES, TerminalPalette::FULL);
    for (keys, chosen) in [
        ("tab", "◆ 2 ▲ lines"),
        ("tab", "◆ 3 ■ lop"),
        ("1", "◆ 1 ● perses"),
    ] {
        assert_eq!(stage.key(keys), RaceEffect::Redraw);
        let screen = stage.text(120, 40);
        assert!(screen.contains(chosen), "{keys}: {screen}");
    }
    assert_eq!(stage.key("7"), RaceEffect::Nothing, "there is no such lane");
    stage.key("enter");
    let screen = stage.text(120, 40);
    assert!(screen.contains("while (s.a) --s.a;"), "{screen}");
    assert!(!screen.contains("2 ▲ lines"), "{screen}");
    assert!(screen.contains("z back"), "{screen}");
    stage.key("esc");
    assert!(stage.text(120, 40).contains("2 ▲ lines"));
}

#[test]
fn the_pace_and_the_pause_have_keys() {
    let mut stage = race_of(&STRATEGIES, TerminalPalette::FULL);
    assert_eq!(stage.screen.drive(), RaceDrive::Wait);
    assert_eq!(stage.key("space"), RaceEffect::Steer);
    assert!(stage.text(120, 40).contains("● by tests, 10/s"));
    let tick = |rounds| RaceDrive::Tick(Duration::from_secs(1) / rounds);
    assert_eq!(stage.screen.drive(), tick(10));
    for (key, drive) in [
        ("-", tick(5)),
        ("+", tick(10)),
        ("+", tick(30)),
        ("+", RaceDrive::Go(RunnerPace::Rounds)),
        ("+", RaceDrive::Go(RunnerPace::Rounds)),
        ("t", RaceDrive::Go(RunnerPace::Free)),
    ] {
        assert_eq!(stage.key(key), RaceEffect::Steer);
        assert_eq!(stage.screen.drive(), drive, "{key}");
    }
    let narrow = stage.text(80, 24);
    assert!(narrow.contains("space pause"), "{narrow}");
    assert!(narrow.contains("q quit"), "who runs can leave: {narrow}");
    assert!(stage.text(120, 40).contains("● in real time"));
    assert_eq!(stage.key("."), RaceEffect::Steer, "it pauses");
    assert_eq!(stage.screen.drive(), RaceDrive::Wait);
    assert!(stage.text(120, 40).contains("in real time   ▮▮ PAUSED"));
    assert_eq!(stage.key("?"), RaceEffect::Redraw);
    assert!(stage.text(120, 40).contains("one test in each lane"));
    assert_eq!(stage.key("space"), RaceEffect::Redraw, "it closes the help");
    assert!(!stage.text(120, 40).contains("any key closes"));
    assert_eq!(stage.key("q"), RaceEffect::Quit);
}

#[test]
fn curves_are_told_apart_by_colours_and_without_them() {
    let plain = TerminalPalette::FULL.with_config(ColourDepth::None, GlyphSet::Ascii);
    let mut stage = race_of(&STRATEGIES, plain);
    for _ in 0..12 {
        stage.step();
    }
    let screen = stage.text(80, 24);
    assert!(screen.is_ascii(), "{screen}");
    insta::assert_snapshot!("race_ascii", screen);
    let sixteen = TerminalPalette::FULL.with_config(ColourDepth::Ansi16, GlyphSet::Auto);
    let mut stage = race_of(&STRATEGIES, sixteen);
    let frame = stage.frame(80, 24);
    let colours = ["● perses", "▲ lines", "■ lop"].map(|name| crate::cells(&frame, name)[0].fg);
    for (at, colour) in colours.iter().enumerate() {
        assert!(!colours[..at].contains(colour), "{colours:?}");
    }
}

#[test]
fn the_axis_of_tests_can_be_logarithmic() {
    let mut stage = race_of(&STRATEGIES, TerminalPalette::FULL);
    while !stage.screen.is_over() {
        stage.step();
    }
    stage.key("o");
    let screen = stage.text(120, 40);
    assert!(
        screen.contains("Tokens left over tests, both axes log scale"),
        "{screen}"
    );
    let axis = screen.lines().rev().nth(2).unwrap_or_default();
    let ticks: Vec<&str> = axis.split_whitespace().collect();
    assert_eq!(ticks[1..5], ["0", "1", "10", "100"], "{screen}");
    insta::assert_snapshot!("race_over", screen);
}

#[test]
fn a_race_fits_any_terminal() {
    let mut stage = race_of(&STRATEGIES, TerminalPalette::FULL);
    stage.step();
    for width in (0..130).step_by(7) {
        for height in 0..30 {
            for key in ["enter", "?", "space"] {
                stage.key(key);
                stage.frame(width, height);
            }
        }
    }
}

#[test]
fn on_a_small_screen_each_lane_has_its_figures_and_the_help_is_whole() {
    let mut stage = race_of(&STRATEGIES, TerminalPalette::FULL);
    stage.step();
    let screen = stage.text(59, 14);
    let lanes: Vec<&str> = screen.lines().filter(|line| line.contains('▸')).collect();
    assert_eq!(lanes.len(), 3, "{screen}");
    let screen = stage.text(20, 5);
    for name in STRATEGIES {
        let lane = screen.lines().skip(1).find(|line| line.contains(name));
        let lane = lane.unwrap_or_else(|| panic!("{name}: {screen}"));
        assert!(
            lane.contains(|c: char| c.is_ascii_digit() && c != '1'),
            "{lane}"
        );
    }
    stage.key("?");
    let help = stage.text(80, 24);
    assert!(
        !help.contains('…') || help.matches('…').count() == 1,
        "{help}"
    );
    let words: Vec<&str> = help
        .split_whitespace()
        .filter(|word| *word != "│")
        .collect();
    assert!(
        words
            .join(" ")
            .contains("or in real time: each as fast as it can"),
        "{help}"
    );
}
