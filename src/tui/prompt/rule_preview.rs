//! Where a rule that is being typed would apply, before it is sent.

use crate::display::format_count;
use crate::language::RuleText;
use crate::pass::find_rule_places;
use crate::program::rules::read_rule;
use crate::program::{EditAction, View};
use crate::tui::app::App;

/// The places that are shown.
const SHOWN_PLACES: usize = 6;

/// In a larger program the places are not looked for while a rule is typed.
const LARGEST_PROGRAM: u32 = 50_000;

/// How many places have the form of the rule in this line, and what the first of them would become. Nothing as long as the line is no rule.
pub fn preview_rule(app: &App, line: &str) -> Vec<String> {
    let (Some(snapshot), Ok(rule)) = (&app.view.snapshot, RuleText::from_line(line)) else {
        return Vec::new();
    };
    let version = &snapshot.version;
    if version.token_count() > LARGEST_PROGRAM {
        return vec!["the program is large: its places are counted when the rule is sent".into()];
    }
    let rules = match read_rule(version, &rule) {
        Ok(rules) => rules,
        Err(problem) => return vec![problem],
    };
    let view = View::new(version.clone());
    let places = rules
        .iter()
        .flat_map(|(_, rule)| find_rule_places(&view, rule));
    let changes: Vec<String> = places
        .filter_map(|(_, why)| match why.action {
            EditAction::Rule { change, .. } => Some(change.to_string()),
            _ => None,
        })
        .collect();
    let (count, verb) = match changes.len() {
        0 => ("no place".to_string(), "has"),
        1 => ("1 place".to_string(), "has"),
        more => (format_count(more as u64, "place"), "have"),
    };
    let mut lines = vec![format!("{count} {verb} this form")];
    lines.extend(changes.into_iter().take(SHOWN_PLACES));
    lines
}
