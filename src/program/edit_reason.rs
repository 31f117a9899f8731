//! Why an edit is proposed: data, and one function that makes a sentence of it.

use std::borrow::Cow;
use std::sync::Arc;

use super::node::NodeId;
use super::token_change::TokenChange;
use super::version::Version;
use super::walk;
use crate::display::{EscapeHidden, floor_escape_boundary, format_count};

/// What an edit would do, for people. An action that only one pass has is an [`EditAction::Question`] in the words of that pass, so a new
/// pass needs nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditAction {
    /// Some elements of a list are removed.
    DropItems {
        /// How many would be removed.
        go: u32,
        /// How many there are.
        of: u32,
        /// The first that would be removed.
        first: Option<NodeId>,
    },
    /// An optional part is removed.
    DropOptional,
    /// A node is removed that the grammar allows to remove.
    DropNode,
    /// Something below the node replaces it.
    ReplaceBy(NodeId),
    /// The elements of a list below the node replace it.
    SpliceItems(NodeId),
    /// All that is around the node is removed.
    KeepOnly,
    /// Some of the units that a pass has listed are removed.
    DropUnits {
        /// What they are.
        what: ActionUnit,
        /// How many would be removed.
        go: u32,
        /// How many there are.
        of: u32,
    },
    /// A question that is the whole sentence.
    Question(Cow<'static, str>),
    /// A rule is applied.
    Rule {
        /// The name of the rule.
        name: Arc<str>,
        /// What becomes what.
        change: Arc<str>,
    },
    /// The same happens to several similar places at once.
    SimilarPlaces {
        /// What happens to the first place.
        action: Box<EditAction>,
        /// How many other places there are.
        others: u32,
    },
    /// Another action, and a fact about the names that it concerns.
    WithNameFact {
        /// The action.
        action: Box<EditAction>,
        /// The fact: a clause that ends the sentence.
        fact: Arc<str>,
    },
}

/// The name of a list's units: `part` `on level 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionUnit {
    noun: &'static str,
    /// What follows the noun, with a blank before it, or nothing.
    qualifier: Cow<'static, str>,
}

impl ActionUnit {
    /// A unit of this name, in the singular, without a qualifier.
    pub const fn named(noun: &'static str) -> ActionUnit {
        ActionUnit {
            noun,
            qualifier: Cow::Borrowed(""),
        }
    }

    /// A unit of this name, in the singular, with a qualifier after the name.
    pub fn qualified(noun: &'static str, qualifier: impl std::fmt::Display) -> ActionUnit {
        ActionUnit {
            noun,
            qualifier: format!(" {qualifier}").into(),
        }
    }
}

/// How the sentence about a rule begins; the name of the rule follows in quotes.
pub const RULE_PREFIX: &str = "rule ";

/// Why an edit is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditReason {
    /// The name of the pass.
    pub pass: &'static str,
    /// What would happen.
    pub action: EditAction,
    /// Where: the list, the optional part, or the node that would be replaced.
    pub node: Option<NodeId>,
}

impl EditReason {
    /// The sentence for `version`, the version that the edit changes. `change` is what it does to the number of tokens.
    pub fn to_sentence(&self, version: &Version, change: TokenChange) -> String {
        let name = |id: NodeId| describe_node(version, id);
        let place = self.node.map(name).unwrap_or_else(|| "the program".into());
        let (action, fact) = match &self.action {
            EditAction::WithNameFact { action, fact } => (&**action, Some(fact)),
            action => (action, None),
        };
        let (action, others) = match action {
            EditAction::SimilarPlaces { action, others } => (&**action, *others),
            action => (action, 0),
        };
        let what = match action {
            EditAction::DropItems {
                go,
                of: 1,
                first: Some(first),
            } if *go == 1 => format!("does {place} need its only element, {}?", name(*first)),
            EditAction::DropItems {
                go,
                of,
                first: Some(first),
            } if *go == 1 => format!("can {} go? one of {of} in {place}", name(*first)),
            EditAction::DropItems { go, of, .. } if go == of => {
                format!("can all {of} elements of {place} go?")
            }
            EditAction::DropItems { go, of, .. } => {
                format!("can {go} of the {of} elements of {place} go?")
            }
            EditAction::DropOptional => format!("can {place} go? the grammar makes it optional"),
            EditAction::DropNode => format!("can {place} go?"),
            EditAction::ReplaceBy(piece) => {
                let piece = name(*piece);
                // A node without a kind has an article.
                let its = if piece.starts_with("the ") {
                    ""
                } else {
                    "its "
                };
                format!("{place} could be {its}{piece}, which the grammar allows here")
            }
            EditAction::SpliceItems(list) => {
                format!("{place} could be what it contains: {}", name(*list))
            }
            EditAction::DropUnits { what, go, of } => {
                let ActionUnit { noun, qualifier } = what;
                let place = match self.node {
                    Some(_) => format!(" of {place}"),
                    None => qualifier.to_string(),
                };
                match go == of {
                    true if *of == 1 => format!("can the only {noun}{place} go?"),
                    true => format!("can all {}{place} go?", format_count((*of).into(), noun)),
                    false => format!(
                        "can {go} of {}{place} go?",
                        format_count((*of).into(), noun)
                    ),
                }
            }
            EditAction::KeepOnly => format!("can all go that is around {place}?"),
            EditAction::Question(question) => question.to_string(),
            EditAction::Rule { name, change } => {
                format!("{RULE_PREFIX}{}: {change}", quote_text(name))
            }
            EditAction::WithNameFact { .. } | EditAction::SimilarPlaces { .. } => {
                "can this go?".into()
            }
        };
        let what = match others {
            0 => what,
            _ => format!(
                "in {} at once: {what}",
                format_count(u64::from(others) + 1, "place")
            ),
        };
        let what = match fact {
            None => what,
            Some(fact) if what.ends_with('?') => format!("{what} {fact}"),
            Some(fact) => format!("{what}; {fact}"),
        };
        match change.describe() {
            None => what,
            Some(change) => format!("{what} ({change})"),
        }
    }
}

