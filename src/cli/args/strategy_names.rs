//! The names of strategies together with their list minimisers.

use crate::minimize;
use crate::pass::{self, STRATEGIES};

/// The forms of a name, for the help.
pub const RULE: &str = "lop compare accepts STRATEGY, STRATEGY+MINIMIZER such as perses+ddmin, or MINIMIZER alone, which means lines+MINIMIZER, the classic delta debugging.";

/// The strategy for a list minimiser that is named alone.
const ALONE: &str = "lines";

/// A strategy with its list minimiser, under the name that was typed.
#[derive(Clone, Debug)]
pub struct NamedStrategy {
    /// The name as typed.
    pub name: String,
    /// Its options.
    pub options: pass::PassOptions,
}

/// The strategy of this name, or a sentence with the valid names.
pub fn parse_strategy(name: &str) -> Result<NamedStrategy, String> {
    let (strategy, minimizer) = match name.split_once('+') {
        Some((strategy, minimizer)) => (strategy, Some(minimizer)),
        None if pass::find_strategy(name).is_some() => (name, None),
        None => (ALONE, Some(name)),
    };
    let options = pass::find_strategy(strategy).map(pass::PassOptions::from_strategy);
    let minimizer = minimizer.map(minimize::find_minimizer);
    let (Some(mut options), None | Some(Some(_))) = (options, minimizer) else {
        let strategies: Vec<_> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
        let minimizers: Vec<_> = minimize::MINIMIZERS.iter().map(|kind| kind.name).collect();
        return Err(format!(
            "{name} is not a strategy; there are the strategies {} and the list minimisers {}, and STRATEGY+MINIMIZER",
            strategies.join(", "),
            minimizers.join(", ")
        ));
    };
    options.minimizer = minimizer.flatten().unwrap_or(options.minimizer);
    Ok(NamedStrategy {
        name: name.to_owned(),
        options,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(name: &str) -> Result<(&'static str, &'static str), String> {
        parse_strategy(name)
            .map(|named| (named.options.strategy.name, named.options.minimizer.name))
    }

    #[test]
    fn a_strategy_and_a_list_minimiser_are_joined_by_a_plus() {
        assert_eq!(meant("pardis"), Ok(("pardis", "complements")));
        assert_eq!(meant("perses+ddmin"), Ok(("perses", "ddmin")));
        assert_eq!(meant("ddmin"), Ok(("lines", "ddmin")));
    }

    #[test]
    fn a_name_that_means_nothing_is_answered_with_those_that_do() {
        for name in [
            "",
            "best",
            "perses+",
            "+ddmin",
            "perses+perses",
            "ddmin+ddmin",
        ] {
            let error = meant(name).expect_err(name);
            assert!(
                error.contains("perses") && error.contains("ddmin"),
                "{error}"
            );
        }
    }
}
