//! From a plan to the end of its run. Each stage is a file. It gets the values of earlier stages and does not call them:
//!
//! ```text
//!   plan      RunPlan       all options of a run
//!   prepare   PreparedRun   the files, the test, and a place to run it; the files as trees (reading)
//!   baseline  Baseline      the verdicts of the test before the run
//!   launch    LaunchedRun   journals, cache, output, and the engine at work
//!   report    exit status   who reports on the run to its end
//! ```
//!
//! [`run_plan`] does this for `lop FILE TEST`, `lop pair` and `lop demo`. `lop resume` makes its plan from a recorded session (recorded_run) and tests
//! the session's newest version instead of the original. The later stages are the same.

pub mod baseline;
pub mod cache;
pub mod chosen_runner;
pub mod contrast;
pub mod derivation;
pub mod failure_place;
#[cfg_attr(not(feature = "remote"), path = "no_farm.rs")]
mod farm;
pub mod fresh_directory;
pub mod front_end;
pub mod generator_spec;
pub mod header;
mod initial_commands;
pub mod journals;
mod known_verdicts;
pub mod language_choice;
pub mod launched_run;
pub mod pair_spec;
pub mod pass_choice;
pub mod plan;
pub mod prepared_run;
pub mod reading;
pub mod record_options;
pub mod recorded_run;
mod report;
mod runner_choice;
pub mod script_words;
pub mod server_spec;
pub mod signals;
pub mod test_spec;
pub mod told_lesson;
mod ub_guard;

use super::failure::{CommandFailure, OrFail, USAGE};
use baseline::Baseline;
use chosen_runner::ChosenRunner;
use front_end::FrontEnd;
use launched_run::{RunStart, launch_run};
use plan::RunPlan;
use prepared_run::PreparedRun;
use reading::PendingRead;
pub use report::RunEnd;

/// Runs a plan from its files to its end.
pub fn run_plan(mut plan: RunPlan) -> Result<RunEnd, CommandFailure> {
    if plan.canonical {
        plan.input = reading::write_canonically(plan.input, &plan.languages)?;
        plan.notes.push(format!(
            "the test sees {} in canonical form: laid out, and without comments",
            plan.input
        ));
    }
    plan.print_notes();
    let screen = plan.screen_setup().or_fail(USAGE)?;
    let mut prepared = PreparedRun::from_plan(&plan)?;
    let output = prepared.claim_output(&plan.output_choice, plan.limit.current_limits())?;
    prepared.open_records(&plan)?;
    let reading = PendingRead::start(&prepared.input, &plan.languages)?;
    let baseline = Baseline::measure(&mut prepared, &plan, output.named_path())?;
    if plan.front_end == FrontEnd::Screen {
        reading.show_beginning(
            &prepared.test,
            plan.options,
            screen.clone(),
            &prepared.signals.received,
        )?;
    }
    let version = reading.wait_for_version(&prepared.signals.received)?;
    if plan.options.strategy.needs_statements() && !version.has_statements() {
        let what = format!(
            "the strategy {} is for languages that say what their statements are, such as Boolean programs; leave out --strategy",
            plan.options.strategy.name
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    let version = version
        .with_objective(plan.objective.clone())
        .keeping_layout(plan.canonical);
    let chosen = ChosenRunner::from_plan(
        &plan,
        &prepared,
        prepared.input.original_files(),
        baseline.limit,
        baseline.original_run.time,
    )?;
    let start = RunStart::from_baseline(&plan, &prepared, baseline, version, output)?;
    launch_run(plan, prepared, chosen, start, screen)?.report()
}