/// A name, and how many others there are.
pub fn format_names(name: &str, others: u32) -> String {
    let name = quote_text(name);
    match others {
        0 => name,
        1 => format!("{name} and one more name"),
        _ => format!("{name} and {others} more names"),
    }
}

/// A piece of the program, quoted in a sentence.
pub fn quote_text(text: &str) -> String {
    format!("`{}`", text.escape_hidden())
}

/// A node in words: its kind and how it begins. A group is named after the node it belongs to.
fn describe_node(version: &Version, id: NodeId) -> String {
    let Some(path) = version.path_to(id) else {
        return "something".into();
    };
    let node = path.node();
    let (kind, owner) = (
        version.kind_name(path.document, node),
        path.ancestors().find(|above| above.class.is_some()),
    );
    let begins = node_excerpt(version, id, 24);
    match owner.filter(|_| node.class.is_none()) {
        Some(owner) => format!(
            "the {kind} `{begins}` of {}",
            version.kind_name(path.document, owner)
        ),
        None => format!("{kind} `{begins}`"),
    }
}

/// How the text of a node begins, with hidden characters escaped: at most `limit` characters on one line, and an ellipsis where it is
/// longer.
pub fn node_excerpt(version: &Version, id: NodeId, limit: usize) -> String {
    version
        .find_node(id)
        .map(|node| text_excerpt(node, limit))
        .unwrap_or_default()
}

/// As [`node_excerpt`], for a node that is known.
pub fn text_excerpt(node: &Arc<super::node::ProgramNode>, limit: usize) -> String {
    let mut text = String::new();
    for leaf in walk::iter_leaves(node) {
        if !text.is_empty() && !leaf.trivia().is_empty() {
            text.push(' ');
        }
        // Several lines become one.
        let words = leaf.text().split(u8::is_ascii_whitespace);
        for (at, word) in words.enumerate() {
            if at > 0 {
                text.push(' ');
            }
            text.push_str(&word.escape_hidden());
            if text.chars().count() > limit {
                let end = text.char_indices().nth(limit.saturating_sub(1));
                let end = end.map_or(text.len(), |(at, _)| floor_escape_boundary(&text, at));
                return format!("{}…", text[..end].trim_end());
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::read_program;

    #[test]
    fn a_noun_agrees_with_its_number_and_what_follows_it_stays() {
        let file = (Path::new("a.c").into(), b"int a;"[..].into());
        let version = read_program(vec![file]).expect("a program");
        let sentence = |what: ActionUnit, go, of| {
            let action = EditAction::DropUnits { what, go, of };
            let (pass, node) = ("a pass", None);
            EditReason { pass, action, node }.to_sentence(&version, TokenChange::default())
        };
        let subtree = || ActionUnit::qualified("subtree", "that the variant has instead");
        let group = ActionUnit::qualified("group", "of hunks");
        assert_eq!(
            sentence(subtree(), 1, 12),
            "can 1 of 12 subtrees that the variant has instead go?"
        );
        assert_eq!(
            sentence(subtree(), 1, 1),
            "can the only subtree that the variant has instead go?"
        );
        assert_eq!(sentence(group, 4, 4), "can all 4 groups of hunks go?");
    }
}
