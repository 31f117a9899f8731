//! Nodes in the words of an algorithm: `main()  function_definition`, the rule that derives a node, and the lines that a chunk has.

use std::sync::Arc;

use crate::program::names::DeclarationKind;
use crate::program::{NodeId, NodeShape, ProgramNode, Version, declared_name, text_excerpt, walk};
use crate::protocol::ListChunk;

/// How many characters of a text stand for a node without a name.
const EXCERPT_LENGTH: usize = 40;

/// A node as a row of a queue shows it.
pub struct QueuedNode {
    /// Its tokens.
    pub tokens: u32,
    /// The name that it declares, else how its text begins.
    pub name: String,
    /// Its kind in the grammar; of a list or an optional part the kind of the node that it belongs to, with a sign.
    pub kind: String,
}

/// A node of a queue; none if it is gone.
pub fn describe_queued(version: &Version, id: NodeId) -> Option<QueuedNode> {
    let path = version.path_to(id)?;
    let node = path.node();
    let named = std::iter::once(node).chain(path.ancestors());
    let owner = named.into_iter().find(|node| node.class.is_some());
    let sign = match node.shape {
        _ if node.class.is_some() => "",
        NodeShape::Opt => "?",
        NodeShape::Plus => "+",
        shape if shape.is_list() => "*",
        _ => "",
    };
    let kind = owner.map_or("part", |owner| version.kind_name(path.document, owner));
    Some(QueuedNode {
        tokens: node.sums().tokens,
        name: name_node(version, node),
        kind: format!("{kind}{sign}"),
    })
}

/// The name that a node declares, with brackets behind that of a function; else how its text begins.
fn name_node(version: &Version, node: &Arc<ProgramNode>) -> String {
    match declared_name(version, node) {
        Some((name, DeclarationKind::Function)) => format!("{name}()"),
        Some((name, _)) => name.to_string(),
        None => text_excerpt(node, EXCERPT_LENGTH),
    }
}

/// The rule in normal form by which a node is derived, or the one that it is a list or an optional part of: its name and its body.
pub fn describe_rule(version: &Version, id: NodeId) -> Option<(String, String)> {
    let path = version.path_to(id)?;
    let language = version.documents()[path.document].language?;
    let grammar = language.grammar();
    let named = std::iter::once(path.node()).chain(path.ancestors());
    let derived = named.into_iter().find_map(|node| {
        let rule = grammar.rule_of_class(node.class?)?;
        Some((node, rule))
    });
    let (node, rule) = derived?;
    let body = grammar.describe_expr(grammar.rule_body(rule));
    Some((version.kind_name(path.document, node).to_owned(), body))
}

/// Where a leaf is used: the number of its line.
pub fn line_of(version: &Version, id: NodeId) -> Option<u32> {
    version.path_to(id).map(|path| path.line())
}

/// The lines of a chunk: the first and the last; none if it is not there.
pub fn chunk_lines(version: &Version, chunk: &ListChunk<NodeId>) -> Option<(u32, u32)> {
    let first = line_of(version, chunk.first)?;
    let last = version.find_node(chunk.last)?;
    let leaf = walk::leaf_at(last, last.sums().leaves.checked_sub(1)?)?;
    Some((first, line_of(version, leaf.id)?))
}

/// How a chunk begins; nothing where its first element is a leaf, which says too little.
pub fn chunk_words(version: &Version, chunk: &ListChunk<NodeId>) -> String {
    let first = version.find_node(chunk.first);
    let first = first.filter(|node| !node.shape.is_leaf());
    first.map_or_else(String::new, |node| name_node(version, node))
}
