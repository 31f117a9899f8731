//! `lop pair`: a seed that works and a variant that fails are reduced together, until what is left of their difference makes the bug (PPR,
//! FSE 2023).

use super::resume::offer;
use crate::cli::args::PairArgs;
use crate::cli::failure::CommandFailure;
use crate::cli::launch::pair_spec::read_pair_test;
use crate::cli::launch::plan::RunPlan;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::run_plan;
use crate::pass::{self, FeatureSet, PAIR_STRATEGIES};
use crate::session::RunInput;

/// Reduces a pair; the exit status.
pub fn run_pair(pair: &PairArgs) -> Result<u8, CommandFailure> {
    let seed = PreparedRun::read_input(&pair.seed)?;
    let variant = PreparedRun::read_input(&pair.variant)?;
    let files = [seed, variant];
    let (test_spec, notes) = read_pair_test(pair, &files)?;
    // The command line allows no unknown name.
    let strategy = pass::find_strategy(&pair.strategy).unwrap_or(&PAIR_STRATEGIES[0]);
    let input = RunInput::Pair(files);
    if let Some(status) = offer::offer_resume(&input, &test_spec, PAIR_STRATEGIES, &pair.run)? {
        return Ok(status);
    }
    let mut plan = RunPlan::for_pair(input, test_spec, strategy, &pair.run)?;
    // All strategies for pairs have all features.
    plan.options.disabled_features = FeatureSet::from_names(&pair.without);
    plan.options.mirror = pair.mirror;
    plan.output_choice = pair.output_choice();
    plan.notes.extend(notes);
    run_plan(plan)
}
