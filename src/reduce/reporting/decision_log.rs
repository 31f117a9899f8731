//! Every decision, and which nodes it was about: why is this still here?

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxBuildHasher;

use crate::display::UnixTime;
use crate::oracle::{LimitKind, Verdict};
use crate::program::{
    Edit, EditOp, EditSentence, FileText, NodeId, TextDelta, Version, strip_separator,
};
use crate::reduce::decision::{Decision, DecisionDetails};

/// A decision about this number of elements or more is remembered with their list alone.
const MAX_LISTED_ELEMENTS: u32 = 32;
/// A decision about more places is remembered with the first of them.
const MAX_LOGGED_PLACES: usize = 64;

/// A decision, in short.
#[derive(Clone, Debug)]
pub struct LoggedDecision {
    /// Its number.
    pub decision: Decision,
    /// The answer.
    pub verdict: Verdict,
    /// The pass that proposed it.
    pub pass: &'static str,
    /// Why it was proposed.
    pub sentence: EditSentence,
    /// When it was decided; none if a recording does not say so.
    pub decided_at: Option<UnixTime>,
    /// How long the test took; none when the cache answered.
    pub time: Option<Duration>,
    /// The exit status in words, empty when the cache answered.
    pub exit: Arc<str>,
    /// The limit that the test went beyond.
    pub bound: Option<LimitKind>,
    /// What would have become of the version.
    pub edit: LoggedEdit,
    /// The version that it was about, which decisions about the same one share.
    pub base: Arc<Version>,
    /// The number of the version that it was about.
    pub version: u64,
    /// The nodes of that version that it was about.
    pub nodes: Arc<[NodeId]>,
    /// Those of them that would have gone as a whole.
    pub removed: Arc<[NodeId]>,
}

/// The edit of a decision, as the log keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoggedEdit {
    /// Itself.
    Kept(Edit),
    /// It was new texts as a whole, too much to keep for every decision. What of them differs from the version, a file each; none of one that goes.
    Texts(Arc<[Option<TextDelta>]>),
}

impl LoggedEdit {
    /// The new texts of an edit of this version, as what differs from it; none if it is another edit.
    fn of_texts(edit: &Edit, base: &Version) -> Option<LoggedEdit> {
        let olds = base.render_texts();
        let pairs = edit.new_texts()?.iter().zip(&olds);
        let deltas = pairs.map(|(new, old)| {
            let old = old.as_deref().unwrap_or_default();
            new.as_ref().map(|new| TextDelta::between(old, new))
        });
        Some(LoggedEdit::Texts(deltas.collect()))
    }

    /// Whether it is new texts as a whole.
    pub fn is_rewrite(&self) -> bool {
        match self {
            LoggedEdit::Kept(edit) => edit.is_rewrite(),
            LoggedEdit::Texts(_) => true,
        }
    }
}

impl LoggedDecision {
    /// The edit of the version that it was about. New texts are made again, which reads all of that version.
    pub fn rebuild_edit(&self) -> Option<Edit> {
        let deltas = match &self.edit {
            LoggedEdit::Kept(edit) => return Some(edit.clone()),
            LoggedEdit::Texts(deltas) => deltas,
        };
        let olds = self.base.render_texts();
        let pairs = deltas.iter().zip(&olds);
        let texts = pairs.map(|(delta, old)| {
            let Some(delta) = delta else {
                return Some(None);
            };
            let made = delta.apply_to(old.as_deref().unwrap_or_default())?;
            Some(Some(made.into()))
        });
        let texts: Option<Vec<FileText>> = texts.collect();
        Some(EditOp::Rewrite(texts?.into()).into())
    }

    /// Whether this node would have gone as a whole.
    pub fn removes(&self, node: NodeId) -> bool {
        self.removed.contains(&node)
    }
}

