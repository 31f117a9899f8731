//! The literals of a program by their texts, and the words and signs that may become others.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::short_names::replace_text;
use crate::grammar::NodeClass;
use crate::language::LiteralTexts;
use crate::program::{Edit, NodeId, QuestionWords, View, walk};

/// A literal, and all places where it stands.
#[derive(Clone, Debug)]
pub struct LiteralPlaces {
    /// Its text.
    pub text: Arc<[u8]>,
    /// What it may become.
    pub rule: &'static LiteralTexts,
    /// The leaves with this text, in their order: those that the constraints leave open.
    pub leaves: Vec<NodeId>,
}

impl LiteralPlaces {
    /// The literals, words and signs that the language says something of, in the order of the text.
    pub fn list_all(view: &View) -> Vec<LiteralPlaces> {
        let mut found: Vec<LiteralPlaces> = Vec::new();
        let mut places: FxHashMap<(NodeClass, &[u8]), usize> = FxHashMap::default();
        let open =
            |leaf| view.constraints.is_empty() || view.constraints.node_exclusion(leaf).is_none();
        for document in view.version.documents() {
            let Some(language) = document.language else {
                continue;
            };
            for leaf in walk::iter_leaves(&document.root).filter(|leaf| open(leaf)) {
                let known = leaf
                    .class
                    .and_then(|class| Some((class, language.simpler_texts(class)?)));
                let Some((class, rule)) = known else {
                    continue;
                };
                let at = *places.entry((class, leaf.text())).or_insert_with(|| {
                    found.push(LiteralPlaces {
                        text: leaf.text().into(),
                        rule,
                        leaves: Vec::new(),
                    });
                    found.len() - 1
                });
                found[at].leaves.push(leaf.id);
            }
        }
        found
    }

    /// Whether it is as simple as a literal can be.
    pub fn is_simple(&self) -> bool {
        self.rule.simple.iter().any(|simple| **simple == *self.text)
    }
}

/// The edit that puts a text into the places of a literal.
pub fn write_literal(leaves: &[NodeId], text: &[u8]) -> Edit {
    leaves
        .iter()
        .map(|&leaf| replace_text(leaf, text))
        .collect()
}

/// The question about it.
pub fn describe_literal(old: &[u8], new: &[u8], places: usize) -> QuestionWords {
    let words = QuestionWords::ask_change(&literal_excerpt(old), &literal_excerpt(new));
    match places {
        1 => words,
        places => words.because(format!("in {places} places")),
    }
}

/// How the text of a literal begins.
pub fn literal_excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.char_indices().nth(30) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}
