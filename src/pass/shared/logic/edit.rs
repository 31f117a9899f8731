//! The edit that turns one expression into another. It speaks of nodes where it can: an operand leaves its chain, an operand takes the place of the
//! whole, a constant takes the place of a node. So pins hold, and tokens keep their identities. Only what the program does not have yet is
//! written anew.

use std::sync::Arc;

use super::read::LogicNode;
use super::{ChainKind, Logic, OtherPart};
use crate::language::{Language, LogicRole, StatementFacts};
use crate::program::{EditOp, NodeId, Replacement, walk};
use crate::protocol::IndexRanges;

/// The operations that make `new` of the expression; nothing if it is that already.
pub fn plan_expression(
    language: &'static Language,
    facts: &StatementFacts,
    old: &LogicNode,
    new: &Logic,
) -> Vec<EditOp> {
    let mut ops = Vec::new();
    plan_node(language, facts, old, (new, None), &mut ops);
    ops
}

fn plan_node(
    language: &'static Language,
    facts: &StatementFacts,
    old: &LogicNode,
    (new, around): (&Logic, Option<&Logic>),
    ops: &mut Vec<EditOp>,
) {
    if old.logic == *new {
        return;
    }
    let node = old.node.id;
    if let Some(below) = find_below(language, old, old, new) {
        let piece = Replacement::Node(below);
        ops.push(EditOp::Replace { node, piece });
        return;
    }
    let pairs: Option<Vec<(&LogicNode, &Logic)>> = match (&old.logic, new) {
        (Logic::Chain(kind, operands), Logic::Chain(wanted, left)) if kind == wanted => {
            if let Some((list, items)) = old.list.zip(left_out(operands, left)) {
                let list = list.id;
                ops.push(EditOp::DeleteItems { list, items });
                return;
            }
            (operands.len() == left.len()).then(|| old.inner.iter().zip(left).collect())
        }
        (Logic::Not(_), Logic::Not(new)) => Some(vec![(&old.inner[0], &**new)]),
        (
            Logic::Comparison { equal, .. },
            Logic::Comparison {
                equal: wanted,
                operands,
            },
        ) if equal == wanted => Some(old.inner.iter().zip(operands.iter()).collect()),
        (Logic::Other(parts), Logic::Other(wanted)) => pair_others(parts, wanted, &old.inner),
        _ => None,
    };
    match pairs {
        Some(pairs) => {
            for (old, inner) in pairs {
                plan_node(language, facts, old, (inner, Some(new)), ops);
            }
        }
        None => {
            let mut tokens = Vec::new();
            write_inside(facts, new, around, &mut tokens);
            let piece = Replacement::Tokens(tokens.into());
            ops.push(EditOp::Replace { node, piece });
        }
    }
}

/// The operations that remove parentheses which no family of checkers needs: around the whole expression, around what is read as one operand
/// anywhere, and around a conjunction in a disjunction. They are only removed around what `kept` does not change.
pub fn remove_parentheses(expression: &LogicNode, kept: &[EditOp]) -> Vec<EditOp> {
    let mut ops = Vec::new();
    let mut open: Vec<(&LogicNode, Option<&Logic>)> = vec![(expression, None)];
    while let Some((node, around)) = open.pop() {
        let is_replaced =
            |op: &EditOp| matches!(op, EditOp::Replace { node: id, .. } if *id == node.node.id);
        if kept.iter().any(is_replaced) {
            continue;
        }
        if stands_free(&node.logic, around) {
            ops.extend(parentheses_around(node).map(EditOp::Delete));
        }
        let gone = kept.iter().find_map(|op| match op {
            EditOp::DeleteItems { list, items } if node.list.is_some_and(|own| own.id == *list) => {
                Some(items)
            }
            _ => None,
        });
        let is_gone = |at: u32| gone.is_some_and(|items| items.contains_range(at..at + 1));
        let inner = (0..).zip(&node.inner).filter(|(at, _)| !is_gone(*at));
        open.extend(inner.map(|(_, inner)| (inner, Some(&node.logic))));
    }
    ops
}

/// The parentheses around the core of a node.
fn parentheses_around(node: &LogicNode) -> impl Iterator<Item = NodeId> {
    let core: Vec<NodeId> = walk::iter_leaves(node.core).map(|leaf| leaf.id).collect();
    let around = walk::iter_leaves(node.node).filter(move |leaf| !core.contains(&leaf.id));
    let signs = around.filter(|leaf| matches!(leaf.text(), b"(" | b")"));
    signs.map(|leaf| leaf.id).collect::<Vec<_>>().into_iter()
}

