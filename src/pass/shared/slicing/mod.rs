//! Static backward slices over the tree (ReduKtor, ASE 2019, §III-E): what a line of a function needs.
//!
//! | file | subject |
//! | --- | --- |
//! | `target.rs` | the line |
//! | `statements.rs` | the statements of a function, with the names that they read, declare and assign |
//! | `statement_slice.rs` | which of them the line needs, and which declarations beside the function |
//! | `function_slice.rs` | which functions it needs, by the call graph |
//! | `class_slice.rs` | which classes it needs |
//! | `outer_elements.rs` | what is declared outside of functions |
//! | `guesses.rs` | slices of all lines, where none is known |
//!
//! All of it goes by the names. A wrong slice costs tests.

mod class_slice;
mod function_slice;
pub mod guesses;
mod outer_elements;
mod statement_slice;
mod statements;
mod target;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use target::SliceTarget;

use crate::display::format_count;
use crate::program::{EditAction, NodeId, ProgramNode, QuestionWords, View};

/// How far a slice looks. They are asked about in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceLevel {
    /// At the statements of the function around the line, and at the declarations beside it.
    Statements,
    /// At the functions of the file.
    Functions,
    /// At the classes of the file.
    Classes,
}

impl SliceLevel {
    /// The next one.
    pub fn next(self) -> Option<SliceLevel> {
        match self {
            SliceLevel::Statements => Some(SliceLevel::Functions),
            SliceLevel::Functions => Some(SliceLevel::Classes),
            SliceLevel::Classes => None,
        }
    }
}

/// What a part of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlicePartKind {
    /// A statement of a function.
    Statement,
    /// A declaration beside the function.
    Declaration,
    /// A function.
    Function,
    /// A class, or another type.
    Class,
}

impl SlicePartKind {
    /// All kinds, with their names in a sentence.
    const NOUNS: [(SlicePartKind, &'static str); 4] = [
        (SlicePartKind::Statement, "statement"),
        (SlicePartKind::Declaration, "declaration"),
        (SlicePartKind::Function, "function"),
        (SlicePartKind::Class, "class"),
    ];
}

/// What goes as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlicePart {
    /// What it is.
    pub kind: SlicePartKind,
    /// How many there are.
    pub count: u32,
    /// Its nodes: elements of lists, or optional parts.
    pub nodes: Arc<[NodeId]>,
    /// How many tokens they have.
    pub tokens: u32,
}

impl SlicePart {
    /// This node alone.
    fn of_node(kind: SlicePartKind, node: &ProgramNode) -> SlicePart {
        SlicePart {
            kind,
            count: 1,
            nodes: [node.id].into(),
            tokens: node.sums().tokens,
        }
    }
}

/// The slice of a line, by what lies outside of it.
#[derive(Clone, Debug)]
pub struct Slice {
    /// How far it looks.
    pub level: SliceLevel,
    /// The line, as a sentence names it.
    pub line: Arc<str>,
    /// What lies outside. No part is inside of another. The list minimiser begins with the last.
    pub outside: Vec<SlicePart>,
}

impl Slice {
    /// The slice of a line.
    pub fn find(view: &View, target: &SliceTarget, level: SliceLevel) -> Slice {
        let outside = match level {
            SliceLevel::Statements => statement_slice::find_outside(&view.version, target),
            SliceLevel::Functions => function_slice::find_outside(&view.version, target),
            SliceLevel::Classes => class_slice::find_outside(&view.version, target),
        };
        Slice::of_parts(view, target, level, outside)
    }

    /// The slice of a line with these parts outside. What a constraint excludes is left out.
    fn of_parts(
        view: &View,
        target: &SliceTarget,
        level: SliceLevel,
        mut outside: Vec<SlicePart>,
    ) -> Slice {
        outside.retain(|part| {
            let mut nodes = part.nodes.iter();
            nodes.all(|&node| {
                let node = view.version.find_node(node);
                node.is_some_and(|node| view.constraints.node_exclusion(node).is_none())
            })
        });
        Slice {
            level,
            line: target.describe(&view.version).into(),
            outside,
        }
    }

    /// The question whether these parts can go.
    pub fn ask_about(&self, parts: &[SlicePart]) -> EditAction {
        let of_kind = |kind| {
            let parts = parts.iter().filter(|part| part.kind == kind);
            parts.map(|part| u64::from(part.count)).sum::<u64>()
        };
        let counts = SlicePartKind::NOUNS.iter();
        let counts = counts.map(|&(kind, noun)| (of_kind(kind), noun));
        let counts = counts.filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts
            .map(|(count, noun)| format_count(count, noun))
            .collect();
        let (line, counts) = (&self.line, counts.join(", "));
        let words = match parts.len() == self.outside.len() {
            true => QuestionWords::ask(format!("Can all go but the slice of {line}?"))
                .listing_removed()
                .because(counts),
            false => QuestionWords::ask_removal(format!("{counts} outside of the slice of {line}"))
                .listing_removed()
                .in_short(counts),
        };
        EditAction::Question(words)
    }
}
