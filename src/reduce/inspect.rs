//! All that is known of one node: for the user who asks why it is still here.

use std::sync::Arc;

use super::log::Tried;
use super::snapshot::Snapshot;
use crate::pass;
use crate::program::{NodeId, Piece, Shape, beginning, element};

/// How many characters of a piece are shown.
const BEGINNING: usize = 60;

/// What is known of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// What the parser calls it, or the word of the normal form.
    pub kind: String,
    /// Its tokens.
    pub tokens: u32,
    /// The rule that it is derived by, in normal form; none for what the grammar has no rule for.
    pub rule: Option<String>,
    /// What the grammar expects in its place; none where nothing may be put.
    pub expected: Option<String>,
    /// How it may go, in words; none if it may not.
    pub goes: Option<&'static str>,
    /// What may stand in its place: how each begins, and its tokens. The smallest first.
    pub pieces: Vec<(String, u32)>,
    /// Why nothing is asked about it, in words.
    pub closed: Option<String>,
    /// The decisions about it, newest first.
    pub tried: Vec<Arc<Tried>>,
}

/// What is known of a node of the current version; none if it is not there.
pub fn inspect(snapshot: &Snapshot, node: NodeId) -> Option<Inspection> {
    let version = &snapshot.version;
    let trail = version.trail(node)?;
    let node = trail.node();
    let grammar = version.documents()[trail.document]
        .language
        .map(|language| language.grammar());
    let rule = grammar.zip(node.class).and_then(|(grammar, class)| {
        let rule = grammar.rule(class)?;
        Some(format!(
            "{} ::= {}",
            grammar.rule_name(rule),
            grammar.describe(grammar.body(rule))
        ))
    });
    let expected = grammar
        .zip(node.expected)
        .map(|(grammar, ex)| grammar.describe(ex));
    let candidates = pass::candidates(version, &trail).into_iter();
    let pieces = candidates.filter_map(|candidate| {
        let (Piece::Node(below) | Piece::Items(below)) = candidate.piece else {
            return None;
        };
        Some((beginning(version.node(below)?, BEGINNING), candidate.tokens))
    });
    let above = trail.ancestors().next();
    let goes = match (node.shape, above.map(|above| above.shape)) {
        (Shape::Opt, _) => Some("it is an optional part"),
        (Shape::Extra, _) => Some("it is a comment"),
        (_, Some(Shape::Star | Shape::Opaque)) => Some("it is an element of a list"),
        (_, Some(Shape::Plus | Shape::Sep | Shape::Link)) => {
            Some("it is an element of a list that keeps one")
        }
        _ => None,
    };
    let constraints = &snapshot.constraints;
    let rests = constraints
        .rests(node.id)
        .then(|| "it is skipped until the pass ends".to_owned());
    let closed = constraints.closes(element(node)).map(|closed| {
        let by = constraints.about(node);
        format!(
            "closed by {}{}",
            closed.words(),
            by.map(|by| format!(" ({by})")).unwrap_or_default()
        )
    });
    Some(Inspection {
        kind: version.kind(trail.document, node).to_owned(),
        tokens: node.sums.tokens,
        rule,
        expected,
        goes,
        pieces: pieces.collect(),
        closed: closed.or(rests),
        tried: snapshot.log.of(node.id).rev().cloned().collect(),
    })
}
