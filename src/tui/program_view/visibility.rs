//! Which nodes are rows of the tree pane.

use std::sync::Arc;

use crate::program::{Document, NodeShape, ProgramNode};

/// How a node appears in the tree pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeVisibility {
    /// As a row.
    Row,
    /// Not itself, but its children belong to the row above: a group of the normal form.
    Transparent,
    /// Not at all: punctuation.
    Hidden,
}

/// How `node` of `document` appears in the tree pane.
pub fn node_visibility(document: &Document, node: &ProgramNode) -> NodeVisibility {
    let groups = match node.shape {
        NodeShape::Chunk => return NodeVisibility::Transparent,
        NodeShape::End => return NodeVisibility::Hidden,
        NodeShape::Extra | NodeShape::Opaque => return NodeVisibility::Row,
        NodeShape::Token | NodeShape::Regular => false,
        NodeShape::Star
        | NodeShape::Plus
        | NodeShape::Opt
        | NodeShape::Sep
        | NodeShape::Link
        | NodeShape::Item => true,
    };
    match (document.language, node.class) {
        (Some(language), Some(class))
            if node.shape == NodeShape::Token && !language.grammar().is_named(class) =>
        {
            NodeVisibility::Hidden
        }
        (Some(_), None) if node.shape == NodeShape::Token => NodeVisibility::Hidden,
        // The document itself, around what the parser saw.
        (Some(_), None) if node.shape == NodeShape::Regular => NodeVisibility::Transparent,
        (_, Some(_)) => NodeVisibility::Row,
        // Without a grammar the only groups worth a row are those of several tokens: lines.
        (None, None)
            if matches!(node.shape, NodeShape::Item | NodeShape::Link)
                && node.sums().leaves > 1 =>
        {
            NodeVisibility::Row
        }
        (_, None) if groups => NodeVisibility::Transparent,
        (_, None) => NodeVisibility::Row,
    }
}

/// The node if it is a row, else the first row below it.
pub fn first_row<'a>(
    document: &Document,
    node: &'a Arc<ProgramNode>,
) -> Option<&'a Arc<ProgramNode>> {
    match node_visibility(document, node) {
        NodeVisibility::Row => Some(node),
        NodeVisibility::Transparent | NodeVisibility::Hidden => first_row_below(document, node),
    }
}

/// The node that the row of a file stands for: the only outermost row of its tree, or the root where there are several or none.
pub fn file_head(document: &Document) -> &Arc<ProgramNode> {
    let root = &document.root;
    // The root has one leaf more: the end.
    let is_all = |row: &&Arc<ProgramNode>| row.sums().leaves + 1 >= root.sums().leaves;
    first_row(document, root).filter(is_all).unwrap_or(root)
}

/// The first row below a node.
pub fn first_row_below<'a>(
    document: &Document,
    node: &'a ProgramNode,
) -> Option<&'a Arc<ProgramNode>> {
    let mut stack = vec![node.children().iter()];
    while let Some(top) = stack.last_mut() {
        match top.next() {
            None => {
                stack.pop();
            }
            Some(child) => match node_visibility(document, child) {
                NodeVisibility::Row => return Some(child),
                NodeVisibility::Transparent => stack.push(child.children().iter()),
                NodeVisibility::Hidden => {}
            },
        }
    }
    None
}

/// Whether a list is directly below the row.
pub fn has_list(document: &Document, node: &ProgramNode) -> bool {
    let mut stack = vec![node];
    while let Some(top) = stack.pop() {
        for child in top.children() {
            if node_visibility(document, child) == NodeVisibility::Transparent
                && !child.shape.is_leaf()
            {
                if child.shape.is_list() {
                    return true;
                }
                stack.push(child);
            }
        }
    }
    node.shape.is_list()
}
