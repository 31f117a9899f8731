//! Who runs the tests of a run: nobody, this machine, or this machine and a farm.

use std::time::Duration;

use super::chosen_runner::{ChosenRunner, OriginalTest};
use super::farm;
use super::plan::RunPlan;
use super::prepared_run::PreparedRun;
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::oracle::{LimitPolicy, TestFiles};
use crate::session::StoreRunner;

impl ChosenRunner {
    /// The runner that the plan wants. A farm is tried with these files, which took so long on this machine.
    pub fn from_plan(
        plan: &RunPlan,
        prepared: &PreparedRun,
        files: TestFiles,
        limit: LimitPolicy,
        time: Duration,
    ) -> Result<ChosenRunner, CommandFailure> {
        if let Some(known) = &prepared.offline {
            let runner = StoreRunner::new(known.clone(), prepared.input.test_paths());
            return Ok(ChosenRunner {
                runner: Box::new(runner),
                containment: None,
                // What is known needs no worker, and what is not is no bet worth making.
                jobs: 1,
                farm: None,
                note: None,
            });
        }
        let local = prepared.start_runner(plan.jobs).or_fail(FAILED)?;
        match &plan.remote.remote {
            None => Ok(ChosenRunner {
                containment: Some(local.containment().clone()),
                runner: Box::new(local),
                jobs: plan.jobs,
                farm: None,
                note: None,
            }),
            Some(address) => {
                let limits = limit.current_limits();
                let original = OriginalTest {
                    files,
                    limits,
                    time,
                };
                farm::join_farm(address, plan, prepared, local, original)
            }
        }
    }
}
