//! Every decision, and which nodes it was about: why is this still here?

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxBuildHasher;

use crate::oracle::Verdict;
use crate::program::{Edit, NodeId, Version, strip_separator};
use crate::reduce::decision::{Decision, DecisionDetails};

/// A decision about this number of elements or more is remembered with their list alone.
const MAX_LISTED_ELEMENTS: u32 = 32;
/// A decision about more places is remembered with the first of them.
const MAX_LOGGED_PLACES: usize = 64;

/// A decision, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedDecision {
    /// Its number.
    pub decision: Decision,
    /// The answer.
    pub verdict: Verdict,
    /// Why it was proposed.
    pub sentence: Arc<str>,
    /// How long the test took; none when the cache answered.
    pub time: Option<Duration>,
    /// The number of the version that it was about.
    pub version: u64,
    /// The nodes of that version that it was about.
    pub nodes: Arc<[NodeId]>,
}

type DecisionsByNode = imbl::GenericHashMap<
    NodeId,
    imbl::Vector<u32>,
    FxBuildHasher,
    imbl::shared_ptr::DefaultSharedPtr,
>;

/// All decisions. Cloning costs a few reference counts.
#[derive(Clone, Debug, Default)]
pub struct DecisionLog {
    decisions: imbl::Vector<Arc<LoggedDecision>>,
    by_node: DecisionsByNode,
}

impl DecisionLog {
    /// Adds a decision, about an edit of this version.
    pub fn add_decision(&mut self, decided: &DecisionDetails, number: u64, version: &Version) {
        let at = self.decisions.len() as u32;
        let nodes: Arc<[NodeId]> = affected_nodes(&decided.edit, version).into();
        self.decisions.push_back(Arc::new(LoggedDecision {
            decision: decided.decision,
            verdict: decided.verdict,
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
    pub fn decisions(&self) -> &imbl::Vector<Arc<LoggedDecision>> {
        &self.decisions
    }

    /// The decisions about a node, oldest first.
    pub fn decisions_about(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = &Arc<LoggedDecision>> {
        let known = self.by_node.get(&node).into_iter();
        known
            .flat_map(imbl::Vector::iter)
            .filter_map(|&at| self.decisions.get(at as usize))
    }

    /// How many decisions were about a node.
    pub fn decision_count(&self, node: NodeId) -> usize {
        self.by_node.get(&node).map_or(0, imbl::Vector::len)
    }
}

/// The nodes that an edit is about.
fn affected_nodes(edit: &Edit, version: &Version) -> Vec<NodeId> {
    let mut places = Vec::new();
    for op in edit.ops.iter().take(MAX_LOGGED_PLACES) {
        places.extend(op.target());
        if op
            .removed_items()
            .is_some_and(|(_, items)| items.len() <= MAX_LISTED_ELEMENTS)
        {
            places.extend(
                op.removed_nodes(version)
                    .map(|item| strip_separator(item).id),
            );
        }
    }
    places
}
