//! Expressions as the tree has them, and where they stand.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{ChainKind, Logic, OtherPart};
use crate::language::{Language, LogicRole, PlaceKind, StatementFacts};
use crate::program::{NodeId, NodeShape, ProgramNode, View, strip_separator, walk};

/// An expression and the nodes that it was read from.
pub struct LogicNode<'a> {
    /// The expression.
    pub logic: Logic,
    /// The node that stands in the place, with its parentheses.
    pub node: &'a Arc<ProgramNode>,
    /// The same without.
    pub core: &'a Arc<ProgramNode>,
    /// The list of a chain.
    pub list: Option<&'a Arc<ProgramNode>>,
    /// What is directly inside, in the order of [`Logic::inner`].
    pub inner: Vec<LogicNode<'a>>,
    /// Whether both families of checkers read it the same as an operand of any operator.
    is_closed: bool,
}

/// A place of a kind that a pass asks about, and the language of its document.
pub struct FoundPlace<'a> {
    /// The node that stands there.
    pub node: &'a Arc<ProgramNode>,
    /// Its language.
    pub language: &'static Language,
    /// The statement that it stands in directly; none for a statement that stands in no other.
    pub statement: Option<NodeId>,
    /// How many statements it stands in.
    depth: u32,
}

impl FoundPlace<'_> {
    /// Whether the statement, or the one that this place is in, stands in another.
    pub fn is_inner(&self) -> bool {
        let facts = self.language.statements();
        let itself = facts.is_some_and(|facts| is_statement(facts, self.language, self.node));
        self.depth + u32::from(itself) > 1
    }
}

/// Some statements stand alone, such as those that need no semicolon.
fn is_statement(facts: &StatementFacts, language: &'static Language, node: &ProgramNode) -> bool {
    let Some((kind, _)) = &facts.statement else {
        return false;
    };
    let stands_alone = |(class, place)| kind.stands_without_rest(language.grammar(), class, place);
    stands_for(kind, language, node) || node.class.zip(node.expected).is_some_and(stands_alone)
}

/// Whether a node is of this kind. New text has no class until the program is read again: a token in a place for this kind alone is one.
fn stands_for(kind: &PlaceKind, language: &'static Language, node: &ProgramNode) -> bool {
    let is_placed = node.class.is_some() || node.shape == NodeShape::Token;
    let expected = node.expected.filter(|_| is_placed);
    expected.is_some_and(|place| kind.matches_place(language.grammar(), node.class, place))
}

/// The outermost nodes that `wanted` picks, in the order of the text, and nothing inside of nodes that `closed` picks. With `nested`, also
/// those inside of others.
fn find_places<'a>(
    view: &'a View,
    nested: bool,
    wanted: impl Fn(&StatementFacts, &'static Language, &ProgramNode) -> bool,
    closed: impl Fn(&StatementFacts, &ProgramNode) -> bool,
) -> Vec<FoundPlace<'a>> {
    let mut found = Vec::new();
    for document in view.documents() {
        let Some(language) = document.language else {
            continue;
        };
        let Some(facts) = language.statements() else {
            continue;
        };
        let mut open = vec![(&document.root, None, 0)];
        while let Some((node, statement, depth)) = open.pop() {
            let own = strip_separator(node);
            if closed(facts, own) {
                continue;
            }
            if wanted(facts, language, own) {
                found.push(FoundPlace {
                    node: own,
                    language,
                    statement,
                    depth,
                });
                if !nested {
                    continue;
                }
            }
            let (around, depth) = match is_statement(facts, language, own) {
                true => (Some(own.id), depth + 1),
                false => (statement, depth),
            };
            let below = node.children().iter().rev();
            open.extend(below.map(|child| (child, around, depth)));
        }
    }
    found
}

/// Where expressions stand that may become something else.
pub fn expression_places(view: &View) -> Vec<FoundPlace<'_>> {
    find_places(view, false, is_expression, |facts, node| {
        let kept = facts.expression.as_ref().map(|(_, kept)| kept);
        kept.zip(node.class)
            .is_some_and(|(kept, class)| kept.contains(&class))
    })
}

