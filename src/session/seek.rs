//! Looking for a moment of a recorded run: the next one, on either way, at which something happened.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::player::Way;
use super::reel::Reel;
use crate::program::{NodeId, Target, TargetError, Version, walk};
use crate::reduce::{Ending, Halt, Stride};

/// What is looked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The end of a step.
    Step(Stride),
    /// What a run could be told to stop at.
    Halt(Halt),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Step(Stride::Question) => f.write_str("another decision"),
            Event::Step(Stride::Commit) => f.write_str("another version"),
            Event::Step(Stride::Node) => f.write_str("another node"),
            Event::Step(Stride::Pass) => f.write_str("another pass"),
            Event::Halt(halt) => write!(f, "{halt}"),
        }
    }
}

/// What a moment is held against.
enum Mark {
    Any,
    Number,
    Node(Option<NodeId>),
    Turn,
    Size(u32),
    Pass(Arc<str>),
    Left(Rest, bool),
    Apart(Duration),
    Ending(Ending),
}

/// What may be left of something in a version.
enum Rest {
    /// These leaves.
    Leaves(Vec<NodeId>),
    /// This text.
    Text(Arc<str>),
}

impl Rest {
    /// Finds what is meant in the version where one is, or in the original: who looks back for a name means all that it was. A name
    /// that nothing declares is a text.
    fn of(target: &Target, reel: &Reel, from: usize, way: Way) -> Result<Rest, TargetError> {
        let is_here = matches!(target, Target::Node(_) | Target::Lines(..) | Target::At(..));
        let places = match way {
            Way::Backwards if !is_here => [0, from],
            _ => [from, 0],
        };
        let versions = places.map(|at| reel.scene(at).map(|scene| &scene.version));
        let mut problem = TargetError::Gone;
        for version in versions.into_iter().flatten() {
            match target.find(version) {
                Ok(nodes) => {
                    let leaves = nodes.iter().flat_map(walk::leaves).map(|leaf| leaf.id);
                    return Ok(Rest::Leaves(leaves.collect()));
                }
                Err(error) => problem = error,
            }
        }
        match target {
            Target::Name(text) => Ok(Rest::Text(text.clone())),
            _ => Err(problem),
        }
    }

    /// How much of it is in a version.
    fn count(&self, version: &Version) -> usize {
        match self {
            Rest::Leaves(leaves) => {
                let there = |leaf: &&NodeId| version.node(**leaf).is_some();
                leaves.iter().filter(there).count()
            }
            Rest::Text(text) => {
                let has = |bytes: &[u8]| {
                    bytes
                        .windows(text.len())
                        .any(|part| part == text.as_bytes())
                };
                let mut documents = version.documents().iter();
                usize::from(documents.any(|document| has(&walk::render(&document.root))))
            }
        }
    }
}

/// The next moment from one on, on this way, at which this happened; none if there is none.
///
/// A step back ends where its like began: at the last moment of the version before, of the pass before.
///
/// # Errors
/// When what it is about cannot be found in the program.
pub fn seek(
    reel: &Reel,
    from: usize,
    way: Way,
    event: &Event,
) -> Result<Option<usize>, TargetError> {
    let mark = match event {
        Event::Step(Stride::Question) => Mark::Any,
        Event::Step(Stride::Commit) => Mark::Number,
        Event::Step(Stride::Node) => Mark::Node(node(reel, from)),
        Event::Step(Stride::Pass) => Mark::Turn,
        Event::Halt(Halt::Size(tokens)) => Mark::Size(*tokens),
        Event::Halt(Halt::Pass(name)) => Mark::Pass(name.clone()),
        Event::Halt(Halt::Gone(target)) => Mark::Left(Rest::of(target, reel, from, way)?, true),
        Event::Halt(Halt::Touched(target)) => Mark::Left(Rest::of(target, reel, from, way)?, false),
        Event::Halt(Halt::Time(time)) => Mark::Apart(*time),
        Event::Halt(Halt::Invalid) => Mark::Ending(Ending::Invalid),
        Event::Halt(Halt::TimedOut) => Mark::Ending(Ending::TimedOut),
    };
    let holds = |at: &usize| mark.holds(reel, from, *at, way);
    Ok(match way {
        Way::Forwards => (from + 1..reel.len()).find(|at| holds(at)),
        Way::Backwards => (0..from).rev().find(|at| holds(at)),
    })
}

fn node(reel: &Reel, at: usize) -> Option<NodeId> {
    reel.asked(at).and_then(|asked| asked.why.node)
}

impl Mark {
    fn holds(&self, reel: &Reel, from: usize, at: usize, way: Way) -> bool {
        // A step ends at a moment that differs from the one it came from; what happened differs from the moment before.
        let beside = match way {
            Way::Forwards => at.checked_sub(1),
            Way::Backwards => Some(at + 1),
        };
        let before = at.checked_sub(1);
        let moved =
            |other: Option<usize>| other.is_some_and(|other| reel.number(other) != reel.number(at));
        let version = |at: usize| reel.scene(at).map(|scene| &scene.version);
        // Was so at the moment before, and is so now; only where there is another version.
        let turned = |was: &dyn Fn(&Version) -> usize, gone: bool| {
            let pair = before.filter(|_| moved(before)).and_then(version);
            let pair = pair.zip(version(at));
            pair.is_some_and(|(old, new)| match (was(old), was(new)) {
                (old, new) if gone => old > 0 && new == 0,
                (old, new) => old != new,
            })
        };
        match self {
            Mark::Any => true,
            Mark::Number => moved(beside),
            Mark::Turn => beside.is_some_and(|beside| reel.pass(beside) != reel.pass(at)),
            Mark::Node(node) => self::node(reel, at) != *node,
            Mark::Size(tokens) => turned(&|version| usize::from(version.tokens() >= *tokens), true),
            Mark::Left(rest, gone) => turned(&|version| rest.count(version), *gone),
            Mark::Pass(name) => {
                let turn = |at| reel.pass(at).filter(|(pass, _)| **pass == **name);
                turn(at).is_some() && before.and_then(turn) != turn(at)
            }
            Mark::Apart(time) => reel.time(at).abs_diff(reel.time(from)) >= *time,
            Mark::Ending(ending) => reel.decided(at).map(|decided| decided.ending) == Some(*ending),
        }
    }
}
