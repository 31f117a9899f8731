//! The strategies that a command can begin on a program, by name.

use crate::minimize::MINIMIZERS;
use crate::pass::{STRATEGIES, Strategy};
use crate::program::Version;

/// Fails if the passes of a strategy have nothing to work on in this program.
///
/// # Errors
/// A sentence that says what the strategy is for.
pub fn check_strategy_fits(strategy: &Strategy, version: &Version) -> Result<(), String> {
    let needs = if version.twins().is_some() {
        Some("a program, and this is a pair")
    } else if version.objective().is_choices() {
        Some("a program, and this is a sequence of choices")
    } else if strategy.needs_statements() && !version.has_statements() {
        Some("a language that says what its statements are")
    } else if strategy.needs_bnf() && !version.has_bnf_grammar() {
        Some("a grammar in BNF")
    } else {
        None
    };
    match needs {
        Some(needs) => Err(format!("{} is for {needs}", strategy.name)),
        None => Ok(()),
    }
}

/// The names that may stand after the command `strategy` on this program, each with what it means. A typed `NAME+` lists the list
/// minimisers of that strategy.
pub fn list_strategy_names(version: &Version, typed: &str) -> Vec<(String, &'static str)> {
    let fitting = STRATEGIES
        .iter()
        .filter(|strategy| check_strategy_fits(strategy, version).is_ok());
    match typed.split_once('+') {
        None => fitting
            .map(|strategy| (strategy.name.to_owned(), strategy.description))
            .collect(),
        Some((base, _)) => fitting
            .filter(|strategy| strategy.name == base)
            .flat_map(|_| MINIMIZERS)
            .map(|minimizer| (format!("{base}+{}", minimizer.name), minimizer.description))
            .collect(),
    }
}
