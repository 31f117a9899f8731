//! The lanes of a race: a run for each strategy, and the runner that they share.

use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};

use super::strategy_run::wait_for_end;
use crate::cli::args::strategy_names::NamedStrategy;
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::oracle::{ClientTally, LimitPolicy, MultiRunner};
use crate::program::Version;
use crate::reduce::{self, EngineCommand, RunHandle, RunSetup, RunSnapshot};

/// The lanes at work.
pub(super) struct StartedRace {
    pub(super) runs: Vec<RunHandle>,
    /// Runs the tests of all.
    pub(super) runner: MultiRunner,
    /// Rings when there may be news of a lane.
    pub(super) bell: Receiver<()>,
}

/// How a race ended.
pub(super) struct RaceEnd {
    /// The signal that stopped it.
    pub(super) signal: Option<i32>,
    /// What each lane came to.
    pub(super) lanes: Vec<(Arc<RunSnapshot>, ClientTally)>,
}

impl StartedRace {
    /// Starts a run for each strategy. Their tests wait until they are permitted.
    pub(super) fn start(
        prepared: &PreparedRun,
        version: &Version,
        limit: LimitPolicy,
        strategies: &[NamedStrategy],
        jobs: usize,
    ) -> Result<StartedRace, CommandFailure> {
        let (ring, bell) = bounded(1);
        let runner = prepared.start_runner(jobs).or_fail(FAILED)?;
        let started = MultiRunner::start(runner, strategies.len(), ring.clone());
        let (runner, clients) = started.or_fail(FAILED)?;
        let runs = strategies.iter().zip(clients).map(|(named, client)| {
            let run = reduce::start_run(RunSetup {
                options: named.options,
                ..RunSetup::new(version.clone(), client, limit)
            })?;
            run.board.add_subscriber(ring.clone());
            Ok(run)
        });
        let runs: Result<Vec<_>, reduce::StartError> = runs.collect();
        Ok(StartedRace {
            runs: runs.or_fail(FAILED)?,
            runner,
            bell,
        })
    }

    /// Has all lanes end.
    pub(super) fn stop_lanes(&self) {
        for run in &self.runs {
            // It may have ended.
            let _ = run.commands.send(EngineCommand::Stop);
        }
    }

    /// Waits until all have ended.
    pub(super) fn wait_for_lanes(self, signal: Option<i32>) -> Result<RaceEnd, CommandFailure> {
        let lasts = self.runs.into_iter().map(wait_for_end);
        let lasts = lasts.collect::<Result<Vec<_>, _>>()?;
        let tallies = self.runner.client_tallies();
        Ok(RaceEnd {
            signal,
            lanes: lasts.into_iter().zip(tallies).collect(),
        })
    }
}
