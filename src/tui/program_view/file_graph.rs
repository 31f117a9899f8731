//! Which files of a project need which, for the screen: the counts beside the files, and the files as a graph with the root on top.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::program::{FileNeeds, Version};

/// The least time between two computations.
const GRAPH_INTERVAL: Duration = Duration::from_secs(1);

/// Which documents need which.
#[derive(Debug, Default)]
pub struct FileGraph {
    users: Vec<Vec<usize>>,
    needs: Vec<Vec<usize>>,
}

/// A file in the graph that is drawn as a tree: below each file stands what it needs, each file once, where it is nearest to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphRow {
    /// The number of its document.
    pub document: usize,
    /// The number of files around it.
    pub depth: u32,
    /// Whether the root needs it, directly or not.
    pub is_reached: bool,
}

impl FileGraph {
    /// The graph of a version. Reads all of its files: not for the thread that draws.
    pub fn of_version(version: &Version) -> FileGraph {
        let count = version.documents().len();
        let mut graph = FileGraph {
            users: vec![Vec::new(); count],
            needs: vec![Vec::new(); count],
        };
        for (from, to) in FileNeeds::of_version(version).needed_documents() {
            graph.needs[from].push(to);
            graph.users[to].push(from);
        }
        graph
    }

    /// The documents that need this one. As the graph may be of an older version than the one shown, they may be gone.
    pub fn users_of(&self, document: usize) -> &[usize] {
        self.users.get(document).map_or(&[], |users| users)
    }

    /// The documents that this one needs.
    pub fn needs_of(&self, document: usize) -> &[usize] {
        self.needs.get(document).map_or(&[], |needs| needs)
    }

    /// The documents as a tree. The roots come first, or without any the files that no other needs; then what they do not reach. `order` are the
    /// documents that are there, in the order in which equals stand.
    pub fn list_rows(&self, roots: &[usize], order: &[usize]) -> Vec<GraphRow> {
        let mut is_left = vec![false; self.needs.len()];
        order.iter().for_each(|document| is_left[*document] = true);
        let mut rows = Vec::with_capacity(order.len());
        for root in roots {
            self.add_tree(*root, true, &mut is_left, &mut rows);
        }
        // Of files that need each other in a circle none is without a user: the second time any will do.
        for needs_user in [false, true] {
            for document in order {
                let used = self.users_of(*document).iter().any(|user| is_left[*user]);
                if !used || needs_user {
                    self.add_tree(*document, roots.is_empty(), &mut is_left, &mut rows);
                }
            }
        }
        rows
    }

    /// Adds a document and all that it needs, unless it was added already.
    fn add_tree(
        &self,
        root: usize,
        is_reached: bool,
        is_left: &mut [bool],
        rows: &mut Vec<GraphRow>,
    ) {
        if !is_left[root] {
            return;
        }
        // Breadth first, so that each file stands where it is nearest to the root.
        let mut below: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut place = rustc_hash::FxHashMap::default();
        let mut open = VecDeque::from([root]);
        is_left[root] = false;
        while let Some(document) = open.pop_front() {
            let mut own = Vec::new();
            for &needed in self.needs_of(document) {
                if std::mem::take(&mut is_left[needed]) {
                    own.push(needed);
                    open.push_back(needed);
                }
            }
            place.insert(document, below.len());
            below.push((document, own));
        }
        let mut stack = vec![(root, 0)];
        while let Some((document, depth)) = stack.pop() {
            rows.push(GraphRow {
                document,
                depth,
                is_reached,
            });
            let inner = place.get(&document).map(|at| &below[*at].1);
            let inner = inner.into_iter().flatten().rev();
            stack.extend(inner.map(|needed| (*needed, depth + 1)));
        }
    }
}

/// When the graph of a version is to be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphTurn {
    /// Now.
    Now,
    /// At this time: the last one was started too short a time ago.
    At(Instant),
    /// Not before there is another version, or the one that is being computed is there.
    Unneeded,
}

/// The newest graph, and when the next one is wanted.
#[derive(Debug, Default)]
pub struct GraphState {
    /// The newest graph; none before the first.
    pub graph: Option<Arc<FileGraph>>,
    /// The number of the version that it is of, or that is being read.
    of_version: Option<u64>,
    is_running: bool,
    started: Option<Instant>,
}

impl GraphState {
    /// When the graph of this version is to be computed. If that is now, it counts as begun.
    pub fn begin(&mut self, version: u64, now: Instant) -> GraphTurn {
        if self.is_running || self.of_version == Some(version) {
            return GraphTurn::Unneeded;
        }
        let due = self.started.map(|started| started + GRAPH_INTERVAL);
        if let Some(due) = due.filter(|due| now < *due) {
            return GraphTurn::At(due);
        }
        (self.of_version, self.is_running, self.started) = (Some(version), true, Some(now));
        GraphTurn::Now
    }

    /// Takes a graph that was computed; none if its thread died.
    pub fn finish(&mut self, graph: Option<FileGraph>) {
        self.is_running = false;
        if let Some(graph) = graph {
            self.graph = Some(Arc::new(graph));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: usize, needs: &[(usize, usize)]) -> FileGraph {
        let mut graph = FileGraph {
            users: vec![Vec::new(); count],
            needs: vec![Vec::new(); count],
        };
        for (from, to) in needs {
            graph.needs[*from].push(*to);
            graph.users[*to].push(*from);
        }
        graph
    }

    fn rows(graph: &FileGraph, roots: &[usize]) -> Vec<(usize, u32, bool)> {
        let order: Vec<usize> = (0..graph.needs.len()).collect();
        let rows = graph.list_rows(roots, &order).into_iter();
        rows.map(|row| (row.document, row.depth, row.is_reached))
            .collect()
    }

    #[test]
    fn each_file_stands_once_where_it_is_nearest_to_the_root() {
        // 0 needs 1 and 2, 1 needs 2 and 3.
        let graph = graph(5, &[(0, 1), (0, 2), (1, 2), (1, 3)]);
        assert_eq!(
            rows(&graph, &[0]),
            [
                (0, 0, true),
                (1, 1, true),
                (3, 2, true),
                (2, 1, true),
                (4, 0, false)
            ]
        );
        assert_eq!(
            rows(&graph, &[1]),
            [
                (1, 0, true),
                (2, 1, true),
                (3, 1, true),
                (0, 0, false),
                (4, 0, false)
            ]
        );
    }

    #[test]
    fn files_that_need_each_other_have_a_row_too() {
        assert_eq!(
            rows(&graph(3, &[(0, 1), (1, 0), (2, 2)]), &[]),
            [(0, 0, true), (1, 1, true), (2, 0, true)]
        );
    }

    #[test]
    fn a_graph_is_computed_once_a_version_and_not_at_every_one() {
        let start = Instant::now();
        let later = start + GRAPH_INTERVAL;
        let mut state = GraphState::default();
        assert_eq!(state.begin(0, start), GraphTurn::Now);
        assert_eq!(state.begin(1, later), GraphTurn::Unneeded, "one runs");
        state.finish(Some(FileGraph::default()));
        assert_eq!(state.begin(0, later), GraphTurn::Unneeded, "it is known");
        let early = start + GRAPH_INTERVAL / 2;
        assert_eq!(state.begin(1, early), GraphTurn::At(later), "it is early");
        assert_eq!(state.begin(1, later), GraphTurn::Now);
    }
}
