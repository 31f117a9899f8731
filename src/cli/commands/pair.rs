//! `lop pair`: a seed that works and a variant that fails are reduced together, until what is left of their difference makes the bug (PPR,
//! FSE 2023).

use super::resume::offer;
use crate::cli::args::PairArgs;
use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::launch::plan::RunPlan;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::run_plan;
use crate::cli::launch::test_spec::TestSpec;
use crate::pass::{self, PAIR_STRATEGIES};
use crate::session::RunInput;

/// Reduces a pair; the exit status.
pub fn run_pair(pair: &PairArgs) -> Result<u8, CommandFailure> {
    let seed = PreparedRun::read_input(&pair.seed)?;
    let variant = PreparedRun::read_input(&pair.variant)?;
    let test_spec = pair_test(pair)?;
    if let (TestSpec::Script(..), true) = (&test_spec, seed.file_name() == variant.file_name()) {
        let what = "--both needs a seed and a variant of different names, because its test sees both in one directory";
        return Err(CommandFailure::new(USAGE, what));
    }
    // The command line allows no unknown name.
    let strategy = pass::find_strategy(&pair.strategy).unwrap_or(&PAIR_STRATEGIES[0]);
    let input = RunInput::Pair([seed, variant]);
    if let Some(status) = offer::offer_resume(&input, &test_spec, &pair.run)? {
        return Ok(status);
    }
    let mut plan = RunPlan::for_pair(input, test_spec, strategy, &pair.run)?;
    plan.output_choice = pair.output_choice();
    run_plan(plan)
}

/// The test of a pair.
fn pair_test(pair: &PairArgs) -> Result<TestSpec, CommandFailure> {
    match (&pair.both, &pair.seed_test, &pair.variant_test) {
        (Some(both), ..) => Ok(TestSpec::from_script(both)),
        (None, Some(seed), Some(variant)) => {
            Ok(TestSpec::PairScripts([seed.clone(), variant.clone()]))
        }
        _ => Err(CommandFailure::new(
            USAGE,
            "lop pair needs a test of the seed and one of the variant, or --both TEST",
        )),
    }
}
