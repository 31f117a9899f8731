//! Passes that minimise rows of pieces, one row after the other: comments, lines, tokens, forms, and the levels of HDD.

use std::sync::Arc;

use super::Options;
use super::row::Row;
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Action, Change, Edit, NodeId, Pieces, Version, View, Why};

/// A piece: nodes that go together.
pub type Piece = Arc<[NodeId]>;

/// A row of pieces, and where to look for the next one.
pub struct Cut {
    /// The pieces in their order.
    pub pieces: Vec<Piece>,
    /// What they are called.
    pub what: Pieces,
    /// What [`Kind::cut`] is to be told the next time.
    pub next: u32,
}

/// What tells one pass of this shape from another.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// The row that begins at this place, which is 0 at first; none when there are no more.
    pub cut: fn(&Version, u32) -> Option<Cut>,
    /// The edit that lets these nodes go.
    pub delete: fn(&Version, &[NodeId]) -> Edit,
}

/// A list minimiser over one row after the other.
#[derive(Clone)]
pub struct Flat {
    kind: &'static Kind,
    options: Options,
    next: u32,
    row: Option<(Pieces, Row<Piece>)>,
}

impl Flat {
    /// Begins with the first row.
    pub fn new(kind: &'static Kind, options: &Options) -> Flat {
        Flat {
            kind,
            options: *options,
            next: 0,
            row: None,
        }
    }

    fn delete(&self, view: &View, pieces: &[Piece]) -> Edit {
        let nodes: Vec<NodeId> = pieces
            .iter()
            .flat_map(|piece| piece.iter().copied())
            .collect();
        (self.kind.delete)(&view.version, &nodes)
    }
}

impl Dialogue for Flat {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        loop {
            let Some((what, row)) = &mut self.row else {
                let Some(Cut { pieces, what, next }) = (self.kind.cut)(&view.version, self.next)
                else {
                    return Step::Done;
                };
                self.next = next;
                self.row = Some((what, Row::new(pieces, &self.options)));
                continue;
            };
            let (what, of) = (*what, row.len());
            match row.step() {
                Step::Ask(pieces, ()) => {
                    let why = Why {
                        pass: self.kind.name,
                        action: Action::Drop {
                            what,
                            go: pieces.len() as u32,
                            of,
                        },
                        node: None,
                    };
                    return Step::Ask(self.delete(view, &pieces), why);
                }
                Step::Take(pieces) => return Step::Take(self.delete(view, &pieces)),
                Step::Settle | Step::Done => self.row = None,
            }
        }
    }

    fn told(&mut self, _: &View, _: &Edit, answer: Answer) {
        if let Some((_, row)) = &mut self.row {
            row.told(answer);
        }
    }

    fn taken(&mut self, _: &View, _: &Change) {
        if let Some((_, row)) = &mut self.row {
            row.taken();
        }
    }

    fn constrained(&mut self, _: &View) {
        self.next = 0;
        self.row = None;
    }
}

/// Lets each node go by itself, whatever the grammar says.
pub fn each(_: &Version, nodes: &[NodeId]) -> Edit {
    nodes
        .iter()
        .map(|&node| crate::program::Op::Delete(node))
        .collect()
}
