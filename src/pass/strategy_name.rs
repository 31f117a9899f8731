//! A strategy by the name that is typed: with its list minimiser, its schedule, and without parts of it.

use super::{
    FeatureSet, PassOptions, STRATEGIES, ScheduleKind, find_schedule, find_strategy, has_feature,
};
use crate::language::suggest_names;
use crate::minimize;

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
    pub options: PassOptions,
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
    if find(bare).is_none() && (bare == ALONE || find_strategy(bare).is_some()) {
        return Err(format!(
            "{bare} is a strategy for a seed and a variant, not for one program; lop compare pair compares those"
        ));
    }
    let options = find(strategy).map(PassOptions::from_strategy);
    let minimizer = minimizer.map(minimize::find_minimizer);
    let without =
        find(strategy).and_then(|known| parse_parts(parts, |part| has_feature(known, part)));
    let (Some(mut options), None | Some(Some(_)), Some(without)) = (options, minimizer, without)
    else {
        let minimizer_names = minimize::MINIMIZERS.iter().map(|kind| kind.name);
        let near = match rest.split_once('+') {
            // The strategy is one: it is the list minimiser that is not.
            Some((known, typed)) if find(known).is_some() => suggest_names(typed, minimizer_names),
            _ if find(bare).is_some() => Vec::new(),
            _ => suggest_names(bare, STRATEGIES.iter().map(|strategy| strategy.name)),
        };
        let near = match near.is_empty() {
            true => String::new(),
            false => format!(" near it: {};", near.join(", ")),
        };
        let strategies: Vec<_> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
        let minimizers: Vec<_> = minimize::MINIMIZERS.iter().map(|kind| kind.name).collect();
        return Err(format!(
            "{name} is not a strategy;{near} there are the strategies {} and the list minimisers {}, STRATEGY+MINIMIZER, and STRATEGY~PART without a part of --without",
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

/// A name without the schedule at its end, and that schedule; none if it names none.
fn split_schedule(name: &str) -> (&str, Option<ScheduleKind>) {
    let parts = name.rsplit_once('+');
    let named = parts.and_then(|(rest, last)| Some((rest, find_schedule(last)?)));
    named.map_or((name, None), |(rest, schedule)| (rest, Some(schedule)))
}

/// The parts of these names, with `~` between them; none if a name is not that of a part, or of one that is not allowed.
pub fn parse_parts(names: &str, is_allowed: impl Fn(&str) -> bool) -> Option<FeatureSet> {
    let mut names = names.split('~').filter(|name| !name.is_empty());
    names.try_fold(FeatureSet::default(), |parts, name| {
        parts.with_named(name).filter(|_| is_allowed(name))
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
