//! Where a run stops by itself: breakpoints, and the ends of steps.

use std::sync::Arc;
use std::time::Instant;

use super::command::{Halt, Stride};
use super::event::{Decision, Ending};
use super::journal::CommandPlace;
use crate::program::{NodeId, Target, TargetError, Version, walk};

/// A halt, with what it is about found in the program.
#[derive(Clone, Debug)]
struct Watch {
    /// In words.
    name: Arc<str>,
    /// Whether it goes when it has come true.
    once: bool,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Size(u32),
    Pass(Arc<str>),
    /// These leaves: none is left.
    Gone(Arc<[NodeId]>),
    /// These leaves: so many were left.
    Touched(Arc<[NodeId]>, usize),
    Time(Instant),
    Invalid,
    TimedOut,
    /// The next version.
    Commit,
    /// The node at hand is another one.
    Node(Option<NodeId>),
    /// The pass at hand is another one, or its next round.
    Turn,
}

/// What happened, for breakpoints.
pub(super) enum Happening<'a> {
    /// A question was answered.
    Decided(Ending),
    /// There is a new version.
    Taken(&'a Version),
    /// The turn of this pass has come.
    Turn(&'static str),
    /// A question at this node is next.
    Asking(Option<NodeId>),
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Halts {
    watches: Vec<Watch>,
}

/// The leaves below the nodes that a target is about.
fn leaves(target: &Target, version: &Version) -> Result<Arc<[NodeId]>, TargetError> {
    let nodes = target.find(version)?;
    let leaves = nodes.iter().flat_map(walk::leaves).map(|leaf| leaf.id);
    Ok(leaves.collect())
}

fn left(leaves: &[NodeId], version: &Version) -> usize {
    leaves
        .iter()
        .filter(|leaf| version.node(**leaf).is_some())
        .count()
}

impl Halts {
    /// One more; if it is for `once`, it goes when it has come true.
    pub fn add(&mut self, halt: &Halt, once: bool, version: &Version) -> Result<(), TargetError> {
        let what = match halt {
            Halt::Size(tokens) => What::Size(*tokens),
            Halt::Pass(name) => What::Pass(name.clone()),
            Halt::Gone(target) => What::Gone(leaves(target, version)?),
            Halt::Touched(target) => {
                let leaves = leaves(target, version)?;
                let count = leaves.len();
                What::Touched(leaves, count)
            }
            Halt::Time(time) => match Instant::now().checked_add(*time) {
                Some(at) => What::Time(at),
                None => return Err(TargetError::Nothing("so late".into())),
            },
            Halt::Invalid => What::Invalid,
            Halt::TimedOut => What::TimedOut,
        };
        self.watches.push(Watch {
            name: halt.to_string().into(),
            once,
            what,
        });
        Ok(())
    }

    /// A step of this length begins at a question about `node`.
    pub fn stride(&mut self, stride: Stride, node: Option<NodeId>) {
        let what = match stride {
            Stride::Question => return,
            Stride::Commit => What::Commit,
            Stride::Node => What::Node(node),
            Stride::Pass => What::Turn,
        };
        let name = "step".into();
        self.watches.push(Watch {
            name,
            once: true,
            what,
        });
    }

    /// All breakpoints are forgotten; how many there were.
    pub fn clear(&mut self) -> usize {
        std::mem::take(&mut self.watches).len()
    }

    /// Steps that have not come to their end are forgotten: the user paused.
    pub fn forget_steps(&mut self) {
        self.watches.retain(|watch| !watch.once);
    }

    /// The next moment at which one comes true by time alone.
    pub fn due(&self) -> Option<Instant> {
        let times = self.watches.iter().filter_map(|watch| match watch.what {
            What::Time(at) => Some(at),
            _ => None,
        });
        times.min()
    }

    /// Whether its time has come.
    pub fn rings(&mut self, now: Instant) -> Option<Arc<str>> {
        self.first(|what| matches!(what, What::Time(at) if *at <= now))
    }

    /// Why the run stops now that this has happened; none if it goes on.
    pub fn hear(&mut self, happening: &Happening) -> Option<Arc<str>> {
        self.first(|what| match (what, happening) {
            (What::Invalid, Happening::Decided(Ending::Invalid)) => true,
            (What::TimedOut, Happening::Decided(Ending::TimedOut)) => true,
            (What::Size(size), Happening::Taken(version)) => version.tokens() < *size,
            (What::Commit, Happening::Taken(_)) => true,
            (What::Gone(leaves), Happening::Taken(version)) => left(leaves, version) == 0,
            (What::Touched(leaves, before), Happening::Taken(version)) => {
                let now = left(leaves, version);
                std::mem::replace(before, now) != now
            }
            (What::Pass(name), Happening::Turn(pass)) => **name == **pass,
            (What::Turn, Happening::Turn(_)) => true,
            (What::Node(from), Happening::Asking(node)) => from != node,
            _ => false,
        })
    }

    fn first(&mut self, mut holds: impl FnMut(&mut What) -> bool) -> Option<Arc<str>> {
        let mut name = None;
        self.watches.retain_mut(|watch| {
            let now = holds(&mut watch.what);
            if now {
                name.get_or_insert_with(|| watch.name.clone());
            }
            !(now
                && (watch.once
                    || matches!(watch.what, What::Time(_) | What::Gone(_) | What::Size(_))))
        });
        name
    }
}

/// When a command of a script holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the first question.
    Start,
    /// Before this decision.
    Decision(Decision),
    /// After so many takes.
    Commit(u64),
    /// When the program has at most so many tokens.
    Size(u32),
    /// At this place of the dialogue: as a journal says.
    Exactly(CommandPlace),
}
