//! Where a rule would apply, for a preview and for the outcome of its command.

use std::sync::Arc;

use crate::language::RuleText;
use crate::pass::find_rule_places;
use crate::program::rules::read_rule;
use crate::program::{TokenChange, Version, View};

/// A place where a rule would apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePlace {
    /// The line on which it begins.
    pub line: u32,
    /// What would be asked about it.
    pub question: Arc<str>,
}

/// The places of a version where a rule would apply, in the order of the text.
///
/// # Errors
/// When it is no rule of a language of the program; the error says why.
pub fn list_rule_places(version: &Version, rule: &RuleText) -> Result<Vec<RulePlace>, String> {
    let rules = read_rule(version, rule)?;
    let view = View::new(version.clone());
    let places = rules
        .iter()
        .flat_map(|(_, rule)| find_rule_places(&view, rule));
    let described = places.filter_map(|(edit, why)| {
        let sentence = why.to_sentence(version, &edit, TokenChange::default());
        Some(RulePlace {
            line: version.path_to(why.node?)?.line(),
            question: sentence.question,
        })
    });
    Ok(described.collect())
}