/// Where all expressions stand, also those that stay what they are and may only be written more simply.
pub fn all_expression_places(view: &View) -> Vec<FoundPlace<'_>> {
    find_places(view, false, is_expression, |_, _| false)
}

/// Where expressions stand that stay as they are, as the language says.
pub fn kept_expression_places(view: &View) -> Vec<FoundPlace<'_>> {
    let others = expression_places(view);
    let others: FxHashSet<NodeId> = others.iter().map(|place| place.node.id).collect();
    let mut all = all_expression_places(view);
    all.retain(|place| !others.contains(&place.node.id));
    all
}

fn is_expression(facts: &StatementFacts, language: &'static Language, node: &ProgramNode) -> bool {
    let kind = facts.expression.as_ref().map(|(kind, _)| kind);
    kind.is_some_and(|kind| stands_for(kind, language, node))
}

/// The statements, outer before inner.
pub fn statement_places(view: &View) -> Vec<FoundPlace<'_>> {
    find_places(view, true, is_statement, |_, _| false)
}

/// The parallel assignments.
pub fn assignment_places(view: &View) -> Vec<FoundPlace<'_>> {
    let wanted = |facts: &StatementFacts, _: &'static Language, node: &ProgramNode| {
        let kind = facts.assignment.as_ref().map(|kind| kind.class);
        kind.is_some() && kind == node.class
    };
    find_places(view, false, wanted, |_, _| false)
}

/// The parts of a node, without comments.
fn parts(node: &ProgramNode) -> Vec<&Arc<ProgramNode>> {
    let all = walk::iter_items(node).filter(|part| part.shape != NodeShape::Extra);
    all.filter(|part| part.sums().tokens > 0).collect()
}

/// Reads expressions of a language.
#[derive(Clone, Copy)]
pub struct LogicReader<'f> {
    language: &'static Language,
    facts: &'f StatementFacts,
}

