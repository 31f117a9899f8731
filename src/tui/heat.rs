//! Heat: what the run spends on each node, as the decisions tell it that the screen has seen.

use rustc_hash::FxHashMap;

use super::marks;
use super::theme::Role;
use crate::program::NodeId;
use crate::reduce::{Decision, Ending, Snapshot};

/// How many nodes around the place of a question share its heat: more than anybody looks at, and little to count.
const AROUND: usize = 64;

/// What the colours say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Nothing.
    #[default]
    Off,
    /// How many questions were about the node or what is in it.
    Tests,
    /// How lately the last of them was.
    Recent,
    /// How many of them were answered with no: what the node has survived.
    Survival,
}

impl Measure {
    /// All measures, in the order of the key.
    pub const ALL: [(Measure, &str); 4] = [
        (Measure::Off, "off"),
        (Measure::Tests, "tests"),
        (Measure::Recent, "recent"),
        (Measure::Survival, "survival"),
    ];

    /// The one after this.
    pub fn next(self) -> Measure {
        let at = Self::ALL.iter().position(|(known, _)| *known == self);
        Self::ALL[(at.unwrap_or(0) + 1) % Self::ALL.len()].0
    }

    /// Its word.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(known, _)| *known == self);
        found.map_or("", |(_, name)| name)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    tests: u32,
    survived: u32,
    last: Decision,
}

/// What was spent where.
#[derive(Debug, Default)]
pub struct Heat {
    /// What the colours say.
    pub measure: Measure,
    nodes: FxHashMap<NodeId, Spent>,
    /// The newest decision that was counted.
    seen: Decision,
    most: Spent,
}

/// The roles of the levels, from the least.
const ROLES: [Role; 4] = [Role::Cool, Role::Warm, Role::Hot, Role::Blazing];

impl Heat {
    /// Counts the decisions that are new in a snapshot.
    pub fn hear(&mut self, snapshot: &Snapshot) {
        let seen = self.seen;
        let new = snapshot
            .decided
            .iter()
            .rev()
            .take_while(|decided| decided.decision > seen);
        for decided in new {
            self.seen = self.seen.max(decided.decision);
            let version = &snapshot.version;
            let place = marks::place(version, &decided.edit).or(decided.why.node);
            let trail = place
                .and_then(|place| version.trail(place))
                .or_else(|| version.trail(decided.why.node?));
            let Some(trail) = trail else {
                continue;
            };
            for node in trail.nodes.iter().rev().take(AROUND) {
                let spent = self.nodes.entry(node.id).or_default();
                spent.tests += 1;
                spent.survived += u32::from(decided.ending != Ending::Interesting);
                spent.last = spent.last.max(decided.decision);
                self.most.tests = self.most.tests.max(spent.tests);
                self.most.survived = self.most.survived.max(spent.survived);
            }
        }
    }

    /// How hot a node is, from 0 to 3, and the role of that; none when nothing was spent on it, or nobody asks.
    pub fn of(&self, node: NodeId) -> Option<(usize, Role)> {
        let spent = self.nodes.get(&node)?;
        let share = |part: u32, most: u32| {
            let share = f64::from(1 + part).ln() / f64::from(1 + most).ln();
            (share * 4.0).ceil().clamp(1.0, 4.0) as usize - 1
        };
        let level = match self.measure {
            Measure::Off => return None,
            Measure::Tests => share(spent.tests, self.most.tests),
            Measure::Survival if spent.survived == 0 => return None,
            Measure::Survival => share(spent.survived, self.most.survived),
            Measure::Recent => match self.seen.saturating_sub(spent.last) {
                0..10 => 3,
                10..100 => 2,
                100..1000 => 1,
                _ => 0,
            },
        };
        Some((level, ROLES[level]))
    }
}
