//! The statements of a function: the parts of its body, and of all blocks inside of them.
//!
//! A *block* is a node of a kind that bodies of functions have. Its parts are the elements of its list, and its optional parts. What stands in no block inside of a
//! statement is its *head*: all of a simple statement, the condition of a loop.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::grammar::NodeClass;
use crate::language::Language;
use crate::program::names::{DeclarationKind, NameRole, NameSymbol, ParameterSort};
use crate::program::{
    NodeFlags, NodeId, NodeShape, ProgramNode, Version, find_bodies, strip_separator, walk,
};
use crate::protocol::abandon::count_round;

/// The bodies of functions of a document.
pub struct FunctionBodies<'a> {
    /// Those that are inside of no other, in order.
    pub outermost: Vec<&'a Arc<ProgramNode>>,
    /// All of them.
    nodes: FxHashSet<NodeId>,
    /// The kinds of blocks.
    blocks: FxHashSet<NodeClass>,
}

impl<'a> FunctionBodies<'a> {
    /// Those of this document.
    pub fn of_document(version: &'a Version, document: usize) -> FunctionBodies<'a> {
        let mut bodies = FunctionBodies {
            outermost: Vec::new(),
            nodes: FxHashSet::default(),
            blocks: FxHashSet::default(),
        };
        for (path, owner) in find_bodies(version) {
            if path.document != document || owner != DeclarationKind::Function {
                continue;
            }
            let node = path.node();
            // Those around others come first.
            let is_inner = path
                .ancestors()
                .any(|above| bodies.nodes.contains(&above.id));
            if !is_inner {
                bodies.outermost.push(node);
            }
            bodies.nodes.insert(node.id);
            bodies.blocks.extend(node.class);
        }
        bodies
    }

    /// Whether the node is the body of a function.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains(&node)
    }

    fn is_block(&self, node: &ProgramNode) -> bool {
        self.nodes.contains(&node.id)
            || node.class.is_some_and(|class| self.blocks.contains(&class))
    }
}

/// A statement.
pub struct Statement<'a> {
    /// Its node: an element of a list, or an optional part.
    pub node: &'a Arc<ProgramNode>,
    /// The number of the block that it is a part of.
    pub block: usize,
    /// The statement around it.
    pub parent: Option<usize>,
    /// The number behind its last inner statement.
    pub end: usize,
    /// Whether a leaf of the target is in its head.
    pub has_target: bool,
    /// What its head uses.
    pub reads: Vec<NameSymbol>,
    /// What it declares or assigns.
    pub changes: Vec<NameSymbol>,
    /// What its head calls; none if it calls nothing.
    pub calls: Vec<NameSymbol>,
    /// Whether it only leaves a block.
    pub is_jump: bool,
}

/// A block.
pub struct Block {
    /// How many parts it has.
    pub parts: usize,
    /// The optional part that holds them, if its list cannot be empty: all of them go with it.
    pub holder: Option<NodeId>,
    /// Whether the language requires that a part stays.
    pub is_nonempty: bool,
}

/// The statements of a body.
#[derive(Default)]
pub struct StatementTree<'a> {
    /// Those around others first, in the order of the text.
    pub statements: Vec<Statement<'a>>,
    /// The blocks.
    pub blocks: Vec<Block>,
}

/// The statements of a body of this document.
pub fn read_statements<'a>(
    version: &Version,
    document: usize,
    bodies: &FunctionBodies,
    body: &'a Arc<ProgramNode>,
    target: &[NodeId],
) -> StatementTree<'a> {
    let language = version.documents()[document].language;
    let mut tree = StatementTree::default();
    // Nodes, with the statement that they belong to, and the block of those that are statements.
    let mut stack: Vec<(&Arc<ProgramNode>, Option<usize>, Option<usize>)> = Vec::new();
    let open_block = |stack: &mut Vec<_>, blocks: &mut Vec<Block>, block, owner| {
        let (parts, holder) = block_parts(block);
        let is_nonempty = language.zip(block.class);
        blocks.push(Block {
            parts: parts.len(),
            holder,
            is_nonempty: is_nonempty.is_some_and(|(language, class)| language.is_nonempty(class)),
        });
        let number = Some(blocks.len() - 1);
        let parts = parts.into_iter().rev();
        stack.extend(parts.map(|part| (part, owner, number)));
    };
    open_block(&mut stack, &mut tree.blocks, body, None);
    let found = &mut tree.statements;
    while let Some((node, owner, block)) = stack.pop() {
        count_round();
        let owner = match block {
            Some(block) => {
                found.push(Statement::new(language, node, owner, block));
                Some(found.len() - 1)
            }
            None => owner,
        };
        let at = owner.expect("what is no statement is inside of one");
        if node.shape == NodeShape::Token {
            found[at].add_leaf(version, node, target);
        } else if bodies.is_block(node) {
            open_block(&mut stack, &mut tree.blocks, node, owner);
        } else {
            let children = node.children().iter().rev();
            stack.extend(children.map(|child| (child, owner, None)));
        }
    }
    for at in (0..found.len()).rev() {
        let end = found[at].end.max(at + 1);
        found[at].end = end;
        if let Some(parent) = found[at].parent {
            found[parent].end = found[parent].end.max(end);
        }
    }
    tree
}

