//! `lop race`: several strategies side by side on one program. Each is a run of its own, and all have one runner, which tests nothing twice.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Select, never};
use signal_hook::consts::SIGINT;

use super::race_lanes::{RaceEnd, StartedRace};
use super::race_lesson::{RaceLines, RaceListener};
use super::report;
use super::strategy_run::{TestedProgram, check_end};
use super::{ComparisonRow, check_strategies};
use crate::cli::args::strategy_names::NamedStrategy;
use crate::cli::args::{RaceArgs, ScreenSettings, TestRunArgs};
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE, signal_status};
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::signals::TerminationSignals;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::report_message;
use crate::lesson::Lesson;
use crate::oracle::{ClientTally, RunnerPace};
use crate::plain::ConsoleWriter;
use crate::program::Version;
use crate::session::RunInput;
use crate::tui::race::{LaneStanding, RaceContext, RaceScreen, describe_standings};
use crate::tui::setup::ScreenSetup;
use crate::tui::{self, ExitReason, RaceSource, SignalListener, TuiError};

/// What a race starts from.
pub struct RaceStart<'a> {
    pub file: &'a Path,
    pub test: &'a Path,
    /// What the test looks for, in words; none for its path.
    pub looked_for: Option<String>,
    pub strategies: &'a [NamedStrategy],
    pub test_run: &'a TestRunArgs,
    pub front_end: FrontEnd,
    /// The settings of the screen on the command line.
    pub settings: &'a ScreenSettings,
    pub pace: RunnerPace,
    /// Whether the lanes run at once, or wait for the user.
    pub is_running: bool,
    /// The lesson that tells the race.
    pub lesson: Option<Arc<Lesson>>,
}

/// A race whose lanes wait, and what it is on.
struct PreparedRace {
    prepared: PreparedRun,
    version: Version,
    race: StartedRace,
}

/// Runs `lop race`; the exit status.
pub fn run_race(race: &RaceArgs) -> Result<u8, CommandFailure> {
    check_race(&race.strategies, &race.settings)?;
    race_on_program(RaceStart {
        file: &race.file,
        test: &race.test,
        looked_for: None,
        strategies: &race.strategies,
        test_run: &race.test_run,
        front_end: FrontEnd::from_plain_flag(race.plain),
        settings: &race.settings,
        pace: match race.real_time {
            true => RunnerPace::Free,
            false => RunnerPace::Rounds,
        },
        is_running: !race.step,
        lesson: None,
    })
}

/// Fails if there is nothing to race, or if the settings are not for a race.
pub fn check_race(
    strategies: &[NamedStrategy],
    settings: &ScreenSettings,
) -> Result<(), CommandFailure> {
    let problem = match (strategies.len(), settings.guess) {
        (0 | 1, _) => {
            "a race needs two strategies or more; name them with commas between them: perses,ddmin"
        }
        (_, true) => "a race has no guesses; leave out --guess, which is for one run",
        (_, false) => return Ok(()),
    };
    Err(CommandFailure::new(USAGE, problem))
}

/// Plays a lesson about a race without a word. Whoever hears it learns where the lanes are at the end of each step.
pub fn play_race_lesson(
    start: &RaceStart,
    lesson: &Arc<Lesson>,
    listener: &mut dyn RaceListener,
) -> Result<(), CommandFailure> {
    let PreparedRace { prepared, race, .. } = prepare_race(start)?;
    let end = race.tell_lesson(lesson, listener, &prepared.signals)?;
    match end.signal {
        Some(signal) => Err(CommandFailure::new(
            signal_status(signal),
            "the lesson was stopped before its end; export it again",
        )),
        None => Ok(()),
    }
}

/// Runs all strategies side by side, and prints the table; the exit status.
pub fn race_on_program(start: RaceStart) -> Result<u8, CommandFailure> {
    let setup = start
        .front_end
        .screen_setup(start.settings)
        .or_fail(USAGE)?;
    let PreparedRace {
        prepared,
        version,
        race,
    } = prepare_race(&start)?;
    let context = RaceContext {
        title: prepared.input.title(),
        test: start
            .looked_for
            .unwrap_or_else(|| prepared.test.to_string()),
        strategies: start
            .strategies
            .iter()
            .map(|named| named.name.clone())
            .collect(),
        pace: start.pace,
        is_running: start.is_running,
        lesson: start.lesson.clone(),
    };
    let (end, trouble) = match (start.front_end, &start.lesson) {
        (FrontEnd::Screen, _) => race.show_screen(prepared.signals, context, setup)?,
        (_, Some(lesson)) => {
            let mut lines = RaceLines::new(lesson, context.strategies);
            let end = race.tell_lesson(lesson, &mut lines, &prepared.signals)?;
            (end, None)
        }
        (_, None) => {
            race.runner.set_pace(start.pace);
            report_message(&format!("{} side by side", context.strategies.join(", ")));
            race.runner.set_open(true);
            (race.follow_lanes(&prepared.signals)?, None)
        }
    };
    print_end(&end, start.strategies, &version);
    if let Some(error) = trouble {
        return Err(CommandFailure::new(FAILED, error));
    }
    let lanes = start.strategies.iter().zip(&end.lanes);
    let complete = lanes.map(|(named, (last, _))| check_end(&named.name, last));
    let is_complete = complete.collect::<Result<Vec<_>, _>>()?;
    Ok(match end.signal {
        Some(signal) => signal_status(signal),
        // `q` on the screen ends like Ctrl-C.
        None if is_complete.contains(&false) => signal_status(SIGINT),
        None => 0,
    })
}

