//! Seeking in a recorded run: the next moment, in either direction, at which something happened.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::timeline::ReplayTimeline;
use crate::oracle::Verdict;
use crate::program::{NodeId, NodeTarget, TargetError, Version, walk};
use crate::reduce::{BreakCondition, StepUnit};

/// A direction in the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayDirection {
    /// As it happened.
    Forwards,
    /// To the beginning.
    Backwards,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq)]
pub enum SeekEvent {
    /// The end of a step.
    Step(StepUnit),
    /// What a run could be told to stop at.
    Halt(BreakCondition),
}

impl fmt::Display for SeekEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeekEvent::Step(StepUnit::Question) => f.write_str("another decision"),
            SeekEvent::Step(StepUnit::Commit) => f.write_str("another version"),
            SeekEvent::Step(StepUnit::Node) => f.write_str("another node"),
            SeekEvent::Step(StepUnit::Pass) => f.write_str("another pass"),
            SeekEvent::Halt(halt) => write!(f, "{halt}"),
        }
    }
}

/// The condition that a moment is checked for.
enum SeekCondition {
    Any,
    VersionChanged,
    NodeChanged(Option<NodeId>),
    PassChanged,
    SizeBelow(u32),
    PassStarted(Arc<str>),
    PartsChanged(TrackedParts, bool),
    TimeElapsed(Duration),
    Verdict(Verdict),
}

/// What may be left of something in a version.
enum TrackedParts {
    /// These leaves.
    Leaves(Vec<NodeId>),
    /// This text.
    Text(Arc<str>),
}

impl TrackedParts {
    /// Finds the target in the current version, or in the original: seeking back for a name means all that it was. A name
    /// that nothing declares is a text.
    fn resolve_target(
        target: &NodeTarget,
        timeline: &ReplayTimeline,
        from: usize,
        way: PlayDirection,
    ) -> Result<TrackedParts, TargetError> {
        let is_here = matches!(
            target,
            NodeTarget::Node(_)
                | NodeTarget::Lines(..)
                | NodeTarget::Position(..)
                | NodeTarget::InFile(..)
        );
        let places = match way {
            PlayDirection::Backwards if !is_here => [0, from],
            _ => [from, 0],
        };
        let versions = places.map(|at| timeline.keyframe_state(at).map(|scene| &scene.version));
        let mut problem = TargetError::NodeNotFound;
        for version in versions.into_iter().flatten() {
            match target.find_nodes(version) {
                Ok(nodes) => {
                    let leaves = nodes.iter().flat_map(walk::iter_leaves).map(|leaf| leaf.id);
                    return Ok(TrackedParts::Leaves(leaves.collect()));
                }
                Err(error) => problem = error,
            }
        }
        match target {
            NodeTarget::Name(text) => Ok(TrackedParts::Text(text.clone())),
            _ => Err(problem),
        }
    }

    /// How much of it is in a version.
    fn count_in(&self, version: &Version) -> usize {
        match self {
            TrackedParts::Leaves(leaves) => {
                let there = |leaf: &&NodeId| version.find_node(**leaf).is_some();
                leaves.iter().filter(there).count()
            }
            TrackedParts::Text(text) => {
                let has = |bytes: &[u8]| {
                    bytes
                        .windows(text.len())
                        .any(|part| part == text.as_bytes())
                };
                let mut documents = version.documents().iter();
                usize::from(documents.any(|document| has(&walk::render_text(&document.root))))
            }
        }
    }
}

