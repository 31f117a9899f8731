//! Lists that may be emptied, which are bodies of functions and fields of structures: where they are, and the fillers of their language.

use std::sync::Arc;

use super::apply::apply_edit;
use super::edit::{EditOp, Replacement};
use super::names::DeclarationKind;
use super::node::{NodeId, NodeShape, ProgramNode};
use super::parse_check::ParseChecker;
use super::path_finder::PathFinder;
use super::reread::reparse_version;
use super::version::{NodePath, Version};
use super::walk;
use crate::grammar::NodeClass;
use crate::language::NodeFiller;
use crate::protocol::abandon::count_round;

/// The paths to the lists that the name graph knows, in the order of the text, each with the kind of its owner. A path ends at
/// the node whose braces begin the list; where a grammar in BNF marks a list, at the list or at the optional part that it is. If the kind of a node has a filler, the path ends at the node that begins with the list, as a
/// block of Python begins with its first statement.
pub fn find_bodies(version: &Version) -> impl Iterator<Item = (NodePath<'_>, DeclarationKind)> {
    let mut paths = PathFinder::new(version);
    version
        .name_graph()
        .braced_lists()
        .iter()
        .filter_map(move |braced| {
            count_round();
            let mut path = paths.path_to(braced.leaf)?.clone();
            let begins = |node: &&Arc<ProgramNode>| {
                walk::leaf_at(node, 0).is_some_and(|leaf| leaf.id == braced.leaf)
            };
            let end = {
                let begun = || path.ancestors().take_while(begins);
                let filled = begun().find(|node| filler_for_node(version, &path, node).is_some());
                // A grammar in BNF marks the list itself.
                let marked = || match version.documents()[path.document].language {
                    Some(language) if language.bnf_grammar().is_some() => {
                        let may_go = |node: &&Arc<ProgramNode>| {
                            node.shape.is_list() || node.shape == NodeShape::Opt
                        };
                        begun().filter(may_go).last()
                    }
                    _ => path.parent(),
                };
                filled.or_else(marked)?.id
            };
            let depth = path.nodes.iter().position(|node| node.id == end)?;
            path.nodes.truncate(depth + 1);
            Some((path, braced.owner))
        })
}

/// The filler for a node of this kind, in the document of the path.
fn filler_for_node<'a>(
    version: &'a Version,
    path: &NodePath,
    node: &ProgramNode,
) -> Option<&'a NodeFiller> {
    let language = version.documents()[path.document].language?;
    language.class_filler(node.class?)
}

/// The filler of the kind of the node at the end of the path; none if it has none.
pub fn filler_at<'a>(version: &'a Version, path: &NodePath) -> Option<&'a NodeFiller> {
    filler_for_node(version, path, path.node())
}

/// The replacement of the node by the filler; none where the filler is not smaller.
pub fn fill_node(node: &ProgramNode, filler: &NodeFiller) -> Option<EditOp> {
    let tokens = node.sums().tokens as usize;
    (filler.tokens.len() < tokens).then(|| replace_with_filler(node.id, filler))
}

fn replace_with_filler(node: NodeId, filler: &NodeFiller) -> EditOp {
    let piece = Replacement::Tokens(filler.tokens.clone());
    EditOp::Replace { node, piece }
}

/// Tries the fillers in the first places of their kinds. Returns how many there are, and a sentence for each that does not fit.
pub fn check_fillers(version: &Version) -> (usize, Vec<String>) {
    let (mut guard, mut tried, mut misfits) = (ParseChecker::default(), Vec::new(), Vec::new());
    for (path, _) in find_bodies(version) {
        let Some(filler) = filler_at(version, &path) else {
            continue;
        };
        let above = path.ancestors().find_map(|above| above.class);
        let sort: (usize, Option<NodeClass>, Option<NodeClass>) =
            (path.document, path.node().class, above);
        if tried.contains(&sort) {
            continue;
        }
        tried.push(sort);
        if let Some(what) = check_filler(version, &mut guard, path.node().id, filler) {
            let kind = version.kind_name(path.document, path.node());
            misfits.push(format!("`{}` cannot stand for {kind}: {what}", filler.text));
        }
    }
    (tried.len(), misfits)
}

/// Why the filler cannot stand there.
fn check_filler(
    version: &Version,
    guard: &mut ParseChecker,
    node: NodeId,
    filler: &NodeFiller,
) -> Option<String> {
    let Ok((candidate, _)) = apply_edit(version, &replace_with_filler(node, filler).into()) else {
        return Some("there is no place for it".into());
    };
    let texts = candidate.render_texts();
    let Some(trees) = guard.check_candidate(version, &candidate, &texts, true, &Default::default())
    else {
        return Some("the parser finds an error there".into());
    };
    let read = reparse_version(&candidate.clone().with_parse_trees(trees))?;
    let leaves = |version: &Version| -> Vec<Vec<u8>> {
        let roots = version.documents().iter().map(|document| &document.root);
        let leaves = roots.flat_map(walk::iter_leaves);
        leaves.map(|leaf| leaf.text().to_vec()).collect()
    };
    let (ours, its) = (leaves(&candidate), leaves(&read));
    let other = ours.iter().zip(&its).find(|(ours, its)| ours != its);
    other.map(|(ours, its)| {
        let [ours, its] = [ours, its].map(|text| String::from_utf8_lossy(text));
        format!(
            "`{ours}` is not a token there, but `{its}` is; there must be a blank between each two"
        )
    })
}