impl<'a> Statement<'a> {
    fn new(
        language: Option<&Language>,
        node: &'a Arc<ProgramNode>,
        parent: Option<usize>,
        block: usize,
    ) -> Statement<'a> {
        Statement {
            node,
            block,
            parent,
            end: 0,
            has_target: false,
            reads: Vec::new(),
            changes: Vec::new(),
            calls: Vec::new(),
            is_jump: language.is_some_and(|language| begins_with_jump(language, node)),
        }
    }

    /// Adds what a leaf of its head says.
    fn add_leaf(&mut self, version: &Version, leaf: &Arc<ProgramNode>, target: &[NodeId]) {
        let names = version.name_graph();
        self.has_target |= target.contains(&leaf.id);
        let tokens = leaf.ids().iter();
        let lists = tokens.filter_map(|&token| names.parameter_list_at(token));
        let calls = lists.filter(|list| !list.is_declaration && list.sort == ParameterSort::Value);
        self.calls.extend(calls.map(|list| list.callee));
        let is_assigned = leaf.ids().iter().any(|&token| names.is_assigned_at(token));
        for found in names.leaf_occurrences(leaf) {
            if found.role == NameRole::Declares || is_assigned {
                self.changes.push(found.symbol);
            }
            if found.role == NameRole::Uses {
                self.reads.push(found.symbol);
            }
        }
    }
}

/// Whether the statement begins with a node that leaves a block: it changes nothing that is read behind it.
fn begins_with_jump(language: &Language, statement: &ProgramNode) -> bool {
    let mut next = Some(statement);
    while let Some(node) = next {
        if node.class.is_some_and(|class| language.is_jump(class)) {
            return true;
        }
        let mut parts = node.children().iter().filter(|child| !child.is_empty());
        next = parts.next().map(|first| &**first);
    }
    false
}

/// The parts of a block, in the order of the text, and the optional part that holds them if their list cannot be empty.
fn block_parts(block: &Arc<ProgramNode>) -> (Vec<&Arc<ProgramNode>>, Option<NodeId>) {
    let (mut parts, mut holder) = (Vec::new(), None);
    let mut stack: Vec<&Arc<ProgramNode>> = vec![block];
    while let Some(node) = stack.pop() {
        if is_statement_list(node) {
            let elements = walk::iter_items(node).map(strip_separator);
            parts.extend(elements.filter(|element| element.sums().tokens > 0));
        } else if node.is_empty() || node.shape.is_leaf() {
            continue;
        } else if let Some(list) = leading_list(node) {
            if node.shape == NodeShape::Opt && list.must_keep_one() {
                holder = Some(node.id);
            }
            stack.extend(node.children().iter().rev());
        } else if node.shape == NodeShape::Opt {
            parts.push(node);
        } else if node.id == block.id {
            stack.extend(node.children().iter().rev());
        }
    }
    (parts, holder)
}

/// Whether the node is a list, and not the operands of a chain.
fn is_statement_list(node: &ProgramNode) -> bool {
    node.shape.is_list() && !node.flags.contains(NodeFlags::CHAIN)
}

/// The list that stands in front of all else in the node.
fn leading_list(node: &Arc<ProgramNode>) -> Option<&Arc<ProgramNode>> {
    let mut node = node;
    loop {
        let mut children = node.children().iter().filter(|child| !child.is_empty());
        match children.next()? {
            first if is_statement_list(first) => return Some(first),
            first if !first.shape.is_leaf() && children.next().is_none() => node = first,
            _ => return None,
        }
    }
}