/// Equal in all but the moment, and the version itself, which its number stands for.
impl PartialEq for LoggedDecision {
    fn eq(&self, other: &LoggedDecision) -> bool {
        let question = |of: &LoggedDecision| (of.decision, of.pass, of.sentence.clone());
        let answer = |of: &LoggedDecision| (of.verdict, of.time, of.exit.clone(), of.bound);
        let place = |of: &LoggedDecision| (of.version, of.nodes.clone());
        question(self) == question(other)
            && answer(self) == answer(other)
            && place(self) == place(other)
            && self.edit == other.edit
    }
}

impl Eq for LoggedDecision {}

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
    /// The version of the last decision.
    base: Option<Arc<Version>>,
}

impl DecisionLog {
    /// Adds a decision, about an edit of this version.
    pub fn add_decision(&mut self, decided: &DecisionDetails, number: u64, version: &Version) {
        let at = self.decisions.len() as u32;
        let affected = affected_nodes(&decided.edit, version);
        let removed = affected.iter().filter(|(_, is_removed)| *is_removed);
        let removed = removed.map(|(node, _)| *node).collect();
        let nodes: Arc<[NodeId]> = affected.iter().map(|(node, _)| *node).collect();
        let is_same =
            |base: &&Arc<Version>| base.documents().as_ptr() == version.documents().as_ptr();
        let known = self.base.as_ref().filter(is_same).cloned();
        let base = known.unwrap_or_else(|| Arc::new(version.clone().without_parse_trees()));
        self.base = Some(base.clone());
        self.decisions.push_back(Arc::new(LoggedDecision {
            decision: decided.decision,
            verdict: decided.verdict,
            pass: decided.why.pass,
            sentence: decided.sentence.clone(),
            decided_at: decided.decided_at,
            time: decided.time,
            exit: decided.exit.as_str().into(),
            bound: decided.bound,
            edit: LoggedEdit::Kept(decided.edit.clone()),
            base,
            version: number,
            nodes: nodes.clone(),
            removed,
        }));
        for &node in nodes.iter() {
            let mut known = self.by_node.get(&node).cloned().unwrap_or_default();
            if known.last() != Some(&at) {
                known.push_back(at);
                self.by_node.insert(node, known);
            }
        }
    }

    /// Keeps no more of a decision about new texts than what differs from its version.
    pub fn compact_decision(&mut self, number: Decision) {
        let Ok(at) = self.position_of(number) else {
            return;
        };
        let known = &self.decisions[at];
        let LoggedEdit::Kept(edit) = &known.edit else {
            return;
        };
        if let Some(edit) = LoggedEdit::of_texts(edit, &known.base) {
            let compact = LoggedDecision {
                edit,
                ..(**known).clone()
            };
            self.decisions.set(at, Arc::new(compact));
        }
    }

    /// All decisions, oldest first.
    pub fn decisions(&self) -> &imbl::Vector<Arc<LoggedDecision>> {
        &self.decisions
    }

    /// The decision with this number.
    pub fn find_decision(&self, number: Decision) -> Option<&Arc<LoggedDecision>> {
        self.decisions.get(self.position_of(number).ok()?)
    }

    fn position_of(&self, number: Decision) -> Result<usize, usize> {
        self.decisions
            .binary_search_by(|known| known.decision.cmp(&number))
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

/// The nodes that an edit is about, and whether each of them goes as a whole.
fn affected_nodes(edit: &Edit, version: &Version) -> Vec<(NodeId, bool)> {
    let mut places = Vec::new();
    for op in edit.ops.iter().take(MAX_LOGGED_PLACES) {
        places.extend(
            op.target()
                .map(|target| (target, matches!(op, EditOp::Delete(_)))),
        );
        if op
            .removed_items()
            .is_some_and(|(_, items)| items.len() <= MAX_LISTED_ELEMENTS)
        {
            places.extend(
                op.removed_nodes(version)
                    .map(|item| (strip_separator(item).id, true)),
            );
        }
    }
    places
}
