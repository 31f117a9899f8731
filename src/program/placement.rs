//! What may stand where, by the grammar.

use std::sync::Arc;

use super::grammar_children::GrammarChildren;
use super::node::{NodeFlags, NodeShape, ProgramNode};
use super::version::{NodePath, Version};
use super::walk;

/// The element of a list without its separator.
pub fn strip_separator(node: &Arc<ProgramNode>) -> &Arc<ProgramNode> {
    match node.shape {
        NodeShape::Link => node.children().last().unwrap_or(node),
        _ => node,
    }
}

/// Whether `piece` may stand where the node at the end of `path` stands (Perses, §3.2: its rule is subsumed by the expected one).
pub fn fits_place(version: &Version, path: &NodePath, piece: &ProgramNode) -> bool {
    let place = path.node();
    let (Some(language), Some(expected)) =
        (version.documents()[path.document].language, place.expected)
    else {
        return false;
    };
    let Some(class) = piece.class else {
        // A group of the normal form has no class. It fits if it was derived from an expression that may be chosen there, or from one of its
        // choices that may be: `struct S;` is a group of two, a declaration of a namespace and of the file.
        let group = piece.expected.filter(|_| !piece.shape.is_leaf());
        let grammar = language.grammar();
        let chosen = |group| {
            grammar.covers_expr(expected, group)
                || piece.shape == NodeShape::Item
                    && GrammarChildren::of_part(piece).fit_place(grammar, group, expected)
        };
        return group.is_some_and(chosen) && !place.flags.contains(NodeFlags::CHAINED);
    };
    // The rest of the chain hangs on a chained node. So only a node of its own kind can replace it, unless nothing follows.
    if place.flags.contains(NodeFlags::CHAINED) && piece.class != place.class && !is_chain_end(path)
    {
        return false;
    }
    language.grammar().class_fits(class, expected)
}

/// Whether the chained node at the end of `path` is in the last link and nothing follows the chain in its node.
fn is_chain_end(path: &NodePath) -> bool {
    let mut above = path.ancestors();
    let (Some(link), Some(list), Some(owner)) = (above.next(), above.next(), above.next()) else {
        return false;
    };
    let last =
        walk::item_at(list, list.len().saturating_sub(1)).is_some_and(|last| last.id == link.id);
    last && owner
        .children()
        .last()
        .is_some_and(|child| child.id == list.id)
}

/// Whether all elements of `list` may stand as elements where the node at the end of `path` stands.
pub fn items_fit_place(version: &Version, path: &NodePath, list: &ProgramNode) -> bool {
    !list.is_empty()
        && walk::iter_items(list).all(|item| {
            item.shape == NodeShape::Extra || fits_place(version, path, strip_separator(item))
        })
}