impl<'f> LogicReader<'f> {
    /// A reader for a language, and what it says of its expressions.
    pub fn new(language: &'static Language, facts: &'f StatementFacts) -> LogicReader<'f> {
        LogicReader { language, facts }
    }

    /// Reads the expression at a node.
    pub fn read_expression<'a>(self, node: &'a Arc<ProgramNode>) -> LogicNode<'a> {
        let mut core = node;
        while !core.shape.is_leaf() && core.shape != NodeShape::Sep {
            let [only] = parts(core)[..] else { break };
            core = only;
        }
        if core.shape == NodeShape::Sep {
            return self.read_chain(node, core);
        }
        let found = |logic, inner, core, is_closed| LogicNode {
            logic,
            node,
            core,
            list: None,
            inner,
            is_closed,
        };
        if core.shape.is_leaf() {
            let logic = match self.facts.logic_role(core.text()) {
                Some(LogicRole::True) => Logic::Constant(true),
                Some(LogicRole::False) => Logic::Constant(false),
                Some(LogicRole::Any) => Logic::Any,
                _ => Logic::Variable(core.text().into()),
            };
            return found(logic, Vec::new(), core, true);
        }
        let all = parts(core);
        if let [open, inner, close] = all[..]
            && (open.text(), close.text()) == (b"(", b")")
        {
            let inner = self.read_expression(inner);
            return LogicNode {
                node,
                is_closed: true,
                ..inner
            };
        }
        // Signs before an operand are a list, as the normal form has them.
        if let Some((operand, signs)) = all.split_last()
            && !signs.is_empty()
            && signs.iter().all(|sign| self.is_negation(sign))
        {
            let count: u32 = signs.iter().map(|sign| sign.sums().tokens).sum();
            let inner = self.read_expression(operand);
            if inner.is_closed && count == 1 {
                let logic = Logic::Not(Box::new(inner.logic.clone()));
                return found(logic, vec![inner], core, true);
            }
        }
        let (parts, inner) = self.read_others(core);
        let last = walk::iter_leaves(core)
            .last()
            .map(|leaf| leaf.text().to_vec());
        let is_closed = matches!(last.as_deref(), Some(b")" | b"]"));
        found(Logic::Other(parts), inner, core, is_closed)
    }

    fn is_negation(self, node: &Arc<ProgramNode>) -> bool {
        let mut leaves = walk::iter_leaves(node);
        leaves.all(|leaf| self.facts.logic_role(leaf.text()) == Some(LogicRole::Not))
    }

    /// What is not read further: tokens, and what is between them.
    fn read_others<'a>(self, node: &'a Arc<ProgramNode>) -> (Vec<OtherPart>, Vec<LogicNode<'a>>) {
        let (mut parts, mut inner) = (Vec::new(), Vec::new());
        let mut open: Vec<&Arc<ProgramNode>> = vec![node];
        while let Some(next) = open.pop() {
            let is_word = next.shape == NodeShape::Token && self.is_variable(next);
            let stands_alone = next.id != node.id && next.class.is_some() && !next.shape.is_leaf();
            let read = (is_word || stands_alone || self.is_value(next))
                .then(|| self.read_expression(next));
            // What is no operand by itself is read in one with what is around it.
            if let Some(read) = read.filter(|read| read.is_closed) {
                parts.push(OtherPart::Inner(read.logic.clone()));
                inner.push(read);
            } else if next.shape == NodeShape::Token {
                parts.push(OtherPart::Token(next.text().into()));
            } else {
                open.extend(next.children().iter().rev());
            }
        }
        (parts, inner)
    }

    /// A chain of operands with one operator, or a comparison of two; else it is not read.
    fn read_chain<'a>(
        self,
        node: &'a Arc<ProgramNode>,
        list: &'a Arc<ProgramNode>,
    ) -> LogicNode<'a> {
        let elements: Vec<&Arc<ProgramNode>> = parts(list);
        let roles: Vec<Option<LogicRole>> = elements
            .iter()
            .skip(1)
            .map(|link| walk::leaf_at(link, 0).and_then(|sign| self.facts.logic_role(sign.text())))
            .collect();
        let operands = elements.iter().map(|element| strip_separator(element));
        let inner: Vec<LogicNode> = operands.map(|node| self.read_expression(node)).collect();
        let all = |role| roles.iter().all(|known| *known == Some(role));
        let logics = || inner.iter().map(|inner| inner.logic.clone());
        let is_and = |inner: &LogicNode| matches!(inner.logic, Logic::Chain(ChainKind::And, _));
        let closed = inner.iter().all(|inner| inner.is_closed);
        let closed_or_and = inner.iter().all(|inner| inner.is_closed || is_and(inner));
        let logic = match &inner[..] {
            _ if all(LogicRole::And) && closed => {
                Some(Logic::Chain(ChainKind::And, logics().collect()))
            }
            _ if all(LogicRole::Or) && closed_or_and => {
                Some(Logic::Chain(ChainKind::Or, logics().collect()))
            }
            [left, right] if closed && (all(LogicRole::Equal) || all(LogicRole::Differ)) => {
                Some(Logic::Comparison {
                    equal: all(LogicRole::Equal),
                    operands: Box::new([left.logic.clone(), right.logic.clone()]),
                })
            }
            _ => None,
        };
        let is_chain = matches!(logic, Some(Logic::Chain(..)));
        let (logic, inner) = match logic {
            Some(logic) => (logic, inner),
            None => {
                let (parts, inner) = self.read_others(list);
                (Logic::Other(parts), inner)
            }
        };
        LogicNode {
            logic,
            node,
            core: match node.shape {
                NodeShape::Item => list,
                _ => node,
            },
            list: is_chain.then_some(list),
            inner,
            is_closed: false,
        }
    }

    /// Whether a token is a name, and not a sign or a keyword.
    fn is_variable(self, leaf: &ProgramNode) -> bool {
        let first = leaf.text().first().copied().unwrap_or_default();
        let word = first.is_ascii_alphabetic() || b"_'{".contains(&first) || first >= 0x80;
        let named = leaf
            .class
            .is_none_or(|class| self.language.grammar().is_named(class));
        word && named && self.facts.logic_role(leaf.text()).is_none()
    }

    /// Whether a token is a value.
    fn is_value(self, node: &ProgramNode) -> bool {
        let role = self.facts.logic_role(node.text());
        let values = [LogicRole::True, LogicRole::False, LogicRole::Any];
        node.shape == NodeShape::Token && role.is_some_and(|role| values.contains(&role))
    }
}
