//! The options of the passes, from the command line: strategy, effort, and which parts run.

use super::generator_spec;
use crate::cli::args::strategy_names::parse_strategy;
use crate::cli::args::{ReduceArgs, RunArgs};
use crate::cli::failure::{CommandFailure, USAGE};
use crate::minimize;
use crate::pass::{self, Effort, FeatureSet, PassOptions, STRATEGIES, Strategy, StrategyFeature};

/// The options of the passes of a run on one program, or on a sequence of choices.
pub fn choose_pass_options(
    reduce: &ReduceArgs,
    is_sequence: bool,
) -> Result<PassOptions, CommandFailure> {
    // The command line allows no unknown name.
    let named = parse_strategy(&reduce.strategy).ok();
    let named = named.filter(|_| !is_sequence).map(|named| named.options);
    let strategy = named.map_or(generator_spec::STRATEGY, |named| named.strategy.name);
    let strategy = choose_strategy(strategy, reduce.finish.as_deref())?;
    let mut options = PassOptions::from_strategy(strategy);
    if let Some(named) = named.filter(|named| named.strategy.name == strategy.name) {
        (options.schedule, options.minimizer) = (named.schedule, named.minimizer);
    }
    choose_minimizer(&mut options, &reduce.run);
    options.disabled_features = disabled_features(strategy, &reduce.without)?;
    if reduce.keep_names {
        options.disabled_features = keep_names(strategy, options.disabled_features);
    }
    options.enabled_features = enabled_features(strategy, &reduce.with)?;
    options.effort = chosen_effort(strategy, reduce.effort.as_deref())?;
    if reduce.schedule.is_some() {
        options.choose_schedule(reduce.schedule.as_deref());
    }
    Ok(options)
}

/// The list minimiser that the command line names, if it names one.
pub fn choose_minimizer(options: &mut PassOptions, run: &RunArgs) {
    // The command line allows no unknown name.
    let named = run.minimizer.as_deref();
    if let Some(kind) = named.and_then(minimize::find_minimizer) {
        options.minimizer = kind;
    }
}

/// How much a run on one program asks.
fn chosen_effort(
    strategy: &'static Strategy,
    name: Option<&str>,
) -> Result<Effort, CommandFailure> {
    match name {
        Some(_) if strategy.strata.is_empty() => Err(CommandFailure::new(
            USAGE,
            format!(
                "--effort is for the strategy {}: leave out --effort, or --strategy {}",
                STRATEGIES[0].name, strategy.name
            ),
        )),
        // The command line allows no unknown name.
        name => Ok(name.and_then(pass::find_effort).unwrap_or_default()),
    }
}

/// The features that a run on one program does without.
fn disabled_features(
    strategy: &'static Strategy,
    parts: &[String],
) -> Result<FeatureSet, CommandFailure> {
    let Some(part) = parts.iter().find(|part| !pass::has_feature(strategy, part)) else {
        return Ok(FeatureSet::from_names(parts));
    };
    let default = STRATEGIES[0].name;
    let owner = STRATEGIES
        .iter()
        .find(|known| pass::has_feature(known, part));
    let owner = owner.map_or(default, |owner| owner.name);
    let what = format!(
        "--without {part} is for the strategy {owner}: leave it out, or {}",
        match owner == default {
            true => format!("leave out --strategy {}", strategy.name),
            false => format!("add --strategy {owner}"),
        }
    );
    Err(CommandFailure::new(USAGE, what))
}

/// The strategy of these names: the second is that of the last step, for those that can end in several ways.
fn choose_strategy(
    name: &str,
    last_step: Option<&str>,
) -> Result<&'static Strategy, CommandFailure> {
    // The command line allows no unknown name.
    let strategy = pass::find_strategy(name).unwrap_or(&STRATEGIES[0]);
    let Some(last_step) = last_step else {
        return Ok(strategy);
    };
    let ends_so = |known: &&Strategy| {
        let last = known.steps.last().into_iter().flat_map(|step| step.passes);
        known.steps.len() == strategy.steps.len()
            && last.into_iter().any(|kind| kind.name == last_step)
    };
    STRATEGIES.iter().find(ends_so).ok_or_else(|| {
        let what = format!(
            "--finish {last_step} is for the strategy reduktor: leave it out, or add --strategy reduktor"
        );
        CommandFailure::new(USAGE, what)
    })
}

/// These features, and the pass of the strategy that gives names other texts, if it has one.
fn keep_names(strategy: &'static Strategy, without: FeatureSet) -> FeatureSet {
    let renaming = match strategy.needs_statements() {
        true => Some(without.with_feature(StrategyFeature::ShortNames)),
        false if strategy.has_pass(pass::NAMES.name) => without.with_named(pass::NAMES.name),
        false => None,
    };
    renaming.unwrap_or(without)
}

/// The optional passes, and stratum of shorter texts, that a run on one program has: passes of its strategy.
fn enabled_features(
    strategy: &'static Strategy,
    passes: &[String],
) -> Result<FeatureSet, CommandFailure> {
    let Some(pass) = passes.iter().find(|pass| !strategy.has_part(pass)) else {
        return Ok(FeatureSet::from_names(passes));
    };
    let owners = STRATEGIES.iter().filter(|known| known.has_part(pass));
    let owners: Vec<_> = owners.map(|known| known.name).collect();
    let what = format!(
        "the strategy {} has no pass {pass}: leave out --with {pass}, or add --strategy {}",
        strategy.name,
        owners.join(" or --strategy ")
    );
    Err(CommandFailure::new(USAGE, what))
}
