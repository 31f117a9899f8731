//! Passes that minimise rows of pieces, one row after the other: comments, lines, tokens, forms, the levels of HDD, and what hints point at.

use std::sync::Arc;

use super::Options;
use super::row::Row;
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Action, Change, Edit, NodeId, Pieces, Version, View, Why};

/// A piece: nodes that go together, and the tokens that go with them.
pub type Piece = (Arc<[NodeId]>, u32);

/// A row of pieces, and where to look for the next one.
pub struct Cut {
    /// The pieces in their order.
    pub pieces: Vec<Piece>,
    /// What they are called.
    pub what: Pieces,
    /// What [`Rows::cut`] is to be told the next time.
    pub next: u32,
}

/// The rows of a pass: what tells one of this shape from another.
#[derive(Debug)]
pub struct Rows {
    /// The name of the pass.
    pub name: &'static str,
    /// The row that begins at this place, which is 0 at first; none when there are no more.
    pub cut: fn(&View, u32) -> Option<Cut>,
    /// The edit that lets these nodes go.
    pub delete: fn(&Version, &[NodeId]) -> Edit,
    /// After so many failures in a row what is left of the row is for other passes; none to go on to its end.
    pub patience: Option<u32>,
    /// Whether a whole row is asked about before the list minimiser begins.
    pub at_once: bool,
}

/// A list minimiser over one row after the other.
#[derive(Clone)]
pub struct Flat {
    rows: &'static Rows,
    options: Options,
    next: u32,
    row: Option<(Pieces, Row<Arc<[NodeId]>>)>,
    /// Failures in a row.
    failed: u32,
}

impl Flat {
    /// Begins with the first row.
    pub fn new(rows: &'static Rows, options: &Options) -> Flat {
        Flat {
            rows,
            options: *options,
            next: 0,
            row: None,
            failed: 0,
        }
    }
}

/// The edit that lets these pieces go.
fn delete(rows: &Rows, view: &View, pieces: &[Arc<[NodeId]>]) -> Edit {
    let nodes = pieces.iter().flat_map(|piece| piece.iter().copied());
    (rows.delete)(&view.version, &nodes.collect::<Vec<_>>())
}

impl Dialogue for Flat {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        loop {
            if self.rows.patience.is_some_and(|most| self.failed >= most) {
                (self.row, self.failed) = (None, 0);
            }
            let Some((what, row)) = &mut self.row else {
                let Some(cut) = (self.rows.cut)(view, self.next) else {
                    return Step::Done;
                };
                let Cut { what, next, .. } = cut;
                let pieces = open(view, cut.pieces);
                self.next = next;
                self.row = Some((what, Row::new(pieces, &self.options, self.rows.at_once)));
                continue;
            };
            let (what, of) = (*what, row.len());
            match row.step(|pieces| delete(self.rows, view, pieces)) {
                Step::Ask(edit, go) => {
                    let why = Why {
                        pass: self.rows.name,
                        action: Action::Drop { what, go, of },
                        node: None,
                    };
                    return Step::Ask(edit, why);
                }
                Step::Take(edit) => return Step::Take(edit),
                Step::Settle | Step::Done => (self.row, self.failed) = (None, 0),
            }
        }
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        match answer {
            Answer::Yes => self.failed = 0,
            Answer::No => self.failed += 1,
            Answer::Refused => {}
        }
        if let Some((_, row)) = &mut self.row {
            row.told(asked, answer, |pieces| delete(self.rows, view, pieces));
        }
    }

    fn taken(&mut self, _: &View, _: &Change) {
        if let Some((_, row)) = &mut self.row {
            row.taken();
        }
    }

    fn constrained(&mut self, _: &View) {
        (self.next, self.row, self.failed) = (0, None, 0);
    }
}

/// The pieces of which all may go: each goes whole or not at all.
fn open(view: &View, mut pieces: Vec<Piece>) -> Vec<Piece> {
    let constraints = &view.constraints;
    let open = |&node: &NodeId| {
        let node = view.version.node(node);
        node.is_some_and(|node| constraints.closes(node).is_none())
    };
    if !constraints.is_empty() {
        pieces.retain(|(nodes, _)| nodes.iter().all(open));
    }
    pieces
}

/// A piece of leaves.
pub fn piece(leaves: Vec<NodeId>) -> Piece {
    let tokens = leaves.len() as u32;
    (leaves.into(), tokens)
}

/// Lets each node go by itself, whatever the grammar says.
pub fn each(_: &Version, nodes: &[NodeId]) -> Edit {
    nodes
        .iter()
        .map(|&node| crate::program::Op::Delete(node))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{read, walk};

    /// Two rows of three tokens.
    static ROWS: Rows = Rows {
        name: "test",
        cut: |view, from| {
            let leaves = walk::leaves(&view.version.documents()[0].root);
            let row = leaves.skip(3 * from as usize).take(3);
            (from < 2).then(|| Cut {
                pieces: row.map(|leaf| ([leaf.id].into(), 1)).collect(),
                what: Pieces::Tokens,
                next: from + 1,
            })
        },
        delete: each,
        patience: Some(7),
        at_once: false,
    };

    #[test]
    fn failures_of_one_row_say_nothing_of_the_next() {
        let text: Arc<[u8]> = (*b"int a; int b;").into();
        let files = vec![(Arc::from(std::path::Path::new("a.c")), text)];
        let view = View::new(read(files).expect("it can be read"));
        let options = Options {
            minimizer: crate::minimize::kind("complements").expect("the table has it"),
            ..Options::default()
        };
        let mut pass = Flat::new(&ROWS, &options);
        let mut asked = 0;
        while let Step::Ask(edit, _) = pass.step(&view) {
            pass.told(&view, &edit, Answer::No);
            asked += 1;
        }
        let row = 1 + 2 + 3;
        assert_eq!(asked, 2 * row);
    }
}
