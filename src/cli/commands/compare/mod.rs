//! `lop compare`: several strategies on one input, with one store of verdicts.

mod chart;
mod report;

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{never, select};

use crate::cli::args::CompareArgs;
use crate::cli::args::strategy_names::NamedStrategy;
use crate::cli::failure::{CommandFailure, FAILED, OrFail, signal_status};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::{language_choice, reading};
use crate::cli::messages::report_message;
use crate::oracle::LimitPolicy;
use crate::plain::ConsoleWriter;
use crate::program::Version;
use crate::reduce::{
    self, CurvePoint, EngineCommand, FinishReason, MemoryStore, RunSetup, RunSnapshot, RunState,
    VerdictStore,
};

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
            curve: last.curve.iter().copied().chain([end]).collect(),
        }
    }
}

/// Runs all strategies and shows their results; the exit status.
pub fn run_compare(compare: &CompareArgs) -> Result<u8, CommandFailure> {
    let place = &compare.test_run;
    let scratch = place.scratch.as_deref();
    let mut prepared =
        PreparedRun::new(&compare.file, &compare.test, scratch, &place.isolation, 1)?;
    let language = language_choice::choose_language(&compare.file, None, place.grammar.as_deref())?;
    let version = reading::read_version(&prepared.input, &[language])?;
    let mut limit = compare
        .test_run
        .timeout
        .unwrap_or_else(LimitPolicy::adaptive);
    let first = prepared.test_original(limit.current_limits(), None)?;
    prepared.report_notes();
    limit.on_interesting(first.time, first.cpu);
    let store: Arc<dyn VerdictStore> = Arc::new(MemoryStore::default());
    let (mut rows, mut stopped) = (Vec::new(), None);
    for (at, named) in compare.strategies.iter().enumerate() {
        report_message(&format!(
            "{}, {} of {}",
            named.name,
            at + 1,
            compare.strategies.len()
        ));
        let (last, signal) = run_strategy(&prepared, &version, limit, named, store.clone())?;
        match &last.state {
            RunState::Finished(FinishReason::Failed(reason)) => {
                return Err(CommandFailure::new(
                    FAILED,
                    format!("{}: {reason}", named.name),
                ));
            }
            RunState::Finished(FinishReason::Complete) => {
                rows.push(ComparisonRow::new(&named.name, &last))
            }
            _ => report_message(&format!("stopped in {}, which is left out", named.name)),
        }
        stopped = signal;
        if stopped.is_some() {
            break;
        }
    }
    let page = match compare.csv {
        true => report::curves_csv(&rows),
        false => report::comparison_page(&rows, &version),
    };
    if !rows.is_empty() {
        ConsoleWriter::stdout().write_page(&page);
    }
    Ok(stopped.map_or(0, signal_status))
}

/// Runs one strategy to its end or until a signal comes; its last snapshot, and the signal.
fn run_strategy(
    prepared: &PreparedRun,
    version: &Version,
    limit: LimitPolicy,
    named: &NamedStrategy,
    store: Arc<dyn VerdictStore>,
) -> Result<(Arc<RunSnapshot>, Option<i32>), CommandFailure> {
    let runner = prepared.start_runner(1).or_fail(FAILED)?;
    let run = reduce::start_run(RunSetup {
        options: named.options,
        store: Some(store),
        ..RunSetup::new(version.clone(), runner, limit)
    })
    .or_fail(FAILED)?;
    let (mut signals, mut heard) = (prepared.signals.received.clone(), None);
    loop {
        select! {
            // The events end with the run. The last snapshot has all that they report.
            recv(run.events) -> event => if event.is_err() { break },
            recv(signals) -> signal => match signal {
                Ok(signal) => {
                    heard = Some(signal);
                    // The run may have ended meanwhile.
                    let _ = run.commands.send(EngineCommand::Stop);
                }
                Err(_) => signals = never(),
            },
        }
    }
    let last = run.wait_for_end().ok_or_else(|| {
        CommandFailure::new(
            FAILED,
            "lop's engine died before it began, which is a fault of lop",
        )
    })?;
    Ok((last, heard))
}
