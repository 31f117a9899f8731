//! In a pair, what goes from the seed goes from the variant too: the difference is kept while what both have in common becomes small
//! (PPR, FSE 2023, algorithm 4).
//!
//! The tokens that an edit takes from the seed have twins in the variant; these go with them, as the largest nodes that consist of such twins
//! only. What the variant has more stays, and so stands behind the nearest token before it that is left. If that is not interesting and all
//! that was around it went, it goes too, in one more candidate. New tokens come into both documents alike.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{EditFilter, FilterKind, FilteredPass};
use crate::pass::shared::removable::deletion_edit;
use crate::program::pair::{TwinMap, compare_leaves, cover_leaves, token_leaves};
use crate::program::{
    Edit, EditOp, EditReason, NodeId, NodeShape, ProgramNode, Replacement, Version, View,
    apply_edit,
};

/// Twins.
pub static TWINS: FilterKind = FilterKind {
    name: "twins",
    description: "in a pair, what goes from the seed goes from the variant too",
    feature: None,
    wrap: |pass| FilteredPass::new_boxed(pass, TwinFilter::default()),
};

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct TwinFilter {
    /// The candidate that was proposed after another one failed.
    fallback: Option<Edit>,
}

impl EditFilter for TwinFilter {
    fn filter_edit(
        &self,
        view: &View,
        edit: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        let twins = view.version.twins()?;
        Some((double_edit(&view.version, twins, edit)?, why.clone()))
    }

    fn propose_fallback(
        &mut self,
        view: &View,
        asked: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        if self
            .fallback
            .take()
            .is_some_and(|fallback| fallback == *asked)
        {
            return None;
        }
        let twins = view.version.twins()?;
        let edit = take_surrounded(&view.version, twins, asked)?;
        self.fallback = Some(edit.clone());
        Some((edit, why.clone()))
    }
}

/// The edit of the user's after which of no token of a pair only one twin is gone: the twins of what goes from one document go from the other
/// too.
pub fn remove_twins_too(version: &Version, mut edit: Edit) -> Edit {
    let (Some(twins), Ok((candidate, _))) = (version.twins(), apply_edit(version, &edit)) else {
        return edit;
    };
    let pairs = version.documents().iter().zip(candidate.documents());
    let gone: FxHashSet<NodeId> = pairs
        .flat_map(|(old, new)| compare_leaves(&old.root, &new.root).gone)
        .collect();
    let twins = gone.iter().filter_map(|leaf| twins.twin_of(*leaf));
    let going: FxHashSet<NodeId> = twins.filter(|twin| !gone.contains(twin)).collect();
    for document in version.documents() {
        let nodes = cover_leaves(&document.root, &going);
        edit.ops.extend(deletion_edit(version, &nodes).ops);
    }
    edit
}

/// This edit of the seed, and the same of the variant. None where the variant has no place for a new token.
fn double_edit(version: &Version, twins: &TwinMap, edit: &Edit) -> Option<Edit> {
    let [seed, variant] = version.documents() else {
        return None;
    };
    let edit = &seed_part(version, edit);
    let (candidate, _) = apply_edit(version, edit).ok()?;
    let gone = compare_leaves(&seed.root, &candidate.documents()[0].root).gone;
    let mut going: FxHashSet<NodeId> = gone
        .iter()
        .filter_map(|leaf| twins.twin_of(*leaf))
        .collect();
    let mut doubled = edit.clone();
    for op in &edit.ops {
        if let EditOp::Replace {
            node,
            piece: Replacement::Tokens(texts),
        } = op
        {
            let place = find_twin_node(version, twins, *node)?;
            let leaves = token_leaves(&place);
            leaves.iter().for_each(|leaf| {
                going.remove(&leaf.id);
            });
            let piece = Replacement::Tokens(texts.clone());
            doubled.ops.push(EditOp::Replace {
                node: place.id,
                piece,
            });
        }
    }
    let nodes = cover_leaves(&variant.root, &going);
    doubled.ops.extend(deletion_edit(version, &nodes).ops);
    Some(doubled)
}

/// What an edit does to the seed. Names may tell a filter of the variant as well.
fn seed_part(version: &Version, edit: &Edit) -> Edit {
    let is_of_seed = |op: &&EditOp| {
        let path = op.target().and_then(|target| version.path_to(target));
        path.is_some_and(|path| path.document == 0)
    };
    edit.ops.iter().filter(is_of_seed).cloned().collect()
}

