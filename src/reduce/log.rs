//! Every decision, and which nodes it was about: why is this still here?

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxBuildHasher;

use super::event::{Decided, Decision, Ending};
use crate::program::{Edit, NodeId, Op, Version, element, walk};

/// A question of so many elements is remembered with their list alone.
const ELEMENTS: u32 = 32;
/// A question in so many places is remembered with the first of them.
const PLACES: usize = 64;

/// A decision, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Its number.
    pub decision: Decision,
    /// How it ended.
    pub ending: Ending,
    /// Why it was asked.
    pub sentence: Arc<str>,
    /// How long the test took; none when the cache knew.
    pub time: Option<Duration>,
    /// The number of the version that it was about.
    pub version: u64,
    /// The nodes of that version that it was about.
    pub nodes: Arc<[NodeId]>,
}

type ByNode = imbl::GenericHashMap<
    NodeId,
    imbl::Vector<u32>,
    FxBuildHasher,
    imbl::shared_ptr::DefaultSharedPtr,
>;

/// All decisions. Cloning costs a few reference counts.
#[derive(Clone, Debug, Default)]
pub struct Log {
    tried: imbl::Vector<Arc<Tried>>,
    by_node: ByNode,
}

impl Log {
    /// One more decision, about an edit of this version.
    pub fn add(&mut self, decided: &Decided, number: u64, version: &Version) {
        let at = self.tried.len() as u32;
        let nodes: Arc<[NodeId]> = places(&decided.edit, version).into();
        self.tried.push_back(Arc::new(Tried {
            decision: decided.decision,
            ending: decided.ending,
            sentence: decided.sentence.as_str().into(),
            time: decided.time,
            version: number,
            nodes: nodes.clone(),
        }));
        for &node in nodes.iter() {
            let mut known = self.by_node.get(&node).cloned().unwrap_or_default();
            if known.last() != Some(&at) {
                known.push_back(at);
                self.by_node.insert(node, known);
            }
        }
    }

    /// All decisions, oldest first.
    pub fn all(&self) -> &imbl::Vector<Arc<Tried>> {
        &self.tried
    }

    /// The decisions about a node, oldest first.
    pub fn of(&self, node: NodeId) -> impl DoubleEndedIterator<Item = &Arc<Tried>> {
        let known = self.by_node.get(&node).into_iter();
        known
            .flat_map(imbl::Vector::iter)
            .filter_map(|&at| self.tried.get(at as usize))
    }

    /// How many decisions were about a node.
    pub fn count(&self, node: NodeId) -> usize {
        self.by_node.get(&node).map_or(0, imbl::Vector::len)
    }
}

/// The nodes that an edit is about.
fn places(edit: &Edit, version: &Version) -> Vec<NodeId> {
    let mut places = Vec::new();
    for op in edit.ops.iter().take(PLACES) {
        match op {
            Op::Delete(node) | Op::Replace { node, .. } => places.push(*node),
            Op::DeleteItems { list, items } => {
                places.push(*list);
                if items.len() <= ELEMENTS
                    && let Some(list) = version.node(*list)
                {
                    places.extend(walk::picked(list, items).map(|item| element(item).id));
                }
            }
            Op::StripMarkers | Op::Rewrite(_) => {}
        }
    }
    places
}
