//! Where a version lacks parts that its parser requires: what stands in for them when the text is parsed.
//!
//! A language may say that compilers do without a part that its grammar requires, such as the type of a declaration of C. In the normal form it is a
//! required part like any other; an edit may delete it all the same. A node without it is marked, with all nodes around it ([`NodeFlags::LACKING`]), and its
//! children have one derivation where the part is optional, which says what is absent and where. So the parser is shown a completed text: it finds no error
//! there, reads the names as before, and its tree has the same derivation again.

use std::sync::Arc;

use super::grammar_children::{GrammarChildren, PlacedChild};
use super::node::{NodeFlags, NodeId, NodeShape, ProgramNode};
use super::walk;
use crate::grammar::DispensablePart;
use crate::language::Language;
use crate::language::parser::{LanguageParser, ParseError, ParseLimit, ParseTree, StandIns};

/// The stand-ins of a document, at their places in its text. Takes no time where nothing is absent.
pub fn find_stand_ins(language: &'static Language, root: &Arc<ProgramNode>) -> StandIns {
    let mut places = Vec::new();
    let mut open = vec![(root, 0)];
    while let Some((node, start)) = open.pop() {
        if !is_lacking(node) {
            continue;
        }
        if let Some((children, parts)) = find_parts(language, node, node.children(), None) {
            let end = start + node.sums().bytes as usize;
            let absent = parts.into_iter().filter(DispensablePart::is_absent);
            places.extend(absent.map(|part| {
                let child = children.get(part.children.start);
                let at = child.map_or(end, |&(child, before)| {
                    let white = walk::leaf_at(child, 0).map_or(0, |leaf| leaf.trivia().len());
                    start + before + white
                });
                (at, part.stand_in)
            }));
        }
        let mut at = start;
        for child in node.children() {
            open.push((child, at));
            at += child.sums().bytes as usize;
        }
    }
    StandIns::at_places(places)
}

/// Whether a part is absent in the node or below it.
pub fn is_lacking(node: &ProgramNode) -> bool {
    !node.shape.is_leaf() && node.flags.contains(NodeFlags::LACKING)
}

/// Whether compilers do without parts of nodes like this.
pub fn may_lack_parts(language: Option<&'static Language>, node: &ProgramNode) -> bool {
    let rule = language.zip(node.class).and_then(|(language, class)| {
        let grammar = language.grammar();
        let rule = grammar.rule_of_class(class)?;
        Some(grammar.has_optional_parts(rule))
    });
    node.shape == NodeShape::Regular && rule == Some(true)
}

/// Whether a node like this over these children lacks a part itself. None where no derivation explains the children.
pub fn find_absence(
    language: Option<&'static Language>,
    node: &ProgramNode,
    children: &[Arc<ProgramNode>],
) -> Option<bool> {
    let (_, parts) = find_parts(language?, node, children, None)?;
    Some(parts.iter().any(DispensablePart::is_absent))
}

/// Whether the grammar requires the last node of a path from the root, and compilers do not.
pub fn is_dispensable(language: Option<&'static Language>, path: &[&Arc<ProgramNode>]) -> bool {
    let Some(((part, above), language)) = path.split_last().zip(language) else {
        return false;
    };
    let mut above = above.iter().rev();
    let owner = above.find(|node| node.class.is_some() || node.shape != NodeShape::Item);
    owner.is_some_and(|owner| can_lack(language, owner, part.id))
}

/// The parts of a node that its grammar requires and compilers do not, in the order of the text.
pub fn find_dispensable_parts<'a>(
    language: &'static Language,
    node: &'a Arc<ProgramNode>,
) -> Vec<&'a Arc<ProgramNode>> {
    if !may_lack_parts(Some(language), node) {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let mut open: Vec<_> = node.children().iter().rev().collect();
    while let Some(child) = open.pop() {
        match (child.class, child.shape) {
            (Some(_), _) => parts.push(child),
            (None, NodeShape::Item) => open.extend(child.children().iter().rev()),
            (None, _) => {}
        }
    }
    parts.retain(|part| can_lack(language, node, part.id));
    parts
}

/// Whether compilers do without this part of the node.
fn can_lack(language: &'static Language, node: &Arc<ProgramNode>, part: NodeId) -> bool {
    let find = |without| find_parts(language, node, node.children(), without);
    let Some((children, parts)) = find(None) else {
        return false;
    };
    let is_own = |own: &&DispensablePart| match &children[own.children.clone()] {
        [(only, _)] => only.id == part,
        _ => false,
    };
    let Some(number) = parts.iter().find(is_own).map(|own| own.number) else {
        return false;
    };
    let count_absent = |parts: &[DispensablePart]| {
        let own = parts.iter().filter(|own| own.number == number);
        own.filter(|own| own.is_absent()).count()
    };
    let left = find(Some(part)).filter(|(left, _)| !left.is_empty());
    left.is_some_and(|(_, left)| count_absent(&left) > count_absent(&parts))
}

/// The children that a node over these has in the parser's tree, but for one that is left out, and its dispensable parts. None where the grammar has no such
/// part, or does not explain the children.
fn find_parts<'a>(
    language: &'static Language,
    node: &ProgramNode,
    children: &'a [Arc<ProgramNode>],
    without: Option<NodeId>,
) -> Option<(Vec<PlacedChild<'a>>, Vec<DispensablePart>)> {
    let grammar = language.grammar();
    let rule = grammar.rule_of_class(node.class?)?;
    if node.shape != NodeShape::Regular || !grammar.has_optional_parts(rule) {
        return None;
    }
    let seen = GrammarChildren::below(children, without);
    if seen.has_skipped {
        return None;
    }
    let parts = grammar.find_dispensable_parts(rule, &seen.children, seen.trailing_gap)?;
    Some((seen.nodes, parts))
}

/// Parses the text of a document, whose line markers are masked, from scratch.
///
/// # Errors
/// When the parse does not end within its limit.
pub fn parse_completed(
    parser: &mut LanguageParser,
    language: &'static Language,
    root: &Arc<ProgramNode>,
    masked: &[u8],
) -> Result<ParseTree, ParseError> {
    let limit = ParseLimit::for_length(masked.len());
    parser.parse_completed(masked, &find_stand_ins(language, root), limit)
}
