//! Nodes that the user marked with letters.

use std::collections::BTreeMap;

use crate::program::NodeId;

/// What the next letter does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookmarkAction {
    /// It marks the selected node.
    Set,
    /// It selects the marked node.
    Jump,
}

/// The bookmarks.
#[derive(Debug, Default)]
pub struct NodeBookmarks {
    nodes: BTreeMap<char, NodeId>,
    /// What the next letter is for.
    pub pending: Option<BookmarkAction>,
}

impl NodeBookmarks {
    /// Marks a node.
    pub fn set_mark(&mut self, letter: char, node: NodeId) {
        self.nodes.insert(letter, node);
    }

    /// The node that is marked with a letter.
    pub fn marked_node(&self, letter: char) -> Option<NodeId> {
        self.nodes.get(&letter).copied()
    }

    /// The first letter that a node is marked with.
    pub fn letter_of(&self, node: NodeId) -> Option<char> {
        let mut marks = self.nodes.iter();
        marks
            .find(|(_, marked)| **marked == node)
            .map(|(letter, _)| *letter)
    }

    /// The letters in use.
    pub fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.nodes.keys().copied()
    }
}
