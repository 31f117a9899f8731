//! `lop compare pair`: several strategies on one pair, one after the other, beside the variant alone: the questions RQ1 to RQ4 of PPR
//! (Zhang and others, FSE 2023).
//!
//! Each asks for itself, without the verdicts of the others, because the tests of the seed and of the variant are counted one by one.

use std::time::Duration;

use super::pair_report::{ComparedSizes, PairComparison, PairComparisonRow};
use super::strategy_run::{StrategyRun, TestedProgram};
use crate::cli::args::ComparePairArgs;
use crate::cli::args::strategy_names::{ALONE, PairStrategyChoice};
use crate::cli::failure::{CommandFailure, signal_status};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::report_message;
use crate::pass::PassOptions;
use crate::plain::ConsoleWriter;
use crate::session::RunInput;

/// Runs all strategies and shows their results; the exit status.
pub(super) fn run_compare_pair(compare: &ComparePairArgs) -> Result<u8, CommandFailure> {
    let files = [&compare.seed, &compare.variant];
    let pair = RunInput::Pair([
        PreparedRun::read_input(files[0])?,
        PreparedRun::read_input(files[1])?,
    ]);
    let scripts = [compare.seed_test.clone(), compare.variant_test.clone()];
    let place = &compare.test_run;
    let pair = TestedProgram::new(place, pair, &TestSpec::PairScripts(scripts, Vec::new()))?;
    let minutes = compare.minutes;
    let longest = minutes.map(|minutes| Duration::from_secs(60 * minutes));
    let mut comparison = PairComparison {
        names: files.map(|file| file.to_string_lossy().into_owned()),
        before: ComparedSizes::measure(&pair.version),
        rows: Vec::new(),
    };
    let (all, mut stopped) = (compare.strategies.len(), None);
    for (at, choice) in compare.strategies.iter().enumerate() {
        let name = choice.name();
        report_message(&format!("{name}, {} of {all}", at + 1));
        let run = match choice {
            PairStrategyChoice::Strategy(named) => {
                pair.run_strategy(named.options, None, longest)?
            }
            PairStrategyChoice::VariantAlone => {
                let variant = RunInput::Program(PreparedRun::read_input(&compare.variant)?);
                let test_spec = TestSpec::from_script(&compare.variant_test);
                let variant = TestedProgram::new(place, variant, &test_spec)?;
                variant.run_strategy(PassOptions::default(), None, longest)?
            }
        };
        let is_complete = run.check_end(name)?;
        comparison.rows.push(describe_run(name, &run, is_complete));
        stopped = run.signal;
        if stopped.is_some() {
            break;
        }
    }
    let mut out = ConsoleWriter::stdout();
    match (compare.json, compare.markdown) {
        (true, _) => comparison
            .to_json()
            .iter()
            .for_each(|row| out.write_json(&row.to_string())),
        (false, true) => out.write_page(&comparison.to_markdown()),
        (false, false) => out.write_page(&comparison.to_page()),
    }
    Ok(stopped.map_or(0, signal_status))
}

fn describe_run(name: &str, run: &StrategyRun, is_complete: bool) -> PairComparisonRow {
    let last = &run.last;
    let left = ComparedSizes::measure(&last.version);
    let tests = match name {
        ALONE => [0, last.counts.started],
        _ => last.counts.tests_by_document,
    };
    PairComparisonRow {
        name: name.to_owned(),
        left,
        rounds: run.rounds,
        tests,
        time: last.now.saturating_duration_since(last.started),
        is_complete,
    }
}
