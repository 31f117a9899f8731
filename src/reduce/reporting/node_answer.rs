//! Why a node is still there: one sentence, and the decisions that it rests on.

use std::sync::Arc;

use super::decision_log::{DecisionLog, LoggedDecision};
use super::snapshot::{RunSnapshot, RunState};
use crate::display::{WallClock, format_count, format_number};
use crate::oracle::Verdict;
use crate::program::{
    ConstraintRule, ConstraintSet, ExclusionReason, NodeId, NodePath, ProgramNode, Version,
    describe_object, strip_separator, walk,
};

/// How many nodes below one are looked at for a decision.
const MAX_BELOW: usize = 2_000;
/// How many decisions are shown as evidence.
const MAX_EVIDENCE: usize = 40;

/// Why a node is still there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeAnswer {
    /// The answer: one sentence.
    pub sentence: String,
    /// Whether the user's word keeps it, so that nothing is asked about it.
    pub is_closed: bool,
    /// The decisions that say so, newest first; about the node, or about the one that the sentence names.
    pub evidence: Vec<Arc<LoggedDecision>>,
}

/// What an answer is made of.
#[derive(Clone, Copy, Debug)]
pub struct NodeFacts<'a> {
    /// The current version.
    pub version: &'a Version,
    /// All decisions of the run.
    pub log: &'a DecisionLog,
    /// What the user wants kept or left alone.
    pub constraints: &'a ConstraintSet,
    /// Whether the run has ended.
    pub is_finished: bool,
    /// By which the time of a question is told.
    pub clock: WallClock,
}

