//! Heat: what the run spends on each node and on what is in it, counted over the log of all decisions.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::oracle::Verdict;
use crate::program::NodeId;
use crate::reduce::{Decision, RunSnapshot};
use crate::tui::theme::Role;

/// How many nodes around the place of a question share its heat: more than anybody looks at, and little to count.
const AROUND: usize = 64;
/// How many decisions are counted at a time: no key waits for them.
const AT_ONCE: usize = 2000;

/// What the colours say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeatMeasure {
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

impl HeatMeasure {
    /// All measures, in the order of the key.
    pub const ALL: [(HeatMeasure, &str); 4] = [
        (HeatMeasure::Off, "off"),
        (HeatMeasure::Tests, "tests"),
        (HeatMeasure::Recent, "recent"),
        (HeatMeasure::Survival, "survival"),
    ];

    /// The one after this.
    pub fn next_measure(self) -> HeatMeasure {
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
struct NodeHeat {
    tests: u32,
    survived: u32,
    last: Decision,
}

/// What was spent where.
#[derive(Debug, Default)]
pub struct HeatMap {
    /// What the colours say.
    pub measure: HeatMeasure,
    nodes: FxHashMap<NodeId, NodeHeat>,
    /// How many decisions of the log were counted, and the newest of them.
    counted: usize,
    newest: Decision,
    /// The nodes around the places of one decision.
    around: FxHashSet<NodeId>,
    most: NodeHeat,
}

/// The roles of the levels, from the least.
const ROLES: [Role; 4] = [Role::Cool, Role::Warm, Role::Hot, Role::Blazing];

impl HeatMap {
    /// Counts the decisions that are new in a snapshot, each once for every node around a place that it was about; so many at a time.
    /// Whether there are more.
    pub fn count_new_decisions(&mut self, snapshot: &RunSnapshot) -> bool {
        let all = snapshot.log.decisions();
        if all.len() < self.counted {
            // A recording was played backwards: what has not happened yet does not count.
            *self = HeatMap {
                measure: self.measure,
                ..HeatMap::default()
            };
        }
        for tried in all.iter().skip(self.counted).take(AT_ONCE) {
            let past = snapshot.history.get(tried.version as usize);
            let version = past.map_or(&snapshot.version, |past| &past.version);
            self.around.clear();
            for path in tried.nodes.iter().filter_map(|&node| version.path_to(node)) {
                let near = path.nodes.iter().rev().take(AROUND);
                self.around.extend(near.map(|node| node.id));
            }
            for node in &self.around {
                let spent = self.nodes.entry(*node).or_default();
                spent.tests += 1;
                spent.survived += u32::from(tried.verdict != Verdict::Interesting);
                spent.last = tried.decision;
                self.most.tests = self.most.tests.max(spent.tests);
                self.most.survived = self.most.survived.max(spent.survived);
            }
            self.newest = tried.decision;
        }
        self.counted = all.len().min(self.counted + AT_ONCE);
        self.counted < all.len()
    }

    /// How hot a node is, from 0 to 3, and the role of that; none when nothing was spent on it, or nobody asks.
    pub fn heat_level(&self, node: NodeId) -> Option<(usize, Role)> {
        let spent = self.nodes.get(&node)?;
        let share = |part: u32, most: u32| {
            let share = f64::from(1 + part).ln() / f64::from(1 + most).ln();
            (share * 4.0).ceil().clamp(1.0, 4.0) as usize - 1
        };
        let level = match self.measure {
            HeatMeasure::Off => return None,
            HeatMeasure::Tests => share(spent.tests, self.most.tests),
            HeatMeasure::Survival if spent.survived == 0 => return None,
            HeatMeasure::Survival => share(spent.survived, self.most.survived),
            HeatMeasure::Recent => match self.newest.saturating_sub(spent.last) {
                0..10 => 3,
                10..100 => 2,
                100..1000 => 1,
                _ => 0,
            },
        };
        Some((level, ROLES[level]))
    }
}
