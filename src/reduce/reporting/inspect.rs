//! All that is known of one node: for the user who asks why it is still here.

use super::node_answer::{NodeAnswer, NodeFacts};
use super::snapshot::RunSnapshot;
use crate::display::WallClock;
use crate::pass;
use crate::program::{Document, DocumentFreedom, NodeId, NodeShape, Replacement, text_excerpt};

/// How many characters of a piece are shown.
const EXCERPT_LENGTH: usize = 60;

/// What is known of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeInspection {
    /// What the parser calls it, or the word of the normal form.
    pub kind: String,
    /// Its tokens.
    pub tokens: u32,
    /// The rule that it is derived by, in normal form; none for what the grammar has no rule for.
    pub rule: Option<String>,
    /// What the grammar expects in its place; none where nothing may be put.
    pub expected: Option<String>,
    /// How it may go, in words; none if it may not.
    pub removable_because: Option<&'static str>,
    /// What may stand in its place: how each begins, and its tokens. The smallest first.
    pub replacements: Vec<(String, u32)>,
    /// Why it is still there, and the decisions that say so.
    pub answer: NodeAnswer,
}

/// Whether the file of a document may go, where there are several.
fn may_go_as_file(document: &Document) -> bool {
    document.freedom != DocumentFreedom::Fixed
}

/// What is known of a node of the current version; none if it is not there. The clock tells when something was asked.
pub fn inspect_node(
    snapshot: &RunSnapshot,
    node: NodeId,
    clock: WallClock,
) -> Option<NodeInspection> {
    let version = &snapshot.version;
    let trail = version.path_to(node)?;
    let node = trail.node();
    let grammar = version.documents()[trail.document]
        .language
        .map(|language| language.grammar());
    let rule = grammar.zip(node.class).and_then(|(grammar, class)| {
        let rule = grammar.rule_of_class(class)?;
        Some(format!(
            "{} ::= {}",
            grammar.rule_name(rule),
            grammar.describe_expr(grammar.rule_body(rule))
        ))
    });
    let expected = grammar
        .zip(node.expected)
        .map(|(grammar, ex)| grammar.describe_expr(ex));
    let candidates =
        pass::replacement_candidates(version, &trail, pass::ReplacementSearch::All).into_iter();
    let pieces = candidates.filter_map(|candidate| {
        let (Replacement::Node(below) | Replacement::Items(below)) = candidate.replacement else {
            return None;
        };
        Some((
            text_excerpt(version.find_node(below)?, EXCERPT_LENGTH),
            candidate.tokens,
        ))
    });
    let above = trail.ancestors().next();
    let goes = match (node.shape, above.map(|above| above.shape)) {
        (NodeShape::Opt, _) => Some("it is an optional part"),
        (NodeShape::Extra, _) => Some("it is a comment"),
        (_, None) if may_go_as_file(&version.documents()[trail.document]) => {
            Some("it is a file of a project").filter(|_| version.is_project())
        }
        (_, Some(NodeShape::Star | NodeShape::Opaque)) => Some("it is an element of a list"),
        (_, Some(NodeShape::Plus | NodeShape::Sep | NodeShape::Link)) => {
            Some("it is an element of a list that keeps one")
        }
        _ => None,
    };
    Some(NodeInspection {
        kind: version.kind_name(trail.document, node).to_owned(),
        tokens: node.sums().tokens,
        rule,
        expected,
        removable_because: goes,
        replacements: pieces.collect(),
        answer: NodeFacts::of_snapshot(snapshot, clock).answer(&trail),
    })
}
