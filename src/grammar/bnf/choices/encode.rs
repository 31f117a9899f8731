//! From a tree to choices.

use super::super::super::earley::EarleyNode;
use super::super::rules::SymbolId;
use super::ChoiceGrammar;
use super::rule_program::{ChoiceStep, RuleProgram};

/// What a node adds to the sequence: choices of its own, and those of its children.
enum NodePart {
    Choice(u32),
    Child,
}

/// A node of which some parts are still to be added.
struct OpenNode {
    parts: std::vec::IntoIter<NodePart>,
    /// The next of its children.
    children: std::vec::IntoIter<usize>,
}

impl ChoiceGrammar {
    /// The choices that make this tree, in which no node is left out.
    pub(super) fn encode_nodes(
        &self,
        nodes: &[EarleyNode],
        text: &dyn Fn(u32, u32) -> Vec<u8>,
    ) -> Option<Vec<u32>> {
        let children = list_children(nodes);
        let open_node = |at: usize| {
            let SymbolId::Rule(rule) = self.symbol_of(nodes[at].class) else {
                return None;
            };
            let symbols = children[at]
                .iter()
                .map(|&child| self.symbol_of(nodes[child].class));
            let symbols: Vec<SymbolId> = symbols.collect();
            Some(OpenNode {
                parts: find_parts(&self.programs[rule], &symbols)?.into_iter(),
                children: children[at].clone().into_iter(),
            })
        };
        let mut choices = Vec::new();
        let mut stack = vec![open_node(0)?];
        while let Some(top) = stack.last_mut() {
            match top.parts.next() {
                None => drop(stack.pop()),
                Some(NodePart::Choice(choice)) => choices.push(choice),
                Some(NodePart::Child) => {
                    let child = top.children.next()?;
                    let (class, (from, to)) = (nodes[child].class, nodes[child].tokens);
                    match self.symbol_of(class) {
                        SymbolId::Rule(_) => stack.push(open_node(child)?),
                        SymbolId::Token(token) => {
                            choices.extend(self.tokens[token].encode(&text(from, to))?);
                        }
                    }
                }
            }
        }
        Some(choices)
    }
}

/// For each node its children.
fn list_children(nodes: &[EarleyNode]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        while open
            .pop_if(|&mut outer| nodes[outer].depth >= node.depth)
            .is_some()
        {}
        if let Some(&parent) = open.last() {
            children[parent].push(at);
        }
        open.push(at);
    }
    children
}

/// The choices that lead through a rule over these symbols: at each place the first way from which the end can be reached.
fn find_parts(program: &RuleProgram, symbols: &[SymbolId]) -> Option<Vec<NodePart>> {
    let reaches = reachable_ends(program, symbols);
    let (mut step, mut at) = (program.start, 0);
    let mut parts = Vec::new();
    // The lists that have an element without a symbol here: they would have another one for ever.
    let mut idle: Vec<usize> = Vec::new();
    loop {
        if !reaches[at][step] {
            return None;
        }
        match &program.steps[step] {
            ChoiceStep::End => return Some(parts),
            ChoiceStep::Symbol(_, next) => {
                parts.push(NodePart::Child);
                (step, at) = (*next, at + 1);
                idle.clear();
            }
            ChoiceStep::Ways(ways) => {
                let way = ways.iter().position(|&way| reaches[at][way])?;
                parts.push(NodePart::Choice(way as u32));
                step = ways[way];
            }
            ChoiceStep::Repeat { body, next, .. } | ChoiceStep::Maybe { body, next, .. } => {
                let there = !reaches[at][*next] || reaches[at][*body] && !idle.contains(&step);
                // What needs no symbol is left out, unless symbols follow that only it can have.
                let there = there && !(reaches[at][*next] && at == symbols.len());
                parts.push(NodePart::Choice(u32::from(there)));
                idle.push(step);
                step = if there { *body } else { *next };
            }
            ChoiceStep::EndMaybe(next) => step = *next,
        }
    }
}

/// For each number of symbols and each step, whether the end can be reached from there over the other symbols.
fn reachable_ends(program: &RuleProgram, symbols: &[SymbolId]) -> Vec<Vec<bool>> {
    let mut reaches = vec![vec![false; program.steps.len()]; symbols.len() + 1];
    for at in (0..=symbols.len()).rev() {
        // Until nothing changes: a list leads back to itself.
        loop {
            let mut changed = false;
            for (step, kind) in program.steps.iter().enumerate() {
                let now = match kind {
                    ChoiceStep::End => at == symbols.len(),
                    ChoiceStep::Symbol(symbol, next) => {
                        symbols.get(at) == Some(symbol) && reaches[at + 1][*next]
                    }
                    ChoiceStep::Ways(ways) => ways.iter().any(|&way| reaches[at][way]),
                    ChoiceStep::Repeat { body, next, .. }
                    | ChoiceStep::Maybe { body, next, .. } => {
                        reaches[at][*body] || reaches[at][*next]
                    }
                    ChoiceStep::EndMaybe(next) => reaches[at][*next],
                };
                changed |= now != reaches[at][step];
                reaches[at][step] = now;
            }
            if !changed {
                break;
            }
        }
    }
    reaches
}
