//! Nodes that the user marked with letters.

use std::collections::BTreeMap;

use crate::program::NodeId;

/// What happens with the letter that is typed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookmarkAction {
    /// The letter becomes the mark of the selected node.
    Set,
    /// The node of the letter is selected.
    Jump,
}

/// The marks.
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

    /// The node of a letter.
    pub fn marked_node(&self, letter: char) -> Option<NodeId> {
        self.nodes.get(&letter).copied()
    }

    /// The first letter of a node.
    pub fn letter_of(&self, node: NodeId) -> Option<char> {
        let mut marks = self.nodes.iter();
        marks
            .find(|(_, marked)| **marked == node)
            .map(|(letter, _)| *letter)
    }

    /// The letters that are marks.
    pub fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.nodes.keys().copied()
    }
}
