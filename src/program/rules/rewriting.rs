//! The edit that puts the other side of a rule in the place of a node.

use std::sync::Arc;

use super::super::edit::{Edit, EditOp, PieceContent, Replacement, ReplacementPiece};
use super::super::node::{NodeShape, ProgramNode};
use super::super::quoting::text_excerpt;
use super::super::version::Version;
use super::super::walk;
use super::matching::RuleMatch;
use crate::language::{PatternElement, RulePattern, SpacedElement};

/// A part of what stands in the place of a node.
enum NewPart<'a> {
    Token(&'a [u8]),
    /// A node that stays.
    Kept(&'a Arc<ProgramNode>),
    /// A node whose tokens are copied.
    Copied(&'a Arc<ProgramNode>),
}

impl<'a> RuleMatch<'a> {
    /// The elements of the other side of the rule.
    fn wanted_elements<'p>(&self, to: &'p RulePattern) -> &'p [SpacedElement] {
        match to.elements.split_last() {
            Some(((PatternElement::Token(text), _), before))
                if self.is_unterminated && **text == *b";" =>
            {
                before
            }
            _ => &to.elements,
        }
    }

    /// How many tokens stand there then.
    pub fn count_tokens(&self, to: &RulePattern) -> u32 {
        let elements = self.wanted_elements(to).iter();
        let counts = elements.map(|(element, _)| match element {
            PatternElement::Token(_) => 1,
            PatternElement::Hole(hole) | PatternElement::Rest(hole) => {
                self.held[*hole].iter().map(|node| node.sums().tokens).sum()
            }
        });
        counts.sum()
    }
}

/// The edit that puts `to` in the place of the node, and how the text there begins then. Where something of the pair's other document would have to be
/// the same, all of it is new text.
pub fn rewrite_node(
    version: &Version,
    node: &Arc<ProgramNode>,
    found: &RuleMatch,
    to: &RulePattern,
) -> (Edit, String) {
    let keeps = version.twins().is_none();
    let parts = place_parts(found, to, keeps);
    let text = excerpt(&parts, 40);
    let op = match &parts[..] {
        [] => EditOp::Delete(node.id),
        [(NewPart::Kept(kept), _)] => EditOp::Replace {
            node: node.id,
            piece: Replacement::Node(kept.id),
        },
        parts => {
            let is_new = parts
                .iter()
                .all(|(part, _)| !matches!(part, NewPart::Kept(_)));
            let piece = match is_new {
                true => Replacement::Tokens(
                    parts
                        .iter()
                        .flat_map(|(part, trivia)| new_texts(part, trivia))
                        .enumerate()
                        .map(|(at, (trivia, text))| match at {
                            0 => text.into(),
                            _ => [&trivia, text].concat().into(),
                        })
                        .collect(),
                ),
                false => Replacement::Pieces(
                    parts
                        .iter()
                        .flat_map(|(part, trivia)| to_pieces(part, trivia))
                        .collect(),
                ),
            };
            EditOp::Replace {
                node: node.id,
                piece,
            }
        }
    };
    (op.into(), text)
}

/// What stands there, with the white space before each part. A node stays where it comes behind those that stay before it.
fn place_parts<'a>(
    found: &RuleMatch<'a>,
    to: &'a RulePattern,
    keeps: bool,
) -> Vec<(NewPart<'a>, Arc<[u8]>)> {
    let order: Vec<_> = found.held.iter().flatten().map(|node| node.id).collect();
    let mut next = 0;
    let mut parts = Vec::new();
    for (element, trivia) in found.wanted_elements(to) {
        let (PatternElement::Hole(hole) | PatternElement::Rest(hole)) = element else {
            if let PatternElement::Token(text) = element {
                parts.push((NewPart::Token(text), trivia.clone()));
            }
            continue;
        };
        for (at, node) in found.held[*hole].iter().enumerate() {
            let place = order.iter().position(|id| *id == node.id);
            let own = match at {
                0 => trivia.clone(),
                _ => walk::leaf_at(node, 0).map_or(Arc::from([]), |leaf| leaf.trivia().into()),
            };
            match place.filter(|place| keeps && *place >= next) {
                Some(place) => {
                    next = place + 1;
                    parts.push((NewPart::Kept(node), own));
                }
                None => parts.push((NewPart::Copied(node), own)),
            }
        }
    }
    parts
}

/// The tokens of a part, each with the white space before it.
fn new_texts<'a>(part: &NewPart<'a>, trivia: &Arc<[u8]>) -> Vec<(Arc<[u8]>, &'a [u8])> {
    match part {
        NewPart::Token(text) => vec![(trivia.clone(), *text)],
        NewPart::Kept(node) | NewPart::Copied(node) => {
            let leaves = walk::iter_leaves(node).filter(|leaf| leaf.shape == NodeShape::Token);
            let texts = leaves.enumerate().map(|(at, leaf)| match at {
                0 => (trivia.clone(), leaf.text()),
                _ => (leaf.trivia().into(), leaf.text()),
            });
            texts.collect()
        }
    }
}

fn to_pieces(part: &NewPart, trivia: &Arc<[u8]>) -> Vec<ReplacementPiece> {
    if let NewPart::Kept(node) = part {
        let content = PieceContent::Node(node.id);
        return vec![ReplacementPiece {
            content,
            trivia: trivia.clone(),
        }];
    }
    let texts = new_texts(part, trivia).into_iter();
    texts
        .map(|(trivia, text)| ReplacementPiece {
            content: PieceContent::Token(text.into()),
            trivia,
        })
        .collect()
}

/// How the parts begin: at most about so many characters on one line.
fn excerpt(parts: &[(NewPart, Arc<[u8]>)], limit: usize) -> String {
    let mut text = String::new();
    for (part, trivia) in parts {
        if !text.is_empty() && !trivia.is_empty() {
            text.push(' ');
        }
        match part {
            NewPart::Token(token) => text += &String::from_utf8_lossy(token),
            NewPart::Kept(node) | NewPart::Copied(node) => text += &text_excerpt(node, limit),
        }
        if text.chars().count() > limit {
            let end = text
                .char_indices()
                .nth(limit)
                .map_or(text.len(), |(at, _)| at);
            return format!("{}…", text[..end].trim_end_matches('…'));
        }
    }
    text
}
