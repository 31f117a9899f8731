//! Heat: how many candidates the run has spent on each node and on the nodes in it, counted over the log of all decisions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::file_tree::FileTree;
use crate::oracle::Verdict;
use crate::program::NodeId;
use crate::reduce::{Decision, LoggedDecision, RunSnapshot};
use crate::tui::theme::Role;

/// The number of nodes around the place of a candidate that share its heat.
const MOST_ANCESTORS: usize = 64;
/// The number of decisions that are counted at once, so that no key waits for them.
const DECISIONS_AT_ONCE: usize = 2000;

/// What the heat measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeatMeasure {
    /// Nothing.
    #[default]
    Off,
    /// How many candidates changed the node or something in it.
    Tests,
    /// How recent the last of them is.
    Recent,
    /// How many of them were rejected: what the node has survived.
    Survival,
}

impl HeatMeasure {
    /// All measures, in the order in which the key goes through them.
    pub const ALL: [(HeatMeasure, &str); 4] = [
        (HeatMeasure::Off, "off"),
        (HeatMeasure::Tests, "tests"),
        (HeatMeasure::Recent, "recent"),
        (HeatMeasure::Survival, "survival"),
    ];

    /// The next measure.
    pub fn next_measure(self) -> HeatMeasure {
        let at = Self::ALL.iter().position(|(known, _)| *known == self);
        Self::ALL[(at.unwrap_or(0) + 1) % Self::ALL.len()].0
    }

    /// Its name.
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

/// The heat of all nodes.
#[derive(Debug, Default)]
pub struct HeatMap {
    /// What the heat measures.
    pub measure: HeatMeasure,
    nodes: FxHashMap<NodeId, NodeHeat>,
    /// The heat of the directories and files of a project, by their numbers in the file tree.
    entries: FxHashMap<usize, NodeHeat>,
    /// The number of counted decisions of the log, and the newest of them.
    counted: usize,
    newest: Decision,
    /// The nodes around the places of one decision.
    around: FxHashSet<NodeId>,
    entries_around: FxHashSet<usize>,
    most: NodeHeat,
}

impl NodeHeat {
    /// Counts a decision.
    fn add_decision(&mut self, tried: &LoggedDecision, most: &mut NodeHeat) {
        self.tests += 1;
        self.survived += u32::from(tried.verdict != Verdict::Interesting);
        self.last = tried.decision;
        most.tests = most.tests.max(self.tests);
        most.survived = most.survived.max(self.survived);
    }
}

/// The roles of the levels, from the least.
const ROLES: [Role; 4] = [Role::Cool, Role::Warm, Role::Hot, Role::Blazing];

impl HeatMap {
    /// Counts new decisions of a snapshot, each once for every node around its places, a limited number at once. Returns whether there
    /// are more. `files` are the directories and files of a project.
    pub fn count_new_decisions(
        &mut self,
        snapshot: &RunSnapshot,
        files: Option<&FileTree>,
    ) -> bool {
        let all = snapshot.log.decisions();
        if all.len() < self.counted {
            // A recording was played backwards: count again from its start.
            *self = HeatMap {
                measure: self.measure,
                ..HeatMap::default()
            };
        }
        for tried in all.iter().skip(self.counted).take(DECISIONS_AT_ONCE) {
            let past = snapshot.history.get(tried.version as usize);
            let version = past.map_or(&snapshot.version, |past| &past.version);
            self.around.clear();
            self.entries_around.clear();
            for path in tried.nodes.iter().filter_map(|&node| version.path_to(node)) {
                let near = path.nodes.iter().rev().take(MOST_ANCESTORS);
                self.around.extend(near.map(|node| node.id));
                if let Some(files) = files {
                    let entry = files.entry_of(path.document);
                    self.entries_around.insert(entry);
                    self.entries_around.extend(files.directories_around(entry));
                }
            }
            for node in &self.around {
                let spent = self.nodes.entry(*node).or_default();
                spent.add_decision(tried, &mut self.most);
            }
            for entry in &self.entries_around {
                let spent = self.entries.entry(*entry).or_default();
                spent.add_decision(tried, &mut self.most);
            }
            self.newest = tried.decision;
        }
        self.counted = all.len().min(self.counted + DECISIONS_AT_ONCE);
        self.counted < all.len()
    }

    /// The level of a node's heat, from 0 to 3, and its role; none without heat, or while the heat is off.
    pub fn heat_level(&self, node: NodeId) -> Option<(usize, Role)> {
        self.level_of(self.nodes.get(&node)?)
    }

    /// The same of a directory or a file of a project.
    pub fn entry_level(&self, entry: usize) -> Option<(usize, Role)> {
        self.level_of(self.entries.get(&entry)?)
    }

    /// The level of a node's heat by the tests that it has cost, also while the heat is off.
    pub fn level_of_tests(&self, node: NodeId) -> Option<(usize, Role)> {
        match self.measure {
            HeatMeasure::Off => self.level_by(HeatMeasure::Tests, self.nodes.get(&node)?),
            _ => self.heat_level(node),
        }
    }

    fn level_of(&self, spent: &NodeHeat) -> Option<(usize, Role)> {
        self.level_by(self.measure, spent)
    }

    fn level_by(&self, measure: HeatMeasure, spent: &NodeHeat) -> Option<(usize, Role)> {
        let share = |part: u32, most: u32| {
            let share = f64::from(1 + part).ln() / f64::from(1 + most).ln();
            (share * 4.0).ceil().clamp(1.0, 4.0) as usize - 1
        };
        let level = match measure {
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
