//! The names of strategies together with their list minimisers.

use crate::minimize;
use crate::pass::{
    self, FEATURES, FeatureSet, ISOLATE_STRATEGIES, PAIR_FEATURES, PAIR_STRATEGIES, PassOptions,
    STRATEGIES, ScheduleKind,
};

/// The forms of a name, for the help.
pub const RULE: &str = "lop compare accepts STRATEGY, STRATEGY+MINIMIZER such as perses+ddmin, or MINIMIZER alone, which means lines+MINIMIZER, the classic delta debugging; and each of them with a schedule after it, such as perses+smart.";

/// The strategy for a list minimiser that is named alone.
const CLASSIC: &str = "lines";

/// The name that stands for the variant of a pair, reduced alone.
pub const ALONE: &str = "alone";

/// A strategy with its list minimiser, under the name that was typed.
#[derive(Clone, Debug)]
pub struct NamedStrategy {
    /// The name as typed.
    pub name: String,
    /// Its options.
    pub options: pass::PassOptions,
}

/// The strategy for one program of this name, without the parts after each `~`; or a sentence with the valid names.
pub fn parse_strategy(name: &str) -> Result<NamedStrategy, String> {
    let find = |name: &str| STRATEGIES.iter().find(|known| known.name == name);
    let (whole, parts) = name.split_once('~').unwrap_or((name, ""));
    let (rest, schedule) = split_schedule(whole);
    let (strategy, minimizer) = match rest.split_once('+') {
        Some((strategy, minimizer)) => (strategy, Some(minimizer)),
        None if find(rest).is_some() => (rest, None),
        None => (CLASSIC, Some(rest)),
    };
    let bare = name.split(['+', '~']).next().unwrap_or(name);
    if find(bare).is_none() && (bare == ALONE || pass::find_strategy(bare).is_some()) {
        return Err(format!(
            "{bare} is a strategy for a seed and a variant, not for one program; lop compare pair compares those"
        ));
    }
    let options = find(strategy).map(pass::PassOptions::from_strategy);
    let minimizer = minimizer.map(minimize::find_minimizer);
    let without =
        find(strategy).and_then(|known| parse_parts(parts, |part| pass::has_feature(known, part)));
    let (Some(mut options), None | Some(Some(_)), Some(without)) = (options, minimizer, without)
    else {
        let strategies: Vec<_> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
        let minimizers: Vec<_> = minimize::MINIMIZERS.iter().map(|kind| kind.name).collect();
        return Err(format!(
            "{name} is not a strategy; there are the strategies {} and the list minimisers {}, STRATEGY+MINIMIZER, and STRATEGY~PART without a part of --without",
            strategies.join(", "),
            minimizers.join(", ")
        ));
    };
    options.disabled_features = without;
    options.minimizer = minimizer.flatten().unwrap_or(options.minimizer);
    options.schedule = schedule.unwrap_or(options.schedule);
    Ok(NamedStrategy {
        name: name.to_owned(),
        options,
    })
}

/// What is compared on a pair unless the user says otherwise; the last one needs a test of the variant alone.
const USUAL: [&str; 4] = ["pair", "pair-once", "isolate-elements", ALONE];

/// A name without the schedule at its end, and that schedule; none if it names none.
fn split_schedule(name: &str) -> (&str, Option<ScheduleKind>) {
    let parts = name.rsplit_once('+');
    let named = parts.and_then(|(rest, last)| Some((rest, pass::find_schedule(last)?)));
    named.map_or((name, None), |(rest, schedule)| (rest, Some(schedule)))
}

/// The parts of these names, with `~` between them; none if a name is not that of a part, or of one that is not allowed.
fn parse_parts(names: &str, is_allowed: impl Fn(&str) -> bool) -> Option<FeatureSet> {
    let mut names = names.split('~').filter(|name| !name.is_empty());
    names.try_fold(FeatureSet::default(), |parts, name| {
        parts.with_named(name).filter(|_| is_allowed(name))
    })
}

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
    fn a_strategy_for_pairs_means_nothing_for_one_program() {
        for name in [
            "pair",
            "pair-once",
            "pair+ddmin",
            "pair~tdiff",
            "isolate-lines",
            "alone",
        ] {
            let error = meant(name).expect_err(name);
            assert!(error.contains("lop compare pair"), "{error}");
        }
    }

    #[test]
    fn a_strategy_loses_parts_after_a_tilde() {
        let without = |name| {
            let named = parse_strategy(name)?;
            let without = named.options.disabled_features.feature_names();
            Ok((named.options.strategy.name, without.collect::<Vec<_>>()))
        };
        let tree_only = Ok(("reduktor", vec!["transform"]));
        assert_eq!(without("reduktor~transform"), tree_only);
        let nothing = Ok(("reduktor-pardis", vec!["transform", "hdd"]));
        assert_eq!(without("reduktor-pardis~hdd~transform"), nothing);
        assert_eq!(without("lop~hollow"), Ok(("lop", vec!["hollow"])));
        let error: String = without("reduktor~everything").expect_err("no such part");
        assert!(error.contains("STRATEGY~PART"), "{error}");
    }

    #[test]
    fn a_schedule_stands_at_the_end() {
        let schedule = |name| parse_strategy(name).map(|named| named.options.schedule);
        assert_eq!(schedule("perses"), Ok(ScheduleKind::Plain));
        for name in ["perses+smart", "perses+ddmin+smart", "ddmin+smart"] {
            assert_eq!(schedule(name), Ok(ScheduleKind::Smart), "{name}");
            assert_eq!(meant(name), meant(name.trim_end_matches("+smart")));
        }
        assert_eq!(schedule("bp-smart"), Ok(ScheduleKind::Smart));
        assert_eq!(schedule("bp-smart+plain"), Ok(ScheduleKind::Plain));
        assert!(schedule("smart").is_err());
    }

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
