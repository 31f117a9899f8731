//! `lop compare pair`: several strategies on one pair, one after the other, beside the variant alone: the questions RQ1 to RQ4 of PPR
//! (Zhang and others, FSE 2023).
//!
//! Each asks for itself, without the verdicts of the others, because the tests of the seed and of the variant are counted one by one.

use std::time::Duration;

use super::pair_report::{ComparedSizes, PairComparison, PairComparisonRow};
use super::strategy_run::{StrategyRun, TestedProgram};
use crate::cli::args::ComparePairArgs;
use crate::cli::args::strategy_names::{ALONE, PairStrategyChoice};
use crate::cli::failure::{CommandFailure, USAGE, signal_status};
use crate::cli::launch::pair_spec::read_pair_test;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::messages::report_message;
use crate::pass::PassOptions;
use crate::plain::ConsoleWriter;
use crate::session::RunInput;

/// Runs all strategies and shows their results; the exit status.
pub(super) fn run_compare_pair(compare: &ComparePairArgs) -> Result<u8, CommandFailure> {
    let files = [&compare.seed, &compare.variant];
    let pair = [
        PreparedRun::read_input(files[0])?,
        PreparedRun::read_input(files[1])?,
    ];
    let (test_spec, notes) = read_pair_test(&compare.test, &pair)?;
    notes.iter().for_each(|note| report_message(note));
    let alone = test_spec.variant_part();
    let choices = match &compare.strategies[..] {
        [] => &PairStrategyChoice::usual_choices(alone.is_some()),
        chosen => chosen,
    };
    let is_alone = |choice: &PairStrategyChoice| matches!(choice, PairStrategyChoice::VariantAlone);
    if alone.is_none() && choices.iter().any(is_alone) {
        let what = format!(
            "{ALONE} reduces the variant by a test of its own, and the test of --both sees both programs; leave {ALONE} out"
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    let place = &compare.test_run;
    let variant = RunInput::Program(pair[1].clone());
    let pair = TestedProgram::new(place, RunInput::Pair(pair), &test_spec, 1)?;
    let minutes = compare.minutes;
    let longest = minutes.map(|minutes| Duration::from_secs(60 * minutes));
    let mut comparison = PairComparison {
        names: files.map(|file| file.to_string_lossy().into_owned()),
        before: ComparedSizes::measure(&pair.version),
        rows: Vec::new(),
    };
    let (all, mut stopped) = (choices.len(), None);
    for (at, choice) in choices.iter().enumerate() {
        let name = choice.name();
        report_message(&format!("{name}, {} of {all}", at + 1));
        let run = match (choice, &alone) {
            (PairStrategyChoice::Strategy(named), _) => {
                pair.run_strategy(named.options, None, longest)?
            }
            (PairStrategyChoice::VariantAlone, Some(alone)) => {
                let variant = TestedProgram::new(place, variant.clone(), alone, 1)?;
                variant.run_strategy(PassOptions::default(), None, longest)?
            }
            // It was refused above.
            (PairStrategyChoice::VariantAlone, None) => continue,
        };
        let is_complete = run.check_end(name)?;
        comparison
            .rows
            .push(describe_run(choice, &run, alone.is_none(), is_complete));
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

/// The row of a strategy. `sees_both` says that one test sees both programs.
fn describe_run(
    choice: &PairStrategyChoice,
    run: &StrategyRun,
    sees_both: bool,
    is_complete: bool,
) -> PairComparisonRow {
    let last = &run.last;
    let tests = match choice {
        PairStrategyChoice::VariantAlone => [0, last.counts.started],
        PairStrategyChoice::Strategy(_) if sees_both => [last.counts.started; 2],
        PairStrategyChoice::Strategy(_) => last.counts.tests_by_document,
    };
    PairComparisonRow {
        name: choice.name().to_owned(),
        left: ComparedSizes::measure(&last.version),
        rounds: run.rounds,
        tests,
        time: last.now.saturating_duration_since(last.started),
        is_complete,
    }
}
