//! `lop pair`: a seed that works and a variant that fails are reduced together, until what is left of their difference makes the bug (PPR,
//! FSE 2023).

use super::resume::typed_options::TypedOptions;
use super::resume::{ResumeChoice, offer};
use crate::cli::args::{PairArgs, RemoteArgs};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::pair_spec::read_pair_test;
use crate::cli::launch::plan::RunPlan;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::run_plan;
use crate::pass::{self, FeatureSet, PAIR_STRATEGIES, StrategyFeature};
use crate::session::RunInput;

/// Reduces a pair; the exit status.
pub fn run_pair(pair: &PairArgs) -> Result<u8, CommandFailure> {
    // All strategies for pairs have all features.
    let disabled_features = FeatureSet::from_names(&pair.without);
    if pair.mirror && disabled_features.contains(StrategyFeature::ListDifference) {
        return Err(CommandFailure::new(
            USAGE,
            "--mirror repeats the list difference, which --without ldiff turns off; leave one of the two out",
        ));
    }
    let seed = PreparedRun::read_input(&pair.seed)?;
    let variant = PreparedRun::read_input(&pair.variant)?;
    let files = [seed, variant];
    let (test_spec, notes) = read_pair_test(&pair.test, &files)?;
    // The command line allows no unknown name.
    let strategy = pass::find_strategy(&pair.strategy).unwrap_or(&PAIR_STRATEGIES[0]);
    let input = RunInput::Pair(files);
    let typed = TypedOptions::of_pair(pair);
    if let Some(status) = offer::offer_resume(
        &input,
        &test_spec,
        PAIR_STRATEGIES,
        &pair.run,
        &typed,
        ResumeChoice::from_new_run(&RemoteArgs::default(), &pair.run.propose),
    )? {
        return Ok(status);
    }
    let mut plan = RunPlan::for_pair(input, test_spec, strategy, &pair.run)?;
    plan.options.disabled_features = disabled_features;
    plan.options.mirror = pair.mirror;
    plan.other_status = pair.also_interesting;
    plan.options.choose_schedule(pair.schedule.as_deref());
    plan.output_choice = pair.output_choice();
    plan.notes.extend(notes);
    Ok(run_plan(plan)?.status)
}