/// Whether all families of checkers read an expression without parentheses as one, directly inside of `around`.
fn stands_free(logic: &Logic, around: Option<&Logic>) -> bool {
    match (logic, around) {
        (_, None) => true,
        (Logic::Chain(ChainKind::And, _), Some(Logic::Chain(ChainKind::Or, _))) => true,
        (Logic::Chain(..) | Logic::Comparison { .. }, _) => false,
        // Brackets close it.
        (Logic::Other(parts), _) => {
            matches!(parts.last(), Some(OtherPart::Token(text)) if **text == *b"]")
        }
        (Logic::Constant(_) | Logic::Any | Logic::Variable(_) | Logic::Not(_), _) => true,
    }
}

/// The tokens of an expression that stands directly inside of `around`.
fn write_inside(
    facts: &StatementFacts,
    logic: &Logic,
    around: Option<&Logic>,
    out: &mut Vec<Arc<[u8]>>,
) {
    let sign = |text: &[u8]| (!stands_free(logic, around)).then(|| Arc::from(text));
    out.extend(sign(b"("));
    write_tokens(facts, logic, out);
    out.extend(sign(b")"));
}

/// The node below that is the expression and fits the place.
fn find_below(
    language: &'static Language,
    place: &LogicNode,
    from: &LogicNode,
    new: &Logic,
) -> Option<NodeId> {
    from.inner.iter().find_map(|inner| {
        if inner.logic == *new {
            let expected = place.node.expected?;
            let fits = |class| language.grammar().class_fits(class, expected);
            let nodes = [inner.core, inner.node];
            let fitting = nodes.into_iter().find(|node| node.class.is_some_and(fits));
            return fitting.map(|node| node.id);
        }
        find_below(language, place, inner, new)
    })
}

/// The operands that are not left, if what is left is some of them in their order.
fn left_out(operands: &[Logic], left: &[Logic]) -> Option<IndexRanges> {
    let (mut out, mut next) = (Vec::new(), left.iter().peekable());
    for (at, operand) in (0..).zip(operands) {
        if next.next_if(|wanted| *wanted == operand).is_none() {
            out.push(at);
        }
    }
    next.peek().is_none().then(|| IndexRanges::from_sorted(out))
}

/// The inner expressions of two that have the same tokens, in pairs.
fn pair_others<'a, 'b>(
    parts: &[OtherPart],
    wanted: &'b [OtherPart],
    inner: &'a [LogicNode<'a>],
) -> Option<Vec<(&'a LogicNode<'a>, &'b Logic)>> {
    if parts.len() != wanted.len() {
        return None;
    }
    let mut old = inner.iter();
    let mut pairs = Vec::new();
    for (part, wanted) in parts.iter().zip(wanted) {
        match (part, wanted) {
            (OtherPart::Token(text), OtherPart::Token(same)) if text == same => {}
            (OtherPart::Inner(_), OtherPart::Inner(new)) => pairs.push((old.next()?, new)),
            _ => return None,
        }
    }
    Some(pairs)
}

/// The tokens of an expression, with parentheses where the two families of checkers would read it differently.
pub fn write_tokens(facts: &StatementFacts, logic: &Logic, out: &mut Vec<Arc<[u8]>>) {
    let word = |role| Arc::<[u8]>::from(facts.logic_text(role).unwrap_or_default());
    let inside = |inner, out: &mut _| write_inside(facts, inner, Some(logic), out);
    match logic {
        Logic::Constant(true) => out.push(word(LogicRole::True)),
        Logic::Constant(false) => out.push(word(LogicRole::False)),
        Logic::Any => out.push(word(LogicRole::Any)),
        Logic::Variable(name) => out.push(name.clone()),
        Logic::Not(inner) => {
            out.push(word(LogicRole::Not));
            inside(inner, out);
        }
        Logic::Chain(kind, operands) => {
            let role = match kind {
                ChainKind::And => LogicRole::And,
                ChainKind::Or => LogicRole::Or,
            };
            for (at, operand) in operands.iter().enumerate() {
                if at > 0 {
                    out.push(word(role));
                }
                inside(operand, out);
            }
        }
        Logic::Comparison { equal, operands } => {
            let role = match equal {
                true => LogicRole::Equal,
                false => LogicRole::Differ,
            };
            inside(&operands[0], out);
            out.push(word(role));
            inside(&operands[1], out);
        }
        Logic::Other(parts) => {
            for part in parts {
                match part {
                    OtherPart::Token(text) => out.push(text.clone()),
                    OtherPart::Inner(inner) => inside(inner, out),
                }
            }
        }
    }
}