/// Starts the lanes. They wait for their first test.
fn prepare_race(start: &RaceStart) -> Result<PreparedRace, CommandFailure> {
    let input = RunInput::Program(PreparedRun::read_input(start.file)?);
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let jobs = start.strategies.len().min(processors);
    let test_spec = TestSpec::from_script(start.test);
    let program = TestedProgram::new(start.test_run, input, &test_spec, jobs)?;
    check_strategies(&program, start.strategies)?;
    let TestedProgram {
        prepared,
        version,
        limit,
    } = program;
    let race = StartedRace::start(&prepared, &version, limit, start.strategies, jobs)?;
    Ok(PreparedRace {
        prepared,
        version,
        race,
    })
}

impl StartedRace {
    /// Shows the lanes until the user leaves or a signal comes, and stops those that still run; the end, and what went wrong with the screen.
    fn show_screen(
        mut self,
        signals: TerminationSignals,
        context: RaceContext,
        setup: ScreenSetup,
    ) -> Result<(RaceEnd, Option<TuiError>), CommandFailure> {
        // The screen shows snapshots. Unread events would pile up.
        self.runs.iter_mut().for_each(|run| run.events = never());
        let boards: Vec<_> = self.runs.iter().map(|run| run.board.clone()).collect();
        // One listener begins before the other ends: a signal that nobody hears is lost.
        let ends = SignalListener::start_listening().or_fail(FAILED)?;
        let early = signals.received.try_recv().ok();
        drop(signals);
        let exit = match early {
            Some(signal) => Ok(ExitReason::Signal(signal)),
            None => {
                let source = RaceSource {
                    boards: &boards,
                    runner: &self.runner,
                    bell: self.bell.clone(),
                };
                tui::run_race_screen(RaceScreen::new(context, setup), &source, &ends)
            }
        };
        let _signals = TerminationSignals::listen().or_fail(FAILED)?;
        self.stop_lanes();
        let (signal, trouble) = match exit {
            Ok(ExitReason::Signal(signal)) => (Some(signal), None),
            Ok(_) => (ends.signals.try_recv().ok(), None),
            Err(error) => (None, Some(error)),
        };
        Ok((self.wait_for_lanes(signal)?, trouble))
    }

    /// Waits for the end of all lanes. A signal stops them.
    fn follow_lanes(self, signals: &TerminationSignals) -> Result<RaceEnd, CommandFailure> {
        let (mut signals, mut heard) = (signals.received.clone(), None);
        // All are read: unread events would pile up. They end with the run.
        let mut lanes: Vec<_> = self.runs.iter().map(|run| &run.events).collect();
        while !lanes.is_empty() {
            let mut select = Select::new();
            for events in &lanes {
                select.recv(events);
            }
            let signal = select.recv(&signals);
            let ready = select.select();
            match ready.index() {
                at if at == signal => {
                    heard = ready.recv(&signals).ok();
                    signals = never();
                    self.stop_lanes();
                }
                at => {
                    if ready.recv(lanes[at]).is_err() {
                        lanes.swap_remove(at);
                    }
                }
            }
        }
        self.wait_for_lanes(heard)
    }
}

/// Prints the table, and who ended smallest.
fn print_end(end: &RaceEnd, strategies: &[NamedStrategy], original: &Version) {
    let lanes = strategies.iter().zip(&end.lanes);
    let (rows, standings): (Vec<_>, Vec<_>) = lanes
        .map(|(named, (last, tally))| {
            let row = ComparisonRow::new(&named.name, last).of_lane(tally);
            let standing = LaneStanding::of_snapshot(&named.name, last);
            let is_complete = standing.is_complete;
            (ComparisonRow { is_complete, ..row }, standing)
        })
        .unzip();
    let mut out = ConsoleWriter::stdout();
    out.write_page(&report::comparison_page(&rows, original));
    let words = describe_standings(&standings);
    if !words.is_empty() {
        out.write_line(&format!("\n{words}"));
    }
}

impl ComparisonRow {
    /// The row of a strategy that ran beside others: the time it waited for its tests is replaced by the time that they take.
    fn of_lane(self, tally: &ClientTally) -> ComparisonRow {
        ComparisonRow {
            tests_run: tally.ran,
            time: self.time.saturating_sub(tally.waited) + tally.tested,
            ..self
        }
    }
}