/// The same edit, and what only the variant has goes too where the tokens on both sides of it go. None where there is no such place.
fn take_surrounded(version: &Version, twins: &TwinMap, edit: &Edit) -> Option<Edit> {
    let [_, variant] = version.documents() else {
        return None;
    };
    if twins.pair_count() == variant.root.sums().tokens {
        return None;
    }
    let (candidate, _) = apply_edit(version, edit).ok()?;
    let gone = compare_leaves(&variant.root, &candidate.documents()[1].root).gone;
    let mut going: FxHashSet<NodeId> = gone.into_iter().collect();
    let (mut surrounded, mut run) = (Vec::new(), Vec::new());
    let mut is_after_gone = false;
    for leaf in token_leaves(&variant.root) {
        if twins.twin_of(leaf.id).is_none() && !going.contains(&leaf.id) {
            run.push(leaf.id);
            continue;
        }
        let goes = going.contains(&leaf.id);
        match is_after_gone && goes {
            true => surrounded.append(&mut run),
            false => run.clear(),
        }
        is_after_gone = goes;
    }
    if surrounded.is_empty() {
        return None;
    }
    going.extend(surrounded);
    let mut wider = seed_part(version, edit);
    // A new token stands in the place of a node, which stays until then.
    for op in variant_fillers(version, edit) {
        let place = op.target().and_then(|node| version.find_node(node))?;
        token_leaves(place).iter().for_each(|leaf| {
            going.remove(&leaf.id);
        });
        wider.ops.push(op.clone());
    }
    let nodes = cover_leaves(&variant.root, &going);
    wider.ops.extend(deletion_edit(version, &nodes).ops);
    Some(wider)
}

/// What of an edit puts new tokens into the variant.
fn variant_fillers<'a>(version: &'a Version, edit: &'a Edit) -> impl Iterator<Item = &'a EditOp> {
    let is_filler = |op: &&EditOp| {
        let path = op.target().and_then(|target| version.path_to(target));
        matches!(
            op,
            EditOp::Replace {
                piece: Replacement::Tokens(_),
                ..
            }
        ) && path.is_some_and(|path| path.document == 1)
    };
    edit.ops.iter().filter(is_filler)
}

/// The node of the variant that consists of the twins of this node of the seed, and nothing else.
fn find_twin_node(version: &Version, twins: &TwinMap, node: NodeId) -> Option<Arc<ProgramNode>> {
    let leaves = token_leaves(version.find_node(node)?);
    let wanted: Option<FxHashSet<NodeId>> =
        leaves.iter().map(|leaf| twins.twin_of(leaf.id)).collect();
    let wanted = wanted?;
    let path = version.path_to(twins.twin_of(leaves.first()?.id)?)?;
    let mut upwards = path.nodes.iter().rev();
    let around = upwards.find(|node| {
        node.shape != NodeShape::Chunk && node.sums().tokens as usize >= wanted.len()
    })?;
    let exact = token_leaves(around)
        .iter()
        .all(|leaf| wanted.contains(&leaf.id));
    exact.then(|| (*around).clone())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language;
    use crate::program::{read_pair, walk};

    fn python_pair(seed: &str, variant: &str) -> Version {
        let source = |name: &str, text: &str| {
            let path = Arc::from(Path::new(name));
            (
                language::by_name("python"),
                path,
                Arc::from(text.as_bytes()),
            )
        };
        read_pair(source("seed.py", seed), source("variant.py", variant)).expect("a pair")
    }

    /// The largest node of the seed with this text.
    fn find_in_seed(version: &Version, text: &str) -> Arc<ProgramNode> {
        let mut nodes = walk::preorder(&version.documents()[0].root);
        let is_it = |node: &&Arc<ProgramNode>| {
            let own = walk::render_text(node);
            node.shape != NodeShape::Chunk && own.trim_ascii() == text.as_bytes()
        };
        nodes.find(is_it).expect("it is there").clone()
    }

    #[test]
    fn what_is_surrounded_goes_and_new_tokens_stay_in_both() {
        let version = python_pair(
            "def f():\n    a()\n\np()\nq()\nr()\n",
            "def f():\n    a()\n\np()\nw()\nq()\nr()\n",
        );
        let calls = ["p()", "q()"].map(|text| find_in_seed(&version, text).id);
        let mut edit = deletion_edit(&version, &calls);
        edit.ops.push(EditOp::Replace {
            node: find_in_seed(&version, "a()").id,
            piece: Replacement::Tokens([Arc::from(&b"pass"[..])].into()),
        });
        let twins = version.twins().expect("a pair");
        let doubled = double_edit(&version, twins, &edit).expect("an edit");
        let wider = take_surrounded(&version, twins, &doubled).expect("w() is surrounded");
        for (edit, variant) in [
            (doubled, "def f(): pass w() r()"),
            (wider, "def f(): pass r()"),
        ] {
            let (candidate, _) = apply_edit(&version, &edit).expect("it can be made");
            let texts = candidate.documents().iter().map(|document| {
                let text = walk::render_text(&document.root);
                let text = String::from_utf8(text).expect("UTF-8");
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            });
            let texts: Vec<String> = texts.collect();
            assert_eq!(texts, ["def f(): pass r()", variant]);
        }
    }
}
