//! `lop passes`: the strategies, passes and list minimisers.

use crate::cli::args::strategy_names;
use crate::minimize;
use crate::pass::{self, FEATURES, FilterKind, RepeatPolicy, STRATEGIES};

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
    let strategies: Vec<_> = STRATEGIES
        .iter()
        .map(|strategy| {
            let passes: Vec<_> = strategy.passes.iter().map(|kind| kind.name).collect();
            let what = format!("{}; runs {}", strategy.description, passes.join(", "));
            (strategy.name, what)
        })
        .collect();
    section(
        &format!(
            "Strategies (--strategy NAME; the default is {}):",
            STRATEGIES[0].name
        ),
        &strategies,
    );
    let passes: Vec<_> = pass::all_passes()
        .iter()
        .map(|kind| {
            let mut what = kind.description.to_owned();
            match kind.repeat {
                RepeatPolicy::Never => {}
                RepeatPolicy::Fixpoint => what.push_str("; again until nothing gets smaller"),
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
    let features: Vec<_> = FEATURES
        .iter()
        .map(|(name, _, description)| (*name, (*description).to_owned()))
        .collect();
    section(
        "\nParts of the default strategy (--without PART leaves one out):",
        &features,
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