impl<'a> NodeFacts<'a> {
    /// Those of a snapshot, which tell times by this clock.
    pub fn of_snapshot(snapshot: &'a RunSnapshot, clock: WallClock) -> NodeFacts<'a> {
        NodeFacts {
            version: &snapshot.version,
            log: &snapshot.log,
            constraints: &snapshot.constraints,
            is_finished: matches!(snapshot.state, RunState::Finished(_)),
            clock,
        }
    }

    /// Why the node at the end of a path of the current version is still there. What the user said comes first, then the test's word on the node
    /// itself, on what surrounds it, and on what is inside.
    pub fn answer(&self, path: &NodePath) -> NodeAnswer {
        self.answer_by_constraints(path)
            .or_else(|| self.answer_by_node(path.node(), "It"))
            .or_else(|| self.answer_by_surroundings(path))
            .or_else(|| self.answer_by_content(path.node()))
            .unwrap_or_else(|| NodeAnswer {
                sentence: match self.is_finished {
                    true => "The run asked about nothing in which it stands.".into(),
                    false => "Nothing asked about it yet.".into(),
                },
                is_closed: false,
                evidence: Vec::new(),
            })
    }

    fn answer_by_constraints(&self, path: &NodePath) -> Option<NodeAnswer> {
        let node = path.node();
        let constraints = self.constraints;
        let of_rule = |rule: ConstraintRule| {
            let mut all = constraints.iter();
            let found = all.find(|constraint| constraint.rule == rule)?;
            Some(&*found.name)
        };
        let name = || constraints.constraint_name_at(node).map(str::to_owned);
        let by = |words: &str, name: Option<String>| match name {
            Some(name) => format!("{words} {name}"),
            None => words.to_owned(),
        };
        let reason = constraints.node_exclusion(strip_separator(node));
        let sentence = match reason {
            Some(ExclusionReason::Pinned) => {
                format!("It stays: {}.", by("pinned by you, pin", name()))
            }
            Some(ExclusionReason::Locked) => {
                format!("Nothing in it is tried: {}.", by("closed by lock", name()))
            }
            Some(ExclusionReason::OutOfFocus) => {
                let focus = of_rule(ConstraintRule::Focus).map(str::to_owned);
                format!("It is not tried: {}.", by("closed by focus", focus))
            }
            Some(ExclusionReason::Skipped) => "It is not tried: skipped by you.".into(),
            None if constraints.is_suspended(node.id) => {
                "It is not tried for now: skipped by you until the pass ends.".into()
            }
            None => return None,
        };
        Some(NodeAnswer {
            sentence,
            is_closed: true,
            evidence: self.evidence_about(node.id),
        })
    }

    /// By the decisions about a node itself, which the sentence calls `name`.
    fn answer_by_node(&self, node: &ProgramNode, name: &str) -> Option<NodeAnswer> {
        let newest_first = || self.log.decisions_about(node.id).rev();
        let removals = newest_first().filter(|tried| tried.removes(node.id));
        // The one that says most: alone, with what its test said, and the newest of those.
        let alone = removals.min_by_key(|tried| (tried.removed.len(), tried.exit.is_empty()));
        let sentence = match alone {
            Some(removal) => {
                let others = removal.removed.len() as u64 - 1;
                let with = match others {
                    0 => String::new(),
                    _ => format!(" and {}", format_count(others, "other place")),
                };
                format!("{name} {}", self.describe_removal(removal, &with))
            }
            None => {
                let tried = newest_first().next()?;
                format!(
                    "{name} was not tried as a whole, only “{}”: {} ({}).",
                    tried.sentence.short,
                    describe_verdict(tried),
                    self.cite_with_time(tried)
                )
            }
        };
        Some(NodeAnswer {
            sentence,
            is_closed: false,
            evidence: self.evidence_about(node.id),
        })
    }

    /// By the nearest node around it that was tried.
    fn answer_by_surroundings(&self, path: &NodePath) -> Option<NodeAnswer> {
        path.ancestors().find_map(|around| {
            let name = describe_object(self.version, around.id);
            let found = self.answer_by_node(around, "that")?;
            Some(NodeAnswer {
                sentence: format!(
                    "It was not tried by itself. It stands in {name}, and {}",
                    found.sentence
                ),
                ..found
            })
        })
    }

    /// By the first node in it that was tried.
    fn answer_by_content(&self, node: &Arc<ProgramNode>) -> Option<NodeAnswer> {
        walk::preorder(node).take(MAX_BELOW).find_map(|inside| {
            let found = self.answer_by_node(inside, "that")?;
            let name = describe_object(self.version, inside.id);
            Some(NodeAnswer {
                sentence: format!(
                    "It was not tried by itself. It holds {name}, and {}",
                    found.sentence
                ),
                ..found
            })
        })
    }

    /// "stays: without it the test says exit 1 (question 120, 14:02)."
    fn describe_removal(&self, removal: &LoggedDecision, with: &str) -> String {
        let question = self.cite_with_time(removal);
        match removal.verdict {
            Verdict::Interesting => {
                format!(
                    "may go, says the test, but the current version is another one ({question})."
                )
            }
            _ => format!(
                "stays: without it{with} {} ({question}).",
                describe_verdict(removal)
            ),
        }
    }

    /// A decision by its number, and when it was made; how long its test took where that is not known.
    fn cite_with_time(&self, tried: &LoggedDecision) -> String {
        let number = format_number(tried.decision);
        let known = if tried.time.is_none() {
            ", known before"
        } else {
            ""
        };
        match tried.decided_at {
            Some(at) => format!("question {number}, {}{known}", self.clock.format_time(at)),
            None => cite(tried),
        }
    }

    fn evidence_about(&self, node: NodeId) -> Vec<Arc<LoggedDecision>> {
        let newest_first = self.log.decisions_about(node).rev();
        newest_first.take(MAX_EVIDENCE).cloned().collect()
    }
}

fn describe_verdict(tried: &LoggedDecision) -> String {
    match tried.verdict {
        Verdict::Interesting => "the test says yes".into(),
        Verdict::Invalid => "the program is invalid, says the test".into(),
        Verdict::TimedOut => "the test exceeds its limit".into(),
        Verdict::Uninteresting if tried.exit.is_empty() => "the test says no".into(),
        Verdict::Uninteresting => format!("the test says {}", tried.exit),
    }
}

/// A decision by its number, and how long its test took.
pub fn cite(tried: &LoggedDecision) -> String {
    let number = format_number(tried.decision);
    match tried.time {
        Some(time) => format!("question {number}, {:.2} s", time.as_secs_f64()),
        None => format!("question {number}, known before"),
    }
}
