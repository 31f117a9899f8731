//! What the user doubts goes first, and then all that is apart from what the user suspects: a few questions about many parts at once.
//!
//! A hint changes the order and never the result. Where it was wrong, a few questions are lost: after some failures in a row what is left
//! is for the passes after this one. Without hints it asks nothing. It has no paper.

use std::sync::Arc;

use super::flat::{Cut, Flat, Rows};
use super::removable::{Seen, removal};
use super::{Again, Heed, Kind, Options};
use crate::minimize;
use crate::program::{Node, Pieces, Rule, View};

/// What the user points at.
pub static HINTS: Kind = Kind {
    name: "hints",
    what: "takes out what the user doubts, and what is apart from what the user suspects; nothing without hints",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |_, options| {
        let halving = minimize::kind("complements").unwrap_or(options.minimizer);
        let halved = Options {
            minimizer: halving,
            ..*options
        };
        let pass = Box::new(Flat::new(&ROWS, &halved));
        options.collected(options.closed(pass))
    },
};

/// A row of what is doubted, and a row of what is apart from all that is suspected.
static ROWS: Rows = Rows {
    name: HINTS.name,
    cut,
    delete: removal,
    patience: Some(6),
    at_once: false,
};

fn cut(view: &View, from: u32) -> Option<Cut> {
    let rows = [
        (Rule::Doubt, Pieces::Doubted),
        (Rule::Suspect, Pieces::Unsuspected),
    ];
    let &(rule, what) = rows.get(from as usize)?;
    Some(Cut {
        pieces: parts(view, rule),
        what,
        next: from + 1,
    })
}

/// The largest parts that the grammar lets go and that a hint of this rule makes likely to: inside of what is doubted, or apart from
/// all that is suspected.
fn parts(view: &View, rule: Rule) -> Vec<super::flat::Piece> {
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
            parts.push(([seen.node.id].into(), seen.node.sums.tokens));
        } else if constraints.meets(rule, seen.node) {
            let first = stack.len();
            stack.extend(seen.below());
            stack[first..].reverse();
        }
    }
    parts
}
