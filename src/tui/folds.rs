//! Which nodes of the tree are rows, and which rows are shown.
//!
//! The tree may have a hundred thousand nodes, all of them unfolded, and a new version twenty times a second. So there is no list of
//! rows: each unfolded node knows how many rows lie below it, and versions share the nodes that an edit did not touch, so after an
//! edit only the path to its place is counted anew. A row is found from its number, and a number from its node, by walking down.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::counted::{Counted, Counting};
use super::marks::{Fate, Marks};
use crate::program::{Document, Node, NodeId, Shape, Trail, Version};

/// How many nodes are unfolded in the same frame.
const AT_ONCE: usize = 40_000;

/// What a node is in the tree pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A row.
    Row,
    /// No row; what is below it belongs to the row above: the groups of the normal form.
    Through,
    /// Not shown: punctuation.
    Hidden,
}

/// What `node` of `document` is in the tree pane.
pub fn part(document: &Document, node: &Node) -> Part {
    let groups = match node.shape {
        Shape::Chunk => return Part::Through,
        Shape::End => return Part::Hidden,
        Shape::Extra | Shape::Opaque => return Part::Row,
        Shape::Token | Shape::Regular => false,
        Shape::Star | Shape::Plus | Shape::Opt | Shape::Sep | Shape::Link | Shape::Item => true,
    };
    match (document.language, node.class) {
        (Some(language), Some(class))
            if node.shape == Shape::Token && !language.grammar().is_named(class) =>
        {
            Part::Hidden
        }
        (Some(_), None) if node.shape == Shape::Token => Part::Hidden,
        // The document itself, around what the parser saw.
        (Some(_), None) if node.shape == Shape::Regular => Part::Through,
        (_, Some(_)) => Part::Row,
        // Without a grammar the only groups worth a row are those of several tokens: lines.
        (None, None) if matches!(node.shape, Shape::Item | Shape::Link) && node.sums.leaves > 1 => {
            Part::Row
        }
        (_, None) if groups => Part::Through,
        (_, None) => Part::Row,
    }
}

/// A row of the tree pane.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The number of the document.
    pub document: usize,
    /// The node.
    pub node: &'a Arc<Node>,
    /// How many rows it lies within.
    pub depth: u32,
    /// Whether what is below it is shown; none when nothing is.
    pub open: Option<bool>,
    /// Whether the question in the air would take it away.
    pub gone: bool,
}

/// What is folded, and how many rows that makes.
#[derive(Debug, Default)]
pub struct Folds {
    /// Whether nodes are open unless they are told otherwise.
    open: bool,
    /// The nodes for which the opposite holds.
    other: FxHashSet<NodeId>,
    /// Nodes that are open as long as the screen follows the run: the way to what is being tried, the root first.
    followed: Vec<NodeId>,
    /// The rows of large nodes.
    counted: Counted,
    /// Everything is being unfolded: what is counted for that so far.
    unfolding: Option<Counting>,
}

impl Folds {
    /// Everything folded but the top level of `version`.
    pub fn new(version: &Version) -> Folds {
        let tops = version
            .documents()
            .iter()
            .filter_map(|document| first_row(document, &document.root));
        Folds {
            other: tops.map(|top| top.id).collect(),
            ..Folds::default()
        }
    }

    /// Whether everything is being unfolded.
    pub fn is_unfolding(&self) -> bool {
        self.unfolding.is_some()
    }

    /// Counts so many nodes more of what is being unfolded; whether anything is.
    pub fn work(&mut self, nodes: usize) -> bool {
        let Some(counting) = &mut self.unfolding else {
            return false;
        };
        if !counting.work(nodes) {
            return true;
        }
        if let Some(Counting { counted, .. }) = self.unfolding.take() {
            *self = Folds {
                open: true,
                counted,
                ..Folds::default()
            };
        }
        true
    }

