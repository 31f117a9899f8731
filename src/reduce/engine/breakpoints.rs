//! Where a run stops by itself: breakpoints, and the ends of steps.

use std::sync::Arc;
use std::time::Instant;

use crate::oracle::Verdict;
use crate::program::{NodeId, NodeTarget, TargetError, Version, walk};
use crate::reduce::commands::{BreakCondition, StepUnit};

/// A halt, with what it is about found in the program.
#[derive(Clone, Debug)]
struct ActiveBreakpoint {
    /// In words.
    name: Arc<str>,
    /// Whether it is removed when it has triggered.
    once: bool,
    /// Whether a script set it.
    is_scripted: bool,
    condition: ResolvedCondition,
}

#[derive(Clone, Debug)]
enum ResolvedCondition {
    Size(u32),
    Pass(Arc<str>),
    /// These leaves: none is left.
    Gone(Arc<[NodeId]>),
    /// These leaves, and how many of them were left.
    Touched(Arc<[NodeId]>, usize),
    Time(Instant),
    Invalid,
    TimedOut,
    /// The next version.
    Commit,
    /// The current node is another one.
    Node(Option<NodeId>),
    /// The current pass is another one, or its next round.
    Turn,
}

/// What happened, for breakpoints.
pub(in crate::reduce) enum BreakEvent<'a> {
    /// A question was answered.
    Decided(Verdict),
    /// There is a new version.
    Accepted(&'a Version),
    /// The turn of this pass has come.
    Turn(&'static str),
    /// A question at this node is next.
    Proposing(Option<NodeId>),
}

/// A breakpoint that the run has come to.
pub(in crate::reduce) struct ReachedBreakpoint {
    /// In words.
    pub name: Arc<str>,
    /// Whether a script set it, or another one that was reached at the same time.
    pub is_scripted: bool,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(in crate::reduce) struct BreakpointSet {
    breakpoints: Vec<ActiveBreakpoint>,
}

/// The leaves below the nodes that a target is about.
fn target_leaves(target: &NodeTarget, version: &Version) -> Result<Arc<[NodeId]>, TargetError> {
    let nodes = target.find_nodes(version)?;
    let leaves = nodes.iter().flat_map(walk::iter_leaves).map(|leaf| leaf.id);
    Ok(leaves.collect())
}

fn count_remaining(leaves: &[NodeId], version: &Version) -> usize {
    leaves
        .iter()
        .filter(|leaf| version.find_node(**leaf).is_some())
        .count()
}

impl BreakpointSet {
    /// Adds one; if it is for `once`, it is removed when it has triggered.
    pub fn add_breakpoint(
        &mut self,
        condition: &BreakCondition,
        once: bool,
        is_scripted: bool,
        version: &Version,
    ) -> Result<(), TargetError> {
        let what = match condition {
            BreakCondition::Size(tokens) => ResolvedCondition::Size(*tokens),
            BreakCondition::Pass(name) => ResolvedCondition::Pass(name.clone()),
            BreakCondition::Gone(target) => {
                ResolvedCondition::Gone(target_leaves(target, version)?)
            }
            BreakCondition::Touched(target) => {
                let leaves = target_leaves(target, version)?;
                let count = leaves.len();
                ResolvedCondition::Touched(leaves, count)
            }
            BreakCondition::Time(time) => match Instant::now().checked_add(*time) {
                Some(at) => ResolvedCondition::Time(at),
                None => return Err(TargetError::NotFound("so late".into())),
            },
            BreakCondition::Invalid => ResolvedCondition::Invalid,
            BreakCondition::TimedOut => ResolvedCondition::TimedOut,
        };
        self.breakpoints.push(ActiveBreakpoint {
            name: condition.to_string().into(),
            once,
            is_scripted,
            condition: what,
        });
        Ok(())
    }

    /// Begins a step of this length at a candidate about `node`.
    pub fn add_step(&mut self, stride: StepUnit, node: Option<NodeId>, is_scripted: bool) {
        let what = match stride {
            StepUnit::Question => return,
            StepUnit::Commit => ResolvedCondition::Commit,
            StepUnit::Node => ResolvedCondition::Node(node),
            StepUnit::Pass => ResolvedCondition::Turn,
        };
        let name = StepUnit::REASON.into();
        self.breakpoints.push(ActiveBreakpoint {
            name,
            once: true,
            is_scripted,
            condition: what,
        });
    }

    /// Forgets the breakpoints of a condition, or all. Returns how many there were.
    pub fn forget(&mut self, condition: Option<&BreakCondition>) -> usize {
        let before = self.breakpoints.len();
        let name = condition.map(ToString::to_string);
        let is_other = |name: &str, watch: &ActiveBreakpoint| *watch.name != *name;
        self.breakpoints
            .retain(|watch| name.as_ref().is_some_and(|name| is_other(name, watch)));
        before - self.breakpoints.len()
    }

    /// The conditions that stay until they are forgotten, in words.
    pub fn lasting_conditions(&self) -> Arc<[Arc<str>]> {
        let lasting = self.breakpoints.iter().filter(|watch| !watch.once);
        lasting.map(|watch| watch.name.clone()).collect()
    }

    /// Forgets steps that have not ended: the user paused.
    pub fn forget_steps(&mut self) {
        self.breakpoints.retain(|watch| !watch.once);
    }

    /// The next moment at which one triggers by time alone.
    pub fn next_deadline(&self) -> Option<Instant> {
        let times = self
            .breakpoints
            .iter()
            .filter_map(|watch| match watch.condition {
                ResolvedCondition::Time(at) => Some(at),
                _ => None,
            });
        times.min()
    }

    /// Whether its time has come.
    pub fn trigger_expired(&mut self, now: Instant) -> Option<ReachedBreakpoint> {
        self.trigger_matching(|what| matches!(what, ResolvedCondition::Time(at) if *at <= now))
    }

    /// Why the run pauses now that this has happened; none if it continues.
    pub fn on_event(&mut self, event: &BreakEvent) -> Option<ReachedBreakpoint> {
        self.trigger_matching(|what| match (what, event) {
            (ResolvedCondition::Invalid, BreakEvent::Decided(Verdict::Invalid)) => true,
            (ResolvedCondition::TimedOut, BreakEvent::Decided(Verdict::TimedOut)) => true,
            (ResolvedCondition::Size(size), BreakEvent::Accepted(version)) => {
                version.size().primary() < *size
            }
            (ResolvedCondition::Commit, BreakEvent::Accepted(_)) => true,
            (ResolvedCondition::Gone(leaves), BreakEvent::Accepted(version)) => {
                count_remaining(leaves, version) == 0
            }
            (ResolvedCondition::Touched(leaves, before), BreakEvent::Accepted(version)) => {
                let now = count_remaining(leaves, version);
                std::mem::replace(before, now) != now
            }
            (ResolvedCondition::Pass(name), BreakEvent::Turn(pass)) => **name == **pass,
            (ResolvedCondition::Turn, BreakEvent::Turn(_)) => true,
            (ResolvedCondition::Node(from), BreakEvent::Proposing(node)) => from != node,
            _ => false,
        })
    }

    fn trigger_matching(
        &mut self,
        mut holds: impl FnMut(&mut ResolvedCondition) -> bool,
    ) -> Option<ReachedBreakpoint> {
        let mut reached: Option<ReachedBreakpoint> = None;
        self.breakpoints.retain_mut(|watch| {
            let now = holds(&mut watch.condition);
            if now {
                let first = reached.get_or_insert_with(|| ReachedBreakpoint {
                    name: watch.name.clone(),
                    is_scripted: false,
                });
                first.is_scripted |= watch.is_scripted;
            }
            !(now
                && (watch.once
                    || matches!(
                        watch.condition,
                        ResolvedCondition::Time(_)
                            | ResolvedCondition::Gone(_)
                            | ResolvedCondition::Size(_)
                    )))
        });
        reached
    }
}
