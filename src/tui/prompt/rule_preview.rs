//! Where a rule that is being typed would apply, before it is sent.

use crate::display::format_count;
use crate::language::RuleText;
use crate::reduce::{RulePlace, list_rule_places};
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
    let places = match list_rule_places(version, &rule) {
        Ok(places) => places,
        Err(problem) => return vec![problem],
    };
    let count = match places.len() {
        0 => "no place has".to_string(),
        1 => "1 place has".to_string(),
        more => format!("{} have", format_count(more as u64, "place")),
    };
    let shown = places.iter().take(SHOWN_PLACES);
    let shown = shown.map(|RulePlace { line, question }| format!("line {line}: {question}"));
    [format!("{count} this form")]
        .into_iter()
        .chain(shown)
        .collect()
}