    /// Whether the node is open, if anything is below it.
    pub fn is_open(&self, node: NodeId) -> bool {
        self.open != self.other.contains(&node) || self.followed.contains(&node)
    }

    /// Opens or closes the node at the end of `trail`.
    pub fn set(&mut self, trail: &Trail, open: bool) {
        let id = trail.node().id;
        if open == self.open {
            self.other.remove(&id);
        } else {
            self.other.insert(id);
        }
        self.forget(trail);
    }

    /// Opens all that the node at the end of `trail` lies within.
    pub fn reveal(&mut self, trail: &Trail) {
        for node in &trail.nodes[..trail.nodes.len() - 1] {
            if !self.is_open(node.id) {
                if self.open {
                    self.other.remove(&node.id);
                } else {
                    self.other.insert(node.id);
                }
            }
        }
        self.forget(trail);
    }

    /// Opens or closes all nodes. Opening those of a large program takes a few [`Folds::work`]s: its rows must be counted.
    pub fn set_all(&mut self, version: &Version, open: bool) {
        if !open {
            *self = Folds::new(version);
            return;
        }
        self.unfolding = Some(Counting::new(version));
        self.work(AT_ONCE);
    }

    /// Opens the way along `trail`, and closes the way that was opened so before.
    pub fn follow(&mut self, version: &Version, trail: Option<&Trail>) {
        let old = std::mem::take(&mut self.followed);
        // What is left of the old way lies on one way still, whatever went from it.
        if let Some(rest) = old.iter().rev().find_map(|id| version.trail(*id)) {
            self.forget(&rest);
        }
        if let Some(trail) = trail {
            self.followed = trail.nodes[..trail.nodes.len() - 1]
                .iter()
                .map(|node| node.id)
                .collect();
            self.forget(trail);
        }
    }

    /// The way that was opened to follow the run stays open.
    pub fn keep_followed(&mut self, version: &Version) {
        let followed = std::mem::take(&mut self.followed);
        if let Some(trail) = followed.iter().rev().find_map(|id| version.trail(*id)) {
            self.reveal(&trail);
            self.set(&trail, true);
        }
    }

    fn forget(&mut self, trail: &Trail) {
        for node in &trail.nodes {
            self.counted.forget(node.id);
        }
    }

    /// How many rows there are.
    pub fn len(&mut self, version: &Version) -> usize {
        self.counted.tidy(version);
        version
            .documents()
            .iter()
            .map(|document| self.count(document, &document.root) as usize)
            .sum()
    }

    /// The number of the row of the node at the end of `trail`, or of the nearest row that it lies within.
    pub fn number(&mut self, version: &Version, trail: &Trail) -> usize {
        let documents = version.documents();
        let before = &documents[..trail.document];
        let mut at: usize = before
            .iter()
            .map(|document| self.count(document, &document.root) as usize)
            .sum();
        let document = &documents[trail.document];
        let mut row = at;
        for (depth, node) in trail.nodes.iter().enumerate() {
            if part(document, node) == Part::Row {
                row = at;
                at += 1;
                if !self.is_open(node.id) {
                    break;
                }
            }
            let Some(next) = trail.nodes.get(depth + 1) else {
                break;
            };
            for kid in node.kids().iter().take_while(|kid| kid.id != next.id) {
                at += self.count(document, kid) as usize;
            }
        }
        row
    }

