//! Lists that may be empty as a whole, bodies of functions and fields of structures: where they are, and the fillers of their language.

use std::sync::Arc;

use super::apply::apply;
use super::edit::{Op, Piece};
use super::guard::Guard;
use super::names::Kind;
use super::node::{Node, NodeId};
use super::read::reread;
use super::version::{Trail, Version};
use super::walk;
use crate::grammar::Class;
use crate::language::Filler;

/// The ways to the lists that the names know, in the order of the text, each with whose it is. A way ends at the node whose braces begin
/// the list; or, where its kind has a filler, at the node that begins with it, as a block of Python does with its first statement.
pub fn bodies(version: &Version) -> impl Iterator<Item = (Trail<'_>, Kind)> {
    version.names().braced().iter().filter_map(|braced| {
        let mut trail = version.trail(braced.leaf)?;
        let begins =
            |node: &&Arc<Node>| walk::leaf(node, 0).is_some_and(|leaf| leaf.id == braced.leaf);
        let end = {
            let mut begun = trail.ancestors().take_while(begins);
            let filled = begun.find(|node| filler_of(version, &trail, node).is_some());
            filled.or(trail.parent())?.id
        };
        let depth = trail.nodes.iter().position(|node| node.id == end)?;
        trail.nodes.truncate(depth + 1);
        Some((trail, braced.owner))
    })
}

/// What stands for a node of this kind, in the document of the trail.
fn filler_of<'a>(version: &'a Version, trail: &Trail, node: &Node) -> Option<&'a Filler> {
    let language = version.documents()[trail.document].language?;
    language.filler(node.class?)
}

/// The filler of the kind of the node at the end of the trail; none if it has none.
pub fn filler<'a>(version: &'a Version, trail: &Trail) -> Option<&'a Filler> {
    filler_of(version, trail, trail.node())
}

/// The filler stands for the node; none where that is no larger.
pub fn fill(node: &Node, filler: &Filler) -> Option<Op> {
    let tokens = node.sums.tokens as usize;
    (filler.tokens.len() < tokens).then(|| put(node.id, filler))
}

fn put(node: NodeId, filler: &Filler) -> Op {
    let piece = Piece::Tokens(filler.tokens.clone());
    Op::Replace { node, piece }
}

/// Tries the fillers in the first places of their sorts: how many there are, and a sentence for each that does not do.
pub fn misfits(version: &Version) -> (usize, Vec<String>) {
    let (mut guard, mut tried, mut misfits) = (Guard::default(), Vec::new(), Vec::new());
    for (trail, _) in bodies(version) {
        let Some(filler) = filler(version, &trail) else {
            continue;
        };
        let above = trail.ancestors().find_map(|above| above.class);
        let sort: (usize, Option<Class>, Option<Class>) =
            (trail.document, trail.node().class, above);
        if tried.contains(&sort) {
            continue;
        }
        tried.push(sort);
        if let Some(what) = misfit(version, &mut guard, trail.node().id, filler) {
            let kind = version.kind(trail.document, trail.node());
            misfits.push(format!("`{}` cannot stand for {kind}: {what}", filler.text));
        }
    }
    (tried.len(), misfits)
}

/// Why the filler cannot stand there.
fn misfit(version: &Version, guard: &mut Guard, node: NodeId, filler: &Filler) -> Option<String> {
    let Ok((candidate, _)) = apply(version, &put(node, filler).into()) else {
        return Some("there is no place for it".into());
    };
    let files = candidate.files();
    let Some(trees) = guard.check(version, &candidate, &files, true, &Default::default()) else {
        return Some("the parser finds an error there".into());
    };
    let read = reread(&candidate.clone().with_trees(trees))?;
    let leaves = |version: &Version| -> Vec<Vec<u8>> {
        let roots = version.documents().iter().map(|document| &document.root);
        let leaves = roots.flat_map(walk::leaves);
        leaves.map(|leaf| leaf.text().to_vec()).collect()
    };
    let (ours, its) = (leaves(&candidate), leaves(&read));
    let other = ours.iter().zip(&its).find(|(ours, its)| ours != its);
    other.map(|(ours, its)| {
        let [ours, its] = [ours, its].map(|text| String::from_utf8_lossy(text));
        format!(
            "`{ours}` is no token there, but `{its}` is; there must be a blank between each two"
        )
    })
}
