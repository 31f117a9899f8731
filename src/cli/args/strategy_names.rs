//! The names of strategies on the command line, those for pairs too.

pub use crate::pass::{ALONE, NamedStrategy, parse_strategy};
use crate::pass::{
    FEATURES, ISOLATE_STRATEGIES, PAIR_FEATURES, PAIR_STRATEGIES, PassOptions, parse_parts,
};

/// The forms of a name, for the help.
pub const RULE: &str = "lop compare accepts STRATEGY, STRATEGY+MINIMIZER such as perses+ddmin, or MINIMIZER alone, which means lines+MINIMIZER, the classic delta debugging; and each of them with a schedule after it, such as perses+smart.";

/// What is compared on a pair unless the user says otherwise; the last one needs a test of the variant alone.
const USUAL: [&str; 4] = ["pair", "pair-once", "isolate-elements", ALONE];

/// What is run on a pair, or on its variant.
#[derive(Clone, Debug)]
pub enum PairStrategyChoice {
    /// A strategy for pairs.
    Strategy(NamedStrategy),
    /// The variant is reduced alone, by the default strategy.
    VariantAlone,
}

impl PairStrategyChoice {
    /// The usual ones.
    pub fn usual_choices(has_variant_test: bool) -> Vec<PairStrategyChoice> {
        let names = USUAL
            .iter()
            .filter(|name| has_variant_test || **name != ALONE);
        names
            .filter_map(|name| parse_pair_strategy(name).ok())
            .collect()
    }

    /// The name as typed.
    pub fn name(&self) -> &str {
        match self {
            PairStrategyChoice::Strategy(named) => &named.name,
            PairStrategyChoice::VariantAlone => ALONE,
        }
    }
}

/// The strategy for pairs of this name, without the parts after each `~`; or a sentence with the valid names.
pub fn parse_pair_strategy(name: &str) -> Result<PairStrategyChoice, String> {
    if name == ALONE {
        return Ok(PairStrategyChoice::VariantAlone);
    }
    let (strategy, parts) = name.split_once('~').unwrap_or((name, ""));
    let all = || PAIR_STRATEGIES.iter().chain(ISOLATE_STRATEGIES);
    let known = all().find(|known| known.name == strategy);
    let (Some(known), Some(without)) = (known, parse_parts(parts, |_| true)) else {
        let strategies: Vec<_> = all().map(|strategy| strategy.name).collect();
        let features = PAIR_FEATURES.iter().chain(FEATURES);
        let features: Vec<_> = features.map(|(name, ..)| *name).collect();
        return Err(format!(
            "{name} is not a strategy for pairs; there are {}, {ALONE}, and STRATEGY~PART with a part such as {}",
            strategies.join(", "),
            features.join(", ")
        ));
    };
    let mut options = PassOptions::from_strategy(known);
    options.disabled_features = without;
    Ok(PairStrategyChoice::Strategy(NamedStrategy {
        name: name.to_owned(),
        options,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_for_pairs_loses_parts_after_a_tilde() {
        let meant = |name: &str| match parse_pair_strategy(name)? {
            PairStrategyChoice::Strategy(named) => {
                let without = named.options.disabled_features.feature_names();
                let strategy = named.options.strategy.name;
                Ok((strategy, without.collect::<Vec<_>>()))
            }
            PairStrategyChoice::VariantAlone => Ok((ALONE, Vec::new())),
        };
        assert_eq!(meant("pair"), Ok(("pair", Vec::new())));
        assert_eq!(meant("pair~tdiff"), Ok(("pair", vec!["tdiff"])));
        let both = Ok(("pair-once", vec!["tdiff", "ldiff"]));
        assert_eq!(meant("pair-once~ldiff~tdiff"), both);
        assert_eq!(meant("alone"), Ok((ALONE, Vec::new())));
        for name in ["perses", "lop", "pair~all", "~tdiff"] {
            let error: String = meant(name).expect_err(name);
            assert!(
                error.contains("pair-once") && error.contains("common"),
                "{error}"
            );
        }
    }
}