    /// The rows from number `first` on, at most `count`.
    pub fn rows<'a>(
        &mut self,
        version: &'a Version,
        marks: &Marks,
        first: usize,
        count: usize,
    ) -> Vec<Row<'a>> {
        let mut rows = Vec::with_capacity(count.min(1024));
        let mut skip = first;
        for (number, document) in version.documents().iter().enumerate() {
            let mut stack = vec![Level {
                kids: std::slice::from_ref(&document.root),
                fate: Fate::default(),
                item: 0,
                depth: 0,
            }];
            while let Some(top) = stack.last_mut() {
                if rows.len() >= count {
                    return rows;
                }
                let Some((node, rest)) = top.kids.split_first() else {
                    stack.pop();
                    continue;
                };
                let (above, item, depth) = (top.fate, top.item, top.depth);
                top.kids = rest;
                top.item += node.sums.items;
                if skip > 0 {
                    let below = self.count(document, node) as usize;
                    if below <= skip {
                        skip -= below;
                        continue;
                    }
                }
                let fate = marks.step(above, item, node);
                let below = match part(document, node) {
                    Part::Hidden => continue,
                    Part::Through => depth,
                    Part::Row => {
                        let open = has_rows_below(document, node).then(|| self.is_open(node.id));
                        match skip {
                            0 => rows.push(Row {
                                document: number,
                                node,
                                depth,
                                open,
                                gone: fate.gone,
                            }),
                            _ => skip -= 1,
                        }
                        if open != Some(true) {
                            continue;
                        }
                        depth + 1
                    }
                };
                stack.push(Level {
                    kids: node.kids(),
                    fate,
                    item: 0,
                    depth: below,
                });
            }
        }
        rows
    }

    /// How many rows `root` makes, itself included. Does not recurse: trees are deep.
    fn count(&mut self, document: &Document, root: &Arc<Node>) -> u32 {
        struct Open<'a> {
            node: &'a Arc<Node>,
            next: usize,
            rows: u32,
        }
        let mut stack: Vec<Open> = Vec::new();
        let mut node = root;
        loop {
            let part = part(document, node);
            let own = u32::from(part == Part::Row);
            let known = match part {
                Part::Hidden => Some(0),
                Part::Row if !self.is_open(node.id) => Some(1),
                _ if node.kids().is_empty() => Some(own),
                _ => self.counted.get(node),
            };
            let mut rows = match known {
                Some(rows) => rows,
                None => {
                    stack.push(Open {
                        node,
                        next: 1,
                        rows: own,
                    });
                    node = &node.kids()[0];
                    continue;
                }
            };
            // Hands the number up until there is another child to count.
            node = loop {
                let Some(top) = stack.last_mut() else {
                    return rows;
                };
                top.rows += rows;
                if let Some(kid) = top.node.kids().get(top.next) {
                    top.next += 1;
                    break kid;
                }
                rows = top.rows;
                self.counted.set(top.node, rows);
                stack.pop();
            };
        }
    }
}

struct Level<'a> {
    kids: &'a [Arc<Node>],
    fate: Fate,
    item: u32,
    depth: u32,
}

/// Whether opening the node would show anything.
fn has_rows_below(document: &Document, node: &Node) -> bool {
    first_row_below(document, node).is_some()
}

/// The node if it is a row, else the first row below it.
pub fn first_row<'a>(document: &Document, node: &'a Arc<Node>) -> Option<&'a Arc<Node>> {
    match part(document, node) {
        Part::Row => Some(node),
        Part::Through | Part::Hidden => first_row_below(document, node),
    }
}

/// The first row below a node.
pub fn first_row_below<'a>(document: &Document, node: &'a Node) -> Option<&'a Arc<Node>> {
    let mut stack = vec![node.kids().iter()];
    while let Some(top) = stack.last_mut() {
        match top.next() {
            None => {
                stack.pop();
            }
            Some(kid) => match part(document, kid) {
                Part::Row => return Some(kid),
                Part::Through => stack.push(kid.kids().iter()),
                Part::Hidden => {}
            },
        }
    }
    None
}

/// Whether a list of any length is directly below the row.
pub fn has_list(document: &Document, node: &Node) -> bool {
    let mut stack = vec![node];
    while let Some(top) = stack.pop() {
        for kid in top.kids() {
            if part(document, kid) == Part::Through && !kid.shape.is_leaf() {
                if kid.shape.is_list() {
                    return true;
                }
                stack.push(kid);
            }
        }
    }
    node.shape.is_list()
}
