//! A strategy of a comparison, run on a program or a pair to its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{at, never, select};

use crate::cli::args::TestRunArgs;
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::launch::{language_choice, reading};
use crate::oracle::LimitPolicy;
use crate::pass::{PassOptions, RepeatPolicy};
use crate::program::Version;
use crate::reduce::{
    self, EngineCommand, FinishReason, RunEvent, RunHandle, RunSetup, RunSnapshot, RunState,
    VerdictStore,
};
use crate::session::RunInput;

/// A program or a pair that its test finds interesting.
pub(super) struct TestedProgram {
    /// Its files and its test.
    pub prepared: PreparedRun,
    /// The program, or the pair.
    pub version: Version,
    /// The limit of a test.
    pub limit: LimitPolicy,
}

/// The end of a strategy.
pub(super) struct StrategyRun {
    /// Its last snapshot.
    pub last: Arc<RunSnapshot>,
    /// The signal that stopped it.
    pub signal: Option<i32>,
    /// How often it went through its passes, or through those that it repeats.
    pub rounds: u32,
}

impl StrategyRun {
    /// Whether nothing is left to try.
    ///
    /// # Errors
    /// When the test or the system failed.
    pub(super) fn check_end(&self, name: &str) -> Result<bool, CommandFailure> {
        check_end(name, &self.last)
    }
}

/// Whether the last snapshot of a strategy says that nothing is left to try.
///
/// # Errors
/// When the test or the system failed.
pub(super) fn check_end(name: &str, last: &RunSnapshot) -> Result<bool, CommandFailure> {
    match &last.state {
        RunState::Finished(FinishReason::Failed(reason)) => {
            Err(CommandFailure::new(FAILED, format!("{name}: {reason}")))
        }
        state => Ok(*state == RunState::Finished(FinishReason::Complete)),
    }
}

/// The last snapshot of a run, when it has ended.
pub(super) fn wait_for_end(run: RunHandle) -> Result<Arc<RunSnapshot>, CommandFailure> {
    run.wait_for_end().ok_or_else(|| {
        CommandFailure::new(
            FAILED,
            "lop's engine died before it began, which is a fault of lop",
        )
    })
}

impl TestedProgram {
    /// Reads the input and tests it. `jobs` is how many tests will run at a time.
    pub(super) fn new(
        place: &TestRunArgs,
        input: RunInput,
        test_spec: &TestSpec,
        jobs: usize,
    ) -> Result<TestedProgram, CommandFailure> {
        let (scratch, isolation) = (place.scratch.as_deref(), &place.isolation);
        let mut prepared = PreparedRun::from_input(input, test_spec, scratch, isolation, jobs)?;
        let languages =
            language_choice::choose_languages(&prepared.input, None, place.grammar.as_deref())?;
        let version = reading::read_version(&prepared.input, &languages)?;
        let limit = prepared.measure_limit(test_spec, place.limit_policy())?;
        Ok(TestedProgram {
            prepared,
            version,
            limit,
        })
    }

    /// Runs a strategy to its end, until a signal comes, or for the time `longest`. Verdicts of a store need no test.
    pub(super) fn run_strategy(
        &self,
        options: PassOptions,
        store: Option<Arc<dyn VerdictStore>>,
        longest: Option<Duration>,
    ) -> Result<StrategyRun, CommandFailure> {
        let runner = self.prepared.start_runner(1).or_fail(FAILED)?;
        let run = reduce::start_run(RunSetup {
            options,
            store,
            ..RunSetup::new(self.version.clone(), runner, self.limit)
        })
        .or_fail(FAILED)?;
        let (mut signals, mut heard) = (self.prepared.signals.received.clone(), None);
        let over = longest.map(|longest| Instant::now() + longest);
        let mut over = over.map_or_else(never, at);
        let mut rounds = RoundCounter::new(options);
        // The run may have ended meanwhile.
        let stop = || drop(run.commands.send(EngineCommand::Stop));
        loop {
            select! {
                // The events end with the run. The last snapshot has all that they report, but for the rounds.
                recv(run.events) -> event => match event {
                    Ok(event) => rounds.count_event(&event),
                    Err(_) => break,
                },
                recv(over) -> _ => {
                    over = never();
                    stop();
                }
                recv(signals) -> signal => match signal {
                    Ok(signal) => {
                        heard = Some(signal);
                        stop();
                    }
                    Err(_) => signals = never(),
                },
            }
        }
        Ok(StrategyRun {
            last: wait_for_end(run)?,
            signal: heard,
            rounds: rounds.rounds,
        })
    }
}

/// Counts the rounds of a strategy by the passes that begin.
struct RoundCounter {
    options: PassOptions,
    /// The index of the last pass that began.
    last: usize,
    rounds: u32,
}

impl RoundCounter {
    fn new(options: PassOptions) -> RoundCounter {
        RoundCounter {
            options,
            last: 0,
            rounds: 1,
        }
    }

    /// An earlier pass begins a round, unless the last one names it as the pass to go back to.
    fn count_event(&mut self, event: &RunEvent) {
        let RunEvent::PassStarted { pass, .. } = event else {
            return;
        };
        let passes = self.options.strategy.passes;
        let Some(begun) = passes.iter().position(|kind| kind.name == *pass) else {
            return;
        };
        let goes_back = passes[self.last].repeat == RepeatPolicy::BackTo(passes[begun].name);
        self.rounds += u32::from(begun < self.last && !goes_back);
        self.last = begun;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::{CERTIFICATE, HEAVIEST, PAIR_STRATEGIES};

    #[test]
    fn a_pass_that_sends_the_run_back_begins_no_round_and_the_strategy_does() {
        let mut counter = RoundCounter::new(PassOptions::from_strategy(&PAIR_STRATEGIES[0]));
        let mut begin = |pass| {
            counter.count_event(&RunEvent::PassStarted {
                pass,
                round: 1,
                scope: None,
            });
            counter.rounds
        };
        let first = PAIR_STRATEGIES[0].repeat_from.expect("it repeats");
        let rounds = [
            begin("comments"),
            begin(first),
            begin(HEAVIEST.name),
            begin(CERTIFICATE.name),
            begin(HEAVIEST.name),
            begin(CERTIFICATE.name),
            begin(first),
        ];
        assert_eq!(rounds, [1, 1, 1, 1, 1, 1, 2]);
    }
}
