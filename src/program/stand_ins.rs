//! Where a version lacks parts that its parser requires: what stands in for them when the text is parsed.
//!
//! A language may say that compilers do without a part that its grammar requires, such as the type of a declaration of C. In the normal form it is an
//! optional part like any other. A node without it is marked, with all nodes around it ([`NodeFlags::LACKING`]), and its children have one derivation, which says
//! what is absent and where. So the parser is shown a completed text: it finds no error there, reads the names as before, and its tree has the same
//! derivation again.

use std::sync::Arc;

use super::node::{NodeFlags, NodeId, NodeShape, ProgramNode};
use super::walk;
use crate::grammar::{AbsentPart, GrammarChild};
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
        if let Some((children, absent)) = find_absent_parts(language, node, node.children()) {
            let end = start + node.sums().bytes as usize;
            places.extend(absent.into_iter().map(|part| {
                let child = children.get(part.before);
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

/// Whether the language makes parts of nodes like this optional.
pub fn may_lack_parts(language: Option<&'static Language>, node: &ProgramNode) -> bool {
    let rule = language.zip(node.class).and_then(|(language, class)| {
        let grammar = language.grammar();
        let rule = grammar.rule_of_class(class)?;
        Some(grammar.has_optional_parts(rule))
    });
    node.shape == NodeShape::Regular && rule == Some(true)
}

/// Whether a node like this over these children lacks a part itself.
pub fn lacks_part(
    language: Option<&'static Language>,
    node: &ProgramNode,
    children: &[Arc<ProgramNode>],
) -> bool {
    let absent = language.and_then(|language| find_absent_parts(language, node, children));
    absent.is_some_and(|(_, absent)| !absent.is_empty())
}

/// The parts of a node that are optional only by the data of its language, in the order of the text.
pub fn find_dispensable_parts<'a>(
    language: &'static Language,
    node: &'a Arc<ProgramNode>,
) -> Vec<&'a Arc<ProgramNode>> {
    let count = |without: Option<NodeId>| {
        let found = find_absent_parts_without(language, node, node.children(), without);
        found.map(|(_, absent)| absent.len())
    };
    let Some(absent) = count(None) else {
        return Vec::new();
    };
    let (mut options, mut open): (Vec<_>, Vec<_>) = (Vec::new(), node.children().iter().collect());
    while let Some(part) = open.pop() {
        if part.class.is_none() {
            open.extend(part.children());
        }
        if part.shape == NodeShape::Opt {
            options.push(part);
        }
    }
    options.reverse();
    options.retain(|option| count(Some(option.id)) > Some(absent));
    options
}

/// A child of a node in the parser's tree, and how many bytes of the node stand before it and its white space.
type PlacedChild<'a> = (&'a Arc<ProgramNode>, usize);

/// The children that a node over these has in the parser's tree, and what is absent among them. None where the grammar requires no such part, or does
/// not explain the children.
fn find_absent_parts<'a>(
    language: &'static Language,
    node: &ProgramNode,
    children: &'a [Arc<ProgramNode>],
) -> Option<(Vec<PlacedChild<'a>>, Vec<AbsentPart>)> {
    find_absent_parts_without(language, node, children, None)
}

/// The same if the group `without` were not there.
fn find_absent_parts_without<'a>(
    language: &'static Language,
    node: &ProgramNode,
    children: &'a [Arc<ProgramNode>],
    without: Option<NodeId>,
) -> Option<(Vec<PlacedChild<'a>>, Vec<AbsentPart>)> {
    let grammar = language.grammar();
    let rule = grammar.rule_of_class(node.class?)?;
    if node.shape != NodeShape::Regular || !grammar.has_optional_parts(rule) {
        return None;
    }
    let (mut placed, mut seen, mut gap, mut at) = (Vec::new(), Vec::new(), false, 0);
    let mut open: Vec<&Arc<ProgramNode>> = children.iter().rev().collect();
    while let Some(child) = open.pop() {
        match (child.shape, child.class) {
            (NodeShape::Opaque, _) => return None,
            (NodeShape::Extra | NodeShape::End, _) => {}
            (_, Some(class)) => {
                let gap = std::mem::take(&mut gap);
                let class = Some(class);
                placed.push((child, at));
                seen.push(GrammarChild { class, gap });
            }
            (NodeShape::Token, None) => gap = true,
            (_, None) if Some(child.id) == without => {}
            (_, None) => {
                open.extend(child.children().iter().rev());
                continue;
            }
        }
        at += child.sums().bytes as usize;
    }
    let absent = grammar.find_absent_parts(rule, &seen, gap)?;
    Some((placed, absent))
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
