//! `lop compare` and `lop race`: several strategies on one input, one after the other with one store of verdicts, or side by side with one runner.

mod chart;
mod pair;
mod pair_report;
mod race;
mod race_lanes;
mod race_lesson;
mod report;
mod strategy_run;
mod table;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use self::strategy_run::TestedProgram;
use crate::cli::args::strategy_names::NamedStrategy;
use crate::cli::args::{CompareArgs, CompareProgramArgs, CompareSubcommand, ScreenSettings};
use crate::cli::failure::{CommandFailure, USAGE, signal_status};
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::report_message;
use crate::oracle::RunnerPace;
use crate::plain::ConsoleWriter;
use crate::reduce::{CurvePoint, MemoryStore, RunSnapshot};
use crate::session::RunInput;

pub use race::{RaceStart, check_race, play_race_lesson, race_on_program, run_race};
pub use race_lesson::RaceListener;

/// The result of a strategy.
struct ComparisonRow {
    name: String,
    tokens: u32,
    bytes: u32,
    /// Tests as if the strategy were alone, and those that really ran.
    tests: u64,
    tests_run: u64,
    rejected: u64,
    time: Duration,
    /// Whether nothing is left to try; else it was stopped.
    is_complete: bool,
    /// Sizes after each accepted candidate; the original is first, the end last.
    curve: Vec<CurvePoint>,
}

impl ComparisonRow {
    fn new(name: &str, last: &RunSnapshot) -> ComparisonRow {
        let elapsed = last.now.saturating_duration_since(last.started);
        let time = elapsed + last.time_saved;
        let end = CurvePoint {
            tests: last.counts.tests,
            time,
            size: last.version.size(),
        };
        ComparisonRow {
            name: name.to_owned(),
            tokens: last.version.token_count(),
            bytes: last.version.byte_count(),
            tests: last.counts.tests,
            tests_run: last.counts.tests - last.counts.from_store,
            rejected: last.counts.rejected,
            time,
            is_complete: true,
            curve: last.curve.iter().copied().chain([end]).collect(),
        }
    }
}

/// Compares strategies on a program or on a pair; the exit status.
pub fn run_compare(compare: &CompareArgs) -> Result<u8, CommandFailure> {
    let program = &compare.program;
    match (&compare.subject, &program.file, &program.test) {
        (Some(CompareSubcommand::Pair(pair)), ..) => pair::run_compare_pair(pair),
        (None, Some(file), Some(test)) => compare_on_program(program, file, test),
        // The command line has both.
        _ => Err(CommandFailure::new(
            USAGE,
            "lop compare needs a file and a test, or a pair",
        )),
    }
}

/// Runs all strategies and shows their results; the exit status.
fn compare_on_program(
    compare: &CompareProgramArgs,
    file: &Path,
    test: &Path,
) -> Result<u8, CommandFailure> {
    if compare.screen && FrontEnd::from_plain_flag(false) == FrontEnd::Screen {
        return race_on_program(RaceStart {
            file,
            test,
            looked_for: None,
            strategies: &compare.strategies,
            test_run: &compare.test_run,
            front_end: FrontEnd::Screen,
            settings: &ScreenSettings::default(),
            pace: RunnerPace::Free,
            is_running: true,
            lesson: None,
        });
    }
    let input = RunInput::Program(PreparedRun::read_input(file)?);
    let program = TestedProgram::new(&compare.test_run, input, &TestSpec::from_script(test), 1)?;
    check_strategies(&program, &compare.strategies)?;
    let store: Arc<MemoryStore> = Arc::default();
    let (mut rows, mut stopped) = (Vec::new(), None);
    for (at, named) in compare.strategies.iter().enumerate() {
        report_message(&format!(
            "{}, {} of {}",
            named.name,
            at + 1,
            compare.strategies.len()
        ));
        let run = program.run_strategy(named.options, Some(store.clone()), None)?;
        match run.check_end(&named.name)? {
            true => rows.push(ComparisonRow::new(&named.name, &run.last)),
            false => report_message(&format!("stopped in {}, which is left out", named.name)),
        }
        stopped = run.signal;
        if stopped.is_some() {
            break;
        }
    }
    let page = match compare.csv {
        true => report::curves_csv(&rows),
        false => report::comparison_page(&rows, &program.version),
    };
    if !rows.is_empty() {
        ConsoleWriter::stdout().write_page(&page);
    }
    Ok(stopped.map_or(0, signal_status))
}

/// Fails if a strategy is not for the language of the program.
fn check_strategies(
    program: &TestedProgram,
    strategies: &[NamedStrategy],
) -> Result<(), CommandFailure> {
    let language = program.version.documents()[0].language;
    let mut strategies = strategies.iter();
    strategies
        .try_for_each(|named| language_choice::check_strategy(named.options.strategy, language))
}