/// The next moment in this direction at which this happened; none if there is none.
///
/// A step back ends where its unit began: at the last moment of the version before, of the pass before.
///
/// # Errors
/// When what it is about cannot be found in the program.
pub fn seek_frame(
    timeline: &ReplayTimeline,
    from: usize,
    way: PlayDirection,
    event: &SeekEvent,
) -> Result<Option<usize>, TargetError> {
    let mark = match event {
        SeekEvent::Step(StepUnit::Question) => SeekCondition::Any,
        SeekEvent::Step(StepUnit::Commit) => SeekCondition::VersionChanged,
        SeekEvent::Step(StepUnit::Node) => SeekCondition::NodeChanged(node_at(timeline, from)),
        SeekEvent::Step(StepUnit::Pass) => SeekCondition::PassChanged,
        SeekEvent::Halt(BreakCondition::Size(tokens)) => SeekCondition::SizeBelow(*tokens),
        SeekEvent::Halt(BreakCondition::Pass(name)) => SeekCondition::PassStarted(name.clone()),
        SeekEvent::Halt(BreakCondition::Gone(target)) => SeekCondition::PartsChanged(
            TrackedParts::resolve_target(target, timeline, from, way)?,
            true,
        ),
        SeekEvent::Halt(BreakCondition::Touched(target)) => SeekCondition::PartsChanged(
            TrackedParts::resolve_target(target, timeline, from, way)?,
            false,
        ),
        SeekEvent::Halt(BreakCondition::Time(time)) => SeekCondition::TimeElapsed(*time),
        SeekEvent::Halt(BreakCondition::Invalid) => SeekCondition::Verdict(Verdict::Invalid),
        SeekEvent::Halt(BreakCondition::TimedOut) => SeekCondition::Verdict(Verdict::TimedOut),
    };
    let holds = |at: &usize| mark.is_met(timeline, from, *at, way);
    Ok(match way {
        PlayDirection::Forwards => (from + 1..timeline.len()).find(|at| holds(at)),
        PlayDirection::Backwards => (0..from).rev().find(|at| holds(at)),
    })
}

fn node_at(timeline: &ReplayTimeline, at: usize) -> Option<NodeId> {
    timeline
        .pending_decision(at)
        .and_then(|asked| asked.why.node)
}

impl SeekCondition {
    fn is_met(
        &self,
        timeline: &ReplayTimeline,
        from: usize,
        at: usize,
        way: PlayDirection,
    ) -> bool {
        // A step ends at a moment that differs from the one it came from; what happened differs from the moment before.
        let beside = match way {
            PlayDirection::Forwards => at.checked_sub(1),
            PlayDirection::Backwards => Some(at + 1),
        };
        let before = at.checked_sub(1);
        let moved = |other: Option<usize>| {
            other.is_some_and(|other| timeline.version_number(other) != timeline.version_number(at))
        };
        let version = |at: usize| timeline.keyframe_state(at).map(|scene| &scene.version);
        // Held at the moment before and does not now, or the reverse; only where the version differs.
        let turned = |was: &dyn Fn(&Version) -> usize, gone: bool| {
            let pair = before.filter(|_| moved(before)).and_then(version);
            let pair = pair.zip(version(at));
            pair.is_some_and(|(old, new)| match (was(old), was(new)) {
                (old, new) if gone => old > 0 && new == 0,
                (old, new) => old != new,
            })
        };
        match self {
            SeekCondition::Any => true,
            SeekCondition::VersionChanged => moved(beside),
            SeekCondition::PassChanged => beside
                .is_some_and(|beside| timeline.running_pass(beside) != timeline.running_pass(at)),
            SeekCondition::NodeChanged(node) => self::node_at(timeline, at) != *node,
            SeekCondition::SizeBelow(tokens) => turned(
                &|version| usize::from(version.token_count() >= *tokens),
                true,
            ),
            SeekCondition::PartsChanged(rest, gone) => {
                turned(&|version| rest.count_in(version), *gone)
            }
            SeekCondition::PassStarted(name) => {
                let turn = |at| {
                    timeline
                        .running_pass(at)
                        .filter(|(pass, _)| **pass == **name)
                };
                turn(at).is_some() && before.and_then(turn) != turn(at)
            }
            SeekCondition::TimeElapsed(time) => {
                timeline.elapsed_at(at).abs_diff(timeline.elapsed_at(from)) >= *time
            }
            SeekCondition::Verdict(verdict) => {
                timeline.decision_at(at).map(|decided| decided.verdict) == Some(*verdict)
            }
        }
    }
}
