//! `lop passes`: the strategies, passes and list minimisers.

use crate::cli::args::strategy_names;
use crate::minimize;
use crate::pass::{
    self, FEATURES, FilterKind, ISOLATE_STRATEGIES, OPTIONAL_PASSES, PAIR_FEATURES,
    PAIR_STRATEGIES, REDUKTOR_FEATURES, RepeatPolicy, SCHEDULES, STRATEGIES, STRATEGY_FEATURES,
    Strategy,
};

/// The page, line by line.
pub fn passes_page() -> String {
    let mut page = String::new();
    let mut section = |title: &str, rows: &[(&str, String)]| {
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        page.push_str(&format!("{title}\n"));
        for (name, what) in rows {
            page.push_str(&format!("  {name:width$}  {what}\n"));
        }
    };
    section(
        &format!(
            "Strategies (--strategy NAME; the default is {}):",
            STRATEGIES[0].name
        ),
        &describe_strategies(STRATEGIES),
    );
    section(
        &format!(
            "\nStrategies of lop pair (the default is {}):",
            PAIR_STRATEGIES[0].name
        ),
        &describe_strategies(PAIR_STRATEGIES),
    );
    section(
        &format!(
            "\nStrategies of lop isolate (the default is {}):",
            ISOLATE_STRATEGIES[0].name
        ),
        &describe_strategies(ISOLATE_STRATEGIES),
    );
    let passes: Vec<_> = pass::all_passes()
        .iter()
        .map(|kind| {
            let mut what = kind.description.to_owned();
            match kind.repeat {
                RepeatPolicy::Never => {}
                RepeatPolicy::Fixpoint => what.push_str("; again until nothing gets smaller"),
                RepeatPolicy::RoundFrom(name) => {
                    what.push_str(&format!("; if its round was worth it, back to {name}"));
                }
                RepeatPolicy::BackTo(name) => what.push_str(&format!("; if so, back to {name}")),
            }
            (kind.name, what)
        })
        .collect();
    section("\nPasses, which strategies are made of:", &passes);
    let filters: Vec<_> = pass::all_filters()
        .iter()
        .map(|kind| (kind.name, describe_filter(kind)))
        .collect();
    section("\nFilters, which wrap passes:", &filters);
    let parts = [
        (
            "\nParts of the default strategy (--without PART leaves one out):",
            FEATURES,
        ),
        (
            "\nParts of bp and bp-smart (--without PART leaves one out):",
            STRATEGY_FEATURES,
        ),
        (
            "\nParts of reduktor and reduktor-pardis (--without PART leaves one out):",
            REDUKTOR_FEATURES,
        ),
        (
            "\nPasses that are off (--with PASS runs one, as the command enable does):",
            OPTIONAL_PASSES,
        ),
        (
            "\nParts of a run of lop pair (--without PART leaves one out):",
            PAIR_FEATURES,
        ),
    ];
    for (title, features) in parts {
        let features = features.iter();
        let features = features.map(|(name, _, description)| (*name, (*description).to_owned()));
        section(title, &features.collect::<Vec<_>>());
    }
    let schedules = SCHEDULES.iter();
    let schedules = schedules.map(|(name, _, description)| (*name, (*description).to_owned()));
    section(
        &format!(
            "\nSchedules (--schedule NAME; the default is the strategy's, {} unless its name says otherwise):",
            SCHEDULES[0].0
        ),
        &schedules.collect::<Vec<_>>(),
    );
    let minimizers: Vec<_> = minimize::MINIMIZERS
        .iter()
        .map(|kind| (kind.name, kind.description.to_owned()))
        .collect();
    section(
        &format!(
            "\nList minimisers (--minimizer NAME; the default is {}):",
            minimize::MINIMIZERS[0].name
        ),
        &minimizers,
    );
    page.push_str(&format!("\n{}\n", strategy_names::RULE));
    page
}

/// The name of each strategy, and what it does.
fn describe_strategies(strategies: &[Strategy]) -> Vec<(&'static str, String)> {
    let rows = strategies.iter().map(|strategy| {
        let passes: Vec<_> = strategy.passes.iter().map(|kind| kind.name).collect();
        let mut what = format!("{}; runs {}", strategy.description, passes.join(", "));
        if let Some(first) = strategy.repeat_from {
            what.push_str(&format!("; again from {first} until nothing changes"));
        }
        (strategy.name, what)
    });
    rows.collect()
}

/// What a filter does, and around which passes.
fn describe_filter(filter: &FilterKind) -> String {
    let passes = pass::all_passes().into_iter();
    let around: Vec<_> = passes
        .filter(|pass| pass.filters.iter().any(|kind| kind.name == filter.name))
        .map(|pass| pass.name)
        .collect();
    let around = match around.is_empty() {
        true => "every pass".to_owned(),
        false => around.join(", "),
    };
    format!("{}; around {around}", filter.description)
}
