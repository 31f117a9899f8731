//! From derivations to a tree: nodes in the order in which they begin, and what the grammar's marks say of them.

use super::super::{NodeClass, RuleId};
use super::{EarleyNode, EarleyParser, EarleyTree, MarkedTokens};

/// A part of a node of a derivation.
pub(in super::super) struct TreePart<N> {
    pub content: PartContent<N>,
    /// Its tokens.
    pub tokens: (u32, u32),
}

/// What a part is. `N` says which node of the derivation.
pub(in super::super) enum PartContent<N> {
    Token(NodeClass),
    Rule(RuleId, N),
}

impl EarleyParser {
    /// The tree below `root`, which is a rule. `list_parts` adds the parts of a node, from the first to the last.
    pub(in super::super) fn assemble_tree<N>(
        &self,
        root: TreePart<N>,
        mut list_parts: impl FnMut(N, &mut Vec<TreePart<N>>),
    ) -> EarleyTree {
        let mut tree = EarleyTree::default();
        let (mut derivation, mut parts) = (0, Vec::new());
        let mut open = vec![(root, 0)];
        while let Some((TreePart { content, tokens }, depth)) = open.pop() {
            let (rule, node) = match content {
                PartContent::Rule(rule, node) => (rule, node),
                PartContent::Token(class) => {
                    tree.nodes.push(EarleyNode {
                        class,
                        tokens,
                        depth,
                    });
                    continue;
                }
            };
            list_parts(node, &mut parts);
            derivation += 1;
            let mut add_mark = |mark, tokens| {
                tree.marked.push(MarkedTokens {
                    mark,
                    tokens,
                    derivation,
                });
            };
            for &mark in self.marks.marks_of_rule(rule) {
                add_mark(mark, tokens);
            }
            for part in &parts {
                let class = self.part_class(&part.content);
                for mark in self.marks.marks_of_part(rule, class) {
                    add_mark(mark, part.tokens);
                }
            }
            // A node with one child node and nothing else is left out.
            let kept = depth == 0 || self.kept[rule.0 as usize] || parts.len() != 1;
            if kept {
                let class = self.machine.classes[rule.0 as usize];
                tree.nodes.push(EarleyNode {
                    class,
                    tokens,
                    depth,
                });
            }
            let depth = depth + u32::from(kept);
            // The stack reverses them.
            open.extend(parts.drain(..).rev().map(|part| (part, depth)));
        }
        tree
    }

    fn part_class<N>(&self, content: &PartContent<N>) -> NodeClass {
        match content {
            PartContent::Token(class) => *class,
            PartContent::Rule(rule, _) => self.machine.classes[rule.0 as usize],
        }
    }
}
