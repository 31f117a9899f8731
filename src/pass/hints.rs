//! What the user doubts goes first, and then all that is apart from what the user suspects: a few questions about many parts at once.
//!
//! A hint changes the order and never the result. Where it was wrong, a few questions are lost: after some failures in a row what is left
//! is for the passes after this one. Without hints it asks nothing.

use std::sync::Arc;

use super::Options;
use super::removable::{Seen, removal};
use super::row::Row;
use crate::dialogue::{Answer, Dialogue, Step};
use crate::minimize;
use crate::program::{Action, Change, Edit, Node, NodeId, Pieces, Rule, View, Why};

pub(super) const NAME: &str = "hints";

/// After so many failures in a row it gives up.
const PATIENCE: u32 = 6;

/// See the module's text.
#[derive(Clone)]
pub struct Hints {
    options: Options,
    /// The hints that still have their turn.
    left: &'static [Rule],
    row: Option<(Pieces, Row<NodeId>)>,
    failed: u32,
}

impl Hints {
    /// Begins with what is doubted.
    pub fn new(options: &Options) -> Hints {
        let halving = minimize::kind("complements").unwrap_or(options.minimizer);
        Hints {
            options: Options {
                minimizer: halving,
                ..*options
            },
            left: &[Rule::Doubt, Rule::Suspect],
            row: None,
            failed: 0,
        }
    }
}

/// The largest parts that the grammar lets go and that a hint of this rule makes likely to: inside of what is doubted, or apart from
/// all that is suspected.
fn parts(view: &View, rule: Rule) -> Vec<(NodeId, u32)> {
    let constraints = &view.constraints;
    let likely = |node: &Arc<Node>| match rule {
        Rule::Doubt => constraints.hint(node) == Some(Rule::Doubt),
        _ => !constraints.meets(rule, node),
    };
    let mut parts = Vec::new();
    let mut stack: Vec<Seen> = Vec::new();
    if constraints.hints(rule) {
        let documents = view.version.documents().iter();
        stack.extend(documents.map(|document| Seen::at(&document.root)));
    }
    while let Some(seen) = stack.pop() {
        if seen.removable && likely(seen.node) {
            parts.push((seen.node.id, seen.node.sums.tokens));
        } else if constraints.meets(rule, seen.node) {
            let first = stack.len();
            stack.extend(seen.below());
            stack[first..].reverse();
        }
    }
    parts
}

fn delete(view: &View) -> impl Fn(&[NodeId]) -> Edit {
    |nodes| removal(&view.version, nodes)
}

impl Dialogue for Hints {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        loop {
            if self.failed >= PATIENCE {
                (self.row, self.failed) = (None, 0);
            }
            let Some((what, row)) = &mut self.row else {
                let Some((rule, left)) = self.left.split_first() else {
                    return Step::Done;
                };
                self.left = left;
                let what = match rule {
                    Rule::Doubt => Pieces::Doubted,
                    _ => Pieces::Unsuspected,
                };
                let parts = parts(view, *rule);
                self.row = (!parts.is_empty()).then(|| (what, Row::new(parts, &self.options)));
                continue;
            };
            let (what, of) = (*what, row.len());
            match row.step(delete(view)) {
                Step::Ask(edit, go) => {
                    let why = Why {
                        pass: NAME,
                        action: Action::Drop { what, go, of },
                        node: None,
                    };
                    return Step::Ask(edit, why);
                }
                Step::Take(edit) => return Step::Take(edit),
                Step::Settle | Step::Done => self.row = None,
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
            row.told(asked, answer, delete(view));
        }
    }

    fn taken(&mut self, _: &View, _: &Change) {
        if let Some((_, row)) = &mut self.row {
            row.taken();
        }
    }

    fn constrained(&mut self, _: &View) {
        *self = Hints::new(&self.options);
    }
}
