//! The simplest text of a kind of nodes.

use crate::grammar::NodeClass;
use crate::language::Language;

/// What is said of a class of nodes, else of the first class of its kind of which something is said. Nodes are of one kind if a rule of the
/// grammar chooses between them (`Grammar::are_related`).
pub fn find_for_kind<T>(
    language: &'static Language,
    class: NodeClass,
    text_of: impl Fn(NodeClass) -> Option<T>,
) -> Option<T> {
    let grammar = language.grammar();
    let mut related = grammar
        .classes()
        .filter(|&other| grammar.are_related(class, other));
    text_of(class).or_else(|| related.find_map(text_of))
}
