//! Statements with the lines that hold them: what stands before a statement (labels) and behind it belongs to its line.

use std::sync::Arc;

use super::logic::read::{FoundPlace, statement_places};
use crate::program::names::{DeclarationKind, NameRole, NameSymbol, SymbolLosses};
use crate::program::{NodeId, NodePath, NodeShape, ProgramNode, Version, View, walk};

/// A statement in its line.
pub struct StatementLine<'a> {
    /// Where it stands.
    pub place: FoundPlace<'a>,
    /// The element of a list, or the optional part, that goes with the statement.
    pub line: &'a Arc<ProgramNode>,
    /// The labels in the line: each with the node that goes with it.
    pub labels: Vec<(NameSymbol, NodeId)>,
    /// Whether the statement does nothing.
    pub is_empty: bool,
}

/// The innermost node at or above the end of the path that the grammar allows to remove.
pub fn removable_part<'a>(path: &NodePath<'a>) -> Option<&'a Arc<ProgramNode>> {
    let places = (1..path.nodes.len()).rev();
    let mut removable = places.filter(|&at| {
        let above = path.nodes[at - 1].shape;
        path.nodes[at].shape == NodeShape::Opt || above.is_list() || above == NodeShape::Chunk
    });
    removable.next().map(|at| path.nodes[at])
}

/// All statements, outer before inner.
pub fn statement_lines(view: &View) -> Vec<StatementLine<'_>> {
    let version = &view.version;
    let lines = statement_places(view).into_iter().filter_map(|place| {
        let path = version.path_to(place.node.id)?;
        let line = removable_part(&path)?;
        let first = walk::leaf_at(place.node, 0)?.id;
        let before = walk::iter_leaves(line).take_while(|leaf| leaf.id != first);
        let facts = place.language.statements()?.statement.as_ref()?;
        Some(StatementLine {
            line,
            labels: labels_among(version, before),
            is_empty: place.node.sums().tokens == 1
                && walk::leaf_at(place.node, 0).is_some_and(|leaf| *leaf.text() == facts.1[..]),
            place,
        })
    });
    lines.collect()
}

/// The labels that these leaves declare, each with the node that goes with it.
pub fn labels_among<'a>(
    version: &'a Version,
    leaves: impl Iterator<Item = &'a Arc<ProgramNode>>,
) -> Vec<(NameSymbol, NodeId)> {
    let names = version.name_graph();
    let labels = leaves.flat_map(|leaf| {
        let declared = names.leaf_occurrences(leaf).filter(|found| {
            found.role == NameRole::Declares
                && names.declaration_kind(found.symbol) == Some(DeclarationKind::Label)
        });
        let node = version.path_to(leaf.id).as_ref().and_then(removable_part);
        let node = node.map(|node| node.id);
        declared.filter_map(move |found| Some((found.symbol, node?)))
    });
    labels.collect()
}

/// Whether something jumps to a label, once these uses are lost.
pub fn is_label_used(version: &Version, label: NameSymbol, lost: &SymbolLosses) -> bool {
    let uses = version.name_graph().symbol_count(label).uses;
    uses > lost.count_of(label).uses
}

/// The lines that go with these uses of labels: those that do nothing, and that only such uses kept. `except` is a line that the caller
/// changes.
pub fn unneeded_lines(
    version: &Version,
    lines: &[StatementLine],
    lost: &SymbolLosses,
    except: NodeId,
) -> Vec<NodeId> {
    let is_used = |&(label, _): &(NameSymbol, NodeId)| is_label_used(version, label, lost);
    let was_kept = |&(label, _): &(NameSymbol, NodeId)| lost.count_of(label).uses > 0;
    let unneeded = lines.iter().filter(|line| {
        line.is_empty
            && line.line.id != except
            && line.labels.iter().any(was_kept)
            && !line.labels.iter().any(is_used)
    });
    unneeded.map(|line| line.line.id).collect()
}
