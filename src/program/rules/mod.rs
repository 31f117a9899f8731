//! Rules with holes on a program: where one matches, and the edit that applies it.
//!
//! A rule is about one node of the tree whose tokens are those of its pattern, with a node in the place of each hole (`matching.rs`). What
//! the holes hold stays with its identities, as far as the other side has it in the order of the text; all else that the other side has is new
//! text (`rewriting.rs`). Nothing is known of kinds of nodes: where the other side does not fit, the parse check says so.

mod conditions;
mod matching;
mod rewriting;

use std::sync::Arc;

pub use matching::{RuleMatch, match_rule};
pub use rewriting::rewrite_node;

use super::version::Version;
use crate::language::{Language, RewriteRule, RuleText};

/// A rule of the user's in the languages of a program: in those in which it can be read.
///
/// # Errors
/// When there is none; the error says why.
pub fn read_rule(
    version: &Version,
    text: &RuleText,
) -> Result<Vec<(&'static Language, Arc<RewriteRule>)>, String> {
    let mut languages: Vec<&'static Language> = Vec::new();
    for language in version
        .documents()
        .iter()
        .filter_map(|document| document.language)
    {
        if !languages.iter().any(|known| std::ptr::eq(*known, language)) {
            languages.push(language);
        }
    }
    let mut problem =
        "a rule needs a program in a language that lop knows; --language names one".to_string();
    let mut read = Vec::new();
    for language in languages {
        match RewriteRule::new(language, text) {
            Ok(rule) => read.push((language, Arc::new(rule))),
            Err(error) => problem = error,
        }
    }
    match read.is_empty() {
        true => Err(problem),
        false => Ok(read),
    }
}

/// The rules of a run besides those of its languages, and what rules were worth so far.
#[derive(Clone, Debug, Default)]
pub struct RunRules {
    /// The user's, each with the language that it was read in.
    pub added: Vec<(&'static Language, Arc<RewriteRule>)>,
    /// How often a rule of this name was accepted.
    paid: Vec<(Arc<str>, u32)>,
}

impl RunRules {
    /// A rule was accepted.
    pub fn record_accept(&mut self, name: &Arc<str>) {
        match self.paid.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => self.paid.push((name.clone(), 1)),
        }
    }

    /// These with the user's rules of `other`.
    pub fn with_added_of(&self, other: &RunRules) -> RunRules {
        RunRules {
            added: other.added.clone(),
            paid: self.paid.clone(),
        }
    }

    /// How often a rule was accepted.
    pub fn accepts_of(&self, name: &str) -> u32 {
        let mut paid = self.paid.iter();
        let known = paid.find(|(known, _)| **known == *name);
        known.map_or(0, |(_, count)| *count)
    }

    /// The rules for programs of a language: the user's, the newest first, then the language's own.
    pub fn rules_for(
        &self,
        language: &'static Language,
    ) -> impl Iterator<Item = (bool, &Arc<RewriteRule>)> {
        let added = self.added.iter().rev();
        let added = added.filter(move |(of, _)| std::ptr::eq(*of, language));
        let own = language.rules().iter().map(|rule| (false, rule));
        added.map(|(_, rule)| (true, rule)).chain(own)
    }
}
